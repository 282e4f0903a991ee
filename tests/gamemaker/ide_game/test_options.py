"""Options of a project next to those of its game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import overhaul
from furnished import furnished_lantern
from overhaul.cli import main
from overhaul.document.files import write_into
from overhaul.gamemaker.recovery import recover

WINDOWS = "options/windows/options_windows.yy"
MAIN = "options/main/options_main.yy"
CONFIG = "Configs/Default.config.gmx"


def written(folder: Path, edition: str, edits: dict[str, tuple[str, str] | None]) -> list[str]:
    """The paths of a game and of the project that is recovered of it, with edits of its files:
    the first of a text is another one, or None where the file is gone."""
    game_file = furnished_lantern(folder / "game.win", edition)
    with overhaul.open_game(game_file) as game:
        game.load_all()
        found = recover(game)
        files = {path: read().__bytes__ for path, read in found.files.items()}
    for path, edit in edits.items():
        text = files.pop(path)().decode()
        if edit is not None:
            assert edit[0] in text, (path, edit)
            files[path] = text.replace(*edit, 1).encode().__bytes__
    write_into(str(folder / "project"), files)
    return [str(folder / "project"), str(game_file)]


@pytest.mark.parametrize(
    ("edition", "edits", "expected"),
    [
        ("current", {}, []),
        ("gms1", {}, []),
        ("current", {WINDOWS: ('"option_windows_vsync":false', '"option_windows_vsync":true')},
         ["options/windows.json"]),
        ("current", {MAIN: ('"option_game_speed":60', '"option_game_speed":30')},
         ["options/main.json"]),
        ("current", {WINDOWS: ('"option_windows_company_info":""',
                               '"option_windows_company_info":"Ada"')}, []),
        ("current", {WINDOWS: None}, []),
        ("current", {WINDOWS: ("{", "[")}, []),
        ("gms1", {CONFIG: ("<option_sizeable>false<", "<option_sizeable>-1<")},
         ["options/options.json"]),
        ("gms1", {CONFIG: ("<option_sizeable>false<", "<option_sizeable>0<")}, []),
        ("gms1", {CONFIG: ("<option_scale>", "<option_scale>1")}, ["options/options.json"]),
        ("gms1", {CONFIG: ("<option_author>", "<option_author>Ada")}, []),
        ("gms1", {CONFIG: ("<Options>", "<Others>")}, []),
    ],
)  # fmt: skip
def test_options_that_both_say_are_compared(
    edition: str,
    edits: dict[str, tuple[str, str] | None],
    expected: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = main(["diff", *written(tmp_path, edition, edits), "--json"])
    shown = json.loads(capsys.readouterr().out)
    assert code == bool(expected)
    assert [change["path"] for change in shown["changes"]] == expected
