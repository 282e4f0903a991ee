"""Sprites by their numbers, scripts and translations: files of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from PIL.Image import Image

from overhaul.ags.drawing.art import SPRITE_FILE, sprite_image
from overhaul.ags.pictures import GREYS
from overhaul.ags.script.disassembler import disassemble
from overhaul.ags.script.model import Script as ScriptRecord
from overhaul.ags.sprites import COMPRESSIONS, SpriteSet
from overhaul.ags.sprites import Sprite as SpriteRecord
from overhaul.ags.surface.base import AgsResource, Holder
from overhaul.document.refs import Ref
from overhaul.document.registry import load
from overhaul.document.surface import ResourceList, ResourceSurface, SpriteDefaults, png_of
from overhaul.errors import FormatError

if TYPE_CHECKING:
    from overhaul.ags.drawing.art import Art
    from overhaul.ags.translation import Translation as TranslationRecord

_IN_GREYS = (
    "Its colours are not known: no game data is next to the set. Their numbers are shown as greys."
)


class Sprite(SpriteDefaults, ResourceSurface):
    """A sprite: one picture, known by the number of its slot."""

    __slots__ = ("_palette", "_set", "document", "number")
    _facts = ("bits", "colours", "stored", "alpha")

    def __init__(
        self, sprites: SpriteSet, number: int, palette: Callable[[], bytes], document: object
    ) -> None:
        self._set = sprites
        self._palette = palette
        self.number: int = number
        self.document: object = document

    @property
    def kind(self) -> str:
        """Its kind in ``overhaul ls``."""
        return "sprite"

    @property
    def name(self) -> str:
        """Its number as text."""
        return str(self.number)

    @property
    def record(self) -> SpriteRecord:
        """The slot.  Raises IndexError for an empty one."""
        slots = self._set.slots
        stored = slots[self.number] if 0 <= self.number < len(slots) else None
        if not isinstance(stored, SpriteRecord):
            raise IndexError(f"the set has no sprite {self.number}")
        return stored

    @property
    def width(self) -> int:
        """In pixels."""
        return self.record.width

    @property
    def height(self) -> int:
        """In pixels."""
        return self.record.height

    @property
    def bits(self) -> int:
        """Bits of a pixel."""
        return self.record.depth * 8

    @property
    def colours(self) -> int:
        """Colours of its own palette; 0 without one."""
        return len(self.record.palette) // max(1, self.record.depth)

    @property
    def stored(self) -> str:
        """How it is packed; ``none`` where it is not."""
        packing = self._set.compression_of(self.record)
        return COMPRESSIONS.get(packing, str(packing))

    @property
    def alpha(self) -> bool:
        """Whether it is partly transparent; not known of a damaged one."""
        try:
            return min(self.image.getchannel("A").tobytes(), default=255) < 255
        except FormatError:
            return False

    @property
    def image(self) -> Image:
        """The sprite as the engine draws it (RGBA).  Raises FormatError for a damaged one."""
        return sprite_image(self._set.pixels(self.record), self._palette())

    @property
    def has_picture(self) -> bool:
        """Whether it has a picture; it may be damaged."""
        return True

    @property
    def frames(self) -> Sequence[Sprite]:
        """Itself: it is the one picture there is."""
        return [self]

    @property
    def is_single(self) -> bool:
        """Whether all sprites of the format have one frame; always true."""
        return True

    @property
    def notes(self) -> list[str]:
        """Why it can't be drawn, and that its colours are not known."""
        notes = []
        if self.record.depth == 1 and self._palette() == GREYS:
            notes.append(_IN_GREYS)
        try:
            self._set.pixels(self.record)
        except FormatError as error:
            notes.append(f"It can't be drawn: {error}")
        return notes

    def _about(self) -> str:
        return f"{self.width}×{self.height}, {self.bits} bits"

    def _repr_png_(self) -> bytes | None:
        return png_of(self.image)


class Sprites(ResourceList[Sprite]):
    """The sprites of a set, by the numbers of their slots."""

    def __init__(
        self, sprites: SpriteSet | None, palette: Callable[[], bytes], document: object
    ) -> None:
        self._set = sprites or SpriteSet()
        self._palette = palette
        self._document = document

    @property
    def kind(self) -> str:
        """The kind of one of them in ``overhaul ls``."""
        return "sprite"

    @property
    def document(self) -> object:
        """The document they are of."""
        return self._document

    def _over(self, number: int) -> Sprite:
        return Sprite(self._set, number, self._palette, self._document)

    def __len__(self) -> int:
        return sum(1 for _ in self._set.filled())

    def __iter__(self) -> Iterator[Sprite]:
        return (self._over(number) for number, _ in self._set.filled())

    def _numbered(self, number: int) -> Sprite | None:
        slots = self._set.slots
        there = 0 <= number < len(slots) and isinstance(slots[number], SpriteRecord)
        return self._over(number) if there else None

    def _named(self, name: str) -> Sprite | None:
        return self._numbered(int(name)) if name.isascii() and name.isdigit() else None


def sprites_of(art: Art, document: object) -> Sprites:
    """The sprites of the game that a file belongs to; none where they are not next to it."""
    return Sprites(art.sprites, lambda: art.palette, document)


def sprite_ref(art: Art, number: int) -> Ref[Sprite]:
    """The reference to a sprite of the game, by the number of its slot."""
    return Ref("sprite", number, sprites_of(art, None).get, file=SPRITE_FILE)


class Script(AgsResource[Holder]):
    """A compiled script; ``number`` counts the scripts of its file."""

    __slots__ = ("_script", "_title")
    _kind = "script"

    def __init__(self, holder: Holder, number: int, script: ScriptRecord, title: str) -> None:
        super().__init__(holder, number)
        self._script = script
        self._title = title

    @property
    def record(self) -> ScriptRecord:
        """The script as stored."""
        return self._script

    @property
    def name(self) -> str:
        """Its name."""
        return self._title

    @property
    def assembly(self) -> str:
        """Its instructions as assembly text."""
        return disassemble(self._script, self._holder.encoding)

    @property
    def source(self) -> str:
        """Its decompiled source; see :func:`overhaul.ags.decompile`."""
        text: str = load("overhaul.ags.decompiler.source:source_of")(self._script, self._holder)
        return text

    @property
    def exports(self) -> list[str]:
        """The functions and variables that other scripts can use."""
        return [export.name for export in self._script.exports]

    @property
    def imports(self) -> list[str]:
        """The names of other scripts and of the engine that it uses."""
        return [name for name in self._script.imports if name]

    def _about(self) -> str:
        return f"{len(self._script.code) // 4} words"


class Translation(AgsResource[Holder]):
    """The texts of a translation."""

    __slots__ = ("_translation",)
    _kind = "dictionary"

    def __init__(self, holder: Holder, translation: TranslationRecord) -> None:
        super().__init__(holder, 0)
        self._translation = translation

    @property
    def record(self) -> TranslationRecord:
        """The translation as stored."""
        return self._translation

    @property
    def name(self) -> str:
        """``texts``, as the folder calls them."""
        return "texts"

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The texts and their translations, which are empty where there are none."""
        shown = self._holder.shown
        return [(shown(str(pair.source)), shown(str(pair.text))) for pair in self.record.pairs]

    def _about(self) -> str:
        return f"{len(self.record.pairs)} texts"
