"""All documents of a project with what they lead to and what is stale about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def leads(connection: Connection, root: Path, folders: tuple[Path, ...]) -> Iterator[Relation]:
    """What all documents lead to, as ``relate`` tells it, without a look at what is stale: a fraction of the work."""
    documents = {path: unpacked(facts) for path, facts in store.document_facts(connection)}
    ground = Ground(root, store.lines_of_files(connection), documents)
    sites, claims = Sites(ground, folders), Claims(connection, ground)
    for path, document in documents.items():
        linked, _ = _linked(ground, path, document, sites.of(path, document.front_matter))
        yield from _ordered({*linked, *claims.named(path, document)})


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
