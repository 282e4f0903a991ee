"""XML as a tree of elements that know their line.

Document types are refused, and with them entities: nothing is expanded and nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from overhaul.bounds import ELEMENT, LINE, Budget
from overhaul.errors import FormatError, PlainFileError

#: how deep elements may be nested
_DEEPEST = 64


@dataclass(slots=True)
class Node:
    """An element."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    text: str = ""
    line: int = 0

    def add(self, tag: str, **attributes: object) -> Node:
        """Add an element at the end; attributes that are None are left out."""
        values = {name: shown(value) for name, value in attributes.items() if value is not None}
        node = Node(tag, values)
        self.children.append(node)
        return node

    def all(self, tag: str) -> Iterator[Node]:
        """The children of a name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Node | None:
        """The first child of a name."""
        return next(self.all(tag), None)


def shown(value: object) -> str:
    """A value as an attribute: whole numbers without a point."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)


def parse(data: bytes, file: str, budget: Budget | None = None) -> Node:
    """The root element of a document.  Raises PlainFileError with the line.

    ``budget`` bounds what its elements take; without one, the size of the document does.
    """
    budget = budget or Budget(len(data))
    parser = expat.ParserCreate()
    parser.buffer_text = True
    root = Node("")
    stack = [root]
    texts: list[list[str]] = [[]]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > _DEEPEST:
            raise PlainFileError("elements are nested too deep", file, "", parser.CurrentLineNumber)
        try:
            budget.take(ELEMENT + LINE * len(attributes), f"a {tag!r:.40} element")
        except FormatError as error:
            line = parser.CurrentLineNumber
            raise PlainFileError(error.message, file, "", line) from None
        node = Node(tag, attributes, line=parser.CurrentLineNumber)
        stack[-1].children.append(node)
        stack.append(node)
        texts.append([])

    def end(tag: str) -> None:
        stack.pop().text = "".join(texts.pop())

    def text(characters: str) -> None:
        texts[-1].append(characters)

    def refuse(*_: object) -> None:
        line = parser.CurrentLineNumber
        raise PlainFileError("a document type is not allowed", file, "", line)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        message = f"broken XML: {expat.ErrorString(error.code)}"
        raise PlainFileError(message, file, "", error.lineno, error.offset + 1) from None
    except (LookupError, ValueError) as error:
        raise PlainFileError(f"broken XML: {error}", file) from None
    return root.children[0]


def to_bytes(root: Node) -> bytes:
    """A document, indented by a space for each level."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    _write(root, 0, lines)
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


def _write(node: Node, level: int, lines: list[str]) -> None:
    words = [node.tag, *(f"{name}={quoteattr(v)}" for name, v in node.attributes.items())]
    head = f"{' ' * level}<{' '.join(words)}"
    if node.children:
        lines.append(head + ">")
        for child in node.children:
            _write(child, level + 1, lines)
        lines.append(f"{' ' * level}</{node.tag}>")
    else:
        lines.append(f"{head}>{escape(node.text)}</{node.tag}>" if node.text else head + "/>")
