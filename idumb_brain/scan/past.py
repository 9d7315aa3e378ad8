"""What used to be in a project, asked of git: names that older trees define. Reads only; no git, no answers.

``git log -S`` reads every change ever made for every name. A few older trees searched for all names at once tell nearly as
much: what lived long enough to be written about is in one of them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

_TREES = 10
_MOST_NAMES = 3000
_PATIENCE = 60
# How a definition looks in any language: a word that defines, a type before and an open bracket behind, a method at the margin.
_STRONG = (
    r"\b(?:def|class|function\*?|func|fn|struct|enum|interface|trait|typedef|module|object|protocol|record|union"
    r"|defp|defmacro|defmodule|macro_rules!|#\s*define|sub|procedure|fun)\s+(?:\([^)]*\)\s*|\w+\.|self\.)?%s\b"
)
_TYPED = (
    r"^\s*(?!return\b|match\b|if\b|else\b|while\b|switch\b|await\b|yield\b|throw\b|new\b|case\b|do:|not\b|and\b|or\b)"
    r"(?:[A-Za-z_][\w:<>,\[\]*&?]*[\s*&]+){1,5}(?:\w+::)?%s\s*\([^;()]*(?:,|\)(?:\s*(?:const|throws [\w, ]+))?\s*\{?)\s*$"
    r"|^\s*(?:export\s+)?(?:async\s+)?%s\s*(?:=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>)|\([^)]*\)\s*(?::[^{]*)?\{\s*$)"
)
# Where every definition has a word that defines, a line like "the result of found()" is prose.
_ALWAYS_WORDED = (".py", ".pyi", ".pyx", ".rb", ".go", ".rs", ".ex", ".exs", ".lua", ".php", ".kt", ".scala", ".swift")
_WEAK = r"^\s*(?:export\s+|pub\s+|static\s+|private\s+|public\s+)*(?:const|let|var|val|type|static)\s+(?:mut\s+)?%s\b|^%s\s*="
_FOREIGN = re.compile(
    r"(?:^|/)(?:_?vendor(?:ed)?|node_modules|third[_-]?party|externals?|extern|deps|dist|_?Godeps|_workspace|contrib|bundled)/"
)
_NO_CODE = (".md", ".rst", ".txt", ".json", ".lock", ".po", ".html", ".yml", ".yaml", ".adoc")


class Past(NamedTuple):
    """Where a name was defined once."""

    path: str
    line: int
    text: str
    is_weak: bool  # a variable or an alias: proves something only about the file it was in
    revision: str  # of the tree it was found in
    removed: str = ""  # the commit that took it away, where that can be told cheaply


def once_defined(root: Path, names: Collection[str], endings: Collection[str] = ()) -> dict[str, Past]:
    """Names that some older tree defines, with where; the newest such tree counts. Only files with such endings are read."""
    wanted = sorted(names)[:_MOST_NAMES]
    if not wanted:
        return {}
    found: dict[str, Past] = {}
    for revision in _older_trees(root):
        left = [name for name in wanted if name not in found]
        if not left:
            break
        found.update(_defined_at(root, revision, left, endings))
    return found


def once_there(root: Path, paths: Collection[str]) -> dict[str, str]:
    """Paths that older trees had, with the revision."""
    found: dict[str, str] = {}
    for revision in _older_trees(root):
        listed = _git(root, ["ls-tree", "-r", "--name-only", "-z", revision]).split("\0")
        ends = {path: one for one in listed for path in paths if one == path or one.endswith("/" + path)}
        for path in ends:
            found.setdefault(path, revision[:10])
    return found


def removal(root: Path, past: Past, name: str) -> Past:
    """The same with the commit that removed the name from that file, if git finds it soon."""
    told = _git(root, ["log", "-1", "--format=%h", f"-S{name}", "--", past.path], patience=5)
    return past._replace(removed=told.strip())


def _older_trees(root: Path) -> Sequence[str]:
    """Commits spread over the history, newest first; close together at its end, where names are fresh in memory."""
    listed = _git(root, ["rev-list", "--first-parent", "--max-count=20000", "HEAD"]).split()
    if len(listed) < 2:
        return ()
    places = dict.fromkeys(round((len(listed) - 1) * (step / _TREES) ** 2) for step in range(1, _TREES + 1))
    return [listed[place] for place in places if place]


def _defined_at(root: Path, revision: str, names: Sequence[str], endings: Collection[str]) -> dict[str, Past]:
    within = [f":(glob)**/*{ending}" for ending in sorted(endings)]
    told = _git(root, ["grep", "-n", "-I", "-w", "-F", "-f", "-", revision, "--", *within], given="\n".join(names))
    found: dict[str, Past] = {}
    wanted = set(names)
    for line in told.split("\n"):
        parts = line.split(":", 3)
        if len(parts) < 4 or parts[1].endswith(_NO_CODE) or _FOREIGN.search(parts[1]):
            continue
        _, path, number, text = parts
        if len(text) > 400 or text.lstrip().startswith(("//", "#", "*", "/*", "--", ";", '"""')) or text.rstrip().endswith("*/"):
            continue
        for name in wanted.intersection(re.findall(r"[\w$]+", text)):
            known = found.get(name)
            if known is not None and not known.is_weak:
                continue
            escaped = re.escape(name)
            if re.search(_STRONG.replace("%s", escaped), text) or (
                not path.endswith(_ALWAYS_WORDED) and re.search(_TYPED.replace("%s", escaped), text)
            ):
                found[name] = Past(path, int(number), text.strip(), False, revision[:10])
            elif known is None and re.search(_WEAK.replace("%s", escaped), text):
                found[name] = Past(path, int(number), text.strip(), True, revision[:10])
    return found


def _git(root: Path, words: Sequence[str], *, given: str = "", patience: float = _PATIENCE) -> str:
    try:
        run = subprocess.run(
            ["git", "-C", str(root), *words],
            input=given.encode("utf-8", "surrogateescape"),
            capture_output=True,
            timeout=patience,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.decode("utf-8", "replace") if run.returncode == 0 else ""
