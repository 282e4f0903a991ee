"""Included files: those next to a game that its strings name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import overhaul
from overhaul.cli import main
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.ide.document import IdeProjectDocument
from sound_files import wave

NEXT_TO_IT = {
    "Config.INI": b"[a]", "levels/one/a.lvl": b"1", "levels/b.lvl": b"2", "read me.txt": b"3",
    "options.ini": b"4", "audiogroup1.dat": b"5", "game.exe": b"6", "other.bin": b"7",
    "theme.ogg": b"8", "noext": b"9",
}  # fmt: skip


@pytest.mark.parametrize("release", ["1.4.1757", "2023.8"])
def test_files_that_strings_name_are_included(
    release: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = blank_game({"version": release})
    for text in ("config.ini", ".\\levels\\one\\a.lvl", "levels/b.lvl", "read me.txt",
                 "options.ini", "audiogroup1.dat", "game.exe", "missing.txt", "theme.ogg", "noext",
                 "../secret.txt", "/etc/passwd.txt"):  # fmt: skip
        game.strings.add(text)
    sound = game.sounds.add("snd_theme", wave(8))
    sound.record.file = game.strings.add("theme.ogg")
    folder = tmp_path / "game"
    for name, data in NEXT_TO_IT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (tmp_path / "secret.txt").write_bytes(b"secret")
    game.save(folder / "data.win")
    out = tmp_path / "out"
    kind = "gmx" if release.startswith("1.") else "yyp"
    command = ["convert", str(folder / "data.win"), "--to", kind, "-o", str(out), "--json"]
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["recovered"]["included_files"] == {
        "count": 4, "lossy": 4, "lost": 0,
    }  # fmt: skip
    files = out / "datafiles"
    assert {path.relative_to(files).as_posix(): path.read_bytes()
            for path in files.rglob("*") if path.is_file()} == {
        name: NEXT_TO_IT[name]
        for name in ("Config.INI", "levels/one/a.lvl", "levels/b.lvl", "read me.txt")
    }  # fmt: skip
    assert main(["check", "--json", str(out)]) == 0
    found = json.loads(capsys.readouterr().out)["files"][0]["findings"]
    assert [one["path"] for one in found if one["code"] != "absent-file"] == []
    with overhaul.open_project(out) as project:
        assert isinstance(project, IdeProjectDocument)
        assert sorted(entry.path for entry in project.project.included) == [
            "datafiles/Config.INI", "datafiles/levels/b.lvl", "datafiles/levels/one/a.lvl",
            "datafiles/read me.txt",
        ]  # fmt: skip
