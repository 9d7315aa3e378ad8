"""How the page behaves in a real Chromium: ``python -m tests.bench.page [--nodes 5000] [--root PROJECT]``.

A project is made up, of packages that mostly import their own files, and scanned; or one is given, which is scanned before.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from idumb_brain.operations.scanning import scan
from tests.view.conftest import browsing, serving

_OF_A_PACKAGE = 40
_IMPORTS = 3
_SECONDS = 3
_AT_HOME = 0.75  # of the imports
# Frames in so many seconds while something moves the drawing in every one of them.
_FRAMES = """([move, seconds]) => new Promise((done) => {
  const canvas = document.querySelector("canvas"), { left, top, width, height } = canvas.getBoundingClientRect();
  const at = (x, y) => ({ clientX: left + x, clientY: top + y, pointerId: 1, bubbles: true, cancelable: true });
  const send = (name, x, y) => canvas.dispatchEvent(new PointerEvent(name, at(x, y)));
  canvas.setPointerCapture = () => {};
  if (move === "pan") send("pointerdown", width / 2, height / 2);
  const begun = performance.now();
  let frames = 0, worst = 0, last = begun;
  const frame = (now) => {
    frames++;
    worst = Math.max(worst, now - last);
    last = now;
    const turn = (now - begun) / 1000;
    if (turn > seconds) {
      if (move === "pan") send("pointerup", width / 2, height / 2);
      return done([frames / turn, worst]);
    }
    if (move === "pan") send("pointermove", width / 2 + 300 * Math.sin(3 * turn), height / 2 + 200 * Math.sin(2 * turn));
    else canvas.dispatchEvent(new WheelEvent("wheel", { ...at(width * 0.4, height * 0.4), deltaY: Math.sin(2 * turn) < 0 ? 40 : -40 }));
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--root", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = arguments.root or made(Path(folder) / "project", arguments.nodes)
        scan(str(root))
        rows = told(measured(root))
    table = Table("what", "measured", box=None, header_style="dim")
    for row in rows:
        table.add_row(*row)
    Console(width=100).print(table)


def made(root: Path, files: int) -> Path:
    chance = random.Random(7)
    names = [f"p{number // _OF_A_PACKAGE:03}.m{number % _OF_A_PACKAGE:02}" for number in range(files)]
    for number, name in enumerate(names):
        first = number - number % _OF_A_PACKAGE
        home = names[first : first + _OF_A_PACKAGE]
        wanted = {chance.choice(home if chance.random() < _AT_HOME else names) for _ in range(_IMPORTS)} - {name}
        path = root / "src" / (name.replace(".", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        body = "".join(f"\n\ndef work_{at}():\n    return {at}\n" for at in range(chance.randrange(40)))
        path.write_text("".join(f"import {one}\n" for one in sorted(wanted)) + body)
    for package in (root / "src").iterdir():
        (package / "__init__.py").touch()
    return root


@dataclass(frozen=True)
class Figures:
    files: int
    imports: float
    paint: float  # this and the next are milliseconds
    first: float
    again: float
    layout: float
    pan: tuple[float, float]  # frames a second, milliseconds of the slowest
    zoom: tuple[float, float]
    assets: list[int]  # bytes
    heap: float
    server: int


def measured(root: Path) -> Figures:
    with serving(root) as served, browsing() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(served.url)
        first = _drawn(page)
        page.reload()
        again = _drawn(page)
        layout = page.evaluate("performance.getEntriesByName('layout')[0].duration")
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        size = page.evaluate(
            "performance.getEntriesByType('resource').filter((one) => /static/.test(one.name)).map((one) => one.encodedBodySize)"
        )
        nodes = page.evaluate(
            "fetch('data/graph').then((answer) => answer.json()).then(({ data }) => [data.files.length, data.edges.length / 2])"
        )
        pan = page.evaluate(_FRAMES, ["pan", _SECONDS])
        zoom = page.evaluate(_FRAMES, ["zoom", _SECONDS])
        heap = page.evaluate("performance.memory.usedJSHeapSize")
        server = int(Path(f"/proc/{served.process.pid}/statm").read_text().split()[1]) * 4096
    return Figures(nodes[0], nodes[1], paint, first, again, layout, tuple(pan), tuple(zoom), size, heap, server)


def told(one: Figures) -> list[tuple[str, str]]:
    return [
        ("files and imports between them", f"{one.files:,} and {one.imports:,}"),
        ("first paint", f"{one.paint:.0f} ms"),
        ("graph drawn, the first time", f"{one.first:.0f} ms"),
        ("graph drawn, again", f"{one.again:.0f} ms"),
        ("of it layout", f"{one.layout:.0f} ms"),
        ("pan", f"{one.pan[0]:.0f} frames a second, the slowest took {one.pan[1]:.0f} ms"),
        ("zoom", f"{one.zoom[0]:.0f} frames a second, the slowest took {one.zoom[1]:.0f} ms"),
        ("assets", f"{sum(one.assets) / 1000:.0f} kB in {len(one.assets)} files"),
        ("memory of the page's scripts", f"{one.heap / 1e6:.0f} MB"),
        ("memory of the server", f"{one.server / 1e6:.0f} MB"),
    ]


def _drawn(page: Any) -> float:
    page.wait_for_function("() => performance.getEntriesByName('drawn').length > 0")
    return float(page.evaluate("performance.getEntriesByName('drawn')[0].startTime"))


if __name__ == "__main__":
    main()
