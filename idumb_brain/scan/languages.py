"""Languages as data: what a folder under ``queries/`` says about one. Refuses to parse anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha1
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BadInput
from idumb_brain.scan.tables import read_table

_HERE = Path(__file__).resolve()
_APART = ("top.scm", "examine.scm")  # asked of a part of the tree, or only when somebody wants to know
_SHEBANG = re.compile(rb"^#!\s*(?:\S*/)?([\w.+-]+)(?:[ \t]+(?:(?:-\S+|\w+=\S*)[ \t]+)*(?:\S*/)?([\w.+-]+))?")


@dataclass(frozen=True)
class CommentStyle:
    line: tuple[str, ...] = ()
    block: tuple[tuple[str, str], ...] = ()
    doc: tuple[str, ...] = ()  # comments that open like this are documentation
    adjacent: bool = False  # any comment right above a symbol documents it

    @cached_property
    def leaders(self) -> tuple[str, ...]:
        """What a line of a comment may open with, longest first."""
        return tuple(sorted((*self.doc, *self.line), key=len, reverse=True))

    @cached_property
    def openings(self) -> tuple[str, ...]:
        return tuple(opening for opening, _ in self.block)


@dataclass(frozen=True, slots=True)
class ExportRule:
    """Which symbols are public API, unless a ``@public`` or ``@private`` capture in the queries says otherwise."""

    default: bool = True
    name: str = ""  # public names match this
    members: str = ""  # what members of an exported container are unless marked: "" as ``default``, "public", "private"
    nested: tuple[str, ...] = ()  # kinds whose insides are never public, beside functions
    unshared: tuple[str, ...] = ()  # kinds that no other file sees unless they stand in a header
    receivers: bool = False  # what has a receiver, or is in its scope, is as public as that, if this file defines it


@dataclass(frozen=True, eq=False)  # one object per language and project: identity is equality, and hashes in no time
class Language:
    name: str
    grammar: str
    extensions: tuple[str, ...]
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    claims: tuple[tuple[str, str], ...] = ()  # extensions of others that are ours if the text matches
    headers: tuple[str, ...] = ()  # extensions of files that others include
    separator: str = "."
    separators: tuple[tuple[str, str], ...] = ()  # by the kind of what stands before it, where that makes a difference
    comments: CommentStyle = CommentStyle()
    exports: ExportRule = ExportRule()
    resolver: str = ""
    blank: str = ""  # text the grammar stumbles over, read as if it were spaces: regular expressions over lines
    # Such text and what is read in its place; spaces make up the length, behind it or, if it opens with one, before it.
    read_as: tuple[tuple[str, str], ...] = ()
    resume: str = ""  # where a definition opens at the margin: a source with errors is read anew from each of these
    # What stands around text that could be read: where the first occurs in a file, the groups of the second are blank.
    unwrap: tuple[tuple[str, str], ...] = ()
    mend: tuple[str, ...] = ()  # blank where the grammar has stumbled, and kept if it stumbles less: one try after the other
    any_text: bool = False  # whatever is written is right: what the grammar stumbles over is no problem
    conditions: bool = False  # #if … #endif may cut through the code: then its first branch is read
    clauses: tuple[str, ...] = ()  # kinds of definitions that may be written in several clauses
    expand: str = ""  # how one import text names several things: "" or "braces"
    binds: str = ""  # the local name of an import that states none: the first group of a regular expression over its text
    top_word: str = ""  # without it in the source, top.scm finds nothing and is not asked
    embedded: Mapping[str, Any] | None = None
    generic: bool = False
    outline: bool = True  # False: a data format, not worth a syntax tree
    outlined: str = ""  # the outline of a generic language as a query, where the names of node kinds do not tell
    folder: Path | None = None
    included: tuple[Path, ...] = ()  # folders whose queries are read before its own

    def is_header(self, path: str) -> bool:
        return path.endswith(self.headers) if self.headers else False

    @cached_property
    def query(self) -> str:
        """All queries of the folder as one text, so that a file is walked once."""
        return "\n".join(scm.read_text("utf-8") for scm in self._queries if scm.name not in _APART)

    @cached_property
    def top_query(self) -> str:
        """What ``top.scm`` asks of statements at the top of a file and of those right inside them, and of no others."""
        return "\n".join(scm.read_text("utf-8") for scm in self._queries if scm.name == "top.scm")

    @cached_property
    def examined(self) -> str:
        """What ``examine.scm`` asks of functions, "" where nobody has written any."""
        return "\n".join(scm.read_text("utf-8") for scm in self._queries if scm.name == "examine.scm")

    @property
    def _queries(self) -> list[Path]:
        folders = (*self.included, self.folder) if self.folder else ()
        return [scm for folder in folders for scm in sorted(folder.glob("*.scm"))]


class Languages:
    """Every language we know, by name, and which one a file is written in."""

    def __init__(self, languages: Iterable[Language]) -> None:
        self.by_name = {language.name: language for language in languages}
        self._by_extension: dict[str, str] = {}
        self._by_filename: dict[str, str] = {}
        self._by_interpreter: dict[str, str] = {}
        self._claims: dict[str, list[tuple[re.Pattern[bytes], str]]] = {}
        for language in self.by_name.values():
            for extension in language.extensions:
                self._by_extension.setdefault(extension, language.name)
            for filename in language.filenames:
                self._by_filename.setdefault(filename, language.name)
            for extension, text in language.claims:
                self._claims.setdefault(extension, []).append((re.compile(text.encode(), re.MULTILINE), language.name))
            for interpreter in language.interpreters:
                self._by_interpreter.setdefault(interpreter, language.name)

    def of_file(self, path: str, source: bytes) -> str:
        """The language a file is written in, or "" if we know none."""
        for pattern, name in self._claims.get(path[path.rfind(".") :], ()) if self._claims else ():
            if pattern.search(source):
                return name
        return self.of_path(path) or self.of_first_line(source)

    def of_path(self, path: str) -> str:
        """The language a path's name tells of, or "": then only the first line can tell."""
        filename = path[path.rfind("/") + 1 :]
        known = self._by_filename.get(filename)
        if known is not None:
            return known
        dot = filename.find(".", 1)
        while dot > 0:  # longest extension first: ".d.ts" before ".ts"
            known = self._by_extension.get(filename[dot:]) or self._by_extension.get(filename[dot:].lower())
            if known is not None:
                return known
            dot = filename.find(".", dot + 1)
        return ""

    def of_first_line(self, source: bytes) -> str:
        found = _SHEBANG.match(source)
        if not found:
            return ""
        program = found[2] if found[1] == b"env" and found[2] else found[1]
        name = program.decode("ascii", "replace")
        return self._by_interpreter.get(name) or self._by_interpreter.get(name.rstrip("0123456789."), "")


def query_folders(project: str | None = None) -> tuple[Path, ...]:
    """Where languages are described: shipped ones first, then the project's own, which win."""
    shipped = _HERE.parent.parent / "queries"
    if not shipped.is_dir():  # a source checkout keeps them at the top, a wheel inside the package
        shipped = _HERE.parent.parent.parent / "queries"
    own = Path(project, ".idumb", "queries") if project else None
    return (shipped, own) if own and own.is_dir() else (shipped,)


@lru_cache(maxsize=4)
def load_languages(folders: tuple[Path, ...]) -> Languages:
    described: dict[str, Language] = {}
    generic: dict[str, Language] = {}
    for top in folders:
        for folder in sorted(top.iterdir()):
            if (folder / "language.toml").is_file():
                language = _read_language(folder, folders)
                described[language.name] = language
        if (top / "generic.toml").is_file():
            generic.update({language.name: language for language in _read_generic(top / "generic.toml")})
    return Languages([*described.values(), *(g for name, g in generic.items() if name not in described)])


def fingerprint(folders: tuple[Path, ...]) -> str:
    """Changes whenever a query or a language description does: then old facts are worth nothing."""
    digest = sha1(usedforsecurity=False)
    for top in folders:
        for file in sorted(
            [*top.glob("generic.toml"), *top.glob("secrets.toml"), *top.glob("*/language.toml"), *top.glob("*/*.scm")]
        ):
            digest.update(file.relative_to(top).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _read_language(folder: Path, tops: tuple[Path, ...]) -> Language:
    stated = read_table(folder / "language.toml")
    comments = stated.get("comments", {})
    exports = stated.get("exports", {})
    try:
        return Language(
            name=stated.get("name", folder.name),
            grammar=stated.get("grammar", folder.name),
            extensions=tuple(stated.get("extensions", ())),
            filenames=tuple(stated.get("filenames", ())),
            interpreters=tuple(stated.get("interpreters", ())),
            claims=tuple(stated.get("claims", {}).items()),
            headers=tuple(stated.get("headers", ())),
            separator=stated.get("separator", "."),
            separators=tuple(stated.get("separators", {}).items()),
            comments=CommentStyle(
                line=tuple(comments.get("line", ())),
                block=tuple((opening, closing) for opening, closing in comments.get("block", ())),
                doc=tuple(comments.get("doc", ())),
                adjacent=bool(comments.get("adjacent", False)),
            ),
            exports=ExportRule(
                default=bool(exports.get("default", True)),
                name=exports.get("name", ""),
                members=exports.get("members", ""),
                nested=tuple(exports.get("nested", ())),
                unshared=tuple(exports.get("unshared", ())),
                receivers=bool(exports.get("receivers", False)),
            ),
            resolver=stated.get("resolver", ""),
            blank="|".join(_patterns(stated, "blank")),
            resume=stated.get("resume", ""),
            read_as=tuple(stated.get("read_as", {}).items()),
            unwrap=tuple(stated.get("unwrap", {}).items()),
            mend=_patterns(stated, "mend"),
            conditions=bool(stated.get("conditions", False)),
            clauses=tuple(stated.get("clauses", ())),
            expand=stated.get("expand", ""),
            binds=stated.get("binds", ""),
            top_word=stated.get("top_word", ""),
            any_text=stated.get("any_text", False),
            embedded=stated.get("embedded"),
            folder=folder,
            included=tuple(_included(name, tops) for name in stated.get("include", ())),
        )
    except (TypeError, ValueError) as error:
        raise BadInput(
            f"{folder / 'language.toml'} cannot be used",
            why=str(error),
            instead="compare it with the language.toml of a shipped language",
        ) from error


def _patterns(stated: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """One or several regular expressions; ``%NAME%`` in them is what the table ``words`` says."""
    patterns = stated.get(key, ())
    whole = []
    for pattern in (patterns,) if isinstance(patterns, str) else patterns:
        for name, word in stated.get("words", {}).items():
            pattern = pattern.replace(f"%{name}%", f"(?:{word})")
        whole.append(pattern)
    return tuple(pattern for pattern in whole if pattern)


def _included(name: str, tops: tuple[Path, ...]) -> Path:
    """The folder a language borrows queries from: the project's own, where it has one of that name."""
    for top in reversed(tops):
        if (top / name).is_dir():
            return top / name
    raise ValueError(f"there is no folder {name!r} to include queries from")


def _read_generic(file: Path) -> list[Language]:
    return [
        Language(
            name=name,
            grammar=stated.get("grammar", name),
            extensions=tuple(stated.get("extensions", ())),
            filenames=tuple(stated.get("filenames", ())),
            interpreters=tuple(stated.get("interpreters", ())),
            comments=CommentStyle(
                line=tuple(stated.get("line", ("#", "//", "--", ";", "%"))),
                block=tuple((opening, closing) for opening, closing in stated.get("block", (("/*", "*/"), ("<!--", "-->")))),
                adjacent=True,
            ),
            blank=stated.get("blank", ""),
            generic=True,
            outline=stated.get("outline") is not False,
            outlined=stated["outline"] if isinstance(stated.get("outline"), str) else "",
        )
        for name, stated in read_table(file).items()
    ]
