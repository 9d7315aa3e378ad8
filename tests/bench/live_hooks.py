"""What hooks cost as OpenCode sees them: ``python -m tests.bench.live_hooks [--files N] [--rounds N]``: a table, from inside its process.

The real OpenCode works through a script of reads, writes, commands and questions on a project of many files. A plugin beside ours hands
everything on to ours and notes how long each hook kept the agent waiting, from its call until its changes were in place.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.bench.hooks import made
from tests.live.model import Model, Step, say, use
from tests.live.opencode import OpenCode

PROMPTS = ("Where are the days of a work counted?", "Change what the first works cost", "And now check it all again, please")
# Stands in for our plugin, which lies where OpenCode does not look.
_TIMED = """
import { appendFileSync } from "node:fs"
import { IdumbBrain } from "./timed/idumb-brain.js"

let after = "a prompt"
const note = (name, since) => appendFileSync(process.env.IDUMB_TIMES, JSON.stringify([name, performance.now() - since]) + "\\n")
const NAMES = {
  event: ({ event }) => `event ${event.type}`,
  "tool.execute.before": (input) => `tool.execute.before ${input.tool}`,
  "tool.execute.after": (input) => `tool.execute.after ${(after = input.tool)}`,
  "chat.message": () => ((after = "a prompt"), "chat.message"),
  "experimental.chat.system.transform": () => `experimental.chat.system.transform after ${after}`,
}

export const Timed = async (context) => {
  const began = performance.now()
  const hooks = await IdumbBrain(context)
  note("plugin start", began)
  for (const [name, hook] of Object.entries(hooks)) {
    if (typeof hook !== "function") continue
    hooks[name] = async (input, output) => {
      const told = NAMES[name]?.(input) ?? name
      const since = performance.now()
      try {
        return await hook(input, output)
      } finally {
        note(told, since)
      }
    }
  }
  return hooks
}
"""


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--files", type=int, default=3_000)
    words.add_argument("--rounds", type=int, default=20)
    given = words.parse_args()
    print(f"{'hook':58} {'count':>6} {'p50':>7} {'p95':>7} {'max':>7}   ms")
    for name, times in measured(given.files, given.rounds).items():
        print(f"{name:58} {len(times):6} {statistics.median(times):7.2f} {p95(times):7.2f} {times[-1]:7.2f}")


def measured(files: int = 3_000, rounds: int = 20) -> dict[str, list[float]]:
    """Milliseconds that OpenCode waited, by hook, the shortest first."""
    with tempfile.TemporaryDirectory() as folder:
        source = made(Path(folder) / "source", files)
        (source / "notes.md").write_text("A line of a long document that the agent reads as a whole.\n" * 1_500)
        taken = defaultdict(list)
        for name, milliseconds in _worked(Path(folder) / "live", source, rounds):
            taken[name].append(milliseconds)
    return {name: sorted(taken[name]) for name in sorted(taken)}


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]


def _worked(folder: Path, source: Path, rounds: int) -> Iterator[tuple[str, float]]:
    times = folder / "times.jsonl"
    with Model({"": list(_script(rounds))}) as model:
        project = OpenCode(folder, model, source=source, environ={"IDUMB_TIMES": str(times)})
        plugins = project.root / ".opencode" / "plugin"
        (plugins / "timed").mkdir()
        (plugins / "idumb-brain.js").rename(plugins / "timed" / "idumb-brain.js")
        (plugins / "timed.js").write_text(_TIMED)
        plan = project.ask("plan.create", name="Works", acceptance=["every work is counted"])["id"]
        task = project.ask("plan.add", plan=plan, name="What work_7 costs", expected="work_7 counts days in part_0/file_7.py")[
            "id"
        ]
        project.ask("task.start", task=task)
        project.ask("anchor.add", type="decision", priority="high", content="Days are whole: never count half of one.")
        project.ask(
            "brain.write",
            type="convention",
            title="Works are counted in days",
            content="work_N(days)",
            evidence=["part_0/file_7.py"],
        )
        with project.serving() as server:
            session = server.session()
            for prompt in PROMPTS:
                server.prompt(session, prompt, seconds=300)
        assert not project.log, project.log
    for line in times.read_text().splitlines():
        name, milliseconds = json.loads(line)
        if not name.startswith("event ") or name.split(" ")[1] in _TOLD:
            yield name, milliseconds


_TOLD = ("session.created", "session.idle", "session.compacted", "session.error")  # of the events; others are not handed on


def _script(rounds: int) -> Iterator[Step]:
    for _ in PROMPTS:
        for number in range(rounds):
            file = f"part_0/file_{number}.py"
            yield use("read", filePath=file)
            yield use("write", filePath=file, content=f"def work_{number}(days: int) -> int:\n    return days * {number + 1}\n")
            yield use(
                "bash",
                command=f"python3 -m pytest part_0 # {number}" if number % 2 else "git status --short",
                description="looks",
            )
            yield use("idumb_codemap", action="find", text=f"what {number} days of work cost")
            if number % 5 == 0:
                yield use("read", filePath="notes.md")
        yield say("So far.")


if __name__ == "__main__":
    main()
