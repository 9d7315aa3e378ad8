"""Every rule of the seeds with the fixture that shows it and what came out. Exit code 1: a rule has none, or one came out otherwise."""

from __future__ import annotations

import sys
from collections import defaultdict

from tests.governance.rows import REQUIRED, Row, differences, outcome, rows, shipped


def main() -> int:
    rules = shipped()
    shown: dict[str, list[Row]] = defaultdict(list)
    found: dict[str, list[str]] = {}
    for row in rows():
        found[row.name] = differences(row.told["expect"], outcome(row, rules))
        for rule in row.rules:
            shown[rule].append(row)
    wrong = 0
    print(f"{'rule':30}{'fixture':16}{'result':9}shows")
    for rule in (*REQUIRED, *sorted(shown.keys() - set(REQUIRED))):
        if rule not in shown:
            wrong += 1
            print(f"{rule:30}{'none':16}{'MISSING':9}")
        for row in shown.get(rule, ()):
            wrong += bool(found[row.name])
            live = f" [left to the running agent: {row.told['live']}]" if "live" in row.told else ""
            print(f"{rule:30}{row.name:16}{'OTHERWISE' if found[row.name] else 'as told':9}{row.told['shows']}{live}")
            for difference in found[row.name]:
                print(f"{'':30}{difference}")
    print(f"\n{len(shown)} rules, {len(REQUIRED)} of them of the seeds; {len(found)} fixtures; {wrong} missing or otherwise")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
