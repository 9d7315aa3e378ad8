"""All documents of a project with what they lead to and what is stale about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from idumb_brain.graph.documents.claims import Claims
from idumb_brain.graph.documents.ground import Ground
from idumb_brain.graph.documents.links import follow
from idumb_brain.graph.documents.sites import Sites
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
        relations: set[Relation] = set()
        stale: list[Stale] = []
        for link in document.links:
            led = follow(ground, file.path, document, link, site)
            if led.path and led.path != file.path and ground.find(led.path) == "file":
                kind = link.kind if link.kind in (IMAGE, INCLUDE, TOC) else "link"
                relations.add(Relation(file.path, led.path, kind, link.line))
            if led.stale is not None:
                stale.append(led.stale)
        named, wrong = claims.of(file.path, document, site)
        relations.update(named)
        stale += wrong
        related.append(Related(file, document, _ordered(relations), _heard(document, stale)))
    return claims.confirmed(related)


def _ordered(relations: set[Relation]) -> tuple[Relation, ...]:
    return tuple(sorted(relations, key=lambda one: (one.line, one.target, one.kind)))


def _heard(document: Document, stale: Sequence[Stale]) -> tuple[Stale, ...]:
    """Without what the document asks not to hear about; each thing once a line."""
    if 0 in document.quiet:
        return ()
    kept = {(one.line, one.kind, one.text): one for one in stale if one.line not in document.quiet}
    return tuple(kept[key] for key in sorted(kept))
