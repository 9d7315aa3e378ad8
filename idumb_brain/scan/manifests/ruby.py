"""Ruby: Gemfiles, gemspecs and Gemfile.lock. Both are programs and are not run: calls with literals are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, join

from idumb_brain.model.project import DEV, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.tree import Tree, beside, upwards

_GEM = re.compile(r"^\s*gem[\s(]+[\"']([\w.-]+)[\"'](.*)$")
_SPEC_GEM = re.compile(
    r"^\s*\w+\.add_(?:(runtime|development)_)?dependency[\s(]+(?:[\"']([\w.-]+)[\"']|%q<([\w.-]+)>(?:\.freeze)?)(?:\.freeze)?(.*)$"
)
_VERSION = re.compile(r"^\s*,\s*\[?\s*((?:(?:[\"'][^\"']+[\"']|%q<[^>]+>(?:\.freeze)?)\s*,?\s*)+)")
_TEXT = re.compile(r"[\"']([^\"']+)[\"']|%q<([^>]+)>")
_GROUPS = re.compile(r"\bgroups?:\s*(?:\[([^\]]*)\]|:(\w+)|[\"'](\w+)[\"'])|:group\s*=>\s*(?:\[([^\]]*)\]|:(\w+))")
_BLOCK = re.compile(r"^\s*group[\s(]+(.*?)\)?\s+do\b")
_PATH = re.compile(r"\b(?:path:|:path\s*=>)\s*[\"']([^\"']+)[\"']")
_PATH_BLOCK = re.compile(r"^\s*path[\s(]+[\"']([^\"']+)[\"']\)?\s+do\b")
_OPENS = re.compile(r"(?:\bdo\b(?:\s*\|[^|]*\|)?\s*$|^\s*(?:if|unless|case|begin|def|platforms?\b.*\bdo)\b)")
_INCLUDE = re.compile(r"^\s*eval_gemfile[\s(]+(?:File\.(?:join|expand_path)\()?[\"']([^\"']+)[\"']")
_SPEC_NAME = re.compile(r"^\s*\w+\.name\s*=\s*[\"']([^\"']+)[\"']", re.MULTILINE)
_SPEC_VERSION = re.compile(r"^\s*\w+\.version\s*=\s*[\"']([^\"']+)[\"']", re.MULTILINE)
_LOCKED = re.compile(r"^    ([\w.-]+) \(([^)\s]+)\)$")
_NOT_SHIPPED = frozenset(("development", "test", "dev", "ci", "lint", "linting", "doc", "docs", "debug", "tools", "rubocop"))
GEMFILES = {"Gemfile": "Gemfile.lock", "gems.rb": "gems.locked"}


def read(tree: Tree) -> list[Package]:
    specs = {path: tree.text(path) for path in tree.with_suffix(".gemspec")}
    by_folder: dict[str, str] = {}
    for path in specs:
        by_folder.setdefault(dirname(path), path)
    named = {stated[1]: path for path, text in specs.items() if (stated := _SPEC_NAME.search(text))}
    gemfiles = {dirname(path): path for path in reversed(tree.named(*GEMFILES))}
    packages = []
    for folder in sorted({*by_folder, *gemfiles}):
        spec, gemfile = by_folder.get(folder, ""), gemfiles.get(folder, "")
        asked = [*(_from_gemfile(tree, gemfile, named) if gemfile else ()), *(_from_spec(specs[spec], spec) if spec else ())]
        lock = join(folder, GEMFILES.get(gemfile.rpartition("/")[2], "Gemfile.lock"))
        if not tree.has(lock):
            lock = _lock_above(tree, folder, gemfiles) if spec and not gemfile else ""
        locked, own = _locked(tree.text(lock)) if lock else ({}, {})
        found: dict[tuple[str, str], Requirement] = {}
        for one in asked:
            local = ""
            if one.local:
                place = beside(one.manifest, one.local)
                local = by_folder.get(place) or by_folder.get(join(place, one.name)) or ""
            if not local and one.name in named and (one.name in own or not lock):
                local = named[one.name]
            version, line = ("", 0) if local else locked.get(one.name, ("", 0))
            found.setdefault(
                (one.name, one.group),
                Requirement(one.name, one.wanted, one.group, one.manifest, one.line, version, local, line),
            )
        name, version_ = _SPEC_NAME.search(specs.get(spec, "")), _SPEC_VERSION.search(specs.get(spec, ""))
        packages.append(
            Package(
                folder,
                name[1] if name else "",
                version_[1] if version_ else "",
                "ruby",
                spec or gemfile,
                lock,
                tuple(found.values()),
            )
        )
    return packages


def _lock_above(tree: Tree, folder: str, gemfiles: dict[str, str]) -> str:
    """The lock of the Gemfile that gathers several gems of one project."""
    for above in upwards(dirname(folder)) if folder else ():
        if above in gemfiles:
            lock = join(above, "Gemfile.lock")
            below = folder[len(above) + 1 :] if above else folder
            return lock if tree.has(lock) and below.split("/")[0] in tree.text(gemfiles[above]) else ""
    return ""


def _from_gemfile(tree: Tree, path: str, named: dict[str, str], seen: frozenset[str] = frozenset()) -> Iterator[Requirement]:
    stack: list[tuple[str, str]] = []  # group, path
    for line, row in enumerate(tree.text(path).split("\n"), 1):
        row = re.sub(r"(?:^|\s)#.*$", "", row)
        if included := _INCLUDE.match(row):
            other = beside(path, included[1])
            if other not in seen and other != path and tree.has(other):
                yield from _from_gemfile(tree, other, named, seen | {path})
        elif block := _BLOCK.match(row):
            groups = re.findall(r"\w+", block[1])
            stack.append((DEV if groups and set(groups) - {"optional", "true"} <= _NOT_SHIPPED else "", ""))
        elif place := _PATH_BLOCK.match(row):
            stack.append(("", place[1]))
        elif found := _GEM.match(row):
            name, rest = found[1], found[2]
            group = next((group for group, _ in reversed(stack) if group), "")
            if stated := _GROUPS.search(rest):
                groups = re.findall(r"\w+", next(filter(None, stated.groups()), ""))
                group = DEV if set(groups) <= _NOT_SHIPPED else RUNTIME
            inline = _PATH.search(rest)
            local = inline[1] if inline else next((place for _, place in reversed(stack) if place), "")
            yield Requirement(name, _wanted(rest), group or RUNTIME, path, line, local=local)
        elif re.match(r"^\s*end\b", row):
            if stack:
                stack.pop()
        elif _OPENS.search(row):
            stack.append(("", ""))


def _from_spec(text: str, path: str) -> Iterator[Requirement]:
    for line, row in enumerate(text.split("\n"), 1):
        if found := _SPEC_GEM.match(row):
            yield Requirement(found[2] or found[3], _wanted(found[4]), DEV if found[1] == "development" else RUNTIME, path, line)


def _wanted(rest: str) -> str:
    found = _VERSION.match(rest)
    texts = [one or two for one, two in _TEXT.findall(found[1])] if found else []
    return ", ".join(one for one in texts if re.match(r"[~<>=!\s]*\d", one))


def _locked(text: str) -> tuple[dict[str, tuple[str, int]], dict[str, tuple[str, int]]]:
    """Versions from elsewhere, and those of gems that lie in the project (``PATH``)."""
    away: dict[str, tuple[str, int]] = {}
    own: dict[str, tuple[str, int]] = {}
    section = ""
    for line, row in enumerate(text.split("\n"), 1):
        if row and row[0] != " ":
            section = row.strip()
        elif row.startswith("    ") and (found := _LOCKED.match(row)):
            version = re.sub(r"-(?:x86|arm|aarch|java|x64|universal|mswin|mingw).*$", "", found[2])
            (own if section == "PATH" else away).setdefault(found[1], (version, line))
    return away, own
