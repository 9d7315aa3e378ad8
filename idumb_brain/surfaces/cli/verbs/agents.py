"""Where agents come in: ``serve``, ``mcp``, ``hook``, ``setup``."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import Parser, verb


def add(verbs: Any) -> None:
    words = verb(verbs, "serve", serve, "answer an agent's host for as long as it lives: JSON-RPC, one message a line")
    words.add_argument("--stdio", action="store_true", required=True, help="over stdin and stdout; the only way there is")

    words = verb(verbs, "mcp", mcp, "answer a client of the Model Context Protocol on stdin and stdout for as long as it lives")
    words.add_argument("--role", metavar="R", default="", help="offer only what this role may use")

    words = verb(verbs, "hook", hook, "one event of an agent's host: JSON on stdin, JSON on stdout; never fails the agent")
    words.add_argument("event", metavar="EVENT", help="the hook, as its host calls it")

    words = verb(verbs, "setup", None, "make an agent's host talk to the brain of this project")
    hosts = words.add_subparsers(metavar="host", title="hosts", required=True, parser_class=Parser)
    for name, run, what in HOSTS:
        words = verb(hosts, name, run, what)
        how = words.add_mutually_exclusive_group()
        how.add_argument(
            "--check",
            action="store_true",
            help="say whether it is in place and when it was last heard of; exit 1 if not in place",
        )
        how.add_argument("--remove", action="store_true", help="take it out again")
        how.add_argument("--print", action="store_true", dest="print_only", help="print what would be written, write nothing")


def serve(arguments: Namespace) -> Answer:
    from idumb_brain.surfaces.serve.stdio import serve

    return Answer(None, "agents.served", text="", exit_code=serve(arguments.root))


def mcp(arguments: Namespace) -> Answer:
    from idumb_brain.surfaces.mcp.server import serve

    serve(arguments.root, arguments.role)


def hook(arguments: Namespace) -> Answer:
    from idumb_brain.surfaces.hooks.once import answered

    data = answered(arguments.event, sys.stdin.buffer.read(), arguments.root)
    return Answer(data, "agents.hook", text=json.dumps(data) + "\n")


def setup_opencode(arguments: Namespace) -> Answer:
    from idumb_brain.operations import installing
    from idumb_brain.surfaces.opencode import template

    data = installing.opencode(
        template(), arguments.root, check=arguments.check, remove=arguments.remove, print_only=arguments.print_only
    )  # fmt: skip
    return _set_up(data, arguments)


def setup_claude(arguments: Namespace) -> Answer:
    from idumb_brain.operations.registering import CLAUDE, register

    return _set_up(
        register(CLAUDE, arguments.root, check=arguments.check, remove=arguments.remove, print_only=arguments.print_only),
        arguments,
    )


def setup_mcp(arguments: Namespace) -> Answer:
    from idumb_brain.operations.registering import MCP, register

    return _set_up(
        register(MCP, arguments.root, check=arguments.check, remove=arguments.remove, print_only=arguments.print_only), arguments
    )


def _set_up(data: dict[str, Any], arguments: Namespace) -> Answer:
    text = data.pop("text") if arguments.print_only and not arguments.json else None
    return Answer(data, "agents.setup", text=text, exit_code=1 if data["problems"] else 0)


HOSTS = (
    ("opencode", setup_opencode, "OpenCode: a plugin in .opencode/plugin"),
    ("claude", setup_claude, "Claude Code: hooks in .claude/settings.json and the MCP server in .mcp.json"),
    (
        "mcp",
        setup_mcp,
        "clients of the Model Context Protocol: the server in .mcp.json; --print for those that keep it elsewhere",
    ),
)
