"""Which of the files that went came back under another name, told as git tells it. Pure: contents in, renames out.

Exact copies first; then files whose name occurs only once among those that went and those that came; then everything
against everything, the most similar pair first. Similarity is the share of the larger file that both have, in lines
(or pieces of 64 bytes) that occur in both.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from idumb_brain.model.changes import Rename

_MAX = 60_000  # git counts similarity in these
_LEAST = _MAX // 2
_BASENAME_LEAST = 45_000  # what git asks of a pair that has only its name in common
_LIMIT = 1_000  # files on each side, on average, beyond which everything against everything is not tried
_CANDIDATES = 4  # kept for each file that came
_PIECE = 64


@dataclass(frozen=True, slots=True)
class Profile:
    """What two contents are compared by: how many bytes of each piece there are."""

    size: int
    digest: str
    pieces: Mapping[bytes, int]


def profile(content: bytes, digest: str) -> Profile:
    is_text = b"\0" not in content[:8000]
    pieces: Counter[bytes] = Counter()
    for line in content.splitlines(keepends=True) if b"\r" not in content else _lines(content):
        if is_text and line.endswith(b"\r\n"):
            line = line[:-2] + b"\n"
        for at in range(0, len(line), _PIECE):
            piece = line[at : at + _PIECE]
            pieces[piece] += len(piece)
    return Profile(len(content), digest, pieces)


def profile_of_words(words: Iterable[str], size: int, digest: str) -> Profile:
    """Where the content is gone, and only what was read in it is left."""
    pieces: Counter[bytes] = Counter()
    for word in words:
        piece = word.encode("utf-8", "replace")
        pieces[piece] += len(piece)
    return Profile(sum(pieces.values()) or size, digest, pieces)


def renames(gone: Mapping[str, Profile], came: Mapping[str, Profile]) -> list[Rename]:
    """Pairs of a file that went and one that came which are the same file."""
    found: dict[str, Rename] = {}  # by the new path
    _exact(gone, came, found)
    left = {path: one for path, one in gone.items() if path not in {rename.source for rename in found.values()}}
    fresh = {path: one for path, one in came.items() if path not in found}
    _by_basename(left, fresh, found)
    left = {path: one for path, one in left.items() if path not in {rename.source for rename in found.values()}}
    fresh = {path: one for path, one in fresh.items() if path not in found}
    if len(left) * len(fresh) <= _LIMIT * _LIMIT:
        _by_content(left, fresh, found)
    return sorted(found.values(), key=lambda one: (one.source, one.target))


def _lines(content: bytes) -> list[bytes]:
    return [line + b"\n" for line in content.split(b"\n")[:-1]] + [last for last in content.rsplit(b"\n", 1)[-1:] if last]


def _exact(gone: Mapping[str, Profile], came: Mapping[str, Profile], found: dict[str, Rename]) -> None:
    by_digest: dict[str, list[str]] = defaultdict(list)
    for path in sorted(gone):
        if gone[path].digest:
            by_digest[gone[path].digest].append(path)
    for path in sorted(came):
        candidates = by_digest.get(came[path].digest)
        if not candidates:
            continue
        name = _basename(path)
        source = next((one for one in candidates if _basename(one) == name), candidates[0])
        candidates.remove(source)
        found[path] = Rename(source, path, 100)


def _by_basename(gone: Mapping[str, Profile], came: Mapping[str, Profile], found: dict[str, Rename]) -> None:
    old = _unique_names(gone)
    new = _unique_names(came)
    for name in sorted(old.keys() & new.keys()):
        score = _score(gone[old[name]], came[new[name]])
        if score >= _BASENAME_LEAST:
            found[new[name]] = Rename(old[name], new[name], score * 100 // _MAX)


def _unique_names(files: Mapping[str, Profile]) -> dict[str, str]:
    counted = Counter(map(_basename, files))
    return {_basename(path): path for path in files if counted[_basename(path)] == 1}


def _by_content(gone: Mapping[str, Profile], came: Mapping[str, Profile], found: dict[str, Rename]) -> None:
    pairs: list[tuple[int, int, str, str]] = []
    for target in sorted(came):
        best: list[tuple[int, int, str, str]] = []
        for source in sorted(gone):
            score = _score(gone[source], came[target])
            if score >= _LEAST:
                best.append((-score, -(_basename(source) == _basename(target)), target, source))
        pairs += sorted(best, key=lambda one: one[:2])[:_CANDIDATES]
    pairs.sort(key=lambda one: one[:2])
    used: set[str] = set()
    for score, _, target, source in pairs:
        if target not in found and source not in used:
            used.add(source)
            found[target] = Rename(source, target, -score * 100 // _MAX)


def _score(old: Profile, new: Profile) -> int:
    largest, smallest = max(old.size, new.size), min(old.size, new.size)
    if largest * (_MAX - _LEAST) < (largest - smallest) * _MAX or not largest:
        return 0
    few, many = (old.pieces, new.pieces) if len(old.pieces) < len(new.pieces) else (new.pieces, old.pieces)
    copied = sum(min(count, many[piece]) for piece, count in few.items() if piece in many)
    return copied * _MAX // largest


def _basename(path: str) -> str:
    return path.rpartition("/")[2]
