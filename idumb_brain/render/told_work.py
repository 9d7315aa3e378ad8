"""Work, worded to be told: plans, tasks, steps, delegations and roles, each from its shortest form to its longest. Chooses nothing."""

from __future__ import annotations

from idumb_brain.model.governance import Role
from idumb_brain.model.work import Checkpoint, Delegation, Plan, Task
from idumb_brain.render.quoting import MARK, inline, lines
from idumb_brain.render.wording import say, spoken_span

_MOST_PATHS = 6
_MAY = ("read", "write", "shell", "plan", "delegate")
_NEVER = ("write", "shell", "delegate")  # what is worth saying that one may not


def plan(one: Plan, done: int, total: int, language: str) -> tuple[str, ...]:
    """How far it is; then what it has to fulfil."""
    short = f"{MARK}{say('plan', language)}: {inline(one.name)} ({say('progress', language, done=done, total=total)}) #{one.id}"
    if not one.acceptance:
        return (short,)
    return (short, "\n".join([f"{short}; {say('acceptance', language)}:", *map(lines, one.acceptance)]))


def task(one: Task, state: str, language: str) -> tuple[str, ...]:
    """What it is called and who does it; then what it has to yield; then by what means."""
    who = f", {say('assigned', language, to=inline(one.assigned_to))}" if one.assigned_to else ""
    by = f" {say('by', language, by=inline(one.delegated_by))}" if one.assigned_to and one.delegated_by else ""
    short = f"{MARK}{say('task', language)}: {inline(one.name)} [{say(f'state.{state}', language)}]{who}{by} #{one.id}"
    expected = f"{short}\n{MARK}  {say('expected', language)}: {inline(one.expected_output)}"
    limits = [
        f"{say(what, language)}: {', '.join(map(inline, values))}"
        for what, values in (("only with", one.allowed_tools), ("only in", one.paths))
        if values
    ]
    return (short, expected, *([f"{expected}\n{MARK}  {'; '.join(limits)}"] if limits else []))


def checkpoint(one: Checkpoint, now: str, language: str) -> tuple[str, ...]:
    """What was done; then with which files."""
    short = f"{MARK}{moment(one.at, now)} {inline(one.tool)}: {inline(one.summary)}"
    unsaid = [file for file in one.files if file not in one.summary]
    return (short, f"{short} ({', '.join(map(inline, unsaid))})") if unsaid else (short,)


def step(at: str, kind: str, action: str, text: str, now: str, language: str) -> tuple[str, ...]:
    """A line of history."""
    done = inline(action) if kind == "checkpoint" else say(f"{kind}.{action}", language)
    return (f"{MARK}{moment(at, now)} {done}: {inline(text)}",)


def coming(one: Task, waits: bool, language: str) -> tuple[str, ...]:
    """What is to be done next; ``waits``: for the task at hand."""
    who = f", {say('assigned', language, to=inline(one.assigned_to))}" if one.assigned_to else ""
    then = f" ({say('waits', language)})" if waits else ""
    return (f"{MARK}{say('next', language)}: {inline(one.name)}{who}{then} #{one.id}",)


def foreseen(name: str, language: str) -> tuple[str, ...]:
    return (f"{MARK}{say('ahead', language)}: {inline(name)}",)


def delegation(one: Delegation, of: Task, now: str, language: str) -> tuple[str, ...]:
    """Who hands what to whom; then what is expected, and with which tools until when."""
    who = f"{inline(one.sender)} → {inline(one.receiver)}" if one.sender else f"→ {inline(one.receiver)}"
    short = f"{MARK}{say('delegated', language)}: {inline(of.name)}, {who} [{say(f'state.{one.state}', language)}]"
    more = [f"{say('expected', language)}: {inline(one.expected_output)}"] if one.expected_output else []
    more += [f"{say('only with', language)}: {', '.join(map(inline, one.allowed_tools))}"] if one.allowed_tools else []
    more += [say("until", language, time=moment(one.expires_at, now))] if one.expires_at else []
    return (short, f"{short}\n{MARK}  {'; '.join(more)}") if more else (short,)


def role(one: Role, above: tuple[str, ...], language: str) -> tuple[str, ...]:
    """What it is called; then what it may, and who is above it."""
    short = f"{say('role', language)}: {inline(one.name)}"
    where = f" ({', '.join(map(inline, one.paths[:_MOST_PATHS]))})" if one.paths else ""
    may = [say(f"may.{family}", language) + where * (family == "write") for family in _MAY if family in one.families]
    never = [say(f"never.{family}", language) for family in _NEVER if family not in one.families]
    told = f"{short}: {say('may', language)} {', '.join(may)}" if may else short
    if never:
        told += f"; {say('never', language)} {', '.join(never)}"
    if above:
        told += f". {say('above', language)}: {' → '.join(map(inline, above))}"
    return (short, told) if told != short else (short,)


def moment(at: str, now: str) -> str:
    """The time of day; with the date where that is not today's."""
    return at[11:16] if at[:10] == now[:10] else f"{at[:10]} {at[11:16]}"


def pause(seconds: float, since: str, language: str) -> tuple[str, ...]:
    """How long nobody was at work, and since when."""
    return (say("idle", language, span=spoken_span(seconds, language), since=since),)


def late(one: Task, seconds: float, language: str) -> tuple[str, ...]:
    return (MARK + say("late", language, span=spoken_span(seconds, language), name=inline(one.name)),)


def broken(one: Task, language: str) -> tuple[str, ...]:
    return (MARK + say("broken", language, name=inline(one.name)),)
