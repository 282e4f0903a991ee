"""What follows when resources move or go: numbers in code, rooms, layers, events, tags."""

from __future__ import annotations

import numpy as np
import pytest

from overhaul.gamemaker.data.chunks.objt import Event, EventType, GameObject
from overhaul.gamemaker.data.chunks.optn import AssetTags
from overhaul.gamemaker.data.chunks.room import (
    AssetsLayer,
    Instance,
    InstancesLayer,
    Layer,
    LayerType,
    Room,
    SequenceInstance,
    SpriteInstance,
    Tile,
)
from overhaul.gamemaker.data.chunks.seqn import Sequence
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.txtr import TextureGroup
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import Reference
from overhaul.gml.vm.opcodes import Extended, Opcode
from present import instance
from small_games import again, game_of

SOURCE = """x = spr_b;
y = [spr_c, spr_a, obj_a_b];
obj_a_b.z = obj_a.z + self.z + global.z;
draw_sprite(spr_b, 0, 1, 2);"""
NONE = 0xFFFFFF


def name_of(reference: object) -> str:
    return str(instance(Reference, reference).name)


def game_with_code(version: str, source: str = SOURCE) -> GameData:
    """Three sprites, two objects, and code that names them."""
    game = game_of(version)
    for name in "abc":
        game.records.sprites.append(Sprite(game.strings.add(f"spr_{name}")))
    game.language.forget()
    game.add_event("obj_a", "Create_0", source)
    return again(game)


def gml(game: GameData) -> str:
    return game.records.code["gml_Object_obj_a_Create_0"].gml


def references(game: GameData) -> list[int]:
    """The operands of the asset references in the code."""
    columns = game.records.code[0].code.columns
    chosen = (columns.opcode == int(Opcode.BREAK)) & (columns.value == int(Extended.PUSHREF))
    result: list[int] = columns.operand[chosen].tolist()
    return result


@pytest.mark.parametrize("version", ["2023.8", "2024.14"])
def test_asset_references_follow(version: str) -> None:
    game = game_with_code(version)
    before, text = references(game), gml(game)
    game.records.sprites.reorder(["spr_b", "spr_c", "spr_a"])
    assert gml(game) == text
    game.records.objects.insert(
        0, GameObject(game.strings.add("obj_new"), events=[[] for _ in range(15)])
    )
    assert gml(game) == text
    game = again(game)
    assert gml(game) == text
    assert references(game) != before
    game.records.sprites.remove("spr_c")
    game = again(game)
    assert gml(game) == text.replace("spr_c", f"@@sprite@@({NONE})")
    assert [operand & NONE for operand in references(game)].count(NONE) == 1
    kept = [operand for operand in references(game) if operand & NONE != NONE]
    assert [operand >> 24 for operand in kept] == [
        operand >> 24
        for operand, number in zip(before, references(game), strict=True)
        if number & NONE != NONE
    ]


def test_a_reference_that_leads_nowhere_stays() -> None:
    game = game_with_code("2024.14", "x = spr_b;\ny = spr_c;")
    columns = game.records.code[0].bytecode.columns
    (row, other) = np.flatnonzero(columns.value == int(Extended.PUSHREF))
    columns.operand = columns.operand.copy()
    columns.operand[row] = columns.operand[row] & ~NONE | 3
    last = int(columns.operand[other])
    game.records.sprites.reorder(["spr_c", "spr_b", "spr_a"])
    game.records.sprites.append(Sprite(game.strings.add("spr_d")))
    assert [operand & NONE for operand in references(game)] == [3, 0]
    game.records.sprites.remove(1)
    assert [operand & NONE for operand in references(game)] == [2, 0]
    assert references(game)[1] >> 24 == last >> 24


def test_references_to_other_kinds_and_to_functions_stay() -> None:
    game = game_with_code("2024.14", "x = spr_b;\ny = obj_a_b;\nz = obj_a;")
    game.add_script("climb", "function climb(a) { return a; }")
    game.add_event("obj_a", "Step_0", "f = climb;\nx = spr_a;")
    game = again(game)
    text, step = gml(game), game.records.code["gml_Object_obj_a_Step_0"].gml
    game.records.objects.reorder(["obj_a_b", "obj_a"])
    game.records.scripts.reorder(reversed(range(len(game.records.scripts))))
    game = again(game)
    assert gml(game) == text
    assert game.records.code["gml_Object_obj_a_Step_0"].gml == step


@pytest.mark.parametrize("version", ["1.0.0.1451", "2.2.5", "2.3.2", "2024.14"])
def test_variables_of_objects_follow(version: str) -> None:
    game = game_with_code(version, "obj_a_b.z = obj_a.z + self.z + global.z;")
    text = gml(game)
    game.records.objects.reorder(["obj_a_b", "obj_a"])
    game = again(game)
    assert gml(game) == text
    game.records.objects.remove("obj_a_b")
    game = again(game)
    gone = f"@@object@@({NONE})" if version == "2024.14" else "noone"
    assert gml(game) == text.replace("obj_a_b", gone)
    assert "global.z" in gml(game)


def test_plain_numbers_are_reported() -> None:
    game = game_with_code("2.2.5")
    game.records.sprites.remove(
        "spr_c"
    )  # the last one: no other is renumbered, but its number is gone
    assert sum("plain numbers" in warning for warning in game.warnings) == 1
    game.records.sprites.reorder(["spr_b", "spr_a"])
    assert sum("code of this version holds sprites" in w for w in game.warnings) == 1
    game.records.objects.reorder(["obj_a_b", "obj_a"])
    assert sum("code of this version holds objects" in w for w in game.warnings) == 1


def test_new_resources_and_references_are_not_reported() -> None:
    game = game_with_code("2.2.5")
    game.records.sprites.append(Sprite(game.strings.add("spr_d")))
    game.records.sprites.append(Sprite(game.strings.add("spr_e")))
    game.records.sprites.reorder(["spr_a", "spr_b", "spr_c", "spr_e", "spr_d"])
    game.records.sprites.reorder([0, 1, 2, 3, 4])
    assert game.warnings == []
    game = game_with_code("2024.14")
    game.records.sprites.remove("spr_a")
    assert game.warnings == []


def test_lists_and_fields_lose_what_was_removed() -> None:
    game = game_of("2024.13")
    add = game.strings.add
    sprites = [game.records.sprites.append(Sprite(add(f"spr_{name}"))) for name in "ab"]
    rooms = [game.records.rooms.append(Room(add(f"rm_{name}"))) for name in "ab"]
    game.general.room_order = list(rooms)
    game.records.texture_groups.append(TextureGroup(add("Default"), sprites=list(sprites)))
    game.records.objects[0].sprite, game.records.objects[1].sprite = sprites
    game.records.rooms.remove("rm_a")
    game.records.sprites.remove("spr_b")
    for state in (game, again(game)):
        assert [str(room.name) for room in state.general.room_order] == ["rm_b"]
        assert [str(sprite.name) for sprite in state.records.texture_groups[0].sprites] == ["spr_a"]
        assert state.records.objects[0].sprite.name == "spr_a"
        assert state.records.objects[1].sprite is None


def test_what_stood_for_removed_resources_goes() -> None:
    game = game_of("2024.13")
    add = game.strings.add
    sprites = [game.records.sprites.append(Sprite(add(f"spr_{name}"))) for name in "ab"]
    sequences = [game.records.sequences.append(Sequence(add(f"sq_{name}"))) for name in "ab"]
    room, first, second = game.records.rooms[0], *map(game.records.objects.reference, (0, 1))
    room.instances = [Instance(object=item, id=100 + i) for i, item in enumerate((first, second))]
    room.instance_order = [100, 101]
    room.layers = [
        Layer(add("Instances"), 0, LayerType.INSTANCES, data=InstancesLayer([100, 101])),
        Layer(
            add("Assets"),
            1,
            LayerType.ASSETS,
            data=AssetsLayer(
                tiles=[Tile(sprite=sprite) for sprite in sprites],
                sprites=[SpriteInstance(add("s"), sprite) for sprite in sprites],
                sequences=[SequenceInstance(add("q"), sequence) for sequence in sequences],
            ),
        ),
    ]
    room.tiles = [Tile(sprite=sprite) for sprite in sprites]
    collisions = game.records.objects[0].events[EventType.COLLISION]
    collisions += [Event(second), Event(first)]
    tags = game.tags
    assert tags is not None
    tags.assets += [AssetTags(sprite, [add("red")]) for sprite in (*sprites, first)]
    game.records.sprites.remove("spr_a")
    game.records.sequences.remove("sq_b")
    game.records.objects.remove("obj_a_b")

    game = again(game)
    room, tags = game.records.rooms[0], game.tags
    assert tags is not None
    assert [name_of(asset.asset) for asset in tags.assets] == ["spr_b", "obj_a"]
    assert [instance.id for instance in room.instances] == [100]
    assert list(room.instance_order) == [100]
    instances, assets = (layer.data for layer in room.layers)
    assert list(instances.instances) == [100]
    assert [str(tile.sprite.name) for tile in assets.tiles] == ["spr_b"]
    assert [str(sprite.sprite.name) for sprite in assets.sprites] == ["spr_b"]
    assert [str(sequence.sequence.name) for sequence in assets.sequences] == ["sq_a"]
    assert [str(tile.sprite.name) for tile in room.tiles] == ["spr_b"]
    assert [
        name_of(event.subtype) for event in game.records.objects[0].events[EventType.COLLISION]
    ] == ["obj_a"]


@pytest.mark.parametrize("version", ["1.0.0.1451", "2024.14"])
def test_array_accesses_name_no_object(version: str) -> None:
    """The object stands on the stack there, and the instruction's own number is 0."""
    game = game_with_code(version, "obj_a_b.list[2] = obj_a.list[3];")
    assembly = [line for line in game.records.code[0].assembly.splitlines() if "[array]" in line]
    assert len(assembly) == 2
    game.records.objects.reorder(["obj_a_b", "obj_a"])
    columns = game.records.code[0].code.columns
    arrays = (columns.operand >> 24 & 0xF8 == 0) & (columns.type1 == 5) & (columns.value == 0)
    assert int(arrays.sum()) == 2


def test_removed_code_takes_its_functions_scripts_and_locals_along() -> None:
    game = game_with_code("2.3.2", "var mine = 1; x = mine;")
    game.add_script("climb", "function climb(a) { var b = a; return b; }")
    game.add_script("swim", "function swim(a) { return a; }")
    game = again(game)
    assert len(game.records.code) == 5
    game.records.code.remove("gml_GlobalScript_climb")
    for state in (game, again(game)):
        names = state.records.code.names()
        assert names == [
            "gml_Object_obj_a_Create_0",
            "gml_GlobalScript_swim",
            "gml_Script_swim",
        ]
        assert not any("climb" in name for name in state.records.scripts.names()[1:])
        functions = state.record("FUNC")
        assert functions is not None
        listed = [str(local.name) for local in functions.code_locals]
        assert listed == ["gml_Object_obj_a_Create_0", "gml_GlobalScript_swim"]
    assert "gml_Script_swim" in game.records.scripts
