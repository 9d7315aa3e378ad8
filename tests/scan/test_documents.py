"""Odd documents: broken, huge, deep, of any encoding. Facts come out, never a traceback."""

from __future__ import annotations

import pytest

from idumb_brain.model.code import FileFacts
from idumb_brain.model.documents import Document, unpacked
from idumb_brain.scan.documents import document_facts, format_of
from idumb_brain.scan.languages import load_languages, query_folders
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.worker import facts_of

RULES = query_folders()
LANGUAGES = load_languages(RULES)


def read(path: str, text: str) -> Document:
    document = document_facts(path, text.encode(), RULES)
    assert document is not None
    return document


@pytest.mark.parametrize(
    ("text", "values", "problem"),
    [
        (
            "---\ntitle: Shelf # of books\nn: 3\nok: true\nempty:\n---\n# x\n",
            {"title": "Shelf", "n": 3, "ok": True, "empty": None},
            False,
        ),
        ("---\ntags:\n  - a\n  - 'b: c'\nlong: >\n  one\n  two\n---\n", {"tags": ["a", "b: c"], "long": "one two"}, False),
        ("---\nouter:\n  inner: 1\n---\n", {"outer": {"inner": 1}}, False),
        ("+++\ntitle = 'Shelf'\ndate = 2026-01-02\n+++\n", {"title": "Shelf", "date": "2026-01-02"}, False),
        ('{\n "title": "Shelf"\n}\n# x\n', {"title": "Shelf"}, False),
        ("+++\ntitle = \n+++\n", {}, True),
        ("---\ntitle: ok\n]]] {{{\n---\n", {"title": "ok"}, True),
        ("---\nnever: closed\n", {}, False),
        ("---\n\nA break, and no front matter.\n\n---\n", {}, False),
    ],
)
def test_front_matter(text: str, values: dict[str, object], problem: bool) -> None:
    document = read("a.md", text)
    assert document.front_matter == values
    assert bool(document.problem) is problem


@pytest.mark.parametrize(
    ("title", "anchor"),
    [
        ("Getting started!", "getting-started"),
        ("`code` and *stress*", "code-and-stress"),
        ("A & B", "a--b"),
        ("snake_case stays", "snake_case-stays"),
        ("Überblick: 設計", "überblick-設計"),
        ("[A link](x.md) here", "a-link-here"),
        ("Own id {#mine}", "mine"),
    ],
)
def test_anchors_are_those_of_the_forge(title: str, anchor: str) -> None:
    assert [section.anchor for section in read("a.md", f"# {title}\n").sections] == [anchor]


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.encode("utf-16"),
    ],
)
def test_line_ends_and_encodings(encode: object) -> None:
    text = "---\ntitle: Shelf\n---\n# One\n\nA [link](b.md).\n\n```sh\nmake test\n```\n"
    facts = facts_of("a.md", "", LANGUAGES, ReadLimits(), False, encode(text), RULES)  # type: ignore[operator]
    document = unpacked(FileFacts(*facts).document)
    assert document.title == "Shelf"
    assert [(link.line, link.target) for link in document.links] == [(6, "b.md")]
    assert [(said.line, said.text) for said in document.commands] == [(9, "make test")]


def test_packed_and_unpacked_are_the_same() -> None:
    document = read(
        "README.md", "---\ntitle: x\n---\n# A\n\n[b](c.md) `d/e.py` Python 3.8+\n\n<!-- idumb: ignore -->\n\n```sh\nls\n```\n"
    )
    assert unpacked(document.packed()) == document


@pytest.mark.parametrize(
    "text",
    [
        "# big\n\n" + "A line with [a link](x.md) and `code`.\n\n" * 60_000,
        "> " * 5_000 + "deep",
        "".join("  " * depth + "- item\n" for depth in range(400)),
        "[" * 20_000,
        "`" * 9_999 + "x",
        "<" * 20_000,
        "\0\1\2# head\n",
        "| a " * 3_000 + "|\n" + "|---" * 3_000 + "|\n",
        "",
    ],
    ids=["2.5 MB", "quotes", "lists", "brackets", "ticks", "tags", "control", "table", "empty"],
)
@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.adoc", "NOTES.txt"])
def test_torture(name: str, text: str) -> None:
    assert document_facts(name, text.encode(), RULES) is not None


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("README", "text"),
        ("docs/a.MD", "markdown"),
        ("readme", ""),
        ("src/a.py", ""),
        ("LICENSE", "text"),
        ("x/CHANGES", "text"),
        (".cursorrules", "markdown"),
    ],
)
def test_what_is_a_document(path: str, form: str) -> None:
    assert format_of(path) == form


def test_data_in_text_files_is_no_document() -> None:
    assert document_facts("tests/words.txt", b"alpha\nbeta\n", RULES) is None
    assert FileFacts(*facts_of("requirements.txt", "", LANGUAGES, ReadLimits(), False, b"flask\n", RULES)).document == ""


def test_code_and_comments_hold_no_links() -> None:
    document = read(
        "a.md", "`[a](b.md)` <!-- [c](d.md) <a href='e.md'> -->\n\n    [f](g.md)\n\n```\n[h](i.md)\n```\n\n\\[j](k.md)\n"
    )
    assert document.links == ()
