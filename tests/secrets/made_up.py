"""Secrets as they are written in real life, made at the moment: no literal here may look like one."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from string import ascii_letters, ascii_uppercase, digits
from typing import NamedTuple

HEX = "0123456789abcdef"
LETTERS = ascii_letters + digits
_DASHES = "-" * 5


class Made(NamedTuple):
    """``text`` is what stands in a file or a message; ``core`` is the part of it that nobody may see."""

    kind: str
    text: str
    core: tuple[str, ...]


def secrets(chance: random.Random) -> Iterator[Made]:
    """One of each kind."""

    def some(length: int, of: str = LETTERS) -> str:
        # Of ten characters in a row two are digits: a value without any looks like a name, and is taken for one.
        return "".join(chance.choice(digits if place % 6 == 4 and of is not ascii_letters else of) for place in range(length))

    def one(kind: str, form: str, *values: str) -> Made:
        return Made(kind, form.format(*values), tuple(value[-16:] for value in values if len(value) >= 10))

    yield one("aws id", "{}", "AKIA" + some(16, ascii_uppercase + "234567"))
    yield one("aws key", "aws_secret_access_key = {}", base64.b64encode(chance.randbytes(30)).decode())
    yield one("github", "see {} for access", "ghp_" + some(36))
    yield one("github in an address", "git clone https://x-access-token:{}@github.com/some/thing", "ghs_" + some(36))
    yield one("gitlab", "TOKEN={}", "glpat-" + some(20))
    yield one("slack", '"{}"', "xoxb-" + some(12, digits) + "-" + some(24))
    yield one("model", "key {}", "sk-" + "proj-" + some(48))
    yield one("google", "key={}", "AIza" + some(35))
    yield one("stripe", "({})", "sk_live" + "_" + some(24))
    yield one("web token", "Bearer eyJhbGciOiJIUzI1NiJ9.{}.{}", "eyJz" + some(40), some(43))
    yield one("registry", "//registry.npmjs.org/:_authToken={}", "npm" + "_" + some(36))
    yield one("assigned", 'api_key = "{}"', some(40, HEX))
    yield one("in JSON", '{{"clientSecret": "{}"}}', some(32))
    yield one("in YAML", "session_secret: {}", some(40))
    yield one("header", 'curl -H "Authorization: Bearer {}" https://example.org', some(40))
    yield one("option", "deploy --token {} now", some(36))
    yield one("element", "<password>{}</password>", some(24))
    yield one("database", "postgres://shop:{}@db.internal/shop", some(12))
    body = [some(64) for _ in range(6)]
    opened, closed = (f"{_DASHES}{word} RSA PRIVATE KEY{_DASHES}" for word in ("BEGIN", "END"))
    yield Made("key", "\n".join((opened, *body, closed)), tuple(line[:16] for line in body))
    yield Made("key on one line", "\\n".join((opened, *body[:3], closed)), tuple(line[5:21] for line in body[:3]))
