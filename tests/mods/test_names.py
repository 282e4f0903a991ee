"""Names in the code of mods: resources are named, though the compiled code holds their numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from overhaul import mods
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.blank import blank_game

RELEASES = ("1.4.1757", "2.2.5", "2.3.1", "2023.4", "2024.13")
NUMBERED = RELEASES[:4]
CREATE = "gml_Object_obj_hero_Create_0"
STEP = "gml_Object_obj_hero_Step_0"


def base(release: str, *more: str) -> bytes:
    """A game of a hero and other objects."""
    with GameData.from_bytes(blank_game({"version": release}).to_bytes()) as game:
        hero = game.objects.add("obj_hero")
        hero.events["Create_0"] = "hp = 10;\nfoo = bar;"
        hero.events["Step_0"] = "foo = hp;\nbar = foo;"
        for name in ("obj_wall", *more):
            game.objects.add(name)
        return game.to_bytes()


def adds(folder: Path, game: bytes, name: str, file: str = CREATE) -> mods.Mod:
    """A mod made from a folder: a new object, which a variable of the hero is set to."""
    overhaul.unpack(game, folder)
    new = folder / "objects" / name / "object.json"
    new.parent.mkdir(parents=True)
    new.write_bytes((folder / "objects/obj_wall/object.json").read_bytes())
    source = folder / "code" / f"{file}.gml"
    source.write_text(source.read_text() + f"\ntarget_{name} = {name}; // as I wrote it\n")
    return mods.make(game, folder, name=name)


def target(game: bytes, name: str, file: str = CREATE) -> str:
    """The name of the object that the code sets a variable to."""
    with GameData.from_bytes(game) as read:
        context = read.language.context
        code = read.code[file]
        line = next(each for each in code.gml.split("\n") if f"target_{name} =" in each)
        value = line.partition("=")[2].strip(" ;")
        return context.asset_name("object", int(value)) or "" if value.isdigit() else value


@pytest.mark.parametrize("release", RELEASES)
def test_two_mods_that_add_an_object_each_name_their_own(release: str, tmp_path: Path) -> None:
    game = base(release)
    made = [
        adds(tmp_path / name, game, name, file)
        for name, file in (("obj_one", CREATE), ("obj_two", STEP))
    ]
    for mod, file in zip(made, (CREATE, STEP), strict=True):
        patch = mod.patches[f"code/{file}.gml"]
        assert isinstance(patch, mods.LinePatch)
        assert f"target_{mod.name} = {mod.name}; // as I wrote it" in patch.hunks[0].new
        assert mod.names == {mod.name: ("object", 2)}
        assert mods.load(mod.to_bytes()).names == mod.names
    for order in (made, made[::-1]):
        result = mods.apply(game, order)
        assert result.conflicts == []
        assert target(result.data, "obj_one") == "obj_one"
        assert target(result.data, "obj_two", STEP) == "obj_two"


@pytest.mark.parametrize("release", RELEASES)
def test_a_rebase_keeps_names(release: str, tmp_path: Path) -> None:
    game, update = base(release), base(release, "obj_more", "obj_again")
    carried = mods.rebase(adds(tmp_path / "g", game, "obj_one"), game, update)
    assert carried.left_out == []
    assert carried.names == {"obj_one": ("object", 4)}
    result = mods.apply(update, [carried])
    assert result.conflicts == []
    assert target(result.data, "obj_one") == "obj_one"


@pytest.mark.parametrize("release", RELEASES)
def test_code_that_names_what_is_not_there_is_a_conflict(release: str, tmp_path: Path) -> None:
    game = base(release, "obj_more")
    folder = tmp_path / "g"
    overhaul.unpack(game, folder)
    (folder / f"code/{CREATE}.gml").write_text("hp = 10;\nfoo = bar;\nfoe = obj_more;\n")
    mod = mods.make(game, folder, name="foe")
    assert mods.apply(game, [mod]).conflicts == []
    (conflict,) = mods.apply(base(release), [mod]).conflicts
    assert conflict.path == f"code/{CREATE}.gml"
    assert conflict.reason == ("the code names the object obj_more, which the game does not have")
    # the word in a comment or a text names nothing
    (folder / f"code/{CREATE}.gml").write_text('hp = 10;\nfoo = "obj_more"; // obj_more\n')
    assert mods.apply(base(release), [mods.make(game, folder, name="foe")]).conflicts == []


def compiled(release: str, *more: str) -> tuple[bytes, bytes]:
    """A game, and one made of it by the library, so that only numbers are known."""
    game = base(release, *more)
    with GameData.from_bytes(game) as read:
        read.objects.add("obj_one")
        code = read.objects["obj_hero"].events["Create_0"]
        code.gml += "\ntarget_obj_one = obj_one;\nhp = 2;"
        return game, read.to_bytes()


@pytest.mark.parametrize("release", NUMBERED)
def test_a_number_that_may_be_an_asset_must_be_the_same_one(release: str) -> None:
    game, changed = compiled(release)
    mod = mods.make(game, changed, name="one")
    path = f"code/{CREATE}.gml"
    assert mod.numbers == {path: {2: {"object": "obj_one"}}}
    assert mods.load(mod.to_bytes()).numbers == mod.numbers
    assert mods.apply(game, [mod]).conflicts == []
    update = base(release, "obj_more")
    (conflict,) = mods.apply(update, [mod]).conflicts
    assert (conflict.path, conflict.mods) == (path, ["one"])
    assert conflict.reason == ("2 in the code may be the object obj_one, which is number 3 here")
    accepted = mods.apply(update, [mod], accept_renumbering=True)
    assert accepted.conflicts == []
    assert any("2 in the code may be" in text for text in accepted.warnings)
    carried = mods.rebase(mod, game, update)
    assert [each.path for each in carried.left_out] == [path]
    assert path in carried.patches and "objects/obj_one/object.json" in carried.added
    # who puts it on the update is asked again
    carried = mods.load(carried.to_bytes())
    assert [each.path for each in mods.apply(update, [carried]).conflicts] == [path]
    forced = mods.load(mods.rebase(mod, game, update, accept_renumbering=True).to_bytes())
    assert path in forced.patches and forced.left_out == []
    assert mods.apply(update, [forced]).conflicts == []


@pytest.mark.parametrize("release", NUMBERED)
def test_a_rebase_keeps_what_code_in_doubt_belongs_to(release: str) -> None:
    """A new event in doubt took its object with it, and doubts of the update's code everything."""
    game, update = base(release, "obj_one"), base(release, "obj_more", "obj_one")
    with GameData.from_bytes(game) as read:
        read.objects["obj_wall"].events["Create_0"] = "ds_list_add(list, 2);"
        mod = mods.make(game, read.to_bytes(), name="one")
    carried = mods.rebase(mod, game, update)
    event = "code/gml_Object_obj_wall_Create_0.gml"
    assert carried.paths() == [event, "objects/obj_wall/object.json"]
    assert [(each.path, each.is_doubt) for each in carried.left_out] == [(event, True)]
    game = in_order(release, "obj_one", "obj_two")
    mod = mods.make(game, in_order(release, "obj_two", "obj_one"), name="two")
    with GameData.from_bytes(game) as read:
        read.objects["obj_hero"].events["Step_1"] = "foo = 3;"
        update = read.to_bytes()
    carried = mods.rebase(mod, game, update)
    assert carried.paths() == ["order.json"]
    assert [(each.path, each.is_doubt) for each in carried.left_out] == [("", True)]
    assert mods.apply(update, [carried]).data == b""


@pytest.mark.parametrize("release", NUMBERED)
def test_a_state_of_the_mod_alone_is_in_no_doubt(release: str) -> None:
    """One that the game's code has too may be compared with other numbers in another build."""
    game, update = base(release, "obj_one"), base(release, "obj_more", "obj_one")
    with GameData.from_bytes(game) as read:
        read.objects["obj_wall"].events["Create_0"] = (
            "state = 2;\nif (state == 1) x = 3;\nhp_b = 2;"
        )
        mod = mods.load(mods.make(game, read.to_bytes(), name="one").to_bytes())
        read.objects["obj_wall"].events["Step_0"] = "if (state == 1) y = 3;"
        both = mods.load(mods.make(game, read.to_bytes(), name="two").to_bytes())
    assert mods.apply(update, [mod]).conflicts == []
    assert any(conflict.is_doubt for conflict in mods.apply(update, [both]).conflicts)


@pytest.mark.parametrize("reader", ["with (hp_b) x = 1;", "if (hp_b == 1) y = 2;"])
@pytest.mark.parametrize("release", NUMBERED)
def test_a_later_build_that_reads_what_only_the_mod_had(release: str, reader: str) -> None:
    game = base(release, "obj_one")
    event = "code/gml_Object_obj_wall_Create_0.gml"
    with GameData.from_bytes(game) as read:
        read.objects["obj_wall"].events["Create_0"] = "hp_b = 2;"
        mod = mods.load(mods.make(game, read.to_bytes(), name="one").to_bytes())
    assert mod.numbers == {} and mod.own_numbers == {event: {2: {"object": "obj_one"}}}
    later = []
    for names in (("obj_one",), ("obj_more", "obj_one")):
        with GameData.from_bytes(base(release, *names)) as update:
            update.objects["obj_hero"].events["Step_1"] = reader
            later.append(update.to_bytes())
    assert mods.apply(later[0], [mod]).conflicts == []
    (conflict,) = mods.apply(later[1], [mod]).conflicts
    assert (conflict.path, conflict.is_doubt) == (event, True)
    assert conflict.reason == (
        "2 in the code may be the object obj_one, which is number 3 here, and code of this game "
        "reads it"
    )
    accepted = mods.apply(later[1], [mod], accept_renumbering=True)
    assert accepted.conflicts == [] and any("obj_one" in text for text in accepted.warnings)
    carried = mods.rebase(mod, game, base(release, "obj_more", "obj_one"))
    assert carried.own_numbers == mod.own_numbers and carried.left_out == []


def in_order(release: str, *names: str) -> bytes:
    """A game of a hero and other objects, whose code holds a number that may be one of them."""
    with GameData.from_bytes(base(release, *names)) as game:
        game.objects["obj_hero"].events["Step_0"] = "foo = 2;"
        return game.to_bytes()


@pytest.mark.parametrize("release", NUMBERED)
def test_nothing_is_in_doubt_on_the_game_that_a_mod_was_made_from(release: str) -> None:
    game = in_order(release, "obj_one", "obj_two")
    changed = in_order(release, "obj_two", "obj_one")
    mod = mods.load(mods.make(game, changed, name="m").to_bytes())
    result = mods.apply(game, [mod])
    assert (result.conflicts, result.warnings) == ([], [])
    assert not mods.diff(result.data, changed)
    with GameData.from_bytes(result.data) as made:
        assert made.objects.names() == ["obj_hero", "obj_wall", "obj_two", "obj_one"]
        assert made.code["gml_Object_obj_hero_Step_0"].gml == "foo = 2;"
    # two mods that add one object each give other numbers than each of their makers had
    more = in_order(release, "obj_new", "obj_one", "obj_two")
    both = [mod, mods.make(game, more, name="n")]
    (conflict,) = mods.apply(game, both).conflicts
    assert "2 in 'foo = 2;' (obj_one is 4 now)" in conflict.reason
    # and another game may have other code
    (conflict,) = mods.apply(in_order(release, "obj_one", "obj_two", "obj_three"), [mod]).conflicts
    assert "2 in 'foo = 2;' (obj_one is 3 now)" in conflict.reason


def scripted(release: str, *names: str) -> bytes:
    with GameData.from_bytes(blank_game({"version": release}).to_bytes()) as game:
        for name in names:
            game.add_script(name, f'return "{name}";')
        game.objects.add("obj_hero").events["Step_0"] = "script_execute(scr_a);\nfoo = 1;"
        return game.to_bytes()


@pytest.mark.parametrize("release", RELEASES[:2])
def test_a_mod_has_the_order_of_scripts(release: str) -> None:
    """Before 2.3 it is what their numbers are."""
    game = scripted(release, "scr_a", "scr_b", "scr_c")
    changed = scripted(release, "scr_b", "scr_new", "scr_c", "scr_a")
    (change,) = [e for e in mods.diff(game, changed).changes if e.path == "scripts.json"]
    assert change.details["fields"] == [
        {"path": "scr_new", "new": "gml_Script_scr_new"},
        {"path": "scr_new", "moved": True},
        {"path": "scr_a", "moved": True},
    ]
    mod = mods.load(mods.make(game, changed, name="m").to_bytes())
    result = mods.apply(game, [mod])
    assert (result.conflicts, result.warnings) == ([], [])
    with GameData.from_bytes(result.data) as made:
        assert made.scripts.names() == ["scr_b", "scr_new", "scr_c", "scr_a"]
        step = made.code["gml_Object_obj_hero_Step_0"].gml
        assert step == "script_execute(scr_a);\nfoo = 1;"
    with GameData.from_bytes(changed) as wanted:
        assert wanted.code["gml_Object_obj_hero_Step_0"].gml == step
    assert mods.apply(result.data, [mod]).changed == []
    only_order = mods.make(game, scripted(release, "scr_c", "scr_a", "scr_b"), name="m")
    with GameData.from_bytes(mods.apply(game, [only_order]).data) as made:
        assert made.scripts.names() == ["scr_c", "scr_a", "scr_b"]


@pytest.mark.parametrize("release", NUMBERED)
def test_an_inferred_kind_decides(release: str) -> None:
    game = base(release)
    with GameData.from_bytes(game) as read:
        read.objects.add("obj_one")
        code = read.objects["obj_hero"].events["Create_0"]
        code.gml += "\ninstance_destroy(obj_one);\ntarget_obj_one = obj_one;"
        read.objects["obj_hero"].events["Step_0"].gml += "\ninstance_destroy(target_obj_one);"
        changed = read.to_bytes()
    mod = mods.make(game, changed, name="one")
    assert mod.numbers == {}
    result = mods.apply(base(release, "obj_more"), [mod])
    assert result.conflicts == []
    assert target(result.data, "obj_one") == "obj_one"


def test_a_mod_with_wrong_numbers_is_refused() -> None:
    game, changed = compiled("2.2.5")
    mod = mods.make(game, changed, name="one")
    mod.numbers = {"../x": {2: {"object": "obj_one"}}}
    with pytest.raises(overhaul.FormatError, match=r"index\.json"):
        mods.load(mod.to_bytes())


@pytest.mark.parametrize("release", ["2.3.1", "2023.4", "2024.14"])
def test_a_call_of_a_function_that_another_mod_renames_is_a_conflict(
    release: str, tmp_path: Path
) -> None:
    """One renames a function with all its calls, the other one adds a call of it."""
    script = "gml_GlobalScript_scr_moves"
    with GameData.from_bytes(base(release)) as game:
        game.scripts.add("scr_moves", "function jump(h) { return h + 1; }")
        game.code[STEP].gml = "foo = jump(2);"
        original = game.to_bytes()
    renaming, calling, other = (tmp_path / name for name in ("renaming", "calling", "other"))
    for folder in (renaming, calling, other):
        overhaul.unpack(original, folder)
    for file in (script, STEP):
        path = renaming / f"code/{file}.gml"
        path.write_text(path.read_text().replace("jump", "leap"))
    create = calling / f"code/{CREATE}.gml"
    create.write_text(create.read_text() + "\nbar = jump(3);\n")
    same = other / f"code/{CREATE}.gml"
    same.write_text(same.read_text() + "\nobj_wall.jump = 3; // not jump()\n")
    made = [mods.make(original, folder, name=folder.name) for folder in (renaming, calling, other)]
    assert mods.load(made[1].to_bytes()).names == {"jump": ("function", 0)}
    result = mods.apply(original, made[:2])
    assert [str(conflict) for conflict in result.conflicts] == [
        f"code/{CREATE}.gml: the code names the function jump, which the game does not have "
        "(calling)"
    ]
    assert "jump" not in made[2].names
    assert mods.apply(original, [made[0], made[2]]).conflicts == []
    assert mods.apply(original, [made[1]]).conflicts == []


def test_calls_left_of_a_function_that_a_mod_renames_are_warnings(tmp_path: Path) -> None:
    """A newer build of the game calls it in more places than the one the mod was made for."""
    with GameData.from_bytes(base("2024.14")) as game:
        game.scripts.add("scr_moves", "function jump(h) { return h + 1; }")
        game.code[STEP].gml = "foo = jump(2);"
        original = game.to_bytes()
        game.code[CREATE].gml = "hp = 10;\nfoo = jump(3);"
        newer = game.to_bytes()
    overhaul.unpack(original, tmp_path / "game")
    for file in ("gml_GlobalScript_scr_moves", STEP):
        path = tmp_path / f"game/code/{file}.gml"
        path.write_text(path.read_text().replace("jump", "leap"))
    mod = mods.make(original, tmp_path / "game", name="leaping")
    assert mods.apply(original, [mod]).warnings == []
    (warning,) = mods.apply(newer, [mod]).warnings
    assert warning == (
        "code/gml_GlobalScript_scr_moves.gml: it no longer has the function jump, which code "
        f"calls: code/{CREATE}.gml:2 (it is leap now: write that name there)"
    )
