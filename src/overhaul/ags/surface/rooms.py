"""A room: its backgrounds, its areas and objects, and what its events run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol, cast

from PIL.Image import Image

from overhaul.ags import drawing
from overhaul.ags.drawing.rooms import LAYERS
from overhaul.ags.parallel import show_rows
from overhaul.ags.room.records import MainBlock, RoomEventsBlock, RoomProperties
from overhaul.ags.surface.base import (
    AgsResource,
    Fields,
    HasNeighbours,
    Holder,
    Part,
    Parts,
    Setting,
    function_names,
)
from overhaul.ags.surface.room_parts import Area, Areas, RoomObject
from overhaul.ags.surface.sprites import Script, sprite_ref
from overhaul.document.plainfiles import Within
from overhaul.document.reading import open_data
from overhaul.document.refs import Ref
from overhaul.document.room_views import LayerShown, MaskFile
from overhaul.document.surface import DrawnRoom, ResourceList, counted
from overhaul.errors import FormatError

if TYPE_CHECKING:
    from overhaul.ags.drawing import Area as DrawnArea
    from overhaul.ags.drawing import Art
    from overhaul.ags.room.room import Room as RoomRecord
    from overhaul.ags.surface.base import GameHolder

#: The block of a room's custom properties.
_PROPERTIES: Final = 8
#: The kinds of areas: their names for people, and their purposes.
AREA_KINDS: Final = {
    "hotspots": ("Hotspots", "what can be looked at and used"),
    "regions": ("Regions", "where something happens, or the light is another"),
    "walk_areas": ("Walkable areas", "where characters can go"),
    "walk_behinds": ("Walk-behinds", "what hides those who stand above its baseline"),
}
#: The files of masks, by the kinds of their areas.
_MASK_FILES: Final = {
    "hotspots": "hotspots.png",
    "regions": "regions.png",
    "walk_areas": "walkable.png",
    "walk_behinds": "walk_behinds.png",
}


class RoomHolder(Holder, Protocol):
    """A document of a room.

    ``name`` is that of the file.
    """

    @property
    def name(self) -> str: ...
    @property
    def room(self) -> RoomRecord: ...

    def edit(self, path: str, values: Mapping[str, object]) -> None:
        """Set keys of one of its plain files, such as ``room.json``."""


class LateRoom:
    """A room that is read when it is first looked at: what is known before is its name.

    ``edit`` sets keys of a plain file of the room in the file that has it.
    """

    def __init__(
        self,
        name: str,
        open: Callable[[], RoomHolder],
        edit: Callable[[str, Mapping[str, object]], None],
    ) -> None:
        self.name: str = name
        self._open = open
        self._edit = edit

    def edit(self, path: str, values: Mapping[str, object]) -> None:
        """Set keys of one of its plain files; what is held of it shows that."""
        self._edit(path, values)
        self.__dict__.pop("_opened", None)

    @cached_property
    def _opened(self) -> RoomHolder:
        return self._open()

    @property
    def room(self) -> RoomRecord:
        """The room."""
        return self._opened.room

    @property
    def source(self) -> str | None:
        """The path of its file."""
        return self._opened.source

    @property
    def encoding(self) -> str:
        """The encoding that its texts are shown in."""
        return self._opened.encoding

    @property
    def art(self) -> Art:
        """The sprites and colours next to it."""
        return self._opened.art

    def shown(self, text: str) -> str:
        """A text in that encoding, up to its first NUL."""
        return self._opened.shown(text)


def room_in(holder: HasNeighbours, file: str) -> Room:
    """The room in one of the files next to game data; it is read when it is first looked at."""

    def read() -> RoomHolder:
        near = holder.neighbours
        data = b"" if near is None else near.read(file)
        return cast("RoomHolder", open_data(data, source=file, siblings=near))

    def edit(path: str, values: Mapping[str, object]) -> None:
        holder.edit_next_to(file, path, values)

    return Room(LateRoom(file.rpartition(".")[0], read, edit))


#: The lists of ``room.json`` by the kinds of parts.
PLAIN_LISTS: Final = {
    "hotspots": "Hotspots",
    "regions": "Regions",
    "walk_areas": "WalkableAreas",
    "walk_behinds": "WalkBehinds",
    "objects": "Objects",
}
_ROOM_JSON: Final = "room.json"


class _Drawing:
    """A room made ready to be drawn: what the game shows when it is entered."""

    def __init__(self, room: RoomRecord, art: Art, layers: Sequence[str] | None) -> None:
        self._room = room
        self._art = art
        self._layers = layers

    def image(
        self, region: tuple[int, int, int, int], scale: float = 1.0, *, quick: bool = False
    ) -> Image:
        """A rectangle of it (left, top, width, height), scaled without mixing pixels."""
        del quick
        return drawing.game_image(
            self._room, self._art, layers=self._layers, region=region, scale=scale
        )

    def strips(
        self, region: tuple[int, int, int, int], scale: float = 1.0
    ) -> tuple[tuple[int, int], Iterator[Image]]:
        """The size of :meth:`image`, and that as the one strip."""
        image = self.image(region, scale)
        return image.size, iter([image])


class Room(DrawnRoom, AgsResource[RoomHolder]):
    """A room; sizes and places are in pixels of its first background.

    It has no ``instances`` and no ``creation_code``: these are a script's affair here.
    """

    __slots__ = ("_size",)
    _kind = "room"
    instances: tuple[()] = ()
    creation_code = None

    def __init__(self, holder: RoomHolder, number: int = 0) -> None:
        super().__init__(holder, number)
        self._size: tuple[int, int] | None = None

    @property
    def record(self) -> RoomRecord:
        """The room as stored."""
        return self._holder.room

    @property
    def document(self) -> object:
        """The document it is of; None for a room that was found from another file."""
        return None if isinstance(self._holder, LateRoom) else self._holder

    @property
    def name(self) -> str:
        """The name of its file, without the ending."""
        return self._holder.name

    @property
    def listed(self) -> str:
        """Its entry in ``overhaul ls``: its number, where the name of its file has one."""
        number = self.name.casefold().removeprefix("room")
        return number if number != self.name.casefold() and number.isdecimal() else self.name

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height."""
        if self._size is None:
            self._size = drawing.room_size(self.record)
        return self._size

    @property
    def width(self) -> int:
        """Its width."""
        return self.size[0]

    @property
    def height(self) -> int:
        """Its height."""
        return self.size[1]

    @property
    def bits(self) -> int:
        """Bits of a pixel of its backgrounds."""
        return self.record.depth * 8

    @property
    def has_picture(self) -> bool:
        """Whether there is anything to draw; drawing says why there is nothing."""
        return True

    @property
    def weight(self) -> int:
        """About how many bytes a drawing takes besides its pictures."""
        return 1000

    @property
    def shown_layers(self) -> list[LayerShown]:
        """The parts of its picture, from back to front."""
        return [LayerShown(layer) for layer in LAYERS]

    def drawing(self, *, layers: Iterable[str] | None = None) -> _Drawing:
        """The room made ready to be drawn: ``background`` and ``objects``, or some of them."""
        chosen = [layers] if isinstance(layers, str) else layers
        return _Drawing(self.record, self._holder.art, None if chosen is None else list(chosen))

    def _view(self, number: int) -> tuple[int, int, int, int]:
        raise IndexError("rooms of Adventure Game Studio have no views")

    # -- backgrounds -------------------------------------------------------------------------

    @property
    def background(self) -> Image:
        """The first background, in mode RGB.  Raises FormatError for a damaged one."""
        return self.background_image(0)

    def background_image(self, number: int) -> Image:
        """A background, in mode RGB.  Raises FormatError, and IndexError for a wrong number."""
        return drawing.background_image(self.record, number)

    @property
    def background_count(self) -> int:
        """How many backgrounds it has."""
        return drawing.backgrounds(self.record)

    @property
    def background_speed(self) -> float:
        """Backgrounds a second; 0 where nothing moves."""
        return drawing.background_speed(self.record)

    def overlaid(self, background: int, overlays: Sequence[str]) -> Image:
        """A background with overlays: kinds of areas, ``objects``, ``edges``; mode RGB.

        Raises FormatError for a damaged picture, IndexError and ValueError for what it does not
        have.
        """
        return drawing.room_image(self.record, background, overlays, self._holder.art)

    # -- what is in it -----------------------------------------------------------------------

    def _rows(self, kind: str) -> list[Fields]:
        tables = self.record.tables()
        rows = show_rows(tables, [kind]).get(kind, []) if kind in tables.kinds else []
        return [Fields(row, self._holder.encoding) for row in rows]

    def areas(
        self,
        kind: str,
        draw: Callable[[Callable[[], list[DrawnArea]]], list[DrawnArea]] | None = None,
    ) -> Areas:
        """The areas of a kind (:data:`AREA_KINDS`) that have pixels.

        ``draw`` may keep what finds the pixels.  Raises FormatError for a damaged mask.
        """
        rows, room = self._rows(kind), self.record

        def find() -> list[DrawnArea]:
            return drawing.room_areas(room, kind, self.size)

        lines = drawing.baselines(room, self.size) if kind == "walk_behinds" else {}
        drawn = [
            Area(
                kind,
                area.number,
                rows[area.number] if area.number < len(rows) else self._nothing,
                area,
                lines.get(area.number),
                self._setting(kind, area.number),
            )
            for area in (find() if draw is None else draw(find))
        ]
        return Areas(kind, *AREA_KINDS[kind], drawn, len(rows))

    def edit(self, **values: object) -> None:
        """Set keys of its plain file, ``room.json``, by the names that they have there.

        All of them are set, or none: what packing such an edit refuses is refused with the same
        error.  The document is rebuilt once, so set several at once.
        """
        self._holder.edit(_ROOM_JSON, values)
        self._size = None

    def _setting(self, kind: str, number: int) -> Setting:
        """How a part is set, by its kind and number."""

        def again() -> Part:
            parts: Sequence[Part] = self.objects if kind == "objects" else self._all(kind)
            return parts[number]

        return Setting(
            lambda values: self.edit(**{PLAIN_LISTS[kind]: Within(values, number)}), again
        )

    @property
    def _nothing(self) -> Fields:
        return Fields({}, self._holder.encoding)

    @property
    def masks(self) -> list[MaskFile]:
        """The masks that it may have: one for each kind of areas."""
        return [MaskFile(path, kind, AREA_KINDS[kind][0]) for kind, path in _MASK_FILES.items()]

    def painted(self, kind: str) -> frozenset[int]:
        """The numbers of areas of a kind that have pixels.  Raises FormatError for a damaged
        mask."""
        return frozenset(area.number for area in self.areas(kind).drawn)

    def parts(self, kind: str) -> Parts[Area]:
        """The areas of a kind (:data:`AREA_KINDS`), by number; those without pixels too."""
        return self._all(kind)

    def _all(self, kind: str) -> Parts[Area]:
        drawn = {area.number: area for area in self.areas(kind).drawn}
        return Parts(
            drawn.get(number) or Area(kind, number, fields, None, None, self._setting(kind, number))
            for number, fields in enumerate(self._rows(kind))
        )

    @property
    def hotspots(self) -> Parts[Area]:
        """The hotspots, by number; those without pixels too."""
        return self._all("hotspots")

    @property
    def regions(self) -> Parts[Area]:
        """The regions, by number."""
        return self._all("regions")

    @property
    def walkable_areas(self) -> Parts[Area]:
        """The walkable areas, by number."""
        return self._all("walk_areas")

    @property
    def walkable(self) -> Parts[Area]:
        """The walkable areas, as the folder calls their mask."""
        return self.walkable_areas

    @property
    def walk_behinds(self) -> Parts[Area]:
        """The walk-behinds, by number."""
        return self._all("walk_behinds")

    @property
    def objects(self) -> Parts[RoomObject]:
        """The objects, by number, and by the name that scripts have: ``room.objects["oKey"]``."""
        rows, art = self._rows("objects"), self._holder.art
        stored = [] if self.record.main is None else self.record.main.objects
        return Parts(
            RoomObject(
                placed,
                stored[placed.number],
                rows[placed.number] if placed.number < len(rows) else self._nothing,
                sprite_ref(art, placed.sprite),
                self._setting("objects", placed.number),
            )
            for placed in drawing.placed(self.record, art, self.size)
        )

    def sprite_image(self, number: int) -> Image | None:
        """A sprite of the game in the colours of the room; None where there is none."""
        art = self._holder.art
        try:
            palette = drawing.object_palette(self.record, art)
        except FormatError:
            palette = None
        return art.sprite(number, palette)

    @property
    def edges(self) -> dict[str, int]:
        """The edges that characters leave the room over: left, top, right, bottom."""
        return drawing.edges(self.record, self.size)

    @property
    def script_name(self) -> str:
        """Empty: scripts know rooms by number."""
        return ""

    @property
    def functions(self) -> list[str]:
        """The functions of its script that its own events run."""
        names: list[str] = []
        for block in self.record.blocks.blocks:
            if isinstance(block.content, MainBlock):
                names += function_names(block.content.room_events)
            elif isinstance(block.content, RoomEventsBlock):
                names += function_names(block.content.room_handlers)
        return names

    @property
    def properties(self) -> dict[str, str]:
        """Its own custom properties."""
        block = self.record.blocks.find(_PROPERTIES, RoomProperties)
        if block is None:
            return {}
        stored = [(item.name, item.value) for item in block.room.values]
        stored += [(item.name, item.value) for item in block.room.old_values]
        encoding = self._holder.encoding
        pairs = (Fields({"name": name, "value": value}, encoding) for name, value in stored)
        return {fields.text("name"): fields.text("value") for fields in pairs}

    @property
    def messages(self) -> list[str]:
        """The messages of the room."""
        return [fields.text("text") for fields in self._rows("messages")]

    @property
    def script(self) -> Script | None:
        """Its compiled script; None without one."""
        script = self.record.script
        return None if script is None else Script(self._holder, 0, script, script.name)

    @property
    def problem(self) -> str:
        """Why it can't be drawn; empty where it can."""
        if self.record.main is None:
            return "its main block is not understood"
        try:
            drawing.background_image(self.record)
        except (FormatError, IndexError) as error:
            return str(error)
        return ""

    @property
    def no_sprites(self) -> str:
        """The reason why the sprites of its objects are not known; empty if they are."""
        main = self.record.main
        return self._holder.art.problem if main is not None and main.objects else ""

    def _about(self) -> str:
        main = self.record.main
        objects = 0 if main is None else len(main.objects)
        return f"{self.width}×{self.height}, {counted(objects, 'object')}"


# -- all rooms of a game -------------------------------------------------------------------------


class Rooms(ResourceList[Room]):
    """The rooms of a game, by their numbers: the files ``room12.crm`` next to the game data.

    A room is read when it is first looked at.
    """

    def __init__(self, holder: GameHolder) -> None:
        self._holder = holder

    @property
    def kind(self) -> str:
        """The kind of one of them in ``overhaul ls``."""
        return "room"

    def _files(self) -> dict[int, str]:
        """The name of the file of each number."""
        near = self._holder.neighbours
        names = [] if near is None else near.names()
        files = {}
        for name in names:
            stem, _, ending = name.casefold().rpartition(".")
            number = stem.removeprefix("room")
            if ending == "crm" and stem != number and number.isascii() and number.isdigit():
                files[int(number)] = name
        return dict(sorted(files.items()))

    def __len__(self) -> int:
        return len(self._files())

    def __iter__(self) -> Iterator[Room]:
        return filter(None, map(self._numbered, self._files()))

    def _named(self, name: str) -> Room | None:
        """The room of a file's name, or of its number as text."""
        return self._numbered(int(name)) if name.isdecimal() else super()._named(name)

    def numbers(self) -> list[int]:
        """The numbers of the rooms."""
        return list(self._files())

    def _numbered(self, number: int) -> Room | None:
        file = self._files().get(number)
        return None if file is None else room_in(self._holder, file)


def room_ref(holder: GameHolder, number: int) -> Ref[Room]:
    """The reference to a room by its number."""
    return Ref("room", number, Rooms(holder).get, file=f"room{number}.crm")
