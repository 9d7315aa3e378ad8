"""``setup claude`` and ``setup mcp``: entries of ours in settings that belong to others. Keeps every other entry, in its order.

JSON has no comments to mark what is ours: a hook is ours when its command is, a server when it has our name.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BadInput
from idumb_brain.operations.connected import checked, does_not_run
from idumb_brain.operations.heartbeat import heard
from idumb_brain.operations.project import find_project

Json = dict[str, Any]
NAME = "idumb-brain"
_OURS = re.compile(r"\bidumb[-_]brain\S* hook \w+")
# Claude Code's events, which tools they are about, and the seconds after which it goes on without us.
_EVENTS = (
    ("SessionStart", "", 60), ("UserPromptSubmit", "", 10), ("PreToolUse", "*", 10), ("PostToolUse", "*", 20),
    ("PostToolUseFailure", "*", 10), ("PreCompact", "", 20), ("Stop", "", 10), ("SubagentStart", "", 10), ("SubagentStop", "", 10),
    ("SessionEnd", "", 5),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A file of settings: with ours in it, and without."""

    file: str
    with_ours: Callable[[Json], Json]
    without_ours: Callable[[Json], Json]
    commands: Callable[[Json], list[list[str]]]  # that start us, each once


@dataclass(frozen=True, slots=True)
class Host:
    name: str
    title: str
    places: tuple[Place, ...]


def register(
    host: Host, root: str | None = None, *, check: bool = False, remove: bool = False, print_only: bool = False
) -> dict[str, Any]:
    project = find_project(root)
    files = [project.root / place.file for place in host.places]
    data: dict[str, Any] = {
        "host": host.title, "file": ", ".join(place.file for place in host.places), "problems": [],
        "heard": heard(project, host.name),
    }  # fmt: skip
    if print_only:
        return data | {"did": "printed", "text": "".join(f"{place.file}\n{_text(place.with_ours({}))}" for place in host.places)}
    if check:
        return data | checked(project, host.name, [told for place in host.places for told in problems(place, project.root, host)])
    there = [_read(file) for file in files]  # all can be read, or none is touched
    changed = []
    for place, file, told in zip(host.places, files, there, strict=True):
        wanted = place.without_ours(told) if remove else place.with_ours(told)
        if wanted != told:
            changed.append(file)
            _put(project.root, file, wanted)
    if not remove:
        project.prepared()
    if not changed:
        return data | {"did": "unchanged"}
    return data | {"did": "removed" if remove else "updated" if any(there) else "written"}


def problems(place: Place, root: Path, host: Host) -> list[str]:
    there = _read(root / place.file)
    if there == place.without_ours(there):
        return [f"{place.file} has nothing of ours: run idumb-brain setup {host.name}"]
    told = []
    if there != place.with_ours(there):
        told.append(f"{place.file} is not what this version writes: run idumb-brain setup {host.name}")
    for command in place.commands(there):
        if why := does_not_run(command):
            told.append(f"{place.file} starts {why}: run idumb-brain setup {host.name}")
    return told


def is_set_up(host: Host, root: Path) -> bool:
    """Whether anything of ours stands in its settings."""
    return any((there := _read(root / place.file)) != place.without_ours(there) for place in host.places)


def _with_hooks(there: Json) -> Json:
    hooks = _stated_hooks(_without_hooks(there))
    for event, matcher, seconds in _EVENTS:
        hook = {"type": "command", "command": _command("hook", event), "timeout": seconds}
        rows = hooks.setdefault(event, [])
        rows.append(({"matcher": matcher} if matcher else {}) | {"hooks": [hook]})
    return there | {"hooks": hooks}


def _without_hooks(there: Json) -> Json:
    hooks = {event: rows for event, told in _stated_hooks(there).items() if (rows := _rows_of_others(told)) or not told}
    return {key: value for key, value in there.items() if key != "hooks"} | ({"hooks": hooks} if hooks else {})


def _stated_hooks(there: Json) -> dict[str, list[Any]]:
    hooks = there.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(rows, list) for rows in hooks.values()):
        raise BadInput(
            '"hooks" is no object of lists', why="hooks cannot be added to it", instead="mend the settings, and run setup again"
        )
    return {event: list(rows) for event, rows in hooks.items()}


def _rows_of_others(rows: list[Any]) -> list[Any]:
    left = []
    for row in rows:
        hooks = row.get("hooks") if isinstance(row, dict) else None
        if not isinstance(hooks, list) or not any(map(_is_ours, hooks)):
            left.append(row)
        elif others := [hook for hook in hooks if not _is_ours(hook)]:
            left.append(row | {"hooks": others})
    return left


def _is_ours(hook: Any) -> bool:
    return isinstance(hook, dict) and bool(_OURS.search(str(hook.get("command", ""))))


def _hooks_commands(there: Json) -> list[list[str]]:
    hooks = [
        hook for rows in _stated_hooks(there).values() for row in rows if isinstance(row, dict) for hook in row.get("hooks", ())
    ]
    started = (shlex.split(hook["command"])[:-2] for hook in hooks if _is_ours(hook))  # without "hook EVENT"
    return [list(one) for one in dict.fromkeys(map(tuple, started))]


def _server_command(there: Json) -> list[list[str]]:
    server = _stated_servers(there).get(NAME)
    if not isinstance(server, dict) or not isinstance(server.get("args"), list):
        return []
    return [[str(word) for word in (server.get("command"), *server["args"][:-1])]]  # without "mcp"


def _with_server(there: Json) -> Json:
    servers = _stated_servers(there)
    return there | {
        "mcpServers": servers | {NAME: {"type": "stdio", "command": sys.executable, "args": ["-m", "idumb_brain", "mcp"]}}
    }


def _without_server(there: Json) -> Json:
    servers = {name: one for name, one in _stated_servers(there).items() if name != NAME}
    return {key: value for key, value in there.items() if key != "mcpServers"} | ({"mcpServers": servers} if servers else {})


def _stated_servers(there: Json) -> Json:
    servers = there.get("mcpServers", {})
    if not isinstance(servers, dict):
        raise BadInput(
            '"mcpServers" is no object', why="a server cannot be added to it", instead="mend the file, and run setup again"
        )
    return servers


def _command(*words: str) -> str:
    """This very Python: another one on the path may not have us."""
    return shlex.join([sys.executable, "-m", "idumb_brain", *words])


def _read(file: Path) -> Json:
    try:
        told = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise BadInput(
            f"{file} is not valid JSON", why=str(error), instead="mend it, or add what --print shows by hand"
        ) from error
    if not isinstance(told, dict):
        raise BadInput(f"{file} is no object", why="settings are name and value", instead="mend it, or move it away")
    return told


def _put(root: Path, file: Path, wanted: Mapping[str, Any]) -> None:
    """A file that holds nothing any more goes, and its folder when it was the last in it."""
    if wanted:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_text(wanted), "utf-8")
        return
    file.unlink()
    if file.parent != root and not any(file.parent.iterdir()):
        file.parent.rmdir()


def _text(settings: Mapping[str, Any]) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


_SERVER = Place(".mcp.json", _with_server, _without_server, _server_command)
CLAUDE = Host("claude", "Claude Code", (Place(".claude/settings.json", _with_hooks, _without_hooks, _hooks_commands), _SERVER))
MCP = Host("mcp", "MCP", (_SERVER,))
