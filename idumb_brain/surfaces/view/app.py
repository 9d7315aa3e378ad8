"""Who may ask the page's server, and how answers travel. Every answer is an operation; nothing here can change anything.

Whoever does not hold the token learns nothing, not even which paths there are. What is served from the disk is a table read at the start:
no path that is asked for ever reaches the file system.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import traceback
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from idumb_brain.model.errors import BrainError
from idumb_brain.operations.project import now
from idumb_brain.operations.viewing import Pulse, Viewer

STATIC = Path(__file__).parent / "static"
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_LOOK = 0.7  # seconds between looks whether a store has changed
_ALIVE = 15.0  # seconds after which a quiet stream says that it is one
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_NO_TOKEN = (
    "This page is for whoever started it: the address needs the token that idumb-brain view printed.\n"
    "Open that address, or run idumb-brain view again.\n"
)


def app(viewer: Viewer, pulse: Pulse, token: str, port: int, note: Callable[[str], None], stopping: asyncio.Event) -> ASGIApp:
    files = {file.name: (file.read_bytes(), _TYPES[file.suffix]) for file in sorted(STATIC.iterdir()) if file.suffix in _TYPES}
    beat = _Beat(pulse, stopping)

    async def index(request: Request) -> Response:
        response = Response(files["index.html"][0], media_type="text/html")
        if "token" in request.query_params:  # from now on a cookie says it; the page takes it out of the address
            response.set_cookie(_cookie(port), token, httponly=True, samesite="strict", path="/")
        return response

    async def asset(request: Request) -> Response:
        found = files.get(request.path_params["name"])
        return Response(found[0], media_type=found[1]) if found else _refused(404, "there is no such file")

    async def data(request: Request) -> Response:
        def answered() -> tuple[int, bytes]:
            try:
                told = {
                    "now": now(),
                    "project": viewer.name,
                    "data": viewer.ask(request.path_params["name"], dict(request.query_params)),
                }
                return 200, json.dumps(told, ensure_ascii=True, separators=(",", ":")).encode()
            except BrainError as error:
                return 422, _error(error.kind, error.what, error.why, error.instead)
            except Exception:
                note(f"view {request.path_params['name']}: {traceback.format_exc()}")
                what = f"the view {request.path_params['name']} could not be made"
                return 500, _error("failed", what, "something went wrong here", "brain.log says what")

        status, body = await run_in_threadpool(answered)
        return Response(body, status, media_type="application/json")

    async def events(request: Request) -> Response:
        return StreamingResponse(beat.told(), media_type="text/event-stream")

    routes = [
        Route("/", index, methods=["GET"]),
        Route("/static/{name}", asset, methods=["GET"]),
        Route("/data/{name}", data, methods=["GET"]),
        Route("/events", events, methods=["GET"]),
    ]
    return _Door(Starlette(routes=routes), token, port)


class _Door:
    """Lets in who was invited: by this name of the machine, with the token, only to look, and not from another site's page."""

    def __init__(self, inside: ASGIApp, token: str, port: int) -> None:
        self._inside = inside
        self._token = token
        self._port = port
        self._names = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope)

        async def headed(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *((name.encode(), value.encode()) for name, value in HEADERS.items())]
            await send(message)

        refused = self._refusal(request)
        await (refused or self._inside)(scope, receive, headed)

    def _refusal(self, request: Request) -> Response | None:
        if request.headers.get("host", "") not in self._names:
            return _refused(403, f"this server answers to 127.0.0.1:{self._port} and to no other name")
        if not self._knows_token(request):
            return PlainTextResponse(_NO_TOKEN, 403)
        if request.method != "GET":
            return _refused(405, "this page can be looked at; nothing can be changed here")
        if request.url.path != "/" and request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return _refused(403, "only the page itself may ask for its parts")
        return None

    def _knows_token(self, request: Request) -> bool:
        told = [request.cookies.get(_cookie(self._port), "")]
        if request.url.path == "/":
            told.append(request.query_params.get("token", ""))
        return any(hmac.compare_digest(one.encode(), self._token.encode()) for one in told)


class _Beat:
    """One look for all streams: whoever listens is told when a store has changed."""

    def __init__(self, pulse: Pulse, stopping: asyncio.Event) -> None:
        self._pulse = pulse
        self._stopping = stopping
        self._marks: dict[str, str] = {}
        self._turn = asyncio.Lock()
        self._looked = 0.0

    async def told(self) -> AsyncIterator[str]:
        before: dict[str, str] = {}
        quiet = 0.0
        while not self._stopping.is_set():
            marks = await self._look()
            if marks != before:
                before, quiet = marks, 0.0
                yield f"data: {json.dumps(marks)}\n\n"
            elif quiet >= _ALIVE:
                quiet = 0.0
                yield ": alive\n\n"
            quiet += _LOOK
            try:
                await asyncio.wait_for(self._stopping.wait(), _LOOK)
            except TimeoutError:
                pass

    async def _look(self) -> dict[str, str]:
        async with self._turn:
            if asyncio.get_running_loop().time() - self._looked >= _LOOK / 2:
                self._marks = await run_in_threadpool(self._pulse.marks)
                self._looked = asyncio.get_running_loop().time()
            return self._marks


def _cookie(port: int) -> str:
    """Cookies do not tell ports apart; two pages on one machine must not put each other out."""
    return f"idumb-view-{port}"


def _refused(status: int, why: str) -> Response:
    return PlainTextResponse(f"{HTTPStatus(status).phrase}: {why}\n", status)


def _error(kind: str, what: str, why: str, instead: str) -> bytes:
    return json.dumps({"error": {"kind": kind, "what": what, "why": why, "instead": instead}}).encode()
