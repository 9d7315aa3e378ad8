"""Frozen values that every layer speaks in. Nothing here reads a file, a clock or a database."""
