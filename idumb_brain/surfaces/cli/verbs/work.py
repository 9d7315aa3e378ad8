"""Work and who does it: ``plan …``, ``task …``, ``delegate …``, ``artifact …``."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import Parser, verb

if TYPE_CHECKING:
    from idumb_brain.operations.work import Work


def add(verbs: Any) -> None:
    _add_plans(_actions(verbs, "plan", "goals and the tasks they are made of"))
    _add_tasks(_actions(verbs, "task", "start, finish and look at tasks"))
    _add_delegations(_actions(verbs, "delegate", "hand tasks to other roles, and take them back"))
    _add_artifacts(_actions(verbs, "artifact", "planning documents: which ones hold, and for which tasks"))


def _add_plans(actions: Any) -> None:
    words = verb(actions, "create", plan_create, "a new plan, and what has to be true when it is done")
    words.add_argument("name", metavar="NAME")
    words.add_argument("--acceptance", metavar="TEXT", action="append", help="what has to be true at the end; may be given again")
    words.add_argument("--category", metavar="WORD", default="", help="what kind of work it is")
    words.add_argument("--governance", metavar="LEVEL", default="", help="how strictly it is governed")
    words.add_argument(
        "--depends", metavar="PLAN", action="append", help="a plan that has to be completed first; may be given again"
    )
    words.add_argument("--owner", metavar="ROLE", default="", help="who answers for it")
    words.add_argument("--parent", metavar="PLAN", default="", help="the plan it is a part of")

    words = verb(actions, "add", plan_add, "add a task to a plan")
    words.add_argument("plan", metavar="PLAN")
    words.add_argument("name", metavar="NAME")
    words.add_argument("--expected", metavar="TEXT", required=True, help="what has to come out of it")
    words.add_argument("--assign", metavar="ROLE", default="", help="who is to do it")
    words.add_argument("--by", metavar="ROLE", default="", help="who asks for it")
    words.add_argument("--after", metavar="TASK", default="", help="a task that has to be completed before this one may start")
    words.add_argument("--reason", metavar="TEXT", default="", help="why that order matters; goes with --after")
    words.add_argument("--depends", metavar="TASK", action="append", help="a task whose result it needs; may be given again")
    words.add_argument("--decision", metavar="ENTRY", action="append", help="a decision it rests on; while open, it cannot start")
    words.add_argument("--from", metavar="TASK", dest="discovered_from", default="", help="the task in whose course it was found")
    words.add_argument("--tools", metavar="TOOL", nargs="+", help="the only tools it may be done with")
    words.add_argument("--paths", metavar="PATTERN", nargs="+", help="the only places it may write to")
    words.add_argument("--ahead", action="store_true", help="foreseen only: shown, not counted, not started")

    for name, run, what in (
        ("link", plan_link, "let a task wait for a task, or a plan for a plan"),
        ("unlink", plan_unlink, "let it wait no longer"),
    ):
        words = verb(actions, name, run, what)
        words.add_argument("one", metavar="TASK|PLAN")
        words.add_argument("depends", metavar="ON", help="what it waits for: of the same kind")

    words = verb(actions, "status", plan_status, "plans with their tasks, what is ready, what waits for what")
    words.add_argument("plan", metavar="PLAN", nargs="?")
    words.add_argument("--all", action="store_true", help="also those that are archived, abandoned or purged")
    for name, run, what in (
        ("archive", plan_archive, "put a finished plan away"),
        ("abandon", plan_abandon, "give a plan up: after two days nobody is told of it any more"),
    ):
        words = verb(actions, name, run, what)
        words.add_argument("plan", metavar="PLAN")
        words.add_argument("--reason", metavar="TEXT", default="", help="why")


def _add_tasks(actions: Any) -> None:
    for name, run, what in (
        ("start", task_start, "take a task up; refused while it waits for anything"),
        ("complete", task_complete, "finish a task; needs evidence, or checkpoints that were recorded"),
        ("fail", task_fail, "give a task up, and say why"),
        ("review", task_review, "ask somebody to look at it"),
    ):
        words = verb(actions, name, run, what)
        words.add_argument("task", metavar="ID")
        words.add_argument("--evidence", metavar="TEXT", default="", help="what shows it: a test run, a file, a commit")
        words.add_argument("--tests", metavar="TEXT", default="", help="which tests were run, and how they ended")
        _who(words)
    words = verb(actions, "status", task_status, "a task with its checkpoints; without ID the one at hand")
    words.add_argument("task", metavar="ID", nargs="?")
    _who(words)
    words = verb(actions, "next", task_next, "tasks that may start now, the best first")
    _who(words)


def _add_delegations(actions: Any) -> None:
    words = verb(actions, "assign", delegate_assign, "hand a task to a role")
    words.add_argument("task", metavar="TASK")
    words.add_argument("--to", metavar="ROLE", required=True, help="who is to do it")
    words.add_argument("--expected", metavar="TEXT", default="", help="what to bring back (default: what the task says)")
    words.add_argument("--context", metavar="TEXT", default="", help="what the other has to know")
    words.add_argument("--tools", metavar="TOOL", nargs="+", help="the only tools it may use")
    words.add_argument("--actions", metavar="ACTION", nargs="+", help="the only actions it may take")
    words.add_argument("--expires", metavar="DURATION", default="", help="30m, 2h, 1d")
    _who(words)
    words = verb(actions, "recall", delegate_recall, "take a delegation back")
    words.add_argument("delegation", metavar="ID", help="of the delegation, or of its task")
    words.add_argument("--reason", metavar="TEXT", default="", help="why")
    words = verb(actions, "status", delegate_status, "who works for whom on what")
    words.add_argument("--all", action="store_true", help="also those that ended")


def _add_artifacts(actions: Any) -> None:
    words = verb(actions, "add", artifact_add, "register a planning document, or read it again")
    words.add_argument("path", metavar="PATH")
    words.add_argument(
        "--type",
        metavar="TYPE",
        default="",
        help="implementation-plan, research, spike-result, validation-report, delegation-report",
    )
    words.add_argument("--parent", metavar="ARTIFACT", default="", help="the one it follows from")
    words.add_argument("--supersedes", metavar="ARTIFACT", default="", help="the one it replaces")
    words.add_argument("--task", metavar="TASK", action="append", help="a task it is about; may be given again")
    words.add_argument(
        "--entry", metavar="ENTRY", action="append", help="an entry of the brain it belongs to; may be given again"
    )
    words = verb(actions, "list", artifact_list, "planning documents that hold, and what is stale in them")
    words.add_argument("--all", action="store_true", help="also superseded and abandoned ones")
    for name, run, what in (
        ("complete", artifact_complete, "it has been carried out"),
        ("abandon", artifact_abandon, "nobody is to follow it any more"),
    ):
        words = verb(actions, name, run, what)
        words.add_argument("artifact", metavar="ARTIFACT", help="its id or path")


def plan_create(arguments: Namespace) -> Answer:
    from idumb_brain.operations import plans
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        data = plans.create(
            work,
            arguments.name,
            acceptance=arguments.acceptance or (),
            category=arguments.category,
            governance=arguments.governance,
            depends=arguments.depends or (),
            owner=arguments.owner,
            parent=arguments.parent,
        )
        return told(arguments, work, data, "work.plan")


def plan_add(arguments: Namespace) -> Answer:
    from idumb_brain.operations import plans
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        data = plans.add(
            work,
            arguments.plan,
            arguments.name,
            expected=arguments.expected,
            assign=arguments.assign,
            by=arguments.by,
            after=arguments.after,
            reason=arguments.reason,
            depends=arguments.depends or (),
            decisions=arguments.decision or (),
            discovered_from=arguments.discovered_from,
            tools=arguments.tools or (),
            paths=arguments.paths or (),
            ahead=arguments.ahead,
        )
        return told(arguments, work, data, "work.task")


def plan_link(arguments: Namespace) -> Answer:
    from idumb_brain.operations import plans

    return _linked(arguments, plans.link)


def plan_unlink(arguments: Namespace) -> Answer:
    from idumb_brain.operations import plans

    return _linked(arguments, plans.unlink)


def _linked(arguments: Namespace, change: Callable[[Work, str, str], dict[str, Any]]) -> Answer:
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        data = change(work, arguments.one, arguments.depends)
        return told(arguments, work, data, "work.plan" if "tasks" in data else "work.task")


def plan_status(arguments: Namespace) -> Answer:
    from idumb_brain.operations import plans
    from idumb_brain.operations.work import working

    with working(arguments.root) as work:
        return told(arguments, work, plans.status(work, arguments.plan, everything=arguments.all), "work.plans")


def plan_archive(arguments: Namespace) -> Answer:
    from idumb_brain.operations import plans
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        return told(arguments, work, plans.archive(work, arguments.plan, reason=arguments.reason), "work.plan")


def plan_abandon(arguments: Namespace) -> Answer:
    from idumb_brain.operations import plans
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        return told(arguments, work, plans.abandon(work, arguments.plan, reason=arguments.reason), "work.plan")


def task_start(arguments: Namespace) -> Answer:
    return _moved(arguments, "start")


def task_complete(arguments: Namespace) -> Answer:
    return _moved(arguments, "complete")


def task_fail(arguments: Namespace) -> Answer:
    return _moved(arguments, "fail")


def task_review(arguments: Namespace) -> Answer:
    return _moved(arguments, "review")


def _moved(arguments: Namespace, action: str) -> Answer:
    from idumb_brain.operations import tasks
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        data = tasks.move(
            work,
            action,
            arguments.task,
            evidence=arguments.evidence,
            tests=arguments.tests,
            role=arguments.role,
            session=arguments.session,
        )
        return told(arguments, work, data, "work.task")


def task_status(arguments: Namespace) -> Answer:
    from idumb_brain.operations import tasks
    from idumb_brain.operations.work import working

    with working(arguments.root) as work:
        return told(arguments, work, tasks.status(work, arguments.task, session=arguments.session), "work.task")


def task_next(arguments: Namespace) -> Answer:
    from idumb_brain.operations import tasks
    from idumb_brain.operations.work import working

    with working(arguments.root) as work:
        return told(arguments, work, tasks.ready(work, role=arguments.role), "work.ready")


def delegate_assign(arguments: Namespace) -> Answer:
    from idumb_brain.operations import delegations
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        data = delegations.assign(
            work,
            arguments.task,
            arguments.to,
            expected=arguments.expected,
            context=arguments.context,
            tools=arguments.tools or (),
            actions=arguments.actions or (),
            expires=arguments.expires,
            role=arguments.role,
            session=arguments.session,
        )
        return told(arguments, work, data, "work.delegation")


def delegate_recall(arguments: Namespace) -> Answer:
    from idumb_brain.operations import delegations
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        return told(arguments, work, delegations.recall(work, arguments.delegation, reason=arguments.reason), "work.delegation")


def delegate_status(arguments: Namespace) -> Answer:
    from idumb_brain.operations import delegations
    from idumb_brain.operations.work import working

    with working(arguments.root) as work:
        return told(arguments, work, delegations.status(work, everything=arguments.all), "work.delegations")


def artifact_add(arguments: Namespace) -> Answer:
    from idumb_brain.operations import artifacts
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        data = artifacts.add(
            work,
            arguments.path,
            type=arguments.type,
            parent=arguments.parent,
            supersedes=arguments.supersedes,
            tasks=arguments.task or (),
            entries=arguments.entry or (),
        )
        return told(arguments, work, data, "work.artifact")


def artifact_list(arguments: Namespace) -> Answer:
    from idumb_brain.operations import artifacts
    from idumb_brain.operations.work import working

    with working(arguments.root) as work:
        return told(arguments, work, artifacts.known(work, everything=arguments.all), "work.artifacts")


def artifact_complete(arguments: Namespace) -> Answer:
    from idumb_brain.operations import artifacts
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        return Answer(
            artifacts.move(
                work,
                "completed",
                arguments.artifact,
            ),
            "work.artifact",
        )


def artifact_abandon(arguments: Namespace) -> Answer:
    from idumb_brain.operations import artifacts
    from idumb_brain.operations.work import working

    with working(arguments.root, make=True) as work:
        return Answer(
            artifacts.move(
                work,
                "abandoned",
                arguments.artifact,
            ),
            "work.artifact",
        )


def told(arguments: Namespace, work: Work, data: Any, view: str) -> Answer:
    """The answer; what was found broken in the brain is told beside it."""
    if not arguments.quiet:
        for note in work.brain.notes:
            print(f"note: {note}", file=sys.stderr)
    return Answer(data, view)


def _actions(verbs: Any, name: str, what: str) -> Any:
    words = verb(verbs, name, None, what)
    return words.add_subparsers(metavar="action", title="actions", required=True, parser_class=Parser)


def _who(words: ArgumentParser) -> None:
    words.add_argument("--role", metavar="ROLE", default="", help="who is asking")
    words.add_argument("--session", metavar="ID", default="", help="in which session of an agent")
