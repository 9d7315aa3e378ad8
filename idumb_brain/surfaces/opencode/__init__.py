"""The plugin that OpenCode loads: ``idumb-brain.js``, put into a project by ``setup opencode``."""

from __future__ import annotations

from pathlib import Path


def template() -> str:
    """The plugin as it is shipped."""
    return Path(__file__).with_name("idumb-brain.js").read_text("utf-8")
