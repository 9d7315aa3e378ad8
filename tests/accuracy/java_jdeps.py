"""Java dependencies against what javac compiled and jdeps reads from the classes, for three Apache Commons libraries.

Every edge is a file one of whose classes refers to a class of another file. The sources come as Debian source packages;
only libraries without dependencies of their own, so that javac needs nothing else. javac reads them, and runs nothing
(``-proc:none``).

The two sides answer slightly different questions. A class file says what the machine needs: no annotations kept in
sources only, no constants (their values are copied), no imports that only comments use; but also types nobody wrote
down, such as that of ``a.b()`` in ``a.b().c()``. We say what a reader sees written. Both kinds of disagreement are
told apart below by one look: does the name of the target's type stand in the source?
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.accuracy.measure import Score, compared, main, scanned
from tests.accuracy.trees import debian_source, program, run

_TREES = ("libcommons-lang3-java", "libcommons-io-java", "libcommons-collections4-java")
_SOURCES = "src/main/java"
_PRECISION, _RECALL = 0.98, 0.95
_COMPILED_FROM = re.compile(r'^Compiled from "([^"]+)"\n(?:.*?\s)??(?:class|interface|enum) ([\w.$]+)', re.MULTILINE)
_REFERS = re.compile(r"^\s+([\w.$]+)\s+-> ([\w.$]+)", re.MULTILINE)
_COMMENTS_AND_STRINGS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def measure() -> Iterator[Score]:
    program("javac", "default-jdk-headless")
    for package in _TREES:
        root = debian_source(package) / _SOURCES
        files, theirs = _their_edges(root)
        with scanned(root) as code_map:
            ours = {(edge.source, edge.target) for edge in code_map.edges() if {edge.source, edge.target} <= files}
        both, only_ours, only_theirs = compared(ours, theirs, partial(_told, root))
        yield Score(
            "java dependencies", "jdeps", package, len(files), both, only_ours, only_theirs, _PRECISION, _RECALL,
            explained={
                r"\(in comments\)$": "no code names the type: imported for its documentation (ours), or what an expression gives (theirs)",
                r"\(not written\)$": "nothing in the file names the type: what an expression gives, or what is inherited",
            },
        )  # fmt: skip


def _their_edges(root: Path) -> tuple[set[str], set[tuple[str, str]]]:
    """The files with classes in them, and which refers to which."""
    sources = sorted(str(file) for file in root.rglob("*.java") if file.name != "module-info.java")
    with tempfile.TemporaryDirectory(prefix="idumb-accuracy-") as scratch:
        listed = Path(scratch, "sources")
        listed.write_text("\n".join(f'"{source}"' for source in sources), "utf-8")
        classes = Path(scratch, "classes")
        run("javac", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", str(classes), f"@{listed}")
        made = [str(file) for file in classes.rglob("*.class")]
        compiled = _COMPILED_FROM.findall(run("javap", "-private", *made))
        file_of = {declared: "/".join([*declared.split(".")[:-1], name]) for name, declared in compiled}
        told = run("jdeps", "-verbose:class", "-filter:none", str(classes))
    pairs = ((file_of.get(one, ""), file_of.get(other, "")) for one, other in _REFERS.findall(told))
    edges = {(source, target) for source, target in pairs if source and target and source != target}
    return set(file_of.values()), edges


def _told(root: Path, edge: tuple[str, str]) -> str:
    source, target = edge
    text = (root / source).read_text("utf-8")
    name = re.compile(rf"\b{re.escape(Path(target).stem)}\b")
    if name.search(re.sub(r"^import[^;]*;", "", _COMMENTS_AND_STRINGS.sub(" ", text), flags=re.MULTILINE)):
        how = "written"
    else:
        how = "in comments" if name.search(text) else "not written"
    return f"{source} -> {target} ({how})"


if __name__ == "__main__":
    sys.exit(main(measure, __doc__))
