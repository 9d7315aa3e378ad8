"""``roles.toml``: tools by family, roles and what they may, files that nobody writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from idumb_brain.govern.rules.reading import Row, read_over
from idumb_brain.model.governance import Role

MODES = ("primary", "subagent", "all")
UNKNOWN_FAMILY = "unknown"
_HOST_PREFIX = re.compile(r"mcp__.+?__|idumb[-_]brain_")


@dataclass(frozen=True, slots=True)
class Protected:
    rule: str
    paths: tuple[str, ...]
    why: str
    instead: str
    exceptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Roles:
    by_name: dict[str, Role]  # under every name they go by
    tools: dict[str, str]  # tool → family
    protected: tuple[Protected, ...]
    unknown: Role

    def named(self, name: str) -> Role:
        """The role of that name, or what somebody unknown may under it."""
        plain = plain_name(name)
        return self.by_name.get(plain) or replace(self.unknown, name=plain or "unknown")

    def family(self, tool: str) -> str:
        return self.tools.get(plain_tool(tool), UNKNOWN_FAMILY)


def plain_name(name: str) -> str:
    """A role's name without how hosts spell it: @idumb-Executor is executor."""
    return re.sub(r"^idumb[-_:]", "", re.sub(r"[\s_]+", "-", name.strip().lstrip("@").lower()))


def plain_tool(tool: str) -> str:
    """A tool's name without the server in front: mcp__idumb-brain__govern_task is govern_task."""
    return _HOST_PREFIX.sub("", tool.strip().lower(), count=1)


def read_roles(places: tuple[Path, ...]) -> Roles:
    with read_over(places, "roles.toml", role="name", protected="") as file:
        families = file.lists("tools")
        commands = file.lists("commands")
        stated: dict[str, Row] = {}
        for row in file.rows("role", "name"):
            name = plain_name(row.text("name"))
            stated[name] = Row({**_told(stated.get(name)), **_told(row)}, row.place)
        shape = _Shape(families, commands, stated)
        made: dict[str, Role] = {}
        for name, row in stated.items():
            role = shape.role(name)
            for known in (name, *map(plain_name, row.texts("aliases", ()))):
                if known in made:
                    raise ValueError(f"{known} is the name of two roles, {made[known].name} and {name}")
                made[known] = role
        for name, role in made.items():
            strangers = [other for other in role.delegates if other != "*" and other not in made]
            if strangers:
                raise ValueError(f"{name} hands work to {strangers[0]!r}, a role that is not described")
        unknown = replace(shape.made(file.table("unknown"), Role("unknown")), known=False)
        protected = tuple(_protected(row) for row in file.rows("protected", "rule"))
        tools = {tool.lower(): family for family, names in families.items() for tool in names}
        return Roles(made, tools, protected, unknown)


class _Shape:
    """Makes roles of rows, those they are like first."""

    def __init__(
        self, families: dict[str, tuple[str, ...]], commands: dict[str, tuple[str, ...]], stated: dict[str, Row]
    ) -> None:
        self._families = families
        self._commands = commands
        self._stated = stated

    def role(self, name: str, below: tuple[str, ...] = ()) -> Role:
        row = self._stated[name]
        like = row.text("like", "")
        if not like:
            return self.made(row, Role(name))
        if like not in self._stated or like in (*below, name):
            raise ValueError(f"{name} is like {like!r}, which is not described or in the end like {name}")
        return self.made(row, replace(self.role(like, (*below, name)), name=name))

    def made(self, row: Row, base: Role) -> Role:
        families = row.texts("families", base.families)
        strangers = [family for family in families if family not in (*self._families, UNKNOWN_FAMILY)]
        if strangers:
            raise ValueError(f"{row.place} has the family {strangers[0]!r}; known are {', '.join(self._families)}")
        if row.place.startswith("[[role]]"):
            for key in ("name", "aliases", "like"):
                row.texts(key, ()) if key == "aliases" else row.text(key, "")
        role = replace(
            base, mode=row.text("mode", base.mode, among=MODES), leaf=bool(row.flag("leaf", base.leaf)), families=families,
            actions={**base.actions, **row.lists("actions")}, bash=self._patterns(row, "bash", base.bash),
            bash_denied=self._patterns(row, "bash_denied", base.bash_denied), paths=row.texts("paths", base.paths),
            delegates=tuple(one if one == "*" else plain_name(one) for one in row.texts("delegates", base.delegates)),
            first=row.texts("first", base.first),
        )  # fmt: skip
        row.done()
        if role.leaf and (role.delegates or "delegate" in role.families):
            raise ValueError(f"{row.place} is a leaf and yet may hand work on")
        return role

    def _patterns(self, row: Row, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self._spelled_out(row, row.texts(key, default)))

    def _spelled_out(self, row: Row, patterns: tuple[str, ...]) -> Iterator[str]:
        for pattern in patterns:
            if not pattern.startswith("@"):
                yield pattern
            elif pattern[1:] in self._commands:
                yield from self._commands[pattern[1:]]
            else:
                raise ValueError(f"{row.place} names {pattern}; lists of commands are {', '.join(self._commands)}")


def _told(row: Row | None) -> dict[str, Any]:
    return row.told if row else {}


def _protected(row: Row) -> Protected:
    made = Protected(row.text("rule"), row.texts("paths"), row.text("why"), row.text("instead"), row.texts("except", ()))
    row.done()
    return made
