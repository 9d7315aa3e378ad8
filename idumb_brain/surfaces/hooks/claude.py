"""Claude Code's hooks. Each event is translated to the companion, and what it says into what Claude Code reads. Decides nothing.

A subagent shares the session of who called it; here each has its own, below that one. Who called it is what the call before told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from idumb_brain.govern.rules.roles import plain_tool
from idumb_brain.operations.companion import Companion

Told = dict[str, Any]
MAIN = "build"  # the role of who talks to the user, unless it runs as an agent of the project
_HANDS_ON = ("task", "agent")
SESSION = "_session"  # an argument that no model gives: the MCP server cannot know otherwise whose call it is
_OF_SESSIONS = ("govern_task", "govern_delegate", "govern_shell")  # tools of ours for which that matters
_EXIT = re.compile(r"exit (?:code )?(\d+)", re.IGNORECASE)
_ACHIEVES = {"start": "task.start", "complete": "task.complete"}  # what govern_task does for the session it was called in


class Claude:
    """The hooks of Claude Code, by the names of its events."""

    def __init__(self, companion: Companion) -> None:
        self._companion = companion

    def table(self) -> dict[str, Callable[[Told], Told]]:
        return {
            "SessionStart": self.session_start,
            "UserPromptSubmit": self.prompt,
            "PreToolUse": self.before,
            "PostToolUse": self.after,
            "PostToolUseFailure": self.failed,
            "PreCompact": self.compacting,
            "SubagentStart": self.subagent_start,
            "SubagentStop": self.subagent_stop,
            "Stop": self.stop,
            "SessionEnd": self.session_end,
        }

    def session_start(self, told: Told) -> Told:
        session = _session(told)
        if told.get("source") == "compact":
            said = [*self._companion.compacted(session), *self._companion.system(session)]
        else:
            self._companion.began(session, agent=_agent(told))
            said = self._companion.system(session)
        return _context(told, said)

    def prompt(self, told: Told) -> Told:
        return _context(told, self._companion.prompted(_session(told), str(told.get("prompt") or ""), agent=_agent(told)))

    def before(self, told: Told) -> Told:
        answer = self._companion.before(_session(told), _tool(told), _input(told))
        if answer.block:
            return _specific(told, permissionDecision="deny", permissionDecisionReason=answer.block)
        if _tool(told).lower() in _HANDS_ON:
            self._companion.hands_on(_whole(told), _session(told), str(_input(told).get("subagent_type") or ""))
        more: Told = {"additionalContext": answer.hint} if answer.hint else {}
        if _tool(told).startswith("mcp__") and plain_tool(_tool(told)) in _OF_SESSIONS:
            more["updatedInput"] = {**_input(told), SESSION: _session(told)}
        return _specific(told, **more) if more else {}

    def after(self, told: Told) -> Told:
        session, tool, args = _session(told), _tool(told), _input(told)
        response = told.get("tool_response")
        child = str(response.get("agentId") or "") if isinstance(response, dict) and tool.lower() in _HANDS_ON else ""
        code = _EXIT.search(str(response)) if plain_tool(tool) == "govern_shell" else None
        answer = self._companion.after(
            session, tool, args, exit_code=int(code[1]) if code else 0, child=f"{_whole(told)}/{child}" if child else ""
        )
        if plain_tool(tool) == "govern_task" and (operation := _ACHIEVES.get(str(args.get("action")))):
            self._companion.achieved(session, operation, {"id": args.get("task")})
        return _context(told, answer.hints)

    def failed(self, told: Told) -> Told:
        """Only a command that ran and failed did something: its exit code belongs to its task."""
        code = _EXIT.search(str(told.get("error") or ""))
        if not code:
            return {}
        answer = self._companion.after(_session(told), _tool(told), _input(told), exit_code=int(code[1]))
        return _context(told, answer.hints)

    def compacting(self, told: Told) -> Told:
        """What is said here reaches only the summary; what has to last is told when the session starts anew."""
        self._companion.compacting(_session(told))
        return {}

    def subagent_start(self, told: Told) -> Told:
        child, agent = _session(told), _agent(told)
        parent = self._companion.handed_by(_whole(told), agent) or _whole(told)
        self._companion.began(child, parent=parent, agent=agent)
        return _context(told, [*self._companion.system(child), *self._companion.prompted(child, "", agent=agent)])

    def subagent_stop(self, told: Told) -> Told:
        """Claude Code also tells of agents of its own, which it never said began: they are of no kind."""
        return self.stop(told) if told.get("agent_type") else {}

    def stop(self, told: Told) -> Told:
        session = _session(told)
        nudge = self._companion.answered(session, str(told.get("last_assistant_message") or ""))
        if nudge and not told.get("stop_hook_active"):
            return {"decision": "block", "reason": nudge}
        self._companion.idle(session)
        return {}

    def session_end(self, told: Told) -> Told:
        self._companion.idle(_session(told))
        return {}


def _context(told: Told, said: Iterable[str]) -> Told:
    text = "\n\n".join(one for one in said if one)
    return _specific(told, additionalContext=text) if text else {}


def _specific(told: Told, **more: Any) -> Told:
    return {"hookSpecificOutput": {"hookEventName": told["hook_event_name"], **more}}


def _whole(told: Told) -> str:
    """The session that its subagents belong to, however deep they are."""
    return str(told.get("session_id") or "")


def _session(told: Told) -> str:
    session, agent = _whole(told), str(told.get("agent_id") or "")
    return f"{session}/{agent}" if agent else session


def _agent(told: Told) -> str:
    return str(told.get("agent_type") or MAIN)


def _tool(told: Told) -> str:
    return str(told.get("tool_name") or "")


def _input(told: Told) -> Mapping[str, Any]:
    read = told.get("tool_input")
    return read if isinstance(read, dict) else {}
