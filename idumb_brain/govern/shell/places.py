"""What may be done to a path: what can be made again may go, what is outside the project stays as it is. Looks at no disk.

Effects, the gentle ones first: ``create``, ``append``, ``edit`` and ``write`` (a file gets new content), ``replace`` (a file, or what is
in a folder, is written over), ``mode``, ``own`` (rights and owners), ``remove`` (one named file or what a pattern names), ``empty``
(content goes, none comes), ``modes``, ``owns`` and ``tree`` (with everything below).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise

from idumb_brain.govern.shell.knowledge import Places

UNKNOWN = "\0"  # stands for the part of a value that nobody can know
MANY = UNKNOWN + UNKNOWN + "*"  # and for any number of such values
_FILE = re.compile(r"[^.]\.[a-zA-Z]{1,5}[0-9]?$")  # ``.svn`` is a folder
_WINDOWS = re.compile(r"^[A-Za-z]:[\\/]")
_GLOB = re.compile(r"[*?\[]")
_LETTERS = re.compile(r"\[(\w+)\]")


@dataclass(frozen=True, slots=True)
class Where:
    """Where a line runs: the project, the folder it starts in, and the folder of the user."""

    root: str
    cwd: str
    home: str = ""
    free: tuple[str, ...] = ()  # folders outside the project that the line may use as it likes
    elsewhere: bool = False  # on another machine: no path is in the project


def objection(effect: str, path: str, where: Where, places: Places) -> str:
    """Why this should not be done to the path, or nothing."""
    if path in ("", "-") or (_WINDOWS.match(path) and effect == "create"):
        return ""
    shown = path.replace(UNKNOWN, "…")
    if _WINDOWS.match(path):
        return f"{shown} is outside the project"
    if path.startswith(UNKNOWN) or (where.cwd == UNKNOWN and not path.startswith("/")):
        return _nowhere(effect, path, shown, places)
    full = _full(path, where)
    if _is_in(full, places.devices) or full.startswith("/dev/fd/"):
        return ""
    if full.startswith(("/dev/", "/proc/", "/sys/")):
        return f"{shown} is a device or a part of the system" if effect != "create" else ""
    inside = not where.elsewhere and _below(full, where.root)
    if not inside and (free := next((one for one in (*_at_home(places.free, where), *where.free) if _below(full, one)), "")):
        whole = full == free or _bare(full[len(free) + 1 :])
        return f"{shown} is more than this project's" if whole and effect in ("tree", "modes", "owns") else ""
    if not inside:
        return _outside(effect, full, shown, where, places)
    return _inside(effect, full[len(where.root) :].strip("/"), path, shown, places)


def can_be_made_again(relative: str, places: Places) -> bool:
    """Below a derived folder, or a file of a derived kind."""
    parts = [part for part in relative.split("/") if part not in ("", ".")]
    if ".." in parts:
        return False
    if any(_named(part, places.derived) for part in parts) or any(
        _named(f"{one}/{two}", places.derived) for one, two in pairwise(parts)
    ):
        return True
    return bool(parts) and _named(parts[-1], places.suffixes)


def _full(path: str, where: Where) -> str:
    if path == "~" or path.startswith("~/"):
        path = (where.home or "/home/user") + path[1:]
    elif path.startswith("~"):
        path = "/home/" + path[1:]
    return posixpath.normpath(posixpath.join(where.cwd, path)).replace("//", "/")


def _at_home(names: tuple[str, ...], where: Where) -> Iterator[str]:
    return (one.replace("~", where.home or "/home/user", 1) for one in names)


def _below(full: str, folder: str) -> bool:
    return full == folder or full.startswith(folder.rstrip("/") + "/")


def _is_in(full: str, names: tuple[str, ...]) -> bool:
    return full in names


def _bare(relative: str) -> bool:
    """Nothing of it is known: all of a folder may be meant."""
    return not relative.strip("*?./" + UNKNOWN)


def _named(name: str, patterns: tuple[str, ...]) -> bool:
    """A set of letters counts as each of them: ``*.[oa]`` is ``*.o`` and ``*.a``."""
    if any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns):
        return True
    found = _LETTERS.search(name)
    return found is not None and all(_named(name[: found.start()] + one + name[found.end() :], patterns) for one in found[1])


def _covers(pattern: str, names: tuple[str, ...]) -> bool:
    return bool(_GLOB.search(pattern)) and any(fnmatchcase(name, pattern) for name in names if not _GLOB.search(name))


def _nowhere(effect: str, path: str, shown: str, places: Places) -> str:
    """A path that begins with what nobody knows."""
    tail = path.lstrip(UNKNOWN).strip("/")
    if effect in ("tree", "modes", "owns"):
        return "" if can_be_made_again(tail, places) and not _bare(tail) else f"nobody can tell from the line what {shown} is"
    if effect == "remove" and _GLOB.search(path) and _everything(path) and not can_be_made_again(tail, places):
        return f"nobody can tell from the line what {shown} names"
    return ""


def _outside(effect: str, full: str, shown: str, where: Where, places: Places) -> str:
    if effect == "create":
        return ""
    system = any(_below(full, one) for one in _at_home(places.system, where))
    if effect == "append" and not system:
        return ""
    if effect in ("mode", "own") and not system and where.home and _below(full, where.home):
        return ""
    return f"{shown} is outside the project"


def _inside(effect: str, relative: str, path: str, shown: str, places: Places) -> str:
    name = relative.rpartition("/")[2]
    again = can_be_made_again(relative, places)
    if effect == "move":
        return f"{shown} is the history of the project" if relative == ".git" else ""
    if effect in ("create", "append", "edit", "mode", "own", "owns", "modes"):
        return ""
    if relative == ".git" or relative.startswith(".git/"):
        kept = (effect == "write" and relative.count("/") >= 2) or (effect == "remove" and name.endswith(".lock"))
        return "" if kept and not _GLOB.search(path) else f"{shown} is the history of the project"
    if effect in ("write", "replace"):
        return ""
    if again:
        return ""
    if relative.startswith(".idumb") or _named(name, places.precious) or _covers(name, places.precious):
        return f"{shown} is what no version control can give back"
    if effect == "over":
        return ""
    if effect == "empty":
        return f"all that is in {shown} is lost"
    if effect == "tree":
        single = _FILE.search(name) and not _GLOB.search(name) and not name.endswith(".d")
        return "" if single else f"{shown} goes with everything in it, committed or not"
    if (UNKNOWN not in path or MANY in path) and _GLOB.search(path) and _everything(path):
        return f"{shown} names more files than anybody listed"
    return ""


def _everything(path: str) -> bool:
    """Patterns that begin with a star, as ``*`` and ``*.py`` do."""
    name = path.rstrip("/").rpartition("/")[2].lstrip(UNKNOWN)
    folders = path.rstrip("/").rpartition("/")[0]
    return name.startswith(("*", "?", ".*")) or bool(_GLOB.search(folders))
