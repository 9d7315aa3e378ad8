"""XML manifests as nodes that know their line. Refuses document types with entities, which no manifest needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat


@dataclass(slots=True)
class Node:
    tag: str  # without its namespace
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces).strip()

    def child(self, *tags: str) -> Node | None:
        node: Node | None = self
        for tag in tags:
            node = next((one for one in node.children if one.tag == tag), None) if node else None
        return node

    def said(self, *tags: str) -> str:
        node = self.child(*tags)
        return node.text if node else ""

    def all(self, *tags: str) -> Iterator[Node]:
        """Children at this path, each step taking all."""
        if not tags:
            yield self
            return
        for one in self.children:
            if one.tag == tags[0]:
                yield from one.all(*tags[1:])

    def walk(self) -> Iterator[Node]:
        yield self
        for one in self.children:
            yield from one.walk()


def xml_tree(text: str) -> tuple[Node | None, str, int]:
    """The root, or None, what is wrong, and the line."""
    if "<!ENTITY" in text:
        return None, "not read: it declares entities", 0
    top = Node("", 0)
    stack = [top]
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def opened(tag: str, attributes: dict[str, str]) -> None:
        node = Node(tag.rpartition(":")[2], parser.CurrentLineNumber, attributes)
        stack[-1].children.append(node)
        stack.append(node)

    def closed(_: str) -> None:
        stack.pop()

    def said(data: str) -> None:
        stack[-1].pieces.append(data)

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = opened, closed, said
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, ValueError) as error:
        return None, f"not XML: {error}", getattr(error, "lineno", 0)
    if not top.children:
        return None, "not XML: it is empty", 0
    return top.children[0], "", 0
