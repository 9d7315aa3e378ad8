"""Hosts that are set up here: whether what was written down still starts us, and whether they really talk to us."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from idumb_brain import __version__
from idumb_brain.model.errors import BrainError
from idumb_brain.model.health import Finding
from idumb_brain.operations import installing, registering
from idumb_brain.operations.agents import hosts
from idumb_brain.operations.health.patient import Patient
from idumb_brain.operations.heartbeat import HOSTS

_AREA = "agents"
_ASK = "start it, and ask it something; if this stays, look into .idumb/brain/brain.log"


def examined(patient: Patient) -> Iterator[Finding]:
    known = {one["host"]: one for one in hosts(patient.project, patient.template)}
    for name, title in HOSTS.items():
        yield from _set_up(patient, name, title)
        if name in known:
            yield from _heard(title, known[name])


def _set_up(patient: Patient, name: str, title: str) -> Iterator[Finding]:
    if not _is_set_up(patient, name):
        return
    setup = _setup(patient, name)
    try:
        problems = setup(check=True)["problems"]
    except BrainError as error:
        yield Finding(_AREA, "error", f"{title}: {error.what}", error.why, error.instead)
        return
    for told in problems:
        what, _, instead = told.partition(": ")
        yield Finding(
            _AREA, "error", f"{title}: {what}", "its calls would not be answered by this version", instead, _again(setup)
        )


def _heard(title: str, one: dict[str, Any]) -> Iterator[Finding]:
    heard = one["heard"]
    if one["setUp"] and not heard:
        yield Finding(_AREA, "warning", f"{title} was never heard of", "it is set up, and never asked us anything", _ASK)
    if not heard:
        return
    if one["running"] and heard.get("version") != __version__:
        told = f"{title} is answered by {heard.get('version')}, this is {__version__}"
        yield Finding(_AREA, "warning", told, "it was started before the update", f"start {title} anew")
    if last := heard.get("lastProblem"):
        yield Finding(
            _AREA, "note", f"{title}: {heard.get('problems', 0)} of {heard.get('answered', 0)} calls failed",
            f"last at {last.get('at')}, {last.get('event')}: {last.get('what')}", "see .idumb/brain/brain.log",
        )  # fmt: skip


def _is_set_up(patient: Patient, name: str) -> bool:
    if name == "opencode":
        return (patient.project.root / installing.PLUGIN).exists()
    host = _HOSTS[name]
    return any((patient.project.root / place.file).exists() for place in host.places) and _ours(patient, host)


def _ours(patient: Patient, host: registering.Host) -> bool:
    try:
        return registering.is_set_up(host, patient.project.root)
    except BrainError:
        return True  # settings that cannot be read are told of


def _setup(patient: Patient, name: str) -> Callable[..., dict[str, Any]]:
    root = str(patient.project.root)
    if name == "opencode":
        return partial(installing.opencode, patient.template, root)
    return partial(registering.register, _HOSTS[name], root)


def _again(setup: Callable[..., dict[str, Any]]) -> Callable[[], str]:
    def mend() -> str:
        told = setup()
        return f"{told['did']} {told['file']}"

    return mend


_HOSTS = {"claude": registering.CLAUDE, "mcp": registering.MCP}
