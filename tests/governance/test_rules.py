"""Every rule has a fixture, every fixture can fail, and every row of the tables is needed by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from idumb_brain.govern import gate
from idumb_brain.govern.rules import Rules
from idumb_brain.govern.rules.chains import OFF
from tests.conftest import REPOSITORY
from tests.governance.rows import REQUIRED, Row, differences, mutations, outcome, rows, shipped

ROWS = {row.name: row for row in rows()}
_RULE = re.compile(r'rule="([A-Z_]+)"')


@cache
def _came_out(name: str) -> dict[str, Any]:
    return outcome(ROWS[name], shipped())


@pytest.mark.parametrize("name", ROWS)
def test_row(name: str) -> None:
    assert not differences(ROWS[name].told["expect"], _came_out(name)), ROWS[name].told["shows"]


@pytest.mark.parametrize("name", ROWS)
def test_a_row_can_fail(name: str) -> None:
    """Whatever is made wrong in what it expects, it notices."""
    made = list(mutations(ROWS[name].told["expect"]))
    assert made and all(differences(wrong, _came_out(name)) for wrong in made)


def test_every_rule_has_a_row() -> None:
    shown = {rule for row in ROWS.values() for rule in row.rules}
    assert not [rule for rule in REQUIRED if rule not in shown]


def test_every_rule_of_the_gate_has_a_row() -> None:
    told = {rule for file in (REPOSITORY / "idumb_brain" / "govern").glob("*.py") for rule in _RULE.findall(file.read_text())}
    told |= {row.rule for row in shipped().roles.protected} | shipped().modes.never_right
    assert len(told) > 15
    assert not sorted(told - {rule for row in ROWS.values() for rule in row.rules})


def _without(rules: Rules) -> Iterator[tuple[str, str, Rules]]:
    """The rules with one thing taken out of them, what that is, and the rule of the seeds it stands for."""
    for at, row in enumerate(rules.sessions.transitions):
        for place, (rule, action) in enumerate(row.does):
            fewer = replace(row, does=(*row.does[:place], *row.does[place + 1 :]))
            yield f"{row.name}: {rule} {action}", rule, _with_transition(rules, at, fewer)
        if row.rule:
            yield f"{row.name}: {row.rule}", row.rule, _with_transition(rules, at, replace(row, rule=""))
    for at, chain in enumerate(rules.chains.rules):
        others = (*rules.chains.rules[:at], replace(chain, level=OFF), *rules.chains.rules[at + 1 :])
        yield chain.id, chain.id, replace(rules, chains=replace(rules.chains, rules=others))
    for at, trigger in enumerate(rules.automation.triggers):
        left = (*rules.automation.triggers[:at], *rules.automation.triggers[at + 1 :])
        yield f"trigger {trigger.name}", "", replace(rules, automation=replace(rules.automation, triggers=left))
    for rule in sorted(rules.modes.never_right):
        modes = replace(rules.modes, never_right=rules.modes.never_right - {rule})
        yield f"{rule} is never right", rule, replace(rules, modes=modes)
    for at, protected in enumerate(rules.roles.protected):
        left_over = (*rules.roles.protected[:at], *rules.roles.protected[at + 1 :])
        yield f"protected {protected.paths[0]}", protected.rule, replace(rules, roles=replace(rules.roles, protected=left_over))


def _with_transition(rules: Rules, at: int, row: Any) -> Rules:
    made = (*rules.sessions.transitions[:at], row, *rules.sessions.transitions[at + 1 :])
    return replace(rules, sessions=replace(rules.sessions, transitions=made))


_PURE = [row for row in ROWS.values() if row.kind != "story"]
_WITHOUT = {what: (rule, rules) for what, rule, rules in _without(shipped())}


@pytest.mark.parametrize("what", _WITHOUT)
def test_every_row_of_the_tables_is_needed(what: str) -> None:
    """Taken out, some fixture comes out otherwise; where the row stands for a rule, one of that rule."""
    rule, rules = _WITHOUT[what]
    concerned = [row for row in _PURE if not rule or rule in row.rules]
    assert any(_fails(row, rules) for row in concerned), f"no fixture of {rule or 'any rule'} needs it"


@pytest.mark.parametrize("check", gate.CHECKS, ids=lambda check: check.__name__.strip("_"))
def test_every_check_of_the_gate_is_needed(check: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "CHECKS", tuple(one for one in gate.CHECKS if one is not check))
    assert any(_fails(row, shipped()) for row in _PURE if row.kind == "call")


def _fails(row: Row, rules: Rules) -> bool:
    return bool(differences(row.told["expect"], outcome(row, rules)))
