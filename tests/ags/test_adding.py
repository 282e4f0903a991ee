"""New things of a game of Adventure Game Studio, and things removed before others."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import overhaul
from ags.test_words import game
from ags_folders import Folder
from ags_package import package
from ags_spoken import spoken
from overhaul import mods
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.folder import new_resources
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import InventoryWindow
from overhaul.ags.game.resources import Character, Dialog, Frame, Loop, View
from overhaul.document.plainfiles import PackOptions
from overhaul.errors import OverhaulError, PlainFileError, WorkspaceError
from overhaul.mods.building import rebuild, view_of
from overhaul.mods.comparing import compare
from overhaul.mods.view import FileView as Files
from overhaul.workbench import resources
from real_files import corpus_files

KINDS = {
    "character": "characters/cNew.json", "inventory": "inventory/iNew.json",
    "cursor": "cursors/New.json", "view": "views/VNEW.json", "dialog": "dialogs/dNew.json",
    "gui": "guis/gNew.json", "room": "rooms/77/room.json",
}  # fmt: skip


def name_of(path: str) -> str:
    return "77" if path.startswith("rooms/") else path.rpartition("/")[2].removesuffix(".json")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    path = tmp_path_factory.mktemp("adding") / "small.ags"
    path.write_bytes(package())
    return Files(overhaul.open(path))


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_thing_is_all_that_changes(files: Files, kind: str) -> None:
    path = KINDS[kind]
    assert kind in resources.kinds_to_add(files)
    made = resources.added(files, kind, name_of(path))
    assert path in made
    after = view_of(rebuild(files, made), "made")
    changed = {change.path for change in compare(files, after).changes}
    assert changed - {"package.json"} == ({"rooms/77"} if kind == "room" else {*made})
    shown = json.loads(after.files[path].read())
    if kind == "room":
        assert (shown["Width"], shown["Objects"]) == (4, [])
        assert "hDoor" not in json.dumps(shown)
    else:
        assert name_of(path) in (shown.get("ScriptName"), shown.get("Name"))
        assert not shown.get("Interactions") or not any(shown["Interactions"].values())
    with pytest.raises(WorkspaceError, match="there already"):
        resources.added(after, kind, name_of(path))


def test_what_can_not_be_new(files: Files) -> None:
    for kind, name in (("room", "hall"), ("room", "007"), ("font", "fNew"), ("audio clip", "a")):
        with pytest.raises(WorkspaceError):
            resources.added(files, kind, name)


@pytest.mark.parametrize("name", ["c Other", ""])
def test_the_file_of_a_new_thing_is_called_as_the_thing(files: Files, name: str) -> None:
    made = {"characters/cNew.json": json.dumps({"ScriptName": name} if name else {}).encode()}
    with pytest.raises(WorkspaceError, match=f"called by its name: characters/{name or '[0-9]'}"):
        rebuild(files, made)


def test_a_picture_that_can_not_be_read_is_named_when_a_room_is_added() -> None:
    folder = {"rooms/1/room.json": b"{}", "rooms/1/background.png": b"\x89PNG\r\n\x1a\n"}
    with pytest.raises(PlainFileError, match=r"rooms/1/background.png"):
        new_resources.new_room("2", "rooms/1/", [*folder], folder.__getitem__)


def test_a_room_that_shows_a_view_stands_against_removing_it(files: Files) -> None:
    made: dict[str, bytes | None] = dict(resources.added(files, "view", "VNEW"))
    room = json.loads(files.files["rooms/1/room.json"].read())
    made["rooms/1/room.json"] = json.dumps({**room, "PlayerCharacterView": 3}).encode()
    after = view_of(rebuild(files, made), "made")
    with pytest.raises(WorkspaceError, match=r"rooms/1/room.json: PlayerCharacterView: 3 is the"):
        rebuild(after, {"views/VNEW.json": None})


# --- removing -------------------------------------------------------------------------------


def many() -> Game:
    """The small game with three of each kind, and numbers of them."""
    made = game()
    content = made.content
    assert content is not None
    frames = [Loop(1, [Frame(picture=3, speed=2)])]
    content.views = [View([*frames]) for _ in range(3)]
    content.view_names = ["vEgo", "vOther", "vBob"]
    content.characters.insert(1, Character(name="Cat", script_name="cCat"))
    content.character_events.append([""] * 8)
    content.character_properties.append(type(content.character_properties[0])())
    for person in content.characters:
        person.normal_view, person.talk_view = 2, -1
        person.inventory[1], person.inventory[2] = 4, 5
    content.settings.player_character = 2
    content.dialogs = [Dialog(option_flags=[0] * 30) for _ in range(3)]
    content.dialog_script_names = ["dBob", "dCat", "dDog"]
    content.settings.options[3] = 1  # the GUI of the options of dialogs
    window = InventoryWindow(name="iwAll", character=2)
    content.gui.inventory_windows = [window]
    content.gui.guis[0].control_references.append(3 << 16)
    content.gui.guis[0].control_count = 3
    made.recompute_counts()
    made.uneven = made.tables().uneven()
    return made


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """What the tests get copies of."""
    return Folder(tmp_path_factory.mktemp("adding"), "game28.dta", many().to_bytes(), new=True)


@pytest.fixture
def folder(unpacked: Folder, tmp_path: Path) -> Folder:
    return unpacked.copy(tmp_path)


def packed(folder: Folder, *gone: str) -> Any:
    """The content of the game once files are gone."""
    for name in gone:
        (folder.path / name).unlink()
    content = Game.read(folder.pack()).content
    assert content is not None
    return content


def test_characters_behind_one_that_goes_are_followed(folder: Folder) -> None:
    content = packed(folder, "characters/cCat.json")
    assert [person.script_name for person in content.characters] == ["cEgo", "cBob"]
    assert content.settings.player_character == 1
    assert content.gui.inventory_windows[0].character == 1
    again = json.loads((folder.path / "characters/cBob.json").read_text())
    assert again["ID"] == 2  # the folder stays as people made it


def test_a_thing_with_another_name_is_renamed_to_diff(folder: Folder) -> None:
    edit(folder, "inventory/iCup.json", lambda shown: shown.update(Name="iMug"))
    edit(folder, "views/vOther.json", lambda shown: shown.update(Name="vMore"))
    out = folder.file.with_suffix(".new")
    overhaul.pack(folder.path, out)
    changes = mods.diff(folder.file, out).changes
    assert [(each.kind, each.old_path, each.path) for each in changes] == [
        ("renamed", "inventory/iCup", "inventory/iMug"),
        ("renamed", "views/vOther", "views/vMore"),
    ]


def test_items(folder: Folder) -> None:
    content = packed(folder, "inventory/iCup.json")
    assert content.inventory_script_names == ["", "iKey"]
    assert all(person.inventory[:3] == [0, 5, 0] for person in content.characters)
    assert len(content.characters[0].inventory) == 301


def test_guis_and_the_options_that_name_them(folder: Folder) -> None:
    content = packed(folder, "guis/gMain.json")
    assert [window.name for window in content.gui.guis] == ["gQuit"]
    assert content.settings.options[3] == 0


def test_a_view_that_goes_leaves_an_empty_one(folder: Folder) -> None:
    content = packed(folder, "views/vOther.json")
    assert [len(view.loops) for view in content.views] == [1, 0, 1]
    assert content.view_names == ["vEgo", "", "vBob"]
    made, out = folder.root / "made.dta", folder.root / "again"
    made.write_bytes(folder.pack())
    overhaul.unpack(made, out)
    assert sorted(path.name for path in (out / "views").iterdir()) == ["vBob.json", "vEgo.json"]
    overhaul.pack(out, folder.root / "once.dta")
    assert (folder.root / "once.dta").read_bytes() == made.read_bytes()
    shutil.rmtree(out / ".overhaul")
    overhaul.pack(out, folder.root / "scratch.dta")
    assert (folder.root / "scratch.dta").read_bytes() == made.read_bytes()
    with overhaul.open(made) as document:
        paths = {each.path for each in document.tree() if each.kind == "view"}
    assert paths == {"views/vBob.json", "views/vEgo.json"}


@pytest.mark.parametrize(
    ("gone", "reason"),
    [
        ("characters/cBob.json", "2 is not a character"),
        ("views/vBob.json", r"characters/cEgo.json:\d+:\d+: NormalView: there is no view 3"),
    ],
)
def test_what_refers_to_it_stands_against_it(folder: Folder, gone: str, reason: str) -> None:
    with pytest.raises(WorkspaceError, match=reason):
        packed(folder, gone)


def edit(folder: Folder, name: str, change: Callable[[dict[str, Any]], object]) -> None:
    folder.edit(name, change)


def test_the_player_and_a_view_in_use_stay(folder: Folder) -> None:
    edit(folder, "game.json", lambda shown: shown["Settings"].update(PlayerCharacter=0))
    edit(folder, "characters/cBob.json", lambda shown: shown.update(NormalView=1))
    for name, reason in (
        ("characters/cEgo.json", "PlayerCharacter: 0 is the character that was removed"),
        ("views/vEgo.json", r"cBob.json:\d+:\d+: NormalView: 1 is the view that was removed"),
    ):
        kept = (folder.path / name).read_bytes()
        with pytest.raises(WorkspaceError, match=reason):
            packed(folder, name)
        (folder.path / name).write_bytes(kept)


def test_scripts_that_hold_numbers_stand_against_it(tmp_path: Path) -> None:
    """The script of dialogs uses the list of dialogs, whose numbers it may hold."""
    tree = Folder(tmp_path, "game28.dta", spoken(), new=True)
    (tree.path / "dialogs/dBob.json").unlink()
    (tree.path / "dialogs/dBob.ads").unlink()
    with pytest.raises(WorkspaceError, match=r"dGuard.ads:3: it goes to the dialog 0, which was"):
        tree.pack()
    lines = (tree.path / "dialogs/dGuard.ads").read_text().replace("goto-dialog 0", "goto-dialog 1")
    (tree.path / "dialogs/dGuard.ads").write_text(lines)
    overhaul.pack(tree.path, tree.file.with_suffix(".out"), accept_renumbering=True)
    overhaul.unpack(tree.file.with_suffix(".out"), tmp_path / "again")
    assert "goto-dialog 0" in (tmp_path / "again/dialogs/dGuard.ads").read_text()


def viewing(tmp_path: Path) -> Folder:
    """A folder with three views; nothing but the global script knows of them."""
    made = many()
    content = made.content
    assert content is not None
    for person in content.characters:
        person.normal_view = 0
    script = content.global_script
    assert script is not None
    script.imports.append("Character::LockView^2")
    return Folder(tmp_path, "game28.dta", made.to_bytes(), new=True)


def test_scripts_that_take_views_stand_against_removing_one(tmp_path: Path) -> None:
    for gone in ("vOther", "vBob"):  # in the middle, and the last one
        root = tmp_path / gone
        root.mkdir()
        tree = viewing(root)
        number = {"vOther": 2, "vBob": 3}[gone]
        reason = rf"view {number} is removed.*GlobalScript.asc uses Character::LockView. Accept"
        with pytest.raises(WorkspaceError, match=reason):
            packed(tree, f"views/{gone}.json")
        out = tree.file.with_suffix(".out")
        result = overhaul.pack(tree.path, out, accept_renumbering=True)
        (warning,) = result.warnings
        assert f"the view {number}, which was removed" in warning


def test_a_view_with_the_id_of_another(tmp_path: Path) -> None:
    tree = viewing(tmp_path)
    (tree.path / "views/vOther.json").unlink()
    edit(tree, "views/vBob.json", lambda shown: shown.update(ID=2))
    with pytest.raises(WorkspaceError, match="views/vBob: the view has the ID 2, which was 3, and"):
        tree.pack()
    result = overhaul.pack(tree.path, tree.file.with_suffix(".out"), accept_renumbering=True)
    notes = ("may mean another one now", "3, which was removed, may stand there")
    assert [note in each for note, each in zip(notes, result.warnings, strict=True)] == [True] * 2
    content = Game.read(tree.file.with_suffix(".out").read_bytes()).content
    assert content is not None and content.view_names == ["vEgo", "vBob"]


def test_characters_that_change_places(folder: Folder) -> None:
    """No script uses numbers of characters: nothing is said."""
    edit(folder, "characters/cCat.json", lambda shown: shown.update(ID=2))
    edit(folder, "characters/cBob.json", lambda shown: shown.update(ID=1))
    assert [each.script_name for each in packed(folder).characters] == ["cEgo", "cBob", "cCat"]


def test_a_script_of_a_room_that_takes_views(tmp_path: Path) -> None:
    game, tree = tmp_path / "small.ags", tmp_path / "tree"
    game.write_bytes(package())
    overhaul.unpack(game, tree, code="asm")
    person = tree / "characters/cEgo.json"
    person.write_text(json.dumps({**json.loads(person.read_text()), "SpeechView": 0}))
    code = tree / "rooms/1/script.asm"
    code.write_text(code.read_text().replace("Display^101", "Character::LockView^1"))
    overhaul.pack(tree, game, force=True)
    with overhaul.open(game) as document, pytest.raises(WorkspaceError) as caught:
        rebuild(Files(document), {"views/2.json": None})
    assert "view 2 is removed" in str(caught.value)
    assert "rooms/1/script.asc uses Character::LockView" in str(caught.value)
    with overhaul.open(game) as document:  # where its documents are files, as in the viewer
        assert isinstance(document, PackageDocument)
        document.flat = True
        gone = {"assets/game28.dta/views/2.json": None}
        with pytest.raises(WorkspaceError, match="view 2 is removed"):
            rebuild(Files(document), gone)
        built = rebuild(Files(document), gone, None, PackOptions(accept_renumbering=True))
        assert any("may stand there" in each for each in built.warnings)


@pytest.mark.corpus
def test_adding_and_removing_in_real_games() -> None:
    found = [*corpus_files("ags/**/*.ags"), *corpus_files("ags2/*.ags")]
    for path in sorted(found, key=lambda each: each.stat().st_size)[:1]:
        with overhaul.open(path) as document:
            files = Files(document)
            for kind, place in KINDS.items():
                if kind not in resources.kinds_to_add(files) or kind == "room":
                    continue
                made = resources.added(files, kind, name_of(place))
                built = rebuild(files, made)
                after = view_of(built, "made")
                assert {each.path for each in compare(files, after).changes} == {*made}, kind
                back = rebuild(after, dict.fromkeys(made, None))
                assert bytes(back.content) == path.read_bytes(), kind
            check_removal(files)


def check_removal(files: Files) -> None:
    """Remove the first thing of each kind: refused with a reason, or all others are there."""
    for kind in ("characters", "inventory", "cursors", "views", "dialogs", "guis"):
        own = sorted(
            path for path in files.files if path.startswith(f"{kind}/") and path.endswith(".json")
        )
        for gone in own[:1]:
            removed: dict[str, bytes | None] = {gone: None}
            if gone.replace(".json", ".ads") in files.files:
                removed[gone.replace(".json", ".ads")] = None
            try:
                built = rebuild(files, removed, None, PackOptions(accept_renumbering=True))
            except OverhaulError:
                continue
            left = set(view_of(built, "made").files)
            assert {*own} - {gone} <= left
            assert gone not in left or gone == "inventory/0.json"
