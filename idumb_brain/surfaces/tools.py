"""The tools an agent is given, whatever its host: eight, each with actions. A table onto operations; the operations do the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from idumb_brain.model.errors import BadInput, BrainError, Refused
from idumb_brain.model.governance import BLOCK
from idumb_brain.model.knowledge import ANCHOR_TYPES, ENTRY_TYPES, PRIORITIES
from idumb_brain.surfaces.brief import brief, outcome
from idumb_brain.surfaces.calls import call

Arguments = Mapping[str, Any]
Ran = Callable[[str, Any], None]

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
COUNT = {"type": "integer", "minimum": 1}
FLAG = {"type": "boolean"}
_LONGEST = 240  # seconds that a command may take; hosts wait somewhat longer
_OUTPUT = 12_000  # bytes of what it prints


@dataclass(frozen=True, slots=True)
class Action:
    """``names``: what the operation calls an argument, where the tool calls it otherwise. ``says``: the part that is told, or what
    tells it. ``most``: numbers that are never larger. ``decides``: the data says whether it was done at all."""

    operation: str
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    most: Mapping[str, float] = field(default_factory=dict)
    says: str | Callable[[Mapping[str, Any]], str] = ""
    decides: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    description: str
    properties: Mapping[str, Any]
    actions: Mapping[str, Action]

    def definition(self) -> dict[str, Any]:
        properties = {"action": {"type": "string", "enum": list(self.actions)}, **self.properties}
        schema = {"type": "object", "properties": properties, "required": ["action"], "additionalProperties": False}
        return {"name": self.name, "description": f"{self.description}\n{self._usage()}", "inputSchema": schema}

    def _usage(self) -> str:
        rows = []
        for name, action in self.actions.items():
            words = [*action.needs, *(f"{one}?" for one in action.takes)]
            rows.append(f"{name}({', '.join(words)})")
        return "Actions: " + "; ".join(rows)


def _same(operation: str, needs: str = "", takes: str = "", **more: Any) -> Action:
    return Action(operation, tuple(needs.split()), tuple(takes.split()), **more)


TOOLS: tuple[Tool, ...] = (
    Tool(
        "idumb_codemap",
        "The code map: find code by what it is about, see what a file holds, who depends on it, what a change would break. "
        "Beats grep when you do not know the exact words, and beats reading a file when you need its shape: "
        "one call instead of many.",
        {
            "text": {**TEXT, "description": "a question, an error or an issue in your own words"},
            "file": {**TEXT, "description": "a path of the project; for impact also FILE#SYMBOL"},
            "limit": COUNT,
        },
        {
            "find": _same("query", "text", "limit", says="text"),
            "outline": _same("codemap.outline", "file"),
            "show": _same("codemap.show", "file"),
            "impact": _same("codemap.impact", "file", names={"file": "target"}),
            "related": _same("related", "file", "limit", names={"file": "what"}),
            "exports": _same("codemap.exports", "", "file", names={"file": "path"}),
            "todos": _same("codemap.todos"),
            "cycles": _same("codemap.cycles"),
            "inconsistencies": _same("codemap.inconsistencies", "", "file", names={"file": "path"}),
        },
    ),
    Tool(
        "idumb_scan",
        "The project at a glance, and whether the map is true. Beats listing folders and reading manifests: "
        "map first in an unknown project; drift before you say you are done.",
        {"full": {**FLAG, "description": "read everything again"}},
        {
            "map": _same("map"),
            "status": _same("status"),
            "scan": _same("scan", "", "full"),
            "drift": _same("scan", fixed={"paths": ["drift"]}),
            "documents": _same("scan", fixed={"paths": ["documents"], "stale": True}),
            "frameworks": _same("scan", fixed={"paths": ["frameworks"]}),
        },
    ),
    Tool(
        "idumb_brain",
        "What is known about the project beyond its code, where grep finds nothing: decisions, conventions, gotchas. "
        "Ask before you decide; write what the next one must not find out again, with evidence.",
        {
            "text": TEXT, "id": TEXT, "other": {**TEXT, "description": "a second entry"}, "title": TEXT, "content": TEXT,
            "type": {"type": "string", "enum": list(ENTRY_TYPES)},
            "evidence": {**TEXTS, "description": "PATH, PATH:LINE or a commit"}, "supersedes": TEXT, "limit": COUNT,
            "force": {**FLAG, "description": "write it though something alike is known"},
        },
        {
            "query": _same("brain.query", "text", "limit"),
            "write": _same("brain.write", "type title content", "evidence supersedes force"),
            "show": _same("brain.show", "id"),
            "link": _same("brain.link", "id other"),
            "supersede": _same("brain.supersede", "id other", names={"other": "by"}),
            "validate": _same("brain.validate", "id", names={"id": "ids"}),
            "stale": _same("brain.stale"),
            "tree": _same("brain.tree", "", "id"),
            "history": _same("brain.history", "", "id limit"),
            "purge": _same("brain.purge", "id", names={"id": "ids"}, fixed={"yes": True}),
        },
    ),
    Tool(
        "idumb_anchor",
        "Lines that survive every compaction, word for word, for the whole project. "
        "For what must not be lost: a decision, a trap, where you stand.",
        {
            "type": {"type": "string", "enum": list(ANCHOR_TYPES)},
            "priority": {"type": "string", "enum": list(PRIORITIES)},
            "content": TEXT, "file": TEXT, "line": COUNT, "task": TEXT, "id": TEXT,
        },
        {
            "add": _same("anchor.add", "type content", "priority file line task"),
            "list": _same("anchor.list", "", "type"),
            "update": _same("anchor.update", "id", "type priority content file line task"),
            "remove": _same("anchor.remove", "id", names={"id": "ids"}),
        },
    ),
    Tool(
        "govern_plan",
        "Plans and their tasks. A task says what has to come out of it; what it waits for is kept, not remembered.",
        {
            "plan": {**TEXT, "description": "id or name"}, "name": TEXT, "acceptance": {**TEXTS, "description": "what is true at the end"},
            "category": {"type": "string", "enum": ["research", "planning", "development", "validation", "governance"]},
            "tasks": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": TEXT, "expected": TEXT, "assign": {**TEXT, "description": "a role"}, "depends": TEXTS, "after": TEXT,
                        "reason": TEXT, "tools": TEXTS, "paths": TEXTS, "ahead": FLAG,
                    },
                    "required": ["name", "expected"],
                },
            },
            "reason": TEXT,
        },
        {
            "create": _same("plan.create", "name", "acceptance category"),
            "plan_tasks": _same("plan.add", "plan tasks"),
            "status": _same("plan.status", "", "plan"),
            "archive": _same("plan.archive", "plan", "reason"),
            "abandon": _same("plan.abandon", "plan", "reason"),
        },
    ),
    Tool(
        "govern_task",
        "Your task: start it before you write, complete it with evidence. What you write and run is recorded for it by itself.",
        {
            "task": {**TEXT, "description": "its id"}, "tests": TEXT,
            "evidence": {**TEXT, "description": "what shows that it is done, or why it failed"},
        },
        {
            "start": _same("task.start", "task"),
            "complete": _same("task.complete", "task", "evidence tests"),
            "fail": _same("task.fail", "task evidence"),
            "review": _same("task.review", "task", "evidence tests"),
            "status": _same("task.status", "", "task"),
            "next": _same("task.next"),
        },
    ),
    Tool(
        "govern_delegate",
        "Hand a task to another role before you start its agent: what is expected and allowed reaches it by itself.",
        {
            "task": TEXT, "to": {**TEXT, "description": "a role"}, "expected": TEXT, "context": TEXT, "tools": TEXTS,
            "expires": {**TEXT, "description": "30min, 2h, 1d"}, "delegation": TEXT, "reason": TEXT,
        },
        {
            "assign": _same("delegate.assign", "task to", "expected context tools expires"),
            "recall": _same("delegate.recall", "delegation", "reason"),
            "status": _same("delegate.status"),
        },
    ),
    Tool(
        "govern_shell",
        "A command line with a second look: refused when something would be lost by it, else run with a time limit and noted. "
        "Beats bash when a line could destroy something, hang, or print without end: of long output the middle is left out. "
        "check only looks.",
        {"line": TEXT, "timeout": {"type": "number", "maximum": _LONGEST, "description": "seconds; 120 unless given"}},
        {
            "run": _same("shell.run", "line", "timeout", fixed={"cap": _OUTPUT}, most={"timeout": _LONGEST}, says=outcome, decides=True),
            "check": _same("shell.check", "line"),
        },
    ),
)  # fmt: skip
_BY_NAME = {tool.name: tool for tool in TOOLS}
_WITH_SESSION = ("task.start", "task.complete", "task.fail", "task.review", "task.status", "delegate.assign", "shell.run")
_WITH_ROLE = ("task.start", "task.complete", "task.fail", "task.review", "task.next", "delegate.assign")


def definitions() -> list[dict[str, Any]]:
    return [tool.definition() for tool in TOOLS]


def offered(seen: Mapping[str, Sequence[str] | None]) -> dict[str, Tool]:
    """The tools somebody sees, by name, each with the actions it is limited to; None: all of them."""
    return {tool.name: _limited(tool, seen[tool.name]) for tool in TOOLS if tool.name in seen}


def use(name: str, arguments: Arguments, root: str, *, session: str = "", role: str = "", ran: Ran = lambda *_: None) -> str:
    """What a tool answers. A refusal is an answer: it says what to do instead. ``ran`` hears of each operation and its data."""
    try:
        return used(name, arguments, root, session=session, role=role, ran=ran)
    except BrainError as error:
        return refusal(error)


def used(
    name: str, arguments: Arguments, root: str, *, session: str = "", role: str = "", ran: Ran = lambda *_: None,
    among: Mapping[str, Tool] = _BY_NAME,
) -> str:  # fmt: skip
    """The same for hosts that tell an error from an answer: a refusal is raised."""
    action = chosen(name, arguments, among)
    told = []
    for given in _rows(action, arguments):
        data = call(action.operation, _given(action, given, session, role), root)
        ran(action.operation, data)
        if action.decides and data["decision"] == BLOCK:
            raise Refused(data["what"], why=data["why"], instead=data["instead"], evidence=tuple(data["evidence"]))
        told.append(_said(action, data))
    return "\n".join(told)


def refusal(error: BrainError) -> str:
    evidence = getattr(error, "evidence", ())
    parts = [error.what, f"Why: {error.why}" if error.why else "", f"Use instead: {error.instead}" if error.instead else ""]
    return "\n".join([part for part in (*parts, f"Evidence: {'; '.join(evidence)}" if evidence else "") if part])


def chosen(name: str, arguments: Arguments, among: Mapping[str, Tool] = _BY_NAME) -> Action:
    tool = among.get(name)
    if tool is None:
        raise BadInput(f"there is no tool {name!r}", why="it is none of those offered", instead=f"one of {', '.join(among)}")
    action = tool.actions.get(str(arguments.get("action", "")))
    if action is None:
        given = arguments.get("action", "")
        raise BadInput(
            f"{name} has no action {given!r}", why="there is none of that name", instead=f"one of {', '.join(tool.actions)}"
        )
    missing = ", ".join(need for need in action.needs if arguments.get(need) in (None, "", []))
    if missing:
        raise BadInput(
            f"{name} action={arguments['action']} needs {missing}",
            why="without that there is nothing to do",
            instead="give it and call again",
        )
    return action


def _limited(tool: Tool, actions: Sequence[str] | None) -> Tool:
    """A tool with some of its actions, and of its properties those that they need."""
    if actions is None:
        return tool
    left = {name: action for name, action in tool.actions.items() if name in actions}
    known = {name for action in left.values() for name in (*action.needs, *action.takes)}
    return replace(tool, actions=left, properties={name: one for name, one in tool.properties.items() if name in known})


def _rows(action: Action, arguments: Arguments) -> list[Arguments]:
    """Tasks come several at once; each is an operation of its own. A later one may depend on an earlier one by its name."""
    if "tasks" not in action.needs:
        return [arguments]
    rows = arguments["tasks"]
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise BadInput(
            "tasks is no list of tasks",
            why="each task has a name and what is expected",
            instead='[{"name": "…", "expected": "…"}]',
        )
    return [{**row, "plan": arguments["plan"]} for row in rows]


def _given(action: Action, arguments: Arguments, session: str, role: str) -> dict[str, Any]:
    known = {*action.needs, *action.takes} if "tasks" not in action.needs else {*arguments}
    given = {
        action.names.get(name, name): value for name, value in arguments.items() if name in known and value not in (None, "")
    }
    given |= action.fixed
    given |= {name: min(value, most) for name, most in action.most.items() if isinstance(value := given.get(name), int | float)}
    if session and action.operation in _WITH_SESSION:
        given["session"] = session
    if role and action.operation in _WITH_ROLE:
        given["role"] = role
    return given


def _said(action: Action, data: Any) -> str:
    if callable(action.says):
        return action.says(data)
    if action.says and isinstance(data, Mapping):
        return str(data[action.says]) or "nothing was found"
    return brief(data)
