"""What a map changes in the layers of a room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from overhaul.errors import PlainFileError
from overhaul.gamemaker.data.resources.colour import Colour
from overhaul.gamemaker.data.resources.layers import (
    AssetLayer,
    BackgroundLayer,
    InstanceLayer,
    TileLayer,
)
from overhaul.gamemaker.data.resources.layers import Layer as RoomLayer
from overhaul.gamemaker.tiled.exporting import gids, spread, words_of
from overhaul.gamemaker.tiled.model import Layer, same

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.data.resources.rooms import Room

#: what a layer of each kind may say; all else has to be as it was
_MAY = {
    TileLayer: {"name", "visible", "offset_x", "offset_y", "depth", "cells"},
    InstanceLayer: {"name", "visible", "depth"},
    AssetLayer: {"name", "visible", "offset_x", "offset_y", "depth"},
    BackgroundLayer: {
        "name", "visible", "offset_x", "offset_y", "depth", "tint", "opacity", "repeat_x",
        "repeat_y", "image", "colour", "stretch",
    },
}  # fmt: skip
#: what a background of a room before GameMaker 2 may say
_BACKGROUND = {"visible", "offset_x", "offset_y", "repeat_x", "repeat_y", "image"}
_WORDS = {"offset_x": "offset", "offset_y": "offset", "repeat_x": "repeat", "repeat_y": "repeat"}


class LayerChanges:
    """Carries the changed attributes of layers over to a room."""

    def __init__(self, room: Room, path: str) -> None:
        self.room = room
        self.path = path
        self.old: bool = room.game.release.major < 2
        self._of: dict[int, RoomLayer] = {}

    def of(self, layer: Layer) -> RoomLayer | None:
        """The layer of the room that a layer of its own map stands for."""
        if self.old:
            return None
        if id(layer) in self._of:
            return self._of[id(layer)]
        found = (each for each in self.room.layers if each.id == layer.id)
        return next((each for each in found if _kind(each) == layer.kind), None)

    def depth(self, layer: Layer) -> int:
        """The depth a layer states.  Raises PlainFileError."""
        text = layer.properties.get("depth", "")
        try:
            return int(text)
        except ValueError:
            raise self._fail(layer, f"depth: expected a whole number, got {text!r}") from None

    def _fail(self, layer: Layer, message: str) -> PlainFileError:
        return PlainFileError(message, self.path, layer.name, layer.line)

    def add(self, now: Layer, depth: int) -> Layer:
        """Add the layer that a map has anew; the layer of the room's own map it is then."""
        kinds = {"tiles": "tiles", "image": "background"}
        shown = {thing.picture.kind for thing in now.things}
        kind = kinds.get(now.kind, "assets" if shown & {"sprite", "part"} else "instances")
        name, number = now.name or kind, 2
        while name in self.room.layers:
            name, number = f"{now.name or kind} {number}", number + 1
        now.name = name
        made = self.room.layers.add(name, kind, depth)
        before = Layer(now.kind, made.id, name, properties={"depth": str(depth)})
        if isinstance(made, TileLayer):
            before.cells, before.tile_set, before.step = np.zeros((0, 0), np.uint32), None, now.step
        if isinstance(made, BackgroundLayer):
            before.properties |= {"colour": "#ffffff"}
            if now.image is not None:
                now.properties = {"colour": "#ffffff", "stretch": "false"} | now.properties
                before.properties["stretch"] = "false"
            else:
                now.properties = {"colour": "#ffffff"} | now.properties
        self._of[id(before)] = made
        self.change(before, now)
        return before

    def change(self, before: Layer, now: Layer) -> bool:
        """Change a layer of the room as the map says; whether anything changed."""
        layer = self.of(before)
        changes = self._differences(before, now)
        if layer is not None:
            allowed = _MAY[type(layer)]
        else:
            allowed = _BACKGROUND if before.kind == "image" else set()
        for name in changes:
            if name not in allowed:
                word = _WORDS.get(name, name)
                raise self._fail(now, f"the {word} of this layer can't be changed in a room")
        try:
            for name in changes:
                self._set(layer, before, now, name)
        except (ValueError, TypeError, KeyError) as error:
            raise self._fail(now, str(error.args[0])) from None
        return bool(changes)

    def _differences(self, before: Layer, now: Layer) -> list[str]:
        changes = [
            name
            for name in ("name", "visible", "tint", "repeat_x", "repeat_y", "image")
            if getattr(before, name) != getattr(now, name)
        ]
        changes += [
            name
            for name in ("offset_x", "offset_y", "opacity")
            if not same(getattr(before, name), getattr(now, name))
        ]
        names = sorted({*before.properties, *now.properties})
        changes += [n for n in names if before.properties.get(n) != now.properties.get(n)]
        if before.kind == "tiles" and self._cells(before, now) is not None:
            changes.append("cells")
        return changes

    def _set(self, layer: RoomLayer | None, before: Layer, now: Layer, name: str) -> None:
        if layer is None:
            self._set_background(before, now, name)
        elif name == "depth":
            layer.depth = self.depth(now)
        elif name == "cells":
            self._set_cells(layer, before, now)
        elif name in ("name", "visible", "offset_x", "offset_y"):
            setattr(layer, name, getattr(now, name))
        elif isinstance(layer, BackgroundLayer):
            self._set_image(layer, now, name)

    def _set_background(self, before: Layer, now: Layer, name: str) -> None:
        shown = self.room.backgrounds[before.id or 0]
        if name == "image":
            if now.image is None:
                raise ValueError("image: a background has to have a picture")
            shown.background = self.room.game.records.backgrounds[now.image.number].name
        else:
            fields = {"visible": "enabled", "offset_x": "x", "offset_y": "y"}
            fields |= {"repeat_x": "tile_x", "repeat_y": "tile_y"}
            value = getattr(now, name)
            setattr(shown, fields[name], round(value) if name.startswith("offset") else value)

    def _set_image(self, layer: BackgroundLayer, now: Layer, name: str) -> None:
        if name == "image":
            records = self.room.game.records.sprites
            layer.sprite = None if now.image is None else records[now.image.number].name
        elif name in ("tint", "opacity"):
            parts = Colour.of(now.tint or "#ffffff")
            if not 0 <= now.opacity <= 1:
                raise ValueError(f"opacity: expected a number from 0 to 1, got {now.opacity:g}")
            layer.colour = Colour(*parts[:3], round(now.opacity * 255))
        elif name == "colour":
            if now.image is None:
                layer.colour = colour_of(now.properties.get("colour", "#ffffff"))
        elif name == "stretch":
            layer.stretch = now.properties.get("stretch") == "true"
        else:
            words = {"repeat_x": "tile_horizontally", "repeat_y": "tile_vertically"}
            setattr(layer, words[name], getattr(now, name))

    # -- tiles ----------------------------------------------------------------------------------

    def _cells(self, before: Layer, now: Layer) -> NDArray[np.uint32] | None:
        """The words of a changed tile layer; None where nothing changed."""
        if before.cells is None or now.cells is None:
            return None
        tile_set = before.tile_set if now.tile_set is None else now.tile_set
        step = before.step if now.tile_set in (None, before.tile_set) else now.step
        rows, columns = now.cells.shape
        if rows % step[1] or columns % step[0]:
            raise self._fail(now, f"the size is no multiple of its tiles' ({step[0]} x {step[1]})")
        cells = now.cells[step[1] - 1 :: step[1], :: step[0]]
        if not np.array_equal(spread(cells, step), now.cells):
            row, column = np.argwhere(spread(cells, step) != now.cells)[0]
            raise self._fail(
                now, f"the tile at column {column}, row {row} is not on the grid of its tiles"
            )
        if tile_set != before.tile_set:
            return cells
        count = 0 if tile_set is None else self._count(tile_set)
        shown = words_of(gids(before.cells, 1, count), 1)
        if cells.shape == shown.shape:
            if np.array_equal(cells, shown):
                return None
            # what is shown as it was keeps its word, whatever else is in it
            return np.where(cells == shown, before.cells, cells).astype(np.uint32)
        return cells

    def _count(self, tile_set: int) -> int:
        return self.room.game.records.backgrounds[tile_set].tile_count

    def _set_cells(self, layer: RoomLayer, before: Layer, now: Layer) -> None:
        cells = self._cells(before, now)
        if not isinstance(layer, TileLayer) or cells is None:
            return
        if now.tile_set is not None and now.tile_set != before.tile_set:
            layer.tile_set = self.room.game.records.backgrounds[now.tile_set].name
        data = layer.record.data
        if cells.shape == (data.height, data.width):
            layer.tiles[...] = cells
        else:
            layer.tiles = cells


def colour_of(text: str) -> Colour:
    """A colour that Tiled writes as ``#rrggbb`` or ``#aarrggbb``."""
    if len(text) == 9:
        return Colour.of(f"#{text[3:]}{text[1:3]}")
    return Colour.of(text)


def _kind(layer: RoomLayer) -> str:
    kinds: dict[type[RoomLayer], str] = {TileLayer: "tiles", BackgroundLayer: "image"}
    return kinds.get(type(layer), "things")
