"""What follows from plans and tasks: a small world in a few letters, and what has to be true of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idumb_brain.graph import tasks as graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model.knowledge import Entry
from idumb_brain.model.work import Checkpoint, Gate, Plan, Task

NOW = datetime(2026, 2, 4, 10, 30, tzinfo=UTC)


def board(*tasks: Task, plans: tuple[Plan, ...] = (Plan("p", "Plan", state="active"),), entries: tuple[Entry, ...] = ()) -> Board:
    known = {entry.id: entry for entry in entries}
    return Board({plan.id: plan for plan in plans}, {task.id: task for task in tasks}, known.get)


def task(number: str, state: str = "planned", plan: str = "p", **rest: object) -> Task:
    return Task(number, plan, number.upper(), "something", state, **rest)  # type: ignore[arg-type]


def ago(**span: float) -> str:
    return (NOW - timedelta(**span)).strftime("%Y-%m-%dT%H:%M:%SZ")


DECIDED = Entry("d", "decision", "Use JWT", "…", confidence=80)
# what stands before b, and the ids it waits for
WAITS = {
    "nothing": (task("b"), (), []),
    "a planned": (task("b", depends_on=("a",)), (task("a"),), ["a"]),
    "a active": (task("b", depends_on=("a",)), (task("a", "active"),), ["a"]),
    "a in review": (task("b", depends_on=("a",)), (task("a", "review"),), ["a"]),
    "a completed": (task("b", depends_on=("a",)), (task("a", "completed"),), []),
    "a failed": (task("b", depends_on=("a",)), (task("a", "failed"),), ["a"]),
    "a unknown": (task("b", depends_on=("a",)), (), ["a"]),
    "a archived": (task("b", depends_on=("a",)), (task("a", archived_at="then"),), ["a"]),
    "a completed, then archived": (task("b", depends_on=("a",)), (task("a", "completed", archived_at="then"),), []),
    "gate planned": (task("b", gate=Gate("a", "tables first")), (task("a"),), ["a"]),
    "gate completed": (task("b", gate=Gate("a", "tables first")), (task("a", "completed"),), []),
    "open decision": (task("b", decisions=("o",)), (), ["o"]),
    "taken decision": (task("b", decisions=("d",)), (), []),
    "unknown decision": (task("b", decisions=("x",)), (), ["x"]),
    "purged decision": (task("b", decisions=("gone",)), (), ["gone"]),
    "decision that another took the place of": (task("b", decisions=("old",)), (), []),
    "decision whose successor was purged": (task("b", decisions=("older",)), (), ["older"]),
    "decisions that supersede each other": (task("b", decisions=("round",)), (), []),
}
ENTRIES = (
    DECIDED, Entry("o", "decision", "Which database?", "…", confidence=0), Entry("gone", "decision", "Use XML", "…", purged_at="then"),
    Entry("old", "decision", "Use cookies", "…", superseded_by="d"), Entry("older", "decision", "Use SOAP", "…", superseded_by="gone"),
    Entry("round", "decision", "Tabs", "…", superseded_by="about"), Entry("about", "decision", "Not", "…", superseded_by="round"),
)  # fmt: skip


@pytest.mark.parametrize("case", WAITS)
def test_what_a_task_waits_for(case: str) -> None:
    one, others, expected = WAITS[case]
    world = board(one, *others, entries=ENTRIES)
    assert [waiting.for_id for waiting in graph.waits_for(one, world)] == expected
    assert graph.state_of(one, world) == ("blocked" if expected else "planned")
    assert (one in graph.ready(world)) == (not expected)


def test_tasks_of_a_plan_wait_for_the_plans_it_depends_on() -> None:
    first, second = Plan("p", "First", state="active"), Plan("q", "Second", depends_on=("p",))
    one = task("b", plan="q")
    assert graph.state_of(one, board(one, plans=(first, second))) == "blocked"
    done = Plan("p", "First", state="completed")
    assert graph.state_of(one, board(one, plans=(done, second))) == "planned"


@pytest.mark.parametrize("state", ["abandoned", "archived"])
def test_what_was_left_is_no_longer_in_force(state: str) -> None:
    world = board(task("a"), plans=(Plan("p", "Plan", state=state),))
    assert not graph.in_force(world) and not graph.ready(world)


def test_two_tiers_of_purge() -> None:
    old, fresh = (
        Plan("p", "Old", state="abandoned", abandoned_at=ago(hours=49)),
        Plan("q", "Fresh", state="abandoned", abandoned_at=ago(hours=47)),
    )
    kept = Plan("r", "Kept", state="active")
    needed, alone = task("a", plan="q"), task("c", plan="q")
    builds = task("b", plan="r", depends_on=("a",))
    world = board(needed, alone, builds, plans=(old, fresh, kept))
    assert graph.to_purge(world, NOW) == [old]
    assert graph.chain_breakers(world) == [needed]
    assert [(one.id, needs) for one, needs, _ in graph.chain_breaks(world)] == [("b", "a")]


def test_a_failed_task_that_nobody_needs_stays() -> None:
    assert graph.chain_breakers(board(task("a", "failed"))) == []
    assert [one.id for one in graph.chain_breakers(board(task("a", "failed"), task("b", depends_on=("a",))))] == ["a"]


def test_stale_counts_from_the_last_checkpoint() -> None:
    one = task("a", "active", started_at=ago(hours=2))
    world = board(one)
    assert [idle for _, idle in graph.stale(world, {}, NOW)] == [7200]
    assert not graph.stale(world, {"a": Checkpoint("c", "a", "write", ago(minutes=29), "wrote")}, NOW)
    assert graph.stale(world, {"a": Checkpoint("c", "a", "write", ago(minutes=31), "wrote")}, NOW)
    assert not graph.stale(board(task("a", "active", started_at=ago(hours=-2))), {}, NOW), "a clock set back makes nothing stale"


def test_next_is_what_becomes_free() -> None:
    world = board(task("a", "active"), task("x"), task("b", depends_on=("a",)), task("c", depends_on=("b",)))
    assert graph.next_after(world.tasks["a"], world) == world.tasks["b"]


def test_progress_counts_neither_what_is_foreseen_nor_what_was_archived() -> None:
    world = board(task("a", "completed"), task("b"), task("c", ahead=True), task("d", "failed", archived_at="then"))
    assert graph.progress(world.plans["p"], world) == (1, 2)


_NAMES = [f"t{number}" for number in range(8)]


@given(st.lists(st.tuples(st.sampled_from(_NAMES), st.sampled_from(_NAMES)), max_size=20))
def test_no_order_of_links_makes_a_circle(links: list[tuple[str, str]]) -> None:
    """Links are taken or refused one by one; those taken always leave an order in which everything can be done."""
    taken = {name: task(name) for name in _NAMES}
    for one, other in links:
        circle = graph.circle_with(one, (other,), board(*taken.values()))
        if circle:
            assert circle[0] == circle[-1] == one
        else:
            taken[one] = task(one, depends_on=(*taken[one].depends_on, other))
    done: set[str] = set()
    while len(done) < len(_NAMES):
        free = {name for name, one in taken.items() if name not in done and set(one.depends_on) <= done}
        assert free, f"{taken} cannot be done in any order"
        done |= free
