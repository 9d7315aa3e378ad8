"""Definitions against universal-ctags, for every language both know, on published packages.

A definition of theirs counts as found when we have a symbol of that name on its line or around it. Only kinds that we
promise are asked for: no locals, parameters, labels, import names or packages of whole files. ctags reads most
languages line by line, so some of what it says is not so; every such class of disagreement is a rule in
ctags_differences.toml with its reason, and what a rule recognises is not counted. Everything else is, and is listed.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from idumb_brain.model.code import Symbol
from tests.accuracy.measure import CodeMap, Score, main, scanned
from tests.accuracy.trees import debian, npm, program, run, wheel

_BAR = 0.98
_RULES = Path(__file__).with_name("ctags_differences.toml")


@dataclass(frozen=True)
class _Language:
    theirs: str  # ctags' name of it
    kinds: str  # letters of the kinds that we promise too
    trees: tuple[tuple[str, str], ...]  # registry and package
    languages: tuple[str, ...]  # our names of it
    within: str = ""  # a folder of the tree


_LANGUAGES = (
    _Language("Python", "cfmv", (("wheel", "django==5.2.8"),), ("python",)),
    _Language("Ruby", "ACSacfm", (("debian", "ruby-activerecord"), ("debian", "ruby-actionpack")), ("ruby",)),
    _Language("C#", "Ecefgimnpst", (("npm", "com.cysharp.unitask@2.2.5"), ("npm", "com.neuecc.unirx@7.1.0")), ("csharp",)),
    _Language("Lua", "f", (("debian", "lua-busted"), ("debian", "lua-http"), ("debian", "lua-penlight")), ("lua",)),
    _Language("Sh", "af", (("debian", "testssl.sh"), ("debian", "dracut-core"), ("debian", "neofetch")), ("bash",)),
    _Language("JavaScript", "CGScfgmv", (("npm", "webpack@5.103.0"),), ("javascript", "jsx"), "lib"),
    _Language("TypeScript", "CGacefgimnpv", (("npm", "rxjs@7.8.2"),), ("typescript", "tsx"), "src"),
    _Language("Go", "acfimnstv", (("debian", "golang-github-gin-gonic-gin-dev"), ("debian", "golang-github-spf13-cobra-dev")), ("go",)),
    _Language("Rust", "MPefgimnstv", (("debian", "librust-tokio-dev"), ("debian", "librust-regex-dev")), ("rust",)),
    _Language("Java", "acefgim", (("npm", "react-native@0.72.0"),), ("java",)),
    _Language("Kotlin", "CTcimov", (("npm", "react-native@0.76.0"),), ("kotlin",)),
    _Language("C", "defgmstuvp", (("npm", "tree-sitter@0.25.0"), ("npm", "better-sqlite3@11.0.0")), ("c",)),
    _Language("C++", "cdefgmnstuvp", (("npm", "leveldown@6.1.1"),), ("cpp",)),
    _Language("PHP", "cdfitv", (("debian", "php-twig"), ("debian", "php-doctrine-dbal"), ("debian", "php-guzzlehttp-guzzle")), ("php",)),
)  # fmt: skip
_FETCH = {"wheel": wheel, "debian": debian, "npm": npm}


@dataclass(frozen=True)
class _Tag:
    """One definition as ctags tells it."""

    path: str
    line: int
    name: str
    kind: str
    scope: str
    text: str  # the source line

    def told(self) -> str:
        return f"{self.path}:{self.line} {self.kind} {self.scope + '.' if self.scope else ''}{self.name}  | {self.text.strip()[:100]}"


@dataclass(frozen=True)
class _Rule:
    """A class of disagreements: what is known of it, as patterns that must all be found, and why it is none of ours."""

    language: str
    name_of_class: str
    why: str
    patterns: tuple[tuple[str, re.Pattern[str]], ...]  # of path, name, kind, scope, text

    def recognises(self, tag: _Tag) -> bool:
        return all(pattern.search(getattr(tag, what)) for what, pattern in self.patterns)


def measure(only: Sequence[str] = ()) -> Iterator[Score]:
    program("ctags", "universal-ctags")
    for language in _LANGUAGES:
        if only and language.theirs not in only:
            continue
        rules = [rule for rule in _rules() if rule.language in (language.theirs, "*")]
        for registry, package in language.trees:
            yield _score(language, package, _FETCH[registry](package) / language.within, rules)


def _score(language: _Language, package: str, root: Path, rules: Sequence[_Rule]) -> Score:
    with scanned(root) as code_map:
        paths = sorted(path for path, file in code_map.files.items() if file.language in language.languages)
        missing = list(_missing(code_map, (tags := _tags(root, language, paths))))
    classes: Counter[_Rule] = Counter()
    unexplained = []
    for tag in missing:
        rule = next((rule for rule in rules if rule.recognises(tag)), None)
        if rule is None:
            unexplained.append(tag.told())
        else:
            classes[rule] += 1
    raw = 1 - len(missing) / len(tags) if tags else 0.0
    notes = [f"{len(tags):,} definitions of theirs; {raw:.4f} of them are ours too before any is explained"]
    notes += [f"{count:,} not counted, {rule.name_of_class}: {rule.why}" for rule, count in classes.most_common()]
    both = len(tags) - len(missing)
    return Score(f"{language.theirs} definitions", "ctags", package, len(paths), both, (), unexplained, None, _BAR, notes)


def _tags(root: Path, language: _Language, paths: Sequence[str]) -> list[_Tag]:
    """All that ctags says of these files."""
    written = run(
        "ctags", "--output-format=json", "--fields=+nKsZ-P", "--sort=no", "--extras=-{anonymous}",
        f"--language-force={language.theirs}", f"--kinds-{language.theirs}={language.kinds}", "-f", "-", "-L", "-",
        cwd=root, given="\n".join(paths),
    )  # fmt: skip
    text: dict[str, list[str]] = {}
    tags = []
    for row in written.splitlines():
        told: dict[str, Any] = json.loads(row)
        path, line = told["path"], told["line"]
        if path not in text:
            text[path] = (root / path).read_bytes().decode("utf-8", "replace").split("\n")
        tags.append(_Tag(path, line, told["name"], told["kind"], told.get("scope", ""), text[path][line - 1]))
    return tags


def _missing(code_map: CodeMap, tags: Sequence[_Tag]) -> Iterator[_Tag]:
    """Theirs that we have not. One symbol of ours answers to one tag of theirs, the nearest first."""
    of_file: dict[str, list[_Tag]] = defaultdict(list)
    for tag in tags:
        of_file[tag.path].append(tag)
    for path, found in of_file.items():
        ours: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in code_map.symbols(path):
            ours[_bare(symbol.name)].append(symbol)
        for tag in found:
            candidates = ours.get(_bare(tag.name), [])
            around = [symbol for symbol in candidates if symbol.line <= tag.line <= symbol.end_line]
            if not around:
                yield tag
                continue
            candidates.remove(max(around, key=lambda symbol: symbol.line))


def _bare(name: str) -> str:
    """A name without what only one of the two writes with it: receivers, tildes, question marks, blanks in operators."""
    if sign := re.match(r"operator(?: |(?=[^\w.:]))(.+)", name):
        return sign[1].replace(" ", "")
    return re.split(r"[.:\\](?=[\w~=])", name)[-1].rstrip("?!").lstrip("~") or name


@cache
def _rules() -> tuple[_Rule, ...]:
    stated = tomllib.loads(_RULES.read_text("utf-8")).get("difference", [])
    return tuple(
        _Rule(
            rule["language"],
            rule["class"],
            rule["why"],
            tuple((what, re.compile(rule[what])) for what in ("path", "name", "kind", "scope", "text") if what in rule),
        )
        for rule in stated
    )


if __name__ == "__main__":
    sys.exit(main(measure, __doc__, parts=[language.theirs for language in _LANGUAGES]))
