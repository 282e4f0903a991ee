"""Files opened as what they are, and refused where they are of another kind."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import overhaul
from ags_games import package
from handmade_project import project_file
from modded_games import lantern
from overhaul.document.protocol import Document
from overhaul.errors import ClosedError, FormatError

#: by function: a file, the class of its document, and what messages call it
KINDS = {
    "open_game": ("data.win", "GameData", "a GameMaker game's data.win"),
    "open_project": ("game.gm81", "ProjectDocument", "a Game Maker project"),
    "open_package": ("game.ags", "PackageDocument", "an Adventure Game Studio package"),
    "open_ags_game": ("game.ags!game28.dta", "GameDocument", "an Adventure Game Studio game"),
    "open_room": ("game.ags!room1.crm", "RoomDocument", "an Adventure Game Studio room"),
}


@cache
def made(name: str) -> bytes:
    makers: dict[str, Callable[[], bytes]] = {
        "data.win": lambda: lantern("gms1"),
        "game.gm81": lambda: project_file(810),
        "game.ags": package,
    }
    return makers[name]()


def file_of(name: str, folder: Path) -> str:
    """The path of a file, which may be in a package."""
    head, mark, rest = name.partition("!")
    (folder / head).write_bytes(made(head))
    return f"{folder / head}{mark}{rest}"


def opener(name: str) -> Callable[..., Document]:
    found: Callable[..., Document] = getattr(overhaul, name)
    return found


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_opened_as_what_it_is(name: str, tmp_path: Path) -> None:
    file, kind, _ = KINDS[name]
    with opener(name)(file_of(file, tmp_path)) as document:
        assert type(document).__name__ == kind
        data = document.to_bytes()
    with opener(name)(data, strict=True) as again:
        assert again.to_bytes() == data


@pytest.mark.parametrize("name", KINDS)
def test_a_file_of_another_kind_is_refused(name: str, tmp_path: Path) -> None:
    also = {"open_package"} if name == "open_ags_game" else set()
    for other in KINDS.keys() - {name} - also:
        path = file_of(KINDS[other][0], tmp_path)
        with pytest.raises(FormatError, match=f"expected {KINDS[name][2]}.*, got ") as caught:
            opener(name)(path)
        assert caught.value.source == path


def test_a_version_may_be_assumed(tmp_path: Path) -> None:
    path = file_of("data.win", tmp_path)
    with overhaul.open_game(path, assume_version="1.4.1767") as game:
        assert game.version.startswith("1")


def test_a_closed_game_says_so(tmp_path: Path) -> None:
    path = tmp_path / "lantern.win"
    path.write_bytes(lantern())
    with overhaul.open_game(path) as game:
        assert game.sprites["spr_keeper"].width == 16
    for read in (
        lambda: game.rooms["rm_cave"].image(),
        game.to_bytes,
        lambda: game.save(tmp_path / "new.win"),
        lambda: game.code[0].gml,
        game.info,
    ):
        with pytest.raises(ClosedError, match=r"lantern\.win was closed: read it before close"):
            read()
    assert repr(game) == f"<GameData gamemaker-data 2024.13 {path}>"
    with pytest.raises(AttributeError, match="'GameData' object has no attribute 'datas'"):
        _ = game.datas  # type: ignore[attr-defined]
    made = overhaul.open_game(lantern())  # bytes in memory have nothing to release
    made.close()
    assert len(made.to_bytes()) == path.stat().st_size


def test_an_existing_file_names_the_way_to_replace_it(tmp_path: Path) -> None:
    path = tmp_path / "lantern.win"
    path.write_bytes(lantern())
    with overhaul.open_game(path) as game, pytest.raises(FileExistsError) as caught:
        game.save(path)
    assert str(caught.value) == f"{path} already exists (force=True replaces it)"
