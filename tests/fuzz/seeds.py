"""Inputs to begin with: fixtures, and what hosts and git really say. Where a target reads files, the first line is a name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.conftest import FIXTURES

_MOST_SEED = 20_000


def named(name: str, text: bytes) -> bytes:
    """Inputs of targets that read files: the name on the first line."""
    return name.encode() + b"\n" + text


def files(folder: str, pattern: str = "*") -> Iterator[Path]:
    for file in sorted((FIXTURES / folder).rglob(pattern)):
        if file.is_file() and not file.name.endswith(".expected") and file.stat().st_size < _MOST_SEED:
            yield file


LOCKS = (
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "Pipfile",
    "Pipfile.lock",
    "setup.cfg",
    "setup.py",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "bun.lock",
    "deno.json",
    "deno.lock",
    "Cargo.lock",
    "go.work",
    "go.sum",
    "Gemfile.lock",
    "mix.lock",
    "pubspec.lock",
    "Package.resolved",
    "packages.lock.json",
    "Directory.Packages.props",
    "gradle/libs.versions.toml",
    "build.gradle.kts",
    "settings.gradle",
    "build.sbt",
    "environment.yml",
    "requirements.txt",
    "a.gemspec",
    "packages.config",
    "gradle.lockfile",
)


def manifest_files() -> Iterator[Path]:
    from idumb_brain.scan.refresh import changes_packages

    return (file for folder in ("dependencies", "projects") for file in files(folder) if changes_packages(manifest_name(file)))


def manifest_name(file: Path) -> str:
    return "gradle/libs.versions.toml" if file.name == "libs.versions.toml" else file.name


def manifests() -> Iterator[bytes]:
    for file in manifest_files():
        yield named(manifest_name(file), file.read_bytes())
    for name in LOCKS:
        for text in (
            b"",
            b"{}",
            b"[[package]]\nname = 'a'\nversion = '1'\n",
            b"a:\n  - b: 1\n",
            b'{"packages": {"a": {"version": 1}}}',
        ):
            yield named(name, text)


def shell() -> Iterator[bytes]:
    from tests.govern.corpus import lines

    yield from (line.encode() for name in ("destructive", "harmless") for line in lines(name)[::7])


def git() -> Iterator[bytes]:
    commit = b"3f786850e387550fdab836ed7e6dc881de23001b"
    yield b"\x01" + commit + b"\x021767608200\x02Use this\n\nbecause\0\0M\0a.py\0R100\0b.py\0c.py\0"
    yield b"\x01" + commit + b"\x02Ada\x021767608200\0\0A\0a.py\0"
    yield commit + b" 1 1 1\nauthor Ada\nauthor-time 1767608200\nboundary\nfilename a.py\n\tx = 1\n"
    yield b"\x1f".join((commit, b"2026-01-05T10:30:00+00:00", b"Ada", b"Use this instead of that", b"We decided to")) + b"\x1e"


_INPUT: dict[str, Any] = {
    "sessionID": "one",
    "callID": "c1",
    "tool": "bash",
    "args": {"command": "make", "filePath": "a.py"},
    "agent": "build",
}


_OUTPUT: dict[str, Any] = {
    "args": {"command": "git commit -m x"},
    "parts": [{"type": "text", "text": "lend a book"}],
    "message": {"id": "msg_1", "sessionID": "one"},
    "messages": [
        {
            "info": {"role": "assistant", "sessionID": "one"},
            "parts": [
                {
                    "type": "tool",
                    "tool": "read",
                    "callID": "c1",
                    "state": {"status": "completed", "input": {}, "output": "x" * 50, "time": {"start": 1, "end": 2}},
                }
            ],
        }
    ],
    "system": ["You help."],
    "context": [],
    "text": "done",
    "metadata": {"exit": 0},
    "output": "ok",
    "title": "t",
}


_CLAUDE = {
    "session_id": "two",
    "cwd": "/",
    "tool_name": "Bash",
    "tool_input": {"command": "make"},
    "tool_response": {"stdout": "x", "agentId": "a"},
    "prompt": "lend a book",
    "source": "startup",
    "agent_type": "build",
    "last_assistant_message": "done",
    "error": "exit code 1",
}


def protocol() -> Iterator[bytes]:
    for number, method in enumerate(
        ("ping", "event", "chat.message", "tool.execute.before", "tool.execute.after", "experimental.text.complete")
    ):
        yield (
            json.dumps(
                {"jsonrpc": "2.0", "id": number, "method": method, "params": {"input": _INPUT, "output": _OUTPUT}}
            ).encode()
            + b"\n"
        )
    for operation, arguments in (
        ("query", {"text": "lend"}),
        ("brain.list", {"limit": 2}),
        ("codemap.show", {"file": "a.py"}),
        ("gate", {"tool": "bash"}),
    ):
        params = {"operation": operation, "arguments": arguments}
        yield json.dumps({"jsonrpc": "2.0", "id": 1, "method": "call", "params": params}).encode() + b"\n"
    tool = {
        "tool": "idumb_brain",
        "arguments": {"action": "query", "text": "x"},
        "context": {"sessionID": "one", "agent": "build"},
    }
    yield json.dumps({"jsonrpc": "2.0", "id": "a", "method": "tool", "params": tool}).encode() + b"\n"
    yield b'not json\n\n[]\n{"jsonrpc":"2.0","method":"ping"}\n{"jsonrpc":"2.0","id":null,"method":1}\n'


def hooks() -> Iterator[bytes]:
    from idumb_brain.surfaces.serve.methods import EVENTS, LIMITS

    for name in LIMITS:
        yield named(name, json.dumps({"input": _INPUT, "output": _OUTPUT}).encode())
    for event in EVENTS:
        about = {"sessionID": "one", "info": {"id": "one", "parentID": "two"}, "error": {"name": "MessageAbortedError"}}
        yield named("event", json.dumps({"input": {"event": {"type": event, "properties": about}}}).encode())
    for name in (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PreCompact",
        "SubagentStart",
        "SubagentStop",
        "Stop",
        "SessionEnd",
    ):
        yield named(name, json.dumps(_CLAUDE).encode())


IMPORTED = [
    "state.json",
    "knowledge.json",
    "graph.json",
    "tasks.json",
    "task-graph.json",
    "delegations.json",
    "config.json",
    "hook-state.json",
    "plan.json",
    "plan-state.json",
    "planning-registry.json",
    "registry.json",
    "anchors.json",
    "plans/a.json",
    "sessions/a.json",
    "knowledge/a.json",
    "state/a.json",
]


def imports() -> Iterator[bytes]:
    for file in files("exchange", "*.json"):
        parts = file.relative_to(FIXTURES / "exchange").parts[-2:]
        name = "/".join(parts) if parts[0] in ("plans", "sessions", "knowledge", "state") else parts[-1]
        yield named(name, file.read_bytes())
    for kind, key in (
        ("knowledge", "entries"),
        ("anchors", "anchors"),
        ("plan", "plan"),
        ("session", "session"),
        ("changes", "changes"),
    ):
        stated = {
            "format": "idumb-brain/1",
            "kind": kind,
            key: [{"id": "a", "title": "t", "content": "c", "type": "gotcha", "name": "n"}],
        }
        yield named("knowledge/a.json", json.dumps(stated).encode())


def rule_tables(shipped: Path) -> list[str]:
    places = (
        "governance/*.toml",
        "shell/general.toml",
        "shell/files.toml",
        "python/language.toml",
        "go/language.toml",
        "generic.toml",
    )
    return [file.relative_to(shipped).as_posix() for place in places for file in sorted(shipped.glob(place))]


def settings() -> Iterator[bytes]:
    from idumb_brain.scan.languages import query_folders
    from idumb_brain.store.config import default_text

    yield named("config.json", default_text().encode())
    shipped = query_folders()[0]
    for name in rule_tables(shipped):
        yield named(name, (shipped / name).read_bytes()[:_MOST_SEED])


def rendering() -> Iterator[bytes]:
    from tests.render.test_quoting import CASES

    whole = [text.encode("utf-8", "surrogatepass") for text, _ in CASES]
    yield from whole
    yield b"\x1e".join(whole)
    yield b"\x1e".join(one * 40 for one in whole)


def sources() -> Iterator[bytes]:
    yield from (named(f"a{file.suffix}", file.read_bytes()) for file in files("languages"))


def documents() -> Iterator[bytes]:
    for file in files("documents"):
        if file.suffix in (".md", ".rst", ".adoc", ".txt"):
            yield named(f"a{file.suffix}", file.read_bytes())


def questions() -> Iterator[bytes]:
    for text in (
        "lend a book",
        "where is `Shelf.lend` called?",
        'File "library/loans.py", line 3, in lend\nKeyError: 1',
        "\0 \udc80",
        '*" OR NEAR(a b)',
    ):
        yield text.encode("utf-8", "surrogateescape")
