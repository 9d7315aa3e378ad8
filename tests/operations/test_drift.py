"""Drift, todos and history on small repositories made with real git."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from idumb_brain.graph.dependency_drift import dependency_changes
from idumb_brain.model.errors import BadInput
from idumb_brain.model.project import DEV, RUNTIME, Package, Requirement
from idumb_brain.operations.drift import drift
from idumb_brain.operations.history import folder_owners, project_history
from idumb_brain.operations.mapping import project_map
from idumb_brain.operations.project import find_project
from idumb_brain.operations.scanning import scan
from idumb_brain.operations.todos import days, todos
from idumb_brain.scan.owners import code_owners
from idumb_brain.scan.similarity import profile, renames

LINES = [f"def f{number}(a, b):\n    return a * {number} + b\n\n\n" for number in range(20)]


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    monkeypatch.setenv("IDUMB_BRAIN_NOW", "2026-02-04T10:30:00Z")
    root = tmp_path / "shop"
    root.mkdir()

    def run(*words: str, author: str = "Ada", when: str = "2025-02-04T10:30:00Z") -> str:
        who = {"NAME": author, "EMAIL": f"{author.lower()}@example.org", "DATE": when}
        environ = dict(os.environ, GIT_CONFIG_GLOBAL=os.devnull)
        environ |= {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in who.items()}
        return subprocess.run(["git", *words], cwd=root, env=environ, check=True, capture_output=True, text=True).stdout

    run("init", "-q", "-b", "main")
    (root / ".gitignore").write_text(".idumb/\n")
    (root / "a.py").write_text("".join(LINES))
    (root / "b.py").write_text(
        "import a\n\n\ndef use(x):\n    # TODO(mira, 2025-12-01): tidy, see SHOP-12\n    return a.f1(x, 1)\n"
    )
    (root / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\ndependencies = ["flask>=2", "attrs"]\n')
    run("add", "-A")
    run("commit", "-qm", "one")
    return run


def test_a_rename_with_changes_is_followed(git: Callable[..., str], tmp_path: Path) -> None:
    root = tmp_path / "shop"
    scan(str(root))
    (root / "a.py").unlink()
    (root / "moved.py").write_text("".join(LINES[:-2]) + "def other(): ...\n")
    for revision in (None, "HEAD"):  # git knows the old content, whether it tracks the new file or not
        files = drift(revision, str(root))["files"]
        assert files["renamed"] == [{"from": "a.py", "to": "moved.py", "similarity": 89}]
        assert not files["added"] and not files["deleted"]
    git("add", "-A")
    assert "R089\ta.py\tmoved.py" in git("diff", "--name-status", "-M", "HEAD")
    git("commit", "-qm", "two")
    assert drift(None, str(root))["files"]["renamed"] == [{"from": "a.py", "to": "moved.py", "similarity": 89}]
    assert drift("HEAD~1..HEAD", str(root))["files"]["renamed"] == [{"from": "a.py", "to": "moved.py", "similarity": 89}]


def test_a_rename_that_git_never_saw(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("".join(LINES))
    scan(str(tmp_path))
    (tmp_path / "a.py").unlink()
    (tmp_path / "b.py").write_text("".join(LINES[:-2]))
    (one,) = drift(None, str(tmp_path))["files"]["renamed"]
    assert (one["from"], one["to"]) == ("a.py", "b.py") and 80 <= one["similarity"] < 100


def test_dependencies_and_breaking_changes(git: Callable[..., str], tmp_path: Path) -> None:
    root = tmp_path / "shop"
    scan(str(root))
    assert drift(None, str(root))["summary"]["drift"] is False
    (root / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\ndependencies = ["flask>=3", "httpx"]\n')
    (root / "b.py").write_text("def use(x, y): ...\n")
    for revision in (None, "HEAD"):
        found = drift(revision, str(root))
        told = {(one["name"], one["change"], one["before"], one["after"]) for one in found["dependencies"]}
        assert told == {("attrs", "removed", None, None), ("httpx", "added", None, None), ("flask", "changed", ">=2", ">=3")}
        (change,) = found["api"]
        assert change["breaking"] is True and change["reason"] == "required parameter y added" and change["line"] == 1
    with pytest.raises(BadInput, match="nonsense"):
        drift("nonsense", str(root))
    with pytest.raises(BadInput):
        drift("--output=x", str(root))


def test_dependency_changes() -> None:
    def asking(*requirements: Requirement) -> list[Package]:
        return [Package("", "shop", "1", "npm", "package.json", "", requirements)]

    old = asking(Requirement("a", "^1", RUNTIME, "package.json", 3, "1.2.0"), Requirement("b", "*", DEV, "package.json", 4))
    new = asking(Requirement("a", "^1", RUNTIME, "package.json", 3, "1.3.0"), Requirement("b", "*", RUNTIME, "package.json", 5))
    first, second = dependency_changes(old, new)
    assert (first.name, first.change, first.locked_before, first.locked_after) == ("a", "changed", "1.2.0", "1.3.0")
    assert second.group == "dev → runtime"
    assert dependency_changes(old, old) == []


def test_todos(git: Callable[..., str], tmp_path: Path) -> None:
    root = tmp_path / "shop"
    (root / "c.py").write_text("# FIXME: slow\nx = 1  # HACK @joe-b: see https://example.org/shop/issues/7\n")
    git("add", "-A")
    git("commit", "-qm", "two", author="Grace", when="2026-01-25T10:30:00Z")
    with (root / "c.py").open("a") as file:
        file.write("# BUG(#9) UTF-8 is no ticket\n")
    (root / "CODEOWNERS").write_text("*.js @page\n")
    (root / "d.js").write_text("// TODO later\n")
    scan(str(root))
    found = {(one["file"], one["line"]): one for one in todos(str(root))}
    told = [
        (o["type"], o["owner"], o["ownerFrom"], o["ticket"], o["age"], o["ageFrom"], o["due"], o["overdue"])
        for o in found.values()
    ]
    assert told == [
        ("todo", "mira", "comment", "SHOP-12", 365, "blame", "2025-12-01", True),
        ("fixme", "Grace", "blame", None, 10, "blame", None, False),
        ("hack", "joe-b", "comment", "https://example.org/shop/issues/7", 10, "blame", None, False),
        ("bug", None, None, "#9", 0, "uncommitted", None, False),
        ("todo", "page", "codeowners", None, None, None, None, False),
    ]
    assert [one["type"] for one in todos(str(root), older_than="90d")] == ["todo"]
    assert [one["type"] for one in todos(str(root), types=["hack", "bug"], sort="age")] == ["hack", "bug"]
    assert [one["line"] for one in todos(str(root), owner="grace")] == [1]
    assert [one["file"] for one in todos(str(root), "d.js")] == ["d.js"]
    assert todos(str(root), ages=False)[1]["age"] is None


def test_shallow_clones_say_so_and_reformatting_is_nobodys_work(git: Callable[..., str], tmp_path: Path) -> None:
    root = tmp_path / "shop"
    (root / "b.py").write_text((root / "b.py").read_text().replace("    ", "\t"))
    git("commit", "-qam", "tabs", author="Robot", when="2026-02-01T10:30:00Z")
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{root}", str(tmp_path / "shallow")], check=True)
    scan(str(tmp_path / "shallow"))
    assert todos(str(tmp_path / "shallow"))[0]["ageFrom"] == "shallow"
    (root / ".git-blame-ignore-revs").write_text(git("rev-parse", "HEAD"))
    scan(str(root))
    assert todos(str(root))[0]["age"] == 365


@pytest.mark.parametrize(("written", "number"), [("90d", 90), ("2w", 14), ("6m", 180), ("2 years", 730), ("7", 7)])
def test_ages(written: str, number: int) -> None:
    assert days(written) == number


def test_an_age_that_is_none() -> None:
    with pytest.raises(BadInput):
        days("soon")


def test_history_follows_renames_and_reads_on(git: Callable[..., str], tmp_path: Path) -> None:
    root = tmp_path / "shop"
    git("mv", "a.py", "core.py")
    git("commit", "-qm", "two", author="Grace", when="2025-03-04T10:30:00Z")
    (root / "b.py").write_text("import core\n")
    scan(str(root))
    project = find_project(str(root))
    first = project_history(project)
    assert first.commits == 2 and first.files["core.py"].commits == 2 and "a.py" not in first.files
    assert first.files["core.py"].authors == (("Ada", 1), ("Grace", 1))
    git("mv", "core.py", "heart.py")
    (root / "b.py").write_text("import heart\n")
    git("add", "-A")
    git("commit", "-qm", "three", author="Grace")
    second = project_history(project)
    assert second.commits == 3 and second.files["heart.py"].commits == 3
    index = json.dumps({path: [one.commits, one.authors] for path, one in sorted(second.files.items())})
    project.index.unlink()
    scan(str(root))
    again = project_history(project)
    assert json.dumps({path: [one.commits, one.authors] for path, one in sorted(again.files.items())}) == index
    assert project_map(str(root))["architecture"]["hotFiles"][0] == {"path": "heart.py", "neededBy": 1, "commits": 3, "lines": 80}
    assert folder_owners(project)[""]["authors"][0] == {"name": "Ada", "share": 0.571}


OWNERS = """\
# everything
*            @all
/build/      @builders   # from the top only
docs/*       @writers
*.js         @web ada@example.org
apps/        @apps
/apps/free
"""
GITLAB = """\
* @all
[Database] @dba
*.sql
/models/ @models
^[Docs][2] @docs
*.md
[database]
/big.sql @big
"""


@pytest.mark.parametrize(
    ("text", "path", "owners"),
    [
        (OWNERS, "x.py", "@all"),
        (OWNERS, "build/x/y.py", "@builders"),
        (OWNERS, "src/build/y.py", "@all"),
        (OWNERS, "docs/x.md", "@writers"),
        (OWNERS, "docs/deep/x.md", "@all"),
        (OWNERS, "src/x.js", "@web ada@example.org"),
        (OWNERS, "src/apps/x.js", "@apps"),
        (OWNERS, "apps/free", ""),
        (GITLAB, "x.sql", "@all @dba"),
        (GITLAB, "models/x.sql", "@all @models"),
        (GITLAB, "x.md", "@all @docs"),
        (GITLAB, "big.sql", "@all @big"),
    ],
)
def test_code_owners(tmp_path: Path, text: str, path: str, owners: str) -> None:
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "CODEOWNERS").write_text(text)
    (tmp_path / "CODEOWNERS").write_text("* @nobody\n")
    assert " ".join(code_owners(tmp_path).of(path)) == owners


def test_renames_as_git_has_them() -> None:
    same = profile(b"a\n" * 40, "1")
    found = renames(
        {"x/a.py": same, "y/a.py": same, "z.py": profile(b"".join(b"%d\n" % i for i in range(100)), "2")},
        {"new/b.py": same, "q.py": profile(b"".join(b"%d\n" % i for i in range(60)), "3")},
    )
    assert [(one.source, one.target, one.similarity) for one in found] == [("x/a.py", "new/b.py", 100), ("z.py", "q.py", 58)]


def test_contents_larger_than_a_pipe_do_not_stop_the_workers(tmp_path: Path) -> None:
    from threading import Thread

    from idumb_brain.scan.languages import query_folders
    from idumb_brain.scan.pool import Pool, PoolSettings
    from idumb_brain.scan.worker import failed_facts

    content = "".join(LINES).encode() * 200
    answers: list[str] = []

    def work() -> None:
        with Pool(PoolSettings(str(tmp_path), query_folders()), 2) as pool:
            tasks = [(f"{number}.py", "", content) for number in range(12)]
            answers.extend(path for path, _ in pool.run(tasks, lambda _, reason: failed_facts(reason)))

    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(60)
    assert sorted(answers) == sorted(f"{number}.py" for number in range(12))
