"""New resources for a game: the plain files that are the least of each kind."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Final

from PIL import Image

from overhaul.document.format_parts import NewResources
from overhaul.document.names import escape_name, unescape_name
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.chunks.objt import EVENT_WORDS, GameObject, event_types
from overhaul.gamemaker.data.code.additions import INSTANCE_PREFIX, OBJECT_PREFIX
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.owners import title_of, uses_in
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.kind_folders import CODE
from overhaul.gamemaker.data_folder.kinds import Kind, kinds_of
from overhaul.gamemaker.data_folder.objects import OBJECTS
from overhaul.gamemaker.data_folder.pictures import BACKGROUNDS, FONTS
from overhaul.gamemaker.data_folder.sprites import SPRITES
from overhaul.gamemaker.data_folder.view import SOURCE, FolderView
from overhaul.gamemaker.events import COLLISION, event_title, usual_events

#: the width and height of a new picture
_SIDE = 32
#: kinds whose smallest resource is its JSON file alone
_PLAIN = frozenset(("OBJT", "ROOM", "PATH", "TMLN", "SEQN", "ACRV", "SHDR", "PSYS", "PSEM"))
_SCRIPT = "script"


class GameAdditions(NewResources[GameData]):
    """The resources that can be added to a game."""

    def kinds(self, game: GameData) -> dict[str, str]:
        """The kinds of resources that can be added, with a note each."""
        notes = {
            SPRITES.word: f"with a transparent frame of {_SIDE} × {_SIDE} pixels",
            BACKGROUNDS.word: f"with a transparent picture of {_SIDE} × {_SIDE} pixels",
            FONTS.word: "without letters, which a font file gives it",
        }
        made = {word: notes.get(word, "") for word in _kinds(game)}
        return made if game.is_native else made | {_SCRIPT: ""}

    def new_files(self, game: GameData, kind: str, name: str) -> Mapping[str, bytes]:
        """The plain files of a new resource.  Raises WorkspaceError for another kind."""
        if kind == _SCRIPT and kind in self.kinds(game):
            functions = game.release.at_least(2, 3)
            prefix = GLOBAL_SCRIPT_PREFIX if functions else SCRIPT_PREFIX
            text = f"function {name}() {{\n}}\n" if functions else "return 0;\n"
            return {f"{CODE}/{escape_name(prefix + name)}{SOURCE}": text.encode()}
        known = _kinds(game).get(kind)
        if known is None:
            raise WorkspaceError(f"a {kind} can't be added")
        stem = escape_name(name)
        files = {known.json_path(stem): b"{}\n"}
        if known.chunk == SPRITES.chunk:
            files[f"{known.folder}/{stem}/0.png"] = _blank()
        elif known.chunk == BACKGROUNDS.chunk:
            files[f"{known.folder}/{stem}.png"] = _blank()
        elif known.chunk == FONTS.chunk:
            files[f"{known.folder}/{stem}/font.png"] = _blank()
        return files

    def event_titles(self, game: GameData) -> Iterator[str]:
        """The events that objects of a game may have; none where its code is not GML."""
        if game.is_native:
            return
        for category, sub_type in usual_events(event_types(game.release) - 1, later=True):
            yield event_title(category, sub_type)
        for other in game.named(OBJECTS.chunk).present():
            yield event_title(COLLISION, 0, str(other.name))

    def event_stems(self, game: GameData, path: str) -> dict[str, str]:
        """The events that an object may have, by title: the paths of their code, without the
        ending."""
        view = FolderView(game)
        objects = {stem: record for _, stem, record in view.resources(OBJECTS)}
        stem = path.rpartition("/")[2].removesuffix(".json")
        owner = objects.get(stem)
        if not isinstance(owner, GameObject):
            return {}
        made = {}
        for category, sub_type in usual_events(len(owner.events) - 1, later=True):
            made[event_title(category, sub_type)] = f"{EVENT_WORDS[category]}_{sub_type}"
        by_number = game.release.major < 2  # the entry of a collision has the other object's number
        for number, (other, _) in enumerate(objects.items()):
            key = number if by_number else other
            made[event_title(COLLISION, 0, unescape_name(other))] = (
                f"{EVENT_WORDS[COLLISION]}_{key}"
            )
        known = {title: f"{CODE}/{OBJECT_PREFIX}{stem}_{key}" for title, key in made.items()}
        return known | _own_stems(view, owner)

    def creation_code(self, game: GameData, path: str, number: int) -> str:
        """The file of the creation code of an instance; "" in a game whose code is not GML."""
        if not path.startswith("rooms/") or game.is_native:
            return ""
        room = path.rpartition("/")[2].removesuffix(".json")
        return f"{CODE}/{INSTANCE_PREFIX}{room}_{number}_Create{SOURCE}"


def _kinds(game: GameData) -> dict[str, Kind]:
    pictures = {SPRITES.chunk, BACKGROUNDS.chunk, FONTS.chunk}
    return {
        kind.word: kind
        for kind in kinds_of(game.release)
        if kind.chunk in game.chunks and kind.chunk in _PLAIN | pictures
    }


def _own_stems(view: FolderView, owner: GameObject) -> dict[str, str]:
    """The same of the events that it has; their code may have any name."""
    files = {id(entry): stem for stem, entry in view.roots().items()}
    uses = [(use.place, getattr(use.code, "target", None)) for use in uses_in(OBJECTS.chunk, owner)]
    return {
        title_of(place): f"{CODE}/{files[id(entry)]}" for place, entry in uses if id(entry) in files
    }


def _blank() -> bytes:
    data = io.BytesIO()
    Image.new("RGBA", (_SIDE, _SIDE)).save(data, "PNG")
    return data.getvalue()


ADDITIONS: Final = GameAdditions()
