"""``gate``: the decision for one tool call or one command, from what is kept of its session. What was refused is recorded."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from idumb_brain.govern import calls, chains, delegations
from idumb_brain.govern.gate import effective_mode, judge, takes_effect
from idumb_brain.govern.rules.chains import Proof
from idumb_brain.govern.rules.roles import plain_tool
from idumb_brain.model.errors import BadInput
from idumb_brain.model.governance import BLOCK, WARN, Call, Decision, Facts, Halt, Refusal, Verdict
from idumb_brain.model.work import Session
from idumb_brain.operations.ground import Ground
from idumb_brain.operations.records import told_decision, told_halt
from idumb_brain.store import sessions as store
from idumb_brain.store.brain import writing

_NOBODY = Session("")


def gate(
    ground: Ground, tool: str, *, role: str = "", session: str = "", args: Mapping[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Whether a tool may be used this way now."""
    if not tool.strip():
        raise BadInput(
            "a call without a tool", why="there is nothing to decide", instead="name the tool, for example: gate write"
        )
    call, shell = Call(tool, args or {}), None
    family = calls.family(call, ground.rules.roles)
    if family == "write":
        call = replace(call, paths=_real(calls.named_paths(call), ground))
    elif family == "shell":
        call, shell = _read_line(call, ground)
    facts = _facts(ground, call, role, session, shell)
    verdict = judge(call, facts, ground.rules)
    halt = _recorded(ground, call, facts, verdict) if session else None
    return _told(verdict.decision, verdict.enforced, effective_mode(ground.mode, facts.session)) | {
        "role": facts.role.name,
        "warnings": [told_decision(warning) for warning in verdict.warnings if warning != verdict.decision],
        "inherits": verdict.inherits,
        "redirect": verdict.redirect,
        "repeated": verdict.repeated,
        "halt": told_halt(halt) if halt else None,
    }


def handing_on(ground: Ground, receiver: str, *, task: str, role: str = "", session: str = "") -> tuple[Decision, int]:
    """Whether a task may be handed to a role, and how deep below the user it would be done."""
    call = Call("govern_delegate", {"action": "assign", "to": receiver, "task": task})
    facts = _facts(ground, call, role, session, None)
    return delegations.delegation(call, facts, ground.rules), max(1, len(facts.chain))


def command(ground: Ground, text: str, *, session: str = "") -> dict[str, Any]:
    """Whether a command of ours may run now. Those of others are none of our business."""
    rules = ground.rules.chains
    read = chains.read_command(text, rules)
    decision = Decision.allow()
    if read is not None:
        present = frozenset(proof.name for proof in chains.wanted(read, rules) if _is_there(ground, proof, read.phase))
        decision = chains.command_decision(read, present, rules)
    found = store.session(ground.brain, session) if session else None
    mode = effective_mode(ground.mode, found or _NOBODY)
    enforced = takes_effect(decision, mode, ground.rules)
    if found and decision.rule:
        with store.noting(ground.brain):
            refusal = Refusal(decision.rule, "command", text.strip(), ground.now)
            _count(ground, store.session(ground.brain, session) or found, refusal, decision, enforced)
    return _told(decision, enforced, mode)


def read_args(text: str) -> dict[str, Any]:
    """The arguments of a call, as JSON."""
    try:
        read = json.loads(text)
    except ValueError as error:
        raise BadInput(
            "--args is not valid JSON", why=str(error), instead="""for example --args '{"filePath": "src/a.py"}'"""
        ) from error
    if not isinstance(read, dict):
        raise BadInput(
            "--args is not an object", why="arguments are name and value", instead="""for example --args '{"command": "ls"}'"""
        )
    return read


def _told(decision: Decision, enforced: bool, mode: str) -> dict[str, Any]:
    return told_decision(decision) | {"enforced": enforced, "mode": mode}


def _real(paths: Iterable[str], ground: Ground, folder: str = "") -> tuple[str, ...]:
    """Paths as they really lead, past links and detours; ``folder`` is where they begin."""
    root = os.path.realpath(ground.project.root)
    named = (os.path.realpath(os.path.join(root, folder, os.path.expanduser(path))) for path in paths if "\0" not in path)
    return tuple(dict.fromkeys(calls.inside(path, root) for path in named))


def _read_line(call: Call, ground: Ground) -> tuple[Call, Decision]:
    """What a shell line would do; and the call with its commands one by one, where all was understood, and the files it writes to."""
    from idumb_brain.govern.redirections import redirected_to
    from idumb_brain.operations.shell import judged
    from idumb_brain.scan.shell import parse

    line = calls.command_line(call).replace("\0", "\N{REPLACEMENT CHARACTER}")
    folder = next((told for key in ("workdir", "cwd") if isinstance(told := call.args.get(key), str) and "\0" not in told), "")
    judgement, decision = judged(ground.project, line, Path(os.path.abspath(ground.project.root / folder)))
    rule = {BLOCK: "DESTRUCTIVE_SHELL", WARN: "DOUBTFUL_SHELL"}.get(decision.decision, "")
    commands = tuple(part.command for part in judgement.parts) if judgement.parts and not judgement.problems else None
    files = _real(redirected_to(parse(line)), ground, folder)
    return replace(call, commands=commands, paths=files), replace(decision, rule=rule)


def _facts(ground: Ground, call: Call, role: str, session: str, shell: Decision | None) -> Facts:
    found = (store.session(ground.brain, session) if session else None) or replace(_NOBODY, id=session)
    known = ground.rules.roles.named(role or found.role)
    above = store.lineage(ground.brain, found)[:-1] if found.parent else []
    names = (*(ground.rules.roles.named(one.role).name for one in above), known.name)
    asked = chains.wanted_by_call(call, ground.rules.chains)
    halts = store.halts(ground.brain, session=session, open_only=True) if session else []
    tasks = ground.tasks
    named = calls.named_task(call)
    return Facts(
        session=found,
        role=known,
        mode=ground.mode,
        now=ground.now,
        root=str(ground.project.root),
        chain=names,
        task=tasks.task(found.task) if tasks and found.task else None,
        store_task=tasks.active(session) if tasks else None,
        named_task=tasks.task(named) if tasks and named else None,
        shell=shell,
        present=frozenset(proof.name for proof in asked if _is_there(ground, proof, "")),
        refusals=tuple(store.refusals(ground.brain, session, ground.ago(ground.rules.modes.retry_within))) if session else (),
        halt=halts[-1] if halts else None,
    )


def _is_there(ground: Ground, proof: Proof, phase: str) -> bool:
    if proof.work and ground.tasks and ground.tasks.has_finished_work(phase):
        return True
    root = ground.project.root
    for pattern in proof.paths:
        loose = pattern.replace("*{phase}*", "*")
        for found in root.glob(loose):
            if "{phase}" not in pattern or chains.of_phase(_relative(found, root), phase):
                return True
    return False


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _recorded(ground: Ground, call: Call, facts: Facts, verdict: Verdict) -> Halt | None:
    """Keep what the next decision has to know. A call that changes nothing costs no write."""
    tool, aim = plain_tool(call.tool), calls.about(call, ground.rules.roles, facts.root)
    halt = _halt(facts, verdict, tool, aim) if verdict.halts else None
    broken = [one for one in {verdict.decision, *verdict.warnings} if one.rule and one.rule not in ground.rules.modes.only_told]
    uses = not facts.session.first_tool and not verdict.enforced
    if not (broken or halt or verdict.inherits or uses):
        return None
    with writing(ground.brain) if halt else store.noting(ground.brain):
        found = store.session(ground.brain, facts.session.id)
        if found is None:
            return None  # a session nobody told of: judged, but there is nothing to keep it in
        if uses and not found.first_tool:
            found = replace(found, first_tool=call.tool)
        if verdict.inherits:
            found = replace(found, task=verdict.inherits)
        if found != facts.session:
            store.keep(ground.brain, found)
        for decision in sorted(broken, key=lambda one: (one.decision != BLOCK, one.rule)):
            found = _count(
                ground, found, Refusal(decision.rule, tool, aim, ground.now), decision, verdict.enforced and decision.blocks
            )
        if halt:
            store.add_halt(ground.brain, halt)
    return halt


def _count(ground: Ground, session: Session, refusal: Refusal, decision: Decision, enforced: bool) -> Session:
    with store.noting(ground.brain):
        counted = replace(session, violations=session.violations + 1)
        store.keep(ground.brain, counted)
        store.refuse(ground.brain, session.id, refusal, decision.decision, enforced, decision.what)
    return counted


def _halt(facts: Facts, verdict: Verdict, tool: str, aim: str) -> Halt:
    decision = verdict.decision
    told = "\n".join((facts.session.id, facts.now, decision.rule, tool, aim))
    id = f"halt-{facts.now[:10]}-{blake2b(told.encode(), digest_size=4).hexdigest()}"
    return Halt(
        id, facts.session.id, decision.rule, decision.what, decision.why,
        f"A human looks at the chain and the task, then: idumb-brain session resume-halt {id}",
        facts.chain, facts.session.task, decision.evidence, facts.now,
    )  # fmt: skip
