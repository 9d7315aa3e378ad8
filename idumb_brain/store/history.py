"""What the index keeps of the project's history, so that only new commits have to be read."""

from __future__ import annotations

import json
from pathlib import Path

from idumb_brain.model.history import FileHistory, History
from idumb_brain.store.code import meta, set_meta
from idumb_brain.store.database import Connection, connect, transaction


def history(connection: Connection, settings: str) -> History | None:
    """None where nothing is kept, or it was read by other settings."""
    stated = json.loads(meta(connection, "history") or "{}")
    if stated.get("settings") != settings:
        return None
    files = {
        path: FileHistory(commits, last, tuple((name, count) for name, count in authors))
        for path, (commits, last, authors) in stated["files"].items()
    }
    return History(stated["head"], stated["commits"], files, stated["shallow"], stated["bounded"])


def keep_history(index: Path, known: History, settings: str) -> None:
    files = {path: [one.commits, one.last_change, one.authors] for path, one in known.files.items()}
    stated = {
        "settings": settings, "head": known.head, "commits": known.commits, "shallow": known.shallow, "bounded": known.bounded,
        "files": files,
    }  # fmt: skip
    connection = connect(index, busy_ms=500)
    try:
        with transaction(connection):
            set_meta(connection, history=json.dumps(stated, separators=(",", ":")))
    finally:
        connection.close()
