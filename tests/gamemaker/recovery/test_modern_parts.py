"""Parts of a recovered project of today that only some games or some releases have, and what stands
where a game says nothing."""

from __future__ import annotations

from typing import Any

import pytest
from PIL import Image

from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.optn import AssetTags
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.values import read_values
from overhaul.gamemaker.recovered import Tally
from overhaul.gamemaker.recovery import Recovered, recover
from overhaul.gamemaker.recovery.drafts import ProjectDraft
from overhaul.gamemaker.recovery.tags import tags_of

NEW_TILE_SET = {
    "tilexoff": 0, "tileyoff": 0, "tilehsep": 0, "tilevsep": 0, "spriteNoExport": True,
    "autoTileSets": [], "tileAnimationFrames": [], "tileAnimationSpeed": 15.0,
    "macroPageTiles": {"SerialiseWidth": 0, "SerialiseHeight": 0, "TileSerialiseData": []},
    "tileAnimation": {"FrameData": list(range(16)), "SerialiseFrameCount": 1},
}  # fmt: skip


def game_of(release: str = "2024.14") -> GameData:
    return blank_game({"version": release})


def picture(size: int = 8) -> Image.Image:
    return Image.new("RGBA", (size, size), (9, 8, 7, 255))


def value(found: Recovered, path: str) -> Any:
    return read_values(found.files[path]().decode("utf-8"))


@pytest.mark.parametrize("border", [(0, 0), (3, 5)])
def test_what_a_game_does_not_say_of_a_tile_set_is_as_in_a_new_one(border: tuple[int, int]) -> None:
    game = game_of()
    game.backgrounds.add("ts", picture(64), border=border)
    made = value(recover(game), "tilesets/ts/ts.yy")
    assert {name: made[name] for name in NEW_TILE_SET} == NEW_TILE_SET
    assert (made["out_tilehborder"], made["out_tilevborder"]) == (border if any(border) else (2, 2))


@pytest.mark.parametrize(
    ("release", "is_said"),
    [("2.3.2", True), ("2022.6", True), ("2022.9", False), ("2024.14", False)],
)
def test_events_and_sequences_name_what_they_are_in_up_to_2022_6(
    release: str, is_said: bool
) -> None:
    game = game_of(release)
    game.objects.add("obj", events={"Create_0": "x = 1;"})
    game.sprites.add("spr", [picture()])
    found = recover(game)
    (event,) = value(found, "objects/obj/obj.yy")["eventList"]
    own = {"name": "obj", "path": "objects/obj/obj.yy"}
    assert event.get("parent") == (own if is_said else None)
    sequence = value(found, "sprites/spr/spr.yy")["sequence"]
    shown = {"name": "spr", "path": "sprites/spr/spr.yy"}
    assert [sequence.get(name) for name in ("parent", "spriteId")] == [
        shown if is_said else None
    ] * 2


@pytest.mark.parametrize("release", ["2.3.2", "2022.9", "2024.14"])
def test_rooms_are_in_the_order_of_the_game(release: str) -> None:
    game = game_of(release)
    names = ["rm_a", "rm_b", "rm_c"]
    for name in names:
        game.rooms.add(name)
    order = game.general.room_order
    order[:] = [order[2], order[0], order[1]]
    found = recover(game)
    rows = value(found, found.name)["RoomOrderNodes"]
    assert [row["roomId"]["name"] for row in rows] == ["rm_c", "rm_a", "rm_b"]


@pytest.mark.parametrize("release", ["1.4.9999", "2024.14"])
@pytest.mark.parametrize(
    ("places", "is_apart"),
    [([(0, 0)], True), ([(5, 0)], False), ([(0, 5)], False), ([(5, 5)], False),
     ([(0, 0), (0, 0)], False)],
)  # fmt: skip
def test_a_sprite_is_for_3d_if_each_frame_begins_a_page_of_its_own(
    release: str, places: list[tuple[int, int]], is_apart: bool
) -> None:
    game = game_of(release)
    sprite = game.sprites.add("spr", [picture() for _ in places])
    for item, place in zip(sprite.record.textures, places, strict=True):
        assert item is not None
        item.source_x, item.source_y = place
    found = recover(game)
    if release == "2024.14":
        assert value(found, "sprites/spr/spr.yy")["For3D"] is is_apart
    else:
        text = found.files["sprites/spr.sprite.gmx"]().decode()
        assert f"<For3D>{-int(is_apart)}</For3D>" in text


def test_only_assets_with_tags_of_the_author_are_listed() -> None:
    game = game_of()
    assert game.tags is not None
    for number, tags in enumerate([["@@constructor"], [], ["enemy", "@@other"]]):
        game.objects.add(f"obj_{number}")
        reference = game.named("OBJT").reference(number)
        game.tags.assets.append(AssetTags(reference, [game.strings.add(tag) for tag in tags]))
    assert tags_of(game) == {("object", "obj_2"): ["enemy"]}


def test_parts_of_a_kind_are_counted_together() -> None:
    draft = ProjectDraft("game")
    draft.count_more("points", 3)
    assert draft.tallies == {"points": Tally(3, 0, 0)}
    draft.count_more("points", 4, 2, 1)
    draft.count_more("points", 1)
    assert draft.tallies == {"points": Tally(8, 2, 1)}
