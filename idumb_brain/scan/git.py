"""What git knows about a project, asked of git itself. Reads only; a folder without git has no answers, not errors."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from idumb_brain.model.errors import BadInput
from idumb_brain.store.secrets import redacted

_PATIENCE = 60
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_HASH = re.compile(r"[0-9a-f]{7,64}")


def ask(root: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> str:
    """What git prints; "" where it fails, or is not there."""
    try:
        run = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, timeout=_PATIENCE, env=environ)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.decode("utf-8", "surrogateescape") if run.returncode == 0 else ""


def revisions(root: Path, asked: str) -> tuple[str, str]:
    """What ``REV``, ``REV..REV`` or ``REV...REV`` names: two commits, the second "" for the files as they are."""
    if "..." in asked:
        first, _, second = asked.partition("...")
        old, new = _commit(root, first or "HEAD"), _commit(root, second or "HEAD")
        return ask(root, "merge-base", old, new).strip() or old, new
    if ".." in asked:
        first, _, second = asked.partition("..")
        return _commit(root, first or "HEAD"), _commit(root, second or "HEAD")
    return _commit(root, asked), ""


def differences(root: Path, old: str, new: str = "") -> list[tuple[str, str, str, int]]:
    """(status letter, old path, new path, similarity) of every file that differs, renames followed as git follows them."""
    told = _diff(root, "--name-status", "-z", "-M", "--no-ext-diff", "--relative", old, *([new] if new else []), "--")
    parts = told.split("\0")
    rows = []
    at = 0
    while at + 1 < len(parts):
        status = parts[at][:1]
        if status in "RC":
            rows.append((status, parts[at + 1], parts[at + 2], int(parts[at][1:] or 0)))
            at += 3
        else:
            rows.append((status, parts[at + 1], parts[at + 1], 0))
            at += 2
    return rows


def _diff(root: Path, *words: str) -> str:
    """On a copy of git's index: while ``git diff`` freshens the one it looks at, whoever adds or commits is refused its lock."""
    index = root / ask(root, "rev-parse", "--git-path", "index").removesuffix("\n")
    with tempfile.TemporaryDirectory(prefix="idumb-diff-") as folder:
        environ = None
        if index.is_file():
            environ = os.environ | {"GIT_INDEX_FILE": shutil.copy2(index, folder)}
        return ask(root, "-c", "core.quotepath=false", "diff", *words, environ=environ)


def gone_from_history(root: Path, paths: Sequence[str]) -> frozenset[str]:
    """Which of these paths, files or folders, a commit removed or renamed. Empty without git."""
    found: set[str] = set()
    wanted = set(paths)
    for start in range(0, len(paths), 500):
        told = ask(
            root, "log", "--no-renames", "--diff-filter=D", "--name-only", "--format=", "-z", "--relative",
            "--", *(f":(literal){path}" for path in paths[start : start + 500]),
        )  # fmt: skip
        for path in told.split("\0"):
            path = path.strip("\n")
            while path:
                if path in wanted:
                    found.add(path)
                path = path.rpartition("/")[0]
    return frozenset(found)


def untracked(root: Path) -> list[str]:
    told = ask(root, "ls-files", "--others", "--exclude-standard", "-z")
    return [path for path in told.split("\0") if path]


def paths_at(root: Path, revision: str) -> list[str]:
    """Every file of a commit, below the root."""
    return [path for path in ask(root, "ls-tree", "-r", "-z", "--name-only", revision).split("\0") if path]


def contents_at(root: Path, wanted: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, bytes]]:
    """(revision, path, content) of files of commits, as many as there are. One process, however many are asked for."""
    asked = [(revision, path) for revision, path in wanted if "\n" not in path]
    objects = ((revision, path, f"{revision}:./{path}") for revision, path in asked)
    for (revision, path, _), content in _objects(root, list(objects)):
        if content is not None:
            yield revision, path, content


def lost_contents(root: Path, paths: Sequence[str], commits: int = 50) -> Iterator[tuple[str, bytes]]:
    """(path, content) of what files that are gone held in the newest commits that changed them; the newest first."""
    if not paths or not ask(root, "rev-parse", "--git-dir"):
        return
    head = [("HEAD", path, f"HEAD:./{path}") for path in paths if "\n" not in path]
    for (_, path, _), content in _objects(root, head):
        if content is not None:
            yield path, content
    # -m: a merge that deletes a file is told of like any other commit.
    told = ask(
        root, "log", "-m", "--raw", "--no-renames", "--no-abbrev", "--format=", "-z", f"--max-count={commits}", "--relative",
        "--diff-filter=DM", "--", *paths,
    )  # fmt: skip
    parts = told.split("\0")
    blobs = [
        ("", path, row.split()[2]) for row, path in zip(parts[::2], parts[1::2], strict=False) if row.strip().startswith(":")
    ]
    for (_, path, _), content in _objects(root, list(dict.fromkeys(blobs))):
        if content is not None:
            yield path, content


def changed_lines(root: Path, old: str, new: str = "") -> dict[str, list[tuple[int, int]]]:
    """path → first and last line of every place that differs, as it is now; where lines only went, the one before them."""
    told = _diff(
        root, "-U0", "--no-color", "--no-ext-diff", "--no-prefix", "--relative", "-M", old, *([new] if new else []), "--"
    )
    found: dict[str, list[tuple[int, int]]] = {}
    path, at_head = "", False
    for line in told.split("\n"):
        if line.startswith("diff --git "):
            at_head = True
        elif at_head and line.startswith("+++ "):
            path = line[4:].rstrip("\t")
            if path != "/dev/null":
                found[path] = []
        elif line.startswith("@@ ") and (place := _HUNK.match(line)):
            at_head = False
            if path in found:
                first, count = int(place[1]), int(place[2] or 1)
                found[path].append((first, first + max(0, count - 1)))
    return found


def commit_named(root: Path, word: str) -> str:
    """The whole hash of a commit given by a part of it, "" where there is none."""
    if not _HASH.fullmatch(word):
        return ""
    return ask(root, "rev-parse", "--verify", "--quiet", f"{word}^{{commit}}").strip()


def files_of_commit(root: Path, commit: str) -> list[str]:
    """Files a commit changed, a merge against its first parent."""
    if not _HASH.fullmatch(commit):
        return []
    told = ask(root, "show", "--first-parent", "--no-renames", "--name-only", "--format=", "-z", "--relative", commit, "--")
    return [path for path in told.split("\0") if path]


def commits_of_file(root: Path, path: str, most: int) -> list[tuple[str, str]]:
    """(hash, subject) of the newest commits that changed a file."""
    told = ask(root, "log", "--no-merges", f"--max-count={most}", "--format=%H%x1f%s", "-z", "--", f":(literal){path}")
    return [(commit, redacted(subject)) for commit, _, subject in (row.partition("\x1f") for row in told.split("\0") if row)]


def _commit(root: Path, revision: str) -> str:
    # A word that opens with a dash would be taken for an option.
    found = "" if revision.startswith("-") else ask(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()
    if not found:
        is_repository = bool(ask(root, "rev-parse", "--git-dir"))
        raise BadInput(
            f"{revision} is not a revision git knows here",
            why="git rev-parse does not find it" if is_repository else f"{root} is not a git repository",
            instead="give a branch, tag or commit, or none to compare with the last scan",
        )
    return found


def _objects(root: Path, wanted: Sequence[tuple[str, str, str]]) -> Iterator[tuple[tuple[str, str, str], bytes | None]]:
    """Each with the content of the object it names last, or None."""
    if not wanted:
        return
    asked = b"".join(name.encode("utf-8", "surrogateescape") + b"\n" for _, _, name in wanted)
    with tempfile.TemporaryFile() as given:  # a pipe would have to be written to while it is read from
        given.write(asked)
        given.seek(0)
        process = subprocess.Popen(
            ["git", "-C", str(root), "cat-file", "--batch"], stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert process.stdout
        with process:
            for one in wanted:
                head = process.stdout.readline().split(b" ")
                if not head[0]:
                    return
                size = int(head[-1]) if len(head) == 3 and head[1] in (b"blob", b"tree", b"commit", b"tag") else -1
                if size < 0:
                    yield one, None
                    continue
                content = process.stdout.read(size)
                process.stdout.read(1)
                yield one, content if head[1] == b"blob" else None
