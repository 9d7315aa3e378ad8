"""Discovery on real files; what is ignored is compared with what real git ignores."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from idumb_brain.model.errors import BadInput
from idumb_brain.scan.discover import DiscoverSettings, Discovery, discover

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def lay(root: Path, *files: str, **texts: str | bytes) -> Path:
    for file in files:
        write(root / file, b"")
    for name, text in texts.items():
        write(root / name, text)
    return root


def write(file: Path, text: str | bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


def look(root: Path, *, home: Path | None = None, **settings: object) -> Discovery:
    environ = {"HOME": str(home)} if home else {}
    return discover(str(root), DiscoverSettings(**settings), environ=environ)  # type: ignore[arg-type]


def found(root: Path, *, home: Path | None = None, **settings: object) -> list[str]:
    return [file.path for file in look(root, home=home, **settings).found]


def not_ignored(root: Path, *, home: Path | None = None) -> list[str]:
    """What is read, and what would be if its name did not tell of secrets."""
    seen = look(root, home=home)
    return sorted(
        [file.path for file in seen.found] + [skip.path for skip in seen.skipped if skip.reason == "secrets by its name"]
    )


def reasons(discovery: Discovery) -> dict[str, str]:
    return {skipped.path: skipped.reason for skipped in discovery.skipped}


def git(root: Path, *arguments: str, home: Path | None = None) -> bytes:
    environ = {"PATH": os.environ["PATH"], "HOME": str(home or root / "nowhere"), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=root, env=environ, check=True, capture_output=True).stdout


def kept_by_git(root: Path, *, home: Path | None = None) -> list[str]:
    listed = git(root, "ls-files", "-co", "--exclude-standard", "-z", home=home).split(b"\0")
    return sorted(os.fsdecode(path) for path in listed if path)


def known_from(discovery: Discovery) -> tuple[set[str], set[str], str]:
    known = {file.path for file in discovery.found}
    folders = {str(folder) for path in known for folder in Path(path).parents} - {"."}
    return known, folders, discovery.ignore_fingerprint


TREE = """
    a.py a.log keep.log src/a.py src/a.log src/keep.log src/deep/keep.log src/deep/er/a.log src/deep/er/b.py
    docs/_out/a.html docs/a.md foo/bar/a foo/bar/b foo/a foo/keep x/foo/bar/a tmp/a tmp/keep/a x/tmp
    #hash !bang with\\backslash star*name a[b]c café.txt .env .env.local .env.example
    out/a/b/c.txt out/c.txt data/x.csv
""".split()  # noqa: SIM905
ODD_NAMES = ["trail ", "two words.txt", "new\nline/a.log", "tab\t", "-dash", "b?"]

IGNORE_CASES: dict[str, dict[str, str | bytes]] = {
    "plain name at any depth": {".gitignore": "a.log\n"},
    "ending": {".gitignore": "*.log\n"},
    "ending of two dots": {".gitignore": "*.env.local\n*.d.ts\n"},
    "negation": {".gitignore": "*.log\n!keep.log\n"},
    "negation before": {".gitignore": "!keep.log\n*.log\n"},
    "no way back into an ignored folder": {".gitignore": "src/\n!src/a.py\n!src/**\n"},
    "keep one of a folder": {".gitignore": "/foo/*\n!/foo/keep\n"},
    "all of a folder but one": {".gitignore": "foo/**\n!foo/keep\n!foo/bar/\n"},
    "keep folders and one ending": {".gitignore": "*\n!*/\n!*.py\n"},
    "folder kept again, its logs not": {".gitignore": "*.log\nsrc/\n!src/\n"},
    "anchored": {".gitignore": "/a.log\n/tmp\n"},
    "anchored by a slash inside": {".gitignore": "foo/bar\n"},
    "folders only": {".gitignore": "tmp/\n"},
    "stars in front": {".gitignore": "**/foo/bar\n"},
    "stars inside": {".gitignore": "src/**/a.log\nout/**/c.txt\n"},
    "stars at the end": {".gitignore": "out/**\n"},
    "stars alone": {"src/.gitignore": "**\n"},
    "stars and a slash": {".gitignore": "**/\n"},
    "stars twice": {".gitignore": "**/**/keep.log\nfoo/**/**\n"},
    "stars in a name": {".gitignore": "src/k**p.log\n"},
    "question mark and class": {".gitignore": "?.log\n.env.[el]*\n[!a-z]hash\n"},
    "posix class": {".gitignore": "[[:alpha:]].py\n"},
    "malformed": {".gitignore": "[z-a]\n[a\na.log\\\n*.log\\\n//\n/\n!\nfoo//\n"},
    "escapes": {".gitignore": "\\#hash\n\\!bang\nstar\\*name\nwith\\\\backslash\na\\[b]c\n"},
    "comment and unescaped": {".gitignore": "#hash\n!bang\n  # no comment\n"},
    "bang after bang": {".gitignore": "*\n!!bang\n!#hash\n!!b*g\n"},
    "trailing spaces": {".gitignore": "a.log   \nkeep.log\\ \ntrail\\ \n"},
    "space kept": {".gitignore": "trai?\\ \ntwo words.txt\n"},
    "trailing tab": {".gitignore": "ta?\t\na.log\t\n"},
    "windows lines": {".gitignore": "*.log\r\n!keep.log\r\ntmp/\r\n"},
    "no newline at the end": {".gitignore": "*.log\n!keep.log"},
    "byte order mark": {".gitignore": b"\xef\xbb\xbfa.log\nkeep.log\n"},
    "other line breaks are part of a line": {".gitignore": "a.log\x0bkeep.log\n"},
    "not ascii": {".gitignore": "café.*\n"},
    "not utf-8": {".gitignore": b"caf\xff*\nlatin\xe9\n"},
    "newline in a folder's name": {".gitignore": "**/?.log\nnew*/a.log\n"},
    "question mark in a name": {".gitignore": "b\\?\n-*\n"},
    "deeper wins": {".gitignore": "*.log\n", "src/.gitignore": "!a.log\n", "src/deep/.gitignore": "*.log\n"},
    "deeper is anchored where it lies": {
        "src/.gitignore": "/a.log\ndeep/keep.log\n",
        "x/.gitignore": "foo/\n",
    },
    "deeper in an ignored folder": {".gitignore": "src/\n", "src/.gitignore": "!*\n"},
    "info/exclude is weakest": {".git/info/exclude": "*.log\n/tmp\n", ".gitignore": "!keep.log\n"},
}


@needs_git
@pytest.mark.parametrize("files", IGNORE_CASES.values(), ids=IGNORE_CASES)
def test_ignores_what_git_ignores(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    lay(tmp_path, *TREE, *ODD_NAMES, os.fsdecode(b"latin\xe9"))
    git(tmp_path, "init", "-q")
    lay(tmp_path, **files)
    assert not_ignored(tmp_path) == kept_by_git(tmp_path)


@needs_git
@pytest.mark.parametrize(
    "files",
    [
        {".gitconfig": "[core]\n\texcludesFile = ~/mine\n", "mine": "*.log\n/tmp\n"},
        {".gitconfig": '[CORE] ExcludesFile = "~/my \\"own\\"" ; why\n', 'my "own"': "*.log\n"},
        {
            ".gitconfig": '[core]\nexcludesfile = \\\n~/mine # why\n[core "x"]\nexcludesfile=y\n',
            "mine": "*.log\n",
        },
        {
            ".config/git/config": "[core]\nexcludesfile=~/mine\n",
            "mine": "*.log\n",
            ".config/git/ignore": "*.py\n",
        },
        {".config/git/ignore": "*.py\n"},
        {".config/git/ignore": "*.py\n", ".gitconfig": "[core]\nexcludesfile=\n"},
        {
            ".config/git/config": "[core]\nexcludesfile=~/a\n",
            ".gitconfig": "[core]\nexcludesfile=~/b\n",
            "b": "*.md\n",
        },
        {"../project/.git/config": "[core]\nexcludesfile=docs/mine\n", "../project/docs/mine": "*.py\n"},
    ],
)
def test_honours_the_users_own_ignore_file(tmp_path: Path, files: dict[str, str]) -> None:
    home, project = tmp_path / "home", lay(tmp_path / "project", *TREE)
    git(project, "init", "-q")
    lay(home, **files)
    assert not_ignored(project, home=home) == kept_by_git(project, home=home)


def test_environment_chooses_the_users_configuration(tmp_path: Path) -> None:
    project = lay(tmp_path / "project", "a.py", "a.md", "a.log")
    lay(tmp_path, **{"home/.gitconfig": "[core]\nexcludesfile=/none\n", "xdg/git/ignore": "*.md\n"})
    lay(tmp_path, other=f"[core]\nexcludesfile={tmp_path}/rules\n", rules="*.log\n")

    def with_environ(**environ: str) -> list[str]:
        return [file.path for file in discover(str(project), DiscoverSettings(), environ=environ).found]

    xdg, home, other = str(tmp_path / "xdg"), str(tmp_path / "home"), str(tmp_path / "other")
    assert with_environ(XDG_CONFIG_HOME=xdg) == ["a.log", "a.py"]
    assert with_environ(XDG_CONFIG_HOME=xdg, HOME=home) == ["a.log", "a.md", "a.py"]
    assert with_environ(XDG_CONFIG_HOME=xdg, HOME=home, GIT_CONFIG_GLOBAL=other) == ["a.md", "a.py"]


def test_works_without_git(tmp_path: Path) -> None:
    lay(tmp_path, "a.py", "a.log", "sub/b.log", **{".gitignore": "*.log\n"})
    assert found(tmp_path) == [".gitignore", "a.py"]


def test_idumbignore_over_ignore_over_gitignore(tmp_path: Path) -> None:
    lay(tmp_path, "a.x", "b.x", "c.x", "d.x", "data/a.x", "data/d.x")
    lay(
        tmp_path,
        **{".gitignore": "*.x\ndata/\n", ".ignore": "!a.x\n!b.x\n", ".idumbignore": "b.x\n!c.x\n!data/\n"},
    )
    assert [path for path in found(tmp_path) if path.endswith("x")] == ["a.x", "c.x", "data/a.x"]


def test_exclude_and_include_of_the_settings(tmp_path: Path) -> None:
    lay(
        tmp_path,
        "a.py",
        "b.py",
        "logo.png",
        "sub/a.py",
        "vendor/x/a.go",
        "vendor/ours/a.go",
        "vendor/ours/deep/b.go",
    )
    lay(tmp_path, "gen/a.py", "gen/b.py", **{".gitignore": "gen/\nb.py\n", "sub/.gitignore": "!a.py\n"})
    assert found(tmp_path, exclude=("a.py", ".gitignore")) == []
    discovery = look(tmp_path, exclude=(".gitignore",), include=("vendor/ours/", "*.png", "gen/b.py"))
    assert [file.path for file in discovery.found] == [
        "a.py", "gen/b.py", "logo.png", "sub/a.py", "vendor/ours/a.go", "vendor/ours/deep/b.go",
    ]  # fmt: skip
    assert reasons(discovery) == {"vendor/": "vendored folder, except what is included"}
    again = discover(
        str(tmp_path),
        DiscoverSettings(exclude=(".gitignore",), include=("vendor/ours/", "*.png", "gen/b.py")),
        *known_from(discovery),
        environ={},
    )
    assert again == discovery


@needs_git
def test_rules_above_the_root_apply_up_to_the_repositorys_top(tmp_path: Path) -> None:
    top = lay(tmp_path / "top", "sub/dir/a.py", "sub/dir/b.py", "sub/dir/c.py", "sub/dir/d.py", "sub/dir/e.py")
    git(top, "init", "-q")
    lay(tmp_path, **{".gitignore": "a.py\n"})
    lay(
        top,
        **{
            ".gitignore": "/sub/dir/b.py\n/c.py\n",
            "sub/.gitignore": "dir/d.py\n",
            ".git/info/exclude": "sub/*/e.py",
        },
    )
    assert found(top / "sub" / "dir") == ["a.py", "c.py"]


@needs_git
def test_nested_repositories_start_with_fresh_rules(tmp_path: Path) -> None:
    git(lay(tmp_path, "a.py"), "init", "-q")
    inner = lay(tmp_path / "libs" / "inner", "a.log", "a.tmp", "a.bak", "a.gen")
    git(inner, "init", "-q")
    lay(tmp_path, "pretended/.git/nothing", "pretended/a.log")
    lay(tmp_path, **{".gitignore": "*.log\n", ".idumbignore": "*.gen\nlibs/inner/a.bak\n"})
    lay(inner, **{".git/info/exclude": "*.tmp\n"})
    discovery = look(tmp_path)
    assert [file.path for file in discovery.found] == [
        ".gitignore",
        ".idumbignore",
        "a.py",
        "libs/inner/a.log",
    ]
    assert discovery.repositories == ["libs/inner"]


@needs_git
def test_submodules_are_walked_and_worktrees_are_not(tmp_path: Path) -> None:
    library, project = lay(tmp_path / "library", "lib.py"), lay(tmp_path / "project", "a.py")
    for repository in (library, project):
        git(repository, "init", "-q")
        git(repository, "add", ".")
        git(repository, "commit", "-qm", "start")
    git(project, "submodule", "--quiet", "add", str(library), "deps/library")
    git(project, "worktree", "add", "-q", "trees/one")
    discovery = look(project)
    assert [file.path for file in discovery.found] == [".gitmodules", "a.py", "deps/library/lib.py"]
    assert discovery.repositories == ["deps/library"]
    assert reasons(discovery) == {"trees/one/": "linked worktree of this repository"}
    assert found(project / "trees" / "one") == ["a.py"]


@needs_git
def test_worktree_reads_the_exclude_of_the_main_repository(tmp_path: Path) -> None:
    project = lay(tmp_path / "project", "a.py")
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-qm", "start")
    git(project, "worktree", "add", "-q", str(tmp_path / "one"))
    lay(project, **{".git/info/exclude": "b.py\n"})
    assert found(lay(tmp_path / "one", "b.py")) == ["a.py"]


class Folders(NamedTuple):
    skipped: str
    kept: str = ""
    vendored: str = ""
    built: str = ""


FOLDER_CASES = {
    "dependencies": Folders(
        "node_modules/x/a.js web/bower_components/a.js vendor/a.go third_party/a.c lib/site-packages/a.py",
        vendored="node_modules/ web/bower_components/ vendor/ third_party/ lib/site-packages/",
    ),
    "virtualenvs by what they hold": Folders(
        "venv/pyvenv.cfg venv/lib/a.py .venv/pyvenv.cfg", "env/settings.py", vendored="venv/ .venv/"
    ),
    "caches, in silence": Folders("__pycache__/a.py .tox/a.py .mypy_cache/a.json"),
    "never walked, in silence": Folders(".git/a .idumb/a.json .hg/a .svn/a .jj/a"),
    "target beside its manifest": Folders("target/a.rs", "Cargo.toml sub/target/a.rs", built="target/"),
    "obj beside a project": Folders("App/obj/a.cs", "App/App.csproj App/bin/a.cs obj/a.cs", built="App/obj/"),
    "beside mix.exs": Folders("deps/a.ex _build/a.ex", "mix.exs other/deps/a.ex", vendored="deps/", built="_build/"),
    "not ignored by git": Folders("", "build/a.py dist/a.js"),
    "frameworks": Folders(".next/a.js web/.nuxt/a.js", built=".next/ web/.nuxt/"),
    "a file is no folder": Folders("", "vendor target"),
}


@pytest.mark.parametrize("case", FOLDER_CASES.values(), ids=FOLDER_CASES)
def test_skips_folders_that_are_not_the_projects_own(tmp_path: Path, case: Folders) -> None:
    discovery = look(lay(tmp_path, *case.skipped.split(), *case.kept.split()))
    assert [file.path for file in discovery.found] == sorted(case.kept.split())
    assert reasons(discovery) == {
        **dict.fromkeys(case.vendored.split(), "vendored folder"),
        **dict.fromkeys(case.built.split(), "build output folder"),
    }


def test_ignored_build_output_is_told(tmp_path: Path) -> None:
    lay(tmp_path, "build/a.py", "node_modules/a.js", "logs/a", **{".gitignore": "build\nnode_modules\nlogs\n"})
    assert reasons(look(tmp_path)) == {"build/": "build output folder", "node_modules/": "vendored folder"}


def test_vendored_folders_are_walked_when_asked(tmp_path: Path) -> None:
    lay(
        tmp_path,
        "vendor/a.go",
        "node_modules/a.js",
        "__pycache__/a.py",
        ".next/a.js",
        **{".ignore": "node_modules\n"},
    )
    assert found(tmp_path, vendored=True) == [".ignore", "vendor/a.go"]


def test_skips_files_by_name_and_size(tmp_path: Path) -> None:
    lay(
        tmp_path,
        "a.png",
        "A.PNG",
        "a.tar.gz",
        "a.min.js",
        "x-min.css",
        "a.js.map",
        "model.onnx",
        "app.sqlite3",
    )
    lay(tmp_path, "package-lock.json", "poetry.lock", "a.svg", "main.ts", "png", "Makefile", "gz", ".png.md")
    write(tmp_path / "big.py", b"x" * 3_100_000)
    write(tmp_path / "limit.py", b"x" * 2_000_000)
    discovery = look(tmp_path)
    assert reasons(discovery) == {
        "A.PNG": "binary by its name",
        "a.js.map": "source map by its name",
        "a.min.js": "minified by its name",
        "a.png": "binary by its name",
        "a.tar.gz": "binary by its name",
        "app.sqlite3": "binary by its name",
        "big.py": "huge: 3.1 MB over the limit of 2.0 MB",
        "model.onnx": "binary by its name",
        "x-min.css": "minified by its name",
    }
    big = next(skipped for skipped in discovery.skipped if skipped.path == "big.py")
    assert (big.size, big.mtime_ns) == (3_100_000, (tmp_path / "big.py").stat().st_mtime_ns)
    assert [file.path for file in discovery.found] == [
        ".png.md", "Makefile", "a.svg", "gz", "limit.py", "main.ts",
        "package-lock.json", "png", "poetry.lock",
    ]  # fmt: skip


def test_found_carries_what_stat_says(tmp_path: Path) -> None:
    write(tmp_path / "a.py", "x = 1\n")
    status = (tmp_path / "a.py").stat()
    assert look(tmp_path).found == [("a.py", 6, status.st_mtime_ns, status.st_ino)]


def test_symlinks_are_told_and_never_followed(tmp_path: Path) -> None:
    root = lay(tmp_path / "root", "src/a.py", "src/b/c.py")
    lay(tmp_path, "outside/secret.py")
    for link, target in {
        "to_file": "src/a.py", "to_folder": "src", "out": "../outside", "out_file": "../outside/secret.py",
        "gone": "nothing", "src/b/up": "..", "self": "self", "one": "two", "two": "one", "here": ".",
        "through_file": "src/a.py/x",
    }.items():  # fmt: skip
        (root / link).symlink_to(target)
    (tmp_path / "alias").symlink_to("root")
    expected = {
        "gone": "broken symlink",
        "here": "symlink loop",
        "one": "symlink loop",
        "out": "symlink out of the project",
        "out_file": "symlink out of the project",
        "self": "symlink loop",
        "src/b/up": "symlink loop",
        "through_file": "broken symlink",
        "to_file": "symlink to src/a.py",
        "to_folder": "symlink to src",
        "two": "symlink loop",
    }
    for start in (root, tmp_path / "alias"):
        assert reasons(look(start)) == expected
        assert found(start, include=("*",)) == ["src/a.py", "src/b/c.py"]


def test_only_regular_files_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(lay(tmp_path, "a.py", "sub/b.py") / "pipe")
    for name in (".git", ".gitignore"):
        os.mkfifo(tmp_path / "sub" / name)  # to read one would hang
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        discovery = look(tmp_path)
    assert [file.path for file in discovery.found] == ["a.py", "sub/b.py"]
    assert reasons(discovery) == dict.fromkeys(("pipe", "socket", "sub/.gitignore"), "not a regular file")


def test_odd_names(tmp_path: Path) -> None:
    names = [
        "-rf",
        "new\nline.py",
        "two words/a b.py",
        "ünï/ç.py",
        "~",
        "'\"",
        os.fsdecode(b"latin\xe9/\xff.py"),
    ]
    lay(tmp_path, *names)
    assert found(tmp_path) == sorted(names)
    assert look(tmp_path).ignore_fingerprint


def test_order_is_that_of_the_whole_path(tmp_path: Path) -> None:
    lay(tmp_path, "a/b", "a-b", "a.b", "a/a/z", "b", "A")
    assert found(tmp_path) == ["A", "a-b", "a.b", "a/a/z", "a/b", "b"]


def test_very_deep_folders(tmp_path: Path) -> None:
    lay(tmp_path, "a.py")
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        discovery = look(tmp_path)
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)  # shutil.rmtree recurses
    assert [file.path for file in discovery.found] == ["a.py"]
    assert [skipped.reason for skipped in discovery.skipped] == ["unreadable: File name too long"]


def test_unreadable_folders_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, "a.py", "locked/b.py", "vanished/c.py")
    scandir = os.scandir

    def refusing(path: str) -> object:
        if path.rstrip("/").endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        if path.rstrip("/").endswith("vanished"):
            raise FileNotFoundError(2, "No such file or directory", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    discovery = look(tmp_path)
    assert [file.path for file in discovery.found] == ["a.py"]
    assert reasons(discovery) == {"locked/": "unreadable: Permission denied"}


class _Refusing:
    """An entry whose stat fails, as on a broken network drive or for a file just deleted."""

    def __init__(self, name: str, error: OSError) -> None:
        self.name, self._error = name, error

    def is_dir(self, *, follow_symlinks: bool) -> bool:
        return False

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        raise self._error


class _Listing(list[object]):
    def __enter__(self) -> Iterable[object]:
        return self

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize("known", [frozenset(), {"bad.py", "gone.py"}])
def test_files_that_cannot_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: set[str]) -> None:
    fingerprint = look(tmp_path).ignore_fingerprint
    entries = _Listing(
        [
            _Refusing("bad.py", PermissionError(13, "Permission denied")),
            _Refusing("gone.py", FileNotFoundError(2, "No such file or directory")),
        ]
    )
    monkeypatch.setattr(os, "scandir", lambda path: entries)
    discovery = discover(str(tmp_path), DiscoverSettings(), known, known_fingerprint=fingerprint, environ={})
    assert discovery.found == []
    assert reasons(discovery) == {"bad.py": "unreadable: Permission denied"}


def test_root_must_be_a_folder(tmp_path: Path) -> None:
    for root in (tmp_path / "nothing", lay(tmp_path, "a.py") / "a.py"):
        with pytest.raises(BadInput):
            look(root)


def test_rescan_sees_what_a_first_scan_sees(tmp_path: Path) -> None:
    lay(
        tmp_path,
        "a.py",
        "src/b.py",
        "src/deep/c.py",
        "a.png",
        "vendor/x.go",
        "src/b.log",
        **{".gitignore": "*.log\n"},
    )
    first = look(tmp_path)
    assert discover(str(tmp_path), DiscoverSettings(), *known_from(first), environ={}) == first


CHANGES = {
    "new files, of which one is ignored": {
        "src/new.py": "",
        "src/new.log": "",
        "fresh/a.py": "",
        "new.png": "",
    },
    "an ignore file edited": {".gitignore": "*.log\nb.py\n"},
    "an ignore file in a folder": {"src/.gitignore": "*.py\n"},
    "an ignore file of ours": {"src/.idumbignore": "deep/\n"},
    "a file grown huge": {"src/b.py": "x" * 2_000_001},
    "a manifest beside a target known before": {"Cargo.toml": ""},
    "a repository in a folder known before": {"src/.git/HEAD": "ref: x", "src/.git/info/exclude": "deep/\n"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_rescan_after_a_change(tmp_path: Path, change: dict[str, str]) -> None:
    lay(tmp_path, "a.py", "src/b.py", "src/deep/c.py", "src/a.log", "target/a.rs", **{".gitignore": "*.log\n"})
    before = look(tmp_path)
    lay(tmp_path, **change)
    after = look(tmp_path)
    assert after != before
    assert discover(str(tmp_path), DiscoverSettings(), *known_from(before), environ={}) == after


def test_rescan_after_removals_and_replacements(tmp_path: Path) -> None:
    lay(tmp_path, "a.py", "b.py", "src/c.py", "lib/d.py")
    before = look(tmp_path)
    for file in ("a.py", "b.py", "src/c.py", "lib/d.py"):
        (tmp_path / file).unlink()
    for folder in ("src", "lib"):
        (tmp_path / folder).rmdir()
    lay(tmp_path, "b.py/inside.py", "src")
    (tmp_path / "lib").symlink_to("b.py")
    again = discover(str(tmp_path), DiscoverSettings(), *known_from(before), environ={})
    assert again == look(tmp_path)
    assert [file.path for file in again.found] == ["b.py/inside.py", "src"]
    assert reasons(again) == {"lib": "symlink to b.py"}


def test_known_files_are_believed_without_reading_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, "a.py", "src/b.py", **{".gitignore": "*.log\n"})
    first = look(tmp_path)
    monkeypatch.setattr("idumb_brain.scan.ignore._parse", lambda line: pytest.fail(f"read the rule {line}"))
    assert discover(str(tmp_path), DiscoverSettings(), *known_from(first), environ={}) == first
