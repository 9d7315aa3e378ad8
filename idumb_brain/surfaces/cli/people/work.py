"""Plans, tasks, delegations and planning documents as people see them."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from idumb_brain.surfaces.cli.people.ink import Views, counted, line, plain, table

_MARKS = {
    "planned": ("○", ""), "blocked": ("◌", "yellow"), "active": ("▶", "cyan"), "review": ("◔", "magenta"), "completed": ("●", "green"),
    "failed": ("✗", "red"),
}  # fmt: skip


def _plans(out: Console, data: dict[str, Any]) -> None:
    if not data["plans"]:
        out.print('No plans. Make one: idumb-brain plan create "…" --acceptance "…"')
        return
    for plan in data["plans"]:
        _head(out, plan)
        for task in plan["tasks"]:
            out.print(_row(task))
        for task in plan["planAhead"]:
            out.print(Text("  ahead ", "dim") + _row(task))
        out.print()
    if data["ready"]:
        out.print(f"ready    {', '.join(data['ready'])}")
    for one in data["stale"]:
        out.print(f"stale    {one['task']}: nothing happened for {one['idleSeconds'] // 60} minutes")
    for one in data["chainBreaks"]:
        out.print(f"broken   {one['task']}: {line(one['why'])}")


def _plan(out: Console, plan: dict[str, Any]) -> None:
    _head(out, plan)
    for criterion in plan["acceptance"]:
        out.print(f"  accepted when: {line(criterion)}")
    for task in plan["tasks"]:
        out.print(_row(task))


def _task(out: Console, task: dict[str, Any]) -> None:
    if task.get("task", "") is None:
        out.print("No task is at hand." + (f" Ready: {', '.join(task['ready'])}" if task["ready"] else ""))
        return
    out.print(_row(task, indent=""))
    out.print(f"  expected   {line(task['expectedOutput'])}")
    for label, names in (("tools", task["allowedTools"]), ("writes to", task["paths"]), ("files", task["artifacts"])):
        if names:
            out.print(f"  {label:<10} {', '.join(map(plain, names))}")
    for one in task["waitsFor"]:
        out.print(f"  waits      {line(one['why'])}")
    if task["result"]:
        out.print(f"  result     {line(task['result']['evidence'])}")
    for one in task.get("checkpoints", ()):
        out.print(f"  {one['timestamp']}  {one['tool']}: {line(one['summary'])}")
    for label, ids in (("unblocked", task.get("unblocked")), ("archived", task.get("archived"))):
        if ids:
            out.print(f"  {label:<10} {', '.join(ids)}")
    if task.get("next"):
        out.print(f"  next       {task['next']}")


def _ready(out: Console, data: list[dict[str, Any]]) -> None:
    for task in data:
        out.print(_row(task, indent="") + Text(f"  frees {counted(task['frees'], 'task')}" if task["frees"] else "", "dim"))
    out.print(counted(len(data), "task") + " may start")


def _delegation(out: Console, one: dict[str, Any]) -> None:
    out.print(f"{one['id']}  {plain(one['from'] or 'somebody')} → {plain(one['to'])}: {line(one['taskName'])} ({one['status']})")
    out.print(f"  expected   {line(one['expectedOutput'])}")
    if one["expiresAt"]:
        out.print(f"  until      {one['expiresAt']}")


def _delegations(out: Console, data: list[dict[str, Any]]) -> None:
    if not data:
        out.print("Nothing is delegated.")
        return
    made = table("delegation", "from", "to", "task", "state", "depth>", "until")
    for one in data:
        made.add_row(
            one["id"], plain(one["from"]), plain(one["to"]), line(one["taskName"]), one["status"], str(one["depth"]),
            one["expiresAt"] or "",
        )  # fmt: skip
    out.print(made)


def _artifact(out: Console, one: dict[str, Any]) -> None:
    out.print(f"{one['id']}  {one['type']}  {plain(one['path'])}  {line(one['title'])} ({one['status']})")
    for title in one["changedSections"]:
        out.print(f"  changed    {line(title)}")
    for why in one["stale"]:
        out.print(f"  stale      {line(why)}")


def _artifacts(out: Console, data: list[dict[str, Any]]) -> None:
    for one in data:
        _artifact(out, one)
    out.print(counted(len(data), "planning document"))


def _head(out: Console, plan: dict[str, Any]) -> None:
    out.print(
        Text.assemble(
            (line(plan["name"]), "bold"), f"  {plan['status']}, {plan['done']}/{plan['total']} done  ", (plan["id"], "dim")
        )
    )


def _row(task: dict[str, Any], indent: str = "  ") -> Text:
    mark, style = _MARKS[task["status"]]
    who = f"  {plain(task['assignedTo'])}" if task["assignedTo"] else ""
    waits = f"  waits for {', '.join(one['id'] for one in task['waitsFor'])}" if task["waitsFor"] else ""
    return Text.assemble(
        indent, (f"{mark} {task['status']:<9}", style), f" {line(task['name'])}{who}  ", (task["id"], "dim"), waits
    )


VIEWS: Views = {
    "plans": _plans, "plan": _plan, "task": _task, "ready": _ready, "delegation": _delegation, "delegations": _delegations,
    "artifact": _artifact, "artifacts": _artifacts,
}  # fmt: skip
