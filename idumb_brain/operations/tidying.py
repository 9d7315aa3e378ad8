"""``gc``: what nobody needs any more, taken out; databases made smaller. Never what somebody authored, and never the last copy of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BrainError, StoreLocked
from idumb_brain.operations import records
from idumb_brain.operations.ground import standing
from idumb_brain.operations.leftovers import leftovers, take_out
from idumb_brain.operations.project import Project, find_project, moment
from idumb_brain.operations.word_index import search_file
from idumb_brain.store import injected
from idumb_brain.store.brain import SIDES
from idumb_brain.store.database import compact, slack

KEPT_COPIES = 3  # of each kind, however old
COPY_DAYS = 30  # for which every copy is kept
_WORTH_IT = 0.25  # of a database that holds nothing
_SMALL = 1_000_000  # bytes of slack that are let be
_COPIES = ("brain.db.backup-*", "brain.db.damaged-*")


def gc(root: str | None = None, *, dry_run: bool = False) -> dict[str, Any]:
    project = find_project(root)
    told: dict[str, Any] = {"dryRun": dry_run, "before": "", "sessions": [], "halts": [], "files": [], "blocks": 0}
    freed = 0
    if project.brain.exists():
        with standing(root, make=not dry_run) as ground:
            told |= records.collect(ground, dry_run=dry_run)
        told["blocks"] = injected.forget_before(project.injected, told["before"], dry_run=dry_run)
    for name, files in (("leftovers", leftovers(project)), ("copies", list(_old_copies(project)))):
        freed += sum(file.stat().st_size for file in files)
        told[name] = [str(file) for file in files]
        if not dry_run:
            take_out(files)
    told["compacted"] = [] if dry_run else list(_compacted(project))
    return told | {"freedBytes": freed + sum(one["freedBytes"] for one in told["compacted"])}


def _old_copies(project: Project) -> Iterator[Path]:
    """Of the brain: but for the youngest few of each kind, those that are old. With what belongs to each."""
    limit = (moment() - timedelta(days=COPY_DAYS)).timestamp()
    for pattern in _COPIES:
        found = [one for one in project.brain.parent.glob(pattern) if not one.name.endswith(SIDES)]
        for file in sorted(found, key=lambda one: one.stat().st_mtime, reverse=True)[KEPT_COPIES:]:
            if file.stat().st_mtime < limit:
                yield from (one for side in ("", *SIDES) if (one := file.with_name(file.name + side)).exists())


def _compacted(project: Project) -> Iterator[dict[str, Any]]:
    for file in (project.index, search_file(project), project.brain, project.injected):
        if not file.exists():
            continue
        try:
            size, empty = slack(file)
            if empty > _SMALL and empty > size * _WORTH_IT:
                compact(file)
                yield {"file": str(file), "freedBytes": empty, "note": ""}
        except StoreLocked:
            yield {"file": str(file), "freedBytes": 0, "note": "somebody is writing to it; left as it is"}
        except BrainError as error:
            yield {"file": str(file), "freedBytes": 0, "note": f"{error.what}: idumb-brain doctor"}
