"""PHP definitions against PHP's own tokenizer, on Debian's packages of well-known libraries or on any folder.

A file that PHP cannot parse is left out, and counted. What each row compares: the kind, the name, the class around it and
the line on which its modifiers begin, for classes, functions, methods, properties, constants and the cases of enums.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.accuracy.measure import CodeMap, Score, compared, main, scanned
from tests.accuracy.trees import debian, program, run

_BAR = 0.999
_READER = Path(__file__).with_name("php_tokens.php")
_PACKAGES = ("php-symfony-console", "php-symfony-dependency-injection", "composer", "php-twig", "phpmyadmin", "phpunit")
_ROWS = {
    "php classes": ("class", "interface", "trait", "enum"),
    "php functions": ("function", "method"),
    "php constants": ("constant", "member"),
    "php properties": ("property",),
}
_KINDS = {"constructor": "method", "destructor": "method"}
_EXPLAINED: dict[str, str] = {}


class _Definition(NamedTuple):
    path: str
    line: int
    kind: str
    name: str
    owner: str

    def told(self) -> str:
        return f"{self.path}:{self.line} {self.kind} {self.owner + '::' if self.owner else ''}{self.name}"


def measure(folders: Sequence[str] = ()) -> Iterator[Score]:
    program("php", "php-cli")
    for folder in folders or _PACKAGES:
        root = debian(folder) if folder in _PACKAGES else Path(folder).resolve()
        with scanned(root) as code_map:
            paths = sorted(path for path, file in code_map.files.items() if file.language == "php")
            theirs, unread = _their_definitions(root, paths)
            ours = list(_our_definitions(code_map, [path for path in paths if path not in unread]))
        note = f"{len(unread)} files left out, which PHP cannot parse" if unread else ""
        for row, kinds in _ROWS.items():
            mine = [found for found in ours if found.kind in kinds]
            others = [found for found in theirs if found.kind in kinds]
            if mine or others:
                agreement = compared(mine, others, _Definition.told)
                notes = (note,) if note else ()
                yield Score(row, "PhpToken", root.name, len(paths) - len(unread), *agreement, _BAR, _BAR, notes, _EXPLAINED)


def _their_definitions(root: Path, paths: Sequence[str]) -> tuple[list[_Definition], set[str]]:
    found: list[_Definition] = []
    unread: Counter[str] = Counter()
    for line in run("php", "-d", "memory_limit=-1", str(_READER), cwd=root, given="\n".join(paths) + "\n").splitlines():
        told = json.loads(line)
        if "error" in told:
            unread[told["file"]] += 1
        else:
            found += [_Definition(told["file"], at, kind, name, owner) for kind, name, at, owner in told["found"]]
    return found, set(unread)


def _our_definitions(code_map: CodeMap, paths: Sequence[str]) -> Iterator[_Definition]:
    wanted = {kind for kinds in _ROWS.values() for kind in kinds}
    for path in paths:
        symbols = code_map.symbols(path)
        for symbol in symbols:
            kind = _KINDS.get(symbol.kind, symbol.kind)
            if kind not in wanted:
                continue
            owner = ""
            if (
                symbol.parent >= 0
                and symbols[symbol.parent].kind in _ROWS["php classes"]
                and kind not in ("function", *_ROWS["php classes"])
            ):
                owner = symbols[symbol.parent].name
            yield _Definition(path, symbol.line, kind, symbol.name, owner)


if __name__ == "__main__":
    folders = [word for word in sys.argv[1:] if Path(word).is_dir()]
    rest = [word for word in sys.argv[1:] if word not in folders]
    sys.exit(main(lambda: measure(folders), __doc__, rest))
