"""Which project a command is about, where its stores are, what its settings say, and what time it is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from idumb_brain.model.errors import BadInput, NotScanned
from idumb_brain.store import code as store
from idumb_brain.store.config import CONFIG, Config, read_config, write_default
from idumb_brain.store.database import Connection, explained

if TYPE_CHECKING:
    from idumb_brain.scan.discover import DiscoverSettings


@dataclass(frozen=True, slots=True)
class Project:
    root: Path
    home: Path  # .idumb, or a cache folder when the project cannot be written to
    note: str = ""  # what a person should know about that choice

    @property
    def index(self) -> Path:
        return self.home / "brain" / "index.db"

    @property
    def config(self) -> Config:
        return read_config(self.root / ".idumb" / CONFIG)

    def prepared(self) -> Project:
        """The same project with its folders made."""
        (self.home / "brain").mkdir(parents=True, exist_ok=True)
        ignore = self.home / ".gitignore"
        if not ignore.exists():
            ignore.write_text(
                "# Databases and caches are derived or private to this machine.\nbrain/*.db*\nbrain/*.log\nbrain/*.lock\n"
            )
        write_default(self.home / CONFIG)
        return self

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """The index, for questions. Raises NotScanned where there is none."""
        connection = store.open_for_reading(self.index)
        if connection is None:
            raise NotScanned(
                f"{self.root} has no index yet",
                why=f"there is none this version can read at {self.index}",
                instead=f'run "idumb-brain scan {self.root}"',
            )
        try:
            with explained(self.index):
                yield connection
        finally:
            connection.close()


def find_project(given: str | None = None, environ: Mapping[str, str] | None = None) -> Project:
    """The project around a folder: the nearest one above with .idumb or .git, else the folder itself."""
    environ = os.environ if environ is None else environ
    start = Path(given or ".")
    if not start.exists():
        raise BadInput(
            f"{start} does not exist",
            why="there is no such file or folder",
            instead="give the folder of a project",
        )
    if not start.is_dir():
        raise BadInput(f"{start} is a file", why="a project is a folder", instead=f"try --root {start.resolve().parent}")
    start = start.resolve()
    root = next((folder for folder in (start, *start.parents) if _is_top(folder)), start) if given is None else start
    return _placed(root, environ)


def now(environ: Mapping[str, str] | None = None) -> str:
    """The time as ISO 8601, to the second; IDUMB_BRAIN_NOW fixes it."""
    return moment(environ).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(environ: Mapping[str, str] | None = None) -> datetime:
    fixed = (os.environ if environ is None else environ).get("IDUMB_BRAIN_NOW")
    if not fixed:
        return datetime.now(UTC)
    try:
        told = datetime.fromisoformat(fixed.replace("Z", "+00:00"))
    except ValueError as error:
        raise BadInput(
            f"IDUMB_BRAIN_NOW is {fixed!r}",
            why="that is not an ISO 8601 time",
            instead="for example 2026-02-04T10:30:00Z",
        ) from error
    return told.astimezone(UTC) if told.tzinfo else told.replace(tzinfo=UTC)


def discover_settings(project: Project) -> DiscoverSettings:
    """Which files count, as the project's settings say."""
    from idumb_brain.scan.discover import DiscoverSettings

    stated = project.config.scan
    return DiscoverSettings(stated.maxBytes, stated.vendored, tuple(stated.exclude), tuple(stated.include))


def relative_path(project: Project, file: str) -> str:
    """A path as the index spells it; what is typed may be relative to here or to the project."""
    typed = Path(os.path.abspath(file))
    if typed.is_relative_to(project.root) and (typed.exists() or os.path.isabs(file)):
        return typed.relative_to(project.root).as_posix()
    return Path(os.path.normpath(file)).as_posix()


def _is_top(folder: Path) -> bool:
    return (folder / ".idumb").is_dir() or (folder / ".git").exists()


def _takes_files(folder: Path) -> bool:
    """Whether a file can be made here. Asked by making a nameless one: permissions alone do not tell it."""
    try:
        with TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _placed(root: Path, environ: Mapping[str, str]) -> Project:
    home = root / ".idumb"
    probe = next(folder for folder in (home / "brain", home, root) if folder.is_dir())
    if (home / "brain" / "index.db").exists() or _takes_files(probe):
        return Project(root, home)
    caches = Path(environ.get("XDG_CACHE_HOME") or Path(environ.get("HOME", "/tmp"), ".cache"))
    name = f"{root.name or 'root'}-{sha1(os.fsencode(root), usedforsecurity=False).hexdigest()[:12]}"
    elsewhere = caches / "idumb-brain" / name
    return Project(root, elsewhere, f"{probe} is not writable: the index is kept in {elsewhere}")
