"""Code in the XML of Studio 1: each piece as a source of its own, with its places in the file.

An editor shows the XML.  The language reads the pieces, unescaped, under paths that no file has:
``objects/obj_a/0003.gml`` is the fourth piece of ``objects/obj_a.object.gmx``.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from overhaul.document.xmltext import escaped
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.language.gml.ide_projects import ProjectTexts
from overhaul.language.gml.names import SOURCE

#: The kinds of files with code, by their folders.
_KINDS: Final = {"objects": "object", "rooms": "room", "timelines": "timeline"}
_FILE: Final = re.compile(r"(objects|rooms|timelines)/([^/]+)\.(?:object|room|timeline)\.gmx")
_PIECE: Final = re.compile(r"(objects|rooms|timelines)/([^/]+)/(\d{4,})\.gml")
_ACTION: Final = re.compile(r"<action>(?:(?!<action>).)*?</action>", re.DOTALL)
_KIND: Final = re.compile(r"<kind>\s*(\d+)\s*</kind>")
_ARGUMENT: Final = re.compile(
    r"<argument>\s*<kind>\s*(\d+)\s*</kind>\s*<string>([^<]*)</string>", re.DOTALL
)
#: The code that the library of an action runs, with the arguments of the action.
_LIBRARY: Final = re.compile(r"<codestring>([^<]+)</codestring>")
#: The creation code of a room, and of an instance in it.
_CREATION: Final = re.compile(
    r"""<code>([^<]*)</code>|<instance\b[^<>]*?\bcode=(?:"([^"<]*)"|'([^'<]*)')"""
)
#: Comments, and code without escapes; an unclosed one goes on to the end.
_APART: Final = re.compile(r"<!--.*?(?:-->|\Z)|<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)
_ENTITY: Final = re.compile(r"&(?:#x?[0-9A-Fa-f]+|[a-z]+);")
#: The kinds of actions that run code, and that set a variable.
_RUNS_CODE: Final = "7"
_SETS: Final = "6"
#: Arguments that are expressions, or may be.
_VALUES: Final = ("0", "2")


class Piece(NamedTuple):
    """A piece of code: its text, and the place of each stretch without escapes: where it begins in
    the code, and where in the file.  A mark of CDATA and a comment are stretches without code.
    ``is_code``: it is a program, and no value of an action."""

    text: str
    codes: Sequence[int]
    places: Sequence[int]
    is_code: bool

    def place(self, offset: int) -> int:
        """The place in the file of one in the code."""
        number = bisect_right(self.codes, offset) - 1
        return self.places[number] + offset - self.codes[number]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the code begins and ends in the file, without a mark behind it."""
        if start == end:
            return self.place(start), self.place(start)
        number = bisect_left(self.codes, end)
        if end in self.codes[number : number + 1]:
            return self.place(start), self.places[number]
        return self.place(start), self.places[number - 1] + end - self.codes[number - 1]

    @property
    def bounds(self) -> tuple[int, int]:
        """Where the piece begins and ends in the file, with its marks."""
        return self.places[0], self.place(len(self.text))

    def offset(self, place: int) -> int | None:
        """The place in the code of one in the file; None outside of it."""
        start, end = self.bounds
        if not start <= place <= end:
            return None
        number = bisect_right(self.places, place) - 1
        most = self.codes[number + 1] if number + 1 < len(self.codes) else len(self.text)
        return min(self.codes[number] + place - self.places[number], most)


def is_coded(path: str) -> bool:
    """Whether a file may have code in its XML."""
    return _FILE.fullmatch(path) is not None


def home_of(path: str) -> tuple[str, int] | None:
    """The file of a piece, and its number; None for another path."""
    found = _PIECE.fullmatch(path)
    if found is None:
        return None
    folder, name, number = found.groups()
    return f"{folder}/{name}.{_KINDS[folder]}.gmx", int(number)


def path_of(home: str, number: int) -> str:
    """The path of a piece of a file."""
    found = _FILE.fullmatch(home)
    assert found is not None
    return f"{found[1]}/{found[2]}/{number:04}.gml"


def pieces_in(text: str) -> list[Piece]:
    """The pieces of code in a file, in their order; also of a file that is not whole XML yet."""
    plain = _APART.sub(lambda found: " " * len(found[0]), text)
    found = [*_of_actions(plain), *_of_rooms(plain)]
    made = [_piece(text[start:end], start, is_code=is_code) for start, end, is_code in found]
    return sorted(made, key=lambda piece: piece.places[0])


def _of_actions(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where code of actions begins and ends in a text, and whether it is a program."""
    for action in _ACTION.finditer(text):
        found = _KIND.search(action[0])
        kind = "" if found is None else found[1]
        is_code, sets = kind == _RUNS_CODE, kind == _SETS
        library = _LIBRARY.search(text, *action.span())
        if library is not None:
            yield *library.span(1), False
        for argument in _ARGUMENT.finditer(text, *action.span()):
            if is_code or sets or argument[1] in _VALUES:
                yield *argument.span(2), is_code


def _of_rooms(text: str) -> Iterator[tuple[int, int, bool]]:
    for found in _CREATION.finditer(text):
        yield *found.span(found.lastindex or 0), True


def _piece(stored: str, start: int, *, is_code: bool) -> Piece:
    made = _Stretches(start)
    at = 0
    for apart in _APART.finditer(stored):
        made.escaped(stored[at : apart.start()])
        literal = apart[1]
        before = apart.start(1) - apart.start() if literal is not None else len(apart[0])
        made.mark(before)
        if literal is not None:
            made.plain(literal)
            made.mark(apart.end() - apart.end(1))
        at = apart.end()
    made.escaped(stored[at:])
    return Piece("".join(made.parts), made.codes, made.places, is_code)


class _Stretches:
    """The stretches of a piece as they are read: ``size`` characters of code so far, ``at`` the
    place in the file."""

    def __init__(self, start: int) -> None:
        self.codes, self.places = [0], [start]
        self.parts: list[str] = []
        self.size, self.at = 0, start

    def plain(self, text: str) -> None:
        """Unescaped code."""
        self.parts.append(text)
        self.size += len(text)
        self.at += len(text)

    def mark(self, length: int, plain: str = "") -> None:
        """Characters of the file that stand for others, or for none."""
        self._begin()
        self.parts.append(plain)
        self.size += len(plain)
        self.at += length
        self._begin()

    def escaped(self, text: str) -> None:
        """Code with escapes."""
        at = 0
        for entity in _ENTITY.finditer(text):
            plain = html.unescape(entity[0])
            if len(plain) == 1:  # an entity of XML
                self.plain(text[at : entity.start()])
                self.mark(len(entity[0]), plain)
                at = entity.end()
        self.plain(text[at:])

    def _begin(self) -> None:
        self.codes.append(self.size)
        self.places.append(self.at)


class StudioTexts(ProjectTexts):
    """The files of a project of Studio 1, and the pieces of code in them as sources."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self._pieces: dict[str, tuple[str, list[Piece]]] = {}
        self._files: Sequence[str] = ()
        self._all: Sequence[str] = ()

    def pieces(self, path: str) -> list[Piece]:
        """The pieces of code in a file; none where it can't be read."""
        try:
            text = super().read(path)
        except OverhaulError:  # it has just gone
            return []
        kept = self._pieces.get(path)
        if kept is None or (kept[0] is not text and kept[0] != text):
            kept = self._pieces[path] = text, pieces_in(text)
        return kept[1]

    def paths(self) -> Sequence[str]:
        """The paths of all files, and of all pieces."""
        files = super().paths()
        if files is not self._files or not self._all:
            self._files = files
            made = [path_of(path, number) for path in files if is_coded(path)
                    for number in range(len(self.pieces(path)))]  # fmt: skip
            self._all = sorted({*files, *made})
        return self._all

    def piece(self, path: str) -> Piece | None:
        """The piece of a path; None for a file."""
        home = home_of(path)
        pieces = [] if home is None else self.pieces(home[0])
        return pieces[home[1]] if home is not None and home[1] < len(pieces) else None

    def read(self, path: str) -> str:
        """The text of a file or a piece.  Raises WorkspaceError for an unknown path."""
        piece = self.piece(path)
        return super().read(path) if piece is None else piece.text

    def data(self, path: str) -> bytes:
        """The bytes of a file, or of the text of a piece.  Raises WorkspaceError."""
        piece = self.piece(path)
        return (
            super().data(path) if piece is None else piece.text.encode("utf-8", "surrogateescape")
        )

    def __contains__(self, path: str) -> bool:
        return self.piece(path) is not None or super().__contains__(path)

    def put(self, path: str, text: str) -> None:
        """The text of a file that somebody edits: where only code changed, its pieces did."""
        before = self._shown(path)
        if before is None or path not in self:
            super().put(path, text)
            self._all = ()
        else:
            self._edited[path] = text
            self._note(path, before)

    def drop(self, path: str) -> None:
        """Nobody edits a file any more: that of the disk counts."""
        before = self._shown(path)
        super().drop(path)
        if before is not None:
            self._note(path, before)

    def _shown(self, path: str) -> tuple[str, list[Piece]] | None:
        """The text of a file with code as it is, and its pieces."""
        if not is_coded(path):
            return None
        pieces = self.pieces(path)
        kept = self._pieces.get(path)
        return None if kept is None else (kept[0], pieces)

    def _note(self, path: str, before: tuple[str, list[Piece]]) -> None:
        """Note what became another: pieces, the file around them, or which pieces there are."""
        old, pieces = before
        now = self.pieces(path)
        if len(pieces) != len(now):
            self._all = ()
            self.changes.append("")
        elif _around(old, pieces) != _around(super().read(path), now):
            self.changes.append(path)
        self.changes += [
            path_of(path, number)
            for number, (one, other) in enumerate(zip(pieces, now, strict=False))
            if one.text != other.text
        ]

    def contents_with(self, contents: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
        """Other contents of files, of those of files and pieces.

        Raises WorkspaceError for pieces that are gone.
        """
        made: dict[str, bytes | None] = {}
        inner: dict[str, dict[int, str]] = {}
        for path, data in contents.items():
            home = home_of(path) if path.endswith(SOURCE) else None
            if home is None or self.piece(path) is None:
                made[path] = data
            elif data is None:
                raise WorkspaceError(f"{path} is code in {home[0]}: it can't be taken out")
            else:
                inner.setdefault(home[0], {})[home[1]] = data.decode("utf-8", "surrogateescape")
        for path, texts in inner.items():
            whole, pieces = super().read(path), self.pieces(path)
            for number in sorted(texts, reverse=True):
                start, end = pieces[number].bounds
                whole = whole[:start] + escaped(texts[number]) + whole[end:]
            made[path] = whole.encode("utf-8", "surrogateescape")
        return made


def _around(text: str, pieces: list[Piece]) -> list[str]:
    """The parts of a file other than code."""
    ends = [0, *(piece.bounds[1] for piece in pieces)]
    starts = [*(piece.bounds[0] for piece in pieces), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]
