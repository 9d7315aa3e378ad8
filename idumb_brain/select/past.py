"""What the past says of files: commits told in such words, or about the same area; files that change together. Ranks nothing."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from idumb_brain.model.roles import BENCH, BUILT, DOCUMENT, EXAMPLE, FIXTURE, SETTING, TEST
from idumb_brain.select.corpus import Corpus
from idumb_brain.select.evidence import Evidence, Scores, best_of

_LIKE_COMMITS, _NEAREST = 100, 60
_FORGOTTEN = 2_000  # commits after which a vote counts a third
_TOGETHER, _TOGETHER_SHARE, _TOGETHER_LEAST = 20, 1 / 3, 2  # files of a commit that joins them: at most, of all there are
_TOGETHER_LATEST = 150  # commits of a file
_MASS = 30  # sources beyond which a commit says little of each
_OF_AN_AREA = 300
_BESIDE = frozenset({"", TEST, FIXTURE, EXAMPLE, BENCH, DOCUMENT, SETTING, BUILT})  # what goes along with a change


def like_commits(corpus: Corpus, scores: Scores, evidence: Evidence) -> tuple[Scores, Scores]:
    """Commits of the past that were told in such words vote for the files they touched: what all of them say, and the nearest."""
    total: Scores = defaultdict(float)
    nearest: Scores = {}
    last = len(corpus.commit_lengths)
    for place, (commit, score) in enumerate(best_of(scores, _LIKE_COMMITS)):
        files = corpus.files_of_commit.get(commit, ())
        if not files:
            continue
        vote = score**3 / (1 + math.log(len(files))) * math.exp((commit - last) / _FORGOTTEN)
        for file in files:
            total[file] += vote
            evidence.commits.setdefault(file, []).append((score, commit))
        sources = _sources(corpus, commit) if place < _NEAREST else []
        for file in sources:
            nearest[file] = max(nearest.get(file, 0.0), score / math.sqrt(len(sources)))
    return total, nearest


def of_the_area(corpus: Corpus, named: Iterable[str]) -> Scores:
    """Files that commits touched which named the same area in front of their first line; their shares, on a scale of 0 to 1."""
    total: Scores = defaultdict(float)
    last = len(corpus.commit_lengths)
    for area in named:
        for commit in corpus.commits_about(area)[-_OF_AN_AREA:]:
            sources = _sources(corpus, commit)
            for file in sources:
                total[file] += math.exp((commit - last) / _FORGOTTEN) / len(sources)
    whole = sum(total.values())
    return {file: math.sqrt(share / whole) for file, share in total.items()}


def together(corpus: Corpus, start: Scores, evidence: Evidence) -> Scores:
    """Files that past commits touched together with the likely ones. A commit of much of the project, as the first one often is,
    joins nothing; and once is not often: only what was touched together again is told as a reason."""
    total: Scores = defaultdict(float)
    strongest: Scores = {}
    most = max(_TOGETHER_LEAST, min(_TOGETHER, int(corpus.count * _TOGETHER_SHARE)))
    for seed, worth in start.items():
        commits = corpus.commits_of_file.get(seed, [])[-_TOGETHER_LATEST:]
        shared: Scores = defaultdict(float)
        again: set[int] = set()
        for commit in commits:
            files = corpus.files_of_commit[commit]
            if 1 < len(files) <= most:
                share = 1 / math.log2(1 + len(files))
                again.update(shared.keys() & files)
                for file in files:
                    shared[file] += share
        shared.pop(seed, None)
        for file, times in shared.items():
            score = worth * times / math.sqrt((len(commits) + 3) * (len(corpus.commits_of_file[file]) + 3))
            total[file] += score
            if file in again and score > strongest.get(file, 0.0):
                strongest[file] = score
                evidence.companions[file] = evidence.paths.get(seed, "")
    return total


def _sources(corpus: Corpus, commit: int) -> list[int]:
    """The sources a commit touched; none where it touched a mass of them."""
    sources = [file for file in corpus.files_of_commit.get(commit, ()) if corpus.roles[file] not in _BESIDE]
    return sources if len(sources) <= _MASS else []
