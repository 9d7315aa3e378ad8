"""What can be read by an address: ``idumb://map``, ``idumb://file/PATH``. A table onto operations; the same short text as tools give."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote

from idumb_brain.model.errors import BadInput
from idumb_brain.surfaces.brief import brief
from idumb_brain.surfaces.calls import call

SCHEME = "idumb://"
_MOST = 20_000  # characters; whoever reads a resource chose to


@dataclass(frozen=True, slots=True)
class Resource:
    """``argument``: what the operation calls the rest of the address, where there is one."""

    address: str
    name: str
    description: str
    operation: str
    argument: str = ""

    @property
    def template(self) -> str:
        return f"{SCHEME}{self.address}/{{+{self.argument}}}"

    @property
    def uri(self) -> str:
        return f"{SCHEME}{self.address}"


RESOURCES = (
    Resource("map", "Project map", "What the project is: built with what, its folders, documents, hot files, tests", "map"),
    Resource("brain", "Brain", "What is known beyond the code, one entry a line, under what it belongs to", "brain.tree"),
    Resource("anchors", "Anchors", "What must not be lost", "anchor.list"),
    Resource("plan", "Plan", "Plans, their tasks, what is active and what waits for what", "plan.status"),
    Resource("file", "Outline of a file", "What a file of the project holds, by its path", "codemap.outline", "file"),
    Resource("brain", "Entry of the brain", "All that an entry says, by its id", "brain.show", "id"),
    Resource("plan", "One plan", "A plan and its tasks, by id or name", "plan.status", "plan"),
)


def found(uri: str) -> tuple[Resource, str]:
    """What an address leads to, and the rest of it."""
    address, _, rest = uri.removeprefix(SCHEME).partition("/")
    for one in RESOURCES:
        if uri.startswith(SCHEME) and one.address == address and bool(one.argument) == bool(rest):
            return one, unquote(rest)
    known = ", ".join(one.template if one.argument else one.uri for one in RESOURCES)
    raise BadInput(f"there is nothing at {uri}", why="no resource has that address", instead=f"one of {known}")


def read(uri: str, root: str) -> str:
    one, rest = found(uri)
    return brief(call(one.operation, {one.argument: rest} if one.argument else {}, root), most=_MOST)
