"""What F1 shows to players: ``game_information.rtf`` and ``.json``."""

from __future__ import annotations

from collections.abc import Iterator

from overhaul.document.plainfiles import PlainFile
from overhaul.folder.edits import Edits
from overhaul.gamemaker.classic.kinds import section_version
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.settings import GameInformation
from overhaul.gamemaker.classic_folder.files import (
    JsonObject,
    made_json,
    read_record,
    show_record,
    take_version,
)
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.part import Part

INFORMATION, RICH_TEXT = "game_information.json", "game_information.rtf"
_COLOURS = ("background_colour",)


def _show(project: Project, names: Names) -> Iterator[PlainFile]:
    information = project.information
    text = information.text
    plain: JsonObject = {}
    if information.version != section_version("information", project.version):
        plain["version"] = information.version
    plain |= show_record(
        information, information.version, names, without=["text", "changed"], colours=_COLOURS
    )
    if not text.endswith(b"\0"):
        plain["nul"] = False
    yield PlainFile(INFORMATION, made_json(plain), origin="game_information")
    yield PlainFile(RICH_TEXT, lambda: text.removesuffix(b"\0"), origin="game_information")


def _read(project: Project, files: Edits, names: Names) -> None:
    plain = files.json_object(INFORMATION)
    usual = section_version("information", project.version)
    version = take_version(plain, usual, GameInformation.versions)
    nul = plain.pop("nul", True)
    was = project.information
    base = was if was.version == version else None
    made = read_record(GameInformation, plain, version, names, colours=_COLOURS, base=base)
    made.version = version
    text = files.bytes(RICH_TEXT) if RICH_TEXT in files else b""
    made.text = text + b"\0" if nul else text
    if base is not None:
        made.kept, made.rest = base.kept, base.rest
    project.information = made


GAME_INFORMATION = Part((INFORMATION, RICH_TEXT), _show, _read)
