"""A few hundred steps of ``everything``; the command runs thousands."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.governance.everything import Everything

TestEverything = Everything.TestCase
TestEverything.settings = settings(
    max_examples=6, stateful_step_count=50, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
