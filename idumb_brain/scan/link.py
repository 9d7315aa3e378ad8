"""Imports to edges: runs the resolvers and looks their keys up. Knows no language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from idumb_brain.scan.languages import Languages
from idumb_brain.scan.resolve import FileView, Resolver, configuration_names, resolver_for
from idumb_brain.scan.tree import Tree

# ordinal, line, kind, target id, external, reason
EdgeRow = tuple[int, int, str, int | None, str, str]


class Linker:
    """The resolvers of one project, made when first needed and kept while nothing they read has changed."""

    def __init__(
        self,
        tree: Tree,
        languages: Languages,
        numbers: dict[str, int],
        providing: Callable[[str], Sequence[int]],
    ) -> None:
        self.tree = tree
        self._languages = languages
        self._numbers = numbers
        self._paths = {number: path for path, number in numbers.items()}
        self.providing = providing
        self.in_use: set[str] = set()  # names of resolvers that some file may ask for
        self._resolvers: dict[str, Resolver] = {}

    def resolver_name(self, language: str) -> str:
        known = self._languages.by_name.get(language)
        return known.resolver if known else ""

    def rewritten(self, paths: Collection[str]) -> None:
        """Texts changed: what resolvers learnt from one of them may not hold any more."""
        if not self.tree.read.isdisjoint(paths):
            self._resolvers.clear()

    def changed(self, added: Mapping[int, str], removed: Mapping[int, str]) -> None:
        """Files came or went: what resolvers found out about the tree may not hold any more."""
        self.tree.changed(added.values(), removed.values())
        for number, path in removed.items():
            self._numbers.pop(path, None)
            self._paths.pop(number, None)
        self._numbers.update((path, number) for number, path in added.items())
        self._paths.update(added)
        self._resolvers.clear()

    def edges(self, number: int, file: FileView) -> tuple[list[EdgeRow], set[str]]:
        """What the file depends on, and the keys whose coming or going would change that."""
        name = self.resolver_name(file.language)
        if not name or not (file.imports or file.uses):
            return [], set()
        resolver = self._resolvers.get(name)
        if resolver is None:
            resolver = self._resolvers[name] = resolver_for(name, self.tree)
        rows: dict[tuple[int, int | None, str, str], EdgeRow] = {}
        wanted: set[str] = set()

        def declared(key: str) -> bool:
            wanted.add(key)
            return key in self._numbers or bool(self.providing(key))

        def providers(key: str) -> Sequence[str]:
            wanted.add(key)
            return sorted(self._paths[found] for found in self.providing(key))

        for want in resolver(file._replace(declared=declared, providers=providers)):
            targets: Sequence[int] = ()
            if want.watch:
                wanted.add("stem:" + want.watch)
            for key in want.keys:
                wanted.add(key)
                found = self._numbers.get(key)
                targets = [found] if found is not None else self.providing(key) if ":" in key else ()
                if targets:
                    break
            if want.elsewhere and number in targets:
                continue
            if targets:
                for target in targets:
                    if target != number:
                        rows.setdefault(
                            (want.ordinal, target, "", ""),
                            (want.ordinal, want.line, want.kind, target, "", ""),
                        )
            elif want.external:
                key_ = (want.ordinal, None, want.external, "")
                rows.setdefault(key_, (want.ordinal, want.line, want.kind, None, want.external, ""))
            elif want.reason:
                key_ = (want.ordinal, None, "", want.reason)
                rows.setdefault(key_, (want.ordinal, want.line, want.kind, None, "", want.reason))
        return list(rows.values()), wanted


def families_configured_by(rewritten: Iterable[str], came_or_went: Iterable[str], resolvers: Iterable[str]) -> set[str]:
    """Resolvers that must start over: a file they read their configuration from changed, or a marker came or went."""
    found = set()
    changed = {path[path.rfind("/") + 1 :] for path in rewritten}
    moved = {path[path.rfind("/") + 1 :] for path in came_or_went}
    for name in resolvers:
        read, markers = configuration_names(name)
        if _any_matches(changed | moved, read) or _any_matches(moved, markers):
            found.add(name)
    return found


def _any_matches(filenames: set[str], names: frozenset[str]) -> bool:
    if not filenames.isdisjoint(names):
        return True
    patterns = [name for name in names if "*" in name]
    return any(fnmatchcase(filename, pattern) for pattern in patterns for filename in filenames)
