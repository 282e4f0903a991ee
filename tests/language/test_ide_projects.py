"""GML of projects of GameMaker's editor: with the names of the whole project, and renaming."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

import pytest

import overhaul
from ide_projects import large_project, modern_project, old_project, studio_project, write
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gml.context import Context
from overhaul.language.answers import Doubt, Renamed, Span
from overhaul.language.edits import after_edits
from overhaul.language.gml import ide_projects
from overhaul.language.workspace import Workspace

SCRIPT = "scripts/scr_a/scr_a.gml"
EVENT = "objects/obj_b/Create_0.gml"
SOURCE = """\
#macro FAR 100
enum Mood { calm, angry }
/// @desc Hurts someone
/// @param {Id.Instance} who Whom
/// @param {Real} [by] How much
/// @returns {Bool}
function scr_hurt(who, by = FAR) {
    who.hp -= by;
    return true;
}
"""
CODE = """\
hp = 3;
mood = Mood.angry;
scr_hurt(obj_a, FAR);
var near = instance_nearest(x, y, obj_a);
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    modern_project(tmp_path)
    write(tmp_path, SCRIPT, SOURCE)
    write(tmp_path, EVENT, CODE)
    return tmp_path


@pytest.fixture
def workspace(folder: Path) -> Workspace:
    return Workspace.of_project(folder / "Game.yyp")


def said(workspace: Workspace, path: str) -> list[tuple[str, int, str]]:
    return [(one.severity, one.line, one.message) for one in workspace.diagnostics(path)]


def at(workspace: Workspace, path: str, word: str) -> tuple[str, int]:
    return path, workspace.texts.read(path).index(word)


def spans(workspace: Workspace, found: Iterable[Span]) -> list[tuple[str, str]]:
    return sorted(
        (each.path, workspace.texts.read(each.path)[each.start : each.end]) for each in found
    )


def test_mistakes(workspace: Workspace) -> None:
    assert said(workspace, EVENT) == said(workspace, SCRIPT) == []
    workspace.texts.put(EVENT, "hp = ;\n")
    assert [(severity, line) for severity, line, _ in said(workspace, EVENT)] == [("error", 1)]
    workspace.texts.put(EVENT, "scr_hurts(1);\nother.run();\nrun();\n")
    workspace.texts.put(SCRIPT, SOURCE + "function act(one) { one.run = function() {}; }\n")
    found = said(workspace, EVENT)
    assert ("warning", 1, "unknown function scr_hurts (did you mean scr_hurt?)") in found
    assert not any("run" in message for _, _, message in found)
    workspace.texts.put(EVENT, "spr_a = 3;\n")
    assert said(workspace, EVENT) == [
        ("error", 1, "spr_a is an asset (sprite): cannot assign to it")
    ]
    workspace.texts.put(EVENT, "scr_hurts(1);\n")
    workspace.texts.put(SCRIPT, SOURCE.replace("scr_hurt(", "scr_hurts("))
    assert not any("scr_hurts" in message for _, _, message in said(workspace, EVENT))


def test_a_macro_of_several_lines_and_names_that_were_free(workspace: Workspace) -> None:
    text = "#macro BOTH hp = 1;\\\r\n    mood = 2;\r\n"
    text += "function string_concat(a, b) { return a + b; }\r\n"
    workspace.texts.put(SCRIPT, text)
    workspace.texts.put(EVENT, "BOTH\nstring_concat(1, 2);\n")
    assert said(workspace, SCRIPT) == said(workspace, EVENT) == []


def test_hover_and_completion(workspace: Workspace) -> None:
    language = workspace.languages[0]
    hover = language.hover(*at(workspace, EVENT, "scr_hurt"))
    assert hover is not None
    assert hover.code == "scr_hurt(who: Id.Instance, by: Real = FAR) -> Bool"
    assert hover.about == (
        "Hurts someone\nwho (Id.Instance): Whom\nby (Real, optional): How much\nreturns Bool\n\n"
        f"in {SCRIPT}"
    )
    hover = language.hover(*at(workspace, SCRIPT, "who.hp"))
    assert hover is not None
    assert (hover.code, hover.about) == ("who: Id.Instance", "parameter variable\nWhom")
    hover = language.hover(*at(workspace, SCRIPT, "by;"))
    assert hover is not None
    assert (hover.code, hover.about) == ("by: Real", "parameter variable, optional\nHow much")
    hover = language.hover(*at(workspace, EVENT, "obj_a"))
    assert hover is not None and (hover.code, hover.about) == ("obj_a", "object")
    workspace.texts.put(EVENT, CODE + "scr_h")
    names = [item.name for item in language.completion(EVENT, len(CODE) + 5).items]
    assert "scr_hurt" in names
    workspace.texts.put(EVENT, CODE + "Mood.")
    names = [item.name for item in language.completion(EVENT, len(CODE) + 5).items]
    assert names == ["calm", "angry"]
    workspace.texts.put(EVENT, CODE + "scr_hurt(1, ")
    signature = language.signature(EVENT, len(CODE) + 12)
    assert signature is not None and signature.active == 1
    assert [signature.text[each.start : each.end] for each in signature.parameters] == [
        "who: Id.Instance", "by: Real = FAR"
    ]  # fmt: skip


def test_a_comment_that_changes_is_read_again(workspace: Workspace) -> None:
    language = workspace.languages[0]
    assert language.hover(*at(workspace, EVENT, "scr_hurt")) is not None
    workspace.texts.put(SCRIPT, SOURCE.replace("{Real} [by] How much", "{String} by"))
    hover = language.hover(*at(workspace, EVENT, "scr_hurt"))
    assert hover is not None
    assert hover.code == "scr_hurt(who: Id.Instance, by: String = FAR) -> Bool"


def test_definitions_and_uses(workspace: Workspace) -> None:
    language = workspace.languages[0]
    found = language.definitions(*at(workspace, EVENT, "scr_hurt"))
    assert spans(workspace, found) == [(SCRIPT, "scr_hurt")]
    assert [span.path for span in language.definitions(*at(workspace, EVENT, "obj_a"))] == [
        "objects/obj_a/obj_a.yy"
    ]
    uses = language.references(*at(workspace, EVENT, "obj_a"))
    assert spans(workspace, uses) == [
        (EVENT, "obj_a"), (EVENT, "obj_a"), ("objects/obj_b/obj_b.yy", "obj_a"),
    ]  # fmt: skip
    assert language.knows_names("objects/obj_b/obj_b.yy")
    hover = language.hover(*at(workspace, "objects/obj_b/obj_b.yy", "obj_a/obj_a.yy"))
    assert hover is None or hover.code == "obj_a"


def carried_out(workspace: Workspace, made: Renamed) -> IdeProjectDocument:
    """The project on the disk after a rename."""
    for path, data in after_edits(workspace.texts, made.edits, made.moves).items():
        place = Path(workspace.root) / path
        if data is None:
            place.unlink()
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    project = overhaul.open_project(Path(workspace.root) / "Game.yyp")
    assert isinstance(project, IdeProjectDocument)
    return project


def changed(workspace: Workspace, made: Renamed) -> list[tuple[str, str]]:
    return spans(workspace, (Span(edit.path, edit.start, edit.end) for edit in made.edits))


def test_renaming_a_resource(workspace: Workspace) -> None:
    workspace.texts.put(EVENT, CODE + "show(obj_a);\n")
    language = workspace.languages[0]
    made = language.rename(*at(workspace, EVENT, "obj_a"), "obj_wall", workspace.prove)
    assert [(move.path, move.to) for move in made.moves] == [
        ("objects/obj_a/obj_a.yy", "objects/obj_wall/obj_wall.yy")
    ]
    project = carried_out(workspace, made)
    assert project.objects.names() == ["obj_wall", "obj_b"]
    assert "show(obj_wall)" in (Path(workspace.root) / EVENT).read_text()
    parent = project.objects["obj_b"].parent
    assert parent is not None and parent.name == "obj_wall"
    assert overhaul.verify(Path(workspace.root) / "Game.yyp").findings == []


def test_renaming_moves_the_files_of_a_sprite(workspace: Workspace) -> None:
    workspace.texts.put(EVENT, "sprite_index = spr_a;\n")
    language = workspace.languages[0]
    made = language.rename(*at(workspace, EVENT, "spr_a"), "spr_new", workspace.prove)
    assert len(made.moves) == 3
    assert all(move.to.startswith("sprites/spr_new/") for move in made.moves)
    project = carried_out(workspace, made)
    image = project.sprites["spr_new"].frames[0].image
    assert image is not None and image.size == (4, 2)
    assert project.objects["obj_a"].sprite == project.sprites["spr_new"]


def test_renaming_a_function(workspace: Workspace) -> None:
    language = workspace.languages[0]
    made = language.rename(*at(workspace, EVENT, "scr_hurt"), "scr_harm", workspace.prove)
    assert sorted(edit.path for edit in made.edits) == [EVENT, SCRIPT]
    assert (made.moves, made.doubts) == ([], [])


def test_renaming_a_local_variable_that_a_macro_names(workspace: Workspace) -> None:
    macros = "#macro TWICE (near * 2)\n#macro AGAIN TWICE\n#macro OTHER near\n"
    workspace.texts.put(SCRIPT, SOURCE + macros)
    language = workspace.languages[0]
    workspace.texts.put(EVENT, CODE + "x = AGAIN;\n")
    made = language.rename(*at(workspace, EVENT, "near ="), "closest", workspace.prove)
    assert changed(workspace, made) == [(EVENT, "near")]
    line = SOURCE.count("\n") + 1
    assert made.doubts == [Doubt(SCRIPT, line, "#macro TWICE (near * 2)")]
    workspace.texts.put(EVENT, CODE)
    made = language.rename(*at(workspace, EVENT, "near ="), "closest", workspace.prove)
    assert made.doubts == []


def test_renaming_a_macro_and_what_a_text_names(workspace: Workspace) -> None:
    workspace.texts.put(EVENT, CODE + 'show("FAR");\nfind("obj_a");\n')
    language = workspace.languages[0]
    made = language.rename(*at(workspace, EVENT, "FAR"), "DISTANT", workspace.prove)
    assert changed(workspace, made) == [(EVENT, "FAR"), (SCRIPT, "FAR"), (SCRIPT, "FAR")]
    assert made.doubts == [Doubt(EVENT, 5, 'show("FAR");')]
    made = language.rename(*at(workspace, EVENT, "obj_a"), "obj_wall", workspace.prove)
    assert [doubt.text for doubt in made.doubts] == [
        f"code holds 'obj_a', as the object obj_wall was called, as a text: {EVENT}"
    ]


@pytest.mark.parametrize(
    ("word", "new", "message"),
    [
        ("obj_a", "obj_b", "obj_b is taken"),
        ("obj_a", "two words", "is not a name"),
        ("near =", "obj_a", "obj_a is taken: it is an asset here"),
        ("instance_nearest", "near", "is a function of GameMaker"),
    ],
)
def test_renames_that_are_refused(workspace: Workspace, word: str, new: str, message: str) -> None:
    language = workspace.languages[0]
    with pytest.raises(WorkspaceError, match=message):
        language.rename(*at(workspace, EVENT, word), new, workspace.prove)


def test_faults_of_the_project_are_reported(folder: Path, workspace: Workspace) -> None:
    (folder / "sounds/snd_a/snd_a.wav").unlink()
    room = workspace.texts.read("rooms/rm_a/rm_a.yy")
    workspace.texts.put("rooms/rm_a/rm_a.yy", room.replace("objects/obj_b", "objects/obj_c"))
    found = workspace.check()
    assert {path: [one.message for one in each] for path, each in found.items()} == {
        "rooms/rm_a/rm_a.yy": [
            "layers[0].instances[0].objectId: it refers to obj_b (objects/obj_c/obj_b.yy), which "
            "the project does not list"
        ],
        "sounds/snd_a/snd_a.yy": [
            "soundFile: sounds/snd_a/snd_a.wav is not there: the sound of snd_a"
        ],
    }
    workspace.texts.put("Game.yyp", "{")
    assert list(workspace.check()) in (["Game.yyp"], [""])


def test_other_releases(tmp_path: Path) -> None:
    studio_project(tmp_path / "studio")
    old = old_project(tmp_path / "old")
    workspace = Workspace.of_project(tmp_path / "studio" / "Game.project.gmx")
    language = workspace.languages[0]
    workspace.texts.put("scripts/scr_a.gml", "return scr_a(obj_a);\n")
    assert said(workspace, "scripts/scr_a.gml") == []
    hover = language.hover("scripts/scr_a.gml", 8)
    assert hover is not None and hover.about == "function, in scripts/scr_a.gml"
    write(old.parent, "objects/obj_a/Create_0.gml", "x = spr_a;\n")
    assert said(Workspace.of_project(old), "objects/obj_a/Create_0.gml") == []


def test_a_key_is_answered_soon(tmp_path: Path) -> None:
    workspace = Workspace.of_project(large_project(tmp_path, 2_000))
    language = workspace.languages[0]
    path = "scripts/script_1/script_1.gml"
    text = workspace.texts.read(path)
    language.completion(path, 10)
    workspace.diagnostics(path)
    times = []
    for number in range(9):
        typed = text.replace("far + 1", f"far + scrip{'t' * (number % 4)}")
        begin = time.process_time()
        workspace.texts.put(path, typed)
        language.completion(path, typed.index("scrip") + 5)
        workspace.diagnostics(path)
        times.append(time.process_time() - begin)
    assert sorted(times)[len(times) // 2] < 0.1  # 0.05 on a machine that does nothing else


def test_a_function_that_changes_leaves_the_definitions(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    define = ide_projects._define

    def counted(context: Context, definition: str) -> None:
        made.append(definition)
        define(context, definition)

    monkeypatch.setattr(ide_projects, "_define", counted)
    assert said(workspace, EVENT) == []
    assert sorted(made) == ["#macro FAR 100", "enum Mood { calm, angry }"]
    made.clear()
    workspace.texts.put(SCRIPT, SOURCE.replace("scr_hurt", "scr_harm"))
    assert said(workspace, EVENT) == [("warning", 3, "unknown function scr_hurt")]
    assert made == []
    workspace.texts.put(SCRIPT, SOURCE.replace("angry", "glad"))
    assert [line for _, line, _ in said(workspace, EVENT)] == [2]
    assert sorted(made) == ["#macro FAR 100", "enum Mood { calm, glad }"]
    made.clear()
    workspace.texts.put(SCRIPT, SOURCE.replace("#macro FAR 100\n", "").replace("FAR", "3"))
    said(workspace, EVENT)
    assert made == ["enum Mood { calm, angry }"]
