"""What no field of a zlib block accounts for: kept in one file, so that nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.fields import Kept
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic_folder.names import Names

LEFT_OVER = "left_over.json"


def _blocks(project: Project, names: Names) -> Iterator[tuple[str, Kept]]:
    """Every record that may stand in a block of its own, by its place in the folder."""
    if project.version < 800:
        return
    yield "settings", project.settings
    yield "game_information", project.information
    for index, slot in enumerate(project.includes.slots):
        yield f"included_files/{index}", slot
    for kind, stems in names.stems.items():
        for index, slot in enumerate(getattr(project, kind).slots):
            yield f"{kind}/{stems[index] or index}", slot


def _odd_flags(project: Project, names: Names) -> Iterator[tuple[str, Any]]:
    """Every slot that says in another way than with 1 that its resource exists."""
    for kind, stems in names.stems.items():
        for stem, slot in zip(stems, getattr(project, kind).slots, strict=True):
            if stem is not None:
                yield f"{kind}/{stem} exists", slot


def show_left_over(project: Project, names: Names) -> dict[str, Any]:
    """The bytes left over, by place; nothing for nearly every project."""
    shown: dict[str, Any] = {
        place: block.rest.hex() for place, block in _blocks(project, names) if block.rest
    }
    odd = {place: slot.exists for place, slot in _odd_flags(project, names) if slot.exists != 1}
    return shown | odd


def read_left_over(plain: dict[str, Any], project: Project, names: Names) -> None:
    """Put the bytes back."""
    for place, slot in _odd_flags(project, names):
        flag = plain.get(place, slot.exists)
        if not isinstance(flag, int) or not 0 < flag < 1 << 32:
            raise FormatError("a number of 32 bits, not 0, is expected", path=place)
        slot.exists = flag
    for place, block in _blocks(project, names):
        try:
            block.rest = bytes.fromhex(plain.get(place, ""))
        except (TypeError, ValueError):
            raise FormatError("hexadecimal digits are expected", path=place) from None
