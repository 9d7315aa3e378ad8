"""``guide``: what is written about us for people, at hand without a browser. Knows nothing but what the pages say."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from pathlib import Path

from idumb_brain.model.errors import BadInput

FOLDER = Path(__file__).parent.parent / "guides"


def guides() -> list[dict[str, str]]:
    """All pages, in the order one would read them."""
    return [{"name": name, "title": _title(_text(name)), "about": _about(_text(name))} for name in _names()]


def guide(name: str) -> dict[str, str]:
    if name not in _names():
        near = get_close_matches(name, _names(), 1)
        raise BadInput(
            f"there is no guide {name!r}",
            why=f"the guides are {', '.join(_names())}",
            instead=f'"idumb-brain guide {near[0] if near else _names()[0]}"',
        )
    return {"name": name, "title": _title(_text(name)), "text": _text(name)}


@cache
def _names() -> tuple[str, ...]:
    """As the table of the README orders them, which is also where a new page has to be put."""
    return (
        "tour", "view", "opencode", "claude_code", "mcp", "search", "memory", "governance", "settings", "care", "commands", "protocol",
        "extending", "architecture", "development",
    )  # fmt: skip


@cache
def _text(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text("utf-8")


def _title(text: str) -> str:
    return text.split("\n", 1)[0].removeprefix("# ")


def _about(text: str) -> str:
    """The first paragraph."""
    return " ".join(text.split("\n\n", 2)[1].split())
