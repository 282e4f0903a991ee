"""GML in an unpacked game: mistakes as packing reports them, names, renaming."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from modded_games import lantern
from overhaul.errors import OverhaulError, SourceError, WorkspaceError
from overhaul.findings import Finding, Findings
from overhaul.folder.packing import packed
from overhaul.language.answers import Move, Renamed
from overhaul.language.edits import after_edits, mentions
from overhaul.language.gml.language import GmlLanguage
from overhaul.language.texts import DocumentTexts, FolderTexts
from overhaul.language.workspace import Workspace

STEP = "code/gml_Object_obj_keeper_Step_0.gml"
CREATE = "code/gml_Object_obj_keeper_Create_0.gml"
DRAW = "code/gml_Object_obj_keeper_Draw_0.gml"
CHILD = "code/gml_Object_obj_child_Step_0.gml"
TOOLS = "code/gml_GlobalScript_scr_tools.gml"


@pytest.fixture
def workspace(folder: Path) -> Workspace:
    return Workspace.of_folder(folder)


@pytest.fixture
def gml(workspace: Workspace) -> GmlLanguage:
    language = workspace.language_of(STEP)
    assert isinstance(language, GmlLanguage)
    return language


def texts_of(workspace: Workspace) -> FolderTexts:
    assert isinstance(workspace.texts, FolderTexts)
    return workspace.texts


def put(workspace: Workspace, path: str, text: str) -> None:
    texts_of(workspace).put(path, text)


def spelled(workspace: Workspace, path: str, word: str) -> int:
    """The offset of a word in a file."""
    return workspace.texts.read(path).index(word)


def write(folder: Path, made: dict[str, bytes | None]) -> None:
    """Save what a rename gives."""
    for path, data in made.items():
        place = folder / path
        if data is None:
            place.unlink()
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def reports(folder: Path) -> list[str]:
    """What packing says, a line each."""
    try:
        return sorted(packed(folder).warnings)
    except SourceError as error:
        each = getattr(error, "errors", [error])
        return sorted(f"{e.name or error.name}:{e.line}:{e.column}: {e.message}" for e in each)


# -- mistakes


@pytest.mark.parametrize(
    "added",
    [
        "x = hpp;",
        "scr_flickr(1);",
        "x = (1 + ;\ny = ) 2;\n}",
        "instance_create(1, 2, obj_wall);",
        "newly = 1; x = newly + newest;",
        'sprite_index = spr_keeperr; image_index = "a;\n',
        "var a = scr_flicker(1, 2, 3;",
        "true = 1;",
        "x = LIMIT; y = Missing.A;",
        "  /* x = 1;\ny = 2;",
    ],
)
def test_diagnostics_are_those_of_pack(workspace: Workspace, folder: Path, added: str) -> None:
    text = workspace.texts.read(STEP) + "\n" + added
    put(workspace, STEP, text)
    found = workspace.diagnostics(STEP)
    whole = workspace.check()
    (folder / STEP).write_text(text)
    said = reports(folder)
    shown = sorted(f"{STEP}:{each.line}:{each.column}: {each.message}" for each in found)
    assert shown == said
    assert whole == ({STEP: found} if found else {})


def test_a_file_as_it_was_unpacked_has_none(workspace: Workspace) -> None:
    for path in workspace.texts.paths():
        assert workspace.diagnostics(path) == []


def test_a_folder_with_other_settings_is_checked(workspace: Workspace, folder: Path) -> None:
    with (folder / "overhaul.toml").open("a", encoding="utf-8") as file:
        file.write("\n[settings]\nown = true\n")
    assert workspace.diagnostics(STEP) == []
    put(workspace, STEP, "x = LIMIT;")
    (found,) = workspace.diagnostics(STEP)
    assert found.message.startswith("unknown variable LIMIT")


def test_what_other_edits_define_is_known(workspace: Workspace, folder: Path) -> None:
    text = workspace.texts.read(STEP) + "\nx = LIMIT; y = Kind.B; clamp_lite(1); x = given_there;"
    put(workspace, STEP, text)
    assert {each.message.split(" (")[0] for each in workspace.diagnostics(STEP)} == {
        "unknown variable LIMIT", "unknown variable Kind", "unknown function clamp_lite",
        "unknown variable given_there",
    }  # fmt: skip
    more = "#macro LIMIT 4\nenum Kind { A, B }\nfunction clamp_lite(a) { return a; }\n"
    put(workspace, TOOLS, more + workspace.texts.read(TOOLS))
    put(workspace, CREATE, workspace.texts.read(CREATE) + "\ngiven_there = 3;\n")
    assert workspace.diagnostics(STEP) == []
    assert workspace.diagnostics(TOOLS) == []
    assert workspace.check() == {}


def test_resources_and_code_that_are_new_are_known(workspace: Workspace, folder: Path) -> None:
    new = "code/gml_Object_obj_wall_Create_0.gml"
    put(workspace, new, "light_of = spr_moon;\nfoo = baar;\n")
    assert [each.message for each in workspace.diagnostics(new)] == [
        "unknown variable spr_moon", "unknown variable baar",
    ]  # fmt: skip
    copied = folder / "sprites/spr_moon"
    copied.mkdir()
    for file in (folder / "sprites/spr_glow").iterdir():
        (copied / file.name).write_bytes(file.read_bytes())
    texts_of(workspace).refresh()
    assert [each.message for each in workspace.diagnostics(new)] == ["unknown variable baar"]
    (folder / new).write_text("light_of = spr_moon;\nfoo = baar;\n")
    assert reports(folder) == [f"{new}:2:7: unknown variable baar"]


def test_a_folder_without_a_kept_original_is_checked_too(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2] / "examples" / "lantern" / "current"
    workspace = Workspace.of_folder(root)
    text = workspace.texts.read(STEP) + "\nx = hpp;\nlight += 1;\n"
    put(workspace, STEP, text)
    found = workspace.diagnostics(STEP)
    assert [each.message for each in found] == ["unknown variable hpp"]
    assert workspace.check() == {STEP: found}


def test_mistakes_in_json_are_reported_where_they_are(workspace: Workspace) -> None:
    path = "objects/obj_wall/object.json"
    put(workspace, path, workspace.texts.read(path).replace("spr_wall", "spr_wal"))
    found = workspace.check()
    assert [*found] == [path]
    assert found[path][0].severity == "error"
    assert "spr_wal" in found[path][0].message


# -- names


def names(gml: GmlLanguage, path: str, offset: int) -> list[str]:
    return [item.name for item in gml.completion(path, offset).items]


def complete(workspace: Workspace, gml: GmlLanguage, path: str, typed: str) -> list[str]:
    """What is offered behind a line that is typed at the end of a file."""
    text = workspace.texts.read(path)
    put(workspace, path, f"{text}\n{typed}")
    found = names(gml, path, len(text) + 1 + len(typed))
    put(workspace, path, text)
    return found


def test_completion_offers_what_may_stand_there(workspace: Workspace, gml: GmlLanguage) -> None:
    assert complete(workspace, gml, STEP, "spr_k")[0] == "spr_keeper"
    assert complete(workspace, gml, STEP, "draw_sprite_e")[0] == "draw_sprite_ext"
    assert complete(workspace, gml, CHILD, "x = ste")[0] == "step"
    # variables of the object and of its parent come before others
    offered = complete(workspace, gml, CHILD, "")
    assert {"own_speed", "walk_speed", "step"} <= set(offered[:12])
    assert complete(workspace, gml, STEP, "global.") == ["children"]
    assert "own_speed" in complete(workspace, gml, STEP, "obj_child.")[:4]
    # behind what is no object: variables of all instances, then all that stand behind a dot
    for owner in ("near.", "spr_keeper.", "other.near."):
        found = complete(workspace, gml, STEP, owner)
        assert found[0] in gml.game.context.builtin_variables
        assert found.index("own_speed") > found.index("image_angle")
    assert complete(workspace, gml, STEP, "clamp_l")[0] == "clamp_light"
    assert complete(workspace, gml, STEP, '"spr_') == []
    assert complete(workspace, gml, STEP, "// spr_") == []
    put(workspace, TOOLS, "enum Kind { LARGE, SMALL }\n" + workspace.texts.read(TOOLS))
    assert complete(workspace, gml, STEP, "x = Kind.") == ["LARGE", "SMALL"]


def test_hover_and_signature_say_what_a_function_takes(
    workspace: Workspace, gml: GmlLanguage
) -> None:
    text = workspace.texts.read(TOOLS)
    put(
        workspace, TOOLS, text.replace("function clamp", "/// @desc Keeps a light.\nfunction clamp")
    )
    typed = workspace.texts.read(STEP) + "\nlight = clamp_light(light, max(1, 2"
    put(workspace, STEP, typed)
    hover = gml.hover(STEP, typed.index("clamp_light") + 2)
    assert hover is not None
    assert hover.code.startswith("clamp_light(")
    assert "Keeps a light." in hover.about
    inner = gml.signature(STEP, len(typed))
    assert inner is not None
    assert inner.text.startswith("max(")
    assert inner.active == 1
    outer = gml.signature(STEP, typed.index(", max") + 1)
    assert outer is not None
    assert outer.text.startswith("clamp_light(")
    assert outer.active == 1
    shown = outer.parameters[1]
    assert outer.text[shown.start : shown.end]


def test_definitions_and_uses_follow_what_a_name_means(
    workspace: Workspace, gml: GmlLanguage
) -> None:
    speed = gml.definitions(CHILD.replace("Step", "Create"), 0)
    assert [span.path for span in speed] == [CHILD.replace("Step", "Create")]
    inherited = gml.definitions(CHILD.replace("Step", "Create"), spelled(
        workspace, CHILD.replace("Step", "Create"), "walk_speed"))  # fmt: skip
    assert [span.path for span in inherited] == [CREATE]
    function = gml.definitions(CHILD, spelled(workspace, CHILD, "scr_flicker"))
    assert [span.path for span in function] == ["code/gml_GlobalScript_scr_flicker.gml"]
    asset = gml.references(STEP, spelled(workspace, STEP, "obj_wall"))
    assert {"rooms/rm_cave.json", STEP} <= {span.path for span in asset}
    for span in asset:
        assert workspace.texts.read(span.path)[span.start : span.end] == "obj_wall"
    local = gml.references(STEP, spelled(workspace, STEP, "dx"))
    assert {span.path for span in local} == {STEP}
    lens = gml.lenses("code/gml_GlobalScript_scr_flicker.gml")
    assert [each.title for each in lens] == ["2 uses"]
    assert [each.title for each in gml.lenses(TOOLS)] == ["0 uses", "0 uses"]
    put(workspace, STEP, "x = clamp_light(x, 1);\n" + workspace.texts.read(STEP))
    assert [each.title for each in gml.lenses(TOOLS)] == ["1 use", "0 uses"]
    assert [each.name for each in gml.all_symbols("clamp")] == ["clamp_light"]
    assert [each.name for each in gml.symbols(TOOLS)] == ["clamp_light", "Box"]


def test_names_in_json_are_names_too(workspace: Workspace, gml: GmlLanguage) -> None:
    path = "objects/obj_keeper/object.json"
    assert workspace.language_of(path) is None
    assert workspace.names_of(path) is gml
    (sprite, *_) = gml.definitions(path, spelled(workspace, path, "spr_keeper"))
    assert sprite.path == "sprites/spr_keeper/sprite.json"
    event = spelled(workspace, path, "obj_door")
    hover = gml.hover(path, event)
    assert hover is not None
    assert (hover.code, hover.about) == ("obj_door", "object")
    assert gml.references(path, event)
    span = gml.renameable(path, event)
    assert span is not None
    assert workspace.texts.read(path)[span.start : span.end] == "obj_door"
    assert gml.hover(path, spelled(workspace, path, "visible")) is None


def test_a_name_in_json_is_no_reference_where_it_is_a_text() -> None:
    text = '{"name": "obj_wall", "comment":\n "obj_wall", "object": "obj_wall", "obj_wall": 1}'
    found = [*mentions(DocumentTexts({"a.json": text.encode}), "obj_wall")]
    assert [text[each.span.start : each.span.end] for each in found] == ["obj_wall"] * 4
    assert [each.certain for each in found] == [False, False, True, True]


def test_files_of_a_document_are_quick_once_they_were_read() -> None:
    texts = DocumentTexts({name: name.encode for name in ("a", "b", "c", "d")}, "d".__eq__)
    assert texts.original("a") == "a"
    texts.put("b", "edited")
    assert [name for name in texts.paths() if texts.is_quick(name)] == ["a", "b", "d"]


# -- renaming


def rename(workspace: Workspace, gml: GmlLanguage, path: str, word: str, new: str) -> Renamed:
    return gml.rename(path, spelled(workspace, path, word), new, workspace.prove)


def saved(workspace: Workspace, folder: Path, made: Renamed) -> Path:
    """The game that packing gives once a rename is written to the folder."""
    write(folder, dict(after_edits(workspace.texts, made.edits, made.moves)))
    out = folder.with_name("renamed.win")
    assert overhaul.pack(folder, out, force=True).warnings == []
    return out


def test_a_variable_is_renamed_in_all_code(
    workspace: Workspace, gml: GmlLanguage, folder: Path
) -> None:
    made = rename(workspace, gml, STEP, "walk_speed", "pace")
    assert {edit.path for edit in made.edits} == {
        STEP, CREATE, "code/gml_Object_obj_child_Create_0.gml",
    }  # fmt: skip
    assert made.doubts == []
    with overhaul.open_game(saved(workspace, folder, made)) as game:
        assert "pace = " in game.code["gml_Object_obj_keeper_Create_0"].gml
        assert "walk_speed" not in "".join(entry.gml for entry in game.code)


def test_a_local_variable_only_in_its_function(
    workspace: Workspace, gml: GmlLanguage, folder: Path
) -> None:
    made = rename(workspace, gml, STEP, "dx", "across")
    assert {edit.path for edit in made.edits} == {STEP}
    with overhaul.open_game(saved(workspace, folder, made)) as game:
        assert "var across = " in game.code["gml_Object_obj_keeper_Step_0"].gml


def test_a_function_with_its_calls(workspace: Workspace, gml: GmlLanguage, folder: Path) -> None:
    made = rename(workspace, gml, CHILD, "scr_flicker", "scr_blink")
    with overhaul.open_game(saved(workspace, folder, made)) as game:
        assert "scr_blink(own_speed)" in game.code["gml_Object_obj_child_Step_0"].gml
        assert "gml_Script_scr_blink" in game.code
        assert "gml_Script_scr_flicker" not in game.code


def test_a_sprite_with_all_of_its_files(
    workspace: Workspace, gml: GmlLanguage, folder: Path
) -> None:
    draw = "code/gml_Object_obj_keeper_Draw_0.gml"
    made = rename(workspace, gml, draw, "spr_glow", "spr_light")
    files = {path.name for path in (folder / "sprites/spr_glow").iterdir()}
    assert len(files) > 1
    assert {(move.path, move.to) for move in made.moves} == {
        (f"sprites/spr_glow/{name}", f"sprites/spr_light/{name}") for name in files
    }
    with overhaul.open_game(saved(workspace, folder, made)) as game:
        assert "spr_light" in game.sprites and "spr_glow" not in game.sprites


@pytest.fixture
def old(tmp_path: Path) -> Workspace:
    """The demo game of GameMaker: Studio 1, whose scripts are files."""
    game = tmp_path / "old.win"
    game.write_bytes(lantern("gms1"))
    overhaul.unpack(game, tmp_path / "old")
    return Workspace.of_folder(tmp_path / "old")


def renamed_script(workspace: Workspace) -> Renamed:
    gml = workspace.language_of(DRAW)
    assert isinstance(gml, GmlLanguage)
    return rename(workspace, gml, DRAW, "scr_flicker", "scr_blink")


def test_a_script_of_before_2_3_with_its_file_and_its_line_of_the_table(
    old: Workspace, tmp_path: Path
) -> None:
    made = renamed_script(old)
    assert made.moves == [Move("code/gml_Script_scr_flicker.gml", "code/gml_Script_scr_blink.gml")]
    with overhaul.open_game(saved(old, tmp_path / "old", made)) as game:
        assert game.scripts.names() == ["scr_blink"]
        assert "gml_Script_scr_flicker" not in game.code
        assert "scr_blink(" in game.code["gml_Object_obj_keeper_Draw_0"].gml


def test_a_rename_is_checked_though_another_file_has_a_mistake(
    old: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(old, "code/gml_Object_obj_door_Step_0.gml", "x = (;")
    assert renamed_script(old).doubts == []

    # the key of scripts.json becomes the new name, its value stays
    monkeypatch.setattr("overhaul.language.gml.renaming._entry", lambda path: "gml_Script_none")
    with pytest.raises(WorkspaceError, match=r"can't become scr_blink: .* code entry named"):
        renamed_script(old)


def test_a_rename_in_a_folder_that_is_not_packed_says_that_it_is_not_checked(
    workspace: Workspace, gml: GmlLanguage, folder: Path
) -> None:
    (folder / "rooms/rm_cave.json").write_text("{")
    made = rename(workspace, gml, STEP, "walk_speed", "pace")
    assert len(made.doubts) == 1
    assert made.doubts[0].text.startswith("it is not checked, as the folder can't be packed: ")


@pytest.mark.parametrize(
    ("word", "new", "kind"),
    [("obj_wall", "obj_stone", "objects"), ("obj_keeper", "obj_hero", "objects")],
)
def test_a_resource_with_its_files_code_and_references(
    workspace: Workspace, gml: GmlLanguage, folder: Path, word: str, new: str, kind: str
) -> None:
    if word == "obj_keeper":
        put(workspace, CHILD, workspace.texts.read(CHILD) + "obj_keeper.light = 1;\n")
        (folder / CHILD).write_text(workspace.texts.read(CHILD))
        path = CHILD
    else:
        path = STEP
    made = rename(workspace, gml, path, word, new)
    assert Move(f"{kind}/{word}/object.json", f"{kind}/{new}/object.json") in made.moves
    with overhaul.open_game(saved(workspace, folder, made)) as game:
        assert new in [item.name for item in game.objects]
        assert word not in [item.name for item in game.objects]
        assert not any(word in entry.name for entry in game.code)
    for file in folder.rglob("*.json"):
        if ".overhaul" not in file.parts:
            assert f'"{word}"' not in file.read_text(), file


@pytest.mark.parametrize(
    ("word", "new", "reason"),
    [
        ("walk_speed", "light", "taken"),
        ("walk_speed", "image_xscale", "taken"),
        ("walk_speed", "spr_keeper", "taken"),
        ("walk_speed", "if", "word of the language"),
        ("walk_speed", "2fast", "not a name"),
        ("walk_speed", "walk_speed", "already"),
        ("keyboard_check", "mine", "can't be renamed"),
        ("vk_right", "mine", "can't be renamed"),
        ("image_xscale", "mine", "can't be renamed"),
        ("dx", "dy", "taken"),
        ("dx", "x", "taken"),
        ("obj_wall", "obj_door", "taken"),
    ],
)
def test_what_would_mean_something_else_is_refused(
    workspace: Workspace, gml: GmlLanguage, word: str, new: str, reason: str
) -> None:
    with pytest.raises(WorkspaceError, match=reason):
        rename(workspace, gml, STEP, word, new)


def test_texts_that_may_mean_it_are_listed(workspace: Workspace, gml: GmlLanguage) -> None:
    put(
        workspace,
        CREATE,
        workspace.texts.read(CREATE) + '\nvariable_instance_get(id, "walk_speed");',
    )
    made = rename(workspace, gml, STEP, "walk_speed", "pace")
    assert [(each.path, each.text) for each in made.doubts] == [
        (CREATE, 'variable_instance_get(id, "walk_speed");')
    ]


def test_broken_code_is_answered(workspace: Workspace, gml: GmlLanguage) -> None:
    for text in ('x = "', "function f(", "{" * 4000, "((((", "/*", "#macro", 'a = $"{', "enum {"):
        put(workspace, STEP, text)
        for ask in (gml.tokens, gml.folds, gml.symbols, gml.format, gml.lenses, gml.diagnostics):
            ask(STEP)
        for offset in (0, len(text)):
            gml.completion(STEP, offset)
            gml.hover(STEP, offset)
            gml.signature(STEP, offset)
            gml.definitions(STEP, offset)
    with pytest.raises(OverhaulError):
        workspace.texts.read("code/none.gml")


def test_code_of_objects_with_a_longer_name_stays(lantern_file: Path, tmp_path: Path) -> None:
    """``obj_wall_Step_2`` may be an object, and ``obj_wall`` have an event of such a name."""
    game_file = tmp_path / "more.win"
    with overhaul.open_game(lantern_file) as game:
        game.objects["obj_wall"].events.add("Create_0", "light = 1;")
        for name in ("obj_wall_high", "obj_wall_Step"):
            game.objects.add(name).events.add("Create_0", "light = 2;")
        game.save(game_file)
    folder = tmp_path / "game"
    overhaul.unpack(game_file, folder)
    workspace = Workspace.of_folder(folder)
    gml = workspace.language_of(STEP)
    assert isinstance(gml, GmlLanguage)
    made = rename(workspace, gml, STEP, "obj_wall", "obj_stone")
    assert {(move.path, move.to) for move in made.moves} == {
        ("objects/obj_wall/object.json", "objects/obj_stone/object.json"),
        (
            "code/gml_Object_obj_wall_Create_0.gml",
            "code/gml_Object_obj_stone_Create_0.gml",
        ),
    }
    with overhaul.open_game(saved(workspace, folder, made)) as game:
        names = sorted(item.name for item in game.objects if "_wall" in item.name)
        assert names == ["obj_wall_Step", "obj_wall_high"]
        code = {entry.name: entry.gml for entry in game.code if "_wall" in entry.name}
        assert code == {
            "gml_Object_obj_wall_high_Create_0": "light = 2;",
            "gml_Object_obj_wall_Step_Create_0": "light = 2;",
        }
        assert game.code["gml_Object_obj_stone_Create_0"].gml == "light = 1;"


def test_a_finding_is_shown_in_the_line_that_it_is_about(workspace: Workspace) -> None:
    findings = Findings()
    findings.warn("no-effect", "it has no effect", STEP, "a key", 1, 3)
    findings.warn("no-effect", "it is gone", "rooms/nothing.json", line=4, column=2)
    findings.append(Finding("error", "syntax", "no", CREATE))
    found = workspace.reports(findings)
    assert {
        path: [(each.severity, each.message, each.line, each.column) for each in shown]
        for path, shown in found.items()
    } == {
        STEP: [("warning", "a key: it has no effect", 1, 3)],
        "": [("warning", "rooms/nothing.json:4:2: it is gone", 1, 1)],
        CREATE: [("error", "no", 1, 1)],
    }
