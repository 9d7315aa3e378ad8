"""What the brain says about the neighbours of plans, tasks, checkpoints and sessions, many at once. Leads to nothing that was put away."""

from __future__ import annotations

import json
from collections.abc import Sequence

from idumb_brain.store.brain import Brain
from idumb_brain.store.guard import fetch

_PLANS = "(SELECT id FROM plans WHERE state NOT IN ('abandoned', 'archived') AND purged_at = '')"
_TASKS = f"(SELECT * FROM tasks WHERE archived_at = '' AND plan IN {_PLANS})"
_LISTED = "json_each(CASE WHEN json_valid({0}) THEN {0} ELSE '[]' END)"  # a broken row is for those who mend it


def tasks_of(brain: Brain, plans: Sequence[str]) -> list[tuple[str, str]]:
    """(plan, task)."""
    sql = f"SELECT t.plan, t.id FROM json_each(:ids) j CROSS JOIN {_TASKS} t ON t.plan = j.value ORDER BY t.number"
    return fetch(brain, sql, {"ids": json.dumps(plans)})


def plans_of(brain: Brain, tasks: Sequence[str]) -> list[tuple[str, str]]:
    """(task, plan)."""
    sql = f"SELECT t.id, t.plan FROM json_each(:ids) j CROSS JOIN tasks t ON t.id = j.value WHERE t.plan IN {_PLANS}"
    return fetch(brain, sql, {"ids": json.dumps(tasks)})


def beside(brain: Brain, tasks: Sequence[str]) -> list[tuple[str, str]]:
    """(task, another of the same plan)."""
    sql = f"""
        SELECT t.id, o.id FROM json_each(:ids) j CROSS JOIN tasks t ON t.id = j.value
        JOIN {_TASKS} o ON o.plan = t.plan AND o.id != t.id ORDER BY o.number"""
    return fetch(brain, sql, {"ids": json.dumps(tasks)})


def needed(brain: Brain, tasks: Sequence[str]) -> list[tuple[str, str]]:
    """(task, one that has to be completed first)."""
    sql = f"""
        SELECT t.id, d.value FROM json_each(:ids) j CROSS JOIN tasks t ON t.id = j.value,
        {_LISTED.format("t.depends_on")} d WHERE d.value IN (SELECT id FROM {_TASKS})
        UNION SELECT t.id, json_extract(t.gate, '$[0]') FROM json_each(:ids) j CROSS JOIN tasks t ON t.id = j.value
        WHERE json_valid(t.gate) AND json_extract(t.gate, '$[0]') IN (SELECT id FROM {_TASKS})"""
    return fetch(brain, sql, {"ids": json.dumps(tasks)})


def needing(brain: Brain, tasks: Sequence[str]) -> list[tuple[str, str]]:
    """(task, one that waits for it)."""
    sql = f"""
        SELECT d.value, t.id FROM {_TASKS} t, {_LISTED.format("t.depends_on")} d
        WHERE d.value IN (SELECT value FROM json_each(:ids))
        UNION SELECT json_extract(t.gate, '$[0]'), t.id FROM {_TASKS} t
        WHERE json_valid(t.gate) AND json_extract(t.gate, '$[0]') IN (SELECT value FROM json_each(:ids))"""
    return fetch(brain, sql, {"ids": json.dumps(tasks)})


def decided(brain: Brain, tasks: Sequence[str]) -> list[tuple[str, str]]:
    """(task, a current entry it rests on)."""
    sql = f"""
        SELECT t.id, d.value FROM json_each(:ids) j CROSS JOIN tasks t ON t.id = j.value, {_LISTED.format("t.decisions")} d
        JOIN entries e ON e.id = d.value WHERE e.purged_at = '' AND e.superseded_by = ''"""
    return fetch(brain, sql, {"ids": json.dumps(tasks)})


def resting_on(brain: Brain, entries: Sequence[str]) -> list[tuple[str, str]]:
    """(entry, a task that rests on it)."""
    sql = f"""
        SELECT d.value, t.id FROM {_TASKS} t, {_LISTED.format("t.decisions")} d
        WHERE d.value IN (SELECT value FROM json_each(:ids))"""
    return fetch(brain, sql, {"ids": json.dumps(entries)})


def files_of(brain: Brain, tasks: Sequence[str]) -> list[tuple[str, str]]:
    """(task, a file it produced)."""
    sql = f"""
        SELECT t.id, f.value FROM json_each(:ids) j CROSS JOIN tasks t ON t.id = j.value, {_LISTED.format("t.artifacts")} f"""
    return fetch(brain, sql, {"ids": json.dumps(tasks)})


def producing(brain: Brain, paths: Sequence[str]) -> list[tuple[str, str]]:
    """(file, a task that produced it)."""
    sql = f"""
        SELECT f.value, t.id FROM {_TASKS} t, {_LISTED.format("t.artifacts")} f
        WHERE f.value IN (SELECT value FROM json_each(:ids))"""
    return fetch(brain, sql, {"ids": json.dumps(paths)})


def checkpoints_of(brain: Brain, tasks: Sequence[str]) -> list[tuple[str, str]]:
    """(task, checkpoint), the newest first."""
    sql = "SELECT c.task, c.id FROM json_each(:ids) j CROSS JOIN checkpoints c ON c.task = j.value ORDER BY c.number DESC"
    return fetch(brain, sql, {"ids": json.dumps(tasks)})


def stepped_since(brain: Brain, number: int) -> list[tuple[int, str]]:
    """(number of a checkpoint, its task): a task's files come with a checkpoint, and leave no other trace."""
    return fetch(brain, "SELECT number, task FROM checkpoints WHERE number > ? ORDER BY number", (number,))


def task_and_files_of(brain: Brain, checkpoints: Sequence[str]) -> list[tuple[str, str, str]]:
    """(checkpoint, its task, its files as a JSON list)."""
    sql = """
        SELECT c.id, c.task, CASE WHEN json_valid(c.files) THEN c.files ELSE '[]' END
        FROM json_each(:ids) j CROSS JOIN checkpoints c ON c.id = j.value"""
    return fetch(brain, sql, {"ids": json.dumps(checkpoints)})


def sessions_on(brain: Brain, tasks: Sequence[str]) -> list[tuple[str, str]]:
    """(task, a session that works or worked on it)."""
    sql = """
        SELECT s.task, s.id FROM sessions s WHERE s.task != '' AND s.task IN (SELECT value FROM json_each(:ids))
        UNION SELECT c.task, c.session FROM json_each(:ids) j CROSS JOIN checkpoints c ON c.task = j.value WHERE c.session != ''"""
    return fetch(brain, sql, {"ids": json.dumps(tasks)})


def of_sessions(brain: Brain, sessions: Sequence[str]) -> list[tuple[str, str, str]]:
    """(session, its task, the session it was sent by)."""
    sql = "SELECT s.id, s.task, s.parent FROM json_each(:ids) j CROSS JOIN sessions s ON s.id = j.value"
    return fetch(brain, sql, {"ids": json.dumps(sessions)})


def kinds_of(brain: Brain, ids: Sequence[str]) -> dict[str, str]:
    """id → what kind of thing it is, for those the brain has, whatever became of them."""
    sql = " UNION ALL ".join(
        f"SELECT x.id, '{kind}' FROM json_each(:ids) j CROSS JOIN {table} x ON x.id = j.value" for kind, table in _KINDS
    )
    return dict(fetch(brain, sql, {"ids": json.dumps(ids)}))


def titles(brain: Brain, ids: Sequence[str]) -> dict[str, str]:
    """id → how it calls itself: a name, or what was done."""
    sql = """
        SELECT p.id, p.name FROM json_each(:ids) j CROSS JOIN plans p ON p.id = j.value
        UNION ALL SELECT t.id, t.name FROM json_each(:ids) j CROSS JOIN tasks t ON t.id = j.value
        UNION ALL SELECT c.id, c.tool || ': ' || c.summary FROM json_each(:ids) j CROSS JOIN checkpoints c ON c.id = j.value"""
    return dict(fetch(brain, sql, {"ids": json.dumps(ids)}))


_KINDS = (("plan", "plans"), ("task", "tasks"), ("checkpoint", "checkpoints"), ("session", "sessions"))
