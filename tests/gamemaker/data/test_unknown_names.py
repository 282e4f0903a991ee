"""Many names that nothing has: the names that may be meant are listed once."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

import overhaul
from overhaul.gamemaker.data.code.context import KnownNames
from small_games import game_of


@pytest.mark.parametrize("version", ["1.4.1763", "2022.3"])
def test_the_names_of_a_game_are_listed_once_for_all_that_are_unknown(
    version: str, tmp_path: Path
) -> None:
    game = game_of(version)
    for number in range(8):
        source = f"alpha_{number} = 1;"
        if version != "1.4.1763":
            source = f"function scr_{number}() {{ {source} }}"
        game.add_script(f"scr_{number}", source)
    (tmp_path / "game.win").write_bytes(game.to_bytes())
    folder = tmp_path / "folder"
    overhaul.unpack(tmp_path / "game.win", folder)
    for path in (folder / "code").glob("*.gml"):
        text = path.read_text("utf-8").replace("= 1", "= alhpa_3 + zork + mime")
        path.write_text(text, "utf-8")
    listed: list[int] = []
    names = KnownNames.__iter__

    def listing(known: KnownNames) -> object:
        listed.append(1)
        return names(known)

    with patch.object(KnownNames, "__iter__", listing):
        packed = overhaul.pack(folder, tmp_path / "new.win")
    said = [warning.partition(": unknown ")[2] for warning in packed.warnings]
    assert said.count("variable alhpa_3 (did you mean alpha_3?)") == 8
    assert said.count("variable zork") == said.count("variable mime") == 8
    assert len(listed) < 6
