"""Which release a file shows by its layout: for each place where releases differ, a made file."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np
import pytest

from overhaul.gamemaker.data.chunks.extn import Extension, ExtensionFile
from overhaul.gamemaker.data.chunks.font import Font, Glyph, Kerning
from overhaul.gamemaker.data.chunks.objt import GameObject, Vertex, event_types
from overhaul.gamemaker.data.chunks.room import (
    AssetsLayer,
    BackgroundLayer,
    EffectLayer,
    Instance,
    InstancesLayer,
    Layer,
    LayerType,
    Room,
    SpriteInstance,
    TileMap,
    TilesLayer,
)
from overhaul.gamemaker.data.chunks.seqn import AnimationCurve, CurveChannel, CurvePoint, Sequence
from overhaul.gamemaker.data.chunks.sond import AudioGroupEntry, Sound
from overhaul.gamemaker.data.chunks.sprt import (
    NineSlice,
    SpineSprite,
    Sprite,
    SpriteSequence,
    SpriteType,
    mask_size,
)
from overhaul.gamemaker.data.chunks.txtr import Background, TextureGroup, TexturePage
from overhaul.gamemaker.data.detect import detect
from overhaul.gamemaker.data.detect_code import Probe
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.form import read_form
from overhaul.media import png
from small_games import game_of

Build = Callable[[GameData], None]
PAGE = png.encode(np.zeros((4, 4, 4), np.uint8))


def pages(count: int, size: int = len(PAGE)) -> Build:
    def build(game: GameData) -> None:
        game.textures.items.clear()
        game.texture_items.items.clear()
        for group in game.records.texture_groups.present():
            group.pages = []
        game.record("EMBI").images.clear()
        game.textures.items.extend(TexturePage(blob=PAGE.ljust(size)) for _ in range(count))

    return build


def room(game: GameData, **fields: object) -> None:
    game.records.rooms.append(Room(name=game.strings.add("rm_shape"), **fields))  # type: ignore[arg-type]


def instances(count: int) -> Build:
    return lambda game: room(game, instances=[Instance(id=100000 + n) for n in range(count)])


def layer(kind: LayerType, make: Callable[[], object], tail: bool = False) -> Build:
    def build(game: GameData) -> None:
        names = ("first", "second")[: 1 + tail]
        add = game.strings.add
        layers = [Layer(name=add(n), id=i, type=kind, data=make()) for i, n in enumerate(names)]
        room(game, layers=layers)

    return build


def tiles() -> TilesLayer:
    return TilesLayer(width=3, height=5, tiles=TileMap("I", [7] * 14 + [9]))


def assets() -> AssetsLayer:
    return AssetsLayer(sprites=[SpriteInstance()])


def curve(*points: int) -> Build:
    def build(game: GameData) -> None:
        name = game.strings.add("curve")
        for count in points:
            channel = CurveChannel(name, points=[CurvePoint() for _ in range(count)])
            game.records.curves.append(AnimationCurve(name, channels=[channel, channel]))

    return build


def font(kerning: int, glyphs: int = 3) -> Build:
    def build(game: GameData) -> None:
        listed = [Glyph(65 + n, kerning=[Kerning() for _ in range(kerning)]) for n in range(glyphs)]
        add = game.strings.add
        game.records.fonts.append(Font(add("fnt"), add("Face"), glyphs=listed))

    return build


def game_object(vertices: int) -> Build:
    def build(game: GameData) -> None:
        made = GameObject(game.strings.add("obj_shape"))
        made.events = [[] for _ in range(event_types(game.release))]
        made.vertices = [Vertex() for _ in range(vertices)]
        game.records.objects.append(made)

    return build


def extension(files: int, count: int = 1) -> Build:
    def build(game: GameData) -> None:
        text = game.strings.add("text")
        for _ in range(count):
            listed = [ExtensionFile(text, text, text) for _ in range(files)]
            made = Extension(text, text, text, text, files=listed)
            game.records.extensions.append(made)
            if "EXTN" in game.chunks:
                game.record("EXTN").product_ids.append(bytes(16))

    return build


def mask(*boxes: tuple[int, int], sub_version: int = 1) -> Build:
    def build(game: GameData) -> None:
        for number, (width, height) in enumerate(boxes):
            made = Sprite(game.strings.add(f"spr_{number}"), 40, 30, 3, 2 + width, 3 + height, 4)
            made.sub_version = sub_version
            if sub_version >= 2:  # what stands behind the masks
                made.sequence = SpriteSequence(sequence=Sequence(game.strings.add("spr")))
            if sub_version >= 3:
                made.nine_slice = NineSlice()
            sides = (40, 30, 3, 2 + width, 4, 3 + height)
            wide, high = mask_size(game.release, *sides)
            made.masks = [bytes((wide + 7) // 8 * high)]
            game.records.sprites.append(made)

    return build


def tileset(*counts: int, frames: int = 2) -> Build:
    def build(game: GameData) -> None:
        for number, count in enumerate(counts):
            made = Background(game.strings.add(f"ts_{number}"), frames_per_tile=frames)
            made.tile_count = count
            made.tile_ids = array("I", range(count * frames))
            game.records.backgrounds.append(made)

    return build


def groups(count: int) -> Build:
    def build(game: GameData) -> None:
        game.records.audio_groups.items.clear()
        for number in range(count):
            made = AudioGroupEntry(game.strings.add(f"group_{number}"), game.strings.add("path"))
            game.records.audio_groups.append(made)

    return build


def sound(game: GameData) -> None:
    game.records.sounds.append(Sound(game.strings.add("snd"), length=1.5))


def shown(version: str, build: Build, reason: str) -> list[str]:
    """The releases that a reason shows of a game that nothing else dates."""
    game = game_of(version)
    flags, options = game.record("FEAT"), game.record("OPTN")
    if flags is not None:
        flags.flags = []
    options.constants = []
    build(game)
    read = GameData.from_bytes(game.to_bytes())
    return [conclusion.version for conclusion in read.evidence if conclusion.reason == reason]


LAYERS: dict[LayerType, Callable[[], object]] = {
    LayerType.BACKGROUND: BackgroundLayer,
    LayerType.INSTANCES: lambda: InstancesLayer([1, 2]),
    LayerType.ASSETS: assets,
    LayerType.TILES: tiles,
    LayerType.EFFECT: EffectLayer,
}
#: what shows a release, made files, and what each release of a file shows
CASES: list[tuple[str, list[Build], dict[str, str]]] = [
    (
        "size of texture page records",
        [pages(1), pages(2), pages(1, 1 << 20)],
        {"2.0": "", "2.0.6": "2.0.6", "2.3": "", "2022.1": "", "2022.3": "2022.3", "2022.8": ""},
    ),
    (
        "size of room instances",
        [instances(1), instances(2)],
        {"2.0": "", "2.2.1": "", "2.2.2.302": "2.2.2.302", "2.3": ""},
    ),
    (
        "size of curve points",
        [curve(2), curve(2, 3), curve(0, 2)],
        {"2.3": "", "2.3.1": "2.3.1", "2.3.2": "2.3.1"},
    ),
    (
        "size of layer records",
        [layer(kind, make, tail) for kind, make in LAYERS.items() for tail in (False, True)],
        {"2.3": "", "2.3.2": "", "2.3.7": "", "2022.1": "2022.1", "2022.5": "2022.1"},
    ),
    (
        "size of object records",
        [game_object(0), game_object(3)],
        {"2.3.2": "", "2022.3": "", "2022.5": "2022.5", "2022.8": ""},
    ),
    (
        "shape of extension records",
        [extension(files, count) for files in range(4) for count in (1, 2)],
        {"2.3.2": "", "2022.5": "", "2022.6": "2022.6", "2023.2": "2023.4", "2023.4": "2023.4"},
    ),
    (
        "place and size of glyphs",
        [font(0), font(2), font(1, 80)],
        {"2.3": "", "2022.1": "", "2022.2": "2022.2", "2023.6": "2023.6", "2024.11": "2024.11"},
    ),
    (
        "compressed tile maps",
        [layer(LayerType.TILES, tiles), layer(LayerType.TILES, tiles, True)],
        {"2023.2": "", "2023.11": "", "2024.2": "2024.2", "2024.4": "2024.4"},
    ),
    ("size of sound records", [sound], {"2024.4": "", "2024.6": "2024.6", "2024.8": "2024.6"}),
    (
        "collision masks of the bounding box only",
        [
            mask((9, 5)),
            mask((9, 5), (17, 6)),
            mask((33, 25)),
            mask((9, 5), sub_version=2),
            mask((9, 5), sub_version=3),
        ],
        {"2023.2": "", "2024.4": "", "2024.6": "2024.6", "2024.8": "2024.6"},
    ),
    (
        "lists of asset layers",
        [layer(LayerType.ASSETS, assets), layer(LayerType.ASSETS, assets, True)],
        {"2023.2": "", "2024.4": "", "2024.6": "2024.6"},
    ),
    (
        "size of audio group records",
        [groups(1), groups(2), groups(3)],
        {"2024.13": "", "2024.14": "2024.14"},
    ),
    (
        "size of tile set records",
        [tileset(3), tileset(3, 4), tileset(3, 5, frames=1)],
        {"2024.14": "", "2024.14.1": "2024.14.1", "2024.14.4": "2024.14.1"},
    ),
]


@pytest.mark.parametrize(("reason", "builds", "expected"), CASES, ids=[case[0] for case in CASES])
def test_a_layout_shows_its_release(
    reason: str, builds: list[Build], expected: dict[str, str]
) -> None:
    for number, build in enumerate(builds):
        found = {version: shown(version, build, reason) for version in expected}
        assert found == {v: [release] if release else [] for v, release in expected.items()}, number


def test_fonts_without_a_code_page_show_their_release() -> None:
    reason = "no code page after the fonts"

    def build(game: GameData) -> None:
        font(2)(game)
        groups(0)(game)  # which would show the same release

    assert shown("2024.13", build, reason) == []
    assert shown("2024.14", build, reason) == ["2024.14"]


@pytest.mark.parametrize(("version", "found"), [("2024.13", []), ("2024.14", ["2024.14"])])
def test_places_of_fonts_that_are_gone_are_no_code_page(version: str, found: list[str]) -> None:
    def build(game: GameData) -> None:
        game.records.fonts.items.extend([None] * 600)
        groups(0)(game)

    assert shown(version, build, "no code page after the fonts") == found


@pytest.mark.parametrize("lts", [False, True])
def test_texture_groups_tell_2023_1_from_the_long_term_branch(lts: bool) -> None:
    game = game_of("2023.1")
    game.chunks["TGIN"].version = game.release._replace(lts=lts)
    game.records.texture_groups.append(TextureGroup(game.strings.add("Title")))
    read = GameData.from_bytes(game.to_bytes())
    assert (read.release.number[:2], read.release.lts) == ((2023, 1), lts)
    assert ("shape of texture groups" in [each.reason for each in read.evidence]) is not lts


def test_a_sprite_that_is_no_bitmap_has_no_masks() -> None:
    """Read as a mask, the skeleton is as long as one of the bounding box."""

    def build(game: GameData) -> None:
        mask((8, 24))(game)
        (made,) = game.records.sprites.present()
        made.sprite_type, made.special = SpriteType.SPINE, SpineSprite(version=1, json=b"json")

    reason = "collision masks of the bounding box only"
    assert shown("2024.4", build, reason) == shown("2024.6", build, reason) == []


def test_functions_without_locals_show_their_release() -> None:
    def build(game: GameData) -> None:
        game.add_script("scr", "function scr() { var a = 1; return a; }")

    assert shown("2024.6", build, "no code locals") == []
    assert shown("2024.8", build, "no code locals") == ["2024.8"]


def test_fonts_of_builds_before_particle_systems_show_2022_8() -> None:
    game = game_of("2023.2")
    font(2)(game)
    data = game.to_bytes()
    for chunk in (b"PSEM", b"PSYS", b"FEAT"):
        data = data.replace(chunk, chunk[:3] + b"_")
    reason = "place and size of glyphs"
    evidence = GameData.from_bytes(data).evidence
    assert [entry.version for entry in evidence if entry.reason == reason] == ["2022.8"]


@pytest.mark.parametrize("options", [0, 1 << 30])
def test_an_extension_whose_options_are_elsewhere_shows_nothing(options: int) -> None:
    game = game_of("2022.6")
    extension(1)(game)
    data = bytearray(game.to_bytes())
    probe = Probe(bytes(data), read_form(bytes(data)))
    (at,) = probe.listed("EXTN")
    place = at + probe.place("Extension.options", (2022, 6))
    reason = "shape of extension records"

    def versions() -> list[str]:
        evidence = detect(bytes(data), read_form(bytes(data)))[1]
        return [entry.version for entry in evidence if entry.reason == reason]

    assert versions() == ["2022.6"]
    data[place : place + 4] = options.to_bytes(4, "little")
    assert versions() == []
