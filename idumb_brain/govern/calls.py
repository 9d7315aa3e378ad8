"""What a tool call is about: what it writes, what it runs, whom it hands work to. Reads every host's spelling, judges nothing."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from idumb_brain.govern.rules.roles import Roles, plain_tool
from idumb_brain.model import roles as kinds
from idumb_brain.model.governance import Call

_PATH_KEYS = ("filePath", "file_path", "path", "notebook_path", "notebookPath", "file", "filename")
_PATCH_KEYS = ("patchText", "patch", "input", "diff")
_TARGET_KEYS = ("subagent_type", "subagentType", "agent", "to", "all_type", "role")
_TASK_KEYS = ("task", "taskId", "task_id", "id", "tn_id")
_PATCHED = re.compile(r"^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |[+-]{3} (?:[ab]/)?)(\S.*?)\s*$", re.MULTILINE)
_COMPOSED = re.compile(r"[;|&<>`\n\r(){}]|\$\(")
_NO_FILE = "/dev/null"


def family(call: Call, roles: Roles) -> str:
    return roles.family(call.tool)


def action(call: Call) -> str:
    return _text(call, "action")


def written_paths(call: Call, root: str) -> tuple[str, ...]:
    """Files that a writing call names, relative to the root; those outside keep their way there."""
    if call.paths is not None:
        return call.paths
    return tuple(dict.fromkeys(inside(path, root) for path in named_paths(call)))


def touched(call: Call, kind: str, root: str) -> tuple[str, ...]:
    """Files that a call of this family writes to: those it names, or those of the project that a shell line redirects to."""
    if kind == "write":
        return written_paths(call, root)
    return tuple(path for path in call.paths or () if not leaves_the_project(path)) if kind == "shell" else ()


def named_paths(call: Call) -> Iterator[str]:
    """The same, as the call spells them."""
    for key in _PATH_KEYS:
        if path := _text(call, key):
            yield path
    listed = call.args.get("files") or call.args.get("edits") or ()
    for one in listed if isinstance(listed, (list, tuple)) else ():
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            yield from (str(one[key]) for key in _PATH_KEYS if isinstance(one.get(key), str) and one[key])
    for key in _PATCH_KEYS:
        yield from (path for path in _PATCHED.findall(_text(call, key)) if path != _NO_FILE)


def inside(path: str, root: str) -> str:
    """A path as the project spells it, without detours."""
    plain = posixpath.normpath(path.replace("\\", "/"))
    top = posixpath.normpath(root.replace("\\", "/")) if root else ""
    if top and (plain == top or plain.startswith(top.rstrip("/") + "/")):
        return plain[len(top) :].lstrip("/") or "."
    return plain


def leaves_the_project(path: str) -> bool:
    return path.startswith(("/", "../", "~")) or path == ".." or re.match(r"[A-Za-z]:/", path) is not None


def command_line(call: Call) -> str:
    """What is to be run; "" where a line is only looked at."""
    if plain_tool(call.tool) == "govern_shell":
        return _text(call, "line") if action(call) == "run" else ""
    told = call.args.get("command", call.args.get("cmd", ""))
    return " ".join(map(str, told)) if isinstance(told, (list, tuple)) else str(told).strip()


def commands(call: Call) -> tuple[str, ...]:
    """The commands of a shell line. Unless somebody parsed it, a line made of several parts is one that no pattern but * fits."""
    if call.commands is not None:
        return call.commands
    line = command_line(call)
    return (line if _COMPOSED.search(line) else " ".join(line.split()),)


def is_composed(command: str) -> bool:
    return _COMPOSED.search(command) is not None


def target(call: Call) -> str:
    """The role that work is handed to, as the call spells it."""
    return next((told for key in _TARGET_KEYS if (told := _text(call, key))), "")


def category(call: Call) -> str:
    return _text(call, "category")


def named_task(call: Call) -> str:
    """The id of the task that a call is about."""
    return next((told for key in _TASK_KEYS if (told := _text(call, key))), "")


def about(call: Call, roles: Roles, root: str) -> str:
    """What a call is aimed at, in one line: the same aim of the same tool is the same try."""
    kind = family(call, roles)
    if kind == "shell":
        return command_line(call)
    if kind == "delegate":
        return target(call)
    if kind == "write":
        return ", ".join(written_paths(call, root))
    return " ".join(part for part in (action(call), named_task(call)) if part)


def hands_on(call: Call, roles: Roles) -> bool:
    """Whether a call hands work to another role; our own tool also tells of such work and takes it back."""
    if family(call, roles) != "delegate":
        return False
    return plain_tool(call.tool) != "govern_delegate" or action(call) in ("", "assign")


def fits(path: str, pattern: str) -> bool:
    """Whether a path is one that a pattern means: a glob, or @source and @test for what paths tell by themselves."""
    if pattern == "@source":
        return not leaves_the_project(path) and kinds.is_product(path)
    if pattern == "@test":
        return not leaves_the_project(path) and kinds.role_of(path) in (kinds.TEST, kinds.FIXTURE)
    return _glob(pattern).fullmatch(path) is not None


def command_fits(command: str, pattern: str) -> bool:
    """A pattern that ends in " *" also means the command by itself."""
    return _command_glob(pattern).fullmatch(command) is not None


@lru_cache(maxsize=1024)
def _glob(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    meant = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meant.get(part, re.escape(part)) for part in parts), re.DOTALL | re.IGNORECASE)


@lru_cache(maxsize=1024)
def _command_glob(pattern: str) -> re.Pattern[str]:
    bare = pattern.endswith(" *")
    stem = pattern[:-2] if bare else pattern
    made = "".join(".*" if part == "*" else re.escape(part) for part in re.split(r"(\*)", stem))
    return re.compile(made + (r"(?: .*)?" if bare else ""), re.DOTALL)


def _text(call: Call, key: str) -> str:
    told: Any = call.args.get(key, "")
    return told.strip() if isinstance(told, str) else ""
