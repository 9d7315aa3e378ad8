"""Python imports: source roots, packages and relative imports. Of installed packages it knows no more than their names."""

from __future__ import annotations

from collections.abc import Iterator

from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want, bindings

MARKERS = ("__init__.py", "__init__.pyi")
_SUFFIXES = ("/__init__.py", ".py", "/__init__.pyi", ".pyi")


def resolver(project: ProjectView) -> Resolver:
    tops = _tops(project)
    found: dict[tuple[str, str], str] = {}

    def module(path: str) -> str:
        """The file of a module given as a path without suffix, or ""."""
        for suffix in _SUFFIXES:
            if path + suffix in project:
                return path + suffix
        return ""

    def absolute(dotted: str, folder: str) -> str:
        """The path, without suffix, that a dotted name stands for, or "" when its top is nowhere in the project."""
        known = found.get((dotted, folder))
        if known is None:
            top = dotted.partition(".")[0]
            roots = tops.get(top, ())
            if f"{folder}{top}" != f"{folder}" and folder not in roots and _is_script_folder(project, folder):
                beside = f"{folder}{top}"
                if module(beside) or project.folder_exists(beside):
                    roots = (folder, *roots)
            known = found[dotted, folder] = _best(roots, dotted.replace(".", "/"), folder, module)
        return known

    def wants(file: FileView) -> Iterator[Want]:
        folder = file.path[: file.path.rfind("/") + 1]
        for ordinal, (kind, text, line, written) in enumerate(file.imports):
            stripped = text.lstrip(".")
            dots = len(text) - len(stripped)
            if dots:
                base = _climb(folder, dots - 1)
                if base is None:
                    yield Want(ordinal, line, "import", (), reason="relative import beyond the top of the project")
                    continue
                path = base + stripped.replace(".", "/") if stripped else base.rstrip("/")
                external = ""
                reason = f"no module {text} from here"
            else:
                path = absolute(text, folder)
                top = text.partition(".")[0]
                external = "" if path else top
                reason = f"no module {text} in the project"
            last = text.rpartition(".")[2]
            if not path and dots == 0:
                yield Want(ordinal, line, "import", (), external, watch=text.partition(".")[0])
                continue
            target = module(path) if path else ""
            if kind == "import" or not written:
                yield Want(ordinal, line, "import", (target,) if target else (), external, reason, last)
                continue
            package = not target or target.endswith(("/__init__.py", "/__init__.pyi"))
            for name, _ in bindings(file.imports[ordinal]):
                submodule = module(f"{path}/{name}" if path else name) if package and name != "*" else ""
                if submodule and submodule != file.path:
                    yield Want(ordinal, line, "import", (submodule,), watch=name)
                elif target:
                    yield Want(ordinal, line, "import", (target,), watch=name if package else last)
                elif submodule:
                    yield Want(ordinal, line, "import", (submodule,), watch=name)
                else:
                    missing = tuple(path + suffix for suffix in _SUFFIXES) if path else ()
                    yield Want(ordinal, line, "import", missing, external, reason, name)

    return wants


def _tops(project: ProjectView) -> dict[str, tuple[str, ...]]:
    """Top-level module names, each with the source roots (ending in "/" or empty) it can be found in."""
    packages = {path.rpartition("/")[0] for name in MARKERS for path in project.named(name)}
    roots = {"", "src/"} | {
        parent + "/" if (parent := folder.rpartition("/")[0]) else ""
        for folder in packages
        if folder and folder.rpartition("/")[0] not in packages
    }
    tops: dict[str, set[str]] = {}
    for path in (*project.with_suffix(".py"), *project.with_suffix(".pyi")):
        end = -1
        while True:  # every root this path lies under
            root = path[: end + 1]
            if root in roots:
                below = path[end + 1 :]
                tops.setdefault(below.partition("/")[0].partition(".")[0], set()).add(root)
            end = path.find("/", end + 1)
            if end < 0:
                break
    return {top: tuple(sorted(where, key=lambda root: (root.count("/"), root))) for top, where in tops.items()}


def _is_script_folder(project: ProjectView, folder: str) -> bool:
    return folder + "__init__.py" not in project


def _best(roots: tuple[str, ...], path: str, folder: str, module: object) -> str:
    """Of several roots the one nearest above the importing file that has the module, then any that has it."""
    assert callable(module)
    by_nearness = sorted(roots, key=lambda root: (not folder.startswith(root), -len(root)))
    for root in by_nearness:
        if module(root + path):
            return root + path
    return by_nearness[0] + path if by_nearness else ""


def _climb(folder: str, levels: int) -> str | None:
    for _ in range(levels):
        if not folder:
            return None
        folder = folder[: folder.rstrip("/").rfind("/") + 1]
    return folder
