"""Where planning documents stand: in which chain, and whether what they rest on still says the same. Pure; no clock is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from idumb_brain.model.work import Artifact, Section


def sections_of(text: str, headings: Sequence[tuple[str, int, int]]) -> tuple[Section, ...]:
    """Headings (title, level, line) with a hash of what stands below each, up to the next. Blank space does not count.

    Of a document without headings all is one section, without a title.
    """
    headings = headings or [("", 1, 1)]
    lines = text.splitlines()
    ends = [line - 1 for _, _, line in headings[1:]] + [len(lines)]
    return tuple(
        Section(title, level, line, _hash(" ".join(" ".join(lines[line - 1 : end]).split())))
        for (title, level, line), end in zip(headings, ends, strict=True)
    )


def whole_hash(sections: Sequence[Section]) -> str:
    return _hash("\n".join(section.hash for section in sections))


def changed_sections(before: Sequence[Section], after: Sequence[Section]) -> list[str]:
    """Titles of sections that came, went or say something else. A section that only moved says the same."""
    old, new = _by_title(before), _by_title(after)
    return [key[0] for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)]


def staleness(one: Artifact, artifacts: Mapping[str, Artifact]) -> list[str]:
    """Why a document should not be followed as it is. By its place in the chain and by what the one before it says now."""
    if one.state != "active":
        return []
    told = []
    above = artifacts.get(one.parent) if one.parent else None
    if one.parent and above is None:
        told.append(f"it follows from {one.parent}, which is not known")
    elif above is not None:
        if above.state in ("superseded", "abandoned"):
            instead = f" by {above.superseded_by}" if above.superseded_by else ""
            told.append(f'it follows from "{above.title}" ({above.path}), which was {above.state}{instead}')
        elif whole_hash(above.sections) != one.parent_hash:
            told.append(f'"{above.title}" ({above.path}), which it follows from, says something else by now')
    return told


def chain_of(one: Artifact, artifacts: Mapping[str, Artifact]) -> list[Artifact]:
    """From the first document of its chain down to this one."""
    chain = [one]
    seen = {one.id}
    while (above := artifacts.get(chain[-1].parent)) and above.id not in seen:
        chain.append(above)
        seen.add(above.id)
    return chain[::-1]


def below(number: str, artifacts: Mapping[str, Artifact]) -> list[Artifact]:
    return [one for one in artifacts.values() if one.parent == number]


def _by_title(sections: Sequence[Section]) -> dict[tuple[str, int], str]:
    """(title, which of that title) → hash."""
    found: dict[tuple[str, int], str] = {}
    for section in sections:
        number = 0
        while (section.title, number) in found:
            number += 1
        found[section.title, number] = section.hash
    return found


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
