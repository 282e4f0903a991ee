"""Projects of 2.0 to 2.2 made into later ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from ide_projects import FRAME, LAYER, picture, write
from overhaul.cli import main
from overhaul.document.files import write_into
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_release import converted_to, losses, named_release
from overhaul.gamemaker.recovery.recovering import Recovered

NOTHING = "00000000-0000-0000-0000-000000000000"
TEXTURES = "1225f6b0-ac20-43bd-a82e-be73fa0b6f4f"
SOUNDS = "7b2c4976-1e09-44e5-8256-c527145e03bb"
OPTIONS = "ed6a955d-5826-4f98-a450-10b414266c27"
GROUPS = "be5f1418-b31b-48af-a023-f04cdf6e5121"
MINE = "fe905393-4032-4ac9-bfe4-07ebfd872418"


def of(kind: str, key: str, /, **members: Json) -> Json:
    return {"id": key, "modelName": kind, "mvc": "1.0", **members}


def first_project(folder: Path) -> Path:
    """A project as 2.2 writes it, with a resource of most kinds; the path of its .yyp."""
    listed: list[Json] = []

    def put(path: str, key: str, value: Json) -> None:
        assert isinstance(value, dict)
        kind = str(value["modelName"])
        write(folder, path, print_text(value, Style("A", room=kind == "GMRoom")))
        stored: Json = {
            "id": f"v{key}",
            "resourcePath": path.replace("/", "\\"),
            "resourceType": kind,
        }
        listed.append({"Key": key, "Value": stored})

    put("sprites/spr_a/spr_a.yy", "1", of(
        "GMSprite", "1", name="spr_a", width=4, height=2, xorig=2, yorig=1, playbackSpeed=15,
        playbackSpeedType=0, colkind=0, sepmasks=True, bboxmode=2, coltolerance=3,
        textureGroupId=MINE, type=0, originLocked=True,
        frames=[of("GMSpriteFrame", FRAME, SpriteId="1")],
        layers=[of("GMImageLayer", LAYER, SpriteId="1", name="default", opacity=100)],
    ))  # fmt: skip
    write(folder, f"sprites/spr_a/{FRAME}.png", picture(4, 2))
    write(folder, f"sprites/spr_a/layers/{FRAME}/{LAYER}.png", picture(4, 2))
    put("objects/obj_a/obj_a.yy", "2", of(
        "GMObject", "2", name="obj_a", spriteId="1", parentObjectId=NOTHING, maskSpriteId=NOTHING,
        eventList=[of("GMEvent", "ev", IsDnD=False, enumb=0, eventtype=4, m_owner="2",
                      collisionObjectId="3")],
        properties=[of("GMObjectProperty", "pr", varName="speed", value="20", varType=0)],
        overriddenProperties=None, physicsShapePoints=None,
    ))  # fmt: skip
    write(folder, "objects/obj_a/Collision_ev.gml", "hp -= 1;\n")
    put("objects/obj_b/obj_b.yy", "3", of(
        "GMObject", "3", name="obj_b", spriteId=NOTHING, parentObjectId="2", maskSpriteId="1",
        eventList=[], overriddenProperties=[
            of("GMOverriddenProperty", "op", objectId="2", propertyId="pr", value="5")],
    ))  # fmt: skip
    put("scripts/scr_a/scr_a.yy", "4", of("GMScript", "4", name="scr_a", IsDnD=False))
    write(folder, "scripts/scr_a/scr_a.gml", "return argument0 + 1; // one more")
    put("sounds/snd_a/snd_a.yy", "5", of(
        "GMSound", "5", name="snd_a", audioGroupGuid=SOUNDS, kind=3, volume=1,
        bitDepth=1))  # fmt: skip
    write(folder, "sounds/snd_a/snd_a", b"OggS....")
    put("fonts/fnt_a/fnt_a.yy", "6", of(
        "GMFont", "6", name="fnt_a", size=12, textureGroupId=TEXTURES,
        glyphs=[{"Key": 32, "Value": of("GMGlyph", "gl", character=32, h=8, w=3, x=1, y=2)}],
        ranges=[{"x": 32, "y": 127}], kerningPairs=[], image=None,
    ))  # fmt: skip
    write(folder, "fonts/fnt_a/fnt_a.png", picture(8, 8))
    put("rooms/rm_a/rm_a.yy", "7", of(
        "GMRoom", "7", name="rm_a", IsDnD=False, parentId=NOTHING, creationCodeFile="",
        instanceCreationOrderIDs=["in"],
        roomSettings=of("GMRoomSettings", "rs", Width=640, Height=480, persistent=False),
        physicsSettings=of("GMRoomPhysicsSettings", "ps", PhysicsWorldPixToMeters=0.1),
        views=[of("GMRView", "vw", objId="3", wview=100)],
        layers=[{
            "__type": "GMRInstanceLayer_Model:#YoYoStudio.MVCFormat", "name": "L", "id": "la",
            "depth": 5, "grid_x": 16, "grid_y": 8, "userdefined_depth": True, "layers": [],
            "modelName": "GMRInstanceLayer", "inheritVisibility": False,
            "instances": [of("GMRInstance", "in", name="inst_1", objId="2", x=3, y=4, scaleX=2,
                             colour={"Value": 4294967295}, creationCodeType=".gml",
                             creationCodeFile="InstanceCreationCode_inst_1.gml",
                             properties=None, IsDnD=False, m_originalParentID=NOTHING)],
        }],
    ))  # fmt: skip
    write(folder, "rooms/rm_a/InstanceCreationCode_inst_1.gml", "x = 1;\n")
    put("datafiles_yy/info.txt.yy", "8", of(
        "GMIncludedFile", "8", name="info.txt", fileName="info.txt", filePath="datafiles",
        CopyToMask=-1))  # fmt: skip
    write(folder, "datafiles/info.txt", "text")
    tree = [
        ("r", "Default", "root", "", ["o", "s", "d"]),
        ("o", "objects", "GMObject", "ResourceTree_Objects", ["in1", "3"]),
        ("in1", "Enemies", "GMObject", "", ["2"]),
        ("s", "sprites", "GMSprite", "ResourceTree_Sprites", ["1"]),
        ("d", "datafiles", "GMIncludedFile", "ResourceTree_IncludedFiles", ["8"]),
    ]  # fmt: skip
    for key, name, kind, label, children in tree:
        put(f"views/{key}.yy", key, of(
            "GMFolder", key, name=key, children=[*children], filterType=kind, folderName=name,
            isDefaultView=key == "r", localisedFolderName=label))  # fmt: skip
    group = of("GMTextureGroup", MINE, groupName="Mine", autocrop=False, border=4, scaled=False,
               groupParent=NOTHING, mipsToGenerate=0, targets=-1)  # fmt: skip
    parts: dict[str, Json] = {
        OPTIONS: {"option_game_speed": 60, "option_window_colour": {"Value": 7}},
        GROUPS: {"textureGroups": {"Additions": [{"Key": 1, "Value": group}]}},
    }  # fmt: skip
    text = "\u2190".join(
        ["1.0.0", OPTIONS, *(f"{key}|{print_text(v, Style('A'))}" for key, v in parts.items())]
    )
    write(folder, "options/main/inherited/options_main.inherited.yy", text)
    write(folder, "options/mac/options_mac.yy", print_text(
        of("GMMacOptions", "mac", name="macOS", option_mac_version={
            "build": 3, "major": 1, "minor": 2, "revision": 4}), Style("A")))  # fmt: skip
    value: Json = of(
        "GMProject",
        "0",
        configs=["default", "default;mobile"],
        resources=listed,
        IsDnDProject=False,
        option_ecma=False,
        tutorial="",
    )
    write(folder, "Old.yyp", print_text(value, Style("A")))
    return folder / "Old.yyp"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Recovered:
    path = first_project(tmp_path_factory.mktemp("first"))
    with overhaul.open(path) as project:
        found = converted_to(project, named_release("2.3.7"))
    files = {path: read() for path, read in found.files.items()}
    return found._replace(files={path: data.__bytes__ for path, data in files.items()})


def value_of(made: Recovered, path: str) -> dict[str, Json]:
    value = read_json_file(made.files[path]()).value
    assert isinstance(value, dict)
    return value


def rows_of(value: dict[str, Json], key: str) -> list[dict[str, Json]]:
    rows = value[key]
    assert isinstance(rows, list)
    return [row for row in rows if isinstance(row, dict)]


def test_nothing_is_lost_and_the_project_is_sound(made: Recovered, tmp_path: Path) -> None:
    assert made.findings == []
    write_into(str(tmp_path), made.files)
    found = overhaul.verify(tmp_path / "Old.yyp")
    assert found.identical
    assert found.findings.texts() == []
    assert not any(path.startswith(("views/", "datafiles_yy/")) for path in made.files)


def test_the_library_reads_the_same_of_both(made: Recovered, tmp_path: Path) -> None:
    first = first_project(tmp_path / "first")
    write_into(str(tmp_path / "later"), made.files)
    with (
        overhaul.open_project(first) as old,
        overhaul.open_project(tmp_path / "later/Old.yyp") as new,
    ):
        for project in (old, new):
            assert isinstance(project, IdeProjectDocument)
            sprite = project.sprites["spr_a"]
            assert (sprite.origin_x, sprite.origin_y, sprite.speed) == (2, 1, 15)
            assert list(project.objects["obj_a"].events) == ["Collision_obj_b"]
            room = project.rooms["rm_a"]
            assert [(one.name, one.x, one.y) for one in room.instances] == [("inst_1", 3, 4)]


def test_sprites_have_a_sequence(made: Recovered) -> None:
    sprite = value_of(made, "sprites/spr_a/spr_a.yy")
    assert (sprite["collisionKind"], sprite["collisionTolerance"], sprite["bboxMode"]) == (4, 3, 2)
    assert sprite["textureGroupId"] == {"name": "Mine", "path": "texturegroups/Mine"}
    assert sprite["parent"] == {"name": "Sprites", "path": "folders/Sprites.yy"}
    sequence = sprite["sequence"]
    assert isinstance(sequence, dict)
    names = ("xorigin", "yorigin", "playbackSpeed", "length", "lockOrigin")
    assert [sequence[name] for name in names] == [2, 1, 15.0, 1.0, True]
    (layer,) = rows_of(sprite, "layers")
    assert (layer["name"], layer["displayName"], layer["opacity"]) == (LAYER, "default", 100.0)
    (frame,) = rows_of(sprite, "frames")
    assert frame["name"] == FRAME


def test_objects_name_each_other(made: Recovered) -> None:
    first = value_of(made, "objects/obj_a/obj_a.yy")
    own = {"name": "obj_a", "path": "objects/obj_a/obj_a.yy"}
    other = {"name": "obj_b", "path": "objects/obj_b/obj_b.yy"}
    assert first["parent"] == {"name": "Enemies", "path": "folders/Objects/Enemies.yy"}
    assert first["spriteMaskId"] is None
    assert first["physicsShapePoints"] == []
    (event,) = rows_of(first, "eventList")
    assert (event["eventType"], event["eventNum"]) == (4, 0)
    assert event["collisionObjectId"] == other
    assert made.files["objects/obj_a/Collision_obj_b.gml"]() == b"hp -= 1;\n"
    assert "objects/obj_a/Collision_ev.gml" not in made.files
    second = value_of(made, "objects/obj_b/obj_b.yy")
    assert second["parentObjectId"] == own
    (changed,) = rows_of(second, "overriddenProperties")
    assert changed["propertyId"] == {"name": "speed", "path": own["path"]}
    assert (changed["objectId"], changed["value"]) == (own, "5")


def test_rooms_have_their_instances(made: Recovered) -> None:
    room = value_of(made, "rooms/rm_a/rm_a.yy")
    assert room["instanceCreationOrder"] == [{"name": "inst_1", "path": "rooms/rm_a/rm_a.yy"}]
    assert room["roomSettings"] == {"Width": 640, "Height": 480, "persistent": False}
    assert room["physicsSettings"] == {"PhysicsWorldPixToMetres": 0.1}
    assert rows_of(room, "views")[0]["objectId"] == {
        "name": "obj_b", "path": "objects/obj_b/obj_b.yy",
    }  # fmt: skip
    (layer,) = rows_of(room, "layers")
    assert (layer["gridX"], layer["gridY"], layer["userdefinedDepth"]) == (16, 8, True)
    assert "inheritVisibility" not in layer
    (instance,) = rows_of(layer, "instances")
    names = ("x", "scaleX", "colour", "hasCreationCode", "properties", "inheritedItemId")
    assert [instance[name] for name in names] == [3.0, 2.0, 4294967295, True, [], None]


def test_scripts_become_functions(made: Recovered) -> None:
    assert made.files["scripts/scr_a/scr_a.gml"]() == (
        b"function scr_a() {\nreturn argument0 + 1; // one more\n}\n"
    )


def test_sounds_and_fonts(made: Recovered) -> None:
    sound = value_of(made, "sounds/snd_a/snd_a.yy")
    assert (sound["soundFile"], sound["compression"]) == ("snd_a.ogg", 3)
    assert sound["audioGroupId"] == {
        "name": "audiogroup_default", "path": "audiogroups/audiogroup_default",
    }  # fmt: skip
    assert made.files["sounds/snd_a/snd_a.ogg"]() == b"OggS...."
    assert "sounds/snd_a/snd_a" not in made.files
    font = value_of(made, "fonts/fnt_a/fnt_a.yy")
    assert font["glyphs"] == {"32": {"character": 32, "h": 8, "w": 3, "x": 1, "y": 2}}
    assert font["ranges"] == [{"lower": 32, "upper": 127}]


def test_the_project_lists_them_as_the_asset_browser_did(made: Recovered) -> None:
    project = value_of(made, "Old.yyp")
    names = [row["id"] for row in rows_of(project, "resources")]
    assert [each["name"] for each in names if isinstance(each, dict)] == [
        "obj_a", "obj_b", "spr_a", "scr_a", "snd_a", "fnt_a", "rm_a",
    ]  # fmt: skip
    folders = [(row["folderPath"], row["order"]) for row in rows_of(project, "Folders")]
    assert folders == [
        ("folders/Objects.yy", 0), ("folders/Objects/Enemies.yy", 0), ("folders/Sprites.yy", 1),
    ]  # fmt: skip
    assert project["configs"] == {
        "children": [{"children": [], "name": "mobile"}], "name": "Default",
    }  # fmt: skip
    files = [(row["name"], row["filePath"]) for row in rows_of(project, "IncludedFiles")]
    assert files == [("info.txt", "datafiles")]
    assert [(row["name"], row["isScaled"]) for row in rows_of(project, "TextureGroups")] == [
        ("Default", True), ("Mine", False),
    ]  # fmt: skip
    options = value_of(made, "options/main/options_main.yy")
    assert (options["option_game_speed"], options["option_window_colour"]) == (60, 7)
    mac = value_of(made, "options/mac/options_mac.yy")
    assert mac["option_mac_version"] == "1.2.3.4"


def test_they_become_the_latest_release_too(tmp_path: Path) -> None:
    path = first_project(tmp_path / "first")
    out = tmp_path / "out"
    assert main(["convert", str(path), "--release", "2026.0", "-o", str(out)]) == 0
    assert overhaul.verify(out / "Old.yyp").findings.texts() == []


def test_unknown_ids_and_members_are_named(tmp_path: Path) -> None:
    path = first_project(tmp_path)
    write(tmp_path, "objects/obj_b/obj_b.yy", print_text(of(
        "GMObject", "3", name="obj_b", spriteId="gone", flavour="sweet", eventList=[]),
        Style("A")))  # fmt: skip
    with overhaul.open(path) as project:
        found = converted_to(project, named_release("2.3.7"))
    assert found.findings.texts() == [
        "objects/obj_b/obj_b.yy: GMObject.spriteId: nothing has the id gone, which is left out",
        "objects/obj_b/obj_b.yy: flavour: 2.3 has no flavour of GMObject: 'sweet' is left out",
    ]
    assert [each.key for each in losses(found)] == ["flavour"]


def test_no_project_becomes_one_of_2_2(tmp_path: Path) -> None:
    path = first_project(tmp_path)
    with (
        overhaul.open(path) as project,
        pytest.raises(FormatError, match="have no functions in scripts"),
    ):
        converted_to(project, named_release("2.2.5.378"))
