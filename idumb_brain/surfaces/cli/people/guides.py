"""Pages about ourselves, as people read them: drawn in a terminal, as they are written in a pipe."""

from __future__ import annotations

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views, plain, table


def _guides(out: Console, data: list[dict[str, str]]) -> None:
    rows = table("guide", "tells")
    for one in data:
        rows.add_row(plain(one["name"]), plain(one["about"]))
    out.print(rows)
    out.print("One of them: idumb-brain guide NAME")


def _guide(out: Console, data: dict[str, str]) -> None:
    if not out.is_terminal:
        out.print(data["text"], end="")
        return
    from rich.markdown import Markdown

    out.print(Markdown(data["text"]))


VIEWS: Views = {"guides": _guides, "guide": _guide}
