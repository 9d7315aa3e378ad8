"""Responsibilities that documentation claims and that nothing in the code supports. The claims are data: ``queries/claims.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from idumb_brain.graph.inconsistencies.place import FileView, Told
from idumb_brain.model.code import Comment
from idumb_brain.model.documented import INFO
from idumb_brain.scan.concepts import Concept

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DENIED = re.compile(
    r"\b(?:not|never|no|cannot|can't|doesn't|isn't|without|if|unless|should|must|to be|caller|subclass\w*|override\w*"
    r"|interface|abstract)\b",
    re.IGNORECASE,
)
_KINDS = ("function", "method", "class", "module", "constructor", "struct")


def claims_something(view: FileView, concepts: Iterable[Concept]) -> bool:
    """A cheap look, before anybody reads files."""
    phrases = [phrase for concept in concepts for phrase in concept.phrases]
    return any(
        phrase.search(sentence)
        for _, comment in view.comments
        if comment.type == "doc"
        for sentence in [_first_sentence(comment.content)]
        for phrase in phrases
    )


def unsupported_claims(
    view: FileView, concepts: Iterable[Concept], words: Mapping[str, int], beyond: Iterable[str]
) -> Iterator[tuple[Comment, Told]]:
    """``words``: identifiers of the file's code; ``beyond``: names and texts of what it needs."""
    parts: set[str] | None = None
    for owner, comment in view.comments:
        if comment.type != "doc" or (owner >= 0 and view.symbols[owner].kind not in _KINDS):
            continue
        sentence = _first_sentence(comment.content)
        for concept in concepts:
            if not any(phrase.search(sentence) for phrase in concept.phrases) or _DENIED.search(sentence):
                continue
            if parts is None:
                parts = {part.lower() for word in (*words, *beyond) for part in _PARTS.findall(word)}
                parts |= {re.sub(r"[\W_]", "", word).lower() for word in words}
            if not any(part.startswith(word) or word in part for word in concept.evidence for part in parts):
                yield comment, Told(
                    "claim-unsupported", INFO,
                    f"claims {concept.name}, and neither this file nor what it imports has a word of it", (0,), (), 0.8,
                )  # fmt: skip


def _first_sentence(text: str) -> str:
    flat = " ".join(text.split("\n\n", 1)[0].split())
    flat = re.sub(r"<[^>]+>", "", flat)
    return re.split(r"(?<=[.!?])\s", flat, maxsplit=1)[0]
