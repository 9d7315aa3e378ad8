"""Ignore files to verdicts on paths, as git and ripgrep would give them. Runs no git and walks no folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pathspec import GitIgnoreSpec

# Weakest first: in one folder the last of these has the last word.
IGNORE_FILES = (".gitignore", ".ignore", ".idumbignore")


class Repository(NamedTuple):
    top: Path  # the folder that holds .git
    common: Path  # the git directory that all worktrees of the repository share


def repository_at(folder: Path) -> Repository | None:
    """The repository whose top is this very folder: a clone, a submodule or a linked worktree."""
    git = folder / ".git"
    if pointer := _read(git):
        git = folder / pointer.removeprefix("gitdir:").strip()
    # As for git: a folder that is only called .git makes no repository.
    if not _read(git / "HEAD"):
        return None
    return Repository(folder, (git / _read(git / "commondir").strip()).resolve())


def repository_around(folder: Path) -> Repository | None:
    """The repository that this folder is the top of, or lies in."""
    return next(filter(None, map(repository_at, (folder, *folder.parents))), None)


def excludes_of(repository: Repository | None, folder: Path, environ: Mapping[str, str]) -> list[Path]:
    """The ignore files that lie outside the work tree, weakest first: the user's, the repository's."""
    own = [repository.common / "info" / "exclude"] if repository else []
    user = _users_excludes(repository, environ)
    # git reads a relative core.excludesFile from the top of the work tree.
    return [(repository.top if repository else folder) / user, *own] if user else own


class Ignores:
    """What is ignored in one folder and below it: layers of rules, the strongest first."""

    def __init__(self, layers: tuple[Layer, ...] = ()) -> None:
        self._layers = layers

    def over(self, stronger: Iterable[Layer]) -> Ignores:
        """These rules with stronger ones before them; ``stronger`` comes weakest first."""
        layers = tuple(stronger)
        return Ignores(layers[::-1] + self._layers) if layers else self

    def in_nested_repository(self, excludes: Sequence[Layer]) -> Ignores:
        """git's rules start anew there; those of .ignore and .idumbignore above stay."""
        return Ignores(tuple(layer for layer in self._layers if not layer.of_git) + tuple(reversed(excludes)))

    def ignored(self, path: str, name: str, is_folder: bool) -> bool:
        """``path`` starts at the root of the walk and has no slash at its end, ``name`` is its last part."""
        for table, lead, skip in self._folders if is_folder else self._files:
            if rank := table.rank(name, lead + path[skip:]):
                return rank & 1 == 1
        return False

    # Rules are read and compiled when first asked: a rescan in which no name is new never asks.
    @cached_property
    def _files(self) -> list[tuple[_Table, str, int]]:
        return [(table, layer.lead, layer.skip) for layer in self._layers if (table := layer.rules.files)]

    @cached_property
    def _folders(self) -> list[tuple[_Table, str, int]]:
        return [(table, layer.lead, layer.skip) for layer in self._layers if (table := layer.rules.folders)]


class Layer:
    """One ignore file in force, and how a path of the walk is turned into a path as that file sees it."""

    def __init__(self, file: Path, *, lead: str = "", skip: int = 0, of_git: bool = True) -> None:
        self.file = file
        self.of_git = of_git
        self.lead = lead  # put before the path: the ignore file lies above the root of the walk
        self.skip = skip  # cut from the path: it lies in a folder of the walk

    @cached_property
    def rules(self) -> Rules:
        return Rules(_read(self.file).removeprefix("\ufeff").split("\n"))


class Rules:
    """The rules of one ignore file, compiled.

    Unlike in pathspec, a rule is asked about a path alone and not about the folders it lies in: like git, the
    walk asks about a folder before it goes in. Only so "ignore all but folders and *.py" comes out right.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        rules = [rule for line in lines if (rule := _parse(line))]
        self.folders = _Table(rules)
        self.files = _Table([None if rule.folders_only else rule for rule in rules])

    def verdict(self, path: str, name: str, is_folder: bool) -> bool | None:
        """True: ignored. False: kept by a rule with '!'. None: no rule speaks of it."""
        rank = (self.folders if is_folder else self.files).rank(name, path)
        return rank & 1 == 1 if rank else None


def ways_to(patterns: Sequence[str]) -> Rules:
    """Rules that match the folders one must pass to reach what these patterns match at a fixed place."""
    rules = filter(None, map(_parse, patterns))
    return Rules(way for rule in rules if rule.whole_path for way in _ways(rule.glob))


def matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path, or a folder it lies in, is what these patterns mean."""
    if not patterns:
        return lambda _: False
    return GitIgnoreSpec.from_lines(patterns).match_file


class _Rule(NamedTuple):
    glob: str
    negated: bool
    folders_only: bool
    whole_path: bool  # matched against the whole path; else against the name alone


class _Table:
    """Which rule speaks last about a path; plain names and endings, which most are, cost one lookup together.

    A rule's rank grows down the file, so the highest that matches wins. It is odd when the rule ignores and
    even when it keeps. Zero is no rule.
    """

    def __init__(self, rules: Sequence[_Rule | None]) -> None:
        self._names: dict[str, int] = {}
        self._endings: dict[str, int] = {}
        self._paths: dict[str, int] = {}
        self._globs: list[tuple[int, re.Pattern[str], bool]] = []
        for position, rule in enumerate(rules, start=1):
            if rule is not None:
                self._add(2 * position + (not rule.negated), rule)
        self._globs.reverse()

    def _add(self, rank: int, rule: _Rule) -> None:
        if not _SPECIAL.search(rule.glob):
            (self._paths if rule.whole_path else self._names)[rule.glob] = rank
        elif not rule.whole_path and _ENDING.fullmatch(rule.glob):
            self._endings[rule.glob[1:]] = rank
        elif regex := _compile(rule.glob):
            self._globs.append((rank, regex, rule.whole_path))

    def __bool__(self) -> bool:
        return bool(self._names or self._endings or self._paths or self._globs)

    def rank(self, name: str, path: str) -> int:
        best = self._names.get(name, 0)
        # Without a dot this looks up the last letter, and no ending is without a dot.
        if (rank := self._endings.get(name[name.rfind(".") :], 0)) > best:
            best = rank
        if (rank := self._paths.get(path, 0)) > best:
            best = rank
        for rank, regex, whole_path in self._globs:
            if rank < best:
                break
            match = regex.fullmatch(path if whole_path else name)
            # pathspec 0.12 names a group when what matched was a folder above.
            if match and match.lastgroup is None:
                return rank
        return best


_SPECIAL = re.compile(r"[*?\[\\]")
_ENDING = re.compile(r"\*\.[^.*?\[\\]*")
# git ends a line with spaces cut off, unless a backslash keeps them.
_KEPT = re.compile(r"(?:\\.|[^\\ ]| +(?=[^ ]))*\\?", re.DOTALL)
_REPEATED_STARS = re.compile(r"(^|/)(?:\*\*/){2,}")
_POSIX_CLASSES = {
    "[:alnum:]": "a-zA-Z0-9",
    "[:alpha:]": "a-zA-Z",
    "[:blank:]": " \t",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:space:]": " \t\n\r\f\v",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9a-fA-F",
}


def _parse(line: str) -> _Rule | None:
    if line.startswith("#"):
        return None
    kept = _KEPT.match(line.removesuffix("\r"))
    glob = kept[0] if kept else ""
    negated = glob.startswith("!")
    glob = glob.removeprefix("!")
    folders_only = glob.endswith("/")
    glob = glob.removesuffix("/")
    whole_path = "/" in glob
    glob = glob.removeprefix("/")
    # pathspec takes "a/**" to match a itself; to git it is all that a holds.
    if whole_path and (glob == "**" or glob.endswith("/**")):
        glob += "/*"
    glob = _REPEATED_STARS.sub(r"\1**/", glob)
    if glob.startswith("**/") and "/" not in glob[3:]:
        glob, whole_path = glob[3:], False
    if not glob or "//" in f"/{glob}/":
        return None
    return _Rule(glob, negated, folders_only, whole_path)


def _compile(glob: str) -> re.Pattern[str] | None:
    if glob == "**":
        glob = "*"
    for written, meant in _POSIX_CLASSES.items():
        glob = glob.replace(written, meant)
    if glob[-1].isspace() and not glob.endswith("\\ "):
        glob = f"{glob[:-1]}[{glob[-1]}]"  # pathspec would cut off a tab; git does not
    try:
        # The slash anchors the rule, and keeps pathspec from seeing '!' or '#' at its start as its own.
        pattern = GitIgnoreSpec.from_lines([f"/{glob}"]).patterns[0]
    except (ValueError, re.error):
        return None  # git, too, lets a malformed pattern match nothing
    # The dot in pathspec's "**" must match a newline: a folder's name can hold one.
    return re.compile(pattern.regex.pattern, re.DOTALL) if pattern.regex else None


def _ways(glob: str) -> Iterator[str]:
    segments = glob.split("/")
    for depth, segment in enumerate(segments[:-1], start=1):
        if segment == "**":
            yield "/" + "/".join(segments[:depth])
            return
        yield "/" + "/".join(segments[:depth]) + "/"


def _users_excludes(repository: Repository | None, environ: Mapping[str, str]) -> Path | None:
    home = Path(environ["HOME"]) if environ.get("HOME") else None
    xdg = environ.get("XDG_CONFIG_HOME")
    settings = Path(xdg) if xdg else home and home / ".config"
    if "GIT_CONFIG_GLOBAL" in environ:
        configs = [Path(environ["GIT_CONFIG_GLOBAL"])]
    else:
        configs = [settings / "git" / "config"] if settings else []
        configs += [home / ".gitconfig"] if home else []
    configs += [repository.common / "config"] if repository else []
    for config in reversed(configs):
        chosen = _excludes_file(_read(config))
        if chosen is not None:
            # Set to nothing, it turns the default off.
            return home / chosen[2:] if home and chosen.startswith("~/") else Path(chosen) if chosen else None
    return settings / "git" / "ignore" if settings else None


_CONFIG_SECTION = re.compile(r"\s*\[\s*([^\]\"]*?)\s*(\"(?:\\.|[^\"\\])*\")?\s*\]")
_CONFIG_EXCLUDES = re.compile(r"\s*excludesfile\s*=\s*(.*)", re.IGNORECASE)
_CONFIG_VALUE = re.compile(r'"((?:\\.|[^"\\])*)"?|((?:\\.|[^"\\#;])+)|[#;].*')


def _excludes_file(config: str) -> str | None:
    """What core.excludesFile is set to in the text of a git configuration; the last setting wins."""
    chosen = None
    in_core = False
    for line in config.replace("\r\n", "\n").replace("\\\n", "").split("\n"):
        if section := _CONFIG_SECTION.match(line):
            in_core = section[1].lower() == "core" and not section[2]
            line = line[section.end() :]
        if in_core and (setting := _CONFIG_EXCLUDES.fullmatch(line)):
            parts = _CONFIG_VALUE.findall(setting[1].rstrip())
            chosen = re.sub(r"\\(.)", r"\1", "".join(quoted + plain for quoted, plain in parts)).rstrip()
    return chosen


def _read(file: Path) -> str:
    try:
        # To open a pipe would wait for its other end.
        return os.fsdecode(file.read_bytes()) if file.is_file() else ""
    except (OSError, ValueError):
        return ""  # absent or unreadable rules rule nothing, as for git
