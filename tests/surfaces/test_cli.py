"""The command line as scripts and people meet it: a real process, real git, its stdout, stderr and exit code."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import FIXTURES, REPOSITORY

NOW = "2026-02-04T10:30:00Z"
LIBRARY = FIXTURES / "projects" / "python_src_layout"


def run(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = dict(os.environ, PYTHONPATH=str(REPOSITORY), IDUMB_BRAIN_NOW=NOW, COLUMNS="100") | environment
    return subprocess.run(
        [sys.executable, "-m", "idumb_brain", *words],
        cwd=cwd,
        env=variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def data(*words: str, cwd: Path, exit_code: int = 0, **environment: str) -> Any:
    done = run("--json", *words, cwd=cwd, **environment)
    assert done.returncode == exit_code, done.stdout + done.stderr
    document = json.loads(done.stdout)
    assert document["schemaVersion"] == 1
    return document["data"]


def error(*words: str, cwd: Path, exit_code: int = 2, **environment: str) -> dict[str, str]:
    """The error of a command, which says the same in JSON and to people."""
    done = run("--json", *words, cwd=cwd, **environment)
    assert done.returncode == exit_code, done.stdout + done.stderr
    told: dict[str, str] = json.loads(done.stdout)["error"]
    assert set(told) == {"kind", "what", "why", "instead"} and told["what"] and told["instead"]
    plain = run(*words, cwd=cwd, **environment)
    assert plain.returncode == exit_code and not plain.stdout and told["what"] in plain.stderr
    assert "Traceback" not in plain.stderr
    return told


def git(*words: str, cwd: Path, when: str = "2026-01-05T10:30:00Z") -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    environment = dict(os.environ, GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when)
    subprocess.run(("git", *identity, *words), cwd=cwd, check=True, capture_output=True, env=environment)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A small scanned project in a git repository."""
    root = tmp_path / "library"
    shutil.copytree(LIBRARY, root)
    (root / "src" / "library" / "desk.py").write_text(
        '"""Where books go out."""\n\nfrom library.loans import lend\n\n\nclass Desk:\n    """Lends, with a stamp."""\n\n'
        "    def stamp(self, book: str) -> str:\n        # TODO(ada): a nicer stamp, see LIB-42\n        return lend(book)\n\n\n"
        "def close(desk: Desk) -> None:\n    desk.stamp('last')\n    Desk().stamp('none')\n"
    )
    with (root / "src" / "library" / "loans.py").open("a") as file:
        file.write("\n\ndef lend(book: str) -> str:\n    return book\n")
    git("init", "-q", cwd=root)
    git("add", "-A", cwd=root)
    git("commit", "-qm", "Open the library", cwd=root)
    data("scan", cwd=root)
    return root


def test_init_scans_and_says_what_next(tmp_path: Path) -> None:
    root = tmp_path / "library"
    shutil.copytree(LIBRARY, root)
    made = data("init", cwd=root)
    assert made["scan"]["mode"] == "full" and made["next"] and made["created"]
    assert json.loads((root / ".idumb" / "config.json").read_text())["scan"]["maxBytes"] == 2_000_000
    assert "brain/*.db*" in (root / ".idumb" / ".gitignore").read_text()
    assert not data("init", cwd=root)["created"]
    assert "Next:" in run("init", cwd=root).stdout


def test_scan(library: Path) -> None:
    again = data("scan", cwd=library)
    assert again["root"] == str(library) and again["mode"] == "incremental"
    assert set(again) >= {
        "root",
        "mode",
        "files",
        "skipped",
        "problems",
        "languages",
        "symbols",
        "comments",
        "imports",
        "durationMs",
    }
    assert set(again["files"]) == {"seen", "scanned", "unchanged", "removed", "skipped"}
    assert again["languages"]["python"]["files"] == 9
    full = data("scan", "--full", "--jobs", "1", cwd=library)
    assert full["mode"] == "full" and full["files"]["scanned"] == full["files"]["seen"]
    assert {key: full[key] for key in ("symbols", "comments", "imports")} == {
        key: again[key] for key in ("symbols", "comments", "imports")
    }
    (library / "src" / "library" / "loans.py").write_text("def lend(): ...\n")
    one = data("scan", "src/library/loans.py", cwd=library)
    assert one["files"] == {"seen": 1, "scanned": 1, "unchanged": 0, "removed": 0, "skipped": 0}
    (library / "src" / "library" / "loans.py").unlink()
    assert data("scan", "src/library/loans.py", cwd=library)["files"]["removed"] == 1
    assert "incremental scan" in run("scan", cwd=library / "src").stdout  # from any folder inside


def test_stdout_is_the_result_alone(library: Path) -> None:
    done = run("scan", "--full", "--json", cwd=library)
    assert done.stderr == "" and done.stdout.count("\n") == 1
    assert run("scan", "--quiet", cwd=library).stderr == ""


def test_same_tree_same_clock_same_bytes(library: Path, tmp_path: Path) -> None:
    commands = (
        ("graph", "--format", "dot"),
        ("graph", "--json"),
        ("exports", "--json"),
        ("todos", "--json"),
        ("show", "src/library/desk.py", "--json"),
    )
    first = [run("codemap", *words, cwd=library).stdout for words in commands]
    data("scan", "--full", cwd=library)
    assert [run("codemap", *words, cwd=library).stdout for words in commands] == first


def test_status(library: Path) -> None:
    fresh = data("status", cwd=library)
    assert fresh["scanned"] and fresh["fresh"] and fresh["complete"]
    (library / "new.py").write_text("x = 1\n")
    (library / "src" / "library" / "desk.py").write_text("x = 1\n")
    stale = data("status", cwd=library)
    assert not stale["fresh"] and (stale["files"]["added"], stale["files"]["changed"]) == (1, 1)
    assert "Out of date: 1 added, 1 changed" in run("status", cwd=library).stdout


def test_show(library: Path) -> None:
    entry = data("codemap", "show", "src/library/desk.py", cwd=library)
    assert set(entry) >= {
        "file", "hash", "language", "comments", "exports", "symbols", "imports", "dependencies", "dependents", "lastScannedAt"
    }  # fmt: skip
    assert entry["lastScannedAt"] == NOW and entry["language"] == "python"
    assert entry["dependencies"] == ["src/library/loans.py"]
    assert [(s["qualifiedName"], s["kind"], s["line"], s["endLine"]) for s in entry["symbols"]] == [
        ("Desk", "class", 6, 11), ("Desk.stamp", "method", 9, 11), ("close", "function", 14, 16)
    ]  # fmt: skip
    assert entry["symbols"][1]["signature"] == "def stamp(self, book: str) -> str"
    assert entry["symbols"][0]["doc"] == "Lends, with a stamp."
    assert entry["imports"] == [
        {
            "text": "library.loans", "line": 3, "kind": "from", "names": [{"name": "lend", "as": "lend"}],
            "target": "src/library/loans.py", "targets": ["src/library/loans.py"], "external": None, "reason": None,
        }
    ]  # fmt: skip
    marked = [comment for comment in entry["comments"] if comment["type"] == "todo"]
    assert [(c["line"], c["relatedFunction"]) for c in marked] == [(10, "Desk.stamp")]
    inside = data("codemap", "show", "desk.py", cwd=library / "src" / "library")
    assert inside["file"] == "src/library/desk.py"  # a path relative to where one stands


def test_outline_comments_exports(library: Path) -> None:
    outline = data("codemap", "outline", "src/library/desk.py", cwd=library)
    assert [child["name"] for child in outline["symbols"][0]["children"]] == ["stamp"]
    assert "def stamp" in run("codemap", "outline", "src/library/desk.py", cwd=library).stdout
    assert any(c["type"] == "todo" for c in data("codemap", "comments", "src/library/desk.py", cwd=library))
    assert len(data("codemap", "comments", cwd=library)) >= 3
    names = {(one["file"], one["name"]) for one in data("codemap", "exports", "src/library", cwd=library)}
    assert ("src/library/desk.py", "Desk.stamp") in names and not any(file.startswith("tools/") for file, _ in names)


def test_todos_know_owner_ticket_and_age(library: Path) -> None:
    (todo,) = data("codemap", "todos", cwd=library)
    assert todo == {
        "file": "src/library/desk.py", "line": 10, "type": "todo", "content": "TODO(ada): a nicer stamp, see LIB-42",
        "relatedFunction": "Desk.stamp", "owner": "ada", "ticket": "LIB-42", "age": 30,
        "ownerFrom": "comment", "ageFrom": "blame", "since": "2026-01-05", "due": None, "overdue": False,
    }  # fmt: skip
    assert data("codemap", "todos", "--no-age", cwd=library)[0]["age"] is None


def test_graph_and_its_drawings(library: Path) -> None:
    graph = data("codemap", "graph", cwd=library)
    assert set(graph) >= {"nodes", "edges", "external", "unresolved", "cycles"}
    assert {"from": "src/library/desk.py", "to": "src/library/loans.py", "line": 3, "kind": "import"} in graph["edges"]
    assert {"from": "src/library/loans.py", "package": "requests", "line": 2} in graph["external"]
    assert any(one["text"] == ".missing" and one["reason"] for one in graph["unresolved"])
    near = data("codemap", "graph", "--focus", "src/library/desk.py", "--depth", "1", cwd=library)
    assert near["nodes"] == ["src/library/desk.py", "src/library/loans.py"]
    assert len(data("codemap", "graph", "--focus", "src/library/desk.py", "--depth", "2", cwd=library)["nodes"]) > 2
    assert json.loads(run("codemap", "graph", "--format", "json", cwd=library).stdout)["data"] == graph
    xml = ElementTree.fromstring(run("codemap", "graph", "--format", "graphml", cwd=library).stdout)
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert len(xml.findall(f".//{space}edge")) == len(graph["edges"])
    mermaid = run("codemap", "graph", "--format", "mermaid", cwd=library).stdout
    assert mermaid.startswith("flowchart LR\n") and mermaid.count("-->") + mermaid.count("==>") == len(graph["edges"])
    dot = run("codemap", "graph", "--format", "dot", cwd=library).stdout
    assert dot.count(" -> ") == len(graph["edges"])
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=dot, text=True, check=True, capture_output=True)


def test_cycles(library: Path) -> None:
    circles = data("codemap", "cycles", cwd=library)
    assert ["src/library/loans.py", "src/library/shelves/oak.py"] in circles
    assert data("codemap", "cycles", "--check", cwd=library, exit_code=1) == circles
    (library / "src" / "library" / "shelves" / "oak.py").write_text("x = 1\n")
    data("scan", cwd=library)
    assert data("codemap", "cycles", "--check", cwd=library) == []


def test_impact(library: Path) -> None:
    whole = data("codemap", "impact", "src/library/loans.py", cwd=library)
    assert {"path": "src/library/desk.py", "depth": 1} in whole["files"]
    lend = data("codemap", "impact", "src/library/loans.py#lend", cwd=library)
    assert [(use["file"], use["line"], use["symbol"], use["provenance"]) for use in lend["uses"]] == [
        ("src/library/desk.py", 11, "Desk.stamp", "import-resolved")
    ]
    stamp = data("codemap", "impact", "src/library/desk.py#Desk.stamp", cwd=library)
    assert [(use["line"], use["symbol"], use["provenance"]) for use in stamp["uses"]] == [
        (15, "close", "inferred"),
        (16, "close", "inferred"),
    ]
    assert "did you mean Desk.stamp" in error("codemap", "impact", "src/library/desk.py#Desk.stam", cwd=library)["instead"]


def test_diff(library: Path) -> None:
    assert data("codemap", "diff", cwd=library)["modified"] == []
    desk = library / "src" / "library" / "desk.py"
    desk.write_text(desk.read_text().replace("def close(desk: Desk) -> None", "def close(desk: Desk, early: bool) -> None"))
    (library / "src" / "library" / "loans.py").rename(library / "src" / "library" / "lending.py")
    (library / "new.py").write_text("def fresh(): ...\n")
    (library / "tools" / "count.py").unlink()
    for words in ((), ("HEAD",)):
        changed = data("codemap", "diff", *words, cwd=library)
        assert changed["added"] == ["new.py"] and changed["removed"] == ["tools/count.py"]
        assert changed["modified"] == ["src/library/desk.py"]
        assert changed["renamed"] == [{"from": "src/library/loans.py", "to": "src/library/lending.py", "similarity": 100}]
        assert [s["name"] for s in changed["symbols"]["added"]] == ["fresh"]
        (close,) = changed["symbols"]["changed"]
        assert close["before"] == "def close(desk: Desk) -> None" and "early: bool" in close["after"]
    assert "nonsense" in error("codemap", "diff", "nonsense", cwd=library)["what"]
    assert data("status", cwd=library)["files"]["added"] == 2  # diff changed nothing


def test_text_from_files_does_not_drive_the_terminal(tmp_path: Path) -> None:
    root = tmp_path / "evil"
    root.mkdir()
    (root / "a\x1b[31m.py").write_text("# TODO: \x1b]0;owned\x07 [bold]red[/bold] :boom:\nx = 1\n")
    (root / "b\nc.py").write_text("y = 1\n")
    data("scan", cwd=root)
    for words in (
        ("codemap", "todos"),
        ("codemap", "exports"),
        ("codemap", "graph", "--format", "mermaid"),
        ("codemap", "graph"),
    ):
        shown = run(*words, cwd=root).stdout
        assert "\x1b" not in shown and "\x07" not in shown
    assert "[bold]red[/bold] :boom:" in run("codemap", "todos", cwd=root).stdout


def test_odd_file_names(tmp_path: Path) -> None:
    root = tmp_path / "odd"
    root.mkdir()
    names = ["with space.py", "new\nline.py", "quote\"'.py", "ünï.py", "-dash.py", "#hash.py"]
    for name in names:
        (root / name).write_text("def here(): ...\n")
    raw = os.fsencode(root) + b"/bytes\xff.py"
    Path(os.fsdecode(raw)).write_text("def here(): ...\n")
    assert data("scan", cwd=root)["languages"]["python"]["files"] == 7
    files = {one["file"] for one in data("codemap", "exports", cwd=root)}
    assert files == {*names, "bytes\\xff.py"}
    assert data("codemap", "show", "--root", str(root), "--", "-dash.py", cwd=root)["file"] == "-dash.py"
    assert data("codemap", "show", "bytes\\xff.py", cwd=root)["file"] == "bytes\\xff.py"
    assert data("scan", cwd=root)["files"]["scanned"] <= 7 and data("scan", cwd=root)["files"]["scanned"] == 0


def test_bad_input(tmp_path: Path, library: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert data("scan", cwd=empty)["files"]["seen"] == 0
    bare = tmp_path / "bare"
    bare.mkdir()
    assert error("codemap", "graph", cwd=bare)["kind"] == "not-scanned"
    assert data("status", cwd=bare)["scanned"] is False
    assert "does not exist" in error("scan", "--root", "nowhere", cwd=tmp_path)["what"]
    (tmp_path / "file.txt").write_text("x")
    assert "is a file" in error("scan", "--root", "file.txt", cwd=tmp_path)["what"]
    assert "does not exist" in error("scan", "nowhere.py", cwd=library)["what"]
    assert "is not in the index" in error("codemap", "show", "nowhere.py", cwd=library)["what"]
    assert "did you mean src/library/desk.py" in error("codemap", "show", "src/library/dsk.py", cwd=library)["instead"]
    assert "is a folder" in error("codemap", "show", "src", cwd=library)["what"]
    assert "IDUMB_BRAIN_NOW" in error("scan", cwd=library, IDUMB_BRAIN_NOW="yesterday")["what"]


def test_usage(tmp_path: Path) -> None:
    for words in (("nonsense",), ("codemap",), ("codemap", "shov", "x"), ("scan", "--jobs", "many"), ("scan", "--what"), ()):
        assert error(*words, cwd=tmp_path)["kind"] == "usage"
    assert "did you mean codemap?" in run("codmap", cwd=tmp_path).stderr


def test_settings(library: Path) -> None:
    config = library / ".idumb" / "config.json"
    stated = json.loads(config.read_text())
    stated["scan"]["exclude"] = ["tools/"]
    stated["mine"] = {"kept": True}
    config.write_text(json.dumps(stated))
    assert data("scan", cwd=library)["files"]["removed"] == 2
    assert json.loads(config.read_text())["mine"] == {"kept": True}
    stated["scan"]["maxBytes"] = "plenty"
    config.write_text(json.dumps(stated))
    assert "scan.maxBytes" in error("scan", cwd=library)["what"]
    config.write_text("{")
    assert "not valid JSON" in error("scan", cwd=library)["what"]


def test_damaged_and_locked_index(library: Path) -> None:
    index = library / ".idumb" / "brain" / "index.db"
    with sqlite3.connect(index) as other:
        other.execute("PRAGMA user_version = 999")
    assert error("codemap", "graph", cwd=library)["kind"] == "not-scanned"
    rebuilt = data("scan", cwd=library)
    assert rebuilt["mode"] == "full" and "schema 999" in rebuilt["notes"][0]
    for left in index.parent.glob("index.db-*"):
        left.unlink()
    index.write_bytes(b"not a database" * 1000)
    for words in (("scan",), ("codemap", "graph"), ("status",)):
        assert error(*words, cwd=library, exit_code=4)["kind"] == "store-damaged"
    index.unlink()
    assert data("scan", cwd=library)["mode"] == "full"


def test_a_folder_nobody_can_write_to(tmp_path: Path) -> None:
    kernel = Path("/proc/sys/kernel/random")
    if not kernel.is_dir():
        pytest.skip("no /proc here")
    done = run("scan", "--root", str(kernel), "--json", cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "not writable" in done.stderr and str(tmp_path / "cache") in done.stderr
    assert data("status", "--root", str(kernel), cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"))["scanned"]


def test_version_and_completion(tmp_path: Path) -> None:
    from idumb_brain import __version__

    assert run("--version", cwd=tmp_path).stdout == f"idumb-brain {__version__}\n"
    script = run("completion", "bash", cwd=tmp_path).stdout
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    assert "codemap" in script


def test_every_command_has_help(tmp_path: Path) -> None:
    import argparse

    from idumb_brain.surfaces.cli.arguments import build_parser

    def walk(parser: argparse.ArgumentParser) -> None:
        assert parser.description, parser.prog
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for choice in action._choices_actions:
                    assert choice.help, choice
                for inner in action.choices.values():
                    walk(inner)
            elif action.option_strings:
                assert action.help, (parser.prog, action)

    walk(build_parser())


def test_a_command_put_together_alone_is_the_same() -> None:
    import argparse

    from idumb_brain.surfaces.cli.arguments import build_parser

    def told(parser: argparse.ArgumentParser) -> list[str]:
        inner = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        return [parser.format_help(), *(line for choices in inner for one in choices.values() for line in told(one))]

    def commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
        return next(dict(action.choices) for action in parser._actions if isinstance(action, argparse._SubParsersAction))

    whole = commands(build_parser())
    for name, parser in whole.items():
        alone = commands(build_parser(only=name))
        assert told(alone[name]) == told(parser)
        assert list(alone) == ([name] if name != "completion" else list(whole))
    assert list(commands(build_parser(only="no-such-command"))) == list(whole)


def test_a_reader_that_stops_early(library: Path) -> None:
    words = f"{sys.executable} -m idumb_brain codemap exports | head -1"
    done = subprocess.run(
        ["bash", "-c", words],
        cwd=library,
        capture_output=True,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(REPOSITORY)),
        check=True,
    )
    assert done.stderr == ""


def test_scan_frameworks(tmp_path: Path) -> None:
    """The word is a mode, the path ./frameworks is a folder; imports count; the answer is the same twice."""
    (tmp_path / "frameworks").mkdir()
    (tmp_path / "frameworks" / "app.py").write_text("import fastapi\nimport httpx\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "desk"\ndependencies = ["fastapi>=0.115"]\n')
    told = data("scan", "frameworks", cwd=tmp_path)  # needs no scan before: it is one
    assert data("scan", "./frameworks", "--root", ".", cwd=tmp_path)["files"]["seen"] == 2
    found = {one["name"]: one for one in told["frameworksDetected"]}
    assert (found["FastAPI"]["version"], found["FastAPI"]["versionFrom"]) == ("0.115", "manifest")
    assert [one["kind"] for one in found["FastAPI"]["evidence"]] == ["manifest", "import"]
    assert [one["kind"] for one in found["HTTPX"]["evidence"]] == ["import"] and not found["HTTPX"]["version"]
    assert told["techStack"] == {"runtime": ["Python"], "framework": ["FastAPI"], "library": ["HTTPX"]}
    assert told["packages"][0] | {"stack": ()} == {
        "path": "", "name": "desk", "version": "", "ecosystem": "python", "manifest": "pyproject.toml", "lock": "", "private": False,
        "requirements": 1, "localDependencies": [], "members": [], "stack": (),
    }  # fmt: skip
    assert run("--json", "scan", "frameworks", cwd=tmp_path).stdout == run("--json", "scan", "frameworks", cwd=tmp_path).stdout
    assert "FastAPI 0.115" in run("scan", "frameworks", cwd=tmp_path).stdout


def test_a_bad_rule_file_of_the_project(tmp_path: Path) -> None:
    (tmp_path / ".idumb" / "queries" / "stack").mkdir(parents=True)
    (tmp_path / ".idumb" / "queries" / "stack" / "own.toml").write_text("[framework]\nX = 3\n")
    data("scan", cwd=tmp_path)
    assert "own.toml" in error("scan", "frameworks", cwd=tmp_path)["what"]
