"""New code that no other file mentions: its name says what runs it.

A file ``gml_Object_obj_player_Step_0.gml`` that is new in the folder becomes that event of that
object, ``gml_Room_rm_first_Create.gml`` the creation code of that room.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.scpt import Script, ScriptCode
from overhaul.gamemaker.data.code import additions
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.owners import uses
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data_folder.names import name_of


def attach(
    game: GameData, added: list[CodeEntry], settled: Collection[int], *, list_scripts: bool
) -> Iterator[CodeEntry]:
    """Let objects and rooms run new code that nothing runs yet; yield the entries that are left.

    ``settled`` has the ids of records whose files list all code that they run; ``list_scripts``
    says whether SCPT gets new code of rooms too, where the game lists such code there.
    """
    script = GLOBAL_SCRIPT_PREFIX if game.release.at_least(2, 3) else SCRIPT_PREFIX
    waiting = [entry for entry in added if not name_of(entry).startswith(script)]
    users = {id(reference) for reference in code_users(game)} if waiting else set()
    lists = list_scripts and bool(waiting) and additions.lists_room_code(game, waiting)
    for entry in waiting:
        reference = game.records.code.reference_to(entry)
        if id(reference) not in users and not _attached(game, entry, reference, settled):
            yield entry
        elif lists:
            _list_room_code(game, entry, reference)


def _attached(
    game: GameData, entry: CodeEntry, reference: Reference[CodeEntry], settled: Collection[int]
) -> bool:
    """Attach code to the place that its name gives, if that place is free."""
    place = additions.place_of(game, name_of(entry))
    if place is None or id(place.record) in settled:
        return False
    try:
        place.attach(reference)
    except EncodeError:
        return False
    return True


def _list_room_code(game: GameData, entry: CodeEntry, reference: Reference[CodeEntry]) -> None:
    """Enter the code of a room or instance in SCPT."""
    if not name_of(entry).startswith((additions.ROOM_PREFIX, additions.INSTANCE_PREFIX)):
        return
    if all(s is None or s.code.entry is not reference for s in game.records.scripts):
        game.records.scripts.append(Script(entry.name, ScriptCode(reference)))


def code_users(game: GameData) -> Iterator[Reference[CodeEntry]]:
    """Everything that runs code by a reference, except scripts."""
    codes = [use.code for use in uses(game) if use.chunk != "SCPT"]
    if game.global_init is not None:
        codes += game.global_init.code
    yield from (code for code in codes if isinstance(code, Reference))
