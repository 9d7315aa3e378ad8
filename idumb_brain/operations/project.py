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
from idumb_brain.store.brain import Brain, opened
from idumb_brain.store.config import CONFIG, Config, read_config, write_default
from idumb_brain.store.database import Connection, explained

if TYPE_CHECKING:
    from idumb_brain.scan.discover import DiscoverSettings


# Below .idumb: what is derived, or private to this machine.
IGNORED = ("brain/*.db*", "brain/*.log", "brain/*.lock", "brain/*.heartbeat", "brain/*.sock")


@dataclass(frozen=True, slots=True)
class Project:
    root: Path
    home: Path  # .idumb, or a cache folder when the project cannot be written to
    note: str = ""  # what a person should know about that choice
    shared: Path | None = None  # the home of the brain, where it is not this one: that of the main worktree

    @property
    def brain(self) -> Path:
        """What people and agents authored; all worktrees of a repository share it."""
        return (self.shared or self.home) / "brain" / "brain.db"

    @property
    def injected(self) -> Path:
        """The blocks that agents were handed lately."""
        return self.brain.with_name("injected.db")

    @property
    def index(self) -> Path:
        return self.home / "brain" / "index.db"

    @property
    def config(self) -> Config:
        return read_config(self.root / ".idumb" / CONFIG)

    def prepared(self) -> Project:
        """The same project with its folders made."""
        for home in {self.home, self.shared or self.home}:
            (home / "brain").mkdir(parents=True, exist_ok=True)
            ignore = home / ".gitignore"
            if not ignore.exists():
                told = "# Databases and caches are derived or private to this machine."
                ignore.write_text("".join(f"{one}\n" for one in (told, *IGNORED)))
            write_default(home / CONFIG)
        return self

    @contextmanager
    def remembering(self, *, make: bool = False, environ: Mapping[str, str] | None = None) -> Iterator[Brain]:
        """The brain, for questions and changes. Only what writes asks to ``make`` it; until then it is an empty one."""
        if make:
            self.prepared()
        with opened(self.brain, now(environ), make=make) as brain:
            yield brain

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
    home, note = _home(root, "index.db", environ)
    main = _in_main_worktree(root)
    shared = _home(main, "brain.db", environ)[0] if main != root else None
    return Project(root, home, note, shared)


def _home(root: Path, database: str, environ: Mapping[str, str]) -> tuple[Path, str]:
    home = root / ".idumb"
    caches = Path(environ.get("XDG_CACHE_HOME") or Path(environ.get("HOME", "/tmp"), ".cache"))
    name = f"{root.name or 'root'}-{sha1(os.fsencode(root), usedforsecurity=False).hexdigest()[:12]}"
    elsewhere = caches / "idumb-brain" / name
    if link := _leads_out(home, root):
        return elsewhere, f"{link} leads out of the project: the index is kept in {elsewhere}"
    probe = next(folder for folder in (home / "brain", home, root, *root.parents) if folder.is_dir())
    if (home / "brain" / database).exists() or _takes_files(probe):
        return home, ""
    return elsewhere, f"{probe} is not writable: the index is kept in {elsewhere}"


def _leads_out(home: Path, root: Path) -> Path | None:
    """A link through which what is written here would land elsewhere: a repository may bring one along."""
    for folder in (home, home / "brain"):
        if folder.is_symlink() and not folder.resolve().is_relative_to(root):
            return folder
        try:
            with os.scandir(folder) as entries:
                links = [entry.path for entry in entries if entry.is_symlink()]
        except OSError:
            return None  # not there yet, or none of ours to read: then nothing is written there either
        for link in links:
            if not os.path.realpath(link).startswith(f"{root}{os.sep}"):
                return Path(link)
    return None


def _in_main_worktree(root: Path) -> Path:
    """The same folder in the repository's main worktree; the folder itself where there is no other.

    Read from git's files: ``.git`` of another worktree is a file that leads to a folder with a file ``commondir``.
    """
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if top is None or not (top / ".git").is_file():
        return root
    try:
        kind, _, led = (top / ".git").read_text("utf-8", "surrogateescape").strip().partition(": ")
        own = top / led
        common = Path(os.path.normpath(own / (own / "commondir").read_text("utf-8", "surrogateescape").strip()))
    except OSError:  # a submodule, or a worktree whose repository is gone
        return root
    if kind != "gitdir" or not common.is_dir():
        return root
    main = common.parent if common.name == ".git" else common  # a bare repository has no main worktree: beside its objects
    return main.resolve() / root.relative_to(top)
