"""The version a folder of the project says it has, read from its manifest. Reads a line of it, not the manifest."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

_PATTERNS = {
    "setup.cfg": r"^version\s*=\s*([\d.]+\w*)\s*$",
    "setup.py": r"\bversion\s*=\s*[\"']([\d.]+\w*)[\"']",
    "mix.exs": r"(?:@version|version:)\s*\"([\d.]+[\w.-]*)\"",
    "pubspec.yaml": r"^version:\s*([\d.]+\S*)\s*$",
    "gradle.properties": r"^(?:version|VERSION_NAME)\s*=\s*([\d.]+\S*)\s*$",
    "VERSION": r"^v?(\d+\.\d+[\w.-]*)\s*$",
}
_STATED = re.compile(r"^__version__\s*(?::\s*str\s*)?=\s*[\"']([\d.]+\w*)[\"']", re.MULTILINE)


class Versions:
    """Versions by folder: that of the nearest manifest above, asked once each."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, tuple[str, str]] = {}

    def of(self, path: str) -> tuple[str, str]:
        """(version, manifest) for a file, or two empty texts."""
        folder = path.rpartition("/")[0]
        if folder not in self._known:
            found = _stated(self._root / folder)
            if not found[0] and folder:
                self._known[folder] = self.of(folder)
            else:
                self._known[folder] = (found[0], f"{folder}/{found[1]}".lstrip("/") if found[1] else "")
        return self._known[folder]


def _stated(folder: Path) -> tuple[str, str]:
    for name, read in _READERS.items():
        text = _text(folder / name)
        if text and (version := read(text)):
            return version, name
    for name, pattern in _PATTERNS.items():
        text = _text(folder / name)
        if text and (found := re.search(pattern, text, re.MULTILINE)):
            return found[1], name
    text = _text(folder / "__init__.py")
    found = _STATED.search(text) if text else None
    return (found[1], "__init__.py") if found else ("", "")


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace") if file.is_file() and not file.is_symlink() else ""
    except OSError:
        return ""


def _package_json(text: str) -> str:
    try:
        stated = json.loads(text)
    except ValueError:
        return ""
    version = stated.get("version", "") if isinstance(stated, dict) else ""
    return version if isinstance(version, str) and not version.startswith("0.0.0") else ""


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _cargo(text: str) -> str:
    stated = _toml(text)
    return _first_version(stated.get("package"), _inside(stated.get("workspace"), "package"))


def _pyproject(text: str) -> str:
    stated = _toml(text)
    return _first_version(stated.get("project"), _inside(stated.get("tool"), "poetry"))


def _inside(table: Any, key: str) -> Any:
    return table.get(key) if isinstance(table, dict) else None


def _first_version(*tables: Any) -> str:
    return next((t["version"] for t in tables if isinstance(t, dict) and isinstance(t.get("version"), str)), "")


def _pom(text: str) -> str:
    """The project's own version: what it inherits or needs has one, too, and says nothing about it."""
    own = re.sub(
        r"<!--.*?-->|<(parent|dependencyManagement|dependencies|build|profiles|reporting)>.*?</\1>", "", text, flags=re.DOTALL
    )
    found = re.search(r"<version>([\d.]+[\w.-]*)</version>", own)
    return found[1] if found else ""


_READERS = {
    "package.json": _package_json, "composer.json": _package_json, "Cargo.toml": _cargo, "pyproject.toml": _pyproject,
    "pom.xml": _pom,
}  # fmt: skip
