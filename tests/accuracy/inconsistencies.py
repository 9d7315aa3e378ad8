"""Our findings about comments that contradict code, against other people's linters and against a reading of them.

``python -m tests.accuracy.inconsistencies [pydoclint|eslint|judged …]``

pydoclint
    Python trees of three docstring styles, each with pydoclint's options for its style. Shared rules:

    ========  ===========================================  ======================================================
    pydoclint ours                                         compared where
    ========  ===========================================  ======================================================
    DOC103    param-missing, param-unknown (by name)       some is documented; not of stars, not of _private; not where
                                                           "a, b : int", "a : int", "`a` : int", "a=1" are one name to it
    DOC104    param-order                                  always
    DOC201    return-missing                               a value is returned, and there is no "Return:" or "Yields:"
    DOC202    return-unexpected                            always
    DOC402    yield-missing                                always
    DOC403    yield-unexpected                             nothing is yielded; DOC403 also asks for an annotation
    DOC502    raise-unexpected                             a type is named
    DOC503    raise-missing, raise-unexpected              names differ, not only their modules or how often they are told
    ========  ===========================================  ======================================================

eslint
    JavaScript and TypeScript trees, eslint-plugin-jsdoc without its wishes for destructured parameters. Shared rules:
    check-param-names (any param-*), require-param (param-missing, where some parameter is documented),
    require-returns-check (return-unexpected, return-duplicate; not where some path returns a value),
    require-yields-check (yield-unexpected).

judged
    Findings of our own kinds on real repositories, drawn with a fixed seed, read one by one. The verdicts, what they mean and
    what they do not are data: ``inconsistencies_verdicts.toml``.

What we call doubtful (and do not show unless asked to) counts here: the others have no such notion.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from idumb_brain.model.documented import Documentation, Finding, Function
from idumb_brain.operations.inconsistencies import findings
from idumb_brain.operations.project import Project
from idumb_brain.scan.discover import DiscoverSettings
from idumb_brain.scan.docstrings import read_documentation
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.refresh import ScanSettings, Workspace
from idumb_brain.store import code as store
from idumb_brain.store import examined as kept
from tests.accuracy.measure import Score, compared, main
from tests.accuracy.trees import Unobtainable, cache, npm, run, wheel

BAR = 0.95
JUDGED_BAR = 0.9
DIFFERENCES = Path(__file__).with_name("inconsistencies_differences.toml")
VERDICTS = Path(__file__).with_name("inconsistencies_verdicts.toml")
OWN_KINDS = frozenset(
    {
        "name-gone", "link-gone", "claim-unsupported", "todo-gone", "todo-duplicate", "todo-contradiction", "todo-overdue",
        "deprecation-overdue", "doc-of-another", "param-default",
    }
)  # fmt: skip
PARTS = ("pydoclint", "eslint", "judged")
PYDOCLINT = "pydoclint==0.12.0"
ESLINT = ("eslint@10.15.0", "eslint-plugin-jsdoc@62.9.0", "@typescript-eslint/parser@8.72.2", "typescript@6.0.3")
PYTHON_TREES = (  # package, the folder looked at, style
    ("scikit-learn==1.5.2", "sklearn", "numpy"),
    ("networkx==3.4.2", "networkx", "numpy"),
    ("keras==3.6.0", "keras/src", "google"),
    ("langchain-core==0.3.20", "langchain_core", "google"),
    ("sqlalchemy==2.0.36", "sqlalchemy", "sphinx"),
    ("praw==7.8.1", "praw", "sphinx"),
)
SCRIPT_TREES = (
    ("webpack@5.96.1", "lib"),
    ("ol@10.2.1", "."),
    ("three@0.170.0", "examples/jsm"),
    ("rxjs@7.8.2", "src"),
    ("yjs@13.6.20", "src"),
    ("lodash@4.17.21", "."),
)
_VIOLATION = re.compile(r"^\s*(\d+): (DOC\d+): (.*)$")
_LISTED = re.compile(r"\[(.*?)\]")


class Documented(NamedTuple):
    """A documented function of a tree, as we see it."""

    file: str
    doc_line: int
    doc_end: int
    function: Function
    doc: Documentation
    text: str


def measure(parts: Sequence[str] = PARTS) -> Iterator[Score]:
    if "pydoclint" in parts:
        tool = _pydoclint()
        for package, folder, style in PYTHON_TREES:
            yield from _against_pydoclint(tool, package, wheel(package) / folder, style)
    if "eslint" in parts:
        tools = _eslint()
        for package, folder in SCRIPT_TREES:
            yield from _against_eslint(tools, package, npm(package) / folder)
    if "judged" in parts:
        yield from _judged()


@contextmanager
def looked_at(folder: Path) -> Iterator[tuple[list[Finding], list[Documented]]]:
    """What we find in a tree, and the documented functions in it. Leaves the tree as it is."""
    with tempfile.TemporaryDirectory(prefix="idumb-accuracy-") as home:
        project = Project(folder.resolve(), Path(home))
        project.index.parent.mkdir(parents=True)
        settings = ScanSettings(
            discover=DiscoverSettings(50_000_000, vendored=True, include=("*",)),
            limits=ReadLimits(50_000_000, 1_000_000, generated=True),
        )
        with Workspace(str(project.root), project.index, settings, environ={}, now=lambda: "2026-02-04T10:30:00Z") as workspace:
            workspace.refresh()
        found = findings(project)
        with project.reading() as connection:
            documented = [
                Documented(
                    file.path,
                    comment.line,
                    comment.end_line,
                    function,
                    read_documentation(comment.content, file.language),
                    comment.content,
                )
                for file in store.files(connection, "status = 'scanned'")
                for symbols in [store.symbols_of(connection, file)]
                for functions in [{(one.name, one.line): one for one in kept.functions_of(connection, file)}]
                for owner, comment in kept.comments_of(connection, file)
                if comment.type == "doc"
                for function in [_function_of(symbols, functions, owner, comment.end_line, file.language == "python")]
                if function is not None
            ]
        yield found, documented


def _function_of(symbols, functions, owner, end_line, inside):  # type: ignore[no-untyped-def]
    if 0 <= owner < len(symbols) and (found := functions.get((symbols[owner].name, symbols[owner].line))):
        if inside or end_line <= found.line:
            return found
        owner = -1
    if 0 <= owner < len(symbols) and symbols[owner].kind == "class":
        init = [one for one in symbols if one.parent == owner and one.name == "__init__"]
        return functions.get((init[-1].name, init[-1].line)) if init else None
    return next((one for one in functions.values() if one.line == end_line + 1), None)


# -- pydoclint -------------------------------------------------------------------------------------------------------


Unit = tuple[str, int, str, str]  # file, line of the function, rule, what


def _against_pydoclint(tool: str, package: str, folder: Path, style: str) -> Iterator[Score]:
    theirs, unreadable = _violations(tool, folder, style)
    with looked_at(folder) as (found, documented):
        by_line = {(one.file, one.function.line): one for one in documented}
        ours = _our_units(found, documented)
        files = len({one.file for one in documented})
    wanted: set[Unit] = set()
    left_out: set[Unit] = set()
    for unit in theirs:
        one = by_line.get(unit[:2])
        shared = one is not None and _is_shared(unit, one, style)
        (wanted if shared else left_out).add(unit if unit[2] != "DOC503" else (*unit[:3], ""))
    told = len(ours)
    ours = {unit for unit in ours if unit[:2] not in unreadable}
    notes = [f"{told - len(ours)} of ours are about docstrings that pydoclint says it cannot read (DOC001): not compared"]
    ours -= left_out - wanted  # said by both, though not shared
    for rule, kinds in (("parameters", ("missing", "unknown", "order")), ("returns", ("DOC201", "DOC202")),
                        ("yields", ("DOC402", "DOC403")), ("raises", ("DOC502", "DOC503"))):  # fmt: skip
        mine = {unit for unit in ours if unit[2] in kinds}
        their = {unit for unit in wanted if unit[2] in kinds}
        if not their:
            notes.append(f"{rule}: pydoclint finds nothing, so there is nothing to find again; we find {len(mine)}")
            continue
        both, only_ours, only_theirs = compared(mine, their, _told)
        yield Score(
            f"docstrings: {rule}", f"pydoclint {style}", package, files, both, only_ours, only_theirs, 0.0, BAR,
            [*notes, *_unexplained("pydoclint", package, rule, only_ours)], _explained("pydoclint", package, rule),
        )  # fmt: skip
        notes = []


def _bare(name: str) -> str:
    return name.replace("\\", "").lstrip("*")


def _told(unit: Unit) -> str:
    return f"{unit[0]}:{unit[1]} {unit[2]} {unit[3]}".rstrip()


def _is_shared(unit: Unit, one: Documented, style: str) -> bool:
    function, doc, rule = one.function, one.doc, unit[2]
    if rule in ("missing", "unknown", "order"):
        spelled = {_bare(p.name) for p in doc.parameters if sum(p.line == other.line for other in doc.parameters) > 1}
        if style == "google":
            spelled |= {_bare(p.name) for p in doc.parameters if re.search(rf"^\s*{re.escape(p.name)} :", one.text, re.MULTILINE)}
        spelled |= set(re.findall(r":param [^:\n]*?\b(\w+)=", one.text)) | set(
            re.findall(r"^\s*`(\w+)` ?:", one.text, re.MULTILINE)
        )
        return bool(doc.parameters) and unit[3] not in spelled and not unit[3].startswith("_")
    if rule == "DOC201":
        return bool(function.returns_at or function.returns_type) and not doc.returns and not doc.yields
    if rule == "DOC503" and unit[3] == "same":
        return False
    if rule == "DOC403":
        return not function.yields_at
    if rule in ("DOC502", "DOC503"):
        return any(entry.type for entry in doc.raises)
    return True


def _our_units(found: Sequence[Finding], documented: Sequence[Documented]) -> set[Unit]:
    def line_of(finding: Finding) -> int:
        inside = [one for one in documented if one.file == finding.file and one.doc_line <= finding.line <= one.doc_end]
        return inside[-1].function.line if inside else 0

    units: set[Unit] = set()
    raising = {(one.file, one.function.line): bool(one.function.raises) for one in documented}
    for finding in found:
        line = line_of(finding)
        name = (re.findall(r"`([^`]*)`", finding.message) or [""])[0]
        match finding.kind:
            case "param-missing":
                units.add((finding.file, line, "missing", name))
            case "param-unknown":
                units.add((finding.file, line, "unknown", name))
            case "param-order":
                units.add((finding.file, line, "order", ""))
            case "return-missing":
                units.add((finding.file, line, "DOC201", ""))
            case "return-unexpected":
                units.add((finding.file, line, "DOC202", ""))
            case "yield-missing":
                units.add((finding.file, line, "DOC402", ""))
            case "yield-unexpected":
                units.add((finding.file, line, "DOC403", ""))
            case "raise-missing" | "raise-unexpected":
                units.add((finding.file, line, "DOC503" if raising.get((finding.file, line)) else "DOC502", ""))
    return units


def _violations(tool: str, folder: Path, style: str) -> tuple[set[Unit], set[tuple[str, int]]]:
    """What it says, and the functions whose documentation it says it cannot read."""
    import subprocess

    done = subprocess.run(
        [
            tool, "--quiet", "--style", style, "--check-return-types", "False", "--check-yield-types", "False",
            "--allow-init-docstring", "True", "--omit-stars-when-documenting-varargs", "True",
            "--arg-type-hints-in-signature", "False", "--arg-type-hints-in-docstring", "False",
            "--check-class-attributes", "False", "--ignore-private-args", "True", "--native-mode-noqa-location", "docstring", ".",
        ],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    units: set[Unit] = set()
    unreadable: set[tuple[str, int]] = set()
    file = ""
    for line in (done.stdout + "\n" + done.stderr).splitlines():
        violation = _VIOLATION.match(line)
        if violation is None:
            file = line.strip().removeprefix("./") or file
            continue
        at, code, message = int(violation[1]), violation[2], violation[3]
        if code == "DOC103":
            for part, what in (("in the function signature but not in the docstring", "missing"),
                               ("in the docstring but not in the function signature", "unknown")):  # fmt: skip
                if part in message:
                    for name in _names(message.split(part, 1)[1]):
                        units.add((file, at, what, name))
        elif code == "DOC104":
            units.add((file, at, "order", ""))
        elif code == "DOC503":
            listed = [
                sorted({name.rpartition(".")[2] for name in re.findall(r"'([^']*)'", part)}) for part in _LISTED.findall(message)
            ]
            units.add((file, at, code, "same" if len(listed) == 2 and listed[0] == listed[1] else ""))
        elif code in ("DOC201", "DOC202", "DOC402", "DOC403", "DOC502"):
            units.add((file, at, code, ""))
        elif code in ("DOC001", "DOC002"):
            unreadable.add((file, at))
    if not units:
        raise Unobtainable(f"pydoclint says nothing about {folder}: {done.stderr[-300:]}")
    return units, unreadable


def _names(told: str) -> list[str]:
    """Names in ``: [a: int, **b: dict[str, int]].``, without starred ones; ``a=1`` is a."""
    begin = told.index("[")
    depth, end = 0, begin
    for end in range(begin, len(told)):
        depth += (told[end] in "[({") - (told[end] in "])}")
        if depth == 0:
            break
    outer, depth = "", 0
    for character in told[begin + 1 : end]:
        depth -= character in "])}"
        outer += character if not depth else ""
        depth += character in "[({"
    names = re.findall(r"(?:^|, )(\*{0,2}[\w.]+)(?:=[^,:]*)?:", outer)
    return [name for name in names if not name.startswith("*")]


class Difference(NamedTuple):
    """Findings that only we have, of one class: who is right about them, and why."""

    tool: str
    tree: str
    rule: str
    pattern: str
    count: int
    right: str
    why: str


@lru_cache(maxsize=1)
def differences() -> list[Difference]:
    stated = tomllib.loads(DIFFERENCES.read_text("utf-8"))
    return [Difference(**row) for row in stated.get("only_ours", [])]


def _explained(tool: str, tree: str, rule: str) -> dict[str, str]:
    return {
        one.pattern: f"{one.right} right: {one.why}"
        for one in differences()
        if (one.tool, one.tree, one.rule) == (tool, tree, rule)
    }


def _unexplained(tool: str, tree: str, rule: str, only_ours: Sequence[str]) -> list[str]:
    """Notes about findings of ours in no class, and about classes that have grown or shrunk."""
    notes, left = [], list(only_ours)
    for one in differences():
        if (one.tool, one.tree, one.rule) == (tool, tree, rule):
            here = [line for line in left if re.search(one.pattern, line)]
            left = [line for line in left if line not in here]
            if len(here) != one.count:
                notes.append(f"{one.pattern}: {len(here)}, where {DIFFERENCES.name} says {one.count}")
    return [*notes, *([f"{len(left)} of ours are not explained in {DIFFERENCES.name}"] if left else [])]


def _pydoclint() -> str:
    home = cache() / PYDOCLINT
    program = home / "bin" / "pydoclint"
    if not program.exists():
        run(sys.executable, "-m", "venv", str(home))
        run(str(home / "bin" / "pip"), "install", "--quiet", PYDOCLINT)
    return str(program)


# -- eslint-plugin-jsdoc ---------------------------------------------------------------------------------------------


def _against_eslint(tools: Path, package: str, folder: Path) -> Iterator[Score]:
    with looked_at(folder) as (found, documented):
        files = sorted(
            {one.file for one in documented if re.search(r"\.(?:[mc]?[jt]s|[jt]sx)$", one.file) and ".min." not in one.file}
        )
    told = json.loads(run("node", str(Path(__file__).with_name("jsdoc_rules.mjs")), str(tools),
                          given=json.dumps({"root": str(folder.resolve()), "files": files})))  # fmt: skip
    by_file: dict[str, list[Documented]] = {}
    for one in documented:
        by_file.setdefault(one.file, []).append(one)

    def block(file: str, line: int) -> Documented | None:
        return next((one for one in by_file.get(file, []) if one.doc_line <= line <= max(one.doc_end, one.function.line)), None)

    theirs: set[Unit] = set()
    unplaced = []
    for file, line, rule, message in told:
        if not rule.startswith("jsdoc/"):
            continue
        one = block(file, line)
        if one is None:
            unplaced.append(f"{file}:{line} {rule} {message}")
        elif rule == "jsdoc/require-param":
            name = (re.findall(r'"([^"]*)"', message) or [""])[0]
            if one.doc.parameters:
                theirs.add((file, one.doc_line, "require-param", name))
        elif rule != "jsdoc/require-returns-check" or not one.function.returns_at or "more than one" in message:
            theirs.add((file, one.doc_line, rule.removeprefix("jsdoc/"), ""))
    ours: set[Unit] = set()
    for finding in found:
        one = block(finding.file, finding.line)
        at = one.doc_line if one else finding.line
        if finding.kind == "param-missing":
            ours.add((finding.file, at, "require-param", (re.findall(r"`([^`]*)`", finding.message) or [""])[0]))
        if finding.kind.startswith("param-") and finding.kind not in ("param-type", "param-default"):
            ours.add((finding.file, at, "check-param-names", ""))
        if finding.kind in ("return-unexpected", "return-duplicate"):
            ours.add((finding.file, at, "require-returns-check", ""))
        if finding.kind == "yield-unexpected":
            ours.add((finding.file, at, "require-yields-check", ""))
    # A parameter missing at the end is no wrong name to them; to us it is the same finding.
    named = {unit[:3] for unit in theirs}
    ours = {unit for unit in ours if unit[2] != "check-param-names" or unit[:3] in named or _has_wrong_name(unit, found, block)}
    notes = (
        [f"{len(unplaced)} of theirs are about comments that belong to no function of ours", *unplaced[:5]] if unplaced else []
    )
    for rule in ("check-param-names", "require-param", "require-returns-check", "require-yields-check"):
        mine = {unit for unit in ours if unit[2] == rule}
        their = {unit for unit in theirs if unit[2] == rule}
        if their:
            both, only_ours, only_theirs = compared(mine, their, _told)
            yield Score(
                f"jsdoc: {rule}", "eslint-plugin-jsdoc", package, len(files), both, only_ours, only_theirs, 0.0, BAR,
                [*notes, *_unexplained("eslint", package, rule, only_ours)], _explained("eslint", package, rule),
            )  # fmt: skip
            notes = []
        else:
            notes.append(f"{rule}: eslint finds nothing, so there is nothing to find again; we find {len(mine)}")


def _has_wrong_name(unit, found, block):  # type: ignore[no-untyped-def]
    return any(
        one.file == unit[0] and one.kind in ("param-unknown", "param-order", "param-duplicate")
        and (b := block(one.file, one.line)) and b.doc_line == unit[1]
        for one in found
    )  # fmt: skip


def _eslint() -> Path:
    folder = cache() / "eslint-jsdoc"
    wanted = json.dumps({"private": True, "dependencies": dict(tool.rsplit("@", 1) for tool in ESLINT)}, indent=2)
    manifest = folder / "package.json"
    if not manifest.exists() or manifest.read_text("utf-8") != wanted or not (folder / "node_modules").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        manifest.write_text(wanted, "utf-8")
        run("npm", "install", "--no-audit", "--no-fund", "--silent", cwd=folder)
    return folder


# -- read one by one --------------------------------------------------------------------------------------------------


class Verdict(NamedTuple):
    sample: str
    repository: str
    revision: str
    file: str
    line: int
    kind: str
    about: str
    true: bool
    reason: str


def verdicts() -> list[Verdict]:
    stated = tomllib.loads(VERDICTS.read_text("utf-8"))
    return [Verdict(**row) for row in stated["finding"]]


def _judged() -> Iterator[Score]:
    """How many of the findings that were read are true. Rules were mended after every sample; only the last tells of those there are."""
    read = verdicts()
    *earlier, last = dict.fromkeys(one.sample for one in read)
    # Two TODOs in the same words are easily right; the other kinds must stand without them.
    for sample in earlier:
        yield _score(
            f"{sample} (mended since)", [one for one in read if one.sample == sample and one.kind != "todo-duplicate"], None
        )
    of_sample = [one for one in read if one.sample == last]
    for kind in sorted({one.kind for one in of_sample}):
        yield _score(f"{last}: {kind}", [one for one in of_sample if one.kind == kind], None)
    yield _score(f"{last}: no duplicates", [one for one in of_sample if one.kind != "todo-duplicate"], JUDGED_BAR)


def _score(name: str, read: Sequence[Verdict], bar: float | None) -> Score:
    wrong = [f"{one.repository}/{one.file}:{one.line} {one.kind} {one.about}: {one.reason}" for one in read if not one.true]
    trees = f"{len({one.repository for one in read})} repositories"
    return Score(name, "reading", trees, len({one.file for one in read}), sum(one.true for one in read), wrong, (), bar or 0.0)


def draw(found: Mapping[str, Sequence[Finding]], seed: int, most: int, most_of_a_kind: int = 12) -> list[tuple[str, Finding]]:
    """Findings of our own kinds to read: of every kind at most so many a repository, else one chatty repository is all we see."""
    pool: list[tuple[str, Finding]] = []
    for repository in sorted(found):
        by_kind: dict[str, list[Finding]] = {}
        for one in found[repository]:
            if one.kind in OWN_KINDS and one.confidence >= 0.5:
                by_kind.setdefault(one.kind, []).append(one)
        for kind, ones in sorted(by_kind.items()):
            few = len(ones) <= most_of_a_kind
            pool += [
                (repository, one) for one in (ones if few else Random(f"{seed}-{repository}-{kind}").sample(ones, most_of_a_kind))
            ]
    Random(seed).shuffle(pool)
    return pool[:most]


if __name__ == "__main__":
    sys.exit(main(measure, __doc__ or "", parts=PARTS))
