"""What is known: written, aged, superseded, purged; every case through the operations that every surface is made of."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.model.errors import BadInput
from idumb_brain.operations import anchors, brain, learning, plans, tasks
from idumb_brain.operations.project import find_project
from idumb_brain.operations.work import working
from tests.surfaces.test_cli import git

NOW = {"IDUMB_BRAIN_NOW": "2026-02-04T10:30:00Z"}
LATER = {"IDUMB_BRAIN_NOW": "2026-08-04T10:30:00Z"}
ALL_OLD = {"IDUMB_BRAIN_NOW": "2027-02-04T10:30:00Z"}
SOON = {"IDUMB_BRAIN_NOW": "2026-02-04T12:30:00Z"}
SOURCE = "def lend(title):\n    weeks = 4\n    return weeks\n"


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "shelf.py").write_text(SOURCE)
    (tmp_path / ".idumb").mkdir()
    return str(tmp_path)


def know(root: str, title: str = "Four weeks", content: str = "Readers asked for it.", **stated: Any) -> dict[str, Any]:
    return brain.write("decision", title, content, root, environ=NOW, **stated)


REFUSED: dict[str, tuple[Callable[[str], Any], str]] = {
    "an empty title": (lambda root: know(root, ""), "the title is empty"),
    "space for content": (lambda root: know(root, content=" \n\t "), "the content is empty"),
    "all private": (lambda root: know(root, content="<private>x</private>"), "the content is empty"),
    "never closed": (lambda root: know(root, content="<private>x"), "the content is empty"),
    "binary": (lambda root: know(root, content="a\0b"), "the content is not text"),
    "a terminal's orders": (lambda root: know(root, title="\x1b[2J"), "the title is not text"),
    "half a character": (lambda root: know(root, title="\udc80"), "the title is not text"),
    "huge": (lambda root: know(root, content="x" * 60_000), "the content is too long"),
    "a long title": (lambda root: know(root, title="x" * 300), "the title is too long"),
    "no such type": (lambda root: brain.write("decison", "t", "c", root, environ=NOW), "'decison' is no type of entry"),
    "no such source": (lambda root: know(root, source="rumour"), "'rumour' is no source"),
    "confidence": (lambda root: know(root, confidence_now=101), "101 is not a confidence"),
    "a stretch of time": (lambda root: know(root, stale_after="soon"), "'soon' is not a stretch of time"),
    "a file that is not there": (lambda root: know(root, evidence=["gone.py"]), "'gone.py' cannot be evidence"),
    "a line that is not there": (lambda root: know(root, evidence=["shelf.py:9"]), "shelf.py:9 cannot be evidence"),
    "a file of somebody else": (lambda root: know(root, evidence=["../../etc/passwd"]), "cannot be evidence"),
    "a folder": (lambda root: know(root, evidence=["."]), "'.' cannot be evidence"),
    "an option for git": (lambda root: know(root, evidence=["--output=x"]), "cannot be evidence"),
    "an unknown parent": (lambda root: know(root, parent="nobody"), "there is no entry 'nobody'"),
    "an unknown entry": (lambda root: brain.show("nobody", root, environ=NOW), "there is no entry 'nobody'"),
    "an unknown anchor": (lambda root: anchors.remove(["nobody"], root, environ=NOW), "there is no anchor 'nobody'"),
    "a purge of nothing": (lambda root: brain.purge((), root, environ=NOW), "nothing to purge"),
    "an empty anchor": (lambda root: anchors.add("context", "high", "", root, environ=NOW), "the content is empty"),
    "a long anchor": (lambda root: anchors.add("context", "high", "x" * 3000, root, environ=NOW), "the content is too long"),
    "an unknown priority": (lambda root: anchors.add("context", "urgent", "x", root, environ=NOW), "'urgent' is no priority"),
    "a line of no file": (lambda root: anchors.add("context", "high", "x", root, line=3, environ=NOW), "line 3 of no file"),
    "an anchor of no file": (lambda root: anchors.add("context", "high", "x", root, file="gone", environ=NOW), "cannot be evidence"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_garbage_is_refused_with_a_reason(case: str, root: str) -> None:
    ask, what = REFUSED[case]
    with pytest.raises(BadInput) as raised:
        ask(root)
    assert what in raised.value.what and raised.value.why and raised.value.instead
    assert brain.listing(root, every=True, environ=NOW)["entries"] == []


PRIVATE = {
    "a <private>b</private> c": "a  c",
    "a <PRIVATE>b</Private > c": "a  c",
    "a <private>b <private>c</private> d</private> e": "a  e",
    "a <private reason='x'>b": "a",
    "a </private> b": "a  b",
    "a < private >b< / private > c": "a  c",
    "a <privately> b": "a <privately> b",
}


@pytest.mark.parametrize("written", PRIVATE)
def test_what_is_private_is_never_stored(written: str, root: str) -> None:
    assert know(root, content=written)["content"] == PRIVATE[written]


def test_an_entry_is_found_by_id_and_by_its_beginning(root: str) -> None:
    first = know(root, evidence=["shelf.py:2", "shelf.py"])
    assert first["id"].startswith("decision-four-weeks-") and first["effectiveConfidence"] == 100
    assert [one["line"] for one in first["evidence"]] == [2, None] and all(one["hash"] for one in first["evidence"])
    assert know(root, force=True)["id"] != first["id"]
    with pytest.raises(BadInput, match="is not one entry"):
        brain.show("decision-four", root, environ=NOW)
    assert brain.show(first["id"][:-2], root, environ=SOON)["accessCount"] == 1
    assert brain.show(first["id"], root, environ=SOON)["lastAccessedAt"] == SOON["IDUMB_BRAIN_NOW"]
    with pytest.raises(BadInput) as raised:
        brain.show(first["id"].replace("weeks", "wekes"), root, environ=NOW)
    assert first["id"] in raised.value.instead


def test_two_machines_never_make_the_same_id(root: str) -> None:
    made = {brain.write("gotcha", "Beware", "Of the dog", root, force=True, environ={})["id"] for _ in range(20)}
    assert len(made) == 20


ALIKE = {
    "the same": ("Four weeks", "Readers asked for it.", True),
    "a word more": ("Four weeks", "The readers asked for it.", True),
    "another number": ("Books for 5 weeks", "Readers asked for 5 weeks.", False),
    "something else": ("Use SQLite", "One file, no server.", False),
}


@pytest.mark.parametrize("case", ALIKE)
def test_near_duplicates_are_offered_not_written(case: str, root: str) -> None:
    title, content, alike = ALIKE[case]
    first = know(root)
    second = know(root, title, content)
    assert ([one["id"] for one in second["similar"]] == [first["id"]]) if alike else second["id"]
    assert len(brain.listing(root, environ=NOW)["entries"]) == 2 - alike
    if alike:
        assert know(root, title, content, supersedes=first["id"])["supersedes"] == [first["id"]]


EVIDENCE = {
    "as it was": (SOURCE, 100, False),
    "lines elsewhere": ("# new\n\n" + SOURCE, 90, False),
    "lines changed": (SOURCE.replace("4", "5"), 50, True),
    "gone": (None, 20, True),
}


@pytest.mark.parametrize("case", EVIDENCE)
def test_confidence_falls_at_once_with_what_it_rests_on(case: str, root: str) -> None:
    after, worth, stale = EVIDENCE[case]
    one = know(root, evidence=["shelf.py:2-3"])
    if after is None:
        (Path(root) / "shelf.py").unlink()
    else:
        (Path(root) / "shelf.py").write_text(after)
    shown = brain.show(one["id"], root, environ=NOW)
    assert (shown["effectiveConfidence"], shown["stale"]) == (worth, stale)
    assert bool(shown["staleReasons"]) == (worth < 100)
    assert [row["id"] for row in brain.stale(root, environ=NOW)["entries"]] == ([one["id"]] if stale else [])
    (told,) = brain.validate([one["id"]], root, environ=NOW)["validated"]
    assert told["effectiveConfidence"] == 100 and told["evidenceDropped"] == ([] if after else ["shelf.py:2-3"])
    line = brain.show(one["id"], root, environ=NOW)["evidence"]
    assert [row["line"] for row in line] == ([] if after is None else [4 if after.startswith("#") else 2])


def test_time_takes_confidence_and_validation_gives_it_back(root: str) -> None:
    one = know(root, stale_after="30d")
    kept = know(root, "Pinned", "for good", pinned=True, stale_after="30d")
    assert brain.show(one["id"], root, environ=LATER)["effectiveConfidence"] == 2
    assert brain.show(kept["id"], root, environ=LATER)["effectiveConfidence"] == 100
    brain.validate([one["id"]], root, confidence_now=80, environ=LATER)
    assert brain.show(one["id"], root, environ=LATER)["effectiveConfidence"] == 80
    assert brain.show(one["id"], root, environ=NOW)["effectiveConfidence"] == 80  # the clock was set back


def test_superseding_makes_chains_and_no_circles(root: str) -> None:
    a, b, c = (know(root, name, f"{name} it is", force=True)["id"] for name in ("alpha", "beta", "gamma"))
    assert brain.supersede(a, b, root, environ=NOW)["chain"] == [b]
    assert brain.supersede(b, c, root, environ=NOW)["chain"] == [c]
    assert [one["id"] for one in brain.listing(root, environ=NOW)["entries"]] == [c]
    shown = brain.show(a, root, environ=NOW)
    assert shown["supersededBy"] == b and shown["effectiveConfidence"] == 0 and shown["validTo"]
    for old, new, why in ((c, a, "would be a circle"), (c, c, "would be a circle"), (a, c, f"by {b}")):
        with pytest.raises(BadInput) as raised:
            brain.supersede(old, new, root, environ=NOW)
        assert why in raised.value.why


def test_parents_make_a_tree_and_no_circles(root: str) -> None:
    top = know(root, "top", "all of it")["id"]
    middle = know(root, "middle", "half of it", parent=top)["id"]
    leaf = know(root, "leaf", "a piece of it", parent=middle)["id"]
    for child, parent in ((top, leaf), (top, middle)):
        with pytest.raises(BadInput, match="cannot be the parent"):
            brain.link(child, parent, root, kind="parent", environ=NOW)
    (tree,) = brain.tree("", root, environ=NOW)["entries"]
    assert (tree["id"], tree["children"][0]["id"], tree["children"][0]["children"][0]["id"]) == (top, middle, leaf)
    assert brain.show(top, root, environ=NOW)["children"] == [middle]
    brain.purge([top], root, hard=True, yes=True, environ=NOW)
    assert [one["id"] for one in brain.tree("", root, environ=NOW)["entries"]] == [middle]


def test_links_go_both_ways(root: str) -> None:
    a, b = know(root, "alpha", "first")["id"], know(root, "beta", "second")["id"]
    assert brain.link(a, b, root, environ=NOW)["changed"]
    assert not brain.link(b, a, root, environ=NOW)["changed"]
    brain.link(b, a, root, kind="contradicts", environ=NOW)
    for one, other in ((a, b), (b, a)):
        shown = brain.show(one, root, environ=NOW)
        assert shown["relatedTo"] == [other] and shown["contradicts"] == [other]
    with pytest.raises(BadInput, match="cannot be linked to itself"):
        brain.link(a, a, root, environ=NOW)


def test_purging_says_first_and_keeps_the_record(root: str) -> None:
    old, new = know(root)["id"], know(root, "Five weeks of secrets", "so it is")["id"]
    brain.supersede(old, new, root, environ=NOW)
    assert brain.purge([new], root, environ=NOW) | {"entries": []} == {"purged": False, "hard": False, "entries": []}
    assert len(brain.listing(root, environ=NOW)["entries"]) == 1
    assert brain.purge([new], root, yes=True, environ=NOW)["purged"]
    assert brain.listing(root, environ=NOW)["entries"] == []
    assert len(brain.listing(root, every=True, environ=NOW)["entries"]) == 2
    brain.purge([new], root, yes=True, hard=True, environ=NOW)
    assert brain.listing(root, environ=NOW)["entries"] == []  # what it replaced does not come back
    told = brain.history(new, root, environ=NOW)["changes"]
    assert [one["action"] for one in told] == ["erase", "purge", "write"] and not any("title" in one["after"] for one in told)
    assert b"of secrets" not in find_project(root).brain.read_bytes()


def test_purging_all_that_is_worth_little(root: str) -> None:
    know(root, stale_after="7d")
    know(root, "Pinned", "for good", pinned=True, stale_after="7d")
    assert [one["title"] for one in brain.purge((), root, below=10, environ=LATER)["entries"]] == ["Four weeks"]


# -- anchors ---------------------------------------------------------------------------------------------------------


def anchor(root: str, content: str = "Never edit shelf.py by hand", **stated: Any) -> dict[str, Any]:
    return anchors.add("attention", "normal", content, root, environ=NOW, **stated)


def test_an_anchor_is_stale_when_its_file_changes_and_fresh_when_told_so(root: str) -> None:
    one = anchor(root, file="shelf.py", line=2)
    assert one["priority"] == "medium" and one["staleSince"] is None
    (Path(root) / "shelf.py").write_text(SOURCE + "# more\n")
    for clock in (SOON, LATER):
        (seen,) = anchors.listing(root, environ=clock)["anchors"]
        assert seen["staleSince"] == SOON["IDUMB_BRAIN_NOW"] and seen["staleReason"] == "shelf.py has changed"
    assert anchors.update(one["id"], root, environ=LATER)["staleSince"] is None
    (seen,) = anchors.listing(root, environ=LATER)["anchors"]
    assert seen["staleSince"] is None and seen["validatedAt"] == LATER["IDUMB_BRAIN_NOW"]
    assert seen["modifiedAt"] == LATER["IDUMB_BRAIN_NOW"]


@pytest.mark.parametrize("end", ("complete", "fail"))
def test_an_anchor_is_stale_when_its_task_came_to_an_end(end: str, root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IDUMB_BRAIN_NOW", NOW["IDUMB_BRAIN_NOW"])
    with working(root, make=True) as work:
        plan = plans.create(work, "Lending")["id"]
        task = plans.add(work, plan, "Loans", expected="loans.py")["id"]
        tasks.move(work, "start", task)
    one = anchor(root, task=task)
    assert anchors.listing(root, environ=SOON)["anchors"][0]["staleSince"] is None
    monkeypatch.setenv("IDUMB_BRAIN_NOW", SOON["IDUMB_BRAIN_NOW"])
    with working(root) as work:
        tasks.move(work, end, task, evidence="it was tried")
    (seen,) = anchors.listing(root, environ=SOON)["anchors"]
    assert seen["staleSince"] == SOON["IDUMB_BRAIN_NOW"] and seen["staleReason"] == f"{task} has changed"
    assert anchors.update(one["id"], root, environ=LATER)["staleSince"] is None


def test_an_entry_is_corrected_and_its_history_kept(root: str) -> None:
    one = know(root, evidence=["shelf.py:2"])["id"]
    seen = brain.update(one, root, content="A reader asked for it.", evidence=["shelf.py:3"], environ=LATER)
    assert (seen["title"], seen["content"], seen["validatedAt"]) == (
        "Four weeks",
        "A reader asked for it.",
        LATER["IDUMB_BRAIN_NOW"],
    )
    assert seen["evidence"][0]["line"] == 3 and seen["effectiveConfidence"] == 100
    latest = brain.history(one, root, environ=LATER)["changes"][0]
    assert latest["action"] == "update" and latest["before"]["content"] == "Readers asked for it."
    other = know(root, "Six weeks", "Nobody reads that fast.")["id"]
    brain.supersede(one, other, root, environ=LATER)
    with pytest.raises(BadInput, match="holds no more") as raised:
        brain.update(one, root, title="Five weeks", environ=LATER)
    assert raised.value.instead == f"update {other}"
    with pytest.raises(BadInput, match="nothing to change"):
        brain.update(other, root, environ=LATER)


def test_lists_and_trees_show_the_first_and_count_the_rest(root: str) -> None:
    top = know(root, "Top", "All of it.")["id"]
    inner = [know(root, f"Inner {number}", f"{number} words", parent=top, force=True)["id"] for number in range(3)]
    told = brain.listing(root, limit=2, environ=NOW)
    assert [row["id"] for row in told["entries"]] == inner[:0:-1] and told["total"] == 4
    told = brain.tree("", root, limit=2, environ=NOW)
    assert [child["id"] for child in told["entries"][0]["children"]] == inner[:1] and (told["shown"], told["total"]) == (2, 4)
    told = brain.stale(root, limit=1, environ=ALL_OLD)
    assert (len(told["entries"]), told["stale"], told["total"]) == (1, 4, 4)


def test_the_same_anchor_twice_is_refused(root: str) -> None:
    one, other = anchor(root), anchor(root, "Something else")
    with pytest.raises(BadInput, match="there already"):
        anchor(root, "never edit  shelf.py by hand.")
    with pytest.raises(BadInput, match="there already"):
        anchors.update(other["id"], root, content=one["content"], environ=NOW)
    anchors.remove([one["id"]], root, environ=NOW)
    assert [row["id"] for row in anchors.listing(root, environ=NOW)["anchors"]] == [other["id"]]
    assert len(anchors.listing(root, every=True, environ=NOW)["anchors"]) == 2
    assert anchor(root)["id"] != one["id"]


def test_old_anchors_go_at_a_compaction_but_not_critical_ones(root: str) -> None:
    one = anchor(root)
    anchors.add("attention", "critical", "Never push", root, environ=NOW)
    assert anchors.purge_old(root, environ=SOON)["purged"] == []
    assert anchors.purge_old(root, environ=LATER)["purged"] == [one["id"]]
    (Path(root) / ".idumb" / "config.json").write_text('{"brain": {"anchorPurgeAfter": "never"}}')
    anchor(root, "Another one")
    assert anchors.purge_old(root, environ=LATER)["purged"] == []


def test_a_decision_anchor_is_known_as_an_entry(root: str) -> None:
    made = anchors.add("decision", "high", "Use SQLite\nbecause of one file", root, file="shelf.py", environ=NOW)
    (entry,) = brain.listing(root, environ=NOW)["entries"]
    shown = brain.show(entry["id"], root, environ=NOW)
    assert (shown["source"], shown["origin"], shown["title"]) == ("anchor", f"anchor:{made['id']}", "Use SQLite")
    anchors.update(made["id"], root, content="Use SQLite 3\nbecause of one file", environ=NOW)
    assert brain.show(entry["id"], root, environ=NOW)["title"] == "Use SQLite 3"
    brain.purge([entry["id"]], root, yes=True, environ=NOW)
    anchors.update(made["id"], root, content="Use SQLite for ever", environ=NOW)
    assert brain.listing(root, environ=NOW)["entries"] == []


# -- learning --------------------------------------------------------------------------------------------------------

MESSAGES = {
    "feat: switch from npm to pnpm\n\nInstalls are twice as fast.": "Switch from npm to pnpm",
    "Replace moment with date-fns": "Replace moment with date-fns",
    "refactor(api)!: one client for all\n\nBREAKING CHANGE: Client() takes no arguments.": "One client for all",
    'Revert "Cache everything"\n\nThis reverts commit abc.': 'Revert "Cache everything"',
    "Parser rewritten\n\nIt got slow. We decided to write it by hand.": "Parser rewritten",
    "Drop support for Python 3.8": "Drop support for Python 3.8",
    "Use a set instead of a list for ids": "Use a set instead of a list for ids",
    "docs: ADR-7 one database per tenant": "ADR-7 one database per tenant",
    "Pin urllib3\n\nWe pin urllib3 because version 2 breaks uploads.": "Pin urllib3",
    "Fix typo": None,
    "Bump lodash from 4.17.20 to 4.17.21": None,
    "Merge branch 'switch from a to b'": None,
    "Add a test\n\nIt failed because of the cache.": None,
}


def test_decisions_are_learned_from_git_once(root: str) -> None:
    git("init", "-q", cwd=Path(root))
    for message in MESSAGES:
        git("commit", "-q", "--allow-empty", "-m", message, cwd=Path(root))
    wanted = {title for title in MESSAGES.values() if title}
    first = learning.learn(root, environ=NOW)
    assert first["written"] == len(wanted) and not first["scanned"]
    found = {one["title"]: one["id"] for one in brain.listing(root, environ=NOW)["entries"]}
    assert set(found) == wanted
    shown = brain.show(found["Parser rewritten"], root, environ=NOW)
    assert shown["content"].startswith("We decided to write it by hand.") and len(shown["evidence"][0]["commit"]) == 40
    assert shown["validFrom"] == "2026-01-05T10:30:00Z"
    brain.purge([found["Pin urllib3"]], root, yes=True, environ=NOW)
    git("commit", "-q", "--amend", "--allow-empty", "-m", list(MESSAGES)[-1], cwd=Path(root))
    again = learning.learn(root, environ=LATER)
    assert again["written"] == again["updated"] == 0 and again["kept"] == len(wanted)
    assert len(brain.listing(root, environ=LATER)["entries"]) == len(wanted) - 1


def test_facts_are_learned_from_the_scan_and_end_with_what_they_are_about(root: str) -> None:
    from idumb_brain.operations.scanning import scan

    manifest = Path(root) / "package.json"
    manifest.write_text('{"name": "shelf", "dependencies": {"react": "19.0.0"}}')
    scan(root)
    assert learning.learn(root, environ=NOW)["written"] > 0
    assert learning.learn(root, environ=NOW) | {"written": 0, "updated": 0, "confirmed": 0, "ended": 0} == learning.learn(
        root, environ=NOW
    )
    react = next(one for one in brain.listing(root, environ=NOW)["entries"] if one["title"].startswith("React"))
    manifest.write_text('{"name": "shelf", "dependencies": {"react": "20.0.0"}}')
    scan(root)
    assert learning.learn(root, environ=NOW)["updated"] == 1
    assert brain.show(react["id"], root, environ=NOW)["title"] == "React 20.0.0"
    manifest.write_text('{"name": "shelf"}')
    scan(root)
    assert learning.learn(root, environ=NOW)["ended"] >= 1
    assert "no longer so" in brain.show(react["id"], root, environ=NOW)["staleReasons"][0]
    manifest.write_text('{"name": "shelf", "dependencies": {"react": "20.0.0"}}')
    scan(root)
    assert learning.learn(root, environ=NOW)["confirmed"] >= 1
    assert brain.show(react["id"], root, environ=NOW)["effectiveConfidence"] == 95


def test_a_finished_task_teaches_once(root: str) -> None:
    project = find_project(root)
    for result, told in (("Loans last 4 weeks", "written"), ("Loans last 4 weeks", "kept"), ("Loans last 5 weeks", "updated")):
        with project.remembering(make=True, environ=NOW) as open_brain:
            assert learning.learned_from_task(open_brain, project, "t-1", "Loans", result, ["shelf.py:2", "pytest -q"]) == told
    (entry,) = brain.listing(root, environ=NOW)["entries"]
    shown = brain.show(entry["id"], root, environ=NOW)
    assert (shown["content"], shown["source"], len(shown["evidence"])) == ("Loans last 5 weeks", "task-evidence", 1)


# -- where the brain lies --------------------------------------------------------------------------------------------


def test_worktrees_share_one_brain_and_have_an_index_each(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    (main / "inner" / ".idumb").mkdir(parents=True)
    (main / "inner" / "a.py").write_text("a = 1\n")
    git("init", "-q", cwd=main)
    git("add", "-A", cwd=main)
    git("commit", "-qm", "first", cwd=main)
    git("worktree", "add", "-q", str(other), cwd=main)
    for inner in ("", "inner"):
        (other / inner).mkdir(exist_ok=True)
        at_main, at_other = find_project(str(main / inner)), find_project(str(other / inner))
        assert at_other.brain == at_main.brain == main / inner / ".idumb" / "brain" / "brain.db"
        assert at_other.index == other / inner / ".idumb" / "brain" / "index.db" != at_main.index
    one = brain.write("gotcha", "Shared", "by all", str(other), environ=NOW)
    assert brain.show(one["id"], str(main), environ=NOW)["title"] == "Shared"
    assert not (other / ".idumb" / "brain" / "brain.db").exists()


def test_a_bare_repository_keeps_it_beside_its_objects(tmp_path: Path) -> None:
    bare, tree = tmp_path / "repo.git", tmp_path / "tree"
    subprocess.run(["git", "init", "-q", "--bare", bare], check=True)
    git("init", "-q", cwd=tmp_path)
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=tmp_path)
    git("push", "-q", str(bare), "HEAD:refs/heads/first", cwd=tmp_path)
    git("worktree", "add", "-q", str(tree), "first", cwd=bare)
    assert find_project(str(tree)).brain == bare / ".idumb" / "brain" / "brain.db"
