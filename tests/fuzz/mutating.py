"""Inputs made from seeds by chance: cut, doubled, crossed, with odd values put in. The same number gives the same input."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

_MOST = 20_000
_ODD = [
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\t",
    b"\x1b[2J",
    b"\xe2\x80\xae",
    b'"',
    b"'",
    b"`",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b")",
    b"<",
    b">",
    b"</",
    b"<!--",
    b"-->",
    b"/*",
    b"*/",
    b"#",
    b"//",
    b"--",
    b"$(",
    b"${",
    b"|",
    b"&&",
    b";",
    b",",
    b":",
    b"=",
    b"null",
    b"true",
    b"-1",
    b"0",
    b"1e400",
    b"99999999999999999999",
    b"NaN",
    b"[]",
    b"{}",
    b'""',
    b"..",
    b"/",
    b"../../",
    b"\x01",
    b"\x02",
    b"\x1e",
    b"\x1f",
    b"%s",
    b"{0}",
]


_ODD_VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    1e308,
    10**30,
    "",
    "\0",
    "x" * 5_000,
    "../../etc/passwd",
    "</idumb-governance>",
    "\ud800",
    [],
    {},
    [[]],
    [None],
    {"": {}},
    ["a", 1],
    {"id": "one"},
    "2026-02-31T99:00:00Z",
    float("nan"),
]


def made(number: int, seeds: Sequence[bytes]) -> bytes:
    chance = random.Random(number)
    data = bytearray(chance.choice(seeds))
    if data[:1] in (b"{", b"[") or b"\n{" in data[:60]:
        data = _other_values(data, chance)
        if chance.random() < 0.7:
            return bytes(data)
    for _ in range(chance.choice((0, 1, 1, 2, 3, 8, 30))):
        data = _changed(data, chance, seeds)
    return bytes(data[:_MOST])


def _other_values(data: bytearray, chance: random.Random) -> bytearray:
    """JSON, perhaps behind a name on a line of its own, with some of its values others than anybody thought of."""
    name, line, text = (b"", b"", data) if data[:1] in (b"{", b"[") else data.partition(b"\n")
    try:
        stated = json.loads(text)
    except ValueError:
        return data
    for _ in range(chance.choice((1, 1, 2, 5))):
        places = list(_places(stated))
        if places:
            holder, key = chance.choice(places)
            if chance.random() < 0.15:
                del holder[key]
            else:
                holder[key] = deepcopy(chance.choice(_ODD_VALUES))
    return bytearray(name + line + json.dumps(stated).encode() + (b"\n" if data.endswith(b"\n") else b""))


def _places(stated: Any) -> Iterator[tuple[Any, Any]]:
    """Where a value stands: in what, and under which key."""
    inner = stated.items() if isinstance(stated, dict) else enumerate(stated) if isinstance(stated, list) else ()
    for key, value in inner:
        yield stated, key
        yield from _places(value)


def _changed(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> bytearray:
    at = chance.randint(0, len(data))
    until = min(len(data), at + chance.choice((1, 1, 2, 5, 20, 200)))
    match chance.randint(0, 6):
        case 0:
            return data[:at] + data[until:]
        case 1:
            return data[:at] + data[at:until] * chance.choice((2, 2, 3, 50)) + data[until:]
        case 2:
            return data[:at] + chance.choice(_ODD) + data[at:]
        case 3:
            return data[:at] + chance.choice(_ODD) + data[until:]
        case 4:
            return data[:at] + chance.randbytes(until - at) + data[until:]
        case 5:
            other = chance.choice(seeds)
            start = chance.randint(0, len(other))
            return data[:at] + other[start : start + chance.choice((5, 50, 500))] + data[at:]
        case _:
            return data[:at]
