"""A project's folder to the files worth reading. Opens no source file, follows no symlink, runs no git."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import Enum
from fnmatch import filter as filter_names
from hashlib import blake2b
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from idumb_brain.model.code import SKIPPED
from idumb_brain.model.errors import BadInput
from idumb_brain.scan.ignore import (
    IGNORE_FILES,
    Ignores,
    Layer,
    Repository,
    Rules,
    excludes_of,
    repository_around,
    repository_at,
    ways_to,
)
from idumb_brain.store.secrets import by_name


@dataclass(frozen=True, slots=True)
class DiscoverSettings:
    max_bytes: int = 2_000_000
    vendored: bool = False  # also walk vendored folders
    exclude: tuple[str, ...] = ()  # gitignore patterns on top of the project's ignore files
    include: tuple[str, ...] = ()  # gitignore patterns that win over every skip but symlink, secrets, huge, unreadable


class Found(NamedTuple):
    path: str  # relative to the root; bytes that are not UTF-8 as surrogates
    size: int
    mtime_ns: int
    inode: int


class Skipped(NamedTuple):
    path: str  # a folder ends with '/'
    reason: str
    size: int = 0
    mtime_ns: int = 0


class Discovery(NamedTuple):
    found: list[Found]
    skipped: list[Skipped]
    repositories: list[str]  # nested ones and submodules
    ignore_fingerprint: str  # while it stays the same, what was found before is still not ignored


def discover(
    root: str,
    settings: DiscoverSettings,
    known: Container[str] = frozenset(),
    known_folders: Container[str] = frozenset(),
    known_fingerprint: str = "",
    *,
    environ: Mapping[str, str],
) -> Discovery:
    """Walk ``root`` and tell what to read and what not, both sorted by path.

    ``known`` are paths found before and ``known_folders`` the folders they lie in, with no slash at the end.
    While the fingerprint of that time holds, they are believed without asking any rule again.
    """
    top = _real_folder(root)
    if known_fingerprint:
        # Which rules are in force is known only after a walk: believe first, and walk again if they changed.
        discovery = _Walk(top, settings, environ, known, known_folders).run()
        if discovery.ignore_fingerprint == known_fingerprint:
            return discovery
    return _Walk(top, settings, environ).run()


def discover_again(
    root: str, settings: DiscoverSettings, known: Mapping[str, Any], fingerprint: str, *, environ: Mapping[str, str]
) -> Discovery:
    """A walk that believes what the index knows, for as long as the rules are those of the last one."""
    folders = set()
    kept = {path for path, row in known.items() if row[5] != SKIPPED}  # the others have to be judged again
    for path in kept:
        end = path.rfind("/")
        while end > 0 and path[:end] not in folders:
            folders.add(path[:end])
            end = path.rfind("/", 0, end)
    return discover(root, settings, kept, folders, fingerprint, environ=environ)


def look_at(root: str, settings: DiscoverSettings, paths: Iterable[str], *, environ: Mapping[str, str]) -> Discovery:
    """What a walk would tell of these paths alone. Looks into the folders on the way to them and into no others."""
    only: set[str] = set()
    for path in paths:
        while path and path not in only:
            only.add(path)
            path = path.rpartition("/")[0]
    return _Walk(_real_folder(root), settings, environ, only=only).run()


def never_read(path: str) -> bool:
    """Is a relative path in a folder that no walk goes into, whatever the settings? Settings of ours are read."""
    parts = path.split("/")
    if parts[0] == ".idumb":
        return parts[1:2] not in (["config.json"], ["queries"])
    return any(part in _NEVER_WALKED or _FOLDERS.get(part) is _CACHE for part in parts[:-1]) or parts[-1] == ".git"


@dataclass(frozen=True, slots=True)
class _FolderRule:
    reason: str  # shown to people; empty: skipped without a word
    beside: tuple[str, ...] = ()  # only beside one of these files; "*.x" is any file that ends so
    holding: str = ""  # only when it holds this file
    ignored: bool = False  # only when an ignore rule says so too


_VENDORED = _FolderRule("vendored folder")
_VIRTUALENV = _FolderRule("vendored folder", holding="pyvenv.cfg")
_BUILT = _FolderRule("build output folder")
_CACHE = _FolderRule("")

_FOLDERS: Mapping[str, _FolderRule] = {
    **dict.fromkeys(("node_modules", "bower_components", "jspm_packages", "web_modules"), _VENDORED),
    **dict.fromkeys((".yarn", ".pnpm-store", "elm-stuff"), _VENDORED),
    **dict.fromkeys(("vendor", "_vendor", "third_party", "third-party", "thirdparty"), _VENDORED),
    **dict.fromkeys(("site-packages", "Godeps", "Pods", "Carthage", ".terraform", ".gradle"), _VENDORED),
    **dict.fromkeys((".venv", "venv", "env", ".env", "virtualenv"), _VIRTUALENV),
    "deps": _FolderRule("vendored folder", beside=("mix.exs",)),
    "_build": _FolderRule("build output folder", beside=("mix.exs",)),
    "target": _FolderRule("build output folder", beside=("Cargo.toml", "pom.xml")),
    "obj": _FolderRule("build output folder", beside=("*.csproj", "*.fsproj", "*.vbproj")),
    ".build": _FolderRule("build output folder", beside=("Package.swift",)),
    **dict.fromkeys(("build", "dist"), _FolderRule("build output folder", ignored=True)),
    **dict.fromkeys((".next", ".nuxt", ".svelte-kit", ".output", ".dart_tool", "DerivedData"), _BUILT),
    **dict.fromkeys(("__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"), _CACHE),
    **dict.fromkeys((".tox", ".nox", ".eggs", ".ipynb_checkpoints", ".pytype", ".cache"), _CACHE),
    **dict.fromkeys((".parcel-cache", ".sass-cache", ".turbo", ".nyc_output", ".angular"), _CACHE),
}
_NEVER_WALKED = frozenset((".git", ".idumb", ".hg", ".svn", ".jj"))

# Not here, though binary at times, since each is also an extension of text: .ts .key .dat .dot .exp .pkg .raw
_BINARY = frozenset(
    f".{extension}"
    for extensions in (
        "png jpg jpeg jpe gif bmp ico icns webp avif heic heif jxl tif tiff tga dds exr cr2 nef",
        "psd xcf ai eps blend fbx glb stl 3ds max",
        "woff woff2 ttf ttc otf eot pfb pfm",
        "mp3 m4a wav flac ogg oga opus aac wma aiff mid midi",
        "mp4 m4v ogv avi mov mkv webm wmv flv mpg mpeg 3gp swf",
        "zip gz tgz bz2 tbz2 xz txz zst lz lz4 lzma 7z rar tar cab z br iso dmg img",
        "deb rpm apk aab ipa msi jar war ear whl egg gem nupkg crx xpi vsix phar",
        "exe dll so dylib a o obj lib ko pdb ilk rlib rmeta hi gch pch nib",
        "pyc pyo pyd class dex beam wasm elc mo gmo",
        "pdf doc docx docm dotx xls xlsx xlsm xlsb ppt pptx pptm",
        "odt ods odp odg epub mobi djvu pages numbers",
        "db db3 sqlite sqlite3 sqlite-wal sqlite-shm db-wal db-shm mdb accdb dbf rdb ldb realm",
        "pt pth ckpt safetensors onnx gguf ggml tflite pb h5 hdf5 keras pkl pickle joblib npy npz mlmodel",
        "parquet feather arrow avro rds rdata mat sav",
        "bin pcap pcapng jks keystore p12 pfx der snk ds_store",
    )
    for extension in extensions.split()
)
_MINIFIED = (".min.js", ".min.mjs", ".min.cjs", ".min.css", "-min.js", "-min.css")

# What a folder may hold that changes how the folder itself is read.
_TELLING = frozenset((*IGNORE_FILES, ".git"))


def _real_folder(root: str) -> Path:
    try:
        top = Path(root).resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise BadInput(f"cannot open {root}", why=str(error), instead="give a project's folder") from error
    if not top.is_dir():
        raise BadInput(f"{root} is not a folder", instead="give a project's folder")
    return top


class _Standing(Enum):
    OPEN = "what no rule skips is taken"
    INCLUDED = "an include pattern covers it, and all it holds"
    CLOSED = "skipped, yet on the way to something included: nothing else is taken"


class _Folder(NamedTuple):
    path: str  # ends with '/'; empty for the root
    ignores: Ignores  # in force where the folder lies, before its own ignore files
    standing: _Standing


class _Walk:
    """One pass over the project, folder by folder from a stack, so no depth is too deep."""

    def __init__(
        self,
        root: Path,
        settings: DiscoverSettings,
        environ: Mapping[str, str],
        known: Container[str] = frozenset(),
        known_folders: Container[str] = frozenset(),
        only: Container[str] | None = None,
    ) -> None:
        self._root = root
        self._only = only
        self._settings = settings
        self._environ = environ
        self._known = known
        # A known folder may be a closed one as soon as there are include patterns, so it must be judged anew.
        self._known_folders = frozenset() if settings.include else known_folders
        self._exclude = Rules(settings.exclude) if settings.exclude else None
        self._include = Rules(settings.include) if settings.include else None
        self._ways = ways_to(settings.include)
        self._repository = repository_around(root)
        self._found: list[Found] = []
        self._skipped: list[Skipped] = []
        self._nested: list[str] = []
        self._stamps: list[tuple[str, int, int]] = []
        self._folders: list[_Folder] = []

    def run(self) -> Discovery:
        self._folders.append(_Folder("", self._ignores_above(), _Standing.OPEN))
        while self._folders:
            self._look_into(self._folders.pop())
        by_path = itemgetter(0)
        return Discovery(
            sorted(self._found, key=by_path),
            sorted(self._skipped, key=by_path),
            sorted(self._nested),
            self._fingerprint(),
        )

    def _ignores_above(self) -> Ignores:
        repository = self._repository
        inner = self._root.relative_to(repository.top).parts if repository else ()
        leads = ["".join(f"{part}/" for part in inner[depth:]) for depth in range(len(inner))]
        layers = self._excludes(repository, self._root, lead=leads[0] if leads else "")
        for depth, lead in enumerate(leads):
            folder = self._root.parents[len(inner) - depth - 1]
            layers += self._layers(folder, IGNORE_FILES, lead=lead)
        return Ignores().over(layers)

    def _excludes(self, repository: Repository | None, folder: Path, *, lead: str = "", skip: int = 0) -> list[Layer]:
        files = excludes_of(repository, folder, self._environ)
        return [Layer(file, lead=lead, skip=skip) for file in files if self._stamp(file)]

    def _layers(self, folder: Path, names: Iterable[str], *, lead: str = "", skip: int = 0) -> list[Layer]:
        return [
            Layer(folder / name, lead=lead, skip=skip, of_git=name == ".gitignore")
            for name in names
            if self._stamp(folder / name)
        ]

    def _stamp(self, file: Path) -> bool:
        try:
            status = file.stat()
        except OSError:
            return False
        self._stamps.append((str(file), status.st_mtime_ns, status.st_size))
        return stat.S_ISREG(status.st_mode)

    def _look_into(self, folder: _Folder) -> None:
        prefix = folder.path
        unknown: list[os.DirEntry[str]] = []
        telling: list[os.DirEntry[str]] = []
        inner: list[str] = []
        # The only loop a rescan spends time in: local names, and no call of ours for a file that is known.
        known, known_folders, max_bytes = self._known, self._known_folders, self._settings.max_bytes
        found, make, kind, regular = self._found.append, tuple.__new__, 0o170000, stat.S_IFREG
        judged = _FOLDERS  # its rules ask what lies around a folder, and that may have changed
        try:
            with os.scandir(f"{self._root}/{prefix}") as entries:
                for entry in entries:
                    name = entry.name
                    path = prefix + name
                    if name in _TELLING:
                        telling.append(entry)
                    if path in known:
                        try:
                            status = entry.stat(follow_symlinks=False)
                        except OSError:
                            unknown.append(entry)
                            continue
                        size = status.st_size
                        if status.st_mode & kind == regular and size <= max_bytes:
                            found(make(Found, (path, size, status.st_mtime_ns, status.st_ino)))
                            continue
                    elif path in known_folders and entry.is_dir(follow_symlinks=False) and name not in judged:
                        inner.append(path + "/")
                        continue
                    unknown.append(entry)
        except (FileNotFoundError, NotADirectoryError):
            return  # gone since its parent was read
        except OSError as error:
            self._skipped.append(Skipped(prefix or "./", _unreadable(error)))
            return
        if telling:
            ignores = self._ignores_in(folder, telling)
            if ignores is None:
                return
            folder = folder._replace(ignores=ignores)
        self._folders += [_Folder(path, folder.ignores, folder.standing) for path in inner]
        if unknown:
            self._judge(folder, unknown)

    def _ignores_in(self, folder: _Folder, telling: Sequence[os.DirEntry[str]]) -> Ignores | None:
        """The rules for what the folder holds; None when it must not be walked."""
        ignores = folder.ignores
        by_name = {entry.name: entry for entry in telling}
        if ".git" in by_name and folder.path:
            top = self._root / folder.path
            repository = repository_at(top)
            if repository and self._repository and repository.common == self._repository.common:
                self._skipped.append(Skipped(folder.path, "linked worktree of this repository"))
                # Files known from before it became one may be taken already; a new fingerprint undoes that.
                self._stamps.append((folder.path, 0, 0))
                return None
            if repository:
                self._nested.append(folder.path[:-1])
                excludes = self._excludes(repository, top, skip=len(folder.path))
                ignores = ignores.in_nested_repository(excludes)
        # git reads no ignore file through a symlink in the work tree.
        names = [name for name in IGNORE_FILES if name in by_name and not by_name[name].is_symlink()]
        return ignores.over(self._layers(self._root / folder.path, names, skip=len(folder.path)))

    def _judge(self, folder: _Folder, entries: Sequence[os.DirEntry[str]]) -> None:
        for entry in entries:
            name = entry.name
            if name in _NEVER_WALKED:
                continue
            path = folder.path + name
            if self._only is not None and path not in self._only:
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    self._judge_folder(folder, path, name)
                else:
                    self._judge_file(folder, path, entry)
            except FileNotFoundError:
                continue  # gone since the folder was read
            except OSError as error:
                self._skipped.append(Skipped(path, _unreadable(error)))

    def _judge_folder(self, folder: _Folder, path: str, name: str) -> None:
        standing = _Standing.OPEN
        if self._included(folder, path, name, is_folder=True):
            standing = _Standing.INCLUDED
        elif folder.standing is _Standing.CLOSED or self._refuses(folder, path, name):
            if not self._leads_to_included(path, name):
                return
            standing = _Standing.CLOSED
        self._folders.append(_Folder(f"{path}/", folder.ignores, standing))

    def _included(self, folder: _Folder, path: str, name: str, *, is_folder: bool) -> bool:
        if self._include is None:
            return False
        verdict = self._include.verdict(path, name, is_folder)
        return folder.standing is _Standing.INCLUDED if verdict is None else verdict

    def _leads_to_included(self, path: str, name: str) -> bool:
        return self._ways.verdict(path, name, is_folder=True) is True

    def _refuses(self, folder: _Folder, path: str, name: str) -> bool:
        ignored = self._ignored(folder, path, name, is_folder=True)
        rule = _FOLDERS.get(name)
        if rule is None or not self._applies(rule, folder, name, ignored):
            return ignored
        if rule.reason:
            exception = ", except what is included" if self._leads_to_included(path, name) else ""
            self._skipped.append(Skipped(f"{path}/", rule.reason + exception))
        return True

    def _ignored(self, folder: _Folder, path: str, name: str, *, is_folder: bool) -> bool:
        verdict = self._exclude.verdict(path, name, is_folder) if self._exclude else None
        return folder.ignores.ignored(path, name, is_folder) if verdict is None else verdict

    def _applies(self, rule: _FolderRule, folder: _Folder, name: str, ignored: bool) -> bool:
        if self._settings.vendored and rule.reason == _VENDORED.reason:
            return False
        if rule.ignored:
            return ignored
        if rule.holding:
            return os.access(self._root / folder.path / name / rule.holding, os.F_OK)
        if rule.beside:
            siblings = os.listdir(self._root / folder.path)
            return any(filter_names(siblings, marker) for marker in rule.beside)
        return True

    def _judge_file(self, folder: _Folder, path: str, entry: os.DirEntry[str]) -> None:
        name = entry.name
        included = self._included(folder, path, name, is_folder=False)
        if not included and folder.standing is _Standing.CLOSED:
            return
        if not included and self._ignored(folder, path, name, is_folder=False):
            return
        status = entry.stat(follow_symlinks=False)
        size = status.st_size
        if stat.S_ISLNK(status.st_mode):
            reason = self._where_it_leads(path)
        elif not stat.S_ISREG(status.st_mode):
            reason = "not a regular file"
        elif by_name(path):
            reason = "secrets by its name"
        elif not included and (unread := _unread_by_name(name)):
            reason = unread
        elif size > self._settings.max_bytes:
            reason = f"huge: {_amount(size)} over the limit of {_amount(self._settings.max_bytes)}"
        else:
            self._found.append(Found(path, size, status.st_mtime_ns, status.st_ino))
            return
        self._skipped.append(Skipped(path, reason, size, status.st_mtime_ns))

    def _where_it_leads(self, path: str) -> str:
        link = self._root / path
        try:
            target = link.resolve(strict=True)
        except (FileNotFoundError, NotADirectoryError):
            return "broken symlink"
        except RuntimeError:
            return "symlink loop"  # what pathlib raised for ELOOP up to Python 3.12
        except OSError as error:
            return "symlink loop" if error.errno == errno.ELOOP else _unreadable(error)
        if not target.is_relative_to(self._root):
            return "symlink out of the project"
        if link.is_relative_to(target):
            return "symlink loop"
        return f"symlink to {target.relative_to(self._root)}"

    def _fingerprint(self) -> str:
        rules = (astuple(self._settings), sorted(self._stamps), sorted(self._nested))
        return blake2b(repr(rules).encode(), digest_size=16).hexdigest()


def _unread_by_name(name: str) -> str:
    name = name.lower()
    # Without a dot this looks up the last letter, and no extension is without a dot.
    if name[name.rfind(".") :] in _BINARY:
        return "binary by its name"
    if name.endswith(_MINIFIED):
        return "minified by its name"
    return "source map by its name" if name.endswith(".map") else ""


def _amount(size: int) -> str:
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"


def _unreadable(error: OSError) -> str:
    return f"unreadable: {error.strerror}"
