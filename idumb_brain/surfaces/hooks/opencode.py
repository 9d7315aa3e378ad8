"""OpenCode's hooks. Answers hold only what is to be changed; the plugin applies it in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from itertools import count
from typing import Any

from idumb_brain.operations.companion import Companion
from idumb_brain.operations.keepsakes import all_exported
from idumb_brain.operations.project import Project
from idumb_brain.surfaces.hooks.commands import EXPORT, commands
from idumb_brain.surfaces.tools import TOOLS

Told = dict[str, Any]
# How the prompts begin of requests that OpenCode makes for itself. They are nobody's turn.
_ASIDE = ("You are a title generator", "You are a context summarization agent", "Summarize what was done")
_ITS_OWN = ("title", "summary", "compaction")  # agents that do that
_AGENTS = ("build", "plan", "general", "explore")  # agents that are there without anybody's settings
_CONTINUES = "compaction_continue"
_MARK = "<idumb-governance>"
_parts = count(1)


class OpenCode:
    """The hooks of one OpenCode process."""

    def __init__(self, companion: Companion) -> None:
        self.companion = self._companion = companion
        self._running: dict[str, dict[str, tuple[str, Told]]] = {}  # by session and call, until it is over
        self._compacting: set[str] = set()  # sessions whose summary is being made
        self._continuing: set[str] = set()  # sessions that were just compacted and go on by themselves

    def table(self) -> dict[str, Callable[[Told, Told], Told]]:
        return {
            "config": self.config,
            "event": self.event,
            "chat.message": self.message,
            "chat.params": self.params,
            "command.execute.before": self.command,
            "tool.execute.before": self.before,
            "tool.execute.after": self.after,
            "experimental.chat.system.transform": self.system,
            "experimental.chat.messages.transform": self.messages,
            "experimental.session.compacting": self.compacting,
            "experimental.text.complete": self.text,
        }

    def config(self, input: Told, output: Told) -> Told:
        return configured(self.companion.project, output)

    def event(self, input: Told, output: Told) -> Told:
        event = input.get("event") or {}
        about = event.get("properties") or {}
        session = str(about.get("sessionID") or "")
        match event.get("type"):
            case "session.created":
                info = about.get("info") or {}
                self._companion.began(
                    str(info.get("id") or session), parent=str(info.get("parentID") or ""), agent=_name(info.get("agent"))
                )
            case "session.idle" if session:
                self._companion.idle(session)
            case "session.compacted" if session:
                self._compacting.discard(session)
                told = self._companion.compacted(session)
                for text in told:
                    self._companion.later(session, text)
                return _said(told)
            case "session.error" if session and (about.get("error") or {}).get("name") == "MessageAbortedError":
                return _said(self._companion.cancelled(session))
        return {"output": {}}

    def message(self, input: Told, output: Told) -> Told:
        message, parts = output.get("message") or {}, output.get("parts") or []
        session = str(input.get("sessionID") or message.get("sessionID") or "")
        text = " ".join(str(part.get("text", "")) for part in parts if part.get("type") == "text" and not part.get("synthetic"))
        said = self._companion.prompted(session, text, agent=_name(input.get("agent") or message.get("agent")))
        self._continuing.discard(session)
        self._compacting.discard(session)  # one that was given up is over
        if not said:
            return {"output": {}}
        return {"output": {"parts": [*(self._part(one, message, session) for one in said), *parts]}}

    def params(self, input: Told, output: Told) -> Told:
        """Who speaks, where no message told it: some turns are begun by OpenCode's own tools."""
        self._companion.speaks(str(input.get("sessionID") or ""), _name(input.get("agent")))
        return {"output": {}}

    def command(self, input: Told, output: Told) -> Told:
        """A throw would reach nobody: a command that may not run becomes the message that says so."""
        name, words = str(input.get("command") or ""), str(input.get("arguments") or "")
        told = self._companion.command(str(input.get("sessionID") or ""), f"/{name} {words}".strip())
        parts = output.get("parts") or []
        if told.block:
            said = f"The command /{name} was refused. Do nothing but tell the user so, with the reason:\n{told.block}"
            return {"output": {"parts": [{**part, "text": said} for part in parts if part.get("type") == "text"][:1]}}
        if name == EXPORT and any(_is_ours(name, part) for part in parts):
            said = f"{all_exported(self._companion.project, words.strip())}\nTell the user so, and do nothing else."
            return {"output": {"parts": [{**part, "text": said} for part in parts if _is_ours(name, part)]}}
        if told.hint:
            return {"output": {"parts": [_with_hint(part, told.hint) for part in parts]}}
        return {"output": {}}

    def before(self, input: Told, output: Told) -> Told:
        told = self._companion.before(str(input.get("sessionID") or ""), str(input.get("tool") or ""), output.get("args") or {})
        if told.block:
            return {"block": {"message": told.block}}
        session, call = str(input.get("sessionID") or ""), str(input.get("callID") or "")
        self._running.setdefault(session, {})[call] = str(input.get("tool") or ""), output.get("args") or {}
        if told.hint:
            self._companion.later(session, told.hint, call)
        return {"output": {}}

    def after(self, input: Told, output: Told) -> Told:
        about = output.get("metadata") or {}
        tool = str(input.get("tool") or "")
        code = about.get("exit")
        call = str(input.get("callID") or "")
        self._running.get(str(input.get("sessionID") or ""), {}).pop(call, None)
        told = self._companion.after(
            str(input.get("sessionID") or ""), tool, input.get("args") or {}, exit_code=code if isinstance(code, int) else 0,
            child=str(about.get("sessionId") or "") if tool == "task" else "", key=call,
        )  # fmt: skip
        if not told.hints:
            return {"output": {}}
        told_after = "".join(f"\n\n{one}" for one in told.hints)
        if isinstance(output.get("content"), list):  # of an MCP server
            return {"output": {"content": [*output["content"], {"type": "text", "text": told_after.strip()}]}}
        return {"output": {"output": f"{output.get('output', '')}{told_after}"}}

    def messages(self, input: Told, output: Told) -> Told:
        """Only here one sees a session going on by itself after a compaction."""
        messages = output.get("messages") or []
        last = messages[-1] if messages else {}
        session = str((last.get("info") or {}).get("sessionID") or "")
        if _continues(last):
            self._continuing.add(session)
        else:
            self._continuing.discard(session)
        told = self._companion.pruned(messages, compacting=session in self._compacting)
        if not told["pruned"]:
            return {"output": {}}
        return {"output": {}, "changes": told["changes"]} if input.get("outline") else {"output": {"messages": told["messages"]}}

    def system(self, input: Told, output: Told) -> Told:
        session = str(input.get("sessionID") or "")
        there = [str(one) for one in output.get("system") or []]
        aside = not session or any(one.lstrip().startswith(_ASIDE) for one in there)
        if aside or session in self._compacting or session in self._continuing or any(_MARK in one for one in there):
            return {"output": {}}
        for tool, args in self._running.pop(session, {}).values():  # nobody tells of calls that failed: their turn is over
            self._companion.failed(session, tool, args)
        return {"output": {"system": [*there, *self._companion.system(session)]}}

    def compacting(self, input: Told, output: Told) -> Told:
        session = str(input.get("sessionID") or "")
        self._compacting.add(session)
        text = self._companion.compacting(session)
        return {"output": {"context": [*(output.get("context") or []), text]}} if text else {"output": {}}

    def text(self, input: Told, output: Told) -> Told:
        session = str(input.get("sessionID") or "")
        if session in self._compacting:
            return {"output": {}}
        nudge = self._companion.answered(session, str(output.get("text") or ""))
        return {"output": {}} | ({"nudge": nudge} if nudge else {})

    def _part(self, text: str, message: Mapping[str, Any], session: str) -> Told:
        """A part that OpenCode stores; it has to sort before those the user wrote, and one without ids breaks the prompt."""
        id = str(message.get("id") or "")
        return {
            "id": f"prt_{id.removeprefix('msg_')[:12]}idumb{next(_parts):04d}", "messageID": id, "sessionID": session,
            "type": "text", "text": text, "synthetic": True,
        }  # fmt: skip


def configured(project: Project, output: Told) -> Told:
    """Our commands, beside those the project has; one of the same name is the project's. And no agent sees what its role may not use."""
    from idumb_brain.operations.offering import unseen

    agents = output.get("agent") or {}
    hidden = unseen(project, tuple(tool.name for tool in TOOLS), dict.fromkeys((*_AGENTS, *agents)))
    denied = {name: {"permission": _denying(tools, agents.get(name), output)} for name, tools in hidden.items()}
    return {"output": {"command": commands() | (output.get("command") or {}), **({"agent": denied} if denied else {})}}


def _denying(tools: tuple[str, ...], agent: Any, settings: Told) -> Told:
    """What is said of a tool by its name, for this agent or for all, stands."""
    own, every = (one.get("permission") if isinstance(one, dict) else None for one in (agent, settings))
    named = [pattern for stated in (own, every) if isinstance(stated, dict) for pattern in stated if pattern != "*"]
    rest = {"*": own} if isinstance(own, str) else {}  # one word for everything
    return rest | {tool: "deny" for tool in tools if not any(fnmatchcase(tool, pattern) for pattern in named)}


def _with_hint(part: Mapping[str, Any], hint: str) -> Told:
    return {**part, "text": f"{part.get('text', '')}\n\n{hint}"} if part.get("type") == "text" else {**part}


def _is_ours(command: str, part: Mapping[str, Any]) -> bool:
    """Whether what a command says is our text; a project may have its own by the same name."""
    begins = commands()[command]["template"].partition("$")[0]
    return str(part.get("text", "")).startswith(begins)


def _continues(message: Mapping[str, Any]) -> bool:
    return any((part.get("metadata") or {}).get(_CONTINUES) for part in message.get("parts") or [])


def _said(notices: list[str]) -> Told:
    return {"output": {}} | ({"notices": notices} if notices else {})


def _name(agent: Any) -> str:
    """Agents come as names, or as objects that have one."""
    name = agent.get("name") if isinstance(agent, dict) else agent
    return "" if not isinstance(name, str) or name in _ITS_OWN else name
