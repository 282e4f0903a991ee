"""The parts that the documents of projects and executables share, and the text of RTF."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self, cast

from overhaul.bounds import EXPANSION
from overhaul.document.base import BaseDocument
from overhaul.document.protocol import Buffer, Coverage, Opaque, Siblings
from overhaul.document.registry import load
from overhaul.errors import FormatError
from overhaul.gamemaker.classic.fields import Deflated, Kept, VersionedRecord
from overhaul.gamemaker.classic.kinds import BY_SINGULAR, slots_of
from overhaul.gamemaker.classic.records import Project, code_page
from overhaul.gamemaker.classic.streams import allowance

if TYPE_CHECKING:
    from overhaul.document.views import ResourceView
    from overhaul.gamemaker.classic.surface.assets import (
        Background,
        DataFile,
        Font,
        Path,
        Sound,
        Sprite,
    )
    from overhaul.gamemaker.classic.surface.base import AnyPlace, Resources
    from overhaul.gamemaker.classic.surface.objects import Object, Script, Timeline, Trigger
    from overhaul.gamemaker.classic.surface.rooms import Room
    from overhaul.gml.context import Context


#: groups that hold no text of the document
_NO_TEXT = frozenset(
    (
        *("fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer"),
        *("generator", "themedata", "listtable", "listoverridetable", "rsidtbl", "xmlnstbl"),
    )
)
#: words that stand for characters
_CHARACTERS = {
    "par": "\n", "line": "\n", "page": "\n", "sect": "\n", "row": "\n", "cell": "\t", "tab": "\t",
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ",
}  # fmt: skip
_TOKEN = re.compile(
    rb"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9A-Fa-f]{2})"
    rb"|\\(?P<sign>[^A-Za-z])|(?P<brace>[{}])|(?P<text>[^\\{}\r\n\0]+)|[\\\r\n\0]",
    re.DOTALL,
)


def plain_text(data: bytes, encoding: str = "cp1252") -> str:
    """The text of an RTF document, a line for each paragraph; other text is decoded unchanged.

    ``encoding`` is that of bytes; characters that it lacks become ``�``.
    """
    if not data.lstrip().startswith(b"{\\rtf"):
        return data.rstrip(b"\0").decode(encoding, "replace").strip()
    reader = _RichTextReader(encoding)
    for token in _TOKEN.finditer(data):
        reader.take(token)
    reader.flush()
    return "\n".join(line.rstrip() for line in "".join(reader.out).split("\n")).strip("\n")


class _RichTextReader:
    """Where a reader of RTF is: for each open group, whether it is text, and how many characters
    stand behind a ``\\u`` for readers that don't know it."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self.out: list[str] = []
        self._groups = [(True, 1)]
        self._pending = bytearray()
        self._skip = 0
        self._starts = False

    def take(self, token: re.Match[bytes]) -> None:
        """Read one token."""
        kind = token.lastgroup
        starts, self._starts = self._starts, False
        if kind == "brace":
            self._brace(token["brace"])
        elif kind in ("word", "number"):
            self._word(token["word"].decode("ascii"), token["number"], starts)
        elif kind == "byte":
            self._bytes(bytes.fromhex(token["byte"].decode("ascii")))
        elif kind == "text":
            self._bytes(token["text"])
        elif kind == "sign":
            self._sign(token["sign"])

    def flush(self) -> None:
        """Decode the bytes that were read; several may be one character."""
        if self._pending:
            self.out.append(self._pending.decode(self.encoding, "replace"))
            self._pending.clear()

    def _brace(self, brace: bytes) -> None:
        self._skip = 0
        if brace == b"{":
            self._groups.append(self._groups[-1])
            self._starts = True
        elif len(self._groups) > 1:
            self._groups.pop()

    def _sign(self, sign: bytes) -> None:
        if sign == b"*":  # a group that readers may leave out
            self._silence()
        elif sign in b"\\{}":
            self._bytes(sign)
        elif sign in b"~_":
            self._write(" " if sign == b"~" else "-")
        elif sign in b"\r\n":
            self._write("\n")

    def _word(self, word: str, number: bytes | None, starts: bool) -> None:
        text, behind = self._groups[-1]
        if starts and word in _NO_TEXT:
            self._silence()
        elif word == "uc" and number is not None:
            self._groups[-1] = text, max(0, int(number))
        elif word == "u" and number is not None:
            code = int(number) & 0xFFFF
            self._write("�" if 0xD800 <= code < 0xE000 else chr(code))
            self._skip = behind
        elif word in _CHARACTERS:
            self._write(_CHARACTERS[word])

    def _silence(self) -> None:
        self._groups[-1] = False, self._groups[-1][1]

    def _bytes(self, data: bytes) -> None:
        skipped = min(self._skip, len(data))
        self._skip -= skipped
        if self._groups[-1][0]:
            self._pending += data[skipped:]

    def _write(self, text: str) -> None:
        if self._groups[-1][0]:
            self.flush()
            self.out.append(text)


_DAY_ZERO = datetime(1899, 12, 30)


class ClassicDocument(BaseDocument):
    """A file that is read and written whole; ``size`` is its size in bytes."""

    size: int = 0

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> Self:
        """Open a file; as little as possible is read now."""
        document = cls.read(data, source)
        document.size = len(data)
        return document

    @classmethod
    @abstractmethod
    def read(cls, data: Buffer, source: str | None) -> Self:
        """The document of a file.  Raises FormatError for a broken one."""

    def to_bytes(self) -> bytes:
        """The file, rebuilt from its records."""
        data = self.write()
        self.size = len(data)
        return data

    @abstractmethod
    def write(self) -> bytes:
        """The bytes of the file."""


def date_in_words(date: float) -> str | None:
    """A date (days since 30 December 1899) in ISO form, to the second; None if out of range."""
    try:
        return (_DAY_ZERO + timedelta(days=date)).isoformat(sep=" ", timespec="seconds")
    except (OverflowError, ValueError):
        return None


_SURFACE = "overhaul.gamemaker.classic.surface"


class GameDocument(ClassicDocument):
    """A file with the resources of a game.

    The list of a kind is made again each time; keep it where many are looked up.
    """

    @abstractmethod
    def slots(self) -> Mapping[str, Sequence[AnyPlace]]:
        """The places of every kind of resource that the game has."""

    @property
    @abstractmethod
    def smooth(self) -> bool:
        """Whether the game interpolates pixels."""

    @property
    @abstractmethod
    def rich_text(self) -> bytes:
        """The game information (F1), as Rich Text (RTF)."""

    @property
    def information(self) -> str:
        """The game information (F1), as plain text."""
        data = self.rich_text
        return plain_text(data, code_page(data) or "cp1252")

    def context(self) -> Context:
        """The context of the language tools: the game's dialect, its resources by name."""
        places = load(f"{_SURFACE}.base:Places")(self.slots())
        return cast("Context", load(f"{_SURFACE}.objects:context_of")(places))

    #: the kinds of pictures
    drawn_kinds: Sequence[str] = ("room", "sprite", "background")

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The resources of a kind, in the order of their ids; what F1 shows."""
        if kind == "information":
            return [load(f"{_SURFACE}.objects:Information")(self, self.information)]
        known = BY_SINGULAR.get(kind)
        listed: Iterable[ResourceView] = () if known is None else getattr(self, known.plural)
        return listed

    def _listed(self, target: str) -> object:
        """The list of a kind; importing its module on first use."""
        places = load(f"{_SURFACE}.base:Places")(self.slots(), smooth=self.smooth, document=self)
        return load(f"{_SURFACE}.base:Resources")(places, load(f"{_SURFACE}.{target}"))

    @property
    def sprites(self) -> Resources[Sprite]:
        """The sprites."""
        return cast("Resources[Sprite]", self._listed("assets:Sprite"))

    @property
    def sounds(self) -> Resources[Sound]:
        """The sounds."""
        return cast("Resources[Sound]", self._listed("assets:Sound"))

    @property
    def backgrounds(self) -> Resources[Background]:
        """The backgrounds and sets of tiles."""
        return cast("Resources[Background]", self._listed("assets:Background"))

    @property
    def paths(self) -> Resources[Path]:
        """The paths."""
        return cast("Resources[Path]", self._listed("assets:Path"))

    @property
    def scripts(self) -> Resources[Script]:
        """The scripts."""
        return cast("Resources[Script]", self._listed("objects:Script"))

    @property
    def fonts(self) -> Resources[Font]:
        """The fonts; none before Game Maker 6."""
        return cast("Resources[Font]", self._listed("assets:Font"))

    @property
    def data_files(self) -> Resources[DataFile]:
        """The data files; none since Game Maker 6."""
        return cast("Resources[DataFile]", self._listed("assets:DataFile"))

    @property
    def timelines(self) -> Resources[Timeline]:
        """The timelines."""
        return cast("Resources[Timeline]", self._listed("objects:Timeline"))

    @property
    def objects(self) -> Resources[Object]:
        """The objects."""
        return cast("Resources[Object]", self._listed("objects:Object"))

    @property
    def rooms(self) -> Resources[Room]:
        """The rooms."""
        return cast("Resources[Room]", self._listed("rooms:Room"))

    @property
    def triggers(self) -> Resources[Trigger]:
        """The triggers; none before Game Maker 8."""
        return cast("Resources[Trigger]", self._listed("objects:Trigger"))


BLOCK = "bytes of a zlib block that belong to no field"


class Measure:
    """Sums up media and opaque bytes; ``total`` is the size of the file.

    Bytes inside a zlib block count by their share of the block's content.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.media: float = 0.0
        self.inflated: int = 0
        self.details: list[Opaque] = []

    def add(self, stream: object, block: Kept | None = None, path: str = "") -> None:
        """Count a picture or sound file: a stream of its own, or bytes inside a block.

        Raises FormatError, with the path, for a damaged stream or too much content in all.
        """
        if isinstance(stream, Deflated):
            size = float(len(stream.stream))
            try:
                self.inflated += len(stream.data)
                if self.inflated > allowance(self.total):
                    raise FormatError(
                        "the zlib streams up to here expand beyond the limit, "
                        f"{allowance(self.total) >> 20} MB here: {EXPANSION}=2GB raises it",
                        code="limit",
                    )
            except FormatError as error:
                raise error.within(path) from None
        elif isinstance(stream, bytes):
            size = float(len(stream))
        else:
            return
        self.media += size * scale(block)

    def add_media(self, record: VersionedRecord, block: Kept | None, path: str = "") -> None:
        """Count the pictures and sounds of a record."""
        for name, stream in record.media():
            self.add(stream, block, f"{path}.{name}" if path else name)

    def left_over(self, block: Kept, path: str, reason: str = BLOCK) -> None:
        """Count the bytes of a block that belong to no field."""
        if block.rest:
            size = max(1, round(len(block.rest) * scale(block)))
            self.opaque(path, size, reason)

    def opaque(self, path: str, size: int, reason: str, offset: int = 0) -> None:
        """Count bytes that are kept but not understood."""
        self.details.append(Opaque(offset, path, size, reason))

    def coverage(self) -> Coverage:
        """The result; the three numbers add up to the file's size."""
        opaque = sum(detail.length for detail in self.details)
        media = min(round(self.media), self.total - opaque)
        return Coverage(self.total - opaque - media, media, opaque, self.details)


def scale(block: Kept | None) -> float:
    """The number of bytes of the file for each byte of a block's content."""
    if block is None or not block.kept or not block.content_size:
        return 1.0
    return len(block.kept) / block.content_size


def measure_project(project: Project, size: int) -> Coverage:
    """The coverage of a project file of ``size`` bytes.  FormatError for a damaged stream."""
    measure = Measure(size)
    settings = project.settings
    block = settings if settings.version >= 800 else None
    measure.add(settings.icon, block)
    for name, picture in settings.pictures():
        measure.add(picture.file, block, f"settings.{name}")
    measure.left_over(settings, "settings")
    measure.left_over(project.information, "information")
    packed = project.version >= 800
    for kind, slots in slots_of(project).items():
        for index, slot in enumerate(slots):
            path = f"{kind}.slots[{index}]"
            if slot.resource is not None:
                measure.add_media(slot.resource, slot if packed else None, f"{path}.resource")
    for include in project.includes.slots:
        if include.include is not None:
            measure.add(include.include.data, include)
    if packed:
        for name in project.__struct_fields__:
            for index, slot in enumerate(getattr(getattr(project, name), "slots", ())):
                measure.left_over(slot, f"{name}.slots[{index}]")
    if project.trailing:
        reason = "bytes after the resource tree, which Game Maker ignores"
        measure.opaque("trailing", len(project.trailing), reason, size - len(project.trailing))
    return measure.coverage()
