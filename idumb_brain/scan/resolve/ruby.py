"""Ruby: require along the load path, and constants that Zeitwerk would autoload. Runs no Ruby.

A file *declares* every class and module in it (``rb:Library::Shelf``), and is the *home* of those that its
path spells (``rb:Library::Shelf@app/models`` in app/models/library/shelf.rb): only there would Zeitwerk look.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from posixpath import join, normpath
from typing import NamedTuple

from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want

CONFIGURATION = (
    "Gemfile",
    "Gemfile.lock",
    "gems.rb",
    "gems.locked",
    "*.gemspec",
    "application.rb",
    "engine.rb",
)

_CONSTANT = re.compile(r"(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*\Z")
_NOT_AUTOLOADED = frozenset({"assets", "javascript", "views"})
_GEM_IN_LOCK = re.compile(r"^ {4}([\w.-]+) \(", re.MULTILINE)
_GEM_IN_FILE = re.compile(r"""^\s*(?:gem|\w+\.add_(?:runtime_|development_)?dependency)[ (]+["']([\w.-]+)["']""", re.MULTILINE)
_GEM_NAME = re.compile(r"""^\s*\w+\.name\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)
_REQUIRE_PATHS = re.compile(r"\.require_paths?\s*=\s*(?:%w)?[\[({]?([^\])}\n]*)")
_AUTOLOAD_PATHS = re.compile(
    r"(?:autoload_paths|eager_load_paths|autoload_once_paths)\s*(?:<<|\+=|\.push|\.unshift|\.concat)([^\n]*(?:\n\s+[^\n]*[\"'\]\)],?$)*)"
    r"|\.push_dir[( ]([^\n]*)"
    r"|(config\.autoload_lib\b)(?!_once)",
    re.MULTILINE,
)
_LITERAL = re.compile(r"""["']([^"'\n]*)["']|%[wW]?[\[({]([^\])}]*)[\])}]""")
_HERE = re.compile(r"#\{\s*(?:__dir__|File\.dirname\(__FILE__\)|File\.expand_path\(File\.dirname\(__FILE__\)\))\s*\}")
_ROOT = re.compile(
    r"#\{\s*(?:Rails\.root(?:\.to_s)?|Rails\.application\.root|(?:\w+\.)?config\.root|root)\s*\}|\A(?:Rails\.)?root\b"
)


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    folders = path.removesuffix(".rb").split("/")
    spelt = [_flat(folder) for folder in folders]
    keys: dict[str, None] = {}
    partly: list[str] = []
    at_home = False
    for _, name, qualified, kind, *_ in symbols:
        if kind not in ("class", "module") and not (kind == "constant" and (name != name.upper() or _flat(name) == spelt[-1])):
            continue
        parts = qualified.removeprefix("::").split("::")
        if "" in parts or "self" in parts:
            continue
        for end in range(1, len(parts) + 1):
            keys["rb:" + "::".join(parts[:end])] = None
        flat = [_flat(part) for part in parts]
        length = 0  # how many of the last parts the path spells
        while length < len(flat) and length < len(spelt) and flat[-1 - length] == spelt[-1 - length]:
            length += 1
        if length == len(flat):
            at_home = True
            keys[f"rb:{'::'.join(parts)}@{'/'.join(folders[:-length])}"] = None
        elif length:
            partly += [f"rb:{'::'.join(parts)}@{'/'.join(folders[:-some])}" for some in range(1, length + 1)]
    if not at_home:  # a root may stand for a namespace: push_dir("app", namespace: Library)
        keys.update(dict.fromkeys(partly))
    return list(keys)


class _Gem(NamedTuple):
    folder: str  # ending in "/" or empty
    name: str
    paths: tuple[str, ...]


def resolver(project: ProjectView) -> Resolver:
    gems = _gems(project)
    known = _known_gems(project)
    apps = _autoloading(project, gems)
    load_path = _load_path(project, gems, [root for roots in apps.values() for root in roots])

    def required(text: str, file: str) -> str:
        """The file on the load path, or ""."""
        path = text if text.endswith((".rb", ".rake")) else text + ".rb"
        return next((found for folder in load_path(file) if (found := normpath(folder + path)) in project), "")

    def wants(file: FileView) -> Iterator[Want]:
        folder = file.path.rpartition("/")[0]
        for ordinal, (kind, written, line, _) in enumerate(file.imports):
            place, text = _place(written, folder, _home(file.path, apps))
            last = text.rpartition("/")[2].partition(".")[0]
            if kind == "autoload" and written.startswith(":"):  # ActiveSupport::Autoload: the path follows from the name
                text = f"{file.path.removesuffix('.rb')}/{_underscored(written[1:])}.rb"
                if text not in project:
                    text = text[text.find("lib/") + 4 :] if "lib/" in text else text
                    yield Want(
                        ordinal,
                        line,
                        "import",
                        (),
                        reason=f"no file {text} for {written}",
                        watch=_underscored(written[1:]),
                    )
                else:
                    yield Want(ordinal, line, "import", (text,))
            elif place == "computed" or not text:
                yield Want(ordinal, line, "import", (), reason="the path is computed when the program runs")
            elif place == "path" or kind == "require_relative" or text.startswith(("./", "../")):
                path = normpath(text if place == "path" else join(folder, text))
                named = path if path.endswith((".rb", ".so")) or (kind == "load" and path in project) else path + ".rb"
                if named in project:
                    yield Want(ordinal, line, "import", (named,))
                elif project.outside(named):
                    yield Want(ordinal, line, "import", (named,), external=named)
                else:
                    yield Want(ordinal, line, "import", (named, path), reason=f"no file {named}")
            elif found := required(text, file.path) or (text if kind == "load" and text in project else ""):
                yield Want(ordinal, line, "import", (found,), watch=last)
            else:
                external, reason = _outside(text, file.path, gems, known)
                yield Want(ordinal, line, "import", (), external, reason, last)
        if any(file.path.startswith(home) for home in apps):
            yield from _constants(file, _by_nearness(file.path, apps))

    return wants


def _constants(file: FileView, roots: Sequence[str]) -> Iterator[Want]:
    """Constants as Ruby looks them up: in what surrounds their use, innermost first, then at the top."""
    declared = file.declared
    scopes = [(owner, last, name.removeprefix("::")) for owner, kind, last, name in file.references if kind == "scope"]
    homes: dict[str, str] = {}
    asked: set[tuple[tuple[str, ...], str]] = set()
    yielded: set[str] = set()

    def home(name: str) -> str:
        """The key of the file that would be loaded for the longest part of a name that has a file."""
        key = homes.get(name)
        if key is None:
            key = ""
            if declared("rb:" + name):
                key = next((at for root in roots if declared(at := f"rb:{name}@{root}")), "")
            if not key and "::" in name:
                key = home(name.rpartition("::")[0])
            homes[name] = key
        return key

    for owner, kind, line, name in file.references:
        if kind not in ("type", "base") or not _CONSTANT.match(name):
            continue
        around: tuple[str, ...] = ()
        if not name.startswith("::"):
            around = tuple(scope for ordinal, last, scope in reversed(scopes) if ordinal <= owner and last >= line)
        name = name.removeprefix("::")
        if (around, name) in asked:
            continue
        asked.add((around, name))
        first = name.partition("::")[0]
        for scope in (*around, ""):
            if declared(f"rb:{scope}::{first}" if scope else "rb:" + first):
                key = home(f"{scope}::{name}" if scope else name)
                if key and key not in yielded:
                    yielded.add(key)
                    yield Want(-1, line, "constant", (key,))
                if key:
                    break


def _place(written: str, folder: str, home: str) -> tuple[str, str]:
    """("load path", text), ("path", a path from the top of the project) or ("computed", "")."""
    if written.startswith(":"):
        return "load path", written
    if written.startswith(("File.", "Rails.", "Pathname", "__dir__")) or "__FILE__" in written:
        return _computed(written, folder, home)
    text = _HERE.sub(lambda _: "\0", written)
    if text != written:
        text = text.replace("\0", folder or ".")
        return ("computed", "") if "#{" in text else ("path", normpath(text))
    if "#{" in written:
        rooted = _ROOT.sub(lambda _: "\0", written)
        if rooted.startswith("\0") and "#{" not in rooted:
            return "path", normpath((home or ".") + rooted[1:])
        return "computed", ""
    return ("load path", written) if written else ("computed", "")


def _computed(written: str, folder: str, home: str) -> tuple[str, str]:
    """File.expand_path("../x", __FILE__), File.join(__dir__, "x"), Rails.root.join("lib", "x")."""
    literals = [literal for literal, _ in _LITERAL.findall(written)]
    if not literals or any("#{" in literal for literal in literals):
        return "computed", ""
    words = set(re.findall(r"[A-Za-z_]\w*", _LITERAL.sub("", written)))
    if not words <= {
        "File",
        "expand_path",
        "join",
        "dirname",
        "__FILE__",
        "__dir__",
        "Rails",
        "root",
        "to_s",
        "realpath",
        "absolute_path",
    }:
        return "computed", ""
    path = "/".join(literals)
    if "root" in words:
        return "path", normpath(join(home or ".", path))
    if "__dir__" in words or "dirname" in words:
        return "path", normpath(join(folder or ".", path.lstrip("/")))
    if "__FILE__" in words:  # relative to the file as if it were a folder
        return "path", normpath(join(folder or ".", "_", path))
    return "path", normpath(path)


def _outside(text: str, path: str, gems: Sequence[_Gem], known: dict[str, str]) -> tuple[str, str]:
    """(external gem, "") or ("", why it is not found)."""
    parts = text.removesuffix(".rb").split("/")
    for end in range(len(parts), 0, -1):
        if gem := known.get(_flat("".join(parts[:end]))):
            return gem, ""
    own = next((gem for gem in gems if gem.name and _flat(gem.name.partition("-")[0]) == _flat(parts[0])), None)
    if own is not None and (len(parts) > 1 or _flat(own.name) == _flat(parts[0])):
        whole = _flat("".join(parts))
        if any(_flat(gem.name) == whole for gem in gems) or "-" in own.name:
            return own.name, ""
        return (
            "",
            f"no {text}.rb where {own.name} keeps its files",
        )
    return parts[0], ""


def _load_path(project: ProjectView, gems: Sequence[_Gem], autoloaded: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    """Where require looks: lib (from inside also test or spec) of every folder above, then other gems."""
    elsewhere = tuple(f"{gem.folder}{place}/" if place not in ("", ".") else gem.folder for gem in gems for place in gem.paths)
    elsewhere += tuple(root + "/" if root else "" for root in autoloaded)
    made: dict[str, tuple[str, ...]] = {}

    def load_path(path: str) -> tuple[str, ...]:
        folder = path.rpartition("/")[0]
        if folder not in made:
            found: dict[str, None] = {}
            parts = folder.split("/") if folder else []
            for depth in range(len(parts), -1, -1):
                above = "/".join(parts[:depth]) + "/" if depth else ""
                found[above + "lib/"] = None
                if depth < len(parts) and parts[depth] in ("test", "spec", "lib"):
                    found[f"{above}{parts[depth]}/"] = None
            found.update(dict.fromkeys(elsewhere))
            found[""] = None  # bin/ and Rakefile start at the top with -I .
            made[folder] = tuple(found)
        return made[folder]

    return load_path


def _gems(project: ProjectView) -> list[_Gem]:
    gems = []
    for path in project.with_suffix(".gemspec"):
        text = project.text(path)
        folder = path[: path.rfind("/") + 1]
        name = _GEM_NAME.search(text)
        stated = _REQUIRE_PATHS.search(text)
        places = [a or b for a, b in _LITERAL.findall(stated[1])] or stated[1].split() if stated else []
        gems.append(_Gem(folder, name[1] if name else path[len(folder) : -len(".gemspec")], tuple(places) or ("lib",)))
    return gems


def _known_gems(project: ProjectView) -> dict[str, str]:
    """The gems the project says it uses, by name without punctuation: active_support is activesupport."""
    names: set[str] = set()
    for lock in (*project.named("Gemfile.lock"), *project.named("gems.locked")):
        names.update(_GEM_IN_LOCK.findall(project.text(lock)))
    for stated in (*project.named("Gemfile"), *project.named("gems.rb"), *project.with_suffix(".gemspec")):
        names.update(_GEM_IN_FILE.findall(project.text(stated)))
    names -= {gem.name for gem in _gems(project)}
    return {_flat(name): name for name in sorted(names)}


def _autoloading(project: ProjectView, gems: Sequence[_Gem]) -> dict[str, tuple[str, ...]]:
    """The folders (ending in "/" or empty) of applications, engines and gems that autoload, with their roots."""
    apps: dict[str, dict[str, None]] = {}
    for path in project.named("application.rb"):
        if path == "config/application.rb" or path.endswith("/config/application.rb"):
            text = project.text(path)
            if "Rails::Application" in text:
                home = path[: -len("config/application.rb")]
                apps.setdefault(home, {}).update(dict.fromkeys(_stated_roots(text, home)))
                apps[home].update(dict.fromkeys(_folders_of_app(project, home)))
    for path in project.named("engine.rb"):
        text = project.text(path)
        at = path.rfind("lib/")
        if "Rails::Engine" in text and at >= 0 and (at == 0 or path[at - 1] == "/"):
            home = path[:at]
            apps.setdefault(home, {}).update(dict.fromkeys(_folders_of_app(project, home)))
            apps[home].update(dict.fromkeys(_stated_roots(text, home)))
    for gem in gems:
        specs = [path for path in project.files_in(gem.folder) if path.endswith(".gemspec")]
        if any("zeitwerk" in _GEM_IN_FILE.findall(project.text(path)) for path in specs):
            apps.setdefault(gem.folder, {}).update(dict.fromkeys(gem.folder + place for place in gem.paths))
    if apps:  # packs and engines without a file of their own lie inside an application
        for home in list(apps):
            for package in ("packs", "components", "packages"):
                for folder in _subfolders(project, f"{home}{package}"):
                    apps[home].update(dict.fromkeys(_folders_of_app(project, folder + "/")))
    return {home: tuple(roots) for home, roots in apps.items()}


def _folders_of_app(project: ProjectView, home: str) -> Iterator[str]:
    for folder in _subfolders(project, home + "app"):
        if folder.rpartition("/")[2] not in _NOT_AUTOLOADED:
            yield folder
            if project.folder_exists(folder + "/concerns"):
                yield folder + "/concerns"


def _subfolders(project: ProjectView, folder: str) -> list[str]:
    if not project.folder_exists(folder):
        return []
    inside = len(folder) + 1
    return sorted(
        {
            path[: path.find("/", inside)]
            for path in project.with_suffix(".rb")
            if path.startswith(folder + "/") and "/" in path[inside:]
        }
    )


def _stated_roots(text: str, home: str) -> Iterator[str]:
    """Autoload paths that a configuration adds with nothing but literals and the application's root."""
    for listed, pushed, lib in _AUTOLOAD_PATHS.findall(re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)):
        if lib:
            yield home + "lib"
        written = listed or pushed
        for quoted, words in _LITERAL.findall(written):
            for literal in words.split() if words else (quoted,):
                rooted = _ROOT.sub("", literal).strip("/")
                if rooted and "#{" not in rooted and "*" not in rooted:
                    yield normpath(home + rooted)


def _by_nearness(path: str, apps: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    nearest = sorted(apps, key=lambda home: (not path.startswith(home), -len(home) if path.startswith(home) else 0, home))
    return tuple(dict.fromkeys(root for home in nearest for root in apps[home]))


def _home(path: str, apps: dict[str, tuple[str, ...]]) -> str:
    return max((home for home in apps if path.startswith(home)), key=len, default="").rstrip("/")


def _flat(name: str) -> str:
    """html_parser, HTMLParser and HtmlParser alike: only a running program knows its inflections."""
    return name.replace("_", "").replace("-", "").lower()


def _underscored(name: str) -> str:
    return re.sub(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
