"""How well ``brain query`` finds what was said: LoCoMo's questions, asked of a fresh brain that remembers one conversation.

    python -m tests.bench.locomo FILE [--conversations N]      FILE: locomo10.json, or a git repository that has data/locomo10.json
                                                               (default: $LOCOMO)

Each session is an entry (its title says who spoke and when), each turn an entry below it (who, when; what was said and the caption
of the picture shown), related to the turn before it. They are written by the functions that ``brain write`` uses, and nothing in
them ages. A question is asked as it stands; 200 entries are taken, best first. The first ten distinct sessions among them (a turn
stands for its session) are compared with the sessions of the evidence turns, the first ten turns with those turns themselves. Recall
is the part that is found, averaged over all questions that have evidence; ``any`` counts a question that finds one. Evidence that
names no turn of the conversation counts as not found.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from idumb_brain.model.knowledge import Entry
from idumb_brain.operations import recalling
from idumb_brain.store import knowledge
from idumb_brain.store import recall as store
from idumb_brain.store.brain import Brain, opened, writing

NOW = "2026-01-01T00:00:00Z"
FIRST, TAKEN, BAR = 10, 200, 0.94
CATEGORIES = {1: "several places", 2: "when", 3: "inference", 4: "one place", 5: "misleading"}
Rank = Callable[[Brain, str], Sequence[str]]


@dataclass(frozen=True)
class Conversation:
    sessions: tuple[Entry, ...]
    turns: tuple[Entry, ...]
    questions: tuple[tuple[str, int, frozenset[str]], ...]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", type=Path, nargs="?", default=os.environ.get("LOCOMO"))
    options.add_argument("--conversations", type=int, default=10)
    given = options.parse_args()
    if given.file is None:
        options.error("where is LoCoMo? give a file or a repository, or set LOCOMO")
    conversations = [conversation(one) for one in read(Path(given.file))[: given.conversations]]
    sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0] * 4)
    times: dict[str, list[float]] = defaultdict(list)
    for one in conversations:
        with tempfile.TemporaryDirectory() as folder, opened(Path(folder, "brain.db"), NOW, make=True) as brain:
            write(brain, one)
            for text, category, evidence in one.questions:
                answers = {
                    name: timed(times[name], lambda rank=rank, text=text: rank(brain, text)) for name, rank in RANKS.items()
                }
                for k in (1, 60):
                    answers[f"fused with plain, RRF k={k}"] = fused(answers["plain FTS5, OR"], answers["recall"], k)
                several = "several sessions" if len({turn.split(":")[0] for turn in evidence}) > 1 else "one session"
                for name, found in answers.items():
                    scores = (1.0, *measured(found, evidence))
                    for group in ("all", CATEGORIES[category], several):
                        sums[name, group] = [a + b for a, b in zip(sums[name, group], scores, strict=True)]
    print(__doc__)
    total = len(conversations), sum(len(one.sessions) for one in conversations), sum(len(one.questions) for one in conversations)
    print("{} conversations, {} sessions, {:,} questions with evidence\n".format(*total))
    groups = ["all", "one session", "several sessions", *CATEGORIES.values()]
    for what, place in ((f"session recall@{FIRST}", 1), (f"any session@{FIRST}", 2), (f"turn recall@{FIRST}", 3)):
        print(f"{what:<28}" + "".join(f"{group:>18}" for group in groups))
        for name in dict.fromkeys(name for name, _ in sums):
            shares = [sums[name, group][place] / sums[name, group][0] if sums[name, group][0] else 0.0 for group in groups]
            print(f"  {name:<26}" + "".join(f"{share:18.4f}" for share in shares))
    for name, taken in times.items():
        print(
            f"{name:<28} p50 {1000 * sorted(taken)[len(taken) // 2]:.1f} ms, p95 {1000 * sorted(taken)[int(len(taken) * 0.95)]:.1f} ms"
        )
    reached = sums["recall", "all"][1] / sums["recall", "all"][0]
    print(f"\nsession recall@{FIRST} {reached:.4f}, the bar is {BAR}: {'passed' if reached >= BAR else 'MISSED'}")
    raise SystemExit(reached < BAR)


def read(file: Path) -> list[dict[str, Any]]:
    if file.is_file():
        return list(json.loads(file.read_text("utf-8")))
    shown = subprocess.run(["git", "-C", str(file), "show", "HEAD:data/locomo10.json"], check=True, capture_output=True)
    return list(json.loads(shown.stdout))


def conversation(told: dict[str, Any]) -> Conversation:
    said = told["conversation"]
    sessions: list[Entry] = []
    turns: list[Entry] = []
    numbers = sorted(int(found[1]) for key in said if (found := re.fullmatch(r"session_(\d+)", key)) and said[key])
    for number in numbers:
        when = datetime.strptime(said[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        day = f"{when.day} {when:%B %Y}"
        sessions.append(entry(f"D{number}", f"{said['speaker_a']} and {said['speaker_b']}, {day}", "", when))
        before = ""
        for turn in said[f"session_{number}"]:
            picture = f"\nshows a picture: {turn['blip_caption']}" if turn.get("blip_caption") else ""
            made = entry(turn["dia_id"], f"{turn['speaker']}, {day}", turn["text"] + picture, when, f"D{number}", before)
            turns.append(made)
            before = made.id
    asked = [
        (one["question"], one["category"], frozenset(re.findall(r"D\d+:\d+", " ".join(one["evidence"]))))
        for one in told["qa"]
        if one["evidence"]
    ]
    return Conversation(tuple(sessions), tuple(turns), tuple(asked))


def entry(id: str, title: str, content: str, when: datetime, parent: str = "", before: str = "") -> Entry:
    at = f"{when:%Y-%m-%dT%H:%M:%SZ}"
    return Entry(
        id, "codebase-fact", title, content, parent=parent, related=(before,) if before else (),
        created_at=at, modified_at=at, valid_from=at,
    )  # fmt: skip


def write(brain: Brain, one: Conversation) -> None:
    with writing(brain):
        for made in (*one.sessions, *one.turns):
            knowledge.add_entry(brain, made, "manual")


def ids(brain: Brain, text: str, *, follow: bool = True) -> list[str]:
    return [one.entry.id for one in recalling.recall(brain, text, limit=TAKEN, follow=follow)]


def plain(brain: Brain, text: str) -> list[str]:
    """What a memory on FTS5 does: all words of the question, joined by OR, ranked by BM25."""
    found = store.ranked(brain, re.findall(r"[^\W_]+", text), TAKEN)
    cards = {card.number: card.id for card in store.cards(brain, numbers=[*found])}
    return [cards[number] for number in found]


RANKS: dict[str, Rank] = {
    "plain FTS5, OR": plain,
    "recall, graph off": lambda brain, text: ids(brain, text, follow=False),
    "recall": ids,
}


def timed(times: list[float], rank: Callable[[], Sequence[str]]) -> Sequence[str]:
    start = time.perf_counter()
    found = rank()
    times.append(time.perf_counter() - start)
    return found


def fused(one: Sequence[str], other: Sequence[str], k: int) -> list[str]:
    scores: dict[str, float] = defaultdict(float)
    for found in (one, other):
        for place, id in enumerate(found, 1):
            scores[id] += 1 / (k + place)
    return sorted(scores, key=lambda id: (-scores[id], id))


def measured(found: Sequence[str], evidence: frozenset[str]) -> tuple[float, float, float]:
    sessions = frozenset(turn.split(":")[0] for turn in evidence)
    first = set(first_distinct(id.split(":")[0] for id in found))
    turns = set(first_distinct(id for id in found if ":" in id))
    return len(sessions & first) / len(sessions), float(bool(sessions & first)), len(evidence & turns) / len(evidence)


def first_distinct(ids: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(ids))[:FIRST]


if __name__ == "__main__":
    main()
