"""The surface of rooms and what is in them."""

from __future__ import annotations

import numpy as np
import pytest

from overhaul.gamemaker.data.chunks.room import Instance as InstanceRecord
from overhaul.gamemaker.data.chunks.room import InstancesLayer, Layer, LayerType
from overhaul.gamemaker.data.chunks.sprt import Sprite as SpriteRecord
from overhaul.gamemaker.data.chunks.txtr import Background as BackgroundRecord
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.fields import Colour
from overhaul.gamemaker.data.resources.layers import AssetLayer, InstanceLayer, TileLayer
from overhaul.gamemaker.data.resources.objects import Instance
from small_games import again, game_of


def with_instances(version: str) -> GameData:
    """A game whose room has two instances."""
    game = game_of(version)
    room = game.records.rooms[0]
    first = game.records.objects.reference(0)
    room.instances += [InstanceRecord(8, 9, first, number) for number in (100000, 100001)]
    if game.release.major >= 2:
        layer = Layer(name=game.strings.add("on top"), data=InstancesLayer([100001, 100000]))
        room.layers.append(layer)
    if game.release.at_least(2024, 13):
        room.instance_order += [100001, 100000]
    return game


def instance(game: GameData, number: int = 0) -> Instance:
    room = game.records.rooms[0]
    return Instance(game, room, room.instances[number])


@pytest.mark.parametrize("version", ["1.0.0.1804", "2.2.1", "2024.13"])
def test_an_instance_is_set_by_its_attributes(version: str) -> None:
    game = with_instances(version)
    one = instance(game, 1)
    assert repr(one) == "<Instance 100001 of obj_a at 8, 9>"
    one.x, one.y = -4, 700
    one.scale_x, one.scale_y = -1, 0.5
    one.rotation = 90
    one.colour = "#102030"
    one.alpha = 0.5
    one.object = "obj_a_b"
    read = instance(again(game), 1)
    assert (read.x, read.y, read.scale_x, read.scale_y) == (-4, 700, -1.0, 0.5)
    assert read.rotation == 90.0
    assert read.colour == Colour(0x10, 0x20, 0x30, 128) and read.alpha == 128 / 255
    assert read.object is not None and read.object.name == "obj_a_b"
    assert read.room_name == "rm_first"
    assert read.layer_name == (None if version.startswith("1.") else "on top")
    assert read != instance(again(game), 1) and one == instance(game, 1) != instance(game)


def test_an_edit_that_the_release_cannot_store_is_refused() -> None:
    with pytest.raises(ValueError, match=r"image_index: files of 2.0 do not have it"):
        instance(with_instances("2.0")).image_index = 2
    game = with_instances("2.3")
    instance(game).image_index = 2
    assert instance(again(game)).image_index == 2


def test_an_id_is_renumbered_where_the_room_lists_it() -> None:
    game = with_instances("2024.13")
    instance(game).id = 100007
    room = again(game).records.rooms[0]
    assert [item.id for item in room.instances] == [100007, 100001]
    assert room.layers[0].data.instances == [100001, 100007]
    assert room.instance_order == [100001, 100007]
    for wrong in (100001, -1, 1 << 32):
        with pytest.raises(ValueError, match="id: "):
            instance(game).id = wrong
    instance(game).id = 100007


def test_wrong_values_of_an_instance_are_refused() -> None:
    one = instance(with_instances("2.3"))
    with pytest.raises(TypeError, match="x: expected a whole number"):
        one.x = 1.5  # type: ignore[assignment]
    with pytest.raises(TypeError, match="got None"):
        one.object = None
    with pytest.raises(KeyError, match="did you mean 'obj_a'"):
        one.object = "obj_aa"
    for alpha in (-0.1, 1.1, "no", True):
        with pytest.raises(ValueError, match="alpha: expected a number from 0 to 1"):
            one.alpha = alpha  # type: ignore[assignment]


@pytest.mark.parametrize("version", ["1.0.0.1804", "2.3"])
def test_creation_code_is_added_and_replaced(version: str) -> None:
    game = with_instances(version)
    one = instance(game, 1)
    assert one.creation_code is None and one.pre_create_code is None
    one.set_creation_code("score = 3;")
    one.set_creation_code("score = 4;")
    read = instance(again(game), 1)
    assert read.creation_code is not None and read.creation_code.gml == "score = 4;"
    assert instance(again(game)).creation_code is None


@pytest.mark.parametrize("version", ["1.0.0.1804", "2.0", "2.3", "2024.13"])
def test_a_room_is_added_with_what_its_release_needs(version: str) -> None:
    game = game_of(version)
    room = game.rooms.add("rm_new", width=320, height=200)
    read = again(game).rooms["rm_new"]
    assert (read.width, read.height, len(read.views)) == (320, 200, 8)
    assert not any(view.enabled for view in read.views)
    assert len(read.backgrounds) == (8 if version.startswith("1.") else 0)
    order = again(game).general.room_order
    assert order[-1].name == "rm_new" and [item.name for item in order].count("rm_new") == 1
    if game.release.major >= 2:
        assert room.layers.names() == ["Instances", "Background"]
        assert [layer.depth for layer in room.layers] == [0, 100]
        assert room.layers[0].id != room.layers[1].id
    else:
        assert read.speed == 30 and read.caption == ""
        with pytest.raises(ValueError, match="have no layers"):
            room.layers.add("x")
    flags = {"1.0.0.1804": 0, "2.0": 0x20000, "2.3": 0x30000, "2024.13": 0x40000}
    assert room.record.flags == flags[version]
    with pytest.raises(ValueError, match="rm_new"):
        game.rooms.add("rm_new")


@pytest.mark.parametrize("version", ["1.0.0.1804", "2.3", "2024.13"])
def test_instances_are_added_with_fresh_ids_and_removed(version: str) -> None:
    game = with_instances(version)
    other = game.rooms.add("rm_other")
    game.general.last_object_id = 0
    room = game.rooms["rm_first"]
    new = room.instances.add("obj_a", 5, 6)
    assert new.id == 100002 and game.general.last_object_id == 100003
    assert other.instances.add("obj_a_b", 0, 0).id == 100003
    game.general.last_object_id = 100050
    assert room.instances.add(game.objects["obj_a"], 1, 2).id == 100050
    if version == "2024.13":
        assert room.record.instance_order == [100001, 100000, 100002, 100050]
    assert room.instances.by_id(100002) == new
    room.instances.remove(room.instances[0])
    read = again(game).rooms["rm_first"]
    assert [item.id for item in read.instances] == [100001, 100002, 100050]
    if game.release.major >= 2:
        layer = read.layers["on top"]
        assert isinstance(layer, InstanceLayer)
        assert [item.id for item in layer.instances] == [100001, 100002, 100050]
    if version == "2024.13":
        assert read.record.instance_order == [100001, 100002, 100050]
    with pytest.raises(ValueError, match="not among"):
        room.instances.remove(other.instances[0])
    with pytest.raises(KeyError, match="no instance 5"):
        room.instances.by_id(5)
    with pytest.raises(IndexError, match="no instance number 3 of 3"):
        _ = room.instances[3]
    assert room.instances[-1].id == 100050 and len(room.instances[1:]) == 2


def test_the_layer_of_a_new_instance_must_be_one_of_instances() -> None:
    game = with_instances("2.3")
    room = game.rooms["rm_first"]
    room.layers.add("second")
    room.layers.add("sky", "background")
    with pytest.raises(ValueError, match=r"say which layer .* \(the room has on top, second\)"):
        room.instances.add("obj_a", 0, 0)
    with pytest.raises(ValueError, match="sky is not a layer of instances"):
        room.instances.add("obj_a", 0, 0, layer="sky")
    with pytest.raises(KeyError, match="did you mean 'second'"):
        room.instances.add("obj_a", 0, 0, layer="secnd")
    with pytest.raises(KeyError, match="obj_x"):
        room.instances.add("obj_x", 0, 0, layer="second")
    assert len(room.instances) == 2
    old = with_instances("1.0.0.1804").rooms["rm_first"]
    with pytest.raises(ValueError, match="have no layers"):
        old.instances.add("obj_a", 0, 0, layer="second")


def test_layers_are_added_renamed_and_removed() -> None:
    game = with_instances("2024.13")
    room = game.rooms["rm_first"]
    layer = room.layers.add("tiles", "tiles")
    assert (layer.depth, layer.id, layer.type) == (100, 1, LayerType.TILES)
    assert room.layers.add("near", LayerType.ASSETS, -7).id == 2
    for name in ("tiles", "", None):
        with pytest.raises(ValueError, match="name: "):
            room.layers.add(name)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="type: expected one of"):
        room.layers.add("x", "tile")
    with pytest.raises(ValueError, match="can't be added"):
        room.layers.add("x", "path")
    with pytest.raises(ValueError, match="already"):
        layer.name = "near"
    layer.name = "map"
    layer.name = "map"
    room.layers.remove("on top")
    read = again(game).rooms["rm_first"]
    assert read.layers.names() == ["map", "near"]
    assert len(read.instances) == 0 and read.record.instance_order == []
    assert "map" in read.layers and read.layers.get("tiles") is None
    with pytest.raises(KeyError, match="no layer named 'on top'"):
        room.layers.remove("on top")


def test_tiles_are_an_array_of_the_layer() -> None:
    game = game_of("2024.13")
    room = game.rooms["rm_first"]
    layer = room.layers.add("map", "tiles")
    assert isinstance(layer, TileLayer) and layer.tiles.shape == (0, 0)
    layer.tiles = np.arange(6).reshape(2, 3)
    layer.tiles[0, 0] = 9
    layer.tiles.mirror = layer.tiles.index > 3
    layer.tiles[1].flip = True
    layer.tiles[:, 2:].rotate = [[True], [False]]
    layer.tiles[1, 0:1].index = 7
    read = again(game).rooms["rm_first"].layers["map"]
    assert isinstance(read, TileLayer)
    assert read.tiles.index.tolist() == [[9, 1, 2], [7, 4, 5]]
    assert read.tiles.mirror.tolist() == [[True, False, False], [False, True, True]]
    assert read.tiles.flip.tolist() == [[False] * 3, [True] * 3]
    assert read.tiles.rotate.tolist() == [[False, False, True], [False] * 3]
    assert int(read.tiles[1, 1]) == 4 | 1 << 28 | 1 << 29
    read.tiles.flip = False
    assert int(read.tiles[1, 1]) == 4 | 1 << 28
    for wrong, error in (
        ([1, 2], ValueError),
        ([[0.5]], TypeError),
        ([[-1]], ValueError),
        ([[1 << 32]], ValueError),
    ):
        with pytest.raises(error, match="tiles: expected"):
            read.tiles = wrong
    with pytest.raises(ValueError, match="index: expected numbers from 0 to 524287"):
        read.tiles.index = 1 << 19
    with pytest.raises(TypeError, match="index: expected whole"):
        read.tiles.index = 0.5
    assert read.tiles.index.tolist() == [[9, 1, 2], [7, 4, 5]]


def test_tiles_that_the_set_does_not_have_are_refused() -> None:
    game = game_of("2.3")
    game.records.backgrounds.append(
        BackgroundRecord(game.strings.add("ts"), columns=2, tile_count=4, frames_per_tile=1)
    )
    layer = game.rooms["rm_first"].layers.add("map", "tiles")
    assert isinstance(layer, TileLayer)
    layer.tile_set = "ts"
    layer.tiles = [[3 | 1 << 28, 0]]
    with pytest.raises(ValueError, match=r"no tile 4 \(row 0, column 1\): the tile set has 4"):
        layer.tiles = [[0, 4 | 1 << 30]]
    assert layer.tiles.index.tolist() == [[3, 0]]


@pytest.mark.parametrize("version", ["1.0.0.1804", "2.3"])
def test_single_tiles(version: str) -> None:
    game = game_of(version)
    room = game.rooms["rm_first"]
    if game.release.major < 2:
        game.records.backgrounds.append(BackgroundRecord(game.strings.add("pic")))
        tiles = room.tiles
    else:
        game.records.sprites.append(SpriteRecord(game.strings.add("pic")))
        layer = room.layers.add("assets", "assets")
        assert isinstance(layer, AssetLayer)
        tiles = layer.tiles
    one = tiles.add("pic", 3, 4, source=(5, 6, 7, 8), scale=(2, 0.5), colour="#01020304")
    two = tiles.add("pic", 0, 0, source=(0, 0, 1, 1), depth=-3)
    assert (one.id, two.id) == (10000000, 10000001)
    assert game.general.last_tile_id == 10000002
    assert repr(one) == "<Tile 10000000 of pic at 3, 4>"
    assert (one.source_x, one.source_y, one.width, one.height) == (5, 6, 7, 8)
    assert (one.scale_x, one.scale_y, two.depth) == (2.0, 0.5, -3)
    assert one.colour == Colour(1, 2, 3, 4)
    tiles.remove(one)
    assert list(tiles) == [two] and one not in tiles
    with pytest.raises(KeyError, match="picc"):
        tiles.add("picc", 0, 0, source=(0, 0, 1, 1))
    assert len(tiles) == 1


def test_flags_and_creation_code_of_a_room() -> None:
    game = game_of("2.3")
    room = game.rooms["rm_first"]
    before = room.record.flags
    room.views_enabled = True
    assert room.views_enabled and not room.clear_view_background
    assert room.record.flags == before | 1
    room.views_enabled = False
    assert room.record.flags == before
    with pytest.raises(TypeError, match="expected True or False"):
        room.views_enabled = 2  # type: ignore[assignment]
    assert room.creation_code is None
    room.set_creation_code("score = 1;")
    room.set_creation_code("score = 2;")
    code = again(game).rooms["rm_first"].creation_code
    assert code is not None and code.gml == "score = 2;"
    view = room.views.__class__
    assert view.title == "view" and repr(room) == "<Room rm_first 640×480, 0 instances>"
