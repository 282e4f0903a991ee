"""Resources of one game copied to another, of the same release or not."""

from __future__ import annotations

from array import array
from unittest.mock import Mock

import numpy as np
import pytest
from PIL import Image

from overhaul.gamemaker.data.chunks.font import Font, Glyph
from overhaul.gamemaker.data.chunks.objt import EventType
from overhaul.gamemaker.data.chunks.room import Layer, TileMap, TilesLayer
from overhaul.gamemaker.data.chunks.seqn import Sequence
from overhaul.gamemaker.data.chunks.txtr import Background, TextureGroup
from overhaul.gamemaker.data.code import additions, context, language
from overhaul.gamemaker.data.game import GameData
from overhaul.media import pool, textures
from small_games import again, game_of

WAV = bytes.fromhex(
    "524946462c00000057415645666d742010000000010001002256000044ac0000020010006461746108000000"
    "0000010002000300"
)
MODERN = ("2022.5", "2024.13")
VERSIONS = ("1.4.1804", "2.2.5", *MODERN)


def picture(seed: int, size: tuple[int, int] = (9, 7)) -> Image.Image:
    pixels = np.random.default_rng(seed).integers(0, 256, (size[1], size[0], 4), np.uint8)
    return Image.fromarray(pixels)


def source(version: str) -> GameData:
    """A hero with a sprite, a script it calls, a parent and an enemy; a room with both."""
    game = game_of(version)
    sprite = game.sprites.add("spr_hero", frames=[picture(1), picture(2)], origin=(4, 3))
    sprite.bbox = (1, 2, 5, 6)
    mask = np.zeros((7, 9), np.bool_)
    mask[3:5, 2:4] = True
    sprite.mask = mask
    game.sprites.add("spr_wall", frames=[picture(3)])
    modern = game.release.at_least(2, 3)
    body = "return even(argument0);"
    even = "return argument0 mod 2;"
    game.add_script("even", f"function even() {{ {even} }}" if modern else even)
    game.add_script("odd", f"function odd() {{ {body} }}" if modern else body)
    game.objects.add("obj_base")
    game.objects.add("obj_wall", sprite="spr_wall")
    game.objects.add(
        "obj_hero",
        sprite="spr_hero",
        parent="obj_base",
        events={
            "Create_0": "n = odd(1); image_index = 1;",
            "Step_0": "sprite_index = spr_wall;",
            "Collision_obj_wall": "x = obj_wall.x;",
        },
    )
    game.sounds.add("snd_hit", WAV, volume=0.5)
    return again(game)


def texts(game: GameData) -> dict[str, str]:
    return {str(e.name): e.gml for e in game.named("CODE").present() if e.root is None}


@pytest.mark.parametrize("to", VERSIONS)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_sprite_has_the_same_pixels_and_mask(version: str, to: str) -> None:
    game, old = game_of(to), source(version).sprites["spr_hero"]
    made = game.sprites.copy_from(old)
    assert (made.resource.name, made.copied) == ("spr_hero", ["sprite spr_hero"])
    read = again(game).sprites["spr_hero"]
    for mine, theirs in zip(read.frames, old.frames, strict=True):
        assert np.array_equal(np.asarray(mine.image), np.asarray(theirs.image))
    assert (read.origin, read.bbox, read.width, read.height) == ((4, 3), (1, 2, 5, 6), 9, 7)
    assert read.mask is not None
    assert old.mask is not None
    assert np.array_equal(read.mask, old.mask)
    in_group = [sprite for g in game.records.texture_groups.present() for sprite in g.sprites]
    assert len(in_group) == (1 if "TGIN" in game.chunks else 0)
    usual = game.sprites.add("spr_other", frames=[picture(1)]).record.sequence
    made_one = read.record.sequence
    assert made_one is not None or usual is None
    if made_one is not None:
        assert made_one.sequence.name == "spr_hero"


@pytest.mark.parametrize("to", VERSIONS)
@pytest.mark.parametrize("version", VERSIONS)
def test_an_object_brings_what_it_names(version: str, to: str) -> None:
    game = game_of(to)
    game.sprites.add("spr_filler", frames=[picture(9)])
    given = source(version)
    back = version in MODERN and to not in MODERN
    made = game.objects.copy_from(given.objects["obj_hero"])
    scripts = [] if back else ["script odd", "script even"]
    assert sorted(made.copied) == sorted(
        [
            *("object obj_hero", "object obj_base", "object obj_wall"),
            *("sprite spr_hero", "sprite spr_wall", *scripts),
        ]
    )
    read = again(game)
    hero = read.objects["obj_hero"]
    assert hero.sprite is not None
    assert hero.parent is not None
    assert (hero.sprite.name, hero.parent.name) == ("spr_hero", "obj_base")
    code = texts(read)
    assert "sprite_index = spr_wall" in code["gml_Object_obj_hero_Step_0"]
    assert any("x = obj_wall.x" in text for text in code.values())
    reports = [
        warning for warning in made.warnings if "in scripts" in warning or "left out" in warning
    ]
    if back:
        assert len([item for item in reports if "odd: a game of" in item]) == 1
        assert len([item for item in reports if "event 0 0: its code is left out" in item]) == 1
        assert "gml_Object_obj_hero_Create_0" not in code
    else:
        assert "n = odd(1)" in code["gml_Object_obj_hero_Create_0"]
        assert [item for item in reports if "playback_speed" not in item] == []
        assert read.check_code("gml_Object_obj_hero_Create_0") is None
        assert any("return even(arg" in text for text in code.values())


def test_without_dependencies_references_are_left_out_and_reported() -> None:
    game, old = game_of("2022.5"), source("2022.5")
    game.sprites.add("spr_hero", frames=[picture(7)])
    made = game.objects.copy_from(old.objects["obj_hero"], with_dependencies=False)
    assert made.copied == ["object obj_hero"]
    assert made.resource.parent is None
    assert made.resource.sprite == game.sprites["spr_hero"]
    text = "\n".join(made.warnings)
    for name in ("object obj_base", "object obj_wall", "spr_wall", "odd"):
        assert name in text
    assert list(made.resource.events) == ["Create_0", "Step_0"]
    assert again(game).objects.names() == ["obj_a", "obj_a_b", "obj_hero"]


def test_what_is_there_already_is_used_and_reported() -> None:
    game, old = game_of("2022.5"), source("2022.5")
    game.sprites.add("spr_wall", frames=[picture(7)])
    made = game.objects.copy_from(old.objects["obj_wall"], "obj_fence")
    assert made.warnings == ["the sprite spr_wall was there already, and is used as it is"]
    assert made.copied == ["object obj_fence"]
    with pytest.raises(ValueError, match="taken by the object"):
        game.objects.copy_from(old.objects["obj_hero"], "obj_fence")
    with pytest.raises(TypeError, match="expected a sprite, got <GameObject obj_hero"):
        game.sprites.copy_from(old.objects["obj_hero"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="duplicate it"):
        game.objects.copy_from(game.objects["obj_a"], "obj_c")


@pytest.mark.parametrize("to", VERSIONS)
def test_a_sound_comes_with_its_bytes(to: str) -> None:
    game = game_of(to)
    game.sounds.copy_from(source("2024.13").sounds["snd_hit"])
    read = again(game)
    assert read.sound_bytes("snd_hit") == WAV
    assert read.sounds["snd_hit"].volume == 0.5


def test_a_sound_goes_to_the_group_of_the_same_name() -> None:
    given, game = source("2022.5"), game_of("2022.5")
    for name in ("audiogroup_music", "audiogroup_speech"):
        given.audio_groups.add(name)
        given.sounds.add(f"snd_{name}", WAV, group=name)
    game.audio_groups.add("audiogroup_speech")
    game.sounds.copy_from(given.sounds["snd_audiogroup_speech"])
    reports = game.sounds.copy_from(given.sounds["snd_audiogroup_music"]).warnings
    assert reports == [
        "snd_audiogroup_music: it goes to the first audio group: there is no audiogroup_music"
    ]
    assert [sound.group for sound in game.records.sounds.present()] == [1, 0]
    assert list(game.companions()) == ["audiogroup1.dat"]


@pytest.mark.parametrize(("version", "to"), [("1.4.1804", "1.4.1804"), ("2.2.5", "2024.13")])
def test_a_room_has_ids_of_its_own_and_its_code(version: str, to: str) -> None:
    given, game = source(version), game_of(to)
    room = given.rooms.add("rm_game")
    layer = {} if version.startswith("1") else {"layer": "Instances"}
    first = room.instances.add("obj_hero", 10, 20, **layer)
    second = room.instances.add("obj_wall", 30, 40, **layer)
    additions.add_room_code(given, room.record, "global.level = 1;")
    additions.add_instance_code(given, room.record, 1, "n = 7;")
    game.general.last_object_id = 100500
    made = game.rooms.copy_from(room)
    assert made.warnings == []
    read = again(game)
    copy = read.records.rooms["rm_game"]
    assert (first.id, second.id) == (100000, 100001)
    assert [instance.id for instance in copy.instances] == [100500, 100501]
    assert [str(instance.object.name) for instance in copy.instances] == ["obj_hero", "obj_wall"]
    if to == "2024.13":
        assert list(copy.instance_order) == [100500, 100501]
        listed = [layer.data.instances for layer in copy.layers if layer.type == 2]
        assert listed == [[100500, 100501]]
    assert "global.level = 1" in str(copy.creation_code.gml)
    assert "n = 7" in str(copy.instances[1].creation_code.gml)
    assert str(copy.creation_code.name) == "gml_Room_rm_game_Create"
    assert read.general.room_order[-1].target is copy


def test_a_room_does_not_cross_generations() -> None:
    given, game = source("1.4.1804"), game_of("2022.5")
    before = game.to_bytes()
    with pytest.raises(ValueError, match="rooms have layers since GameMaker 2"):
        game.rooms.copy_from(given.rooms["rm_first"], "rm_other")
    with pytest.raises(ValueError, match=r"has no sequences"):
        given.sequences.copy_from(_with_sequence().sequences[0])
    assert game.to_bytes() == before


def _with_sequence() -> GameData:
    game = game_of("2022.5")
    game.sequences._add(Sequence(), "seq_a")
    return game


def test_fonts_tile_sets_and_tiles() -> None:
    given, game = game_of("2022.5"), game_of("2024.13")
    picture_of = given.sprites.add("spr_t", frames=[picture(4, (32, 32))]).record.textures[0]
    tiles = given.backgrounds._add(Background(texture=picture_of), "ts_ground")
    item = given.sprites.add("spr_f", frames=[picture(5)]).record.textures[0]
    font = given.records.fonts
    font.append(Font(given.strings.add("fnt_a"), texture=item, glyphs=[Glyph(65, 1, 2, 3, 4)]))
    layer = Layer(id=1, type=4, data=TilesLayer(width=2, height=1, tiles=TileMap("I", [1, 2])))
    layer.data.tileset = given.records.backgrounds.reference_to(tiles.record)
    given.records.rooms[0].layers.append(layer)
    game.rooms.copy_from(given.rooms[0], "rm_tiles")
    game.fonts.copy_from(given.fonts["fnt_a"])
    read = again(game)
    made = read.records.rooms["rm_tiles"].layers[0].data
    assert (str(made.tileset.name), list(made.tiles)) == ("ts_ground", [1, 2])
    assert np.array_equal(
        np.asarray(read.records.backgrounds[0].image), np.asarray(tiles.record.image)
    )
    (copy,) = read.records.fonts.present()
    assert copy.glyphs == [Glyph(65, 1, 2, 3, 4)]
    assert np.array_equal(
        np.asarray(copy.texture.image), np.asarray(given.sprites["spr_f"].frames[0].image)
    )


def test_a_duplicate_has_tiles_of_its_own_and_the_same_tile_set() -> None:
    game = game_of("2022.5")
    made = Background(exported_sprite=0, tile_count=2, tile_ids=array("I", [0, 1]))
    tiles = game.backgrounds._add(made, "ts_a")
    layer = Layer(id=1, type=4, data=TilesLayer(width=2, height=1, tiles=TileMap("I", [1, 2])))
    layer.data.tileset = game.records.backgrounds.reference_to(tiles.record)
    game.records.rooms[0].layers.append(layer)
    room = game.rooms.duplicate("rm_first", "rm_second").record.layers[0].data
    more = game.backgrounds.duplicate("ts_a", "ts_b").record
    room.tiles[0] = more.tile_ids[0] = 7
    assert (list(layer.data.tiles), list(tiles.record.tile_ids)) == ([1, 2], [0, 1])
    assert room.tileset is layer.data.tileset
    read = again(game).records
    assert list(read.rooms["rm_second"].layers[0].data.tiles) == [7, 2]
    assert list(read.backgrounds["ts_b"].tile_ids) == [7, 1]


@pytest.mark.parametrize("kind", ["fonts", "backgrounds", "sprites"])
def test_places_in_fonts_and_tile_sets_count_from_the_same_corner(kind: str) -> None:
    """A sprite is cropped to what is visible, but not they: code and glyphs count from there."""
    frame = np.zeros((7, 9, 4), np.uint8)
    frame[2:4, 3:8] = 255
    given, game = game_of("2022.5"), game_of("2024.13")
    given.sprites.add("spr_a", frames=[frame])
    given = again(given)
    item = given.sprites["spr_a"].record.textures[0]
    given.fonts._add(Font(texture=item), "fonts_a")
    given.backgrounds._add(Background(texture=item), "backgrounds_a")
    name = {"sprites": "spr_a"}.get(kind, f"{kind}_a")
    getattr(game, kind).copy_from(getattr(given, kind)[name])
    record = getattr(again(game), kind)[name].record
    made = record.textures[0] if kind == "sprites" else record.texture
    cropped = (3, 2, 5, 2) if kind == "sprites" else (0, 0, 9, 7)
    sides = ("target_x", "target_y", "source_width", "source_height")
    assert tuple(getattr(made, side) for side in sides) == cropped
    assert (made.bounding_width, made.bounding_height) == (9, 7)
    assert np.array_equal(np.asarray(made.image), frame)


def test_each_texture_page_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    given, game = game_of("2022.5"), game_of("2024.13")
    given.sprites.add("spr_a", frames=[picture(number) for number in range(4)])
    given = again(given)
    given.sprites.add("spr_b", frames=[picture(4 + number) for number in range(6)])
    given.objects.add("obj_two", sprite="spr_a", events={"Create_0": "sprite_index = spr_b;"})
    given = again(given)
    record = given.sprites["spr_b"].record
    for number, item in enumerate(given.sprites["spr_a"].record.textures):
        record.textures.insert(2 * number, item)  # the one page, the other page, ...
    assert len({item.page.index for item in record.textures}) == 2
    decode = Mock(wraps=textures.decode)
    monkeypatch.setattr(textures, "decode", decode)
    blobs = [page.blob for page in given.record("TXTR").pages]
    page = max(textures.decode(blob).nbytes for blob in blobs if blob is not None)
    decode.reset_mock()
    monkeypatch.setattr(pool.KEPT, "limit", page)  # one is kept
    shown = [np.asarray(frame.image) for frame in given.sprites["spr_b"].frames]
    assert decode.call_count > 2
    decode.reset_mock()
    made = game.objects.copy_from(given.objects["obj_two"])
    assert sorted(made.copied) == ["object obj_two", "sprite spr_a", "sprite spr_b"]
    assert decode.call_count == 2
    copies = again(game).sprites["spr_b"].frames
    assert len(copies) == len(shown) == 10
    for one, other in zip(copies, shown, strict=True):
        assert np.array_equal(np.asarray(one.image), other)


def test_much_code_is_learnt_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    given, game = game_of("2022.5"), game_of("2024.13")
    events = {f"Alarm_{number}": f"s = {{ a: {number} }};" for number in range(6)}
    given.objects.add("obj_new", events=events)
    game.objects.add("obj_old", events={"Create_0": "s = { a: 9 };"})
    learn = Mock(wraps=context.game_context)
    monkeypatch.setattr(language, "game_context", learn)
    game.objects.copy_from(given.objects["obj_new"])
    assert sum(call.args == (game,) for call in learn.call_args_list) <= 2
    game.sprites.add("spr_later", frames=[picture(1)])
    assert game.language.context.asset_id("spr_later") is not None  # nothing is held any more
    read = again(game)
    structs = [name for name in read.named("CODE").names() if "___struct___" in name]
    assert len(structs) == len(set(structs)) == 7
    assert {name: event.gml for name, event in read.objects["obj_new"].events.items()} == {
        name: event.gml for name, event in given.objects["obj_new"].events.items()
    }


@pytest.mark.parametrize(("version", "size"), [("1.4.1804", 12), ("2024.13", -12.0)])
@pytest.mark.parametrize("to", [*VERSIONS, "2.2.2.302"])
def test_a_font_is_of_the_same_size(version: str, size: float, to: str) -> None:
    given, game = game_of(version), game_of(to)
    given.fonts._add(Font(size=size), "fnt_a")
    game.fonts.copy_from(given.fonts["fnt_a"])
    copy = again(game).fonts["fnt_a"]
    assert (copy.size, copy.record.size) == (12, 12 if to == "1.4.1804" else -12)


@pytest.mark.parametrize("to", ["2.2.5", "2022.5", "2024.13"])
@pytest.mark.parametrize("version", ["2.2.5", "2024.13"])
def test_a_tile_set_has_no_sprite_of_its_own(version: str, to: str) -> None:
    given, game = game_of(version), game_of(to)
    own = None if version == "2024.13" else 0
    given.backgrounds._add(Background(exported_sprite=own), "ts_a")
    game.backgrounds.copy_from(given.backgrounds["ts_a"])
    read = again(game).records.backgrounds["ts_a"].exported_sprite
    assert read == (None if to == "2024.13" else 0)


def test_a_texture_group_is_copied_without_what_is_in_it() -> None:
    given, game = source("2024.13"), game_of("2022.5")
    made = game.texture_groups.copy_from(given.texture_groups[0], "Second")
    assert made.copied == ["texture group Second"]
    assert made.resource.record == TextureGroup(game.strings.add("Second"))


def test_a_script_does_not_bring_a_function_that_is_there() -> None:
    given, game = game_of("2022.5"), game_of("2022.5")
    given.add_script("tools", "function one() { return 1; } function two() { return 2; }")
    game.add_script("mine", "function two() { return 3; }")
    before = game.to_bytes()
    with pytest.raises(ValueError, match="there is a function two already"):
        game.scripts.copy_from(given.scripts["tools"])
    assert game.to_bytes() == before


def test_scripts_that_call_each_other() -> None:
    given, game = game_of("2022.5"), game_of("2024.13")
    given.add_script("one", "function one() { return 1; }")
    given.add_script("two", "function two(n) { return n ? one() : two(1); }")
    given.scripts["one"].gml = "function one() { return two(0); }"
    made = game.scripts.copy_from(given.scripts["one"])
    assert (made.copied, made.warnings) == (["script one", "script two"], [])
    read = again(game)
    for name in ("gml_GlobalScript_one", "gml_GlobalScript_two"):
        assert read.check_code(name) is None
        assert texts(read)[name] == texts(given)[name]


def test_code_that_can_not_be_compiled_is_left_out_and_reported() -> None:
    given, game = game_of("2022.5"), game_of("1.4.1804")
    given.add_event("obj_a", "Create_0", "s = { a: 1 };")
    given.add_event("obj_a", "Step_0", "n = 1;")
    made = game.objects.copy_from(given.objects["obj_a"], "obj_new")
    (report,) = made.warnings
    assert report.startswith("obj_new, event 0 0: its code is left out, as it can't be compiled: ")
    assert list(again(game).objects["obj_new"].events) == ["Step_0"]


def test_code_that_the_file_does_not_have_is_reported() -> None:
    """As in games of native code, whose events have numbers of code that is not in the file."""
    game, other = game_of("2023.11"), source("2022.5")
    hero = other.objects["obj_hero"]
    hero.record.events[EventType.STEP][0].actions[0].code = 7
    copies = game.objects.copy_from(hero)
    assert sorted(copies.resource.events) == ["Collision_obj_wall", "Create_0"]
    assert [warning for warning in copies.warnings if "left out" in warning] == [
        "obj_hero, event 3 0: its code is left out, as that game's file does not have it"
    ]


def test_an_event_without_code_still_hides_that_of_the_parent() -> None:
    game, other = game_of("2023.11"), source("2022.5")
    hero = other.objects["obj_hero"]
    hero.record.events[EventType.STEP][0].actions.clear()
    room = other.rooms.add("rm_empty")
    copies = game.objects.copy_from(hero)
    assert copies.resource.events["Step_0"].gml.strip() == ""
    before = game.code.names()
    assert game.rooms.copy_from(room).warnings == []
    assert game.code.names() == before
