"""A tree that never rests: files written, renamed, deleted, folders moved, branches switched. It does not grow."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import threading
from pathlib import Path

_SLOTS = 60  # files there may be; each is written anew, never longer and longer
_PAUSE = 1.0  # seconds between two changes, on the average
_SWITCH = 30  # changes between two branch switches


class Churn(threading.Thread):
    """Works below ``shop``, ``docs-of-shop`` and the ignore file of a project, until told to stop."""

    def __init__(self, tree: Path, seed: int, stop: threading.Event) -> None:
        super().__init__(name="churn", daemon=True)
        self._tree, self._over, self._chance = tree, stop, random.Random(seed)
        self._git = ["git", "-C", str(tree), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0"]
        self.changes = 0
        self.fault = ""
        for number in range(_SLOTS // 2):
            self._write(number)
        for words in (["init", "-q", "-b", "one"], ["add", "-A"], ["commit", "-qm", "one"], ["branch", "two"]):
            subprocess.run([*self._git, *words], check=True, capture_output=True)

    def run(self) -> None:
        try:
            while not self._over.wait(self._chance.expovariate(1 / _PAUSE)):
                for _ in range(self._chance.choice([1, 1, 1, 5])):
                    self._change()
        except Exception as error:
            self.fault = f"the tree could not be changed: {type(error).__name__}: {error}"

    def _change(self) -> None:
        self.changes += 1
        if self.changes % _SWITCH == 0:
            self._switch()
            return
        number, other = self._chance.randrange(_SLOTS), self._chance.randrange(_SLOTS)
        match self._chance.choice(["write", "write", "write", "rename", "delete", "folder", "document", "ignore"]):
            case "rename" if self._file(number).exists():
                self._file(other).parent.mkdir(parents=True, exist_ok=True)
                os.replace(self._file(number), self._file(other))
            case "delete":
                self._file(number).unlink(missing_ok=True)
            case "folder":
                self._move_a_folder()
            case "document":
                text = f"# Page {number}\n\nSee `shop/m{other}.py` and [that]({other}.md).\n"
                (self._tree / "docs-of-shop").mkdir(exist_ok=True)
                (self._tree / "docs-of-shop" / f"{number % 10}.md").write_text(text)
            case "ignore" if self.changes % 5 == 0:
                (self._tree / ".gitignore").write_text(f".idumb/\nm{number % 6}?.py\n")
            case _:
                self._write(number)

    def _write(self, number: int) -> None:
        used, lines = self._chance.randrange(_SLOTS), self._chance.randrange(2, 40)
        body = "".join(
            f"def f{line}(a, b={self._chance.randrange(99)}):\n    # TODO: see {used}\n    return f(a + b)\n\n\n"
            for line in range(lines)
        )
        self._file(number).parent.mkdir(parents=True, exist_ok=True)
        self._file(number).write_text(f'"""Module {number}."""\n\nfrom shop.m{used} import f\n\n\n{body}')

    def _file(self, number: int) -> Path:
        return self._tree / "shop" / f"m{number}.py"

    def _move_a_folder(self) -> None:
        old, new = (self._tree / f"pack{self._chance.randrange(3)}" for _ in range(2))
        if old.exists() and not new.exists():
            os.replace(old, new)
        elif old.exists():
            shutil.rmtree(old)
        else:
            (old / "deep" / "er").mkdir(parents=True)
            (old / "deep" / "er" / "a.py").write_text("from shop import m1\n")

    def _switch(self) -> None:
        """As people do: what is there is committed, then the other branch."""
        subprocess.run([*self._git, "add", "-A"], check=True, capture_output=True)
        subprocess.run([*self._git, "commit", "-qm", f"After {self.changes} changes"], capture_output=True)
        subprocess.run([*self._git, "checkout", "-q", self._chance.choice(["one", "two"])], check=True, capture_output=True)
