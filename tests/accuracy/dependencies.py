"""Packages declared and imported: our findings against deptry for Python, and against knip for JavaScript and TypeScript.

Both peers are given what they ask for: deptry runs in an environment with everything installed that the project asks for
(as far as it can be built here), knip in a copy of the tree with its node_modules. We get the bare tree. So that both
answer the same question, deptry leaves out what we take for code for development, and its settings in the project's own
pyproject.toml, which mostly say what to keep quiet about, are taken away; knip takes every source file for an entry, not
only those it would reach from the ones a project names. Two questions are asked of each tree: is a declared package used
or not, and what is there to complain of (unused, undeclared, for development only and in production).

Every difference is looked at; those that are settled, with who is right and why, are in dependencies_differences.toml.
One in which we are right is not counted; all others are.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from idumb_brain.model.dependencies import UNUSED, PackageUse
from idumb_brain.model.project import DEV, OPTIONAL, RUNTIME, Package
from idumb_brain.operations.dependencies import package_uses
from idumb_brain.operations.project import Project
from idumb_brain.operations.scanning import Workspace
from idumb_brain.scan.dependencies.tables import load_tables, matches
from idumb_brain.scan.languages import query_folders
from tests.accuracy.measure import Score, main
from tests.accuracy.trees import Unobtainable, github, npm_program, run
from tests.accuracy.trees import cache as kept_in

_BAR = 0.95  # what both say, of what either says
_DEPTRY, _KNIP = "deptry==0.25.1", "knip@6.44.2"
_PYTHON = {
    "fpgmaas/deptry": "2e27ae2242567f2958aa9a451f54d4b3ec31740b",
    "encode/httpx": "ae1b9f66238f75ced3ced5e4485408435de10768",
    "copier-org/copier": "3d96982c2d154f7ed698dc699810ec8df40b616a",
    "commitizen-tools/commitizen": "b66582e9462d1d6f7e72560fa49a1b2511ae30a2",
    "python-poetry/poetry": "f46702336862f30050d5c641d5ed6f7568ded793",
    "pdm-project/pdm": "a7e9d0015b4d5ca5d1b0c558582f9bf41b2fdf54",
    "meltano/sdk": "136de07f042d1d1b63eb83ba5d510a43273bad02",
    "netbox-community/netbox": "43fe81f9e833228c9869f7ddadb67e6c5f145060",
    "mealie-recipes/mealie": "b5643a9399465d8b4ea339e7a6639df2d697741b",
}
_NPM = {
    "release-it/release-it": "7ca61cccd16ad56742ee0cb694c946353b66c117",
    "sindresorhus/got": "d00d845a0b435365ec73ea5a1fca6e17ee677184",
    "expressjs/express": "a3714473feb3d2908add734d340e7755fd85e0a3",
    "shadcn-ui/taxonomy": "651f984e52edd65d40ccd55e299c1baeea3ff017",
    "epicweb-dev/epic-stack": "f64d690722d8260a055bb63b042de877ab3f6a18",
    "eslint/eslint": "c27bc926e496985eb7911c09eb60914b2e4b5d0f",
    "vuejs/pinia": "254eec764ecccd120ab9dbc31352d76ffd6ecfa3",
    "remeda/remeda": "3b72f9fb6e5174243954467186301d352b742699",
    "typescript-eslint/typescript-eslint": "56c9ed90d0aee0b5a71cfc39fc76b715b82e3ea8",
}
_NOT_WORKSPACES = {"eslint/eslint": ("docs",), "epicweb-dev/epic-stack": ("remix.init",)}  # folders npm does not install
_DIFFERENCES = Path(__file__).with_name("dependencies_differences.toml")

Key = tuple[str, str, str]  # what is said, manifest, package or import


@dataclass(frozen=True)
class _Agreement(Score):
    """The bar is on what both say of all that is said: harder to reach than the same one on precision and on recall."""

    agreement: float = 0.0

    @property
    def passed(self) -> bool:
        return self.both > 0 and self.agreement >= _BAR


@dataclass
class _Account:
    """What one side says of one tree."""

    states: dict[tuple[str, str], str] = field(default_factory=dict)  # manifest, package -> used, unused
    findings: set[Key] = field(default_factory=set)
    imported: dict[tuple[str, str], bool] = field(default_factory=dict)  # by code that is not for development


def measure(only: Sequence[str] = ()) -> Iterator[Score]:
    for truth, trees, compare in (("deptry", _PYTHON, _python), ("knip", _NPM, _npm)):
        found = []
        for repository, revision in trees.items():
            if not only or repository in only:
                ours, theirs = compare(repository, revision)
                found.append((repository, ours, theirs))
                yield _states(truth, repository, ours, theirs)
        if any(ours.imported for _, ours, _ in found):
            yield _imported(truth, found)
        if found:
            yield _findings(truth, found)


def _imported(truth: str, found: Sequence[tuple[str, _Account, _Account]]) -> Score:
    """The question deptry asks, and no other: no use counts but an import. Nothing is settled here; every difference counts."""
    both, mine, others = 0, [], []
    for repository, ours, theirs in found:
        for (manifest, name), used in sorted(ours.imported.items()):
            if used == (theirs.states[manifest, name] == "used"):
                both += 1
                continue
            mine.append(f"{repository}: {'' if used else 'not '}imported {manifest} {name}")
            others.append(f"{repository}: {'not ' if used else ''}imported {manifest} {name}")
    left = both / (both + len(mine)) if both else 0.0
    trees = f"{len(found)} trees"
    return _Agreement("declared: imported or not", truth, trees, both + len(mine), both, mine, others, _BAR, _BAR, agreement=left)


def _states(truth: str, repository: str, ours: _Account, theirs: _Account) -> Score:
    known = sorted(ours.states.keys() & theirs.states.keys())
    same = [key for key in known if ours.states[key] == theirs.states[key]]
    other = [(ours.states[key], *key) for key in known if ours.states[key] != theirs.states[key]]
    counted, notes = _settled(repository, other, "ours")
    theirs_say = [(theirs.states[key[1], key[2]], key[1], key[2]) for key in counted]
    raw = len(same) / len(known) if known else 1.0
    left = len(same) / (len(same) + len(counted)) if same else 0.0
    alone = sorted(theirs.states.keys() - ours.states.keys())
    notes += [f"declared for {truth} alone: {', '.join(name for _, name in alone)}"] if alone else []
    return _Agreement(
        "declared: used or not", truth, repository, len(known), len(same), _lines(counted), _lines(theirs_say), _BAR, _BAR,
        [f"agreement {raw:.4f} before and {left:.4f} after differences that are settled for us", *notes],
        agreement=left,
    )  # fmt: skip


def _findings(truth: str, found: Sequence[tuple[str, _Account, _Account]]) -> Score:
    both, only_ours, only_theirs, raw_ours, raw_theirs, notes = 0, [], [], 0, 0, []
    for repository, ours, theirs in found:
        both += len(ours.findings & theirs.findings)
        mine, told = _settled(repository, sorted(ours.findings - theirs.findings), "ours")
        others, more = _settled(repository, sorted(theirs.findings - ours.findings), "theirs")
        raw_ours, raw_theirs = raw_ours + len(ours.findings - theirs.findings), raw_theirs + len(theirs.findings - ours.findings)
        only_ours += [f"{repository}: {line}" for line in _lines(mine)]
        only_theirs += [f"{repository}: {line}" for line in _lines(others)]
        notes += [f"{repository}: {note}" for note in (*told, *more)]
    raw = both / (both + raw_ours + raw_theirs) if both else 0.0
    left = both / (both + len(only_ours) + len(only_theirs)) if both else 0.0
    notes.insert(0, f"same of all findings: {raw:.4f} before and {left:.4f} after differences that are settled for us")
    trees = f"{len(found)} trees"
    return _Agreement("findings", truth, trees, len(found), both, only_ours, only_theirs, _BAR, _BAR, notes, agreement=left)


def _settled(repository: str, differences: Iterable[Key], side: str) -> tuple[list[Key], list[str]]:
    """Differences that count, and what is to be said of those that do not."""
    counted, notes = [], []
    for key in differences:
        line = " ".join(key)
        rule = next((rule for rule in _rules() if _fits(rule, repository, line, side)), None)
        if rule is None or rule["right"] != "we":
            counted.append(key)
            notes.append(f"not settled: {side}: {line}" if rule is None else f"they are right: {side}: {line}: {rule['why']}")
        else:
            notes.append(f"settled for us: {line}: {rule['why']}")
    return counted, notes


@cache
def _rules() -> list[dict[str, Any]]:
    return list(tomllib.loads(_DIFFERENCES.read_text("utf-8")).get("difference", []))


def _fits(rule: dict[str, Any], repository: str, line: str, side: str) -> bool:
    return rule["tree"] in (repository, "*") and rule.get("side", side) == side and bool(re.search(rule["says"], line))


def _lines(keys: Iterable[Key]) -> list[str]:
    return sorted(" ".join(key) for key in keys)


def _our_account(tree: Path) -> tuple[list[Package], list[PackageUse]]:
    with tempfile.TemporaryDirectory(prefix="idumb-accuracy-") as scratch:
        project = Project(tree, Path(scratch)).prepared()
        with Workspace(project=project) as workspace:
            workspace.refresh()
        packages, uses, _ = package_uses(project)
        return packages, uses


# Python


def _python(repository: str, revision: str) -> tuple[_Account, _Account]:
    tree = github(repository, revision)
    packages, uses = _our_account(tree)
    table = load_tables(query_folders()).by_ecosystem["python"]
    package, use = next((p, u) for p, u in zip(packages, uses, strict=True) if p.ecosystem == "python" and not p.path)
    ours = _Account()
    dynamic = _is_dynamic((tree / "pyproject.toml").read_text("utf-8")) and (tree / "requirements.txt").exists()
    read = {"pyproject.toml", "requirements.txt"} if dynamic else {"pyproject.toml"}
    asked = {one.name for one in package.requirements if one.manifest in read}
    for one in use.declared:
        if one.requirement.group in (RUNTIME, OPTIONAL) and one.requirement.name in asked:
            only_in_development = bool(one.imports) and not one.shipped  # deptry does not look there
            state = "unused" if one.state == UNUSED or only_in_development else "used"
            ours.states[package.manifest, one.requirement.name] = state
            ours.imported[package.manifest, one.requirement.name] = bool(one.shipped)
            if state == "unused":
                ours.findings.add(("unused", package.manifest, one.requirement.name))
    ours.findings |= {("undeclared", package.manifest, row.imported) for row in use.undeclared if not row.dev and not row.types}
    ours.findings |= {("misplaced", package.manifest, row.requirement.name) for row in use.misplaced}
    theirs = _Account(dict.fromkeys(ours.states, "used"))
    modules = {
        row.how.removeprefix("imports ").partition(".")[0]: one.requirement.name for one in use.declared for row in one.imports
    }
    below = [other.path + "/" for other in packages if other.ecosystem == "python" and other.path]
    for code, module in _ask_deptry(
        tree, repository, revision, lambda path: matches(table.development, path) or path.startswith(tuple(below))
    ):
        if code == "DEP002":
            name = re.sub(r"[-_.]+", "-", module).lower()
            theirs.states[package.manifest, name] = "unused"
            theirs.findings.add(("unused", package.manifest, name))
        elif code in ("DEP001", "DEP003"):
            theirs.findings.add(("undeclared", package.manifest, module))
        elif code == "DEP004":
            theirs.findings.add(("misplaced", package.manifest, modules.get(module, module)))
    return ours, theirs


def _ask_deptry(tree: Path, repository: str, revision: str, is_left_out: Any) -> list[tuple[str, str]]:
    environment = _environment(tree, repository, revision)
    with tempfile.TemporaryDirectory(prefix="idumb-deptry-") as scratch:
        copy = Path(scratch, "tree")
        shutil.copytree(tree, copy, symlinks=True)
        manifest = copy / "pyproject.toml"
        text = re.sub(
            r"^\[tool\.deptry.*?(?=^\[(?!tool\.deptry)|\Z)", "", manifest.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL
        )
        manifest.write_text(text, "utf-8")
        if _is_dynamic(text) and (copy / "requirements.txt").exists():  # deptry reads one or the other
            lines = (copy / "requirements.txt").read_text("utf-8").splitlines()
            listed = [line.split("#")[0].strip() for line in lines if line[:1].isalnum()]
            text = _DYNAMIC.sub(f"dependencies = {json.dumps(listed)}", text)
            manifest.write_text(text, "utf-8")
        files = [path.relative_to(copy).as_posix() for path in sorted(copy.rglob("*.py"))]
        left_out = "|".join(f"{re.escape(path)}$" for path in files if is_left_out(path))
        roots = [".", *(name for name in ("src", "python", "netbox") if (copy / name).is_dir())]
        answer = Path(scratch, "answer.json")
        command = [str(environment / "bin/deptry"), *roots, "--json-output", str(answer)]
        command += ["--extend-exclude", left_out] if left_out else []
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
        if not answer.exists():
            raise Unobtainable(f"deptry in {repository}: {done.stderr.strip()[-300:]}")
        return sorted({(row["error"]["code"], row["module"]) for row in json.loads(answer.read_text("utf-8"))})


_DYNAMIC = re.compile(r'^dynamic = \[.*"dependencies".*$', re.MULTILINE)


def _is_dynamic(pyproject: str) -> bool:
    return bool(_DYNAMIC.search(pyproject))


def _environment(tree: Path, repository: str, revision: str) -> Path:
    """An environment with deptry and with all that a project asks for; what cannot be installed is left out."""
    place = kept_in() / "installed" / f"{repository}@{revision}".replace("/", "+")
    if not (place / "bin/deptry").exists():
        print(f"installing what {repository} asks for", file=sys.stderr)
        venv.create(place, with_pip=True, clear=True)
        pip = [str(place / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run(*pip, _DEPTRY)
        wanted = list(_wanted(tree))
        if subprocess.run([*pip, *wanted], capture_output=True).returncode:
            for requirement in wanted:
                subprocess.run([*pip, requirement], capture_output=True)
    return place


def _wanted(tree: Path) -> Iterator[str]:
    stated = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))
    project, poetry = stated.get("project", {}), stated.get("tool", {}).get("poetry", {})
    lists = [project.get("dependencies", []), *project.get("optional-dependencies", {}).values()]
    lists += stated.get("dependency-groups", {}).values()
    tables = [poetry, *poetry.get("group", {}).values()]
    lists += [list(table.get(key, {})) for table in tables for key in ("dependencies", "dev-dependencies")]
    for file in sorted(tree.glob("requirements*.txt")):
        lists.append([line.split("#")[0].strip() for line in file.read_text("utf-8").splitlines() if line[:1].isalnum()])
    for one in dict.fromkeys(one for listed in lists for one in listed if isinstance(one, str)):
        if one != "python" and re.split(r"[\[<>=!~; @]", one)[0].lower() != str(project.get("name", "")).lower():
            yield one


# JavaScript and TypeScript


def _npm(repository: str, revision: str) -> tuple[_Account, _Account]:
    tree = github(repository, revision)
    packages, uses = _our_account(tree)
    apart = _NOT_WORKSPACES.get(repository, ())
    root = next(p for p in packages if p.ecosystem == "npm" and not p.path)
    known = {root.manifest, *root.members}
    ours = _Account()
    for package, use in zip(packages, uses, strict=True):
        if package.ecosystem != "npm" or package.manifest not in known:
            continue
        for one in use.declared:
            if one.requirement.group in (RUNTIME, DEV):  # knip has no opinion on peers
                name = one.requirement.alias or one.requirement.name
                ours.states[package.manifest, name] = "unused" if one.state == UNUSED else "used"
                if one.state == UNUSED:
                    ours.findings.add(("unused", package.manifest, name))
        ours.findings |= {("undeclared", package.manifest, row.name) for row in use.undeclared}
    theirs = _Account(dict.fromkeys(ours.states, "used"))
    for file, issues in _ask_knip(tree, repository, revision, apart):
        for kind in ("dependencies", "devDependencies"):
            for issue in issues.get(kind, ()):
                theirs.states[file, issue["name"]] = "unused"
                theirs.findings.add(("unused", file, issue["name"]))
        home = max((m for m in known if file.startswith(os.path.dirname(m) + "/") or m == root.manifest), key=len)
        theirs.findings |= {("undeclared", home, issue["name"]) for issue in issues.get("unlisted", ())}
    return ours, theirs


def _ask_knip(tree: Path, repository: str, revision: str, apart: Sequence[str]) -> list[tuple[str, dict[str, Any]]]:
    copy = _with_modules(tree, repository, revision)
    source = "**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte,astro}"
    no = ["fixtures", "fixture", "__fixtures__", "testdata", "test-data", "templates"]
    left_out = [f"!**/{{{','.join(no)}}}/**", "!**/{node_modules,dist,coverage}/**", *(f"!{folder}/**" for folder in apart)]
    every = {"entry": [source, *left_out], "project": [source, *left_out]}
    members = _workspaces(copy)
    config = {"workspaces": {".": every, **dict.fromkeys(members, every)}} if members else every
    with tempfile.TemporaryDirectory(prefix="idumb-knip-") as scratch:
        settings = Path(scratch, "knip.json")
        settings.write_text(json.dumps(config), "utf-8")
        command = ["node", str(_knip()), "--config", str(settings), "--reporter", "json", "--no-exit-code"]
        done = subprocess.run([*command, "--include", "dependencies,unlisted"], cwd=copy, capture_output=True, text=True)
    start = done.stdout.find('{"issues"')  # settings that knip runs may print before it
    if start < 0:
        raise Unobtainable(f"knip in {repository}: {(done.stderr or done.stdout).strip()[-300:]}")
    return [(row["file"], row) for row in json.loads(done.stdout[start:])["issues"]]


def _workspaces(folder: Path) -> list[str]:
    stated = json.loads((folder / "package.json").read_text("utf-8")).get("workspaces", [])
    stated = stated.get("packages", []) if isinstance(stated, dict) else stated
    if (folder / "pnpm-workspace.yaml").exists():
        listed = (folder / "pnpm-workspace.yaml").read_text("utf-8").partition("packages:")[2].partition("\n\n")[0]
        stated = re.findall(r"^\s+- ['\"]?([^'\"\n#]+)", listed, re.MULTILINE)
    return [member.strip() for member in stated if not member.startswith("!")]


def _with_modules(tree: Path, repository: str, revision: str) -> Path:
    """A copy of the tree with its packages installed, none of whose scripts is run, and a commit: settings may ask for one."""
    place = kept_in() / "installed" / f"{repository}@{revision}".replace("/", "+")
    if not (place / "node_modules").exists():
        print(f"installing what {repository} asks for", file=sys.stderr)
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(tree, place, symlinks=True)
        if (place / "pnpm-lock.yaml").exists():
            old = "lockfileVersion: 5" in (place / "pnpm-lock.yaml").read_text("utf-8")[:200]
            install = ["npx", "--yes", "pnpm@8" if old else "pnpm@10", "install", "--ignore-scripts", "--no-frozen-lockfile"]
            install += ["--config.manage-package-manager-versions=false", "--config.engine-strict=false"]
        else:
            install = [
                "npm",
                "install",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--legacy-peer-deps",
                "--engine-strict=false",
            ]
        run(*install, cwd=place)
    if (
        not (place / ".git" / "HEAD").exists()
        or subprocess.run(["git", "rev-parse", "HEAD"], cwd=place, capture_output=True).returncode
    ):
        run("git", "init", "--quiet", cwd=place)
        nobody = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
        run("git", *nobody, "commit", "--quiet", "--allow-empty", "-m", "as released", cwd=place)
    return place


def _knip() -> Path:
    return npm_program(_KNIP) / "node_modules/knip/bin/knip.js"


if __name__ == "__main__":
    sys.exit(main(measure, __doc__, parts=(*_PYTHON, *_NPM)))
