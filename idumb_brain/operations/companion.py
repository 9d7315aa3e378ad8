"""What an agent's host tells while the agent works, and what the agent is told in return. Speaks no host's language.

State is in the brain: whoever takes over after a restart knows what the one before knew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BrainError
from idumb_brain.model.governance import ALLOW, BLOCK, WARN, Decision
from idumb_brain.operations import delegations, gate, sessions, tasks
from idumb_brain.operations.calls_made import worth_a_checkpoint, written
from idumb_brain.operations.context import Teller
from idumb_brain.operations.ground import Ground, standing
from idumb_brain.operations.injected import Recorder
from idumb_brain.operations.keepsakes import exported, synthesised
from idumb_brain.operations.lanes import Turns
from idumb_brain.operations.project import Project, moment, now
from idumb_brain.operations.stated import without_private
from idumb_brain.operations.upkeep import Upkeep
from idumb_brain.operations.work import Work
from idumb_brain.render.decided import block_message
from idumb_brain.render.handing import handed_over
from idumb_brain.render.noticed import alerts, hint
from idumb_brain.render.quoting import inline
from idumb_brain.store import sessions as kept

_SAYS_SOMETHING = 3  # words; a prompt of fewer goes on with what was talked of
_TAKEN_UP = 600  # seconds in which an agent begins with what it was handed
_ABOUT = 2_000  # characters of a prompt that say what it is about
_BLOCKS = {
    "inject-prefix": "prefix",
    "inject-resume": "resume",
    "inject-reminder": "reminder",
}


@dataclass(frozen=True, slots=True)
class Before:
    """Before a tool runs: why it must not, and what its user should hear anyway."""

    block: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class After:
    hints: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


@dataclass(slots=True)
class _Remembered:
    """Of a running session, as the brain keeps it for whoever goes on with it."""

    reminder: str  # told with every turn after a compaction until the user speaks again
    about: str  # what the user wants, in the words of the last prompt that says it
    nudged: str  # the task it was last told to end
    hinted: set[str] = field(default_factory=set)  # kept as what was refused


class Companion:
    """One project, all the sessions in it."""

    def __init__(self, project: Project, upkeep: Upkeep, note: Callable[[str], None], aside: Turns | None = None) -> None:
        """``aside``: where files are looked for that a block may do without for a turn; left out, blocks wait for them."""
        self.project = self._project = project
        self.upkeep = upkeep
        self._note = note
        self._aside = aside
        self._open = ExitStack()
        self._standing: Ground | None = None
        self._identity: tuple[int, int] | None = None
        self._teller = Teller(project, aside)
        self._recorder = Recorder(project, note)
        self._running: dict[str, _Remembered] = {}
        self._given: list[tuple[str, str]] = []  # hints in the answer that is being made, and whom they are for

    def close(self) -> None:
        self._forget()
        self._recorder.close()
        self.upkeep.close()

    def warmed(self) -> None:
        """Do what the first event would else wait for: load, open, look. Nobody is told anything."""
        self._teller.tell(self._ground(), "system")

    # Whether the host hears what it is told.

    def asked(self) -> None:
        """An answer is about to be made; the one before was heard."""
        self._given.clear()

    def unheard(self) -> None:
        """The last answer came too late: its hints come with the next turn."""
        for session, text in self._given:
            self.later(session, text)

    # What hosts tell.

    def began(self, session: str, *, parent: str = "", agent: str = "") -> None:
        """A session was made. The index is brought up to date behind its back."""
        told = sessions.created(self._ground(), session, parent=parent, agent=agent)
        if any(one["action"] == "scan-incremental" for one in told["actions"]):
            self.upkeep.began()

    def hands_on(self, among: str, by: str, to: str) -> None:
        """For hosts that do not say of a new agent who called it, but who is about to call one: ``among`` all of one session."""
        kept.hands_on(self._ground().brain, among, by, to)

    def handed_by(self, among: str, to: str) -> str:
        ground = self._ground()
        return kept.handed_by(ground.brain, among, to, ground.ago(_TAKEN_UP))

    def prompted(self, session: str, text: str, *, agent: str = "") -> list[str]:
        """The user, or whoever handed on the work, said something; what the agent has to read with it."""
        ground = self._ground()
        told = sessions.turn(ground, session, role=agent)
        role = told["session"]["role"]
        said = [one for one in self._injected(ground, session, role, told["actions"]) if one]
        counted = sessions.prompt(ground, session, text)
        self._remember(ground, session, "reminder", "")
        if len(text.split()) >= _SAYS_SOMETHING or not self._remembered(ground, session).about:
            self._remember(ground, session, "about", without_private(text)[:_ABOUT])
        return self._telling(session, [*said, *kept.untold(ground.brain, session), *alerts(counted["actions"])])

    def speaks(self, session: str, agent: str) -> None:
        """Whose turn it is in a session that is known."""
        ground = self._ground()
        found = kept.session(ground.brain, session)
        if found and agent and found.role != agent:
            kept.keep(ground.brain, replace(found, role=agent))

    def system(self, session: str) -> list[str]:
        """What stands in the system prompt of a turn that really is one."""
        ground = self._ground()
        found = kept.session(ground.brain, session)
        role = found.role if found else ""
        if found and found.state == "compacted":  # it goes on by itself: nobody said anything that could carry the reminder
            told = sessions.turn(ground, session)
            reminder = "\n\n".join(one for one in self._injected(ground, session, role, told["actions"]) if one)
            self._remember(ground, session, "reminder", reminder)
        for text in self.upkeep.news():
            kept.tell_later(ground.brain, session, text)
        hints = [hint(text) for text in self._untold(ground, session)]
        reminder = self._remembered(ground, session).reminder
        return [one for one in (self._block(ground, "system", session, role), reminder, *hints) if one]

    def later(self, session: str, text: str, key: str = "") -> None:
        """Something to be told that nothing at hand could carry: with the next turn, unless what has the ``key`` carries it first."""
        kept.tell_later(self._ground().brain, session, text, key)

    def failed(self, session: str, tool: str, args: Mapping[str, Any]) -> None:
        """A tool was used and came to nothing. It counts, for it may be tried again and again."""
        for text in alerts(sessions.tool_used(self._ground(), session, tool, args=args)["actions"]):
            self.later(session, text)
        self._rescanned(self._ground().rules.roles.family(tool), ())

    def before(self, session: str, tool: str, args: Mapping[str, Any]) -> Before:
        ground = self._ground()
        told = gate.gate(ground, tool, session=session, args=args)
        if told["enforced"]:
            return Before(block=self._told(told))
        return Before(hint=self._hint(ground, session, told))

    def after(
        self, session: str, tool: str, args: Mapping[str, Any], *, exit_code: int = 0, child: str = "", key: str = ""
    ) -> After:
        """A tool did what it was asked for. What it wrote is in the index before anybody asks: who does waits until it is ``settled``."""
        ground = self._ground()
        family = ground.rules.roles.family(tool)
        files = written(self._project, family, tool, args)
        what = worth_a_checkpoint(self._project, family, tool, args, files, exit_code)
        if what:
            tasks.record(self._work(ground), tool, what, files=files, session=session)
        if child:
            delegations.ended(self._work(ground), child)
        told = sessions.tool_used(ground, session, tool, args=args, files=files)
        self._rescanned(family, files)
        hints = self._untold(ground, session, key) if key else []
        return After((*hints, *map(hint, self._telling(session, alerts(told["actions"])))), files)

    def pruned(self, messages: Sequence[Mapping[str, Any]], *, compacting: bool = False) -> Mapping[str, Any]:
        """A conversation without what nobody needs to read again."""
        from idumb_brain.operations.messages import pruned

        return pruned(self._ground(), messages, compacting=compacting)

    def compacting(self, session: str) -> str:
        """What the summary has to carry over."""
        ground = self._ground()
        found = kept.session(ground.brain, session)
        data = self._handed(ground, "compaction", session, found.role if found else "")
        sessions.compacting(ground, session, anchors=[one["id"] for one in data["selected"] if one["kind"] == "anchor"])
        return str(data["text"])

    def compacted(self, session: str) -> list[str]:
        from idumb_brain.operations.anchors import purge_old

        ground = self._ground()
        told = sessions.compacted(ground, session)
        due = {one["action"] for one in told["actions"]}
        if "purge-anchors" in due:
            purge_old(str(self._project.root))
        if "synthesise" in due:
            synthesised(ground, session)
        if "snapshot-session" in due:
            self._exported(ground, session)
        return alerts(told["actions"])

    def idle(self, session: str) -> None:
        ground = self._ground()
        told = sessions.idle(ground, session)
        if any(one["action"] == "export-session" for one in told["actions"]):
            self._exported(ground, session)

    def cancelled(self, session: str) -> list[str]:
        told = alerts(sessions.cancelled(self._ground(), session)["actions"])
        for text in told:
            self.later(session, text)
        return told

    def answered(self, session: str, text: str) -> str:
        """The agent finished a message. With the stop gate on: what it left undone, said once for each task."""
        ground = self._ground()
        told = sessions.answered(ground, session, text)
        if any(one["action"] == "synthesise" for one in told["actions"]):
            synthesised(ground, session)
        if not self._project.config.governance.stopGate:
            return ""
        work = self._work(ground)
        open_task = tasks.at_hand(work, session)
        if open_task is None or open_task.claimed_by != session or open_task.id == self._remembered(ground, session).nudged:
            return ""
        self._remember(ground, session, "nudged", open_task.id)
        return (
            f"{inline(open_task.name)} ({open_task.id}) is still active; expected is: {inline(open_task.expected_output)}. "
            "Go on with it, or end it: govern_task action=complete with evidence, or action=fail with the reason."
        )

    def command(self, session: str, text: str) -> Before:
        """A command of ours is about to run."""
        told = gate.command(self._ground(), text, session=session)
        return Before(block=self._told(told)) if told["enforced"] else Before(hint=self._told(told, WARN))

    # What surfaces need besides.

    def achieved(self, session: str, operation: str, data: Any) -> None:
        """A verb that the agent used: its record says what came of it."""
        made = data.get("id", "") if isinstance(data, dict) else ""
        if not made or not session:
            return
        match operation:
            case "task.complete":
                sessions.achieved(self._ground(), session, tasks=[made])
            case "task.start":
                self._takes_up(session, made)
            case "delegate.assign":
                sessions.achieved(self._ground(), session, delegations=[made])
            case "brain.write":
                sessions.achieved(self._ground(), session, entries=[made])

    def role(self, session: str) -> str:
        found = kept.session(self._ground().brain, session)
        return found.role if found else ""

    def _ground(self) -> Ground:
        """The brain, opened once, at the time it is now. Another file in its place is opened anew."""
        if self._standing is not None and self._identity != _identity(self._project.brain):
            self._forget()
        if self._standing is None:
            self._standing = self._open.enter_context(standing(str(self._project.root), make=True))
            self._identity = _identity(self._project.brain)
        return self._teller.judging(self._standing.at(now()))

    def _forget(self) -> None:
        """Close what is open; what comes next opens it again."""
        self._open.close()
        self._open = ExitStack()
        self._standing = None
        self._teller.close()
        self._teller = Teller(self._project, self._aside)

    def _work(self, ground: Ground) -> Work:
        return Work(self._project, ground.brain, moment())

    def _remembered(self, ground: Ground, session: str) -> _Remembered:
        if session not in self._running:
            reminder, about, nudged = (kept.remembered(ground.brain, session, what) for what in ("reminder", "about", "nudged"))
            self._running[session] = _Remembered(reminder, about, nudged)
        return self._running[session]

    def _remember(self, ground: Ground, session: str, what: str, text: str) -> None:
        if getattr(self._remembered(ground, session), what) != text:
            setattr(self._running[session], what, text)
            kept.remember(ground.brain, session, what, text)

    def _untold(self, ground: Ground, session: str, key: str = "") -> list[str]:
        return self._telling(session, kept.untold(ground.brain, session, key))

    def _telling(self, session: str, texts: list[str]) -> list[str]:
        """The same; in mind until the answer that holds it was given."""
        self._given += ((session, text) for text in texts)
        return texts

    def _injected(self, ground: Ground, session: str, role: str, actions: Iterable[Mapping[str, str]]) -> list[str]:
        names = list(dict.fromkeys(one["action"] for one in actions))
        said = [self._block(ground, _BLOCKS[name], session, role) for name in names if name in _BLOCKS]
        if "inject-delegation" in names:
            said.append(self._handed_over(ground, session, role))
        return said

    def _block(self, ground: Ground, name: str, session: str, role: str) -> str:
        return str(self._handed(ground, name, session, role)["text"])

    def _handed(self, ground: Ground, name: str, session: str, role: str) -> dict[str, Any]:
        """A block that the agent is about to read; which it was is kept."""
        data = self._teller.tell(ground, name, session=session, role=role, about=self._remembered(ground, session).about)
        self._recorder.keep(ground.now, session, role, name, data)
        return data

    def _handed_over(self, ground: Ground, session: str, role: str) -> str:
        """The delegation that a session was made for: the latest to its role that nobody took up yet."""
        found = kept.session(ground.brain, session)
        work = self._work(ground)
        plain = ground.rules.roles.named(role).name
        waiting = [
            one
            for one in delegations.open_delegations(work)
            if ground.rules.roles.named(one.receiver).name == plain
            and one.child_session in ("", session)
            and (not one.parent_session or (found and one.parent_session == found.parent))
        ]
        if not waiting:
            return ""
        taken = delegations.accepted(work, max(waiting, key=lambda one: one.created_at).task, session)
        return handed_over(taken) if taken else ""

    def _exported(self, ground: Ground, session: str) -> None:
        try:
            exported(ground, session)
        except BrainError as error:
            self._note(f"a session was not exported: {error}")

    def _takes_up(self, session: str, task: str) -> None:
        ground = self._ground()
        found = kept.session(ground.brain, session)
        if found:
            kept.keep(ground.brain, replace(found, task=task))

    def _hint(self, ground: Ground, session: str, told: Mapping[str, Any]) -> str:
        """What is not forbidden and yet worth a word: each rule once in a session."""
        remembered = self._remembered(ground, session)
        if not told["rule"] or told["rule"] in ground.rules.modes.only_told or told["rule"] in remembered.hinted:
            return ""
        if sum(one["rule"] == told["rule"] for one in kept.violations(ground.brain, session)) > 1:
            return ""  # by another process
        remembered.hinted.add(told["rule"])
        return self._told(told, WARN)

    def _told(self, told: Mapping[str, Any], as_what: str = BLOCK) -> str:
        """A decision as the agent reads it; one that does not take effect is a warning."""
        if told["decision"] == ALLOW:
            return ""
        decision = Decision(as_what, told["what"], told["why"], told["instead"], tuple(told["evidence"]), told["rule"])
        return block_message(decision, self._project.config.language)

    def _rescanned(self, family: str, written: tuple[str, ...]) -> None:
        if written:
            self.upkeep.written(written)
        elif family in ("shell", "unknown"):
            self.upkeep.refresh()  # nobody knows what it wrote


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
