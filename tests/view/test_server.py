"""Who is let in to the page's server, and what it gives. Nobody else learns anything, and nobody changes anything."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from idumb_brain.operations.viewing import QUESTIONS
from idumb_brain.surfaces.view.app import HEADERS
from tests.view.conftest import Served, serving

VIEWS = ("graph", "project", "brain", "tasks", "sessions", "context")


def ask(
    served: Served, path: str, *, method: str = "GET", invited: bool = True, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    cookie = {"Cookie": f"idumb-view-{served.port}={served.token}"} if invited else {}
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in (cookie | headers).items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


def test_the_token_is_exchanged_for_a_cookie(room: Served) -> None:
    status, headers, body = ask(room, f"/?token={room.token}", invited=False)
    assert status == 200 and b"<!doctype html>" in body
    cookie = headers["set-cookie"]
    assert room.token in cookie and "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
    assert ask(room, "/")[0] == 200


@pytest.mark.parametrize(
    "path", ["/", "/?token=wrong", "/data/graph", "/data/graph?token={token}", "/static/main.js", "/events", "/nothing"]
)
def test_without_the_token_nothing_is_told(room: Served, path: str) -> None:
    status, _, body = ask(room, path.format(token=room.token), invited=False)
    assert status == 403 and b"idumb-brain view" in body


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1", "localhost:1", "127.0.0.1:{port}.example.org", ""])
def test_by_another_name_it_does_not_answer(room: Served, host: str) -> None:
    assert ask(room, "/data/tasks", Host=host.format(port=room.port))[0] == 403


def test_it_answers_to_localhost(room: Served) -> None:
    assert ask(room, "/", Host=f"localhost:{room.port}")[0] == 200


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["/", "/data/tasks", "/static/main.js", "/events"])
def test_it_can_only_be_looked_at(room: Served, method: str, path: str) -> None:
    assert ask(room, path, method=method)[0] == 405


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_pages_cannot_ask_for_data(room: Served, site: str) -> None:
    assert ask(room, "/data/tasks", Sec_Fetch_Site=site)[0] == 403
    assert ask(room, "/data/tasks", Sec_Fetch_Site="same-origin")[0] == 200


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd",
     "/static/app.py", "/static/d3-hierarchy.LICENSE",
     "/data/../../etc/passwd", "/data/config", "//etc/passwd"],
)  # fmt: skip
def test_only_what_the_page_is_made_of_is_served(room: Served, path: str) -> None:
    status, _, body = ask(room, path)
    assert status in (404, 422) and b"root:" not in body and b"import" not in body


@pytest.mark.parametrize("path", ["../../../../etc/passwd", "/etc/passwd", "library/nothing.py", "\x00", ""])
def test_only_files_of_the_index_are_told_of(room: Served, path: str) -> None:
    from urllib.parse import quote

    status, _, body = ask(room, f"/data/file?path={quote(path)}")
    assert status == 422 and "root:" not in body.decode()


@pytest.mark.parametrize("path", ["/", "/data/tasks", "/data/nothing", "/static/main.js", "/static/nothing", "/nothing"])
@pytest.mark.parametrize("invited", [True, False])
def test_every_answer_is_locked_up(room: Served, path: str, invited: bool) -> None:
    headers = ask(room, path, invited=invited)[1]
    assert {name: headers.get(name.lower()) for name in HEADERS} == HEADERS
    policy = HEADERS["Content-Security-Policy"]
    assert (
        "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy and "http" not in policy
    )
    assert "access-control-allow-origin" not in headers and "server" not in headers


def test_every_view_has_data(room: Served) -> None:
    for view in VIEWS:
        status, _, body = ask(room, f"/data/{view}")
        assert status == 200 and json.loads(body)["data"], view
    told = {name: json.loads(ask(room, f"/data/{name}")[2])["data"] for name in VIEWS}
    ids = {
        "file": f"path={told['graph']['files'][0][0]}", "entry": f"id={told['brain']['entries'][0]['id']}",
        "session": f"id={told['sessions']['sessions'][0]['sessionId']}",
    }  # fmt: skip
    assert {*VIEWS, *ids, "handed"} == set(QUESTIONS)
    assert json.loads(ask(room, "/data/handed?block=compaction")[2])["data"]["blocks"][0]["text"]
    for name, words in ids.items():
        assert ask(room, f"/data/{name}?{words}")[0] == 200


@pytest.mark.parametrize(
    "question", ["tasks?x=1", "file", "context?block=nothing", "brain?type=nothing", "entry?id=nothing", "session?id=nothing"]
)
def test_what_cannot_be_answered_says_what_to_do(room: Served, question: str) -> None:
    status, _, body = ask(room, f"/data/{question}")
    assert status == 422 and json.loads(body)["error"]["what"]


def test_nothing_is_asked_of_other_machines() -> None:
    """What the page is made of names no address but those of licences and of SVG."""
    import re

    from idumb_brain.surfaces.view.app import STATIC

    for file in STATIC.iterdir():
        found = set(re.findall(r"https?://[^\s\"'`)]+", file.read_text("utf-8")))
        assert found <= {"http://www.w3.org/2000/svg", "https://d3js.org/d3-hierarchy/"}, file.name
    assert sum(file.stat().st_size for file in STATIC.iterdir()) < 300_000


def test_it_listens_on_this_machine_alone(room: Served) -> None:
    listening = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    wanted = f"{room.port:04X}"
    assert {row[1] for row in listening if row[1].endswith(f":{wanted}") and row[3] == "0A"} == {f"0100007F:{wanted}"}


def test_a_port_that_is_taken(room: Served) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "idumb_brain", "view", "--no-open", "--json", "--root", str(room.root), "--port", str(room.port)],
        capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    error = json.loads(run.stdout)["error"]
    assert run.returncode == 2 and str(room.port) in error["what"] and "--port" in error["instead"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once(tmp_path: Path, number: signal.Signals) -> None:
    """Though somebody listens; and a project that was never scanned is no reason not to begin."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / ".git").mkdir()
    with serving(tmp_path, "--port", str(port)) as served:
        assert served.port == port
        assert json.loads(ask(served, "/data/graph")[2])["error"]["kind"] == "not-scanned"
        listener = socket.create_connection(("127.0.0.1", port))
        cookie = f"Cookie: idumb-view-{port}={served.token}"
        listener.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{cookie}\r\n\r\n".encode())
        assert listener.recv(4096)
        served.process.send_signal(number)
        assert served.process.wait(5) == 0
        listener.close()
