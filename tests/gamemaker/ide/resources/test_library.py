"""Projects as library models: each kind of resource read, and one field changed on its line."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image as pillow

import overhaul
from ide_projects import FRAME, modern_project, old_project, studio_project, styled_project
from overhaul.document.room_views import RoomView
from overhaul.document.views import PathView, PictureView, SoundView, SourceView, SpriteView
from overhaul.errors import EncodeError, FormatError, WorkspaceError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.references import NO_ID
from overhaul.gamemaker.ide.resources.fields import fields_of
from overhaul.gamemaker.ide.resources.kinds import CLASSES
from overhaul.gamemaker.ide.resources.sprites import BboxMode
from overhaul.gamemaker.ide.styles import Letter

LETTERS: tuple[Letter, ...] = ("B", "C", "D")


def opened(path: Path | str) -> IdeProjectDocument:
    document = overhaul.open_project(path)
    assert isinstance(document, IdeProjectDocument)
    return document


def changes(project: IdeProjectDocument) -> dict[str, list[str]]:
    """The lines that saving would change, by file: those that go and those that come."""
    found = {}
    assert project.source is not None
    for path, data in project.files.changed.items():
        place = Path(project.source).parent / path
        old = place.read_text() if place.exists() else ""
        new = "" if data is None else data.decode()
        rows = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
        found[path] = [row for row in rows if not row.startswith(("---", "+++", "@@"))]
    return found


def assign(holder: object, name: str, value: object) -> None:
    """Set an attribute to a value of another type."""
    setattr(holder, name, value)


def sound(path: Path) -> None:
    """Whether a project has no fault."""
    assert [str(one) for one in overhaul.verify(path).findings] == []


@pytest.mark.parametrize("maker", [modern_project, old_project, studio_project])
def test_a_project_is_opened(maker: Callable[[Path], Path], tmp_path: Path) -> None:
    path = maker(tmp_path)
    for source in (path, str(path), path.parent):
        project = opened(source)
        assert project.sprites["spr_a"].frames[0].image is not None
        assert project.objects["obj_a"].sprite == project.sprites["spr_a"]
        assert project.rooms.names() == ["rm_a"]
    with pytest.raises(KeyError, match=r"no sprite named 'spr_b' .did you mean 'spr_a'"):
        _ = project.sprites["spr_b"]


def test_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    with pytest.raises(FormatError):
        overhaul.open_project(tmp_path / "a.txt")


def test_what_a_project_has(tmp_path: Path) -> None:
    project = opened(modern_project(tmp_path))
    sprite = project.sprites["spr_a"]
    assert (sprite.width, sprite.height, len(sprite.frames)) == (4, 2, 1)
    image = sprite.frames[0].image
    assert image is not None
    assert image.size == (4, 2)
    child = project.objects["obj_b"]
    assert [one.name for one in child.ancestors()] == ["obj_a"]
    assert [one.name for one in project.objects["obj_a"].children] == ["obj_b"]
    assert project.scripts["scr_a"].gml == "function scr_a() {\n}\n"
    assert project.sounds["snd_a"].bytes == b"RIFF"
    assert project.sounds["snd_a"].volume == 0.5
    assert project.included_files["info.txt"].bytes == b"text"
    room = project.rooms["rm_a"]
    assert [(one.name, one.object, one.x) for one in room.instances] == [("inst_1", child, 1.0)]
    assert repr(sprite) == "<Sprite spr_a 4×2, 1 frame>"
    assert sprite.in_folder == "All"
    assert child.values["parent"] == "obj_a"
    assert child.values["visible"] is True


def test_resources_have_the_members_of_views(tmp_path: Path) -> None:
    project = opened(modern_project(tmp_path))
    assert isinstance(project.sprites["spr_a"], SpriteView)
    assert isinstance(project.rooms["rm_a"], RoomView)
    assert isinstance(project.scripts["scr_a"], SourceView)
    assert isinstance(project.sounds["snd_a"], SoundView)
    assert isinstance(project.paths.add("pth_a"), PathView)
    assert isinstance(CLASSES["tile set"](project, "tilesets/a/a.yy"), PictureView)


FORMS = {
    "modern": (modern_project, "objects/obj_a/obj_a.yy", "+  \"solid\":true,"),
    "studio": (studio_project, "objects/obj_a.object.gmx", "+  <solid>-1</solid>"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_field_that_is_not_there_is_added(form: str, tmp_path: Path) -> None:
    maker, path, line = FORMS[form]
    project = opened(maker(tmp_path))
    project.objects["obj_a"].solid = True
    assert changes(project) == {path: [line]}
    assert project.objects["obj_a"].solid
    project.save()
    assert opened(project.source or "").objects["obj_a"].solid


def test_a_field_changes_its_line(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    project = opened(path)
    project.sounds["snd_a"].volume = 0.25
    assert changes(project) == {"sounds/snd_a/snd_a.yy": ['-  "volume":0.5,', '+  "volume":0.25,']}
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    project.save()
    after = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert {file for file in before | after if before.get(file) != after.get(file)} == {
        tmp_path / "sounds/snd_a/snd_a.yy"
    }
    assert project.files.changed == {}
    project.sounds["snd_a"].volume = 0.25
    assert project.files.changed == {}
    sound(path)


def test_a_reference_is_set_by_name_or_resource(tmp_path: Path) -> None:
    project = opened(modern_project(tmp_path))
    child = project.objects["obj_b"]
    child.sprite = project.sprites["spr_a"]
    assert project.json_file("objects/obj_b/obj_b.yy").at("spriteId") == {
        "name": "spr_a", "path": "sprites/spr_a/spr_a.yy",
    }  # fmt: skip
    child.sprite = None
    assert child.sprite is None
    with pytest.raises(KeyError, match="there is no sprite named 'spr_x'"):
        child.sprite = "spr_x"
    with pytest.raises(TypeError, match="sprite: expected a name, sprite or None, got <Object"):
        assign(child, "sprite", child)
    old = opened(old_project(tmp_path / "old"))
    old.objects["obj_a"].sprite = None
    assert old.json_file("objects/obj_a/obj_a.yy").at("spriteId") == NO_ID
    old.objects["obj_a"].sprite = "spr_a"
    assert old.json_file("objects/obj_a/obj_a.yy").at("spriteId") == "1"
    studio = opened(studio_project(tmp_path / "x"))
    studio.objects["obj_a"].sprite = None
    row = ["-  <spriteName>spr_a</spriteName>", "+  <spriteName>&lt;undefined&gt;</spriteName>"]
    assert changes(studio) == {"objects/obj_a.object.gmx": row}


def test_wrong_values_are_refused(tmp_path: Path) -> None:
    project = opened(modern_project(tmp_path))
    sprite, kind = project.sprites["spr_a"], project.objects["obj_a"]
    with pytest.raises(TypeError, match="width: expected a whole number, got 'wide'"):
        assign(sprite, "width", "wide")
    with pytest.raises(ValueError, match="bbox_mode: expected one of AUTOMATIC, FULL_IMAGE, MAN"):
        sprite.bbox_mode = "ROUND"
    with pytest.raises(TypeError, match="solid: expected True or False, got 3"):
        assign(kind, "solid", 3)
    with pytest.raises(ValueError, match=r"depth: files of 2024\.14\.2\.213 do not have it"):
        kind.depth = 5
    with pytest.raises(TypeError, match="density: expected a number, got 'x'"):
        assign(kind.physics, "density", "x")
    assert project.files.changed == {}
    sprite.bbox_mode = "manual"
    assert sprite.bbox_mode is BboxMode.MANUAL


def test_a_wrong_value_in_a_file_is_an_error_with_its_place(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    file = tmp_path / "sounds/snd_a/snd_a.yy"
    file.write_text(file.read_text().replace('"volume":0.5', '"volume":"loud"'))
    with pytest.raises(FormatError, match=r"snd_a\.yy: volume: expected a number, got 'loud'"):
        _ = opened(path).sounds["snd_a"].volume


def test_a_frame_gets_another_picture(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    project = opened(path)
    frame = project.sprites["spr_a"].frames[0]
    frame.image = pillow.new("RGBA", (4, 2), (255, 0, 0, 255))
    assert sorted(project.files.changed) == [
        f"sprites/spr_a/{FRAME}.png",
        f"sprites/spr_a/layers/{FRAME}/471a5749-b8f8-4630-856a-bdce7ff709b2.png",
    ]
    shown = project.sprites["spr_a"].frames[0].image
    assert shown is not None
    assert shown.getpixel((0, 0)) == (255, 0, 0, 255)
    with pytest.raises(ValueError, match="expected a picture of 4 x 2 pixels, as spr_a has, got"):
        frame.image = pillow.new("RGBA", (5, 2))
    project.save()
    sound(path)


def test_code_of_events(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    project = opened(path)
    events = project.objects["obj_b"].events
    assert {name: event.gml for name, event in events.items()} == {"Create_0": "x = 1;\n"}
    events["Step_0"] = "x += 1;\n"
    events["Collision_obj_a"] = "y = 2;\n"
    assert repr(events) == "<events of obj_b: Create_0, Step_0, Collision_obj_a>"
    assert events["Collision_obj_a"].other == project.objects["obj_a"]
    assert events["Collision_obj_a"].title == "Collision with obj_a"
    assert project.files.read("objects/obj_b/Collision_obj_a.gml") == b"y = 2;\n"
    events["Step_0"].gml = "x += 2;\n"
    with pytest.raises(KeyError, match="obj_b has no event 'Draw_0'; it has Create_0, Step_0, Col"):
        _ = events["Draw_0"]
    with pytest.raises(EncodeError, match="obj_b can't have an event 'Jump_0'"):
        events["Jump_0"] = ""
    del events["Collision_obj_a"]
    project.save()
    sound(path)
    assert (tmp_path / "objects/obj_b/Step_0.gml").read_text() == "x += 2;\n"
    assert not (tmp_path / "objects/obj_b/Collision_obj_a.gml").exists()


def test_code_in_xml(tmp_path: Path) -> None:
    path = studio_project(tmp_path)
    project = opened(path)
    events = project.objects["obj_a"].events
    events["Alarm_3"] = "x = 1 < 2;"
    assert events["Alarm_3"].gml == "x = 1 < 2;"
    events["Alarm_3"].gml = "y = 3;"
    project.save()
    text = (tmp_path / "objects/obj_a.object.gmx").read_text()
    assert '<event eventtype="2" enumb="3">' in text
    assert "<string>y = 3;</string>" in text
    sound(path)


def test_ends_of_lines_stay(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    (tmp_path / "scripts/scr_a/scr_a.gml").write_bytes(b"\xef\xbb\xbfa = 1;\r\nb = 2;\r\n")
    project = opened(path)
    assert project.scripts["scr_a"].gml == "a = 1;\nb = 2;\n"
    project.scripts["scr_a"].gml = "a = 1;\nb = 3;\n"
    assert project.files.changed["scripts/scr_a/scr_a.gml"] == b"\xef\xbb\xbfa = 1;\r\nb = 3;\r\n"


@pytest.mark.parametrize("letter", LETTERS)
def test_resources_are_added_as_the_release_writes_them(letter: Letter, tmp_path: Path) -> None:
    path = styled_project(tmp_path, letter)
    sound(path)
    project = opened(path)
    sprite = project.sprites.add("spr_new", folder="Sprites")
    kind = project.objects.add("obj_new", folder="Objects")
    other = project.objects.add("obj_other")
    kind.sprite = sprite
    kind.events["Collision_obj_other"] = "x = 1;"
    room = project.rooms.add("rm_new", folder="Rooms")
    instance = room.layers["Instances"].instances.add(kind, 10, 20.5, scale_x=2)
    instance.creation_code = "y = 1;\n"
    for resources in (project.scripts, project.shaders, project.paths, project.timelines):
        resources.add(f"{resources.kind}_new")
    project.sounds.add("snd_new")
    project.notes.add("a note")
    project.save()
    sound(path)
    again = opened(path)
    assert again.objects["obj_new"].in_folder == "Objects"
    assert other.in_folder == "Objects"
    made = again.rooms["rm_new"].instances[0]
    assert (made.object, made.x, made.y, made.scale_x) == (again.objects["obj_new"], 10, 20.5, 2)
    assert made.creation_code == "y = 1;\n"
    assert again.rooms["rm_new"].image().size == (1366, 768)
    assert len(again.sprites["spr_new"].frames) == 1
    del room.layers["Instances"].instances[0]
    assert room.instances == []
    project.save()
    sound(path)


def test_what_is_added_has_the_version_of_its_neighbours(tmp_path: Path) -> None:
    project = opened(modern_project(tmp_path))
    room, kind = project.rooms["rm_a"], project.objects["obj_a"]
    room.layers["Instances"].instances.add(kind, 1, 2)
    text = project.json_file(room.path).to_bytes().decode()
    assert text.count('"$GMRInstance":"v4"') == 2
    other = project.rooms.add("rm_b")
    other.layers["Instances"].instances.add(kind, 1, 2)
    assert '"$GMRInstance":"v4"' in project.json_file(other.path).to_bytes().decode()


@pytest.mark.parametrize("tag", ["v1", "", "v3"])
def test_an_event_has_the_version_of_others(tag: str, tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    file = tmp_path / "objects/obj_b/obj_b.yy"
    text = file.read_text("utf-8")
    assert text.count('"$GMEvent":"v1"') == 1
    file.write_text(text.replace('"$GMEvent":"v1"', f'"$GMEvent":"{tag}"'), "utf-8")
    (tmp_path / "objects/obj_a/obj_a.yy").write_text("{", "utf-8")
    project = opened(path)
    kind = project.objects.add("obj_c", folder="All")
    kind.events["Step_0"] = "x = 1;"
    made = project.json_file(kind.path).to_bytes().decode()
    assert f'"$GMEvent":"{tag}"' in made


def test_a_name_is_one_of_a_file(tmp_path: Path) -> None:
    project = opened(modern_project(tmp_path))
    with pytest.raises(ValueError, match="'Con' can't be the name of a file: it is a device"):
        project.objects.add("Con")
    with pytest.raises(ValueError, match="o' can't be the name of a file: it is over 180 bytes"):
        project.objects.add("o" * 181)
    project.objects.add("o" * 180)
    project.save()
    assert (tmp_path / "objects" / ("o" * 180)).is_dir()


def test_adding_is_refused(tmp_path: Path) -> None:
    project = opened(modern_project(tmp_path))
    with pytest.raises(ValueError, match="the name 'SPR_A' is taken by the sprite of this name"):
        project.objects.add("SPR_A")
    with pytest.raises(ValueError, match="'1x' is not a valid name of an object: expected letters"):
        project.objects.add("1x")
    with pytest.raises(ValueError, match="'while' is a word of the language"):
        project.scripts.add("while")
    with pytest.raises(ValueError, match="'x' is the name of a built-in variable"):
        project.sprites.add("x")
    with pytest.raises(ValueError, match="there is no folder 'Nowhere'"):
        project.objects.add("obj_c", folder="Nowhere")
    with pytest.raises(ValueError, match="font: add it in GameMaker, or duplicate one"):
        project.fonts.add("fnt_a")
    old = opened(old_project(tmp_path / "old"))
    with pytest.raises(ValueError, match=r"2\.0 to 2\.2 gets new resources in GameMaker only"):
        old.objects.add("obj_c")
    assert project.files.changed == {}


def test_a_project_is_saved_where_it_is(tmp_path: Path) -> None:
    project = opened(modern_project(tmp_path))
    with pytest.raises(WorkspaceError, match="a project is saved where it is"):
        project.save(tmp_path / "other.yyp")
    data = (tmp_path / "Game.yyp").read_bytes()
    with pytest.raises(WorkspaceError, match="only a project in a folder is saved"):
        overhaul.open_project(data).save(tmp_path / "Game.yyp")


def test_every_field_is_declared() -> None:
    """A field of the library has its place in the table of all fields, in the same releases."""
    count = 0
    for kind in CLASSES.values():
        for field in fields_of(kind).values():
            assert any(field.places), (kind, field.name)
            assert field.__doc__
            count += 1
    assert count > 80
