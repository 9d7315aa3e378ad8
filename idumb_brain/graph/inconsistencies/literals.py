"""Whether two spellings of a type or a value can mean the same. Says no only where that is certain. Pure."""

from __future__ import annotations

import re

_NUMBER, _TEXT, _TRUTH, _LIST, _MAP, _CALL, _TUPLE, _SET, _BYTES = (
    "number",
    "text",
    "truth",
    "list",
    "map",
    "call",
    "tuple",
    "set",
    "bytes",
)
_PYTHON = {
    "int": _NUMBER, "integer": _NUMBER, "float": _NUMBER, "number": _NUMBER, "str": _TEXT, "string": _TEXT, "bool": _TRUTH,
    "boolean": _TRUTH, "list": _LIST, "dict": _MAP, "dictionary": _MAP, "tuple": _TUPLE, "set": _SET, "bytes": _BYTES,
    "callable": _CALL, "function": _CALL,
}  # fmt: skip
_SCRIPT = {
    "number": _NUMBER, "string": _TEXT, "boolean": _TRUTH, "bool": _TRUTH, "function": _CALL, "array": _LIST,
}  # fmt: skip
_LANGUAGES = {"python": _PYTHON, "javascript": _SCRIPT, "typescript": _SCRIPT, "jsx": _SCRIPT, "tsx": _SCRIPT}
# A number is at times taken for a truth value, a tuple for a list: people who say so mean no contradiction.
_KIN = ({_LIST, _TUPLE, _SET}, {_TRUTH, _NUMBER}, {_TEXT, _BYTES})
_OPTIONAL = re.compile(r"^(?:Optional\[(.*)\]|(.*?)\s*\|\s*None|None\s*\|\s*(.*)|(.*)\|\s*(?:undefined|null))$")
_SUBSCRIPT = re.compile(r"[\[<].*$")
_NUMERAL = re.compile(r"^[-+]?(?:\d[\d_]*\.?[\d_]*(?:[eE][-+]?\d+)?|\.\d+|0[xX][\da-fA-F]+)[fFdDlLuU]?$")
_QUOTED = re.compile(r"^(['\"])([^'\"]*)\1$")
# What a signature says where the value is worked out later.
_WORKED_OUT = ("none", "text:", "text:deprecated", "text:warn", "text:default", "text:auto", "text:unset")
_WORDS = {"true": "true", "false": "false", "none": "none", "null": "none", "nil": "none", "undefined": "none"}


def contradicting_types(told: str, annotated: str, language: str) -> bool:
    table = _LANGUAGES.get(language)
    if table is None:
        return False
    one, other = _basic(told, table), _basic(annotated, table)
    return bool(one and other and one != other and not any({one, other} <= kin for kin in _KIN))


def contradicting_defaults(told: str, actual: str) -> bool:
    """Only literals are compared, and a signature that says None may well mean to work the value out."""
    one, other = _value(told), _value(actual)
    if one is None or other is None or other in _WORKED_OUT or one == other:
        return False
    if one.startswith("text:") and other.startswith("text:"):
        shorter, longer = sorted((one[5:].lower(), other[5:].lower()), key=len)
        is_short_for = len(shorter) == 1 and shorter in longer  # "k" is black
        return shorter != longer and not is_short_for
    if one != "none" and _sort(one) != _sort(other):
        return False  # it may well be said of something else
    return not {one, other} <= {"none", "text:", "false", "0.0"}  # an empty text, zero and no value are often meant alike


def _basic(written: str, table: dict[str, str]) -> str:
    plain = written.strip().strip("`'\"").strip()
    optional = _OPTIONAL.match(plain)
    if optional:
        plain = next(part for part in optional.groups() if part is not None).strip()
    if not re.fullmatch(r"[\w.]+(?:\[.*\]|<.*>)?", plain):
        return ""
    return table.get(
        _SUBSCRIPT.sub("", plain) if not plain.endswith("[]") else "array", table.get(_SUBSCRIPT.sub("", plain).lower(), "")
    )


def _sort(value: str) -> str:
    return "truth" if value in ("true", "false") else value.partition(":")[0] if ":" in value else "number"


def _value(written: str) -> str | None:
    plain = written.strip().strip("`").strip().rstrip(".,;")
    if _NUMERAL.match(plain):
        digits = plain.replace("_", "")
        if digits[:2].lower() == "0x":
            return str(float(int(digits, 16)))
        return str(float(digits.rstrip("fFdDlLuU")))
    quoted = _QUOTED.match(plain)
    if quoted:
        return "text:" + quoted[2].replace("\\", "").replace("%%", "%")
    return _WORDS.get(plain.lower())
