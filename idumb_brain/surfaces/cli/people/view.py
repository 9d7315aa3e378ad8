"""Where the page is, as people see it."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views, plain


def _view(out: Console, data: dict[str, Any]) -> None:
    out.print(f"{plain(data['root'])} is to be seen at", soft_wrap=True)
    out.print(f"  {data['url']}", soft_wrap=True)
    out.print("Only on this machine, only with this address. Ctrl-C ends it.")


VIEWS: Views = {"view": _view}
