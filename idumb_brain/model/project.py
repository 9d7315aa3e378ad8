"""What a project is made of: its packages, what they ask for, what they are built with."""

from __future__ import annotations

from dataclasses import dataclass

RUNTIME, DEV, BUILD, OPTIONAL, PEER = "runtime", "dev", "build", "optional", "peer"
INDIRECT = "indirect"  # stated only because something else needs it, as go.mod does


@dataclass(frozen=True, slots=True)
class Requirement:
    """One dependency a manifest declares."""

    name: str  # as the ecosystem's registry knows it; Python names normalised (PEP 503)
    wanted: str  # the version range as written; "" when any will do
    group: str  # RUNTIME, DEV, BUILD, OPTIONAL, PEER, INDIRECT
    manifest: str  # the file that declares it, relative to the root
    line: int
    locked: str = ""  # the version the lock file fixes
    local: str = ""  # manifest of the package of this same project that it really is
    locked_line: int = 0  # where the lock file says so; 0 when it does not
    alias: str = ""  # what the code calls it, where the manifest gives it another name


@dataclass(frozen=True, slots=True)
class Package:
    """A folder with a manifest: something that is built, versioned or installed on its own."""

    path: str  # its folder relative to the root, "" for the root itself
    name: str
    version: str
    ecosystem: str  # python, npm, go, cargo, maven, gradle, ruby, composer, nuget, hex, pub, swift …
    manifest: str
    lock: str  # the lock file that fixes its versions (may lie in a folder above), or ""
    requirements: tuple[Requirement, ...] = ()
    members: tuple[str, ...] = ()  # manifests of the workspace it is the root of
    scripts: tuple[tuple[str, str], ...] = ()  # name and command
    entries: tuple[str, ...] = ()  # files the manifest names as entry points, relative to the root
    private: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """One place that tells of a technology."""

    kind: str  # manifest, lock, config, import, content
    path: str
    line: int  # 0 for a file that tells by being there
    text: str


@dataclass(frozen=True, slots=True)
class Detection:
    """A technology that a package is built with."""

    name: str
    kind: str  # framework, library, database …: the kinds of the rules
    version: str
    version_from: str  # lock, manifest, file, or "" when no version is known
    config_path: str  # its own configuration, else the manifest or file that tells of it
    evidence: tuple[Evidence, ...]
    package: str  # folder of the package it belongs to
    scope: str = ""  # "tests" or "examples" when it is found only there: then it is not what the project is built with
