"""What C files include, directly and indirectly, against ``gcc -MM``, on trees as their authors released them.

gcc follows only the includes that its macros let through; we tell of all that are written. So what only we say is asked
again: the include on its own, from the same folder with the same flags. Where gcc then finds the very file that we
found, the include stands under an ``#if`` that is false here; that is no disagreement, and is told apart. Everything
else counts.

    python -m tests.accuracy.c_includes            the trees below
    python -m tests.accuracy.c_includes FOLDER…    other trees: flags from their compile_commands.json, else -I . include src
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from os.path import normpath
from pathlib import Path
from posixpath import dirname, relpath

from tests.accuracy.measure import CodeMap, Score, main, scanned
from tests.accuracy.trees import debian_source, program

_BAR = 0.99


@dataclass(frozen=True)
class _Tree:
    """A tree and the flags its own build files give to the compiler, by folder: the longest that fits counts."""

    name: str
    flags: Mapping[str, str]
    exact: Mapping[str, str] = field(default_factory=dict)  # of single files

    def told(self, path: str) -> str | None:
        """The flags for a file; None where it is none of what is built."""
        if path in self.exact:
            return self.exact[path]
        fitting = [folder for folder in self.flags if not folder or path.startswith(folder + "/")]
        return self.flags[max(fitting, key=len)] if fitting else None


_TREES = (
    _Tree(
        "redis",
        {
            "src": "-Ideps/hiredis -Ideps/linenoise -Ideps/lua/src -Ideps/hdr_histogram",
            "deps/hiredis": "-Ideps/hiredis",
            "deps/lua/src": "",
            "deps/linenoise": "",
            "deps/hdr_histogram": "",
            "deps/jemalloc/src": "-Ideps/jemalloc/include",
            "deps/jemalloc/test": "-Ideps/jemalloc/test/include -Ideps/jemalloc/include",
            "tests/modules": "-Isrc",
        },
    ),
    _Tree("git", {"": "-I."}),
    _Tree("libuv1", {"src": "-Iinclude -Isrc", "test": "-Iinclude -Isrc", "docs/code": "-Iinclude"}),
    _Tree("lz4", {"lib": "", "programs": "-Ilib", "tests": "-Ilib -Iprograms", "examples": "-Ilib"}),
    _Tree("jansson", {"src": "-Isrc", "test": "-Isrc", "examples": "-Isrc"}),
    _Tree("zlib", {"": "-I."}),
    _Tree("tmux", {"": "-I."}),
)


def measure(folders: Sequence[str] = ()) -> Iterator[Score]:
    program("gcc", "gcc")
    if folders:
        for folder in folders:
            root = Path(folder).resolve()
            yield _score(_tree_of(root), root)
        return
    for tree in _TREES:
        yield _score(tree, debian_source(tree.name))


def _score(tree: _Tree, root: Path) -> Score:
    with scanned(root) as code_map:
        ours = _edges(code_map)
        sources = sorted(path for path in code_map.files if path.endswith(".c") and tree.told(path) is not None)
        files = frozenset(code_map.files)
    both = false_here = silent = 0
    only_ours, only_theirs = [], []
    for source in sources:
        flags = tree.told(source) or ""
        told = _dependencies(root, source, flags)
        if told is None:
            silent += 1
            continue
        theirs = {path for path in told if path in files and path != source}
        mine = _reachable(ours, source) - {source}
        both += len(mine & theirs)
        only_theirs += [f"{source} -> {path}" for path in sorted(theirs - mine)]
        if mine - theirs:
            agreed = _reachable(ours, source, partial(_agreed, root, flags, theirs))
            false_here += len((mine - theirs) & agreed)
            only_ours += [f"{source} -> {path}" for path in sorted(mine - theirs - agreed)]
    notes = [f"{false_here:,} more that only we say stand under an #if that is false here; gcc finds the same file for each"]
    if silent:
        notes.append(f"{silent:,} files left out: gcc stops in them")
    return Score("C includes", "gcc -MM", tree.name, len(sources) - silent, both, only_ours, only_theirs, _BAR, _BAR, notes)


@dataclass(frozen=True)
class _Include:
    source: str
    target: str
    text: str
    quoted: bool


def _edges(code_map: CodeMap) -> dict[str, list[_Include]]:
    """Every include that we resolved, by the file it stands in."""
    found: dict[str, list[_Include]] = defaultdict(list)
    for path in code_map.files:
        for one in code_map.imports(path):
            for target in one.targets:
                found[path].append(_Include(path, target, one.text, one.kind == "include"))
    return found


def _reachable(
    edges: Mapping[str, Sequence[_Include]], source: str, follow: Callable[[_Include], bool] = lambda _: True
) -> set[str]:
    seen = {source}
    unread = [source]
    while unread:
        for edge in edges.get(unread.pop(), ()):
            if edge.target not in seen and follow(edge):
                seen.add(edge.target)
                unread.append(edge.target)
    return seen


def _dependencies(root: Path, source: str, flags: str) -> list[str] | None:
    """What gcc says a source depends on; None where it gives up. Headers that nobody has made yet do not stop it."""
    done = subprocess.run(
        ["gcc", "-MM", "-MG", *flags.split(), source], cwd=root, capture_output=True, text=True, errors="replace"
    )
    if done.returncode or ":" not in done.stdout:
        return None
    listed = done.stdout.partition(":")[2].replace("\\\n", " ")
    return [_inside(root, path) for path in listed.split()]


def _agreed(root: Path, flags: str, theirs: Collection[str], one: _Include) -> bool:
    """Is the target one of gcc's, or would it be if this include stood alone?"""
    return one.target in theirs or _finds(root, flags, dirname(one.source), one.text, one.quoted) == one.target


@cache
def _finds(root: Path, flags: str, folder: str, text: str, quoted: bool) -> str:
    """The file that gcc takes for this include alone, written in this folder; "" for none."""
    written = f'#include "{text}"\n' if quoted else f"#include <{text}>\n"
    done = subprocess.run(
        ["gcc", "-x", "c", "-E", "-H", "-o", "/dev/null", "-iquote", folder or ".", *flags.split(), "-"],
        cwd=root, input=written, capture_output=True, text=True, errors="replace",
    )  # fmt: skip
    first = re.search(r"^\. (.+)$", done.stderr, re.MULTILINE)
    return _inside(root, first[1]) if first else ""


def _inside(root: Path, path: str) -> str:
    plain = normpath(path)
    return relpath(plain, root) if plain.startswith("/") else plain


def _tree_of(root: Path) -> _Tree:
    """Any folder: what its compilation database says, or the folders everybody uses."""
    database = next(
        (file for file in (root / "compile_commands.json", root / "build" / "compile_commands.json") if file.is_file()), None
    )
    if database is None:
        usual = " ".join(f"-I{folder}" for folder in (".", "include", "src") if (root / folder).is_dir())
        return _Tree(root.name, {"": usual})
    exact = {}
    for entry in json.loads(database.read_text("utf-8")):
        words = entry.get("arguments") or shlex.split(entry["command"])
        folder = Path(entry["directory"])
        flags = []
        for position, word in enumerate(words):
            for flag in ("-I", "-isystem", "-iquote"):
                if word.startswith(flag):
                    place = word[len(flag) :] or words[position + 1]
                    flags.append(
                        f"{flag}{relpath(folder / place, root)}" if flag == "-I" else f"{flag} {relpath(folder / place, root)}"
                    )
        exact[relpath((folder / entry["file"]).resolve(), root)] = " ".join(flags)
    return _Tree(root.name, {}, exact)


def _main(arguments: Sequence[str]) -> int:
    folders = [argument for argument in arguments if not argument.startswith("-") and Path(argument).is_dir()]
    rest = [argument for argument in arguments if argument not in folders]
    return main(lambda: measure(folders), __doc__ or "", rest)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
