"""What a text asks about: words by weight, identifiers, paths, stack frames, quoted text. Pure: knows no project and no index."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from idumb_brain.model.roles import BENCH, DOCUMENT, EXAMPLE, FIXTURE, SETTING, TEST
from idumb_brain.scan.lexing import STOP_WORDS, identifiers, parts_of, whole, words_of
from idumb_brain.select.areas import areas_of

MOST_CHARACTERS = 20_000  # more is a log; its head tells what it is about
# How much a word weighs by where it stands.
TITLE, PROSE, CODE = 3.0, 1.0, 0.7
_SHORT = 200  # characters


@dataclass(frozen=True, slots=True)
class Place:
    """A file named in the text, as it was written there, perhaps with a line and the function that was in."""

    path: str
    line: int = 0
    function: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    text: str  # as far as it is read
    title: str
    words: Mapping[str, float]  # search word → weight
    pairs: Mapping[str, float]  # words that follow each other, joined as an identifier would join them → weight
    spelled: Mapping[str, str]  # search word → how the text wrote it
    identifiers: Mapping[str, float]  # as written → how much it looks like a name in code, up to 1
    places: tuple[Place, ...]
    quoted: tuple[str, ...]  # text between quotes or backticks
    wants: frozenset[str]  # roles of files that are asked for on purpose
    areas: tuple[str, ...]  # what the title names in front: see areas


# Frames of stack traces and messages of compilers; each names what it can of path, line and function.
_FRAMES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (language, re.compile(pattern, re.MULTILINE))
    for language, pattern in (
        ("python", r'File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<function>[\w.<>]+))?'),
        ("csharp", r"^[ \t]*at (?P<function>[\w.`<>\[\]+]+)\([^)\n]*\) in (?P<path>[^\n]+?\.\w+):line (?P<line>\d+)"),
        ("jvm", r"^[ \t]*at (?P<function>[\w.$<>/@-]+)\((?P<path>[\w$-]+\.(?:java|kt|kts|scala|groovy)):(?P<line>\d+)\)"),
        ("javascript", r"^[ \t]*at (?:(?:async )?(?P<function>[\w.$<>\[\] ]+?) \()?(?:file://|webpack:///)?(?P<path>[^\s():]+(?:[\\/][^\s():]+)*\.\w+):(?P<line>\d+):\d+\)?"),
        ("php", r"^#\d+ (?P<path>[^\s(]+\.php)\((?P<line>\d+)\): (?P<function>[\w\\:>-]+)"),
        ("php", r"\bin (?P<path>/[^\s:]+\.php)(?::| on line )(?P<line>\d+)"),
        ("native", r"^[ \t]*#\d+[ \t]+(?:0x[0-9a-f]+ in )?(?P<function>[\w:~<>]+)[^\n]*?[ \t](?P<path>[\w./+-]+\.\w+):(?P<line>\d+)"),
        ("rust", r"^[ \t]*\d+: (?:0x[0-9a-f]+ - )?(?P<function>[\w:<>{}]+)\n[ \t]+at (?P<path>[^\s:]+):(?P<line>\d+)"),
        ("rust", r"panicked at (?:'[^'\n]*', )?(?P<path>[^\s:]+\.rs):(?P<line>\d+)"),
        ("go", r"^(?P<function>[\w./*()-]+)\([^)\n]*\)\n[ \t]+(?P<path>[^\s:]+\.go):(?P<line>\d+)"),
        ("ruby", r"(?P<path>[\w./+-]+\.rb):(?P<line>\d+):in [`'](?:[\w ]+ in )?(?P<function>[\w.#?!:]+)'"),
        ("any", r"(?<![\w/])(?P<path>[\w.+-]*(?:[\\/][\w.+@-]+)*\.[A-Za-z]\w{0,9}):(?P<line>\d+)\b"),
    )
)  # fmt: skip
_PLAIN_PATH = re.compile(r"(?<![\w:/])(?:\./)?(?P<path>(?:[\w.@+-]+/)+[\w.@+-]*[\w]|[\w-]+\.[A-Za-z]{1,4})(?![\w/])")
_ENDLESS = re.compile(r"(\S{200})\S+")  # no path and no word is so long, and patterns that look for their ends are slow on it
_BLOB = re.compile(
    r"https?://[^\s/]+/[^\s/]+/[^\s/]+/(?:-/)?(?:blob|tree|raw|edit)/[^\s/]+/(?P<path>[^\s#?)\]>]+)(?:#L(?P<line>\d+))?"
)
_URL = re.compile(r"\b(?:https?|ftp|git|ssh)://[^\s)>\]\"']+|\bwww\.[^\s)>\]\"']+")
# Lines that somebody's tool or template wrote, not the one who asks.
_BOILERPLATE = re.compile(
    r"^(?:[-*] \[[ xX]\].*|(?:Signed-off-by|Co-authored-by|Reviewed-by|Acked-by|Tested-by|Reported-by|Cc|Change-Id|Reviewed-on"
    r"|Suggested-by|Helped-by|Differential Revision|PiperOrigin-RevId|git-svn-id|cherry picked from)\b.*:?.*"
    r"|\((?:cherry picked from|backported from) .*\)"
    r"|#{1,4} *(?:checklist|describe the bug|steps to reproduce|to reproduce|expected behaviou?r|actual behaviou?r|environment"
    r"|additional context|your environment|prerequisites|platform|system info|what happened|description)\W*"
    r"|(?:[-*] )?\**(?:os|python|node|npm|version|versions|platform|operating system|browser|php|ruby|java|go)(?: versions?)?\** *:\**.*"
    r")$",
    re.MULTILINE | re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|<details>|</?(?:details|summary|br|p|b|i|kbd|sub|sup)\b[^>]*>", re.DOTALL)
_MAIL = re.compile(r"<?\b[\w.+-]+@[\w-]+\.[\w.]+\b>?")
_HASH = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b|\b0x[0-9a-fA-F]+\b|#\d+\b|\bv?\d+(?:\.\d+)+\w*\b")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"`{1,2}([^`\n]{2,120})`{1,2}|\"([^\"\n]{2,120})\"|(?<!\w)'([^'\n]{2,80})'(?!\w)|[“„]([^”\n]{2,120})[”“]")
_QUALIFIED = re.compile(r"(?<![\w./])\w+(?:(?:\.|::|->|#|\\)\w+)+")
_CALL = re.compile(r"\b(\w+)\(\)?")
_WANTED = {
    TEST: re.compile(r"\b(?:tests?|testing|specs?|unit ?tests?|test cases?|test suites?|e2e)\b", re.IGNORECASE),
    FIXTURE: re.compile(r"\b(?:fixtures?|snapshots?|test ?data)\b", re.IGNORECASE),
    DOCUMENT: re.compile(r"\b(?:docs?|documentation|documented|readme|changelog|guide|tutorial|adr|prd)\b", re.IGNORECASE),
    EXAMPLE: re.compile(r"\b(?:examples?|samples?|demos?|playgrounds?)\b", re.IGNORECASE),
    BENCH: re.compile(r"\b(?:benchmarks?|benches|perf tests?)\b", re.IGNORECASE),
    SETTING: re.compile(r"\b(?:ci|workflows?|github actions?|dockerfile|config files?|ya?ml|toml|makefile)\b", re.IGNORECASE),
}  # fmt: skip


def understand(text: str) -> Question:
    """Read a text as a question about a project. Any text will do; of an empty one nothing is asked."""
    asked = text = _sound(text)
    places = _places(text)
    text = without_boilerplate(text)
    code = "\n".join(_FENCE.findall(text))
    prose = _FENCE.sub("\n", text).strip()
    title, _, body = prose.partition("\n")
    # A long text says "for example" and "the tests pass" by the way; its title does not.
    wish = prose if len(prose) <= _SHORT else title
    wants = frozenset(role for role, pattern in _WANTED.items() if pattern.search(wish))
    quoted = tuple(dict.fromkeys(next(filter(None, found)).strip() for found in _QUOTED.findall(prose)))
    weights: dict[str, float] = defaultdict(float)
    pairs: dict[str, float] = defaultdict(float)
    spelled: dict[str, str] = {}
    for part, weight in ((title, TITLE if body.strip() or code else PROSE), (body, PROSE), (code, CODE)):
        _weigh(part, weight, weights, spelled)
        if part is not code:
            _join(part, weight, pairs, spelled)
    return Question(
        asked,
        title.strip(),
        dict(weights),
        dict(pairs),
        spelled,
        _names(title, body, code, quoted, places),
        places,
        quoted,
        wants,
        areas_of(title),
    )


def without_boilerplate(text: str) -> str:
    """A text without what tools and templates put into it: trailers, addresses, hashes, versions, checklists."""
    return _HASH.sub(" ", _MAIL.sub(" ", _URL.sub(" ", _BOILERPLATE.sub("", _COMMENT.sub(" ", text))))).strip()


def _sound(text: str) -> str:
    """No more than we read, no control characters, one kind of line end."""
    text = _ENDLESS.sub(r"\1 ", text[:MOST_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(one if one >= " " or one in "\n\t" else " " for one in text) if not text.isprintable() else text


def _weigh(text: str, weight: float, weights: dict[str, float], spelled: dict[str, str]) -> None:
    for identifier in identifiers(text):
        for word in words_of(identifier):
            weights[word] += weight
            spelled.setdefault(word, identifier)


def _join(text: str, weight: float, pairs: dict[str, float], spelled: dict[str, str]) -> None:
    for line in text.split("\n"):
        for one, other in pairwise(identifiers(line)):
            if len(one) > 1 and len(other) > 1 and one.lower() not in STOP_WORDS and other.lower() not in STOP_WORDS:
                word = whole(one + other)
                pairs[word] += weight
                spelled.setdefault(word, f"{one} {other}")


def _names(title: str, body: str, code: str, quoted: tuple[str, ...], places: tuple[Place, ...]) -> dict[str, float]:
    """Identifiers that may be names of the project, and how much each looks like one."""
    found: dict[str, float] = {}

    def take(name: str, weight: float) -> None:
        name = name.strip("_")
        if len(name) > 1 and not name.isdigit():
            found[name] = max(found.get(name, 0.0), weight)

    for text, factor in ((title, 1.0), (body, 0.8), (code, 0.5)):
        for qualified in _QUALIFIED.findall(text):
            for part in identifiers(qualified):
                take(part, 0.9 * factor)
        for called in _CALL.findall(text):
            take(called, 0.9 * factor)
        for word in identifiers(text):
            if len(parts_of(word)) > 1:
                take(word, factor)
            elif len(word) > 2 and text is not code:
                take(word, 0.3 * factor if word.islower() else 0.45 * factor)
    for one in quoted:
        inside = identifiers(one)
        for word in inside:
            take(word, 1.0 if len(inside) <= 4 else 0.5)
    for place in places:
        for word in identifiers(place.function):
            take(word, 0.8)
    return found


def _places(text: str) -> tuple[Place, ...]:
    """Files named in the text, those of traces first, each once."""
    found: dict[tuple[str, int], Place] = {}
    for match in _BLOB.finditer(text):
        _place(found, match["path"], match["line"], "")
    text = _URL.sub(" ", text)
    for _, pattern in _FRAMES:
        for match in pattern.finditer(text):
            told = match.groupdict()
            _place(found, told["path"], told["line"], told.get("function") or "")
    for match in _PLAIN_PATH.finditer(text):
        path = match["path"]
        if not any(path in known for known, _ in found):
            _place(found, path, None, "")
    return tuple(found.values())


def _place(found: dict[tuple[str, int], Place], path: str, line: str | None, function: str) -> None:
    path = path.replace("\\", "/").strip("\"'`()")
    while path.startswith(("./", "../")):
        path = path.partition("/")[2]
    key = (path, int(line or 0))
    known = found.get(key)
    if path and (known is None or (function and not known.function)):
        found[key] = Place(path, key[1], function.strip())
