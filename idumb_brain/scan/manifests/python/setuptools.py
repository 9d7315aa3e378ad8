"""setup.cfg and setup.py to what they declare. A setup.py is a program and is not run: only what is written down is read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from configparser import Error as ConfigError
from configparser import RawConfigParser

from idumb_brain.model.project import BUILD, DEV, OPTIONAL, RUNTIME, Requirement
from idumb_brain.scan.manifests.python.declared import Declared, requirement
from idumb_brain.scan.manifests.tree import Tree

_OPTIONS = {"install_requires": RUNTIME, "tests_require": DEV, "setup_requires": BUILD}


def setup_cfg(tree: Tree, path: str) -> Declared | None:
    text = tree.text(path)
    parser = RawConfigParser()
    try:
        parser.read_string(text)
    except ConfigError as error:
        tree.wrong(path, f"not a configuration file: {' '.join(str(error).split())}")
        return None
    except Exception as error:  # configparser lets TypeError and others out on odd input
        tree.wrong(path, f"not a configuration file: {error}")
        return None
    if not (parser.has_section("metadata") or parser.has_section("options")):
        return None
    rows = text.split("\n")
    found: list[Requirement] = []
    for option, group in _OPTIONS.items():
        found += _lines_of(parser.get("options", option, fallback=""), group, path, rows, option)
    if parser.has_section("options.extras_require"):
        for extra in parser.options("options.extras_require"):
            found += _lines_of(parser.get("options.extras_require", extra), OPTIONAL, path, rows, extra)
    version = parser.get("metadata", "version", fallback="")
    return Declared(
        name=parser.get("metadata", "name", fallback=""),
        version="" if version.startswith(("attr:", "file:")) else version,
        requirements=tuple(found),
    )


def _lines_of(value: str, group: str, path: str, rows: list[str], option: str) -> Iterator[Requirement]:
    start = next((number for number, row in enumerate(rows) if row.replace(" ", "").lower().startswith(option + "=")), 0)
    for one in value.replace(";\n", "\n").split("\n"):
        one = one.split(" #")[0].strip()
        line = next((number + 1 for number in range(start, len(rows)) if one and one in rows[number]), start + 1)
        if one and not one.startswith("#") and (found := requirement(one, group, path, line)):
            yield found


def setup_py(tree: Tree, path: str) -> Declared | None:
    """What the call of ``setup`` says in literals, or in names bound to literals at the top of the file."""
    try:
        module = ast.parse(tree.text(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        tree.wrong(path, f"not Python: {error}", getattr(error, "lineno", 0) or 0)
        return None
    names: dict[str, ast.expr] = {}
    calls: list[ast.Call] = []
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            names.setdefault(node.targets[0].id, node.value)
        elif isinstance(node, ast.Call) and _called(node) == "setup":
            calls.append(node)
    if not calls:
        return None
    words = {one.arg: one.value for call in calls for one in call.keywords if one.arg}
    for call in calls:
        for spread in call.keywords:
            if spread.arg is None and isinstance(known := _known(spread.value, names), ast.Dict):
                words |= {str(k.value): v for k, v in zip(known.keys, known.values, strict=True) if isinstance(k, ast.Constant)}
    found: list[Requirement] = []
    for option, group in _OPTIONS.items():
        if option in words:
            found += _literal(words[option], group, path, names)
    extras = _known(words["extras_require"], names) if "extras_require" in words else None
    if isinstance(extras, ast.Dict):
        for value in extras.values:
            found += _literal(value, OPTIONAL, path, names)
    return Declared(_string(words.get("name"), names), _string(words.get("version"), names), tuple(found))


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _known(node: ast.expr, names: dict[str, ast.expr]) -> ast.expr:
    return names.get(node.id, node) if isinstance(node, ast.Name) else node


def _string(node: ast.expr | None, names: dict[str, ast.expr]) -> str:
    if node is None:
        return ""
    node = _known(node, names)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _literal(node: ast.expr, group: str, path: str, names: dict[str, ast.expr], depth: int = 0) -> Iterator[Requirement]:
    node = _known(node, names)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and depth < 5:
        for one in node.elts:
            yield from _literal(one.value if isinstance(one, ast.Starred) else one, group, path, names, depth + 1)
    elif isinstance(node, ast.BinOp) and depth < 5:
        yield from _literal(node.left, group, path, names, depth + 1)
        yield from _literal(node.right, group, path, names, depth + 1)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        for number, written in enumerate(node.value.split("\n")):
            if written.strip() and (found := requirement(written, group, path, node.lineno + number)):
                yield found
