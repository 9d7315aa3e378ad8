"""What a project is built with, as people see it: one line a kind, one line a package."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import MANY, Views, counted, line, plain, some, table


def _frameworks(out: Console, data: dict[str, Any]) -> None:
    found, packages = data["frameworksDetected"], data["packages"]
    told = [counted(len(packages), "package"), "1 technology" if len(found) == 1 else f"{len(found):,} technologies"]
    out.print(f"{plain(data['root'])}: {', '.join(told)}", style="bold")
    by_name = {one["name"]: one for one in found}
    if data["techStack"]:
        made = table("kind", "technologies")
        for kind, names in data["techStack"].items():
            made.add_row(kind, ", ".join(_named(by_name[name]) for name in names))
        out.print()
        out.print(made)
    if len(packages) > 1:
        _packages(out, packages)
    if data["elsewhere"]:
        names = [plain(one["name"]) for one in data["elsewhere"]]
        more = f" and {len(names) - 2 * MANY} more" if len(names) > 2 * MANY else ""
        out.print(f"\nOnly in tests or examples: {', '.join(names[: 2 * MANY])}{more}")
    if data["problems"]:
        out.print(f"\n{counted(len(data['problems']), 'problem')}:")
        some(out, [f"  {plain(p['path'])}:{p['line']}  {line(p['message'])}" for p in data["problems"]])


def _packages(out: Console, packages: list[dict[str, Any]]) -> None:
    made = table("package", "ecosystem", "version", "asks for>", "needs here", "built with")
    shown = packages[: 3 * MANY]
    for one in shown:
        stack = [row["name"] for row in one["stack"] if row["kind"] in ("framework", "ui", "orm", "database", "queue", "ai")]
        made.add_row(
            plain(one["path"] or "."), one["ecosystem"], plain(one["version"]), f"{one['requirements']:,}",
            ", ".join(plain(local["name"]) for local in one["localDependencies"][:4]) + (" …" if len(one["localDependencies"]) > 4 else ""),
            ", ".join(stack[:6]) + (" …" if len(stack) > 6 else ""),
        )  # fmt: skip
    out.print()
    out.print(made)
    if len(packages) > len(shown):
        out.print(f"… and {len(packages) - len(shown):,} more (--json has all)")


def _named(one: dict[str, Any]) -> str:
    return f"{plain(one['name'])} {plain(one['version'])}".strip()


VIEWS: Views = {"frameworks": _frameworks}
