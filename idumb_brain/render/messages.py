"""Tool outputs that no longer matter, taken out of a conversation before a model reads it. Pure: makes a new list, and refuses to touch
what the user or the assistant said.

Messages are as OpenCode has them: ``{"info": {"role", …}, "parts": [{"type": "tool", "tool", "callID", "state": {…}}, …]}``. An
output that goes leaves a line that says what it was and which call brings it back. That line is the mark by which it is known:
who prunes twice changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from idumb_brain.render.quoting import inline
from idumb_brain.render.wording import say

Message = Mapping[str, Any]
KEEP = 10
MARK = "[idumb: "
_SHORT = 200  # characters: shorter ones cost less than the line that would stand for them
_MOST_ARGS = 160
_READS = frozenset(("read", "glob", "grep", "list", "ls", "webfetch", "codesearch"))  # asked the same, the last answer counts
_REPORTS = frozenset(("task", "agent", "question", "askuserquestion"))  # nobody answers these twice in the same way: they stay
_SAFE_TURNS = 2  # whose errors stay, whatever becomes of the rest
_DONE = frozenset(("completed", "failed", "abandoned", "archived"))


@dataclass(frozen=True, slots=True)
class Pruned:
    messages: list[Message]
    outputs: int  # taken out this time
    chars: int  # saved by it
    changes: tuple[tuple[tuple[str | int, ...], str], ...] = ()  # the way to each in the list, and what stands there now


class _Call(NamedTuple):
    message: int
    part: int
    id: str
    tool: str
    args: str
    output: str
    chars: int  # that it had, where whoever told of it cut it
    failed: bool


def pruned(
    messages: Sequence[Message],
    tasks: Mapping[str, str],
    language: str,
    *,
    keep: int = KEEP,
    compacting: bool = False,
) -> Pruned:
    """``tasks``: of a call by its id, the state of the task that it was made for. The last ``keep`` outputs stay, whatever they are
    of, and those of the last message, which nobody has read yet; of the others go those that a later call repeats, those of tasks that
    are done or were left, and all that are older still than twice as many. While a compaction is about to come, nothing is touched.
    """
    if compacting:
        return Pruned(list(messages), 0, 0)
    calls = list(_calls(messages))
    turn = _last_turns(messages)
    chosen = {
        (call.message, call.part): why
        for call, why in _to_go(calls, tasks, max(keep, _unread(calls, len(messages) - 1)))
        if call.chars > _SHORT and not call.output.startswith(MARK) and not (call.failed and call.message >= turn)
    }
    by_place = {(call.message, call.part): call for call in calls}
    changed = {place: _line(by_place[place], why, language) for place, why in chosen.items()}
    saved = sum(by_place[place].chars - len(line) for place, line in changed.items())
    ways = tuple(
        ((at, "parts", part, "state", _field(messages[at]["parts"][part])), line) for (at, part), line in changed.items()
    )
    touched = {message for message, _ in changed}
    left = [_with(message, number, changed) if number in touched else message for number, message in enumerate(messages)]
    return Pruned(left, len(changed), saved, ways)


def info_of(message: Message) -> Mapping[str, Any]:
    info = message.get("info")
    return info if isinstance(info, Mapping) else {}


def parts_of(message: Message) -> list[Mapping[str, Any]]:
    parts = message.get("parts")
    return [part if isinstance(part, Mapping) else {} for part in parts] if isinstance(parts, list) else []


def _calls(messages: Sequence[Message]) -> Iterator[_Call]:
    """Those that came to an end, the oldest first. What is not of the shape we know is let be."""
    for number, message in enumerate(messages):
        for at, part in enumerate(parts_of(message)):
            state = part.get("state") if part.get("type") == "tool" else None
            if not isinstance(state, Mapping) or state.get("status") not in ("completed", "error"):
                continue
            failed = state["status"] == "error"
            output = state.get("error" if failed else "output")
            if isinstance(output, str):
                args = json.dumps(state.get("input") or {}, ensure_ascii=False, sort_keys=True, default=str)
                chars = state.get("chars")
                chars = chars if isinstance(chars, int) and chars > len(output) else len(output)
                yield _Call(number, at, str(part.get("callID", "")), str(part.get("tool", "")), args, output, chars, failed)


def _last_turns(messages: Sequence[Message]) -> int:
    """Where they begin: with a message of the user."""
    said = [number for number, message in enumerate(messages) if info_of(message).get("role") == "user"]
    return said[-_SAFE_TURNS] if len(said) >= _SAFE_TURNS else 0


def _unread(calls: Sequence[_Call], last: int) -> int:
    return sum(call.message == last for call in calls)


def _to_go(calls: Sequence[_Call], tasks: Mapping[str, str], keep: int) -> Iterator[tuple[_Call, str]]:
    """With the reason; the newest of the same reads stays."""
    older = calls[: max(0, len(calls) - keep)]
    repeated = {(call.tool, call.args): call for call in calls if call.tool in _READS and not call.failed}
    for number, call in enumerate(older):
        if call.tool in _REPORTS:
            continue
        newest = repeated.get((call.tool, call.args))
        if newest is not None and newest is not call:
            yield call, "repeated"
        elif tasks.get(call.id) in _DONE:
            yield call, "done"
        elif number < len(calls) - 2 * keep:
            yield call, "old"


def _line(call: _Call, why: str, language: str) -> str:
    args = inline(call.args)
    args = args if len(args) <= _MOST_ARGS else args[: _MOST_ARGS - 1] + "…"
    told = say(f"pruned.{why}", language, tool=inline(call.tool), args=args, chars=f"{call.chars:,}")
    again = (
        "" if why == "repeated" else ". " + say("again" if call.tool in _READS else "not again", language, tool=inline(call.tool))
    )
    return f"{MARK}{told}{again}]"


def _with(message: Message, number: int, changed: Mapping[tuple[int, int], str]) -> Message:
    """The same message with other outputs."""
    parts = [
        part if (number, at) not in changed else part | {"state": part["state"] | {_field(part): changed[number, at]}}
        for at, part in enumerate(message["parts"])
    ]
    return {**message, "parts": parts}


def _field(part: Mapping[str, Any]) -> str:
    return "error" if part["state"]["status"] == "error" else "output"
