"""Game.agf as a document: its folder, edits, and the game that was compiled from it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ags_games
import overhaul
from ags_folders import Folder
from ags_things import make_even
from overhaul import mods
from overhaul.ags.game.resources import Character, Frame, Loop, View
from overhaul.ags.library.package import Package
from overhaul.ags.project.converting import convert
from overhaul.cli import main
from overhaul.document.reading import open_data
from overhaul.document.xmltext import XmlFile, XmlNode, write_xml
from overhaul.errors import FormatError, OverhaulError, WorkspaceError

Edit = Callable[[dict[str, Any]], object]


def compiled() -> bytes:
    """The small game with a view and a third character."""
    made = ags_games.game()
    content = made.content
    assert content is not None
    content.views = [View(loops=[Loop(frames=[Frame(picture=3), Frame(picture=4)])])]
    content.view_names = ["VEGO"]
    content.characters.append(Character(name="Cat", script_name="cCat", normal_view=0))
    content.character_properties.append(type(content.character_properties[0])())
    make_even(made.tables())
    made.recompute_counts()
    return made.to_bytes()


def agf() -> bytes:
    """The project that the game is converted to."""
    with open_data(compiled(), source="game28.dta") as document:
        return convert(document).files["Game.agf"]()


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """What the tests get copies of."""
    return Folder(tmp_path_factory.mktemp("project"), "Game.agf", agf(), new=True)


@pytest.fixture
def folder(unpacked: Folder, tmp_path: Path) -> Folder:
    return unpacked.copy(tmp_path)


def test_it_is_a_document(folder: Folder) -> None:
    with overhaul.open(folder.file) as document:
        assert document.kind == "ags-project"
        assert document.version == "3.6.0.51"
        assert document.to_bytes() == folder.data
        facts = document.info()
        assert (facts["name"], facts["characters"], facts["views"]) == ("Small Game", 3, 1)
        kinds = {(resource.kind, resource.path) for resource in document.tree()}
        assert {("character", "characters/cEgo.json"), ("view", "views/VEGO.json")} <= kinds
        assert document.coverage().opaque == 0
        assert document.counterpart(document) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize("editor", ["3.6.0.51", "3.2.1"])
def test_a_project_says_how_many_things_it_has(editor: str) -> None:
    """Scripts have headers, which do not count."""
    files = {"Rooms": "UnloadedRoom", "Scripts": "Script", "Views": "View", "Fonts": "Font"}
    chance = random.Random(editor)
    for listed, tag in files.items():
        for count in (None, 0, chance.randrange(1, 9)):
            made = XmlNode(listed, children=[XmlNode(tag) for _ in range(count or 0)])
            if count and listed == "Scripts":
                made.children.append(XmlNode(tag, children=[XmlNode("IsHeader", "True")]))
            game = XmlNode("Game", children=[] if count is None else [made])
            root = XmlNode("AGSEditorDocument", "", {"EditorVersion": editor}, [game])
            data = write_xml(XmlFile(root, has_mark=False))
            with open_data(data, source="Game.agf") as document:
                facts = document.info()
                own = {key.lower(): facts[key.lower()] for key in files}
            assert own == dict.fromkeys(own, 0) | {listed.lower(): count or 0}


def test_its_folder_is_shaped_as_that_of_a_game(folder: Folder, tmp_path: Path) -> None:
    game = (
        Folder(tmp_path / "game", "game28.dta", compiled(), new=True) if _made(tmp_path) else None
    )
    assert game is not None
    for name in ("characters/cEgo.json", "views/VEGO.json", "guis/gBar.json", "game.json"):
        assert name in folder.names()
        assert name in game.names()
    ours, theirs = folder.json("characters/cEgo.json"), game.json("characters/cEgo.json")
    for key in ("RealName", "NormalView", "Clickable", "SpeechColor"):
        assert ours[key] == theirs[key]
    assert folder.json("views/VEGO.json")["Loops"][0]["Frames"][1]["Image"] == 4  # type: ignore[index]
    types = [c["Type"] for c in folder.json("guis/gBar.json")["Controls"]]  # type: ignore[attr-defined]
    assert types == ["Label", "Button"]
    folder.check()


def _made(path: Path) -> bool:
    (path / "game").mkdir()
    return True


EDITS: dict[str, Edit] = {
    "characters/cEgo.json": lambda shown: shown.update(RealName="The Ego"),
    "guis/gBar.json": lambda shown: shown["Controls"][1].update(Text="Store it"),
    "views/VEGO.json": lambda shown: shown["Loops"][0]["Frames"][0].update(Flipped=True),
    "game.json": lambda shown: shown["Settings"].update(MaximumScore=7),
    "properties.json": lambda shown: shown["PropertyDefinitions"][0].update(DefaultValue="Of tea"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_changes_one_element(folder: Folder, name: str) -> None:
    folder.edit(name, EDITS[name])
    packed = folder.pack()
    before, after = folder.data.split(b"\n"), packed.split(b"\n")
    changed = [b for a, b in zip(before, after, strict=True) if a != b]
    assert len(changed) == 1
    assert [change.path for change in mods.diff(folder.data, packed).changes] == [name]


def test_several_edits_at_once(folder: Folder) -> None:
    for name, edit in EDITS.items():
        folder.edit(name, edit)
    lines = folder.path / "dialogs/0.ads"
    lines.write_text("@S\nEgo: Hi!\nstop\n")
    changes = mods.diff(folder.data, folder.pack()).changes
    assert {change.path for change in changes} == {*EDITS, "dialogs/0.ads"}


def test_things_come_and_go(folder: Folder) -> None:
    shown = folder.json("characters/cCat.json") | {"ID": 3, "ScriptName": "cDog"}
    (folder.path / "characters/cDog.json").write_text(json.dumps(shown))
    packed = folder.pack()
    assert [(c.kind, c.path) for c in mods.diff(folder.data, packed).changes] == [
        ("added", "characters/cDog.json")
    ]
    with open_data(packed) as document:
        assert [r.name for r in document.tree() if r.kind == "character"][-1] == "cDog"
    (folder.path / "characters/cDog.json").unlink()
    (folder.path / "characters/cCat.json").unlink()
    changes = mods.diff(folder.data, folder.pack()).changes
    assert [(c.kind, c.path) for c in changes] == [("removed", "characters/cCat.json")]


@pytest.mark.parametrize(
    ("name", "edit", "message"),
    [
        ("characters/cEgo.json", lambda s: s.update(NormalView="x"), None),
        (
            "characters/cEgo.json",
            lambda s: s.update(NormalView=True),
            "NormalView: expected a whole",
        ),
        ("characters/cEgo.json", lambda s: s.update(NormalView=[]), "NormalView: expected a text"),
        ("characters/cEgo.json", lambda s: s.update(Clickable=1), "Clickable: expected true or"),
        ("characters/cEgo.json", lambda s: s.update(Clickable="True"), "Clickable: expected true"),
        ("characters/cEgo.json", lambda s: s.update({"a b": 1}), "no element can be called 'a b'"),
        ("characters/cEgo.json", lambda s: s.update(ID=2), "ID: 2 is the ID of characters/cCat"),
        ("characters/cEgo.json", lambda s: s.update(ID=9), "has the ID 0"),
        ("characters/cEgo.json", lambda s: s.pop("ID"), "ID: expected the number of the thing"),
        (
            "characters/cEgo.json",
            lambda s: s["Interactions"].update(Eat="x"),
            "unknown event 'Eat'",
        ),
        ("guis/gBar.json", lambda s: s["Controls"][0].pop("Type"), r"Controls\[0\].Type: expected"),
        ("guis/gBar.json", lambda s: s["Controls"][0].update(Type="Box"), "unknown type 'Box'"),
        ("game.json", lambda s: s.update(More={}), "unknown field 'More'"),
        ("game.json", lambda s: s.update(Settings=3), "Settings: expected an object, got 3"),
        ("views/VEGO.json", lambda s: s["Loops"].append(3), r"Loops\[1\]: expected an object"),
        (
            "characters/cEgo.json",
            lambda s: s.update(RealName={"text": 3}),
            "RealName.text: expected",
        ),
        (
            "characters/cEgo.json",
            lambda s: s.update(RealName={"text": "x", "attributes": {"a b": ""}}),
            "no attribute can be called 'a b'",
        ),
    ],
)
def test_wrong_values_are_refused(
    folder: Folder, name: str, edit: Edit, message: str | None
) -> None:
    folder.edit(name, edit)
    if message is None:  # the editor reads it, or reports it
        assert b"<NormalView>x</NormalView>" in folder.pack()
        return
    with pytest.raises(WorkspaceError, match=message):
        folder.pack()


def test_numbers_without_gaps_are_taken(folder: Folder) -> None:
    """All sets of numbers below 5 that have 0: 3 characters are there before."""
    files = (folder.path / "characters").iterdir()
    shown = {path.stem: folder.json(f"characters/{path.name}") for path in files}
    names = [*sorted(shown, key=lambda name: int(str(shown[name]["ID"]))), "cDog", "cEel"]
    shown |= {name: shown["cCat"] | {"ScriptName": name} for name in names[3:]}
    for bits in range(1, 32, 2):
        numbers = [number for number in range(5) if bits >> number & 1]
        for path in (folder.path / "characters").iterdir():
            path.unlink()
        for number in numbers:
            text = json.dumps(shown[names[number]] | {"ID": number})
            (folder.path / "characters" / f"{names[number]}.json").write_text(text)
        try:
            packed = folder.pack()
        except WorkspaceError as error:
            found = re.search(r"ID: got (\d), but no file next to it has the ID (\d)", str(error))
            assert found is not None, str(error)
            assert int(found[1]) in numbers and int(found[2]) not in numbers
            assert numbers != [*range(len(numbers))]
            continue
        with open_data(packed) as document:
            made = [each.name for each in document.tree() if each.kind == "character"]
        assert made == names[: len(numbers)] and numbers == [*range(len(numbers))]


def test_files_that_lack_or_do_not_belong(folder: Folder) -> None:
    lines = folder.path / "dialogs/0.ads"
    text = lines.read_text()
    lines.unlink()
    with pytest.raises(WorkspaceError, match=r"dialogs/0.ads: it is missing"):
        folder.pack()
    lines.write_text(text)
    (folder.path / "dialogs/9.ads").write_text("")
    with pytest.raises(WorkspaceError, match=r"there is no dialogs/9.json"):
        folder.pack()
    (folder.path / "dialogs/9.ads").unlink()
    rest = folder.path / "project.xml"
    data = rest.read_bytes()
    for wrong, message in (
        (data[:-30], "broken XML"),
        (b"<a />", "expected a Game"),
        (
            data.replace(b"<Characters>", b"<Persons>").replace(b"</Characters>", b"</Persons>"),
            "Characters",
        ),
    ):
        rest.write_bytes(wrong)
        with pytest.raises(WorkspaceError, match=message):
            folder.pack()
    rest.unlink()
    with pytest.raises(WorkspaceError, match=r"project.xml"):
        folder.pack()


def test_what_is_no_project_is_refused() -> None:
    for data in (
        b"<AGSEditorDocument />",
        b"<AGSEditorDocument><Game>",
        b"<x><AGSEditorDocument /></x>",
    ):
        with pytest.raises(FormatError):
            open_data(data, source="Game.agf")


def test_damaged_projects_give_our_errors() -> None:
    data, numbers = agf(), random.Random(25)
    refused = 0
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(numbers.randrange(1, 4)):
            at = numbers.randrange(len(damaged))
            damaged[at : at + numbers.randrange(4)] = bytes(
                numbers.choice(b"<>/&;\"' \0azAZ09\xff") for _ in range(numbers.randrange(4))
            )
        try:
            with open_data(bytes(damaged), source="Game.agf") as document:
                list(document.tree())
                document.info()
                mods.diff(data, bytes(damaged))
        except OverhaulError:
            refused += 1
    assert 5 < refused < 150


# -- a game and its project ------------------------------------------------------------------------


def test_a_game_is_compared_with_its_project(
    folder: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "game28.dta"
    game.write_bytes(compiled())
    difference = mods.diff(game, folder.file)
    assert difference.changes == []
    assert any("does not store Settings:" in words for words in difference.apart)
    whole = tmp_path / "game.ags"
    made = Package()
    made.add("game28.dta", compiled())
    whole.write_bytes(made.to_bytes())
    assert mods.diff(whole, folder.file).changes == []
    for name, edit in EDITS.items():
        folder.edit(name, edit)
    edited = tmp_path / "edited.agf"
    edited.write_bytes(folder.pack())
    for pair in ((game, edited), (edited, game)):
        assert {change.path for change in mods.diff(*pair).changes} == set(EDITS)
    assert main(["diff", str(game), str(edited), "--only", "characters/*"]) == 1
    _, page = mods.html_report(game, edited)
    assert "Not compared: a compiled game does not store" in page
    shown = capsys.readouterr().out
    assert 'RealName: "Ego" → "The Ego"' in shown
    assert "not compared: a compiled game does not store" in shown


def test_dialogs_with_wrong_lines_are_compared_by_these(folder: Folder, tmp_path: Path) -> None:
    game, edited = tmp_path / "game28.dta", tmp_path / "edited.agf"
    game.write_bytes(compiled())
    lines = folder.path / "dialogs/0.ads"
    lines.write_text("@S\nNobody-at-all: Hi!\nrun-away 3\n")
    edited.write_bytes(folder.pack())
    assert [change.path for change in mods.diff(game, edited).changes] == ["dialogs/0.ads"]


def first_error(folder: Folder, path: str, edit: Edit) -> str:
    """The error of packing with an edited file."""
    before = (folder.path / path).read_bytes()
    folder.edit(path, edit)
    with pytest.raises(WorkspaceError) as caught:
        folder.pack()
    (folder.path / path).write_bytes(before)
    return str(caught.value)


@pytest.mark.parametrize(
    ("path", "edit", "message"),
    [
        ("characters/cCat.json", lambda c: c.update(NormalView=9), "View: there is no view 9"),
        (
            "characters/cCat.json",
            lambda c: c.update(ScriptName="cEgo"),
            "ScriptName: 'cEgo' is the name of another one too",
        ),
        ("game.json", lambda g: g.update(PlayerCharacter=7), "no character has the ID 7"),
    ],
)
def test_references_of_a_project_are_checked(
    folder: Folder, path: str, edit: Edit, message: str
) -> None:
    error = first_error(folder, path, edit)
    assert error.startswith(f"{path}:")
    assert message in error


def test_what_was_wrong_before_is_no_mistake_of_an_edit(tmp_path: Path) -> None:
    broken = agf().replace(b"<NormalView>1</NormalView>", b"<NormalView>77</NormalView>", 1)
    folder = Folder(tmp_path, "Game.agf", broken, new=True)
    path = next((folder.path / "characters").iterdir())
    name = f"characters/{path.name}"
    folder.edit(name, lambda c: c.update(RealName="Another"))
    folder.pack()
    packed = overhaul.pack(folder.path, tmp_path / "new.agf", from_scratch=True, force=True)
    assert any("NormalView: there is no view 77" in warning for warning in packed.warnings)
