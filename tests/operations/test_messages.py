"""What is taken out of a conversation, as the brain tells whose it was; and what never is."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from idumb_brain.model.work import Plan, Task
from idumb_brain.operations.ground import standing
from idumb_brain.operations.messages import pruned
from idumb_brain.render import messages as render
from idumb_brain.store import work as store
from tests.conftest import FIXTURES

CASES = sorted((FIXTURES / "messages").glob("*.toml"))
EIGHT = 1_770_192_000_000  # 2026-02-04T08:00:00Z in milliseconds


def conversation(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As OpenCode has it. Outputs are as long as real ones."""
    made = []
    for number, one in enumerate(told):
        parts: list[dict[str, Any]] = [{"type": "text", "text": one["text"]}] if "text" in one else []
        for call in one.get("calls", ()):
            status, field = ("error", "error") if "error" in call else ("completed", "output")
            text = call[field] + ("" if call.get("short") else " and so on" * 22)
            state = {"status": status, "input": call["input"], field: text, "time": {"start": EIGHT + call["start"] * 60_000}}
            parts.append({"type": "tool", "tool": call["tool"], "callID": call["id"], "state": state})
        made.append({"info": {"id": f"msg-{number}", "role": one["role"], "sessionID": "ses-1"}, "parts": parts})
    return made


def _changed(messages: list[dict[str, Any]], changes: list[Any]) -> list[dict[str, Any]]:
    left = copy.deepcopy(messages)
    for (_, *way, last), value in changes:
        place: Any = left
        for step in way:
            place = place[step]
        place[last] = value
    return left


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
@pytest.mark.parametrize("language", ["en", "vi"])
def test_what_is_taken_out(
    case: Path, language: str, tmp_path: Path, snapshot: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IDUMB_BRAIN_NOW", "2026-02-04T10:30:00Z")
    told = tomllib.loads(case.read_text("utf-8"))
    given_messages = conversation(told["message"])
    before = copy.deepcopy(given_messages)
    (tmp_path / ".idumb").mkdir()
    (tmp_path / ".idumb" / "config.json").write_text(f'{{"language": "{language}"}}')
    with standing(str(tmp_path), make=True) as ground:
        store.keep(ground.brain, Plan("plan-auth", "User authentication", state="active"), "create", "manual")
        for stated in told["task"]:
            store.keep(ground.brain, Task(**stated), "plan", "manual")
        made = pruned(ground, given_messages, keep=told["keep"])
        assert given_messages == before
        assert _changed(before, made["changes"]) == made["messages"], "each change by itself comes to the same"
        assert pruned(ground, made["messages"], keep=told["keep"])["messages"] == made["messages"]
        waiting = pruned(ground, given_messages, keep=told["keep"], compacting=True)
    assert (waiting["messages"], waiting["pruned"]) == (before, 0)
    lines = []
    for message in made["messages"]:
        for part in message["parts"]:
            state = part.get("state", {})
            lines.append(
                f"{part.get('callID', message['info']['role'])}: {(state.get('output') or state.get('error') or part.get('text'))[:230]}"
            )
    lines.append(f"{made['pruned']} taken out, {made['chars']} characters saved")
    snapshot(case.with_suffix(f".{language}.txt"), "\n".join(lines) + "\n")


states = some.sampled_from(
    (None, "broken", {"status": "running"}, {"status": "completed", "output": 7})
) | some.fixed_dictionaries(
    {
        "status": some.sampled_from(("completed", "error")),
        "output": some.sampled_from(("x" * 400, "x", render.MARK + "x" * 400)),
        "error": some.just("y" * 400),
        "input": some.sampled_from(({}, {"path": "a"}, None)),
    }
)
parts = some.fixed_dictionaries(
    {
        "type": some.sampled_from(("tool", "text")),
        "tool": some.sampled_from(("read", "bash", "task")),
        "callID": some.sampled_from("abcd"),
        "state": states,
    }
)
talks = some.lists(
    some.fixed_dictionaries(
        {
            "info": some.sampled_from(({"role": "user"}, {"role": "assistant"}, None)),
            "parts": some.lists(parts, max_size=4) | some.sampled_from((None, 7, [None])),
        }
    ),
    max_size=5,
)
outcomes = some.dictionaries(some.sampled_from("abcd"), some.sampled_from(("completed", "active", "abandoned")))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(talks, outcomes, some.integers(0, 4))
def test_whatever_was_said(told: list[dict[str, Any]], tasks: dict[str, str], keep: int) -> None:
    made = render.pruned(told, tasks, "en", keep=keep)
    assert render.pruned(made.messages, tasks, "en", keep=keep).outputs == 0
    assert len(made.messages) == len(told)
    for before, after in zip(told, made.messages, strict=True):
        for old, new in zip(before["parts"], after["parts"], strict=True) if before != after else ():
            assert {**old, "state": 0} == {**new, "state": 0}
            changed = {name for name in old["state"] if old["state"][name] != new["state"][name]} if old != new else set()
            assert changed <= {"output", "error"} and all(new["state"][name].startswith(render.MARK) for name in changed)
