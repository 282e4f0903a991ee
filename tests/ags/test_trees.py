"""A game's package as one tree: the documents in it are taken apart, and packed again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import overhaul
from ags_folders import Edit, Folder, sprite_set, translation
from ags_games import game, package
from ags_things import make_even
from overhaul import folder as folders
from overhaul import mods
from overhaul.ags.game.resources import AudioClip, AudioType, Cursor, Frame, Loop, View
from overhaul.ags.library.package import Package
from overhaul.ags.translation import Pair
from overhaul.document.plainfiles import UnpackOptions
from overhaul.errors import FormatError, WorkspaceError
from overhaul.folder.nested import NestedDocument, may_want


def whole() -> Package:
    """A game with two rooms, sprites, a translation, and an asset."""
    made = Package.read(package(game(), rooms=2))
    if made.get("acsprset.spr") is None:
        made.add("acsprset.spr", sprite_set(6).to_bytes())
    made.add("German.tra", translation(Pair("Hello", "Hallo")).to_bytes())
    made.add("agsfnt0.wfn", b"WGT Font File  ")
    return made


def from_plain_files(made: Package, folder: Path) -> bytes:
    """The package as it is built from its plain files."""
    folder.mkdir()
    (folder / "made.ags").write_bytes(made.to_bytes())
    overhaul.unpack(folder / "made.ags", folder / "tree")
    overhaul.pack(folder / "tree", folder / "again.ags", from_scratch=True)
    return (folder / "again.ags").read_bytes()


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """What the tests get copies of."""
    root = tmp_path_factory.mktemp("tree")
    return Folder(root, "game.ags", from_plain_files(whole(), root / "first"))


@pytest.fixture
def tree(unpacked: Folder, tmp_path: Path) -> Folder:
    return unpacked.copy(tmp_path)


def test_everything_is_taken_apart(tree: Folder) -> None:
    names = tree.names()
    for name in (
        "rooms/1/room.json",
        "rooms/2/background.png",
        "game.json",
        "sprites.json",
        "sprites/00000.png",
        "translations/German/dictionary.trs",
        "fonts/agsfnt0.wfn",
        "package.json",
    ):
        assert name in names
    assert not any(name.endswith((".crm", ".dta", ".spr", ".tra")) for name in names)
    rows = {row["name"]: row for row in tree.json("package.json")["assets"]}  # type: ignore[attr-defined]
    assert rows["room2.crm"] == {"name": "room2.crm", "folder": "rooms/2", "encoding": "utf-8"}
    assert rows["agsfnt0.wfn"] == {"name": "agsfnt0.wfn", "file": "fonts/agsfnt0.wfn"}
    assert rows["game28.dta"]["folder"] == rows["acsprset.spr"]["folder"] == "."
    tree.check()


def test_an_edit_changes_one_file_of_the_package(tree: Folder) -> None:
    text = tree.path / "rooms/2/room.json"
    text.write_text(text.read_text().replace("the door", "the gate"))
    before, after = Package.read(tree.data), Package.read(tree.pack())
    changed = [a.name for a, b in zip(before, after, strict=True) if a.read() != b.read()]
    assert changed == ["room2.crm"]
    assert tree.warnings == []
    (change,) = mods.diff(tree.file, tree.path).changes
    assert change.path == "rooms/2/room.json"


def test_listing_and_searching_go_into_the_documents(tree: Folder) -> None:
    with overhaul.open(tree.file) as document:
        listed = {(each.kind, each.path) for each in document.tree()}
        assert {("room", "rooms/1"), ("sprites", "sprites")} <= listed
        assert ("translation", "translations/German") in listed
        assert ("font", "fonts/0") in listed
        (found,) = folders.find_files(document, "rooms/1/room.json")
        assert json.loads(found.read())["version"]
        assert len(folders.find_files(document, "rooms/*/room.json")) == 2


def test_a_room_is_added_and_removed_as_a_folder(tree: Folder) -> None:
    shutil.copytree(tree.path / "rooms/2", tree.path / "rooms/77")
    more = Package.read(tree.pack())
    assert more["room77.crm"].read() == more["room2.crm"].read()
    assert tree.warnings == ["rooms/77: it is new: room77.crm becomes the last asset"]
    shutil.rmtree(tree.path / "rooms/77")
    shutil.rmtree(tree.path / "rooms/1")
    less = Package.read(tree.pack())
    assert less.get("room1.crm") is None and less.get("room2.crm") is not None


def test_what_is_flat_stays_files(tmp_path: Path) -> None:
    file = tmp_path / "game.ags"
    file.write_bytes(whole().to_bytes())
    overhaul.unpack(file, tmp_path / "flat", flat=True)
    assert (tmp_path / "flat/assets/room1.crm").is_file()
    assert "flat = true" in (tmp_path / "flat/overhaul.toml").read_text()
    for scratch in (False, True):
        overhaul.pack(tmp_path / "flat", tmp_path / "out", force=True, from_scratch=scratch)
        assert (tmp_path / "out").read_bytes() == file.read_bytes()
    asset = tmp_path / "flat/assets/room1.crm"
    asset.write_bytes((tmp_path / "flat/assets/room2.crm").read_bytes())
    done = overhaul.pack(tmp_path / "flat", tmp_path / "out", force=True)
    assert done.warnings == []
    assert Package.read((tmp_path / "out").read_bytes())["room1.crm"].read() == asset.read_bytes()


def test_files_next_to_the_package_are_in_the_tree(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    made = from_plain_files(Package.read(package(game())), tmp_path / "first")
    (home / "game.ags").write_bytes(made)
    voices = Package(version=30, parts=["speech.vox"])
    voices.add("EGO1.ogg", b"OggS one")
    (home / "speech.vox").write_bytes(voices.to_bytes())
    with overhaul.open(home / "game.ags!game28.dta") as document:
        unique_id = document.info()["unique_id"]
    other, own = translation(Pair("a", "b")), translation(Pair("a", "c"))
    for each, id in ((other, 5), (own, unique_id)):
        block = each.blocks.blocks[0].content
        block.unique_id = id  # type: ignore[union-attr]
    (home / "Other.tra").write_bytes(other.to_bytes())
    (home / "Own.tra").write_bytes(own.to_bytes())
    overhaul.unpack(home / "game.ags", tmp_path / "folder")
    assert (tmp_path / "folder/speech/assets/EGO1.ogg").read_bytes() == b"OggS one"
    assert not (tmp_path / "folder/translations/Other").exists()
    out = tmp_path / "out"
    out.mkdir()
    for scratch in (False, True):
        overhaul.pack(tmp_path / "folder", out / "game.ags", force=True, from_scratch=scratch)
        for name in ("game.ags", "speech.vox", "Own.tra"):
            assert (out / name).read_bytes() == (home / name).read_bytes(), name
    (tmp_path / "folder/speech/assets/EGO1.ogg").write_bytes(b"OggS two")
    overhaul.pack(tmp_path / "folder", out / "game.ags", force=True)
    assert (out / "game.ags").read_bytes() == (home / "game.ags").read_bytes()
    assert Package.read((out / "speech.vox").read_bytes())["EGO1.ogg"].read() == b"OggS two"


def test_errors_name_the_files_of_the_tree(tree: Folder) -> None:
    room = tree.path / "rooms/1/room.json"
    before = room.read_bytes()
    room.write_bytes(b"{")
    with pytest.raises(WorkspaceError, match=r"^rooms/1/room\.json:1:2: not valid JSON"):
        tree.pack()
    room.write_bytes(before)
    mask = tree.path / "rooms/1/walkable.png"
    mask.unlink()
    with pytest.raises(WorkspaceError, match=r"^rooms/1/walkable\.png: it is missing"):
        tree.pack()
    mask.write_bytes(b"no picture")
    with pytest.raises(WorkspaceError, match=r"^rooms/1/walkable\.png: "):
        tree.pack()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"folder": "rooms/3"}, r"room1\.crm has the folder 'rooms/1'"),
        ({"encoding": "nothing"}, "unknown encoding"),
        ({"file": "assets/x"}, "expected a file, not a folder"),
        ({"name": "x.txt"}, r"x\.txt is not a document"),
        ({"name": "room2.crm", "folder": "rooms/2"}, "has the same folder"),
    ],
)
def test_errors_in_rows_of_documents(tree: Folder, change: dict[str, object], message: str) -> None:
    def edit(shown: dict[str, object]) -> None:
        (row,) = [r for r in shown["assets"] if r["name"] == "room1.crm"]  # type: ignore[attr-defined]
        row.update(change)

    tree.refuses("package.json", edit, message)


def test_another_encoding_is_taken(tree: Folder) -> None:
    def edit(shown: dict[str, object]) -> None:
        (row,) = [r for r in shown["assets"] if r["name"] == "room1.crm"]  # type: ignore[attr-defined]
        row["encoding"] = "cp1252"

    tree.edit("package.json", edit)
    room = tree.path / "rooms/1/room.json"
    room.write_text(room.read_text("utf-8").replace("the door", "die T\u00fcr"), "utf-8")
    assert "die T\u00fcr".encode("cp1252") in Package.read(tree.pack())["room1.crm"].read()


def test_a_damaged_document_stays_a_file(tmp_path: Path) -> None:
    made = whole()
    made.replace("room2.crm", made["room2.crm"].read()[:200])
    folder = Folder(tmp_path, "game.ags", from_plain_files(made, tmp_path / "first"))
    assert "assets/room2.crm" in folder.names()
    folder.check()


def test_a_file_in_a_file_is_not_packed_to(tree: Folder) -> None:
    with pytest.raises(WorkspaceError, match="a file inside another can't be written by itself"):
        overhaul.pack(tree.path, f"{tree.file}!room1.crm")


def test_globs_choose_the_parts_that_are_opened() -> None:
    def never() -> overhaul.Document:
        raise FormatError("opened")

    room = NestedDocument("room1.crm", "rooms/1/", "ags-room", never)
    top = NestedDocument(
        "game28.dta", "", "ags-game", never, lambda path: path.startswith("characters")
    )
    for glob, wanted, at_top in (
        ("rooms/1/room.json", True, False),
        ("rooms/2/*", False, False),
        ("rooms", True, False),
        ("*.json", True, True),
        ("characters/*", False, True),
        ("characters.json", False, True),
    ):
        options = UnpackOptions(only=[glob])
        assert (may_want(room, options), may_want(top, options)) == (wanted, at_top), glob


def test_rooms_that_things_name_are_there(tree: Folder) -> None:
    tree.edit("characters/cEgo.json", lambda shown: shown.update(StartingRoom=99))
    with pytest.raises(
        WorkspaceError, match=r"^characters/cEgo\.json:\d+:\d+: StartingRoom: there is no rooms/99$"
    ):
        tree.pack()
    tree.edit("characters/cEgo.json", lambda shown: shown.update(StartingRoom=2))
    assert Package.read(tree.pack())
    shutil.rmtree(tree.path / "rooms/2")
    with pytest.raises(WorkspaceError, match=r"StartingRoom: there is no rooms/2$"):
        tree.pack()
    for room in (tree.path / "rooms").iterdir():  # without any room, it is not there either
        shutil.rmtree(room)
    with pytest.raises(WorkspaceError, match=r"StartingRoom: there is no rooms/2$"):
        tree.pack()


def test_sprites_that_things_name_are_there(tree: Folder) -> None:
    items = sorted((tree.path / "inventory").glob("*.json"))
    name = items[-1].relative_to(tree.path).as_posix()
    tree.edit(name, lambda shown: shown.update(Image=4000))
    with pytest.raises(WorkspaceError, match=r"Image: there is no sprite 4000, sprites/04000"):
        tree.pack()
    tree.edit(name, lambda shown: shown.update(Image=1))
    assert tree.pack()
    tree.edit("sprites.json", lambda shown: shown.update(sprites=[]))
    shutil.rmtree(tree.path / "sprites")  # without any sprite, it is not there either
    with pytest.raises(WorkspaceError, match=r"Image: there is no sprite 1, sprites/00001"):
        tree.pack()


@pytest.mark.parametrize(
    ("name", "edit", "message"),
    [
        (
            "guis/gBar.json",
            lambda s: s.update(BackgroundImage=4000),
            "BackgroundImage: there is no s",
        ),
        (
            "guis/gBar.json",
            lambda s: s["Controls"][1].update(Image=4000),
            r"Controls\[1\].Image: there is no sprite 4000",
        ),
        (
            "guis/gBar.json",
            lambda s: s["Controls"][1].update(ClickAction="SetCursorMode", NewModeNumber=77),
            r"Controls\[1\].NewModeNumber: there is no cursor 77: the game has no cursors",
        ),
    ],
)
def test_numbers_in_guis_are_checked(tree: Folder, name: str, edit: Edit, message: str) -> None:
    tree.edit(name, edit)
    with pytest.raises(WorkspaceError, match=rf"^{name}:\d+:\d+: {message}"):
        tree.pack()


def test_numbers_of_sounds_are_checked(tmp_path: Path) -> None:
    made = game(3060021)
    content = made.content
    assert content is not None
    frames = [Frame(picture=0, sound=1), Frame(picture=0, sound=9)]
    content.views, content.view_names = [View(loops=[Loop(frames=frames)])], ["VEGO"]
    content.audio_types = [AudioType(), AudioType(id=1)]
    content.audio_clips = [AudioClip(id=n, script_name=f"a{n}", type=1) for n in range(2)]
    content.cursors = [Cursor(name="Look")]
    make_even(made.tables())
    made.recompute_counts()
    folder = Folder(tmp_path, "game28.dta", made.to_bytes(), new=True)
    for name, edit, message in (
        (
            "views/VEGO.json",
            lambda s: s["Loops"][0]["Frames"][0].update(Sound=2),
            r"Loops\[0\].Frames\[0\].Sound: there is no sound 2: the game has 2",
        ),
        ("audio_clips/a1.json", lambda s: s.update(Type=3), "Type: there is no type 3 of sounds"),
    ):
        before = (folder.path / name).read_bytes()
        folder.edit(name, edit)
        with pytest.raises(WorkspaceError, match=rf"^{name}:\d+:\d+: {message}"):
            folder.pack()
        (folder.path / name).write_bytes(before)
    # what was wrong before is no mistake of an edit
    folder.edit("views/VEGO.json", lambda s: s["Loops"][0]["Frames"][0].update(Sound=0))
    assert folder.pack() != folder.data
    assert folder.warnings == []
    folder.pack(from_scratch=True)
    assert any("there is no sound 9" in warning for warning in folder.warnings)
