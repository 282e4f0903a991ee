"""Where resources are: the same for what lists their names and for what reads them."""

from __future__ import annotations

import pytest

import overhaul
from edited_games import packed
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder import listing
from overhaul.gamemaker.data_folder.kind_folders import FOLDERS, in_release
from overhaul.gamemaker.data_folder.kinds import KINDS, kinds_of


def opened(version: str) -> GameData:
    game = overhaul.open(packed(version))
    assert isinstance(game, GameData)
    return game


def rows_of(game: GameData) -> list[tuple[str, str, str, int | None]]:
    listed = listing.resources(game)
    return [(each.kind, str(each.name), each.path, each.size) for each in listed]


def test_each_kind_that_is_listed_is_one_that_is_read() -> None:
    assert tuple(kind.at for kind in KINDS) == FOLDERS


@pytest.mark.parametrize("version", ["1.4.9999", "2023.8"])
def test_the_names_that_are_stored_are_those_of_the_records(
    version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = rows_of(opened(version))
    monkeypatch.setattr("overhaul.gamemaker.data.listed_names._LARGE", 0)
    game = opened(version)
    assert rows_of(game) == read
    assert not game.chunks["OBJT"].decoded
    assert tuple(kind.at for kind in kinds_of(game.release)) == tuple(
        in_release(kind, game.release) for kind in FOLDERS
    )
