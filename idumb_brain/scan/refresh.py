"""Keeps the index equal to the tree: finds what changed, has it parsed, stores it, links it. Decides nothing else.

A change of a few files is one transaction. A large one is written in batches, with a mark in the index that its edges
are not derived yet; whoever finds that mark after a crash derives them all.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from typing import Any

from idumb_brain.model.code import SKIPPED, FileFacts, ScanReport, Totals
from idumb_brain.scan.discover import DiscoverSettings, Discovery, Found, Skipped, discover_again, look_at
from idumb_brain.scan.garbage import seldom_collected
from idumb_brain.scan.ignore import IGNORE_FILES
from idumb_brain.scan.languages import fingerprint, load_languages, query_folders
from idumb_brain.scan.link import Linker, families_configured_by
from idumb_brain.scan.pool import Pool, PoolSettings, Task
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.resolve import FileView, stem_keys
from idumb_brain.scan.tree import Tree
from idumb_brain.scan.worker import failed_facts
from idumb_brain.store import code as store
from idumb_brain.store import facts as facts_store
from idumb_brain.store.database import Connection, explained, transaction
from idumb_brain.store.lock import exclusive
from idumb_brain.store.project import write_packages

_WRITE_EVERY = 200  # files a batch: large enough for SQLite, small enough for memory
_ONE_TRANSACTION = 400  # more changed files than this are committed in batches
_RACY_NS = 20_000_000  # a file written this shortly before we looked may have changed again without its stat telling

_MANIFEST = re.compile(
    r"(?:^|/)(?:pyproject\.toml|[\w.-]*requirements[\w.-]*\.(?:txt|in)|setup\.(?:cfg|py)|Pipfile(?:\.lock)?|(?:poetry|uv|pdm|bun|yarn|deno"
    r"|mix|pubspec|Cargo|composer|Gemfile)\.lockb?|environment\.ya?ml|package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-(?:lock|workspace)\.yaml"
    r"|deno\.jsonc?|go\.(?:mod|work|sum)|Cargo\.toml|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|[\w.-]*versions\.toml|gradle\.lockfile"
    r"|Gemfile|gems\.rb|[\w.-]+\.gemspec|composer\.json|[\w.-]+\.(?:cs|fs|vb)proj|Directory\.\w+\.props|packages\.(?:lock\.json|config)"
    r"|mix\.exs|pubspec\.yaml|Package\.(?:swift|resolved))$|(?:^|/)requirements/[^/]+\.(?:txt|in)$"
)

Progress = Callable[[int, int, str], None]  # done, total, what


@dataclass(frozen=True, slots=True)
class ScanSettings:
    discover: DiscoverSettings = DiscoverSettings()
    limits: ReadLimits = ReadLimits()
    jobs: int = 0  # 0: as many as there are processors
    seconds_a_file: float = 20.0
    fences: bool = False


@dataclass
class _Changes:
    """What a refresh did, as it goes."""

    added: dict[int, str] = field(default_factory=dict)
    removed: dict[int, str] = field(default_factory=dict)
    rewritten: dict[int, str] = field(default_factory=dict)
    scanned: list[str] = field(default_factory=list)
    refused: int = 0  # found, but read in vain: skipped now or before
    keys: set[str] = field(default_factory=set)  # declared keys that came or went
    views: dict[int, FileView] = field(default_factory=dict)  # of rewritten files, while there are few enough to keep


class Workspace:
    """One project's tree and index, open for scanning. Cheap to make; keep it to rescan single files in milliseconds."""

    def __init__(
        self,
        root: str,
        index: Path,
        settings: ScanSettings,
        *,
        environ: Mapping[str, str],
        now: Callable[[], str],
        notice: Callable[[str], None] = lambda _: None,
        copies: bool = False,
        worker_command: tuple[str, ...] = (),
    ) -> None:
        self.root = root
        self.index = index
        self.settings = settings
        self._environ = environ
        self._now = now
        self._notice = notice
        self._folders = query_folders(root)
        self._fingerprint = _engine(self._folders, settings)
        self._connection: Connection | None = None
        self._started_anew = ""
        jobs = settings.jobs or os.cpu_count() or 1
        pool = PoolSettings(
            root,
            self._folders,
            settings.limits,
            settings.seconds_a_file,
            fences=settings.fences,
            copies=copies,
            command=worker_command,
        )
        self._pool = Pool(pool, jobs)
        self._linker: Linker | None = None
        self._generation = ""

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._pool.close()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def refresh(self, *, full: bool = False, progress: Progress = lambda *_: None) -> ScanReport:
        """Make the index equal to the tree. ``full`` trusts nothing that was stored."""
        began = time.perf_counter()
        with explained(self.index), exclusive(self.index.with_name("scan.lock"), self._notice):
            connection = self._open()
            anew = self._started_anew
            known = {} if full else facts_store.known_files(connection)
            if full:
                store.empty(connection, self._fingerprint)
                self._linker = None
            looked_at = time.time_ns()
            seen = self._discover(connection, known, progress)
            changes = self._bring_up_to_date(connection, looked_at, seen, known, progress)
            if not known:
                with transaction(connection):
                    store.set_meta(connection, scannedFull=self._now())
            self._started_anew = ""
        notes = (f"started anew: {anew}",) if anew and anew != "there was no index" else ()
        return _reported("full" if full or not known else "incremental", seen, changes, began, notes)

    def rescan(self, paths: Iterable[str]) -> ScanReport:
        """Bring these files (relative paths, existing or gone) up to date and look at no others."""
        began = time.perf_counter()
        with explained(self.index), exclusive(self.index.with_name("scan.lock"), self._notice):
            connection = self._open()
            if self._started_anew or store.meta(connection, "scanned") == "":
                return self._refresh_within(connection, began)
            wanted = sorted(set(paths))
            known = facts_store.known_files_at(connection, wanted)
            if any(path.rpartition("/")[2] in IGNORE_FILES or _is_folder(self.root, path) for path in wanted):
                return self._refresh_within(connection, began)  # what else is to be read may have changed with it
            for path in wanted:
                if path not in known:
                    known |= facts_store.known_files_under(connection, path)  # a folder that is gone
            looked_at = time.time_ns()
            seen = self._look_at(wanted, known)
            changes = self._bring_up_to_date(connection, looked_at, seen, known, lambda *_: None)
        return _reported("incremental", seen, changes, began)

    def totals(self) -> Totals:
        with explained(self.index):
            return store.totals(self._open())

    def _refresh_within(self, connection: Connection, began: float) -> ScanReport:
        """The whole tree, for a caller that already holds the lock."""
        known = facts_store.known_files(connection)
        looked_at = time.time_ns()
        seen = self._discover(connection, known, lambda *_: None)
        changes = self._bring_up_to_date(connection, looked_at, seen, known, lambda *_: None)
        self._started_anew = ""
        return _reported("incremental" if known else "full", seen, changes, began)

    def _open(self) -> Connection:
        if self._connection is None:
            self._connection, self._started_anew = store.open_index(self.index, self._fingerprint)
        return self._connection

    def _discover(self, connection: Connection, known: Mapping[str, Any], progress: Progress) -> Discovery:
        progress(0, 0, "looking for files")
        return discover_again(self.root, self.settings.discover, known, store.meta(connection, "ignored"), environ=self._environ)

    def _look_at(self, paths: Sequence[str], known: Mapping[str, Any]) -> Discovery:
        """A discovery of single files: known ones by a look at each, others as a walk would judge them."""
        found: list[Found] = []
        strange: list[str] = []
        for path in paths:
            row = known.get(path)
            try:
                status = os.lstat(os.path.join(self.root, path))
            except OSError:
                continue
            if (
                row is None
                or row[5] == SKIPPED
                or not S_ISREG(status.st_mode)
                or status.st_size > self.settings.discover.max_bytes
            ):
                strange.append(path)
            else:
                found.append(Found(path, status.st_size, status.st_mtime_ns, status.st_ino))
        if not strange:
            return Discovery(found, [], [], "")
        judged = look_at(self.root, self.settings.discover, strange, environ=self._environ)
        return Discovery(found + judged.found, [skip for skip in judged.skipped if skip.path in strange], [], "")

    def _bring_up_to_date(
        self, connection: Connection, looked_at: int, seen: Discovery, known: Mapping[str, Any], progress: Progress
    ) -> _Changes:
        last_look = int(store.meta(connection, "looked") or 0)
        present = {found.path for found in seen.found}
        present.update(skipped.path for skipped in seen.skipped)
        removed = [(row[0], path) for path, row in known.items() if path not in present]
        to_read = suspects(seen.found, known, last_look)
        to_skip = [
            skip
            for skip in seen.skipped
            if not skip.path.endswith("/") and _stored_skip(known.get(skip.path)) != (skip.size, skip.mtime_ns, SKIPPED)
        ]
        relink_all = store.meta(connection, "linking") == "pending"
        changes = _Changes(removed=dict(removed))
        reread = {path for path, _, _ in to_read}
        changes.refused = sum(row[5] == SKIPPED for path, row in _known(seen.found, known) if path not in reread)
        if removed or to_read or to_skip or relink_all:
            in_batches = len(to_read) > _ONE_TRANSACTION
            relink_all = relink_all or in_batches
            with ExitStack() as whole:
                whole.push(self._unlearnt)
                whole.enter_context(seldom_collected())
                if not in_batches:
                    whole.enter_context(transaction(connection))
                self._write(connection, seen, known, removed, to_read, to_skip, changes, in_batches, progress)
                if in_batches:
                    whole.enter_context(transaction(connection))
                progress(0, 0, "linking")
                self._link(connection, changes, relink_all)
                changes.views.clear()  # large, and needed no more
                facts_store.complete_indexes(connection)
                self._know_packages(connection, changes)
                self._sign(connection, seen, looked_at)
        elif seen.ignore_fingerprint not in ("", store.meta(connection, "ignored")) or not store.meta(connection, "scanned"):
            if store.meta(connection, "generation") != self._generation:
                self._linker = None  # it knows what others wrote as little as before, whatever is signed now
            with transaction(connection):
                self._sign(connection, seen, looked_at)
        return changes

    def _unlearnt(self, failure: type[BaseException] | None, *_: object) -> None:
        """A linker that learnt of changes which were rolled back is not used again."""
        if failure is not None:
            self._linker = None

    def _write(
        self,
        connection: Connection,
        seen: Discovery,
        known: Mapping[str, Any],
        removed: Sequence[tuple[int, str]],
        to_read: Sequence[Task],
        to_skip: Sequence[Skipped],
        changes: _Changes,
        in_batches: bool,
        progress: Progress,
    ) -> None:
        with ExitStack() as first:
            if in_batches:
                first.enter_context(transaction(connection))
                store.set_meta(connection, linking="pending")
            next_number = facts_store.next_file_number(connection)  # before any is free: a number must not mean two files at once
            for number, _ in removed:
                changes.keys |= facts_store.keys_of(connection, number)
            facts_store.remove_files(connection, [number for number, _ in removed])
            fresh = [path for path, _, _ in to_read if path not in known] + [s.path for s in to_skip if s.path not in known]
            number_of = {path: row[0] for path, row in known.items()}
            for path in fresh:
                number_of[path] = next_number
                changes.added[next_number] = path
                next_number += 1
            facts_store.add_files(connection, changes.added.items())
            skipped = [(number_of[s.path], s.path, _skipped_facts(s)) for s in to_skip]
            facts_store.write_facts(connection, skipped, self._now(), fresh=not known)
            changes.rewritten.update((number, path) for number, path, _ in skipped)

        batch: list[tuple[int, str, FileFacts]] = []
        touched: list[tuple[int, int, int, int]] = []
        done, total = 0, len(to_read)
        for path, answer in self._pool.run(to_read, lambda _, reason: failed_facts(reason)):
            number = number_of[path]
            done += 1
            if answer[0] == "same":
                touched.append((answer[2], answer[3], answer[4], number))
            else:
                batch.append((number, path, FileFacts(*answer)))
            if len(batch) >= _WRITE_EVERY:
                self._write_batch(connection, batch, changes, in_batches, known)
                batch.clear()
            if done % 25 == 0 or done == total:
                progress(done, total, path)
        self._write_batch(connection, batch, changes, in_batches, known)
        if touched:
            with ExitStack() as last:
                if in_batches:
                    last.enter_context(transaction(connection))
                facts_store.touch_files(connection, touched)

    def _write_batch(
        self,
        connection: Connection,
        batch: Sequence[tuple[int, str, FileFacts]],
        changes: _Changes,
        in_batches: bool,
        known: Mapping[str, Any],
    ) -> None:
        if not batch:
            return
        with ExitStack() as own:
            if in_batches:
                own.enter_context(transaction(connection))
            for number, path, facts in batch:
                changes.rewritten[number] = path
                if facts.status == SKIPPED:
                    changes.refused += 1
                else:
                    changes.scanned.append(path)
                changes.views[number] = FileView(path, facts.language, facts.package, facts.imports, facts.uses)
                if not in_batches:
                    changes.keys |= facts_store.keys_of(connection, number) ^ set(facts.keys)
            facts_store.write_facts(connection, batch, self._now(), fresh=not known)

    def _link(self, connection: Connection, changes: _Changes, everything: bool) -> None:
        linker = self._linker_for(connection, changes)
        languages = load_languages(self._folders)
        if everything:
            linker.providing = _looked_up(facts_store.all_keys(connection))
            stale: set[int] = set(facts_store.numbers_of_scanned(connection))
            facts_store.erase_all_edges(connection)
        else:
            came_or_went = [*changes.added.values(), *changes.removed.values()]
            keys = changes.keys.union(came_or_went, *map(stem_keys, came_or_went))
            keys.update("read:" + path for path in [*changes.rewritten.values(), *changes.removed.values()])
            stale = facts_store.files_wanting(connection, keys) | set(changes.rewritten)
            linker.in_use.update(linker.resolver_name(view.language) for view in changes.views.values())
            families = families_configured_by(changes.rewritten.values(), came_or_went, linker.in_use - {""})
            if families:
                stale.update(
                    facts_store.numbers_of_languages(
                        connection, [n for n in languages.by_name if linker.resolver_name(n) in families]
                    )
                )
            stale.difference_update(changes.removed)
            facts_store.erase_edges(connection, stale)
        edges: list[tuple[int, int, Any]] = []
        wants: list[tuple[str, int]] = []
        for number in sorted(stale):
            view = changes.views.pop(number, None)
            if view is None:
                stored = facts_store.facts_to_resolve(connection, number)
                if stored is None:
                    continue
                view = FileView(*stored)
            rows, wanted = linker.edges(number, view)
            edges += [(number, position, row) for position, row in enumerate(rows)]
            wants += [(key if key.isascii() else store.stored_path(key)[0], number) for key in wanted]
        facts_store.write_edges(connection, edges, wants)
        if everything:
            self._linker = None  # its keys were read at once; from now on they are asked for one by one

    def _linker_for(self, connection: Connection, changes: _Changes) -> Linker:
        languages = load_languages(self._folders)
        generation = store.meta(connection, "generation")
        if self._linker is None or generation != self._generation:
            numbers = {path: row[0] for path, row in facts_store.known_files(connection).items()}
            self._linker = Linker(
                Tree(self.root, numbers), languages, numbers, lambda key: facts_store.files_providing(connection, key)
            )
            self._linker.in_use.update(map(self._linker.resolver_name, facts_store.languages(connection)))
        elif changes.added or changes.removed:
            self._linker.changed(changes.added, changes.removed)
        self._linker.rewritten(changes.rewritten.values())
        return self._linker

    def _know_packages(self, connection: Connection, changes: _Changes) -> None:
        """Keep what manifests ask for now, for those who want to know later what changed in it."""
        touched = (changes.rewritten.values(), changes.added.values(), changes.removed.values())
        if any(changes_packages(path) for paths in touched for path in paths):
            from idumb_brain.scan.manifests import read_packages

            write_packages(connection, read_packages(Path(self.root), sorted(store.paths(connection).values()))[0])

    def _sign(self, connection: Connection, seen: Discovery, looked_at: int) -> None:
        """Say in the index what it now is."""
        self._generation = f"{int(store.meta(connection, 'generation').partition('-')[0] or 0) + 1}-{os.urandom(4).hex()}"
        values = {"scanned": self._now(), "linking": "", "generation": self._generation, "totals": ""}
        if seen.ignore_fingerprint:
            values |= {
                "ignored": seen.ignore_fingerprint,
                "looked": str(looked_at),
                "folders": json.dumps([[skip.path, skip.reason] for skip in seen.skipped if skip.path.endswith("/")]),
                "repositories": json.dumps(seen.repositories),
            }
        store.set_meta(connection, **values)


def _looked_up(rows: Iterable[tuple[str, int]]) -> Callable[[str], Sequence[int]]:
    numbers: dict[str, list[int]] = {}
    for key, number in rows:
        numbers.setdefault(key, []).append(number)
    return lambda key: numbers.get(key, ())


def _engine(folders: tuple[Path, ...], settings: ScanSettings) -> str:
    """What made the facts: other queries, grammars, code or limits make other facts."""
    from idumb_brain import __version__

    return f"{__version__}-{fingerprint(folders)}-{settings.limits}-{settings.fences}"


def changes_packages(path: str) -> bool:
    """Whether a file may say what packages there are and what they ask for."""
    return _MANIFEST.search(path) is not None


def suspects(found: Sequence[Found], known: Mapping[str, Any], last_look: int) -> list[Task]:
    """(path, known hash) of files that are new or whose stat does not vouch for them."""
    racy = last_look - _RACY_NS
    todo: list[Task] = []
    for path, size, mtime_ns, inode in found:
        row = known.get(path)
        if row is None:
            todo.append((path, "", None))
        elif row[2] != mtime_ns or row[1] != size or row[3] != inode or (mtime_ns >= racy and last_look):
            todo.append((path, row[4], None))
    return todo


def _is_folder(root: str, path: str) -> bool:
    full = os.path.join(root, path)
    return os.path.isdir(full) and not os.path.islink(full)


def _known(found: Sequence[Found], known: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((file.path, known[file.path]) for file in found if file.path in known)


def _stored_skip(row: Any) -> tuple[int, int, str] | None:
    return (row[1], row[2], row[5]) if row is not None else None


def _skipped_facts(skip: Skipped) -> FileFacts:
    return FileFacts(
        SKIPPED,
        skip.reason,
        "",
        skip.size,
        skip.mtime_ns,
        0,
        0,
        "",
        "",
        [],
        [],
        [],
        "",
        [],
        [],
        "",
    )


def _reported(mode: str, seen: Discovery, changes: _Changes, began: float, notes: tuple[str, ...] = ()) -> ScanReport:
    looked_at = len(seen.found) + sum(not skip.path.endswith("/") for skip in seen.skipped)
    skipped = looked_at - len(seen.found) + changes.refused
    return ScanReport(
        mode,
        looked_at,
        looked_at - skipped - len(changes.scanned),
        tuple(sorted(changes.scanned)),
        tuple(sorted(changes.removed.values())),
        skipped,
        round((time.perf_counter() - began) * 1000, 1),
        notes,
    )
