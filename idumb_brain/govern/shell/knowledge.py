"""What is known of commands, read from the tables in ``queries/shell/``. Judges nothing.

A table is named after the words that make the command: ``["git push"]``, ``["docker compose down"]``; ``also`` lists other names of it.

``kind``      what it is unless a rule says otherwise: inspect, build, test, vcs, package, network, write, unknown, destructive
``why``, ``instead``  said when that kind is destructive, and by every rule that does not say it better
``values``    options that take the next word           ``dry``     options that make it look only
``slashes``   options begin with a slash, too
``long``      options have one dash and many letters    ``tasks``   its words are names of tasks: they say what it is
``rules``     each is destructive, or with ``doubtful`` worth a warning, when all that it says holds: ``options`` (any of them),
              ``unless`` (none of them), ``arguments`` (patterns, any), ``no`` (patterns, none), ``least`` and ``most`` (arguments),
              ``literal`` (they stand behind ``--``);
              with ``kind`` it only says what the command is
``paths``     what it does to the paths it is given: ``effect`` (see ``places``), ``which`` (all, first, last, rest, butlast, input for
              those it is piped when it is given none, or an option or ``key=``), ``tree`` (options that make it recursive),
              ``when`` and ``unless`` (options), ``ask`` (options that make it ask)
``stops``     what follows the first argument is not for it
``runs``      its words are another command: rest, joined, each, first; ``skip`` words come first, ``after`` is the word before it,
              ``enters`` an option that names the command, and with ``elsewhere`` it runs on another machine
``reads``     languages of what it is given: ``{ option = "-c", as = "shell" }``, ``{ argument = 1, as = "sql" }``,
              ``{ input = true, as = "python" }``; ``within`` is the argument that names what it is about
``module``    the option behind which the name of another command stands
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BadInput
from idumb_brain.model.shell import CLASSES
from idumb_brain.scan.tables import read_table, understanding


@dataclass(frozen=True, slots=True)
class Rule:
    options: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    arguments: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    least: int = 0
    most: int = 1_000_000
    kind: str = "destructive"
    literal: bool = False
    doubtful: bool = False
    why: str = ""
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Touch:
    """What a command does to paths it is given."""

    effect: str
    which: str = "all"
    tree: frozenset[str] = frozenset()
    when: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    ask: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reads:
    """A text that is run: given by an option, as an argument, or on standard input."""

    language: str
    options: frozenset[str] = frozenset()
    argument: int = 0  # counted from one; those behind it are parameters, or with ``every`` read as well
    every: bool = False
    input: bool = False  # where no file is named; ``always``: whatever is named
    always: bool = False
    within: int = 0  # the argument that names what the text is about: where that may go, the text may do anything


@dataclass(frozen=True, slots=True)
class Known:
    """A command, or one of its subcommands."""

    name: str
    kind: str = "unknown"
    why: str = ""
    instead: str = ""
    values: frozenset[str] = frozenset()
    dry: frozenset[str] = frozenset()
    long: bool = False
    slashes: bool = False
    tasks: bool = False
    rules: tuple[Rule, ...] = ()
    paths: tuple[Touch, ...] = ()
    stops: bool = False
    runs: str = ""
    skip: int = 0
    enters: str = ""
    after: str = ""
    elsewhere: bool = False
    reads: tuple[Reads, ...] = ()
    module: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()  # all that any of the above names: what an abbreviation may stand for


@dataclass(frozen=True, slots=True)
class Phrase:
    """A pattern in a text of some language. Its group ``path`` or ``line`` says what is touched or run, without it nobody knows."""

    pattern: re.Pattern[str]
    effect: str  # an effect of ``places``, "run", "fed" for what is run on a text nobody sees, "sql",
    # "strings" where any string of the text may be run, or "destroys"
    why: str


@dataclass(frozen=True, slots=True)
class Places:
    derived: tuple[str, ...]  # names of folders that can be made again
    suffixes: tuple[str, ...]  # of files that can be made again
    precious: tuple[str, ...]  # names of what no version control has
    free: tuple[str, ...]  # folders outside the project that anybody may use
    devices: tuple[str, ...]  # that swallow or show what is written
    system: tuple[str, ...]  # not even a line is added below these


@dataclass(frozen=True, slots=True)
class Knowledge:
    commands: dict[str, Known]
    languages: dict[str, tuple[Phrase, ...]]
    tasks: tuple[tuple[str, frozenset[str]], ...]  # a kind and the words that tell of it
    producers: dict[str, frozenset[str]]  # "disguise": programs that change a text beyond recognition, and so on
    protected: tuple[str, ...]
    places: Places

    def command(self, name: str) -> Known | None:
        return self.commands.get(name) or self.commands.get(_unversioned(name))


@lru_cache(maxsize=4)
def load_knowledge(folders: tuple[Path, ...]) -> Knowledge:
    """The shipped tables; what a later folder says of a command replaces what an earlier one did."""
    commands: dict[str, Known] = {}
    told: dict[str, Any] = {}
    languages: dict[str, tuple[Phrase, ...]] = {}
    for folder in folders:
        for file in sorted((folder / "shell").glob("*.toml")):
            table = read_table(file)
            with understanding(file):
                if file.name == "general.toml":
                    told |= table
                elif file.name == "languages.toml":
                    languages |= {name: tuple(map(_phrase, rows["phrases"])) for name, rows in table.items()}
                else:
                    for name, said in table.items():
                        commands |= {one: _known(one, said, file) for one in (name, *said.get("also", ()))}
    places = told["places"]
    return Knowledge(
        commands,
        languages,
        tuple((kind, frozenset(words)) for kind, words in told["tasks"].items()),
        {kind: frozenset(words) for kind, words in told["producers"].items()},
        tuple(told["protected"]["branches"]),
        Places(**{one.name: tuple(places[one.name]) for one in fields(Places)}),
    )


_VERSION = re.compile(r"(?<=[a-z])(?:-?\d[\d.]*|@[\w.^~-]+)$")
_PLAIN = {"also", "values", "dry", "rules", "paths", "reads", "module"}


def _unversioned(name: str) -> str:
    return _VERSION.sub("", name.lower().removeprefix("npm:").removesuffix(".exe"))


def _known(name: str, said: dict[str, Any], file: Path) -> Known:
    unknown = set(said) - {one.name for one in fields(Known)} - _PLAIN
    if unknown or said.get("kind", "unknown") not in CLASSES:
        raise BadInput(
            f"{file}: [{name}] cannot be used",
            why=f"there is no {', '.join(sorted(unknown)) or said.get('kind')}",
            instead="compare it with the shipped tables in queries/shell",
        )
    rules = tuple(_made(Rule, one) for one in said.get("rules", ()))
    paths = tuple(_made(Touch, one) for one in said.get("paths", ()))
    reads = tuple(_reads(one) for one in said.get("reads", ()))
    values, dry, module = (frozenset(said.get(key, "").split()) for key in ("values", "dry", "module"))
    named = values | dry | module
    for rule in rules:
        named |= rule.options | rule.unless
    for touch in paths:
        named |= touch.tree | touch.when | touch.ask | touch.unless
    for read in reads:
        named |= read.options
    plain = {key: value for key, value in said.items() if key not in _PLAIN}
    return Known(
        name, **plain, values=values | _taking(reads) | module, dry=dry, module=module, rules=rules, paths=paths, reads=reads,
        options=frozenset(one for one in named if one.startswith("--")),
    )  # fmt: skip


def _taking(reads: tuple[Reads, ...]) -> frozenset[str]:
    return frozenset(option for one in reads for option in one.options)


def _made(shape: Any, said: dict[str, Any]) -> Any:
    kinds = {one.name: one.type for one in fields(shape)}
    return shape(**{key: _shaped(str(kinds[key]), value) for key, value in said.items()})


def _shaped(kind: str, value: Any) -> Any:
    if kind.startswith("frozenset"):
        return frozenset(value.split())
    return tuple(value.split()) if kind.startswith("tuple") else value


def _reads(said: dict[str, Any]) -> Reads:
    return Reads(
        said["as"],
        frozenset(said.get("option", "").split()),
        said.get("argument", 0),
        said.get("every", False),
        said.get("input", False),
        said.get("always", False),
        said.get("within", 0),
    )


# ``{arguments}`` in a pattern: strings and what stands between them, up to the bracket that ends the call; not without end.
_ARGUMENTS = r"""(?P<words>[a-z]{0,2}(?=['"`])(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[^()'"`;]){0,400})"""


def _phrase(said: dict[str, str]) -> Phrase:
    return Phrase(
        re.compile(said["pattern"].replace("{arguments}", _ARGUMENTS), re.IGNORECASE | re.DOTALL),
        said["effect"],
        said.get("why", ""),
    )
