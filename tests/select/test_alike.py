"""What is the same told twice, and what only looks so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from idumb_brain.select.alike import ALIKE, near_duplicates, similarity

SAME = (
    ("Use WAL mode for brain.db.", "use  WAL mode for brain.db"),
    ("Never write to the index from a hook!", "Never write to the index from a hook."),
    ("Sessions are kept in Redis, not in Postgres", "sessions are kept in redis - not in postgres."),
    (
        "Tokens expire after 15 minutes of inactivity, see auth/tokens.py",
        "Tokens expire after 15 minutes of inactivity; see auth/tokens.py",
    ),
    ("Không bao giờ ghi vào chỉ mục từ hook", "không bao giờ ghi vào chỉ mục từ hook."),
    ("Handlers are registred in the order of their imports", "Handlers are registered in the order of their imports"),
)
DIFFERENT = (
    ("retry 3 times", "retry 5 times"),
    (
        "The server retries a failed upload 3 times before it gives up",
        "The server retries a failed upload 5 times before it gives up",
    ),
    ("Caching of rendered pages is enabled for all readers", "Caching of rendered pages is disabled for all readers"),
    ("Locks are taken before the file is opened for the write", "Locks are taken after the file is opened for the write"),
    ("A reader may borrow several books at the same time", "A reader may not borrow several books at the same time"),
    ("Fixed in 4f2a9c1: loans are counted twice", "Fixed in 4f2a9d1: loans are counted twice"),
    ("see library/loans.py for the rules of borrowing", "see library/readers.py for the rules of borrowing"),
    ("getReader returns nothing for strangers in the house", "getReaders returns nothing for strangers in the house"),
    ("Ghi log trước khi đóng kết nối tới máy chủ", "Ghi log sau khi đóng kết nối tới máy chủ"),
    ("", "Use WAL"),
)


@pytest.mark.parametrize(("a", "b"), SAME)
def test_same(a: str, b: str) -> None:
    assert similarity(a, b) == similarity(b, a) >= ALIKE


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different(a: str, b: str) -> None:
    assert similarity(a, b) == similarity(b, a) < ALIKE


@given(some.text(), some.text())
def test_a_number_between_none_and_all(a: str, b: str) -> None:
    assert 0 <= similarity(a, b) == similarity(b, a) <= 1
    assert similarity(a, a) == 1


def test_of_many_the_alike_are_found() -> None:
    texts = [text for pair in (*SAME, *DIFFERENT[:-1]) for text in pair]
    found = {(earlier, later) for earlier, later, _ in near_duplicates(texts)}
    assert found == {(2 * number, 2 * number + 1) for number in range(len(SAME))}
