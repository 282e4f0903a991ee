"""How fast a room is drawn: 1,366 × 768 pixels, 500 instances, two tile layers."""

from __future__ import annotations

import numpy as np
from runner import Bench, Result, median

from drawn_games import add_item, add_object, drawn_game
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.txtr import Background
from overhaul.gamemaker.data.resources.layers import TileLayer
from overhaul.gamemaker.data.resources.rooms import Room

INSTANCES = 500


def made_room(*, turned: bool) -> Room:
    """The room of the promise; its tiles have all flags, its instances all scales."""
    game = drawn_game("2023.8")
    rng = np.random.default_rng(3)
    room = game.rooms["rm"]
    room.width, room.height = 1366, 768
    names = []
    for number in range(20):
        picture = rng.integers(0, 256, (48, 48, 4), np.uint8)
        item = add_item(game, picture)
        sprite = Sprite(game.strings.add(f"spr_{number}"), 48, 48, origin_x=24, origin_y=24)
        sprite.textures = [item]
        game.records.sprites.append(sprite)
        names.append(str(add_object(game, f"obj_{number}", sprite).name))
    sheet = rng.integers(0, 256, (360, 360, 4), np.uint8)
    tiles = Background(game.strings.add("tiles"), texture=add_item(game, sheet))
    tiles.tile_width = tiles.tile_height = 32
    tiles.columns, tiles.tile_count = 10, 100
    tiles.tile_ids.extend(range(100))
    game.records.backgrounds.append(tiles)
    for depth in (10, 20):
        layer = room.layers.add(f"tiles_{depth}", "tiles", depth)
        assert isinstance(layer, TileLayer)
        layer.tile_set = "tiles"
        layer.tiles = rng.integers(0, 100, (24, 43)) | rng.integers(0, 8, (24, 43)) << 28
    room.layers.add("things", "instances", 0)
    for number in range(INSTANCES):
        x, y = int(rng.integers(0, 1366)), int(rng.integers(0, 768))
        instance = room.instances.add(names[number % len(names)], x, y, layer="things")
        if turned:
            instance.scale_x, instance.rotation = 1.5, float(rng.integers(0, 360))
            instance.colour = (255, 128, number % 256, 200)
    return room


def main() -> None:
    bench = Bench(str(__doc__))
    for turned, target in ((False, 200.0), (True, None)):
        room = made_room(turned=turned)
        room.image()
        milliseconds = 1000 * median(room.image, bench.options.repeats)
        kind = "scaled, turned, tinted" if turned else "500 instances"
        bench.add(
            Result(f"a room of 1,366 x 768, {kind}", milliseconds, "ms", target, at_most=True)
        )
    bench.finish()


if __name__ == "__main__":
    main()
