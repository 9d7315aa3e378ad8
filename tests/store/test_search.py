"""The search store: what is written comes back, what is replaced leaves nothing behind."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as some

from idumb_brain.store import search
from idumb_brain.store.database import Connection, transaction

_WORDS = some.dictionaries(some.sampled_from(["shelf", "loan", "reader", "größe"]), some.integers(1, 300), max_size=4)
_STEPS = some.lists(some.tuples(some.sampled_from("abcd"), some.none() | _WORDS), max_size=12)


def _document(path: str, words: dict[str, int]) -> search.Document:
    fields = (words, {}, {}, {}, {path: 1})
    return search.Document(path, str(sorted(words.items())), "source", fields, [(1, 9, words)])


def _content(connection: Connection) -> dict[str, object]:
    """All that can be asked, by path."""
    paths = search.all_paths(connection)
    found: dict[str, object] = {}
    for word in ("shelf", "loan", "reader", "größe"):
        number = search.word_numbers(connection, [word]).get(word)
        posting = search.posting(connection, number, search.BODY) if number is not None else None
        held = dict(zip(posting.ids, posting.counts, strict=True)) if posting else {}
        found[word] = sorted((paths[one], times) for one, times in held.items())
    for number, path in paths.items():
        (piece,) = search.pieces_of(connection, number)
        found[path] = (piece.line, piece.end_line, piece.length, sorted(piece.counts))
    return found


@settings(max_examples=40, deadline=None)
@given(_STEPS)
def test_many_changes_leave_what_one_writing_would(
    tmp_path_factory: object, steps: list[tuple[str, dict[str, int] | None]]
) -> None:
    folder: Path = tmp_path_factory.mktemp("search")  # type: ignore[attr-defined]
    changing, fresh = (search.open_search(folder / name) for name in ("changing.db", "fresh.db"))
    last: dict[str, dict[str, int]] = {}
    for path, words in steps:
        with transaction(changing):
            search.replace_documents(changing, [_document(path, words)] if words is not None else [], [path])
        if words is None:
            last.pop(path, None)
        else:
            last[path] = words
    with transaction(fresh):
        search.replace_documents(fresh, [_document(path, words) for path, words in last.items()])
    assert _content(changing) == _content(fresh)
    changing.close()
    fresh.close()


def test_commits_follow_a_file_that_was_renamed(tmp_path: Path) -> None:
    connection = search.open_search(tmp_path / "search.db")
    with transaction(connection):
        search.replace_documents(connection, [_document("new.py", {"loan": 1})])
        search.add_commits(connection, [("c1", 1, "first", Counter(loan=1), ["old.py", "gone.py"])], {})
        search.add_commits(connection, [("c2", 2, "second", Counter(loan=2), ["new.py"])], {"old.py": "new.py"})
        search.write_columns(connection)
    assert list(search.column(connection, "commit numbers")[::4]) == [0, 1]
    assert search.subjects(connection, [0, 1]) == {0: ("c1", "first"), 1: ("c2", "second")}
    connection.close()


def test_a_store_of_another_version_is_emptied(tmp_path: Path) -> None:
    connection = search.open_search(tmp_path / "search.db")
    with transaction(connection):
        search.replace_documents(connection, [_document("a.py", {"loan": 1})])
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert search.open_for_reading(tmp_path / "search.db") is None
    connection = search.open_search(tmp_path / "search.db")
    assert search.all_paths(connection) == {}
    connection.close()
