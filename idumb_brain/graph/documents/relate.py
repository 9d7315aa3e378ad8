"""All documents of a project with what they lead to and what is stale about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from idumb_brain.graph.documents.claims import Claims
from idumb_brain.graph.documents.ground import Ground
from idumb_brain.graph.documents.links import follow
from idumb_brain.graph.documents.sites import Site, Sites
from idumb_brain.model.code import FileRecord
from idumb_brain.model.documents import IMAGE, INCLUDE, TOC, Document, Relation, Stale, unpacked
from idumb_brain.store import code as store
from idumb_brain.store.database import Connection


@dataclass(frozen=True, slots=True)
class Related:
    file: FileRecord
    document: Document
    relations: tuple[Relation, ...]
    stale: tuple[Stale, ...]


def relate(connection: Connection, root: Path, folders: tuple[Path, ...]) -> list[Related]:
    """Every document, in order of path. ``folders`` hold the rules."""
    read = [(file, unpacked(facts)) for file, facts in store.documents(connection)]
    lines = {file.path: file.lines for file in store.files(connection)}
    ground = Ground(root, lines, {file.path: document for file, document in read})
    sites = Sites(ground, folders)
    claims = Claims(connection, ground)
    related = []
    for file, document in read:
        site = sites.of(file.path, document.front_matter)
        linked, dead = _linked(ground, file.path, document, site)
        named, wrong = claims.of(file.path, document, site)
        related.append(Related(file, document, _ordered({*linked, *named}), _heard(document, [*dead, *wrong])))
    return claims.confirmed(related)


class Leads:
    """What single documents lead to: as ``relate`` tells it, without asking what is stale."""

    def __init__(self, connection: Connection, root: Path, folders: tuple[Path, ...]) -> None:
        self._documents = {path: unpacked(facts) for path, facts in store.document_facts(connection)}
        self._ground = Ground(root, store.lines_of_files(connection), self._documents)
        self._sites = Sites(self._ground, folders)
        self._claims = Claims(connection, self._ground)

    def of(self, path: str) -> tuple[Relation, ...]:
        document = self._documents.get(path)
        if document is None:
            return ()
        linked, _ = _linked(self._ground, path, document, self._sites.of(path, document.front_matter))
        return _ordered({*linked, *self._claims.named(path, document)})


def _linked(ground: Ground, path: str, document: Document, site: Site | None) -> tuple[list[Relation], list[Stale]]:
    """Where its links lead, and which of them lead nowhere."""
    relations: list[Relation] = []
    dead: list[Stale] = []
    for link in document.links:
        led = follow(ground, path, document, link, site)
        if led.path and led.path != path and ground.find(led.path) == "file":
            kind = link.kind if link.kind in (IMAGE, INCLUDE, TOC) else "link"
            relations.append(Relation(path, led.path, kind, link.line))
        if led.stale is not None:
            dead.append(led.stale)
    return relations, dead


def _ordered(relations: set[Relation]) -> tuple[Relation, ...]:
    return tuple(sorted(relations, key=lambda one: (one.line, one.target, one.kind)))


def _heard(document: Document, stale: Sequence[Stale]) -> tuple[Stale, ...]:
    """Without what the document asks not to hear about; each thing once a line."""
    if 0 in document.quiet:
        return ()
    kept = {(one.line, one.kind, one.text): one for one in stale if one.line not in document.quiet}
    return tuple(kept[key] for key in sorted(kept))
