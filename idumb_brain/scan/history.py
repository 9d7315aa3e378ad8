"""git's log to facts about files, in one stream, files followed through their renames. Reads; keeps nothing itself.

Newest commits come first, so a rename is seen before the old name: what is said of that name later is said of the new.
Which files change together can be told from the same stream, commit by commit; nobody asks for it yet.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from idumb_brain.model.history import Blamed, FileHistory, History
from idumb_brain.scan.git import ask, paths_at

_RANGES = 400  # more single lines than this are cheaper to blame with all between them
IGNORED_REVISIONS = ".git-blame-ignore-revs"


@dataclass
class _Told:
    commits: int = 0
    last: float = 0.0
    authors: Counter[str] = field(default_factory=Counter)


def read_history(root: Path, known: History | None = None, *, commits: int = 5000, since: str = "") -> History:
    """The newest commits of a repository; those alone that came after ``known``, where that is a part of it."""
    head = ask(root, "rev-parse", "--verify", "--quiet", "HEAD").strip()
    if not head:
        return History("", 0)
    if known is not None and known.head == head:
        return known
    shallow = ask(root, "rev-parse", "--is-shallow-repository").strip() == "true"
    grown = known is not None and known.head and _is_ancestor(root, known.head, head)
    asked = [f"{known.head}..{head}"] if grown and known else [head]
    told: dict[str, _Told] = defaultdict(_Told)
    renamed: dict[str, str] = {}
    count = 0
    for _, author, when, changes in _commits(root, [f"--max-count={commits}", *([f"--since={since}"] if since else []), *asked]):
        count += 1
        for status, old, new in changes:
            if status == "D":
                continue
            path = renamed.get(new, new)
            one = told[path]
            one.commits += 1
            one.last = max(one.last, when)
            one.authors[author] += 1
            if status == "R" and old not in renamed:
                renamed[old] = path
    # A branch that did not know of a rename yet goes on with the old name, and may be the newer one.
    for old in sorted(set(told) & set(renamed) - set(paths_at(root, head))):
        late, one = told.pop(old), told[renamed[old]]
        one.commits, one.last, one.authors = one.commits + late.commits, max(one.last, late.last), one.authors + late.authors
    files = {path: _frozen(one) for path, one in told.items()}
    if grown and known:
        files = _joined(files, known.files, renamed)
        return History(head, known.commits + count, files, shallow, known.bounded)
    return History(head, count, files, shallow, count >= commits or bool(since))


def blame(root: Path, lines: Mapping[str, Sequence[int]]) -> dict[tuple[str, int], Blamed]:
    """(file, line) → who wrote it. One process a file, a few at a time; files that git does not know are left out."""
    if not lines or not ask(root, "rev-parse", "--git-dir"):
        return {}
    tracked = set(ask(root, "ls-files", "-z", "--", ".").split("\0"))
    ignored = ["--ignore-revs-file", IGNORED_REVISIONS] if (root / IGNORED_REVISIONS).is_file() else []
    shallow = ask(root, "rev-parse", "--is-shallow-repository").strip() == "true"

    def one(file: str) -> tuple[str, str]:
        wanted = sorted(set(lines[file]))
        ranges = [part for line in wanted for part in ("-L", f"{line},{line}")] if len(wanted) <= _RANGES else []
        told = ask(root, "blame", "--porcelain", *ignored, *ranges, "--", file)
        return file, told or (ask(root, "blame", "--porcelain", *ranges, "--", file) if ignored else "")

    found: dict[tuple[str, int], Blamed] = {}
    with ThreadPoolExecutor(min(8, 2 * (os.cpu_count() or 1))) as pool:
        for file, told in pool.map(one, sorted(file for file in lines if file in tracked)):
            found.update(((file, line), blamed) for line, blamed in _porcelain(told, shallow))
    return found


def is_shallow(root: Path) -> bool:
    return ask(root, "rev-parse", "--is-shallow-repository").strip() == "true"


def _porcelain(told: str, shallow: bool) -> Iterator[tuple[int, Blamed]]:
    authors: dict[str, str] = {}
    times: dict[str, float] = {}
    boundaries: set[str] = set()
    commit, line = "", 0
    for row in told.split("\n"):
        if row.startswith("\t"):
            committed = commit.strip("0") != ""
            author = authors.get(commit, "") if committed else ""
            yield line, Blamed(author, times.get(commit, 0.0), committed, shallow and commit in boundaries)
            continue
        word, _, rest = row.partition(" ")
        if (
            len(word) == 40
            and (numbers := rest.split(" "))
            and len(numbers) > 1
            and numbers[0].isdecimal()
            and numbers[1].isdecimal()
        ):
            commit, line = word, int(numbers[1])
        elif word == "author":
            authors[commit] = rest
        elif word == "author-time" and rest.isdecimal():
            times[commit] = float(rest)
        elif word == "boundary":
            boundaries.add(commit)


def _commits(root: Path, arguments: Sequence[str]) -> Iterator[tuple[str, str, float, list[tuple[str, str, str]]]]:
    """(commit, author, time, changes) as git writes them, newest first. Merges tell nothing that their parents did not."""
    command = [
        "git",
        "-C",
        str(root),
        "log",
        "--no-merges",
        "--name-status",
        "-M",
        "-z",
        "--relative",
        "--format=%x01%H%x02%aN%x02%at",
    ]
    with subprocess.Popen([*command, *arguments, "--", "."], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        rest = b""
        while chunk := process.stdout.read(1 << 16):
            *whole, rest = (rest + chunk).split(b"\x01")
            yield from (one for part in whole if (one := _commit(part)))
        if one := _commit(rest):
            yield one


def _commit(part: bytes) -> tuple[str, str, float, list[tuple[str, str, str]]] | None:
    head, *words = part.decode("utf-8", "surrogateescape").split("\0")
    told = head.split("\x02")
    commit, author, when = told if len(told) == 3 else ("", "", "")
    when = when.strip(" \n")
    if not when.isdecimal():
        return None  # a name that holds the marks we part commits by
    changes: list[tuple[str, str, str]] = []
    at = 0
    while at + 1 < len(words):
        status = words[at].strip()
        if not status:
            at += 1
        elif status[0] in "RC" and at + 2 < len(words):
            changes.append((status[0], words[at + 1], words[at + 2]))
            at += 3
        else:
            changes.append((status[0], words[at + 1], words[at + 1]))
            at += 2
    return commit, author, float(when), changes


def _is_ancestor(root: Path, old: str, new: str) -> bool:
    return ask(root, "merge-base", old, new).strip() == old


def _frozen(told: _Told) -> FileHistory:
    return FileHistory(told.commits, told.last, tuple(sorted(told.authors.items(), key=lambda one: (-one[1], one[0]))))


def _joined(
    fresh: dict[str, FileHistory], known: Mapping[str, FileHistory], renamed: Mapping[str, str]
) -> dict[str, FileHistory]:
    joined = dict(fresh)
    for path, old in known.items():
        name = renamed.get(path, path)
        new = joined.get(name)
        if new is None:
            joined[name] = old
            continue
        authors = Counter(dict(old.authors)) + Counter(dict(new.authors))
        joined[name] = FileHistory(
            old.commits + new.commits,
            max(old.last_change, new.last_change),
            tuple(sorted(authors.items(), key=lambda one: (-one[1], one[0]))),
        )
    return joined
