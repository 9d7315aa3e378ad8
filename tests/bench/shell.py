"""How right and how fast command lines are judged: every line of both parts of the corpus, warm. Prints a table.

``wrong`` counts destructive lines that were allowed and harmless ones that were refused; ``--lines`` prints them.
"""

from __future__ import annotations

import sys
import time

from tests.govern.corpus import PARTS, judged, lines

ROUNDS = 5


def main() -> None:
    print(f"{'corpus':<22} {'lines':>6} {'wrong':>6} {'%':>6} {'p50 ms':>8} {'p95 ms':>8} {'max ms':>8}")
    for part in PARTS:
        for name in ("destructive", "harmless"):
            found = lines(name, part)
            wrong = [line for line in found if judged(line).destructive != (name == "destructive")]
            taken = sorted(min(_timed(line) for _ in range(ROUNDS)) for line in found)
            p50, p95 = taken[len(taken) // 2], taken[int(len(taken) * 0.95)]
            share = len(wrong) / len(found) * 100
            label = f"{part} {name}"
            print(f"{label:<22} {len(found):>6} {len(wrong):>6} {share:>6.2f} {p50:>8.2f} {p95:>8.2f} {taken[-1]:>8.2f}")
            if "--lines" in sys.argv:
                print(*(f"  {line}" for line in wrong), sep="\n")


def _timed(line: str) -> float:
    began = time.perf_counter()
    judged(line)
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
