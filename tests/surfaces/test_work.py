"""``plan``, ``task``, ``delegate`` and ``artifact`` as scripts meet them: a command, how it ends, what its JSON says.

Each story is one project, told line by line; a word like ``{schema}`` is the id that an earlier line was given.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.test_cli import run

PLAN = {
    "id", "name", "acceptance", "category", "governanceLevel", "status", "dependsOn", "ownedBy", "parent", "done", "total", "tasks",
    "planAhead", "createdAt", "modifiedAt", "completedAt", "abandonedAt", "purgedAt",
}  # fmt: skip
TASK = {
    "id", "plan", "name", "expectedOutput", "status", "ahead", "delegatedBy", "assignedTo", "claimedBy", "allowedTools", "paths",
    "dependsOn", "temporalGate", "discoveredFrom", "decisions", "artifacts", "result", "waitsFor", "createdAt", "modifiedAt",
    "startedAt", "completedAt", "archivedAt",
}  # fmt: skip

# the command · its exit code · what its data, or its error, holds · the name that its id gets
Line = tuple[str, int, dict[str, Any], str]
BEGIN: tuple[Line, ...] = (
    ("plan create Lending --acceptance lent --acceptance returned --owner coordinator", 0, {"acceptance": ["lent", "returned"]}, "plan"),
    ("plan add {plan} schema --expected tables --assign executor", 0, {"status": "planned", "assignedTo": "executor"}, "schema"),
    (
        "plan add {plan} form --expected page --depends {schema} --tools read write --paths src/** docs/*", 0,
        {"status": "blocked", "dependsOn": ["{schema}"], "allowedTools": ["read", "write"], "paths": ["src/**", "docs/*"]}, "form",
    ),
    (
        "plan add {plan} launch --expected users --after {form} --reason nothing-to-see-before", 0,
        {"status": "blocked", "temporalGate": {"after": "{form}", "reason": "nothing-to-see-before"}}, "launch",
    ),
    ("plan add {plan} later --expected more --ahead", 0, {"ahead": True}, "later"),
)  # fmt: skip
STORIES: dict[str, tuple[Line, ...]] = {
    "from plan to archive": (
        ("plan status", 0, {"activePlan": None, "ready": ["{schema}"]}, ""),
        ("task next --role executor", 0, {}, ""),
        ("task start {schema} --role executor --session s1", 0, {"status": "active", "claimedBy": "s1", "alsoActive": []}, ""),
        ("task status --session s1", 0, {"id": "{schema}"}, ""),
        ("task complete {schema} --evidence seen --tests all --session s1", 0, {"status": "completed", "unblocked": ["{form}"]}, ""),
        ("task start {form} --session s1", 0, {"status": "active"}, ""),
        ("task review {form} --session s1", 0, {"status": "review"}, ""),
        ("task complete {form} --evidence seen", 0, {"result": {"evidence": "seen", "filesModified": [], "testsRun": ""}}, ""),
        ("task start {launch}", 0, {"status": "active"}, ""),
        ("task fail {launch} --evidence nobody-came", 0, {"status": "failed", "archived": []}, ""),
        ("task start {launch}", 0, {"status": "active", "result": None}, ""),
        ("task complete {launch} --evidence they-came", 0, {"status": "completed"}, ""),
        ("plan status", 0, {"activePlan": None, "ready": []}, ""),
        ("plan archive {plan} --reason done", 0, {"status": "archived", "done": 3, "total": 3}, ""),
        ("plan status", 0, {"plans": []}, ""),
        ("plan abandon {plan}", 2, {"kind": "bad-input"}, ""),
        ("task start {later}", 3, {"kind": "refused", "why": "its plan {plan} is archived"}, ""),
    ),
    "what is refused": (
        ("task start {form}", 3, {"kind": "refused"}, ""),
        ("task start {launch}", 3, {"kind": "refused"}, ""),
        ("task start {schema} --role planner", 3, {"kind": "refused"}, ""),
        ("task complete {schema} --evidence seen", 3, {"kind": "refused"}, ""),
        ("task start {schema} --session s1", 0, {"claimedBy": "s1"}, ""),
        ("task start {schema} --session s2", 3, {"what": "{schema} is taken"}, ""),
        ("task complete {schema} --session s2 --evidence mine", 3, {"what": "{schema} is taken"}, ""),
        ("task complete {schema}", 3, {"kind": "refused"}, ""),
        ("task fail {schema}", 2, {"kind": "bad-input"}, ""),
        ("task review {schema} --evidence <private>key</private>", 2, {"kind": "bad-input"}, ""),
        ("plan archive {plan}", 3, {"kind": "refused"}, ""),
        ("plan status nowhere", 2, {"kind": "bad-input"}, ""),
        ("task status nothing", 2, {"kind": "bad-input"}, ""),
        ("plan add {plan} x", 2, {"kind": "usage"}, ""),
        ("plan add {plan} x --expected y --after {form}", 2, {"kind": "bad-input"}, ""),
        ("task", 2, {"kind": "usage"}, ""),
    ),
    "two tasks of one session": (
        ("plan add {plan} other --expected x", 0, {}, "other"),
        ("task start {schema} --session s1", 0, {"alsoActive": []}, ""),
        ("task start {other} --session s1", 0, {"alsoActive": ["{schema}"]}, ""),
        ("task status --session s1", 0, {"id": "{other}"}, ""),
    ),
    "links": (
        ("plan link {schema} {launch}", 2, {"what": "{schema} cannot depend on {launch}"}, ""),
        ("plan unlink {form} {schema}", 0, {"dependsOn": [], "status": "planned"}, ""),
        ("plan unlink {form} {schema}", 2, {"kind": "bad-input"}, ""),
        ("plan unlink {launch} {form}", 0, {"temporalGate": None, "status": "planned"}, ""),
        ("plan link {schema} {launch}", 0, {"dependsOn": ["{launch}"], "status": "blocked"}, ""),
        ("task start {form}", 0, {}, ""),
        ("plan link {form} {launch}", 3, {"why": "work on it has begun: {form} is active"}, ""),
        ("plan create Returns --depends {plan}", 0, {"dependsOn": ["{plan}"]}, "returns"),
        ("plan add {returns} box --expected x", 0, {"status": "blocked"}, "box"),
        ("plan link {launch} {box}", 2, {"what": "{launch} cannot depend on {box}"}, ""),
        ("plan link {plan} {returns}", 2, {"kind": "bad-input"}, ""),
        ("plan unlink {returns} {plan}", 0, {"dependsOn": []}, ""),
        ("task start {box}", 0, {"status": "active"}, ""),
    ),
    "a plan that is given up": (
        ("task start {schema} --session s1", 0, {}, ""),
        ("delegate assign {schema} --to executor", 0, {"status": "assigned"}, ""),
        ("plan abandon {plan} --reason no-time", 0, {"status": "abandoned"}, ""),
        ("task status --session s1", 0, {"task": None, "ready": []}, ""),
        ("task status {schema}", 0, {"status": "planned", "claimedBy": None}, ""),
        ("delegate status", 0, {}, ""),
        ("delegate assign {schema} --to executor", 2, {"what": "{plan} is abandoned"}, ""),
        ("task start {schema}", 3, {"why": "its plan {plan} is abandoned"}, ""),
        ("plan add {plan} x --expected y", 2, {"kind": "bad-input"}, ""),
    ),
    "delegations": (
        (
            "delegate assign {schema} --to executor --role coordinator --tools write --actions edit --expires 30min --context why", 0,
            {
                "from": "coordinator", "to": "executor", "task": "{schema}", "status": "assigned", "depth": 1, "context": "why",
                "allowedTools": ["write"], "allowedActions": ["edit"], "expiresAt": "2026-02-04T11:00:00Z",
            }, "handed",
        ),
        ("delegate assign {schema} --to executor --role builder", 3, {"kind": "refused"}, ""),
        ("delegate assign {schema} --to executor --expires soon", 2, {"kind": "bad-input"}, ""),
        ("delegate recall {handed} --reason changed", 0, {"status": "recalled"}, ""),
        ("delegate recall {handed}", 2, {"kind": "bad-input"}, ""),
        ("delegate recall nobody", 2, {"kind": "bad-input"}, ""),
        ("task start {schema}", 0, {"assignedTo": ""}, ""),
        ("delegate assign {schema} --to executor", 0, {"status": "assigned"}, "again"),
        ("task complete {schema} --evidence seen", 0, {}, ""),
        ("delegate recall {again}", 2, {"what": "delegation {again} cannot be recalled"}, ""),
        ("delegate assign {schema} --to executor", 2, {"what": "{schema} is completed"}, ""),
    ),
    "documents": (
        ("artifact add research.md --task {schema}", 0, {"type": "research", "taskIds": ["{schema}"], "status": "active"}, "research"),
        ("artifact add plan.md --parent research.md", 0, {"chain": ["{research}", "{it}"]}, "it"),
        ("artifact add plan.md --entry nobody", 2, {"kind": "bad-input"}, ""),
        ("artifact add plan.md --supersedes research.md", 0, {"id": "{it}"}, ""),
        ("artifact complete {research}", 2, {"what": "{research} is superseded"}, ""),
        ("artifact complete plan.md", 0, {"status": "completed", "implementedAt": "2026-02-04T10:30:00Z"}, ""),
        ("artifact abandon {it}", 0, {"status": "abandoned"}, ""),
        ("artifact add nowhere.md", 2, {"kind": "bad-input"}, ""),
    ),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_story(story: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "research.md").write_text("# Research\n\nSessions or tokens?\n")
    (tmp_path / "plan.md").write_text("# Plan\n\nUse tokens.\n")
    names: dict[str, str] = {}
    for command, code, holds, name in (*BEGIN, *STORIES[story]):
        done = run("--json", *(_named(word, names) for word in command.split()), cwd=tmp_path)
        assert done.returncode == code, (command, done.stdout, done.stderr)
        document = json.loads(done.stdout)
        told = document["error" if code else "data"]
        if name:
            names[name] = told["id"]
        _shaped(command, told, code)
        assert {key: told[key] for key in holds} == _filled(holds, names), command


def _shaped(command: str, told: Any, code: int) -> None:
    if code:
        assert set(told) == {"kind", "what", "why", "instead"} and told["what"] and told["instead"], command
    elif command.startswith(("plan create", "plan archive", "plan abandon")):
        assert set(told) == PLAN
    elif command.startswith(("plan add", "task start", "task complete", "task fail", "task review")):
        assert set(told) >= TASK


def _filled(holds: Any, names: dict[str, str]) -> Any:
    if isinstance(holds, dict):
        return {key: _filled(one, names) for key, one in holds.items()}
    if isinstance(holds, list):
        return [_filled(one, names) for one in holds]
    return _named(holds, names) if isinstance(holds, str) else holds


def _named(word: str, names: dict[str, str]) -> str:
    for name, id in names.items():
        word = word.replace(f"{{{name}}}", id)
    return word
