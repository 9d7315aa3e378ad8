"""What the index says about the neighbours of many files at once. Each question takes paths and answers in rows of paths."""

from __future__ import annotations

import json
from collections.abc import Sequence

from idumb_brain.store.code import MAX_ROWS_A_FILE
from idumb_brain.store.database import Connection

_ASKED = "WITH asked AS MATERIALIZED (SELECT f.id, f.path FROM json_each(?) j CROSS JOIN files f ON f.path = j.value)"


def imported_by(connection: Connection, paths: Sequence[str]) -> list[tuple[str, str, int]]:
    """(file, what it imports, line), each pair once."""
    return connection.execute(
        f"{_ASKED} SELECT a.path, t.path, min(e.line) FROM asked a"
        " CROSS JOIN edges e ON e.id BETWEEN a.id << 20 AND ((a.id + 1) << 20) - 1 CROSS JOIN files t ON t.id = e.target"
        " WHERE e.target != a.id GROUP BY a.id, e.target",
        (json.dumps(paths),),
    ).fetchall()


def importers_of(connection: Connection, paths: Sequence[str], most: int) -> list[tuple[str, str, int]]:
    """(file, what imports it, line), each pair once; of a file that is imported more than ``most`` times, none."""
    return connection.execute(
        f"{_ASKED} SELECT a.path, s.path, min(e.line) FROM asked a"
        " CROSS JOIN edges e ON e.target = a.id CROSS JOIN files s ON s.id = e.id >> 20"
        " WHERE (SELECT count(*) FROM (SELECT 1 FROM edges WHERE target = a.id LIMIT ?)) <= ? AND e.id >> 20 != a.id"
        " GROUP BY a.id, s.id",
        (json.dumps(paths), most + 1, most),
    ).fetchall()


def symbols_at_the_top(connection: Connection, paths: Sequence[str]) -> list[tuple[str, str, int, int]]:
    """(file, name, line, exported) of what these files define outside of everything else."""
    return connection.execute(
        f"{_ASKED} SELECT a.path, s.qualified_name, s.line, s.exported FROM asked a"
        " CROSS JOIN symbols s ON s.id BETWEEN a.id << 20 AND ((a.id + 1) << 20) - 1 WHERE s.parent < 0 ORDER BY a.path, s.id",
        (json.dumps(paths),),
    ).fetchall()


def symbols_in(connection: Connection, path: str) -> list[tuple[int, int, str, int, int]]:
    """(ordinal, ordinal of the parent or -1, qualified name, line, exported) of every symbol of a file, in order."""
    return connection.execute(
        f"{_ASKED} SELECT s.id & {MAX_ROWS_A_FILE - 1}, s.parent, s.qualified_name, s.line, s.exported FROM asked a"
        " CROSS JOIN symbols s ON s.id BETWEEN a.id << 20 AND ((a.id + 1) << 20) - 1 ORDER BY s.id",
        (json.dumps([path]),),
    ).fetchall()


def files_beside(connection: Connection, path: str, most: int) -> list[str]:
    """Files directly in the folder of a file; none where so much lies below it that they would have to be looked for."""
    folder = path.rpartition("/")[0]
    first, last = (folder + "/", folder + "0") if folder else ("", "\U0010ffff")
    rows = connection.execute("SELECT path FROM files WHERE path > ? AND path < ? LIMIT ?", (first, last, most + 1)).fetchall()
    return [one for (one,) in rows if "/" not in one[len(first) :] and one != path] if len(rows) <= most else []


def all_paths(connection: Connection) -> list[str]:
    return [path for (path,) in connection.execute("SELECT path FROM files WHERE status = 'scanned' ORDER BY path")]


def document_paths(connection: Connection) -> list[str]:
    return [path for (path,) in connection.execute("SELECT f.path FROM documents d JOIN files f ON f.id = d.file")]
