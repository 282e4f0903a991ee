"""The code of Game Maker 5 to 8.1 projects, which is text."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from handmade_project import project_file
from overhaul.errors import WorkspaceError
from overhaul.language.answers import Move
from overhaul.language.edits import after_edits
from overhaul.language.gml.language import GmlLanguage
from overhaul.language.texts import FolderTexts
from overhaul.language.workspace import Workspace
from real_files import corpus_files, sample

ENTER = "objects/obj_player/key_press_enter.gml"
CODE = (
    b"with (obj_wall) scr_add(lives, SPEED);\n"
    b"var near; near = obj_wall.x;\nammo = near;\nmy.obj_wall = 1;\n"
)


@pytest.fixture(params=[600, 800, 810])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    data = project_file(request.param, {ENTER: CODE})
    (tmp_path / "small.gmk").write_bytes(data)
    overhaul.unpack(tmp_path / "small.gmk", tmp_path / "game")
    return tmp_path / "game"


def saved(folder: Path, workspace: Workspace, gml: GmlLanguage, word: str, new: str) -> list[Move]:
    """Rename, write the files, and pack."""
    offset = workspace.texts.read(ENTER).index(word)
    made = gml.rename(ENTER, offset, new, workspace.prove)
    for path, data in after_edits(workspace.texts, made.edits, made.moves).items():
        place = folder / path
        if data is None:
            place.unlink()
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    overhaul.pack(folder, folder.with_name("renamed.gmk"), force=True)
    overhaul.unpack(folder.with_name("renamed.gmk"), folder.with_name("again"), force=True)
    return made.moves


def test_resources_scripts_and_variables_are_renamed(folder: Path) -> None:
    again = folder.with_name("again")
    for word, new in (
        ("obj_wall", "obj_stone"), ("scr_add", "scr_sum"), ("ammo", "bullets"), ("near", "close"),
    ):  # fmt: skip
        workspace = Workspace.of_folder(folder)
        (gml,) = workspace.languages
        assert isinstance(gml, GmlLanguage)
        moves = saved(folder, workspace, gml, word, new)
        assert bool(moves) == (word in ("obj_wall", "scr_add"))
        workspace.close()
    text = (again / ENTER).read_text()
    assert text.splitlines() == [
        "with (obj_stone) scr_sum(lives, SPEED);",
        "var close; close = obj_stone.x;",
        "bullets = close;",
        "my.obj_wall = 1;",
    ]
    assert (again / "scripts/scr_sum.gml").exists()
    assert (again / "objects/obj_player/collision_obj_stone/1.gml").exists()
    assert '"obj_stone"' in (again / "rooms/rm_first/instances.json").read_text()
    assert not list(again.rglob("*obj_wall*"))


def test_what_a_project_has_is_completed(folder: Path) -> None:
    workspace = Workspace.of_folder(folder)
    (gml,) = workspace.languages
    assert isinstance(workspace.texts, FolderTexts)
    for typed, name in (
        ("\nspr_pl", "spr_player"), ("\nscr_", "scr_add"), ("\nSPE", "SPEED"),
        ("\nsound_pla", "sound_play"), ("\namm", "ammo"),
    ):  # fmt: skip
        text = CODE.decode() + typed
        workspace.texts.put(ENTER, text)
        assert gml.completion(ENTER, len(text)).items[0].name == name
    workspace.texts.put(ENTER, CODE.decode())
    with pytest.raises(WorkspaceError, match="of the project"):
        gml.rename(ENTER, text.index("SPEED"), "FASTER", workspace.prove)


def doubts(folder: Path, code: str) -> list[str]:
    """What an editor says of code in an event."""
    workspace = Workspace.of_folder(folder)
    assert isinstance(workspace.texts, FolderTexts)
    workspace.texts.put(ENTER, code)
    found = workspace.diagnostics(ENTER)
    assert {each.severity for each in found} <= {"warning"}
    for each in found:
        line = code.splitlines()[each.line - 1]
        assert code[each.start : each.end] in line
    workspace.close()
    return [f"{each.line}:{each.column}: {each.message}" for each in found]


def test_code_as_the_generation_has_it_is_quiet(folder: Path) -> None:
    workspace = Workspace.of_folder(folder)
    for path in workspace.texts.paths():
        said = [each.message for each in workspace.diagnostics(path)]
        assert said == (["my: nothing in the project sets it"] if path == ENTER else []), path
    workspace.close()
    assert not doubts(
        folder,
        "if x = 3 then begin y := lives end else with (obj_wall) instance_destroy()\r\n"
        "my[2] = --x; name = 'a\"b' + \"c'd\"; global.best = my[1] mod 2 div 3 <> $FF\r\n"
        "repeat 3 sleep(name); scr_add(1, SPEED); mplay_end(); execute_string('late = 1');\r\n"
        "for (i = 0; i < late; i += 1;) { var a; a = argument0 && !a xor b.y; }\r\n"
        "screen_redraw(); transition_kind = room_speed; move_contact(x) exit\r\n",
    )


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = = 3;", "1:5: expected a value, got '='"),
        ("x = 1\ny = 'a", "2:5: this string is not closed"),
        ("x = 1\n  /* y = 2\nx = 3", "2:3: this comment is not closed"),
        ("x = 1\r\nscr_ad(1);", "2:1: scr_ad(): there is no such function (did you mean"),
        ("ammo = 1\r\ny = amo", "2:5: amo: nothing in the project sets it (did you mean 'ammo'?)"),
        ("y = global.beast", "1:12: beast: nothing in the project sets it"),
        ("layer_create(1);", "1:1: layer_create(): there is no such function"),
        ("x++;", "1:1: Game Maker of this version has no ++: write += 1"),
        ("x = y ? 1 : 2;", "1:5: Game Maker of this version has no ? :"),
        ("x = 0xFF;", "1:5: Game Maker of this version writes $FF"),
        ("enum A { B }", "1:1: Game Maker of this version has no enum"),
        ("x;", "1:1: this is a value: an assignment or a call is expected"),
    ],
)  # fmt: skip
def test_what_is_doubtful_is_a_warning(tmp_path: Path, code: str, said: str) -> None:
    (tmp_path / "small.gmk").write_bytes(project_file(800, {ENTER: CODE}))
    overhaul.unpack(tmp_path / "small.gmk", tmp_path / "game")
    (found,) = doubts(tmp_path / "game", code)
    assert found.startswith(said)
    (tmp_path / "game" / ENTER).write_text(code)
    assert overhaul.pack(tmp_path / "game", tmp_path / "made.gmk").warnings == []


#: projects of the corpus whose code names what they lack: resources, a library of ENIGMA
_LACKING = ("ArtskydJ", "TomboFry", "enigma-dev", "gjava", "jegerland", "Might-of-Janitor")


@pytest.mark.corpus
def test_projects_of_the_corpus_are_quiet(tmp_path: Path) -> None:
    files = [
        path
        for path in (*corpus_files("projects/*.gm6"), *corpus_files("projects/*.gm[k8]*"))
        if not any(name in path.name for name in _LACKING)
    ]
    for number, path in enumerate(sample(files, 8)):
        overhaul.unpack(path, tmp_path / str(number))
        workspace = Workspace.of_folder(tmp_path / str(number))
        for name in workspace.texts.paths():
            assert workspace.diagnostics(name) == [], (path, name)
        workspace.close()
