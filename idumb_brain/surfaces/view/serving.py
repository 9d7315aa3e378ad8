"""The process behind the page: where it listens, its address with the token, and its end at once. Leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any

import uvicorn

from idumb_brain.model.errors import BadInput, BrainError
from idumb_brain.operations.project import Project
from idumb_brain.operations.viewing import Pulse, Viewer
from idumb_brain.surfaces.serve.journal import Journal
from idumb_brain.surfaces.view.app import app

LOOPBACK = "127.0.0.1"  # nobody on the network can ask, whatever the machine's name resolves to


@dataclass(frozen=True, slots=True)
class Door:
    """Where the page can be reached: bound already, so that the address is true when it is told."""

    project: Project
    listening: socket.socket
    token: str

    @property
    def port(self) -> int:
        return int(self.listening.getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}/?token={self.token}"


def opened(project: Project, port: int = 0) -> Door:
    """A port of one's own; 0: any that is free."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        raise BadInput(
            f"port {port} cannot be used", why=getattr(error, "strerror", None) or str(error),
            instead="leave --port out for one that is free, or give another",
        ) from error  # fmt: skip
    return Door(project, listening, secrets.token_urlsafe(24))


def serve(door: Door, *, browse: bool = False) -> None:
    """Until SIGINT or SIGTERM. An answer that is still being made then must not keep a process that nobody wants."""
    pulse, viewer = Pulse(door.project), Viewer(door.project)
    note = Journal(door.project.home / "brain" / "brain.log").note
    if browse:
        threading.Thread(target=_browse, args=(door.url,), name="browser", daemon=True).start()
    threading.Thread(target=_warm, args=(viewer,), name="warm", daemon=True).start()
    asyncio.run(_served(door, viewer, pulse, note))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


async def _served(door: Door, viewer: Viewer, pulse: Pulse, note: Any) -> None:
    stopping = asyncio.Event()
    asked = app(viewer, pulse, door.token, door.port, note, stopping)
    config = uvicorn.Config(
        asked, log_level="critical", access_log=False, lifespan="off", ws="none", server_header=False, timeout_graceful_shutdown=1
    )
    server = _Server(config)

    def end() -> None:
        stopping.set()
        server.should_exit = server.force_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    await server.serve(sockets=[door.listening])


class _Server(uvicorn.Server):
    """Signals are ours: the one of uvicorn would wait for streams that never end by themselves."""

    def capture_signals(self) -> Any:
        return nullcontext()


def _warm(viewer: Viewer) -> None:
    """What the page asks first is made while the browser starts. If it cannot be made, the page is told why when it asks."""
    with suppress(BrainError):
        viewer.ask("graph", {})


def _browse(url: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(url)
