"""Where the links of documents lead. Calls a link dead only where nothing could make it alive; everything else is left unsaid."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from idumb_brain.graph.documents.ground import Ground, folders_above
from idumb_brain.graph.documents.sites import Site
from idumb_brain.model.documents import DEAD_ANCHOR, DEAD_LINK, IMAGE, INCLUDE, ROLE, TOC, WIKI, Document, Link, Stale
from idumb_brain.scan.documents.anchors import bare

_SCHEME = re.compile(r"^(?:[a-zA-Z][a-zA-Z0-9+.-]*:(?!\d+(?:-\d+)?$)|//|\\)")
_OPEN = re.compile(r"[{}<>|*$%`\"\n]|\.\.\.|…|\[|\]")  # left to be filled in, or a pattern
_LINES = re.compile(r"^L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?$")
_PAGE_IDS = frozenset(
    ("", "top", "readme", "readme-ov-file", "start-of-content", "repository-container-header", "user-content-toc")
)
_FOOTNOTE = re.compile(r"^(?:user-content-)?fn(?:ref)?[-:_\d]|^:~:|^/|^!|[?=&]")
_PAGES = (".html", ".htm", ".php", ".aspx", ".jsp", "/")
_TEXTS = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc")
_SUFFIXES = ("", ".md", ".mdx", ".rst", ".adoc", ".txt", ".markdown", ".ipynb", ".html", ".myst", "/index.md", "/README.md", "/_index.md",
             "/index.mdx", "/index.rst", "/index.adoc", "/index.html")  # fmt: skip
_KNOWN_NAMES = re.compile(
    r"^(?:LICENSE|LICENCE|COPYING|CONTRIBUTING|CHANGELOG|README|SECURITY|CODE_OF_CONDUCT|AUTHORS|NOTICE|INSTALL|TODO|CHANGES|NEWS)$"
)
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:path[/_-]?to|your|my|example|placeholder|url|link|todo|tbd|xxx+|foo|bar|filename|insert)(?:[/_.-]|$)|^#?$|^/?\.+$|NNNN|xxxx",
    re.I,
)
_TEMPLATE = re.compile(
    r"(?:^|/)[^/]*(?:template|tmpl|cookiecutter|skeleton|boilerplate|scaffold|archetype)s?[^/]*(?:/|$)|(?:^|/)(?:ISSUE_TEMPLATE|\.changeset)",
    re.I,
)
_TEST_DATA = re.compile(
    r"(?:^|/)(?:fixtures?|__fixtures__|testdata|test[-_]data|test-?cases|__snapshots__|snapshots|__tests__|tests?/(?:.*/)?(?:data|files|resources|input|cases)|spec/files|corpus|goldens?)/"
)


@dataclass(frozen=True, slots=True)
class Led:
    """What became of a link: a path of the project, or why there is none. Neither: it is not for us to say."""

    path: str = ""
    stale: Stale | None = None


NOWHERE = Led()


def silent_about(path: str) -> bool:
    """Documents that are copied elsewhere before anybody reads them, or that are broken on purpose."""
    return _TEMPLATE.search(path) is not None or _TEST_DATA.search(path) is not None


def follow(ground: Ground, path: str, document: Document, link: Link, site: Site | None) -> Led:
    if link.kind == WIKI:
        return Led(_by_wiki_name(ground, link.target))
    if document.format == "restructuredtext" and link.kind in (ROLE, TOC):
        return _sphinx(ground, path, link, site)
    target = link.target.strip()
    if _SCHEME.match(target) or len(target) > 500:
        return NOWHERE
    written, _, fragment = target.partition("#")
    written = unquote(written.partition("?")[0]).strip()
    if _OPEN.search(written):
        return NOWHERE
    if not written:
        return _anchored(ground, path, path, fragment, link, site)
    found, missing = _located(ground, path, document, written, link, site)
    if found:
        if ground.find(found) == "file" and fragment:
            led = _anchored(ground, path, found, fragment, link, site)
            return Led(found, led.stale)
        return Led(found)
    if missing and not silent_about(path) and document.type != "config":
        return Led(stale=Stale(link.line, DEAD_LINK, link.target, missing))
    return NOWHERE


def _located(ground: Ground, path: str, document: Document, written: str, link: Link, site: Site | None) -> tuple[str, str]:
    """(path it leads to, why it leads nowhere); both empty where that cannot be known."""
    bare_path = re.sub(r":\d+(?:-\d+|:\d+)?$", "", written)
    for base in _bases(path, written, site):
        there = posixpath.normpath(posixpath.join(base, bare_path.lstrip("/")))
        if there.startswith(".."):
            if not written.startswith("/") and base == posixpath.dirname(path):
                return "", ""  # out of the project: another repository, or a page of the forge
            continue
        for suffix in _SUFFIXES:
            if ground.find(there + suffix):
                return there + suffix, ""
        if there.endswith((".html", ".htm")):
            stem = there.rpartition(".")[0]
            for suffix in (*_TEXTS, ".ipynb"):
                if ground.find(stem + suffix):
                    return stem + suffix, ""
    if document.type == "config" and ground.find(posixpath.normpath(bare_path.lstrip("/"))):
        return posixpath.normpath(bare_path.lstrip("/")), ""
    there = posixpath.normpath(posixpath.join("" if written.startswith("/") else posixpath.dirname(path), bare_path.lstrip("/")))
    return "", _reason(ground, path, document, written, there, link, site)


def _bases(path: str, written: str, site: Site | None) -> Iterable[str]:
    folder = posixpath.dirname(path)
    if not written.startswith("/"):
        yield folder
        if site is not None:
            yield site.folder
            yield posixpath.join(site.folder, "docs")
        return
    yield ""
    for above in folders_above(path):
        yield above
        for public in ("static", "public", "content", "docs", "src", "assets", "src/content", "source"):
            yield posixpath.join(above, public)


def _reason(ground: Ground, path: str, document: Document, written: str, there: str, link: Link, site: Site | None) -> str:
    """Why a path that is not there should be; "" where it need not be."""
    name = posixpath.basename(there)
    if _PLACEHOLDER.search(written) or ground.could_be_made(there) or written.lower().endswith(_PAGES[:-1]):
        return ""
    if site is not None or document.format != "markdown" or link.kind == INCLUDE:
        # Another base, a plug-in or an include may bring it; not so if no file of the project has that name.
        if not name.lower().endswith(_TEXTS) or ground.named(name) or written.startswith("/"):
            return ""
        if site is not None and site.name in ("another generator", "Hugo", "Jekyll", "Antora"):
            return ""
        return f"no file of the project is named {name}"
    if other := ground.other_case(there):
        return f"the name differs in case from {other}"
    if written.startswith("/"):
        top = there.split("/", 1)[0]
        meant = "/" in there and "." in name and ground.find(top) == "folder" and link.kind != IMAGE
        return f"there is no {there}" if meant else ""
    if "." not in name.lstrip(".") and not _KNOWN_NAMES.match(name):
        first = posixpath.normpath(posixpath.join(posixpath.dirname(path), written.split("/", 1)[0]))
        named_as_path = written.startswith(("./", "../")) or ("/" in written.strip("/") and ground.find(first) == "folder")
        return f"there is no {there}" if named_as_path else ""
    if "/" not in written and not re.search(r"\.[A-Za-z][A-Za-z0-9]{0,9}$", name) and not _KNOWN_NAMES.match(name):
        return ""
    from_root = posixpath.normpath(written)
    if not from_root.startswith("..") and ground.find(from_root) and from_root != there:
        return f"there is no {there}; {from_root} is meant, but links start from the document's folder"
    return f"there is no {there}"


def _anchored(ground: Ground, source: str, found: str, fragment: str, link: Link, site: Site | None) -> Led:
    wanted = unquote(fragment)
    if lines := _LINES.match(wanted):
        total = ground.lines.get(found, 0)
        last = int(lines[2] or lines[1])
        if total and last > total + 1 and site is None and not silent_about(source):
            return Led(found, Stale(link.line, DEAD_ANCHOR, link.target, f"{found} has {total} lines"))
        return Led(found)
    target = ground.documents.get(found)
    if (
        target is None
        or site is not None
        or target.format not in ("markdown", "asciidoc")
        or wanted.lower() in _PAGE_IDS
        or _FOOTNOTE.search(wanted)
        or _OPEN.search(wanted)
        or silent_about(source)
        or link.kind in (IMAGE, INCLUDE)
    ):
        return Led(found)
    if target.format == "asciidoc":
        return _asciidoc_anchor(found, target, wanted, link)
    known = {anchor.lower() for anchor in (*target.anchors, *(section.anchor for section in target.sections))}
    plain = wanted.lower().removeprefix("user-content-")
    if plain in known or wanted.lower() in known or any(anchor.removeprefix("user-content-") == plain for anchor in known):
        return Led(found)
    near = next((section for section in target.sections if bare(section.anchor) == bare(wanted)), None)
    if near is not None and (not near.title.isascii() or ":" in near.title or "<" in near.title):
        return Led(found)  # renderers differ about emoji
    hint = f"; #{near.anchor} is meant" if near else ""
    return Led(found, Stale(link.line, DEAD_ANCHOR, link.target, f"{found} has no heading or id {wanted}{hint}"))


def _asciidoc_anchor(found: str, target: Document, wanted: str, link: Link) -> Led:
    if any(inner.kind == INCLUDE for inner in target.links) or "{" in wanted:
        return Led(found)
    known = {bare(name) for name in (*target.anchors, *(part for s in target.sections for part in (s.anchor, s.title)))}
    if bare(wanted) in known:
        return Led(found)
    return Led(found, Stale(link.line, DEAD_ANCHOR, link.target, f"{found} has no section or id {wanted}"))


def _by_wiki_name(ground: Ground, target: str) -> str:
    name = target.partition("#")[0].strip()
    for suffix in ("", ".md", ".markdown"):
        if name and (found := ground.ending(name + suffix)):
            return found
    return ""


def _sphinx(ground: Ground, path: str, link: Link, site: Site | None) -> Led:
    """Roles and tables of contents, which name documents without their extension."""
    role, _, target = link.target.partition(":") if link.kind == ROLE else ("doc", "", link.target)
    if role in ("ref", "numref"):
        return _labelled(ground, link, target, site)
    if site is None or site.name != "Sphinx" or _OPEN.search(target) or "://" in target or ":" in target:
        return NOWHERE
    base = site.folder if target.startswith("/") else posixpath.dirname(path)
    there = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
    for suffix in _SUFFIXES:
        if ground.find(there + suffix) == "file":
            return Led(there + suffix)
    settings = ground.text(posixpath.join(site.folder, "conf.py"))
    name = posixpath.basename(there)
    folder = posixpath.dirname(there)
    if (
        name in ("genindex", "modindex", "py-modindex", "search", "self", "index")
        or there.startswith("..")
        or any(ground.named(name + suffix) for suffix in ("", *_TEXTS, ".txt", ".ipynb"))
        or ground.could_be_made(there + ".rst")
        or ground.find(folder) != "folder"
        or not any(file.endswith((".rst", ".md")) and posixpath.dirname(file) == folder for file in ground.lines)
        or re.search(
            r"autosummary|autoapi|gallery|apidoc|nbsphinx|breathe|exhale|jinja|setup\(|source_suffix|exclude_patterns\s*\+",
            settings,
        )
        or ("intersphinx_mapping" in settings and "/" not in target and link.kind == ROLE)
        or role == "download"
    ):
        return NOWHERE
    return Led(stale=Stale(link.line, DEAD_LINK, target, f"no document {there} in the project"))


def _labelled(ground: Ground, link: Link, target: str, site: Site | None) -> Led:
    label = target.strip().lower()
    for path, document in ground.documents.items():
        if any(label == known.lower() for known in document.labels):
            return Led(path)
    return NOWHERE  # labels come from other projects, from docstrings and from plug-ins too
