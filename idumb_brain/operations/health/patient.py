"""Who is examined: a project, and the copies that were made before it was touched."""

from __future__ import annotations

from dataclasses import dataclass, field

from idumb_brain.operations.project import Project, now
from idumb_brain.store.brain import Brain, backup
from idumb_brain.store.migrations import VERSION


@dataclass(frozen=True, slots=True)
class Patient:
    project: Project
    template: str  # OpenCode's plugin as it is shipped
    backups: list[str] = field(default_factory=list)

    @property
    def now(self) -> str:
        return now()

    def backed_up(self, brain: Brain) -> None:
        """One copy of the brain is enough, made before the first thing in it is touched."""
        if not self.backups:
            self.backups.append(str(backup(brain, VERSION)))
