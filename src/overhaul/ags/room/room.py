"""A room as a model: its version and its blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.blockdata import DecodedBlocks, decode_blocks
from overhaul.ags.blocks import (
    OLD_ROOM,
    ROOM,
    Block,
    BlockFormat,
    BlockId,
    BlockList,
    read_blocks,
)
from overhaul.ags.detect import ROOM as SIGNATURE
from overhaul.ags.events import HOTSPOT_EVENTS, OBJECT_EVENTS, REGION_EVENTS
from overhaul.ags.parallel import MAIN, Column, ParallelKind, Tables
from overhaul.ags.pictures import expand_palette
from overhaul.ags.room.pictures import LzwPicture, Mask
from overhaul.ags.room.records import (
    BLOCKS,
    FRAMES_BLOCK,
    MAIN_BLOCK,
    OBJECT_NAMES_BLOCK,
    SCRIPT_BLOCK,
    SOURCE_BLOCK,
    AnimatedBackgrounds,
    MainBlock,
    ObjectNames,
    Point,
    SourceText,
)
from overhaul.ags.script.model import Script
from overhaul.ags.shapes import by_event
from overhaul.ags.text import decode, encode
from overhaul.ags.versions import (
    GAME_EIGHT_BIT_PALETTES,
    ROOM_BLOCKS,
    ROOM_LONG_BLOCKS,
    ROOM_NEWEST,
    ROOM_OLDEST,
    ROOM_REGIONS,
    ROOM_SHARED,
    ROOM_SHORT_AGS4,
)
from overhaul.ags.words import Flags, Shown, form
from overhaul.errors import FormatError, UnsupportedVersion
from overhaul.schema.record import short_repr

_SCRIPTS: Final[frozenset[BlockId]] = frozenset({SCRIPT_BLOCK})
#: The most areas, where a room does not count them.
_AREAS: Final = 16
_OLD_HOTSPOTS: Final = 20
#: Rooms without a block list are known by this number of walk-behinds at their beginning.
UNDIVIDED_WALK_BEHINDS: Final = 15
MASKS: Final = ("region", "walkable", "walk_behind", "hotspot")


def block_format(version: int) -> BlockFormat:
    """The layout of the block list of a room version."""
    return OLD_ROOM if version < ROOM_LONG_BLOCKS else ROOM


def room_size(data: bytes | memoryview) -> int:
    """The size in bytes of the room at the start of ``data``.  Raises FormatError.

    Rooms before version 5 do not store their size, and are taken to fill the data.
    """
    room = Room()
    position = room.read_header(data, None)
    if room.undivided:
        return len(data)
    return position + read_blocks(data, block_format(room.version), position).size


@dataclass(slots=True)
class Room:
    """A room.  A room before version 5 is undivided: all of it is taken as a main block.

    ``uneven`` are lists whose length was wrong when they were read.  ``version`` is the room
    version, ``blocks`` has all blocks, ``trailing`` the bytes behind them; ``compiled_with`` names
    the editor, where the file does.
    """

    __repr__ = short_repr

    version: int = 33
    compiled_with: str = ""
    blocks: DecodedBlocks = field(default_factory=lambda: DecodedBlocks(ROOM, 33))
    trailing: bytes = b""
    uneven: set[str] = field(default_factory=set)

    @classmethod
    def read(
        cls, data: bytes | memoryview, *, source: str | None = None, strict: bool = False
    ) -> Room:
        """The room in ``data``.  Raises FormatError, UnsupportedVersion."""
        room = cls()
        position = room.read_header(data, source)
        try:
            if room.undivided:
                only = Block.of(MAIN_BLOCK, bytes(data[position:]))
                blocks = BlockList(OLD_ROOM, [only])
                list_position = position - only.header_size(OLD_ROOM)
            else:
                blocks = read_blocks(data, block_format(room.version), position)
                list_position = position
        except FormatError as error:
            error.source = source
            raise
        room.blocks = decode_blocks(
            blocks,
            list_position,
            room.version,
            BLOCKS,
            scripts=_SCRIPTS,
            refuse=room._refuse,
            strict=strict,
            source=source,
        )
        if not room.undivided:
            room.trailing = bytes(data[position + blocks.size :])
        room.uneven = room.tables().uneven()
        return room

    def read_header(self, data: bytes | memoryview, source: str | None) -> int:
        """Read version and compiler; return the position after them."""
        if bytes(data[: len(SIGNATURE)]) != SIGNATURE:
            if len(data) < 3:
                raise FormatError("the data is too short for a room", source=source, offset=0)
            self.version = int.from_bytes(data[:2], "little")
            position = 2
        else:
            position = len(SIGNATURE)
            self.version = int.from_bytes(data[position : position + 4], "little", signed=True)
            length = int.from_bytes(data[position + 4 : position + 8], "little")
            end = position + 8 + length
            if end > len(data):
                raise FormatError("the room ends in its header", source=source, offset=position)
            self.compiled_with = decode(bytes(data[position + 8 : end]))
            position = end
        if not ROOM_OLDEST <= self.version <= ROOM_NEWEST:
            raise UnsupportedVersion(
                f"unknown room version {self.version}", source=source, offset=0
            )
        return position

    def _refuse(self, id: BlockId) -> str:
        return "a script compiled before 2.1" if id in (3, 4) else ""

    def to_bytes(self) -> bytes:
        """The room as stored in a file."""
        if self.compiled_with or self.version >= 1 << 16:
            name = encode(self.compiled_with)
            header = SIGNATURE + self.version.to_bytes(4, "little", signed=True)
            header += len(name).to_bytes(4, "little") + name
        else:
            header = self.version.to_bytes(2, "little")
        blocks = self.blocks.blocks
        self.tables().check(self.uneven)
        if self.undivided and len(blocks) == 1:
            return header + blocks[0].encode(self.version).data
        return header + self.blocks.to_list().to_bytes() + self.trailing

    # -- what a room has ---------------------------------------------------------------------

    def tables(self) -> Tables:
        """The things of the room, each with all that is stored of it."""
        main = self.main
        if main is None:
            return Tables((), {})
        return Tables(KINDS, {MAIN: (main, self.version)}, self.blocks)

    @property
    def undivided(self) -> bool:
        """Whether the room has no block list."""
        return self.version < ROOM_BLOCKS

    @property
    def main(self) -> MainBlock | None:
        """The main block, or None where it is kept as bytes."""
        return self.blocks.find(MAIN_BLOCK, MainBlock)

    @property
    def script(self) -> Script | None:
        """The compiled script, or None."""
        return self.blocks.find(SCRIPT_BLOCK, Script)

    @property
    def source(self) -> SourceText | None:
        """The source of the script, or None."""
        return self.blocks.find(SOURCE_BLOCK, SourceText)

    @property
    def depth(self) -> int:
        """Bytes per pixel of the backgrounds."""
        main = self.main
        return (main.depth or 1) if main is not None else 1

    @property
    def is_modern(self) -> bool:
        """Whether AGS 3.6.0 or later wrote it: masks are packed whole, and LZW another way.

        Room version 33 is of both times; only the later editors write string options.
        """
        if self.version < ROOM_SHARED or self.version >= ROOM_SHORT_AGS4:
            return self.version >= ROOM_SHORT_AGS4
        return self.blocks.get("ext_sopts") is not None

    @property
    def palette_bits(self) -> int:
        """Bits of a component of the backgrounds' palettes."""
        return 8 if self.version >= GAME_EIGHT_BIT_PALETTES else 6

    def areas(self, mask: str) -> int:
        """How many areas a mask may have, area 0 included: ``mask`` is one of MASKS."""
        main, tables = self.main, self.tables()
        if main is None:
            return 256
        if mask == "hotspot":
            return tables.count("hotspots") or _OLD_HOTSPOTS
        if mask == "region":
            return tables.count("regions") or _AREAS
        if mask == "walkable":
            return max(_AREAS, tables.count("walk_areas"))
        return max(_AREAS, tables.count("walk_behinds"))

    def backgrounds(self) -> list[LzwPicture]:
        """The main background and the further frames."""
        main = self.main
        pictures = [main.background] if main is not None and not self.undivided else []
        more = self.blocks.find(FRAMES_BLOCK, AnimatedBackgrounds)
        return pictures + more.frames if more is not None else pictures

    def palette(self, picture: LzwPicture | Mask) -> bytes:
        """The colours of a background, or of a mask, as 8-bit r, g, b."""
        if isinstance(picture, Mask):
            return expand_palette(picture.palette)
        triples = bytes(byte for i, byte in enumerate(picture.palette) if i % 4 != 3)
        return expand_palette(triples, self.palette_bits)

    def object_names(self) -> list[str]:
        """The names of the objects, as far as the room has them."""
        block = self.blocks.find(OBJECT_NAMES_BLOCK, ObjectNames)
        return [] if block is None else list(block.names)

    @property
    def old_background(self) -> Mask | None:
        """The background of a room before version 5, packed as a mask is; or None."""
        main = self.main
        return main.old_background if main is not None and self.undivided else None

    def masks(self) -> Iterator[tuple[str, Mask]]:
        """(name, mask) of each area mask: region, walkable, walk_behind, hotspot."""
        main = self.main
        if main is None:
            return
        for name in MASKS:
            if name == "region" and self.version < ROOM_REGIONS:
                continue
            yield name, getattr(main, f"{name}_mask")


#: Hotspots and objects share the list of properties.
_OWNERS: Final = ("hotspots", "objects")
_EVENTS: Final = "v400_eventtables"
_AREA_NAMES: Final = "v400_areanames"

_POINT: Final = form(0, Point, "x y")
_OBJECT_FLAGS: Final = Flags(
    {
        "!Clickable": 1,
        "IgnoreWalkBehinds": 2,
        "UseRoomAreaLighting": 8,
        "UseRoomAreaScaling": 16,
        "Solid": 32,
    }
)


def _events(names: Sequence[str]) -> Shown:
    return Shown("Interactions", by_event(names))


KINDS: Final = (
    ParallelKind(
        "hotspots",
        (
            Column("name", "hotspot_names", shows=Shown("Description")),
            Column("script_name", "hotspot_script_names", shows=Shown("Name")),
            Column("walk_to", "walk_to_points", shows=Shown("WalkTo", _POINT)),
            Column("conditions", "hotspot_conditions"),
            Column("interaction", "hotspot_interactions"),
            Column("events", "hotspot_events", shows=_events(HOTSPOT_EVENTS)),
            Column("properties", "sets", 8, joined=_OWNERS),
            Column("event_handlers", "hotspots.tables", _EVENTS),
        ),
    ),
    ParallelKind(
        "objects",
        (
            Column("", "objects"),
            Column("name", "names", 5, shows=Shown("Description")),
            Column("script_name", "names", 9, shows=Shown("Name")),
            Column("", "objects", _AREA_NAMES),
            Column("interaction", "object_interactions"),
            Column("events", "object_events", shows=_events(OBJECT_EVENTS)),
            Column("baseline", "object_baselines", shows=Shown("Baseline")),
            Column("flags", "object_flags", shows=_OBJECT_FLAGS),
            Column("properties", "sets", 8, joined=_OWNERS),
            Column("options", "objects", "v363_objects"),
            Column("blending", "objects", "ext_ags399"),
            Column("anchor", "objects", "v400_objopts2"),
            Column("event_handlers", "objects.tables", _EVENTS),
        ),
    ),
    ParallelKind(
        "regions",
        (
            Column("light", "region_light", shows=Shown("LightLevel")),
            Column("tint", "region_tint", shows=Shown("Tint")),
            Column("name", "regions", _AREA_NAMES, shows=Shown("Name")),
            Column("interaction", "region_interactions"),
            Column("events", "region_events", shows=_events(REGION_EVENTS)),
            Column("properties", "regions", "v400_customprops"),
            Column("event_handlers", "regions.tables", _EVENTS),
        ),
    ),
    ParallelKind(
        "walk_areas",
        (
            Column("scaling_far", "scaling_far", shows=Shown("ScalingFar")),
            Column("scaling_near", "scaling_near", shows=Shown("ScalingNear")),
            Column("scaling_top", "scaling_top", shows=Shown("ScalingTop")),
            Column("scaling_bottom", "scaling_bottom", shows=Shown("ScalingBottom")),
            Column("player_view", "player_view", shows=Shown("AreaSpecificView", to="views")),
            Column("name", "walk_areas", _AREA_NAMES, shows=Shown("Name")),
            Column("options", "areas", "v400_walkopts"),
            Column("properties", "walk_areas", "v400_customprops"),
        ),
    ),
    ParallelKind(
        "walk_behinds",
        (
            Column("baseline", "walk_behind_baselines", shows=Shown("Baseline")),
            Column("name", "walk_behinds", _AREA_NAMES, shows=Shown("Name")),
        ),
    ),
    ParallelKind(
        "messages", (Column("text", "messages", shows=Shown("Text")), Column("", "message_info"))
    ),
)
"""Each kind of thing."""
