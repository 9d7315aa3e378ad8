"""An hour under load: ``python -m tests.bench.soak [MINUTES=60] [--clients 8] [--seed N]``.

One watcher, two servers of hosts and one of MCP live for the whole time on a copy of this repository, while clients ask,
write and delegate at a steady pace and somebody edits, renames, deletes and switches branches beneath them. A line a
minute; at the end what was promised is looked for. Exit code 1: memory grew, something was not answered, a write that was
acknowledged is not there, the index differs from a fresh scan, a database does not check out, or a process was left over.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import random
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from idumb_brain.store import anchors, knowledge, work
from idumb_brain.store import brain as store
from tests.bench.churn import Churn
from tests.bench.watching import quiet, same
from tests.conftest import REPOSITORY

_PATIENCE = 60.0  # seconds after which a question counts as not answered
_PACE = {"hooks": 1.5, "calls": 1.5, "mcp": 2.0, "cli": 6.0}  # seconds between two questions of a client
_KINDS = ("hooks", "calls", "hooks", "calls", "mcp", "cli", "calls", "hooks")
_GROWTH, _FLOOR = 0.05, 4.0  # of the second quarter's mean, and megabytes that are noise whatever the share
_LATE = 0.002  # share of hooks that may be answered with "no answer within": the machine is not ours alone
_MARK = "IDUMB_SOAK"
_READ = "idumb_brain/model/errors.py"  # nobody changes this one beneath us
_NICE = 10


@dataclass
class Told:
    """What everybody saw, under one lock."""

    asked: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    late: int = 0
    errors: list[str] = field(default_factory=list)
    written: dict[str, list[str]] = field(default_factory=lambda: {"entry": [], "anchor": [], "task": [], "completed": []})
    lock: threading.Lock = field(default_factory=threading.Lock)

    def wrong(self, text: str) -> None:
        with self.lock:
            self.errors.append(text[:500])
        print(f"  {text[:300]}", flush=True)

    def wrote(self, kind: str, id: str) -> None:
        with self.lock:
            self.written[kind].append(id)


class Server:
    """A child that speaks JSON-RPC over lines, asked by many at once."""

    def __init__(self, name: str, root: Path, token: str, *words: str) -> None:
        self.name = name
        self.process = _start(root, token, *words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._numbers = itertools.count(1)
        self._waiting: dict[int, tuple[threading.Event, list[Any]]] = {}
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any] | None:
        """The answer; None where there was none in time."""
        number, heard, answer = next(self._numbers), threading.Event(), list[Any]()
        with self._lock:
            self._waiting[number] = (heard, answer)
            self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        heard.wait(_PATIENCE)
        return answer[0] if answer else None

    def tell(self, method: str) -> None:
        with self._lock:
            self._send({"jsonrpc": "2.0", "method": method})

    def end(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        code = self.process.wait(20)
        self._reader.join(5)
        return code

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            message = json.loads(line)
            with self._lock:
                heard, answer = self._waiting.pop(message.get("id"), (None, []))
            if heard:
                answer.append(message)
                heard.set()


class Client(threading.Thread):
    """One of those who ask, in a session and with a plan of its own."""

    def __init__(
        self, kind: str, number: int, root: Path, server: Server | None, told: Told, stop: threading.Event, token: str
    ) -> None:
        super().__init__(name=f"{kind}-{number}", daemon=True)
        self.kind, self._number, self._root, self._server = kind, number, root, server
        self._told, self._over, self._token = told, stop, token
        self._chance = random.Random(number)
        self._session = f"ses_soak_{number}"
        self._plan = ""
        self._task = ""
        self._count = itertools.count(1)

    def run(self) -> None:
        """Faults of a client are faults of the soak."""
        try:
            while not self._over.wait(self._chance.uniform(0.5, 1.5) * _PACE[self.kind]):
                if self.kind == "hooks" and self._chance.random() < 0.7:
                    self._turn()
                else:
                    self._chance.choice(self._CALLS)(self)
        except Exception as error:
            self._told.wrong(f"{self.name} broke: {type(error).__name__}: {error}")

    def _turn(self) -> None:
        """One step of an agent: what its host tells of it."""
        n = next(self._count)
        session: dict[str, Any] = {"sessionID": self._session, "agent": "build"}
        call = {**session, "callID": f"call_{n}"}
        if n % 40 == 1:
            self._hook("event", {"event": {"type": "session.created", "properties": {"info": {"id": self._session}}}}, {})
        parts = [{"id": f"prt_{n}", "type": "text", "text": f"Where is error {n % 20} raised, and who catches it?"}]
        self._hook("chat.message", session, {"message": {"id": f"msg_{n}"}, "parts": parts})
        self._hook("experimental.chat.system.transform", session, {"system": ["You are an agent."]})
        turns = [
            {"info": session | {"role": "assistant"}, "parts": [{"type": "text", "text": "An answer. " * 30}]} for _ in range(20)
        ]
        self._hook("experimental.chat.messages.transform", {}, {"messages": turns})
        for tool, arguments in (
            ("read", {"filePath": _READ}),
            ("write", {"filePath": f"shop/m{self._chance.randrange(40)}.py", "content": "A = 1\n"}),
            ("bash", {"command": "git status && pytest -q"}),
        ):
            before = self._hook("tool.execute.before", {**call, "tool": tool}, {"args": arguments})
            if "block" not in before:
                self._hook("tool.execute.after", {**call, "tool": tool, "args": arguments}, {"output": "done", "metadata": {}})
        if n % 15 == 0:
            self._hook("experimental.session.compacting", session, {"context": []})
            self._hook("event", {"event": {"type": "session.compacted", "properties": session}}, {})
        if n % 10 == 0:
            self._hook("event", {"event": {"type": "session.idle", "properties": session}}, {})

    def _hook(self, name: str, input: dict[str, Any], output: dict[str, Any]) -> dict[str, Any]:
        assert self._server
        server = self._server
        answer = self._asked(name, lambda: server.ask(name, {"input": input, "output": output}))
        result = dict((answer or {}).get("result") or {})
        problem = str(result.get("problem") or (answer or {}).get("error") or "")
        if "no answer within" in problem:
            with self._told.lock:
                self._told.late += 1
        elif problem:
            self._told.wrong(f"{name}: {problem}")
        return result

    def _query(self) -> None:
        self._call(
            "query",
            {"text": self._chance.choice(["who reads the clock", "write a plan", "m3 f g", "salvage a brain"]), "limit": 5},
        )

    def _show(self) -> None:
        shown = self._call("codemap.show", {"file": _READ})
        if shown is not None and shown["file"] != _READ:
            self._told.wrong(f"codemap.show told of {shown['file']}")

    def _recall(self) -> None:
        self._call("brain.query", {"text": f"the {self._chance.choice(['fast', 'slow', 'late'])} way"})

    def _status(self) -> None:
        self._call(self._chance.choice(["status", "anchor.list", "plan.status", "brain.stale"]), {})

    def _write(self) -> None:
        n = next(self._count)
        made = self._call(
            "brain.write",
            {
                "type": "codebase-fact", "title": f"Fact {n} of {self.name}", "force": True, "evidence": [_READ],
                "content": f"The {self._chance.choice(['fast', 'slow', 'late'])} way costs {n}. " * self._chance.randrange(1, 8),
            },
        )  # fmt: skip
        if made is not None:
            self._told.wrote("entry", str(made["id"]))

    def _anchor(self) -> None:
        made = self._call(
            "anchor.add", {"type": "context", "content": f"{self.name} was here {next(self._count)} times", "priority": "low"}
        )
        if made is not None:
            self._told.wrote("anchor", str(made["id"]))

    def _work(self) -> None:
        """A plan once; then a task is made, started and completed."""
        if not self._plan:
            plan = self._call("plan.create", {"name": f"Plan of {self.name}", "acceptance": ["it lasts"]})
            self._plan = str(plan["id"]) if plan else ""
            return
        n = next(self._count)
        task = self._call("plan.add", {"plan": self._plan, "name": f"Task {n} of {self.name}", "expected": "it lasts"})
        if task is None:
            return
        self._told.wrote("task", str(task["id"]))
        if self._call("task.start", {"task": task["id"]}) is None:
            return
        if self._call("task.complete", {"task": task["id"], "evidence": [_READ]}) is not None:
            self._told.wrote("completed", str(task["id"]))

    def _call(self, operation: str, arguments: dict[str, Any]) -> Any:
        if self.kind == "cli":
            return self._run(operation, arguments)
        if self.kind == "mcp" and operation in _TOOLS:
            tool, action, names = _TOOLS[operation]
            given = {"action": action, **{names.get(key, key): value for key, value in arguments.items()}}
            return self._tool(f"mcp {operation}", tool, given)
        if self.kind == "mcp":
            return None
        assert self._server
        server = self._server
        answer = self._asked(f"call {operation}", lambda: server.ask("call", {"operation": operation, "arguments": arguments}))
        if answer and "error" in answer:
            self._told.wrong(f"{operation}: {answer['error']}")
        return (answer or {}).get("result")

    def _tool(self, label: str, tool: str, arguments: dict[str, Any]) -> None:
        """What the tool says is text for a model: no ids are read from it, only whether it was done."""
        assert self._server
        server = self._server
        answer = self._asked(label, lambda: server.ask("tools/call", {"name": tool, "arguments": arguments}))
        result = (answer or {}).get("result") or {}
        if answer and ("error" in answer or result.get("isError")):
            self._told.wrong(f"{label}: {json.dumps(answer)}")

    def _run(self, operation: str, arguments: dict[str, Any]) -> Any:
        words, places = operation.split("."), []
        for name, value in arguments.items():
            if name in ("text", "file", "plan", "name", "task") and operation not in ("brain.write", "anchor.add"):
                places.append(str(value))
            elif value is True:
                words.append(f"--{name}")
            else:
                words += [f"--{name}={one}" for one in (value if isinstance(value, list) else [value])]
        process = _start(self._root, self._token, "--json", *words, *places, stdout=subprocess.PIPE)
        answer = self._asked(f"cli {operation}", lambda: _finished(process))
        if answer and "error" in answer:
            self._told.wrong(f"{operation}: {answer['error']}")
        return (answer or {}).get("data")

    def _asked(self, label: str, ask: Callable[[], dict[str, Any] | None]) -> dict[str, Any] | None:
        with self._told.lock:
            self._told.asked[label] += 1
        answer = ask()
        if answer is None:
            self._told.wrong(f"{label} was not answered within {_PATIENCE:g} s")
        else:
            with self._told.lock:
                self._told.answered[label] += 1
        return answer

    _CALLS = (_query, _show, _recall, _recall, _status, _write, _write, _anchor, _work)


# MCP's names of what others call: tool, action, arguments called otherwise.
_TOOLS: dict[str, tuple[str, str, dict[str, str]]] = {
    "query": ("idumb_codemap", "find", {}),
    "codemap.show": ("idumb_codemap", "show", {}),
    "brain.query": ("idumb_brain", "query", {}),
    "status": ("idumb_scan", "status", {}),
    "anchor.list": ("idumb_anchor", "list", {}),
    "brain.write": ("idumb_brain", "write", {}),
    "anchor.add": ("idumb_anchor", "add", {}),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", nargs="?", type=float, default=60.0, metavar="MINUTES")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    asked = parser.parse_args()
    os.nice(_NICE)
    token = f"soak-{os.getpid()}-{asked.seed}"
    print(f"{asked.minutes:g} minutes, {asked.clients} clients, seed {asked.seed}", flush=True)
    made = Path(tempfile.mkdtemp(prefix="idumb-soak-"))
    tree, scratch = made / "tree", made / "scratch"
    scratch.mkdir()
    _project(tree)
    faults = _soak(tree, scratch, asked, token)
    for line in faults:
        print(f"WRONG: {line}")
    if faults:
        print(f"{len(faults)} things were wrong; {made} is left to be looked at")
    else:
        print("nothing was wrong")
        shutil.rmtree(made)
    return 1 if faults else 0


def _soak(tree: Path, scratch: Path, asked: argparse.Namespace, token: str) -> list[str]:
    told, stop = Told(), threading.Event()
    samples: dict[str, list[float]] = {}
    churn = Churn(tree, asked.seed, stop)
    with _running(tree, token) as (watcher, servers):
        processes = {"watch": watcher.pid} | {server.name: server.process.pid for server in servers}
        clients = _clients(asked.clients, tree, servers, told, stop, token)
        for thread in (*clients, churn):
            thread.start()
        _sample(asked.minutes * 60, processes, told, churn, samples)
        stop.set()
        for thread in (*clients, churn):
            thread.join(2 * _PATIENCE)
        faults = [f"{thread.name} did not end" for thread in (*clients, churn) if thread.is_alive()]
        faults += [churn.fault] if churn.fault else []
        faults += [f"{name} ended" for name, pid in processes.items() if not Path(f"/proc/{pid}").exists()]
        print(f"{churn.changes} changes of the tree; what was asked: {_counted(told.asked)}", flush=True)
        time.sleep(5)
        quiet(tree)
        faults += [] if same(tree, scratch) else ["the index differs from a fresh scan"]
        ends = {server.name: server.end() for server in servers}
        faults += [f"{name} ended with {code}" for name, code in ends.items() if code]
    faults += _grown(samples) + _unanswered(told) + told.errors + _lost(tree, told) + _unsound(tree)
    time.sleep(1.5)
    faults += [f"left over: {line}" for line in _left_over(token)]
    return faults


@contextlib.contextmanager
def _running(tree: Path, token: str) -> Iterator[tuple[subprocess.Popen[bytes], list[Server]]]:
    watcher = _start(tree, token, "--json", "watch", stdout=subprocess.PIPE)
    assert watcher.stdout
    watcher.stdout.readline()
    drained = threading.Thread(target=lambda out: [None for _ in out], args=(watcher.stdout,), daemon=True)
    drained.start()
    servers = [Server(f"serve {n}", tree, token, "serve", "--stdio") for n in (1, 2)] + [Server("mcp", tree, token, "mcp")]
    servers[-1].ask(
        "initialize",
        {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}},
    )
    servers[-1].tell("notifications/initialized")
    try:
        yield watcher, servers
    finally:
        watcher.send_signal(signal.SIGINT)
        try:
            watcher.wait(20)
        except subprocess.TimeoutExpired:
            watcher.kill()
        for server in servers:
            server.process.kill()
            server.process.wait()


def _clients(count: int, tree: Path, servers: list[Server], told: Told, stop: threading.Event, token: str) -> list[Client]:
    *hosts, mcp = servers
    made = []
    for number in range(count):
        kind = _KINDS[number % len(_KINDS)]
        server = {"mcp": mcp, "cli": None}.get(kind, hosts[number % len(hosts)])
        made.append(Client(kind, number, tree, server, told, stop, token))
    return made


def _sample(seconds: float, processes: dict[str, int], told: Told, churn: Churn, samples: dict[str, list[float]]) -> None:
    """Memory every few seconds, a line every minute."""
    began, line = time.monotonic(), 1
    names = "".join(f"{name + ' MB/fds':>16}" for name in processes)
    print(f"{'min':>5}{names}{'workers MB':>12}{'changes':>9}{'asked':>8}{'answered':>10}{'late':>6}{'errors':>8}", flush=True)
    while (passed := time.monotonic() - began) < seconds:
        for name, pid in processes.items():
            samples.setdefault(name, []).append(_resident(pid))
        if passed >= line * 60 or passed + 2 >= seconds:
            row = "".join(f"{samples[name][-1]:>11.1f}/{_open_files(pid):<4}" for name, pid in processes.items())
            below = sum(_resident(child) for pid in processes.values() for child in _children(pid))
            print(
                f"{passed / 60:5.1f}{row}{below:>12.1f}{churn.changes:>9}{told.asked.total():>8}{told.answered.total():>10}"
                f"{told.late:>6}{len(told.errors):>8}",
                flush=True,
            )
            line += 1
        time.sleep(2)


def _grown(samples: dict[str, list[float]]) -> list[str]:
    """The last quarter against the second; the first one is for warming up."""
    faults = []
    for name, values in samples.items():
        quarter = len(values) // 4
        if quarter < 5:
            continue
        second, last = statistics.mean(values[quarter : 2 * quarter]), statistics.mean(values[-quarter:])
        print(f"{name:<10} {second:8.1f} MB in the second quarter, {last:8.1f} in the last: {last / second - 1:+.1%}")
        if last > second * (1 + _GROWTH) and last - second > _FLOOR:
            faults.append(f"{name} grew from {second:.1f} to {last:.1f} MB")
    return faults


def _unanswered(told: Told) -> list[str]:
    asked, answered = told.asked.total(), told.answered.total()
    faults = [] if asked == answered else [f"{asked - answered} of {asked} questions were not answered"]
    if told.late > max(1, asked * _LATE):
        faults.append(f"{told.late} of {asked} answers came too late")
    return faults


def _lost(tree: Path, told: Told) -> list[str]:
    brain = store.open_brain(tree / ".idumb" / "brain" / "brain.db", "2026-02-04T10:30:00Z")
    try:
        tasks = {task.id: task.state for task in work.tasks(brain)}
        there = {
            "entry": set(knowledge.ids(brain)), "anchor": {anchor.id for anchor in anchors.anchors(brain, every=True)}, "task": set(tasks),
            "completed": {id for id, state in tasks.items() if state == "completed"},
        }  # fmt: skip
        print("acknowledged: " + ", ".join(f"{len(ids)} {kind}" for kind, ids in told.written.items()))
        lost = {kind: [id for id in ids if id not in there[kind]] for kind, ids in told.written.items()}
        return [f"{len(ids)} {kind} were acknowledged and are not there: {ids[:3]}" for kind, ids in lost.items() if ids]
    finally:
        brain.close()


def _unsound(tree: Path) -> list[str]:
    faults = []
    for file in sorted((tree / ".idumb" / "brain").glob("*.db")):
        with contextlib.closing(sqlite3.connect(file)) as connection:
            for check in ("integrity_check", "foreign_key_check"):
                found = [row for row in connection.execute(f"PRAGMA {check}") if row != ("ok",)]
                faults += [f"{file.name}: {check}: {row}" for row in found[:3]]
    brain = store.open_brain(tree / ".idumb" / "brain" / "brain.db", "2026-02-04T10:30:00Z")
    faults += store.problems(brain) + brain.notes
    brain.close()
    logged = tree / ".idumb" / "brain" / "brain.log"
    lines = logged.read_text("utf-8").splitlines() if logged.exists() else []
    return faults + [f"brain.log: {line}" for line in lines if " failed" in line or line.startswith("Traceback")][:10]


def _left_over(token: str) -> list[str]:
    """Processes that still carry the mark of this soak."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            with contextlib.suppress(OSError):
                if f"{_MARK}={token}".encode() in (folder / "environ").read_bytes():
                    found.append(f"{folder.name} {(folder / 'cmdline').read_bytes().replace(bytes(1), b' ').decode()}")
    return found


def _project(tree: Path) -> None:
    """This repository as git has it, without its past."""
    listed = subprocess.run(["git", "-C", str(REPOSITORY), "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(REPOSITORY / name, tree / name, follow_symlinks=False)
    (tree / ".gitignore").write_text(".idumb/\n")


def _start(root: Path, token: str, *words: str, **pipes: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen[bytes](
        [sys.executable, "-m", "idumb_brain", "--root", str(root), *words], cwd=REPOSITORY,
        env={**os.environ, _MARK: token}, **({"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | pipes),
    )  # fmt: skip


def _finished(process: subprocess.Popen[bytes]) -> dict[str, Any] | None:
    try:
        out, _ = process.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        return None
    return dict(json.loads(out)) if out.strip() else {"error": f"no word, exit code {process.returncode}"}


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def _resident(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError):
        return 0.0


def _open_files(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


if __name__ == "__main__":
    sys.exit(main())
