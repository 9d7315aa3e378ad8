"""``python -m tests.fuzz [SECONDS] [TARGET…]``: foreign bytes for every reader of them, so many seconds each; ends with 1 if one broke."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import mkdtemp

from tests.fuzz.engines import GUIDED, by_chance, guided
from tests.fuzz.targets import TARGETS

_SECONDS = 60.0


def main(words: list[str]) -> int:
    seconds = float(words.pop(0)) if words and words[0].replace(".", "").isdigit() else _SECONDS
    if unknown := [name for name in words if name not in TARGETS]:
        print(f"there is no target {unknown[0]}; known are {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    how = (
        "guided by coverage (atheris)" if GUIDED else "by chance from seeds; with atheris it would be guided: pip install atheris"
    )
    print(f"{how}, {seconds:g} s a target", flush=True)
    place = Path(mkdtemp(prefix="fuzz-"))
    found = 0
    for name in words or TARGETS:
        folder = place / name
        folder.mkdir()
        sound, told = (guided if GUIDED else by_chance)(name, seconds, folder)
        found += not sound
        print(f"{name:<10} {'sound ' if sound else 'BROKEN'} {told}", flush=True)
    if found:
        print(f"inputs that break something lie in {place}; a reduced one belongs into fixtures/fuzz/TARGET/")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
