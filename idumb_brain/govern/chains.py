"""Whether what a command builds on is there. Says which evidence it wants to know of; others look for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from idumb_brain.govern import calls
from idumb_brain.govern.rules import Rules
from idumb_brain.govern.rules.chains import HARD, OFF, SOFT, WARNS, ChainRule, Chains, Proof
from idumb_brain.govern.rules.roles import plain_tool
from idumb_brain.model.governance import Call, Decision, Facts


@dataclass(frozen=True, slots=True)
class Command:
    name: str  # without the prefix
    words: tuple[str, ...]

    @property
    def phase(self) -> str:
        return next((word for word in self.words if re.fullmatch(r"[\w.-]+", word) and not word.startswith("-")), "")


def read_command(text: str, chains: Chains) -> Command | None:
    """A command of ours, or None when it is somebody else's."""
    name, *words = text.split() or [""]
    prefix = next((prefix for prefix in chains.prefixes if name.lower().startswith(prefix)), None)
    return None if prefix is None else Command(name[len(prefix) :].lower(), tuple(words))


def wanted(command: Command, chains: Chains) -> tuple[Proof, ...]:
    """The evidence that a command is judged by."""
    return tuple(dict.fromkeys(chains.proofs[rule.needs] for rule in _rules(command, chains)))


def wanted_by_call(call: Call, chains: Chains) -> tuple[Proof, ...]:
    return tuple(chains.proofs[rule.needs] for rule in chains.rules if rule.level != OFF and _is_call(call, rule))


def of_phase(path: str, phase: str) -> bool:
    """Whether a file lies in the folder of a phase: 2 means 02-loans, not 12-loans."""
    if not phase:
        return True
    sought = phase.lower().lstrip("0") or "0"
    folders = path.lower().rpartition("/")[0]
    whole = {folder.lstrip("0") for folder in folders.split("/")}
    return sought in whole or sought in {part.lstrip("0") or "0" for part in re.split(r"[^a-z0-9]+", folders)}


def command_decision(command: Command, present: frozenset[str], chains: Chains) -> Decision:
    """The first rule that blocks, else the first that warns."""
    bypass = next((word for word in command.words if word in chains.bypass), "")
    forced = any(word in chains.force for word in command.words)
    missing = [rule for rule in _rules(command, chains) if rule.needs not in present]
    if missing and bypass:
        rules = ", ".join(rule.id for rule in missing)
        return Decision.warn(
            what=f"/idumb:{command.name} passes without its checks.", why=f"{bypass} was said.",
            instead="Bring in afterwards what is missing.", evidence=(f"not met: {rules}",), rule=missing[0].id,
        )  # fmt: skip
    blocks = [rule for rule in missing if rule.level == HARD or (rule.level == SOFT and not forced)]
    told = [*blocks, *(rule for rule in missing if rule not in blocks)]
    return _decision(f"/idumb:{command.name}", told[0], told[0] in blocks, chains) if told else Decision.allow()


def chain(call: Call, facts: Facts, rules: Rules) -> Decision:
    """The same for a tool call that comes to the same as a command."""
    for rule in rules.chains.rules:
        if rule.level != OFF and _is_call(call, rule) and rule.needs not in facts.present:
            return _decision(calls.about(call, rules.roles, facts.root) or call.tool, rule, rule.level != WARNS, rules.chains)
    return Decision.allow()


def _rules(command: Command, chains: Chains) -> list[ChainRule]:
    if command.name in chains.readonly:
        return []
    return [rule for rule in chains.rules if rule.level != OFF and (command.name in rule.commands or "*" in rule.commands)]


def _is_call(call: Call, rule: ChainRule) -> bool:
    for stated in rule.calls:
        tool, *pairs = stated.split()
        if plain_tool(call.tool) == tool and all(str(call.args.get(key, "")) == value for key, _, value in _split(pairs)):
            return True
    return False


def _split(pairs: list[str]) -> list[tuple[str, str, str]]:
    return [pair.partition("=") for pair in pairs]


def _decision(what: str, rule: ChainRule, blocks: bool, chains: Chains) -> Decision:
    proof = chains.proofs[rule.needs]
    evidence = (f"{rule.id} {rule.level}", f"none of {', '.join(proof.paths)}")
    why = f"It builds on {proof.told}, which is not there."
    advice = f"{rule.instead[0].upper()}{rule.instead[1:]}."
    if blocks:
        return Decision.block(what=f"{what} cannot run yet.", why=why, instead=advice, evidence=evidence, rule=rule.id)
    return Decision.warn(what=f"{what} runs early.", why=why, instead=advice, evidence=evidence, rule=rule.id)
