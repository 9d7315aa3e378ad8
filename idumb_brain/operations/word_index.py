"""Keeping the search store equal to the index and to the history: reads only files and commits it has not read yet."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from idumb_brain.model.code import FileRecord
from idumb_brain.model.errors import StoreLocked
from idumb_brain.model.roles import role_of
from idumb_brain.operations.project import Project
from idumb_brain.scan.git import ask
from idumb_brain.scan.lexing import counted_words
from idumb_brain.scan.messages import read_messages
from idumb_brain.scan.pieces import searchable
from idumb_brain.scan.read import ReadLimits, read
from idumb_brain.select.question import without_boilerplate
from idumb_brain.store import code as store
from idumb_brain.store import search as search_store
from idumb_brain.store.database import Connection, transaction
from idumb_brain.store.lock import exclusive

MADE_BY = "2"  # changes when words are cut differently: all of them are read anew
_A_BATCH = 1_000  # files of one transaction
_PATIENCE = 600.0  # seconds to wait for the first words of a project
_PLAIN_BYTES = 20_000  # of a text in no known language, which may be data


def search_file(project: Project) -> Path:
    return project.index.with_name("search.db")


def bring_up_to_date(project: Project, index: Connection, notice: Callable[[str], None]) -> bool:
    """Make the search store say what the index and the history say; whether anything had to be done.

    One process does it at a time. Another one uses what is there meanwhile, and waits only where there is nothing yet.
    """
    wanted = _Wanted(store.content_mark(index), _head(project), f"{MADE_BY} {project.config.history.commits}")
    file = search_file(project)
    known = _state(file)
    if known == wanted:
        return False
    try:
        patience, told = (_PATIENCE, notice) if known is None else (0.0, lambda _: None)
        with exclusive(file.with_suffix(".lock"), told, patience):
            if _state(file) == wanted:
                return False
            connection = search_store.open_search(file)
            try:
                _update(project, index, connection, wanted, notice)
            finally:
                connection.close()
    except StoreLocked:
        if known is None:
            raise
        return False
    return True


class _Wanted(NamedTuple):
    content: str
    head: str
    made_by: str


def _head(project: Project) -> str:
    """The commit the files are at, "" where there is none. Read from files where that can be: git takes longer to start."""
    head = project.root / ".git" / "HEAD"
    try:
        told = head.read_text().strip()
        if not told.startswith("ref: "):
            return told
        ref = head.parent / told[5:]
        if ref.is_file():
            return ref.read_text().strip()
    except (OSError, UnicodeDecodeError):
        pass
    return ask(project.root, "rev-parse", "--verify", "--quiet", "HEAD").strip()


def _state(file: Path) -> _Wanted | None:
    connection = search_store.open_for_reading(file)
    if connection is None:
        return None
    try:
        told = [search_store.meta(connection, key) for key in ("content", "head", "made_by")]
        return _Wanted(*told) if told[0] else None
    finally:
        connection.close()


def _update(project: Project, index: Connection, connection: Connection, wanted: _Wanted, notice: Callable[[str], None]) -> None:
    if search_store.meta(connection, "made_by") != wanted.made_by:
        with transaction(connection):
            search_store.empty(connection)
            search_store.set_meta(connection, made_by=wanted.made_by)
    _update_files(project, index, connection, notice)
    _update_history(project, connection, wanted.head)
    with transaction(connection):
        search_store.set_meta(connection, content=wanted.content, head=wanted.head)


def _update_files(project: Project, index: Connection, connection: Connection, notice: Callable[[str], None]) -> None:
    known = search_store.known_documents(connection)
    there = {
        record.path: record
        for record in store.files(index, "status = 'scanned' OR status = 'plain' AND size <= ?", (_PLAIN_BYTES,))
    }
    changed = [path for path, record in there.items() if known.get(path) != record.hash]
    gone = [path for path in known if path not in there]
    if len(changed) > _A_BATCH:
        notice(f"reading the words of {len(changed):,} files; the next question will not have to")
    documents = _documents(project, index, [there[path] for path in changed])
    batch: list[search_store.Document] = []
    for document in documents:
        batch.append(document)
        if len(batch) == _A_BATCH:
            with transaction(connection):
                search_store.replace_documents(connection, batch)
                search_store.write_columns(connection)
            batch = []
    if batch or gone:
        with transaction(connection):
            search_store.replace_documents(connection, batch, gone)
            search_store.write_columns(connection)


def _documents(project: Project, index: Connection, records: Sequence[FileRecord]) -> Iterator[search_store.Document]:
    limits = ReadLimits(project.config.scan.maxBytes, project.config.scan.minifiedLine, generated=True)
    for record in records:
        text = _text(project.root, store.raw_path(index, record), limits)
        symbols = [(one.name, one.line, one.end_line) for one in store.symbols_of(index, record)]
        remarks = store.remarks_of(index, record)
        found = searchable(record.path, text, symbols, remarks)
        yield search_store.Document(record.path, record.hash, role_of(record.path), found.fields, found.pieces)


def _text(root: Path, path: str, limits: ReadLimits) -> str:
    """What a file says now; nothing where it is gone, binary or huge."""
    try:
        found = read(os.path.join(root, path), limits)
    except OSError:
        return ""
    return found.source.decode("utf-8", "replace")


def _update_history(project: Project, connection: Connection, head: str) -> None:
    known = search_store.meta(connection, "commit_head")
    if not head or head == known:
        if known and not head:
            with transaction(connection):
                search_store.forget_commits(connection)
                search_store.write_columns(connection)
                search_store.set_meta(connection, commit_head="")
        return
    most = project.config.history.commits
    grown = bool(known) and ask(project.root, "merge-base", known, head).strip() == known
    found = read_messages(project.root, head, known if grown else "", most=most)
    with transaction(connection):
        if not grown or len(found.commits) == most:
            search_store.forget_commits(connection)
        search_store.add_commits(
            connection,
            [(one.commit, one.time, _subject(one.text), _said(one.text), one.paths) for one in found.commits],
            found.renamed,
        )
        search_store.write_columns(connection)
        search_store.set_meta(connection, commit_head=head)


def _said(text: str) -> Counter[str]:
    """Words of a message; its first line, which says what the commit is, counts twice."""
    text = without_boilerplate(text)
    return counted_words(text) + counted_words(text.partition("\n")[0])


def _subject(text: str) -> str:
    return text.partition("\n")[0][:200]
