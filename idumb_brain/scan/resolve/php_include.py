"""The files a PHP script includes: paths put together from constants, folders and strings, as far as they can be known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import dirname, join, normpath

from idumb_brain.scan.resolve import FileView, ProjectView, Want
from idumb_brain.scan.resolve.php_composer import Chain


class _Dynamic(Exception):
    """A part of a path that only a run can tell."""


_TOP = "\x01"  # stands for the project's folder in paths that are known to lie below it
_TOKEN = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\$\w+)(?![\w\[-])|([A-Za-z_\\][\w\\]*(?:::\w+)?)|(\d+)|([().,]))"""
)
_IN_STRING = re.compile(r"\{(\$\w+)\}|(\$\w+)(?!\s*(?:\[|->))")
_SAME_PATH = frozenset({"realpath", "trailingslashit", "untrailingslashit", "wp_normalize_path"})


def included_files(project: ProjectView, file: FileView, own: Chain, want: Want, written: str) -> Iterator[Want]:
    try:
        path = _Script(project, file).value(written)
    except _Dynamic as why:
        yield want._replace(reason=str(why))
        return
    if path.startswith(("/", "phar:", "http:", "https:")):
        yield want._replace(external=path)
        return
    folder = dirname(file.path)
    if path.startswith(_TOP):
        candidates = [_below(path[1:].lstrip("/"))]
    else:  # PHP looks from where the program was started, then beside the file
        starts = [folder, "", *(package.folder for package in own.packages)]
        first = path.partition("/")[0]
        above = folder
        while above:  # a library that names itself: Zend/Loader.php from inside library/Zend
            if above.rpartition("/")[2] == first:
                starts.append(dirname(above))
            above = dirname(above)
        candidates = [_below(join(start, path)) for start in starts]
    keys = tuple(dict.fromkeys(key for key in candidates if key))
    if not keys:
        yield want._replace(reason="beyond the top of the project")
        return
    stem = keys[0].rpartition("/")[2].partition(".")[0]
    external = "" if any(key in project for key in keys) else _vendored(project, own, keys)
    yield want._replace(keys=keys, external=external, reason="" if external else f"no file {keys[0]}", watch=stem)


def _vendored(project: ProjectView, own: Chain, keys: Sequence[str]) -> str:
    """The package whose installed file an include names; Composer itself for its autoloader."""
    for key in keys:
        for package in own.packages:
            if key.startswith(package.vendor + "/"):
                parts = key[len(package.vendor) + 1 :].split("/")
                return "/".join(parts[:2]) if len(parts) > 2 and parts[0] != "composer" else "composer"
        if "/vendor/autoload.php" in "/" + key:
            return "composer"
        if project.outside(key):
            return key
    return ""


def _below(path: str) -> str:
    """The path made plain, or "" when it leaves the project."""
    plain = normpath(path) if path else ""
    return "" if plain in (".", "..") or plain.startswith("../") else plain


class _Script:
    """One file, as far as its text says where its includes lie."""

    def __init__(self, project: ProjectView, file: FileView) -> None:
        self._project = project
        self._file = file

    def value(self, written: str, here: str = "", depth: int = 0) -> str:
        """What an expression of literals, folders and known constants comes to. Raises ``_Dynamic`` for any other."""
        if depth > 6:
            raise _Dynamic("its parts go round in a circle")
        here = here or self._file.path
        if not re.search(r"['\"$(]|__|^[A-Z_]+$", written):
            return written  # a literal whose quotes are gone
        if "$" in written and "/" in written and re.fullmatch(r"[\w./{}$-]+", written) and "->" not in written:
            return self._interpolated(written, here, depth)
        tokens = list(_tokens(written))
        if not tokens:
            return written
        value, at = self._concatenated(tokens, 0, here, depth)
        if at != len(tokens):
            raise _Dynamic(f"{_short(written)} is known only at run time")
        return value

    def _concatenated(self, tokens: Sequence[tuple[str, str]], at: int, here: str, depth: int) -> tuple[str, int]:
        value, at = self._term(tokens, at, here, depth)
        while at < len(tokens) and tokens[at] == ("sign", "."):
            more, at = self._term(tokens, at + 1, here, depth)
            value += more
        return value, at

    def _term(self, tokens: Sequence[tuple[str, str]], at: int, here: str, depth: int) -> tuple[str, int]:
        kind, text = tokens[at] if at < len(tokens) else ("end", "")
        if kind == "literal":
            return text, at + 1
        if kind == "string":
            return self._interpolated(text, here, depth), at + 1
        if kind == "variable":
            return self._variable(text, here, depth), at + 1
        if (kind, text) == ("sign", "("):
            value, at = self._concatenated(tokens, at + 1, here, depth)
            return value, _after(tokens, at, ")")
        if kind == "word":
            name = text.lstrip("\\")
            if at + 1 < len(tokens) and tokens[at + 1] == ("sign", "("):
                return self._called(name, tokens, at + 2, here, depth)
            return self._constant(name, here, depth), at + 1
        raise _Dynamic(f"{_short(text) or 'it'} is known only at run time")

    def _called(self, name: str, tokens: Sequence[tuple[str, str]], at: int, here: str, depth: int) -> tuple[str, int]:
        if name.lower() not in ("dirname", "plugin_dir_path", *_SAME_PATH):
            raise _Dynamic(f"{name}() is known only at run time")
        value, at = self._concatenated(tokens, at, here, depth)
        levels = 1
        if at < len(tokens) and tokens[at] == ("sign", ",") and tokens[at + 1 : at + 2] and tokens[at + 1][0] == "number":
            levels, at = int(tokens[at + 1][1]), at + 2
        at = _after(tokens, at, ")")
        if name.lower() in _SAME_PATH:
            return (value.rstrip("/") + "/" if name == "trailingslashit" else value), at
        for _ in range(levels):
            value = dirname(value.rstrip("/"))
        return (value + "/" if name == "plugin_dir_path" else value), at

    def _constant(self, name: str, here: str, depth: int) -> str:
        if name == "__DIR__":
            return f"{_TOP}/{dirname(here)}".rstrip("/")
        if name == "__FILE__":
            return f"{_TOP}/{here}"
        if name == "DIRECTORY_SEPARATOR" or name == "DS":
            return "/"
        values = set()
        for path in self._file.providers("php-const:" + name):
            for stated in _values_in(self._project.text(path), name):
                # The text may have changed since it was read: then its key is gone, and this file is asked again.
                if self._file.declared(f"php-value:{name}={stated}"):
                    values.add(self.value(stated, path, depth + 1))
        if len(values) == 1:
            return values.pop()
        raise _Dynamic(f"{name} is {'defined in several ways' if values else 'known only at run time'}")

    def _variable(self, name: str, here: str, depth: int) -> str:
        text = self._project.text(here)
        taken = re.escape(name) + r"\b"
        if re.search(rf"\b(?:function|fn)\b[^{{;]*{taken}|\bas\s+(?:\$\w+\s*=>\s*)?&?{taken}", text):
            raise _Dynamic(f"{name} is known only at run time")
        values = {found.strip() for found in re.findall(rf"(?<![\w>$]){re.escape(name)}\s*\??\??=(?![=>])\s*([^;\n]+);", text)}
        if len(values) == 1:
            return self.value(_unquoted(values.pop()), here, depth + 1)
        raise _Dynamic(f"{name} is {'set in several ways' if values else 'not set in this file'}")

    def _interpolated(self, text: str, here: str, depth: int) -> str:
        value = _IN_STRING.sub(lambda found: self._variable(found[1] or found[2], here, depth), text)
        if "$" in value:
            raise _Dynamic(f"{_short(text)} is known only at run time")
        return value.replace("\\\\", "/")


def _tokens(written: str) -> Iterator[tuple[str, str]]:
    at = 0
    kinds = ("literal", "string", "variable", "word", "number", "sign")
    while at < len(written):
        found = _TOKEN.match(written, at)
        if not found:
            if written[at:].strip():
                raise _Dynamic(f"{_short(written)} is known only at run time")
            return
        at = found.end()
        group = found.lastindex or 1
        yield kinds[group - 1], found[group]


def _after(tokens: Sequence[tuple[str, str]], at: int, sign: str) -> int:
    if at < len(tokens) and tokens[at] == ("sign", sign):
        return at + 1
    raise _Dynamic("a part of it is known only at run time")


def _short(written: str) -> str:
    flat = " ".join(written.split())
    return flat if len(flat) <= 60 else flat[:59] + "…"


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"" and value[0] not in value[1:-1]:
        return value[1:-1]
    return value


def value_of(name: str, signature: str) -> str:
    return next(iter(_values_in(signature + ";", name)), "")


def _values_in(text: str, name: str) -> list[str]:
    """What a constant is said to be, where that may become part of a path."""
    last = re.escape(name.rpartition("\\")[2])
    if last not in text:
        return []
    found = re.findall(
        rf"\bdefine\s*\(\s*['\"][\w\\]*\b{last}['\"]\s*,\s*([^;]+?)\s*\)\s*;"
        rf"|\bconst\s+(?:\w+\s+)?{last}\s*=\s*([^;,]+?)\s*;",
        text,
    )
    values = [" ".join((a or b).split()) for a, b in found]
    return [value for value in values if len(value) <= 160 and re.search(r"['\"]|__(?:DIR|FILE)__", value)]
