"""What hooks cost: ``python -m tests.bench.hooks [--files N] [--root PROJECT]``: each through ``serve --stdio``, as a table."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROUNDS = 60
_SESSION = "ses_bench"
_PARTS = [{"id": "prt_1", "type": "text", "text": "Where are fines counted?"}]
_TURNS = [
    {"info": {"role": "assistant", "sessionID": _SESSION}, "parts": [{"type": "text", "text": "An answer of some length. " * 40}]}
    for _ in range(60)
]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--files", type=int, default=3_000)
    words.add_argument("--root", type=Path)
    given = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = given.root or made(Path(folder), given.files)
        subprocess.run(
            [sys.executable, "-m", "idumb_brain", "--root", str(root), "--quiet", "scan"], check=True, stdout=subprocess.DEVNULL
        )
        began = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "idumb_brain", "--root", str(root), "serve", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        ask = _asker(child)
        ask("hello", {})
        print(f"first answer after {(time.perf_counter() - began) * 1000:.0f} ms\n")
        print(f"{'hook':44} {'p50 ms':>8} {'p95 ms':>8}")
        for name, input, output in _hooks(root):
            taken = sorted(_timed(ask, name, input, output) for _ in range(ROUNDS))
            print(f"{name + ' ' + str(input.get('tool', '')):44} {taken[ROUNDS // 2]:8.2f} {taken[int(ROUNDS * 0.95)]:8.2f}")
        assert child.stdin
        child.stdin.close()
        child.wait()


def _hooks(root: Path) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    session = {"sessionID": _SESSION}
    read, write = {"filePath": "part_0/file_0.py"}, {"filePath": "part_0/file_1.py", "content": "A = 1\n"}
    call = {**session, "callID": "call_1"}
    return [
        ("event", {"event": {"type": "session.created", "properties": {"info": {"id": _SESSION}}}}, {}),
        ("chat.message", {**session, "agent": "build"}, {"message": {"id": "msg_1"}, "parts": _PARTS}),
        ("experimental.chat.messages.transform", {}, {"messages": _TURNS}),
        ("experimental.chat.system.transform", session, {"system": ["You are an agent."]}),
        ("tool.execute.before", {**call, "tool": "read"}, {"args": read}),
        ("tool.execute.before", {**call, "tool": "write"}, {"args": write}),
        ("tool.execute.before", {**call, "tool": "bash"}, {"args": {"command": "git status && pytest -q"}}),
        ("tool.execute.after", {**call, "tool": "read", "args": read}, {"output": "", "metadata": {}}),
        ("tool.execute.after", {**call, "tool": "write", "args": write}, {"output": "", "metadata": {}}),
        ("experimental.text.complete", session, {"text": "An answer."}),
    ]


def _timed(ask: Any, name: str, input: dict[str, Any], output: dict[str, Any]) -> float:
    began = time.perf_counter()
    answer = ask(name, {"input": input, "output": output})
    assert "problem" not in answer, answer
    return (time.perf_counter() - began) * 1000


def _asker(child: subprocess.Popen[bytes]) -> Any:
    def ask(method: str, params: dict[str, Any]) -> Any:
        assert child.stdin and child.stdout
        child.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
        child.stdin.flush()
        return json.loads(child.stdout.readline())["result"]

    return ask


def made(root: Path, files: int) -> Path:
    """A project in which every file uses its neighbour."""
    for number in range(files):
        file = root / f"part_{number // 100}" / f"file_{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        near = f"from part_{(number - 1) // 100}.file_{number - 1} import work_{number - 1}\n\n\n" if number else ""
        file.write_text(
            f'{near}def work_{number}(days: int) -> int:\n    """What {number} days cost."""\n    return days * {number}\n'
        )
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


if __name__ == "__main__":
    main()
