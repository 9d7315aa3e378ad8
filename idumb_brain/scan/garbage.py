"""How often Python looks for garbage while facts are made and moved. Knows nothing of facts.

Facts hang together in no circles: to look for some as often as usual costs, and finds nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 50_000


@contextmanager
def seldom_collected() -> Iterator[None]:
    usual = gc.get_threshold()
    gc.set_threshold(SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
