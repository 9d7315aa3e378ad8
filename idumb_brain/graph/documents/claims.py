"""What documents say in code and numbers, against what the project is: paths, symbols, commands, versions. In doubt, it says nothing."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from idumb_brain.graph.documents.commands import Commands
from idumb_brain.graph.documents.ground import Ground
from idumb_brain.graph.documents.links import silent_about
from idumb_brain.graph.documents.manifests import Manifests, parsed
from idumb_brain.graph.documents.sites import Site
from idumb_brain.model.code import Symbol
from idumb_brain.model.documents import MISSING_PATH, MISSING_SYMBOL, OLD_VERSION, Document, Relation, Said, Stale
from idumb_brain.scan.git import gone_from_history
from idumb_brain.store import code as store
from idumb_brain.store.database import Connection

if TYPE_CHECKING:
    from idumb_brain.graph.documents.relate import Related

_PATH = re.compile(r"(?:\./)?[\w@.+-]+(?:/[\w@.+-]+)+/?")
_FILE = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}$")
_DOTTED = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?:\(\))?")
_NAME = re.compile(r"([A-Za-z_]\w{3,})(?:\(\))?")
# Documents about what was or what is to come are right when they are written, and stay so.
_OF_ITS_TIME = frozenset(("changelog", "adr", "prd", "plan", "research", "other"))
_OLD = re.compile(
    r"(?:^|/)(?:archived?|_archive|legacy|old|deprecated|history|historical|obsolete|attic|v\d+(?:\.\d+)*|versioned_docs|blog|upgrad\w*|migrat\w*)(?:/|[^/]*$)",
    re.I,
)
_PAST = re.compile(
    r"\b(?:remov|delet|renam|mov(?:ed|ing)|former|previous|used to|no longer|old\b|legacy|deprecat|was\b|were\b|replac|"
    r"obsolete|before\b|earlier|until|existed|migrat|instead of|gone|dropp|retired|superseded|split)",
    re.I,
)
_EXAMPLE = re.compile(r"\be\.g\.|\bfor example\b|\byour\b|\bsuch as\b|\bwill be\b|\bcreates?\b|\bgenerated\b", re.I)
_NEEDS = re.compile(
    r"\b(?:requir|need|prerequisite|support|minimum|at least|must have|you have|compatib|work[s ]|install|msrv|tested|badge)"
    r"|环境|要求|需要|前提|요구|必要",
    re.I,
)
_ABOUT_SETUP = re.compile(
    r"(?:install|getting.?started|quick.?start|setup|contribut|develop|require|(?:^|/)index\.|intro|agents\.md|claude\.md|hacking)",
    re.I,
)
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:path[/_-]?to|your\w*|my\w*|example\w*|foo|bar|baz|xxx+|some\w*|placeholder|NNN+|name|feature-x|owner|repo|org|user)(?:[/_.-]|$)",
    re.I,
)
_WITH_CLASSES = frozenset(("python", "typescript", "javascript", "java", "kotlin", "csharp", "php", "ruby", "tsx"))


class Claims:
    """Checks one document after the other; what only history can tell is asked at the end, all at once."""

    def __init__(self, connection: Connection, ground: Ground) -> None:
        self._connection = connection
        self._ground = ground
        self._manifests = Manifests(ground)
        self._commands = Commands(ground, self._manifests)
        self._symbols: dict[str, list[Symbol]] = {}
        self._doubtful: list[tuple[str, Stale, tuple[str, ...]]] = []

    def of(self, path: str, document: Document, site: Site | None) -> tuple[list[Relation], list[Stale]]:
        relations: list[Relation] = []
        stale: list[Stale] = []
        may_be_stale = (
            document.type not in _OF_ITS_TIME
            and document.role not in ("proposal", "template")
            and not _OLD.search(path)
            and not silent_about(path)
        )
        text: list[str] = []
        for said in document.code:
            if relation := self._named(path, said):
                relations.append(relation)
            elif may_be_stale:
                text = text or self._ground.text(path).splitlines()
                stale += self._gone(path, document, said, text, site)
        if may_be_stale:
            stale += self._commands.missing(path, document, site)
            stale += self._old_versions(path, document)
        return relations, stale

    def named(self, path: str, document: Document) -> list[Relation]:
        """The relations alone; nothing is checked."""
        return [relation for said in document.code if (relation := self._named(path, said))]

    def confirmed(self, related: Sequence[Related]) -> list[Related]:
        """With what git's history confirms: paths that once were there."""
        asked = sorted({path for _, _, paths in self._doubtful for path in paths})
        once = gone_from_history(self._ground.root, asked) if asked else frozenset()
        more: dict[str, list[Stale]] = {}
        for document, stale, paths in self._doubtful:
            if was := next((path for path in paths if path in once), ""):
                more.setdefault(document, []).append(replace(stale, why=f"{was} was removed or renamed, says git"))
        return [
            replace(one, stale=_with(one.document, one.stale, more[one.file.path])) if one.file.path in more else one
            for one in related
        ]

    def _named(self, path: str, said: Said) -> Relation | None:
        if target := self._path_of(path, said.text):
            return Relation(path, target, "path", said.line)
        if symbol := self._symbol_of(said.text):
            return Relation(path, f"{symbol.file}#{symbol.qualified_name}", "symbol", said.line)
        return None

    def _path_of(self, document: str, text: str) -> str:
        written = re.sub(r"(?::\d+(?:-\d+)?|#L\d+.*)$", "", text).removeprefix("./")
        if not (_PATH.fullmatch(written) or (_FILE.search(written) and re.fullmatch(r"[\w.-]+", written))):
            return ""
        for base in (posixpath.dirname(document), ""):
            there = posixpath.normpath(posixpath.join(base, written))
            if there in self._ground.lines and there != document:
                return there
        return self._ground.ending(written) if "/" in written and self._ground.ending(written) in self._ground.lines else ""

    def _symbol_of(self, text: str) -> Symbol | None:
        """The one symbol of the project a span of code can mean."""
        found = _DOTTED.fullmatch(text) or _NAME.fullmatch(text)
        if found is None:
            return None
        name = found[1].rpartition(".")[2]
        if "." not in found[1] and name.islower() and "_" not in name:
            return None  # an ordinary word
        defined = [
            symbol for symbol in self._defined(name) if symbol.exported and symbol.kind not in ("heading", "key", "section")
        ]
        if "." in found[1]:
            defined = [symbol for symbol in defined if symbol.qualified_name.endswith(".".join(found[1].split(".")[-2:]))]
        return defined[0] if len(defined) == 1 else None

    def _defined(self, name: str) -> list[Symbol]:
        if name not in self._symbols:
            self._symbols[name] = store.symbols_named(self._connection, name)
        return self._symbols[name]

    def _gone(self, path: str, document: Document, said: Said, text: Sequence[str], site: Site | None) -> Iterable[Stale]:
        around = re.sub(r"`[^`]*`", "", " ".join(text[max(0, said.line - 2) : said.line + 1]))
        if (
            _PLACEHOLDER.search(said.text)
            or said.line > len(text)
            or _PAST.search(around)
            or _EXAMPLE.search(text[said.line - 1])
        ):
            return
        written = re.sub(r"(?::\d+(?:-\d+)?|#L\d+.*)$", "", said.text).removeprefix("./")
        if _PATH.fullmatch(written) and (_FILE.search(written) or written.endswith("/")):
            places = [posixpath.normpath(posixpath.join(base, written)) for base in ("", posixpath.dirname(path))]
            first, _, inner = written.partition("/")
            if first.startswith(".") and first != ".github":
                return  # what a tool keeps in the projects of its users, more often than not
            if self._ground.find(inner.rstrip("/")) or self._ground.find(
                posixpath.join(posixpath.dirname(path), inner.rstrip("/"))
            ):
                return  # it opens with the name of the project itself
            if any(self._ground.find(place) or self._ground.could_be_made(place) for place in places) or self._ground.ending(
                written.rstrip("/")
            ):
                return
            self._doubtful.append(
                (path, Stale(said.line, MISSING_PATH, said.text, ""), tuple(dict.fromkeys(p for p in places if p[:2] != "..")))
            )
            return
        if (dotted := _DOTTED.fullmatch(said.text)) and site is None:
            yield from self._gone_member(said, dotted[1])

    def _gone_member(self, said: Said, dotted: str) -> Iterable[Stale]:
        """``Class.member`` where there is one such class, nothing it could inherit from, and nobody who says the member's name."""
        owner, _, member = dotted.rpartition(".")
        defined = [s for s in self._defined(owner.rpartition(".")[2]) if s.kind in ("class", "struct", "interface", "enum")]
        if len(defined) != 1 or (_FILE.search(dotted) and "." + member in _EXTENSIONS):
            return
        record = store.file_at(self._connection, defined[0].file)
        if (
            record is None
            or record.language not in _WITH_CLASSES
            or re.search(r"[(<:]|\bextends\b|\bimplements\b", defined[0].signature)
        ):
            return
        if self._defined(member) or store.files_mentioning(self._connection, member):
            return
        yield Stale(
            said.line, MISSING_SYMBOL, said.text, f"{defined[0].file} has {owner}, but nothing in the project is named {member}"
        )

    def _old_versions(self, path: str, document: Document) -> Iterable[Stale]:
        """Least versions that are lower than what the manifest asks for, where a document says what is needed."""
        if not document.versions or not (document.type == "readme" or _ABOUT_SETUP.search(f"{path} {document.title}")):
            return
        text = self._ground.text(path).splitlines()
        for said in document.versions:
            heading = next((section.title for section in reversed(document.sections) if section.line <= said.line), "")
            if said.line > len(text) or not (_NEEDS.search(text[said.line - 1]) or _NEEDS.search(heading)):
                continue
            wanted = self._manifests.least(said.about, path)
            if wanted is None:
                continue
            least, manifest = wanted
            claimed = parsed(said.text)
            if len(claimed) == 1 and said.about in ("python", "php", "go", "rust"):
                continue  # "Python 3" says little enough to stay true
            if claimed < least[: len(claimed)]:
                stated = ".".join(map(str, least))
                yield Stale(said.line, OLD_VERSION, f"{said.about} {said.text}", f"{manifest} asks for {stated} at least")


_EXTENSIONS = frozenset(
    (
        ".md",
        ".py",
        ".js",
        ".ts",
        ".json",
        ".yml",
        ".yaml",
        ".toml",
        ".txt",
        ".rs",
        ".go",
        ".java",
        ".rb",
        ".php",
        ".sh",
        ".html",
        ".css",
        ".io",
        ".com",
    )
)


def _with(document: Document, stale: Sequence[Stale], more: Sequence[Stale]) -> tuple[Stale, ...]:
    heard = () if 0 in document.quiet else [one for one in more if one.line not in document.quiet]
    kept = {(one.line, one.kind, one.text): one for one in (*stale, *heard)}
    return tuple(kept[key] for key in sorted(kept))
