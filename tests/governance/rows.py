"""The rows of ``fixtures/governance``: what is given, what happens, what must come out. Runs one and says what came out otherwise.

A row has one of these, which says what is run: ``signals`` the table of session states · ``events`` the triggers · ``messages`` the signs
of compaction · ``rounds``, ``errors`` stalls · ``steps`` of a delegation · ``call`` the gate · ``command`` the chain rules · ``visible``
what a role sees · ``story`` operations on a project on disk, each with the brain
opened anew. ``expect`` lists what must come out; lists and values exactly, texts below ``says`` as a part.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from idumb_brain.govern import automation, chains, stalls
from idumb_brain.govern.automation import Event
from idumb_brain.govern.delegations import advanced, standing_at
from idumb_brain.govern.detection import Message, compaction
from idumb_brain.govern.gate import judge
from idumb_brain.govern.permissions import visible
from idumb_brain.govern.rules import Rules, load_rules
from idumb_brain.govern.sessions import advance
from idumb_brain.model.errors import BrainError
from idumb_brain.model.governance import Action, Call, Decision, Facts, Halt, Refusal, TaskFacts
from idumb_brain.model.work import Delegation, Session
from idumb_brain.operations import gate as gates
from idumb_brain.operations import records, sessions
from idumb_brain.operations.ground import standing
from idumb_brain.scan.languages import query_folders
from tests.conftest import FIXTURES

FOLDER = FIXTURES / "governance"
NOW = "2026-02-04T10:30:00Z"
_COUNTS = {"S1-R": 8, "S2-R": 8, "S3-R": 6, "S4-R": 6, "S5-R": 8, "L0-R": 6, "L1-R": 8, "L2-R": 7}
_CHAINS = ("INIT-01", "PROJ-01", "PROJ-02", "PHASE-01", "PHASE-02", "PHASE-03", "VAL-01")
REQUIRED = (
    *(f"{prefix}{number:02}" for prefix, most in _COUNTS.items() for number in range(1, most + 1)),
    *_CHAINS,
    *(f"P{trial}.{number}" for trial in range(1, 9) for number in range(1, 5)),
    *(f"decision-{number}" for number in range(1, 5)),
)


@dataclass(frozen=True)
class Row:
    file: str
    number: int
    told: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.file}:{self.number}"

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(self.told["rules"])

    @property
    def kind(self) -> str:
        (kind,) = [kind for kind in _RUNS if kind in self.told]
        return kind


def rows() -> list[Row]:
    return [
        Row(file.stem, number, told)
        for file in sorted(FOLDER.glob("*.toml"))
        for number, told in enumerate(tomllib.loads(file.read_text("utf-8"))["row"], 1)
    ]


def shipped() -> Rules:
    return load_rules(query_folders())


def outcome(row: Row, rules: Rules) -> dict[str, Any]:
    """What comes out of a row."""
    return _RUNS[row.kind](row.told, rules)


def differences(expected: Any, actual: Any, where: str = "") -> list[str]:
    """Where what came out is not what was expected. A table expects only the keys it has."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return [f"{where}: {actual!r} is no table"]
        found = []
        for key, value in expected.items():
            place = f"{where}.{key}" if where else key
            if key == "says":
                found += [
                    f"{place}.{part}: {text!r} is not in {actual.get(part)!r}"
                    for part, text in value.items()
                    if text not in str(actual.get(part))
                ]
            elif key not in actual:
                found.append(f"{place}: missing")
            else:
                found += differences(value, actual[key], place)
        return found
    return [] if type(expected) is type(actual) and expected == actual else [f"{where}: {actual!r} instead of {expected!r}"]


def mutations(expected: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same expectation, one thing in it made wrong."""
    for key, value in expected.items():
        if isinstance(value, dict):
            yield from ({**expected, key: wrong} for wrong in mutations(value))
        else:
            yield {**expected, key: _wrong(value)}


def _wrong(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case list():
            return value[:-1] if value else ["something"]
    return f"{value} or not"


def _signals(told: dict[str, Any], rules: Rules) -> dict[str, Any]:
    session = _session(told)
    actions: tuple[Action, ...] = ()
    for signal, at in told["signals"]:
        step = advance(session, signal, at, rules.sessions)
        session, actions, followed = step.session, step.actions, step.rules
    return {"state": session.state, "actions": _spelled(actions), "rules": list(followed), "session": _plain(asdict(session))}


def _events(told: dict[str, Any], rules: Rules) -> dict[str, Any]:
    session = _session(told)
    past: list[Event] = []
    for number, (kind, at, *rest) in enumerate(told["events"] * told.get("times", 1)):
        words = rest[0] if rest and isinstance(rest[0], int) else 0
        key = rest[0] if rest and isinstance(rest[0], str) else str(number)
        event = Event(kind, at, key)
        if kind == "compacted":
            session = replace(session, compactions=(*session.compactions, at))
        due = automation.after(event, session, past, rules.automation, words=words)
        session = due.session
        past += [event, *(Event(automation.FIRED, at, name) for name in due.fired)]
    return {"actions": _spelled(due.actions), "fired": list(due.fired), "session": _plain(asdict(session))}


def _messages(told: dict[str, Any], rules: Rules) -> dict[str, Any]:
    found = compaction([Message(role, text) for role, text in told["messages"]], _session(told), rules.sessions)
    return {"sign": found.sign if found else "", "found": found.found if found else ""}


def _rounds(told: dict[str, Any], rules: Rules) -> dict[str, Any]:
    made = [stalls.Round(stalls.mark(issues), score) for issues, score in told["rounds"]]
    return _plain(asdict(stalls.planner_checker(made, rules.automation)))


def _errors(told: dict[str, Any], rules: Rules) -> dict[str, Any]:
    return _plain(asdict(stalls.validator_fix([stalls.mark([error]) for error in told["errors"]], rules.automation)))


def _call(told: dict[str, Any], rules: Rules) -> dict[str, Any]:
    tasks = {key: TaskFacts(**_frozen(told[key])) for key in ("task", "store_task", "named_task") if key in told}
    facts = Facts(
        _session(told), rules.roles.named(told["role"]), told.get("mode", "guide"), told.get("now", NOW), told.get("root", "/p"),
        tuple(told.get("chain", ())), **tasks, shell=Decision(**_frozen(told["shell"])) if "shell" in told else None,
        present=frozenset(told.get("present", ())), refusals=tuple(Refusal(*one) for one in told.get("refusals", ())),
        halt=Halt(**_frozen(told["halt"])) if "halt" in told else None,
    )  # fmt: skip
    verdict = judge(Call(told["call"]["tool"], told["call"].get("args", {})), facts, rules)
    return _plain(asdict(verdict.decision)) | {
        "enforced": verdict.enforced, "warnings": [warning.rule for warning in verdict.warnings], "inherits": verdict.inherits,
        "redirect": verdict.redirect, "halts": verdict.halts, "repeated": verdict.repeated,
    }  # fmt: skip


def _steps(told: dict[str, Any], rules: Rules) -> dict[str, Any]:
    delegation = Delegation(
        **{"id": "dg-1", "sender": "coordinator", "receiver": "executor", "task": "tn-1", **told["delegation"]}
    )
    for event, at in told["steps"]:
        try:
            delegation = advanced(delegation, event, at, rules.delegation)
        except BrainError as error:
            return {"error": error.kind, "what": error.what, "why": error.why, "instead": error.instead}
    return _plain(asdict(standing_at(delegation, told.get("now", NOW), rules.delegation)))


def _command(told: dict[str, Any], rules: Rules) -> dict[str, Any]:
    read = chains.read_command(told["command"], rules.chains)
    if read is None:
        return {"decision": "allow", "rule": "", "ours": False}
    present = frozenset(told.get("present", ()))
    return _plain(asdict(chains.command_decision(read, present, rules.chains))) | {"ours": True}


def _visible(told: dict[str, Any], rules: Rules) -> dict[str, Any]:
    seen = visible(tuple(told["visible"]), rules.roles.named(told["role"]), rules)
    return {"tools": list(seen), "limited": {tool: list(actions) for tool, actions in seen.items() if actions is not None}}


def _story(told: dict[str, Any], rules: Rules) -> dict[str, Any]:
    with TemporaryDirectory(prefix="governance-") as place:
        result: Any = None
        for step in told["story"]:
            result = _step(Path(place), dict(step), result)
    return result if isinstance(result, dict) else {"items": result}


def _step(root: Path, step: dict[str, Any], before: Any) -> Any:
    name, at = step.pop("op"), step.pop("at", NOW)
    environ = {"IDUMB_BRAIN_NOW": at, "IDUMB_ENFORCE": step.pop("enforce", "")}
    if name == "write":
        file = root / step["path"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(step.get("text", ""))
        if "modified" in step:
            seconds = datetime.fromisoformat(step["modified"]).timestamp()
            os.utime(file, (seconds, seconds))
        return before
    if step.get("id") == "$halt":
        step["id"] = before["halt"]["id"]
    with standing(str(root), make=True, environ=environ) as ground:
        operation = _OPERATIONS[name]
        try:
            result = operation(ground, **step)
        except BrainError as error:
            return {"error": error.kind, "what": error.what, "why": error.why, "instead": error.instead}
    if isinstance(result, dict) and "actions" in result:
        done = [Action(one["action"], one["rule"], one["place"]) for one in result["actions"]]
        result["actions"] = _spelled(done)
    return _plain(result)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    operation.__name__: operation
    for operation in (
        sessions.created, sessions.turn, sessions.prompt, sessions.answered, sessions.cancelled, sessions.tool_used, sessions.achieved,
        sessions.compacting, sessions.compacted, sessions.idle, sessions.resumed, sessions.checked, records.listed, records.shown,
        records.collect, records.halts, records.resume_halt, gates.gate, gates.command,
    )
}  # fmt: skip
_RUNS: dict[str, Callable[[dict[str, Any], Rules], dict[str, Any]]] = {
    "signals": _signals, "events": _events, "messages": _messages, "rounds": _rounds, "errors": _errors, "steps": _steps, "call": _call,
    "command": _command, "visible": _visible, "story": _story,
}  # fmt: skip


def _session(told: dict[str, Any]) -> Session:
    return Session(**{"id": "s", "state": "new", **_frozen(told.get("session", {}))})


def _frozen(told: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in told.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def _spelled(actions: Any) -> list[str]:
    return [f"{one.rule} {one.name}" + (f" @{one.place}" if one.place else "") for one in actions]
