"""Files of speech in a game's tree: ``speech.json`` says who says which line in each.

It follows from the scripts and from the package of speech (:mod:`overhaul.ags.speech`); packing
takes nothing from it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument, speech_name
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.folder import layout, package_table
from overhaul.ags.script.model import Script
from overhaul.ags.shapes import Json
from overhaul.ags.speech import Line, Speech, speech_of, spoken_lines
from overhaul.ags.text import show
from overhaul.document.opening import open as open_file
from overhaul.document.protocol import Document, Resource, Siblings
from overhaul.document.reading import open_data
from overhaul.errors import OverhaulError

VOX: Final = "speech.vox"
#: The endings of the names of packages with a game.
_GAMES: Final = (".ags", ".exe", ".dat")
#: The longest line that `ls` shows.
_LONGEST: Final = 60


def speech_in(document: PackageDocument, vox: str = "") -> Speech | None:
    """The files of speech of a game's package, those of the package ``vox`` if that is given;
    None where it has none."""
    name = next((name for name in document.inside() if name == vox), "") or vox_of(document)
    if not name or (vox and name != vox):
        return None
    try:
        game = document.game
        with document.open_inside(name) as voices:
            if not isinstance(game, GameDocument) or not isinstance(voices, PackageDocument):
                return None
            files = [asset.name for asset in voices.package]
    except OverhaulError:  # opening them gives the reason
        return None
    lines = [
        line._replace(text=show(line.text, game.encoding))
        for line in spoken_lines(game.game, _rooms(document))
    ]
    return speech_of(files, lines, game.game)


def next_to_game(document: PackageDocument) -> Iterator[Resource]:
    """The files of a package of speech, named by the lines that are heard in them, where the game
    is next to it."""
    siblings, name = document.siblings, (document.source or "").replace("\\", "/")
    own = name.rpartition("/")[2]
    if siblings is None or (own.casefold() != VOX and not speech_name(own)):
        return
    for other in siblings.names():
        if not other.casefold().endswith(_GAMES):
            continue
        try:
            with _opened(document.source or "", other, siblings) as game:
                found = speech_in(game, own) if isinstance(game, PackageDocument) else None
        except (OverhaulError, FileNotFoundError):
            continue
        if found is not None:
            assets = package_table.paths(document, layout.parts(document))
            places = {asset.name: (path, asset.size) for path, asset in assets.items()}
            for voice in found.voices:
                path, size = places.get(voice.file, ("", 0))
                if path:
                    yield Resource("voice", title(voice.line), path, size)
            return


def _opened(source: str, name: str, siblings: Siblings) -> Document:
    """A file next to another one as a document; one on the disk is mapped, not read."""
    path = os.path.join(os.path.dirname(source), name)
    if os.path.isfile(path):
        return open_file(path)
    return open_data(siblings.read(name), source=name, siblings=siblings)


def vox_of(document: PackageDocument) -> str:
    """The name of the package of speech in a package or next to it; empty without."""
    if document.flat or not document.game_name:
        return ""
    return next((name for name in document.inside() if name.casefold() == VOX), "")


def _rooms(document: PackageDocument) -> Iterator[tuple[str, Script]]:
    """The scripts of the rooms, by the files that they are in the tree."""
    for name in document.inside():
        place = layout.place_of(name)
        if place is None or place.kind != "ags-room":
            continue
        try:
            with document.open_inside(name) as room:
                script = room.room.script if isinstance(room, RoomDocument) else None
        except OverhaulError:
            continue
        if script is not None:
            yield f"{place.prefix}script.asc", script


def shown(speech: Speech) -> Json:
    """speech.json."""
    return {
        "files": {
            voice.file: None if voice.line is None else _line(voice.line) for voice in speech.voices
        },
        "lines_without_file": [{"file": stem, **_line(line)} for stem, line in speech.silent],
    }


def _line(line: Line) -> Json:
    place = f"{line.where}:{line.line}" if line.line else line.where
    return {"character": line.who or None, "line": line.text, "where": place}


def title(line: Line | None) -> str:
    """A line as `ls` names its file."""
    if line is None:
        return "no line"
    said = f"{line.who or '?'}: {line.text}"
    return said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"
