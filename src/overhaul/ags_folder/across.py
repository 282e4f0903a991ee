"""What a game refers to in other files of its package: rooms, and sprites."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.documents.sprites import SpriteSetDocument
from overhaul.ags.game.game import Game
from overhaul.ags.library.package import SPRITES
from overhaul.ags_folder import layout, things
from overhaul.ags_folder.references import Finding
from overhaul.errors import OverhaulError

#: What the paths begin with of files that refer to others, or that are referred to.
PATHS: Final = ("characters", "inventory", "views", "rooms/", "sprites")


def findings(document: PackageDocument) -> list[Finding]:
    """References of the game to rooms and sprites that the package does not have.

    Nothing is said of a package without rooms, or without sprites.
    """
    if not document.game_name:
        return []
    try:
        with document.open_inside(document.game_name) as game:
            if not isinstance(game, GameDocument) or game.game.content is None:
                return []
            return list(_Game(game.game, game).findings(_rooms(document), _sprites(document)))
    except OverhaulError:
        return []


def _rooms(document: PackageDocument) -> set[int]:
    """The numbers of the rooms."""
    return {
        number
        for asset in document.package
        if (number := layout.room_number(asset.name)) is not None
    }


def _sprites(document: PackageDocument) -> set[int]:
    """The numbers of the sprites."""
    asset = document.package.get(SPRITES)
    if asset is None or asset.data is None:
        return set()
    try:
        with document.open_inside(asset.name) as sprites:
            if isinstance(sprites, SpriteSetDocument):
                return {slot for slot, _ in sprites.sprites.filled()}
    except OverhaulError:
        return set()
    return set()


class _Game:
    def __init__(self, game: Game, document: GameDocument) -> None:
        self._game = game
        self._shown = document.shown

    def findings(self, rooms: Collection[int], sprites: Collection[int]) -> Iterator[Finding]:
        """The findings, with the paths and words of the folder."""
        if rooms:
            yield from self._starts(rooms)
        if sprites:
            yield from self._pictures(sprites)

    def _paths(self, kind: str, names: Sequence[str]) -> list[str]:
        return things.paths(things.KINDS_OF[kind], map(self._shown, names))

    def _starts(self, rooms: Collection[int]) -> Iterator[Finding]:
        content = self._game.content
        people = [] if content is None else content.characters
        paths = self._paths("characters", [person.script_name for person in people])
        for path, person in zip(paths, people, strict=True):
            if person.room > 0 and person.room not in rooms:
                yield Finding(path, ("StartingRoom",), f"there is no room {person.room}")

    def _pictures(self, sprites: Collection[int]) -> Iterator[Finding]:
        content = self._game.content
        if content is None:
            return
        items = self._paths("inventory", things.inventory_names(content))
        for path, item in zip(items, content.inventory, strict=True):
            for word, number in (("Image", item.picture), ("CursorImage", item.cursor_picture)):
                if number > 0 and number not in sprites:
                    yield Finding(path, (word,), f"there is no sprite {number}")
        names = content.view_names or [""] * len(content.views)
        for path, view in zip(self._paths("views", names), content.views, strict=False):
            for at, loop in enumerate(view.loops):
                for place, frame in enumerate(loop.frames):
                    if frame.picture > 0 and frame.picture not in sprites:
                        steps = ("Loops", at, "Frames", place, "Image")
                        yield Finding(path, steps, f"there is no sprite {frame.picture}")
