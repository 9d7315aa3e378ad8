"""What a host can ask of the long-lived process: every hook, the tools, every command. Each on a lane where it is in nobody's way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from idumb_brain.model.errors import BrainError
from idumb_brain.operations.heartbeat import Pulse
from idumb_brain.operations.lanes import Lane
from idumb_brain.operations.project import Project
from idumb_brain.surfaces.serve.protocol import PARAMS, Method, Problem

Told = dict[str, Any]
Hook = Callable[[Told, Told], Told]
EVENTS = ("session.created", "session.idle", "session.compacted", "session.error")  # worth telling of; OpenCode knows many more
_PATIENCE = 2.0  # seconds for a scan to end when the host is gone
# Seconds. They take milliseconds; on a machine that is overloaded the agent waits longer for what must not be missing than for the rest.
LIMITS = {
    "event": 5.0, "chat.message": 6.0, "chat.params": 1.0, "command.execute.before": 6.0, "tool.execute.before": 5.0,
    "tool.execute.after": 4.0, "experimental.chat.system.transform": 5.0, "experimental.chat.messages.transform": 2.0,
    "experimental.session.compacting": 5.0, "experimental.text.complete": 2.0, "config": 3.0,
}  # fmt: skip


class Methods:
    def __init__(self, project: Project, note: Callable[[str], None]) -> None:
        self._project = project
        self._note = note
        self._hooks = Lane("hooks")  # one after the other: what happened first is known first
        self._calls = Lane("calls", threads=4)
        self._scans = Lane("scans")
        self._made: Any = None
        self._upkeep: Any = None
        self._turn = threading.Lock()
        self._pulse = Pulse(project, "opencode")

    def table(self) -> dict[str, Method]:
        hooks = {
            name: Method(self._felt(name, self._hook(name)), self._hooks, limit, _unharmed, self._unheard)
            for name, limit in LIMITS.items()
        }
        return hooks | {
            # What is asked for before anything happens waits for nothing that has to be opened first.
            "config": Method(self._felt("config", self._configured), self._calls, LIMITS["config"], _unharmed),
            "ping": Method(lambda params: {"alive": True}, self._calls),
            "hello": Method(self._hello, self._calls),
            "tool": Method(self._tool, self._calls),
            "call": Method(self._call, self._calls),
        }

    def close(self) -> None:
        """A scan that is still going on is left: what it has committed is kept, and the next one goes on from there."""
        if self._upkeep is None:
            return
        try:
            self._scans.do(self._made.companion.close if self._made else self._upkeep.close).result(_PATIENCE)
        except TimeoutError:
            self._note("ended in the middle of a scan")

    def _felt(self, name: str, hook: Hook) -> Callable[[Told], Told]:
        def answer(params: Told) -> Told:
            input, output = params.get("input") or {}, params.get("output") or {}
            if not isinstance(input, dict) or not isinstance(output, dict):
                raise Problem(PARAMS, "input and output have to be objects")
            try:
                said = dict(hook(input, output))
            except Exception as error:  # whoever answers for it tells the host
                self._pulse.felt(name, f"{type(error).__name__}: {error}")
                raise
            self._pulse.felt(name)
            return said

        return answer

    def _hook(self, name: str) -> Hook:
        def answer(input: Told, output: Told) -> Told:
            opencode = self._opencode()
            opencode.companion.asked()
            return dict(opencode.table()[name](input, output))

        return answer

    def _unheard(self) -> None:
        self._opencode().companion.unheard()

    def _hello(self, params: Told) -> Any:
        """What the plugin has to know before anything happens: the tools to offer, the events worth telling of."""
        from idumb_brain.surfaces.tools import definitions

        self._pulse.plugin = str(params.get("plugin") or "")
        self._pulse.felt("hello")
        told = {"tools": definitions(), "events": EVENTS}
        self._hooks.do(self._warmed)
        return told

    def _configured(self, input: Told, output: Told) -> Told:
        from idumb_brain.surfaces.hooks.opencode import configured

        return configured(self._project, output)

    def _tool(self, params: Told) -> Any:
        from idumb_brain.surfaces.brief import TIMED_OUT
        from idumb_brain.surfaces.tools import use

        context = params.get("context") or {}
        session, role = str(context.get("sessionID") or ""), str(context.get("agent") or "")
        companion = self._hooks.do(self._opencode).result().companion
        self._upkept().settled()

        about: Told = {}

        def ran(operation: str, data: Any) -> None:
            self._hooks.do(lambda: companion.achieved(session, operation, data)).result(2)
            if operation == "shell.run":
                about["metadata"] = {
                    "exit": TIMED_OUT if data["timedOut"] else data["exitCode"]
                }  # as OpenCode's own shell tells it

        arguments, root = params.get("arguments") or {}, str(self._project.root)
        return {"output": use(str(params.get("tool")), arguments, root, session=session, role=role, ran=ran)} | about

    def _call(self, params: Told) -> Any:
        from idumb_brain.surfaces.calls import asks, call

        arguments = params.get("arguments") or {}
        if not isinstance(params.get("operation"), str) or not isinstance(arguments, dict):
            raise Problem(PARAMS, 'call takes {"operation": "query", "arguments": {…}}')
        if asks(params["operation"]) and self._project.index.exists():
            self._upkept().watching()
            self._upkept().settled()
        return call(params["operation"], arguments, str(self._project.root))

    def _opencode(self) -> Any:
        """On the lane of the hooks only."""
        if self._made is None:
            from idumb_brain.operations.companion import Companion
            from idumb_brain.surfaces.hooks.opencode import OpenCode

            self._made = OpenCode(Companion(self._project, self._upkept(), self._note, Lane("aside")))
        return self._made

    def _warmed(self) -> None:
        """While the host starts. What goes wrong now goes wrong again when somebody listens."""
        with suppress(BrainError, OSError):
            self._opencode().companion.warmed()
        self._upkept().watching()

    def _upkept(self) -> Any:
        with self._turn:
            if self._upkeep is None:
                from idumb_brain.operations.upkeep import Upkeep

                self._upkeep = Upkeep(self._project, self._scans, self._note)
            return self._upkeep


def _unharmed(reason: str) -> Told:
    return {"output": {}, "problem": reason}
