"""Which tasks a text is about: by its words, and by the files that came of them. Pure; tasks that were put away are not given to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

from idumb_brain.model.selection import TASK, Hit, Score
from idumb_brain.model.work import Task
from idumb_brain.scan.lexing import words

_NAME = 2.0  # a word in the name of a task, against one in what is expected of it
_PRODUCED = 1.5  # a file that came of it is among those found, the best of them first
_ACTIVE = 1.3  # somebody is at it
_SAID = 4  # words and files told as a reason
_LEAST = 0.35  # of the best score there could be; a task that shares a stray word is none of this


def ranked_tasks(
    wanted: Mapping[str, float], spelled: Mapping[str, str], tasks: Sequence[Task], files: Sequence[str], limit: int
) -> list[Hit]:
    """``wanted``: search words and what each weighs. ``files``: what was found, the best first."""
    said = {task.id: (frozenset(words(task.name)), frozenset(words(task.expected_output))) for task in tasks}
    common = Counter(word for name, expected in said.values() for word in name | expected)
    worth = {word: weight * log(1 + len(tasks) / (0.5 + common[word])) for word, weight in wanted.items() if common[word]}
    best_words = sum(sorted(worth.values(), reverse=True)[:_SAID]) * _NAME
    found = []
    for task in tasks:
        name, expected = said[task.id]
        matched = {word: worth[word] * (_NAME if word in name else 1.0) for word in worth if word in name or word in expected}
        produced = [path for path in files if path in task.artifacts]
        value = sum(matched.values()) / best_words if best_words else 0.0
        value += sum(_PRODUCED / (2 + files.index(path)) for path in produced)
        if value >= _LEAST:
            value *= _ACTIVE if task.state == "active" else 1.0
            found.append(
                Hit(TASK, task.id, Score(round(min(value, 1.0), 4), _reasons(task, matched, spelled, produced)), title=task.name)
            )
    return sorted(found, key=lambda hit: (-hit.score.value, hit.id))[:limit]


def _reasons(task: Task, matched: Mapping[str, float], spelled: Mapping[str, str], produced: Sequence[str]) -> tuple[str, ...]:
    told = sorted(matched, key=lambda word: (-matched[word], word))[:_SAID]
    return (
        *([f"says {', '.join(spelled.get(word, word) for word in told)}"] if told else []),
        *([f"produced {', '.join(produced[:_SAID])}"] if produced else []),
        *(["somebody is at it"] if task.state == "active" else []),
    )
