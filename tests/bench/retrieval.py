"""How well questions find the files they are about, beside BM25; what each signal brings; how long an answer takes.

    python -m tests.bench.retrieval [--bench FOLDER] [--data dev.jsonl …] [--per-repo] [--ablation] [--big TREE]

The data, the trees (``$LOCBENCH_TREES``, laid out by the bench's own ``materialise.py --git``) and the way of scoring are
the bench's: nothing of it is kept here. A tree without an index is scanned first. Tests, examples and documents are struck
from every list before it is scored, so that a ranking is neither paid nor punished for showing them.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import NotScanned
from idumb_brain.operations.project import find_project
from idumb_brain.operations.scanning import scan
from idumb_brain.operations.searching import Searcher
from idumb_brain.select.ranking import WEIGHTS, blend
from tests.accuracy.trees import Unobtainable
from tests.bench.rows import Row, at_least, at_most
from tests.conftest import REPOSITORY

Ranking = list[str]
_COLD, _WARM = 7, 60
_BENCH = os.environ.get("LOCBENCH") or str(REPOSITORY.parent / "shared" / "bench")
BARS = {
    "dev.jsonl": {"R@5": 0.80, "R@10": 0.89, "MRR": 0.78},
    "issues_dev.jsonl": {"R@5": 0.78, "R@10": 0.88, "MRR": 0.65},
}


@dataclass
class Run:
    """The rankings of one way to rank, by question."""

    rankings: dict[str, Ranking] = field(default_factory=dict)
    milliseconds: list[float] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", metavar="FOLDER", default=_BENCH, help=f"where the bench lies ({_BENCH})")
    parser.add_argument("--data", nargs="+", default=["dev.jsonl", "issues_dev.jsonl"], help="its questions")
    parser.add_argument("--per-repo", action="store_true", help="a line for every repository")
    parser.add_argument("--ablation", action="store_true", help="each signal left out, and alone")
    parser.add_argument("--no-baseline", action="store_true", help="without BM25")
    parser.add_argument("--big", metavar="TREE", help="only how long answers take on this tree")
    options = parser.parse_args()
    bench = Path(options.bench)
    sys.path[:0] = [str(bench), str(bench / "baselines")]
    for name in options.data:
        file = Path(name) if Path(name).is_file() else bench / name
        questions = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
        if options.big:
            _latency(options.big, questions)
            continue
        print(f"{file.name}: {len(questions)} questions")
        _table(questions, dict(_runs(questions, options.ablation, not options.no_baseline)), options.per_repo)
    return 0


def figures(bench: Path | None = None) -> Iterator[Row]:
    """What the table of all figures says of it."""
    bench = bench or Path(_BENCH)
    if not (bench / "score.py").is_file():
        raise Unobtainable(f"there is no benchmark at {bench}: set LOCBENCH and LOCBENCH_TREES")
    sys.path[:0] = [str(bench), str(bench / "baselines")]
    for name, bars in BARS.items():
        questions = [json.loads(line) for line in (bench / name).read_text("utf-8").splitlines() if line.strip()]
        runs = dict(_runs(questions, ablation=False, baseline=True))
        ours, other = (_scored(questions, runs[who]) for who in ("query", "BM25"))
        for metric, bar in bars.items():
            what = f"query: {metric} of {len(questions)} questions, {Path(name).stem}"
            yield at_least(what, ours[metric], bar, other=f"BM25 {other[metric]:.3f}")
        yield at_most(f"query: mean, {Path(name).stem}", statistics.mean(runs["query"].milliseconds), 60, "ms")


def _scored(questions: Sequence[dict[str, Any]], run: Run) -> dict[str, float]:
    score = import_module("score")
    results = {one: {"id": one, "ranked": ranking[:200]} for one, ranking in run.rankings.items()}
    return dict(zip(score.METRICS, score.macro(score.evaluate(questions, results), "src"), strict=True))


def _runs(questions: Sequence[dict[str, Any]], ablation: bool, baseline: bool) -> Iterator[tuple[str, Run]]:
    runs: dict[str, Run] = defaultdict(Run)
    for tree, asked in _by_tree(questions).items():
        root = import_module("common").repo_dir(tree)
        _ensure_scanned(root)
        if baseline:
            _baseline(runs["BM25"], tree, asked)
        with Searcher(find_project(root)) as searcher:
            searcher.find(asked[0]["query"])  # brings the store up to date
            for question in asked:
                began = time.perf_counter()
                searcher.find(question["query"])
                runs["query"].milliseconds.append(1000 * (time.perf_counter() - began))
                evidence = searcher.evidence(question["query"])
                for name, weights in _weightings(ablation):
                    total = blend(evidence.signals, weights)
                    found = sorted(total, key=lambda one: (-total[one], evidence.paths.get(one, "")))
                    runs[name].rankings[question["id"]] = [evidence.paths[one] for one in found if one in evidence.paths]
    yield from runs.items()


def _weightings(ablation: bool) -> list[tuple[str, Mapping[str, float]]]:
    """The product's weights, and for each signal those without it and it alone."""
    rows: list[tuple[str, Mapping[str, float]]] = [("query", WEIGHTS)]
    if ablation:
        rows += [(f"without {name}", WEIGHTS | {name: 0.0}) for name in WEIGHTS]
        rows += [(f"{name} alone", {name: 1.0}) for name in WEIGHTS]
    return rows


def _baseline(run: Run, tree: str, asked: Sequence[dict[str, Any]]) -> None:
    """The bench's BM25: identifiers split, words of the path four times, of the first line three times."""
    common, bm25 = import_module("common"), import_module("bm25")
    files = common.list_files(tree, ("src", "aux"))
    counted = []
    for file in files:
        words = Counter(common.tokens(common.read(tree, file)))
        for word in common.tokens(file):
            words[word] += 4
        counted.append(words)
    index = bm25.BM25(counted)
    for question in asked:
        began = time.perf_counter()
        text = question["query"]
        scores = index.scores(common.tokens(text) + 2 * common.tokens(text.partition("\n")[0]))
        run.rankings[question["id"]] = [files[one] for one in sorted(scores, key=lambda one: (-scores[one], files[one]))]
        run.milliseconds.append(1000 * (time.perf_counter() - began))


def _table(questions: Sequence[dict[str, Any]], runs: Mapping[str, Run], per_repo: bool) -> None:
    score = import_module("score")
    print(f"{'':26}{'R@5':>7}{'R@10':>7}{'MRR':>7}{'ms':>8}{'p95':>7}")
    for name in sorted(runs, key=lambda one: ("alone" in one, "without" in one, one)):
        run = runs[name]
        results = {one: {"id": one, "ranked": ranking[:200]} for one, ranking in run.rankings.items()}
        rows = score.evaluate(questions, results)
        told = dict(zip(score.METRICS, score.macro(rows, "src"), strict=True))
        spent = f"{statistics.mean(run.milliseconds):8.1f}{_p95(run.milliseconds):7.1f}" if run.milliseconds else ""
        print(f"{name:26}{told['R@5']:7.3f}{told['R@10']:7.3f}{told['MRR']:7.3f}{spent}", flush=True)
        if per_repo and name in ("query", "BM25"):
            for repository in sorted({row["repo"] for row in rows}):
                mine = score.macro([row for row in rows if row["repo"] == repository], "src")
                told = dict(zip(score.METRICS, mine, strict=True))
                print(f"  {repository:24}{told['R@5']:7.3f}{told['R@10']:7.3f}{told['MRR']:7.3f}")


def _latency(tree: str, questions: Sequence[dict[str, Any]]) -> None:
    """Warm: a process that lives. Cold: the command line, from its start to its end."""
    _ensure_scanned(tree)
    texts = [question["query"] for question in questions[:: max(1, len(questions) // _WARM)]]
    with Searcher(find_project(tree)) as searcher:
        searcher.find(texts[0])
        warm = [_timed(lambda text=text: searcher.find(text)) for text in texts]
    command = [sys.executable, "-m", "idumb_brain", "--root", tree, "--json", "query"]
    environ = dict(os.environ, PYTHONPATH=str(REPOSITORY))
    cold = [
        _timed(lambda text=text: subprocess.run([*command, text], env=environ, stdout=subprocess.DEVNULL, check=True))
        for text in texts[:_COLD]
    ]
    print(f"{Path(tree).name}: warm median {statistics.median(warm):.0f} ms, p95 {_p95(warm):.0f} ms; "
          f"cold command line median {statistics.median(cold):.0f} ms, best {min(cold):.0f} ms")  # fmt: skip


def _timed(run: Callable[[], Any]) -> float:
    began = time.perf_counter()
    run()
    return 1000 * (time.perf_counter() - began)


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def _by_tree(questions: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for question in questions:
        found[question.get("tree", question["repo"])].append(question)
    return found


def _ensure_scanned(root: str) -> None:
    try:
        with find_project(root).reading():
            pass
    except NotScanned:
        scan(root)


if __name__ == "__main__":
    sys.exit(main())
