"""What the user was promised of work and knowledge, as a model beside the real thing; and how the real thing is asked, so that a
refusal that changes something or a change without a trace is seen. Makes nothing happen by itself: ``everything`` does.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from idumb_brain.model.errors import BrainError
from idumb_brain.operations import gate as gates
from idumb_brain.operations import records
from idumb_brain.operations.ground import standing
from idumb_brain.operations.project import find_project
from idumb_brain.operations.work import Work
from tests.governance.sessions_model import Sessions

DONE: Counter[str] = Counter()  # what was asked → how often it was done
REFUSED: Counter[str] = Counter()  # what was asked, and words of the refusal → how often
DAY = timedelta(days=1)
_ID = re.compile(r"\b(?:plan|task|delegation|artifact|anchor|decision|gotcha|halt)-[\w-]+|\bw\d+x\b|\bs\d+\b|\d[\d:TZ-]*")
_TRACED = ("plans", "tasks", "delegations", "artifacts", "entries", "anchors")
_COUNTED = "access_count", "last_accessed_at"


@dataclass
class Plan:
    id: str
    word: str
    waits: list[str] = field(default_factory=list)
    state: str = "draft"
    abandoned: datetime | None = None
    purged: bool = False

    @property
    def current(self) -> bool:
        return self.state not in ("archived", "abandoned") and not self.purged


@dataclass
class Task:
    id: str
    plan: str
    word: str
    number: int
    role: str = ""
    ahead: bool = False
    waits: list[str] = field(default_factory=list)
    after: str = ""
    decision: str = ""
    state: str = "planned"
    holder: str = ""
    started: str = ""
    heard: str = ""
    shown: int = 0
    archived: bool = False

    @property
    def behind(self) -> list[str]:
        return [*self.waits, *([self.after] if self.after else [])]


@dataclass
class Handed:
    id: str
    task: str
    created: datetime
    expires: datetime | None
    state: str = "assigned"
    child: str = ""

    def standing(self, now: datetime) -> str:
        over = now >= self.expires if self.expires else now - self.created >= DAY
        return "expired" if over and self.state in ("assigned", "accepted") else self.state


@dataclass
class Known:
    """An entry, an anchor or a document."""

    id: str
    word: str
    decided: bool = True
    replaces: list[str] = field(default_factory=list)
    replaced: str = ""
    purged: bool = False
    critical: bool = False
    learned: bool = False  # its words are an entry, too, which stays when it goes
    touched: str = ""
    path: str = ""
    state: str = "active"


class Promised(Sessions):
    def knows_nothing(self) -> None:
        self.plans: dict[str, Plan] = {}
        self.tasks: dict[str, Task] = {}
        self.handed: dict[str, Handed] = {}
        self.entries: dict[str, Known] = {}
        self.anchors: dict[str, Known] = {}
        self.documents: dict[str, Known] = {}
        self.words = 0

    # -- how it is asked -----------------------------------------------------------------------------------------------

    def attempt(self, name: str, fits: bool | None, how: Callable[..., Any], *words: Any, **options: Any) -> Any:
        """``fits``: whether it has to be done or refused, None where the model does not say. A refusal changes nothing; a change leaves
        its trace."""
        before, traces = self.rows()
        try:
            told = how(*words, **options)
        except BrainError as error:
            assert not fits, f"{name} was refused: {error}"
            assert error.what and error.why and error.instead, error
            assert self.rows() == (before, traces), f"{name} was refused and changed something"
            REFUSED[f"{name}: {_ID.sub('…', error.why)[:70]}"] += 1
            return None
        assert fits is not False, f"{name} was not refused: {words} {options}"
        after, now = self.rows()
        traced = {id for id, _ in now[len(traces) :]}
        changed = {
            id for table in _TRACED for id in before[table] | after[table] if before[table].get(id) != after[table].get(id)
        }
        assert name == "checkpoint" or changed <= traced, f"{name} left no trace of {changed - traced}"
        DONE[name] += 1
        return told

    def rows(self) -> tuple[dict[str, dict[str, Any]], list[tuple[str, str]]]:
        """Everything on the disk: the tables that are traced, row by row, and the traces."""
        file = self.root / ".idumb" / "brain" / "brain.db"
        if not file.exists():
            return {table: {} for table in _TRACED}, []
        with closing(sqlite3.connect(file)) as disk:
            disk.row_factory = sqlite3.Row
            found: dict[str, dict[str, Any]] = {}
            for table in _TRACED:
                read = [dict(row) for row in disk.execute(f"SELECT * FROM {table}")]
                found[table] = {row["id"]: {key: cell for key, cell in row.items() if key not in _COUNTED} for row in read}
            return found, [tuple(row) for row in disk.execute("SELECT id, action FROM changes ORDER BY number")]

    @property
    def environ(self) -> dict[str, str]:
        return {"IDUMB_BRAIN_NOW": self.now}

    def work(self, operation: Any, *words: Any, **options: Any) -> Any:
        project = find_project(str(self.root), self.environ)
        with project.remembering(make=True, environ=self.environ) as opened:
            return operation(Work(project, opened, self.clock), *words, **options)

    def there(self, operation: Any, *words: Any, **options: Any) -> Any:
        return operation(*words, root=str(self.root), environ=self.environ, **options)

    def asked(self, mode: str, tool: str, **options: Any) -> Any:
        with standing(str(self.root), make=True, environ=self.environ) as ground:
            return gates.gate(replace(ground, mode=mode), tool, **options)

    # -- what was promised ---------------------------------------------------------------------------------------------

    def word(self) -> str:
        self.words += 1
        return f"w{self.words}x"

    def a(self, kept: dict[str, Any], number: int) -> Any:
        return list(kept.values())[number % len(kept)]

    def session(self, number: int | None) -> str:
        return "" if number is None else self.some(number) if self.known else "s0"

    def lineage(self, id: str) -> list[str]:
        found = [id]
        while id in self.known and (id := self.known[id].parent):
            found.insert(0, id)
        return found

    def of(self, plan: Plan) -> list[Task]:
        return [task for task in self.tasks.values() if task.plan == plan.id]

    def document(self, name: str) -> Known | None:
        return next((one for one in reversed(self.documents.values()) if one.path == name), None)

    def is_done(self, plan: Plan) -> bool:
        mine = [task for task in self.of(plan) if not task.ahead and not task.archived]
        return plan.state == "completed" or (
            plan.state == "archived" and not plan.abandoned and bool(mine) and all(task.state == "completed" for task in mine)
        )

    def is_long_gone(self, plan: Plan) -> bool:
        return plan.abandoned is not None and self.clock - plan.abandoned > 2 * DAY

    def waits(self, task: Task, *, decisions: bool = True) -> bool:
        if any(self.tasks[one].state != "completed" for one in task.behind):
            return True
        if any(not self.is_done(self.plans[one]) for one in self.plans[task.plan].waits):
            return True
        rests_on = self.entries.get(task.decision)
        open = rests_on is None or rests_on.purged or not (rests_on.replaced or rests_on.decided)
        return decisions and bool(task.decision) and open

    def relied_on(self, plan: Plan) -> bool:
        return any(one.state in ("active", "review") and plan.id in self.plans[one.plan].waits for one in self.tasks.values())

    def in_a_circle(self, anew: str = "") -> bool:
        """Whether some things wait for each other for ever, or would if the plan ``anew`` were to be done again."""
        waiting: dict[str, set[str]] = {
            id: {*one.behind, *self.plans[one.plan].waits} for id, one in self.tasks.items() if one.state != "completed"
        }
        waiting |= {
            id: {*one.waits, *(task.id for task in self.of(one))}
            for id, one in self.plans.items()
            if id == anew or not self.is_done(one)
        }
        while free := [id for id, on in waiting.items() if not on & waiting.keys()]:
            for id in free:
                del waiting[id]
        return bool(waiting)

    def held(self, task: Task, who: str) -> bool:
        """Whether a session that goes on, and has nothing to do with this one, is at it."""
        if not who or task.state != "active" or task.holder in ("", who):
            return False
        record = self.ask(records.shown, task.holder) if task.holder in self.known else None
        heard = max(record["updatedAt"] if record else "", task.started, task.heard)
        if (record and record["sessionState"] == "interrupted") or self.clock - datetime.fromisoformat(heard) > timedelta(
            hours=1
        ):
            return False
        return task.holder not in self.lineage(who) and who not in self.lineage(task.holder)

    def at_hand(self, who: str) -> Task | None:
        active = [
            one for one in self.tasks.values() if one.state == "active" and not one.archived and self.plans[one.plan].current
        ]
        mine = [one for one in active if who and one.holder == who]
        return max(mine or active, key=lambda one: (one.started, one.number), default=None)

    def plan_follows(self, plan: Plan) -> None:
        mine = [task for task in self.of(plan) if not task.ahead and not task.archived]
        done = bool(mine) and all(task.state == "completed" for task in mine)
        if plan.state in ("draft", "active", "completed"):
            begun = plan.state != "draft" or any(task.state != "planned" for task in mine)
            plan.state = "completed" if done else "active" if begun else "draft"

    def put_away(self, plan: Plan, state: str) -> None:
        plan.state = state
        for task in self.of(plan):
            if task.state in ("active", "review"):
                task.state, task.holder = "planned", ""
            self.handed_is_over(task, "recalled")
        self.breakers_go()

    def handed_is_over(self, task: Task, state: str) -> None:
        for one in self.handed.values():
            if one.task == task.id and one.standing(self.clock) in ("assigned", "accepted"):
                one.state = state

    def breakers_go(self) -> list[str]:
        """What others build on and will not be done leaves every context at once."""
        open = [one for one in self.tasks.values() if one.state in ("planned", "active", "review") and not one.archived]
        needed = {id for one in open for id in one.behind}
        gone = [
            one for one in self.tasks.values()
            if one.id in needed and not one.archived and one.state != "completed"
            and (one.state == "failed" or not self.plans[one.plan].current)
        ]  # fmt: skip
        for one in gone:
            one.archived = True
        return [one.id for one in gone]

    def says_nothing_of_what_was_left(self, text: str, *, old_only: bool = False) -> None:
        for word in self.left(old_only):
            assert word not in re.findall(r"w\d+x|[\w-]+", text), f"{word} is told of:\n{text}"

    def left(self, old_only: bool) -> Iterator[str]:
        for plan in self.plans.values():
            if plan.purged or (plan.state == "archived" and not old_only):
                yield from (plan.id, plan.word)
                yield from (id for task in self.of(plan) for id in (task.id, *([task.word] if task.state != "completed" else [])))
        if old_only:
            return
        yield from (id for one in self.tasks.values() if one.archived for id in (one.id, one.word))
        yield from (id for one in self.entries.values() if one.purged or one.replaced for id in (one.id, one.word))
        yield from (id for one in self.anchors.values() if one.purged for id in (one.id, *(() if one.learned else (one.word,))))
        yield from (one.id for one in self.documents.values() if one.state in ("superseded", "abandoned"))
