"""A project's settings, ``.idumb/config.json``: defaults where it says nothing, its unknown keys left alone."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal

from idumb_brain.model.errors import BadInput

CONFIG = "config.json"


@dataclass(frozen=True, slots=True)
class ScanConfig:
    maxBytes: int = 2_000_000
    exclude: list[str] = field(default_factory=list)
    include: list[str] = field(default_factory=list)
    vendored: bool = False
    generated: bool = False
    markdownFences: bool = False
    minifiedLine: int = 500
    secondsPerFile: float = 20.0
    jobs: int = 0


@dataclass(frozen=True, slots=True)
class InconsistenciesConfig:
    ignore: list[str] = field(default_factory=list)  # kinds nobody wants to hear of
    paths: list[str] = field(default_factory=list)  # patterns, as ignore files have them, of what is not looked at


@dataclass(frozen=True, slots=True)
class HistoryConfig:
    commits: int = 5000  # read at most so many
    since: str = ""  # as git log --since has it


@dataclass(frozen=True, slots=True)
class AutomationConfig:
    driftEvery: int = 25  # written files after which drift is looked at; 0: never


@dataclass(frozen=True, slots=True)
class BrainConfig:
    staleAfter: dict[str, str] = field(default_factory=dict)  # by type of entry, as 30d; others have the defaults of their type
    anchorPurgeAfter: str = (
        "30d"  # anchors nobody validated for so long go at a compaction, critical ones excepted; never: none do
    )


@dataclass(frozen=True, slots=True)
class GovernanceConfig:
    mode: Literal["observe", "guide", "enforce"] = "guide"
    keepDays: int = 7  # sessions and halts nobody has heard of for longer are garbage
    stopGate: bool = False  # an agent that stops with its task unfinished is told so, once


@dataclass(frozen=True, slots=True)
class ContextConfig:
    """Characters that each block handed to an agent may have."""

    compaction: int = 3000
    system: int = 2000
    prefix: int = 1500
    resume: int = 1500
    reminder: int = 800


@dataclass(frozen=True, slots=True)
class Config:
    version: int = 1
    language: str = "en"  # that the user is spoken to in
    scan: ScanConfig = field(default_factory=ScanConfig)
    inconsistencies: InconsistenciesConfig = field(default_factory=InconsistenciesConfig)
    history: HistoryConfig = field(default_factory=HistoryConfig)
    automation: AutomationConfig = field(default_factory=AutomationConfig)
    brain: BrainConfig = field(default_factory=BrainConfig)
    governance: GovernanceConfig = field(default_factory=GovernanceConfig)
    context: ContextConfig = field(default_factory=ContextConfig)


_SECTIONS: dict[str, type] = {
    "scan": ScanConfig,
    "inconsistencies": InconsistenciesConfig,
    "history": HistoryConfig,
    "automation": AutomationConfig,
    "brain": BrainConfig,
    "governance": GovernanceConfig,
    "context": ContextConfig,
}


@cache
def default_text() -> str:
    return json.dumps(asdict(Config()), indent=2) + "\n"


def read_config(file: Path) -> Config:
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{file} cannot be read", why=str(error), instead="mend or remove it; defaults apply without it"
        ) from error
    if text == default_text():
        return Config()  # nobody touched it: no need for the validator, which costs more than a rescan
    try:
        stated = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(
            f"{file} is not valid JSON",
            why=str(error),
            instead="mend or remove it; defaults apply without it",
        ) from error
    return _validated(file, stated)


def write_default(file: Path) -> None:
    if not file.exists():
        file.write_text(default_text(), "utf-8")


def unknown_keys(file: Path) -> list[str]:
    """Keys that no setting has: kept, and without effect. Of settings that can be read."""
    try:
        stated = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return []
    known = {one.name for one in fields(Config)}
    inner = [
        f"{section}.{key}" for section, kind in _SECTIONS.items() for key in stated.get(section) or {}
        if key not in kind.__dataclass_fields__  # type: ignore[attr-defined]
    ]  # fmt: skip
    return [*(key for key in stated if key not in known), *inner]


def _validated(file: Path, stated: Any) -> Config:
    from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

    lenient = with_config(ConfigDict(extra="ignore", strict=False))
    section = ""
    try:
        if not isinstance(stated, dict):
            raise BadInput(
                f"{file} is not an object",
                why="settings are key and value",
                instead="see the README for the keys",
            )
        found: dict[str, Any] = {}
        for section, kind in _SECTIONS.items():
            found[section] = TypeAdapter(lenient(kind)).validate_python(_known(kind, stated.get(section) or {}))
        section = "language"
        language = TypeAdapter(str).validate_python(stated.get("language") or Config().language)
        return Config(version=1, language=language, **found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in (section, *first["loc"]))
        raise BadInput(f"{file}: {where} cannot be used", why=first["msg"], instead="mend the value or remove the key") from error


def _known(kind: type, stated: Any) -> dict[str, Any]:
    if not isinstance(stated, dict):
        return stated  # type: ignore[no-any-return]
    return {key: value for key, value in stated.items() if key in kind.__dataclass_fields__}  # type: ignore[attr-defined]
