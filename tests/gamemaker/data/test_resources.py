"""The surface over records: the verbs that every kind of resource has."""

from __future__ import annotations

from typing import Any

import pytest

from drawn_games import add_sprite, drawn_game
from overhaul.gamemaker.data.chunks.extn import Extension
from overhaul.gamemaker.data.chunks.room import Instance, InstancesLayer, Layer
from overhaul.gamemaker.data.chunks.seqn import Path
from overhaul.gamemaker.data.chunks.sond import Sound
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.txtr import TextureGroup
from overhaul.gamemaker.data.code.additions import add_entry
from overhaul.gamemaker.data.code.texts import chosen_entries
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.kinds import Kind, ResourceAttributes
from small_games import again, game_of

KINDS = [name for name, value in vars(ResourceAttributes).items() if isinstance(value, Kind)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_an_attribute_of_the_game(kind: str) -> None:
    resources: Any = getattr(game_of("2024.13"), kind)
    assert list(resources) == [resources[name] for name in resources.names()]
    assert kind in dir(game_of("1.4.9999"))
    assert repr(resources).startswith(f"<{len(resources)} ")


def test_what_the_compiler_removed_is_not_counted_and_its_number_stays_taken() -> None:
    game = drawn_game("2.3.7")
    add_sprite(game, "spr_a", "R")
    game.records.sprites.append(None)
    add_sprite(game, "spr_b", "R")
    game = GameData.from_bytes(game.to_bytes())
    counts = game.info()["resources"]
    game.load_all()
    assert isinstance(counts, dict)
    assert counts == game.info()["resources"]
    assert counts["sprites"] == len(game.sprites) == len(list(game.sprites)) == 2
    assert game.sprites[2].name == game.sprites[-1].name == "spr_b"
    with pytest.raises(IndexError, match=r"removed sprite number 1 as unused \(there are: 0, 2\)"):
        game.sprites[1]
    for number in (3, -4):
        with pytest.raises(IndexError, match=f"there is no sprite number {number}"):
            game.sprites[number]


def test_a_long_list_of_numbers_is_cut() -> None:
    game = drawn_game("2.3.7")
    game.records.sprites.append(None)
    for number in range(9):
        add_sprite(game, f"spr_{number}", "R")
    with pytest.raises(IndexError, match="1, 2, 3, 4, 5, 6, 7, 8, …"):
        game.sprites[0]


def test_a_new_resource_has_its_name_in_the_string_table() -> None:
    game = game_of("2022.5")
    added = game.paths._add(Path(), "pth_new")
    assert (added.name, added.index) == ("pth_new", 0)
    assert game.strings.find("pth_new") is added.record.name
    assert again(game).paths.names() == ["pth_new"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "not a valid name"),
        ("1st", "no digit first"),
        ("a b", "no digit first"),
        ("a\nb", "not a valid name"),
        ("while", "a word of the language"),
        ("image_index", "built-in variable"),
        ("c_red", "built-in constant"),
        ("draw_self", "built-in function"),
        ("obj_a", "taken by the object"),
        ("jump", "taken by the script"),
    ],
)
def test_a_new_name_is_valid_and_free(name: str, message: str) -> None:
    game = game_of("2022.5")
    game.add_script("moves", "function jump() { return 1; }")
    with pytest.raises(ValueError, match=message):
        game.paths._add(Path(), name)
    assert len(game.paths) == 0


def test_a_name_that_no_code_uses_is_any_text_and_may_be_that_of_an_asset() -> None:
    game = game_of("2022.5")
    game.texture_groups._add(TextureGroup(), "Title screen (large)")
    game.texture_groups._add(TextureGroup(), "obj_a")
    with pytest.raises(ValueError, match="is taken"):
        game.texture_groups._add(TextureGroup(), "obj_a")


def test_a_name_given_to_a_record_itself_is_taken_too() -> None:
    game = game_of("2022.5")
    game.paths._add(Path(), "pth_one").record.name = "pth_two"
    with pytest.raises(ValueError, match="is taken"):
        game.paths._add(Path(), "pth_two")
    assert game.paths._add(Path(), "pth_one").index == 1


def test_a_sprite_is_listed_in_a_texture_group() -> None:
    game = game_of("2022.5")
    sprite = game.sprites._add(Sprite(), "spr_new")
    assert [r.target for g in game.records.texture_groups.present() for r in g.sprites] == [
        sprite.record
    ]


def test_a_kind_that_the_release_lacks_is_refused() -> None:
    game = game_of("1.4.9999")
    with pytest.raises(ValueError, match="has no sequences"):
        game.sequences._add(Path(), "seq_new")


def with_code(version: str = "2022.5") -> GameData:
    """Two objects that collide, a sprite and a script in use."""
    game = game_of(version)
    game.sprites._add(Sprite(), "spr_a")
    game.sprites._add(Sprite(), "spr_b")
    body = "return argument0 + 1;"
    modern = game.release.at_least(2, 3)
    game.add_script("grow", "function grow(n) { return n + 1; }" if modern else body)
    game.add_event("obj_a", "Create_0", 'sprite_index = spr_b; n = grow(1); t = "obj_a";')
    game.add_event("obj_a", "Collision_obj_a_b", "x = obj_a_b.x;")
    game.add_event("obj_a_b", "Collision_obj_a", "y = obj_a.y;")
    return game


def texts(game: GameData) -> dict[str, str]:
    return {str(e.name): e.gml for e in game.named("CODE").present() if e.root is None}


VERSIONS = ["1.4.1804", "2.2.5", "2022.5", "2024.13"]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_object_is_renamed_with_its_code_and_the_collisions_of_others(version: str) -> None:
    game = with_code(version)
    warnings = game.objects.rename("obj_a", "obj_hero").texts()
    assert warnings == [
        "code holds 'obj_a', as the object obj_hero was called, as a text: "
        "gml_Object_obj_hero_Create_0"
    ]
    number = {"1.4.1804": "0"}.get(version, "obj_hero")
    other = {"1.4.1804": "1"}.get(version, "obj_a_b")
    read = again(game)
    assert [name for name in texts(read) if "Object" in name] == [
        "gml_Object_obj_hero_Create_0",
        f"gml_Object_obj_hero_Collision_{other}",
        f"gml_Object_obj_a_b_Collision_{number}",
    ]
    assert "y = obj_hero.y" in texts(read)[f"gml_Object_obj_a_b_Collision_{number}"]
    assert read.objects.names() == ["obj_hero", "obj_a_b"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_script_is_renamed_where_it_is_called(version: str) -> None:
    game = with_code(version)
    game.scripts["grow"].name = "shrink"
    assert game.warnings == []
    read = again(game)
    assert "n = shrink(1)" in texts(read)["gml_Object_obj_a_Create_0"]
    assert not any("grow" in name for name in (*texts(read), *read.scripts.names()))
    assert read.check_code("gml_Object_obj_a_Create_0") is None
    kept = "function shrink(arg0)" if read.release.at_least(2, 3) else "return argument0 + 1"
    assert any(kept in text for text in texts(read).values())


def test_functions_inside_a_script_keep_to_it_when_it_is_renamed() -> None:
    game = game_of("2022.5")
    game.add_script("tool", "function tool() { static f = function() { return tool; }; return f; }")
    entry = game.named("CODE")["gml_GlobalScript_tool"]
    before = [str(child.name) for child in entry.children]
    game.scripts.rename("tool", "device")
    after = [str(child.name) for child in entry.children]
    assert after == [name.replace("tool", "device") for name in before]
    assert "tool" not in entry.gml
    assert again(game).check_code("gml_GlobalScript_device") is None


def test_a_rename_to_a_taken_name_changes_nothing() -> None:
    game = with_code()
    before = game.to_bytes()
    for name in ("obj_a_b", "spr_a", "grow", "if"):
        with pytest.raises(ValueError, match=name):
            game.objects.rename("obj_a", name)
    assert game.to_bytes() == before
    assert game.objects.rename("obj_a", "obj_a") == []
    with pytest.raises(KeyError, match="did you mean 'obj_a_b'"):
        game.objects.rename("obj_a_bb", "obj_c")


@pytest.mark.parametrize("version", VERSIONS)
def test_what_uses_a_resource(version: str) -> None:
    game = with_code(version)
    game.objects["obj_a_b"].record.sprite = game.records.sprites.reference_to("spr_a")
    assert [str(user) for user in game.sprites["spr_a"].users()] == ["object obj_a_b"]
    assert [str(user) for user in game.sprites["spr_b"].users()] == [
        "code gml_Object_obj_a_Create_0"
    ]
    assert [str(user) for user in game.scripts["grow"].users()] == [
        "code gml_Object_obj_a_Create_0"
    ]
    assert game.rooms["rm_first"].users() == []


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_used_is_removed_only_by_force(version: str) -> None:
    game = with_code(version)
    before = game.to_bytes()
    with pytest.raises(ValueError, match="spr_b is used by code gml_Object_obj_a_Create_0; force"):
        game.sprites.remove("spr_b")
    assert game.to_bytes() == before
    warnings = game.sprites.remove("spr_b", force=True).texts()
    place = next(
        number
        for number, line in enumerate(texts(game)["gml_Object_obj_a_Create_0"].split("\n"), 1)
        if "sprite_index" in line
    )
    code = "gml_Object_obj_a_Create_0"
    assert warnings[0] == f"spr_b was removed, but code named it: {code}:{place}"
    doubt = f"1 may name the sprite spr_b, which was removed: {code}:"
    assert [warning.startswith(doubt) for warning in warnings[1:]] == [True] * (
        version != "2024.13"
    )
    read = again(game)
    assert read.sprites.names() == ["spr_a"]
    assert "sprite_index = -1;" in texts(read)["gml_Object_obj_a_Create_0"]


@pytest.mark.parametrize("version", VERSIONS)
def test_code_that_named_a_removed_object_names_no_object(version: str) -> None:
    source = 'x = instance_exists(obj_a_b);\nwith (obj_a_b)\n    y = "obj_a_b";\nz = obj_a_b.x;'
    game = with_code(version)
    game.add_event("obj_a", "Step_0", source)
    game.objects.remove("obj_a_b", force=True)
    text = texts(again(game))["gml_Object_obj_a_Step_0"]
    assert "obj_a_b" not in text.replace('"obj_a_b"', "")
    assert text.count("noone") == 3
    assert '"obj_a_b"' in text
    assert "16777215" not in text


def test_a_name_of_two_kinds_stays_where_it_means_the_other() -> None:
    game = with_code("2024.13")
    game.add_event("obj_a", "Step_0", "x = obj_a_b;\ny = spr_b;")
    game.records.sprites["spr_b"].name = game.strings.add("obj_a_b")
    game.language.forget()
    game.objects.remove("obj_a_b", force=True)
    game.records.sprites["obj_a_b"].name = game.strings.add("spr_b")
    assert "y = spr_b;" in texts(again(game))["gml_Object_obj_a_Step_0"]


@pytest.mark.parametrize("version", VERSIONS)
def test_code_follows_when_a_resource_before_is_removed(version: str) -> None:
    game = with_code(version)
    game.sprites.remove("spr_a")
    read = again(game)
    assert "sprite_index = spr_b" in texts(read)["gml_Object_obj_a_Create_0"]
    assert not any("may name others" in warning for warning in game.warnings)


def test_an_object_goes_with_its_code_and_the_collisions_with_it() -> None:
    game = with_code()
    instance = Instance(object=game.records.objects.reference_to("obj_a_b"), id=100000)
    game.records.rooms[0].instances.append(instance)
    names = {str(user) for user in game.objects["obj_a_b"].users()}
    assert names == {"object obj_a", "room rm_first", "code gml_Object_obj_a_Collision_obj_a_b"}
    game.objects.remove("obj_a_b", force=True)
    read = again(game)
    assert list(texts(read)) == [
        "gml_GlobalScript_grow",
        "gml_Object_obj_a_Create_0",
        "gml_Object_obj_a_Collision_obj_a_b",
    ]
    assert read.records.rooms[0].instances == []


def test_both_of_two_that_use_only_each_other_can_be_removed() -> None:
    game = with_code()
    game.objects.remove("obj_a", game.objects["obj_a_b"])
    assert list(texts(again(game))) == ["gml_GlobalScript_grow"]


def test_a_script_goes_with_its_functions() -> None:
    game = with_code()
    with pytest.raises(ValueError, match="a function in gml_GlobalScript_grow"):
        game.scripts.remove("gml_Script_grow")
    game.scripts.remove("grow", force=True)
    read = again(game)
    assert read.scripts.names() == []
    assert "gml_GlobalScript_grow" not in texts(read)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_copy_has_code_of_its_own(version: str) -> None:
    game = with_code(version)
    copy = game.objects.duplicate("obj_a", "obj_c")
    assert (copy.name, copy.index) == ("obj_c", 2)
    game.named("CODE")["gml_Object_obj_c_Create_0"].gml = "n = 2;"
    read = again(game)
    assert "grow(1)" in texts(read)["gml_Object_obj_a_Create_0"]
    assert "n = 2" in texts(read)["gml_Object_obj_c_Create_0"]
    events = read.records.objects["obj_c"].events
    assert str(events[4][0].actions[0].code.name).startswith("gml_Object_obj_c_Collision_")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_copied_script_is_a_function_of_its_own(version: str) -> None:
    game = with_code(version)
    game.scripts.duplicate("grow", "shrink")
    game.add_event("obj_a", "Step_0", "n = shrink(n);")
    read = again(game)
    assert read.check_code("gml_Object_obj_a_Step_0") is None
    assert "n = shrink(n)" in texts(read)["gml_Object_obj_a_Step_0"]
    assert "n = grow(1)" in texts(read)["gml_Object_obj_a_Create_0"]


def test_a_script_with_more_functions_is_not_there_twice() -> None:
    game = game_of("2022.5")
    game.add_script("tools", "function tools() { } function more() { }")
    with pytest.raises(ValueError, match="declares the function more"):
        game.scripts.duplicate("tools", "tools2")


def test_a_copied_room_has_new_ids_and_comes_last() -> None:
    game = game_of("2024.13")
    room = game.records.rooms[0]
    room.instances += [Instance(id=100000), Instance(id=100003)]
    room.instance_order += [100003, 100000]
    room.layers.append(Layer(id=5, type=2, data=InstancesLayer([100003])))
    game.rooms.duplicate("rm_first", "rm_second")
    copy = again(game).records.rooms["rm_second"]
    assert [instance.id for instance in copy.instances] == [100004, 100005]
    assert list(copy.instance_order) == [100005, 100004]
    assert (copy.layers[0].id, copy.layers[0].data.instances) == (6, [100005])
    assert game.general.last_object_id == 100006
    assert [str(item.name) for item in game.general.room_order] == ["rm_second"]
    assert [instance.id for instance in room.instances] == [100000, 100003]


@pytest.mark.parametrize("version", VERSIONS)
def test_resources_move_and_code_follows(version: str) -> None:
    game = with_code(version)
    game.sprites.move("spr_b", 0)
    game.objects.move("obj_a", -1)
    read = again(game)
    assert read.sprites.names() == ["spr_b", "spr_a"]
    assert "sprite_index = spr_b" in texts(read)["gml_Object_obj_a_Create_0"]
    assert any("y = obj_a.y" in text for text in texts(read).values())
    with pytest.raises(IndexError, match="no sprite number 2"):
        game.sprites.move("spr_a", 2)


def test_texture_groups_go_with_their_contents_moved() -> None:
    game = with_code()
    game.texture_groups._add(TextureGroup(), "Second")
    first = game.texture_groups[0]
    assert {user.name for user in first.users()} == {"spr_a", "spr_b"}
    game.texture_groups.remove(0, force=True)
    (left,) = again(game).records.texture_groups.present()
    assert [str(sprite.name) for sprite in left.sprites] == ["spr_a", "spr_b"]
    with pytest.raises(ValueError, match="no group is left"):
        game.texture_groups.remove("Second", force=True)


def test_audio_groups_keep_their_numbers_and_are_copied_empty() -> None:
    game = game_of("2022.5")
    game.audio_groups.add("audiogroup_music")
    game.records.sounds.append(Sound(game.strings.add("snd_a"), group=1))
    assert [str(user) for user in game.audio_groups[1].users()] == ["sound snd_a"]
    copy = game.audio_groups.duplicate("audiogroup_music", "audiogroup_speech")
    assert (copy.sounds, copy.file_name) == ([], "audiogroup2.dat")
    with pytest.raises(ValueError, match="can't be moved"):
        game.audio_groups.move("audiogroup_music", 0)


def test_the_ids_of_extensions_follow_them() -> None:
    game = game_of("2.2.5")
    for name in ("First", "Second"):
        game.extensions._add(Extension(), name)
    game.record("EXTN").product_ids[1] = bytes(range(16))
    game.extensions.move("Second", 0)
    assert again(game).record("EXTN").product_ids[0] == bytes(range(16))
    game.extensions.remove("First")
    assert again(game).record("EXTN").product_ids == [bytes(range(16))]


def test_single_code_entries_have_the_verbs_that_make_sense_for_it() -> None:
    game = with_code()
    assert game.code.rename("gml_Object_obj_a_Create_0", "gml_Object_obj_a_Create_1") == []
    for verb in (game.code.remove, lambda name: game.code.rename(name, "gml_Script_f")):
        with pytest.raises(ValueError, match="a function in gml_GlobalScript_grow"):
            verb("gml_Script_grow")
    with pytest.raises(ValueError, match="copy what runs it"):
        game.code.duplicate("gml_GlobalScript_grow", "gml_GlobalScript_f")
    with pytest.raises(ValueError, match="used by object obj_a"):
        game.code.remove("gml_Object_obj_a_Create_1")
    game.code.remove("gml_Object_obj_a_Create_1", force=True)
    assert "gml_Object_obj_a_Create_1" not in texts(again(game))


def test_the_name_of_an_object_or_room_chooses_its_code() -> None:
    game = with_code()
    room = game.records.rooms["rm_first"]
    add_entry(game, "gml_Room_rm_first_Create", "x = 1;")
    room.creation_code = game.records.code.reference_to("gml_Room_rm_first_Create")
    names = [str(game.records.code[index].name) for index in chosen_entries(game, ["obj_a"])[0]]
    assert names and all(name.startswith("gml_Object_obj_a_") for name in names)
    assert not any(name.startswith("gml_Object_obj_a_b_") for name in names)
    result, missing = chosen_entries(game, ["rm_first", "obj_nothing"])
    assert [str(game.records.code[index].name) for index in result] == ["gml_Room_rm_first_Create"]
    assert missing == ["obj_nothing"]


def test_an_instance_knows_its_room_and_a_game_what_nothing_uses() -> None:
    game = with_code()
    object_a = game.records.objects.reference_to("obj_a")
    game.records.rooms["rm_first"].instances.append(Instance(object=object_a, id=100000))
    assert game.rooms["rm_first"].instances[0].room == game.rooms["rm_first"]
    game.sprites.duplicate("spr_a", "spr_unused")
    assert ("sprite", "spr_unused") in game.unused()
    assert ("sprite", "spr_b") not in game.unused()
