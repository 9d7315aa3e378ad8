"""A codebase brain for coding agents.

A tour, in the order data flows:

- ``model``       frozen values that every layer speaks in;
- ``store``       the only layer that knows SQL;
- ``scan``        files to facts: discover, parse, extract, resolve, refresh the index;
- ``graph``       answers questions about the facts, decides nothing;
- ``select``      ranks what was found and fills a budget;
- ``govern``      facts to decisions: what may happen now, what a command line would do, what a session is told;
- ``render``      values to text;
- ``operations``  the verbs, one typed function each;
- ``surfaces``    translate only: the command line.

Imports point down that list only; import-linter proves it in the test command.
"""

__version__ = "0.1.0"
