"""Rows out of the bytes of a SQLite file, where SQLite itself cannot find its way any more. Reads; believes nothing it cannot parse.

The format is SQLite's own (https://www.sqlite.org/fileformat2.html): leaf pages of tables hold whole rows, so each page that is
left can be read without the others.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_LEAF = 0x0D
_USUAL = 4096
_WHOLE = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # serial type → bytes of a whole number
_MOST_COLUMNS = 200


def rows(file: Path, log: Path) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """(row number, values) of everything that looks like a row of a table, whatever table it is of."""
    content = file.read_bytes()
    size = _page_size(content)
    pages = {number + 1: content[number * size : (number + 1) * size] for number in range(-(-len(content) // size))}
    if log.exists():
        pages.update(_committed(log.read_bytes(), size))
    for number, page in sorted(pages.items()):
        start = 100 if number == 1 else 0
        if len(page) == size and page[start] == _LEAF:
            yield from _of_page(page, start, pages, size)


def _page_size(content: bytes) -> int:
    stated = int.from_bytes(content[16:18], "big") if content.startswith(b"SQLite format 3\0") else 0
    size = 65536 if stated == 1 else stated
    return size if 512 <= size <= 65536 and size & (size - 1) == 0 else _USUAL


def _committed(log: bytes, size: int) -> dict[int, bytes]:
    """Pages of the write-ahead log, up to the last commit in it."""
    found: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    for at in range(32, len(log) - 23 - size, 24 + size):
        number, commit = struct.unpack_from(">II", log, at)
        if log[at + 8 : at + 16] != log[16:24]:
            break  # left over from before the log was begun anew
        waiting[number] = log[at + 24 : at + 24 + size]
        if commit:
            found.update(waiting)
            waiting.clear()
    return found


def _of_page(page: bytes, start: int, pages: dict[int, bytes], size: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
    count = int.from_bytes(page[start + 3 : start + 5], "big")
    for position in range(min(count, size // 4)):
        where = start + 8 + 2 * position
        try:
            yield _row(page, int.from_bytes(page[where : where + 2], "big"), pages, size)
        except (IndexError, ValueError, struct.error):
            continue  # this cell is not what it says; the next one may be


def _row(page: bytes, at: int, pages: dict[int, bytes], size: int) -> tuple[int, tuple[Any, ...]]:
    length, at = _varint(page, at)
    number, at = _varint(page, at)
    if number >= 1 << 63:
        raise ValueError("no row number")
    return number, _values(_payload(page, at, length, pages, size))


def _payload(page: bytes, at: int, length: int, pages: dict[int, bytes], size: int) -> bytes:
    most = size - 35
    if length <= most:
        return page[at : at + length]
    least = (size - 12) * 32 // 255 - 23
    local = least + (length - least) % (size - 4)
    local = local if local <= most else least
    found = page[at : at + local]
    following = int.from_bytes(page[at + local : at + local + 4], "big")
    seen: set[int] = set()
    while len(found) < length:
        if following in seen or following not in pages:
            raise ValueError("the rest of the row is lost")
        seen.add(following)
        rest = pages[following]
        found += rest[4 : 4 + length - len(found)]
        following = int.from_bytes(rest[:4], "big")
    return found


def _values(record: bytes) -> tuple[Any, ...]:
    end, at = _varint(record, 0)
    kinds = []
    while at < end:
        kind, at = _varint(record, at)
        kinds.append(kind)
    if at != end or not 0 < len(kinds) <= _MOST_COLUMNS:
        raise ValueError("no record")
    values: list[Any] = []
    for kind in kinds:
        value, at = _value(record, kind, at)
        values.append(value)
    if at != len(record):
        raise ValueError("no record")
    return tuple(values)


def _value(record: bytes, kind: int, at: int) -> tuple[Any, int]:
    if kind == 0:
        return None, at
    if kind in _WHOLE:
        end = at + _WHOLE[kind]
        return int.from_bytes(record[at:end], "big", signed=True), end
    if kind == 7:
        return struct.unpack_from(">d", record, at)[0], at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind < 12:
        raise ValueError("a kind of value SQLite does not write")
    end = at + (kind - 12) // 2
    if end > len(record):
        raise ValueError("longer than the record")
    return (record[at:end].decode("utf-8") if kind % 2 else record[at:end]), end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for position in range(at, at + 8):
        value = value << 7 | data[position] & 0x7F
        if data[position] < 0x80:
            return value, position + 1
    return value << 8 | data[at + 8], at + 9
