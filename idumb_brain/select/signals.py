"""What speaks for a file when something is asked: each signal alone, unweighted. Ranks nothing."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise

from idumb_brain.graph.landmarks import subject_name
from idumb_brain.model.roles import TEST
from idumb_brain.scan.lexing import identifiers, whole, words, words_of
from idumb_brain.select.corpus import Corpus
from idumb_brain.select.evidence import Blend, Evidence, Meaning, Scores, best_of
from idumb_brain.select.kin import kin_of
from idumb_brain.select.past import like_commits, of_the_area, together
from idumb_brain.select.question import Question
from idumb_brain.store import search as search_store

_TOP = 120  # files of the strongest signal that are looked at closely; of the others half
_PIECED = 60  # files whose pieces are read
_SEEDS = 12  # files from which graph and history are followed
_PIECE_FLAT, _PIECE_SLOPE = 0.6, 0.004  # what a count of words is weighed against, by words in the piece
_CORRECTED = 4  # words nobody wrote for which one is sought that was meant
_WORDY = 24  # a text of more words can do without the one that was misspelled, and says itself what it might have said otherwise
_GUESSED = 0.5
_KIN = 0.3  # another form of a word, beside the word
_PAIR = 0.5  # two words of the text that an identifier joins, beside the weight of each
_MOST_PLACES = 60
_WHOLE_PATH, _ONLY_FILE = 3.0, 2.5  # how much surer a file is that is named by its whole path, or by a name that only it has
_TESTS = 20
_IMPORTED = 0.5  # what a test says of what it imports, beside what it is named after
_CROWD = 40  # neighbours beyond which a file is everybody's

# (name, field of the store)
_LEXICAL = (
    ("body", search_store.BODY),
    ("path", search_store.PATH),
)
_LEXICAL_OF_TITLE = (
    ("title", search_store.BODY),
    ("names", search_store.NAMES),
    ("title path", search_store.PATH),
)


def gather(
    question: Question,
    corpus: Corpus,
    blend: Blend,
    seeds: Mapping[str, float] | None = None,
    meaning: Meaning | None = None,
) -> Evidence:
    """All signals. ``blend`` weighs what the words say, so that graph and history start from the right files."""
    evidence = _asked(question, corpus)
    signals = evidence.signals
    for name, number in _LEXICAL:
        signals[name] = corpus.scores(evidence.words, number)
    title = {known: 1.0 for word in words(question.title) if (known := corpus.word(word)) is not None}
    for name, number in _LEXICAL_OF_TITLE:
        signals[name] = corpus.scores(title, number)
    signals["defines"] = _defines(question, corpus, evidence)
    commits, signals["history"] = corpus.commit_scores(evidence.words)
    signals["commits"], signals["nearest"] = like_commits(corpus, commits, evidence)
    signals["area"] = of_the_area(corpus, question.areas)
    candidates = _candidates(signals) | _pasted(question, corpus)
    evidence.paths = corpus.paths(sorted(candidates))
    signals["places"] = _places(question, evidence)
    signals["filename"] = _file_names(corpus, evidence)
    signals["called so"] = _called_so(question, corpus, evidence)
    signals["area path"] = _area_paths(question, evidence)
    for name in signals:
        scores = signals[name]
        signals[name] = {one: scores[one] for one in candidates if one in scores}
    if meaning is not None:
        near = meaning(question.text, sorted(evidence.paths.values()))
        signals["meaning"] = {one: near[path] for one, path in evidence.paths.items() if near.get(path, 0.0) > 0}
    likely = best_of(blend(signals), _PIECED)
    signals["piece"], signals["cover"] = _pieces(corpus, evidence, [one for one, _ in likely])
    start = dict(best_of(blend(signals), _SEEDS))
    given = {number: (seeds or {})[path] for path, number in corpus.numbers(seeds or {}).items()}
    signals["near"] = _near(corpus, given, evidence) if given else {}
    signals["together"] = together(corpus, start, evidence)
    signals["imports"] = _near(corpus, start, evidence)
    signals["tested"] = _tested(corpus, signals, evidence)
    newcomers = {one for name in ("together", "imports", "tested", "near") for one in signals[name]} - set(evidence.paths)
    evidence.paths |= corpus.paths(sorted(newcomers))
    signals["recent"] = {one: corpus.habits[one] for one in evidence.paths if one in corpus.habits}
    return evidence


def _asked(question: Question, corpus: Corpus) -> Evidence:
    weights: dict[int, float] = {}
    spelled: dict[int, str] = {}
    unknown: list[str] = []
    for word, weight in question.words.items():
        number = corpus.word(word)
        if not corpus.is_said(word):
            unknown.append(word)
        if number is not None:
            weights[number] = _damped(weight)
            spelled[number] = question.spelled.get(word, word)
    for word, weight in question.pairs.items():
        number = corpus.word(word)
        if number is not None and number not in weights:
            weights[number] = _PAIR * _damped(weight)
            spelled[number] = question.spelled.get(word, word)
    if len(question.words) > _WORDY:
        return Evidence(weights, spelled)
    for word, weight in question.words.items():
        for form in kin_of(word):
            number = corpus.word(form) if form not in question.words else None
            if number is not None and number not in weights:
                weights[number] = _KIN * _damped(weight)
                spelled[number] = question.spelled.get(word, word)
    for word in sorted(unknown, key=lambda one: (-question.words[one], one))[:_CORRECTED]:
        if meant := corpus.meant(word):
            number = corpus.word(meant)
            if number is not None and number not in weights:
                weights[number] = _GUESSED * question.words[word]
                spelled[number] = f"{meant} for {question.spelled.get(word, word)}"
    return Evidence(weights, spelled)


def _damped(weight: float) -> float:
    """A word that is said again and again is not so much more important."""
    return 1 + math.log(weight) if weight > 1 else weight


def _defines(question: Question, corpus: Corpus, evidence: Evidence) -> Scores:
    """Files that define a name as the text writes it; the rarer the name, the more it says."""
    total: Scores = defaultdict(float)
    best: dict[str, tuple[float, str]] = {}
    for name, weight in question.identifiers.items():
        key = whole(name)
        if weight > best.get(key, (0.0, ""))[0]:
            best[key] = (weight, name)
    for key, (weight, name) in best.items():
        number = corpus.word(key)
        posting = corpus.posting(number, search_store.DEFINES) if number is not None else None
        if posting is None:
            continue
        worth = weight * corpus.rarity(len(posting.ids)) / (1 + math.log(len(posting.ids)))
        for file in posting.ids:
            total[file] += worth
            evidence.defined.setdefault(file, []).append(name)
    return total


def _candidates(signals: Mapping[str, Scores]) -> set[int]:
    found: set[int] = set()
    for name, scores in signals.items():
        found.update(one for one, _ in best_of(scores, _TOP if name == "body" else _TOP // 2))
    return found


def _pasted(question: Question, corpus: Corpus) -> set[int]:
    """Files that the text may name, by the whole of their path or by their name alone."""
    found: set[int] = set()
    for place in question.places[:_MOST_PLACES]:
        parts = place.path.split("/")
        exact = corpus.numbers("/".join(parts[start:]) for start in range(len(parts)))
        found.update(exact.values() or _named(corpus, parts[-1].rpartition(".")[0] or parts[-1]))
    return found


def _places(question: Question, evidence: Evidence) -> Scores:
    """Files the text names. The more of a path's end fits, the surer; the first frames of a trace say most."""
    total: Scores = {}
    by_name: dict[str, list[int]] = defaultdict(list)
    for number, path in evidence.paths.items():
        by_name[path.rpartition("/")[2]].append(number)
    for position, place in enumerate(question.places[:_MOST_PLACES]):
        parts = place.path.split("/")
        fits = [(_shared_end(parts, evidence.paths[one].split("/")), one) for one in by_name.get(parts[-1], ())]
        if not fits:
            continue
        longest = max(fits)[0]
        same = [one for length, one in fits if length == longest]
        worth = min(1.0, 0.4 + 0.3 * longest) / len(same) / (1 + 0.1 * position)
        if not place.function and len(same) == 1:  # said on purpose, not a frame among many
            if longest == len(evidence.paths[same[0]].split("/")):
                worth *= _WHOLE_PATH
            elif longest == len(parts):
                worth *= _ONLY_FILE
        for one in same:
            if worth > total.get(one, 0.0):
                total[one] = worth
                evidence.places[one] = (place.line, place.function)
    return total


def _shared_end(one: list[str], other: list[str]) -> int:
    length = 0
    for first, second in zip(reversed(one), reversed(other), strict=False):
        if first != second:
            break
        length += 1
    return length


def _file_names(corpus: Corpus, evidence: Evidence) -> Scores:
    """How much of a file's own name the text says."""
    total: Scores = {}
    weights: dict[str, float] = {}
    for number, path in evidence.paths.items():
        name = path.rpartition("/")[2]
        stem = name.rpartition(".")[0] or name
        said = asked = 0.0
        for word in set(words(stem)):
            if word not in weights:
                known = corpus.word(word)
                weights[word] = corpus.word_rarity(known) if known is not None else 0.0
            asked += weights[word]
            known = corpus.word(word)
            if known in evidence.words:
                said += weights[word]
        if said and asked:
            total[number] = said * said / asked
    return total


def _called_so(question: Question, corpus: Corpus, evidence: Evidence) -> Scores:
    """Files called exactly what the text says in one word or in two that follow each other; of the title, twice as sure."""
    title = identifiers(question.title)
    named = {*words(question.title), *(whole(one + other) for one, other in pairwise(title))}
    total: Scores = {}
    for number, path in evidence.paths.items():
        name = whole(path.rpartition("/")[2].partition(".")[0])
        if len(name) > 1 and (name in named or name in question.words or name in question.pairs):
            known = corpus.word(name)
            rarity = corpus.word_rarity(known) if known is not None else 1.0
            total[number] = rarity if name in named else rarity / 2
    return total


def _area_paths(question: Question, evidence: Evidence) -> Scores:
    """How much of the area that a title names in front is in a path: ``net/http: …``, ``fix(router): …``."""
    asked = [said for area in question.areas if (said := set(words(area)))]
    if not asked:
        return {}
    total: Scores = {}
    for number, path in evidence.paths.items():
        has = set(words(path.rpartition(".")[0].replace("/", " ")))
        if share := max(len(said & has) / len(said) for said in asked):
            total[number] = share
    return total


def _pieces(corpus: Corpus, evidence: Evidence, numbers: Iterable[int]) -> tuple[Scores, Scores]:
    """The best function-sized piece of each file, and how much of all that is asked it says."""
    total: Scores = {}
    cover: Scores = {}
    factors = {word: weight * corpus.word_rarity(word) for word, weight in evidence.words.items()}
    everything = sum(factors.values())
    for number in numbers:
        best = 0.0
        cut = corpus.pieces(number)
        asked = cut.words & factors.keys()
        for piece, counts in zip(cut.pieces, cut.counts, strict=True):
            said = counts.keys() & asked
            if not said:
                continue
            score = 0.0
            norm = _PIECE_FLAT + _PIECE_SLOPE * piece.length
            for word in said:
                times = counts[word]
                score += factors[word] * times / (times + norm)
            score = round(score, 9)  # words come in any order, and sums must not tell in which
            if score > best:
                best = score
                evidence.pieces[number] = piece
                cover[number] = round(sum(factors[word] for word in said) / everything, 9)
        if best:
            total[number] = best
    return total, cover


def _near(corpus: Corpus, start: Scores, evidence: Evidence) -> Scores:
    """Files that the likely ones import, or that import them."""
    found: dict[str, float] = defaultdict(float)
    how: dict[str, tuple[float, str]] = {}
    paths = corpus.paths(start)
    for seed, worth in start.items():
        path = paths.get(seed)
        if path is None:
            continue
        for others, word in zip(corpus.neighbours(path), ("imported by", "imports"), strict=True):
            if len(others) > _CROWD:
                continue
            for other in others:
                score = worth / math.sqrt(1 + len(others))
                found[other] += score
                if score > how.get(other, (0.0, ""))[0]:
                    how[other] = (score, f"{word} {path}")
    numbers = corpus.numbers(sorted(found))
    for path, number in numbers.items():
        evidence.linked.setdefault(number, how[path][1])
    return {number: found[path] for path, number in numbers.items()}


def _tested(corpus: Corpus, signals: Mapping[str, Scores], evidence: Evidence) -> Scores:
    """Sources of the tests that say the words: those a test is named after, and less those it imports."""
    tests = {one: score for one, score in signals["body"].items() if corpus.roles[one] == TEST}
    total: Scores = defaultdict(float)
    for test, score in best_of(tests, _TESTS):
        path = evidence.paths[test]
        named = _named(corpus, subject_name(path))
        imported, _ = corpus.neighbours(path)
        needed = corpus.numbers(imported[:_CROWD])
        for number, share in (
            *((one, 1.0) for one in named),
            *((one, _IMPORTED / math.sqrt(len(needed))) for one in needed.values()),
        ):
            if corpus.roles[number] != TEST:
                total[number] += share * score * score
                evidence.linked.setdefault(number, f"tested by {path}")
    return total


def _named(corpus: Corpus, name: str) -> dict[int, str]:
    """Files of this name, whatever they end in."""
    common: set[int] | None = None
    for word in words_of(name):
        number = corpus.word(word)
        posting = corpus.posting(number, search_store.PATH) if number is not None else None
        ids = set(posting.ids) if posting else set()
        common = ids if common is None else common & ids
    found = corpus.paths(sorted(common or ())[:50])
    return {number: path for number, path in found.items() if path.rpartition("/")[2].rpartition(".")[0].lower() == name.lower()}
