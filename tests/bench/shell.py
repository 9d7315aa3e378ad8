"""What judging a command line costs: every line of the corpus, warm. Prints a table."""

from __future__ import annotations

import time

from tests.govern.corpus import judged, lines

ROUNDS = 5


def main() -> None:
    print(f"{'corpus':<12} {'lines':>6} {'p50 ms':>8} {'p95 ms':>8} {'max ms':>8}")
    for name in ("destructive", "harmless"):
        found = lines(name)
        for line in found:
            judged(line)
        taken = sorted(min(_timed(line) for _ in range(ROUNDS)) for line in found)
        p50, p95 = taken[len(taken) // 2], taken[int(len(taken) * 0.95)]
        print(f"{name:<12} {len(found):>6} {p50:>8.2f} {p95:>8.2f} {taken[-1]:>8.2f}")


def _timed(line: str) -> float:
    began = time.perf_counter()
    judged(line)
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
