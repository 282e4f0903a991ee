"""Rooms as maps of Tiled, and back: what is untouched stays, what is changed changes alone."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from drawn_games import add_background, add_object, add_sprite, drawn_game, pixels, text_of
from overhaul.errors import PlainFileError
from overhaul.findings import Findings
from overhaul.gamemaker import export_rooms, import_rooms
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.fields import Colour
from overhaul.gamemaker.data.resources.layers import (
    AssetLayer,
    BackgroundLayer,
    InstanceLayer,
    TileLayer,
)
from overhaul.gamemaker.tiled.exporting import ACROSS, DIAGONAL, DOWN, gids, words_of
from overhaul.gamemaker.tiled.importing import Imported
from overhaul.gamemaker.tiled.model import (
    Frame,
    Placement,
    TiledElement,
    TiledPicture,
    object_at,
    parse,
    same,
)
from overhaul.media import tilemap

OLD, NEW = "1.0.0.1804", "2024.13"
BOTH = pytest.mark.parametrize("version", [OLD, NEW])


def a_game(version: str) -> GameData:
    """A game whose room has some of everything."""
    game = drawn_game(version)
    room = game.rooms["rm"]
    room.width, room.height = 64, 48
    add_object(game, "obj_a", add_sprite(game, "spr_a", "RG BW", origin=(1, 1)))
    add_object(game, "obj_b", add_sprite(game, "spr_b", "RGBW YYYY"))
    add_object(game, "obj_none", None)
    if version == OLD:
        add_background(game, "bg", "RGBW WYKR")
        room.backgrounds[0].background = "bg"
        room.backgrounds[0].enabled = True
        room.backgrounds[0].y = 5
        for depth, x in ((10, 0), (10, 8), (-5, 16)):
            room.tiles.add("bg", x, 0, source=(1, 0, 2, 2), depth=depth, scale=(2, 1))
        layer = None
    else:
        tiles = add_background(game, "ts", "..RG.. ..BW..")
        tiles.tile_width = tiles.tile_height = 2
        tiles.output_border_x = tiles.output_border_y = 0
        tiles.columns, tiles.tile_count, tiles.tile_ids = 3, 3, [0, 1, 2]
        room.layers.add("things", depth=0)
        room.layers.add("more", depth=-100)
        assets = room.layers.add("assets", "assets", 100)
        assert isinstance(assets, AssetLayer)
        assets.add_sprite("spr_b", 4, 5).rotation = 30
        assets.add_sprite("spr_a", 9, 9).colour = "#ff000080"
        assets.tiles.add("spr_b", 3, 3, source=(1, 0, 2, 1))
        ground = room.layers.add("ground", "tiles", 200)
        assert isinstance(ground, TileLayer)
        ground.tile_set = "ts"
        ground.tiles = np.array([[1 | f << 28 for f in range(4)], [0, 1 << 31, 2, 5 << 28 | 1]])
        back = room.layers.add("back", "background", 300)
        assert isinstance(back, BackgroundLayer)
        back.sprite, back.tile_horizontally, back.offset_y = "spr_b", True, 7
        back.colour = (255, 128, 0, 200)
        sky = room.layers.add("sky", "background", 400)
        assert isinstance(sky, BackgroundLayer)
        sky.colour = "#102030"
        layer = "things"
    one = room.instances.add("obj_a", 10, 20, layer=layer)
    one.rotation, one.scale_x, one.scale_y = 30, -1.5, 2
    room.instances.add("obj_b", 30, 40, layer=layer).colour = "#ff00ff40"
    room.instances.add("obj_none", 5, 6, layer=layer)
    room.instances.add("obj_a", 0, 0, layer=layer).scale_x = 0
    return GameData.from_bytes(game.to_bytes())


Edit = Callable[[str], str]


def brought_back(
    game: GameData, folder: Path, edit: Edit = lambda text: text, name: str = "rm.tmx"
) -> Imported:
    """Export the rooms, edit the map, and import it into the game."""
    export_rooms(game, ["rooms/*"], str(folder))
    path = folder / name
    path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
    return import_rooms(game, str(folder))


def gid_of(text: str, number: int) -> str:
    """The number of an object in a map."""
    match = re.search(r'firstgid="(\d+)" source="objects.tsx"', text)
    assert match is not None
    return str(int(match[1]) + number)


def replaced(pattern: str, by: str) -> Edit:
    """An edit that has to find its place once."""

    def edit(text: str) -> str:
        made, count = re.subn(pattern, by, text, count=1, flags=re.S)
        assert count == 1, pattern
        return made

    return edit


@BOTH
def test_untouched_maps_give_the_identical_game(version: str, tmp_path: Path) -> None:
    game = a_game(version)
    before = game.to_bytes()
    done = brought_back(game, tmp_path)
    assert done == Imported(["rm.tmx"], [], Findings())
    assert game.to_bytes() == before
    root = parse((tmp_path / "rm.tmx").read_bytes(), "rm.tmx")
    kinds = [child.tag for child in root.children]
    if version == OLD:
        assert kinds[-4:] == ["imagelayer", "objectgroup", "objectgroup", "objectgroup"]
    else:
        layers = ["imagelayer", "imagelayer", "layer", "objectgroup", "objectgroup", "objectgroup"]
        assert kinds[-6:] == layers


#: the attributes of each element, and the elements in it, that Tiled's documentation lists
DOCUMENTED = {
    "map": ("version tiledversion class orientation renderorder compressionlevel width height "
            "tilewidth tileheight infinite backgroundcolor nextlayerid nextobjectid",
            "properties tileset layer objectgroup imagelayer group editorsettings"),
    "tileset": ("firstgid source version name class tilewidth tileheight spacing margin tilecount "
                "columns objectalignment", "image tileoffset grid properties tile"),
    "grid": ("orientation width height", ""),
    "image": ("format source trans width height", "data"),
    "tile": ("id type gid", "properties image objectgroup animation"),
    "layer": ("id name class x y width height opacity visible locked tintcolor offsetx offsety "
              "parallaxx parallaxy", "properties data"),
    "objectgroup": ("id name class color x y width height opacity visible locked tintcolor offsetx "
                    "offsety draworder", "properties object"),
    "imagelayer": ("id name class offsetx offsety x y opacity visible locked tintcolor repeatx "
                   "repeaty", "properties image"),
    "object": ("id name type x y width height rotation gid visible template",
               "properties ellipse point polygon polyline text"),
    "properties": ("", "property"),
    "property": ("name type propertytype value", "properties"),
    "data": ("encoding compression", "tile chunk"),
}  # fmt: skip


def check_documented(node: TiledElement) -> None:
    attributes, children = (words.split() for words in DOCUMENTED[node.tag])
    assert set(node.attributes) <= set(attributes), node
    for child in node.children:
        assert child.tag in children, (node.tag, child.tag)
        check_documented(child)


#: the layers of the room of ``a_game`` in Tiled, without indentation
LAYERS = """\
<imagelayer id="1" name="sky">
<properties>
<property name="layer" type="int" value="5"/>
<property name="colour" type="color" value="#ff102030"/>
<property name="depth" type="int" value="400"/>
</properties>
</imagelayer>
<imagelayer id="2" name="back" opacity="0.7843" offsetx="0" offsety="7" tintcolor="#ff8000"\
 repeatx="1">
<properties>
<property name="layer" type="int" value="4"/>
<property name="stretch" type="bool" value="false"/>
<property name="depth" type="int" value="300"/>
</properties>
<image source="sprites/spr_b.png"/>
</imagelayer>
<layer id="3" name="ground" width="4" height="2">
<properties>
<property name="layer" type="int" value="3"/>
<property name="depth" type="int" value="200"/>
</properties>
<data encoding="csv">
2,2147483650,1073741826,3221225474,
0,0,3,3758096386
</data>
</layer>
<objectgroup id="4" name="assets" draworder="index">
<properties>
<property name="layer" type="int" value="2"/>
<property name="depth" type="int" value="100"/>
</properties>
<object id="1" name="graphic_0" gid="8" x="4" y="5" width="4" height="2" rotation="-30">
<properties>
<property name="id" type="int" value="0"/>
</properties>
</object>
<object id="2" name="graphic_1" gid="7" x="8" y="8" width="2" height="2">
<properties>
<property name="id" type="int" value="1"/>
<property name="colour" type="color" value="#80ff0000"/>
</properties>
</object>
<object id="3" gid="9" x="3" y="3" width="2" height="1">
<properties>
<property name="id" type="int" value="0"/>
</properties>
</object>
</objectgroup>
<objectgroup id="5" name="things" draworder="index">
<properties>
<property name="layer" type="int" value="0"/>
<property name="depth" type="int" value="0"/>
</properties>
<object id="4" gid="2147483652" x="7.701" y="19.0179" width="3" height="4" rotation="-30">
<properties>
<property name="id" type="int" value="100000"/>
</properties>
</object>
<object id="5" gid="5" x="30" y="40" width="4" height="2">
<properties>
<property name="id" type="int" value="100001"/>
<property name="colour" type="color" value="#40ff00ff"/>
</properties>
</object>
<object id="6" gid="6" x="5" y="6" width="16" height="16">
<properties>
<property name="id" type="int" value="100002"/>
</properties>
</object>
</objectgroup>
<objectgroup id="6" name="more" draworder="index">
<properties>
<property name="layer" type="int" value="1"/>
<property name="depth" type="int" value="-100"/>
</properties>
</objectgroup>
</map>
"""


def test_the_text_of_a_map(tmp_path: Path) -> None:
    brought_back(a_game(NEW), tmp_path)
    text = (tmp_path / "rm.tmx").read_text(encoding="utf-8")
    layers = text[text.index("<imagelayer") :]
    assert [line.strip() for line in layers.splitlines()] == LAYERS.splitlines()
    with Image.open(tmp_path / "placeholder.png") as image:
        assert image.size == (16, 16) and image.getcolors() == [(256, (255, 0, 255, 96))]


@BOTH
def test_files_are_made_of_what_tiled_documents(version: str, tmp_path: Path) -> None:
    brought_back(a_game(version), tmp_path)
    files = [*tmp_path.rglob("*.tmx"), *tmp_path.rglob("*.tsx")]
    assert len(files) >= 3
    for path in files:
        root = parse(path.read_bytes(), path.name)
        check_documented(root)
        for item in [*root.all("tileset"), *root.all("tile"), root]:
            for image in item.all("image"):
                with Image.open(path.parent / image.attributes["source"]) as picture:
                    size = (image.attributes["width"], image.attributes["height"])
                    assert tuple(map(str, picture.size)) == size
        numbers = [
            int(child.attributes["id"]) for child in root.children if "id" in child.attributes
        ]
        assert len(set(numbers)) == len(numbers)
        objects = [object_ for group in root.all("objectgroup") for object_ in group.all("object")]
        places = range(1, len(objects) + 1)  # Tiled counts from 1
        assert [int(object_.attributes["id"]) for object_ in objects] == [*places]


@pytest.mark.skipif(shutil.which("tiled") is None, reason="the editor Tiled is not installed")
@BOTH
def test_maps_that_tiled_saved_again_are_untouched(version: str, tmp_path: Path) -> None:
    game = a_game(version)
    before = game.to_bytes()
    export_rooms(game, ["rooms/*"], str(tmp_path))
    words = ["tiled", "--export-map", "tmx", "rm.tmx", "again.tmx"]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, check=True)
    assert b"rror" not in done.stderr
    os.replace(tmp_path / "again.tmx", tmp_path / "rm.tmx")
    assert b"tiledversion" in (tmp_path / "rm.tmx").read_bytes()
    assert import_rooms(game, str(tmp_path)) == Imported(["rm.tmx"], [], Findings())
    assert game.to_bytes() == before


@BOTH
def test_only_a_moved_instance_changes(version: str, tmp_path: Path) -> None:
    game, same_game = a_game(version), a_game(version)
    at = r'(gid="\d+" x=")30(" y=")40(")'
    done = brought_back(game, tmp_path, replaced(at, r"\g<1>33\g<2>38\g<3>"))
    assert done.changed == ["rm.tmx"] and not done.warnings
    moved = same_game.rooms["rm"].instances[1]
    moved.x, moved.y = 33, 38
    assert game.to_bytes() == same_game.to_bytes()


def test_a_turned_and_scaled_instance_keeps_its_corner_where_it_was_put() -> None:
    frame = Frame(40, 20, 7, 3)
    rng = random.Random(5)
    for _ in range(300):
        wide, high = (rng.choice((-1, 1)) * rng.uniform(0.2, 4) for _ in range(2))
        x, y = rng.randint(-500, 500), rng.randint(-500, 500)
        place = Placement(x, y, wide, high, rng.uniform(0, 360))
        object_ = object_at(TiledPicture("object", 0), frame, place)
        result = object_.place(frame)
        assert all(abs(a - b) < 0.01 for a, b in zip(result, place, strict=True)), place
    plain = object_at(TiledPicture("object", 0), frame, Placement(100, 50, 2, 1, 0))
    assert (plain.x, plain.y, plain.width, plain.height) == (86, 47, 80, 20)
    mirrored = object_at(TiledPicture("object", 0), frame, Placement(100, 50, -1, -1, 0))
    assert (mirrored.x, mirrored.y) == (100 - 33, 50 - 17)
    assert mirrored.mirrored and mirrored.flipped
    small = object_at(TiledPicture("object", 0), frame, Placement(100, 50, 0.5, 0.5, 0))
    assert (small.x, small.y, small.width, small.height) == (96.5, 48.5, 20, 10)
    turned = object_at(TiledPicture("object", 0), frame, Placement(100, 50, 1, 1, 90))
    assert (turned.x, turned.y, turned.rotation) == (100 - 3, 50 + 7, -90)


def test_size_rotation_flip_and_properties_of_an_instance(tmp_path: Path) -> None:
    game = a_game(NEW)
    at = r'(<object id="\d+" gid=)"(\d+)"( x="30" y="40") width="4" height="2"'
    flipped = replaced(at, lambda m: f'{m[1]}"{int(m[2]) + ACROSS}"{m[3]} width="8" height="2" '
                       'rotation="-90"')  # type: ignore[arg-type]  # fmt: skip
    colour = replaced(r'value="#40ff00ff"', 'value="#8000ff00"')
    more = replaced(
        r'(#8000ff00"/>)', r'\1<property name="image_index" type="float" value="2"/>'
        r'<property name="image_speed" value="0.5"/>'
    )  # fmt: skip
    brought_back(game, tmp_path, lambda text: more(colour(flipped(text))))
    one = game.rooms["rm"].instances[1]
    assert (one.scale_x, one.scale_y, one.rotation) == (-2.0, 1.0, 90.0)
    # mirrored, the origin is at the right of the picture, which is above the corner when turned
    assert (one.x, one.y) == (30, 32)
    assert one.colour == Colour(0, 255, 0, 128)
    assert (one.image_index, one.image_speed) == (2, 0.5)


@BOTH
def test_new_copied_and_removed_instances(version: str, tmp_path: Path) -> None:
    game = a_game(version)
    first = (
        '<object id="900" gid="GID" x="8" y="4" width="8" height="2"/>'
        '<object id="901" type="obj_none" x="1" y="2"><point/></object>'
    )
    copy = r'(<object id="\d+" gid="\d+" x="30" y="40".*?</object>)'

    def edit(text: str) -> str:
        result = re.search(copy, text, re.S)
        assert result is not None
        again = re.sub(r'object id="\d+"', 'object id="902"', result[1]).replace('x="30"', 'x="50"')
        new = first.replace("GID", gid_of(text, 1))
        text = text.replace(result[1], result[1] + again + new)
        gone = re.search(r'<object id="\d+" gid="\d+" x="5" y="6".*?</object>', text, re.S)
        assert gone is not None
        return text.replace(gone[0], "")

    done = brought_back(game, tmp_path, edit)
    assert done.changed == ["rm.tmx"]
    result = [
        (instance.object.name if instance.object else "", instance.x, instance.y, instance.scale_x)
        for instance in game.rooms["rm"].instances
    ]
    assert result[:2] == [("obj_a", 10, 20, -1.5), ("obj_b", 30, 40, 1.0)]
    assert sorted(result[2:]) == [
        ("obj_a", 0, 0, 0.0),
        ("obj_b", 8, 4, 2.0),
        ("obj_b", 50, 40, 1.0),
        ("obj_none", 1, 2, 1.0),
    ]
    numbers = [instance.id for instance in game.rooms["rm"].instances]
    assert len(set(numbers)) == 6 and max(numbers) < game.general.last_object_id
    copied = next(instance for instance in game.rooms["rm"].instances if instance.x == 50)
    assert copied.colour == Colour(255, 0, 255, 0x40)
    if version == NEW:
        listed = game.rooms["rm"].layers["things"].record.data.instances
        assert sorted(listed) == sorted(numbers)
        assert sorted(game.rooms["rm"].record.instance_order) == sorted(numbers)


def test_an_instance_goes_to_another_layer_and_to_the_front(tmp_path: Path) -> None:
    game = a_game(NEW)
    room = game.rooms["rm"]
    numbers = [instance.id for instance in room.instances]

    def edit(text: str) -> str:
        one = re.search(r'<object id="\d+" gid="\d+" x="30" y="40".*?</object>\s*', text, re.S)
        two = re.search(r'<object id="\d+" gid="\d+" x="5" y="6".*?</object>\s*', text, re.S)
        assert one is not None and two is not None
        text = text.replace(one[0], "").replace(two[0], "")
        text = text.replace('name="things" draworder="index">', 'name="things">\n' + "\x00", 1)
        head, tail = text.split("\x00")
        end = tail.index("</properties>") + len("</properties>")
        text = head + tail[:end] + two[0] + tail[end:]
        place = text.index("</objectgroup>", text.index('name="more"'))
        return text[:place] + one[0] + text[place:]

    brought_back(game, tmp_path, edit)
    things, more = room.layers["things"], room.layers["more"]
    assert isinstance(things, InstanceLayer) and isinstance(more, InstanceLayer)
    assert [instance.id for instance in more.instances] == [numbers[1]]
    assert [instance.id for instance in things.instances] == [numbers[2], numbers[0], numbers[3]]
    assert [instance.id for instance in room.instances] == numbers


def renumbered(text: str) -> str:
    """The map as a tool writes it that gives objects other numbers."""
    return re.sub(r'<object id="(\d+)"', lambda m: f'<object id="{int(m[1]) + 500}"', text)


def test_a_sprite_with_another_number_is_the_one_of_its_own_layer(tmp_path: Path) -> None:
    game = a_game(NEW)
    room = game.rooms["rm"]
    more = room.layers.add("more assets", "assets", 150)
    assert isinstance(more, AssetLayer)
    more.add_sprite("spr_b", 20, 21)
    assets = room.layers["assets"]
    assert isinstance(assets, AssetLayer)
    kept = list(assets.record.data.sprites)

    def edit(text: str) -> str:
        begin = text.index("<object ", text.index('name="more assets"'))
        assert begin < text.index('name="assets"')
        return renumbered(text[:begin] + text[text.index("</object>", begin) + 9 :])

    brought_back(game, tmp_path, edit)
    assert more.record.data.sprites == []
    assert [id(sprite) for sprite in assets.record.data.sprites] == [id(item) for item in kept]


def test_an_instance_with_another_number_goes_to_another_layer(tmp_path: Path) -> None:
    game = a_game(NEW)
    room = game.rooms["rm"]
    numbers = [instance.id for instance in room.instances]

    def edit(text: str) -> str:
        one = re.search(r'<object id="\d+" gid="\d+" x="30" y="40".*?</object>\s*', text, re.S)
        assert one is not None
        text = text.replace(one[0], "")
        place = text.index("</objectgroup>", text.index('name="more"'))
        return renumbered(text[:place] + one[0] + text[place:])

    brought_back(game, tmp_path, edit)
    assert [instance.id for instance in room.instances] == numbers
    more = room.layers["more"]
    assert isinstance(more, InstanceLayer)
    assert [instance.id for instance in more.instances] == [numbers[1]]


# -- tiles --------------------------------------------------------------------------------------


def test_flags_of_tiles_mean_the_same_in_both() -> None:
    tile = pixels("RG BW")
    sheet = np.concatenate([np.zeros_like(tile), tile], axis=1)
    places = np.array([[0, 0], [0, 2]])
    for flags in range(8):
        word = np.array([[1 | flags << 28]], np.uint32)
        number = gids(word, 5, 2)
        assert int(number[0, 0]) & (DIAGONAL - 1) == 6
        shown = tile
        if number[0, 0] & DIAGONAL:
            shown = shown.transpose(1, 0, 2)
        if number[0, 0] & ACROSS:
            shown = shown[:, ::-1]
        if number[0, 0] & DOWN:
            shown = shown[::-1]
        assert np.array_equal(tilemap.draw(word, sheet, places, (2, 2)), shown), flags
        assert words_of(number, 5).tolist() == word.tolist()
    assert gids(np.array([[0, 2, 7, 1 << 31]], np.uint32), 5, 2).tolist() == [[0, 0, 0, 0]]


def test_changed_tiles_and_words_that_tiled_cannot_show(tmp_path: Path) -> None:
    game = a_game(NEW)
    layer = game.rooms["rm"].layers["ground"]
    assert isinstance(layer, TileLayer)
    before = np.array(layer.tiles)

    def edit(text: str) -> str:
        data = re.search(r'<data encoding="csv">(.*?)</data>', text, re.S)
        assert data is not None
        rows = [line.split(",") for line in data[1].strip().split("\n")]
        assert rows[1][:2] == ["0", "0"]
        rows[0][0], rows[1][0] = "0", str(int(rows[0][0]) + 1 | ACROSS)
        return text.replace(data[1], ",\n".join(",".join(r).strip(",") for r in rows))

    brought_back(game, tmp_path, edit)
    before[0, 0], before[1, 0] = 0, 2 | tilemap.MIRROR
    assert np.array_equal(np.array(layer.tiles), before)
    assert int(before[1, 1]) == 1 << 31  # an empty tile with flags, which stays
    sheet = Image.open(tmp_path / "tile_sets" / "ts.png")
    assert sheet.size == (6, 2) and sheet.getpixel((2, 0)) == (255, 0, 0, 255)


def test_layers_of_several_tile_sizes_share_a_grid(tmp_path: Path) -> None:
    game = a_game(NEW)
    room = game.rooms["rm"]
    big = add_background(game, "big", "....RRRR ....GGGG ....BBBB")
    big.tile_width, big.tile_height = 4, 3
    big.output_border_x = big.output_border_y = 0
    big.columns, big.tile_count, big.tile_ids = 2, 2, [0, 1]
    layer = room.layers.add("large", "tiles", 210)
    assert isinstance(layer, TileLayer)
    layer.tile_set = "big"
    layer.tiles = np.array([[1, 0], [0, 1]])
    game = GameData.from_bytes(game.to_bytes())
    before = game.to_bytes()
    assert brought_back(game, tmp_path).changed == [] and game.to_bytes() == before
    root = parse((tmp_path / "rm.tmx").read_bytes(), "rm.tmx")
    assert (root.attributes["tilewidth"], root.attributes["tileheight"]) == ("2", "1")
    shown = next(item for item in root.all("layer") if item.attributes["name"] == "large")
    assert (shown.attributes["width"], shown.attributes["height"]) == ("4", "6")
    rows = [line.strip(",").split(",") for line in (shown.all("data").__next__().text.split())]
    assert [[n != "0" for n in row] for row in rows] == [
        [False] * 4, [False] * 4, [True, False, False, False],
        [False] * 4, [False] * 4, [False, False, True, False],
    ]  # fmt: skip
    with pytest.raises(PlainFileError, match="row 0 is not on the grid"):
        path = tmp_path / "rm.tmx"
        text = path.read_text().split('name="large"')
        number = next(n for row in rows for n in row if n != "0")
        text[1] = text[1].replace("0,0,0,0", f"{number},0,0,0", 1)
        path.write_text('name="large"'.join(text))
        import_rooms(game, str(tmp_path))


def test_a_layer_gets_the_tiles_of_another_size_on_their_grid(tmp_path: Path) -> None:
    """Tiles of 2 x 2 and 4 x 3 pixels are on a grid of 2 x 1."""
    game = a_game(NEW)
    room = game.rooms["rm"]
    big = add_background(game, "big", "....RRRR ....GGGG ....BBBB")
    big.tile_width, big.tile_height = 4, 3
    big.output_border_x = big.output_border_y = 0
    big.columns, big.tile_count, big.tile_ids = 2, 2, [0, 1]
    layer = room.layers.add("large", "tiles", 210)
    assert isinstance(layer, TileLayer)
    layer.tile_set = "big"
    layer.tiles = np.array([[1, 0], [0, 1]])

    def edit(text: str) -> str:
        first = re.search(r'firstgid="(\d+)" source="tile_sets/ts.tsx"', text)
        assert first is not None
        one, two = int(first[1]) + 1, int(first[1]) + 2
        rows = [[0] * 4 for _ in range(6)]
        rows[1][0], rows[3][3], rows[5][1] = one, two, one
        place = text.index("<data", text.index('name="large"'))
        begin, end = text.index(">", place) + 1, text.index("</data>", place)
        return text[:begin] + ",".join(",".join(map(str, row)) for row in rows) + text[end:]

    brought_back(game, tmp_path, edit)
    layer = game.rooms["rm"].layers["large"]
    assert isinstance(layer, TileLayer)
    assert layer.tile_set is not None and layer.tile_set.name == "ts"
    assert np.array(layer.tiles).tolist() == [[1, 0, 0, 0], [0, 0, 0, 2], [0, 1, 0, 0]]


# -- layers and the room ------------------------------------------------------------------------


def test_the_room_and_its_layers(tmp_path: Path) -> None:
    game = a_game(NEW)
    room = game.rooms["rm"]
    edits = [
        replaced(r'name="width" type="int" value="64"', 'name="width" type="int" value="63"'),
        replaced(r'backgroundcolor="#000000"', 'backgroundcolor="#112233"'),
        replaced(r'name="things"', 'name="people" visible="0"'),
        replaced(r'name="assets"', 'name="assets" offsetx="3" offsety="-2.5"'),
        replaced(r'(value=")-100(")', r"\g<1>-200\2"),
        replaced(r'value="#102030"|value="#ff102030"', 'value="#ff405060"'),
        replaced(r'opacity="[\d.]+"', 'opacity="1"'),
        replaced(r'tintcolor="[^"]+"', 'tintcolor="#00ff00"'),
        replaced(r'repeatx="1"', 'repeaty="1"'),
        replaced(r'(name="stretch" type="bool" value=")false', r"\1true"),
    ]

    def edit(text: str) -> str:
        for item in edits:
            text = item(text)
        return text

    brought_back(game, tmp_path, edit)
    assert (room.width, room.height) == (63, 48)
    assert room.background_colour == Colour(0x11, 0x22, 0x33)
    assert not room.layers["people"].visible and room.layers["more"].depth == -200
    assert (room.layers["assets"].offset_x, room.layers["assets"].offset_y) == (3, -2.5)
    back, sky = room.layers["back"], room.layers["sky"]
    assert isinstance(back, BackgroundLayer) and isinstance(sky, BackgroundLayer)
    assert sky.colour == Colour(0x40, 0x50, 0x60)
    assert back.colour == Colour(0, 255, 0)
    assert (back.tile_horizontally, back.tile_vertically, back.stretch) == (False, True, True)


def test_layers_are_added_and_removed(tmp_path: Path) -> None:
    game = a_game(NEW)
    room = game.rooms["rm"]
    new = (
        '<objectgroup id="77" name="new">'
        '<object id="99" gid="OBJ" x="0" y="0" width="2" height="2"/></objectgroup>'
        '<layer id="78" name="cells" width="2" height="1">'
        '<data encoding="csv">GID,0</data></layer>'
    )

    def edit(text: str) -> str:
        first = re.search(r'firstgid="(\d+)" source="tile_sets/ts.tsx"', text)
        assert first is not None
        text = replaced(r' <objectgroup id="\d+" name="assets".*?</objectgroup>\n', "")(text)
        place = text.index("<objectgroup")
        added = new.replace("GID", str(int(first[1]) + 2)).replace("OBJ", gid_of(text, 0))
        return text[:place] + added + text[place:]

    assert brought_back(game, tmp_path, edit).changed == ["rm.tmx"]
    assert set(room.layers.names()) == {"things", "more", "ground", "back", "sky", "new", "cells"}
    # behind `things` (0), in front of `ground` (200)
    assert 0 <= room.layers["cells"].depth <= room.layers["new"].depth <= 200
    cells, added = room.layers["cells"], room.layers["new"]
    assert isinstance(cells, TileLayer) and cells.tiles.tolist() == [[2, 0]]
    assert isinstance(added, InstanceLayer) and [(i.x, i.y) for i in added.instances] == [(1, 1)]
    assert GameData.from_bytes(game.to_bytes()).rooms["rm"].layers.names() == room.layers.names()


def test_rooms_before_layers(tmp_path: Path) -> None:
    game = a_game(OLD)
    room = game.rooms["rm"]
    edits = [
        replaced(r'offsetx="0" offsety="5"', 'visible="0" offsetx="2" offsety="9"'),
        replaced(r'(gid="\d+" x=")8(" y="0")', r"\g<1>12\2"),
        replaced(r'<object id="\d+" gid="\d+" x="16" y="0".*?</object>', ""),
    ]
    brought_back(game, tmp_path, lambda text: edits[2](edits[1](edits[0](text))))
    shown = room.backgrounds[0]
    assert (shown.enabled, shown.x, shown.y) == (False, 2, 9)
    assert [(tile.x, tile.depth) for tile in room.tiles] == [(0, 10), (12, 10)]


@BOTH
def test_a_single_tile_shows_another_part(version: str, tmp_path: Path) -> None:
    game = a_game(version)
    room = game.rooms["rm"]
    if version == OLD:
        room.tiles.add("bg", 30, 7, source=(0, 1, 1, 1), depth=10)
    else:
        assets = room.layers["assets"]
        assert isinstance(assets, AssetLayer)
        assets.tiles.add("spr_a", 30, 7, source=(0, 1, 1, 1))
    brought_back(game, tmp_path)
    text = (tmp_path / "rm.tmx").read_text(encoding="utf-8")
    (gid,) = re.findall(r'gid="(\d+)" x="30" y="7"', text)
    at = 'x="8" y="0"' if version == OLD else 'x="3" y="3"'
    brought_back(game, tmp_path / "edited", replaced(rf'gid="\d+" {at}', f'gid="{gid}" {at}'))
    if version == OLD:
        tile = room.tiles[1]
        assert getattr(tile.background, "name", None) == "bg"
    else:
        assert isinstance(assets, AssetLayer)
        tile = assets.tiles[0]
        assert getattr(tile.sprite, "name", None) == "spr_a"
    assert (tile.source_x, tile.source_y, tile.width, tile.height) == (0, 1, 1, 1)
    assert GameData.from_bytes(game.to_bytes()).to_bytes() == game.to_bytes()


def test_tiles_that_a_map_lists_as_elements(tmp_path: Path) -> None:
    """Old files of Tiled have them: an empty one has the number 0 or none."""
    game = a_game(NEW)
    gids = ['gid="3"', 'gid="0"', "", "", 'gid="2"', "", "", ""]
    listed = "<data>" + "".join(f"<tile {gid}/>" for gid in gids) + "</data>"
    brought_back(game, tmp_path, replaced(r'<data encoding="csv">.*?</data>', listed))
    ground = game.rooms["rm"].layers["ground"]
    assert isinstance(ground, TileLayer)
    # a tile with flags only, which no map can show, is kept where nothing else came
    assert np.array(ground.tiles).tolist() == [[2, 0, 0, 0], [1, 1 << 31, 0, 0]]


def test_layers_are_hidden_where_the_map_says_so(tmp_path: Path) -> None:
    game = a_game(OLD)
    brought_back(game, tmp_path)
    assert 'visible="' not in (tmp_path / "rm.tmx").read_text(encoding="utf-8")
    game = a_game(NEW)
    layers = '<objectgroup name="seen"/><objectgroup name="unseen" visible="0"/></map>'
    brought_back(game, tmp_path / "new", replaced("</map>", layers))
    room = game.rooms["rm"]
    assert [room.layers[name].visible for name in ("seen", "unseen")] == [True, False]


# -- what is refused ----------------------------------------------------------------------------

MAP = "rm.tmx"
REFUSED: list[tuple[Edit, str]] = [
    (replaced("</map>", "</mp>"), "broken XML: mismatched tag"),
    (
        replaced(r"\?>", '?><!DOCTYPE m [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>'),
        "a document type is not allowed",
    ),
    (replaced('orientation="orthogonal"', 'orientation="isometric"'), "expected orthogonal"),
    (replaced('infinite="0"', 'infinite="1"'), "a room has a size"),
    (replaced(r'(<map [^>]*)width="32"', r'\1width="3000000000"'), "width: expected a whole"),
    (replaced('value="rm"', 'value="rm_other"'), "the game has no room 'rm_other'"),
    (replaced('firstgid="4"', f'firstgid="{DIAGONAL}"'), "firstgid: expected a whole"),
    (replaced('source="objects.tsx"', 'source="gone.tsx"'), "gone.tsx: can't be read"),
    (replaced('source="objects.tsx"', 'source="../../x.tsx"'), "leads out of the folder"),
    (replaced(r'(<object id="\d+" gid=)"\d+"', r'\1"99999"'), "no tile set of the map has"),
    (replaced(r'(<object id="\d+" gid=)"\d+"', r'\1"x"'), "gid: expected a number, got 'x'"),
    (replaced(r' gid="\d+" x="30"', ' x="30"'), "the name of an object is missing"),
    (replaced(r' gid="\d+" x="30"', ' type="obj_c" x="30"'), "no object 'obj_c'"),
    (replaced(r' x="30"', ' x="nan"'), "x: expected a number"),
    (replaced(r' x="30"', ' x="1e300"'), "x: expected a number"),
    (replaced(r' x="30"', ' x="3000000000"'), "x: "),
    (replaced(r' x="30"', ' name="Bob" x="30"'), "the name 'Bob' means nothing"),
    (replaced(r' x="30"', ' visible="0" x="30"'), "hidden"),
    (replaced(r' x="30"', ' template="a.tx" x="30"'), "template='a.tx' has no meaning"),
    (replaced(r'value="#40ff00ff"', 'value="red"'), "expected a colour, got 'red'"),
    (replaced(r'(name=")colour"', r'\1speed"'), "'speed' means nothing here (known: colour"),
    (replaced(r'(<layer [^>]*)name="ground"', r'\1name="ground" opacity="0.5"'), "opacity"),
    (replaced(r'(<layer [^>]*)name="ground"', r'\1name="ground" parallaxx="2"'), "parallaxx"),
    (replaced(r'name="things"', 'name="things" offsetx="4" offsety="0"'), "the offset of this"),
    (replaced(r'name="things"', 'name="more"'), "a layer 'more' already"),
    (replaced(r'(value=")-100(")', r"\g<1>1000\2"), "its depth 1000 is greater than 0"),
    (replaced(r'(value=")-100(")', r"\g<1>a\2"), "expected a whole number"),
    (replaced(r'(<data encoding="csv">\s*)\d+', r"\g<1>88888"), "has the tile 88888"),
    (replaced(r'(<data encoding="csv">\s*)\d+', r"\g<1>5"), "several tile sets"),
    (replaced(r'(<data encoding="csv">\s*)', r"\g<1>1,"), "9 tiles, but the layer has 8"),
    (replaced(r'(<data encoding="csv">\s*)\d+', r"\g<1>x"), "expected a number, got 'x'"),
    (replaced(r'<data encoding="csv">', '<data encoding="base64" compression="zstd">'), "CSV"),
    (replaced(r'<data encoding="csv">', '<data encoding="base64">'), "damaged"),
    (replaced(r'(<layer [^>]*)width="4"', r'\1width="99999999"'), "width: expected a whole"),
    (replaced(r'source="sprites/spr_b.png"', 'source="sprites/spr_z.png"'), "is not a picture of"),
    (replaced(r"<objectgroup ", "<group/><objectgroup "), "a room has no such layer"),
]


@pytest.mark.parametrize(("edit", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_a_room_cannot_hold_is_refused(edit: Edit, says: str, tmp_path: Path) -> None:
    game = a_game(NEW)
    before = game.to_bytes()
    with pytest.raises(PlainFileError) as caught:
        brought_back(game, tmp_path, edit)
    assert says in str(caught.value)
    assert game.to_bytes() == before


def test_two_maps_of_one_room_are_refused(tmp_path: Path) -> None:
    game = a_game(NEW)
    brought_back(game, tmp_path)
    (tmp_path / "two.tmx").write_bytes((tmp_path / "rm.tmx").read_bytes())
    with pytest.raises(PlainFileError, match=r"two.tmx: the room is that of rm.tmx too"):
        import_rooms(game, str(tmp_path))
    with pytest.raises(PlainFileError, match="no maps"):
        import_rooms(game, str(tmp_path / "sprites"))


@BOTH
def test_damaged_maps_give_one_error_and_leave_the_game(version: str, tmp_path: Path) -> None:
    game = a_game(version)
    before = game.to_bytes()
    brought_back(game, tmp_path)
    rng = random.Random(11)
    good = {name: (tmp_path / name).read_bytes() for name in ("rm.tmx", "objects.tsx")}
    refused = 0
    for _ in range(150):
        name = rng.choice(["rm.tmx", "rm.tmx", "rm.tmx", "objects.tsx"])
        data = bytearray(good[name])
        for _ in range(rng.randint(1, 6)):
            place = rng.randrange(len(data))
            match rng.randrange(4):
                case 0:
                    data[place] = rng.randrange(256)
                case 1:
                    del data[place : place + rng.randint(1, 40)]
                case 2:
                    data[place:place] = rng.choice([b"9", b"-", b'"', b"<", b">", b"&#0;", b"\xff"])
                case 3:
                    data[place:] = data[place : place + rng.randint(1, 200)]
        (tmp_path / name).write_bytes(data)
        try:
            import_rooms(game, str(tmp_path))
        except PlainFileError as error:
            refused += 1
            assert len(str(error)) < 400
            assert game.to_bytes() == before
        else:
            game = GameData.from_bytes(before)
        (tmp_path / name).write_bytes(good[name])
    assert refused > 75


def test_numbers_are_the_same_to_six_digits() -> None:
    assert same(240.0625, 240.063) and same(0, 0) and same(-1234.5678, -1234.57)
    assert not same(240.06, 240.063) and not same(200000, 200001) and not same(0, 1e-9)


def test_pictures_of_a_map_are_those_of_the_game(tmp_path: Path) -> None:
    game = a_game(OLD)
    brought_back(game, tmp_path)
    with Image.open(tmp_path / "sprites" / "spr_a.png") as image:
        assert np.array_equal(np.asarray(image), pixels("RG BW"))
    with Image.open(tmp_path / "parts" / "0.png") as image:
        assert np.array_equal(np.asarray(image), pixels("GB YK"))
    assert text_of(game.rooms["rm"], region=(0, 0, 4, 1), layers=["tiles"]) == "GGBB"


def test_a_map_shows_the_first_picture_of_a_sprite(tmp_path: Path) -> None:
    game = a_game(NEW)
    add_object(game, "obj_two", add_sprite(game, "spr_two", "RG BW", "WW RR"))
    brought_back(game, tmp_path)
    with Image.open(tmp_path / "sprites" / "spr_two.png") as image:
        assert np.array_equal(np.asarray(image), pixels("RG BW"))
