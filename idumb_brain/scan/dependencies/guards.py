"""How an import stands in its file: plain, allowed to fail, or for the type checker alone. Looks at single files on demand."""

from __future__ import annotations

import ast
import re

PLAIN, OPTIONAL, TYPES = "", "optional", "types"
_FAILS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
_TYPE_IMPORT = re.compile(r"^\s*(?:import|export)\s+type\b")
_STATEMENT = re.compile(r"^\s*(?:import|export)\b")
_TYPE_NAMES = re.compile(r"^\s*import\s*\{\s*(?:type\s+\w+(?:\s+as\s+\w+)?\s*,?\s*)+\}")


def python_guards(text: str) -> dict[int, str]:
    """Line of every import that is not plain → how it stands. Nothing where the file cannot be read."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[int, str] = {}
    waiting: list[tuple[ast.AST, str]] = [(tree, PLAIN)]
    while waiting:
        node, how = waiting.pop()
        if how and isinstance(node, ast.Import | ast.ImportFrom):
            found.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), how))
        for name, value in ast.iter_fields(node):
            inner = how or _within(node, name)
            children = value if isinstance(value, list) else [value]
            waiting += [(child, inner) for child in children if isinstance(child, ast.AST)]
    return found


def script_guard(lines: list[str], line: int) -> str:
    """Of JavaScript and TypeScript: ``line`` is that of the module's name, the statement may begin above it."""
    if not 0 < line <= len(lines):
        return PLAIN
    for number in range(line - 1, max(line - 60, -1), -1):
        row = lines[number]
        if _TYPE_IMPORT.match(row):
            return TYPES
        if _STATEMENT.match(row):
            whole = " ".join(lines[number:line])
            return TYPES if _TYPE_NAMES.match(whole) else PLAIN
        if number < line - 1 and row.rstrip().endswith(";"):
            break
    return PLAIN


def _within(node: ast.AST, name: str) -> str:
    if isinstance(node, ast.Try) and name == "body" and any(_catches(handler) for handler in node.handlers):
        return OPTIONAL
    if isinstance(node, ast.ExceptHandler) and _catches(node):
        return OPTIONAL
    if isinstance(node, ast.With) and any("suppress" in ast.dump(item.context_expr) for item in node.items):
        return OPTIONAL
    if isinstance(node, ast.If) and name == "body" and "TYPE_CHECKING" in ast.dump(node.test):
        return TYPES
    return PLAIN


def _catches(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any((kind.id if isinstance(kind, ast.Name) else getattr(kind, "attr", "")) in _FAILS for kind in kinds)
