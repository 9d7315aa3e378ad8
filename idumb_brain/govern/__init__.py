"""Facts to decisions: what may happen now, what a session is told, when something happens by itself. Pure; refuses to act.

The rules are tables under ``queries/governance``; ``rules`` reads them, the others apply them.
"""
