"""Documentation is text people write: whatever it is, reading it gives an answer, and lines that are in it."""

from __future__ import annotations

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from idumb_brain.graph.inconsistencies.names import names_in
from idumb_brain.graph.inconsistencies.todos import contradicting, duplicates, gone_paths, overdue
from idumb_brain.model.code import Comment
from idumb_brain.scan.docstrings import read_documentation

LANGUAGES = ("python", "javascript", "java", "csharp", "swift", "rust", "elixir", "go", "lua", "ruby", "php")
PARTS = r"""
@param ¦ {string} ¦ [x=1] ¦ name ¦ Args: ¦ Returns: ¦ :param ¦ : ¦ a, b : int ¦ - Parameters: ¦   - x: ¦ # Arguments ¦ * `y` - ¦ ``` ¦ {
<param name='z'> ¦ `foo_bar()` ¦ {@link A#b} ¦ TODO ¦ remove ¦ in 2.0 ¦ (2023-01) ¦ by 2023-13-45 ¦ Raises: ¦ @returns ¦ } ¦ [ ¦ ]
\param[in] ¦ **kwargs ¦ * ¦ @throws ¦ :raises X: ¦ defaults to ¦ ' ¦ src/a/b.py ¦ do not remove
"""
WORDS = st.sampled_from(
    ["\n", "    ", "Parameters\n----------\n", *(part for line in PARTS.split("\n") for part in line.split(" ¦ "))]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(WORDS, st.text(max_size=8)), max_size=25), st.sampled_from(LANGUAGES))
def test_any_text_can_be_read(words: list[str], language: str) -> None:
    text = " ".join(words)
    lines = text.count("\n") + 1
    doc = read_documentation(text, language)
    for entry in (*doc.parameters, *doc.returns, *doc.yields, *doc.raises):
        assert 0 <= entry.line < lines
    comment = Comment("a/b.py", "todo", 1, lines, text, "")
    for named in names_in(comment):
        assert 0 <= named.line < lines and named.name in text
    for about in overdue(comment, date(2026, 2, 4), lambda _: ("3.0", "package.json")):
        assert 0 <= about.line < lines
    assert all(path in text for path, _ in gone_paths(comment, lambda *_: False))
    assert not list(duplicates([comment]))
    assert all(about.comment is comment for about in contradicting([comment]))
