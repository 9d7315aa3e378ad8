"""Which files ``find``, ``fd`` and ``ls`` would name, as patterns. Looks at no disk: the words are all it has."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import pairwise

_ENDINGS = re.compile(r"\\\.(?:\\\()?(\w+(?:\\\|\w+)*)(?:\\\))?\$?$")
_NAMES = {"-name", "-iname", "-path", "-ipath", "-wholename"}
_ACTIONS = {"-delete", "-exec", "-execdir", "-ok", "-okdir"}
_FD_VALUES = {"-e", "--extension", "-E", "--exclude", "-t", "--type", "-d", "--max-depth", "-j", "--threads"}


def listed(name: str, words: tuple[str, ...]) -> list[str] | None:
    match name:
        case "find":
            return found_files(words)
        case "fd" | "fdfind":
            return fd_files(words)
        case "ls":
            return [one for one in words if not one.startswith("-")] or ["*"]
        case "git" if words[:1] == ("ls-files",):
            return [one for one in words[1:] if not one.startswith("-")] or ["*"]
        case "Get-ChildItem" | "gci" | "dir":
            filters = [after for word, after in pairwise(words) if word.lower() in ("-filter", "-include")]
            return filters or [one for one in words if not one.startswith("-")] or ["*"]
        case _:
            return None


def found_files(words: tuple[str, ...]) -> list[str]:
    """``find a -name '*.o'`` is ``a/**/*.o``; what cannot be said in a pattern is left out, and so names more."""
    starts = list(_starts(words)) or ["."]
    names: list[str] = []
    denied, named = False, 0
    for word, following in pairwise(words):
        if word in ("-o", "-or", ","):
            if len(names) == named:  # this choice names nothing, and so everything
                names.append("*")
            named = len(names)
        elif word in ("!", "-not"):
            denied = True
        elif word in _NAMES:
            if not denied:
                names.append(posixpath.basename(following.rstrip("/*")) if "path" in word else following)
            denied = False
        elif word in ("-regex", "-iregex") and (endings := _ENDINGS.search(following)):
            if not denied:
                names += [f"*.{ending}" for ending in endings[1].split("\\|")]
            denied = False
    if named and len(names) == named:
        names.append("*")
    return [
        f"{start.rstrip('/') or '/'}/**/{name}" if start != "/" else f"/**/{name}" for start in starts for name in names or ["*"]
    ]


def only_empty(words: tuple[str, ...]) -> bool:
    """Whether ``find`` acts on what is empty and on nothing else: asked before it acts, not denied, and not one of several choices."""
    asked = words[: min((at for at, word in enumerate(words) if word in _ACTIONS), default=len(words))]
    if "-empty" not in asked or {"-o", "-or", ","} & set(words):
        return False
    return asked[asked.index("-empty") - 1] not in ("!", "-not", "(")


def fd_files(words: tuple[str, ...]) -> list[str]:
    endings = [after for word, after in pairwise(words) if word in ("-e", "--extension")]
    return [f"./**/*.{ending}" for ending in endings] or ["./**/*"]


def executed(words: tuple[str, ...], openings: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The commands behind ``-exec`` and its like, up to ``;`` or ``+``."""
    at = 0
    while at < len(words):
        if words[at] in openings:
            start = at + 1
            while at + 1 < len(words) and words[at + 1] != ";" and not (words[at + 1] == "+" and words[at] == "{}"):
                at += 1
            yield words[start : at + 1]
        at += 1


def _starts(words: tuple[str, ...]) -> Iterator[str]:
    for word in words:
        if (word.startswith("-") and word not in ("-H", "-L", "-P")) or word in ("(", "!", ")"):
            return
        if not word.startswith("-"):
            yield word
