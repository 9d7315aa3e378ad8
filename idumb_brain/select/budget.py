"""How many tokens a text will cost a model, estimated from its looks. Carries no vocabulary and refuses to be exact.

Tokenizers cut text much alike: at the borders of words, in digits by threes, at punctuation and white space, and then look
the pieces up. Without their vocabulary a piece is worth what pieces of its kind and length cost on average, with something
on top. Weights are whole hundredths of a token, so that they add up: what a text weighs is the sum of its lines and of the
line breaks between them, and a budget can be kept item by item.
"""

from __future__ import annotations

import re

HUNDRED = 100  # hundredths in a token
_PIECE = re.compile(
    r"(?P<word>[A-Z]?[a-z]+|[A-Z]+(?![a-z]))|(?P<number>\d{1,3})|(?P<break>\n+)|(?P<space>[^\S\n]+)|(?P<other>[^\x00-\x7f])|(?P<mark>.)",
    re.DOTALL,
)


def tokens(text: str) -> int:
    return -(-weight(text) // HUNDRED)


def weight(text: str) -> int:
    """In hundredths of a token. Adds up over lines: ``weight(a) + weight("\\n") + weight(b) == weight(a + "\\n" + b)``,
    where ``a`` ends and ``b`` begins with no line break."""
    total = 0
    for piece in _PIECE.finditer(text):
        total += _cost(piece.lastgroup or "", piece[0])
    return total


def _cost(kind: str, piece: str) -> int:
    if kind == "word":
        return 105 + 18 * max(0, len(piece) - 4)
    if kind == "space":
        return 0 if piece == " " else 105
    if kind == "other":
        return 110 * max(1, len(piece.encode("utf-8", "replace")) - 1)
    return 105
