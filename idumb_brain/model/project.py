"""What a project is made of: its packages, what they ask for, what they are built with."""

from __future__ import annotations

from dataclasses import dataclass

RUNTIME, DEV, BUILD, OPTIONAL, PEER = "runtime", "dev", "build", "optional", "peer"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One dependency a manifest declares."""

    name: str  # as the ecosystem's registry knows it; Python names normalised (PEP 503)
    wanted: str  # the version range as written; "" when any will do
    group: str  # RUNTIME, DEV, BUILD, OPTIONAL, PEER
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
