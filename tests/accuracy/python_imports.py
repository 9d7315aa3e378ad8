"""Python import edges against grimp, which import-linter is built on, for Django, SQLAlchemy and pydantic.

Every edge is a file that imports another file of the same package. grimp imports nothing either: it reads the sources,
but has to find the package on its path, so it runs in a process of its own over the unpacked wheel.

grimp and we agree on what an import means: ``import a.b.c`` depends on ``a/b/c.py`` alone, although Python runs the
``__init__.py`` of a and a.b as well; ``from a import b`` depends on the module a.b if there is one, else on a; imports
under ``if``, ``try``, in functions and under TYPE_CHECKING all count.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.accuracy.measure import Score, compared, main, scanned
from tests.accuracy.trees import Unobtainable, run, wheel

_BAR = 0.995
_TREES = {"django": "django==5.2.8", "sqlalchemy": "sqlalchemy==2.0.44", "pydantic": "pydantic==2.12.4"}
_ASK_GRIMP = """
import json, sys
sys.path.insert(0, sys.argv[1])
import grimp
graph = grimp.build_graph(sys.argv[2], cache_dir=None)
print(json.dumps({module: sorted(graph.find_modules_directly_imported_by(module)) for module in graph.modules}))
"""


def measure() -> Iterator[Score]:
    for package, requirement in _TREES.items():
        root = wheel(requirement)
        files, theirs = _their_edges(root, package)
        with scanned(root) as code_map:
            ours = {(edge.source, edge.target) for edge in code_map.edges() if {edge.source, edge.target} <= files}
        both, only_ours, only_theirs = compared(ours, theirs, " -> ".join)
        yield Score("python imports", "grimp", requirement, len(files), both, only_ours, only_theirs, _BAR, _BAR)


def _their_edges(root: Path, package: str) -> tuple[set[str], set[tuple[str, str]]]:
    """The files of grimp's modules, and which imports which."""
    try:
        imported: dict[str, list[str]] = json.loads(run(sys.executable, "-c", _ASK_GRIMP, str(root), package))
    except Unobtainable as error:
        raise Unobtainable(f"{error}; grimp comes with: pip install 'idumb-brain[bench]'") from error
    file_of = {module: _file_of(root, module) for module in imported}
    edges = {(file_of[module], file_of[target]) for module, targets in imported.items() for target in targets}
    return set(file_of.values()), edges


def _file_of(root: Path, module: str) -> str:
    path = module.replace(".", "/")
    return f"{path}/__init__.py" if (root / path).is_dir() else f"{path}.py"


if __name__ == "__main__":
    sys.exit(main(measure, __doc__))
