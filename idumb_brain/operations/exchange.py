"""``export`` and ``import``: the brain as JSON files beside it, for git, for other machines, for people; and back again.

Import changes none of the files it reads and loses nothing of the brain it reads into; twice is as good as once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BadInput, BrainError, NotScanned
from idumb_brain.model.exchange import FORMAT, Content
from idumb_brain.operations.brain import noted
from idumb_brain.operations.earlier import read_earlier
from idumb_brain.operations.imported import Gathered, read_exported
from idumb_brain.operations.merging import merged, unseen
from idumb_brain.operations.project import Project, find_project, moment
from idumb_brain.render.exported import FOLDERS, exported
from idumb_brain.store import exchange as store
from idumb_brain.store import knowledge
from idumb_brain.store.brain import Brain, writing
from idumb_brain.store.secrets import redacted

_OURS = f'"format": "{FORMAT.partition("/")[0]}/'
_TOP = 200  # bytes in which a file says whose it is
_MOST_BYTES = 500_000_000


def export(folder: str = "", root: str | None = None, *, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Write everything; files that are as they should be are not touched, and those of what is gone are removed.

    What others wrote into the files since they were last imported stays in them.
    """
    project = find_project(root, environ)
    to = Path(folder) if folder else project.brain.parent
    with project.remembering(environ=environ) as brain:
        content = _with_what_lies_there(brain, project, to, environ)
        files = exported(content, _project_map(project))
        if folder:
            to.mkdir(parents=True, exist_ok=True)
        written: list[str] = []
        for path, text in files.items():
            if _write(to / path, text):
                written.append(path)
        gone = [path for path in _ours(to) if path not in files]
        for path in gone:
            (to / path).unlink()
        counts = {kind: len(values) for kind, values in content.things.items()}
        return noted(
            brain,
            {"folder": str(to), "written": written, "unchanged": len(files) - len(written), "removed": gone, "counts": counts},
        )


def _with_what_lies_there(brain: Brain, project: Project, folder: Path, environ: Mapping[str, str] | None) -> Content:
    content = store.content(brain)
    gathered = Gathered()
    for path in _ours(folder):
        stated, problem = _parsed(folder / path)
        if not problem and stated.get("format") != FORMAT:
            problem = f"it has format {stated.get('format')!r}, this version writes {FORMAT}"
        if problem:
            raise BadInput(f"{folder / path} would be lost", why=problem, instead="settle it or move it away, and export again")
        read_exported(stated, gathered)
    days = timedelta(days=project.config.governance.keepDays)
    found = unseen(content, gathered.content, (moment(environ) - days).strftime("%Y-%m-%dT%H:%M:%SZ"))
    if count := sum(map(len, found.things.values())):
        brain.notes.append(
            f"{count} things in the files are newer than what is known here; they stay, and idumb-brain import reads them"
        )
        content, told = merged(content, found)
        brain.notes.extend(told)
    return content


def export_session(project: Project, brain: Brain, session: str) -> None:
    """Write one session beside the others; no other file is touched."""
    for path, text in exported(store.of_session(brain, session)).items():
        _write(project.brain.parent / path, text)


def import_(folder: str = "", root: str | None = None, *, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Read exported files, and those of every earlier version, into the brain."""
    project = find_project(root, environ)
    home = _home_of(Path(folder) if folder else project.brain.parent)
    gathered = Gathered()
    files: list[dict[str, Any]] = []
    problems: list[dict[str, str]] = []
    notes: list[str] = []
    documents = {}
    for path, file in _candidates(home).items():
        stated, problem = _parsed(file)
        if problem:
            problems.append({"file": path, "reason": problem})
        elif isinstance(stated, dict) and str(stated.get("format", "")).startswith(FORMAT.partition("/")[0] + "/"):
            if stated["format"] != FORMAT:
                problems.append({"file": path, "reason": f"it has format {stated['format']!r}, this version reads {FORMAT}"})
                continue
            count = read_exported(stated, gathered)
            files.append({"file": path, "format": FORMAT, "read": count})
            problems += [{"file": path, "reason": reason} for reason in gathered.problems]
            gathered.problems.clear()
        else:
            documents[path] = stated
    earlier = read_earlier(documents)
    files += earlier.files
    problems += earlier.problems
    notes += earlier.notes
    with project.remembering(make=True, environ=environ) as brain, writing(brain):
        before = store.content(brain)
        after, told = merged(before, gathered.content)
        notes += told
        if earlier.read:
            after, told = merged(after, earlier.fitted(after))
            notes += told
        changed = store.put(brain, before, after)
    if changed.get("entries", {}).get("gone"):
        with project.remembering(environ=environ) as brain:
            knowledge.scrub(brain)
    return {"folder": str(home), "files": files, "changed": changed, "problems": problems, "notes": notes + brain.notes}


def _project_map(project: Project) -> dict[str, Any] | None:
    """As the index has it; there may be none."""
    from idumb_brain.operations.mapping import project_map

    try:
        told = project_map(str(project.root))
    except (NotScanned, BrainError):
        return None
    return {key: value for key, value in told.items() if key != "root"}  # where it lies is of this machine alone


def _write(file: Path, text: str) -> bool:
    """Whether it had to be written. At no instant is there half a file."""
    content = text.encode("utf-8")
    try:
        there = file.read_bytes() if file.exists() else None
        if there == content:
            return False
        if there is not None and _OURS.encode() not in there[:_TOP]:
            raise BadInput(f"{file} is not ours", why="another program wrote it", instead="move it, or export to another folder")
        file.parent.mkdir(parents=True, exist_ok=True)
        aside = file.with_name(f".{file.name}.new-{os.getpid()}")
        aside.write_bytes(content)
        os.replace(aside, file)
    except OSError as error:
        raise BadInput(f"{file} cannot be written", why=str(error.strerror), instead="export to another folder") from error
    return True


def _ours(folder: Path) -> list[str]:
    """Exported files that lie there."""
    found = []
    for name in FOLDERS:
        for file in sorted((folder / name).glob("*.json")):
            with file.open("rb") as opened:
                if _OURS.encode() in opened.read(_TOP):
                    found.append(f"{name}/{file.name}")
    return found


def _home_of(folder: Path) -> Path:
    """Where the files lie: the folder itself, or that of the project it is."""
    if not folder.is_dir():
        raise BadInput(f"{folder} cannot be imported", why="there is no such folder", instead="give a folder that export wrote")
    return next((inner for inner in (folder / ".idumb" / "brain", folder / "brain") if inner.is_dir()), folder)


def _candidates(home: Path) -> dict[str, Path]:
    """path → file of all JSON that may be a brain's, in an order that does not depend on the file system."""
    places = [
        home,
        *(home / name for name in FOLDERS),
        *([home.parent, home.parent / "sessions"] if home.name == "brain" else []),
    ]
    return {os.path.relpath(file, home): file for place in places for file in sorted(place.glob("*.json"))}


def _parsed(file: Path) -> tuple[Any, str]:
    """What a file says, or why nobody can tell."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return None, "it is too large"
        text = redacted(file.read_text("utf-8-sig"))
        if "\n<<<<<<< " in text or text.startswith("<<<<<<< "):
            return None, "git left conflicts in it; resolve them and import again"
        return json.loads(text), ""
    except UnicodeDecodeError:
        return None, "it is not UTF-8"
    except (ValueError, RecursionError) as error:
        return None, f"it is not JSON: {error}"
    except OSError as error:
        return None, str(error.strerror)
