"""Source trees nobody here wrote, fetched from package registries once and kept. Refuses to install any of them.

They are kept in ``$IDUMB_ACCURACY_CACHE`` (``~/.cache/idumb-brain-accuracy`` unless set), one folder a package and
version; delete it to have everything fetched again. Versions are pinned where a tree is named, so figures can be
compared from one day to the next.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path


class Unobtainable(Exception):
    """A tree or a tool that a measurement needs could not be had; says why, and what to do."""


def cache() -> Path:
    return Path(os.environ.get("IDUMB_ACCURACY_CACHE") or Path.home() / ".cache" / "idumb-brain-accuracy")


def wheel(requirement: str) -> Path:
    """The contents of a wheel, by ``name==version``: what ``sys.path`` would hold were it installed."""
    return _kept("wheel", requirement, lambda scratch: _pip(requirement, scratch, "--only-binary", ":all:"))


def sdist(requirement: str) -> Path:
    """The contents of a source distribution, by ``name==version``. pip asks its build system for its metadata on the way."""
    return _kept("sdist", requirement, lambda scratch: _pip(requirement, scratch, "--no-binary", ":all:"))


def npm(package: str) -> Path:
    """The contents of an npm package, by ``name@version``. Its scripts are not run."""
    return _kept("npm", package, lambda scratch: _npm(package, scratch))


def debian(package: str) -> Path:
    """The files a Debian package would install, by its name; the version is the newest the package lists know."""
    return _kept("debian", package, lambda scratch: _debian(package, scratch))


def debian_source(package: str) -> Path:
    """What the authors of a Debian package released, by its name; without what Debian adds. The newest of bookworm."""
    return _kept("debian-source", package, lambda scratch: _debian_source(package, scratch))


def github(repository: str, revision: str) -> Path:
    """The tree of a repository on GitHub at a commit. Where GitHub is out of reach, a checkout may be put there by hand."""
    return _kept("github", f"{repository}@{revision}", lambda scratch: _github(repository, revision, scratch))


def npm_program(package: str) -> Path:
    """Where an npm package and all it needs are installed, by ``name@version``. Its scripts are not run."""
    return _kept("npm-program", package, lambda scratch: _npm_program(package, scratch))


def program(name: str, package: str) -> str:
    """Where a program of somebody else's is, or how to get it."""
    found = shutil.which(name)
    if found is None:
        raise Unobtainable(f"there is no {name} on the path: apt-get install {package}")
    return found


def run(*command: str, cwd: Path | None = None, given: str | None = None) -> str:
    """What a command prints. One that fails is an obstacle to tell of, not a crash."""
    try:
        done = subprocess.run(command, cwd=cwd, input=given, capture_output=True, text=True, errors="replace")
    except FileNotFoundError as error:
        raise Unobtainable(f"there is no {command[0]} on the path") from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise Unobtainable(f"{' '.join(command[:6])} …: {last[0] if last else f'exit code {done.returncode}'}")
    return done.stdout


def _kept(kind: str, package: str, fill: Callable[[Path], Path]) -> Path:
    """The folder of a package, filled when it is not there yet. It appears whole or not at all."""
    place = cache() / kind / package.replace("/", "+")
    if not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=".fetching-") as scratch:
            print(f"fetching {package} ({kind})", file=sys.stderr)
            fill(Path(scratch)).rename(place)
    return place


def _pip(requirement: str, scratch: Path, *how: str) -> Path:
    run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *how, "--dest", str(scratch), requirement)
    return _unpacked(_only(scratch), scratch)


def _npm(package: str, scratch: Path) -> Path:
    run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(scratch), package, cwd=scratch)
    return _unpacked(_only(scratch), scratch)


def _npm_program(package: str, scratch: Path) -> Path:
    contents = scratch / "contents"
    contents.mkdir()
    run("npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--prefix", str(contents), package)
    return contents


def _github(repository: str, revision: str, scratch: Path) -> Path:
    place = f"https://codeload.github.com/{repository}/tar.gz/{revision}"
    archive = scratch / "tree.tar.gz"
    try:
        with urllib.request.urlopen(place, timeout=60) as answer, archive.open("wb") as file:
            shutil.copyfileobj(answer, file)
    except OSError as error:
        there = cache() / "github" / f"{repository.replace('/', '+')}@{revision}"
        raise Unobtainable(f"{place}: {error}; or put a checkout of that commit at {there}") from error
    return _unpacked(archive, scratch)


def _debian(package: str, scratch: Path) -> Path:
    os.chmod(scratch, 0o755)  # apt downloads as a user of its own
    run("apt-get", "download", "--quiet", package, cwd=scratch)
    contents = scratch / "contents"
    run("dpkg", "-x", str(_only(scratch)), str(contents))
    return contents


def _debian_source(package: str, scratch: Path) -> Path:
    os.chmod(scratch, 0o755)
    apt = cache() / "apt"  # package lists of its own: the machine's are none of our business
    for folder in ("lists/partial", "archives/partial"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    # Sources come from where this machine has its packages from.
    asked = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages")
    lines = dict.fromkeys(f"deb-src {line}\n" for line in asked.splitlines())
    (apt / "sources.list").write_text("".join(lines), "utf-8")
    places = [
        f"Dir::Etc::sourcelist={apt}/sources.list",
        "Dir::Etc::sourceparts=-",
        f"Dir::State::lists={apt}/lists",
        f"Dir::Cache={apt}",
    ]
    options = [word for place in places for word in ("-o", place)]
    if not any((apt / "lists").glob("*Sources*")):
        run("apt-get", *options, "update", "--quiet")
    run("apt-get", *options, "source", "--download-only", "--quiet", package, cwd=scratch)
    (archive,) = (file for file in scratch.iterdir() if ".orig.tar." in file.name and not file.name.endswith(".asc"))
    return _unpacked(archive, scratch)


def _only(folder: Path) -> Path:
    (file,) = (file for file in folder.iterdir() if file.is_file())
    return file


def _unpacked(archive: Path, scratch: Path) -> Path:
    contents = scratch / "contents"
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as file:
            file.extractall(contents)
    else:
        with tarfile.open(archive) as file:
            file.extractall(contents, filter="data")
    inner = list(contents.iterdir())
    is_wrapper = archive.suffix != ".whl" and len(inner) == 1 and inner[0].is_dir()
    return inner[0] if is_wrapper else contents
