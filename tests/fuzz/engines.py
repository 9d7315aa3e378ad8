"""Two ways to look for inputs: guided by which code they reach (atheris), or by chance from seeds. Each tells how far it came.

Run as a program with a target's name, seconds and a folder, it is the guided one: libFuzzer ends its process when it is done.
"""

from __future__ import annotations

import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

GUIDED = find_spec("atheris") is not None


def guided(name: str, seconds: float, folder: Path) -> tuple[bool, str]:
    """Whether nothing was found, and what libFuzzer says last."""
    command = [sys.executable, "-m", "tests.fuzz.engines", name, str(int(seconds)), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    lines = done.stderr.strip().splitlines()
    if done.returncode == 0:
        told = next((line for line in reversed(lines) if line.startswith(("#", "Done"))), "")
        return True, " ".join(told.split())
    return False, "\n".join(lines[-40:])


def by_chance(name: str, seconds: float, folder: Path, first: int = 0) -> tuple[bool, str]:
    """The same from seeds, changed by numbers from ``first`` on."""
    import traceback

    from tests.fuzz.mutating import made
    from tests.fuzz.targets import TARGETS

    target = TARGETS[name]
    feed, seeds = target.make(folder), list(target.seeds())
    number, until = first, time.monotonic() + seconds
    while time.monotonic() < until:
        data = made(number, seeds)
        try:
            feed(data)
        except BaseException:
            broken = folder.parent / f"{name}-{number}"
            broken.write_bytes(data)
            return False, f"{traceback.format_exc()}\nthe input is {broken}"
        number += 1
    return True, f"{number - first:,} inputs"


def _run(name: str, seconds: int, folder: Path) -> None:
    import atheris

    with atheris.instrument_imports(include=["idumb_brain"]):
        from tests.fuzz.targets import TARGETS

        target = TARGETS[name]
        feed = target.make(folder)
    corpus = Path(mkdtemp(prefix="corpus-", dir=folder))
    for number, seed in enumerate(target.seeds()):
        (corpus / str(number)).write_bytes(seed)
    options = [
        f"-max_total_time={seconds}",
        "-max_len=20000",
        "-rss_limit_mb=4096",
        "-timeout=60",
        f"-artifact_prefix={folder.parent}/{name}-",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], feed)
    atheris.Fuzz()


if __name__ == "__main__":
    _run(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
