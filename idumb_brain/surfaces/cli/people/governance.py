"""Decisions and sessions, as people see them: the decision first, then its reasons."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from idumb_brain.surfaces.cli.people.ink import Views, counted, line, plain, table

_STYLES = {"allow": "green", "warn": "yellow", "block": "bold red"}
_PARTS = (("what", "WHAT"), ("why", "WHY"), ("instead", "USE INSTEAD"))


def _gate(out: Console, data: dict[str, Any]) -> None:
    effect = "" if data["decision"] == "allow" else ", it takes effect" if data["enforced"] else ", only told"
    out.print(Text.assemble((data["decision"], _STYLES[data["decision"]]), f"  (mode {data['mode']}{effect})"))
    _reasons(out, data)
    for warning in data.get("warnings", ()):
        out.print(Text.assemble(("\nwarning", _STYLES["warn"])))
        _reasons(out, warning)
    if data.get("halt"):
        out.print(f"\nHalted: {plain(data['halt']['id'])}. {line(data['halt']['howToResume'])}")


def _reasons(out: Console, data: dict[str, Any]) -> None:
    for key, title in _PARTS:
        if data[key]:
            out.print(f"{title}: {line(data[key])}")
    for number, one in enumerate(data["evidence"]):
        out.print(f"{'EVIDENCE: ' if not number else '          '}{line(one)}")
    if data["rule"]:
        out.print(Text(f"rule {data['rule']}", "dim"))


def _list(out: Console, data: list[dict[str, Any]]) -> None:
    if data:
        made = table("session", "state", "level>", "role", "last heard of", "tools>", "refused>", "")
        for one in data:
            made.add_row(
                plain(one["sessionId"]), one["sessionState"], str(one["sessionLevel"]), plain(one["role"]), one["updatedAt"],
                str(sum(used["count"] for used in one["toolsUsed"])), str(one["violationCount"]), "halted" if one["halted"] else "",
            )  # fmt: skip
        out.print(made)
    out.print(counted(len(data), "session"))


def _show(out: Console, data: dict[str, Any]) -> None:
    out.print(Text.assemble((plain(data["sessionId"]), "bold"), f"  {data['sessionState']}, level {data['sessionLevel']}"))
    chain = " → ".join(plain(one["role"] or one["sessionId"]) for one in data["chain"])
    facts = (
        ("role", plain(data["role"])), ("chain", chain), ("task", plain(data["task"])), ("began", data["startedAt"]),
        ("last heard of", data["updatedAt"]), ("idle since", data["idleAt"]), ("compactions", ", ".join(data["compactionHistory"])),
        ("tools", ", ".join(f"{plain(one['tool'])} {one['count']}" for one in data["toolsUsed"])),
        ("files", ", ".join(map(plain, data["filesModified"]))), ("tasks completed", ", ".join(map(plain, data["tasksCompleted"]))),
        ("delegations", ", ".join(map(plain, data["delegations"]))), ("sessions below", ", ".join(map(plain, data["childSessions"]))),
    )  # fmt: skip
    for name, told in facts:
        if told:
            out.print(f"{name:16}{told}")
    for one in data["refused"]:
        out.print(f"  {one['at']}  {one['decision']}  {plain(one['rule'])}  {line(one['what'])}")
    for halt in data["halts"]:
        _halt(out, halt)


def _gc(out: Console, data: dict[str, Any]) -> None:
    for name, what in (("sessions", "session"), ("halts", "halt"), ("files", "file")):
        out.print(
            f"{counted(len(data[name]), what)}{' would go' if data['dryRun'] else ' gone'}, not heard of since {data['before']}"
        )
        for one in data[name]:
            out.print(f"  {plain(one)}")


def _halts(out: Console, data: list[dict[str, Any]]) -> None:
    for halt in data:
        _halt(out, halt)
    out.print(counted(len(data), "halt"))


def _halt(out: Console, halt: dict[str, Any]) -> None:
    style = "dim" if halt["resumedAt"] else "bold red"
    out.print(
        Text.assemble((plain(halt["id"]), style), f"  {halt['at']}  {plain(halt['rule'])}  session {plain(halt['session'])}")
    )
    for told in (halt["what"], halt["why"], " → ".join(halt["chain"]), halt["task"] and f"task {halt['task']}"):
        if told:
            out.print(f"  {line(told)}")
    out.print(f"  {line(halt['howToResume'])}" if not halt["resumedAt"] else f"  resumed {halt['resumedAt']}")


VIEWS: Views = {"gate": _gate, "list": _list, "show": _show, "gc": _gc, "halts": _halts, "resumed": _halt}
