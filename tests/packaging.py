"""``python -m tests.packaging [PYTHON…]``: is what we ship reproducible, complete and installable without a network?

Builds the wheel twice under different circumstances, fills a wheelhouse, installs from nothing else for each Python there is, and works
with what was installed. Lists what comes along, with licences, and asks pip-audit for known weaknesses where its source can be reached.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.conftest import FIXTURES, REPOSITORY

PYTHONS = ("3.11", "3.12", "3.13")
_HELLO = '{"jsonrpc":"2.0","id":1,"method":"call","params":{"operation":"query","arguments":{"text":"overdue"}}}\n'
_TRIED = (
    ("scan", ("--json", "scan", "."), ""),
    ("query", ("--json", "query", "who may borrow"), ""),
    ("brain write", ("--json", "brain", "write", "--type", "gotcha", "--title", "Four weeks", "--content", "No longer."), ""),
    ("serve", ("serve", "--stdio"), _HELLO),
)


def built(to: Path, **circumstances: str) -> Path:
    """A wheel from a fresh clone at another place."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "source"
        subprocess.run(("git", "clone", "-q", str(REPOSITORY), str(clone)), check=True)
        command = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(to))
        subprocess.run(command, cwd=clone, check=True, capture_output=True, env=os.environ | circumstances)
    [wheel] = to.glob("*.whl")
    return wheel


def alone(python: str, wheels: Path, wheel: Path) -> Iterator[tuple[str, str]]:
    """Install from the wheelhouse and nothing else, and use it: (what was tried, "" or what went wrong)."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        subprocess.run((python, "-m", "venv", str(place / "venv")), check=True)
        pip = (str(place / "venv/bin/python"), "-m", "pip", "-q", "--disable-pip-version-check")
        install = _offline((*pip, "install", "--no-index", "--find-links", str(wheels), str(wheel)))
        yield "install", _wrong(subprocess.run(install, capture_output=True, text=True, env=_bare(place)))
        shutil.copytree(FIXTURES / "projects" / "reading_room", place / "project")
        for tried, words, given in _TRIED:
            command = _offline((str(place / "venv/bin/idumb-brain"), *words))
            run = subprocess.run(
                command, cwd=place / "project", input=given, capture_output=True, text=True, env=_bare(place), timeout=120
            )
            told = json.loads(run.stdout.splitlines()[0]) if run.stdout else {}
            yield tried, _wrong(run) if run.returncode or not ("data" in told or "result" in told) else ""


def brought(packages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """(name, version, licence) of what an installation brings along."""
    for name in packages:
        try:
            about = distribution(name).metadata
        except PackageNotFoundError:
            continue
        classified = [one.rpartition(" :: ")[2] for one in about.get_all("Classifier", []) if one.startswith("License ::")]
        yield (
            name,
            about["Version"],
            about["License-Expression"] or ", ".join(classified) or (about["License"] or "?").split("\n")[0],
        )


def audited(wheels: Path) -> str:
    """What pip-audit says of the wheelhouse; that it could ask nobody is no clean bill."""
    needs = "".join(f"{name}=={version}\n" for name, version in sorted(_versions(wheels).items()) if name != "idumb-brain")
    file = wheels / "needs.txt"
    file.write_text(needs)
    command = (sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "-r", str(file))
    run = subprocess.run(command, capture_output=True, text=True)
    if "No module named pip_audit" in run.stderr:
        return "not asked: pip-audit is not installed"
    if run.stdout.count("could not be audited") >= needs.count("\n") or "ConnectionError" in run.stderr:
        return "not asked: its source of advisories cannot be reached from here"
    return (run.stdout or run.stderr).strip()


def main() -> None:
    out = Console()
    pythons = sys.argv[1:] or [found for one in PYTHONS if (found := _python(one))]
    with tempfile.TemporaryDirectory() as folder:
        one, two, wheels = (Path(folder) / name for name in ("one", "two", "wheels"))
        first = built(one, TZ="Asia/Ho_Chi_Minh", PYTHONHASHSEED="1")
        second = built(two, TZ="America/New_York", PYTHONHASHSEED="2")
        digests = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in (first, second)]
        same = digests[0] == digests[1]
        size = first.stat().st_size / 1e6
        out.print(f"{first.name}, {size:.2f} MB: built again elsewhere, {'the same bytes' if same else 'OTHER BYTES'}")
        table = Table("python", "install", *(tried for tried, _, _ in _TRIED), box=None)
        failures: list[str] = []
        for python in pythons:
            download = (python, "-m", "pip", "download", "-q", "--disable-pip-version-check", "-d", str(wheels), str(first))
            subprocess.run(download, check=True, capture_output=True)
            told = dict(alone(python, wheels, first))
            failures += [f"{python}, {tried}: {wrong}" for tried, wrong in told.items() if wrong]
            table.add_row(_version(python), *("FAILED" if wrong else "ok" for wrong in told.values()))
        out.print(table)
        out.print(*failures, sep="\n")
        listed = Table("package", "version", "licence", box=None)
        for row in brought(sorted(_versions(wheels))):
            listed.add_row(*row)
        out.print(listed)
        out.print("known weaknesses:", audited(wheels))
    missing = set(PYTHONS) - {_version(python).rpartition(".")[0] for python in pythons}
    if missing and not sys.argv[1:]:
        out.print("not tried, because not installed:", ", ".join(sorted(missing)))
    sys.exit(bool(failures) or not same)


def _offline(command: tuple[str, ...]) -> tuple[str, ...]:
    """Without any network but loopback, where the kernel lets us."""
    apart = ("unshare", "--net", "--map-root-user")
    can = shutil.which("unshare") and not subprocess.run((*apart, "true"), capture_output=True).returncode
    return (*apart, *command) if can else command


def _bare(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "PIP_NO_INDEX": "1", "LANG": "C.UTF-8"}


def _wrong(run: subprocess.CompletedProcess[str]) -> str:
    return (run.stderr or run.stdout).strip()[-600:] or f"exit code {run.returncode}" if run.returncode else ""


def _python(version: str) -> str:
    """A Python of this version: on the path, or where pyenv keeps them."""
    found = shutil.which(f"python{version}")
    if found and not subprocess.run((found, "--version"), capture_output=True).returncode:
        return found  # pyenv's own stand-ins answer with an error where they stand for nothing
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python{version}"))
    return str(kept[-1]) if kept else ""


def _version(python: str) -> str:
    return subprocess.run(
        (python, "-c", "import platform; print(platform.python_version())"), capture_output=True, text=True
    ).stdout.strip()


def _versions(wheels: Path) -> dict[str, str]:
    parts = [wheel.name.split("-") for wheel in wheels.glob("*.whl")]
    return {part[0].replace("_", "-").lower(): part[1] for part in parts}


if __name__ == "__main__":
    assert requires("idumb-brain"), "install the project first"
    main()
