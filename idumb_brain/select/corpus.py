"""The search store decoded as far as questions need it, and kept so: lengths, roles, history. Scores words; ranks nothing."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from idumb_brain.select.areas import areas_of
from idumb_brain.store import code as store
from idumb_brain.store import search as search_store
from idumb_brain.store.database import Connection
from idumb_brain.store.search import Piece, Posting

# How soon more of a word stops counting, and how much long files are held against it. Files that change are long ones,
# so length is punished little.
_SATURATION = 2.0
_LENGTH = {
    search_store.BODY: 0.35,
    search_store.NAMES: 0.4,
    search_store.DEFINES: 0.0,
    search_store.REMARKS: 0.4,
    search_store.PATH: 0.6,
}
_COMMIT_LENGTH = 0.5
_LATELY, _LATEST = 300, 60  # commits
_SHORTEST_MEANT = 5
_MOST_KEPT = 20_000  # postings
_MOST_TOUCHING = 2_000  # words
_MOST_CUT = 600_000  # words of pieces kept


class Cut(NamedTuple):
    """A file in pieces."""

    pieces: list[Piece]
    counts: list[dict[int, int]]  # of each piece: how often it says which word
    words: frozenset[int]  # all it says


class Corpus:
    """One state of a project's search store. Everything is read when first asked for."""

    def __init__(self, search: Connection, index: Connection) -> None:
        self.search = search
        self.index = index
        self._postings: dict[tuple[int, int], Posting | None] = {}
        self._words: dict[str, int | None] = {}
        self._scales: dict[int, list[float]] = {}
        self._cuts: dict[int, Cut] = {}
        self._kept = 0  # words of those
        self._touching: dict[int, dict[int, int]] = {}
        self._paths: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._mark = search_store.mark(search)

    def is_outdated(self) -> bool:
        """Whether somebody has written to the store since."""
        return search_store.mark(self.search) != self._mark

    @cached_property
    def roles(self) -> list[str]:
        """Role by file number; "" where there is no such file."""
        return search_store.column(self.search, "roles").decode().split("\n")

    @cached_property
    def size(self) -> int:
        """One more than the highest file number."""
        return len(self.roles)

    @cached_property
    def count(self) -> int:
        return sum(1 for role in self.roles if role)

    @cached_property
    def commit_lengths(self) -> array[int]:
        return array("I", search_store.column(self.search, "commit lengths"))

    @cached_property
    def files_of_commit(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for file, commit in zip(*self._touched, strict=True):
            found[commit].append(file)
        return found

    @cached_property
    def commits_of_file(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for file, commit in zip(*self._touched, strict=True):
            found[file].append(commit)
        return found

    @cached_property
    def habits(self) -> dict[int, float]:
        """How often files change, late changes counting most."""
        last = len(self.commit_lengths)
        late = [math.exp((commit - last) / _LATELY) for commit in range(last)]
        return {
            file: math.sqrt(sum(late[commit] for commit in commits[-_LATEST:])) for file, commits in self.commits_of_file.items()
        }

    def word(self, word: str) -> int | None:
        if word not in self._words:
            self._words[word] = search_store.word_numbers(self.search, (word,)).get(word)
        return self._words[word]

    def is_said(self, word: str) -> bool:
        """Whether some file says it, or is called so."""
        number = self.word(word)
        return number is not None and any(self.posting(number, field) for field in (search_store.BODY, search_store.PATH))

    def meant(self, word: str) -> str:
        """The word of the project that a word nobody wrote there was probably meant to be, or ""."""
        if len(word) < _SHORTEST_MEANT or not word.isascii() or not word.isalpha():
            return ""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        slips = 1 if len(word) < 8 else 2
        known = search_store.words_opening(self.search, word[0], len(word) - slips, len(word) + slips)
        near = extract(word, known, scorer=OSA.distance, score_cutoff=slips, limit=5)
        held = [(distance, -len(posting.ids), one) for one, distance, _ in near if (posting := self._body(one)) is not None]
        return min(held)[2] if held else ""

    def posting(self, word: int, field: int) -> Posting | None:
        key = (word, field)
        if key not in self._postings:
            if len(self._postings) >= _MOST_KEPT:
                self._postings.clear()
            self._postings[key] = search_store.posting(self.search, word, field)
        return self._postings[key]

    def rarity(self, holders: int) -> float:
        return math.log(1 + (self.count - holders + 0.5) / (holders + 0.5))

    def word_rarity(self, word: int) -> float:
        posting = self.posting(word, search_store.BODY)
        return self.rarity(len(posting.ids) if posting else 0)

    def scores(self, words: Mapping[int, float], field: int) -> dict[int, float]:
        """BM25 of one field of all files that have any of the words."""
        total: dict[int, float] = defaultdict(float)
        scale = self._scale(field)
        for word, weight in words.items():
            posting = self.posting(word, field)
            if posting is None:
                continue
            factor = weight * self.rarity(len(posting.ids)) * (_SATURATION + 1)
            for number, times in zip(posting.ids, posting.counts, strict=True):
                total[number] += factor * times / (times + scale[number])
        return total

    def commit_scores(self, words: Mapping[int, float]) -> tuple[dict[int, float], dict[int, float]]:
        """How well each commit's message answers, and how well all messages of a file taken together do."""
        lengths = self.commit_lengths
        if not lengths:
            return {}, {}
        average = sum(lengths) / len(lengths) or 1.0
        commits: dict[int, float] = defaultdict(float)
        files: dict[int, float] = defaultdict(float)
        scale = self._touch_scale
        for word, weight in words.items():
            posting = self.posting(word, search_store.COMMIT)
            if posting is None:
                continue
            held = len(posting.ids)
            factor = weight * math.log(1 + (len(lengths) - held + 0.5) / (held + 0.5))
            for number, times in zip(posting.ids, posting.counts, strict=True):
                norm = _SATURATION * (1 - _COMMIT_LENGTH + _COMMIT_LENGTH * lengths[number] / average)
                commits[number] += factor * times * (_SATURATION + 1) / (times + norm)
            for file, times in self._touched_saying(word, posting).items():
                files[file] += factor * times / (times + scale[file])
        return commits, files

    def _touched_saying(self, word: int, posting: Posting) -> dict[int, int]:
        """How many of the commits that say a word touched which file."""
        touched = self._touching.get(word)
        if touched is None:
            touched = defaultdict(int)
            for number in posting.ids:
                for file in self.files_of_commit.get(number, ()):
                    touched[file] += 1
            if len(self._touching) >= _MOST_TOUCHING:
                self._touching.clear()
            self._touching[word] = touched
        return touched

    def commits_about(self, area: str) -> list[int]:
        """Commits that named this area in front of their first line, the oldest first."""
        return self._areas.get(area, [])

    def pieces(self, number: int) -> Cut:
        cut = self._cuts.get(number)
        if cut is None:
            pieces = search_store.pieces_of(self.search, number)
            counts = [dict(zip(piece.words, piece.counts, strict=True)) for piece in pieces]
            cut = Cut(pieces, counts, frozenset().union(*counts))
            self._kept += sum(map(len, counts))
            if self._kept > _MOST_CUT:
                self._cuts.clear()
                self._kept = sum(map(len, counts))
            self._cuts[number] = cut
        return cut

    def paths(self, numbers: Iterable[int]) -> dict[int, str]:
        asked = list(numbers)
        self._paths.update(search_store.paths_of(self.search, [one for one in asked if one not in self._paths]))
        return {one: self._paths[one] for one in asked if one in self._paths}

    def numbers(self, paths: Iterable[str]) -> dict[str, int]:
        asked = list(paths)
        found = search_store.numbers_of(self.search, [one for one in asked if one not in self._numbers])
        self._numbers.update(found)
        return {one: self._numbers[one] for one in asked if one in self._numbers}

    def subjects(self, commits: Iterable[int]) -> dict[int, tuple[str, str]]:
        """number → (commit, first line of its message)."""
        return search_store.subjects(self.search, commits)

    def neighbours(self, path: str) -> tuple[list[str], list[str]]:
        """(files it imports, files that import it)."""
        return store.neighbours(self.index, path)

    @cached_property
    def _areas(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, subject in search_store.all_subjects(self.search):
            for area in areas_of(subject):
                found[area].append(number)
        return found

    def _body(self, word: str) -> Posting | None:
        number = self.word(word)
        return self.posting(number, search_store.BODY) if number is not None else None

    @cached_property
    def _touched(self) -> tuple[array[int], array[int]]:
        return (
            array("I", search_store.column(self.search, "commit files")),
            array("I", search_store.column(self.search, "commit numbers")),
        )

    @cached_property
    def _touch_scale(self) -> dict[int, float]:
        if not self.commits_of_file:
            return {}
        average = sum(map(len, self.commits_of_file.values())) / len(self.commits_of_file)
        return {file: _SATURATION * (0.5 + 0.5 * len(all_) / average) for file, all_ in self.commits_of_file.items()}

    def _scale(self, field: int) -> list[float]:
        """What a word's count is weighed against, by file."""
        if field not in self._scales:
            lengths = array("I", search_store.column(self.search, f"lengths {field}"))
            filled = sum(1 for length in lengths if length) or 1
            slope = _SATURATION * _LENGTH[field] * filled / (sum(lengths) or 1)
            flat = _SATURATION * (1 - _LENGTH[field])
            self._scales[field] = [flat + slope * length for length in lengths]
        return self._scales[field]
