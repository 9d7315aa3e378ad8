"""Two states of a project's packages to what they ask for now and did not, and the other way round. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from idumb_brain.model.changes import ADDED, CHANGED, REMOVED, DependencyChange
from idumb_brain.model.project import Package, Requirement

_Key = tuple[str, str, str, str]


def dependency_changes(before: Sequence[Package], after: Sequence[Package]) -> list[DependencyChange]:
    """By manifest and name. A requirement that only changed its group or its line is told of once, as changed."""
    old, new = _requirements(before), _requirements(after)
    found: list[DependencyChange] = []
    for key in sorted(old.keys() | new.keys()):
        ecosystem, manifest, name, _ = key
        was, now = old.get(key), new.get(key)
        if was and now and (was.wanted, was.group, was.locked) == (now.wanted, now.group, now.locked):
            continue
        one = now or was
        assert one is not None
        found.append(
            DependencyChange(
                ecosystem,
                name,
                manifest,
                one.line,
                one.group if was is None or now is None or was.group == now.group else f"{was.group} → {now.group}",
                CHANGED if was and now else ADDED if now else REMOVED,
                was.wanted if was else "",
                now.wanted if now else "",
                was.locked if was else "",
                now.locked if now else "",
            )
        )
    return found


def _requirements(packages: Iterable[Package]) -> dict[_Key, Requirement]:
    """Each by ecosystem, manifest and name; one that a manifest states several times by its group, too."""
    found: dict[_Key, Requirement] = {}
    for package in packages:
        for one in package.requirements:
            key = (package.ecosystem, one.manifest, one.name, "")
            found[key if key not in found else (*key[:3], one.group)] = one
    return found
