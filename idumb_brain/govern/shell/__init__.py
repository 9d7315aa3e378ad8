"""Shell safety: what a command line would do, before it runs. Refuses to run, look up or change anything.

- ``knowledge``  what is known of commands, read from ``queries/shell/``;
- ``options``    words sorted into options and arguments;
- ``values``     variables, braces, quotes and substitutions, as far as the line tells;
- ``listing``    which files ``find`` and its like would name;
- ``places``     what may be done to a path;
- ``texts``      SQL and programs given as text;
- ``commands``   one simple command;
- ``line``       the whole line: ``judge``;
- ``decide``     a judgement as a decision, and what is worth a checkpoint.

Destructive is what loses work that cannot be got back, changes what is outside the project, or rewrites history that is shared. One named
file of the project may go, as git gives it back; folders and patterns may only where they can be made again (``build/``, ``*.o``).
A forced push is refused, but with a lease and to a named branch that is not protected. What nobody can read before it runs
(``curl … | sh``) is refused, what runs from a file of the project is not.
"""
