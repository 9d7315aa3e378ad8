"""Where things stand in manifests: line numbers of JSON keys, TOML entries and YAML values, which their parsers do not tell.

``yaml_values`` is no YAML parser: it reads block mappings and lists as people and tools write them in manifests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from idumb_brain.scan.resolve.tsconfig import read_json

JSON_TOKEN = re.compile(r'"((?:[^"\\\n]|\\.)*)"(\s*:)?|[{}\[\]]|\n|//[^\n]*|/\*.*?\*/', re.DOTALL)


def json_object(text: str) -> tuple[dict[str, Any] | None, str]:
    """A JSON object (comments and trailing commas allowed), or None and what is wrong with it."""
    stated = read_json(text)
    if isinstance(stated, dict):
        return stated, ""
    if stated is not None:
        return None, "not a JSON object"
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        return None, f"not JSON: {error}"
    return None, "not a JSON object"


def json_lines(text: str) -> Mapping[tuple[str, ...], int]:
    """The line of every key, by the keys that lead to it; lists count by ``[]``."""
    found: dict[tuple[str, ...], int] = {}
    path: list[str] = []
    key = ""
    line = 1
    for token in JSON_TOKEN.finditer(text):
        word = token[0]
        if word == "\n":
            line += 1
        elif word in "{[":
            path.append(key if word == "{" or key else "[]")
            key = "[]" if word == "[" else ""
        elif word in "}]":
            if path:
                path.pop()
            key = "[]" if path and path[-1] == "[]" else ""
        elif token[2]:
            key = token[1]
            found.setdefault((*(one for one in path if one), key), line)
            line += word.count("\n")
        else:
            found.setdefault((*(one for one in path if one), token[1] or ""), line)
            line += word.count("\n")
    return found


_TOML_HEAD = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]?\]\s*(?:#.*)?$")
_TOML_KEY = re.compile(r"^\s*((?:[\w.-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w.-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_TOML_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")


class TomlLines:
    """Lines of a TOML text by section and key."""

    def __init__(self, text: str) -> None:
        self._rows: list[tuple[tuple[str, ...], str]] = []  # full key in force, text
        section: tuple[str, ...] = ()
        key: tuple[str, ...] = ()
        depth = 0
        for row in text.split("\n"):
            if depth <= 0 and (head := _TOML_HEAD.match(row)):
                section, key = _toml_path(head[1]), ()
            elif depth <= 0 and (found := _TOML_KEY.match(row)):
                key = _toml_path(found[1])
                depth = _brackets(row[found.end() :])
            elif depth > 0:
                depth += _brackets(row)
            self._rows.append(((*section, *key), row))

    def of(self, *path: str, holding: str = "") -> int:
        """The first line below these keys that holds a text; else the first line below them; else 1."""
        first = 0
        for number, (keys, row) in enumerate(self._rows, 1):
            if keys[: len(path)] == path:
                if not holding or holding in row:
                    return number
                first = first or number
        return first or 1


def _toml_path(written: str) -> tuple[str, ...]:
    return tuple(one or two or three for one, two, three in _TOML_PART.findall(written))


def _brackets(row: str) -> int:
    bare = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|#.*", "", row)
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")


def toml_table(text: str) -> tuple[dict[str, Any] | None, str, int]:
    """A TOML document, or None, what is wrong with it, and the line."""
    import tomllib

    try:
        return tomllib.loads(text), "", 0
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"at line (\d+)", str(error))
        return None, f"not TOML: {error}", int(place[1]) if place else 0


_YAML_KEY = re.compile(r"""("[^"]*"|'[^']*'|[^\s#\[\]{},'"&*!|>%@`-][^#]*?|-[^\s#][^#]*?)\s*:(?:\s+(.*))?$""")
_YAML_COMMENT = re.compile(r"""(?:^|\s)#.*$""")


def yaml_values(text: str) -> Iterator[tuple[tuple[str, ...], str, int]]:
    """(keys, value, line) of every key and list item; an item is the key ``-``, what only holds others has the value ""."""
    stack: list[tuple[int, str]] = []  # indent, key
    scalar = -1  # indent of the key whose block scalar is being passed over
    for line, row in enumerate(text.split("\n"), 1):
        bare = row.strip()
        if not bare or bare[0] == "#":
            continue
        indent = len(row) - len(row.lstrip(" "))
        if scalar >= 0:
            if indent > scalar:
                continue
            scalar = -1
        if bare in ("---", "...") or bare.startswith("%"):
            stack.clear()
            continue
        while bare.startswith("- ") or bare == "-":
            while stack and (stack[-1][0] > indent or stack[-1] == (indent, "-")):
                stack.pop()
            stack.append((indent, "-"))
            inner = bare[1:].lstrip()
            indent += len(bare) - len(inner)
            bare = inner
            if not bare:
                yield tuple(key for _, key in stack), "", line
        if not bare:
            continue
        found = _YAML_KEY.match(bare)
        if found is None:
            if stack and stack[-1][1] == "-":
                value = _yaml_scalar(bare)
                yield from _yaml_flow(tuple(key for _, key in stack), value, line)
                if bare[0] in "|>":
                    scalar = stack[-1][0]
            continue
        while stack and stack[-1][0] >= indent:
            stack.pop()
        stack.append((indent, found[1].strip("\"'")))
        value = _yaml_scalar(found[2] or "")
        yield from _yaml_flow(tuple(key for _, key in stack), value, line)
        if value[:1] in ("|", ">"):
            scalar = indent


def _yaml_flow(keys: tuple[str, ...], value: str, line: int) -> Iterator[tuple[tuple[str, ...], str, int]]:
    """A value as it is; a list or mapping in one line also item by item."""
    if value[:1] == "[" and value[-1:] == "]":
        yield keys, "", line
        for item in value[1:-1].split(","):
            if item.strip():
                yield (*keys, "-"), item.strip().strip("\"'"), line
    elif value[:1] == "{" and value[-1:] == "}":
        yield keys, "", line
        for item in value[1:-1].split(","):
            key, colon, inner = item.partition(":")
            if colon:
                yield (*keys, key.strip().strip("\"'")), inner.strip().strip("\"'"), line
    else:
        yield keys, value, line


def _yaml_scalar(value: str) -> str:
    value = value.strip()
    if value[:1] in ("'", '"'):
        end = value.find(value[0], 1)
        return value[1:end] if end > 0 else value[1:]
    if "#" in value:
        value = _YAML_COMMENT.sub("", value).strip()
    if value[:1] == "&" or value[:1] == "!":  # an anchor or a tag, then the value
        value = value.partition(" ")[2].strip()
    return value
