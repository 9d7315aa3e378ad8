"""The gate asking a task graph: what a session takes over, and what counts as work that was done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.model.governance import TaskFacts
from idumb_brain.operations import gate as gates
from idumb_brain.operations import records, sessions
from idumb_brain.operations.ground import standing


@dataclass(frozen=True)
class Graph:
    """A task graph of one plan, as governance sees it."""

    tasks: tuple[TaskFacts, ...]
    finished: tuple[str, ...] = ()  # phases

    def task(self, id: str) -> TaskFacts | None:
        return next((task for task in self.tasks if task.id == id), None)

    def active(self, session: str = "") -> TaskFacts | None:
        return next((task for task in self.tasks if task.state == "active"), None)

    def has_finished_work(self, phase: str) -> bool:
        return phase in self.finished


COUNT = TaskFacts("tn-1", "Count the shelves", assigned_to="executor", paths=("library/**",))
BUILD = TaskFacts("tn-2", "Build a shelf", state="planned", waits_for=('"tn-1", which is active',), category="validation")


def _ask(root: Path, operation: Any, *words: Any, graph: Graph, **options: Any) -> Any:
    environ = {"IDUMB_BRAIN_NOW": "2026-02-04T10:30:00Z", "IDUMB_ENFORCE": "true"}
    with standing(str(root), make=True, tasks=graph, environ=environ) as ground:
        return operation(ground, *words, **options)


def test_a_session_takes_over_the_active_task_and_keeps_it(tmp_path: Path) -> None:
    graph = Graph((COUNT, BUILD))
    _ask(tmp_path, sessions.created, "a", role="idumb-executor", graph=graph)
    _ask(tmp_path, gates.gate, "read", session="a", graph=graph)
    told = _ask(tmp_path, gates.gate, "edit", session="a", args={"filePath": "library/shelves.py"}, graph=graph)
    assert (told["decision"], told["inherits"]) == ("allow", "tn-1")
    assert _ask(tmp_path, records.shown, "a", graph=graph)["task"] == "tn-1"
    done = Graph((replace(COUNT, state="review"), replace(BUILD, state="active", waits_for=())))
    told = _ask(tmp_path, gates.gate, "edit", session="a", args={"filePath": "library/shelves.py"}, graph=done)
    assert (told["rule"], told["enforced"], told["inherits"]) == ("TASK_NOT_ACTIVE", True, "")


@pytest.mark.parametrize(
    ("tool", "args", "rule"),
    [
        ("edit", {"filePath": "src/shelves.py"}, "PATH_NOT_IN_TASK"),
        ("bash", {"command": "make > src/log.py"}, "PATH_NOT_IN_TASK"),
        ("bash", {"command": "make > library/log.py"}, ""),
        ("govern_task", {"action": "start", "task_id": "tn-2"}, "TASK_BLOCKED"),
        ("govern_task", {"action": "start", "task_id": "tn-9"}, ""),
    ],
)
def test_the_task_at_hand(tool: str, args: dict[str, str], rule: str, tmp_path: Path) -> None:
    graph = Graph((COUNT, BUILD))
    _ask(tmp_path, sessions.created, "a", role="executor", graph=graph)
    _ask(tmp_path, gates.gate, "read", session="a", graph=graph)
    told = _ask(tmp_path, gates.gate, tool, session="a", args=args, graph=graph)
    assert (told["rule"], told["decision"]) == (rule, "block" if rule else "allow")


def test_the_category_of_a_task_says_who_takes_it(tmp_path: Path) -> None:
    words = {"action": "assign", "to": "investigator", "task_id": "tn-2"}
    told = _ask(tmp_path, gates.gate, "govern_delegate", role="coordinator", args=words, graph=Graph((COUNT, BUILD)))
    assert (told["rule"], told["redirect"]) == ("CATEGORY_NOT_FOR_ROLE", "validator")


def test_finished_work_is_evidence(tmp_path: Path) -> None:
    (tmp_path / ".idumb").mkdir()
    (tmp_path / ".idumb" / "config.json").write_text("{}")
    assert _ask(tmp_path, gates.command, "/idumb:verify-work 2", graph=Graph((), ("1",)))["rule"] == "PHASE-03"
    assert _ask(tmp_path, gates.command, "/idumb:verify-work 2", graph=Graph((), ("2",)))["decision"] == "allow"
