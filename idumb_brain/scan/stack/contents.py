"""What files that are no manifests name: container images, GitHub actions, Terraform providers, pre-commit hooks. Judges nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename
from typing import NamedTuple

from idumb_brain.scan.manifests.lines import yaml_values
from idumb_brain.scan.manifests.tree import Tree

IMAGE, ACTION, PROVIDER, HOOK = "images", "actions", "providers", "hooks"


class Named(NamedTuple):
    form: str  # IMAGE, ACTION, PROVIDER, HOOK
    name: str
    version: str
    path: str
    line: int
    text: str
    locked: bool = False


_DOCKERFILE = re.compile(r"^(?:Docker|Container)file(?:[.-].+)?$|\.(?:[dD]ocker|[cC]ontainer)file$")
_COMPOSE = re.compile(r"^(?:docker-)?compose(?:[.-].*)?\.ya?ml$")
_WORKFLOW = re.compile(r"(?:^|/)\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml$|(?:^|/)action\.ya?ml$")
_CI = re.compile(
    r"(?:^|/)(?:\.gitlab-ci\.yml|\.circleci/config\.ya?ml|\.drone\.yml|\.woodpecker\.ya?ml|bitbucket-pipelines\.yml|azure-pipelines\.yml)$"
)
_KUBERNETES = re.compile(r"^apiVersion:\s*\S", re.MULTILINE)


def named_in(tree: Tree) -> list[Named]:
    found: list[Named] = []
    for path in tree.files:
        name = basename(path)
        if _DOCKERFILE.search(name):
            found += _dockerfile(tree.text(path), path)
        elif name.endswith((".yml", ".yaml")):
            found += _yaml(tree, path, name)
        elif name.endswith(".tf"):
            found += _terraform(tree.text(path), path)
        elif name == ".terraform.lock.hcl":
            found += _terraform_lock(tree.text(path), path)
    return found


_FROM = re.compile(r"^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", re.IGNORECASE)
_ARG = re.compile(r"^ARG\s+(\w+)=[\"']?([^\s\"']+)", re.IGNORECASE)
_VARIABLE = re.compile(r"\$\{?(\w+)(?::?-([^}]*))?\}?")


def _dockerfile(text: str, path: str) -> Iterator[Named]:
    arguments: dict[str, str] = {}
    stages: set[str] = set()
    for line, row in enumerate(text.split("\n"), 1):
        if stated := _ARG.match(row):
            arguments.setdefault(stated[1], stated[2])
        elif base := _FROM.match(row):
            image = _VARIABLE.sub(lambda found: arguments.get(found[1]) or found[2] or "", base[1])
            if image.lower() not in stages and image != "scratch" and (one := _image(image, path, line)):
                yield one
            if base[2]:
                stages.add(base[2].lower())


def _yaml(tree: Tree, path: str, name: str) -> Iterator[Named]:
    if _COMPOSE.match(name):
        for keys, value, line in yaml_values(tree.text(path)):
            if keys[-1] == "image" and "services" in keys[:-2] and value and (one := _image(_defaults(value), path, line)):
                yield one
    elif _WORKFLOW.search(path):
        yield from _workflow(tree.text(path), path)
    elif _CI.search(path):
        for keys, value, line in yaml_values(tree.text(path)):
            is_image = (
                keys[-1] == "image"
                or keys[-2:] in (("image", "name"), ("services", "-"))
                or keys[-3:] == ("services", "-", "name")
            )
            if is_image and value and "$" not in value and (one := _image(value, path, line)):
                yield one
    elif name in (".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.yaml"):
        yield from _hooks(tree.text(path), path)
    elif _KUBERNETES.search(tree.text(path)):
        for keys, value, line in yaml_values(tree.text(path)):
            if keys[-1] == "image" and value and "{{" not in value and (one := _image(value, path, line)):
                yield one


def _defaults(value: str) -> str:
    """``postgres:${TAG:-16}`` is postgres:16."""
    return _VARIABLE.sub(lambda found: found[2] or "", value).rstrip(":")


def _workflow(text: str, path: str) -> Iterator[Named]:
    for keys, value, line in yaml_values(text):
        if keys[-1] == "uses" and "@" in value and not value.startswith((".", "docker:")):
            name, _, version = value.partition("@")
            yield Named(ACTION, "/".join(name.split("/")[:2]).lower(), version, path, line, value)
        elif value and "$" not in value and _is_container(keys) and (one := _image(value, path, line)):
            yield one


def _is_container(keys: tuple[str, ...]) -> bool:
    return keys[-1] == "container" or (keys[-1] == "image" and ("services" in keys or "container" in keys))


def _hooks(text: str, path: str) -> Iterator[Named]:
    repository, at = "", 0
    for keys, value, line in yaml_values(text):
        if keys == ("repos", "-", "repo"):
            if repository:
                yield Named(HOOK, repository, "", path, at, repository)
            repository = "/".join(value.removesuffix(".git").rstrip("/").split("/")[-2:]).lower() if "/" in value else ""
            at = line
        elif keys == ("repos", "-", "rev") and repository:
            yield Named(HOOK, repository, plain_tag(value), path, at, f"{repository} {value}")
            repository = ""
    if repository:
        yield Named(HOOK, repository, "", path, at, repository)


_REGISTRY = re.compile(r"^(?:docker\.io|index\.docker\.io|registry\.hub\.docker\.com|public\.ecr\.aws/docker|mirror\.gcr\.io)/")


def _image(written: str, path: str, line: int) -> Named | None:
    bare = written.strip("\"'").partition("@")[0]
    name, colon, tag = bare.rpartition(":")
    if not colon or "/" in tag:
        name, tag = bare, ""
    name = _REGISTRY.sub("", name).removeprefix("library/").lower()
    if not re.fullmatch(r"[a-z0-9][\w./:-]*", name):
        return None
    return Named(IMAGE, name, plain_tag(tag), path, line, bare)


def plain_tag(tag: str) -> str:
    """``16.2-alpine`` is 16.2, ``v1.5`` is 1.5, ``latest`` is none; neither is a commit."""
    found = re.match(r"v?(\d+(?:\.\d+)*(?:-?(?:rc|beta|alpha|dev)[.\d]*)?)(?![0-9a-f]{8})(?:$|[-+_.])", tag)
    return found[1] if found else ""


_SOURCE = re.compile(r"^\s*([\w-]+)\s*=\s*\{([^}]*)\}", re.MULTILINE)
_REQUIRED = re.compile(r"\brequired_providers\s*\{((?:[^{}]|\{[^}]*\})*)\}")
_PROVIDER = re.compile(r"^\s*provider\s+\"([\w-]+)\"", re.MULTILINE)
_PINNED = re.compile(
    r"^provider\s+\"(?:registry\.(?:terraform\.io|opentofu\.org)/)?([^\"]+)\"\s*\{\s*version\s*=\s*\"([^\"]+)\"", re.MULTILINE
)


def _terraform(text: str, path: str) -> Iterator[Named]:
    for block in _REQUIRED.finditer(text):
        for stated in _SOURCE.finditer(text, block.start(1), block.end(1)):
            source = re.search(r"\bsource\s*=\s*\"([^\"]+)\"", stated[2])
            version = re.search(r"\bversion\s*=\s*\"([^\"]+)\"", stated[2])
            name = (source[1] if source else f"hashicorp/{stated[1]}").lower()
            line = text.count("\n", 0, stated.start(1)) + 1
            yield Named(
                PROVIDER, name, version[1] if version else "", path, line, f"{name} {version[1] if version else ''}".strip()
            )
    for stated in _PROVIDER.finditer(text):
        yield Named(
            PROVIDER, f"*/{stated[1].lower()}", "", path, text.count("\n", 0, stated.start(1)) + 1, f'provider "{stated[1]}"'
        )


def _terraform_lock(text: str, path: str) -> Iterator[Named]:
    for pinned in _PINNED.finditer(text):
        line = text.count("\n", 0, pinned.start()) + 1
        yield Named(PROVIDER, pinned[1].lower(), pinned[2], path, line, f"{pinned[1]} {pinned[2]}", locked=True)
