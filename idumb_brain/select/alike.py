"""How far two texts say the same, and which of many say what another one said already. Refuses to know what they are about.

Letters decide, after case, space and punctuation are made equal. A word that turns the meaning does not count by its
letters: "retry 3 times" and "retry 5 times" differ in one of thirteen and say different things. So where numbers,
identifiers or words such as "not", "before" or "disable" of one text are missing in the other, the texts are at most
CONTRARY alike, however close their letters are.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

ALIKE = 0.9  # from here on, two texts are one told twice
CONTRARY = 0.6

# Words whose presence in only one of two texts means that they say different things.
_TURNING_WORDS = (
    "no not never none without except unless only must may optional required always before after first last until since "
    "enable enabled disable disabled allow allowed deny denied forbid forbidden true false on off yes with in out up down "
    "add remove start stop open close read write sync async min max minimum maximum more less least most all any each "
    "zero one two three four five six seven eight nine ten half double public private input output old new left right "
    "don't doesn't isn't can't won't didn't cannot shouldn't mustn't "
    "không chưa đừng chẳng trước sau bật tắt cấm phải luôn thêm xoá xóa mọi chỉ"
)
_TURNING = frozenset(_TURNING_WORDS.split())
_WORD = re.compile(r"[^\W_]+(?:['’._/:#@+-]+[^\W_]+)*|[^\w\s]", re.UNICODE)
_INNER = re.compile(r"\d|[._/:#@+]|[a-z][A-Z]")  # of a word that names one thing: v2, store/code.py, a.b, getUser
_SPELLED = str.maketrans({"’": "'", "“": '"', "”": '"'})


@dataclass(frozen=True, slots=True, eq=False)
class Gist:
    """A text as it is compared. It is itself alone: the same text has the same one, as long as it is in mind."""

    letters: str
    words: frozenset[str]
    telling: frozenset[str]  # those of the words that must be in both


def similarity(a: str, b: str) -> float:
    """0 where nothing is shared, 1 where only case, space and punctuation differ."""
    return _compared(gist(a), gist(b), 0.0)


@lru_cache(maxsize=1024)
def gist(text: str) -> Gist:
    words = [word for word in _WORD.findall(unicodedata.normalize("NFKC", text).translate(_SPELLED)) if word[0].isalnum()]
    folded = [word.casefold() for word in words]
    telling = (low for word, low in zip(words, folded, strict=True) if low in _TURNING or _INNER.search(word))
    return Gist(" ".join(folded), frozenset(folded), frozenset(telling))


@dataclass(slots=True)
class Told:
    """What was told already, by the numbers of those who told it."""

    least: float = ALIKE
    _gists: dict[int, Gist] = field(default_factory=dict)

    def add(self, number: int, text: Gist) -> None:
        self._gists[number] = text

    def forget(self, number: int) -> None:
        del self._gists[number]

    def by(self, text: Gist) -> int | None:
        """The first that said the same, if any did. Who says nothing repeats nobody."""
        if not text.letters:
            return None
        least, size = self.least, len(text.letters)
        for number, other in self._gists.items():
            length = len(other.letters)
            # As ``_compared`` begins: most are seen here to be too long or too short.
            if 2 * min(size, length) >= least * (size + length) and _compared_again(text, other, least) >= least:
                return number
        return None


def near_duplicates(texts: Sequence[str], least: float = ALIKE) -> Iterator[tuple[int, int, float]]:
    """Pairs of places of texts that say the same, the earlier first, and how much. Not every pair is looked at.

    Two texts are compared when they share one of their rarer words: those that are alike share nearly all. A word that one text
    in twenty has tells nothing; texts that are made of such words alone are only found when they are equal.
    """
    gists = [gist(text) for text in texts]
    spread = Counter(word for one in gists for word in one.words)
    common = max(50, len(texts) // 20)
    holders: dict[str, list[int]] = defaultdict(list)
    for later, one in enumerate(gists):
        rare = sorted(one.words, key=lambda word: (spread[word], word))[: 1 + len(one.words) // 3]
        rare = [one.letters, *(word for word in rare if spread[word] <= common)]
        for earlier in sorted({place for word in rare for place in holders[word]}):
            score = _compared(gists[earlier], one, least)
            if score >= least:
                yield earlier, later, score
        for word in rare:
            holders[word].append(later)


def _compared(a: Gist, b: Gist, least: float) -> float:
    """Below ``least`` the answer may be 0: nobody asks how far from alike they are."""
    if a.letters == b.letters:
        return 1.0
    one, other = len(a.letters), len(b.letters)
    if 2 * min(one, other) < least * (one + other):
        return 0.0
    contrary = not (a.telling <= b.words and b.telling <= a.words)
    if least > CONTRARY and (contrary or _share_few_words(a, b)):
        return 0.0
    from rapidfuzz.fuzz import ratio

    score = ratio(a.letters, b.letters, score_cutoff=100 * least) / 100
    return min(score, CONTRARY) if contrary else score


_compared_again = lru_cache(maxsize=1 << 12)(_compared)  # a block is made of the same texts as the one before


def _share_few_words(a: Gist, b: Gist) -> bool:
    """Cheaper to see than how close the letters are."""
    most = max(len(a.words), len(b.words))
    return most > 4 and 2 * len(a.words & b.words) < most
