"""``serve --stdio``: what it answers, in time and in whatever order, and how it ends."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.operations.lanes import Lane
from idumb_brain.operations.project import find_project
from idumb_brain.surfaces.serve.methods import LIMITS, Methods
from idumb_brain.surfaces.serve.protocol import FAILED, INVALID, PARAMS, PARSE, UNKNOWN, Method, Protocol
from tests.conftest import FIXTURES


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "reading_room"
    shutil.copytree(FIXTURES / "projects" / "reading_room", root, ignore=shutil.ignore_patterns(".idumb"))
    subprocess.run([sys.executable, "-m", "idumb_brain", "--root", str(root), "--quiet", "scan"], check=True, capture_output=True)
    return root


class Serving:
    def __init__(self, root: Path, **environ: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "idumb_brain", "--root", str(root), "serve", "--stdio"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | environ,
        )  # fmt: skip
        self.number = 0

    def send(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout
        told = json.loads(self.process.stdout.readline())
        assert told["jsonrpc"] == "2.0"
        return dict(told)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.number += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        told = self.read()
        assert told["id"] == self.number
        return told

    def call(self, operation: str, **arguments: Any) -> Any:
        return self.ask("call", operation=operation, arguments=arguments)


@contextlib.contextmanager
def serving(root: Path, **environ: str) -> Iterator[Serving]:
    made = Serving(root, **environ)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait()
        for pipe in (made.process.stdin, made.process.stdout, made.process.stderr):
            assert pipe
            pipe.close()


def test_what_is_no_request_is_answered_as_the_protocol_says(project: Path) -> None:
    cases = [
        ("not json", PARSE, None), ("[" * 100_000, PARSE, None), ("[]", INVALID, None), ('{"id": 7, "method": "ping"}', INVALID, 7),
        ('{"jsonrpc": "2.0", "id": 8}', INVALID, 8), ('{"jsonrpc": "2.0", "id": 9, "method": "nothing"}', UNKNOWN, 9),
        ('{"jsonrpc": "2.0", "id": 10, "method": "ping", "params": [1]}', PARAMS, 10),
        ('{"jsonrpc": "2.0", "id": 11, "method": "call", "params": {"operation": 3}}', PARAMS, 11),
        ('{"jsonrpc": "2.0", "id": 12, "method": "call", "params": {"operation": "quary"}}', FAILED, 12),
    ]  # fmt: skip
    with serving(project) as child:
        for line, code, id in cases:
            child.send(line)
            told = child.read()
            assert (told["error"]["code"], told["id"]) == (code, id), line[:80]
        assert "query" in told["error"]["data"]["instead"]
        child.send('{"jsonrpc": "2.0", "method": "nothing"}')  # a notification is answered by nothing
        assert child.ask("ping")["result"] == {"alive": True}


def test_a_call_is_the_command(project: Path) -> None:
    with serving(project) as child:
        assert child.call("query", text="may_borrow", limit=3)["result"]["symbols"][0]["name"] == "may_borrow"
        plan = child.call("plan.create", name="--odd name", acceptance=["-1", "two"])["result"]
        assert (plan["name"], plan["acceptance"]) == ("--odd name", ["-1", "two"])
        entry = child.call("brain.write", type="decision", title="Cents", content="-", staleAfter="30d", pin=True)
        assert entry["error"]["data"].keys() == {"kind", "what", "why", "instead"}, (
            "'-' reads stdin, and there is nothing to read"
        )
        assert child.call("query", txt="x")["error"]["data"]["kind"] == "bad-input"
        assert child.call("task.complete", task="nothing")["error"]["data"]["kind"] == "bad-input"
        assert child.call("watch")["error"]["data"]["kind"] == "bad-input", "what never ends cannot be called"


@pytest.mark.parametrize("hook", LIMITS)
def test_no_hook_is_harmed_by_what_it_is_told(project: Path, hook: str) -> None:
    told: list[dict[str, Any]] = [
        {}, {"input": {"sessionID": "ses_1"}, "output": {}}, {"input": {"event": {"type": "session.created"}}},
        {"input": {"sessionID": 7, "tool": ["x"], "args": "y"}, "output": {"args": "z", "parts": [{}], "messages": [{}], "system": [3]}},
    ]  # fmt: skip
    with serving(project) as child:
        for params in told:
            answer = child.ask(hook, **params)
            assert isinstance(answer.get("result", {}).get("output"), dict) or "block" in answer["result"], answer


def test_a_slow_call_is_in_no_hooks_way_and_a_slow_hook_answers_in_its_time(tmp_path: Path) -> None:
    read, write = os.pipe()
    hooks, calls = Lane("hooks"), Lane("calls")
    methods = {
        "call": Method(lambda _: time.sleep(1) or "late", calls),
        "hook": Method(lambda _: {"output": {}}, hooks, 5.0, lambda reason: {"output": {}, "problem": reason}),
        "hangs": Method(lambda _: time.sleep(60), hooks, 0.3, lambda reason: {"output": {}, "problem": reason}),
    }
    noted: list[str] = []
    with os.fdopen(write, "wb") as answers, os.fdopen(read, "rb") as told:
        protocol = Protocol(answers, methods, noted.append)
        for id, method in enumerate(("call", "hook", "hangs"), 1):
            protocol.take(json.dumps({"jsonrpc": "2.0", "id": id, "method": method}).encode())
        order = [json.loads(told.readline()) for _ in range(3)]
    assert [one["id"] for one in order] == [2, 3, 1]
    assert order[1]["result"] == {"output": {}, "problem": "no answer within 0.3 s"} and order[2]["result"] == "late"
    assert noted == ["a hook took too long: no answer within 0.3 s"]


def test_a_brain_that_cannot_be_read_harms_no_agent(project: Path) -> None:
    (project / ".idumb" / "config.json").write_text("{ not json")
    with serving(project) as child:
        told = child.ask("chat.message", input={"sessionID": "ses_1"}, output={"message": {"id": "msg_1"}, "parts": []})
        assert told["result"]["output"] == {} and "config.json" in told["result"]["problem"]
    assert "chat.message failed" in (project / ".idumb" / "brain" / "brain.log").read_text()


@pytest.mark.parametrize("end", ["hang up", "SIGTERM", "the host is killed"])
def test_it_ends_with_its_host(project: Path, end: str) -> None:
    if end == "the host is killed":
        _dies_with_its_host(project)
        return
    with serving(project) as child_of_ours:
        child_of_ours.ask("experimental.chat.system.transform", input={"sessionID": "ses_1"}, output={"system": []})
        if end == "SIGTERM":
            child_of_ours.process.send_signal(signal.SIGTERM)
        else:
            assert child_of_ours.process.stdin
            child_of_ours.process.stdin.close()
        assert child_of_ours.process.wait(10) == 0


def _dies_with_its_host(project: Path) -> None:
    """Though its pipe stays open, for another process holds the other end."""
    read, write = os.pipe()
    words = [sys.executable, "-m", "idumb_brain", "--root", str(project), "serve", "--stdio"]
    script = f"import subprocess, time; print(subprocess.Popen({words!r}).pid, flush=True); time.sleep(60)"
    host = subprocess.Popen([sys.executable, "-c", script], stdin=read, stdout=subprocess.PIPE)
    assert host.stdout
    child = int(host.stdout.readline())
    os.write(write, b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    assert b"alive" in host.stdout.readline()
    host.kill()
    host.wait()
    assert _gone(child)
    os.close(read)
    os.close(write)
    host.stdout.close()


def _gone(process: int) -> bool:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.1)
    return False


def _system(child: Serving, session: str) -> str:
    told = child.ask("experimental.chat.system.transform", input={"sessionID": session}, output={"system": ["You work."]})
    return "\n".join(told["result"]["output"]["system"])


def test_what_others_write_is_in_the_index_before_it_is_asked(project: Path) -> None:
    with serving(project) as child:
        child.call("query", text="may_borrow")
        (project / "library" / "amnesty.py").write_text("def forgive_everybody():\n    return 0\n")
        until = time.monotonic() + 20
        while "error" in (told := child.call("codemap.outline", file="library/amnesty.py")) and time.monotonic() < until:
            time.sleep(0.02)
        assert told["result"]["symbols"][0]["name"] == "forgive_everybody"


def test_what_a_failed_call_could_not_carry_is_told_with_the_next_turn_once(project: Path) -> None:
    with serving(project) as child:
        call = {"tool": "edit", "sessionID": "ses_1", "callID": "call_1"}
        child.ask("chat.message", input={"sessionID": "ses_1", "agent": "build"}, output={"message": {"id": "m"}, "parts": []})
        child.ask("tool.execute.before", input=call, output={"args": {"filePath": "library/loans.py"}})
    with serving(project) as another:
        assert "BUT LOOK OUT" in _system(another, "ses_1"), "though the process is another"
        assert "BUT LOOK OUT" not in _system(another, "ses_1")


def test_calls_that_fail_count_among_those_made_again_and_again(project: Path) -> None:
    with serving(project) as child:
        child.ask("chat.message", input={"sessionID": "ses_1", "agent": "build"}, output={"message": {"id": "m"}, "parts": []})
        for number in range(5):
            call = {"tool": "read", "sessionID": "ses_1", "callID": f"call_{number}"}
            child.ask("tool.execute.before", input=call, output={"args": {"filePath": "nowhere.py"}})
            told = _system(child, "ses_1")
        assert "the same call again and again" in told


def test_what_was_told_too_late_is_told_with_the_next_turn(project: Path) -> None:
    methods = Methods(find_project(str(project)), print)
    hooks = {name: replace(hook, limit=0.0) for name, hook in methods.table().items()}
    call = {"tool": "read", "sessionID": "ses_1", "args": {"filePath": "README.md"}}
    read, write = os.pipe()
    with os.fdopen(write, "wb") as answers, os.fdopen(read, "rb") as told:
        protocol = Protocol(answers, hooks | {f"late {name}": replace(hook, limit=0.05) for name, hook in hooks.items()}, print)

        def ask(method: str, **input: Any) -> str:
            busy = threading.Event()
            if method.startswith("late "):
                hooks["event"].lane.do(busy.wait)
            params = {"input": call | input, "output": {"output": "", "system": [], "message": {"id": "m"}, "parts": []}}
            protocol.take(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
            answer = told.readline().decode()
            busy.set()
            assert ("no answer within" in answer) == method.startswith("late ")
            return answer

        ask("late chat.message", agent="build")
        heard = [ask("tool.execute.after", callID=f"call_{number}") for number in range(4)]
        ask("late tool.execute.after", callID="call_4")
        system, after = ask("experimental.chat.system.transform"), ask("experimental.chat.system.transform")
    methods.close()
    for one in ("<idumb-session>", "the same call again and again"):
        assert one in system and one not in after and not any(one in told for told in heard)


def test_agents_are_denied_what_their_role_may_not_use_unless_the_settings_name_it(project: Path) -> None:
    settings = {
        "permission": {"*": "allow", "idumb_scan": "ask"},
        "agent": {"builder": {"permission": "allow"}, "validator": {"permission": {"govern_*": "allow"}}, "stranger": {}},
    }
    with serving(project) as child:
        agents = child.ask("config", output=settings)["result"]["output"]["agent"]
        (project / ".idumb" / "config.json").write_text('{"governance": {"mode": "observe"}}')
        assert "agent" not in child.ask("config", output=settings)["result"]["output"]
    assert agents["builder"]["permission"] == {
        "*": "allow",
        "idumb_brain": "deny",
        "govern_plan": "deny",
        "govern_delegate": "deny",
    }
    assert set(agents["validator"]["permission"]) == {"idumb_codemap", "idumb_anchor"}
    assert "build" not in agents and "stranger" not in agents


def test_a_turn_that_no_message_began_is_that_of_its_agent(project: Path) -> None:
    with serving(project) as child:
        child.ask("chat.message", input={"sessionID": "ses_1", "agent": "plan"}, output={"message": {"id": "m"}, "parts": []})
        for agent, role in (("title", "plan"), ("build", "build")):
            child.ask("chat.params", input={"sessionID": "ses_1", "agent": agent}, output={})
            assert child.call("session.show", session="ses_1")["result"]["role"] == role


def test_documents_that_lie_and_drift_are_told_when_they_are_noticed(project: Path) -> None:
    (project / ".idumb" / "config.json").write_text(json.dumps({"automation": {"driftEvery": 2}}))
    who = ["-c", "user.name=mira", "-c", "user.email=mira@library"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "as it was"]):
        subprocess.run(["git", *words], cwd=project, check=True)
    with serving(project) as child:
        child.ask("event", input={"event": {"type": "session.created", "properties": {"info": {"id": "ses_1"}}}})
        assert "README.md:4 says CONTRIBUTING.md" in _sooner_or_later(child, "no longer so")
        for name in ("loans", "readers"):
            file = project / "library" / f"{name}.py"
            file.write_text("def nothing() -> None:\n    return None\n")
            call = {"tool": "write", "sessionID": "ses_1", "callID": name, "args": {"filePath": str(file)}}
            child.ask("tool.execute.after", input=call, output={"output": "", "metadata": {}})
        told = _sooner_or_later(child, "differ from where this session began")
        assert "2 modified" in told and "Changed for whoever uses it" in told


def _sooner_or_later(child: Serving, part: str) -> str:
    until = time.monotonic() + 20
    while part not in (told := _system(child, "ses_1")) and time.monotonic() < until:
        time.sleep(0.05)
    assert part in told and part not in _system(child, "ses_1"), "told once"
    return told


def test_hook_is_the_same_once(project: Path) -> None:
    def once(event: str, told: str) -> dict[str, Any]:
        run = subprocess.run(
            [sys.executable, "-m", "idumb_brain", "--root", str(project), "hook", event],
            input=told,
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        return dict(json.loads(run.stdout))

    asked = {
        "input": {"tool": "bash", "sessionID": "ses_1", "callID": "c"},
        "output": {"args": {"command": "git push -f origin main"}},
    }
    assert "refused" in once("tool.execute.before", json.dumps(asked))["block"]["message"]
    assert once("tool.execute.before", "not json")["output"] == {}
    assert "known are" in once("no.such.hook", "{}")["problem"]
