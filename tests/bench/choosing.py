"""How long choosing takes, in processor time: ``python -m tests.bench.choosing``. Prints a table; judges nothing."""

from __future__ import annotations

import random
import sys
from statistics import median
from time import process_time

from idumb_brain.model.selection import Budget, Candidate, Score
from idumb_brain.select.alike import near_duplicates
from idumb_brain.select.budget import tokens
from idumb_brain.select.fill import fill

_SYLLABLES = ("lo", "an", "shel", "rea", "der", "bor", "ti", "tle", "re", "turn", "ne", "ver", "li", "bra", "ry", "in", "dex")
_WORDS = [first + second for first in _SYLLABLES for second in _SYLLABLES]


def candidates(number: int) -> list[Candidate]:
    chance = random.Random(1)

    def text(words: int) -> str:
        return " ".join(chance.choices(_WORDS, k=words)) + f" {chance.randrange(10**6)}"

    return [
        Candidate(
            "entry", f"e{at}", Score(chance.random() * 100), (text(10), text(60)), at % 500 == 0, f"g{at % 50}", f"s{at % 4}"
        )
        for at in range(number)
    ]  # fmt: skip


def main() -> int:
    print("candidates  budget          ms  chosen")
    for number in (100, 1_000, 10_000):
        given = candidates(number)
        for budget in (Budget(2_000), Budget(8_000), Budget(tokens=2_000), Budget(32_000, 8_000)):
            taken = []
            for _ in range(5):
                start = process_time()
                made = fill(given, budget)
                taken.append(process_time() - start)
            told = f"{budget.chars or '':>6} {budget.tokens or '':>6}"
            print(f"{number:10,}  {told}  {1000 * median(taken):6.1f}  {len(made.chosen):6}")
    texts = [one.forms[1] for one in candidates(10_000)]
    start = process_time()
    found = len(list(near_duplicates(texts)))
    print(f"near-duplicates of 10,000 texts: {process_time() - start:.1f} s, {found} pairs")
    whole = "\n".join(texts)
    start = process_time()
    tokens(whole)
    print(f"estimating tokens: {len(whole) / 1e6 / (process_time() - start):.1f} MB/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
