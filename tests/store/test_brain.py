"""The brain on disk: damage, broken rows, migrations, many writers, sudden ends."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from idumb_brain.model.errors import BrainError, StoreDamaged, StoreLocked, StoreTooNew
from idumb_brain.model.governance import Halt
from idumb_brain.model.knowledge import Anchor, Entry, Evidence
from idumb_brain.model.work import Artifact, Checkpoint, Delegation, Plan, Session, Task
from idumb_brain.store import anchors, knowledge, migrations, sessions, work
from idumb_brain.store import brain as store
from idumb_brain.store.audit import changes
from idumb_brain.store.guard import quarantined
from tests.bench import brain_stress

NOW = "2026-02-04T10:30:00Z"
PAGE = 4096
MANY = 300
OTHERS = 20  # of every other kind


def an_entry(number: int, **stated: object) -> Entry:
    made = Entry(
        f"e-{number}",
        "decision",
        f"Title {number}",
        f"Because of {number}. " * (1 + number % 20),
        created_at=NOW,
        modified_at=NOW,
    )
    return replace(made, evidence=(Evidence("a.py", 1, 2, "", "h", "p"),), **stated)


def others(number: int) -> tuple[work.Kept, ...]:
    return (
        Plan(f"p-{number}", f"Plan {number}", created_at=NOW, modified_at=NOW),
        Task(f"t-{number}", "p-1", f"Task {number}", "Something", created_at=NOW, modified_at=NOW),
        Checkpoint(f"c-{number}", "t-1", "write", NOW, f"Step {number}"),
        Delegation(f"d-{number}", "coordinator", "builder", "t-1", created_at=NOW),
        Artifact(f"f-{number}", "research", "a.md", f"Document {number}", created_at=NOW, modified_at=NOW),
    )


def filled(file: Path) -> Path:
    with store.opened(file, NOW, make=True) as brain, store.writing(brain):
        for number in range(MANY):
            long = {"content": "Long. " * 3000} if number % 100 == 0 else {}
            knowledge.add_entry(brain, an_entry(number, **long), "manual")
        for number in range(20):
            anchors.add_anchor(
                brain, Anchor(f"a-{number}", "context", "high", f"Line {number}", created_at=NOW, modified_at=NOW), "manual"
            )
        for number in range(OTHERS):
            for one in others(number):
                work.keep(brain, one, "create", "manual")
            sessions.keep(brain, Session(f"s-{number}", started_at=NOW, updated_at=NOW))
            sessions.note(brain, f"s-{number}", "prompt", score=number / 2, detail=f"Event {number}")
            sessions.add_halt(brain, Halt(f"h-{number}", "s-1", "R", "what", "why", "how", at=NOW))
    return file


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return filled(tmp_path_factory.mktemp("sound") / "brain.db").read_bytes()


def _garbage(raw: bytes, pages: int) -> bytes:
    chance, made = random.Random(7), bytearray(raw)
    for page in chance.sample(range(1, len(raw) // PAGE), pages):
        made[page * PAGE : (page + 1) * PAGE] = chance.randbytes(PAGE)
    return bytes(made)


# how the file is damaged; how many of the entries and anchors must be saved at least
DAMAGE: dict[str, tuple[Callable[[bytes], bytes], int, int]] = {
    "no bytes": (lambda raw: b"", 0, 0),
    "not a database": (lambda raw: b"hello " * 5000, 0, 0),
    "first page gone": (lambda raw: random.Random(1).randbytes(PAGE) + raw[PAGE:], MANY, 20),
    "header gone": (lambda raw: b"\0" * 100 + raw[100:], MANY, 20),
    "one page of garbage": (lambda raw: _garbage(raw, 1), MANY - 1, 20),
    "ten pages of garbage": (lambda raw: _garbage(raw, 10), MANY // 2, 10),
    "half of the file": (lambda raw: raw[: len(raw) // 2 // PAGE * PAGE], MANY // 4, 10),
    "cut within a page": (lambda raw: raw[: len(raw) // 2 + 77], MANY // 4, 10),
    "a database of others": (lambda raw: _foreign(), 0, 0),
}


def _foreign() -> bytes:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE cakes (name)")
        return connection.serialize()


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_can_be_read_of_a_damaged_brain_is_saved(damage: str, sound: bytes, tmp_path: Path) -> None:
    """It is kept as it was, people are told, and the new one is sound."""
    file = tmp_path / "brain.db"
    harm, least_entries, least_anchors = DAMAGE[damage]
    file.write_bytes(harm(sound))
    told: list[str] = []
    for _ in range(2):  # some damage is met only when the rows are read; then the command is to be run again
        try:
            with store.opened(file, NOW) as brain:
                found = knowledge.entries(brain), anchors.anchors(brain)
                rest = [
                    *(read(brain) for read in (work.plans, work.tasks, work.checkpoints, work.delegations, work.artifacts)),
                    *(read(brain) for read in (sessions.sessions, sessions.halts)),
                    [one for number in range(OTHERS) for one in sessions.events(brain, f"s-{number}")],
                ]
                told += brain.notes
                if wrong := store.problems(brain):  # where no row was asked for
                    raise StoreDamaged(wrong[0], instead=store.mend(file, NOW, wrong[0]))
        except StoreDamaged as error:
            told.append(error.instead)
    assert len([note for note in told if "was damaged" in note and "is kept as brain.db.damaged-" in note]) == 1, told
    assert (tmp_path / "brain.db.damaged-20260204T103000Z").read_bytes() == harm(sound)
    assert len(found[0]) >= least_entries and len(found[1]) >= least_anchors
    original = {number: an_entry(number) for number in range(MANY) if number % 100}
    assert sum(map(len, rest)) >= least_anchors * len(rest), [len(kept) for kept in rest]
    for one in found[0]:
        number = int(one.id.removeprefix("e-"))
        assert number % 100 == 0 or replace(one, evidence=original[number].evidence) == original[number]
    with store.opened(file, NOW) as brain:
        assert store.problems(brain) == [] and brain.notes == []
        assert len(knowledge.matching(brain, "because", MANY)) == len([one for one in found[0] if "Because" in one.content])
        knowledge.add_entry(brain, an_entry(MANY + 1), "manual")


def test_nothing_is_begun_silently_where_something_was(sound: bytes, tmp_path: Path) -> None:
    (tmp_path / "brain.db.damaged-1").write_bytes(sound)
    with store.opened(tmp_path / "brain.db", NOW) as brain:
        assert "was gone and a new one was begun; brain.db.damaged-1 is kept" in brain.notes[0]


# SQL that breaks a row; what must be true of it afterwards; what is said
BROKEN_ROWS = {
    "confidence out of range": ("entries", "confidence = 900", lambda one: one.confidence == 100, "confidence is '900'"),
    "confidence no number": ("entries", "confidence = 'much'", lambda one: one.confidence == 50, "confidence is 'much'"),
    "an unknown type": ("entries", "type = 'rumour'", None, "type is 'rumour'"),
    "an unknown source": ("entries", "source = 'hearsay'", lambda one: one.source == "manual", "source is 'hearsay'"),
    "no title": ("entries", "title = ' '", lambda one: one.title == "(title lost)", "title is ' '"),
    "a title of bytes": ("entries", "title = x'ff41'", lambda one: one.title == "�A", "title is"),
    "text that is not UTF-8": ("entries", "title = CAST(x'ff41' AS TEXT)", lambda one: one.title == "�A", "title is"),
    "no time": ("entries", "modified_at = 'soon'", lambda one: one.modified_at == one.created_at, "modified_at is 'soon'"),
    "a time that is none": (
        "entries",
        "created_at = '2026-13-99T10:30:00Z'",
        lambda one: one.created_at[:4] == "1970",
        "created_at",
    ),
    "a negative stretch": ("entries", "stale_after = -1", lambda one: one.stale_after == 30 * 86400, "stale_after is '-1'"),
    "a lost parent": ("entries", "parent = 'nobody'", lambda one: one.parent == "", "its parent is not there"),
    "a lost successor": (
        "entries",
        "superseded_by = 'nobody'",
        lambda one: bool(one.purged_at),
        "what supersedes it is not there",
    ),
    "evidence of no line": ("evidence", "line = 'x'", lambda one: one.evidence[0].line == 0, "line is 'x'"),
    "an unknown priority": ("anchors", "priority = 'urgent'", lambda one: one.priority == "medium", "priority is 'urgent'"),
    "related that is no JSON": ("anchors", "related = '[\"x'", lambda one: one.related == (), "related is"),
    "no content": ("anchors", "content = ''", lambda one: one.content == "(content lost)", "content is ''"),
}


@pytest.mark.parametrize("case", BROKEN_ROWS)
def test_a_broken_row_is_kept_aside_and_mended(case: str, sound: bytes, tmp_path: Path) -> None:
    table, harm, mended, told = BROKEN_ROWS[case]
    file, id = tmp_path / "brain.db", "a-5" if table == "anchors" else "e-5"
    file.write_bytes(sound)
    with sqlite3.connect(file) as connection:
        connection.execute(f"UPDATE {table} SET {harm} WHERE {'entry' if table == 'evidence' else 'id'} = ?", (id,))
    connection.close()
    for again in (False, True):
        with store.opened(file, NOW) as brain:
            everything = {one.id: one for one in (*knowledge.entries(brain, every=True), *anchors.anchors(brain, every=True))}
            assert [note for note in brain.notes if told in note] == brain.notes and len(brain.notes) == (0 if again else 1)
            assert len(everything) == MANY + 20 - (mended is None)
            assert id not in everything if mended is None else mended(everything[id])
            kept = quarantined(brain)
            assert len(kept) == 1 and kept[0]["repaired"] == (mended is not None) and told in kept[0]["reason"]
            assert json.loads(kept[0]["row"])


def test_a_change_is_on_record(tmp_path: Path) -> None:
    with store.opened(tmp_path / "brain.db", NOW, make=True) as brain:
        one = an_entry(1, related=("e-0",))
        knowledge.add_entry(brain, one, "manual")
        after = replace(one, title="Other getUserID", related=(), contradicts=("e-3",), pinned=True)
        knowledge.change_entry(brain, one, after, "edit", "somebody")
        assert knowledge.entry(brain, one.id) == after
        assert [id for id, _ in knowledge.matching(brain, "user", 5)] == [one.id]
        latest, first = changes(brain)
        assert (latest.action, latest.by, first.action) == ("edit", "somebody", "write")
        assert latest.before == {"title": "Title 1", "related": ["e-0"]}
        assert latest.after == {"title": "Other getUserID", "contradicts": ["e-3"], "pinned": True}
        knowledge.erase_entry(brain, after, "manual")
        knowledge.scrub(brain)
    assert b"getUserID" not in (tmp_path / "brain.db").read_bytes()
    with store.opened(tmp_path / "brain.db", NOW) as brain:
        assert [one.action for one in changes(brain, one.id)] == ["erase", "edit", "write"]
        assert store.problems(brain) == []


def test_an_older_brain_is_copied_and_migrated(sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "brain.db"
    file.write_bytes(sound)
    before = migrations.VERSION
    steps = (*migrations.MIGRATIONS, "CREATE TABLE later (id TEXT PRIMARY KEY) WITHOUT ROWID;")
    for module in (migrations, store):
        monkeypatch.setattr(module, "MIGRATIONS", steps)
        monkeypatch.setattr(module, "VERSION", len(steps))
    with store.opened(file, NOW) as brain:
        assert f"from schema {before} to {before + 1}" in brain.notes[0]
        assert brain.connection.execute("SELECT count(*) FROM later").fetchone() == (0,)
        assert len(knowledge.entries(brain)) == MANY
    copy = tmp_path / f"brain.db.backup-{before}-20260204T103000Z"
    with sqlite3.connect(copy) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (before,)
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (MANY,)
    connection.close()
    monkeypatch.undo()
    with pytest.raises(StoreTooNew), store.opened(file, NOW):
        pass


def test_without_a_brain_there_is_an_empty_one_and_nothing_on_disk(tmp_path: Path) -> None:
    with store.opened(tmp_path / "brain.db", NOW) as brain:
        assert knowledge.entries(brain) == []
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_no_damage(tmp_path: Path) -> None:
    """Told as what it is; the brain stays where it is, with all that was committed."""
    file = filled(tmp_path / "brain.db")
    with pytest.raises(StoreDamaged, match="could not be written") as raised, store.opened(file, NOW) as brain:
        pages = brain.connection.execute("PRAGMA page_count").fetchone()[0]
        brain.connection.execute(f"PRAGMA max_page_count = {pages}")
        knowledge.add_entry(brain, an_entry(9999, content="x" * 200_000), "manual")
    assert "free some disk space" in raised.value.instead
    with store.opened(file, NOW) as brain:
        assert len(knowledge.entries(brain)) == MANY and not brain.notes
    assert not [one for one in tmp_path.iterdir() if "damaged" in one.name]


def test_a_brain_nobody_can_write_to(sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It can be read, and to write is refused. Whether files can be written is asked of the system, which lets root do all."""
    (tmp_path / "brain.db").write_bytes(sound)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with store.opened(tmp_path / "brain.db", NOW) as brain:
        assert len(knowledge.entries(brain)) == MANY
        with pytest.raises(StoreLocked, match="read-only"):
            knowledge.add_entry(brain, an_entry(9999), "manual")


def test_nobody_writes_into_a_brain_that_was_put_aside(sound: bytes, tmp_path: Path) -> None:
    file = tmp_path / "brain.db"
    file.write_bytes(sound)
    with store.opened(file, NOW) as brain:
        file.write_bytes(_garbage(sound, 3))
        store.mend(file, NOW, "garbage")
        with pytest.raises(StoreLocked, match="another one now"):
            knowledge.add_entry(brain, an_entry(9999), "manual")


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    with store.opened(tmp_path / "brain.db", NOW, make=True) as brain:
        with pytest.raises(BrainError), store.writing(brain):
            knowledge.add_entry(brain, an_entry(1), "manual")
            raise BrainError("no")
        assert knowledge.entries(brain) == [] and changes(brain) == []


def test_a_brain_opened_twice_in_a_process_keeps_its_locks(tmp_path: Path) -> None:
    """Else another process that opens and closes it takes the log away, and what is written afterwards is lost."""
    file = filled(tmp_path / "brain.db")
    look = f"import sqlite3; print(sqlite3.connect({str(file)!r}).execute('SELECT count(*) FROM entries').fetchone()[0])"

    def seen_by_another() -> int:
        return int(subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True).stdout)

    with store.opened(file, NOW) as brain:
        for number in range(1, 4):
            with store.opened(file, NOW):
                pass
            seen_by_another()
            with store.writing(brain):
                knowledge.add_entry(brain, an_entry(MANY + number), "manual")
            assert seen_by_another() == MANY + number


def test_many_processes_write_and_nothing_is_lost(tmp_path: Path) -> None:
    told = brain_stress.together(tmp_path / "brain.db", processes=4, seconds=1.5)
    assert told.errors == [] and told.lost == 0 and told.written > 0 and told.problems == []


def test_a_killed_writer_loses_nothing_it_was_told_is_kept(tmp_path: Path) -> None:
    told = brain_stress.killed(tmp_path / "brain.db", kills=5)
    assert told.lost == 0 and told.acknowledged > 0 and told.problems == []
