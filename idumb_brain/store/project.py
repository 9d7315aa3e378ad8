"""What the index keeps of a project's packages: as they were when it was last scanned."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from idumb_brain.model.project import Package, Requirement
from idumb_brain.store.code import meta, set_meta
from idumb_brain.store.database import Connection


def write_packages(connection: Connection, packages: Iterable[Package]) -> None:
    set_meta(connection, packages=json.dumps([asdict(package) for package in packages], separators=(",", ":")))


def packages(connection: Connection) -> list[Package]:
    return [_package(stated) for stated in json.loads(meta(connection, "packages") or "[]")]


def _package(stated: dict[str, Any]) -> Package:
    known = {
        key: _frozen(value) for key, value in stated.items() if key in Package.__dataclass_fields__ and key != "requirements"
    }
    fields = Requirement.__dataclass_fields__
    listed = stated.get("requirements", ())
    return Package(**known, requirements=tuple(Requirement(**{k: v for k, v in one.items() if k in fields}) for one in listed))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
