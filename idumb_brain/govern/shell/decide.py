"""A judgement of a command line as a decision, and as something worth a checkpoint. Looks at nothing but the judgement."""

from __future__ import annotations

from idumb_brain.model.governance import Decision
from idumb_brain.model.shell import Judgement

_SIGNIFICANT = ("vcs", "test", "build", "package")  # the most telling first


def decision(judgement: Judgement) -> Decision:
    worst = [part for part in judgement.parts if part.destructive]
    doubtful = [part for part in judgement.parts if part.doubtful]
    evidence = tuple(f"{part.command}: {part.why}" for part in worst or doubtful)
    if worst:
        notes = tuple(f"note: {problem}" for problem in judgement.problems)
        return Decision.block(f"refused: {worst[0].command}", worst[0].why, worst[0].instead, (*evidence, *notes))
    if doubtful:
        return Decision.warn(f"allowed, with a warning: {doubtful[0].command}", doubtful[0].why, doubtful[0].instead, evidence)
    if judgement.problems:
        return Decision.warn("allowed, though not all of it was understood", "; ".join(judgement.problems))
    return Decision.allow(f"allowed: {judgement.kind}")


def significance(judgement: Judgement) -> str | None:
    """What of build, test, version control and packages a line did; nothing where it only looked."""
    kinds = {part.kind for part in judgement.parts}
    return next((kind for kind in _SIGNIFICANT if kind in kinds), None)
