"""Our estimate of tokens against three real tokenizers: ``python -m tests.accuracy.tokens [FOLDER…]``.

The tokenizers come from npm and are kept in ``$IDUMB_ACCURACY_CACHE`` (``~/.cache/idumb-brain-accuracy``). Texts are pieces of
the samples of every language, of packages from registries (source, documents, translations, minified files, source maps), and
made ones: paths, hashes, numbers, white space, emoji, words of no language, letters of many alphabets, patterns. With folders,
pieces of the files in them as well. Ends with 1 where any piece is underestimated by more than 5 % of its dearest tokenizer, or
where code or prose is overestimated by more than 25 % on average. ``--update`` writes ``fixtures/tokens.json`` anew.
"""

from __future__ import annotations

import json
import random
import sys
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import fmean, quantiles

from idumb_brain.select.budget import tokens
from tests.accuracy.trees import Unobtainable, npm, npm_program, run, sdist
from tests.conftest import FIXTURES, REPOSITORY

TOKENIZERS = ("gpt-tokenizer@4.0.0", "@anthropic-ai/tokenizer@0.0.4")
PIECE = 900  # characters
_FEW = 12  # pieces of one file
_MANY = 150  # pieces of one kind
UNDER, OVER = 0.95, 1.25
_TRANSLATED = ("vi", "zh_Hans", "ja", "ko", "ru", "ar", "hi", "de", "fr")
_KINDS = {
    ".py": "python", ".js": "javascript", ".ts": "typescript", ".go": "go", ".rs": "rust", ".java": "java", ".kt": "kotlin",
    ".c": "c", ".h": "c", ".cpp": "cpp", ".cs": "csharp", ".rb": "ruby", ".php": "php", ".swift": "swift", ".scala": "scala",
    ".sh": "bash", ".lua": "lua", ".ex": "elixir", ".exs": "elixir", ".dart": "dart", ".tsx": "tsx", ".jsx": "jsx",
    ".md": "prose", ".rst": "prose", ".txt": "prose", ".json": "json", ".html": "html", ".css": "css", ".yml": "yaml",
}  # fmt: skip
_CODE = frozenset(_KINDS.values()) - {"json"}
Text = tuple[str, str]  # its kind, and itself


def counted(texts: Sequence[str]) -> list[list[int]]:
    """By o200k_base, cl100k_base and Claude's."""
    folders = [str(npm_program(package)) for package in TOKENIZERS]
    answer: list[list[int]] = json.loads(
        run("node", str(Path(__file__).with_suffix(".mjs")), *folders, given=json.dumps(list(texts)))
    )
    return answer


def texts(folders: Sequence[Path]) -> list[Text]:
    found = [*_samples(), *_packaged(), *_made()]
    for folder in folders:
        found += _of_files(sorted(folder.rglob("*")), folder)
    by_kind: dict[str, list[str]] = defaultdict(list)
    for kind, text in found:
        by_kind[kind].append(text)
    chance = random.Random(1)
    return [(kind, text) for kind, all in sorted(by_kind.items()) for text in chance.sample(all, min(_MANY, len(all)))]


def _samples() -> Iterator[Text]:
    for file in sorted((FIXTURES / "languages").rglob("*")):
        if file.is_file() and file.suffix != ".expected":
            yield from _pieces(file.parent.name, file)


def _packaged() -> Iterator[Text]:
    django, react = sdist("django==5.1.4"), npm("react-native@0.76.5")
    for language in _TRANSLATED:
        for file in sorted(django.glob(f"django/conf/locale/{language}/**/*.po")):
            told = [line[8:-1] for line in file.read_text("utf-8").splitlines() if line.startswith('msgstr "') and len(line) > 9]
            yield from _cut(language, "\n".join(told))
    yield from _of_files(sorted(django.glob("django/[cfu]*/**/*")) + sorted(django.glob("docs/**/*")), django)
    yield from _of_files(sorted(react.rglob("*")), react)
    jquery, vue = npm("jquery@3.7.1"), npm("vue@3.5.13")
    for file in (jquery / "dist/jquery.min.js", jquery / "dist/jquery.min.map", vue / "dist/vue.global.prod.js"):
        yield from _cut("minified", file.read_text("utf-8")[:60_000])
    paths = sorted(str(path.relative_to(top)) for top in (django, react) for path in top.rglob("*"))
    yield from _cut("paths", "\n".join(random.Random(2).sample(paths, 1000)))


def _of_files(paths: Sequence[Path], top: Path) -> Iterator[Text]:
    files = [path for path in paths if path.suffix in _KINDS and path.is_file() and path.stat().st_size < 200_000]
    for path in random.Random(str(top.name)).sample(files, min(400, len(files))):
        yield from _pieces(_KINDS[path.suffix], path)


def _pieces(kind: str, file: Path) -> list[Text]:
    whole = list(_cut(kind, file.read_text("utf-8", "replace")))
    return random.Random(file.name).sample(whole, min(_FEW, len(whole)))


def _cut(kind: str, text: str) -> Iterator[Text]:
    """Pieces that end with a line, unless lines are endless."""
    while len(text) > PIECE // 3:
        end = text.find("\n", PIECE)
        end = end if 0 <= end < 3 * PIECE else PIECE
        yield kind, text[:end].strip("\n") or "\n"
        text = text[end:]


def _made() -> Iterator[Text]:
    chance = random.Random(3)
    for number in range(20):
        digests = [sha256(b"%d %d" % (number, other)).hexdigest() for other in range(14)]
        for kind, make in _MAKERS.items():
            yield kind, make(chance, digests)


_OPENINGS = ("", "b", "c", "d", "f", "g", "gr", "l", "m", "n", "p", "pl", "pr", "qu", "r", "s", "sc", "st", "t", "tr", "v")
_CLOSINGS = ("us", "um", "is", "it", "at", "ur", "ae", "ibus", "orum", "am", "em", "ere", "etur", "isque", "or", "ix", "ll", "ky")
_ALPHABETS = (0x100, 0x1200, 0x13A0, 0x1401, 0x1E00, 0x1F00, 0x2190, 0x2300, 0x2C80, 0x2D30, 0xA000, 0xA500, 0x1D400)
_SCRAPS = (
    "\\\\",
    "(?:",
    "[^",
    "])*",
    "|",
    '\\"',
    ")+?",
    "{1,3}",
    "\\s*",
    "\\w",
    "&&",
    "!==",
    "'+e+\"",
    "a-z",
    "if",
    "n",
    "(",
    ")",
    "]",
    "/",
)


def _word(chance: random.Random) -> str:
    """One that no language has, and that may be said."""
    syllables = (
        chance.choice(_OPENINGS) + chance.choice("aeiou") + chance.choice(("", "n", "c", "s"))
        for _ in range(chance.randint(0, 3))
    )
    return "".join(syllables) + chance.choice(_CLOSINGS)


def _range(chance: random.Random) -> str:
    first = chance.choice(_ALPHABETS) + chance.randrange(60)
    return f"{chr(first)}-{chr(first + chance.randint(1, 20))}" if chance.random() < 0.7 else chr(first)


_EMOJI = ("😀", "👍🏽", "👩‍👩‍👧", "🇻🇳", "❤️", "✅", "🚀", "⚠️", " ok ", " ")
_MAKERS: dict[str, Callable[[random.Random, list[str]], str]] = {
    "hashes": lambda chance, digests: "\n".join(digests),
    "base64": lambda chance, digests: b64encode("".join(digests).encode()).decode(),
    "binary as base64": lambda chance, digests: b64encode(b"".join(map(bytes.fromhex, digests))).decode(),
    "numbers": lambda chance, digests: ", ".join(str(chance.randrange(10 ** chance.randint(1, 9))) for _ in range(90)),
    "white space": lambda chance, digests: "\n".join(
        " " * chance.randint(0, 60) + chance.choice(("x", "}", "")) + "\t" * chance.randint(0, 5) for _ in range(40)
    ),
    "words of no language": lambda chance, digests: " ".join(
        _word(chance) + chance.choice(("", "", "", ",", ".")) for _ in range(110)
    ),
    "lists of names": lambda chance, digests: "\n".join(
        chance.choice(("- {}-{}", "  {}: true", "* {} {}", "{}/{}:")).format(_word(chance).capitalize(), _word(chance))
        for _ in range(40)
    ),
    "alphabets": lambda chance, digests: "".join(_range(chance) for _ in range(180)),
    "patterns": lambda chance, digests: "".join(chance.choices(_SCRAPS, k=260)),
    "columns": lambda chance, digests: "\n".join(
        " " * chance.choice((0, 4, 8, 12)) + chance.choice((f"{chance.randrange(100_000)},", f"{chance.random() * 1000:.6f},", "["))
        for _ in range(60)
    ),
    "emoji": lambda chance, digests: "".join(chance.choices(_EMOJI, k=100)),
    "tree": lambda chance, digests: "\n".join(
        "│   " * chance.randint(0, 4) + chance.choice(("├── src", "└── test_loans.py")) for _ in range(30)
    ),
    "rules": lambda chance, digests: "\n".join(chance.choice("-=*#~_.") * chance.randint(3, 100) for _ in range(12)),
}  # fmt: skip


def main(words: Sequence[str]) -> int:
    found = texts([Path(word) for word in words if not word.startswith("-")])
    counts = counted([text for _, text in found])
    ratios: dict[str, list[float]] = defaultdict(list)
    for (kind, text), real in zip(found, counts, strict=True):
        ratios[kind].append(tokens(text) / max(real))
    print("estimate by the dearest of three tokenizers\nkind              pieces  least    5 %  mean   95 %   most  below 0.95")
    missed = False
    for kind, values in sorted(ratios.items()):
        cuts = quantiles(values, n=20) if len(values) > 1 else [values[0]] * 19
        below = sum(value < UNDER for value in values)
        whole = sum(values) / len(values)
        bad = below > 0 or (kind in _CODE and whole > OVER)
        missed |= bad
        print(
            f"{kind:<18}{len(values):6}  {min(values):5.2f}  {cuts[0]:5.2f}  {whole:4.2f}  {cuts[-1]:5.2f}  {max(values):5.2f}  {below:6}"
            f"{'  MISSED' if bad else ''}"
        )
    every = [value for values in ratios.values() for value in values]
    below = sum(value < UNDER for value in every)
    code = fmean(value for kind, values in ratios.items() if kind in _CODE for value in values)
    print(f"code and prose: {code:.3f} on average; below 0.95: {below} of {len(every)} pieces")
    for at, name in enumerate(("o200k_base", "cl100k_base", "claude")):
        against = [tokens(text) / real[at] for (kind, text), real in zip(found, counts, strict=True) if kind in _CODE]
        print(f"  code and prose by {name} alone: {fmean(against):.3f}")
    if "--update" in words:
        _write_fixture(found, counts)
    return 1 if missed or code > OVER else 0


def _write_fixture(found: Sequence[Text], counts: Sequence[Sequence[int]]) -> None:
    """Only of texts that are our own: the first samples of each language, and the made ones."""
    own = {text for _, text in [*_samples(), *_made()]}
    rows: dict[str, list[tuple[str, Sequence[int]]]] = defaultdict(list)
    for (kind, text), real in zip(found, counts, strict=True):
        if text in own and len(rows[kind]) < 2:
            rows[kind].append((text, real))
    table = [{"kind": kind, "text": text, "tokens": list(real)} for kind, some in sorted(rows.items()) for text, real in some]
    target = REPOSITORY / "fixtures" / "tokens.json"
    target.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Unobtainable as error:
        sys.exit(f"cannot measure: {error}")
