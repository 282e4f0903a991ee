"""A room (.crm) as a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from overhaul.ags import drawing
from overhaul.ags.documents.base import AgsDocument, Tally, code_page, has_foreign_texts
from overhaul.ags.documents.code import HasScripts
from overhaul.ags.documents.lists import EDIT, Edited
from overhaul.ags.properties import TextMap
from overhaul.ags.room.room import Room
from overhaul.ags.script.model import Script
from overhaul.document.protocol import Buffer, Siblings
from overhaul.document.registry import load
from overhaul.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from PIL import Image

    from overhaul.ags.surface.rooms import Room as RoomSurface
    from overhaul.document.stored import Stored
    from overhaul.document.views import ResourceView


class RoomDocument(HasScripts, AgsDocument):
    """A room (.crm)."""

    kind = "ags-room"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.room: Room = Room()

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the room."""
        self.room = Room.read(data, source=self.source, strict=self.strict)
        self.version: str = str(self.room.version)
        self.findings.extend(self.room.blocks.findings)

    def image(self, background: int = 0, overlays: Sequence[str] = ()) -> Image.Image:
        """The room as a picture; see :func:`overhaul.ags.drawing.rooms.room_image`."""
        return drawing.room_image(self.room, background, overlays, self.art)

    @property
    def name(self) -> str:
        """The name of its file, without its ending; ``room`` where that is not known."""
        file = (self.source or "room").replace("\\", "/").rpartition("/")[2].rpartition("!")[2]
        return file.rpartition(".")[0] or file

    #: the kinds of pictures
    drawn_kinds: Sequence[str] = ("room",)

    @property
    def surface(self) -> RoomSurface:
        """The room as people look at it: its backgrounds, hotspots, objects ..."""
        return cast("RoomSurface", load("overhaul.ags.surface.rooms:Room")(self))

    def sole_resource(self) -> ResourceView | None:
        """The room."""
        return self.surface

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The room, and its script."""
        surface = self.surface
        if kind == "room":
            return [surface]
        script = surface.script if kind == "script" else None
        return [] if script is None else [script]

    def stored(self, kind: str, position: int, name: str) -> Sequence[Stored]:
        """The bytes of the room, of its script, of a background, a mask or a block."""
        parts: Sequence[Stored] = load("overhaul.ags.stored:stored_in_room")(
            self.room, self.to_bytes(), kind, position, name
        )
        return parts

    def stored_parts(self) -> Sequence[Stored]:
        """The header and the blocks."""
        parts: Sequence[Stored] = load("overhaul.ags.stored:room_parts")(self.room, self.to_bytes())
        return parts

    def compiled_scripts(self) -> Iterable[tuple[str, Script]]:
        """The room's script."""
        script = self.room.script
        return [] if script is None else [(script.name or "script", script)]

    def edit(self, path: str, values: Mapping[str, object]) -> None:
        """Set keys of one of its plain files (``room.json``), as packing an edited folder does.

        Raises what :func:`overhaul.pack` raises for such an edit; then nothing is changed.
        """
        built: Edited = load(EDIT)(self, path, values)
        self.room = Room.read(built.data, source=self.source, strict=self.strict)
        self.size: int = len(built.data)
        self.findings.extend(built.findings)

    def to_bytes(self) -> bytes:
        """The room, rebuilt from the model."""
        return self.room.to_bytes()

    def info(self) -> dict[str, object]:
        """The room's version, size and contents."""
        room = self.room
        facts: dict[str, object] = {"kind": self.kind, "room_version": room.version}
        if room.compiled_with:
            facts["compiled_with"] = room.compiled_with
        main = room.main
        if main is not None:
            facts |= {
                "width": main.width,
                "height": main.height,
                "bytes_per_pixel": room.depth,
                "backgrounds": len(room.backgrounds()) or 1,
                "hotspots": len(main.hotspot_names),
                "objects": len(main.objects),
                "regions": main.region_count,
                "messages": len(main.messages),
            }
        if room.script is not None:
            facts["script_version"] = room.script.version
            facts["script_words"] = len(room.script.code) // 4
        facts["blocks"] = [block.id for block in room.blocks.blocks]
        facts["encoding"] = self.encoding
        return facts

    def tally(self, tally: Tally) -> None:
        """Pictures are media, except for those that can't be unpacked."""
        room = self.room
        tally.add_blocks(room.blocks)
        tally.add_opaque(0, "trailing", len(room.trailing), "bytes after the blocks")
        for index, picture in enumerate(room.backgrounds()):
            try:
                picture.pixels(room.depth)
                tally.media += len(picture.packed)
            except FormatError as error:
                reason = f"broken: {error.message}"
                tally.add_opaque(0, f"backgrounds[{index}]", len(picture.packed), reason)
        tally.media += sum(len(mask.packed) for _, mask in room.masks())
        if room.old_background is not None:
            tally.media += len(room.old_background.packed)

    def locate(self, offset: int) -> str:
        """The block that an offset lies in."""
        return self.room.blocks.locate(offset)

    def declared_encoding(self) -> str | None:
        """The code page that the room's options name."""
        options = self.room.blocks.find("ext_sopts", TextMap)
        named = options.get("textencoding") if options is not None else None
        return None if named is None else code_page(named)

    def has_foreign_texts(self) -> bool:
        """Whether a text of the room is not UTF-8."""
        blocks = self.room.blocks.blocks
        return has_foreign_texts([self.room.compiled_with, *(block.content for block in blocks)])
