"""What shell scripts source: literal paths and the idioms for "beside this script". Never runs anything."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want

CONFIGURATION = (".shellcheckrc", "shellcheckrc")

_ROOT = "\x01"  # stands for the project's folder in paths that are known to lie below it
_SELF = re.compile(
    r"""["']?\$(?:0|BASH_SOURCE|\{(?:0|BASH_SOURCE(?:\[(?:0|\$\{?#?\w*\}?)\])?)(?::-\$0)?\}|\{\(%\):-%[xN]\})["']?"""
)
_BESIDE = re.compile(r"\$\{(?:0|BASH_SOURCE(?:\[0\])?|\(%\):-%[xN])(?:%/\*|(?::[aA])?:h)\}")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_REDIRECTION = re.compile(r"\s*(?:&|\d)?>>?\s*(?:&\d|/dev/null)")
_CHANGED_INTO = re.compile(
    r"^(?:builtin |command )?(?:cd|pushd)(?: -[PLe]+)?(?: --)? (.+?)"
    r"\s*(?:&&|;|\|\|.*;)\s*(?:builtin |command )?pwd(?: -[PL])?$",
    re.DOTALL,
)
_FOLDER_OF = re.compile(r"^dirname(?: --)? (.+)$", re.DOTALL)
_SAME_FILE = re.compile(r"^(?:readlink|realpath|greadlink|grealpath)(?: -\S+)*(?: --)? (.+)$", re.DOTALL)
_TOP = re.compile(r"^git(?: -C \S+| -C \"[^\"]*\")? rev-parse --show-toplevel$")
_OWN_FOLDER_VARIABLES = frozenset({"PWD", "OLDPWD"})
_HINT = re.compile(r"^\s*#\s*shellcheck\s(?:.*\s)?source=(\S+)")


class _Dynamic(Exception):
    """A part of a path that only a run can tell."""


def resolver(project: ProjectView) -> Resolver:
    extra_roots = _source_paths(project)

    def wants(file: FileView) -> Iterator[Want]:
        script: _Script | None = None
        for ordinal, (kind, written, line, _) in enumerate(file.imports):
            if "$" in written or "`" in written:
                script = script or _Script(file.path, project.text(file.path))
                hint = script.hint(line)
                try:
                    paths = [hint] if hint else script.paths(written)
                except _Dynamic as why:
                    yield Want(ordinal, line, kind, (), reason=str(why))
                    continue
            else:
                script = script or _Script(file.path, "")
                paths = [_unescaped(written)]
            for path in paths:
                yield from _wants_of(project, file, extra_roots, Want(ordinal, line, kind, ()), path)

    return wants


def _wants_of(project: ProjectView, file: FileView, extra_roots: tuple[str, ...], blank: Want, path: str) -> Iterator[Want]:
    if path == "/dev/null":
        return  # shellcheck's way to say that there is nothing to see
    if path.startswith(("/", "~")):
        yield blank._replace(external=path)
        return
    folder = posixpath.dirname(file.path)
    if path.startswith(_ROOT):
        candidates = [_below(path.removeprefix(_ROOT).lstrip("/"))]
    else:  # as a run from the script's folder or from the top of the project would find it
        bases = dict.fromkeys((folder, "", *(folder if root == "SCRIPTDIR" else root for root in extra_roots)))
        candidates = [_below(posixpath.join(base, path)) for base in bases]
    keys = tuple(dict.fromkeys(key for key in candidates if key))
    if not keys:
        yield blank._replace(reason="beyond the top of the project")
        return
    shown = keys[0]
    stem = posixpath.basename(shown).split(".", 1)[0]
    if any(mark in shown for mark in "*?["):
        found = [match for key in keys for match in _matches(project, key) if match != file.path]
        for match in found:
            yield blank._replace(keys=(match,), watch=posixpath.basename(posixpath.dirname(match)))
        if not found:
            yield blank._replace(reason=f"no file matches {shown}", watch=posixpath.basename(posixpath.dirname(shown)))
        return
    if not any(key in project for key in keys):
        for key in keys:
            if project.outside(key):
                yield blank._replace(keys=keys, external=key.partition("/")[0] if "/" in key else key, watch=stem)
                return
    yield blank._replace(keys=keys, reason=f"no file {shown}", watch=stem)


def _matches(project: ProjectView, pattern: str) -> list[str]:
    folder = posixpath.dirname(pattern)
    if any(mark in folder for mark in "*?["):
        return []
    return [path for path in project.files_in(folder) if fnmatchcase(path, pattern)]


def _below(path: str) -> str:
    """The path made plain, or "" when it leaves the project."""
    plain = posixpath.normpath(path) if path else ""
    return "" if plain in (".", "..") or plain.startswith("../") else plain


def _source_paths(project: ProjectView) -> tuple[str, ...]:
    roots: list[str] = []
    for name in CONFIGURATION:
        if name in project:
            for stated in re.findall(r"^\s*source-path=(\S+)", project.text(name), re.MULTILINE):
                roots += [root.strip("\"'") for root in stated.split(":")]
    return tuple(root.rstrip("/") for root in roots if not root.startswith("/"))


class _Script:
    """One script's text, as far as it says what its variables hold."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text
        self._lines = text.split("\n") if text else []

    def hint(self, line: int) -> str:
        """What a ``# shellcheck source=`` right above says."""
        above = line - 2
        while 0 <= above < len(self._lines) and self._lines[above].lstrip().startswith("#"):
            if told := _HINT.match(self._lines[above]):
                return told[1].strip("\"'")
            above -= 1
        return ""

    def paths(self, written: str) -> list[str]:
        """Every path that a word may stand for; more than one where a loop goes over written words."""
        alone = _VARIABLE.fullmatch(written.strip('"'))
        if alone and (words := self._loop_words(alone[1] or alone[2])):
            return [self.value(word) for word in words]
        return [self.value(written)]

    def value(self, written: str, depth: int = 0) -> str:
        """A word with everything in it that is known replaced. Raises ``_Dynamic`` where something is not."""
        if depth > 8:
            raise _Dynamic("its variables go round in a circle")
        out: list[str] = []
        at = 0
        while at < len(written):
            rest = written[at:]
            if beside := _BESIDE.match(rest):
                out.append(_ROOT + "/" + posixpath.dirname(self._path) if "/" in self._path else _ROOT)
                at += beside.end()
            elif itself := _SELF.match(rest):
                out.append(f"{_ROOT}/{self._path}")
                at += itself.end()
            elif rest.startswith("$(") or rest[0] == "`":
                inner = _balanced(rest) if rest[0] == "$" else rest[1:].partition("`")[0]
                out.append(self._substituted(inner, depth))
                at += len(inner) + (3 if rest[0] == "$" else 2)
            elif named := _VARIABLE.match(rest):
                out.append(self._variable(named[1] or named[2], depth))
                at += named.end()
            elif rest[0] == "$":
                shown = rest[:40].strip('"')
                raise _Dynamic(f"{shown} is known only at run time")
            else:
                if rest[0] not in "\"'\\":
                    out.append(rest[0])
                at += 1
        return "".join(out)

    def _substituted(self, command: str, depth: int) -> str:
        plain = " ".join(_REDIRECTION.sub("", command).split())
        if told := _FOLDER_OF.match(plain):
            return posixpath.dirname(self.value(told[1], depth + 1)) or "."
        if told := _CHANGED_INTO.match(plain) or _SAME_FILE.match(plain):
            return self.value(told[1], depth + 1)
        if _TOP.match(plain):
            return _ROOT
        raise _Dynamic(f"$({plain[:40]}) is known only at run time")

    def _variable(self, name: str, depth: int) -> str:
        if name == "HOME":
            return "~"
        if name in _OWN_FOLDER_VARIABLES:
            return "."
        if name.isdigit():
            raise _Dynamic(f"${name} is known only at run time")
        values = set(self._assigned(name))
        if len(values) == 1:
            return self.value(values.pop(), depth + 1)
        raise _Dynamic(f"${name} is {'set in several ways' if values else 'not set in this file'}")

    def _assigned(self, name: str) -> Iterator[str]:
        for found in re.finditer(rf"(?:^|[;&\s]){re.escape(name)}=", self._text, re.MULTILINE):
            line_start = self._text.rfind("\n", 0, found.end()) + 1
            if "#" not in self._text[line_start : found.start()]:
                value = _word(self._text[found.end() :])
                # ${SHELF:-beside} names its own default; the value from outside is nobody's to know.
                default = re.fullmatch(rf"[\"']?\$\{{{re.escape(name)}:?[-=](.*)\}}[\"']?", value)
                yield default[1] if default else value

    def _loop_words(self, name: str) -> list[str]:
        found = re.search(rf"^\s*for\s+{re.escape(name)}\s+in\s+(.+?)\s*(?:;\s*do\b|\n)", self._text, re.MULTILINE)
        if not found:
            return []
        words, rest = [], found[1]
        while rest:
            word = _word(rest)
            words.append(word)
            rest = rest[len(word) :].lstrip() if word else ""
        return [word for word in words if word]


def _word(text: str) -> str:
    """The first shell word of a text, quotes and substitutions and all."""
    at, quote = 0, ""
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 2
            continue
        if quote != "'" and text.startswith("$(", at):
            at += len(_balanced(text[at:])) + 3
            continue
        if character == quote:
            quote = ""
        elif not quote and character in "\"'`":
            quote = character
        elif not quote and character in " \t\n;&|)":
            break
        at += 1
    return text[:at]


def _balanced(text: str) -> str:
    """What stands between ``$(`` and its own ``)``."""
    depth = 0
    for at, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth == 0:
                return text[2:at]
    raise _Dynamic("a substitution without an end")


def _unescaped(written: str) -> str:
    return re.sub(r"\\(.)", r"\1", written.replace('"', "").replace("'", ""))
