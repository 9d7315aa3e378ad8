"""Agent profiles of OpenCode and Claude Code as roles, for roles that no table describes. Grants nothing that a profile refuses."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from idumb_brain.govern.rules.roles import MODES, Roles, plain_name, plain_tool
from idumb_brain.model.governance import Role

FOLDERS = (".opencode/agent", ".opencode/agents", ".claude/agents")
_FULL = "build"  # the role that may everything: what a profile says nothing of is allowed, as hosts have it
_LINE = re.compile(r"^(?P<indent> *)(?:- +(?P<item>.+)|(?P<key>\"[^\"]+\"|'[^']+'|[^\s:#\"'][^:]*?) *:(?: +(?P<value>.*))?)$")
_LISTED = re.compile(r"(\w[\w-]*)(?:\(([^)]*)\))?")
_NO = ("deny", "false")


def with_profiles(roles: Roles, profiles: tuple[tuple[str, str], ...]) -> Roles:
    """The roles, and those of profiles: name of the file and its text. A role that the tables describe stays as they say."""
    made = dict(roles.by_name)
    for file, text in profiles:
        told = _front_matter(text)
        if told is None:
            continue
        name = plain_name(str(told.get("name") or file))
        if name and name not in roles.by_name:
            made[name] = _role(name, told, roles)
    return replace(roles, by_name=made)


def _role(name: str, told: dict[str, Any], roles: Roles) -> Role:
    mode = str(told.get("mode", "all"))
    role = replace(roles.by_name[_FULL], name=name, mode=mode if mode in MODES else "all")
    tools = told.get("tools")
    if isinstance(tools, (str, list)):
        role = _listed(role, tools if isinstance(tools, str) else ", ".join(map(str, tools)), roles)
    elif isinstance(tools, dict):
        off = [tool for tool, on in tools.items() if str(on).lower() in _NO]
        role = replace(role, actions={**role.actions, **dict.fromkeys(map(plain_tool, off), ())})
    permission = told.get("permission")
    return _permitted(role, permission) if isinstance(permission, dict) else role


def _listed(role: Role, tools: str, roles: Roles) -> Role:
    """Only the tools of a list, as Claude Code has it: ``Read, Bash(git log:*)``."""
    found = _LISTED.findall(tools)
    families = tuple(dict.fromkeys(roles.family(tool) for tool, _ in found))
    bash = [inner.replace(":*", " *") if inner else "*" for tool, inner in found if roles.family(tool) == "shell"]
    return replace(role, families=families, bash=tuple(bash), delegates=role.delegates if "delegate" in families else ())


def _permitted(role: Role, permission: dict[str, Any]) -> Role:
    """What ``permission`` of OpenCode refuses is taken away; a table of patterns allows only what it names."""
    if permission.get("edit") in _NO:
        role = replace(role, families=tuple(family for family in role.families if family != "write"))
    if "bash" in permission:
        allowed, denied = _patterns(permission["bash"])
        role = replace(role, bash=allowed, bash_denied=denied)
    if "task" in permission:
        allowed, _ = _patterns(permission["task"])
        role = replace(role, delegates=tuple(one if one == "*" else plain_name(one) for one in allowed))
    return role


def _patterns(told: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not isinstance(told, dict):
        return ((), ()) if str(told) in _NO else (("*",), ())
    denied = tuple(pattern for pattern, verdict in told.items() if verdict in _NO and pattern != "*")
    return tuple(pattern for pattern, verdict in told.items() if verdict not in _NO), denied


def _front_matter(text: str) -> dict[str, Any] | None:
    """Tables in tables, lists and plain values between two lines of dashes; None where the second never comes."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return {}
    top: dict[str, Any] = {}
    open_tables: list[tuple[int, dict[str, Any], str]] = []  # indent, the table, its last key
    for line in lines[1:]:
        if line.strip() == "---":
            return top
        read = _LINE.match(line.rstrip())
        if read is None:
            continue
        indent = len(read["indent"])
        if read["item"] is not None:
            if open_tables:
                _, table, key = open_tables[-1]
                table[key] = [*(table[key] if isinstance(table[key], list) else []), _plain(read["item"])]
            continue
        while open_tables and open_tables[-1][0] >= indent:
            open_tables.pop()
        table = top
        if open_tables:
            _, above, key = open_tables[-1]
            table = above[key] if isinstance(above[key], dict) else {}
            above[key] = table
        table[_plain(read["key"])] = _plain(read["value"] or "")
        open_tables.append((indent, table, _plain(read["key"])))
    return None


def _plain(text: str) -> str:
    told = re.sub(r"\s+#.*$", "", text.strip())
    return told[1:-1] if len(told) > 1 and told[0] == told[-1] and told[0] in "\"'" else told
