"""Documents and governance of a project: parts of the project map. Reads the index and the disk; changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from idumb_brain.model.documents import TYPES, Relation
from idumb_brain.operations.project import find_project
from idumb_brain.store import code as store


def documents(root: str | None = None) -> dict[str, Any]:
    """Every document with its type, sections, what it leads to, and what it says that is no longer so."""
    from idumb_brain.graph.documents import relate
    from idumb_brain.scan.languages import query_folders

    project = find_project(root)
    with project.reading() as connection:
        related = relate(connection, project.root, query_folders(str(project.root)))
    relations = [relation for one in related for relation in one.relations]
    return {
        "root": str(project.root),
        "documents": [
            {
                "path": one.file.path,
                "type": one.document.type,
                "confidence": one.document.confidence,
                "reasons": list(one.document.reasons),
                "role": one.document.role or None,
                "format": one.document.format,
                "title": one.document.title or None,
                "sections": [
                    {"title": section.title, "level": section.level, "line": section.line, "anchor": section.anchor}
                    for section in one.document.sections
                ],
                "frontMatter": one.document.front_matter,
                "linkedTo": sorted({relation.target for relation in one.relations}),
                "staleIndicators": [
                    {"line": stale.line, "kind": stale.kind, "text": stale.text, "why": stale.why} for stale in one.stale
                ],
                "lastModified": datetime.fromtimestamp(one.file.mtime_ns // 1_000_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
            for one in related
        ],
        "documentRelations": [_relation(relation) for relation in relations],
        "types": {name: number for name in TYPES if (number := sum(one.document.type == name for one in related))},
        "stale": sum(len(one.stale) for one in related),
    }


def governance(root: str | None = None) -> list[dict[str, Any]]:
    """Which ways of steering agents and work the project has taken up, each with where that shows."""
    from idumb_brain.scan.governance import governance as detected
    from idumb_brain.scan.languages import query_folders

    project = find_project(root)
    with project.reading() as connection:
        paths = [file.path for file in store.files(connection)]
    return [
        {
            "name": one.name,
            "kind": one.kind,
            "scope": one.scope,
            "evidence": [{"path": evidence.path, "why": evidence.why} for evidence in one.evidence],
            "counts": one.counts,
        }
        for one in detected(project.root, paths, query_folders(str(project.root)))
    ]


def _relation(relation: Relation) -> dict[str, Any]:
    return {"from": relation.source, "to": relation.target, "kind": relation.kind, "line": relation.line}
