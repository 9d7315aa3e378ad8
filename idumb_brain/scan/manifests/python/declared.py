"""What one Python manifest declares, and how requirements are written (PEP 508). Reads no files."""

from __future__ import annotations

import re
from dataclasses import dataclass

from idumb_brain.model.project import Requirement

_REQUIREMENT = re.compile(r"^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$", re.DOTALL)


@dataclass(slots=True)
class Declared:
    name: str = ""
    version: str = ""
    requirements: tuple[Requirement, ...] = ()
    scripts: tuple[tuple[str, str], ...] = ()
    members: tuple[str, ...] = ()  # folder patterns of a workspace
    unmembers: tuple[str, ...] = ()
    private: bool = False


def normal(name: str) -> str:
    """A name as the index compares them (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement(written: str, group: str, manifest: str, line: int) -> Requirement | None:
    """One PEP 508 requirement; None for a text that is none."""
    found = _REQUIREMENT.match(written.partition(";")[0].strip())
    if found is None:
        return None
    wanted = found[2].strip().strip("()")
    if wanted and wanted[0] not in "<>=!~@":
        return None
    return Requirement(normal(found[1]), " ".join(wanted.split()), group, manifest, line)
