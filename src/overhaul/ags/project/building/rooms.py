"""The rooms of a project with their scripts, compiled again."""

from __future__ import annotations

from overhaul.ags.blockdata import DecodedBlock
from overhaul.ags.blocks import Block
from overhaul.ags.decompiler.proof import differences
from overhaul.ags.project.handlers import handlers_in
from overhaul.ags.room.records import SCRIPT_BLOCK
from overhaul.ags.room.room import Room
from overhaul.ags.script.model import Script
from overhaul.ags.versions import ROOM_GAME_ID


def with_script(
    data: bytes, script: Script, unique_id: int, source: str
) -> tuple[bytes, list[str]]:
    """A room with another script, for the game of a number; the same bytes where it has both.

    The second are functions that events of the room run, and the script lacks.

    The editor compiles a room only when its script or a header changes, so the tables of the one
    in the room may list names that no longer exist, or lack new ones. A script with the same
    code and the same names stays unchanged. Raises FormatError for a file that is not a room.
    """
    room = Room.read(data, source=source)
    main = room.main
    held = room.blocks.get(SCRIPT_BLOCK)
    exported = {export.name.partition("$")[0] for export in script.exports}
    missing = [name for name in handlers_in(room) if name not in exported]
    belongs = main is None or room.version < ROOM_GAME_ID or main.game_id == unique_id
    if belongs and room.script is not None and _is_same(room.script, script):
        return data, missing
    if main is not None and room.version >= ROOM_GAME_ID:
        main.game_id = unique_id
    if held is None:
        held = DecodedBlock(Block.of(SCRIPT_BLOCK), script)
        room.blocks.blocks.insert(1, held)
    held.content, held.rest = script, b""
    return room.to_bytes(), missing


def _is_same(held: Script, made: Script) -> bool:
    """Whether two scripts have the same code, data and exports, and use the same names."""
    used = [{name for name in script.imports if name} for script in (held, made)]
    return used[0] == used[1] and not any(True for _ in differences(held, made))
