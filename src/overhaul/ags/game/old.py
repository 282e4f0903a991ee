"""Game data before 2.5 (data versions 5 to 12): the beginning, field by field.

The file is the engine's own structure in memory, pointers and unused elements included, and then
what some of the pointers pointed to.  Found by comparing real files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from overhaul.ags.detect import SCRIPT as SIGNATURE
from overhaul.ags.fields import FixedText, cstr, new, zeros
from overhaul.ags.game import gui
from overhaul.ags.game.dialogs import GUI_MAGIC, DialogData
from overhaul.ags.game.resources import (
    AnyCharacter,
    Cursor,
    Frame,
    InventoryItem,
    SpriteFolder,
    Word,
)
from overhaul.ags.properties import EventBlock
from overhaul.ags.script.model import Script, read_script, write_script
from overhaul.ags.text import add_key, subtract_key
from overhaul.ags.versions import GUI_FIRST, is_known_gui
from overhaul.errors import FormatError
from overhaul.schema import (
    Buffer,
    Bytes,
    Counted,
    Inline,
    Reader,
    Record,
    Scheme,
    SizedBytes,
    Times,
    VariableCodec,
    Writer,
    codec_for,
    count_of,
    given,
    i8,
    i16,
    i32,
    since,
    u8,
    u16,
)
from overhaul.schema.jsonable import from_jsonable, to_jsonable

if TYPE_CHECKING:
    from overhaul.schema.spans import Walk, Way


class InterfaceButton(Record):
    """A button of an interface."""

    x: i32 = 0
    y: i32 = 0
    picture: i32 = 0
    mouse_over_picture: i32 = 0
    pushed_picture: i32 = 0
    actions: Annotated[list[i16], Times(6)] = zeros(6)
    flags: i32 = 0


class Interface(Record):
    """A bar of buttons, before there were GUIs."""

    x: i32 = 0
    y: i32 = 0
    x2: i32 = 0
    y2: i32 = 0
    background_colour: i32 = 0
    foreground_colour: i32 = 0
    border_colour: i32 = 0
    text_x: i32 = 0
    text_y: i32 = 0
    text_alignment: i32 = 0
    text: Annotated[str, FixedText(40)] = ""
    button_count: i32 = 0
    buttons: Annotated[list[InterfaceButton], Times(20)] = []
    flags: i32 = 0
    reserved: i32 = 0
    popup_y: i32 = 0
    popup: u8 = 0
    on: u8 = 0
    padding: Annotated[bytes, Bytes(2)] = bytes(2)


class _Program(VariableCodec[Script | bytes]):
    """The compiled global script: SCOM, or, before 2.1, a SeeR program behind its length."""

    minimum = 4

    def type_name(self) -> str:
        return "SCOM; before 2.1, u32 length and a SeeR program"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[Script | bytes, int]:
        if bytes(data[position : position + 4]) == SIGNATURE:
            return read_script(data, position, reader)
        return SizedBytes().read(data, position, reader)

    def write(self, writer: Writer, value: Script | bytes) -> None:
        if isinstance(value, Script):
            write_script(writer, value)
        else:
            SizedBytes().write(writer, value)


class EarlyView(Record):
    """A view: always 8 loops of 10 frames, the unused ones with old content."""

    loop_count: i16 = 0
    frame_counts: Annotated[list[i16], Times(8)] = zeros(8)
    padding: i16 = 0
    frames: Annotated[list[Frame], Times(80)] = []


class EarlyCharacter(AnyCharacter):
    """A character."""

    loop: i16 = 0
    frame: i16 = 0
    walking: i16 = 0
    animating: i16 = 0
    walk_speed: i16 = 0
    animation_delay: i16 = 0
    inventory: Annotated[list[i16], Times(100)] = zeros(100)
    actual_x: i16 = 0
    actual_y: i16 = 0
    name: Annotated[str, FixedText(30)] = ""
    script_name: Annotated[str, FixedText(16)] = ""
    on: u8 = 0
    padding: u8 = 0


class EarlyDialog(Record):
    """A dialog's options."""

    options: Annotated[list[Annotated[str, FixedText(70)]], Times(15)] = []
    padding: Annotated[bytes, Bytes(2)] = bytes(2)
    option_flags: Annotated[list[i32], Times(15)] = zeros(15)
    pointer: i32 = 0
    entry_points: Annotated[list[i16], Times(15)] = zeros(15)
    start_entry: i16 = 0
    code_size: u16 = 0
    padding_2: Annotated[bytes, Bytes(2)] = bytes(2)
    option_count: i32 = 0


def _messages(pointers: list[int]) -> int:
    return sum(1 for pointer in pointers if pointer)


class VersionedGuis(VariableCodec[tuple[int, gui.GuiSection]]):
    """The GUIs with their version before them: (version, GUIs).

    The first editors that had them wrote no version; theirs is taken as 99.
    """

    def type_name(self) -> str:
        return "the magic number, i32 GUI version (from 100 on), GuiSection"

    def walk(self, walk: Walk, position: int, way: Way) -> None:
        """Walk through the version, the GUIs and controls."""
        start = position + 4
        version = int.from_bytes(walk.data[start : start + 4], "little", signed=True)
        walk.add((*way, "magic"), "the magic number", position, start, GUI_MAGIC)
        if version <= GUI_FIRST:
            version = GUI_FIRST
        else:
            walk.add((*way, "gui_version"), "i32", start, start + 4, version)
            start += 4
        with walk.at(version):
            walk.record(gui.GuiSection, start, (*way, "guis"))

    def read(
        self, data: Buffer, position: int, reader: Reader
    ) -> tuple[tuple[int, gui.GuiSection], int]:
        if bytes(data[position : position + 4]) != GUI_MAGIC:
            raise reader.fail("expected the magic number of the GUIs", position)
        start = position + 4
        version = int.from_bytes(data[start : start + 4], "little", signed=True)
        if version <= GUI_FIRST:
            version = GUI_FIRST
        elif not is_known_gui(version):
            raise reader.fail(f"unknown GUI version {version}", start)
        else:
            start += 4
        section, end = codec_for(gui.GuiSection, version).read(data, start, reader)
        return (version, section), end

    def write(self, writer: Writer, value: tuple[int, gui.GuiSection]) -> None:
        version, section = value
        writer.out += GUI_MAGIC
        if version != GUI_FIRST:
            writer.out += version.to_bytes(4, "little")
        codec_for(gui.GuiSection, version).write(writer, section)

    def to_jsonable(self, value: tuple[int, gui.GuiSection], scheme: Scheme) -> object:
        version, section = value
        return {"gui_version": version, **to_jsonable(section, Scheme(version))}

    def from_jsonable(self, value: object, scheme: Scheme) -> tuple[int, gui.GuiSection]:
        rest = dict(value) if isinstance(value, dict) else {}
        version = rest.pop("gui_version", None)
        if not isinstance(version, int) or (version != GUI_FIRST and not is_known_gui(version)):
            raise FormatError(f"unknown GUI version {version!r}")
        return version, from_jsonable(gui.GuiSection, rest, Scheme(version))


class OldGameContent(Record):
    """All of the file after its header."""

    name: Annotated[str, FixedText(30)] = ""
    options: Annotated[bytes, Bytes(20)] = bytes(20)
    palette_uses: Annotated[bytes, Bytes(256)] = bytes(256)
    palette: Annotated[bytes, Bytes(1024), "r, g, b, filler of each colour"] = bytes(1024)
    padding: Annotated[bytes, Bytes(2)] = bytes(2)
    interfaces: Annotated[list[Interface], Times(10)] = []
    interface_count: i32 = 0
    view_count: ClassVar[i32] = count_of("views")
    cursors: Annotated[list[Cursor], Times(10)] = []
    global_script_pointer: i32 = 0
    character_count: ClassVar[i32] = count_of("characters")
    characters_pointer: i32 = 0
    character_conditions: Annotated[list[EventBlock], Times(50)] = []
    inventory_conditions: Annotated[list[EventBlock], Times(100)] = []
    compiled_script_pointer: i32 = 0
    player_character: i32 = 0
    sprite_flags: Annotated[bytes, Bytes(2100)] = bytes(2100)
    total_score: i32 = 0
    inventory_count: i16 = 0
    padding_2: Annotated[bytes, Bytes(2)] = bytes(2)
    inventory: Annotated[list[InventoryItem], Times(100)] = []
    dialog_count: ClassVar[i32] = count_of("dialogs")
    dialog_message_count: ClassVar[i32] = count_of("dialog_messages")
    font_count: i32 = 0
    colour_depth: i32 = 0
    target_win: i32 = 0
    dialog_bullet: i32 = 0
    hot_dot_colour: u16 = 0
    hot_cross_colour: u16 = 0
    unique_id: i32 = 0
    reserved: Annotated[list[i32], Times(2)] = zeros(2)
    language_count: i16 = 0
    language_codes: Annotated[bytes, Bytes(15)] = bytes(15)
    padding_3: Annotated[bytes, Bytes(3)] = bytes(3)
    message_pointers: Annotated[list[i32], Times(500)] = zeros(500)
    font_flags: Annotated[list[u8], Times(10), since(6)] = zeros(10)
    font_outlines: Annotated[list[i8], Times(10), since(6)] = zeros(10)
    gui_count: Annotated[i32, since(6)] = 0
    dictionary_pointer: Annotated[i32, since(6)] = 0
    reserved_2: Annotated[list[i32], Times(8), since(6)] = zeros(8)
    more_sprite_flags: Annotated[bytes, Bytes(6000), since(11)] = bytes(6000)
    dictionary: Annotated[
        list[Word],
        Inline("i"),
        since(6),
        given("dictionary_pointer"),
    ] = []
    global_script_source: Annotated[
        bytes,
        SizedBytes(),
        given("global_script_pointer"),
        "obfuscated",
    ] = b""
    compiled_script: Annotated[Script | bytes, _Program(), given("compiled_script_pointer")] = b""

    views: Annotated[list[EarlyView], Counted("view_count")] = []
    sprite_folders: Annotated[list[SpriteFolder], Inline("i")] = []
    characters: Annotated[list[EarlyCharacter], Counted("character_count")] = []
    messages: Annotated[list[cstr], Counted("message_pointers", count=_messages)] = []
    dialogs: Annotated[list[EarlyDialog], Counted("dialog_count")] = []
    dialog_data: Annotated[list[tuple[bytes, bytes]], DialogData()] = []
    dialog_messages: Annotated[list[cstr], Counted("dialog_message_count")] = []
    guis: Annotated[
        tuple[int, gui.GuiSection],
        VersionedGuis(),
        since(6),
        given("gui_count"),
    ] = new(lambda: (GUI_FIRST, gui.GuiSection()))

    @property
    def source(self) -> bytes:
        """The source text of the global script."""
        return subtract_key(self.global_script_source).removesuffix(b"\0")

    @source.setter
    def source(self, text: bytes) -> None:
        self.global_script_source = add_key(text + b"\0")
