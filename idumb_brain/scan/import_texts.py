"""Import statements to rows: what each names, be it one thing or many. Pure; resolves nothing."""

from __future__ import annotations

import re
from bisect import bisect_right

from idumb_brain.model.code import ImportRow
from idumb_brain.scan.languages import Language
from idumb_brain.scan.sweep import ImportDraft

_SPACE = re.compile(r"\s+")
_REMARK = re.compile(r"//[^\n]*|/\*.*?(?:\*/|$)", re.DOTALL)  # inside a list of names
_LAST_PART = re.compile(r"[.:\\/]+")
_JOINED = re.compile(r"[\"']\s*[.+]|[.+]\s*[\"']")  # 'a' . $b . 'c' is no literal, though it starts and ends like one
_IMPORT_WORD = re.compile(r"^(?:import|export) ")
_ALIAS_WORD = re.compile(r"^(.*?)\s+(?:as|=>)\s+(\S+)$|^(.*?)\s*=>\s*(\S+)$")


def import_rows(imports: list[ImportDraft], language: Language, lines: list[int]) -> list[ImportRow]:
    rows: list[ImportRow] = []
    for draft in imports:
        for specifier, start in draft.sources:
            line = bisect_right(lines, start)
            if language.expand == "braces" and specifier[0] not in "\"'":
                for path, alias in _named_by(specifier, language.separator):
                    last = _LAST_PART.split(path)[-1].partition(" ")[0]
                    imported = "*" if last in ("*", "_") else last
                    local = alias or ("" if imported == "*" else last)
                    bindings = [(a, b) for a, b in draft.names]
                    if not bindings or bindings[0][0] != "*":  # a module bound by another name is not bound by its own
                        bindings.insert(0, (imported, local))
                    rows.append((draft.kind, path, line, "\n".join(f"{a} {b}" for a, b in bindings)))
            else:
                path = unquoted(specifier)
                if not draft.names and language.binds and (bound := re.search(language.binds, path)):
                    rows.append((draft.kind, path, line, f"* {bound[1]}"))
                else:
                    rows.append((draft.kind, path, line, "\n".join(f"{a} {b}" for a, b in draft.names)))
    return rows


def _named_by(specifier: str, separator: str) -> list[tuple[str, str]]:
    """What an import text names, be it the path alone or the whole statement: ``import a.{b, c}, d.e``."""
    if "/" in specifier:
        specifier = _REMARK.sub(" ", specifier)
    specifier = _SPACE.sub(" ", specifier.strip().rstrip(";"))
    parts = _split_top(_IMPORT_WORD.sub("", specifier)) if "," in specifier else [_IMPORT_WORD.sub("", specifier)]
    return [named for part in parts for named in expand_braces(part.strip(), separator)]


def unquoted(specifier: str) -> str:
    specifier = specifier.strip()
    if len(specifier) >= 2 and specifier[0] in "\"'`<" and specifier[-1] in "\"'`>":
        inner = specifier[1:-1]
        return specifier if _JOINED.search(inner) else inner
    return specifier


def expand_braces(specifier: str, separator: str) -> list[tuple[str, str]]:
    """``a::{b, c::{self, d as e}}`` names three things: (path, alias) each."""
    opening = specifier.find("{")
    if opening < 0:
        path, alias = _split_alias(specifier)
        return [(path, alias)] if path else []
    prefix = specifier[:opening].strip()
    closing = specifier.rfind("}")
    inner = specifier[opening + 1 : closing if closing > 0 else len(specifier)]
    out: list[tuple[str, str]] = []
    for part in _split_top(inner):
        for path, alias in expand_braces(part.strip(), separator):
            if path == "self":
                whole = prefix.removesuffix("::").removesuffix(".").removesuffix("\\")
                out.append((whole, alias))
            else:
                out.append((prefix + path, alias))
    return out


def _split_top(inner: str) -> list[str]:
    parts, depth, begin = [], 0, 0
    for position, character in enumerate(inner):
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(inner[begin:position])
            begin = position + 1
    parts.append(inner[begin:])
    return parts


def _split_alias(specifier: str) -> tuple[str, str]:
    found = _ALIAS_WORD.match(specifier.strip())
    if not found:
        return specifier.strip(), ""
    return ((found[1] or found[3]).strip(), found[2] or found[4])
