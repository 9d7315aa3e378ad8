"""Who renders a document: the forge that hosts the repository, or a generator that resolves links in its own way."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from idumb_brain.graph.documents.ground import Ground, folders_above
from idumb_brain.scan.tables import tables, understanding

# Front matter only a generator reads.
_RENDERED = re.compile(
    r"^(title|layout|slug|sidebar.*|permalink|nav_order|weight|navtitle|navigation|eleventyNavigation|aliases|menu|id|order|draft|categories|"
    r"page_title|description|hide_table_of_contents|toc|redirect_from|outline|head|hide)$",
    re.IGNORECASE,
)
_BY_THE_FORGE = re.compile(
    r"(?:^|/)(?:README|CONTRIBUTING|CHANGELOG|SECURITY|CODE_OF_CONDUCT|AGENTS|CLAUDE)\b[^/]*$", re.IGNORECASE
)
_DOCS_DIR = re.compile(r"^docs_dir:\s*[\"']?([^\s\"'#]+)", re.MULTILINE)
_FOLDERS = (".vitepress", ".vuepress", "_layouts", "_includes")
_NOT_RENDERED = re.compile(r"(^|/)\.(github|claude|cursor|planning|kiro|opencode|specify|agent-os|taskmaster)/")


@dataclass(frozen=True, slots=True)
class Site:
    name: str
    folder: str  # where its configuration lies


class Sites:
    """Every generator a project is set up for."""

    def __init__(self, ground: Ground, folders: tuple[Path, ...]) -> None:
        self._ground = ground
        self._found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for path in ground.lines:
            folder, _, name = path.rpartition("/")
            for site, content in _marked(folders, name):
                self._found.setdefault(folder, []).append((site, content))
                if site == "MkDocs" and (stated := _DOCS_DIR.search(ground.text(path))):
                    rendered = posixpath.normpath(posixpath.join(folder, stated[1]))
                    self._found.setdefault(rendered, []).append((site, ()))
            for special in _FOLDERS:
                if f"/{special}/" in f"/{path}":
                    top = f"/{path}".split(f"/{special}/")[0].strip("/")
                    self._found.setdefault(top, []).append(("VitePress" if special == ".vitepress" else "another generator", ()))

    def of(self, path: str, front_matter: Mapping[str, object]) -> Site | None:
        """The generator that renders a document; None: the forge alone."""
        for folder in folders_above(path):
            for name, content in self._found.get(folder, ()):
                inner = path[len(folder) + 1 :] if folder else path
                if content and not inner.startswith(tuple(f"{one}/" for one in content)):
                    continue
                if not folder and "/" not in path and not content and name != "Sphinx":
                    continue  # what lies at the top is shown by the forge, whatever else is made of it
                return Site(name, folder)
        if path.endswith(".mdx") or ".docc/" in path:
            return Site("another generator", posixpath.dirname(path))
        if (
            not _NOT_RENDERED.search(path)
            and not _BY_THE_FORGE.search(path)
            and any(_RENDERED.match(key) for key in front_matter)
        ):
            return Site("another generator", posixpath.dirname(path))
        return None


@lru_cache(maxsize=4096)
def _marked(folders: tuple[Path, ...], name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The generators that a file of this name says are used, with what each renders."""
    return tuple((site, content) for marker, site, content in _markers(folders) if fnmatchcase(name, marker))


@lru_cache(maxsize=4)
def _markers(folders: tuple[Path, ...]) -> list[tuple[str, str, tuple[str, ...]]]:
    found = []
    for file, stated in tables(folders, "documents.toml"):
        with understanding(file):
            for row in stated.get("site", ()):
                found += [(marker, row["name"], tuple(row.get("content", ()))) for marker in row["marker"]]
    return found
