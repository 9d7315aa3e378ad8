"""What governance stands on: the project, its brain, its rules, the mode it is governed in, and the time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from idumb_brain.govern.profiles import FOLDERS, with_profiles
from idumb_brain.govern.rules import Rules, load_rules
from idumb_brain.model.errors import BadInput
from idumb_brain.model.governance import ENFORCE, GUIDE, TaskFacts
from idumb_brain.operations.project import Project, find_project, moment, now
from idumb_brain.operations.task_facts import TaskGraph
from idumb_brain.operations.work import Work
from idumb_brain.scan.languages import query_folders
from idumb_brain.store.brain import Brain

_SWITCH = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False, "": None}


class Tasks(Protocol):
    """What governance asks the task graph."""

    def task(self, id: str) -> TaskFacts | None: ...

    def active(self, session: str = "") -> TaskFacts | None: ...

    def has_finished_work(self, phase: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Ground:
    project: Project
    brain: Brain
    rules: Rules
    mode: str
    tasks: Tasks | None = None

    @property
    def now(self) -> str:
        return self.brain.now

    def ago(self, seconds: float) -> str:
        """The time so many seconds back."""
        then = datetime.fromisoformat(self.now) - timedelta(seconds=seconds)
        return then.strftime("%Y-%m-%dT%H:%M:%SZ")

    def at(self, time: str) -> Ground:
        """The same later, for those who keep it open."""
        return replace(self, brain=replace(self.brain, now=time))


@contextmanager
def standing(
    root: str | None = None, *, make: bool = False, tasks: Tasks | None = None, environ: Mapping[str, str] | None = None
) -> Iterator[Ground]:
    """Only what writes asks to ``make`` the brain; until then it is an empty one."""
    project = find_project(root, environ)
    rules = rules_of(project.root)
    with project.remembering(make=make, environ=environ) as brain:
        brain = replace(brain, now=now(environ))
        yield Ground(project, brain, rules, mode_of(project, environ), tasks or TaskGraph(Work(project, brain, moment(environ))))


def rules_of(root: Path) -> Rules:
    """Ours, the project's over them, and the roles that its agent profiles describe."""
    return _with_profiles(load_rules(query_folders(str(root))), root)


def ground_of(work: Work, environ: Mapping[str, str] | None = None) -> Ground:
    """The same, for those who have the brain open."""
    rules = load_rules(query_folders(str(work.project.root)))
    return Ground(work.project, work.brain, rules, mode_of(work.project, environ), TaskGraph(work))


def _with_profiles(rules: Rules, root: Path) -> Rules:
    """The rules, and the roles that the project's agent profiles describe."""
    files = [file for folder in FOLDERS for file in sorted((root / folder).glob("*.md"))]
    if not files:
        return rules
    texts = []
    for file in files:
        with suppress(OSError):  # it went while we looked, or may not be read: then nobody is allowed anything by it
            texts.append((file.stem, file.read_text("utf-8", "replace")))
    return replace(rules, roles=with_profiles(rules.roles, tuple(texts)))


def mode_of(project: Project, environ: Mapping[str, str] | None = None) -> str:
    """What the settings say, unless IDUMB_ENFORCE does."""
    told = (os.environ if environ is None else environ).get("IDUMB_ENFORCE", "").strip().lower()
    if told not in _SWITCH:
        raise BadInput(
            f"IDUMB_ENFORCE is {told!r}", why="it is neither true nor false", instead="IDUMB_ENFORCE=true, or unset it"
        )
    stated = project.config.governance.mode
    match _SWITCH[told]:
        case True:
            return ENFORCE
        case False:
            return GUIDE if stated == ENFORCE else stated
    return stated
