"""Keeps a map true while somebody works: what is done when a session starts, when files were written, and every so many writes.

For those who live as long as the session. Never stands in the way of the work: it answers with what it noticed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from idumb_brain.model.code import ScanReport
from idumb_brain.operations.project import Project
from idumb_brain.operations.scanning import Notice, Workspace, silent


class Keeper:
    """One session's work in one project."""

    def __init__(self, project: Project, *, notice: Notice = silent) -> None:
        self._workspace = Workspace(project=project, notice=notice)
        self._project = self._workspace.project
        self._every = self._project.config.automation.driftEvery
        self._written: set[str] = set()  # since drift was last looked at
        self._since = ""  # the commit the session started on

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, *rest: object) -> None:
        self._workspace.__exit__(*rest)

    def started(self) -> dict[str, Any]:
        """A session starts: the index is brought up to date, and documents that lie are told of."""
        from idumb_brain.operations.mapping import summary

        report = self._workspace.refresh()
        return {
            "summary": summary(str(self._project.root)),
            "scanned": list(report.scanned),
            "removed": list(report.removed),
            "stale": self.began(),
            "durationMs": report.duration_ms,
        }

    def began(self) -> list[dict[str, Any]]:
        """The same for those who brought the index up to date already: documents that lie. From here on it is told what drifted."""
        from idumb_brain.scan.git import ask

        self._since = ask(self._project.root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").strip()
        return self._stale()

    def written(self, paths: Iterable[str]) -> dict[str, Any]:
        """Files were written: those are scanned again, and now and then drift is looked at."""
        return self.rescanned(paths) | {"drift": self.drift_when_due()}

    def rescanned(self, paths: Iterable[str]) -> dict[str, Any]:
        """The same for those who cannot wait for drift."""
        return self._noted(self._workspace.rescan(paths))

    def refreshed(self) -> dict[str, Any]:
        """Something was written, and nobody knows what."""
        return self._noted(self._workspace.refresh())

    def drift_when_due(self) -> dict[str, Any] | None:
        if not self._every or len(self._written) < self._every:
            return None
        self._written.clear()
        return self.drift()

    def drift(self) -> dict[str, Any]:
        """What the session has changed since it started, as far as git can tell, and which documents lie by now."""
        from idumb_brain.operations.drift import drift

        since = drift(self._since, str(self._project.root)) if self._since else None
        return {"since": since, "stale": self._stale()}

    def _noted(self, report: ScanReport) -> dict[str, Any]:
        self._written.update(report.scanned, report.removed)
        return {"scanned": list(report.scanned), "removed": list(report.removed), "durationMs": report.duration_ms}

    def _stale(self) -> list[dict[str, Any]]:
        from idumb_brain.operations.documents import documents

        told = documents(str(self._project.root))["documents"]
        return [{"path": document["path"], **indicator} for document in told for indicator in document["staleIndicators"]]
