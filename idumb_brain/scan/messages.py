"""git's log to messages and the files they touched, files followed through their renames. Reads; keeps and judges nothing."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from idumb_brain.store.secrets import redacted

_MOST_FILES = 60  # a commit that touches more says little about each
_LONGEST = 3_000


class Message(NamedTuple):
    """A commit as a question answered in the past: what was said, and which files it concerned."""

    commit: str
    time: int
    text: str
    paths: tuple[str, ...]  # as they are called at the head; none where there were too many


class Messages(NamedTuple):
    commits: list[Message]  # oldest first
    renamed: dict[str, str]  # old path → path at the head


def read_messages(root: Path, head: str, since: str = "", *, most: int) -> Messages:
    """The newest commits up to ``head``, those that ``since`` reaches left out."""
    told: list[Message] = []
    renamed: dict[str, str] = {}
    span = f"{since}..{head}" if since else head
    for commit, time, text, changes in _log(root, span, most):
        paths = []
        for old, new in changes:
            path = renamed.get(new, new)
            if old != new:
                renamed.setdefault(old, path)
            paths.append(path)
        told.append(Message(commit, time, text[:_LONGEST], tuple(dict.fromkeys(paths)) if len(paths) <= _MOST_FILES else ()))
    told.reverse()
    return Messages(told, renamed)


def _log(root: Path, span: str, most: int) -> Iterator[tuple[str, int, str, list[tuple[str, str]]]]:
    """(commit, time, message, changes from old to new path), newest first."""
    command = [
        "git", "-C", str(root), "log", "--no-merges", "--name-status", "-z", "--relative", f"--max-count={most}",
        # Only what moved unchanged: to compare contents costs a hundred times as much, and a partial clone lacks them.
        "--find-renames=100%", "--format=%x01%H%x02%ct%x02%B", span, "--", ".",
    ]  # fmt: skip
    environ = dict(os.environ, GIT_NO_LAZY_FETCH="1", GIT_TERMINAL_PROMPT="0")
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ)
    except OSError:
        return
    with process:
        assert process.stdout
        rest = b""
        while chunk := process.stdout.read(1 << 16):
            *whole, rest = (rest + chunk).split(b"\x01")
            yield from (one for part in whole if (one := _commit(part)))
        if one := _commit(rest):
            yield one


def _commit(part: bytes) -> tuple[str, int, str, list[tuple[str, str]]] | None:
    head, *fields = part.decode("utf-8", "surrogateescape").split("\0")
    words = head.split("\x02", 2)
    if len(words) < 3 or not words[1].isdecimal():
        return None  # the rest of a message that holds the marks we part commits by
    changes = []
    at = 0
    while at + 1 < len(fields):
        status = fields[at].strip()
        if not status:
            at += 1
        elif status[0] in "RC" and at + 2 < len(fields):
            changes.append((fields[at + 1] if status[0] == "R" else fields[at + 2], fields[at + 2]))
            at += 3
        else:
            changes.append((fields[at + 1], fields[at + 1]))
            at += 2
    return words[0], int(words[1]), redacted(words[2].strip()), changes
