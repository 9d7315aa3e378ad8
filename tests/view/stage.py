"""A project of which every view of the page has something to show. What it says can be made hostile."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from idumb_brain.operations import anchors, artifacts, brain, delegations, plans, sessions, tasks
from idumb_brain.operations.context import context
from idumb_brain.operations.ground import standing
from idumb_brain.operations.injected import Recorder
from idumb_brain.operations.project import find_project, now
from idumb_brain.operations.scanning import scan
from idumb_brain.operations.work import working
from tests.conftest import FIXTURES

NOW = datetime.fromisoformat("2026-02-04T10:30:00+00:00")
Words = Callable[[str], str]


def project(root: Path, words: Words = str) -> Path:
    """The reading room, scanned, with a past of half a year."""
    shutil.copytree(FIXTURES / "projects" / "reading_room", root)
    scan(str(root))
    remember(root, words, "library/loans.py", "library/shelves.py", "library/readers.py")
    loans = root / "library" / "loans.py"
    loans.write_text(loans.read_text().replace("shelf.take", "shelf.lend"))
    (root / "docs" / "plan.md").write_text(
        f"# {words('The plan for loans')}\n\nSee [the old one](gone.md) and `library/gone.py`.\n"
    )
    scan(str(root))
    work(root, words, "docs/plan.md", "library/loans.py")
    return root


def remember(root: Path, words: Words, *files: str) -> None:
    place = str(root)
    loans, shelves, readers = files
    with days_ago(170):
        first = brain.write("decision", words("Books may stay for two weeks"), words("Nobody knew better."), place)["id"]
    with days_ago(120):
        second = brain.write(
            "decision",
            words("Books may stay for three weeks"),
            words("Readers asked for it."),
            place,
            supersedes=first,
            force=True,
        )["id"]
    with days_ago(45):
        brain.write(
            "decision", words("Books may stay for four weeks"), words("Readers asked for it again, see ADR 1."), place,
            evidence=[f"{loans}:10-14"], supersedes=second, force=True,
        )  # fmt: skip
    with days_ago(80):
        brain.write(
            "gotcha",
            words("The shelf locks itself while a book is taken"),
            words("Two takes at once wait."),
            place,
            evidence=[shelves],
        )
        brain.write("convention", words("Every route answers with JSON"), words("Errors, too."), place, pinned=True)
    with days_ago(20):
        parent = brain.write(
            "architecture", words("Loans know shelves, shelves know nobody"), words("Held by a test."), place, evidence=[loans]
        )["id"]
        brain.write(
            "research",
            words("Bar codes are read in 40 ms"),
            words("Measured on the old scanner."),
            place,
            parent=parent,
            confidence_now=80,
        )
    with days_ago(3):
        brain.write(
            "pattern",
            words("A reader is found by card, never by name"),
            words("Names are not unique."),
            place,
            evidence=[readers],
        )
        anchors.add("decision", "critical", words("Never delete a loan: it is returned or lost"), place, file=loans)
    with days_ago(1):
        anchors.add("attention", "high", words("The server is restarted at night"), place)


def work(root: Path, words: Words, document: str, file: str) -> None:
    place = str(root)
    with days_ago(2), working(place, make=True) as at:
        plan = plans.create(at, words("Lend to guests"), acceptance=[words("A guest may borrow one book")], owner="coordinator")[
            "id"
        ]

        def task(name: str, expected: str, **more: object) -> str:
            return str(plans.add(at, plan, words(name), expected=words(expected), **more)["id"])  # type: ignore[arg-type]

        model = task("Guests have cards", "a card without an account", assign="builder")
        rule = task("One book for a guest", "may_borrow refuses the second", assign="builder", depends=[model])
        page = task("The page says why not", "a sentence for each refusal", assign="builder", depends=[rule])
        letters = task(
            "Letters to guests",
            "a letter after four weeks",
            after=rule,
            reason=words("nobody is written to about a rule that may change"),
        )
        task("Tell the press", "a notice", depends=[page, letters], ahead=True)
        task("Count the guests", "a number a day", assign="researcher")
        artifacts.add(at, document, tasks=[rule])
    with days_ago(1.5), standing(place, make=True) as ground:
        sessions.created(ground, "ses_user", role="coordinator", agent="coordinator", phase="execute")
        sessions.created(ground, "ses_build", parent="ses_user", role="builder")
        sessions.created(ground, "ses_look", parent="ses_build", role=words("explorer"))
        sessions.created(ground, "ses_old", role="researcher")
        for tool in ("read", "grep", "read", "edit"):
            sessions.tool_used(ground, "ses_build", tool, args={"file": file}, files=[file] if tool == "edit" else [])
        sessions.compacting(ground, "ses_user")
        sessions.compacted(ground, "ses_user")
        sessions.idle(ground, "ses_look")
    with days_ago(1), working(place) as at:
        tasks.move(at, "start", model, session="ses_build")
        tasks.record(at, "edit", words("cards without accounts"), files=[file], session="ses_build")
        tasks.move(at, "complete", model, evidence=words("tests pass: 14 of 14"), tests="pytest", session="ses_build")
        delegations.assign(at, rule, "builder", context=words("see ADR 1"))
        tasks.move(at, "start", rule, session="ses_build")
        tasks.record(at, "edit", words("may_borrow asks for the kind of card"), files=[file], session="ses_build")
    recorder = Recorder(find_project(place), print)
    for days, session, role, block in (
        (1.4, "ses_user", "coordinator", "prefix"), (1.3, "ses_build", "builder", "system"), (1.2, "ses_user", "coordinator", "compaction"),
        (0.9, "ses_build", "builder", "compaction"), (0.8, "ses_build", "builder", "system"),
    ):  # fmt: skip
        with days_ago(days):
            recorder.keep(now(), session, role, block, context(block, place, session=session))
    recorder.close()


@contextmanager
def days_ago(days: float) -> Iterator[None]:
    before = os.environ.get("IDUMB_BRAIN_NOW")
    os.environ["IDUMB_BRAIN_NOW"] = (NOW - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        yield
    finally:
        if before is None:
            del os.environ["IDUMB_BRAIN_NOW"]
        else:
            os.environ["IDUMB_BRAIN_NOW"] = before
