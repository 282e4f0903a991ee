"""Which chunks and folders two builds have in common, by their stored bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import overhaul
from modded_games import DOOR, Edit, changed, lantern
from overhaul import mods
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.same_chunks import same_chunks
from overhaul.gamemaker.data_folder import unpacking
from overhaul.gamemaker.data_folder.kinds import kinds_of
from overhaul.gamemaker.data_folder.stored_files import COMPARING, StoredFiles
from overhaul.mods import view as views
from overhaul.mods.comparing import compare

EDITIONS = ("current", "gms1")


def opened(data: bytes) -> GameData:
    game = overhaul.open(data)
    assert isinstance(game, GameData)
    return game


def places(one: bytes, two: bytes) -> set[str]:
    first, second = COMPARING.stored(opened(one)), COMPARING.stored(opened(two))
    assert first is not None
    assert second is not None
    found = first.same_places(second)
    assert second.same_places(first) == found
    return {*found}


def folders(one: bytes, two: bytes) -> set[str]:
    return {place for place in places(one, two) if "/" not in place and "." not in place}


def tables(one: bytes, two: bytes) -> set[str]:
    return {place for place in places(one, two) if place.endswith(".json")}


def code(one: bytes, two: bytes) -> set[str]:
    return {place for place in places(one, two) if "/" in place}


def every(data: bytes) -> set[str]:
    return {kind.folder for kind in kinds_of(opened(data).release)} - {"sounds"}


def edited(data: bytes, edit: Callable[[GameData], None]) -> bytes:
    game = opened(data)
    edit(game)
    return game.to_bytes()


def deeper(game: GameData) -> None:
    game.records.objects["obj_door"].depth += 1


def wider(game: GameData) -> None:
    game.records.rooms["rm_cave"].width += 1


def renamed(game: GameData) -> None:
    game.records.sprites["spr_wall"].name = game.strings.add("spr_stone")


def longer(game: GameData) -> None:
    room = game.records.rooms["rm_cave"]
    room.caption = game.strings.add("a caption of its own")


def repainted(game: GameData) -> None:
    game.records.sprites["spr_wall"].textures[0].target_x += 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_has_all_in_common_with_itself(edition: str) -> None:
    data = lantern(edition)
    assert folders(data, data) == every(data)
    one, two = opened(data), opened(data)
    names = one.chunks.keys() - {"CODE", "VARI", "FUNC", "STRG"}
    assert same_chunks(one, two, [*names, "NONE"]) == {*names, "NONE"}


def started(game: GameData) -> None:
    modern = game.release.at_least(2, 3)
    game.add_script("scr_new", "function scr_new() { return 1; }" if modern else "return 1;")


@pytest.mark.parametrize("edition", EDITIONS)
def test_tables_are_compared_too(edition: str) -> None:
    data = lantern(edition)
    same = tables(data, data)
    assert {"scripts.json", "texture_groups.json"} <= same
    assert "general.json" not in same
    assert tables(data, edited(data, deeper)) == same
    left = same - tables(data, edited(data, started))
    assert left == same  # another list has names that any table may show


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edit_of_code_moves_chunks_and_changes_none(edition: str) -> None:
    data = lantern(edition)
    edits: dict[str, Edit] = {DOOR: lambda text: f'zz = "a new text";\n{text}'}
    assert folders(data, changed(data, edits)) == every(data)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("edit", "folder"),
    [(deeper, "objects"), (wider, "rooms"), (longer, "rooms")],
)
def test_an_edit_of_a_record_changes_its_folder(
    edition: str, edit: Callable[[GameData], None], folder: str
) -> None:
    data = lantern(edition)
    assert folders(data, edited(data, edit)) == every(data) - {folder}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("edit", [renamed, repainted])
def test_nothing_is_said_of_other_names_or_pictures(
    edition: str, edit: Callable[[GameData], None]
) -> None:
    data = lantern(edition)
    assert folders(data, edited(data, edit)) == set()


def test_a_text_in_place_of_another_counts_where_it_is_used() -> None:
    data = edited(lantern("current"), longer)
    caption, other = b"a caption of its own\0", b"a caption of its OWN\0"
    assert data.count(caption) == 1
    assert folders(data, data.replace(caption, other)) == every(data) - {"rooms"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_code_is_the_same_but_for_what_was_edited(edition: str) -> None:
    data = lantern(edition)
    every_source = {f"code/{name}" for name in opened(data).code_names()}
    assert code(data, data) == every_source
    other = changed(data, {DOOR: lambda text: f"zz = 1;\n{text}"})
    assert code(data, other) == every_source - {DOOR.removesuffix(".gml")}
    if edition == "gms1":  # where code has the numbers of resources that were renamed
        assert code(data, edited(data, renamed)) == set()


def test_other_releases_and_documents_have_nothing_in_common() -> None:
    one, two = opened(lantern("current")), opened(lantern("gms1"))
    assert same_chunks(one, two, ["NONE"]) == set()
    assert StoredFiles(one).same_places(StoredFiles(two)) == frozenset()
    assert StoredFiles(one).same_places(None) == frozenset()


def test_a_game_of_which_something_was_read_may_have_been_edited() -> None:
    game = opened(lantern("current"))
    assert COMPARING.stored(game) is not None
    game.record("OBJT")
    assert COMPARING.stored(game) is None


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The JSON files whose values were made."""
    paths: list[str] = []
    compare = unpacking.JsonFile.seems_same

    def noting(self: unpacking.JsonFile, other: unpacking.JsonFile) -> bool:
        paths.append(self.path)
        return compare(self, other)

    monkeypatch.setattr(unpacking.JsonFile, "seems_same", noting)
    return paths


def test_what_the_chunks_show_is_not_compared_again(shown: list[str], tmp_path: Path) -> None:
    data = lantern("current")
    edits: dict[str, Edit] = {DOOR: lambda text: f"zz = 1;\n{text}"}
    for name, content in (("one.win", data), ("two.win", changed(data, edits))):
        (tmp_path / name).write_bytes(content)
    files = [str(tmp_path / name) for name in ("one.win", "two.win")]
    made = mods.diff(*files)
    assert [change.path for change in made.changes] == [DOOR]
    assert [path for path in shown if "/" in path and not path.startswith("sounds/")] == []
    assert "general.json" in shown
    assert not {"scripts.json", "global_init.json"} & {*shown}
    mod = mods.make(*files, name="one line")
    assert [*mod.patches] == [DOOR]
    assert [path for path in shown if "/" in path and not path.startswith("sounds/")] == []


@pytest.mark.parametrize("edit", [deeper, wider, renamed, longer, repainted])
def test_differences_are_the_same_as_of_games_that_were_read(
    edit: Callable[[GameData], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = lantern("current")
    other = edited(data, edit)
    found = mods.diff(data, other).changes
    made = mods.make(data, other, name="an edit")
    monkeypatch.setattr(views.FileView, "same_places", lambda self, other: frozenset())
    assert found == mods.diff(data, other).changes
    assert found != []
    plain = mods.make(data, other, name="an edit")
    assert (made.patches, made.added, made.removed) == (plain.patches, plain.added, plain.removed)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_that_was_compared_has_all_its_files(edition: str) -> None:
    """Code that is the same is not listed for a difference alone."""
    data = lantern(edition)
    new = changed(data, {DOOR: lambda text: text + "\nx += 1;\n"})
    with views.opened(data) as one, views.opened(new) as two, views.opened(data) as other:
        wanted = [path for path in other.files if path.startswith("code/")]
        assert [change.path for change in compare(one, two).changes] == [DOOR]
        for view in (one, two):
            assert all(path in view for path in wanted)
            assert [path for path in view.files if path.startswith("code/")] == wanted
        assert [one.read(path) for path in wanted] == [other.read(path) for path in wanted]
