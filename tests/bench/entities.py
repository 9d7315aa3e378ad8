"""How long walks through the entity graph take: a generated project with 100,000 edges, in the real stores.

    python -m tests.bench.entities [--files 15000] [--edges 100000] [--entries 5000] [--walks 300] [--root PROJECT]

``--root``: on a project that is scanned already, instead of one made up. Times are processor milliseconds of one process that has
the stores open; every walk starts somewhere else, with nothing remembered of the one before but what the graph itself keeps.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence

from idumb_brain.graph.entities import distance, near, traverse
from idumb_brain.model.code import FileFacts
from idumb_brain.model.entities import Node
from idumb_brain.model.knowledge import Entry, Evidence
from idumb_brain.model.selection import ENTRY, FILE, SYMBOL
from idumb_brain.operations.entities import Entities, entities
from idumb_brain.operations.project import Project, find_project
from idumb_brain.store import code as store
from idumb_brain.store import facts as facts_store
from idumb_brain.store.brain import writing
from idumb_brain.store.database import transaction
from idumb_brain.store.knowledge import add_entry

NOW = "2026-02-04T10:30:00Z"
_SYMBOLS = 6  # a file


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, number in (("files", 15_000), ("edges", 100_000), ("entries", 5_000), ("walks", 300)):
        asked.add_argument(f"--{name}", type=int, default=number)
    asked.add_argument("--root")
    told = asked.parse_args()
    os.environ["IDUMB_BRAIN_NOW"] = NOW
    with tempfile.TemporaryDirectory() as folder:
        if told.root:
            project = find_project(told.root)
        else:
            project = find_project(folder).prepared()
            _make(project, told.files, told.edges, told.entries)
        measure(project, told.walks)


def measure(project: Project, walks: int) -> None:
    chance = random.Random(1)
    with entities(project) as known:
        files = [
            Node(FILE, path)
            for (path,) in known.connection.execute(
                "SELECT path FROM files WHERE lines > 0 AND id NOT IN (SELECT file FROM documents) ORDER BY path"
            )
        ]
        symbols = [
            Node(SYMBOL, f"{path}#{name}")
            for path, name in known.connection.execute(
                "SELECT f.path, s.qualified_name FROM symbols s JOIN files f ON f.id = s.id >> 20 ORDER BY s.id"
            )
        ]
        entries = [Node(ENTRY, id) for (id,) in known.brain.connection.execute("SELECT id FROM entries ORDER BY id")]
        edges = known.connection.execute("SELECT count(*) FROM edges WHERE target IS NOT NULL").fetchone()[0]
        print(
            f"{len(files):,} files, {len(symbols):,} symbols, {edges:,} imports, {len(entries):,} entries; {walks} walks each, ms"
        )
        print(f"{'':28}{'p50':>8}{'p95':>8}{'max':>8}  CPU ms")
        for name, nodes in (("a file", files), ("a symbol", symbols), ("an entry", entries)):
            if not nodes:
                continue
            for depth in (1, 2, 3):
                _row(f"traverse {depth} from {name}", _times(known, chance.choices(nodes, k=walks), _traverse(depth)))
        _row("distance of two files", _times(known, chance.choices(files, k=walks), _distance(chance.choices(files, k=walks))))
        _row("near three files", _times(known, chance.choices(files, k=walks), _near(files, chance)))


def _traverse(depth: int) -> Callable[[Entities, Node, int], object]:
    return lambda known, node, at: traverse(known.graph, [node], depth=depth)


def _distance(others: Sequence[Node]) -> Callable[[Entities, Node, int], object]:
    return lambda known, node, at: distance(known.graph, node, others[at])


def _near(files: Sequence[Node], chance: random.Random) -> Callable[[Entities, Node, int], object]:
    return lambda known, node, at: near(known.graph, dict.fromkeys([node, *chance.choices(files, k=2)], 1.0))


def _times(known: Entities, nodes: Sequence[Node], walk: Callable[[Entities, Node, int], object]) -> list[float]:
    walk(known, nodes[0], 0)
    times = []
    for at, node in enumerate(nodes):
        began = time.process_time()
        walk(known, node, at)
        times.append((time.process_time() - began) * 1000)
    return sorted(times)


def _row(name: str, times: Sequence[float]) -> None:
    print(f"{name:28}{times[len(times) // 2]:8.1f}{times[int(len(times) * 0.95)]:8.1f}{times[-1]:8.1f}")


def _make(project: Project, files: int, edges: int, entries: int) -> None:
    """Files in folders of twenty; most imports stay near, some go to the few files that everybody imports."""
    chance = random.Random(0)
    paths = [f"area{n // 400}/part{n // 20 % 20}/{'test_' if n % 5 == 4 else ''}file{n - n % 5 // 4}.py" for n in range(files)]
    connection, _ = store.open_index(project.index, "bench")
    with transaction(connection):
        facts_store.add_files(connection, enumerate(paths, 1))
        facts_store.write_facts(connection, [(n, path, _facts(n)) for n, path in enumerate(paths, 1)], NOW, fresh=True)
        rows = []
        for position in range(edges):
            source = chance.randrange(1, files + 1)
            near_by = min(files, max(1, source + chance.randrange(-40, 41)))
            popular = 1 + int(files * chance.random() ** 6)
            target = near_by if chance.random() < 0.6 else popular
            rows.append((source, position, (-1, 1, "import", target, "", "")))
        facts_store.write_edges(connection, rows, ())
        facts_store.complete_indexes(connection)
    connection.close()
    with project.remembering(make=True) as brain, writing(brain):
        for n in range(entries):
            evidence = tuple(Evidence(chance.choice(paths), 1) for _ in range(2))
            others = tuple(sorted({f"entry-{chance.randrange(n)}" for _ in range(2)})) if n else ()
            parent = f"entry-{n // 10}" if n else ""
            made = Entry(
                f"entry-{n}", "codebase-fact", f"Fact {n}", "", evidence, parent, others, created_at=NOW, modified_at=NOW
            )
            add_entry(brain, made, "bench")


def _facts(number: int) -> FileFacts:
    symbols = [(-1, f"name{n}", f"name{n}", "function", n * 10 + 1, n * 10 + 9, f"def name{n}()", 1, "") for n in range(_SYMBOLS)]
    uses = [(n, "call", n * 10 + 2, f"name{(n + 1) % _SYMBOLS}") for n in range(_SYMBOLS)]
    return FileFacts(
        "scanned", "", str(number), 600, 0, number, 60, "python", "", symbols, [], [], uses, [], [], "", "", "", ""
    )  # fmt: skip


if __name__ == "__main__":
    main()
