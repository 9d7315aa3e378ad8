"""Go import paths to the files of packages, through go.mod and go.work. Runs no go command and asks no registry.

An import names a package, and a package is a folder: the files an import leads to are those declaring the names that
are used here through it; all of its files where no name is recognised (``import _``). Within a package files see each
other without an import, so a use of what another file of it declares is a dependency of kind "package". Build
constraints are not evaluated: where a name is declared once per system, every declaration counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import join, normpath
from typing import NamedTuple

from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want, bindings

CONFIGURATION = ("go.mod", "go.work")

_COMMENT = re.compile(r"//[^\n]*")
_BLOCK = re.compile(r"^\s*(\w+)\s*\(([^)]*)\)", re.MULTILINE)
_LINE = re.compile(r"^\s*(module|replace|require|use)[ \t]+([^(\s].*)$", re.MULTILINE)
_VERSION = re.compile(r"v\d+\Z")
_VERSION_IN_NAME = re.compile(r"\.v\d+\Z")
# Too common to ask for; anything else that Go predeclares, a package may declare anew (min, max, close).
_PREDECLARED = frozenset(
    ("_", "any", "append", "bool", "byte", "cap", "err", "error", "false", "float64", "int", "int32", "int64", "iota", "len", "make",
     "new", "nil", "ok", "string", "true", "uint64")
)  # fmt: skip
_EXPORTED = re.compile(r"[^\W\d_a-z]")

# How many words of an import path name a repository where no go.mod says so.
_WORDS_OF_HOST = {"gopkg.in": 2, "go.uber.org": 2, "k8s.io": 2, "sigs.k8s.io": 2, "google.golang.org": 2, "cloud.google.com": 2}


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    folder = path.rpartition("/")[0]
    if not package:
        return []
    declares = f"go-test:{folder}#{package}." if path.endswith("_test.go") else f"go:{folder}#{package}."
    keys = [declares + name for parent, name, qualified, *_ in symbols if parent < 0 and qualified == name and name != "init"]
    if not path.endswith("_test.go"):
        keys += [f"go-package:{folder}", f"go-package:{folder}#{package}", "go-file:" + path]
    return keys


class _Module(NamedTuple):
    folder: str
    path: str
    reaches: Mapping[str, str]  # module paths to the folders of this project that stand for them
    known: Sequence[str]  # modules somebody names, longest first


def resolver(project: ProjectView) -> Resolver:
    module_of = _modules(project)

    def wants(file: FileView) -> Iterator[Want]:
        return _wants(file, project, module_of)

    return wants


def _wants(file: FileView, project: ProjectView, module_of: Callable[[str], _Module]) -> Iterator[Want]:
    declared = file.declared
    folder = file.path.rpartition("/")[0]
    here = module_of(folder)
    plain, qualified = _names_used(file)
    dotted: list[tuple[int, int, str, str]] = []
    for ordinal, row in enumerate(file.imports):
        _, path, line, _ = row
        target, external, reason = _package_folder(path, folder, here, project, module_of)
        if external or reason:
            yield Want(ordinal, line, "import", (), external, reason)
            continue
        whole = f"go-package:{target}"
        if not declared(whole):
            unread = _unread(target, project, declared)
            for file_there in unread:
                yield Want(ordinal, line, "import", (file_there,), watch=target.rpartition("/")[2])
            if not unread:
                yield Want(
                    ordinal, line, "import", (), reason=_nothing_in(target, path, project), watch=target.rpartition("/")[2]
                )
            continue
        local = next((local or "." for _, local in bindings(row)), "")
        name = _package_name(path, target, (local, *qualified), declared)
        if local == ".":
            dotted.append((ordinal, line, target, name))
            continue
        # export_test.go: what test files of a package declare, its outer tests may use.
        keys = [f"go:{target}#{name}."]
        if target == folder and file.package.endswith("_test"):
            keys.append(f"go-test:{target}#{name}.")
        found = missed = False
        for used in qualified.get(local) or qualified.get(name) or ():
            key = next((key + used for key in keys if declared(key + used)), "")
            if key:
                found = True
                yield Want(ordinal, line, "import", (key,))
            else:
                missed = True
        for file_there in _unread(target, project, declared) if missed else ():
            found = True
            yield Want(ordinal, line, "import", (file_there,), watch=target.rpartition("/")[2])
        if not found:
            yield Want(ordinal, line, "import", (whole,))

    for ordinal, line, target, name in dotted:
        used_here = [key for used in plain if _EXPORTED.match(used) and declared(key := f"go:{target}#{name}.{used}")]
        for key in used_here or [f"go-package:{target}"]:
            yield Want(ordinal, line, "import", (key,))

    own = [f"go:{folder}#{file.package}."]
    if file.path.endswith("_test.go"):
        own.append(f"go-test:{folder}#{file.package}.")
    for used, line in plain.items():
        key = next((key + used for key in own if declared(key + used)), "")
        if key:
            yield Want(-1, line, "package", (key,), elsewhere=True)


def _names_used(file: FileView) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """Names used by themselves, and behind each other name, with the line of the first use."""
    plain: dict[str, int] = {}
    qualified: dict[str, dict[str, int]] = {}
    for _, _, line, name in file.references:
        first, dot, rest = name.partition(".")
        if not first or first in _PREDECLARED:
            continue
        if dot:
            qualified.setdefault(first, {}).setdefault(rest.partition(".")[0], line)
        plain.setdefault(first, line)
    return plain, qualified


def _package_folder(
    path: str, folder: str, here: _Module, project: ProjectView, module_of: Callable[[str], _Module]
) -> tuple[str, str, str]:
    """(folder in this project, external module, reason): exactly one of the last two is said, or none."""
    if path == "C":
        return "", "C", ""
    if path.startswith(("./", "../")) or path in (".", ".."):
        target = normpath(join(folder, path))
        if target.startswith(".."):
            return "", "", "beyond the top of the project"
        return "" if target == "." else target, "", ""
    for prefix in _prefixes(path):
        top = here.reaches.get(prefix)
        if top is None:
            continue
        target = join(top, path[len(prefix) + 1 :]).rstrip("/") if len(path) > len(prefix) else top
        owner = module_of(target)
        if owner.folder != top and owner.path and project.folder_exists(target):
            continue  # a module inside this one: its packages are its own
        if not _may_see(path, here, folder):
            return "", "", f"{path} is internal to {_internal_parent(path)}"
        return target, "", ""
    standard = here.reaches.get("std")
    if standard is not None and project.folder_exists(target := join(standard, path)):
        return target, "", ""
    return "", _external(path, here.known), ""


def _may_see(path: str, here: _Module, folder: str) -> bool:
    """What lies below .../internal is for those below ... only."""
    parent = _internal_parent(path)
    if parent is None or not here.path:
        return True
    inside = folder[len(here.folder) :].strip("/")
    own = f"{here.path}/{inside}" if inside else here.path
    return own == parent or own.startswith(parent + "/") or parent == ""


def _internal_parent(path: str) -> str | None:
    if path.endswith("/internal"):
        return path.removesuffix("/internal")
    at = path.rfind("/internal/")
    return path[:at] if at >= 0 else None


def _unread(target: str, project: ProjectView, declared: Callable[[str], bool]) -> list[str]:
    """Files of a package that no scan looked into, because they are generated or huge: who knows what they declare."""
    sources = [path for path in project.files_in(target) if path.endswith(".go") and not path.endswith("_test.go")]
    return [path for path in sources if not declared("go-file:" + path)]


def _nothing_in(target: str, path: str, project: ProjectView) -> str:
    if any(file.endswith(".go") for file in project.files_in(target)):
        return f"there are only tests in {target or 'the top folder'}"
    return f"no Go files in {target}" if target else f"no Go files at the top for {path}"


def _package_name(path: str, target: str, qualifiers: Sequence[str], declared: Callable[[str], bool]) -> str:
    """What the package calls itself. Mostly the last word of its path; else what of it is used here tells."""
    last = path.rpartition("/")[2]
    if _VERSION.match(last) and "/" in path:
        last = path.split("/")[-2]
    guesses = (last, _VERSION_IN_NAME.sub("", last), last.replace("-", "_"), last.rpartition("-")[2], last.removeprefix("go-"))
    return next((name for name in dict.fromkeys((*guesses, *qualifiers)) if declared(f"go-package:{target}#{name}")), last)


def _prefixes(path: str) -> Iterator[str]:
    yield path
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _external(path: str, known: Sequence[str]) -> str:
    """The module that a go.mod would name; a package of the standard library is named by its path."""
    for module in known:
        if path == module or path.startswith(module + "/"):
            return module
    words = path.split("/")
    if "." not in words[0]:
        return path
    count = _WORDS_OF_HOST.get(words[0], 3)
    if len(words) > count and _VERSION.match(words[count]):
        count += 1
    return "/".join(words[:count])


def _modules(project: ProjectView) -> Callable[[str], _Module]:
    """Which module a folder belongs to, with all that is in its reach, read from all go.mod and go.work files at once."""
    stated = {path.rpartition("/")[0]: _Stated(project.text(path)) for path in project.named("go.mod")}
    named = {module.path: folder for folder, module in sorted(stated.items(), reverse=True) if module.path}
    works: dict[str, tuple[set[str], dict[str, str]]] = {}
    for path in project.named("go.work"):
        top = path.rpartition("/")[0]
        said = _Stated(project.text(path))
        used = {_joined(top, folder) for folder in said.uses}
        works[top] = (used, {old: _joined(top, new) for old, new in said.replaces.items()})
    made: dict[str, _Module] = {}
    nowhere = _Module("", "", {}, sorted(named, key=len, reverse=True))

    def module_of(folder: str) -> _Module:
        known = made.get(folder)
        if known is None:
            if folder in stated:
                known = _seen_from(folder, stated, named, works)
            else:
                known = module_of(folder.rpartition("/")[0]) if folder else nowhere
            made[folder] = known
        return known

    return module_of


def _seen_from(
    folder: str,
    stated: Mapping[str, _Stated],
    named: Mapping[str, str],
    works: Mapping[str, tuple[set[str], dict[str, str]]],
) -> _Module:
    own = stated[folder]
    reaches: dict[str, str] = {}
    for required in own.requires:
        # Another module of this very repository: strictly a release of it, but written here.
        if required in named:
            reaches[required] = named[required]
    work = next((works[above] for above in (folder, *_prefixes_of_folder(folder)) if above in works), None)
    if work is not None and folder in work[0]:
        reaches |= {stated[used].path: used for used in work[0] if used in stated}
        reaches |= work[1]
    for old, new in own.replaces.items():
        reaches[old] = _joined(folder, new)
    reaches[own.path] = folder
    if own.path == "cmd" and "std" in named:
        reaches["std"] = named["std"]
    reaches = {path: top for path, top in reaches.items() if path and not top.startswith("..")}
    return _Module(folder, own.path, reaches, sorted({*own.requires, *named}, key=len, reverse=True))


def _prefixes_of_folder(folder: str) -> Iterator[str]:
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder


def _joined(top: str, folder: str) -> str:
    path = normpath(join(top, folder))
    return "" if path == "." else path


class _Stated:
    """What a go.mod or go.work says."""

    def __init__(self, text: str) -> None:
        self.path = ""
        self.requires: list[str] = []
        self.uses: list[str] = []
        self.replaces: dict[str, str] = {}  # with local folders only: all else comes from elsewhere anyway
        text = _COMMENT.sub(lambda found: "" if found.start() == 0 or text[found.start() - 1].isspace() else found[0], text)
        for verb, block in _BLOCK.findall(text):
            for line in block.split("\n"):
                self._take(verb, line.split())
        for verb, line in _LINE.findall(_BLOCK.sub("", text)):
            self._take(verb, line.split())

    def _take(self, verb: str, words: list[str]) -> None:
        words = [word.strip('"`') for word in words]
        if not words:
            return
        if verb == "module":
            self.path = words[0]
        elif verb == "require":
            self.requires.append(words[0])
        elif verb == "use":
            self.uses.append(words[0])
        elif verb == "replace" and "=>" in words[:-1]:
            new = words[words.index("=>") + 1]
            if new.startswith(("./", "../")) or new in (".", ".."):
                self.replaces[words[0]] = new
