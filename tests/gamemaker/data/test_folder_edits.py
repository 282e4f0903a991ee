"""Single edits of a small game's folder, in memory: what follows from each, and what does not."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from edited_games import changed, edited, frame, made, packed, shown, unpacked
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.chunks.extn import NO_PRODUCT_ID
from overhaul.gamemaker.data.chunks.func import Script
from overhaul.gamemaker.data.chunks.objt import Event
from overhaul.gamemaker.data.chunks.seqn import IntegerFrames, PathPoint
from overhaul.gamemaker.data.chunks.seqn import Path as PathRecord
from overhaul.gamemaker.data.chunks.sond import Audio
from overhaul.gamemaker.data.chunks.sprt import mask_size
from overhaul.gamemaker.data.chunks.txtr import TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data.strings import String
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder.applying import STEPS
from overhaul.gamemaker.data_folder.names import ReferenceNames
from overhaul.gamemaker.data_folder.objects import OBJECTS
from overhaul.media import masks, png, textures
from overhaul.schema import RawFloat
from present import instance, present
from small_folders import picture, wave
from sound_files import ogg


def test_steps_come_after_what_they_need() -> None:
    names = [step.name for step in STEPS]
    assert len(set(names)) == len(names)
    for index, step in enumerate(STEPS):
        assert set(step.after) <= set(names[:index]), step.name


# -------------------------------------------------------------------------------------- pictures


def share_item(game: GameData) -> None:
    """Let the wall show the player's first picture, by the same item."""
    game.records.sprites["spr_wall"].textures[0] = game.records.sprites["spr_player"].textures[0]


def share_pixels(game: GameData) -> None:
    """Let the wall show the player's first picture, by an item of its own."""
    item = game.records.sprites["spr_player"].textures[0]
    fields = {name: getattr(item, name) for name in TexturePageItem.__struct_fields__}
    game.texture_items.append(TexturePageItem(**fields))
    game.records.sprites["spr_wall"].textures[0] = game.texture_items[-1]


@pytest.mark.parametrize("share", [share_item, share_pixels])
@pytest.mark.parametrize("version", ["1.0.0.1763", "2024.14"])
def test_pixels_that_two_sprites_share_stay(version: str, share: Any) -> None:
    data = changed(version, share)
    new = picture(seed=8)
    game, _ = edited(data, {"sprites/spr_player/0.png": png.encode(new)})
    assert np.array_equal(frame(game, "spr_player", 0), new)
    assert np.array_equal(frame(game, "spr_wall", 0), picture(seed=0))
    assert len(game.textures) == 2


def test_a_picture_of_the_same_size_stays_on_its_page() -> None:
    new = picture(seed=8)
    game, _ = edited(packed("2.3.2"), {"sprites/spr_player/1.png": png.encode(new)})
    assert len(game.textures) == 1 and len(game.texture_items) == 3
    assert np.array_equal(frame(game, "spr_player", 1), new)
    assert np.array_equal(frame(game, "spr_player", 0), picture(seed=0))
    assert np.array_equal(frame(game, "spr_wall", 0), picture(32, 8, 5))


def test_an_equal_picture_changes_nothing() -> None:
    """Not even the compression of its page."""

    def compress(game: GameData) -> None:
        out = BytesIO()
        blob = game.textures[0].blob
        assert blob is not None
        png.to_image(png.decode(blob)).save(out, "PNG", compress_level=1)
        game.textures[0].blob = out.getvalue()

    data = changed("2.3.2", compress)
    page = GameData.from_bytes(data).textures[0].blob
    out = BytesIO()
    png.to_image(picture(seed=0)).save(out, "PNG", compress_level=0)
    game, _ = edited(data, {"sprites/spr_player/0.png": out.getvalue()})
    assert game.textures[0].blob == page and game.to_bytes() == data


@pytest.mark.parametrize("version", ["2022.3", "2023.1"])
@pytest.mark.parametrize("size", [8, 12])
def test_a_page_keeps_the_header_it_has(size: int, version: str) -> None:
    """8 bytes until 2022.4 and 12 later, but what a file has counts."""

    def rewrite(game: GameData) -> None:
        page = game.textures[0]
        assert page.blob is not None
        stream = textures.decompress(page.blob)
        page.blob = textures.compress(stream, header_size=size)

    data = changed(version, rewrite)
    game, _ = edited(data, {"sprites/spr_player/0.png": png.encode(picture(seed=8))})
    assert textures.inspect(game.textures[0].blob).header_size == size
    game, _ = edited(data, {"sprites/spr_wall/0.png": png.encode(picture(20, 20))})
    assert [textures.inspect(p.blob).header_size for p in game.textures] == [size, size]


@pytest.mark.parametrize("version", ["2.3.2", "2023.8"])
def test_a_picture_of_another_size_gets_a_new_page_of_its_group(version: str) -> None:
    new = picture(40, 24)
    game, warnings = edited(packed(version), {"sprites/spr_wall/0.png": png.encode(new)})
    assert warnings == [] and len(game.textures) == 2
    wall = game.records.sprites["spr_wall"]
    assert np.array_equal(frame(game, "spr_wall", 0), new)
    assert (wall.width, wall.height) == (40, 24)
    box = (wall.margin_left, wall.margin_right, wall.margin_top, wall.margin_bottom)
    assert box == (3, 36, 2, 21)
    (group,) = game.records.texture_groups
    assert [page.index for page in group.pages] == [0, 1]
    assert {sprite.index for sprite in group.sprites} == {0, 1}


def test_frames_are_removed_and_added() -> None:
    data = packed("2.3.2")
    game, _ = edited(data, {"sprites/spr_player/0.png": None})
    assert len(game.records.sprites["spr_player"].textures) == 1
    assert np.array_equal(frame(game, "spr_player", 0), picture(seed=1))
    game, _ = edited(data, {"sprites/spr_player/7.png": png.encode(picture(seed=3))})
    assert np.array_equal(frame(game, "spr_player", 2), picture(seed=3))


def test_frames_are_of_one_size() -> None:
    with pytest.raises(WorkspaceError, match="of one size, not of 16 x 16 and 20 x 20"):
        edited(packed("2.3.2"), {"sprites/spr_player/0.png": png.encode(picture(20, 20))})


def test_a_size_set_by_hand_stays() -> None:
    plain = shown(packed("2.3.2"), "sprites/spr_wall/sprite.json") | {"width": 30}
    changes = {
        "sprites/spr_wall/0.png": png.encode(picture(40, 24)),
        "sprites/spr_wall/sprite.json": plain,
    }
    game, warnings = edited(packed("2.3.2"), changes)
    assert game.records.sprites["spr_wall"].width == 30
    (warning,) = warnings
    assert warning.startswith("sprites/spr_wall: it says 30 x 8 pixels")


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_the_box_follows_its_mode(mode: int) -> None:
    """0: by the visible pixels, 1: the whole image, 2: as somebody set it."""

    def choose(game: GameData) -> None:
        wall = game.records.sprites["spr_wall"]
        wall.bbox_mode = mode
        if mode == 1:
            wall.margin_left = wall.margin_top = 0
            wall.margin_right, wall.margin_bottom = 31, 7

    pixels = picture(32, 8, 5)
    pixels[1, 1] = 255
    data = changed("2.3.2", choose)
    game, _ = edited(data, {"sprites/spr_wall/0.png": png.encode(pixels)})
    wall = game.records.sprites["spr_wall"]
    box = (wall.margin_left, wall.margin_right, wall.margin_top, wall.margin_bottom)
    assert box == {0: (1, 28, 1, 5), 1: (0, 31, 0, 7), 2: (3, 28, 2, 5)}[mode]


def test_a_box_that_is_not_by_the_rule_stays() -> None:
    def widen(game: GameData) -> None:
        game.records.sprites["spr_wall"].margin_left = 2

    pixels = picture(32, 8, 5)
    pixels[1, 1] = 255
    data = changed("2.3.2", widen)
    game, _ = edited(data, {"sprites/spr_wall/0.png": png.encode(pixels)})
    wall = game.records.sprites["spr_wall"]
    assert (wall.margin_left, wall.margin_top) == (2, 2)
    game, _ = edited(data, {"sprites/spr_wall/0.png": png.encode(picture(40, 24))})
    wall = game.records.sprites["spr_wall"]  # it would make no sense for another size
    assert (wall.margin_left, wall.margin_right, wall.margin_bottom) == (3, 36, 21)


def mask_of(game: GameData, sprite: str, number: int = 0) -> Any:
    record = game.records.sprites[sprite]
    return masks.unpack(record.masks[number], record.width, record.height)


def test_a_precise_mask_follows_its_frames() -> None:
    data = packed("2.3.2")
    before = mask_of(GameData.from_bytes(data), "spr_player")
    pixels = picture(seed=0)
    pixels[8, 8, 3] = 0
    game, _ = edited(data, {"sprites/spr_player/0.png": png.encode(pixels)})
    assert np.array_equal(mask_of(game, "spr_player"), before)  # the other frame has the pixel
    other = picture(seed=1)
    other[8, 8, 3] = 0
    changes = {"sprites/spr_player/0.png": pixels, "sprites/spr_player/1.png": other}
    game, _ = edited(data, {path: png.encode(item) for path, item in changes.items()})
    after = mask_of(game, "spr_player")
    assert not after[8, 8] and after.sum() == before.sum() - 1


def test_a_mask_made_by_a_rule_of_its_own_stays() -> None:
    own = np.zeros((16, 16), np.bool_)
    own[3, 4] = True

    def draw(game: GameData) -> None:
        game.records.sprites["spr_player"].masks = [masks.pack(own)]

    pixels = picture(seed=0)
    pixels[8, 8, 3] = 0
    data = changed("2.3.2", draw)
    game, _ = edited(data, {"sprites/spr_player/0.png": png.encode(pixels)})
    assert np.array_equal(mask_of(game, "spr_player"), own)


def mask_for_each_frame(game: GameData) -> None:
    sprite = game.records.sprites["spr_player"]
    sprite.masks = [sprite.masks[0], sprite.masks[0]]


def test_masks_of_single_frames_follow_these() -> None:
    data = changed("2.3.2", mask_for_each_frame)
    pixels = picture(seed=1)
    pixels[8, 8, 3] = 0
    game, _ = edited(data, {"sprites/spr_player/1.png": png.encode(pixels)})
    assert mask_of(game, "spr_player", 0)[8, 8] and not mask_of(game, "spr_player", 1)[8, 8]
    game, _ = edited(data, {"sprites/spr_player/2.png": png.encode(pixels)})
    assert [mask_of(game, "spr_player", n)[8, 8] for n in range(3)] == [True, True, False]


def test_a_mask_can_be_removed_and_added() -> None:
    data = changed("2.3.2", mask_for_each_frame)
    game, _ = edited(data, {"sprites/spr_player/mask_0.png": None})
    assert len(game.records.sprites["spr_player"].masks) == 1
    mask = unpacked(data)["sprites/spr_player/mask_0.png"]
    game, _ = edited(data, {"sprites/spr_player/mask_2.png": mask})
    assert len(game.records.sprites["spr_player"].masks) == 3


def test_spare_bits_of_an_equal_mask_stay() -> None:
    """Bits after the width mean nothing; they stay where the picture of the mask is the same."""

    def spare(game: GameData) -> None:
        wall = game.records.sprites["spr_wall"]
        wall.width = 30
        wall.masks = [masks.pack(mask[:, :30], bytes([3] * 8))]

    mask = mask_of(GameData.from_bytes(packed("2.3.2")), "spr_wall")
    data = changed("2.3.2", spare)
    out = BytesIO()
    masks.to_image(mask[:, :30]).convert("RGB").save(out, "PNG")
    game, _ = edited(data, {"sprites/spr_wall/mask_0.png": out.getvalue()})
    assert masks.spare_bits(game.records.sprites["spr_wall"].masks[0], 30, 8) == bytes([3] * 8)


def test_a_mask_of_another_size_is_refused_with_both_sizes() -> None:
    data = packed("2.3.2")
    out = BytesIO()
    Image.new("1", (3, 5)).save(out, "PNG")
    words = r"the mask is 3 x 5 pixels, but those of this sprite are 32 x 8"
    with pytest.raises(WorkspaceError, match=words):
        edited(data, {"sprites/spr_wall/mask_0.png": out.getvalue()})


@pytest.mark.parametrize(
    ("release", "size"), [((2024, 4), (30, 20)), ((2024, 6), (4, 8)), ((2024, 14), (4, 8))]
)
def test_since_2024_6_masks_cover_the_collision_box(
    release: tuple[int, int], size: tuple[int, int]
) -> None:
    assert mask_size(Version(17, *release), 30, 20, left=2, right=5, top=6, bottom=13) == size


def test_the_frames_of_a_sequence_follow() -> None:
    data = packed("2.3.2")
    game, _ = edited(data, {"sprites/spr_player/2.png": png.encode(picture(seed=9))})
    sequence = game.records.sprites["spr_player"].sequence.sequence
    frames = sequence.tracks[0].keyframes.frames
    assert [key.channels[0].value for key in frames] == [0, 1, 2] and sequence.length == 3

    def shorten(game: GameData) -> None:
        sequence = present(game.records.sprites["spr_player"].sequence).sequence
        del instance(IntegerFrames, sequence.tracks[0].keyframes).frames[1]

    data = changed("2.3.2", shorten)
    game, _ = edited(data, {"sprites/spr_player/2.png": png.encode(picture(seed=9))})
    sequence = game.records.sprites["spr_player"].sequence.sequence
    assert len(sequence.tracks[0].keyframes.frames) == 1 and sequence.length == 2


def test_a_repainted_page_may_shrink_as_far_as_pictures_reach() -> None:
    data = packed("1.0.0.1763")
    game = GameData.from_bytes(data)
    page = png.decode(unpacked(data)["textures/0.png"])
    items = [present(item) for item in game.texture_items]
    right = max(item.source_x + item.source_width for item in items)
    bottom = max(item.source_y + item.source_height for item in items)
    tight = png.encode(np.ascontiguousarray(page[:bottom, :right]))
    after, _ = edited(data, {"textures/0.png": tight})
    assert np.array_equal(frame(after, "spr_wall", 0), picture(32, 8, 5))
    for cut in (page[: bottom - 1], page[:, : right - 1]):
        with pytest.raises(WorkspaceError, match="smaller than before"):
            edited(data, {"textures/0.png": png.encode(np.ascontiguousarray(cut))})


def test_items_can_be_moved() -> None:
    data = packed("2024.14")
    plain = shown(data, "textures.json")
    first, second = (plain["items"][n]["source"] for n in (0, 1))
    plain["items"][0]["source"], plain["items"][1]["source"] = second, first
    game, _ = edited(data, {"textures.json": plain})
    assert np.array_equal(frame(game, "spr_player", 0), picture(seed=1))
    with pytest.raises(WorkspaceError, match="keep their numbers"):
        edited(data, {"textures.json": plain | {"items": plain["items"][1:]}})


# ----------------------------------------------------------------------------- names, references


def same_names(game: GameData) -> None:
    game.records.sprites["spr_wall"].name = game.records.sprites["spr_player"].name


def test_resources_of_one_name_have_their_index_in_the_json() -> None:
    data = changed("2.3.2", same_names)
    walls = shown(data, "objects/obj_wall/object.json")
    assert walls["sprite"] == {"index": 1}
    assert shown(data, "objects/obj_player/object.json")["sprite"] == "spr_player"
    game, _ = edited(data, {"objects/obj_wall/object.json": walls | {"depth": 3}})
    assert game.records.objects["obj_wall"].sprite.index == 1
    assert game.records.objects["obj_player"].sprite.index == 0
    assert game.records.objects["obj_wall"].depth == 3
    pixels = png.encode(picture(32, 8, 7))
    game, _ = edited(data, {"sprites/spr_player%~2/0.png": pixels})
    frames = [present(PageImages().frame(sprite.textures[0])) for sprite in game.records.sprites]
    assert np.array_equal(frames[1], picture(32, 8, 7))
    assert np.array_equal(frames[0], picture(seed=0))


def test_what_refers_to_nothing_is_null() -> None:
    game = GameData.from_bytes(packed("2.3.2"))
    reference = game.records.sprites.reference_to("spr_wall")
    game.records.sprites.remove("spr_wall")
    assert ReferenceNames(game).show_reference(reference) is None


@pytest.mark.parametrize("key", ["tiles", "views", "instances", "backgrounds"])
def test_a_room_may_have_no_list_of_a_kind(key: str) -> None:
    data = changed("1.0.0.1763", lambda game: None)
    plain = shown(data, "rooms/rm_first.json") | {key: None}
    game, _ = edited(data, {"rooms/rm_first.json": plain})
    room = game.rooms["rm_first"]
    assert [*getattr(room, key)] == []
    assert room.view_areas == []


def test_a_text_that_is_there_twice_keeps_its_string() -> None:
    def twice(game: GameData) -> None:
        game.strings.add_new("a caption")
        game.records.rooms[0].caption = game.strings.add_new("a caption")

    data = changed("1.0.0.1763", twice)
    before = GameData.from_bytes(data)
    plain = shown(data, "rooms/rm_first.json") | {"speed": 50}
    game, _ = edited(data, {"rooms/rm_first.json": plain})
    assert game.records.rooms[0].speed == 50 and game.records.rooms[0].caption == "a caption"
    captions = [instance(String, item.records.rooms[0].caption) for item in (game, before)]
    assert captions[0].number == captions[1].number
    assert len(game.strings) == len(before.strings)


def test_the_bits_of_a_nan_stay() -> None:
    def bend(game: GameData) -> None:
        points = [PathPoint(RawFloat(0xFFC00001), 2.0, 3.0), PathPoint(4.0, 5.0, 6.0)]
        game.records.paths.append(PathRecord(game.strings.add("pth_a"), points=points))

    data = changed("2.3.2", bend)
    plain = shown(data, "paths/pth_a.json")
    plain["points"].insert(1, {"x": 1})
    plain["closed"] = True
    game, _ = edited(data, {"paths/pth_a.json": plain})
    points = game.records.paths["pth_a"].points
    assert [getattr(point.x, "bits", point.x) for point in points] == [0xFFC00001, 1.0, 4.0]


def test_an_event_that_is_there_twice_stays() -> None:
    def double(game: GameData) -> None:
        events = game.records.objects["obj_player"].events[3]
        events.append(Event(events[0].subtype, events[0].actions))

    data = changed("2.3.2", double)
    plain = shown(data, "objects/obj_player/object.json")
    assert [item["event"] for item in plain["events"]].count("Step_0") == 2
    game, _ = edited(data, {"objects/obj_player/object.json": plain | {"depth": 9}})
    assert len(game.records.objects["obj_player"].events[3]) == 2
    assert game.records.objects["obj_player"].depth == 9


def test_an_unusual_number_of_event_types_stays() -> None:
    def more(game: GameData) -> None:
        game.records.objects["obj_wall"].events.append([])

    data = changed("2.3.2", more)
    plain = shown(data, "objects/obj_wall/object.json")
    assert plain["event_types"] == 16
    game, _ = edited(data, {"objects/obj_wall/object.json": plain | {"depth": 9}})
    assert len(game.records.objects["obj_wall"].events) == 16
    with pytest.raises(WorkspaceError, match="event_types"):
        edited(data, {"objects/obj_wall/object.json": plain | {"event_types": 65}})


def test_a_moved_folder_is_a_renamed_resource() -> None:
    """The same JSON under another name: references follow."""
    data = packed("2.3.2")
    files = unpacked(data)
    changes: dict[str, Any] = {"objects/obj_wall/object.json": None}
    changes["objects/obj_stone/object.json"] = files["objects/obj_wall/object.json"]
    game, warnings = edited(data, changes)
    assert warnings == []
    assert sorted(game.records.objects.names()) == ["obj_player", "obj_stone"]
    assert game.records.rooms[0].instances[1].object.name == "obj_stone"
    changes["objects/obj_stone/object.json"] = {"depth": 5}
    game, warnings = edited(data, changes)
    assert "objects/obj_wall was removed" in warnings[0]
    assert [i.object.name for i in game.records.rooms[0].instances] == ["obj_player"]


def test_what_was_renamed_may_name_what_was_renamed() -> None:
    """The moved JSON of an object still says what its sprite was called."""
    data = packed("2.3.2")
    changes: dict[str, Any] = {}
    for path, content in unpacked(data).items():
        if path.startswith(("sprites/spr_wall/", "objects/obj_wall/")):
            changes[path] = None
            changes[path.replace("_wall", "_stone")] = content
    game, warnings = edited(data, changes)
    assert warnings == []
    assert game.records.objects["obj_stone"].sprite.name == "spr_stone"
    assert len(game.textures) == 1 and len(game.records.sprites) == 2


def with_gap(game: GameData) -> None:
    game.records.paths.append(PathRecord(game.strings.add("pth_a")))
    game.records.paths.append(None)
    game.records.paths.append(PathRecord(game.strings.add("pth_b")))


def test_gaps_stay_where_they_are() -> None:
    data = changed("2.3.2", with_gap)
    order = shown(data, "order.json")
    assert order["paths"] == ["pth_a", None, "pth_b"]
    game, _ = edited(data, {"order.json": order | {"paths": ["pth_b", "pth_a"]}})
    assert [p and str(p.name) for p in game.records.paths] == ["pth_b", None, "pth_a"]
    with pytest.raises(WorkspaceError, match="paths: 'pth_b' occurs twice"):
        edited(data, {"order.json": order | {"paths": ["pth_b", "pth_b"]}})


def test_gaps_are_moved_with_the_others() -> None:
    data = changed("2.3.2", with_gap)
    order = shown(data, "order.json")
    for paths in ([None, "pth_b", "pth_a"], ["pth_a", "pth_b", None]):
        game, _ = edited(data, {"order.json": order | {"paths": paths}})
        assert [p and str(p.name) for p in game.records.paths] == paths
    new: dict[str, Any] = {"paths/pth_c.json": {}}
    new["order.json"] = order | {"paths": [None, "pth_c", "pth_b", "pth_a"]}
    game, _ = edited(data, new)
    assert [p and str(p.name) for p in game.records.paths] == [None, "pth_c", "pth_b", "pth_a"]
    for paths in (["pth_a", "pth_b", None, None], [None, None, "pth_b", "pth_a"]):
        with pytest.raises(WorkspaceError, match=r"order\.json: paths: null .* expected 1, got 2"):
            edited(data, {"order.json": order | {"paths": paths}})


def test_added_resources_come_in_the_order_of_order_json() -> None:
    data = packed("2.3.2")
    order = shown(data, "order.json")
    changes: dict[str, Any] = {f"paths/pth_{name}.json": {} for name in "abc"}
    game, _ = edited(data, changes)
    assert [str(p.name) for p in game.records.paths] == ["pth_a", "pth_b", "pth_c"]
    changes["order.json"] = order | {"paths": ["pth_c", "pth_a"]}
    game, _ = edited(data, changes)
    assert [str(p.name) for p in game.records.paths] == ["pth_c", "pth_a", "pth_b"]


def test_details_say_only_what_is_unusual() -> None:
    def odd(game: GameData) -> None:
        game.records.sprites["spr_wall"].preload = True

    data = changed("2.3.2", odd)
    assert "details" not in shown(data, "sprites/spr_player/sprite.json").keys() - {"details"}
    plain = shown(data, "sprites/spr_wall/sprite.json")
    assert plain["details"]["preload"] is True and "smooth" not in plain["details"]
    game, _ = edited(data, {"sprites/spr_wall/sprite.json": plain | {"origin_x": 7}})
    wall = game.records.sprites["spr_wall"]
    assert wall.preload and wall.origin_x == 7
    with pytest.raises(WorkspaceError, match=r"textures.*in a file of its own"):
        edited(data, {"sprites/spr_wall/sprite.json": plain | {"textures": []}})


# ---------------------------------------------------------------------------------------- tables


def test_audio_groups_keep_their_sounds() -> None:
    def group(game: GameData) -> None:
        kind = type(game.records.audio_groups[0])
        game.records.audio_groups.append(kind(game.strings.add("ag_music")))
        game.records.sounds["snd_jump"].group = 1

    data = changed("2.3.2", group)
    assert shown(data, "sounds/snd_jump.json")["group"] == "ag_music"
    plain = shown(data, "audio_groups.json")
    plain[1]["name"] = "ag_songs"
    game, _ = edited(data, {"audio_groups.json": plain})
    assert game.records.audio_groups.names() == ["audiogroup_default", "ag_songs"]
    assert game.records.sounds["snd_jump"].group == 1
    sound = shown(data, "sounds/snd_jump.json") | {"group": "ag_new"}
    plain[1]["name"] = "ag_music"
    changes = {"audio_groups.json": [*plain, {"name": "ag_new"}], "sounds/snd_jump.json": sound}
    with pytest.raises(
        WorkspaceError, match=r"json.* group: .* can't be moved: .* audiogroup1.dat"
    ):
        edited(data, changes)
    changes["audio_groups.json"] = [plain[0], {"name": "ag_new"}]
    game, _ = edited(packed("2.3.2"), changes)
    assert game.records.sounds["snd_jump"].group == 1
    with pytest.raises(WorkspaceError, match=r"snd_jump\.json: group: .*ag_new"):
        edited(data, {"sounds/snd_jump.json": sound})


def test_groups_of_one_name_stay_two() -> None:
    def group(game: GameData) -> None:
        kind = type(game.records.audio_groups[0])
        for _ in range(2):
            game.records.audio_groups.append(kind(game.strings.add("ag_music")))

    data = changed("2.3.2", group)
    plain = [*shown(data, "audio_groups.json"), {"name": "ag_new"}]
    game, _ = edited(data, {"audio_groups.json": plain})
    assert game.records.audio_groups.names() == [
        "audiogroup_default",
        "ag_music",
        "ag_music",
        "ag_new",
    ]
    assert game.records.audio_groups[1] is not game.records.audio_groups[2]


def with_scripts(game: GameData) -> None:
    for name in ("scr_a", "scr_b", "scr_a"):
        game.records.scripts.append(Script(game.strings.add(name)))
    game.records.scripts.append(None)


def test_scripts_of_one_name_and_gaps_stay() -> None:
    data = changed("1.0.0.1763", with_scripts)
    plain = shown(data, "scripts.json")
    assert [item and item["name"] for item in plain] == ["scr_a", "scr_b", "scr_a", None]
    entry = "gml_Object_obj_player_Create_0"
    plain[2]["code"] = entry
    game, _ = edited(data, {"scripts.json": plain})
    codes = [script and script.code.entry for script in game.records.scripts]
    assert [code and str(code.name) for code in codes] == [None, None, entry, None]
    game, _ = edited(data, {"scripts.json": [plain[1], None, plain[2]]})
    assert [s and str(s.name) for s in game.records.scripts] == ["scr_b", None, "scr_a"]
    game, _ = edited(data, {"scripts.json": {"scr_b": {"constructor": entry}}})
    assert game.records.scripts.names() == ["scr_b"] and game.records.scripts[0].code.constructor


def test_new_rooms_are_played_last() -> None:
    data = packed("2.3.2")
    game, _ = edited(data, {"rooms/rm_a.json": {}})
    assert [str(room.name) for room in game.general.room_order] == ["rm_first", "rm_a"]
    general = shown(data, "general.json") | {"room_order": ["rm_a", "rm_first"]}
    game, _ = edited(data, {"rooms/rm_a.json": {}, "general.json": general})
    assert [str(room.name) for room in game.general.room_order] == ["rm_a", "rm_first"]


# -------------------------------------------------------------------------- rooms, audio, strings


def test_instances_are_numbered_on() -> None:
    data = packed("2.3.2")
    plain = shown(data, "rooms/rm_first.json")
    plain["instances"].insert(0, {"object": "obj_wall", "layer": "Instances"})
    game, _ = edited(data, {"rooms/rm_first.json": plain})
    room = game.records.rooms[0]
    assert [i.id for i in room.instances] == [100002, 100000, 100001]
    assert room.layers[0].data.instances == [100002, 100000, 100001]
    assert game.general.last_object_id == 100003


def test_instances_are_numbered_after_the_highest() -> None:
    data = packed("2.3.2")
    plain = shown(data, "rooms/rm_first.json")
    plain["instances"][0]["id"] = 200000
    plain["instances"].append({"object": "obj_wall", "layer": "Instances"})
    game, _ = edited(data, {"rooms/rm_first.json": plain})
    assert [i.id for i in game.records.rooms[0].instances] == [200000, 100001, 200001]


def test_an_instance_on_two_layers_stays_on_both() -> None:
    def double(game: GameData) -> None:
        layers = game.records.rooms[0].layers
        fields = {name: getattr(layers[0], name) for name in type(layers[0]).__struct_fields__}
        data = type(layers[0].data)([100001])
        fields |= {"name": game.strings.add("Again"), "id": 2, "data": data}
        layers.append(type(layers[0])(**fields))

    plain = shown(changed("2.3.2", double), "rooms/rm_first.json")
    lists = [layer["data"]["instances"] for layer in plain["layers"]]
    assert lists == [[100000, 100001], [100001]]


def test_tiles_are_rows() -> None:
    plain = shown(packed("2.3.2"), "rooms/rm_first.json")
    tiles = {"width": 2, "height": 3, "tiles": [[1, 2], [3, 4], [5, 6]]}
    plain["layers"].append({"name": "Tiles", "id": 2, "type": "tiles", "data": tiles})
    game, _ = edited(packed("2.3.2"), {"rooms/rm_first.json": plain})
    assert list(game.records.rooms[0].layers[1].data.tiles) == [1, 2, 3, 4, 5, 6]
    again = shown(game.to_bytes(), "rooms/rm_first.json")
    assert again["layers"][1]["data"]["tiles"] == tiles["tiles"]


def test_sounds_without_a_name_have_numbers() -> None:
    data = packed("2.3.2")
    game, _ = edited(data, {"audio/3.ogg": b"OggS one", "audio/1.ogg": b"OggS two"})
    held = [audio and bytes(audio.data) for audio in game.audio]
    assert held == [wave(), b"OggS two", None, b"OggS one"]
    more = game.to_bytes()
    assert {"audio/1.ogg", "audio/3.ogg"} <= unpacked(more).keys()
    game, _ = edited(more, {"audio/3.ogg": None})
    assert len(game.audio) == 2
    game, _ = edited(more, {"audio/1.ogg": None, "audio/1.wav": wave()})
    assert bytes(game.audio[1].data) == wave()
    with pytest.raises(WorkspaceError, match="two files for the sound 1"):
        edited(more, {"audio/1.wav": wave(), "audio/1.mp3": b"ID3"})
    with pytest.raises(WorkspaceError, match="by its number"):
        edited(more, {"audio/x.wav": wave()})


def test_a_gap_at_the_end_of_the_sounds_stays() -> None:
    data = changed("2.3.2", lambda game: game.audio.append(None))
    assert len(edited(data, {"audio/0.wav": wave(20)})[0].audio) == 2


def test_a_new_game_takes_the_strings_of_its_file() -> None:
    """Also those that no other file mentions: none is there twice."""
    files = unpacked(packed("2.3.2"))
    count = files["strings.csv"].count(b"\n") - 1
    for path in ("general.json", "options.json", "audio_groups.json"):
        del files[path]
    assert len(made(files, "2.3.2").strings) == count


def test_functions_of_new_code_are_scripts_without_being_listed() -> None:
    name = "gml_GlobalScript_scr_two"
    code = b"function scr_two() { return 2; }\nfunction scr_three() { return 3; }\n"
    changes: dict[str, Any] = {f"code/{name}.gml": code, "scripts.json": {"scr_file": name}}
    game, _ = edited(packed("2.3.2"), changes)
    listed = [script.code.entry.name for script in game.records.scripts]
    assert listed == [name, "gml_Script_scr_two", "gml_Script_scr_three"]


def test_bytes_that_two_sounds_share_stay() -> None:
    def share(game: GameData) -> None:
        jump = game.records.sounds["snd_jump"]
        fields = {name: getattr(jump, name) for name in type(jump).__struct_fields__}
        game.records.sounds.append(type(jump)(**fields | {"name": game.strings.add("snd_land")}))

    data = changed("2.3.2", share)
    game, _ = edited(data, {"sounds/snd_land.wav": wave(30)})
    assert game.sound_bytes("snd_land") == wave(30) and game.sound_bytes("snd_jump") == wave()
    with pytest.raises(WorkspaceError, match="two files for one sound"):
        edited(data, {"sounds/snd_land.ogg": b"OggS"})
    with pytest.raises(WorkspaceError, match="the sound's file is missing"):
        edited(data, {"sounds/snd_land.wav": None})


def test_new_rows_are_new_strings() -> None:
    data = packed("2.3.2")
    count = len(GameData.from_bytes(data).strings)
    text = unpacked(data)["strings.csv"]
    game, _ = edited(data, {"strings.csv": text + b",one more\n"})
    assert len(game.strings) == count + 1 and str(game.strings[count]) == "one more"
    game, warnings = edited(data, {"strings.csv": text[: text.rstrip().rindex(b"\n") + 1]})
    assert len(game.strings) == count
    assert warnings == ["strings.csv: 1 strings have no row, and stay as they are"]


def test_a_shader_has_its_texts() -> None:
    data = packed("2.3.2")
    changes: dict[str, Any] = {
        "shaders/sh_a/shader.json": {"attributes": ["in_Position"]},
        "shaders/sh_a/vertex.glsl": b"void main() {}",
        "shaders/sh_a/pssl_vertex.bin": b"12345678",
    }
    game, _ = edited(data, changes)
    shader = game.records.shaders["sh_a"]
    assert shader.glsl_es_vertex == "void main() {}" and shader.glsl_es_fragment is None
    assert shader.hlsl9_fragment == "" and shader.pssl_vertex == b"12345678"
    more = game.to_bytes()
    assert unpacked(more)["shaders/sh_a/vertex.glsl"] == b"void main() {}"
    game, _ = edited(more, {"shaders/sh_a/vertex.glsl": None, "shaders/sh_a/vertex.hlsl": b"x"})
    assert game.records.shaders["sh_a"].glsl_es_vertex is None
    assert game.records.shaders["sh_a"].hlsl9_vertex == "x"


def test_a_new_tile_set_counts_its_tiles() -> None:
    sheet = Image.new("RGBA", (80, 60), (1, 2, 3, 255))
    out = BytesIO()
    sheet.save(out, "PNG")
    changes: dict[str, Any] = {"tilesets/ts_a.json": {}, "tilesets/ts_a.png": out.getvalue()}
    game, _ = edited(packed("2.3.2"), changes)
    tiles = game.records.backgrounds["ts_a"]
    assert (tiles.columns, tiles.tile_count) == (4, 12)
    assert list(tiles.tile_ids) == list(range(12))
    more = game.to_bytes()
    assert shown(more, "tilesets/ts_a.json")["tile_ids"][2] == [8, 9, 10, 11]
    with pytest.raises(WorkspaceError, match=r"tilesets/ts_a\.png: it is missing"):
        edited(more, {"tilesets/ts_a.png": None})


# ----------------------------------------------------------------------- games from files alone


def odd_things(game: GameData) -> None:
    """What a folder must keep of a game: gaps, twins, unusual events, scripts, numbered audio."""
    with_gap(game)
    same_names(game)
    with_scripts(game)
    game.records.objects.reorder(["obj_wall", "obj_player"])
    game.records.rooms[0].instances[1].id = 7
    game.records.objects["obj_player"].events.append([])
    events = game.records.objects["obj_player"].events[3]
    events.append(Event(events[0].subtype, events[0].actions))
    game.audio.append(Audio(b"OggS nobody's"))
    game.strings.add_new("twice")
    game.strings.add_new("twice")
    entry = game.records.code["gml_Object_obj_player_Create_0"]
    entry.locals_count += 2
    game.textures[0].index_in_group = 1


@pytest.mark.parametrize("version", ["1.0.0.1763", "2.2.2.302", "2.3.2", "2024.14"])
def test_a_game_made_of_its_files_has_the_same_files(version: str) -> None:
    files = unpacked(changed(version, odd_things))
    game = made(files, version)
    assert game.textures[0].index_in_group == (version == "2024.14")
    again = unpacked(game.to_bytes())
    assert again.keys() == files.keys()
    different = [path for path in files if files[path] != again[path]]
    assert [path for path in different if not path.endswith(".png")] == []
    for path in different:  # another compressor's bytes, the same pixels
        assert np.array_equal(png.decode(files[path]), png.decode(again[path]))


def test_code_keeps_counts_that_its_text_does_not_give() -> None:
    files = unpacked(changed("2.3.2", odd_things))
    path = "code/gml_Object_obj_player_Create_0.asm"
    assert files[path].startswith(b"; unused locals 2\n")
    entry = made(files, "2.3.2").records.code["gml_Object_obj_player_Create_0"]
    assert (entry.locals_count, entry.arguments) == (3, 0)
    files[path] = b"; counts 5 2\n" + files[path].split(b"\n", 1)[1]
    entry = made(files, "2.3.2").records.code["gml_Object_obj_player_Create_0"]
    assert (entry.locals_count, entry.arguments) == (5, 2)
    files[path] = b"; counts 5\n" + files[path].split(b"\n", 1)[1]
    with pytest.raises(WorkspaceError, match=r"Create_0\.asm: expected numbers"):
        made(files, "2.3.2")


def test_pictures_of_a_missing_page_are_placed_again() -> None:
    files = unpacked(packed("2024.14"))
    del files["textures/0.png"]
    game = made(files, "2024.14")
    assert np.array_equal(frame(game, "spr_player", 1), picture(seed=1))
    assert np.array_equal(frame(game, "spr_wall", 0), picture(32, 8, 5))
    assert len(game.textures) == 2 and game.textures[0].blob is None
    assert len(game.texture_items) == 3
    assert [sprite.index for sprite in game.records.texture_groups[0].sprites] == [0, 1]


def test_a_new_game_says_what_it_lists() -> None:
    """Files that list resources are followed; without them, all are listed."""
    files = unpacked(packed("2024.14"))
    groups = json.loads(files["texture_groups.json"])
    groups[0]["sprites"] = ["spr_wall"]
    files["texture_groups.json"] = json.dumps(groups).encode()
    general = json.loads(files["general.json"])
    general["room_order"] = []
    files["general.json"] = json.dumps(general).encode()
    game = made(files, "2024.14")
    assert [str(s.name) for s in game.records.texture_groups[0].sprites] == ["spr_wall"]
    assert list(game.general.room_order) == []


@pytest.mark.parametrize("version", ["1.0.0.1763", "2.3.2"])
def test_new_sounds_find_their_place(version: str) -> None:
    files = unpacked(packed(version))
    files["sounds/snd_new.ogg"] = ogg()
    files["sounds/snd_new.json"] = b'{"details": {"audio": 0}}'
    files["sounds/snd_none.json"] = b'{"details": {"audio": 0}}'
    game = made(files, version)
    assert game.sound_bytes("snd_new") == ogg()
    assert game.sound_bytes("snd_jump") == wave()
    assert game.records.sounds["snd_none"].audio == -1 and game.sound_bytes("snd_none") is None


def test_collisions_with_nothing_have_a_number() -> None:
    game = GameData.from_bytes(packed("2.3.2"))
    player = game.records.objects["obj_player"]
    player.events[4][0].subtype = None
    events = OBJECTS.show(player, ReferenceNames(game))["events"]
    assert isinstance(events, dict) and "Collision_4294967295" in events


def test_actions_say_what_is_unusual() -> None:
    def odd(game: GameData) -> None:
        for number, (key, value) in enumerate({"name": None, "use_apply_to": False}.items()):
            action = game.records.objects["obj_player"].events[3 * number][0].actions[0]
            setattr(action, key, value)
        game.records.objects["obj_player"].events[4][0].actions[0].argument_count = 0

    data = changed("1.0.0.1763", odd)
    plain = shown(data, "objects/obj_player/object.json")
    result = {
        key: {k: v for k, v in item.items() if k != "code"} for key, item in plain["events"].items()
    }
    assert result == {
        "Create_0": {"name": None},
        "Step_0": {"use_apply_to": False},
        "Collision_obj_wall": {"argument_count": 0},
    }
    game, _ = edited(data, {"objects/obj_player/object.json": plain | {"depth": 4}})
    events = game.records.objects["obj_player"].events
    assert events[0][0].actions[0].name is None and not events[3][0].actions[0].use_apply_to
    assert game.records.objects["obj_player"].depth == 4


def test_layers_may_list_their_instances_too() -> None:
    """Where the order differs from that of the room, the layer keeps its list."""

    def turn(game: GameData) -> None:
        game.records.rooms[0].layers[0].data.instances.reverse()

    data = changed("2.3.2", turn)
    plain = shown(data, "rooms/rm_first.json")
    assert plain["layers"][0]["data"]["instances"] == [100001, 100000]
    plain["instances"].append({"object": "obj_wall", "layer": "Instances"})
    game, _ = edited(data, {"rooms/rm_first.json": plain})
    assert game.records.rooms[0].layers[0].data.instances == [100001, 100000, 100002]

    def twice(game: GameData) -> None:
        game.records.rooms[0].layers[0].data.instances.append(100000)

    plain = shown(changed("2.3.2", twice), "rooms/rm_first.json")
    assert plain["layers"][0]["data"]["instances"] == [100000, 100001, 100000]


def test_extensions_keep_their_product_ids() -> None:
    changes: dict[str, Any] = {f"extensions/ext_{name}.json": {} for name in "ab"}
    changes["extensions/ext_b.json"] = {"product_id": "01" * 16}
    game, _ = edited(packed("2.3.2"), changes)
    ids = game.record("EXTN").product_ids
    assert ids == [NO_PRODUCT_ID, bytes([1] * 16)]
    plain = shown(game.to_bytes(), "extensions/ext_b.json")
    assert plain["product_id"] == "01" * 16
    again, _ = edited(game.to_bytes(), {"extensions/ext_b.json": plain | {"product_id": "02" * 16}})
    assert again.record("EXTN").product_ids == [NO_PRODUCT_ID, bytes([2] * 16)]
    for wrong in ("01" * 15, "zz" * 16, 5):
        plain["product_id"] = wrong
        with pytest.raises(WorkspaceError, match="product_id: expected 32 hex"):
            edited(game.to_bytes(), {"extensions/ext_b.json": plain})


def test_a_chunk_that_is_kept_as_bytes() -> None:
    data = bytearray(packed("2.3.2"))
    at = data.index(b"ACRV")
    data[at : at + 4] = b"ZZZZ"
    kept = bytes(data)
    files = unpacked(kept)
    size = len(files["chunks/ZZZZ.bin"])
    game, warnings = edited(kept, {"chunks/ZZZZ.bin": bytes([5] * size)})
    assert game.chunks["ZZZZ"].raw == bytes([5] * size)
    assert [warning[:4] for warning in warnings] == ["ZZZZ"]
    for path in ("chunks/YYYY.bin", "chunks/SPRT.bin"):
        with pytest.raises(WorkspaceError, match="no such chunk"):
            edited(kept, {path: b"1234"})


def test_special_sprites_have_their_fields_by_sub_version() -> None:
    plain = shown(packed("1.0.0.1763"), "sprites/spr_wall/sprite.json")
    details = {"sub_version": 0, "sprite_type": "bitmap", "special": None}
    changes = {"sprites/spr_wall/sprite.json": plain | {"origin_y": 3, "details": details}}
    game, _ = edited(packed("1.0.0.1763"), changes)
    assert game.records.sprites["spr_wall"].origin_y == 3
