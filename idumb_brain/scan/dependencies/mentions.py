"""Uses of packages that are no import: commands, settings, names in configuration, strings in code. Finds; does not judge.

Every answer names the file and line that shows the use. What the tables do not know of is not found: a package without a
mention may be used all the same in a way nobody has written down yet.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import basename

from idumb_brain.model.dependencies import Use
from idumb_brain.model.project import Package
from idumb_brain.scan.dependencies.commands import command_words
from idumb_brain.scan.dependencies.installed import Installed
from idumb_brain.scan.dependencies.tables import Named, Table, matches
from idumb_brain.scan.manifests.tree import Tree

_LARGEST = 400_000  # characters of a file that a person would write settings in
# How a name begins that code completes when it runs: f"driver_{kind}", `driver-${kind}`, "driver_" + kind.
_MADE_UP = r"""(?:[fF]["'](?P<start>\w{2,}[_.-])\{|`(?P<start_js>[@\w/.-]{2,}[_./-])\$\{|["'](?P<start_plus>[@\w/.-]{2,}[_./-])["']\s*\+)"""
_QUOTED = re.compile(r"""(["'`])((?:(?!\1)[^\n\\]){1,200})\1""")
_KEY = re.compile(r"""^\s*(?:-\s+)?([@\w][\w@/.-]*)\s*(?:[:(=,]|$)""")
_ITEM = re.compile(r"""^\s*(?:-\s+)?!?([@\w][\w@/.:-]*)\s*:?\s*$""")
# Lines that keep packages out, or that people read.
_NOT_LOADED = re.compile(
    r"\b(?:exclude|external|ignore\w*|dedupe)\b|\b(?:text|link|label|title|description|indexName|href)\W*:"
    r"""|:\s*\[?\s*["']\.{1,2}/"""  # an alias for a folder
)
_TABLE = re.compile(r"^\[+(?:tool\.)?([\w-]+(?::[\w-]+)?)", re.MULTILINE)

Found = dict[str, list[Use]]


def mentions(
    tree: Tree,
    packages: Sequence[Package],
    files: Iterable[str],
    wanted: Iterable[str],
    table: Table,
    there: Installed,
) -> Found:
    """Of these names, who is mentioned where. The first package asks for them; those in folders below it, whose scripts
    may use what it brings, follow. ``files`` are those that belong to it."""
    return _Search(tree, packages, files, wanted, table, there).found()


class _Search:
    def __init__(
        self,
        tree: Tree,
        packages: Sequence[Package],
        files: Iterable[str],
        wanted: Iterable[str],
        table: Table,
        there: Installed,
    ) -> None:
        self._tree, self._package, self._table, self._there = tree, packages[0], table, there
        self._packages = packages
        package = packages[0]
        below = len(package.path) + 1 if package.path else 0
        self._files = [(path, path[below:]) for path in files]
        # What lies at the top of the project is run for all of its packages.
        self._above = [(path, path) for path in tree.files if package.path and not path.startswith(package.path + "/")]
        self._wanted = set(wanted)
        self._made: Found = {}

    def found(self) -> Found:
        if self._wanted:
            self._by_presence()
            self._by_sections()
            self._by_commands()
            self._by_names()
            self._by_calls()
            self._by_strings()
            self._by_demand()
            self._by_speech()
        return self._made

    def _add(self, name: str, path: str, line: int, how: str) -> None:
        if name in self._wanted:
            self._made.setdefault(name, []).append(Use(path, line, how))

    def _rest(self) -> set[str]:
        return self._wanted - set(self._made)

    def _text(self, path: str) -> str:
        text = self._tree.text(path)
        return text if len(text) <= _LARGEST else ""

    def _by_presence(self) -> None:
        rows = [(pattern, names) for pattern, names in self._table.configured if self._wanted.intersection(names)]
        for path, inner in self._files:
            for pattern, names in rows:
                if pattern.match(inner):
                    for name in names:
                        if name not in self._made:
                            self._add(name, path, 1, "reads this file")

    def _by_sections(self) -> None:
        for path, inner in self._files:
            if inner in ("pyproject.toml", "setup.cfg", "tox.ini") and self._table.ecosystem == "python":
                text = self._text(path)
                for section in _TABLE.finditer(text):
                    line = text.count("\n", 0, section.start()) + 1
                    for name in self._table.sections.get(section[1], (re.sub(r"[-_.]+", "-", section[1]).lower(),)):
                        self._add(name, path, line, f"has settings here: {section[1]}")
            elif path == self._package.manifest and self._table.ecosystem == "npm":
                for key, line in _keys(self._text(path)):
                    if key not in self._table.silent:
                        for name in self._table.sections.get(key, (key,)):
                            self._add(name, path, line, f"has settings here: {key}")

    def _by_commands(self) -> None:
        programs = self._programs()
        for package in self._packages if self._table.ecosystem == "npm" else ():
            own = {one.name for one in package.requirements} if package is not self._package else set()
            for script, command in package.scripts:
                line = _line_of(self._text(package.manifest), f'"{script}":')
                for word, _ in command_words(command, every=True):
                    for name in programs.get(word, ()) or programs.get(_package_part(word), ()):
                        if name not in own:
                            self._add(name, package.manifest, line, f"command of the script {script}")
        for path, inner in (*self._files, *self._above):
            if matches(self._table.command_files, inner) and basename(path) != "package.json":
                for word, line in command_words(self._text(path), form=path.rpartition(".")[2]):
                    for name in programs.get(word, ()):
                        self._add(name, path, line, f"command {word}")

    def _programs(self) -> dict[str, list[str]]:
        """Word → packages that bring such a command, of what is still looked for."""
        rest = self._rest()
        programs: dict[str, list[str]] = {}
        asked = {one.name for one in self._package.requirements}
        for name in sorted(rest):
            bare = name.rpartition("/")[2]  # @biomejs/biome brings biome, and @types/eslint is not eslint
            short = () if name.startswith("@types/") or bare in asked else (bare,)
            for word in dict.fromkeys((name, *short, *self._there_programs(name))):
                programs.setdefault(word, []).append(name)
        real = {one.alias: one.name for one in self._package.requirements if one.alias}
        for word, names in self._table.tools.items():
            programs.setdefault(word, []).extend(name for name in sorted(rest) if real.get(name, name) in names)
        return programs

    def _there_programs(self, name: str) -> tuple[str, ...]:
        known = self._there.packages.get(name)
        return known.programs if known else ()

    def _by_names(self) -> None:
        for path, inner in self._files:
            rest = self._rest()
            groups = [group for group in self._table.named if matches(group.files, inner)] if rest else []
            if not groups:
                continue
            whole = self._text(path)
            text = _spoken(whole, self._table) if path == self._package.manifest else whole
            if inner.endswith("package.json") and path != self._package.manifest:
                continue
            if basename(path) in ("package.json", "project.json", "nx.json"):
                self._by_quoted_commands(path, text)
            for group in groups:
                for word, line, key in _words(text, group):
                    for name in _forms(word, group, key):
                        if name in rest:
                            at = _line_of(whole, word) if text is not whole else line
                            self._add(name, path, at, f"named here: {word}")

    def _by_quoted_commands(self, path: str, text: str) -> None:
        """Commands in settings of tools that run them: Nx, lint-staged, husky."""
        programs = self._programs()
        for number, row in enumerate(text.split("\n"), 1):
            for quoted in _QUOTED.finditer(row):
                if " " in quoted[2]:
                    for word, _ in command_words(quoted[2]):
                        for name in programs.get(word, ()):
                            self._add(name, path, number, f"command {word}")

    def _by_strings(self) -> None:
        """Modules that settings name by strings: ``INSTALLED_APPS`` and its like."""
        modules = self._modules()
        if not modules:
            return
        literal = re.compile(rf"""["']?\b({_either(modules)})\b(?:\.[\w.]+)?(?::\w+)?["']?""")
        for path, inner in self._files:
            if not matches(self._table.string_files, inner) or path == self._package.manifest:
                continue
            text = self._text(path)
            for found in literal.finditer(text):
                start = text.rfind("\n", 0, found.start()) + 1
                end = text.find("\n", found.end())
                row = text[start : end if end >= 0 else len(text)]
                if row.lstrip().startswith(("#", ";", "//")):
                    continue
                quoted = found[0][0] in "\"'" and found[0][-1] == found[0][0]
                if quoted or (not path.endswith(".py") and re.match(r"\s*(?:-\s+|\w+\s*=\s*)?[\w.]+:?\s*(?:,|$)", row)):
                    line = text.count("\n", 0, start) + 1
                    for name in modules[found[1]]:
                        self._add(name, path, line, f"named here: {found[0].strip(chr(34) + chr(39))}")

    def _by_calls(self) -> None:
        """Modules in the hands of functions that import, in all of the code."""
        modules = self._modules() if self._table.ecosystem == "python" else {name: [name] for name in self._rest()}
        if not modules or not self._table.calls:
            return
        functions = _either(self._table.calls)
        call = re.compile(rf"""(?:{functions})\s*(?:\(|=\s*[\[(]?)?\s*["']({_either(modules)})(?:["'/]|\.\w)""")
        made_up = re.compile(rf"""(?:{functions})\s*\(\s*{_MADE_UP}""")
        for path, text in self._code():
            for found in call.finditer(text):
                self._asked(modules[found[1]], path, text, found, "asked for by name")
            for found in made_up.finditer(text):
                start = found["start"] or found["start_js"] or found["start_plus"]
                family = [name for module, names in modules.items() if module.startswith(start) for name in names]
                self._asked(family, path, text, found, "asked for by a name that is put together")

    def _asked(self, names: Sequence[str], path: str, text: str, found: re.Match[str], how: str) -> None:
        row = text[text.rfind("\n", 0, found.start()) + 1 : found.start()].lstrip()
        if not row.startswith(("//", "*", "/*", "#")):
            for name in names:
                self._add(name, path, text.count("\n", 0, found.start()) + 1, f"{how}: {' '.join(found[0].split())}")

    def _by_demand(self) -> None:
        asked = {name.name for name in self._package.requirements}
        rows = {
            name: self._table.loaded[name]
            for name in self._rest()
            if name in self._table.loaded and (not self._table.loaded[name].by or asked.intersection(self._table.loaded[name].by))
        }
        for name, row in rows.items():
            hosts = ", ".join(sorted(asked.intersection(row.by))) or "the standard library"
            if not row.text:
                self._add(name, self._package.manifest, 1, f"loaded by {hosts}")
                continue
            pattern = re.compile(row.text)
            for path, text in self._code():
                if found := pattern.search(text):
                    self._add(name, path, text.count("\n", 0, found.start()) + 1, f"loaded by {hosts} for {found[0]}")
                    break

    def _by_speech(self) -> None:
        """Names in the code itself: where no import is needed, and in files that were too dull to be scanned."""
        modules = self._modules() or {name: [name] for name in self._rest()}
        for written, names in sorted(modules.items()) if self._table.spoken else ():
            plain = written.replace("-", "_") if self._table.names == "underscored" else written
            pattern = re.compile(self._table.spoken.replace("{}", re.escape(plain)), re.MULTILINE)
            for path, text in self._code():
                if path != self._package.manifest and (found := pattern.search(text)):
                    line = text.count("\n", 0, found.start()) + 1
                    for name in names:
                        self._add(name, path, line, f"named in the code: {' '.join(found[0].split())}")
                    break

    def _modules(self) -> dict[str, list[str]]:
        """Import name → packages, of what is still looked for."""
        rest = self._rest()
        modules: dict[str, list[str]] = {}
        if self._table.ecosystem == "python":
            for table in (self._table.imports, self._there.modules):
                for module, names in table.items():
                    for name in rest.intersection(names):
                        modules.setdefault(module, []).append(name)
            for name in rest:
                modules.setdefault(name.replace("-", "_"), []).append(name)
        return modules

    def _code(self) -> Iterator[tuple[str, str]]:
        """What is shipped first, then what is for development, settings last."""
        endings = _ENDINGS.get(self._table.ecosystem, ())
        places = [(path, inner) for path, inner in self._files if path.endswith(endings) or path == self._package.manifest]
        for path, _ in sorted(
            places, key=lambda place: (not place[0].endswith(endings[:1]), matches(self._table.development, place[1]))
        ):
            yield path, self._text(path)


_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "cargo": (".rs",),
    "go": (".go",),
    "pub": (".dart", ".yaml"),
    "nuget": (".cs",),
    "python": (".py", ".pyi", ".ipynb", ".toml", ".cfg", ".ini", ".env", ".yml", ".yaml"),
    "npm": (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte", ".astro"),
}


def _keys(text: str) -> Iterator[tuple[str, int]]:
    """Keys at the top of a package.json."""
    try:
        stated = json.loads(text)
    except (ValueError, RecursionError):
        return
    for key in stated if isinstance(stated, dict) else ():
        yield key, _line_of(text, f'"{key}":')
    config = stated.get("config") if isinstance(stated, dict) else None
    for key in config if isinstance(config, dict) else ():
        yield f"config.{key}", _line_of(text, f'"{key}":')


def _spoken(text: str, table: Table) -> str:
    """A package.json without what names packages for other reasons than their use."""
    try:
        stated = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(stated, dict):
        return ""
    return json.dumps({key: value for key, value in stated.items() if key not in table.silent}, indent=1)


def _words(text: str, group: Named) -> Iterator[tuple[str, int, bool]]:
    """(word, line, whether it is the key of something)."""
    for number, row in enumerate(text.split("\n"), 1):
        if row.lstrip().startswith(("//", "#", "*", "/*")) or _NOT_LOADED.search(row):
            continue
        if group.only and not any(only.search(row) for only in group.only):
            continue
        for quoted in _QUOTED.finditer(row):
            yield quoted[2], number, row[quoted.end() :].lstrip().startswith(":")
        if (key := _KEY.match(row)) and not group.only:
            yield key[1], number, True
        if (item := _ITEM.match(row)) and not group.only:
            yield item[1], number, False


def _forms(word: str, group: Named, key: bool) -> Iterator[str]:
    """The packages a word may stand for: ``plugin:react/recommended`` is of eslint-plugin-react."""
    word = word.strip()
    for prefix in ("plugin:", "module:", "npm:", "pkg:", "~", "./node_modules/", "node_modules/", "../node_modules/"):
        word = word.removeprefix(prefix)
    word = re.sub(r"^(?:\.\./)*node_modules/", "", word).rpartition("!")[2]
    short = _package_part(word)
    if not short or short.startswith((".", "/")):
        return
    if key and short != word and group.forms != ("{}",):
        return  # "react/jsx-key": a setting of what another line must load
    for form in group.forms:
        yield form.replace("{}", short)
    if short.startswith("@"):
        scope, _, name = short.partition("/")
        for form in group.scoped:
            yield form.replace("{scope}", scope).replace("{}", name)


def _package_part(word: str) -> str:
    parts = word.split("/")
    return "/".join(parts[:2]) if word.startswith("@") else parts[0]


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _line_of(text: str, needle: str) -> int:
    at = text.find(needle)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
