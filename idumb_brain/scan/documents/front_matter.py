"""The metadata at the top of a document, in YAML, TOML or JSON. Reads what front matter holds, not all of YAML."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCES = {"---": ("---", "..."), "+++": ("+++",)}
_KEY = re.compile(r"^(?P<key>[\w$@.-][^:#\n\"']*?|\"[^\"]+\"|'[^']+')\s*:(?:\s+(?P<value>.*)|\s*)$")
_COMMENT = re.compile(r"\s+#.*$")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*)(?:\.\d+)?")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "~": None, "": None}


def split(lines: list[str]) -> tuple[dict[str, Any], int, str]:
    """(metadata, how many lines it takes, what is wrong with it). No metadata takes no lines."""
    first = lines[0].rstrip() if lines else ""
    if first in _FENCES:
        for number in range(1, min(len(lines), 1000)):
            if lines[number].rstrip() in _FENCES[first]:
                return _assembled(first, lines[1:number])
    elif first == "{":
        return _json(lines)
    return {}, 0, ""


def _assembled(fence: str, inner: list[str]) -> tuple[dict[str, Any], int, str]:
    if fence == "---" and not any(":" in line for line in inner):
        return {}, 0, ""  # a thematic break, then a paragraph, then another
    values, problem = _read(fence, inner)
    return values, len(inner) + 2, problem


def _read(fence: str, inner: list[str]) -> tuple[dict[str, Any], str]:
    if fence == "---":
        return _yaml(inner)
    import tomllib

    try:
        return _plain(tomllib.loads("\n".join(inner))), ""
    except tomllib.TOMLDecodeError as error:
        return {}, f"front matter is not valid TOML: {error}"


def _json(lines: list[str]) -> tuple[dict[str, Any], int, str]:
    for number in range(1, min(len(lines), 1000)):
        if lines[number].rstrip() == "}":
            try:
                values = json.loads("\n".join(lines[: number + 1]))
            except ValueError:
                return {}, 0, ""
            return _plain(values), number + 1, ""
    return {}, 0, ""


def _yaml(lines: list[str]) -> tuple[dict[str, Any], str]:
    """Keys with scalars, lists, folded text and one level of keys below; deeper structures are kept as text."""
    values: dict[str, Any] = {}
    key, problem = "", ""
    below: list[str] = []

    def finish() -> None:
        if key and below:
            values[key] = _below(values.get(key), below)

    for number, line in enumerate(lines, 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] in " \t" or (line.startswith("-") and key):
            below.append(line)
            continue
        found = _KEY.match(line)
        if found is None:
            problem = problem or f"front matter is not valid YAML at line {number}"
            continue
        finish()
        key, below = found["key"].strip("\"' "), []
        values[key] = _scalar(found["value"] or "")
    finish()
    return values, problem


def _below(head: Any, lines: list[str]) -> Any:
    stripped = [line.strip() for line in lines]
    if isinstance(head, str) and head[:1] in "|>":
        return (" " if head[0] == ">" else "\n").join(stripped)
    if stripped[0].startswith("-"):
        return [_scalar(line[1:].strip()) for line in stripped if line.startswith("-")]
    if isinstance(head, str):
        return " ".join([head, *stripped])
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    inner = {found["key"]: _scalar(found["value"] or "") for line in lines if (found := _KEY.match(line[indent:]))}
    return inner or " ".join(stripped)


def _scalar(text: str) -> Any:
    text = text.strip()
    if text[:1] in ("'", '"') and len(text) > 1:
        end = text.find(text[0], 1)
        return text[1:end] if end > 0 else text
    text = _COMMENT.sub("", text)
    if text.startswith("[") and text.endswith("]"):
        return [_scalar(part) for part in text[1:-1].split(",") if part.strip()]
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _NUMBER.fullmatch(text) and len(text) < 16:
        return float(text) if "." in text else int(text)
    return text


def _plain(value: Any) -> Any:
    """Dates and other values JSON has no word for, as text."""
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
