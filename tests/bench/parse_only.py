"""The floor under every scanner: reads and parses files that are listed on standard input, and does nothing else.

A line is a grammar, a tab and a path. Run by the speed command in a process of its own.
"""

from __future__ import annotations

import sys

from tree_sitter import Parser
from tree_sitter_language_pack import get_language


def main() -> None:
    parsers: dict[str, Parser] = {}
    with open(sys.argv[1], encoding="utf-8") as listed:
        for line in listed:
            grammar, _, path = line.rstrip("\n").partition("\t")
            if grammar not in parsers:
                parsers[grammar] = Parser(get_language(grammar))  # type: ignore[arg-type]
            with open(path, "rb") as file:
                parsers[grammar].parse(file.read())


if __name__ == "__main__":
    main()
