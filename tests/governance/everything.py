"""Plans, tasks, delegations, knowledge, anchors, documents, sessions, the gate and the clock, driven at random together.

Every step finds the brain closed and leaves it closed: what is not on the disk is not there for the next one. A model beside it knows
what the user was promised. As a command it says what was done and how often each refusal came up:
``python -m tests.governance.everything 5000``.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule, run_state_machine_as_test

from idumb_brain.model.governance import ENFORCE, MODES, OBSERVE
from idumb_brain.model.selection import DELEGATION
from idumb_brain.operations import anchors, artifacts, brain, context, delegations, plans, records, sessions, tasks
from idumb_brain.render.blocks import BLOCKS
from tests.governance.promised import DAY, DONE, REFUSED, Handed, Known, Plan, Promised, Task

NUMBER = st.integers(0, 99)
WORKERS = ("", "", "executor", "builder", "planner")
TOOLS = ("read", "edit", "write", "bash", "task", "govern_task", "govern_delegate", "unheard-of")
MOVES = st.tuples(
    NUMBER,
    st.sampled_from(["start", "start", "complete", "complete", "checkpoint", "review", "fail"]),
    st.none() | NUMBER,
    st.booleans(),
)


class Everything(Promised):
    @initialize(chains=st.integers(0, 3), sessions=st.integers(0, 3), moves=st.lists(MOVES, max_size=12))
    def begins(self, chains: int, sessions: int, moves: list[tuple[int, str, int | None, bool]]) -> None:
        """Nothing, or a few plans of tasks that wait for one another and sessions to do them."""
        self.knows_nothing()
        self.blocks_told = 0
        super().begins()
        for _ in range(sessions):
            self.user_begins("coordinator")
        for plan in range(chains):
            self.plan_is_made(None)
            for step in range(3):
                self.task_is_planned(plan, [3 * plan + step - 1] if step else [], None, None, "executor" if step == 2 else "", 1)
        if self.tasks:
            self.work_goes_on(moves)

    # -- plans ---------------------------------------------------------------------------------------------------------

    @rule(depends=st.none() | NUMBER)
    @precondition(lambda self: len(self.plans) < 12)
    def plan_is_made(self, depends: int | None) -> None:
        word = self.word()
        on = [self.a(self.plans, depends).id] if depends is not None and self.plans else []
        made = self.attempt("plan create", True, self.work, plans.create, f"Plan {word}", acceptance=["it works"], depends=on)
        self.plans[made["id"]] = Plan(made["id"], word, on)

    @rule(
        plan=NUMBER, depends=st.lists(NUMBER, max_size=2), after=st.none() | NUMBER, decision=st.none() | NUMBER,
        role=st.sampled_from(WORKERS), ahead=st.integers(0, 4),
    )  # fmt: skip
    @precondition(lambda self: self.plans and len(self.tasks) < 40)
    def task_is_planned(
        self, plan: int, depends: list[int], after: int | None, decision: int | None, role: str, ahead: int
    ) -> None:
        home = self.a(self.plans, plan)
        on = list(dict.fromkeys(self.a(self.tasks, one).id for one in depends)) if self.tasks else []
        made = Task(f"new in {home.id}", home.id, self.word(), len(self.tasks), role, ahead == 0, on)
        made.after = self.a(self.tasks, after).id if after is not None and self.tasks else ""
        made.decision = self.a(self.entries, decision).id if decision is not None and self.entries else ""
        reopens = home.state == "completed" and not made.ahead
        self.tasks[made.id] = made
        circle = self.in_a_circle()
        del self.tasks[made.id]
        told = self.attempt(
            "plan add", home.current and not circle and not (reopens and self.relied_on(home)), self.work, plans.add, home.id,
            f"Task {made.word}", expected="it works", assign=role, depends=on, after=made.after,
            reason="first things first" if made.after else "", decisions=[made.decision] if made.decision else (), ahead=made.ahead,
        )  # fmt: skip
        if told:
            made.id = told["id"]
            self.tasks[made.id] = made
            home.state = "active" if reopens else home.state

    @rule(one=NUMBER, other=NUMBER, of_plans=st.booleans())
    @precondition(lambda self: self.tasks)
    def is_linked(self, one: int, other: int, of_plans: bool) -> None:
        kept: dict[str, Any] = self.plans if of_plans else self.tasks
        found, on = self.a(kept, one), self.a(kept, other)
        before = found.waits
        mine = self.of(found) if of_plans else [found]
        begun = any(task.state in ("active", "review") for task in mine) or (not of_plans and found.state == "completed")
        done = self.is_done(on) if of_plans else on.state == "completed"
        found.waits = list(dict.fromkeys([*before, on.id]))
        fits = not self.in_a_circle(found.id) and on is not found and (done or not begun)
        if not self.attempt("plan link", fits, self.work, plans.link, found.id, on.id):
            found.waits = before

    @rule(one=NUMBER, which=NUMBER, of_plans=st.booleans())
    @precondition(lambda self: self.tasks)
    def is_unlinked(self, one: int, which: int, of_plans: bool) -> None:
        kept: dict[str, Any] = self.plans if of_plans else self.tasks
        found = self.a(kept, one)
        behind = found.waits if of_plans else found.behind
        on = behind[which % len(behind)] if behind else "task-of-nobody"
        if self.attempt("plan unlink", bool(behind), self.work, plans.unlink, found.id, on):
            found.waits = [one for one in found.waits if one != on]
            if not of_plans and found.after == on:
                found.after = ""

    @rule(plan=NUMBER)
    @precondition(lambda self: self.plans)
    def plan_is_archived(self, plan: int) -> None:
        found = self.a(self.plans, plan)
        unfinished = [task for task in self.of(found) if task.state in ("planned", "active", "review") and not task.ahead]
        fits = found.state in ("completed", "archived") or not unfinished
        if self.attempt("plan archive", fits, self.work, plans.archive, found.id):
            self.put_away(found, "archived")

    @rule(plan=NUMBER)
    @precondition(lambda self: self.plans)
    def plan_is_abandoned(self, plan: int) -> None:
        found = self.a(self.plans, plan)
        if self.attempt("plan abandon", found.state not in ("completed", "archived"), self.work, plans.abandon, found.id):
            found.abandoned = found.abandoned or self.clock
            self.put_away(found, "abandoned")

    @rule()
    @precondition(lambda self: self.plans)
    def old_plans_are_purged(self) -> None:
        """As at the start of a session."""
        told = self.attempt("purge", True, self.work, plans.purge)
        old = [one for one in self.plans.values() if one.state == "abandoned" and not one.purged and self.is_long_gone(one)]
        for one in old:
            one.purged = True
        assert told == [one.id for one in old] + self.breakers_go()

    # -- tasks ---------------------------------------------------------------------------------------------------------

    @rule(moves=st.lists(MOVES, min_size=2, max_size=8))
    @precondition(lambda self: self.tasks)
    def work_goes_on(self, moves: list[tuple[int, str, int | None, bool]]) -> None:
        """As it usually does: what may be started is, and what was started ends."""
        for task, action, session, shows in moves:
            if action == "checkpoint":
                self.something_is_done(session, None)
            else:
                self.move(task, action, "", session, shows=shows, sensible=True)
            self.what_was_done_is_there()

    @rule(
        task=NUMBER, action=st.sampled_from(["start", "review", "complete", "fail"]), role=st.sampled_from(WORKERS),
        session=st.none() | NUMBER, shows=st.booleans(), sensible=st.booleans(),
    )  # fmt: skip
    @precondition(lambda self: self.tasks)
    def task_is_moved(self, task: int, action: str, role: str, session: int | None, shows: bool, sensible: bool) -> None:
        self.move(task, action, role, session, shows=shows, sensible=sensible)

    def move(self, task: int, action: str, role: str, session: int | None, *, shows: bool, sensible: bool) -> None:
        """``sensible``: one that it may be done with."""
        begins = action == "start"
        fitting = {
            id: one for id, one in self.tasks.items()
            if one.state in (("planned", "failed") if begins else ("active", "review"))
            and not (begins and (self.waits(one) or not self.plans[one.plan].current))
        }  # fmt: skip
        if sensible and not fitting:
            return
        found, who = self.a(fitting if sensible else self.tasks, task), self.session(session)
        role = found.role if sensible else role
        plan = self.plans[found.plan]
        fits = not (role and found.role and role != found.role and action != "review") and not self.held(found, who)
        match action:
            case "start":
                fresh = found.state in ("planned", "failed")
                ready = plan.current and not self.waits(found) and not (plan.state == "completed" and self.relied_on(plan))
                fits = fits and (ready if fresh else found.state in ("active", "review"))
            case "review":
                fits = fits and found.state == "active"
            case "complete":
                fits = fits and found.state in ("active", "review") and (shows or found.shown > 0)
            case _:
                fits = fits and found.state in ("planned", "active", "review") and shows
        evidence = "seen" if shows else ""
        told = self.attempt(
            f"task {action}", fits, self.work, tasks.move, action, found.id, evidence=evidence, role=role, session=who
        )
        if told is None:
            return
        found.state = {"start": "active", "review": "review", "complete": "completed", "fail": "failed"}[action]
        if action == "start":
            found.ahead, found.archived, found.started = False, False, self.now
            found.holder = who or found.holder
        if action in ("complete", "fail"):
            self.handed_is_over(found, "completed")
        if action == "fail":
            found.holder = ""
        self.plan_follows(plan)
        assert told["archived"] == (self.breakers_go() if action == "fail" else [])

    @rule(session=st.none() | NUMBER, task=st.none() | NUMBER)
    def something_is_done(self, session: int | None, task: int | None) -> None:
        who = self.session(session)
        named = self.a(self.tasks, task) if task is not None and self.tasks else None
        found = named or self.at_hand(who)
        told = self.attempt(
            "checkpoint",
            True,
            self.work,
            tasks.record,
            "edit",
            "wrote it",
            files=["a.py"],
            task=named.id if named else "",
            session=who,
        )
        if found is None or found.state not in ("active", "review") or self.held(found, who):
            assert told is None
            return
        assert told["task"] == found.id
        found.shown, found.heard = found.shown + 1, self.now

    # -- delegations ---------------------------------------------------------------------------------------------------

    @rule(
        task=NUMBER, to=st.sampled_from(["executor", "builder", "planner", "verifier", "coordinator"]), session=st.none() | NUMBER,
        role=st.sampled_from(["", "", "coordinator", "planner", "builder"]), expires=st.sampled_from(["", "30min", "2d"]),
    )  # fmt: skip
    @precondition(lambda self: self.tasks)
    def task_is_handed_on(self, task: int, to: str, session: int | None, role: str, expires: str) -> None:
        """Exactly who may hand what to whom is shown elsewhere; here: what is never right never passes."""
        found, who = self.a(self.tasks, task), self.session(session)
        chain = [self.known[one].role for one in self.lineage(who)] if who in self.known else [""]
        chain[-1] = role or chain[-1]
        left = found.state in ("completed", "failed") or not self.plans[found.plan].current
        never = left or len(chain) > 3 or to in chain or chain[-1] in ("builder", "validator")
        told = self.attempt(
            "delegate assign", False if never and (left or role or who) else None, self.work, delegations.assign, found.id, to,
            role=role, session=who, expires=expires,
        )  # fmt: skip
        if told:
            assert 1 <= told["depth"] <= 3
            self.handed_is_over(found, "recalled")
            until = {"": None, "30min": self.clock + timedelta(minutes=30), "2d": self.clock + 2 * DAY}[expires]
            self.handed[told["id"]] = Handed(told["id"], found.id, self.clock, until)
            found.role = to

    @rule(number=NUMBER, session=NUMBER)
    @precondition(lambda self: self.handed and self.known)
    def work_is_taken(self, number: int, session: int) -> None:
        task, child = self.a(self.handed, number).task, self.some(session)
        waiting = [one for one in self.handed.values() if one.task == task and one.standing(self.clock) == "assigned"]
        told = self.attempt("delegate accept", True, self.work, delegations.accepted, task, child)
        assert (told["id"] if told else "") == (waiting[0].id if waiting else "")
        if waiting:
            waiting[0].state, waiting[0].child = "accepted", child

    @rule(session=NUMBER)
    @precondition(lambda self: self.known)
    def work_comes_back(self, session: int) -> None:
        child = self.some(session)
        told = self.attempt("delegate end", True, self.work, delegations.ended, child)
        mine = [one for one in self.handed.values() if one.child == child]
        over = mine[-1] if mine and mine[-1].standing(self.clock) in ("assigned", "accepted") else None
        assert (told["id"] if told else "") == (over.id if over else "")
        if over:
            over.state = "completed"

    @rule(number=NUMBER)
    @precondition(lambda self: self.handed)
    def work_is_recalled(self, number: int) -> None:
        found = self.a(self.handed, number)
        fits = found.standing(self.clock) in ("assigned", "accepted")
        if self.attempt("delegate recall", fits, self.work, delegations.recall, found.id):
            found.state = "recalled"
            task = self.tasks[found.task]
            if task.state in ("planned", "active", "review"):
                task.role = ""
            if task.state == "active":
                task.state, task.holder = "planned", ""

    # -- knowledge -----------------------------------------------------------------------------------------------------

    @rule(open=st.booleans(), supersedes=st.none() | NUMBER)
    @precondition(lambda self: len(self.entries) < 30)
    def knowledge_is_written(self, open: bool, supersedes: int | None) -> None:
        word = self.word()
        old = self.a(self.entries, supersedes) if supersedes is not None and self.entries else None
        told = self.attempt(
            "brain write", not (old and old.replaced), self.there, brain.write, "decision", f"Decision {word}", f"It is {word}.",
            supersedes=old.id if old else "", confidence_now=0 if open else 100, force=True,
        )  # fmt: skip
        if told:
            made = self.entries[told["id"]] = Known(told["id"], word, not open)
            if old:
                old.replaced, made.replaces = made.id, [old.id]

    @rule(old=NUMBER, new=NUMBER)
    @precondition(lambda self: self.entries)
    def knowledge_is_superseded(self, old: int, new: int) -> None:
        one, by = self.a(self.entries, old), self.a(self.entries, new)
        chain = [by.id]
        while after := self.entries[chain[-1]].replaced:
            chain.append(after)
        fits = not one.replaced and one.id not in chain and not by.purged
        if self.attempt("brain supersede", fits, self.there, brain.supersede, one.id, by.id):
            one.replaced = by.id
            by.replaces.append(one.id)

    @rule(number=NUMBER, hard=st.booleans())
    @precondition(lambda self: self.entries)
    def knowledge_is_purged(self, number: int, hard: bool) -> None:
        found = self.a(self.entries, number)
        self.attempt("brain purge", True, self.there, brain.purge, [found.id], hard=hard, yes=True)
        found.purged = True
        if hard:
            del self.entries[found.id]
            for old in found.replaces:
                if old in self.entries:
                    self.entries[old].replaced = found.replaced
                    self.entries[old].purged = self.entries[old].purged or not found.replaced
            if found.replaced:
                after = self.entries[found.replaced]
                after.replaces = [*(one for one in after.replaces if one != found.id), *found.replaces]

    @rule(number=NUMBER)
    @precondition(lambda self: self.entries)
    def knowledge_is_validated(self, number: int) -> None:
        found = self.a(self.entries, number)
        self.attempt("brain validate", True, self.there, brain.validate, [found.id])
        found.decided = True

    @rule(type=st.sampled_from(["context", "decision", "error"]), priority=st.sampled_from(["critical", "high", "low"]))
    @precondition(lambda self: len(self.anchors) < 30)
    def anchor_is_added(self, type: str, priority: str) -> None:
        word = self.word()
        told = self.attempt("anchor add", True, self.there, anchors.add, type, priority, f"{word} holds")
        self.anchors[told["id"]] = Known(
            told["id"], word, critical=priority == "critical", learned=type == "decision", touched=self.now
        )
        self.attempt("anchor add", False, self.there, anchors.add, type, priority, f"{word} holds")

    @rule(number=NUMBER, anew=st.booleans())
    @precondition(lambda self: self.anchors)
    def anchor_is_touched(self, number: int, anew: bool) -> None:
        found = self.a(self.anchors, number)
        word = self.word() if anew else found.word
        told = self.attempt(
            "anchor update", None if found.purged else True, self.there, anchors.update, found.id, content=f"{word} holds"
        )
        if told:
            found.word, found.touched = word, self.now

    @rule(number=NUMBER)
    @precondition(lambda self: self.anchors)
    def anchor_is_removed(self, number: int) -> None:
        found = self.a(self.anchors, number)
        self.attempt("anchor remove", True, self.there, anchors.remove, [found.id])
        found.purged = True

    @rule()
    @precondition(lambda self: self.anchors)
    def old_anchors_are_purged(self) -> None:
        """As at a compaction."""
        told = self.attempt("anchor purge", True, self.there, anchors.purge_old)["purged"]
        for id in told:
            assert not self.anchors[id].critical and not self.anchors[id].purged
            self.anchors[id].purged = True

    # -- planning documents --------------------------------------------------------------------------------------------

    @rule(name=st.sampled_from("abc"), supersedes=st.none() | st.sampled_from("abc"))
    @precondition(lambda self: self.plans)
    def document_is_added(self, name: str, supersedes: str | None) -> None:
        file = self.root / f"{name}.md"
        if not file.exists():
            file.write_text(f"# Plan {name}\n\nDo it.\n")
        held = self.document(name)
        known = held if held and held.state in ("active", "completed") else None
        old = self.document(supersedes) if supersedes else None
        fits = not supersedes or (supersedes != name and old is not None and old.state in ("active", "completed"))
        told = self.attempt(
            "artifact add", fits, self.work, artifacts.add, f"{name}.md", supersedes=f"{supersedes}.md" if supersedes else ""
        )
        if told:
            assert not known or told["id"] == known.id
            self.documents.setdefault(told["id"], Known(told["id"], told["id"], path=name))
            if old:
                old.state = "superseded"

    @rule(name=st.sampled_from("abc"), state=st.sampled_from(["completed", "abandoned"]))
    @precondition(lambda self: self.documents)
    def document_is_moved(self, name: str, state: str) -> None:
        found = self.document(name)
        fits = found is not None and (found.state in ("active", "completed") or found.state == state)
        if self.attempt(f"artifact {state}", fits, self.work, artifacts.move, state, f"{name}.md") and found:
            found.state = state

    # -- what agents ask and are told ----------------------------------------------------------------------------------

    @rule(
        tool=st.sampled_from(TOOLS), role=st.sampled_from(["", "executor", "validator", "coordinator", "poet"]),
        session=st.none() | NUMBER, mode=st.sampled_from(MODES), task=st.none() | NUMBER,
    )  # fmt: skip
    def agent_asks(self, tool: str, role: str, session: int | None, mode: str, task: int | None) -> None:
        who = self.session(session)
        args = {"filePath": "library/a.py", "command": "ls", "subagent_type": "executor", "action": "start"}
        args |= {"task": self.a(self.tasks, task).id} if task is not None and self.tasks else {}
        strict = who in self.known and self.ask(records.shown, who)["strict"]
        told = self.attempt("gate", True, self.asked, mode, tool, role=role, session=who, args=args)
        assert told["decision"] == "allow" or all(told[part] for part in ("what", "why", "instead", "evidence")), told
        assert not (told["enforced"] and mode == OBSERVE and not strict)
        assert told["enforced"] == (told["decision"] == "block") or mode != ENFORCE
        if tool in ("edit", "write") and told["decision"] != "block":
            assert any(one.state == "active" and self.plans[one.plan].current for one in self.tasks.values())
        if told["halt"]:
            self.halted.append(told["halt"]["id"])
        self.says_nothing_of_what_was_left(str({key: told[key] for key in ("what", "why", "instead", "evidence")}), old_only=True)

    @rule(number=NUMBER)
    @precondition(lambda self: self.known)
    def context_is_summarised(self, number: int) -> None:
        id = self.some(number)
        held = [one.id for one in self.anchors.values() if not one.purged]
        told = self.attempt("compacting", True, self.ask, sessions.compacting, id, anchors=held)
        assert list(told["session"]["anchorsSurvived"]) == held

    @rule(number=NUMBER)
    @precondition(lambda self: self.known)
    def session_is_resumed(self, number: int) -> None:
        id = self.some(number)
        self.notice_sleep(id)
        self.attempt("resumed", True, self.ask, sessions.resumed, id)

    @rule(name=st.sampled_from(BLOCKS), budget=st.integers(0, 3_000), session=st.none() | NUMBER)
    def agent_is_told(self, name: str, budget: int, session: int | None) -> None:
        self.tell(name, budget, self.session(session))

    def tell(self, name: str, budget: int, session: str) -> None:
        told = self.attempt("context", True, self.there, context.context, name, session=session, budget=budget)
        assert len(told["text"]) == told["chars"] <= budget
        self.says_nothing_of_what_was_left(told["text"])
        for one in told["selected"]:
            assert one["kind"] != DELEGATION or self.handed[one["id"]].standing(self.clock) in ("assigned", "accepted"), one

    # -- what always holds ---------------------------------------------------------------------------------------------

    @invariant()
    def what_was_done_is_there(self) -> None:
        if not getattr(self, "known", None) and not getattr(self, "plans", None):
            return
        known = self.work(plans.status, everything=True)
        kept = {one["id"]: one for one in known["plans"]}
        assert kept.keys() == self.plans.keys()
        for id, plan in self.plans.items():
            assert (kept[id]["status"], bool(kept[id]["purgedAt"])) == (plan.state, plan.purged), (kept[id], plan)
            assert sorted(kept[id]["dependsOn"]) == sorted(plan.waits)
            if plan.state == "completed":
                assert all(one["status"] == "completed" for one in kept[id]["tasks"])
        told = {one["id"]: one for plan in known["plans"] for one in (*plan["tasks"], *plan["planAhead"])}
        assert told.keys() == {one.id for one in self.tasks.values() if not one.archived}
        for id, task in self.tasks.items():
            one = told.get(id) or self.work(tasks.status, id)
            state = "blocked" if task.state == "planned" and self.waits(task) else task.state
            assert (one["status"], one["claimedBy"] or "", one["assignedTo"]) == (state, task.holder, task.role), (one, task)
            assert bool(one["waitsFor"]) == (state == "blocked")
            assert not (task.state in ("active", "review") and self.waits(task, decisions=False)), one
        assert not self.in_a_circle()
        ready = {
            id for id, one in self.tasks.items()
            if one.state == "planned" and not one.ahead and not one.archived and self.plans[one.plan].current and not self.waits(one)
        }  # fmt: skip
        assert set(known["ready"]) == ready

    @invariant()
    def what_was_left_is_not_told(self) -> None:
        """One block after the other, with room for all there is."""
        if getattr(self, "plans", None):
            self.blocks_told += 1
            self.tell(BLOCKS[self.blocks_told % len(BLOCKS)], 20_000, self.session(self.blocks_told))

    @invariant()
    def who_works_for_whom_is_there(self) -> None:
        if not getattr(self, "handed", None):
            return
        kept = {one["id"]: one for one in self.work(delegations.status, everything=True)}
        assert {id: one["status"] for id, one in kept.items()} == {
            id: one.standing(self.clock) for id, one in self.handed.items()
        }
        assert all(1 <= one["depth"] <= 3 for one in kept.values())
        for one in kept.values():
            assert one["taskStatus"] not in ("completed", "failed") or one["status"] not in ("assigned", "accepted")

    @invariant()
    def what_is_known_is_there(self) -> None:
        if not getattr(self, "entries", None) and not getattr(self, "anchors", None) and not getattr(self, "documents", None):
            return
        manual = {one["id"] for one in self.there(brain.listing)["entries"]} & self.entries.keys()
        assert manual == {id for id, one in self.entries.items() if not one.purged and not one.replaced}
        held = {one["id"] for one in self.there(anchors.listing)["anchors"]}
        assert held == {id for id, one in self.anchors.items() if not one.purged}
        documents = {one["id"]: one["status"] for one in self.work(artifacts.known, everything=True)}
        assert documents == {id: one.state for id, one in self.documents.items()}


def run(examples: int, steps: int) -> None:
    """Other examples every time; the first that fails is told with the steps that lead there."""
    run_state_machine_as_test(
        Everything,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, database=None, print_blob=False,
            suppress_health_check=list(HealthCheck), phases=(Phase.generate,),
        ),
    )  # fmt: skip


def main(least: int) -> int:
    while (steps := DONE.total() + REFUSED.total() - DONE["context"]) < least:
        run(max(5, min(20, (least - steps) // 50)), 60)
    print(
        f"{steps} operations in brains that were opened anew for each, {REFUSED.total()} of them refused; {DONE['context']} contexts\n"
    )
    for told in (DONE, REFUSED):
        for name, times in sorted(told.items()):
            print(f"{times:6}  {name}")
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000))
