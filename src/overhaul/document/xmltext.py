"""The XML of an editor's files as a tree, written again as the editor writes it.

Editors indent by two spaces. That of Adventure Game Studio writes an element without content as
``<Name />``; GameMaker's as ``<name/>`` or ``<name></name>``. Properties of a file (encoding, ends
of lines, comments, CDATA) are kept with it.

Source: real files of Adventure Game Studio 3.2.1 to 3.6.3, and of GameMaker: Studio 1.0 to 1.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Final
from xml.parsers import expat

from overhaul.errors import EncodeError, FormatError

_DECLARATION: Final = re.compile(
    rb"""^(?:\xef\xbb\xbf)?<\?xml[^>]{0,100}?encoding=["']([A-Za-z0-9_.:-]{1,40})["']"""
)
_FIRST_LINE: Final = re.compile(r"<\?xml [^>\r\n]{0,200}\?>(?=\r?\n)")
#: the start of the first element in the root
_INDENTED: Final = re.compile(r"<[A-Za-z_][^<>]*>\r?\n([ \t]{1,16})<[A-Za-z_]")
_ROOT: Final = re.compile(r"<[A-Za-z_]")
_MARK: Final = "\ufeff"
_PRIVATE: Final = range(0xE000, 0xF900)
_DEEPEST: Final = 200
#: A file may have this many elements.
_MOST: Final = 20_000_000
_TEXT: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#xA;", "\r": "&#xD;"}
)
SPACE: Final = "xml:space"
NULL: Final = "IsNull"
INDENT: Final = "  "
#: The end of an element without content.
CLOSING: Final = " />"
_CLOSED: Final = re.compile(r"<[A-Za-z_][^<>]*?( ?/>)")


@dataclass(slots=True)
class XmlNode:
    """An element: its attributes, its children or its text; ``cdata``: the text is written so.

    ``assumed``: the value is a default, of a converted game that does not store it.  ``spaces``:
    what stands before each child, and before the end, where that is not the file's own indent.
    ``is_open``: without content it has two tags, ``<name></name>``.  ``start`` is where it begins
    in the text of its file, in bytes of UTF-8, -1 for one that was not read.
    """

    tag: str
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[XmlNode] = field(default_factory=list)
    cdata: bool = False
    assumed: bool = field(default=False, compare=False)
    spaces: tuple[str, ...] = field(default=(), compare=False)
    is_open: bool = field(default=False, compare=False)
    start: int = field(default=-1, compare=False)

    def find(self, path: str) -> XmlNode | None:
        """The first element at a path of tags such as ``Game/Settings``; None without one."""
        node = self
        for tag in path.split("/"):
            child = next(node.all(tag), None)
            if child is None:
                return None
            node = child
        return node

    def all(self, tag: str) -> Iterator[XmlNode]:
        """The children of a tag."""
        return (child for child in self.children if child.tag == tag)

    def value(self, path: str, default: str = "") -> str:
        """The text of the element at a path."""
        node = self.find(path)
        return default if node is None else node.text

    def walk(self) -> Iterator[XmlNode]:
        """It and all elements in it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()


#: The values that two equal elements share, besides their children.
_OWN: Final = attrgetter(
    *(each.name for each in fields(XmlNode) if each.compare and each.name != "children")
)


def same_elements(one: XmlNode, other: XmlNode) -> bool:
    """Whether two elements are equal, however deep the elements in them go."""
    pairs = [(one, other)]
    while pairs:
        first, second = pairs.pop()
        own, others = first.children, second.children
        if _OWN(first) != _OWN(second) or len(own) != len(others):
            return False
        pairs += zip(own, others, strict=True)
    return True


@dataclass(slots=True)
class XmlFile:
    """A file: its root, its encoding, and what the editor wrote around the root.

    Where another program wrote the file: ``declaration`` is its first line, None for a file without
    one, ``indent`` what one level is indented by.  ``closing`` ends an element without content.
    ``carriage`` stood for a carriage return while the file was read.
    """

    root: XmlNode
    encoding: str = "utf-8"
    newline: str = "\r\n"
    has_mark: bool = True
    comments: list[str] = field(default_factory=list)
    ending: str = ""
    declaration: str | None = ""
    indent: str = INDENT
    closing: str = CLOSING
    carriage: str = ""

    def place(self, node: XmlNode, data: bytes) -> int:
        """Where an element begins in the bytes that the file was read from."""
        text = data.decode(self.encoding)
        before = self.marked(data)[: node.start].decode("utf-8", "surrogatepass")
        return len(text[: len(before) + text.startswith(_MARK)].encode(self.encoding))

    def marked(self, data: bytes) -> bytes:
        """The text that ``Node.start`` counts in, of the bytes that the file was read from."""
        return _marked(data.decode(self.encoding).removeprefix(_MARK), self.carriage)


def read_xml(data: bytes, *, source: str | None = None) -> XmlFile:
    """A file of the editor.  Raises FormatError for broken XML, or one with a document type."""
    declared = _DECLARATION.match(data)
    encoding = declared[1].decode("ascii") if declared else "utf-8"
    try:
        text = data.decode(encoding)
    except LookupError:
        raise FormatError(f"unknown encoding {encoding!r}", source=source) from None
    except UnicodeDecodeError as error:
        raise FormatError(f"not a text in {encoding}", source=source, offset=error.start) from None
    text_only = text.removeprefix(_MARK)
    found, indented = _FIRST_LINE.match(text_only), _INDENTED.search(text_only)
    carriage = _unused(text)
    reader = _TreeBuilder(source, carriage, INDENT if indented is None else indented[1])
    reader.parse(text_only)
    return XmlFile(
        reader.root,
        encoding=encoding,
        newline="\r\n" if text[:400].partition("\n")[0].endswith("\r") else "\n",
        has_mark=text.startswith(_MARK),
        comments=reader.comments,
        ending=text[len(text.rstrip("\r\n")) :],
        declaration=_first_line(found[0] if found else None, encoding),
        indent=reader.indent,
        closing=closed[1] if (closed := _CLOSED.search(text_only)) else CLOSING,
        carriage=carriage,
    )


def _first_line(found: str | None, encoding: str) -> str | None:
    """The declaration that a file has, "" for the editor's own."""
    return "" if found == _declaration(encoding) else found


def _declaration(encoding: str) -> str:
    """The first line as the editor writes it."""
    return f'<?xml version="1.0" encoding="{encoding}"?>'


def _marked(text: str, carriage: str) -> bytes:
    """The text for expat, with another character for each carriage return in the root."""
    begins = _ROOT.search(text)
    start, end = begins.start() if begins else 0, text.rfind(">") + 1
    inside = text[start:end].replace("\r", carriage)
    return (text[:start] + inside + text[end:]).encode("utf-8", "surrogatepass")


def _unused(text: str) -> str:
    """A character for private use that a text does not have."""
    return next(chr(code) for code in _PRIVATE if chr(code) not in text)


class _TreeBuilder:
    """Builds the tree.

    XML has one end of lines; ``carriage`` stands for a carriage return while a text is read, so
    that texts keep theirs.
    """

    def __init__(self, source: str | None, carriage: str, indent: str) -> None:
        self._carriage = carriage
        self.indent: str = indent
        self.root = XmlNode("")
        self.comments: list[str] = []
        self._source = source
        self._stack: list[XmlNode] = []
        self._count = 0
        self._parser = expat.ParserCreate("utf-8")
        self._bytes = b""

    def parse(self, text: str) -> None:
        """Read a text; its declaration of an encoding is not looked at."""
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartCdataSectionHandler = self._cdata
        parser.CommentHandler = self._comment
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            self._bytes = _marked(text, self._carriage)
            parser.Parse(self._bytes, True)
        except expat.ExpatError as error:
            place = f"line {error.lineno}, column {error.offset + 1}"
            reason = expat.ErrorString(error.code)
            raise FormatError(f"broken XML at {place}: {reason}", source=self._source) from None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        node = XmlNode(tag, attributes=attributes, start=self._parser.CurrentByteIndex)
        self._count += 1
        if len(self._stack) >= _DEEPEST or self._count > _MOST:
            raise FormatError("the XML has too many elements in each other", source=self._source)
        if self._stack:
            self._stack[-1].children.append(node)
        else:
            self.root = node
        self._stack.append(node)

    def _end(self, tag: str) -> None:
        node = self._stack.pop()
        if not (node.text or node.children):
            node.is_open = self._bytes.startswith(b"</", self._parser.CurrentByteIndex)
        node.text = node.text.replace(self._carriage, "\r")
        if node.children:
            if node.text.strip():
                raise FormatError(f"{tag} has elements and a text", source=self._source)
            self._keep_spaces(node)
            node.text = ""

    def _keep_spaces(self, node: XmlNode) -> None:
        """Keep what other programs write between the children of an element."""
        level = self.indent * len(self._stack)
        spaces = node.text.replace("\r", "").split("\n")[1:]
        usual = [level + self.indent] * len(node.children) + [level]
        if spaces != usual and len(spaces) == len(usual):
            node.spaces = tuple(spaces)

    def _characters(self, text: str) -> None:
        if self._stack:
            self._stack[-1].text += text

    def _cdata(self) -> None:
        self._stack[-1].cdata = True

    def _comment(self, text: str) -> None:
        if not self._stack:
            self.comments.append(text)

    def _doctype(self, *_: object) -> None:
        raise FormatError("expected XML without a document type", source=self._source)


def write_xml(file: XmlFile) -> bytes:
    """The bytes of a file as the editor writes them.  Raises EncodeError for control characters."""
    first = _declaration(file.encoding) if file.declaration == "" else file.declaration
    lines = [] if first is None else [first]
    lines += [f"<!--{comment}-->" for comment in file.comments]
    _write(file.root, "", "", file, lines)
    text = file.newline.join(lines)
    text = (_MARK if file.has_mark else "") + text + file.ending
    return text.encode(file.encoding, "xmlcharrefreplace")


def _write(node: XmlNode, start: str, indent: str, file: XmlFile, lines: list[str]) -> None:
    """The lines of an element: ``start`` is before its first, ``indent`` that of its level."""
    tag = node.tag
    head = "".join(f' {name}="{_attribute(value)}"' for name, value in node.attributes.items())
    if node.children:
        lines.append(f"{start}<{tag}{head}>")
        spaces = node.spaces if len(node.spaces) == len(node.children) + 1 else ()
        inner = indent + file.indent
        for number, child in enumerate(node.children):
            _write(child, spaces[number] if spaces else inner, inner, file, lines)
        lines.append(f"{spaces[-1] if spaces else indent}</{tag}>")
    elif node.text or node.cdata or node.is_open:
        lines.append(f"{start}<{tag}{head}>{_content(node)}</{tag}>")
    else:
        lines.append(f"{start}<{tag}{head}{file.closing}")


def escaped(text: str) -> str:
    """A text as it stands between two tags.  Raises EncodeError for control characters."""
    _check(text)
    return text.translate(_TEXT)


def _content(node: XmlNode) -> str:
    _check(node.text)
    if node.cdata and "]]>" not in node.text:
        return f"<![CDATA[{node.text}]]>"
    return node.text.translate(_TEXT)


def _attribute(text: str) -> str:
    _check(text)
    return text.translate(_ATTRIBUTE)


def _check(text: str) -> None:
    """Raises EncodeError for what XML can't hold."""
    for character in text:
        if character < " " and character not in "\t\n\r":
            raise EncodeError(f"no XML file can hold the character U+{ord(character):04X}")


def _fits(letter: str) -> bool:
    """Whether XML can hold a character: control characters, and bytes that do not encode a
    letter, do not fit."""
    return (letter >= " " or letter in "\t\n\r") and not "\ud800" <= letter <= "\udfff"


def without_controls(root: XmlNode) -> list[str]:
    """Leave out the characters that XML can't hold; the elements whose texts had some."""
    changed = []
    for node in root.walk():
        texts = {"": node.text, **node.attributes}
        kept = {name: "".join(filter(_fits, text)) for name, text in texts.items()}
        if kept != texts:
            node.text = kept.pop("")
            node.attributes = kept
            changed.append(node.tag)
    return changed
