"""The templates of every language make the same blocks."""

from __future__ import annotations

import pytest

from idumb_brain.render.blocks import BLOCKS, block
from idumb_brain.render.wording import NAMES

SPOKEN = sorted(NAMES)


@pytest.mark.parametrize("name", BLOCKS)
def test_every_language_has_the_same_sections(name: str) -> None:
    first, *others = (block(name, language) for language in SPOKEN)
    for other in others:
        assert other.sections == first.sections
        assert len(other.own) == len(first.own)
        assert other.layout.closing == first.layout.closing


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize("language", SPOKEN)
def test_what_opens_is_closed_and_no_line_of_ours_looks_quoted(name: str, language: str) -> None:
    layout = block(name, language).layout
    tag = layout.opening.partition("\n")[0]
    assert layout.closing == tag.replace("<idumb-", "</idumb-")
    for text in (layout.opening, layout.closing, *(heading for _, heading in layout.headings)):
        assert not any(line.startswith("|") for line in text.split("\n"))


@pytest.mark.parametrize("language", ["de", "fr-CA", "", "EN_us"])
def test_a_language_we_do_not_speak_is_told_in_english(language: str) -> None:
    assert block("system", language) == block("system", "en")
