"""What the brain says about the neighbours of many of its entries and anchors at once. Leads to current ones only."""

from __future__ import annotations

import json
from collections.abc import Sequence

from idumb_brain.store.brain import Brain
from idumb_brain.store.guard import fetch

_CURRENT = "purged_at = '' AND superseded_by = ''"
_RELATED = "CASE WHEN json_valid(a.related) THEN a.related ELSE '[]' END"  # a broken row is for those who mend it
_ENTRIES = f"(SELECT id, parent FROM entries WHERE {_CURRENT})"


def linked(brain: Brain, ids: Sequence[str]) -> list[tuple[str, str, str]]:
    """(entry, kind of link, other entry) of links that go both ways."""
    sql = f"""
        SELECT l.one, l.kind, l.other FROM json_each(:ids) j CROSS JOIN links l ON l.one = j.value
        JOIN {_ENTRIES} e ON e.id = l.other
        UNION SELECT l.other, l.kind, l.one FROM json_each(:ids) j CROSS JOIN links l ON l.other = j.value
        JOIN {_ENTRIES} e ON e.id = l.one"""
    return fetch(brain, sql, {"ids": json.dumps(ids)})


def parents(brain: Brain, ids: Sequence[str]) -> list[tuple[str, str]]:
    """(entry, the entry it is a part of)."""
    sql = f"""
        SELECT c.id, c.parent FROM json_each(:ids) j CROSS JOIN entries c ON c.id = j.value
        JOIN {_ENTRIES} e ON e.id = c.parent WHERE c.parent != ''"""
    return fetch(brain, sql, {"ids": json.dumps(ids)})


def parts(brain: Brain, ids: Sequence[str]) -> list[tuple[str, str]]:
    """(entry, an entry that is a part of it)."""
    sql = f"""
        SELECT c.parent, c.id FROM json_each(:ids) j CROSS JOIN entries c ON c.parent = j.value AND c.parent != ''
        WHERE {_CURRENT}"""
    return fetch(brain, sql, {"ids": json.dumps(ids)})


def successors(brain: Brain, ids: Sequence[str]) -> list[tuple[str, str]]:
    """(entry, the entry that took its place)."""
    sql = f"""
        SELECT o.id, o.superseded_by FROM json_each(:ids) j CROSS JOIN entries o ON o.id = j.value
        JOIN {_ENTRIES} e ON e.id = o.superseded_by"""
    return fetch(brain, sql, {"ids": json.dumps(ids)})


def cited(brain: Brain, ids: Sequence[str]) -> list[tuple[str, str, int, str]]:
    """(entry, file, line, commit) of what they rest on."""
    sql = """
        SELECT v.entry, v.path, v.line, v.revision FROM json_each(:ids) j CROSS JOIN evidence v ON v.entry = j.value"""
    return fetch(brain, sql, {"ids": json.dumps(ids)})


def citing(brain: Brain, paths: Sequence[str]) -> list[tuple[str, str, int]]:
    """(file, entry, line) of what rests on these files."""
    sql = f"""
        SELECT v.path, v.entry, v.line FROM json_each(:paths) j CROSS JOIN evidence v ON v.path = j.value AND v.path != ''
        JOIN {_ENTRIES} e ON e.id = v.entry"""
    return fetch(brain, sql, {"paths": json.dumps(paths)})


def resting_on(brain: Brain, commits: Sequence[str]) -> list[tuple[str, str]]:
    """(commit, entry); few entries name a commit, so all of them are looked through."""
    sql = f"""
        SELECT j.value, v.entry FROM evidence v CROSS JOIN json_each(:commits) j ON v.revision = j.value
        JOIN {_ENTRIES} e ON e.id = v.entry WHERE v.revision != ''"""
    return fetch(brain, sql, {"commits": json.dumps(commits)})


def subjects(brain: Brain, anchors: Sequence[str]) -> list[tuple[str, str, int, str, str]]:
    """(anchor, file, line, task, ids it is related to as a JSON list)."""
    sql = f"SELECT a.id, a.file, a.line, a.task, {_RELATED} FROM json_each(:ids) j CROSS JOIN anchors a ON a.id = j.value"
    return fetch(brain, sql, {"ids": json.dumps(anchors)})


def anchored(brain: Brain, ids: Sequence[str]) -> list[tuple[str, str, int]]:
    """(file, task or other id; an anchor about it or related to it; line). There are few anchors: all are looked through."""
    sql = f"""
        SELECT j.value, a.id, CASE WHEN a.file = j.value THEN a.line ELSE 0 END FROM anchors a
        CROSS JOIN json_each(:ids) j ON j.value IN (a.file, a.task)
          OR j.value IN (SELECT value FROM json_each({_RELATED}))
        WHERE a.{_CURRENT.replace("AND ", "AND a.")}"""
    return fetch(brain, sql, {"ids": json.dumps(ids)})


def kinds_of(brain: Brain, ids: Sequence[str]) -> dict[str, str]:
    """id → "entry" or "anchor", for those the brain has, whatever became of them."""
    sql = """
        SELECT e.id, 'entry' FROM json_each(:ids) j CROSS JOIN entries e ON e.id = j.value
        UNION ALL SELECT a.id, 'anchor' FROM json_each(:ids) j CROSS JOIN anchors a ON a.id = j.value"""
    return dict(fetch(brain, sql, {"ids": json.dumps(ids)}))


def titles(brain: Brain, ids: Sequence[str]) -> dict[str, str]:
    """id → how it calls itself: an entry's title, an anchor's line."""
    sql = """
        SELECT e.id, e.title FROM json_each(:ids) j CROSS JOIN entries e ON e.id = j.value
        UNION ALL SELECT a.id, a.content FROM json_each(:ids) j CROSS JOIN anchors a ON a.id = j.value"""
    return dict(fetch(brain, sql, {"ids": json.dumps(ids)}))


def ids(brain: Brain) -> list[str]:
    """Of all that is current."""
    sql = f"SELECT id FROM entries WHERE {_CURRENT} UNION ALL SELECT id FROM anchors WHERE {_CURRENT}"
    return [id for (id,) in fetch(brain, sql)]
