"""What many files become in a game, by their names, and the step that they are."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest
from PIL import Image

import overhaul
from handmade_project import project_file
from modded_games import lantern
from overhaul.errors import FormatError
from overhaul.media import png
from overhaul.media.frames import frames_of
from overhaul.mods.view import FileView
from overhaul.workbench import FileBench, pictures
from overhaul.workbench.importing import Import, State, planned, unpacked
from sound_files import wave


def picture(width: int, height: int, red: int) -> bytes:
    pixels = numpy.full((height, width, 4), 255, numpy.uint8)
    pixels[..., 0] = red
    return png.encode(pixels)


@pytest.fixture(scope="module")
def view() -> Iterator[FileView]:
    with overhaul.open(lantern("current")) as game:
        yield FileView(game)


def one(view: FileView, file: str, data: bytes, **others: bytes) -> Import:
    (made, *_) = planned(view, {file: data, **others})
    return made


def frames(view: FileView, sprite: str) -> list[bytes]:
    return [view.read(path) for path in pictures.frames_in(view, f"sprites/{sprite}")]


def test_a_file_with_the_path_of_a_plain_file_is_that_file(view: FileView) -> None:
    path = "objects/obj_keeper/object.json"
    for file in (path, f"my download/{path}", f"./{path}", f"x\\{path.replace('/', chr(92))}"):
        made = one(view, file, b"{}")
        assert (made.target, made.state, made.changes) == (path, State.REPLACES, {path: b"{}"})
    same = one(view, path, view.read(path))
    assert (same.state, same.changes) == (State.SAME, {})
    new = one(view, "a/objects/obj_new/object.json", b"{}")
    assert (new.target, new.state) == ("objects/obj_new/object.json", State.NEW)
    frame = "sprites/spr_keeper/1.png"
    exact = one(view, f"dl/{frame}", view.read("sprites/spr_keeper/0.png"))
    assert (exact.target, list(exact.changes)) == (frame, [frame])
    assert one(view, "notes.txt", b"").state is State.REFUSED
    assert one(view, "object.json", b"{}").note.startswith("the game has ")


def test_pictures_are_frames_by_their_names(view: FileView) -> None:
    old = frames(view, "spr_keeper")
    assert len(old) > 1
    height, width = frames_of("0.png", old[0])[0].shape[:2]
    strip = numpy.concatenate([frames_of("0.png", each)[0] for each in old], axis=1)
    same = one(view, f"spr_keeper_strip{len(old)}.png", png.encode(strip))
    assert (same.target, same.state) == ("sprites/spr_keeper", State.SAME)
    strip[0, 0] = 9, 8, 7, 255
    first = one(view, f"SPR_Keeper_strip{len(old)}.png", png.encode(strip))
    assert list(first.changes) == ["sprites/spr_keeper/0.png"] and first.state is State.REPLACES
    alone = one(view, "spr_keeper.png", picture(width, height, 3))
    assert alone.note == f"1 frame, before {len(old)}"
    assert alone.changes.keys() == {f"sprites/spr_keeper/{n}.png" for n in range(len(old))}
    assert [*alone.changes.values()].count(None) == len(old) - 1
    second = one(view, "spr_keeper_1.png", picture(width, height, 3))
    assert (second.note, list(second.changes)) == ("frame 1", ["sprites/spr_keeper/1.png"])
    assert one(view, "spr_keeper_1.png", old[1]).state is State.SAME
    far = one(view, "spr_keeper_90.png", old[0])
    assert far.note == f"the frame {len(old)} before it is missing"
    both = planned(view, {"spr_keeper.png": old[0], "spr_keeper_1.png": picture(2, 2, 1)})
    assert both[1].note == "spr_keeper.png becomes the same file" and not both[1].changes
    assert one(view, "spr_keeper.png", b"\x89PNG\r\n").state is State.REFUSED


def test_a_picture_of_its_own_takes_one_frame() -> None:
    film = io.BytesIO()
    first, second = (Image.new("RGB", (3, 3), colour) for colour in ("red", "blue"))
    first.save(film, "GIF", save_all=True, append_images=[second])
    with overhaul.open(project_file(800)) as project:
        view = FileView(project)
        path = next(path for path in view.files if path.startswith("backgrounds/"))
        name = path.rpartition("/")[2].rpartition(".")[0]
        new = picture(3, 3, 7)
        assert one(view, f"{name}.png", new).changes == {f"backgrounds/{name}.png": new}
        made = one(view, f"{name}.gif", film.getvalue())
        assert made.note == f"it has 2 frames, and backgrounds/{name}.png is one picture"


def test_new_sprites(view: FileView) -> None:
    made = one(view, "art/spr_fresh_strip2.png", picture(8, 4, 1))
    assert made.changes.keys() == {
        f"sprites/spr_fresh/{n}" for n in ("sprite.json", "0.png", "1.png")
    }
    assert frames_of("0.png", made.changes["sprites/spr_fresh/1.png"])[0].shape == (4, 4, 4)
    parts = planned(view, {f"spr_boss_{n}.png": picture(4, 4, n) for n in range(3)})
    assert [each.target for each in parts] == ["sprites/spr_boss"] * 3
    assert [len(each.changes) for each in parts] == [2, 1, 1]
    lone = one(view, "spr_level_7.png", picture(4, 4, 1))
    assert lone.target == "sprites/spr_level_7"


def test_sounds_and_code_by_their_names(view: FileView) -> None:
    sound = next(path for path in view.files if path.startswith("sounds/") and path[-4:] != "json")
    stem, _, ending = sound.rpartition("/")[2].rpartition(".")
    assert one(view, f"{stem}.{ending}", view.read(sound)).state is State.SAME
    assert one(view, f"{stem.upper()}.{ending}", wave()).changes == {sound: wave()}
    twice = planned(view, {f"a/{stem}.{ending}": wave(), f"b/{stem}.{ending}": wave()})
    assert twice[1].note == f"a/{stem}.{ending} becomes the same file"
    other = "mp3" if ending != "mp3" else "wav"
    assert (
        one(view, f"{stem}.{other}", wave()).note == f"the sound of this name is a .{ending} file"
    )
    assert one(view, "snd_new.wav", wave()).changes == {"sounds/snd_new.wav": wave()}
    event = "gml_Object_obj_keeper_Create_0.gml"
    text = view.read(f"code/{event}")
    assert one(view, event, text.replace(b"\n", b"\r\n")).state is State.SAME
    assert one(view, event, text + b"\nx = 1;").target == f"code/{event}"
    new = one(view, "scr_fresh.gml", b"function scr_fresh() {}")
    assert list(new.changes) == ["code/gml_GlobalScript_scr_fresh.gml"]
    there = next(path for path in view.files if path.startswith("code/gml_GlobalScript_"))
    script = there.removeprefix("code/gml_GlobalScript_")
    assert one(view, script, view.read(there)).state is State.SAME
    replaced = one(view, f"scripts/{script}", view.read(there) + b"x = 1;\n")
    assert (replaced.state, list(replaced.changes)) == (State.REPLACES, [there])
    named = one(view, "gml_Object_obj_keeper_Draw_64.gml", b"x = 1;")
    assert list(named.changes) == ["code/gml_Object_obj_keeper_Draw_64.gml"]


def test_events_of_a_project_need_their_folder() -> None:
    with overhaul.open(project_file(800)) as project:
        view = FileView(project)
        event = next(p for p in view.files if p.startswith("objects/") and p.endswith("create.gml"))
        assert one(view, event, b"x = 1").changes == {event: b"x = 1"}
        alone = one(view, "create.gml", b"x = 1")
        assert alone.state is State.REFUSED and "give it with its folder" in alone.note
        script = next(path for path in view.files if path.startswith("scripts/"))
        assert one(view, script.rpartition("/")[2], b"return 7").changes == {script: b"return 7"}


def zipped(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def test_archives_are_their_files(monkeypatch: pytest.MonkeyPatch) -> None:
    made = zipped(**{"a/b.png": b"1", "__MACOSX/a.png": b"2", "a/.DS_Store": b"3", "c.gml": b"4"})
    assert dict(unpacked([("x.zip", made), ("Thumbs.db", b"5"), ("d.png", b"6")])) == {
        "x.zip/a/b.png": b"1",
        "x.zip/c.gml": b"4",
        "d.png": b"6",
    }
    for broken in (b"PK\x03\x04", made[:-30], b""):
        with pytest.raises(FormatError, match=r"^x\.zip: "):
            list(unpacked([("x.zip", broken)]))
    monkeypatch.setattr("overhaul.workbench.importing.MOST_BYTES", 3 << 20)
    whole = b"0" * 1024 * 3000
    assert dict(unpacked([("x.zip", zipped(a=whole))])) == {"x.zip/a": whole}
    with pytest.raises(FormatError, match="3 MB at most"):
        list(unpacked([("x.zip", zipped(a=whole, b=whole))]))


@pytest.mark.parametrize("edition", ["gms1", "current"])
def test_what_was_imported_is_in_the_game(tmp_path: Path, edition: str) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern(edition))
    bench = FileBench(str(path))
    bench.attach(bench.load()())
    files = {
        "spr_fresh_strip2.png": picture(8, 4, 1),
        "spr_boss_0.png": picture(4, 4, 2),
        "spr_boss_1.png": picture(4, 4, 3),
        "snd_new.wav": wave(),
        "spr_keeper_0.png": frames(bench.view, "spr_keeper")[1],
    }
    made = planned(bench.view, files)
    assert [each.state for each in made] == [State.NEW] * 4 + [State.REPLACES]
    bench.step({p: data for each in made for p, data in each.changes.items()}, "Import")
    again = planned(bench.view, files)
    assert [(each.state, each.note) for each in again] == [
        (State.SAME, "2 frames"),
        (State.SAME, "frame 0"),
        (State.SAME, "frame 1"),
        (State.SAME, ""),
        (State.SAME, "frame 0"),
    ]
