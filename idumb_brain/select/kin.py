"""Other forms a project may write a word in: ``handle`` and ``handler``, ``validate`` and ``validation``. Pure; a guess by the ending,
never a dictionary's truth."""

from __future__ import annotations

# As they stand after the stemmer of ``scan.lexing``, which has taken away -s, -e, -ed and -ing.
_ENDINGS = ("ation", "ion", "or", "er", "ment", "abl", "y", "i")
_SHORTEST = 4  # letters that are left without the ending


def kin_of(word: str) -> tuple[str, ...]:
    """Search words that may be of one family with a search word, in order of the alphabet; which of them anybody writes is not asked."""
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return ()
    roots = _roots(word)
    forms = roots | {root + ending for root in roots for ending in _ENDINGS} | {root + root[-1] + "er" for root in roots}
    return tuple(sorted(forms - {word}))


def _roots(word: str) -> set[str]:
    """The word itself, and what is left of it without an ending: of ``committer`` both ``committ`` and ``commit``."""
    found = {word}
    for ending in _ENDINGS:
        root = word.removesuffix(ending)
        if root != word and len(root) >= _SHORTEST:
            found.add(root)
            if root[-1] == root[-2] and len(root) > _SHORTEST:
                found.add(root[:-1])
    return found
