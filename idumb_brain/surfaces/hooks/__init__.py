"""Hooks of agents' hosts: each module translates one host's events to the companion and its answers back. Decides nothing."""
