"""The surface of rooms and what is in them."""

from __future__ import annotations

import pytest

from overhaul.gamemaker.data.chunks.objt import GameObject as ObjectRecord
from overhaul.gamemaker.data.chunks.room import Instance as InstanceRecord
from overhaul.gamemaker.data.chunks.room import InstancesLayer, Layer
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.base import Resource
from overhaul.gamemaker.data.resources.colour import Colour
from overhaul.gamemaker.data.resources.instances import Instance
from small_games import again, game_of


class Thing(Resource[ObjectRecord]):
    """An object, as far as instances need it."""

    chunk = "OBJT"


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


def instance(game: GameData, number: int = 0) -> Instance[Thing]:
    room = game.records.rooms[0]
    return Instance(game, room, room.instances[number], Thing)


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
    found = instance(again(game), 1)
    assert (found.x, found.y, found.scale_x, found.scale_y) == (-4, 700, -1.0, 0.5)
    assert found.rotation == 90.0
    assert found.colour == Colour(0x10, 0x20, 0x30, 128) and found.alpha == 128 / 255
    assert found.object is not None and found.object.name == "obj_a_b"
    assert found.room_name == "rm_first"
    assert found.layer_name == (None if version.startswith("1.") else "on top")
    assert found != instance(again(game), 1) and one == instance(game, 1) != instance(game)


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
    assert [each.id for each in room.instances] == [100007, 100001]
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
    found = instance(again(game), 1)
    assert found.creation_code is not None and found.creation_code.gml == "score = 4;"
    assert instance(again(game)).creation_code is None
