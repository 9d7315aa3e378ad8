"""What a newcomer looks for first: where the program starts, which test is about which source, which files are hot. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from idumb_brain.graph.architecture import NO_CODE
from idumb_brain.model.code import Edge, FileRecord, Symbol
from idumb_brain.model.history import History
from idumb_brain.model.project import Package
from idumb_brain.model.roles import TEST, is_own, is_product, role_of

_ENTRY_NAMES: dict[str, str] = {
    "__main__.py": "python -m runs it",
    "manage.py": "Django's command line",
    "config.ru": "a Rack server loads it",
    "artisan": "Laravel's command line",
}
_APPLICATIONS = {"wsgi.py": "a WSGI server loads it", "asgi.py": "an ASGI server loads it"}  # where they make an application
_MAIN_FUNCTION = {
    "go": "func main",
    "rust": "fn main",
    "c": "int main",
    "cpp": "int main",
    "kotlin": "fun main",
    "dart": "main",
    "java": "static void main",
    "csharp": "static",
    "scala": "def main",
    "swift": "static func main",
}
_TEST_PARTS = re.compile(r"^(?:test_|tests_)|(?:[._-](?:test|tests|spec|e2e)|_test|_tests|_spec|Tests?|Spec|IT)$")


@dataclass(frozen=True, slots=True)
class EntryPoint:
    path: str
    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Tested:
    test: str
    source: str
    why: str


def entry_points(packages: Iterable[Package], files: Sequence[FileRecord], mains: Iterable[Symbol]) -> list[EntryPoint]:
    """Where the program starts: what manifests name, files that a runtime looks for by name, and ``mains``: symbols
    called main or application."""
    known = {file.path: file for file in files}
    found: dict[str, EntryPoint] = {}
    for package in packages:
        for path in package.entries if is_own(package.manifest) else ():
            if path in known:
                found.setdefault(path, EntryPoint(path, 1, f"{package.manifest} names it"))
    for symbol in mains:
        if symbol.name == "application":
            why = _APPLICATIONS.get(symbol.file.rpartition("/")[2])
            if why and symbol.parent < 0 and is_product(symbol.file):
                found.setdefault(symbol.file, EntryPoint(symbol.file, symbol.line, why))
            continue
        language = known[symbol.file].language if symbol.file in known else ""
        starts = _MAIN_FUNCTION.get(language)
        top = symbol.parent < 0 or language in ("java", "csharp", "scala", "swift")
        if starts and top and starts in symbol.signature and is_product(symbol.file):
            if language == "go" and known[symbol.file].package != "main":
                continue
            found.setdefault(symbol.file, EntryPoint(symbol.file, symbol.line, f"{symbol.signature.split('(')[0].strip()}()"))
    for file in files:
        why = _ENTRY_NAMES.get(file.path.rpartition("/")[2])
        if why and is_product(file.path):
            found.setdefault(file.path, EntryPoint(file.path, 1, why))
    return sorted(found.values(), key=lambda entry: (entry.path.count("/"), entry.path))


def hot_files(files: Sequence[FileRecord], edges: Iterable[Edge], past: History) -> list[tuple[FileRecord, int, int]]:
    """(file, how many need it, commits), where a mistake costs most first: files that many need and that change often."""
    needed = Counter(edge.target for edge in edges)
    found = [
        (file, needed[file.path], past.files[file.path].commits if file.path in past.files else 0)
        for file in files
        if needed[file.path] and is_product(file.path)
    ]
    return sorted(found, key=lambda row: (-row[1] * max(1, row[2]), row[0].path))


def subjects_of_tests(files: Sequence[FileRecord], edges: Iterable[Edge]) -> list[Tested]:
    """Which source a test is about: the one it is named after, if it imports it or lies nearest; else all it imports."""
    product: dict[str, list[str]] = defaultdict(list)
    tests = []
    for file in files:
        if file.status != "scanned" or file.language in NO_CODE:
            continue
        if role_of(file.path) == TEST:
            tests.append(file.path)
        elif is_product(file.path):
            product[_stem(file.path).lower()].append(file.path)
    imported: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        if is_product(edge.target):
            imported[edge.source].add(edge.target)
    links = []
    for test in tests:
        named = product.get(_TEST_PARTS.sub("", _stem(test)).lower(), [])
        both = [path for path in named if path in imported[test]]
        near = both or nearest_subject(test, named)
        links += [Tested(test, path, "named after it and imports it" if both else "named after it") for path in near]
        links += [Tested(test, path, "imports it") for path in sorted(imported[test]) if path not in near]
    return links


def subject_name(path: str) -> str:
    """What a test is named after, "" where its name has no word of testing: the same name alone says nothing."""
    stem = _stem(path)
    subject = _TEST_PARTS.sub("", stem)
    return "" if subject == stem else subject


def nearest_subject(test: str, named: Sequence[str]) -> list[str]:
    """Of sources that a test may be named after, the one that shares most folders with it."""
    return sorted(named, key=lambda path: (-_shared(test, path), path))[:1] if subject_name(test) else []


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _shared(one: str, other: str) -> int:
    """How many folders two paths have in common, wherever they stand: tests/db/x and src/db/x share db."""
    return len(set(one.split("/")[:-1]) & set(other.split("/")[:-1]))
