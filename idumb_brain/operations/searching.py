"""Finding what a text is about: ``query``, and a ``Searcher`` for those who ask often."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from idumb_brain.graph import tasks as task_graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model import roles
from idumb_brain.model.code import FileRecord
from idumb_brain.model.entities import Seeds
from idumb_brain.model.errors import NotScanned
from idumb_brain.model.selection import DOCUMENT, ENTRY, FILE, TASK, Budget, Candidate, Hit, Score
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.project import Project, find_project
from idumb_brain.operations.recalling import recall
from idumb_brain.operations.warm import searching
from idumb_brain.operations.word_index import bring_up_to_date, search_file
from idumb_brain.render import told
from idumb_brain.render.quoting import MARK, inline
from idumb_brain.select.corpus import Corpus
from idumb_brain.select.evidence import Evidence, Meaning
from idumb_brain.select.fill import fill
from idumb_brain.select.question import Question, understand
from idumb_brain.select.ranking import blend, ranked, reasons
from idumb_brain.select.recall import Recalled
from idumb_brain.select.signals import gather
from idumb_brain.select.symbols import rank_symbols, worth_a_look
from idumb_brain.select.tasks import ranked_tasks
from idumb_brain.select.telling import LAYOUT, candidates
from idumb_brain.store import code as store
from idumb_brain.store import search as search_store
from idumb_brain.store import work as work_store
from idumb_brain.store.brain import Brain
from idumb_brain.store.database import Connection, explained, identity
from idumb_brain.store.secrets import redacted

Notice = Callable[[str], None]
_LIMIT = 20
_BUDGET = 4_000
_ENTRIES = 8
_CITED = 8  # files that what is known is looked for
_EXCERPTS = 16  # files whose best lines are read
_OPENED = 12  # files whose symbols are looked at


@dataclass(frozen=True, slots=True)
class Found:
    """What a text is about, each kind best first."""

    question: Question
    files: tuple[Hit, ...]
    symbols: tuple[Hit, ...]
    documents: tuple[Hit, ...]
    lines: Mapping[str, tuple[int, int]]  # the part of a file that answers best
    notes: tuple[str, ...] = ()
    in_use: frozenset[str] = frozenset()  # words of the question that stand in some file


def query(
    text: str,
    root: str | None = None,
    *,
    limit: int = _LIMIT,
    budget: int | None = None,
    start: str = "",
    notice: Notice = lambda _: None,
) -> dict[str, Any]:
    """The ``data`` of ``query``. ``start``: a file, a symbol, an id, ``task`` or ``diff`` to ask from."""
    project = find_project(root)
    with searching(project, notice) as searcher, project.remembering() as brain:
        return answer(searcher, brain, text, limit=limit, budget=budget, start=start)


def answer(
    searcher: Searcher, brain: Brain, text: str, *, limit: int = _LIMIT, budget: int | None = None, start: str = ""
) -> dict[str, Any]:
    """The same with everything open, for those who ask often."""
    project = searcher.project
    seeds = _seeds(project, start) if start else None
    asked = " ".join([text, *seeds.words]) if seeds else text
    found = searcher.find(asked, limit=limit, seeds=seeds.paths if seeds else None)
    files = [hit.path for hit in found.files]
    entries = recall(brain, asked, Sources(project), limit=min(limit, _ENTRIES), paths=files[:_CITED], spelt_right=found.in_use)
    tasks = _tasks(brain, found, files, limit)
    known = [*told_of(project, found), *map(_entry_candidate, entries), *map(_task_candidate, tasks)]
    made = fill(known, Budget(tokens=budget or _BUDGET), LAYOUT)
    return {
        "query": text,
        "from": start or None,
        "files": [_file_data(hit) for hit in found.files],
        "symbols": [_symbol_data(hit) for hit in found.symbols],
        "documents": [_file_data(hit) for hit in found.documents],
        "entries": [
            {
                "id": one.entry.id,
                "type": one.entry.type,
                "title": one.entry.title,
                "effectiveConfidence": one.worth.confidence,
                "score": one.score.value,
                "path": list(one.path),
                "reasons": list(one.score.reasons),
            }
            for one in entries
        ],
        "tasks": [
            {"id": hit.id, "name": hit.title, "score": hit.score.value, "reasons": list(hit.score.reasons)} for hit in tasks
        ],
        "text": made.text,
        "tokens": made.tokens,
        "notes": [*found.notes, *brain.notes],
    }


def _seeds(project: Project, start: str) -> Seeds:
    """Loaded when asked for: it takes longer to load than a question to answer."""
    from idumb_brain.operations.entities import seeds_from

    return seeds_from(project, start)


def find(
    project: Project,
    text: str,
    *,
    limit: int = _LIMIT,
    seeds: Mapping[str, float] | None = None,
    notice: Notice = lambda _: None,
) -> Found:
    """Files, symbols and documents a text is about. ``seeds``: paths to start from besides, and what each weighs."""
    with Searcher(project, notice=notice) as searcher:
        return searcher.find(text, limit=limit, seeds=seeds)


def told_of(project: Project, found: Found) -> list[Candidate]:
    """What was found as candidates for the text an agent is handed."""
    hits = [*found.files, *found.documents]
    excerpts = {}
    for hit in hits[:_EXCERPTS]:
        if hit.path in found.lines:
            first, last = found.lines[hit.path]
            if lines := _lines(project, hit.path, first, last):
                excerpts[hit.path] = (first, lines)
    return candidates(hits, found.symbols, excerpts)


class Searcher:
    """A project's search store kept open and decoded, brought up to date before each question."""

    def __init__(self, project: Project, *, notice: Notice = lambda _: None, meaning: Meaning | None = None) -> None:
        self.project = project
        self._meaning = meaning
        self._notice = notice
        self._index: Connection | None = None
        self._search: Connection | None = None
        self._corpus: Corpus | None = None
        self._identities = ("", "")  # of the files that are open: somebody may delete them and make others

    def __enter__(self) -> Searcher:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._corpus = None
        for connection in (self._search, self._index):
            if connection is not None:
                connection.close()
        self._search = self._index = None

    def find(self, text: str, *, limit: int = _LIMIT, seeds: Mapping[str, float] | None = None) -> Found:
        question = understand(text)
        with self._reading() as corpus:
            evidence = gather(question, corpus, blend, seeds, self._meaning)
            order = ranked(evidence, corpus.roles, question.wants)
            return self._found(question, corpus, evidence, order, limit)

    def evidence(self, text: str, seeds: Mapping[str, float] | None = None) -> Evidence:
        """Every signal by itself, for those who want to know what each is worth."""
        with self._reading() as corpus:
            return gather(understand(text), corpus, blend, seeds, self._meaning)

    @contextmanager
    def _reading(self) -> Iterator[Corpus]:
        """The corpus as the index and the history are now; it stays so while it is read from."""
        with explained(self.project.index):
            index = self._opened_index()
            bring_up_to_date(self.project, index, self._notice)
            connection = self._opened_search()
            with search_store.unchanging(connection):
                if self._corpus is None or self._corpus.is_outdated():
                    self._corpus = Corpus(connection, index)
                yield self._corpus

    def _opened_index(self) -> Connection:
        file = self.project.index
        if self._index is None or self._identities[0] != identity(file):
            self.close()
            self._index = store.open_for_reading(file)
            self._identities = (identity(file), self._identities[1])
        if self._index is None:
            raise NotScanned(
                f"{self.project.root} has no index yet",
                why=f"there is none this version can read at {file}",
                instead=f'run "idumb-brain scan {self.project.root}"',
            )
        return self._index

    def _opened_search(self) -> Connection:
        file = search_file(self.project)
        if self._search is None or self._identities[1] != identity(file):
            if self._search is not None:
                self._search.close()
            self._corpus = None
            self._search = search_store.open_for_reading(file)
            self._identities = (self._identities[0], identity(file))
        assert self._search is not None
        return self._search

    def _found(
        self, question: Question, corpus: Corpus, evidence: Evidence, order: Sequence[tuple[int, float]], limit: int
    ) -> Found:
        files: list[Hit] = []
        documents: list[Hit] = []
        best = order[0][1] if order else 1.0
        for number, score in order:
            path = evidence.paths[number]
            kind, shelf = (
                (DOCUMENT, documents) if corpus.roles[number] == roles.DOCUMENT and not roles.is_code(path) else (FILE, files)
            )
            if score > 0 and len(shelf) < limit:
                if why := reasons(number, evidence, corpus):
                    shelf.append(Hit(kind, path, Score(round(score / best, 4), why), path))
            elif len(files) >= limit and len(documents) >= limit:
                break
        shown = [*files, *documents]
        records = {hit.path: record for hit in shown if (record := store.file_at(corpus.index, hit.path)) is not None}
        numbers = {path: number for number, path in evidence.paths.items()}
        lines = {
            path: (piece.line, piece.end_line) for path in records if (piece := evidence.pieces.get(numbers[path])) is not None
        }
        named = {evidence.paths[number]: line for number, (line, _) in evidence.places.items() if line}
        asked = {
            word: (weight * corpus.word_rarity(known), evidence.spelled[known])
            for word in question.words
            if (known := corpus.word(word)) is not None and (weight := evidence.words.get(known))
        }
        opened = []
        for hit in files[:_OPENED]:
            if hit.path in records:
                wanted = worth_a_look(asked, lines.get(hit.path, (0, 0)), named.get(hit.path, 0))
                opened.append((hit.score.value, store.some_symbols_of(corpus.index, records[hit.path], wanted)))
        symbols = rank_symbols(opened, asked, question.identifiers, lines, named, limit)
        in_use = frozenset(
            question.spelled.get(word, word).casefold() for word in question.words if corpus.word(word) is not None
        )
        notes = tuple(_stale(self.project, records))
        return Found(question, tuple(files), tuple(symbols), tuple(documents), lines, notes, in_use)


def _lines(project: Project, path: str, first: int, last: int) -> list[str]:
    """Lines of a file as it is now; none where it cannot be read."""
    try:
        with open(project.root / path, encoding="utf-8", errors="replace") as file:
            return redacted("".join(islice(file, first - 1, last))).splitlines()
    except (OSError, ValueError):
        return []


def _stale(project: Project, records: Mapping[str, FileRecord]) -> list[str]:
    """What to say of files that are no longer what was scanned. Only those that are shown are looked at."""
    changed, gone = [], []
    for path, record in records.items():
        try:
            told = os.stat(os.path.join(project.root, path))
        except OSError:
            gone.append(path)
            continue
        if (told.st_size, told.st_mtime_ns) != (record.size, record.mtime_ns):
            changed.append(path)
    again = f'; run "idumb-brain scan {project.root}"'
    return [
        f"{_some(paths)} {what}{again}"
        for paths, what in ((changed, "changed since the scan"), (gone, "no longer there"))
        if paths
    ]


def _some(paths: Sequence[str]) -> str:
    return ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")


def _tasks(brain: Brain, found: Found, files: Sequence[str], limit: int) -> list[Hit]:
    plans = {plan.id: plan for plan in work_store.plans(brain)}
    board = Board(plans, {task.id: task for task in work_store.tasks(brain)})
    question = found.question
    return ranked_tasks(question.words, question.spelled, task_graph.in_force(board), files[:_CITED], limit)


def _entry_candidate(one: Recalled) -> Candidate:
    value = min(1.0, one.score.value) * one.worth.multiplier
    return Candidate(
        ENTRY, one.entry.id, Score(value, one.score.reasons), told.entry(one.entry, one.worth.confidence, "en"), section=ENTRY,
        says=one.entry.content or one.entry.title,
    )  # fmt: skip


def _task_candidate(hit: Hit) -> Candidate:
    line = f"{MARK}{inline(hit.title)} #{hit.id}"
    return Candidate(TASK, hit.id, hit.score, (line, f"{line}: {'; '.join(hit.score.reasons)}"), section=TASK, says=hit.title)


def _file_data(hit: Hit) -> dict[str, Any]:
    return {"path": hit.path, "score": hit.score.value, "reasons": list(hit.score.reasons)}


def _symbol_data(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit.id, "file": hit.path, "name": hit.title, "kind": hit.kind, "line": hit.line,
        "score": round(hit.score.value, 4), "reasons": list(hit.score.reasons),
    }  # fmt: skip
