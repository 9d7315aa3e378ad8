"""A decision as whoever called is told of it: what, why, what to do instead, what it rests on. Decides nothing.

What is said in it comes from calls, tasks and files, so every line is quoted. What the rules say is told in the
language of the project.
"""

from __future__ import annotations

from collections.abc import Iterator

from idumb_brain.model.governance import ALLOW, Decision
from idumb_brain.model.selection import Budget, Candidate, Score
from idumb_brain.render.blocks import BLOCKED, WARNED, block
from idumb_brain.render.quoting import MARK, inline
from idumb_brain.render.translated import in_language
from idumb_brain.select.fill import fill

LONGEST = 1_600
_WORTH = {"what": 100.0, "instead": 99.0, "why": 98.0}
_EVIDENCE = 60.0


def block_message(decision: Decision, language: str, budget: int = LONGEST) -> str:
    """The whole text, in the language of the project; nothing for what is simply allowed."""
    if decision.decision == ALLOW:
        return ""
    frame = block(BLOCKED if decision.blocks else WARNED, language)
    return fill(_parts(decision, language), Budget(budget), frame.layout).text


def _parts(decision: Decision, language: str) -> Iterator[Candidate]:
    for section, worth in _WORTH.items():
        if text := inline(in_language(getattr(decision, section), language)):
            yield Candidate(
                "decision", section, Score(worth), (MARK + text,), must=True, section=section, says=f"{section} {text}"
            )
    told = (*decision.evidence, *([f"rule {decision.rule}"] if decision.rule else []))
    for number, line in enumerate(told):
        if text := inline(line):
            indent = " " * (len(line) - len(line.lstrip()))  # of a task below its plan
            yield Candidate(
                "decision", f"evidence {number:03}", Score(_EVIDENCE - number / 1000), (MARK + indent + text,), section="evidence",
                says=f"evidence {number} {text}",
            )  # fmt: skip
