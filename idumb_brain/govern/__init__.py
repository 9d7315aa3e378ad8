"""Facts to decisions: what may happen now, what a session is told, when something happens by itself. Pure; refuses to act.

The rules are tables under ``queries/governance``; ``rules`` reads them, the others apply them.
"""

"""Facts to decisions, pure: neither clock nor environment nor file is read here, and nothing is changed."""
