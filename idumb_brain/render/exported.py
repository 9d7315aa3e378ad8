"""What a brain holds as JSON files that git can merge: sorted, one entity a block of lines, the same content the same bytes. Pure."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from hashlib import sha1
from typing import Any

from idumb_brain.model.exchange import FORMAT, LOGS, WITHIN, Content, keys

FOLDERS = ("state", "knowledge", "project-map", "sessions", "plans")
_ENTITY = ("plan", "session")
_ENTITIES = ("entries", "anchors", "tasks", "planAhead", "checkpoints", "delegations", "artifacts", "halts")
_OPEN = ("projectMap",)
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}")


def exported(content: Content, project_map: Mapping[str, Any] | None = None) -> dict[str, str]:
    """path → text of every file."""
    files = {path: _file(kind, **parts) for path, kind, parts in (*_state(content), *_knowledge(content), *_work(content))}
    files |= {path: _file(kind, **parts) for path, kind, parts in _sessions(content)}
    if project_map is not None:
        files["project-map/project-map.json"] = _file("project-map", projectMap=project_map)
    return dict(sorted(files.items()))


def data_of(value: Any) -> dict[str, Any]:
    """A value as JSON has it, without what is empty."""
    kind = type(value)
    called = keys(kind)
    told = {called[one.name]: _plain(kept) for one in fields(kind) if (kept := getattr(value, one.name)) or kept != one.default}
    for name, inner in WITHIN.get(kind, {}).items():
        told[name] = {called[field]: kept for field in inner if not _is_empty(kept := told.pop(called[field], None))}
    return {name: kept for name, kept in told.items() if not _is_empty(kept)}


Parts = tuple[str, str, dict[str, Any]]


def _state(content: Content) -> Iterable[Parts]:
    for kind in ("anchors", "delegations", "halts"):
        if values := content.of(kind):
            yield f"state/{kind}.json", kind, {kind: [data_of(values[id]) for id in sorted(values)]}
    for table, name in (("changes", "history"), ("quarantine", "quarantine")):
        if rows := content.log(table):
            about = LOGS[table][:2]
            yield f"state/{name}.json", table, {table: sorted(rows, key=lambda row: [str(row[one]) for one in (*about, "at")])}
    for table in ("events", "violations"):
        if rows := [row for row in content.log(table) if row["session"] not in content.of("sessions")]:
            yield f"state/{table}.json", table, {table: sorted(rows, key=lambda row: (row["session"], row["at"]))}


def _knowledge(content: Content) -> Iterable[Parts]:
    by_type: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for _, entry in sorted(content.of("entries").items()):
        by_type[entry.type].append(data_of(entry))
    for type, entries in by_type.items():
        yield f"knowledge/{type}.json", "entries", {"entries": entries}


def _work(content: Content) -> Iterable[Parts]:
    plans, tasks = content.of("plans"), content.of("tasks")
    steps: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in sorted(content.of("checkpoints").values(), key=lambda one: one.at):
        steps[one.task].append(data_of(one))
    within: dict[str, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for task in sorted(tasks.values(), key=lambda task: (task.created_at, task.plan, task.ahead)):
        told = data_of(task) | ({"checkpoints": _without("task", steps[task.id])} if task.id in steps else {})
        if task.plan in plans:
            within[task.plan]["planAhead" if task.ahead else "tasks"] += _without("plan", _without("ahead", [told]))
        else:
            within[""]["tasks"].append(told)
    for id, plan in plans.items():
        tasks_of = {under: ones for under in ("tasks", "planAhead") if (ones := within[id][under])}
        yield f"plans/{_name(id)}.json", "plan", {"plan": data_of(plan) | tasks_of}
    strays = {
        "tasks": within[""]["tasks"],
        "checkpoints": [one for task in sorted(steps) for one in steps[task] if task not in tasks],
    }
    if any(strays.values()):
        yield "plans/unplanned.json", "unplanned", strays
    if values := content.of("artifacts"):
        yield "plans/artifacts.json", "artifacts", {"artifacts": [data_of(values[id]) for id in sorted(values)]}


def _sessions(content: Content) -> Iterable[Parts]:
    happened: dict[str, dict[str, list[Mapping[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for table in ("events", "violations"):
        for row in sorted(content.log(table), key=lambda row: row["at"]):
            happened[row["session"]][table].append(row)
    for id, session in content.of("sessions").items():
        logs = {table: _without("session", rows) for table, rows in happened[id].items()}
        yield f"sessions/session-{_name(id)}.json", "session", {"session": data_of(session), **logs}


def _name(id: str) -> str:
    """An id as the name of a file: itself where it can be one everywhere."""
    if _PLAIN.fullmatch(id) and id not in ("artifacts", "unplanned"):
        return id
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", id)[:60].strip("-")
    return f"{plain}~{sha1(id.encode(), usedforsecurity=False).hexdigest()[:12]}"


def _without(name: str, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != name} for row in rows]


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return data_of(value)
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _is_empty(value: Any) -> bool:
    return value is None or value is False or value == "" or value == [] or value == {}


def _file(kind: str, **parts: Any) -> str:
    return _block({"format": FORMAT, "kind": kind, **parts}, "") + "\n"


def _block(values: Mapping[str, Any], indent: str) -> str:
    inner = indent + "  "
    rows = [f"{inner}{_text(key)}: {_member(key, value, inner)}" for key, value in values.items()]
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


def _member(key: str, value: Any, indent: str) -> str:
    inner = indent + "  "
    if key in _ENTITY and isinstance(value, Mapping):
        return _block(value, indent)
    if key in (*_ENTITIES, *LOGS) and isinstance(value, list) and value and isinstance(value[0], Mapping):
        rows = [_block(one, inner) if key in _ENTITIES else _text(one) for one in value]
        return "[\n" + ",\n".join(inner + row for row in rows) + f"\n{indent}]"
    if key in _OPEN and value:
        return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", f"\n{indent}")
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
