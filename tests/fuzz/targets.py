"""What is fuzzed: for each reader of foreign bytes a function that takes any, and fails where a promise is broken.

A target is made once in a process, in a folder of its own, and then fed. An error of ours (``BrainError``) is an answer.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple

from idumb_brain.model.errors import BrainError
from tests.conftest import FIXTURES
from tests.fuzz import seeds

Feed = Callable[[bytes], None]
_RUNS = ("shell.run", "export", "import", "init", "scan", "doctor", "gc", "brain.learn")  # they write elsewhere, or take long


class Target(NamedTuple):
    """``make`` is given a folder; ``seeds`` are whole inputs to begin with; ``smoke`` is how many the test command tries."""

    make: Callable[[Path], Feed]
    seeds: Callable[[], Iterator[bytes]]
    smoke: int


def _split(data: bytes, names: list[str]) -> tuple[str, bytes]:
    name, _, text = data.partition(b"\n")
    known = name.decode("utf-8", "replace")
    return (known if known in names else names[sum(name) % len(names)]), text


# -- sources and documents -------------------------------------------------------------------------------------------


def _source(folder: Path) -> Feed:
    """As a worker reads them; and what it sends has to survive the way to the process that stores it."""
    import marshal

    from idumb_brain.model.code import SCANNED, FileFacts
    from idumb_brain.scan.languages import load_languages, query_folders
    from idumb_brain.scan.read import ReadLimits
    from idumb_brain.scan.worker import facts_of, functions_of

    languages = load_languages(query_folders())
    names = sorted({f"a{ending}" for one in languages.by_name.values() for ending in one.extensions})

    def feed(data: bytes) -> None:
        name, text = _split(data, names)
        facts = facts_of(name, "", languages, ReadLimits(), True, text)
        assert marshal.loads(marshal.dumps(facts)) == facts
        read = FileFacts(*facts)
        lines = text.count(b"\n") + text.count(b"\r") + 2
        for symbol in read.symbols:
            assert -1 <= symbol[0] < len(read.symbols)
        if read.status == SCANNED and not text.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0")):
            assert all(1 <= row[4] <= row[5] <= lines for row in read.symbols), read.symbols
            assert all(1 <= row[2] <= row[3] <= lines for row in read.comments), read.comments
        file = folder / name
        file.write_bytes(text)
        functions_of(str(file), read.hash, languages, ReadLimits())

    return feed


def _documents(folder: Path) -> Feed:
    from idumb_brain.model.documents import unpacked
    from idumb_brain.scan.documents import document_facts
    from idumb_brain.scan.languages import query_folders

    rules = query_folders()

    def feed(data: bytes) -> None:
        name, text = _split(data, ["a.md", "a.rst", "a.adoc", "a.txt", "README.md", "docs/adr/0001-a.md", "a.mdx"])
        document = document_facts(name, text, rules)
        if document is not None:
            assert unpacked(document.packed()).packed() == document.packed()
            lines = text.count(b"\n") + text.count(b"\r") + text.count(b"\x0c") + 2
            assert all(1 <= one.line <= lines for one in document.sections)

    return feed


def _manifests(folder: Path) -> Feed:
    from idumb_brain.scan.manifests import read_packages

    names = sorted({seeds.manifest_name(file) for file in seeds.manifest_files()})

    def feed(data: bytes) -> None:
        name, text = _split(data, names)
        for file in sorted(folder.rglob("*"), reverse=True):
            file.unlink() if file.is_file() else file.rmdir()
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
        packages, problems = read_packages(folder, [name])
        assert read_packages(folder, [name]) == (packages, problems)

    return feed


# -- command lines, questions, git -----------------------------------------------------------------------------------


def _shell(folder: Path) -> Feed:
    from tests.govern.corpus import judged

    def feed(data: bytes) -> None:
        line = data.decode("utf-8", "replace").replace("\0", "")
        told = judged(line)
        assert judged(line) == told

    return feed


def _question(folder: Path) -> Feed:
    from idumb_brain.operations.recalling import query as recall
    from idumb_brain.operations.searching import query
    from idumb_brain.select.budget import tokens

    root = _library(folder)

    def feed(data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        budget = 50 + len(data) % 400
        with suppress(BrainError):
            told = query(text, root, budget=budget)
            assert told["tokens"] <= budget and tokens(told["text"]) <= budget
            json.dumps(told).encode()
        with suppress(BrainError):
            json.dumps(recall(text, root)).encode()

    return feed


def _git(folder: Path) -> Feed:
    """git's own output, in which people's texts stand: names, messages, paths."""
    from idumb_brain.scan import decisions, history, messages

    def feed(data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        for part in data.split(b"\x01"):
            messages._commit(part)
            history._commit(part)
        list(history._porcelain(text, shallow=bool(len(data) % 2)))
        list(decisions.read(text))

    return feed


# -- what hosts say --------------------------------------------------------------------------------------------------


def _protocol(folder: Path) -> Feed:
    """Bytes in, lines of JSON-RPC out: one answer for each message that wants one, and never anything else."""
    from idumb_brain.operations.lanes import AtOnce
    from idumb_brain.operations.project import find_project
    from idumb_brain.surfaces.serve.methods import Methods
    from idumb_brain.surfaces.serve.protocol import Method, Problem, Protocol

    notes: list[str] = []
    project = find_project(_library(folder)).prepared()
    made = Methods(project, notes.append).table()

    def harmless(run: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
        def asked(params: dict[str, Any]) -> Any:
            if any(word in json.dumps(params, default=str) for word in _RUNS):
                raise Problem(-1, "not in a test")
            return run(params)

        return asked

    table = {name: Method(harmless(one.run), AtOnce(), 0, one.otherwise) for name, one in made.items() if name != "hello"}
    answers = io.BytesIO()
    protocol = Protocol(answers, table, notes.append)

    def feed(data: bytes) -> None:
        notes.clear()
        answers.seek(0)
        answers.truncate()
        protocol.receive(io.BytesIO(data))
        lines = answers.getvalue().split(b"\n")
        assert lines.pop() == b""
        for line in lines:
            told = json.loads(line)
            assert told["jsonrpc"] == "2.0" and ("result" in told) != ("error" in told) and "id" in told
        _no_fault_of_ours(notes)

    return feed


def _hooks(folder: Path) -> Feed:
    from idumb_brain.operations.companion import Companion
    from idumb_brain.operations.heartbeat import Pulse
    from idumb_brain.operations.lanes import AtOnce
    from idumb_brain.operations.project import find_project
    from idumb_brain.operations.upkeep import Upkeep
    from idumb_brain.surfaces.hooks.claude import Claude
    from idumb_brain.surfaces.hooks.once import told_to
    from idumb_brain.surfaces.hooks.opencode import OpenCode

    notes: list[str] = []
    project = find_project(_library(folder)).prepared()
    companion = Companion(project, Upkeep(project, AtOnce(), notes.append), notes.append)
    pulse = Pulse(project, "claude", every=3600)
    names = [*Claude(companion).table(), *OpenCode(companion).table()]

    def feed(data: bytes) -> None:
        notes.clear()
        name, text = _split(data, names)
        told = told_to(companion, name, text, notes.append, pulse)
        assert isinstance(told, dict)
        json.dumps(told)
        _no_fault_of_ours(notes)

    return feed


def _no_fault_of_ours(notes: list[str]) -> None:
    """What is of another type than any host sends is answered and noted; anything else that goes wrong is a fault."""
    faults = [
        note
        for note in notes
        if "Traceback" in note and not re.search(r"^(?:AttributeError|TypeError|KeyError): ", note, re.MULTILINE)
    ]
    assert not faults, "\n".join(faults)


# -- what is kept in files -------------------------------------------------------------------------------------------


def _imports(folder: Path) -> Feed:
    """Exported files of this version and of all before it, into a brain that has to be sound behind it, and the same read twice."""
    from idumb_brain.operations.exchange import import_

    root, there = folder / "root", folder / "brain"

    def feed(data: bytes) -> None:
        for one in (root, there):
            rmtree(one, ignore_errors=True)
            one.mkdir(parents=True)
        name, text = _split(data, seeds.IMPORTED)
        (there / name).parent.mkdir(exist_ok=True)
        (there / name).write_bytes(text)
        import_(str(there), str(root))
        again = import_(str(there), str(root))
        assert not again["changed"], again["changed"]

    return feed


def _settings(folder: Path) -> Feed:
    """Settings and tables of rules that a project brings along: used, or refused with a reason."""
    from idumb_brain.govern.rules import load_rules
    from idumb_brain.govern.shell.knowledge import load_knowledge
    from idumb_brain.scan.languages import load_languages, query_folders
    from idumb_brain.store.config import read_config

    shipped = query_folders()[0]
    own = folder / "queries"
    names = ["config.json", *seeds.rule_tables(shipped)]

    def feed(data: bytes) -> None:
        name, text = _split(data, names)
        rmtree(own, ignore_errors=True)
        file = folder / name if name == "config.json" else own / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
        with suppress(BrainError):
            if name == "config.json":
                read_config(file)
            elif name.startswith("governance/"):
                load_rules((shipped, own))
            elif name.startswith("shell/"):
                load_knowledge.__wrapped__((shipped, own)) if hasattr(load_knowledge, "__wrapped__") else load_knowledge(
                    (shipped, own)
                )
            else:
                load_languages.__wrapped__((shipped, own))

    return feed


# -- what agents read ------------------------------------------------------------------------------------------------


def _rendering(folder: Path) -> Feed:
    """Foreign text in a block: it closes none, opens none, the budget holds, and the same comes out twice."""
    from idumb_brain.model.selection import Budget, Candidate, Score
    from idumb_brain.render.blocks import BLOCKS, block
    from idumb_brain.render.quoting import inline, lines
    from idumb_brain.select.budget import tokens
    from idumb_brain.select.fill import fill

    def feed(data: bytes) -> None:
        texts = [part.decode("utf-8", "surrogateescape") for part in data.split(b"\x1e")[:20]]
        made = block(BLOCKS[len(data) % len(BLOCKS)], ("en", "vi")[len(texts) % 2])
        sections = sorted(made.sections)
        told = [
            Candidate(
                "entry", str(at), Score(float(len(text) % 90)), (lines(text), f"| {inline(text)}"), at % 5 == 0,
                section=sections[at % len(sections)] if sections else "",
            )
            for at, text in enumerate(texts)
            if inline(text)
        ]  # fmt: skip
        budget = Budget(300 + len(data) % 1500, 100 + len(data) % 700)
        chosen = fill([*told, *made.own], budget, made.layout)
        assert chosen.chars == len(chosen.text) and chosen.tokens == tokens(chosen.text)
        if chosen.text:
            assert budget.chars is not None and budget.tokens is not None
            assert chosen.chars <= budget.chars and chosen.tokens <= budget.tokens
            assert len(re.findall(r"</?idumb-", chosen.text)) == 2
            assert chosen.text.startswith("<idumb-") and chosen.text.endswith(">")
        assert fill([*told, *made.own], budget, made.layout).text == chosen.text
        for text in texts:
            assert inline(inline(text)) == inline(text)

    return feed


# -- all of them -----------------------------------------------------------------------------------------------------


def _library(folder: Path) -> str:
    """A small scanned project."""
    from shutil import copytree

    from idumb_brain.operations.scanning import scan

    root = folder / "reading_room"
    if not root.exists():
        copytree(FIXTURES / "projects" / "python_src_layout", root)
        scan(root=str(root))
    os.environ.setdefault("IDUMB_BRAIN_NOW", "2026-02-04T10:30:00Z")
    return str(root)


TARGETS = {
    "source": Target(_source, seeds.sources, 40),
    "documents": Target(_documents, seeds.documents, 60),
    "manifests": Target(_manifests, seeds.manifests, 40),
    "shell": Target(_shell, seeds.shell, 60),
    "question": Target(_question, seeds.questions, 10),
    "git": Target(_git, seeds.git, 300),
    "protocol": Target(_protocol, seeds.protocol, 40),
    "hooks": Target(_hooks, seeds.hooks, 40),
    "import": Target(_imports, seeds.imports, 6),
    "settings": Target(_settings, seeds.settings, 15),
    "rendering": Target(_rendering, seeds.rendering, 40),
}
