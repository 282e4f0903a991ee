"""The answers of a language service: plain values, independent of editors and protocols.

A place is an offset of characters in the text of a file, from 0; a range ends before ``end``.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

#: how bad a diagnostic is
Severity: TypeAlias = Literal["error", "warning"]
#: The kind of a name for people; editors choose an icon and a colour by it.
Kind: TypeAlias = Literal[
    "asset", "builtin", "constant", "enum", "field", "function", "keyword", "local", "macro",
    "member", "method", "parameter", "struct", "variable",
]  # fmt: skip
#: What a piece of a text is, for colours; "" for what has none.
Role: TypeAlias = Literal[
    "comment", "directive", "keyword", "name", "field", "number", "string", "operator", "function",
    "builtin", "asset", "constant", "parameter", "local", "type", "",
]  # fmt: skip


class Rules(msgspec.Struct, frozen=True):
    """How a language is cut into pieces, for the colours of an editor."""

    keywords: list[str]
    numbers: str
    strings: str
    templates: bool = False
    directives: bool = True


class Span(msgspec.Struct, frozen=True):
    """A range of a file.

    It is in the file ``path``, from ``start`` to ``end``.
    """

    path: str
    start: int
    end: int


class Diagnostic(msgspec.Struct, frozen=True):
    """A mistake or a doubt, as ``pack`` reports it; ``line`` and ``column`` count from 1.

    ``severity`` says which of both; ``message`` says what is wrong from ``start`` to ``end``.
    """

    severity: Severity
    message: str
    line: int
    column: int
    start: int
    end: int


class Proposal(msgspec.Struct, frozen=True):
    """A name that may be meant.

    ``detail`` is a line about it, ``about`` more of it, ``inserted`` what is written where that is
    not the name.  ``name`` and ``kind`` are those of what it names.
    """

    name: str
    kind: Kind
    detail: str = ""
    about: str = ""
    inserted: str = ""


class Completion(msgspec.Struct, frozen=True):
    """The names that may stand at a place, the likeliest first; they replace ``start`` to ``end``.

    ``incomplete``: there are more, which a longer beginning finds.  The names are ``items``.
    """

    start: int
    end: int
    items: list[Proposal]
    incomplete: bool = False


class Hover(msgspec.Struct, frozen=True):
    """The description of a name: a line of code, and sentences about it.

    The line is ``code``, the sentences are ``about``; the name is from ``start`` to ``end``.
    """

    start: int
    end: int
    code: str
    about: str


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of a function: its range in the text of the signature.

    The range is from ``start`` to ``end``.
    """

    start: int
    end: int


class Signature(msgspec.Struct, frozen=True):
    """The function that is called at a place, and which of its parameters is being written.

    ``text`` is the signature, with its ``parameters``; the one of number ``active`` is
    being written; ``about`` is what the function does.
    """

    text: str
    parameters: list[Parameter]
    active: int
    about: str = ""


class Symbol(msgspec.Struct, frozen=True):
    """Something that a file declares: its name from ``start``, the whole of it to ``until``.

    The name ends at ``end``, the whole of it begins at ``begin``; ``container`` is what it is
    declared in, "" for the file ``path``. ``kind`` is its type.
    """

    name: str
    kind: Kind
    path: str
    start: int
    end: int
    begin: int
    until: int
    container: str = ""


class Edit(msgspec.Struct, frozen=True):
    """A range of a file, and the text that takes its place.

    The range is from ``start`` to ``end`` of the file ``path``; ``text`` takes its place.
    """

    path: str
    start: int
    end: int
    text: str


class Move(msgspec.Struct, frozen=True):
    """A file (``path``) that gets another path (``to``)."""

    path: str
    to: str


class Doubt(msgspec.Struct, frozen=True):
    """A place that may mean the renamed thing, and does not change.

    The place is the line of number ``line`` (from 1) of the file ``path``, with this ``text``.
    """

    path: str
    line: int
    text: str


class Renamed(msgspec.Struct, frozen=True):
    """All that renaming changes; the edits of a file that moves name its old path.

    It has ``edits`` of texts, ``moves`` of files, and ``doubts``.
    """

    edits: list[Edit]
    moves: list[Move]
    doubts: list[Doubt]


class Token(msgspec.Struct, frozen=True):
    """A piece of a text and its colour.

    It is from ``start`` to ``end``; ``role`` is the colour's name.
    """

    start: int
    end: int
    role: Role


class Fold(msgspec.Struct, frozen=True):
    """Lines that can be folded, ``first`` to ``last`` (from 1): the first stays.

    ``is_comment``: they are a comment.
    """

    first: int
    last: int
    is_comment: bool = False


class Lens(msgspec.Struct, frozen=True):
    """A line over a declaration: ``3 uses``.

    The declaration is from ``start`` to ``end``, the line is ``title``.
    """

    start: int
    end: int
    title: str
    uses: list[Span]
