"""Edits of unpacked games: each changes what it names and nothing else, in every generation."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.sound_rules import has_new_audio
from overhaul.media import png
from overhaul.media.audio import sniff
from present import present
from real_files import NO_CORPUS, corpus_files, sample
from same_meaning import differences
from sound_files import mp3, ogg, wave

#: games of every generation; without OVERHAUL_FULL=1 those that are small enough to edit often
SMALL = 1 << 40 if os.environ.get("OVERHAUL_FULL") == "1" else 800_000
GAMES = sample(
    [
        path
        for path in corpus_files("datawin*/*")
        if path.suffix != ".tsv" and path.stat().st_size < SMALL
    ],
    8,
    seed=2,
)


def test_there_are_games() -> None:
    if not corpus_files("datawin*/*"):
        pytest.skip(NO_CORPUS)
    assert GAMES


class Edit:
    """A game's folder, edited and packed again."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.folder = folder
        self.before: Any = overhaul.open(path)
        self.warnings: list[str] = []

    def json(self, path: str) -> Any:
        return json.loads((self.folder / path).read_text("utf-8"))

    def write(self, path: str, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=True, indent=1)
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, "utf-8")

    def frame(self, path: str) -> Any:
        return png.decode((self.folder / path).read_bytes()).copy()

    def paint(self, path: str, pixels: Any) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_bytes(png.encode(pixels))

    def pack(self) -> Any:
        """The packed game, opened; it verifies, and unpacking it again packs to the same."""
        out = self.folder.with_suffix(".packed")
        done = overhaul.pack(self.folder, out, accept_renumbering=True)
        self.warnings = done.warnings
        report = overhaul.verify(out)
        assert report.identical, report.first_difference
        return overhaul.open(out)

    def first(self, chunk: str, wanted: Callable[[Any], bool] = lambda record: True) -> str:
        """The name of the first resource that fits; the test is skipped without one."""
        for record in self.before.named(chunk):
            if record is not None and wanted(record) and str(record.name).isidentifier():
                return str(record.name)
        pytest.skip(f"this game has nothing to edit in {chunk}")

    def blobs_alike(self, after: GameData) -> list[bool]:
        pairs = zip(self.before.textures, after.textures, strict=False)
        return [present(a).blob == present(b).blob for a, b in pairs]


@pytest.fixture(scope="module", params=GAMES, ids=lambda path: path.name)
def unpacked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("games") / "game"
    overhaul.unpack(request.param, folder)
    return request.param, folder


@pytest.fixture
def edit(unpacked: tuple[Path, Path], tmp_path: Path) -> Iterator[Edit]:
    path, folder = unpacked
    shutil.copytree(folder, tmp_path / "game")
    made = Edit(path, tmp_path / "game")
    yield made
    made.before.close()


def starts(found: list[str], *prefixes: str) -> None:
    """All differences are in these places, and there is one."""
    assert found
    assert [line for line in found if not line.startswith(prefixes)] == []


def test_a_json_field(edit: Edit) -> None:
    name = edit.first("OBJT")
    plain = edit.json(f"objects/{name}/object.json")
    plain["solid"] = not plain["solid"]
    plain["depth"] = plain["depth"] - 17
    edit.write(f"objects/{name}/object.json", plain)
    after = edit.pack()
    starts(differences(edit.before, after), f"objects/{name}.solid", f"objects/{name}.depth")
    assert len(after.to_bytes()) == edit.path.stat().st_size


def test_a_string_made_longer(edit: Edit) -> None:
    path = edit.folder / "strings.csv"
    rows = list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline="")))
    for row in rows[1::10]:
        if len(row) == 2:  # not a name in code
            row[1] += " and more"
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([*rows, [len(rows) - 1, "a row of my own"]])
    path.write_bytes(out.getvalue().encode("utf-8"))
    after = edit.pack()
    texts = [string.text for string in after.strings]
    assert texts == [row[1] for row in rows[1:]] + ["a row of my own"]
    assert len(after.records.sprites) == len(edit.before.records.sprites)


def test_a_frame_repainted(edit: Edit) -> None:
    def paintable(sprite: Any) -> bool:
        return bool(sprite.textures) and not sprite.sprite_type and sprite.width > 2

    name = edit.first("SPRT", paintable)
    path = f"sprites/{name}/0.png"
    pixels = edit.frame(path)
    solid = np.argwhere(pixels[..., 3] > 0)
    if not len(solid):
        pytest.skip("an invisible frame")
    pixels[tuple(solid[0])] = (1, 2, 3, 255)
    edit.paint(path, pixels)
    after = edit.pack()
    assert np.array_equal(_frame(after, name, 0), pixels)
    users = [line for line in differences(edit.before, after) if "other pixels" in line]
    assert users == [f"sprites/{name}/0: other pixels"]
    assert edit.blobs_alike(after).count(False) <= 1


def test_a_frame_of_another_size(edit: Edit) -> None:
    name = edit.first("SPRT", lambda s: len(s.textures) == 1 and not s.sprite_type)
    path = f"sprites/{name}/0.png"
    pixels = np.pad(edit.frame(path), ((3, 4), (5, 6), (0, 0)), constant_values=200)
    edit.paint(path, pixels)
    after = edit.pack()
    sprite = after.records.sprites[name]
    assert (sprite.width, sprite.height) == (pixels.shape[1], pixels.shape[0])
    assert np.array_equal(_frame(after, name, 0), pixels)
    assert all(edit.blobs_alike(after))
    assert len(after.textures) == len(edit.before.textures) + 1
    found = differences(edit.before, after)
    starts(found, f"sprites/{name}", "TGIN")


def test_a_new_sprite(edit: Edit) -> None:
    pixels = np.zeros((12, 20, 4), np.uint8)
    pixels[3:9, 4:15] = (250, 120, 10, 255)
    for number in range(3):
        edit.paint(f"sprites/spr_added_here/{number}.png", np.roll(pixels, number, 0))
    edit.write("sprites/spr_added_here/sprite.json", {"origin_x": 10, "origin_y": 6})
    after = edit.pack()
    sprite = after.records.sprites["spr_added_here"]
    assert after.records.sprites.index(sprite) == len(edit.before.records.sprites)
    assert (sprite.width, sprite.height, len(sprite.textures)) == (20, 12, 3)
    assert (sprite.margin_left, sprite.margin_right) == (4, 14)
    assert (sprite.margin_top, sprite.margin_bottom) == (3, 10)
    assert np.array_equal(_frame(after, "spr_added_here", 1), np.roll(pixels, 1, 0))
    assert all(edit.blobs_alike(after))
    if "TGIN" in after.chunks:
        assert any(s.target is sprite for g in after.records.texture_groups for s in g.sprites)


def test_the_origin_and_the_box(edit: Edit) -> None:
    name = edit.first("SPRT", lambda s: s.width > 4 and s.height > 4 and not s.sprite_type)
    path = f"sprites/{name}/sprite.json"
    plain = edit.json(path)
    plain |= {"origin_x": 1, "origin_y": 2, "bbox_mode": "manual"}
    plain |= {"margin_left": 1, "margin_right": 3, "margin_top": 1, "margin_bottom": 2}
    edit.write(path, plain)
    after = edit.pack()
    sprite = after.records.sprites[name]
    assert (sprite.origin_x, sprite.margin_right, sprite.margin_bottom) == (1, 3, 2)
    starts(differences(edit.before, after), f"sprites/{name}")


def test_a_sound_replaced(edit: Edit) -> None:
    name = edit.first("SOND", lambda s: edit.before.audio_files.files.entry_of(s) is not None)
    (old,) = (edit.folder / "sounds").glob(f"{name}.[!j]*")
    old.unlink()
    compressed = ogg() if has_new_audio(edit.before) else mp3()
    new = compressed if old.suffix == ".wav" else wave()
    (edit.folder / "sounds" / f"{name}.{sniff(new).value}").write_bytes(new)
    after = edit.pack()
    assert after.sound_bytes(name) == new
    others = [
        str(s.name) for s in edit.before.records.sounds if s is not None and str(s.name) != name
    ]
    for other in others:
        assert after.sound_bytes(other) == edit.before.sound_bytes(other)


def test_a_deleted_resource(edit: Edit) -> None:
    name = edit.first("SPRT")
    shutil.rmtree(edit.folder / "sprites" / name)
    after = edit.pack()
    kept = [
        str(s.name) for s in edit.before.records.sprites if s is not None and str(s.name) != name
    ]
    assert [str(s.name) for s in after.records.sprites if s is not None] == kept
    for item in edit.before.records.objects:
        if item is None:
            continue
        wanted = item.sprite if not item.sprite or item.sprite.name != name else None
        found = after.records.objects[str(item.name)].sprite
        assert (found and str(found.name)) == (wanted and str(wanted.name))


def test_a_renamed_resource(edit: Edit) -> None:
    name = edit.first("OBJT")
    shutil.move(edit.folder / "objects" / name, edit.folder / "objects" / "obj_renamed")
    after = edit.pack()
    index = edit.before.records.objects.index(name)
    assert after.records.objects.index("obj_renamed") == index
    assert name not in after.records.objects
    for mine, theirs in zip(edit.before.records.rooms, after.records.rooms, strict=True):
        if mine is not None:
            before = [i.object.index for i in mine.instances if i.object is not None]
            assert before == [i.object.index for i in theirs.instances if i.object is not None]


def test_added_room_object_and_code(edit: Edit) -> None:
    if edit.before.is_native:
        pytest.skip("a game of native code")
    (edit.folder / "code").mkdir(exist_ok=True)  # a game may have no code so far
    (edit.folder / "code" / "gml_Object_obj_new_one_here_Create_0.asm").write_text(
        ":[0]\npushi.e 5\npop.v.i self.a_variable_of_my_own\n\n:[end]\n", "utf-8"
    )
    edit.write("objects/obj_new_one_here/object.json", {"depth": 3, "events": ["Create_0"]})
    room: dict[str, Any] = {"width": 100, "instances": [{"object": "obj_new_one_here", "x": 5}]}
    if edit.before.release.major >= 2:
        room["instances"][0]["layer"] = "Instances"
        room["layers"] = [{"name": "Instances", "id": 900000}]
    edit.write("rooms/rm_new_one_here.json", room)
    after = edit.pack()
    item = after.records.objects["obj_new_one_here"]
    assert str(item.events[0][0].actions[0].code.name) == "gml_Object_obj_new_one_here_Create_0"
    assert (
        "a_variable_of_my_own"
        in after.records.code["gml_Object_obj_new_one_here_Create_0"].assembly
    )
    made = after.records.rooms["rm_new_one_here"].instances[0]
    assert made.object.name == "obj_new_one_here" and made.id >= 100000
    assert after.general.room_order[-1].name == "rm_new_one_here"
    for entry in edit.before.records.code:
        if entry is not None and entry.root is None:
            assert after.records.code[str(entry.name)].assembly == entry.assembly


def _frame(game: Any, name: str, number: int) -> Any:
    from overhaul.gamemaker.data.pictures import PageImages

    return PageImages().frame(game.records.sprites[name].textures[number])


def test_audio_groups_belong_to_their_game(tmp_path: Path) -> None:
    """Sounds in audiogroupN.dat are unpacked by name, and an edited one is written back there."""
    games = corpus_files("datawin/CG573__Platformer-Project__*.win")
    groups = corpus_files("datawin/side/CG573__*audiogroup*.dat")
    if not games or not groups:
        pytest.skip(NO_CORPUS)
    place = tmp_path / "game"
    place.mkdir()
    shutil.copy(games[0], place / "data.win")
    for path in groups:
        shutil.copy(path, place / path.name.rpartition("__")[2])
    overhaul.unpack(place / "data.win", tmp_path / "folder")
    game: Any = overhaul.open(place / "data.win")
    stored = {str(s.name): game.sound_bytes(s) for s in game.records.sounds if s is not None}
    reached = [name for name, data in stored.items() if data is not None]
    assert len(reached) >= 6
    for name in reached:
        (file,) = (tmp_path / "folder" / "sounds").glob(f"{name}.[!j]*")
        assert file.read_bytes() == stored[name]

    (tmp_path / "untouched").mkdir()
    overhaul.pack(tmp_path / "folder", tmp_path / "untouched" / "data.win")
    for path in place.iterdir():
        assert (tmp_path / "untouched" / path.name).read_bytes() == path.read_bytes()

    (file,) = (tmp_path / "folder" / "sounds").glob(f"{reached[0]}.[!j]*")
    file.write_bytes(file.read_bytes() + bytes(1000))
    (tmp_path / "out").mkdir()
    done = overhaul.pack(tmp_path / "folder", tmp_path / "out" / "data.win")
    assert len(done.written) == len(list(place.iterdir()))
    after: Any = overhaul.open(tmp_path / "out" / "data.win")
    for name in reached:
        assert after.sound_bytes(name) == stored[name] + bytes(1000 * (name == reached[0]))
    assert (tmp_path / "out" / "data.win").read_bytes() == (place / "data.win").read_bytes()

    shutil.rmtree(tmp_path / "folder" / ".overhaul")
    (tmp_path / "bare").mkdir()
    overhaul.pack(tmp_path / "folder", tmp_path / "bare" / "data.win")
    bare: Any = overhaul.open(tmp_path / "bare" / "data.win")
    assert differences(after, bare) == []


def test_removed_and_renamed_at_once(edit: Edit) -> None:
    """One of each kind goes, one of each kind is called otherwise; references follow."""
    gone: list[tuple[str, str]] = []
    renamed: list[tuple[str, str]] = []
    for chunk, folder in FOLDERS.items():
        place = edit.folder / folder
        names = [str(r.name) for r in edit.before.named(chunk) if r is not None]
        if not place.exists() or len(names) < 3 or not all(n.isidentifier() for n in names):
            continue
        gone.append((chunk, names[0]))
        renamed.append((chunk, names[1]))
        for path in sorted(place.iterdir()):
            stem = path.name.partition(".")[0]
            if stem == names[0]:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            elif stem == names[1]:
                path.rename(path.with_name(path.name.replace(stem, f"{stem}_as_it_is_now")))
    if not gone:
        pytest.skip("a game with less than three of each kind")
    after = edit.pack()
    for chunk, name in gone:
        assert name not in after.named(chunk)
        assert len(after.named(chunk)) == len(edit.before.named(chunk)) - 1
    for chunk, name in renamed:
        assert name not in after.named(chunk)
        assert f"{name}_as_it_is_now" in after.named(chunk)


FOLDERS = {
    "SPRT": "sprites",
    "OBJT": "objects",
    "ROOM": "rooms",
    "SOND": "sounds",
    "FONT": "fonts",
    "PATH": "paths",
    "SHDR": "shaders",
    "BGND": "tilesets",
}
