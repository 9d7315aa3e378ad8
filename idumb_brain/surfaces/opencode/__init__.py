"""The plugin for OpenCode, as it is shipped; ``setup opencode`` puts it into a project."""
