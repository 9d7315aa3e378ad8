"""What C and C++ include, and the modules of C++20. Looks where a compiler would be told to look; never runs one.

Where to look is known exactly from ``compile_commands.json``, and for the rest from what build files say in plain words
(CMake, make, automake, Meson, Bazel, gyp, setup.py, ``compile_flags.txt``). Then come the folders everybody uses:
``include``, ``src`` and the folders above. What is found only because no other file has that name is told apart as
``include-inferred``.
"""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from posixpath import dirname, isabs, join, normpath
from typing import NamedTuple

from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want

CONFIGURATION = (
    "compile_commands.json", "compile_flags.txt", "CMakeLists.txt", "*.cmake", "Makefile", "makefile", "GNUmakefile", "*.mk",
    "Makefile.am", "Makefile.in", "meson.build", "BUILD", "BUILD.bazel", "*.gyp", "*.gypi", "setup.py",
)  # fmt: skip
MARKERS = ("configure.ac", "configure.in", "configure", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel")

_BUILD_FOLDERS = (
    "", "build", "builddir", "_build", "out", "target", "bin", "obj", "build/debug", "build/release", "build/Debug",
    "build/Release", "out/build", "out/Debug", "out/Release", "cmake-build-debug", "cmake-build-release",
)  # fmt: skip
_C = (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbit"
    " stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype"
).split()
_CPP = (
    "algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts condition_variable contracts"
    " coroutine debugging deque exception execution expected filesystem flat_map flat_set format forward_list fstream functional"
    " future generator hazard_pointer hive initializer_list inplace_vector iomanip ios iosfwd iostream istream iterator latch"
    " limits linalg list locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print queue random"
    " ranges ratio rcu regex scoped_allocator semaphore set shared_mutex simd source_location span spanstream sstream stack"
    " stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream syncstream system_error text_encoding thread"
    " tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version"
).split()
_STANDARD = frozenset([*(f"{name}.h" for name in _C), *(f"c{name}" for name in _C), *_CPP])
_POSIX = frozenset(
    f"{name}.h"
    for name in (
        "aio alloca arpa/ftp arpa/inet arpa/nameser cpio dirent dlfcn fcntl fnmatch ftw getopt glob grp iconv ifaddrs langinfo"
        " libgen malloc memory monetary mqueue ndbm net/if netdb netinet/in netinet/ip netinet/tcp nl_types paths poll pthread pwd"
        " regex resolv sched search semaphore spawn strings stropts syslog tar termios ucontext ulimit unistd utime utmp utmpx values"
        " wordexp"
    ).split()
)
_VENDORED = frozenset({"third_party", "third-party", "thirdparty", "3rdparty", "vendor", "vendored", "external", "extern", "deps"})
_HEADERS = (".h", ".hpp", ".hh", ".hxx", ".inc", ".ipp", ".inl", ".def", ".in")
_ENTRY = re.compile(r"\{[^{}]*\}")
_FLAG = re.compile(r"""(?<![\w-])-(?:I|isystem|iquote|idirafter)[ \t]*("[^"\n]*"|'[^'\n]*'|(?:\$[({][^(){}]*[)}]|[^\s"'\\;,()])+)""")
_CMAKE_COMMAND = re.compile(r"(?i)\b(include_directories|target_include_directories|target_sources|set|project)\s*\(([^()]*)\)")
_CMAKE_WORD = re.compile(r'"([^"]*)"|([^\s"]+)')
_CMAKE_KEYWORDS = frozenset({"PUBLIC", "PRIVATE", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"})
_REFERENCE = re.compile(r"\$[({](\w+)[)}]|@(\w+)@")
_ASSIGNMENT = re.compile(r"^[ \t]*(?:export[ \t]+|override[ \t]+)?([A-Za-z_]\w*)[ \t]*[:+?]{0,2}=[ \t]*(.*)$", re.MULTILINE)
_PREFIXED = re.compile(r"\$\((?:addprefix|patsubst)\s+-I(?:%,)?\s*,\s*([^()]*)\)")
_MESON = re.compile(r"\binclude_directories\s*(?:\(|:\s*\[?)([^()\[\]]*?)[)\]\n]")
_LISTED = re.compile(r"""\b(?:include_dirs|includes)["']?\s*[=:]\s*\[([^\]]*)\]""")
_LITERAL = re.compile(r"""["']([^"'\n]*)["']""")


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    return ["c++:" + package] if package else []


def resolver(project: ProjectView) -> Resolver:
    places = _Places(project)
    found_before: dict[tuple[str, bool, str], tuple[str, str]] = {}

    def wants(file: FileView) -> Iterator[Want]:
        folder = dirname(file.path)
        for ordinal, (kind, written, line, _) in enumerate(file.imports):
            blank = Want(ordinal, line, "include", ())
            if kind == "module":
                yield _module(blank, written, file.package)
                continue
            if kind == "computed":
                yield blank._replace(reason=f"{written} is a macro: only the preprocessor knows what it names")
                continue
            text = written.strip("<>\" \t").replace("\\", "/")
            quoted = kind == "include"
            key = (file.path if places.exact(file.path) else folder, quoted, text)
            if key not in found_before:
                found_before[key] = _found(project, places, file.path, text, quoted)
            path, how = found_before[key]
            stem = text.rpartition("/")[2].partition(".")[0]
            if path == file.path and kind == "next":
                path = ""
            if path:
                yield blank._replace(keys=(path,), kind=how, watch=stem)
            else:
                yield _not_found(project, places, file, blank._replace(watch=stem), text, quoted)

    return wants


def _module(blank: Want, written: str, package: str) -> Want:
    """``import a.b``, ``import :part`` of the module that the file belongs to."""
    name = "".join(written.split())
    if name.startswith(":"):
        name = package.partition(":")[0] + name
    if name in ("std", "std.compat"):
        return blank._replace(kind="import", external="std")
    return blank._replace(kind="import", keys=("c++:" + name,), reason=f"no file exports the module {name}")


def _found(project: ProjectView, places: _Places, path: str, text: str, quoted: bool) -> tuple[str, str]:
    """(path, how we know) of the file an include names, or ("", "")."""
    folder = dirname(path)
    if quoted and (beside := _below(join(folder, text))) in project:
        return beside, "include"
    exact = places.exact(path)
    if not quoted and exact is None and (_is_platform(text)):
        return "", ""  # nobody names a folder of headers so that it hides the standard library, unless told to
    for place in exact if exact is not None else places.around(folder):
        if (here := _below(join(place, text))) in project:
            return here, "include"
    if exact is not None or _is_platform(text):
        return "", ""
    told = {here for place in places.anywhere if (here := _below(join(place, text))) in project}
    if not told and (quoted or "/" in text) and not text.startswith("."):
        told = {path for path in project.named(text.rpartition("/")[2]) if path.endswith("/" + text)}
    return (told.pop(), "include-inferred") if len(told) == 1 else ("", "")


def _is_platform(text: str) -> bool:
    return text in _STANDARD or text in _POSIX or text.startswith(("sys/", "netinet/", "arpa/", "net/"))


def _not_found(project: ProjectView, places: _Places, file: FileView, blank: Want, text: str, quoted: bool) -> Want:
    name = text.rpartition("/")[2]
    if text in _STANDARD:
        return blank._replace(external="std")
    if _is_platform(text):
        return blank._replace(external="posix")
    if isabs(text):
        return blank._replace(external=text)
    folder = dirname(file.path)
    exact = places.exact(file.path)
    looked_in = [*([folder] if quoted else []), *(exact if exact is not None else places.around(folder))]
    for place in looked_in:
        if (here := _below(join(place, text))) and project.outside(here):
            return blank._replace(keys=(here,), external=_outsider(here))
    template = next((made for place in looked_in if (made := _template(project, _below(join(place, text))))), "")
    if template:
        return blank._replace(reason=f"made from {template} when the project is built")
    first = text.partition("/")[0]
    if "/" in text and not text.startswith("."):
        file.declared("stem:" + first)  # a folder of that name might be ours
        if first not in places.folders:
            return blank._replace(external=first)
        own = next((place for place in looked_in if place.endswith("include") and project.files_in(join(place, first))), None)
        if own is not None:
            return blank._replace(reason=f"no {name} in {join(own, dirname(text))}")
    if not quoted:
        return blank._replace(external=first if "/" in text else name.partition(".")[0])
    several = [path for path in project.named(name) if path.endswith("/" + text)]
    if len(several) > 1:
        return blank._replace(reason=f"several files are called {text}, none of them beside this one or in a known include folder")
    return blank._replace(reason=f"no {text} beside this file or in a known include folder")


def _outsider(path: str) -> str:
    """What to call a file that is there but no part of the project: a vendored library, or what a build has made."""
    parts = path.split("/")
    vendored = next((number for number, part in enumerate(parts[:-1]) if part.lower() in _VENDORED), -1)
    return parts[min(vendored + 1, len(parts) - 1)].partition(".")[0]


def _template(project: ProjectView, path: str) -> str:
    """The file that a build would make this one from."""
    stem = path.rpartition(".")[0]
    templates = (path + ".in", path + ".cmake", path + ".in.h", path.replace(".h", ".in.h"), path.replace(".h", "-cmake.h.in"))
    sources = (stem + ".proto", stem.removesuffix(".pb") + ".proto", stem.removesuffix(".grpc.pb") + ".proto", stem + ".y", stem + ".l", stem + ".ui")
    return next((made for made in (*templates, *sources) if path and made != path and made in project), "")


class _Places:
    """Where files look for what they include: folders from the top of the project, best first."""

    def __init__(self, project: ProjectView) -> None:
        self._project = project
        self._compiled = _compile_commands(project)
        self._stated: dict[str, dict[str, None]] = {}  # the folder of a build file -> the folders it names
        for scope, place in _build_files(project):
            self._stated.setdefault(scope, {})[place] = None
        # Only folders with headers somewhere in them can be meant by "folder/header.h".
        self.folders = frozenset(
            part
            for suffix in _HEADERS
            for path in project.with_suffix(suffix)
            for part in path.split("/")[:-1]
        )
        self._around: dict[str, tuple[str, ...]] = {}
        self.anywhere = tuple(dict.fromkeys(place for scope in sorted(self._stated) for place in self._stated[scope]))

    def exact(self, path: str) -> tuple[str, ...] | None:
        """What the compiler is told for this very file, if we know."""
        return self._compiled.get(path)

    def around(self, folder: str) -> tuple[str, ...]:
        """What the build files above say, the nearest first; then the folders everybody uses."""
        known = self._around.get(folder)
        if known is None:
            above = list(_above(folder))
            found = dict.fromkeys(place for scope in above for place in self._stated.get(scope, ()))
            found.update(dict.fromkeys(place for _, told in self._neighbours(folder) for place in told))
            usual = [join(scope, name) for scope in above for name in ("include", "", "src", "inc")]
            found.update(dict.fromkeys(place.rstrip("/") for place in usual if self._project.folder_exists(place)))
            known = self._around[folder] = tuple(found)
        return known

    def _neighbours(self, folder: str) -> list[tuple[str, tuple[str, ...]]]:
        """Commands for files of the nearest folder that has any; of a header nobody says how it is compiled."""
        if not self._compiled:
            return []
        for scope in _above(folder):
            inside = scope + "/" if scope else ""
            near = [(path, told) for path, told in self._compiled.items() if path.startswith(inside)]
            if near:
                return near
        return []


def _above(folder: str) -> Iterator[str]:
    yield folder
    while folder:
        folder = dirname(folder)
        yield folder


def _below(path: str) -> str:
    """The path made plain, or "" when it leaves the project."""
    if ".." not in path and "//" not in path and "./" not in path:
        return path
    plain = normpath(path)
    return "" if plain in (".", "..") or plain.startswith(("../", "/")) else plain


def _place(folder: str, stated: str) -> str | None:
    """A folder as a build file in ``folder`` names it, or None when it lies outside the project."""
    plain = normpath(join(folder, stated.strip().strip("\"'")) or ".")
    if plain == ".":
        return ""
    return None if plain == ".." or plain.startswith(("../", "/")) or "$" in plain else plain


def _compile_commands(project: ProjectView) -> dict[str, tuple[str, ...]]:
    """path -> include folders inside the project, in the compiler's order."""
    databases = list(project.named("compile_commands.json"))
    databases += [
        path for folder in _BUILD_FOLDERS if project.outside(path := join(folder, "compile_commands.json"))
    ]  # usually the build folder is ignored
    found: dict[str, tuple[str, ...]] = {}
    for database in databases:
        commands = list(_commands(project.text(database)))
        top = _top(project, commands)
        for command in commands:
            path = _relative(top, join(command.folder, command.file))
            if path in project:
                places = [_relative(top, join(command.folder, place)) for place in command.places]
                found.setdefault(path, tuple(dict.fromkeys(place for place in places if place is not None)))
    return found


class _Command(NamedTuple):
    folder: str
    file: str
    places: tuple[str, ...]


def _commands(text: str) -> Iterator[_Command]:
    for entry in _ENTRY.findall(text):  # one by one: a huge database may come cut off
        try:
            stated = json.loads(entry)
            words = stated.get("arguments") or shlex.split(stated.get("command", ""))
        except ValueError:
            continue
        if isinstance(stated.get("file"), str) and isinstance(words, list):
            folder = str(stated.get("directory", "")).replace("\\", "/")
            yield _Command(folder, stated["file"].replace("\\", "/"), tuple(_searched([str(word) for word in words])))


def _searched(words: Sequence[str]) -> list[str]:
    """The folders of a command line in the order of their search: -iquote, -I, -isystem, -idirafter."""
    folders: dict[str, list[str]] = {"-iquote": [], "-I": [], "/I": [], "-isystem": [], "-idirafter": []}
    for position, word in enumerate(words):
        for flag, places in folders.items():
            if word == flag:
                places += words[position + 1 : position + 2]
            elif word.startswith(flag) and len(word) > len(flag):
                places.append(word[len(flag) :])
    return [place.replace("\\", "/") for places in folders.values() for place in places]


def _top(project: ProjectView, commands: Sequence[_Command]) -> str:
    """The project's folder as the commands call it: they may come from another machine or a container."""
    tops: Counter[str] = Counter()
    for command in commands[:200]:
        path = normpath(join(command.folder, command.file))
        parts = path.split("/")
        for start in range(1, len(parts)):
            if "/".join(parts[start:]) in project:
                tops["/".join(parts[:start])] += 1
                break
    return tops.most_common(1)[0][0] if tops else ""


def _relative(top: str, path: str) -> str | None:
    path = normpath(path)
    if path == top:
        return ""
    return path[len(top) + 1 :] if path.startswith(top + "/") else None


def _build_files(project: ProjectView) -> Iterator[tuple[str, str]]:
    """(folder of a build file, include folder that it names)."""
    yield from _cmake(project)
    for name in ("Makefile", "makefile", "GNUmakefile", "Makefile.am", "Makefile.in"):
        for path in project.named(name):
            yield from _make(project, path)
    for path in project.with_suffix(".mk"):
        yield from _make(project, path)
    for path in project.named("compile_flags.txt"):
        yield from _in_place(path, _searched(project.text(path).splitlines()))
    for path in project.named("meson.build"):
        for listed in _MESON.findall(project.text(path)):
            yield from _in_place(path, _LITERAL.findall(listed))
    for path in (*project.named("BUILD"), *project.named("BUILD.bazel"), *project.named("setup.py")):
        for listed in _LISTED.findall(project.text(path)):
            yield from _in_place(path, _LITERAL.findall(listed))
    for path in (*project.with_suffix(".gyp"), *project.with_suffix(".gypi")):
        for listed in _LISTED.findall(project.text(path)):
            yield from _in_place(path, (place for place in _LITERAL.findall(listed) if "<" not in place))
    for name in ("WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel"):
        for path in project.named(name):
            yield from _in_place(path, (".",))


def _in_place(path: str, stated: Iterable[str]) -> Iterator[tuple[str, str]]:
    folder = dirname(path)
    for one in stated:
        place = _place(folder, one)
        if place is not None:
            yield folder, place


def _cmake(project: ProjectView) -> Iterator[tuple[str, str]]:
    texts = {path: re.sub(r"#.*", "", project.text(path)) for path in project.named("CMakeLists.txt")}
    lists = {dirname(path): _CMAKE_COMMAND.findall(text) for path, text in texts.items()}
    variables: dict[str, dict[str, str]] = {}
    for folder in sorted(lists, key=len):  # what a folder sets, those below it see
        above = next((scope for scope in _above(dirname(folder)) if scope in variables), None) if folder else None
        values = dict(variables[above]) if above is not None else {"CMAKE_SOURCE_DIR": _rooted(folder)}
        values["CMAKE_CURRENT_SOURCE_DIR"] = values["CMAKE_CURRENT_LIST_DIR"] = _rooted(folder)
        for command, arguments in lists[folder]:
            words = [quoted or plain for quoted, plain in _CMAKE_WORD.findall(arguments)]
            if command.lower() == "project" and words:
                values["PROJECT_SOURCE_DIR"] = values[words[0] + "_SOURCE_DIR"] = _rooted(folder)
            elif command.lower() == "set" and len(words) > 1:
                values[words[0]] = _expanded(";".join(words[1:]), values)
        variables[folder] = values
        for command, arguments in lists[folder]:
            if command.lower() in ("set", "project"):
                continue
            words = [quoted or plain for quoted, plain in _CMAKE_WORD.findall(arguments)]
            if command.lower() == "target_sources":
                words = _after(words, "BASE_DIRS")
            elif command.lower().startswith("target"):
                words = words[1:]
            for word in words:
                for stated in _expanded(word, values).split(";"):
                    if stated in _CMAKE_KEYWORDS or "INSTALL_INTERFACE" in stated:
                        continue
                    inner = stated.rpartition(":")[2].rstrip(">") if stated.startswith("$<") else stated
                    place = _place("" if inner.startswith(_ROOT) else folder, inner.removeprefix(_ROOT) or ".")
                    if place is not None and inner:
                        yield folder, place


_ROOT = "\x01/"  # begins paths that are known to start at the top of the project


def _rooted(folder: str) -> str:
    return _ROOT + folder if folder else _ROOT.rstrip("/") + "/."


def _after(words: Sequence[str], keyword: str) -> list[str]:
    """The words that follow a keyword, up to the next one."""
    out: list[str] = []
    taking = False
    for word in words:
        if word.isupper():
            taking = word == keyword
        elif taking:
            out.append(word)
    return out


def _make(project: ProjectView, path: str) -> Iterator[tuple[str, str]]:
    folder = dirname(path)
    text = re.sub(r"\\\r?\n", " ", project.text(path))
    if "-I" not in text and "-isystem" not in text and "-iquote" not in text:
        return
    text = re.sub(r"(?m)(^|\s)#.*$", "", text)
    top = next(
        (scope for scope in _above(folder) if any(join(scope, name) in project for name in ("configure.ac", "configure.in", "configure"))),
        "",
    )
    values = {
        "srcdir": _rooted(folder), "abs_srcdir": _rooted(folder), "CURDIR": _rooted(folder), "builddir": _rooted(folder),
        "top_srcdir": _rooted(top), "abs_top_srcdir": _rooted(top), "top_builddir": _rooted(top), "srctree": _rooted(""),
    }  # fmt: skip
    for name, value in _ASSIGNMENT.findall(text):
        if name not in values and "-I" not in value:
            values[name] = _expanded(value.strip(), values)
    for listed in _PREFIXED.findall(text):
        text += "\n" + " ".join("-I" + word for word in _expanded(listed, values).split())
    for flag in _FLAG.findall(text):
        stated = _expanded(flag.strip("\"'"), values)
        place = _place("" if stated.startswith(_ROOT) else folder, stated.removeprefix(_ROOT) or ".")
        if place is not None:
            yield folder, place


def _expanded(text: str, values: dict[str, str]) -> str:
    """The text with the variables in it that are known; the others stay."""
    return _REFERENCE.sub(lambda found: values.get(found[1] or found[2], found[0]), text) if "$" in text or "@" in text else text
