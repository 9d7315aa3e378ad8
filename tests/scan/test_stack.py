"""Manifests and lock files of every ecosystem, and the technologies they tell of: each sample project with what is read in it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from idumb_brain.model.errors import BadInput
from idumb_brain.model.project import Detection, Package
from idumb_brain.scan.languages import fingerprint, load_languages, query_folders
from idumb_brain.scan.manifests import packages_of, problems_of, read_packages
from idumb_brain.scan.manifests.lines import json_lines, yaml_values
from idumb_brain.scan.manifests.locks import plain_version
from idumb_brain.scan.manifests.tree import Tree
from idumb_brain.scan.stack import detect
from idumb_brain.scan.stack.rules import load_technologies
from idumb_brain.scan.stack.scope import scope_of
from tests.conftest import FIXTURES

PROJECTS = sorted(folder for folder in (FIXTURES / "stack").iterdir() if folder.is_dir())


@pytest.mark.parametrize("project", PROJECTS, ids=lambda folder: folder.name)
def test_stack_of_a_project(project: Path, snapshot: Callable[[Path, str], None]) -> None:
    tree = Tree(project, [file.relative_to(project).as_posix() for file in project.rglob("*") if file.is_file()])
    packages = packages_of(tree)
    problems = [f"problem {one.file}:{one.line} {one.message}" for one in problems_of(tree)]
    detections = detect(tree, packages, (), load_technologies(query_folders()))
    told = [*map(_package, packages), *problems, *map(_detection, detections)]
    snapshot(project.with_suffix(".expected"), "\n".join(told) + "\n")


def _package(one: Package) -> str:
    head = f"package {one.path or '.'} [{one.ecosystem}] {one.name} {one.version} {one.manifest}"
    head += (
        f" lock={one.lock}" * bool(one.lock) + " private" * one.private + f" members={','.join(one.members)}" * bool(one.members)
    )
    rows = []
    for asked in one.requirements:
        row = f"  {asked.group} {asked.name} {asked.wanted!r} {asked.manifest}:{asked.line}"
        row += f" locked={asked.locked}@{asked.locked_line}" * bool(asked.locked)
        row += f" local={asked.local}" * bool(asked.local) + f" alias={asked.alias}" * bool(asked.alias)
        rows.append(row)
    return "\n".join([head, *rows])


def _detection(one: Detection) -> str:
    version = f" {one.version} ({one.version_from})" if one.version else ""
    evidence = " ".join(f"{e.kind}:{e.path}:{e.line}" for e in one.evidence)
    return f"{one.kind} {one.name}{version} in {one.package or '.'}{f' only {one.scope}' if one.scope else ''} | {evidence}"


def test_locks_are_found_though_the_index_leaves_them_out(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "a", "dependencies": {"vue": "^3"}}')
    (tmp_path / "yarn.lock").write_text('vue@^3:\n  version "3.5.13"\n')
    packages, _ = read_packages(tmp_path, ["package.json"])
    assert packages[0].requirements[0].locked == "3.5.13"


def test_nothing_outside_the_root_is_read(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "requirements.txt").write_text("flask\n")
    (inside / "requirements.txt").write_text("-r ../requirements.txt\ndjango\n")
    os.symlink(tmp_path / "requirements.txt", inside / "requirements-dev.txt")
    packages, problems = read_packages(inside, ["requirements.txt", "requirements-dev.txt"])
    assert [one.name for one in packages[0].requirements] == ["django"] and not problems


@pytest.mark.parametrize(
    "name", ["package.json", "pyproject.toml", "pom.xml", "Cargo.toml", "composer.json", "a.csproj", "setup.py"]
)
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"\x00" * 50, b"[" * 5000, b"\xe9\xe8 = {", b"<a>" * 50])
def test_odd_manifests_are_told_of(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    packages, problems = read_packages(tmp_path, [name])
    assert not any(package.requirements for package in packages)
    assert not problems or problems[0].file == name


def test_parents_in_a_circle(tmp_path: Path) -> None:
    for mine, other in (("a", "b"), ("b", "a")):
        (tmp_path / mine).mkdir()
        (tmp_path / mine / "pom.xml").write_text(
            f"<project><parent><groupId>g</groupId><artifactId>{other}</artifactId><version>1</version>"
            f"<relativePath>../{other}/pom.xml</relativePath></parent><artifactId>{mine}</artifactId><version>${{v}}</version>"
            "<properties><v>${project.version}</v></properties></project>"
        )
    packages, _ = read_packages(tmp_path, ["a/pom.xml", "b/pom.xml"])
    assert [package.name for package in packages] == ["g:a", "g:b"]


def _pnpm(count: int) -> str:
    head = "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      vue:\n"
    head += "        specifier: ^3\n        version: 3.5.13\n\npackages:\n\n"
    return head + "".join(f"  pkg{n}@1.0.{n}:\n    resolution: {{integrity: sha512-{'x' * 60}}}\n" for n in range(count))


BIG = {
    "pnpm-lock.yaml": _pnpm(95_000),
    "yarn.lock": 'vue@^3:\n  version "3.5.13"\n'
    + "".join(f'pkg{n}@^1:\n  version "1.0.{n}"\n  resolved "{"x" * 70}"\n' for n in range(95_000)),
    "package-lock.json": '{"lockfileVersion": 3, "packages": {"node_modules/vue": {"version": "3.5.13"}'
    + "".join(f',\n"node_modules/p{n}": {{"version": "1.0.{n}", "integrity": "{"x" * 60}"}}' for n in range(95_000))
    + "}}",
}


@pytest.mark.parametrize("name", BIG)
def test_a_lock_of_ten_megabytes_takes_less_than_a_second(tmp_path: Path, name: str) -> None:
    (tmp_path / "package.json").write_text('{"name": "a", "dependencies": {"vue": "^3"}}')
    (tmp_path / name).write_text(BIG[name])
    assert len(BIG[name]) > 9_000_000
    began = time.process_time()
    packages, _ = read_packages(tmp_path, ["package.json"])
    assert time.process_time() - began < 1.0
    assert packages[0].requirements[0].locked == "3.5.13"


@pytest.mark.parametrize(
    ("wanted", "plain"),
    [("^1.2.3", "1.2.3"), (">=3,<4", "3"), ("<2,>=1.5", "1.5"), ("~> 8.0, >= 8.0.1", "8.0"), ("<2", ""), ("*", ""), ("1.x", "1"),
     ("workspace:*", ""), ("v1.4.0", "1.4.0"), ("16.2 || 17", "16.2"), ("https://x.org/a-1.0.tgz", ""), ("!=1", "")],
)  # fmt: skip
def test_plain_version(wanted: str, plain: str) -> None:
    assert plain_version(wanted) == plain


def test_lines_of_json() -> None:
    lines = json_lines('{\n "a": {"b": 1,\n "c": [{"b": 2}]},\n // "d": 1\n "d": "x"\n}')
    assert (lines["a",], lines["a", "b"], lines["a", "c"], lines["d",]) == (2, 2, 3, 5)


def test_values_of_yaml() -> None:
    text = "a:\n  - b: 1 # one\n    c: 'two # 2'\n  - d\ne: [f, \"g\"]\nh: |\n  a: no\ni: {j: k}\n- l: m\n"
    found = list(yaml_values(text))
    assert (("a", "-", "b"), "1", 2) in found and (("a", "-", "c"), "two # 2", 3) in found and (("a", "-"), "d", 4) in found
    assert (("e", "-"), "g", 5) in found and (("i", "j"), "k", 8) in found and not any(value == "no" for _, value, _ in found)


@pytest.mark.parametrize(
    ("path", "scope"),
    [("src/a.py", ""), ("tests/a.py", "tests"), ("pkg/testdata/a.go", "fixtures"), ("tests/fixtures/x/package.json", "fixtures"),
     ("examples/a/go.mod", "examples"), ("src/main/java/org/samples/A.java", ""), ("src/test/java/org/samples/A.java", "tests"),
     ("docs/package.json", "docs"), ("contest/a.py", ""), ("tests", "")],
)  # fmt: skip
def test_scope(path: str, scope: str) -> None:
    assert scope_of(path) == scope


def test_rules_are_no_language_and_change_no_index(tmp_path: Path) -> None:
    before = fingerprint((query_folders()[0], tmp_path))
    (tmp_path / "stack").mkdir()
    (tmp_path / "stack" / "own.toml").write_text('ecosystems = ["npm"]\n[framework]\nHouse = "house"\n')
    folders = (query_folders()[0], tmp_path)
    assert fingerprint(folders) == before
    assert "stack" not in load_languages(folders).by_name
    assert next(one for one in load_technologies(folders) if one.name == "House").packages == (("npm", "house"),)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[framework\n", "not valid TOML"),
        ('[framwork]\nX = "x"\n', "there is no kind 'framwork'"),
        ('[framework]\nX = "x"\n', "names the package 'x'"),
        ("[framework]\nX = 3\n", "X says nothing"),
        ('[framework]\nX = { package = ["npm:x"] }\n', "X has the key 'package'"),
        ("[framework]\nX = { config = [1] }\n", "X.config is no list of texts"),
        ('[framework]\nX = { content = { files = ["a"], pattern = "(" } }\n', "a pattern that is none"),
        ('[framework]\nX = { content = { files = ["a"] } }\n', "X.content has the keys files"),
    ],
)
def test_a_bad_rule_file_is_refused_with_a_reason(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "stack").mkdir()
    (tmp_path / "stack" / "own.toml").write_text(text)
    with pytest.raises(BadInput) as refused:
        load_technologies((tmp_path,))
    assert told in str(refused.value) and "own.toml" in str(refused.value)
