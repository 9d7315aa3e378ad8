"""The reference of commands, made from the parser that reads them. Refuses to say what the parser does not."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from idumb_brain.surfaces.cli.arguments import EPILOG, build_parser

_EVERYWHERE = ("help", "root", "json", "quiet", "version")
_HEAD = """\
# Commands

Every command with what can be said to it, made from the program itself. `--root PATH`, `--json` and `--quiet` go with all of them.

With `--json`, stdout is one document: `{"schemaVersion":1,"data":…}`, or `{"schemaVersion":1,"error":{"kind","what","why","instead"}}`.
Progress, warnings and notes go to stderr.

| exit code | means |
| --- | --- |
"""


def reference() -> str:
    codes = EPILOG.split("exit codes: ")[1].split(". ")[0].replace("\n", " ").split(", ")
    rows = [f"| {code} | {_cell(means)} |" for code, means in (one.strip().split(" ", 1) for one in codes)]
    return _HEAD + "\n".join([*rows, "", *_commands(build_parser(), "idumb-brain")]) + "\n"


def _commands(parser: argparse.ArgumentParser, name: str) -> Iterator[str]:
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            continue
        told = {one.dest: one.help or "" for one in action._choices_actions}
        for word, child in action.choices.items():
            depth = "##" if name == "idumb-brain" else "###"
            yield from (f"{depth} `{f'{name} {word}'.removeprefix('idumb-brain ')}`", "", _sentence(told[word]), "")
            if child.get_default("run"):
                yield from _command(child, f"{name} {word}")
            yield from _commands(child, f"{name} {word}")


def _command(parser: argparse.ArgumentParser, name: str) -> Iterator[str]:
    own = [one for one in parser._actions if one.dest not in _EVERYWHERE and not isinstance(one, argparse._SubParsersAction)]
    places, options = [one for one in own if not one.option_strings], [one for one in own if one.option_strings]
    yield from ("```text", " ".join([name, *(_place(one) for one in places), *(_optional(one) for one in options)]), "```", "")
    if any(one.help for one in own):
        yield from ("| | |", "| --- | --- |")
        for one in own:
            said = ", ".join(one.option_strings) or _word(one)
            yield f"| `{_cell(said + _value(one) if one.option_strings else said)}` | {_cell(one.help or '')} |"
        yield ""


def _place(one: argparse.Action) -> str:
    word = _word(one)
    return {"?": f"[{word}]", "*": f"[{word}…]", "+": f"{word}…"}.get(str(one.nargs), word)


def _optional(one: argparse.Action) -> str:
    said = one.option_strings[-1] + _value(one) + ("…" if isinstance(one, argparse._AppendAction) else "")
    return said if one.required else f"[{said}]"


def _value(one: argparse.Action) -> str:
    return "" if one.nargs == 0 else f" {_word(one)}"


def _word(one: argparse.Action) -> str:
    if one.metavar:
        return str(one.metavar) if isinstance(one.metavar, str) else " ".join(one.metavar)
    return "|".join(str(choice) for choice in one.choices) if one.choices else one.dest.upper()


def _sentence(text: str) -> str:
    return (text[:1].upper() + text[1:]).replace("%%", "%") + "."


def _cell(text: str) -> str:
    return " ".join(text.replace("%%", "%").replace("|", "\\|").split())
