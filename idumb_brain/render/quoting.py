"""Text of others, made fit to stand in ours: it cannot close our block, pose as an instruction, or hide anything.

Every line of it begins with ``| ``, which no line of ours does. What looks like a tag, a comment, a fence or the name of a
speaker stays readable and stops being one; what cannot be seen is taken out.
Quoting twice changes nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from idumb_brain.store.secrets import redacted

MARK = "| "
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])|\x9b[0-?]*[ -/]*[@-~]")
# Not to be seen, or turning round what is: controls, directions, empty widths, tags, the rarer variation selectors, surrogates.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINED = re.compile(
    r"(?<=[^\x00-\x7f\u200c\u200d\s])([\u200c\u200d])(?=[^\x00-\x7f\u200c\u200d\s])|[\u200c\u200d]"
)  # they have a use in emoji and in scripts
_WIDE = str.maketrans({"＜": "‹", "﹤": "‹", "＞": "›", "﹥": "›", "｀": "'", "｜": "|", "：": "∶"})
_SPEAKERS = "system|human|user|assistant|developer|tool|function|model|ai|instructions?|important|reminder|idumb[\\w-]*"
_TAG = re.compile(rf"<(?=\s*[/!?|<]|\s*(?:{_SPEAKERS}|[\w-]+[:_-](?:{_SPEAKERS}))\b|\w+:)", re.IGNORECASE)
_COMMENT_END = re.compile(r"-->|\|>|>>(?=\s*$)", re.MULTILINE)
_FENCE = re.compile(r"`{3,}|~{3,}")
_BRACKETED = re.compile(rf"\[(?=\s*/?\s*(?:inst|{_SPEAKERS})\s*\])", re.IGNORECASE)
_SPEAKER = re.compile(rf"^([\W_]*(?:{_SPEAKERS})[^\w:∶]{{0,4}}):", re.IGNORECASE | re.MULTILINE)


@lru_cache(maxsize=1 << 12)  # names and titles are told again and again
def inline(text: str) -> str:
    """As a part of one line."""
    return " ".join(_defused(text).split())


def lines(text: str) -> str:
    """Line by line, each marked and set in, below what it belongs to; empty ones go."""
    return "\n".join(f"{MARK}  {line.rstrip()}" for line in _defused(text).split("\n") if line.strip())


def _defused(text: str) -> str:
    text = "\n".join(redacted(_ESCAPES.sub("", text)).expandtabs(4).splitlines())
    text = _JOINED.sub(r"\1", _HIDDEN.sub("", text)).translate(_WIDE)
    text = _FENCE.sub(lambda fence: "'" * len(fence[0]), text)
    text = _BRACKETED.sub("(", _COMMENT_END.sub(lambda end: end[0][:-1] + "›", _TAG.sub("‹", text)))
    return _SPEAKER.sub(r"\1∶", text)
