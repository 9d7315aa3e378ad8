"""The process that reads, parses and extracts, so that a crash in a native grammar costs one file, never the scan.

Speaks marshal over its pipes: first a settings tuple, then batches of tasks in; "ready" and then one answer per
file out, in order, sent no later than at the end of their batch.
Ends when its input does, so it never outlives the scan. Refuses to touch the index.
"""

from __future__ import annotations

import gc
import json
import marshal
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from idumb_brain.model.code import PLAIN, SCANNED, SKIPPED, packed
from idumb_brain.model.errors import BadInput
from idumb_brain.scan import garbage
from idumb_brain.scan.documents import document_facts, format_of
from idumb_brain.scan.languages import Language, Languages, load_languages
from idumb_brain.scan.read import ReadLimits, Text, read, understood

_DOCUMENTS = frozenset(("markdown", "rst", "asciidoc"))


def work(tasks: BinaryIO, answers: BinaryIO) -> None:
    root, folders, limits, memory, fences, examines = marshal.load(tasks)
    _limit_memory(memory)
    gc.set_threshold(garbage.SELDOM)
    os.chdir(root)
    rules = tuple(map(Path, folders))
    languages = load_languages(rules)
    reading = ReadLimits(*limits)
    _answer(answers, ("ready",))
    answers.flush()
    while True:
        try:
            batch = marshal.load(tasks)
        except EOFError:
            return
        for path, known_hash, content in batch:
            try:
                if examines:
                    answer = functions_of(path, known_hash, languages, reading)
                else:
                    answer = facts_of(path, known_hash, languages, reading, fences, content, rules)
            except BadInput as error:
                answer = ("unusable", error.what, error.why, error.instead)
            except Exception as error:  # one file must never cost the scan; the reason is reported with its path
                answer = failed_facts(f"could not be extracted ({type(error).__name__}: {error})")
            _answer(answers, answer)
        answers.flush()


def facts_of(
    path: str,
    known_hash: str,
    languages: Languages,
    limits: ReadLimits,
    fences: bool = False,
    source: bytes | None = None,
    rules: tuple[Path, ...] = (),
) -> tuple[Any, ...]:
    """The ``FileFacts`` of a path as a plain tuple; of an unchanged file only its stat and hash."""
    try:
        text = read(os.fsencode(path), limits) if source is None else understood(source, limits)
    except OSError as error:
        return _bare(SKIPPED, f"unreadable: {error.strerror or error}", "", 0, 0, 0, 0, "")
    if text.hash and text.hash == known_hash:
        return ("same", text.hash, text.size, text.mtime_ns, text.inode)
    language = languages.by_name.get(languages.of_file(path, text.source))
    name = language.name if language else ""
    lines = text.source.count(b"\n") + (not text.source.endswith(b"\n") and text.source != b"")
    if text.skip:
        return _bare(SKIPPED, text.skip, text.hash, text.size, text.mtime_ns, text.inode, 0, name)
    if language is None or not language.outline:
        facts = _bare(PLAIN, "", text.hash, text.size, text.mtime_ns, text.inode, lines, name)
    else:
        facts = _scanned(path, text, lines, language, languages, fences)
    # Where a language is read as data, say requirements.txt, the extension does not make it a document.
    if format_of(path) and (language is None or language.name in _DOCUMENTS):
        return _with_document(facts, path, text, rules)
    return facts


def _with_document(facts: tuple[Any, ...], path: str, text: Text, rules: tuple[Path, ...]) -> tuple[Any, ...]:
    document = document_facts(path, text.source, rules)
    if document is None:
        return facts
    if document.problem:
        facts[13].append((1, document.problem))
    return (*facts, document.packed())


def functions_of(path: str, known_hash: str, languages: Languages, limits: ReadLimits) -> tuple[Any, ...]:
    """What the functions of a file take and give, as JSON; of one that is not as it was scanned, nothing."""
    from idumb_brain.scan.signatures import examined

    try:
        text = read(os.fsencode(path), limits)
    except OSError as error:
        return ("changed", f"unreadable: {error.strerror or error}")
    if text.hash != known_hash:
        return ("changed", "written to since the last scan")
    language = languages.by_name.get(languages.of_file(path, text.source))
    if language is None or not language.examined:
        return ("examined", "[]")
    return ("examined", json.dumps(examined(text.source, language), ensure_ascii=False, separators=(",", ":")))


def _scanned(path: str, text: Text, lines: int, language: Language, languages: Languages, fences: bool) -> tuple[Any, ...]:
    from idumb_brain.scan.embedded import extract_all

    package, symbols, comments, imports, references, problems = extract_all(
        text.source, language, languages, fences, language.is_header(path)
    )
    if text.problem:
        problems.insert(0, (1, text.problem))
    keys: list[str] = []
    if language.resolver:
        from idumb_brain.scan.resolve import provided_keys

        keys = provided_keys(language.resolver, path, package, symbols, imports)
    mentions = " ".join({row[3] for row in references})
    if imports:
        mentions += " " + " ".join([row[3] for row in imports if row[3]])
    return (
        SCANNED, "", text.hash, text.size, text.mtime_ns, text.inode, lines, language.name, package,
        symbols, comments, imports, packed(references), problems, keys, mentions,
    )  # fmt: skip


def failed_facts(reason: str) -> tuple[Any, ...]:
    """Facts of a file that could not be read to the end. Its stat is left unknown, so that the next scan tries again."""
    return (SKIPPED, reason, "", -1, -1, -1, 0, "", "", [], [], [], "", [(1, reason)], [], "")


def _bare(
    status: str, reason: str, digest: str, size: int, mtime_ns: int, inode: int, lines: int, language: str
) -> tuple[Any, ...]:
    return (status, reason, digest, size, mtime_ns, inode, lines, language, "", [], [], [], "", [], [], "")


def _answer(answers: BinaryIO, answer: tuple[Any, ...]) -> None:
    payload = marshal.dumps(answer)
    answers.write(len(payload).to_bytes(4, "little"))
    answers.write(payload)


def _limit_memory(limit: int) -> None:
    if limit <= 0:
        return
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass  # not offered on this system: the time limit still holds


if __name__ == "__main__":
    protocol = os.fdopen(os.dup(1), "wb", buffering=1 << 18)
    os.dup2(2, 1)  # a grammar that prints must not break the protocol
    work(sys.stdin.buffer, protocol)
