"""The MCP server, as a client of the official SDK finds it: a process of its own, over its pipes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from tests.conftest import FIXTURES, REPOSITORY

# Each tool with calls of it, and what the answer has to hold; those that are refused say so as errors. TASK is the one that was planned.
CALLS = [
    ("idumb_codemap", {"action": "find", "text": "borrow a book that is overdue"}, False, "library/loans.py"),
    ("idumb_codemap", {"action": "outline", "file": "library/loans.py"}, False, "def borrow("),
    ("idumb_codemap", {"action": "outline", "file": "library/laons.py"}, True, "Use instead: "),
    ("idumb_codemap", {"action": "dance"}, True, "Use instead: one of find, outline"),
    ("idumb_codemap", {"action": "impact"}, True, "needs file"),
    ("idumb_scan", {"action": "map"}, False, "reading-room: Python + TypeScript"),
    ("idumb_brain", {"action": "write", "type": "decision", "title": "Four weeks", "content": "Asked for"}, False, "decision-four-weeks"),
    ("idumb_brain", {"action": "query", "text": "weeks"}, False, "Four weeks"),
    ("idumb_brain", {"action": "show", "id": "nobody"}, True, "Why: "),
    ("idumb_anchor", {"action": "add", "type": "attention", "content": "Never sort the catalogue"}, False, "anchor-never-sort"),
    ("govern_plan", {"action": "create", "name": "Fines", "acceptance": ["readers pay"]}, False, "Fines"),
    ("govern_plan", {"action": "plan_tasks", "plan": "Fines", "tasks": [{"name": "Charge", "expected": "a fine"}]}, False, "Charge"),
    ("govern_plan", {"action": "plan_tasks", "plan": "Fines", "tasks": ["Charge"]}, True, "a name and what is expected"),
    ("govern_task", {"action": "start", "task": "TASK"}, False, "active"),
    ("govern_task", {"action": "complete", "task": "TASK"}, True, "no evidence was given"),
    ("govern_delegate", {"action": "status"}, False, ""),
    ("govern_shell", {"action": "check", "line": "rm -rf /"}, False, "block"),
    ("govern_shell", {"action": "run", "line": "rm -fr ."}, True, "Use instead: "),
    ("sing", {}, True, "there is no tool"),
]  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "reading_room"
    shutil.copytree(FIXTURES / "projects" / "reading_room", root, ignore=shutil.ignore_patterns(".idumb"))
    return root


def _with_client(project: Path, use: Callable[[Client], Awaitable[Any]], *words: str) -> Any:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "idumb_brain", "mcp", *words], cwd=project,
        env={"PYTHONPATH": str(REPOSITORY), "IDUMB_BRAIN_NOW": "2026-02-04T10:30:00Z"},
    )  # fmt: skip

    async def run() -> Any:
        with anyio.fail_after(60):
            async with Client(command) as client:
                return await use(client)

    return anyio.run(run)


def test_every_tool_answers_and_errors_say_what_to_do(project: Path) -> None:
    async def use(client: Client) -> Any:
        listed = (await client.list_tools()).tools
        told: list[tuple[bool, str]] = []
        for name, arguments, *_ in CALLS:
            made = re.findall(r"task-charge-\w+", "\n".join(text for _, text in told))
            given = arguments | ({"task": made[0]} if arguments.get("task") == "TASK" else {})
            answer = await client.call_tool(name, given)
            told.append((answer.is_error, answer.content[0].text))
        return listed, told

    listed, told = _with_client(project, use)
    assert {one.name for one in listed} == {name for name, *_ in CALLS} - {"sing"}
    for (name, arguments, refused, part), (is_error, text) in zip(CALLS, told, strict=True):
        assert (is_error, part in text) == (refused, True), f"{name} {arguments}: {text}"
    assert not (project / ".idumb" / "brain" / "brain.log").exists()


def test_a_role_sees_what_it_may_use_and_nothing_else_runs(project: Path) -> None:
    async def use(client: Client) -> Any:
        seen = {one.name: one.input_schema for one in (await client.list_tools()).tools}
        hidden = await client.call_tool("govern_plan", {"action": "create", "name": "Mine"})
        limited = await client.call_tool("govern_task", {"action": "start", "task": "any"})
        return seen, hidden, limited

    seen, hidden, limited = _with_client(project, use, "--role", "validator")
    assert {name: one["properties"]["action"]["enum"] for name, one in seen.items()} == {
        "idumb_brain": ["query", "show"],
        "govern_task": ["status"],
    }
    assert seen["idumb_brain"]["properties"].keys() == {"action", "text", "limit", "id"}
    assert hidden.is_error and limited.is_error


def test_resources_and_prompts(project: Path) -> None:
    async def use(client: Client) -> Any:
        await client.call_tool(
            "idumb_brain", {"action": "write", "type": "decision", "title": "Four weeks", "content": "Asked for"}
        )
        read = {
            str(one.uri): (await client.read_resource(str(one.uri))).contents[0].text
            for one in (await client.list_resources()).resources
        }
        outline = (await client.read_resource("idumb://file/library%2Floans.py")).contents[0].text
        templates = {one.uri_template for one in (await client.list_resource_templates()).resource_templates}
        wrong = []
        for ask in (
            client.read_resource("idumb://attic"),
            client.read_resource("idumb://file/../secret"),
            client.get_prompt("sing"),
        ):
            with pytest.raises(MCPError) as raised:
                await ask
            wrong.append(raised.value)
        prompts = {one.name for one in (await client.list_prompts()).prompts}
        return read, outline, templates, wrong, prompts, await client.get_prompt("start-task", {"about": "Charge readers"})

    read, outline, templates, wrong, prompts, start = _with_client(project, use)
    assert "reading-room: Python + TypeScript" in read["idumb://map"] and "Four weeks" in read["idumb://brain"]
    assert "def borrow(" in outline and "idumb://brain/{+id}" in templates
    assert all(one.data["instead"] for one in wrong)
    assert {"start-task", "review-decisions", "plan"} <= prompts
    said, *attached = [one.content for one in start.messages]
    assert "Charge readers" in said.text and [str(one.resource.uri) for one in attached] == ["idumb://plan", "idumb://anchors"]


def test_a_long_call_is_in_nobodys_way_and_what_was_written_is_found(project: Path) -> None:
    ended: list[str] = []

    async def use(client: Client) -> Any:
        async def call(name: str, **arguments: Any) -> None:
            told = await client.call_tool(name, arguments)
            assert not told.is_error, told.content[0].text
            ended.append(f"{arguments['action']} {told.content[0].text}")

        await client.call_tool("idumb_scan", {"action": "status"})
        (project / "library" / "fines.py").write_text("def fine_of(reader):\n    return 1\n")
        async with anyio.create_task_group() as both:
            both.start_soon(lambda: call("govern_shell", action="run", line="sleep 3 && echo slept"))
            await anyio.sleep(0.1)
            both.start_soon(lambda: call("idumb_codemap", action="outline", file="library/fines.py"))

    _with_client(project, use)
    assert [one.split()[0] for one in ended] == ["outline", "run"]
    assert "fine_of" in ended[0] and "slept" in ended[1]


@pytest.mark.parametrize("end", ["hangs up", "is killed"])
def test_it_ends_with_its_client_whatever_still_runs(project: Path, end: str) -> None:
    """The client of the second is another process, whose pipes somebody else holds open after its death."""
    server = [sys.executable, "-m", "idumb_brain", "mcp"]
    environ = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    reading, writing = os.pipe()
    client = [
        sys.executable,
        "-c",
        f"import subprocess, sys, time; print(subprocess.Popen({server!r}, stdin=0).pid, flush=True); time.sleep(60)",
    ]
    process = subprocess.Popen(
        client if end == "is killed" else server, cwd=project, env=environ, stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )  # fmt: skip
    os.close(reading)
    assert process.stdout
    pid = int(process.stdout.readline()) if end == "is killed" else process.pid
    heartbeat = project / ".idumb" / "brain" / "mcp.heartbeat"
    _until(heartbeat.exists)
    if end == "is killed":
        process.kill()
    else:
        os.close(writing)
    process.wait(20)
    _until(lambda: not _lives(pid))


def test_nothing_but_the_protocol_is_on_stdout(project: Path) -> None:
    hello = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        '"clientInfo":{"name":"old","version":"1"}}}\nnot json\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"idumb_scan","arguments":{"action":"scan","full":true}}}\n'
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "idumb_brain", "mcp"], cwd=project, env=os.environ | {"PYTHONPATH": str(REPOSITORY)}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin and process.stdout
    process.stdin.write(hello)
    process.stdin.flush()
    heard: list[str] = []
    while not any('"id":2' in line for line in heard):
        heard.append(process.stdout.readline())
        assert heard[-1].startswith('{"jsonrpc":"2.0"'), heard
    process.stdin.close()
    assert process.stdout.read() == "" and process.wait(20) == 0


def _until(true: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
