"""Hooks answered by a process that lives already: a socket in the project, for hosts that start a process for every event.

Whoever asks and finds nobody, or somebody unlike itself, does the work itself. Loads nothing heavy: a hook is asked for all day long.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
from typing import TYPE_CHECKING, Any

from idumb_brain import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SOCKET = "hooks.sock"
_LOCK = "hooks.lock"
_LONGEST = 100  # bytes of an address; systems allow 104 or 108
_PATIENCE = 8.0  # seconds for an answer
_MOST = 64 * 1024 * 1024  # bytes of an event
_SAME = ("IDUMB_BRAIN_NOW", "IDUMB_ENFORCE")  # what is in the environment and changes answers


def hook(event: str) -> str:
    """The answer to the event on stdin, from whoever can give it."""
    told = sys.stdin.buffer.read()
    answer = _asked(event, told)
    if answer is not None:
        return answer
    from idumb_brain.surfaces.hooks.once import answered

    return json.dumps(answered(event, told))


def listen(folder: Path, answer: Callable[[str, bytes], Any]) -> None:
    """For as long as the process lives, one event after the other. Of several processes one listens; the next does when it is gone."""
    import fcntl

    address = os.path.join(folder, SOCKET)
    if len(os.fsencode(address)) > _LONGEST:
        return
    lock = os.open(os.path.join(folder, _LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    if os.path.lexists(address):
        os.unlink(address)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(address)
        os.chmod(address, 0o600)
        server.listen(16)
        while True:
            with server.accept()[0] as asked:
                _answered(asked, answer)


def _answered(asked: socket.socket, answer: Callable[[str, bytes], Any]) -> None:
    asked.settimeout(_PATIENCE)
    try:
        with asked.makefile("rwb") as stream:
            who, event = json.loads(stream.readline(_MOST)), stream.readline(_MOST)
            said = json.dumps(answer(who["event"], event)) if who["alike"] == _alike() else ""
            stream.write(said.encode() + b"\n")
    except (OSError, ValueError, KeyError, TypeError):
        return  # whoever asked went away, or is none of ours


def _asked(event: str, told: bytes) -> str | None:
    """What the process that lives says; None where the work is still to be done."""
    if not hasattr(socket, "AF_UNIX") or not (address := _address(told)):
        return None
    sent = False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
            asked.settimeout(_PATIENCE)
            asked.connect(address)
            with asked.makefile("rwb") as stream:
                line = json.dumps(json.loads(told)).encode()
                stream.write(json.dumps({"event": event, "alike": _alike()}).encode() + b"\n" + line + b"\n")
                stream.flush()
                sent = True
                return stream.readline().decode().strip() or None
    except (OSError, ValueError):
        return "{}" if sent else None  # it may have been done: doing it again would count it twice


def _address(told: bytes) -> str:
    """The socket of the project, as the command line finds projects: the nearest folder above with .idumb or .git."""
    try:
        folder = os.path.abspath(os.environ.get("CLAUDE_PROJECT_DIR") or json.loads(told).get("cwd") or ".")
        while not (os.path.isdir(os.path.join(folder, ".idumb")) or os.path.exists(os.path.join(folder, ".git"))):
            above = os.path.dirname(folder)
            if above == folder:
                return ""
            folder = above
        address = os.path.join(os.path.realpath(folder), ".idumb", "brain", SOCKET)
        found = os.stat(address, follow_symlinks=False)
    except (OSError, ValueError, AttributeError):
        return ""
    return address if stat.S_ISSOCK(found.st_mode) and found.st_uid == os.getuid() else ""


def _alike() -> list[str]:
    return [__version__, *(os.environ.get(name, "") for name in _SAME)]
