"""What changed between two states of a project: files, public API, dependencies. Reads; changes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idumb_brain.graph.api import Rules, api_changes, rules
from idumb_brain.graph.dependency_drift import dependency_changes
from idumb_brain.graph.exposure import exposed_names, passing_on, with_reexports
from idumb_brain.model.changes import ApiChange, DependencyChange, FileApi, FileChanges, Rename
from idumb_brain.model.code import FileFacts, SymbolRow
from idumb_brain.model.project import Package
from idumb_brain.operations.project import Project, discover_settings
from idumb_brain.scan import git
from idumb_brain.scan.discover import Discovery, discover, never_read
from idumb_brain.scan.languages import query_folders
from idumb_brain.scan.manifests import packages_of, read_packages
from idumb_brain.scan.manifests.committed import CommittedTree
from idumb_brain.scan.pool import Pool, PoolSettings, Task
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.refresh import changes_packages, suspects
from idumb_brain.scan.similarity import Profile, profile, profile_of_words, renames
from idumb_brain.scan.worker import failed_facts
from idumb_brain.store import code as store
from idumb_brain.store import facts as facts_store
from idumb_brain.store import project as project_store
from idumb_brain.store.database import Connection


@dataclass(frozen=True, slots=True)
class Difference:
    """Two states, as far as they differ."""

    since: str
    files: FileChanges
    before: Mapping[str, FileApi]
    after: Mapping[str, FileApi]
    api: Sequence[ApiChange]
    dependencies: Sequence[DependencyChange]


def difference(project: Project, revision: str | None = None) -> Difference:
    return _since_revision(project, revision) if revision else _since_scan(project)


# -- against the last scan -----------------------------------------------------------------------------------------------


def _since_scan(project: Project) -> Difference:
    with project.reading() as connection:
        known = facts_store.known_files(connection)
        seen = discover(str(project.root), discover_settings(project), environ=os.environ)
        found = {file.path for file in seen.found}
        doubtful = {path: row[4] for path, row in known.items()}
        looked = int(store.meta(connection, "looked") or 0)
        changed = [path for path, _, _ in suspects(seen.found, known, looked)]
        now = _facts(project, [(path, doubtful.get(path, ""), None) for path in changed])
        modified = [path for path in changed if path in known and now[path] is not None]
        added = [path for path in changed if path not in known]
        outside = {skip.path for skip in seen.skipped}
        gone = [
            path for path, row in known.items() if path not in found and path not in outside and (row[4] or row[5] != "skipped")
        ]
        table = rules(query_folders(str(project.root)))
        stored = {path: _stored(connection, path) for path in (*modified, *gone)}
        before = {path: api for path, api in stored.items() if api is not None}
        after = {path: _api(path, facts) for path in (*modified, *added) if (facts := now[path]) is not None}
        moved = _moved_since_scan(project, connection, known, gone, [path for path in added if now[path] is not None], now)
        files = _sorted(added, modified, gone, moved, _changed_outside(seen, known))
        inits = {path for side in (before, after) for api in side.values() for path in passing_on(api, table)}
        old_inits = {path: api for path in inits if (api := before.get(path) or _stored(connection, path))}
        new_inits = old_inits | {path: api for path, api in after.items() if path in inits}
        new_inits = {path: api for path, api in new_inits.items() if path not in gone}
        packages = project_store.packages(connection)
        touched = any(changes_packages(path) for path in (*changed, *gone, *(path for path, _ in files.outside)))
        packages_now = read_packages(project.root, sorted(found))[0] if touched else packages
    return _judged("the last scan", files, before, after, old_inits, new_inits, packages, packages_now, table)


def _moved_since_scan(
    project: Project,
    connection: Connection,
    known: Mapping[str, Any],
    gone: Sequence[str],
    came: Sequence[str],
    now: Mapping[str, FileFacts | None],
) -> list[Rename]:
    if not gone or not came:
        return []
    facts = {path: one for path in came if (one := now[path]) is not None}
    old_hashes, new_hashes = {known[path][4] for path in gone}, {one.hash for one in facts.values()}
    left = [path for path in gone if known[path][4] not in new_hashes]
    fresh = [path for path in came if facts[path].hash not in old_hashes]
    contents = _contents_of_lost(project, known, left) if left and fresh else {}
    # Content against content where git still has the old one, what was read against what was read where it has not.
    with_content = {path: profile(contents[path], known[path][4]) for path in left if path in contents}
    on_disk = {path: profile(_read(project, path), facts[path].hash) for path in fresh} if with_content else {}
    exact_old = {path: Profile(1, known[path][4], {}) for path in gone if path not in left}
    exact_new = {path: Profile(1, facts[path].hash, {}) for path in came if path not in fresh}
    found = renames({**exact_old, **with_content}, {**exact_new, **on_disk})
    taken = {one.target for one in found}
    bare = {path: _profile_of_stored(connection, path, known[path]) for path in left if path not in contents}
    if bare:
        others = {path: _profile_of_facts(facts[path]) for path in fresh if path not in taken}
        found += renames(
            {path: one for path, one in bare.items() if one.pieces}, {p: one for p, one in others.items() if one.pieces}
        )
    return found


def _contents_of_lost(project: Project, known: Mapping[str, Any], paths: Sequence[str]) -> dict[str, bytes]:
    """What files that are gone held when they were scanned, as far as git has kept it."""
    from hashlib import sha1

    found: dict[str, bytes] = {}
    for path, content in git.lost_contents(project.root, paths):
        if path not in found and sha1(content, usedforsecurity=False).hexdigest() == known[path][4]:
            found[path] = content
    return found


def _profile_of_stored(connection: Connection, path: str, row: Any) -> Profile:
    record = store.file_at(connection, store.stored_path(path)[0])
    if record is None:
        return Profile(0, "", {})
    words = [symbol.signature for symbol in store.symbols_of(connection, record)]
    words += [comment.content for comment in store.comments(connection, record)]
    words += [f"{one.kind} {one.text}" for one in store.imports_of(connection, record)]
    words += [f"{one.kind} {one.name}" for one in store.references_of(connection, record)]
    return profile_of_words(words, row[1], record.hash)


def _profile_of_facts(facts: FileFacts) -> Profile:
    words = [row[6] for row in facts.symbols]
    words += [row[4] for row in facts.comments]
    words += [f"{row[0]} {row[1]}" for row in facts.imports]
    words += [f"{row[1]} {row[3]}" for row in facts.references]
    return profile_of_words(words, facts.size, facts.hash)


def _read(project: Project, path: str) -> bytes:
    try:
        with open(os.path.join(project.root, path), "rb") as file:
            return file.read()
    except OSError:
        return b""


def _changed_outside(seen: Discovery, known: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Files that no scan reads: still there, but not as they were."""
    rows = []
    for skip in seen.skipped:
        if skip.path.endswith("/"):
            continue
        row = known.get(skip.path)
        if row is None:
            rows.append((skip.path, "added"))
        elif (row[1], row[2]) != (skip.size, skip.mtime_ns):
            rows.append((skip.path, "modified"))
    here = {skip.path for skip in seen.skipped} | {file.path for file in seen.found}
    rows += [(path, "deleted") for path, row in known.items() if path not in here and row[5] == "skipped" and not row[4]]
    return rows


# -- against a revision --------------------------------------------------------------------------------------------------


def _since_revision(project: Project, asked: str) -> Difference:
    old, new = git.revisions(project.root, asked)
    table = rules(query_folders(str(project.root)))
    rows = git.differences(project.root, old, new)
    seen = (
        set()
        if new
        else {file.path for file in discover(str(project.root), discover_settings(project), environ=os.environ).found}
    )
    wanted: list[tuple[str, str, str, int]] = []
    outside: list[tuple[str, str]] = []
    for row in rows:
        reads = not never_read(row[2]) and (bool(new) or row[0] == "D" or row[2] in seen)
        if reads:
            wanted.append(row)
        else:
            outside.append((row[2], {"A": "added", "D": "deleted", "R": "renamed"}.get(row[0], "modified")))
    moved = [Rename(*row[1:]) for row in wanted if row[0] == "R"]
    added = [row[2] for row in wanted if row[0] in "AC"]
    gone = [row[1] for row in wanted if row[0] == "D"]
    modified = [row[2] for row in wanted if row[0] not in "RACD"]
    strays = [] if new else [path for path in git.untracked(project.root) if path in seen and path not in added]
    olds = [*modified, *gone, *(one.source for one in moved)]
    contents = {path: content for _, path, content in git.contents_at(project.root, [(old, path) for path in olds])}
    then = _facts(project, [(path, "", contents[path]) for path in olds if path in contents])
    news = [*modified, *added, *strays, *(one.target for one in moved)]
    now = _facts_at(project, new, news)
    moved += _moved_astray(project, gone, strays, contents, then, now)  # git follows only what it tracks
    before = {path: _api(path, facts) for path, facts in then.items() if facts is not None}
    after = {path: _api(path, facts) for path, facts in now.items() if facts is not None}
    files = _sorted([*added, *strays], modified, gone, moved, outside)
    inits = {path for side in (before, after) for api in side.values() for path in passing_on(api, table)}
    told = {path: content for _, path, content in git.contents_at(project.root, [(old, path) for path in sorted(inits)])}
    read_then = _facts(project, [(path, "", content) for path, content in told.items()])
    old_inits = {path: _api(path, facts) for path, facts in read_then.items() if facts is not None}
    read_now = _facts_at(project, new, sorted(inits))
    new_inits = {path: _api(path, facts) for path, facts in read_now.items() if facts is not None and facts.status != "skipped"}
    packages: list[Package] = []
    packages_now: list[Package] = []
    if any(changes_packages(path) for row in rows for path in row[1:3]) or any(map(changes_packages, strays)):
        packages = packages_of(CommittedTree(project.root, old))
        packages_now = packages_of(CommittedTree(project.root, new)) if new else read_packages(project.root, sorted(seen))[0]
    return _judged(asked, files, before, after, old_inits, new_inits, packages, packages_now, table)


def _facts_at(project: Project, revision: str, paths: Sequence[str]) -> dict[str, FileFacts | None]:
    if not revision:
        return _facts(project, [(path, "", None) for path in paths])
    told = git.contents_at(project.root, [(revision, path) for path in paths])
    return _facts(project, [(path, "", content) for _, path, content in told])


def _moved_astray(
    project: Project,
    gone: Sequence[str],
    came: Sequence[str],
    contents: Mapping[str, bytes],
    then: Mapping[str, FileFacts | None],
    now: Mapping[str, FileFacts | None],
) -> list[Rename]:
    if not gone or not came:
        return []
    old = {path: profile(contents[path], facts.hash) for path in gone if path in contents and (facts := then.get(path))}
    new = {path: profile(_read(project, path), facts.hash) for path in came if (facts := now.get(path))}
    return renames(old, new)


# -- both ----------------------------------------------------------------------------------------------------------------


def _judged(
    since: str,
    files: FileChanges,
    before: Mapping[str, FileApi],
    after: Mapping[str, FileApi],
    old_inits: Mapping[str, FileApi],
    new_inits: Mapping[str, FileApi],
    packages: Sequence[Package],
    packages_now: Sequence[Package],
    table: Rules,
) -> Difference:
    changes = api_changes(_offered(before, old_inits, table), _offered(after, new_inits, table), table)
    return Difference(since, files, before, after, changes, dependency_changes(packages, packages_now))


def _offered(files: Mapping[str, FileApi], inits: Mapping[str, FileApi], table: Rules) -> list[FileApi]:
    return [with_reexports(exposed_names(files[path], inits, table), table) for path in sorted(files)]


def _sorted(
    added: Iterable[str],
    modified: Iterable[str],
    gone: Iterable[str],
    moved: Iterable[Rename],
    outside: Iterable[tuple[str, str]],
) -> FileChanges:
    followed = tuple(sorted(moved, key=lambda one: (one.source, one.target)))
    sources, targets = {one.source for one in followed}, {one.target for one in followed}
    return FileChanges(
        tuple(sorted(set(added) - targets)),
        tuple(sorted(set(modified))),
        tuple(sorted(set(gone) - sources)),
        followed,
        tuple(sorted(set(outside))),
    )


def _facts(project: Project, tasks: Sequence[Task]) -> dict[str, FileFacts | None]:
    """Facts of files as they are, or of given contents; None for one whose content is what is known of it."""
    if not tasks:
        return {}
    stated = project.config.scan
    limits = ReadLimits(stated.maxBytes, stated.minifiedLine, generated=stated.generated)
    settings = PoolSettings(
        str(project.root), query_folders(str(project.root)), limits, stated.secondsPerFile, fences=stated.markdownFences
    )
    with Pool(settings, os.cpu_count() or 1) as pool:
        return {
            path: None if answer[0] == "same" else FileFacts(*answer)
            for path, answer in pool.run(tasks, lambda _, reason: failed_facts(reason))
        }


def _api(path: str, facts: FileFacts) -> FileApi:
    return FileApi(path, facts.language, facts.package, facts.symbols, facts.imports)


def _stored(connection: Connection, path: str) -> FileApi | None:
    record = store.file_at(connection, store.stored_path(path)[0])
    if record is None:
        return None
    rows: list[SymbolRow] = [
        (s.parent, s.name, s.qualified_name, s.kind, s.line, s.end_line, s.signature, int(s.exported), s.doc)
        for s in store.symbols_of(connection, record)
    ]
    imports = facts_store.facts_to_resolve(connection, record.id)
    return FileApi(path, record.language, record.package, rows, imports[3] if imports else [])
