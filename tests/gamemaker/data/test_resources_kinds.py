"""Fonts, shaders, curves, sequences, extensions and particles as people change them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

from overhaul.gamemaker.data.chunks import extn, seqn
from overhaul.gamemaker.data.chunks.extn import ReturnType
from overhaul.gamemaker.data.chunks.font import Font, Glyph, Kerning
from overhaul.gamemaker.data.chunks.psem import ParticleEmitter, ParticleSystem
from overhaul.gamemaker.data.chunks.seqn import (
    AnimationCurve,
    CurveChannel,
    CurvePoint,
    UnnamedCurve,
)
from overhaul.gamemaker.data.chunks.shdr import Shader
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.fields import Colour
from small_games import again, game_of


def refused(kind: type[Exception], message: str, holder: Any, name: str, value: Any) -> None:
    before = holder.game.to_bytes()
    with pytest.raises(kind, match=message):
        setattr(holder, name, value)
    assert holder.game.to_bytes() == before


# -- fonts ---------------------------------------------------------------------------------------


def with_font(version: str, size: float) -> GameData:
    game = game_of(version)
    glyphs = [Glyph(ord(item), width=3, height=5, shift=4) for item in "abé"]
    glyphs[1].kerning = [Kerning(ord("a"), -1)]
    font = Font(game.strings.add("fnt_small"), game.strings.add("Arial"), size, glyphs=glyphs)
    game.records.fonts.append(font)
    return game


def test_glyphs_by_character() -> None:
    game = with_font("2024.14", -12.0)
    font = game.fonts["fnt_small"]
    assert repr(font) == "<Font fnt_small 12 pt, 3 glyphs>"
    assert list(font.glyphs) == ["a", "b", "é"] and "b" in font.glyphs and "z" not in font.glyphs
    assert repr(font.glyphs["é"]) == "<Glyph 'é' 3×5 at 0, 0>"
    assert font.glyphs["b"].kerning == {"a": -1}
    with pytest.raises(KeyError, match="fnt_small has no glyph for 'z'"):
        font.glyphs["z"]
    assert font.covers("abba\r\né") and not font.covers("abc")
    assert font.missing("zabcz😀") == ["z", "c", "😀"]
    pair = font.record.glyphs[1].kerning[0]
    font.glyphs["b"].kerning = {"a": -1, "ﬁ": 2}
    assert font.record.glyphs[1].kerning[0] is pair
    font.glyphs["a"].shift = 7
    read = again(game).fonts["fnt_small"]
    assert read.glyphs["b"].kerning == {"a": -1, "ﬁ": 2}
    assert (read.glyphs["a"].shift, read.glyphs["b"].shift) == (7, 4)
    assert font.image is None and font.glyphs["a"].image is None
    glyph = font.glyphs["a"]
    refused(ValueError, "expected one character", glyph, "kerning", {"ab": 1})
    refused(ValueError, "expected one character", glyph, "kerning", {"😀": 1})
    refused(TypeError, "kerning: expected a whole number", glyph, "kerning", {"a": 1.5})
    refused(ValueError, "amount: 40000 does not fit i16", glyph, "kerning", {"a": 40000})
    refused(ValueError, "shift: 70000 does not fit i16", glyph, "shift", 70000)


@pytest.mark.parametrize(
    ("version", "size", "fraction"), [("2024.14", -12.0, 13.5), ("1.4.9999", 12, None)]
)
def test_the_size_of_a_font(version: str, size: float, fraction: float | None) -> None:
    game = with_font(version, size)
    font = game.fonts[0]
    before = game.to_bytes()
    font.size = 12
    assert game.to_bytes() == before
    font.size = 20
    assert again(game).fonts[0].size == 20
    assert again(game).records.fonts[0].size == (-20 if fraction else 20)
    if fraction:
        font.size = fraction
        assert again(game).fonts[0].size == fraction
    else:
        refused(ValueError, "size: 13.5 does not fit u32", font, "size", 13.5)
        refused(ValueError, "ascender: files of", font, "ascender", 3)
    for wrong in (0, -3, float("nan"), 1e30):
        refused(ValueError, "size: expected more than 0", font, "size", wrong)


# -- shaders -------------------------------------------------------------------------------------


def test_sources_of_shaders() -> None:
    game = game_of("2024.14")
    add = game.strings.add
    record = Shader(add("shd_a"), attributes=[add("in_Position")])
    for number, name in enumerate(record.__struct_fields__[2:8]):
        setattr(record, name, add(f"void main() {{ }} // {number}"))
    game.records.shaders.append(record)
    shader = game.shaders["shd_a"]
    assert repr(shader) == "<Shader shd_a GLSL_ES>" and shader.compiled == {}
    shader.vertex = "void main() { /* new */ }"
    shader.hlsl9_fragment = "float4 main() : COLOR { return 0; }"
    shader.attributes = [*shader.attributes, "in_Colour"]
    read = again(game).shaders[0]
    assert read.vertex == "void main() { /* new */ }"
    assert read.fragment == "void main() { } // 1"
    assert read.hlsl9_fragment == "float4 main() : COLOR { return 0; }"
    assert read.attributes == ["in_Position", "in_Colour"]
    refused(TypeError, "glsl_es_vertex: expected a text or None, got 5", shader, "vertex", 5)
    refused(TypeError, "attributes: expected a list of names", shader, "attributes", "in_Colour")
    refused(TypeError, "attributes: expected a list of names", shader, "attributes", [1])
    refused(ValueError, "type: expected one of GLSL_ES", shader, "type", "MSL")
    shader.type = "GLSL"
    assert again(game).records.shaders[0].type == 0x80000002


# -- curves --------------------------------------------------------------------------------------


def test_curves() -> None:
    game = game_of("2024.14")
    made = game.animation_curves.add("ac_jump", {"up": [(0, 0), (1, 5)]}, function="smooth")
    made.channels["up"].points.append((2, 0, 0.1))
    made.channels["up"].name = "height"
    read = again(game).animation_curves["ac_jump"]
    assert repr(read) == "<AnimationCurve ac_jump 1 channel>"
    channel = read.channels["height"]
    assert channel == read.channels[0] and channel.function.name == "SMOOTH"
    assert repr(channel) == "<CurveChannel height: 3 points>"
    assert [point[:2] for point in channel.points] == [(0, 0), (1, 5), (2, 0)]
    assert channel.points[2].bezier_x0 == pytest.approx(0.1)
    with pytest.raises(KeyError, match=r"no channel named 'heigth' \(did you mean 'height'"):
        read.channels["heigth"]
    before = game.to_bytes()
    for channels, function, kind in [
        ({"a": [(1,)]}, "linear", TypeError),
        ({1: []}, "linear", TypeError),
        ({"a": []}, "bouncy", ValueError),
        ({"a": [(1e99, 0)]}, "linear", ValueError),
    ]:
        wrong: Any = channels
        with pytest.raises(kind):
            game.animation_curves.add("ac_b", wrong, function=function)
    with pytest.raises(ValueError, match="has no animation curves"):
        game_of("2.2.5").animation_curves.add("ac_b", {})
    assert game.to_bytes() == before


def test_handles_of_curves_are_not_dropped_where_files_lack_them() -> None:
    game = game_of("2.3")
    curve = AnimationCurve(game.strings.add("ac_a"))
    curve.channels = [CurveChannel(game.strings.add("c"), points=[CurvePoint(0.0, 1.0)])]
    game.records.curves.append(curve)
    points = game.animation_curves[0].channels[0].points
    points.append((1, 2))
    with pytest.raises(ValueError, match="bezier_x0: files of"):
        points.append((2, 3, 0.5))
    assert len(again(game).animation_curves[0].channels[0].points) == 2


# -- embedded images -----------------------------------------------------------------------------


def test_embedded_images() -> None:
    game = game_of("2.3")
    picture = np.random.default_rng(1).integers(0, 256, (3, 5, 4), np.uint8)
    made = game.embedded_images.add("C:\\bin\\pt_shape_disk.png", picture)
    assert repr(made) == "<EmbeddedImage C:\\bin\\pt_shape_disk.png 5×3>"
    game.embedded_images.add("fallbacktexture.png", picture[:, :2])
    game = again(game)
    assert game.embedded_images.names() == ["C:\\bin\\pt_shape_disk.png", "fallbacktexture.png"]
    image = game.embedded_images[0].image
    assert image is not None and np.array_equal(np.asarray(image), picture)
    game.embedded_images["fallbacktexture.png"].image = picture[::-1]
    game.embedded_images.rename(0, "disk.png")
    game.embedded_images.duplicate("disk.png", "other.png")
    read = again(game)
    assert read.embedded_images.names() == ["disk.png", "fallbacktexture.png", "other.png"]
    for name, shown in (("disk.png", picture), ("fallbacktexture.png", picture[::-1])):
        assert np.array_equal(np.asarray(read.embedded_images[name].image), shown)
    read.embedded_images.remove("disk.png")
    target = game_of("2024.13")
    target.embedded_images.copy_from(read.embedded_images["other.png"])
    assert np.array_equal(np.asarray(again(target).embedded_images[0].image), picture)
    before = read.to_bytes()
    with pytest.raises(ValueError, match="taken by the embedded image"):
        read.embedded_images.add("other.png", picture)
    with pytest.raises(ValueError, match="larger than a texture page"):
        read.embedded_images.add("wide.png", np.zeros((1, 70_000, 4), np.uint8))
    with pytest.raises(TypeError, match="expected a Pillow image"):
        read.embedded_images["other.png"].image = "pt.png"  # type: ignore[assignment]
    assert read.to_bytes() == before
    with pytest.raises(ValueError, match="has no embedded images"):
        game_of("1.4.1804").embedded_images.add("a.png", picture)


# -- sequences -----------------------------------------------------------------------------------


def test_tracks_are_added() -> None:
    game = game_of("2024.14")
    sprite = game.sprites.add("spr_a", frames=[np.full((2, 2, 4), 255, np.uint8)])
    game.fonts._add(Font(), "fnt_a")
    game.objects.add("obj_new")
    inner = game.sequences.add("seq_inner")
    system = game.particle_systems.add("ps_a")
    sequence = game.sequences.add("seq_a", length=30)
    group = sequence.tracks.add_group("all")
    track = group.tracks.add(sprite, start=5)
    track.tracks.add_values("position", {10: (4, 5.5), 0: (1, 2)})
    track.tracks.add_values("rotation", {0: 90}, interpolate=False)
    track.tracks.add_values("blend_multiply", {0: "#ff000080"})
    track.tracks.add_values("frame_size", {0: [3, 4]})
    text = sequence.tracks.add_text("hello", "fnt_a", start=2, length=3.5)
    others: list[Any] = [game.objects["obj_new"], inner, system]
    for other in others:
        sequence.tracks.add(other, name=f"a {other.name}")
    game = again(game)
    sequence = game.sequences["seq_a"]
    assert [(track.kind, track.name) for track in sequence.tracks] == [
        ("GMParticleTrack", "a ps_a"),
        ("GMSequenceTrack", "a seq_inner"),
        ("GMInstanceTrack", "a obj_new"),
        ("GMTextTrack", "Text"),
        ("GMGroupTrack", "all"),
    ]
    text = sequence.tracks["Text"]
    (key,) = text.keyframes
    assert (key.frame, key.length, key.channels[0].value) == (2, 3.5, "hello")
    channel = key.channels[0].record
    assert isinstance(channel, seqn.TextChannel) and str(channel.font.name) == "fnt_a"
    assert sequence.tracks[0].keyframes[0].channels[0].value.name == "ps_a"
    track = sequence.tracks["all"].tracks["spr_a"]
    (key,) = track.keyframes
    assert (key.frame, key.length, key.channels[0].value.name) == (5, 25, "spr_a")
    result = {
        item.name: [(k.frame, [(c.number, c.value) for c in k.channels]) for k in item.keyframes]
        for item in track.tracks
    }
    assert result == {
        "position": [(0, [(0, 1), (1, 2)]), (10, [(0, 4), (1, 5.5)])],
        "rotation": [(0, [(0, 90)])],
        "blend_multiply": [(0, [(0, Colour(255, 0, 0, 128))])],
        "frameSize": [(0, [(0, 3), (1, 4)])],
    }
    assert [item.builtin.name for item in track.tracks] == [
        *("POSITION", "ROTATION", "BLEND_MULTIPLY", "FRAME_SIZE")
    ]
    stores: list[Any] = [item.record.keyframes for item in track.tracks]
    kinds = [
        (item.kind, store.interpolation) for item, store in zip(track.tracks, stores, strict=True)
    ]
    assert kinds[:3] == [("GMRealTrack", 1), ("GMRealTrack", 0), ("GMColourTrack", 1)]
    sequence.tracks.remove(text)
    track.tracks.remove(track.tracks["rotation"])
    read = again(game).sequences["seq_a"]
    assert len(read.tracks) == 4 and len(read.tracks["all"].tracks[0].tracks) == 3
    with pytest.raises(ValueError, match="is not among these 4"):
        read.tracks.remove(text)


def test_the_messages_of_a_sequence() -> None:
    game = game_of("2024.14")
    record = game.sequences.add("seq_a", length=30).record
    told, called = game.strings.add("landed"), game.strings.add("on_land")
    record.broadcast_messages = [seqn.MessageKeyframe(4, channels=[seqn.Messages(0, [told])])]
    record.moments = [seqn.MessageKeyframe(7, channels=[seqn.Messages(0, [called])])]
    sequence = again(game).sequences["seq_a"]
    for keys, frame, message in (
        (sequence.broadcasts, 4, "landed"),
        (sequence.moments, 7, "on_land"),
    ):
        (key,) = keys
        assert (key.frame, [channel.value for channel in key.channels]) == (frame, [[message]])


def test_tracks_that_are_refused() -> None:
    game = game_of("2024.14")
    sprite = game.sprites.add("spr_a", frames=[np.full((2, 2, 4), 255, np.uint8)])
    game.fonts._add(Font(), "fnt_a")
    sequence = game.sequences.add("seq_a", length=30)
    tracks = sequence.tracks
    before = game.to_bytes()
    cases: tuple[tuple[type[Exception], str, Callable[[], object]], ...] = (
        (TypeError, "expected a sprite, object,", lambda: tracks.add("spr_a")),  # type: ignore[arg-type]
        (TypeError, "expected a sprite, object,", lambda: tracks.add(game.rooms[0])),
        (ValueError, "is of another game", lambda: tracks.add(again(game).sprites["spr_a"])),
        (ValueError, "seq_a can't be played in itself", lambda: tracks.add(sequence)),
        (ValueError, "a start from 0 on", lambda: tracks.add(sprite, start=-1)),
        (ValueError, "a length above 0, got 30", lambda: tracks.add(sprite, start=30)),
        (ValueError, "a length above 0", lambda: tracks.add(sprite, length=float("inf"))),
        (TypeError, "key: expected a number", lambda: tracks.add(sprite, start="0")),  # type: ignore[arg-type]
        (KeyError, "no font named 'fnt_b'", lambda: tracks.add_text("a", "fnt_b")),
        (TypeError, "expected a text", lambda: tracks.add_text(7, "fnt_a")),  # type: ignore[arg-type]
        (ValueError, "builtin_name: expected one of", lambda: tracks.add_values("size", {0: 1})),
        (ValueError, "position: expected 2 numbers", lambda: tracks.add_values("position", {0: 1})),
        (ValueError, "scale: expected 2 numbers", lambda: tracks.add_values("scale", {0: (1,)})),
        (TypeError, "expected a number", lambda: tracks.add_values("rotation", {0: "1"})),
        (ValueError, "rotation: expected values", lambda: tracks.add_values("rotation", {})),
        (ValueError, "colour", lambda: tracks.add_values("blend_add", {0: "reddish"})),
    )
    for kind, message, add in cases:
        with pytest.raises(kind, match=message):
            add()
        assert not len(tracks)
        assert game.to_bytes() == before


def test_sequences() -> None:
    game = game_of("2024.14")
    add = game.strings.add
    for name in ("spr_a", "spr_b"):
        game.records.sprites.append(Sprite(add(name)))
    sprite = game.records.sprites.reference(0)
    curve = UnnamedCurve(channels=[CurveChannel(add("x"))])
    tracks = [
        seqn.Track(add("GMGraphicTrack"), add("picture"), tracks=[
            seqn.Track(add("GMRealTrack"), add("position"), 14, keyframes=seqn.RealFrames(frames=[
                seqn.RealKeyframe(0.0, channels=[
                    seqn.RealChannel(0, 4.0),
                    seqn.RealChannel(1, 5.0, embedded=True, own_curve=curve),
                ]),
            ])),
            seqn.Track(add("GMColourTrack"), add("blend"), 10, keyframes=seqn.ColourFrames(frames=[
                seqn.ColourKeyframe(0.0, channels=[seqn.ColourChannel(0, -1)]),
            ])),
        ], keyframes=seqn.SpriteFrames(frames=[
            seqn.SpriteKeyframe(0.0, 60.0, channels=[seqn.SpriteChannel(0, sprite)]),
        ])),
    ]  # fmt: skip
    moments = [seqn.MessageKeyframe(3.0, channels=[seqn.Messages(0, [add("boom")])])]
    game.records.sequences.append(
        seqn.Sequence(add("seq_a"), length=60.0, tracks=tracks, moments=moments)
    )
    read = again(game)
    sequence = read.sequences["seq_a"]
    assert repr(sequence) == "<Sequence seq_a 60 frames, 1 track>"
    picture = sequence.tracks["picture"]
    assert picture.kind == "GMGraphicTrack"
    assert picture.keyframes[0].channels[0].value == read.sprites["spr_a"]
    place = picture.tracks["position"]
    assert place.builtin.name == "POSITION"
    x, y = place.keyframes[0].channels
    assert (x.value, x.curve, y.number) == (4.0, None, 1)
    assert y.curve is not None and y.curve[0].name == "x"
    colour = picture.tracks["blend"].keyframes[0].channels[0]
    assert colour.value == Colour(255, 255, 255)
    assert sequence.moments[0].channels[0].value == ["boom"]
    picture.keyframes[0].channels[0].value = "spr_b"
    picture.keyframes[0].length = 30
    x.value = 9
    colour.value = "#ff000080"
    sequence.playback = "loop"
    sequence = again(read).sequences[0]
    picture = sequence.tracks[0]
    result = picture.keyframes[0]
    assert result.channels[0].value.name == "spr_b" and result.length == 30
    assert repr(result) == "<Keyframe at 0: <Sprite spr_b 0×0, 0 frames>>"
    assert picture.tracks[0].keyframes[0].channels[0].value == 9
    assert picture.tracks[1].keyframes[0].channels[0].value == Colour(255, 0, 0, 128)
    assert sequence.playback.name == "LOOP"
    channel = result.channels[0]
    refused(KeyError, "no sprite named 'spr_c'", channel, "value", "spr_c")
    refused(TypeError, "sprite: expected a name, sprite or None", channel, "value", 4)
    refused(TypeError, "can't be set", sequence.moments[0].channels[0], "value", ["bang"])
    refused(TypeError, "length: expected a number", result, "length", "long")


# -- extensions ----------------------------------------------------------------------------------


def test_extensions() -> None:
    game = game_of("2024.14")
    add = game.strings.add
    function = extn.ExtensionFunction(add("add_up"), 1, 11, 2, add("AddUp"), [1, 2])
    file = extn.ExtensionFile(add("sums.dll"), add(""), add(""), 1, [function])
    option = extn.ExtensionOption(add("fast"), add("True"), 0)
    game.records.extensions.append(
        extn.Extension(add("ext"), add("Sums"), add("1.0"), add(""), [file], [option])
    )
    sums = game.extensions["Sums"]
    assert repr(sums) == "<Extension Sums 1 file>"
    assert repr(sums.files["sums.dll"]) == "<ExtensionFile sums.dll, 1 function>"
    result = sums.files["sums.dll"].functions["add_up"]
    assert repr(result) == "<ExtensionFunction add_up(string, double)>"
    result.arguments = ["double", ReturnType.DOUBLE, 1]
    result.external_name = "AddUp2"
    sums.options["fast"].value = "False"
    sums.files[0].kind = extn.ExtensionKind.GENERIC
    read = again(game).extensions[0]
    result = read.files[0].functions[0]
    assert result.arguments == [ReturnType.DOUBLE, ReturnType.DOUBLE, ReturnType.STRING]
    assert (result.external_name, read.options[0].value) == ("AddUp2", "False")
    assert read.files[0].kind is extn.ExtensionKind.GENERIC
    refused(ValueError, "arguments: expected one of STRING, DOUBLE", result, "arguments", [3])
    refused(ValueError, "id: -1 does not fit u32", result, "id", -1)
    with pytest.raises(KeyError, match="no function named 'add_upp'"):
        read.files[0].functions["add_upp"]
    with pytest.raises(IndexError, match="no file number 1 of 1"):
        read.files[1]


# -- particles -----------------------------------------------------------------------------------


def with_particles(version: str) -> GameData:
    game = game_of(version)
    for name in ("em_a", "em_b"):
        game.records.emitters.append(ParticleEmitter(game.strings.add(name)))
    record = ParticleSystem(game.strings.add("ps_a"))
    record.emitters = [game.records.emitters.reference(0)]
    game.records.particle_systems.append(record)
    return game


def test_particles() -> None:
    game = with_particles("2024.14")
    system, (one, two) = game.particle_systems["ps_a"], list(game.emitters)
    assert system.emitters == [one]
    assert repr(system) == "<ParticleSystem ps_a 1 emitter>"
    assert repr(one) == "<ParticleEmitter em_a 1, STREAM>"
    system.emitters = [two, "em_a"]
    one.spawn_on_death = two
    one.start_colour = "#ff0000"
    one.emit_count = 2.5
    one.size_min_y = 3
    read = again(game)
    assert [emitter.name for emitter in read.particle_systems[0].emitters] == ["em_b", "em_a"]
    one = read.emitters["em_a"]
    assert one.spawn_on_death == read.emitters["em_b"] and one.spawn_on_update is None
    assert one.start_colour == Colour(255, 0, 0) and one.emit_count == 2.5
    assert (one.size_min_x, one.size_min_y) == (1, 3)
    refused(KeyError, "no particle emitter named 'em_c'", system, "emitters", ["em_c"])
    refused(TypeError, "got None", system, "emitters", [None])
    refused(TypeError, "spawn_on_death: expected a name", one, "spawn_on_death", system)
    refused(ValueError, "expected a colour", one, "end_colour", "red")


def test_particles_before_their_fields_were_split() -> None:
    game = with_particles("2023.2")
    one = game.emitters[0]
    one.emit_count = 7.0
    one.size_min_x = 0.5
    read = again(game).emitters[0]
    assert (read.record.emit_count_whole, read.emit_count) == (7, 7)
    assert read.size_min_x == read.size_min_y == read.record.size_min == 0.5
    refused(ValueError, "emit_count_whole: 2.5 does not fit i32", one, "emit_count", 2.5)
    refused(ValueError, "delay_min: files of 2023", one, "delay_min", 1)
    refused(ValueError, "enabled: files of 2023", one, "enabled", False)


# -- new ones ------------------------------------------------------------------------------------

RELEASES = ["1.0.0.1250", "1.4.9999", "2.2.5", "2.3.1", "2023.11", "2024.14"]


@pytest.mark.parametrize("version", RELEASES)
def test_a_new_font(version: str) -> None:
    game = game_of(version)
    picture = np.zeros((20, 30, 4), np.uint8)
    picture[:, :, 0] = np.arange(30)
    picture[..., 3] = 255
    boxes = {"b": (6, 0, 7, 9), "A": (0, 0, 6, 8), "é": (13, 0, 5, 10)}
    made = game.fonts.add("fnt_new", picture, boxes, size=14, bold=True)
    made.glyphs["A"].shift = 8
    read = again(game).fonts["fnt_new"]
    assert (read.size, read.bold, read.italic, read.display_name) == (14, True, False, "fnt_new")
    assert list(read.glyphs) == ["A", "b", "é"]
    assert (read.range_start, read.range_end) == (65, 233)
    assert (read.glyphs["A"].shift, read.glyphs["b"].shift) == (8, 7)
    if game.release.at_least(2023, 6):
        assert read.line_height == 10
    assert read.image is not None and np.array_equal(np.asarray(read.image), picture)
    image = read.glyphs["b"].image
    assert image is not None and np.array_equal(np.asarray(image), picture[:9, 6:13])
    # a translation needs more
    read.image = Image.fromarray(np.concatenate([picture, picture[:, ::-1]]))
    read.glyphs.add("ő", (0, 20, 5, 5), shift=6, offset=1)
    del read.glyphs["A"]
    last = again(read.game).fonts[0]  # type: ignore[arg-type]
    assert list(last.glyphs) == ["b", "é", "ő"]
    assert (last.range_start, last.range_end) == (98, 337)
    assert (last.glyphs["ő"].y, last.glyphs["ő"].offset) == (20, 1)
    assert last.image is not None and last.image.size == (30, 40)


def test_a_wrong_font_is_not_there() -> None:
    game = game_of("2024.14")
    picture = Image.new("RGBA", (8, 8))
    font = game.fonts.add("fnt_a", picture, {"a": (0, 0, 4, 4)})
    before = again(game).to_bytes()
    wrong: Any
    for name, glyphs, kind, message in [
        ("fnt_a", {}, ValueError, "is taken"),
        ("fnt_b", {"ab": (0, 0, 1, 1)}, ValueError, "expected one character"),
        ("fnt_b", {"a": (5, 0, 4, 4)}, ValueError, "'a' is at 5, 0 with 4 × 4 pixels, outside"),
        ("fnt_b", {"a": (0, 0, 4)}, ValueError, r"expected \(x, y, width, height\)"),
        ("fnt_b", {"a": (0, 0, 4, -4)}, ValueError, "height: -4 does not fit u16"),
    ]:
        wrong = glyphs
        with pytest.raises(kind, match=message):
            game.fonts.add(name, picture, wrong)
    with pytest.raises(TypeError, match="expected a Pillow image"):
        wrong = "font.png"
        game.fonts.add("fnt_b", wrong, {})
    with pytest.raises(ValueError, match="has a glyph for 'a'"):
        font.glyphs.add("a", (0, 0, 1, 1))
    with pytest.raises(ValueError, match="outside of the picture of 8 × 8"):
        font.glyphs.add("b", (0, 7, 1, 2))
    refused(ValueError, "outside of the picture of 3 × 3", font, "image", Image.new("RGBA", (3, 3)))
    assert again(game).to_bytes() == before


def test_a_new_shader() -> None:
    game = game_of("2024.14")
    made = game.shaders.add("shd_new", "void main() { }", "void main() { }", hlsl9=("a", "b"))
    read = again(game).shaders["shd_new"]
    assert (read.vertex, read.glsl_vertex, read.hlsl9_fragment) == ("void main() { }", "", "b")
    assert read.attributes == ["in_Position", "in_Colour", "in_TextureCoord"]
    assert read.type == 0x80000001 and made.name == "shd_new"
    before = game.to_bytes()
    wrong: Any = 3
    with pytest.raises(TypeError, match="expected texts"):
        game.shaders.add("shd_b", "void main() { }", wrong)
    with pytest.raises(ValueError, match="is taken"):
        game.shaders.add("shd_new", "fresh text", "")
    assert game.to_bytes() == before


def test_a_new_sequence_and_particles() -> None:
    game = game_of("2024.14")
    game.sequences.add("seq_new", length=30, playback="ping_pong")
    game.emitters.add("em_new").emit_count = 5
    game.particle_systems.add("ps_new", ["em_new", game.emitters["em_new"]])
    read = again(game)
    assert (read.sequences[0].length, read.sequences[0].playback.name) == (30, "PING_PONG")
    assert [emitter.emit_count for emitter in read.particle_systems["ps_new"].emitters] == [5, 5]
    before = game.to_bytes()
    with pytest.raises(KeyError, match="no particle emitter named 'em_b'"):
        game.particle_systems.add("ps_b", ["em_b"])
    with pytest.raises(ValueError, match="playback: expected one of"):
        game.sequences.add("seq_b", playback="backwards")
    with pytest.raises(ValueError, match="has no particle emitters"):
        game_of("2.2.5").emitters.add("em_b")
    assert game.to_bytes() == before


@pytest.mark.parametrize("version", RELEASES)
def test_a_new_extension(version: str) -> None:
    game = game_of(version)
    for name in ("Sums", "Words"):
        file = game.extensions.add(name).files.add(f"{name}.dll", "dll", init_function="Start")
        file.functions.add(f"{name.lower()}_run", ["string", "double"], external_name="Run")
        file.functions.add(f"{name.lower()}_stop")
    read = again(game).extensions
    assert read.names() == ["Sums", "Words"]
    file = read["Words"].files[0]
    assert (file.name, file.kind.name, file.init_function) == ("Words.dll", "DLL", "Start")
    assert repr(file.functions[0]) == "<ExtensionFunction words_run(string, double)>"
    ids = [function.id for every in read for function in every.files[0].functions]
    assert ids == [1, 2, 3, 4]
    assert file.functions["words_stop"].external_name == "words_stop"
    if game.release.major >= 2:
        assert len(game.record("EXTN").product_ids) == 2
    before = game.to_bytes()
    files = game.extensions["Sums"].files
    wrong: Any = 5
    cases: list[tuple[Callable[[], object], type[Exception]]] = [
        (lambda: files.add("Sums.dll"), ValueError),
        (lambda: files.add(""), ValueError),
        (lambda: files.add(wrong), TypeError),
        (lambda: files.add("other.dll", "exe"), ValueError),
        (lambda: files[0].functions.add("sums_run"), ValueError),
        (lambda: files[0].functions.add("sums_go", ["float"]), ValueError),
        (lambda: game.extensions.add("Sums"), ValueError),
        (lambda: game.extensions.add("New", version=wrong), TypeError),
    ]
    for change, kind in cases:
        with pytest.raises(kind):
            change()
    assert game.to_bytes() == before
