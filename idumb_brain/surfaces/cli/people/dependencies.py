"""Packages declared, locked and imported, as people see them."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import MANY, Views, counted, line, plain, some, table


def _packages(out: Console, data: dict[str, Any]) -> None:
    shown = [package for package in data["packages"] if not package["sample"]]
    for package in shown:
        name = package["name"] or package["path"] or "."
        out.print(f"{plain(name)}  {package['ecosystem']}, {plain(package['manifest'])}", style="bold")
        if not package["requirements"]:
            out.print("  asks for nothing")
            continue
        made = table("package", "group", "wanted", "locked", "files>", "used")
        for one in package["requirements"]:
            made.add_row(
                _name(one), one["group"], plain(one["wanted"] or ""), plain(one["locked"] or ""),
                str(one["files"]), plain(one["first"]) if one["first"] else line(one["why"]) if one["state"] == "used" else one["state"],
            )  # fmt: skip
        out.print(made)
        out.print()
    for key, title in (
        ("unused", "Unused"),
        ("undeclared", "Undeclared"),
        ("devInProduction", "For development only, and in production"),
    ):
        if data[key]:
            out.print(title)
            some(out, [f"  {_name(one)}  {line(one['why'])}{_where(key, one)}" for one in data[key]], 3 * MANY)
    if data["problems"]:
        out.print("Problems")
        some(out, [f"  {plain(one['path'])}:{one['line']}  {line(one['message'])}" for one in data["problems"]])
    if not shown:
        out.print("No manifest of a package was found.")
        return
    samples = len(data["packages"]) - len(shown)
    out.print(
        f"{counted(len(shown), 'package')}{f' and {samples:,} in fixtures' if samples else ''}: {len(data['declared']):,} declared, "
        f"{len(data['unused']):,} unused, {len(data['undeclared']):,} undeclared, "
        f"{len(data['devInProduction']):,} for development only and in production, {len(data['unknown']):,} unknown"
    )


def _name(one: dict[str, Any]) -> str:
    return f"{plain(one['alias'])} ({plain(one['package'])})" if one.get("alias") else plain(one["package"])


def _where(key: str, one: dict[str, Any]) -> str:
    return f" ({plain(one['manifest'])}:{one['line']})" if key == "unused" else ""


VIEWS: Views = {"packages": _packages}
