"""``left_over.json``: bytes of zlib blocks that belong to no field."""

from __future__ import annotations

from collections.abc import Iterator

from overhaul.document.plainfiles import PlainFile
from overhaul.folder.edits import Edits
from overhaul.folder.jsonkit import expect_bytes
from overhaul.gamemaker.classic.fields import Kept
from overhaul.gamemaker.classic.kinds import AnySlot, slots_of
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic_folder.files import JsonObject, made_json, take, take_integer
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.part import Part

LEFT_OVER = "left_over.json"


def _blocks(project: Project, names: Names) -> Iterator[tuple[str, Kept]]:
    """Every record that may have a block of its own, by its path in the folder."""
    if project.version < 800:
        return
    yield "settings", project.settings
    yield "game_information", project.information
    for index, slot in enumerate(project.includes.slots):
        yield f"included_files/{index}", slot
    for kind, slots in slots_of(project).items():
        for index, (stem, place) in enumerate(zip(names.stems[kind], slots, strict=True)):
            yield f"{kind}/{stem or index}", place


def _flags(project: Project, names: Names) -> Iterator[tuple[str, AnySlot]]:
    """Every slot that holds a resource, by its path in the folder."""
    for kind, slots in slots_of(project).items():
        for stem, slot in zip(names.stems[kind], slots, strict=True):
            if stem is not None:
                yield f"{kind}/{stem} exists", slot


def _show(project: Project, names: Names) -> Iterator[PlainFile]:
    shown: JsonObject = {
        place: block.rest.hex() for place, block in _blocks(project, names) if block.rest
    }
    for place, slot in _flags(project, names):
        if slot.exists != 1:
            shown[place] = slot.exists
    if shown:
        yield PlainFile(LEFT_OVER, made_json(shown))


def _read(project: Project, files: Edits, names: Names) -> None:
    plain = files.json_object(LEFT_OVER)
    for place, slot in _flags(project, names):
        slot.exists = take_integer(plain, place, slot.exists, low=1, high=1 << 32)
    for place, block in _blocks(project, names):
        block.rest = take(plain, place, expect_bytes, "")


LEFT_OVER_BYTES = Part((LEFT_OVER,), _show, _read)
