"""Dialogs of a game as files in the language of dialogs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import overhaul
from ags_folders import Folder
from ags_games import game
from ags_spoken import BOB, GUARD, spoken
from overhaul import mods
from overhaul.ags.game.extensions import DialogsBlock, NewDialog, NewDialogOption
from overhaul.ags.game.game import Game
from overhaul.errors import SourceError, WorkspaceError


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """What the tests get copies of."""
    return Folder(tmp_path_factory.mktemp("dialogs"), "game28.dta", spoken(), new=True)


@pytest.fixture
def folder(unpacked: Folder, tmp_path: Path) -> Folder:
    return unpacked.copy(tmp_path)


def test_dialogs_have_their_lines_next_to_them(folder: Folder) -> None:
    assert {name for name in folder.names() if name.startswith("dialogs/")} == {
        "dialogs/dBob.json",
        "dialogs/dBob.ads",
        "dialogs/dGuard.json",
        "dialogs/dGuard.ads",
    }
    assert (folder.path / "dialogs/dBob.ads").read_text().rstrip("\n") == BOB.rstrip("\n")
    assert (folder.path / "dialogs/dGuard.ads").read_text().rstrip("\n") == GUARD.rstrip("\n")
    left = (folder.path / "scripts/DialogScripts.asc").read_text()
    assert "_run_dialog_request" in left
    assert "NEWSCRIPTSTART" not in left
    folder.check()


def test_an_edited_line_changes_that_dialog_only(folder: Folder) -> None:
    lines = folder.path / "dialogs/dBob.ads"
    lines.write_text(lines.read_text().replace("It's me!", "It's Ego!\noption-off 2"))
    (folder.root / "edited.dta").write_bytes(folder.pack())
    (change,) = mods.diff(folder.file, folder.root / "edited.dta").changes
    assert change.path == "dialogs/dBob.ads"


def test_a_last_line_that_does_not_end_takes_nothing_of_the_dialogs(folder: Folder) -> None:
    script = folder.path / "scripts/DialogScripts.asc"
    script.write_text(script.read_text() + "int more;\n// the end", "utf-8")
    (folder.root / "again").mkdir()
    again = Folder(folder.root / "again", "more.dta", folder.pack(), new=True)
    assert "NEWSCRIPTSTART" not in (again.path / "scripts/DialogScripts.asc").read_text()
    assert (again.path / "dialogs/dBob.ads").read_text().rstrip("\n") == BOB.rstrip("\n")


@pytest.mark.parametrize(
    ("line", "message", "number"),
    [
        ("Bobb: Hi", "no character is called 'bobb'", 5),
        ("option-off 3", "the dialog has 2 options: no 3", 5),
        ("jump 2", "unknown command jump", 5),
        ('  cEgo.Sai("x");', "Sai", 5),
    ],
)
def test_errors_say_where_they_are(folder: Folder, line: str, message: str, number: int) -> None:
    lines = folder.path / "dialogs/dBob.ads"
    lines.write_text(lines.read_text().replace("Ego: It's me!", line))
    with pytest.raises(SourceError) as caught:
        folder.pack()
    assert message in str(caught.value)
    assert (caught.value.name, caught.value.line) == ("dialogs/dBob.ads", number)


def test_lines_without_their_dialog_are_refused_though_they_did_not_change(folder: Folder) -> None:
    (folder.path / "dialogs/dGuard.json").unlink()
    with pytest.raises(WorkspaceError, match=r"dGuard.ads: there is no dialogs/dGuard.json"):
        folder.pack()


def test_lines_of_an_option_that_was_removed_are_refused_though_they_did_not_change(
    folder: Folder,
) -> None:
    settings = folder.path / "dialogs/dBob.json"
    fields = json.loads(settings.read_text())
    assert len(fields["Options"]) == 2
    del fields["Options"][1]
    settings.write_text(json.dumps(fields))
    line = BOB.splitlines().index("@2") + 1
    with pytest.raises(SourceError) as caught:
        folder.pack()
    assert caught.value.message == "the dialog has 1 options: no 2"
    assert (caught.value.name, caught.value.line) == ("dialogs/dBob.ads", line)


def test_files_of_dialogs_belong_to_dialogs(folder: Folder) -> None:
    lines = folder.path / "dialogs/dBob.ads"
    text = lines.read_text()
    lines.rename(folder.path / "dialogs/dRob.ads")
    with pytest.raises(WorkspaceError, match=r"dialogs/dRob.ads: there is no dialogs/dRob.json"):
        folder.pack()
    (folder.path / "dialogs/dRob.ads").unlink()
    with pytest.raises(
        WorkspaceError, match=r"dialogs/dBob.ads is missing: dialog 0 would have no"
    ):
        folder.pack()
    lines.write_text(text)
    script = folder.path / "scripts/DialogScripts.asc"
    script.write_text(script.read_text() + '"__NEWSCRIPTSTART_Dialog 0"\nint more;\n')
    with pytest.raises(WorkspaceError, match=r"DialogScripts.asc has the lines of dialog 0, too"):
        folder.pack()


def test_a_renamed_dialog_takes_its_lines_along(folder: Folder) -> None:
    for ending in (".json", ".ads"):
        (folder.path / f"dialogs/dBob{ending}").rename(folder.path / f"dialogs/dRob{ending}")
    folder.edit("dialogs/dRob.json", lambda shown: shown.update(Name="dRob"))
    (folder.root / "edited.dta").write_bytes(folder.pack())
    (change,) = mods.diff(folder.file, folder.root / "edited.dta").changes
    assert change.path == "dialogs/dRob"


def test_a_dialog_of_another_name_keeps_its_file(folder: Folder) -> None:
    folder.edit("dialogs/dGuard.json", lambda shown: shown.update(Name="dSentry"))
    edited = folder.root / "edited.dta"
    packed = overhaul.pack(folder.path, edited)
    assert packed.warnings == []
    changes = {change.path for change in mods.diff(folder.file, edited).changes}
    assert "dialogs/dSentry" in changes
    assert not any(path.endswith(".asc") for path in changes)


def test_a_new_dialog_gets_a_part_of_the_script(folder: Folder) -> None:
    shown = folder.json("dialogs/dGuard.json")
    new = json.dumps({**shown, "ID": 2, "Name": "dNew"})
    (folder.path / "dialogs/dNew.json").write_text(new)
    (folder.path / "dialogs/dNew.ads").write_text("@S\nEgo: New!\nstop\n")
    (folder.root / "edited.dta").write_bytes(folder.pack())
    changes = mods.diff(folder.file, folder.root / "edited.dta").changes
    assert [(change.path, change.kind) for change in changes] == [("dialogs/dNew", "added")]


def test_a_mod_takes_lines_to_another_build(folder: Folder) -> None:
    lines = folder.path / "dialogs/dBob.ads"
    lines.write_text(lines.read_text().replace("It's me!", "It's Ego!"))
    edited = folder.root / "edited.dta"
    edited.write_bytes(folder.pack())
    mod = mods.make(folder.file, edited, name="Lines")
    assert mods.apply(folder.file, [mod]).data == edited.read_bytes()


def test_what_the_language_of_dialogs_lacks_stays_script(tmp_path: Path) -> None:
    data = spoken().replace(b"_run_dialog1$", b"_run_dialogX$")
    folder = Folder(tmp_path, "game28.dta", data, new=True)
    assert "dialogs/dBob.ads" in folder.names()
    assert "dialogs/dGuard.ads" not in folder.names()
    left = (folder.path / "scripts/DialogScripts.asc").read_text()
    assert '"__NEWSCRIPTSTART_Dialog 1"' in left
    assert "// not in the language of dialogs: its function is not one" in left
    folder.check()


def test_dialogs_that_a_block_has_are_edited_in_words(tmp_path: Path) -> None:
    made = game(3060303)
    assert made.content is not None
    made.content.dialogs, made.content.dialog_script_names = [], []
    option = NewDialogOption("Hello", 1)
    made.blocks.add("v363_dialogsnew", DialogsBlock([NewDialog("dStart", 0, options=[option])]))
    made.recompute_counts()
    folder = Folder(tmp_path, "game28.dta", made.to_bytes(), new=True)
    folder.check()
    more = {"Text": "Bye", "Show": False, "Say": False}
    folder.edit("dialogs/dStart.json", lambda shown: shown["Options"].append(more))
    for from_scratch in (False, True):
        block = Game.read(folder.pack(from_scratch=from_scratch)).blocks.content("v363_dialogsnew")
        assert isinstance(block, DialogsBlock)
        (dialog,) = block.dialogs
        assert [(each.text, each.flags) for each in dialog.options] == [("Hello", 1), ("Bye", 4)]
    folder.refuses(
        "dialogs/dStart.json", lambda shown: shown["Options"][0].update(Say=3), "true or false"
    )
