"""Where comments contradict code, asked of the index; functions nobody looked at yet are looked at first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from idumb_brain.graph import inconsistencies as rules
from idumb_brain.graph.inconsistencies import FileView
from idumb_brain.model.code import Comment
from idumb_brain.model.documented import SEVERITIES, Evidence, Finding
from idumb_brain.operations.project import Project, find_project, moment, relative_path
from idumb_brain.store import code as store
from idumb_brain.store import examined as kept
from idumb_brain.store.database import Connection, connect, explained, transaction
from idumb_brain.store.secrets import without_secrets

_CERTAIN_ENOUGH = 0.5
_WRITE_EVERY = 200
_MOST_REMOVALS = 25
_PROSE = ("markdown", "rst", "asciidoc", "org", "text", "html")
_CONTAINERS = ("class", "struct", "interface", "enum", "trait")
Progress = Callable[[int, int, str], None]


def inconsistencies(
    path: str | None = None,
    root: str | None = None,
    *,
    kinds: Sequence[str] = (),
    doubtful: bool = False,
    history: bool = True,
    progress: Progress = lambda *_: None,
) -> list[dict[str, Any]]:
    """What comments say that is not so; ``doubtful`` also tells what may well be right, ``history`` asks git what once was."""
    from idumb_brain.model.errors import BadInput
    from idumb_brain.operations.codemap import must_know

    unknown = [kind for kind in kinds if kind not in rules.KINDS]
    if unknown:
        raise BadInput(f"{unknown[0]} is no kind of finding", instead=f"there are {', '.join(rules.KINDS)}")
    project = find_project(root)
    within = relative_path(project, path) if path else ""
    within = "" if within == "." else within
    with project.reading() as connection:
        if within:
            must_know(project, connection, within)
    return [
        _data(one)
        for one in findings(project, within, history=history, progress=progress)
        if (not kinds or one.kind in kinds) and (doubtful or one.confidence >= _CERTAIN_ENOUGH)
    ]


def findings(project: Project, within: str = "", *, history: bool = True, progress: Progress = lambda *_: None) -> list[Finding]:
    """Everything the rules find below a path, the doubtful too, in order of file and line."""
    examine(project, progress)
    with project.reading() as connection:
        found = list(_Search(project, connection, within, history).run())
    return sorted(found, key=lambda one: (one.file, one.line, SEVERITIES.index(one.severity), one.kind, one.message))


def examine(project: Project, progress: Progress) -> None:
    """Have the functions of files that are new or changed looked at, in processes of their own, and keep what was seen."""
    from idumb_brain.scan.languages import load_languages, query_folders
    from idumb_brain.scan.pool import Pool, PoolSettings, Task
    from idumb_brain.scan.read import ReadLimits

    folders = query_folders(str(project.root))
    languages = load_languages(folders)
    wanted = [name for name, language in languages.by_name.items() if language.examined]
    with project.reading() as connection:
        todo = kept.unexamined(connection, wanted)
    if not todo:
        return
    stated = project.config.scan
    limits = ReadLimits(stated.maxBytes, stated.minifiedLine, generated=stated.generated)
    settings = PoolSettings(str(project.root), folders, limits, stated.secondsPerFile, examines=True)
    tasks: list[Task] = [(path, digest, None) for _, path, digest in todo]
    known = {path: (number, digest) for number, path, digest in todo}
    rows: list[tuple[int, str, str]] = []
    with explained(project.index), Pool(settings, stated.jobs or os.cpu_count() or 1) as pool:
        writing = connect(project.index)
        try:
            for done, (path, answer) in enumerate(pool.run(tasks, lambda *_: ("examined", "[]")), 1):
                if answer[0] == "examined":
                    rows.append((*known[path], answer[1]))
                if len(rows) >= _WRITE_EVERY or done == len(tasks):
                    with transaction(writing):
                        kept.write_examined(writing, rows)
                    rows.clear()
                progress(done, len(tasks), path)
        finally:
            writing.close()


class _Search:
    """One run of all rules over an index: what several of them need is worked out once."""

    def __init__(self, project: Project, connection: Connection, within: str, history: bool) -> None:
        from idumb_brain.scan.ignore import matcher
        from idumb_brain.scan.versions import Versions

        self._project = project
        self._connection = connection
        self._within = within
        self._history = history
        self._lines = _Lines(project)
        self._versions = Versions(project.root)
        self._ignored = set(project.config.inconsistencies.ignore)
        self._left_out = matcher(project.config.inconsistencies.paths)
        self._paths = set(store.paths(connection).values())

    def run(self) -> Iterator[Finding]:
        named: dict[str, list[rules.Named]] = {}
        todos: list[Comment] = []
        functions = {name for name, kind in kept.symbol_kinds(self._connection) if kind in ("function", "method")}
        for view in self._views():
            comments = [comment for _, comment in view.comments]
            here = [*rules.in_signatures(view), *rules.in_wording(view, functions), *self._claims(view)]
            here += rules.in_todos(view, moment().date(), self._versions.of, self._project.root.name)
            yield from self._kept(here, view.record.path, comments)
            named[view.record.path] = list(rules.comments_with_names(view))
            todos += [comment for comment in comments if comment.type in rules.WORK]
        yield from self._gone(named)
        yield from self._todos(todos)

    def _kept(self, found: Sequence[Finding], path: str, comments: Sequence[Comment] | None = None) -> Iterator[Finding]:
        if not found:
            return
        if comments is None:
            record = store.file_at(self._connection, path)
            comments = [comment for _, comment in kept.comments_of(self._connection, record)] if record else []
        for one in rules.heard(found, comments, self._lines(path)):
            if one.kind not in self._ignored:
                yield one

    def _views(self) -> Iterator[FileView]:
        for record in store.files(self._connection, "status = 'scanned'"):
            if self._within and record.path != self._within and not record.path.startswith(self._within + "/"):
                continue
            if record.language in _PROSE or self._left_out(record.path):
                continue
            view = self._view(record)
            if view.comments:
                yield view

    def _view(self, record: Any) -> FileView:
        connection = self._connection
        return FileView(
            record, store.symbols_of(connection, record), kept.comments_of(connection, record),
            kept.functions_of(connection, record), store.imports_of(connection, record), self._lines,
        )  # fmt: skip

    def _claims(self, view: FileView) -> Iterator[Finding]:
        from idumb_brain.scan.concepts import load_concepts
        from idumb_brain.scan.languages import query_folders

        concepts = load_concepts(query_folders(str(self._project.root)))
        if not rules.claims_something(view, concepts):
            return
        beyond = [text for one in view.imports for text in (one.text, one.external, *(b.local for b in one.bindings))]
        for target in {target for one in view.imports for target in one.targets}:
            beyond.append(target)
            record = store.file_at(self._connection, target)
            beyond += [symbol.name for symbol in store.symbols_of(self._connection, record)] if record else []
        yield from rules.in_claims(view, concepts, self._code_words(view), beyond)

    def _code_words(self, view: FileView) -> Mapping[str, int]:
        """Words of a file that are not only in its comments."""
        from idumb_brain.scan.vocabulary import words_of_file, words_of_text

        every = words_of_file(str(self._project.root), view.record.path)
        every.subtract(words_of_text(comment.content for _, comment in rules.apart(view.comments)))
        return {word: count for word, count in every.items() if count > 0}

    def _gone(self, named: Mapping[str, Sequence[rules.Named]]) -> Iterator[Finding]:
        """Names in comments that no code has, where there is proof that some once had."""
        wanted = {one.name for ones in named.values() for one in ones}
        # "defineEmit" is how people speak of defineEmits.
        there = self._words_in_code(wanted | {name + "s" for name in wanted}) if wanted else set()
        missing = {name for name in wanted - there if name + "s" not in there}
        if not missing:
            return
        past = self._past(missing)
        symbols = {name for name, _ in kept.symbol_kinds(self._connection)}
        near = rules.similar_names(name for name, kind in kept.symbol_kinds(self._connection) if kind in rules.SPOKEN_OF)
        for path, ones in named.items():
            record = store.file_at(self._connection, path)
            gone = [one for one in ones if one.name in missing]
            if record is None or not gone:
                continue
            view = self._view(record)
            foreign = {binding.local for one in view.imports if one.external for binding in one.bindings}
            gone = [one for one in gone if one.holder not in foreign]
            local = [symbol.name for symbol in view.symbols if symbol.kind in rules.SPOKEN_OF]
            found = []
            for one in gone:
                proof = rules.proof_of(one, past, self._containers(one, view), near, local, symbols)
                if proof is not None:
                    found.append(rules.placed(view, one.comment, rules.told_of(one, proof), one.comment.owner))
            unique = {(one.line, one.message): one for one in reversed(found)}
            yield from self._kept(list(unique.values()), path, [comment for _, comment in view.comments])

    def _words_in_code(self, wanted: set[str]) -> set[str]:
        from idumb_brain.scan.vocabulary import some_words_of_file, words_of_text

        there = {name for name, _ in kept.symbol_kinds(self._connection)} & wanted
        there |= {part for path in self._paths for name in path.split("/") for part in (name, name.partition(".")[0])} & wanted
        left = {word.encode() for word in wanted - there}
        for record in store.files(self._connection):
            if record.language in _PROSE or not left:
                continue
            every = some_words_of_file(str(self._project.root), record.path, left)
            hits = set(every)
            if hits and record.status == "scanned":
                comments = rules.apart(kept.comments_of(self._connection, record))
                told = words_of_text(comment.content for _, comment in comments)
                hits = {word for word in hits if every[word] > told[word]}
            if hits:
                there |= hits
                left.difference_update(word.encode() for word in hits)
        return there

    def _past(self, missing: set[str]) -> dict[str, tuple[Evidence, bool]]:
        """Where names were defined once, and whether that proves something only about files of the same name."""
        from idumb_brain.scan.past import once_defined, removal

        if not self._history:
            return {}
        found = once_defined(self._project.root, missing, self._endings())
        told: dict[str, tuple[Evidence, bool]] = {}
        for name, past in sorted(found.items()):
            if len(told) < _MOST_REMOVALS:  # each asks git for a log of one file
                past = removal(self._project.root, past, name)
            note = f"in {past.revision}" + (f", removed by {past.removed}" if past.removed else "")
            told[name] = Evidence(past.path, past.line, f"{past.text[:140]} ({note})"), past.is_weak
        return told

    def _endings(self) -> set[str]:
        """How names of files with code end here: older trees are full of data, too."""
        code = store.files(self._connection, "status = 'scanned'")
        return {ending for one in code if one.language not in _PROSE and (ending := os.path.splitext(one.path)[1])}

    def _containers(self, named: rules.Named, view: FileView) -> Mapping[str, Evidence]:
        """The class a dotted name says it is in, if it is at hand, is ours and takes nothing over from others."""
        holder = named.holder
        if not holder:
            return {}
        at_hand = {view.record.path, *(target for one in view.imports for target in one.targets)}
        foreign = {b.local for one in view.imports if one.external for b in one.bindings}
        for path, symbol in kept.symbols_named(self._connection, holder):
            record = store.file_at(self._connection, path)
            if record is None or path not in at_hand or holder in foreign or symbol.kind not in _CONTAINERS:
                continue
            if any(use.kind == "base" and use.owner == symbol.ordinal for use in store.references_of(self._connection, record)):
                return {}
            return {holder: Evidence(path, symbol.line, symbol.signature[:160])}
        return {}

    def _todos(self, todos: Sequence[Comment]) -> Iterator[Finding]:
        from idumb_brain.scan.past import once_there

        missing = [(comment, path, line) for comment in todos for path, line in rules.gone_paths(comment, self._has_path)]
        past = once_there(self._project.root, {path.lstrip("./") for _, path, _ in missing}) if missing and self._history else {}
        found: list[tuple[str, Finding]] = []
        for comment, path, line in missing:
            folder = path.lstrip("./").rpartition("/")[0]
            was = past.get(path.lstrip("./"))
            beside = any(one.startswith(folder + "/") or f"/{folder}/" in one for one in self._paths)
            if was or beside:
                view = self._view(store.file_at(self._connection, comment.file))
                why = f"it was there in {was}" if was else f"{folder} is there, without it"
                found.append((comment.file, rules.todo_gone(view, comment, path, line, why, 0.95 if was else 0.4)))
        for about in rules.duplicates(todos):
            view = self._view(store.file_at(self._connection, about.comment.file))
            found.append((about.comment.file, rules.told_about(view, about)))
        for file, one in found:
            yield from self._kept([one], file)

    def _has_path(self, path: str, file: str) -> bool:
        plain = os.path.normpath(os.path.join(os.path.dirname(file), path)) if path.startswith(".") else path
        bare = path.lstrip("./")  # people say "./scripts/test.sh" and mean the root
        if {plain, bare} & self._paths or (self._project.root / plain).exists() or (self._project.root / bare).exists():
            return True
        return any(one.endswith("/" + bare) for one in self._paths)


class _Lines:
    """Files as lines, the last few kept: findings quote what they are about."""

    def __init__(self, project: Project) -> None:
        self._root = project.root
        self._kept: dict[str, list[str]] = {}

    def __call__(self, path: str) -> Sequence[str]:
        found = self._kept.get(path)
        if found is None:
            try:
                found = without_secrets((self._root / path).read_bytes()).decode("utf-8", "replace").split("\n")
            except OSError:
                found = []
            if len(self._kept) > 8:
                self._kept.clear()
            self._kept[path] = found
        return found


def _data(one: Finding) -> dict[str, Any]:
    return {
        "file": one.file,
        "line": one.line,
        "kind": one.kind,
        "severity": one.severity,
        "message": one.message,
        "evidence": [{"path": e.path, "line": e.line, "text": e.text} for e in one.evidence],
        "symbol": one.symbol or None,
        "confidence": one.confidence,
    }
