"""What belongs together: the neighbours of a file, a symbol, an entry, an anchor, a commit or the changes at hand, with reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from idumb_brain.graph.entities import Graph, Source, near, traverse
from idumb_brain.graph.entities.code import Code
from idumb_brain.graph.entities.documents import Documents
from idumb_brain.graph.entities.history import History
from idumb_brain.graph.entities.kept import Kept
from idumb_brain.graph.entities.knowledge import Knowledge
from idumb_brain.graph.entities.uses import Uses
from idumb_brain.graph.entities.walk import WIDTH, Links
from idumb_brain.graph.entities.work import Work
from idumb_brain.model.entities import WAYS, Node, Reached, Seeds
from idumb_brain.model.errors import BadInput
from idumb_brain.model.selection import ANCHOR, CHECKPOINT, COMMIT, DOCUMENT, ENTRY, FILE, PLAN, SESSION, SYMBOL, TASK
from idumb_brain.operations.codemap import known_file, known_symbol, similar
from idumb_brain.operations.project import Project, find_project, moment, relative_path
from idumb_brain.operations.tasks import at_hand
from idumb_brain.operations.work import Work as OpenWork
from idumb_brain.scan import git
from idumb_brain.store import code as store
from idumb_brain.store import relations, work_relations
from idumb_brain.store.brain import Brain
from idumb_brain.store.database import Connection

DIFF, AT_HAND = "diff", "task"  # words that name no thing: what has changed, the task somebody works on
KINDS = (FILE, SYMBOL, DOCUMENT, ENTRY, ANCHOR, PLAN, TASK, CHECKPOINT, SESSION, COMMIT)
_NEW_LINES = 400  # of a new file: what is defined further down is no start of its own
_SHOWN = 200  # characters of what somebody gave, when it is no good
_NEAR = 0.9  # what is near to a seed is never as near as the seed


@dataclass(frozen=True, slots=True)
class Entities:
    """The graph of a project while its stores are open."""

    project: Project
    connection: Connection
    brain: Brain
    code: Code
    graph: Graph


def related(
    what: str,
    root: str | None = None,
    *,
    depth: int = 2,
    ways: Collection[str] = (),
    kinds: Collection[str] = (),
    limit: int = 30,
) -> dict[str, Any]:
    """Everything near to ``what``: FILE, FILE#SYMBOL, a symbol's name, an id, a commit, or ``diff``. The closest first."""
    _must_be_known("kind", kinds, KINDS)
    _must_be_known("way", ways, WAYS)
    with entities(find_project(root), commits=COMMIT in kinds) as known:
        start = list(_start(known, what))
        found = traverse(known.graph, start, depth=depth, ways=ways or WAYS, kinds=kinds, limit=limit)
        titles = _titles(known, [one.node for one in found])
        return {
            "from": [{"kind": node.kind, "id": node.id} for node in start],
            "related": [_told(known, one, titles) for one in found],
        }


def seeds_from(project: Project, what: str) -> Seeds:
    """The same start as weights of files and words, for a question that is asked from there."""
    with entities(project) as known:
        start = _start(known, what)
        paths: dict[str, float] = {}
        for one in near(known.graph, start, kinds=(FILE, DOCUMENT, SYMBOL)):
            path = one.node.id.partition("#")[0]
            paths[path] = max(paths.get(path, 0.0), min(_NEAR, one.score.value))
        paths.update({node.id.partition("#")[0]: 1.0 for node in start if node.kind in (FILE, DOCUMENT, SYMBOL)})
        titles = _titles(known, list(start))
        words = dict.fromkeys(word for node in start if (word := _word(node, titles)))
        return Seeds(start, dict(sorted(paths.items(), key=lambda item: (-item[1], item[0]))), tuple(words))


@contextmanager
def entities(project: Project, *, commits: bool = False, kept: Kept | None = None) -> Iterator[Entities]:
    """``commits``: git is asked for those of every file on the way, which takes its time. ``kept``: links known from before."""
    with project.reading() as connection, project.remembering() as brain:
        code = Code(connection)
        yield Entities(project, connection, brain, code, Graph(_sources(project, code, brain, commits), kept))


def _sources(project: Project, code: Code, brain: Brain, commits: bool) -> Iterator[Source]:
    """Who is asked about which nodes, for which relations, and about how many a step."""
    from idumb_brain.scan.languages import query_folders

    uses = Uses(code.connection)
    documents = Documents(code, project.root, lambda: query_folders(str(project.root)))
    knowledge = Knowledge(brain, code.file)
    history = History(project.root, code.file)
    work = Work(brain, code.file)
    paths, noted = {FILE, DOCUMENT}, {FILE, DOCUMENT, TASK, ENTRY, ANCHOR}
    yield _source(paths, {"imports", "tests"}, code.imports)
    yield _source({FILE}, {"tests"}, code.names, 5)
    yield _source(paths, {"defines"}, code.definitions, 12)
    yield _source({SYMBOL}, {"defines"}, code.owners, 20)
    yield _source({SYMBOL}, {"same owner"}, code.siblings, 20)
    yield _source(paths, {"same folder"}, code.folder, 5)
    yield _source({SYMBOL}, {"uses"}, uses.down, 5)
    yield _source({SYMBOL}, {"uses"}, uses.up, 1)
    yield _source(paths | {SYMBOL}, {"mentions"}, documents.links)
    yield _source({ENTRY}, {"related", "contradicts", "part", "supersedes"}, knowledge.relations)
    yield _source(paths | {ENTRY, COMMIT}, {"cites"}, knowledge.evidence)
    yield _source(noted, {"about", "related"}, knowledge.anchors)
    yield _source({COMMIT}, {"changed"}, history.down, 5)
    yield _source({PLAN, TASK}, {"contains"}, work.plans)
    yield _source({TASK}, {"needs"}, work.order)
    yield _source({TASK}, {"same plan"}, work.siblings, 20)
    yield _source({TASK, ENTRY}, {"cites"}, work.decisions)
    yield _source(paths | {TASK}, {"produced"}, work.produced)
    yield _source({TASK, CHECKPOINT}, {"recorded", "changed"}, work.checkpoints, 5)
    yield _source({TASK, SESSION}, {"worked on", "part"}, work.sessions)
    if commits:
        yield _source(paths, {"changed"}, history.up, 3)


def _source(kinds: set[str], named: set[str], links: Links, width: int = WIDTH) -> Source:
    return Source(frozenset(kinds), frozenset(named), links, width)


def _must_be_known(what: str, given: Collection[str], known: Collection[str]) -> None:
    for word in given:
        if word not in known:
            raise BadInput(
                f"{word} is no {what} of neighbour", why="there is none of it", instead=f"choose from {', '.join(known)}"
            )


def _start(known: Entities, what: str) -> dict[Node, float]:
    """The nodes that somebody means."""
    if what == DIFF:
        return dict.fromkeys(_changed(known), 1.0)
    if what == AT_HAND:
        return {Node(TASK, _at_hand(known)): 1.0}
    what, _ = store.stored_path(what)  # bytes that are no text are written as the stores write them
    if "#" in what:
        file, _, name = what.partition("#")
        symbol = known_symbol(known.connection, known_file(known.project, known.connection, file), name)
        return {Node(SYMBOL, f"{symbol.file}#{symbol.qualified_name}"): 1.0}
    path = relative_path(known.project, what)
    if store.file_at(known.connection, path) is not None:
        return {known.code.file(path): 1.0}
    if kind := (relations.kinds_of(known.brain, [what]) | work_relations.kinds_of(known.brain, [what])).get(what):
        return {Node(kind, what): 1.0}
    if commit := git.commit_named(known.project.root, what):
        return {Node(COMMIT, commit): 1.0}
    return {_symbol_named(known, what): 1.0}


def _at_hand(known: Entities) -> str:
    found = at_hand(OpenWork(known.project, known.brain, moment()))
    if found is None:
        raise BadInput("no task is at hand", why="none has been started", instead="idumb-brain task next, then task start ID")
    return found.id


def _symbol_named(known: Entities, name: str) -> Node:
    """The one symbol of this name, wherever it is."""
    symbols = [
        one
        for one in store.symbols_named(known.connection, name.rpartition(".")[2])
        if one.qualified_name == name or one.qualified_name.endswith("." + name)
    ]
    nodes = list(dict.fromkeys(f"{one.file}#{one.qualified_name}" for one in symbols))
    if len(nodes) > 1:
        raise BadInput(
            f"{name} may be any of {len(nodes)} symbols",
            why=", ".join(nodes[:3]) + (" …" if len(nodes) > 3 else ""),
            instead="say which: FILE#SYMBOL",
        )
    if nodes:
        return Node(SYMBOL, nodes[0])
    close = similar(name, [*store.paths(known.connection).values(), *relations.ids(known.brain)])
    raise BadInput(
        f"there is no {name[:_SHOWN] or 'such name'}",
        why="no file, symbol, entry, anchor or commit is called so",
        instead=f"did you mean {close}?" if close else f"give FILE, FILE#SYMBOL, an id, a commit or {DIFF}",
    )


def _changed(known: Entities) -> list[Node]:
    """Files that differ from the last commit, and the symbols that the changed lines are in."""
    root = known.project.root
    if not git.ask(root, "rev-parse", "--verify", "--quiet", "HEAD"):
        raise BadInput(f"{root} has no commit to compare with", why="what changed is asked of git", instead="name a file")
    changed = git.changed_lines(root, "HEAD") | {path: [(1, _NEW_LINES)] for path in git.untracked(root)}
    files = {path: file for path in sorted(changed) if (file := store.file_at(known.connection, path)) is not None}
    if not files:
        raise BadInput(
            "nothing has changed since the last commit",
            why="git finds no difference in files of the index",
            instead="name a file",
        )
    nodes = [known.code.file(path) for path in files]
    for path, file in files.items():
        symbols = store.symbols_of(known.connection, file)
        touched = [one for one in symbols if any(one.line <= last and first <= one.end_line for first, last in changed[path])]
        owners = {one.parent for one in touched}  # a class of which a method changed is not what changed
        nodes += [Node(SYMBOL, f"{path}#{one.qualified_name}") for one in touched if one.ordinal not in owners]
    return nodes


def _titles(known: Entities, nodes: Sequence[Node]) -> dict[str, str]:
    """How what the brain holds calls itself."""
    ids = [node.id for node in nodes if node.kind not in (FILE, DOCUMENT, SYMBOL, COMMIT)]
    return relations.titles(known.brain, ids) | work_relations.titles(known.brain, ids)


def _told(known: Entities, one: Reached, titles: dict[str, str]) -> dict[str, Any]:
    path, _, name = one.node.id.partition("#")
    data: dict[str, Any] = {"kind": one.node.kind, "id": one.node.id, "title": titles.get(one.node.id, name) or None}
    if one.node.kind == SYMBOL and (file := store.file_at(known.connection, path)):
        symbol = store.symbol_called(known.connection, file, name)
        data |= {"file": path, "line": symbol.line, "signature": symbol.signature} if symbol else {"file": path}
    return data | {
        "distance": one.distance,
        "score": one.score.value,
        "reasons": list(one.score.reasons),
        "path": [one.route[0].here.id, *(link.there.id for link in one.route)],
        "steps": [
            {"kind": link.there.kind, "id": link.there.id, "relation": link.relation, "way": link.way, "reason": link.reason}
            for link in one.route
        ],
    }


def _word(node: Node, titles: dict[str, str]) -> str:
    """How a node is spoken of."""
    if node.kind == SYMBOL:
        return node.id.partition("#")[2].rpartition(".")[2]
    if node.kind in (FILE, DOCUMENT):
        return node.id.rpartition("/")[2].partition(".")[0]
    return titles.get(node.id, "")
