"""Names that comments speak of and that nothing in the project is called any more. Needs proof that there was such a thing. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from idumb_brain.graph.inconsistencies.place import FileView, Told
from idumb_brain.model.code import TODO_TYPES, Comment
from idumb_brain.model.documented import ERROR, WARNING, Evidence

_LINK = re.compile(
    r":(?:func|meth|class|attr|mod|obj|exc|data|const|py:\w+|c:\w+|cpp:\w+):`[~!.]?(?:[^`<]*<)?[~.]?(?P<role>[\w.]+)>?(?:\(\))?`"
    r"|\{@(?:link|linkcode|linkplain|see)\s+(?P<link>[\w$.#:~]+)[^}]*\}"
    r"|<see(?:also)?\s+cref=\"(?:\w:)?(?P<cref>[\w.]+)[^\"]*\""
    r"|\[`(?P<rust>[\w:]+)(?:\(\))?`\](?![(\[:])"
)
_SEE = re.compile(r"^\s*[@\\](?:see|sa|copydoc)\s+(?P<see>#?[A-Za-z_$][\w$]*(?:[.#:]+[\w$]+)*(?:\(\))?)\s*$", re.MULTILINE)
_TICKED = re.compile(
    r"(?<![`\w:\[])(`{1,2})(?P<name>[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*)(?P<call>\([^`()]*\))?\1(?!`|\w|_)"
)
_CALLED = re.compile(r"(?<![\w.`/\"'<@$\\:>#-])(?P<name>[A-Za-z_]\w*(?:_\w+|[a-z][A-Z]\w*))\(\)(?!\s*[{=])")
_MAY_NAME = re.compile(r"`|\(\)|\{@|cref=|[@\\](?:see|sa|copydoc)\b")
_SPLIT = re.compile(r"\.|::|#|->|~|:")
_LOOKS_CODED = re.compile(r"_[A-Za-z]|[a-z][A-Z]|[A-Za-z]\d*[A-Z][a-z]")
_FENCE = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<pre>.*?(?:</pre>|\Z)|@example.*?(?=\n\s*@\w|\Z)|\{@code[^}]*\}", re.DOTALL
)
# Words around a name that say themselves that it is gone …
_HISTORIC = re.compile(
    r"\b(?:renamed|formerly|previously|no longer|removed|deprecated|(?:it|we|they|this|which|that|[A-Z]\w+) used to|was|were|old|legacy"
    r"|historical\w*|originally|replac\w+|instead of|before|prior|once|(?:un)?stable|stabili[sz]ed"
    r"|nightly|obsolete|ported|backport\w*|std)\b",
    re.IGNORECASE,
)
# … or foreign, or made up.
_FOREIGN = re.compile(
    r"\b(?:upstream|e\.g|for example|example|similar to|equivalent|inspired|borrowed|copied|like|analogous|unlike|compare|cf"
    r"|would|could|might|may|should|suppose|imagine|hypothetical\w*|maybe|perhaps|future|eventually|consider|add|implement|introduce|want"
    r"|your|copy of|C function|rename to|rename (?:this|it)"
    r"|https?|stackoverflow|github\.com|jQuery|Python|Java|Ruby|Haskell|Scala|Erlang|OTP|Lisp"
    r"|Clojure|OCaml|Perl|PHP|Swift|Kotlin|Golang|Rails|glibc|POSIX|Linux|Windows|Win32|API|kernel|browser|spec|foo|bar)\b",
    re.IGNORECASE,
)
_MADE_UP = re.compile(r"^(?:foo|bar|baz|[mM]y|some|your|example|test)(?=[A-Z_])|(?:foo|bar|baz|Foo|Bar|Baz)(?![a-z])", 0)
# A line of a comment that is code itself: commented out, or an example.
_CODE_LINE = re.compile(
    r"^\s*(?://|#\s|>>>|\.\.\.\s|\$ )|[;{]\s*$|^\s*(?:pub |export |public |private |static |async )*"
    r"(?:def|func|fn|fun|function|class|struct|let|var|val|const|return|if|for|while|import|from|use|defmodule|defp?|test|it)\b.*[({=:]|^\s*[\w.]+\(.*\)[,;]?\s*$|^\s*@\w+\("
    r"|^\s*@(?:method|property|mixin)\b|=\s*new [A-Z]\w*\(|\w\s*:=\s"
)
_LINKED_ELSEWHERE = re.compile(r"\[`?([^\]`()]+)(?:\(\))?`?\]:")
# What objects have without anybody writing it down.
_INHERITED = frozenset(
    ["toString", "hasOwnProperty", "hashCode", "valueOf", "compareTo", "getClass", "isPrototypeOf", "from_str", "to_string"]
)
_DEFINED = re.compile(
    r"\b(?:defp?|defmodule|defmacro|class|struct|func?|fun|function|type|interface|enum|trait|const|let|var|val)\s+([\w$]+)"
)
# Kinds of symbols that a misspelled name is looked for among; variables and fields are called like too many other things.
SPOKEN_OF = (
    "function",
    "method",
    "constructor",
    "class",
    "struct",
    "interface",
    "enum",
    "trait",
    "type",
    "macro",
    "module",
    "object",
)
_SHORTEST = 5
# Languages that call each other by name.
_FAMILIES = {
    "c": ("c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "inc", "inl", "m", "mm", "s"),
    "script": ("js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"),
    "jvm": ("java", "kt", "kts", "scala", "groovy"),
    "python": ("py", "pyi", "pyx", "pxd"),
    "elixir": ("ex", "exs", "erl"),
}


class Named(NamedTuple):
    """A name in a comment."""

    name: str  # its last part
    whole: str
    comment: Comment
    line: int  # of the comment's text
    is_link: bool
    historic: bool
    foreign: bool

    @property
    def holder(self) -> str:
        """What the name says it is in: ``Shelf`` of ``Shelf.take``."""
        parts = [part for part in _SPLIT.split(self.whole) if part]
        return parts[-2] if len(parts) > 1 else ""


class Proof(NamedTuple):
    """Why we think that there was such a thing."""

    reason: str
    confidence: float
    elsewhere: tuple[Evidence, ...] = ()


def names_in(comment: Comment) -> Iterator[Named]:
    """What a comment says as if it were the name of something."""
    if not _MAY_NAME.search(comment.content):
        return
    text = _FENCE.sub(lambda found: "\n" * found[0].count("\n"), comment.content)
    lines = text.split("\n")
    indented = "" if comment.file.endswith((".py", ".pyi", ".pyx")) else "    "
    seen: set[str] = set()
    links = set(_LINKED_ELSEWHERE.findall(comment.content)) if "]:" in comment.content else set()
    defined = set(_DEFINED.findall(comment.content))
    for pattern, is_link in ((_LINK, True), (_SEE, True), (_TICKED, False), (_CALLED, False)):
        for found in pattern.finditer(text):
            whole = next(value for key, value in found.groupdict().items() if value and key != "call").removesuffix("()")
            name = _SPLIT.split(whole)[-1]
            coded = bool(_LOOKS_CODED.search(name)) or (is_link and len(_SPLIT.split(whole)) > 1)
            if whole in seen or not coded or len(name) < _SHORTEST or (name.isupper() and "_" not in name):
                continue
            line = text.count("\n", 0, found.start())
            if (
                _CODE_LINE.search(lines[line])
                or (indented and lines[line].startswith((indented, "\t")))
                or _MADE_UP.search(name)
                or _MADE_UP.search(whole)
            ):
                continue
            if whole in links or name in defined:
                continue  # links to elsewhere, or is an example of its own
            seen.add(whole)
            around = text[max(0, found.start() - 80) : found.end() + 60]
            yield Named(name, whole, comment, line, is_link, bool(_HISTORIC.search(around)), bool(_FOREIGN.search(around)))


def proof_of(
    named: Named,
    past: Mapping[str, tuple[Evidence, bool]],
    containers: Mapping[str, Evidence],
    near: Callable[[str, Sequence[str]], str],
    local: Sequence[str],
    symbols: Collection[str],
) -> Proof | None:
    """Why there should be such a thing, or None.

    ``symbols``: names of all that the project defines; ``local``: names at hand where the comment stands; ``near`` finds one of
    those that was meant.
    """
    was, is_weak = past.get(named.name, (None, False))
    if was and named.holder and named.holder not in was.text and named.holder not in symbols:
        return None  # of something that is not ours
    if was and (not is_weak or was.path.rpartition("/")[2] == named.comment.file.rpartition("/")[2]):
        elsewhere = named.foreign or _family(was.path) != _family(
            named.comment.file
        )  # another language: a library once kept here
        return Proof(f"it was defined in {was.path}", 0.3 if named.historic else 0.4 if elsewhere else 0.95, (was,))
    if named.holder in containers and named.name not in _INHERITED:
        there = containers[named.holder]
        return Proof(
            f"{named.holder} is here, and has nothing of that name", 0.4 if named.historic or named.foreign else 0.85, (there,)
        )
    meant = near(named.name, local) if not named.holder or named.holder in local else ""
    if meant and _style(meant) == _style(named.name):
        # `SHell` is a way to write a word, not to misspell a name.
        doubtful = named.historic or named.foreign or meant.lower() == named.name.lower()
        return Proof(f"did you mean {meant}?", 0.4 if doubtful else 0.8)
    return None


def _family(path: str) -> str:
    ending = path.rpartition(".")[2].lower()
    return next((family for family, endings in _FAMILIES.items() if ending in endings), ending)


def told_of(named: Named, proof: Proof) -> Told:
    todo = named.comment.type in TODO_TYPES
    kind = "todo-gone" if todo else "link-gone" if named.is_link else "name-gone"
    return Told(
        kind, ERROR if named.is_link else WARNING, f"nothing in the project is called `{named.whole}`; {proof.reason}",
        (named.line,), (), proof.confidence, proof.elsewhere,
    )  # fmt: skip


def similar_names(symbols: Iterable[str]) -> Callable[[str, Sequence[str]], str]:
    """A look-up of the symbol a name was most likely meant to be: the same words, spelled a little differently."""
    from rapidfuzz.distance import DamerauLevenshtein

    by_shape: dict[str, set[str]] = {}
    for name in symbols:
        by_shape.setdefault(_shape(name), set()).add(name)
    by_start: dict[str, list[str]] = {}
    for name in set().union(*by_shape.values()) if by_shape else ():
        if len(name) >= 8:
            by_start.setdefault(name[:3].lower(), []).append(name)

    tails = {tail for name in set().union(*by_shape.values()) for tail in _tails(name)} if by_shape else set()

    def near(name: str, local: Sequence[str]) -> str:
        if name in tails:
            return ""  # spoken of without its prefix
        same = {other for other in by_shape.get(_shape(name), set()) - {name} if other.strip("_") != name.strip("_")}
        if same:
            return min(same)
        if len(name) < 8:
            return ""
        mine = set(local)
        close = sorted(
            (DamerauLevenshtein.distance(name, other, score_cutoff=2), other)
            for other in by_start.get(name[:3].lower(), ())
            if other in mine and abs(len(other) - len(name)) <= 2
        )
        return (
            close[0][1]
            if close and close[0][0] <= (1 if len(name) < 12 else 2) and not _differ_in_number(name, close[0][1])
            else ""
        )

    return near


def _tails(name: str) -> Iterator[str]:
    """A name without its first parts: ``pgrsUpdate`` of ``Curl_pgrsUpdate``."""
    at = name.find("_", 1)
    while at > 0:
        yield name[at + 1 :]
        at = name.find("_", at + 1)


def _style(name: str) -> tuple[bool, bool]:
    """Types, functions and constants are spelled in ways of their own."""
    return name[:1].isupper(), name.isupper()


def _shape(name: str) -> str:
    return name.replace("_", "").lower()


def _differ_in_number(one: str, other: str) -> bool:
    """``read16`` is not a misspelling of ``read32``, nor ``getFoos`` of ``getFoo``: they are sisters."""
    return re.sub(r"\d+", "", one) == re.sub(r"\d+", "", other) or one.rstrip("s") == other.rstrip("s")


def comments_with_names(view: FileView) -> Iterator[Named]:
    for _, comment in view.comments:
        yield from names_in(comment)
