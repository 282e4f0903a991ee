"""What sequences in rooms look like, to the pixel, and what pictures of rooms leave out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from drawn_games import add_item, add_object, add_sprite, art, drawn_game, pixels, text_of
from overhaul.gamemaker.data.chunks.font import Font, Glyph
from overhaul.gamemaker.data.chunks.psem import ParticleSystem
from overhaul.gamemaker.data.chunks.room import LayerType, ParticleInstance, SequenceInstance
from overhaul.gamemaker.data.chunks.seqn import (
    AnimationCurve,
    BuiltinTrack,
    ColourChannel,
    ColourFrames,
    ColourKeyframe,
    CurveChannel,
    CurveFunction,
    CurvePoint,
    NoFrames,
    ObjectChannel,
    ObjectFrames,
    ObjectKeyframe,
    Playback,
    RealChannel,
    RealFrames,
    RealKeyframe,
    Sequence,
    SequenceChannel,
    SequenceFrames,
    SequenceKeyframe,
    SpeedType,
    SpriteChannel,
    SpriteFrames,
    SpriteKeyframe,
    TextChannel,
    TextFrames,
    TextKeyframe,
    Track,
    UnnamedCurve,
)
from overhaul.gamemaker.data.chunks.sprt import SpriteType
from overhaul.gamemaker.data.drawing.sequences import curve_points
from overhaul.gamemaker.data.game import GameData

POSITION, SCALE, ORIGIN = BuiltinTrack.POSITION, BuiltinTrack.SCALE, BuiltinTrack.ORIGIN
ROTATION, INDEX = BuiltinTrack.ROTATION, BuiltinTrack.IMAGE_INDEX
MULTIPLY, ADD = BuiltinTrack.BLEND_MULTIPLY, BuiltinTrack.BLEND_ADD


class Stage:
    """A room with one sequence, of 10 frames, at 1, 1; ``RG BW`` is the sprite ``spr``."""

    def __init__(self, *tracks: Track, version: str = "2023.8", **how: Any) -> None:
        self.game: GameData = drawn_game(version)
        self.room = self.game.rooms["rm"]
        self.layer = self.room.layers.add("assets", LayerType.ASSETS, 0).record
        self.sprite = add_sprite(self.game, "spr", "RG BW")
        self.sequence = Sequence(self.game.strings.add("seq"), length=10.0, **how)
        self.reference = self.game.records.sequences.append(self.sequence)
        self.shown = SequenceInstance(x=1, y=1, sequence=self.reference)
        self.layer.data.sequences = [self.shown]
        self.sequence.tracks = list(tracks)

    def sprites(self, *inside: Track, sprite: Any = None, at: float = 0, **key: Any) -> Track:
        """A track that shows a sprite all the time."""
        record = self.game.records.sprites.reference_to(sprite or self.sprite)
        frame = SpriteKeyframe(at, channels=[SpriteChannel(0, record)], **{"length": 10.0, **key})
        return self._track("GMGraphicTrack", SpriteFrames([frame]), inside)

    def group(self, *inside: Track, traits: int = 0) -> Track:
        return self._track("GMGroupTrack", NoFrames(), inside, traits=traits)

    def sequences(self, inner: Sequence, *inside: Track, at: float = 0, traits: int = 0) -> Track:
        record = self.game.records.sequences.reference_to(inner)
        frame = SequenceKeyframe(at, 10.0, channels=[SequenceChannel(0, record)])
        return self._track("GMSequenceTrack", SequenceFrames([frame]), inside, traits=traits)

    def _track(self, model: str, frames: object, inside: tuple[Track, ...], **how: Any) -> Track:
        add = self.game.strings.add
        return Track(add(model), add("t"), tracks=list(inside), keyframes=frames, **how)

    def inner(self, *tracks: Track, **how: Any) -> Sequence:
        made = Sequence(
            self.game.strings.add("inner"), tracks=list(tracks), **{"length": 10.0, **how}
        )
        self.game.records.sequences.append(made)
        return made

    def __str__(self) -> str:
        return text_of(self.room)


def real(kind: BuiltinTrack, *keys: tuple[float, tuple[float, ...]], **how: Any) -> Track:
    """A track of numbers: pairs of a frame and the values of the channels."""
    step = how.pop("interpolation", 1)
    frames = [
        RealKeyframe(at, channels=[RealChannel(n, value) for n, value in enumerate(values)])
        for at, values in keys
    ]
    return Track("GMRealTrack", "v", kind, keyframes=RealFrames(step, frames), **how)


def still(kind: BuiltinTrack, *values: float, **how: Any) -> Track:
    return real(kind, (0.0, values), **how)


def keys_of(track: Track) -> list[Any]:
    return getattr(track.keyframes, "frames", [])


def colour(kind: BuiltinTrack, *keys: tuple[float, int]) -> Track:
    frames = [ColourKeyframe(at, channels=[ColourChannel(0, value)]) for at, value in keys]
    return Track("GMColourTrack", "c", kind, keyframes=ColourFrames(1, frames))


def test_a_sprite_is_drawn_at_its_place_turn_and_scale() -> None:
    stage = Stage()
    stage.sequence.tracks = [stage.sprites()]
    assert str(stage) == art("KKKKKK KRGKKK KBWKKK KKKKKK")
    stage.sequence.tracks = [stage.sprites(still(POSITION, 2, -1))]
    assert str(stage) == art("KKKRGK KKKBWK KKKKKK KKKKKK")
    # a quarter of a turn against the clock around the upper left corner
    stage.sequence.tracks = [stage.sprites(still(POSITION, 2, 2), still(ROTATION, 90))]
    assert str(stage) == art("KKKKKK KKKGWK KKKRBK KKKKKK")
    stage.sequence.tracks = [stage.sprites(still(SCALE, 2, -1), still(POSITION, 0, 2))]
    assert str(stage) == art("KKKKKK KBBWWK KRRGGK KKKKKK")


def test_origins_of_the_sprite_the_track_and_the_sequence() -> None:
    stage = Stage()
    stage.sequence.tracks = [stage.sprites()]
    stage.sprite.origin_x = 1
    assert str(stage) == art("KKKKKK RGKKKK BWKKKK KKKKKK")
    stage.sequence.tracks = [stage.sprites(still(ORIGIN, -1, 1))]
    assert str(stage) == art("KRGKKK KBWKKK KKKKKK KKKKKK")
    stage.sequence.origin_x, stage.sequence.origin_y = -2, -1
    assert str(stage) == art("KKKKKK KKKRGK KKKBWK KKKKKK")


def test_the_instance_of_a_sequence_is_scaled_turned_and_tinted() -> None:
    stage = Stage()
    stage.sequence.tracks = [stage.sprites(still(POSITION, 1, 0))]
    stage.shown.scale_x = 2
    assert str(stage) == art("KKKKKK KKKRRG KKKBBW KKKKKK")
    stage.shown.scale_x, stage.shown.rotation = 1, -90
    assert str(stage) == art("KKKKKK KKKKKK RKKKKK GKKKKK")
    stage.shown.rotation = 0
    stage.shown.colour = 0x800000FF
    picture = stage.room.image(layers=["assets"])
    assert picture.getpixel((2, 1)) == (255, 0, 0, 128)
    assert picture.getpixel((3, 2)) == (255, 0, 0, 128)
    assert picture.getpixel((3, 1)) == (0, 0, 0, 128)


def test_the_first_track_is_drawn_last_and_what_is_inside_over_it() -> None:
    stage = Stage()
    white = add_sprite(stage.game, "spr_white", "W")
    yellow = add_sprite(stage.game, "spr_yellow", "Y")
    stage.sequence.tracks = [stage.sprites(sprite=white), stage.sprites()]
    assert str(stage).split()[1] == "KWGKKK"
    stage.sequence.tracks.reverse()
    assert str(stage).split()[1] == "KRGKKK"
    inside = stage.sprites(stage.sprites(sprite=yellow), stage.sprites(sprite=white))
    stage.sequence.tracks = [inside]
    assert str(stage).split()[1] == "KYGKKK"


def test_what_is_inside_is_placed_from_the_origin_of_the_outer_one() -> None:
    stage = Stage()
    dot = add_sprite(stage.game, "dot", "Y")
    inside = stage.sprites(still(POSITION, 1, 0), sprite=dot)
    stage.sequence.tracks = [stage.group(still(SCALE, 2, 1), still(ORIGIN, 3, 0), inside)]
    assert str(stage).split()[1] == "KKKYYK"
    stage.sequence.tracks[0].traits = 1  # from its corner
    stage.shown.x = 7
    assert str(stage).split()[1] == "KKKYYK"


def test_skewed_pictures() -> None:
    """Turned by 45 degrees inside a scale of 2 across: a square is a flat lozenge."""
    stage = Stage()
    square = add_sprite(stage.game, "square", "YYYY YYYY YYYY YYYY", origin=(2, 2))
    turned = stage.sprites(still(ROTATION, 45), sprite=square)
    stage.sequence.tracks = [stage.group(still(SCALE, 2, 1), turned)]
    stage.room.width, stage.room.height = 14, 8
    stage.shown.x, stage.shown.y = 7, 4
    assert str(stage) == art(
        "KKKKKKKKKKKKKK KKKKKKYYKKKKKK KKKKYYYYYYKKKK KKYYYYYYYYYYKK"
        " KKYYYYYYYYYYKK KKKKYYYYYYKKKK KKKKKKYYKKKKKK KKKKKKKKKKKKKK"
    )


def test_colours_are_multiplied_and_added() -> None:
    stage = Stage()
    white = add_sprite(stage.game, "white", "W")

    def shown(*inside: Track, outer: tuple[Track, ...] = ()) -> tuple[int, ...]:
        stage.sequence.tracks = [stage.group(*outer, stage.sprites(*inside, sprite=white))]
        image = np.asarray(stage.room.image(layers=["assets"]))
        return tuple(image[1, 1].tolist())

    assert shown() == (255, 255, 255, 255)
    assert shown(colour(MULTIPLY, (0, 0x66112233))) == (0x33, 0x22, 0x11, 0x66)
    stage.shown.colour = 0x80FFFFFF
    assert shown(colour(MULTIPLY, (0, 0x66112233))) == (0x33, 0x22, 0x11, 0x33)
    stage.shown.colour = 0xFFFFFFFF
    half = colour(MULTIPLY, (0, 0xFF808080 - (1 << 32)))
    assert shown(half, outer=(half,)) == (64, 64, 64, 255)
    assert shown(half, outer=(colour(ADD, (0, 0x10)),)) == (144, 128, 128, 255)
    # black to white in ten frames
    fade = colour(MULTIPLY, (0, 0xFF000000), (10, 0xFFFFFFFF))
    stage.shown.frame = 4
    assert shown(fade) == (102, 102, 102, 255)


@pytest.mark.parametrize(
    ("frame", "x"), [(0, 1), (2, 1), (3, 1), (4, 2), (5, 3), (6, 4), (7, 5), (9, 5)]
)
def test_numbers_between_key_frames(frame: float, x: int) -> None:
    stage = Stage()
    keys = ((3.0, (0.0, 0.0)), (7.0, (4.0, 0.0)))
    stage.sequence.tracks = [stage.sprites(real(POSITION, *keys), sprite=None)]
    stage.shown.frame = frame
    assert str(stage).split()[1].index("R") == x
    stage.sequence.tracks = [stage.sprites(real(POSITION, *keys, interpolation=0))]
    assert str(stage).split()[1].index("R") == (5 if frame >= 7 else 1)


@pytest.mark.parametrize(
    ("playback", "places"),
    [
        (Playback.ONE_SHOT, {-2: 1, 12: 5, 14: 5}),
        (Playback.LOOP, {-2: 5, 12: 2, 14: 3, 10: 1}),
        (Playback.PING_PONG, {-2: 2, 12: 5, 14: 4, 10: 5, 22: 2}),
    ],
)
def test_beyond_the_end_of_a_sequence(playback: Playback, places: dict[float, int]) -> None:
    stage = Stage(playback=playback)
    place = real(POSITION, (0, (0, 0)), (8, (4, 0)))
    keys_of(place)[0].length = 1
    stage.sequence.tracks = [stage.sprites(place)]
    result = {}
    for frame in places:
        stage.shown.frame = frame
        result[frame] = str(stage).split()[1].index("R")
    assert result == places


def test_key_frames_hold_for_their_length() -> None:
    stage = Stage()
    stage.sequence.tracks = [stage.sprites(at=3, length=4)]
    shown = []
    for frame in range(10):
        stage.shown.frame = frame
        shown.append("R" in str(stage))
    assert shown == [3 <= frame < 7 for frame in range(10)]
    stage.sequence.tracks = [stage.sprites(at=3, length=4, stretch=True)]
    assert "R" in str(stage)
    # one that ends with the sequence holds at the very end
    stage.shown.frame = 10
    stage.sequence.tracks = [stage.sprites(at=3, length=7)]
    assert "R" in str(stage)
    stage.sequence.tracks = [stage.sprites(at=3, length=6.5)]
    assert "R" not in str(stage)


def test_a_number_that_holds_and_then_moves() -> None:
    stage = Stage()
    track = real(POSITION, (0, (0, 0)), (8, (4, 0)))
    keys_of(track)[0].length = 4
    stage.sequence.tracks = [stage.sprites(track)]
    places = []
    for frame in (0, 4, 6, 8):
        stage.shown.frame = frame
        places.append(str(stage).split()[1].index("R"))
    assert places == [1, 1, 3, 5]
    keys_of(track)[0].stretch = True
    stage.shown.frame = 6
    assert str(stage).split()[1].index("R") == 1
    # one of no more than a frame moves at once
    keys_of(track)[0].stretch = False
    stage.shown.frame = 2
    for length in (1, 0.5, 0, -3):
        keys_of(track)[0].length = length
        assert str(stage).split()[1].index("R") == 2
        assert stage.game.sequences["seq"].tracks[0].tracks[0].values_at(2) == (1, 0)


@pytest.mark.parametrize("named", [False, True])
def test_curves(named: bool) -> None:
    stage = Stage()
    channels = [
        CurveChannel("x", 0, points=[CurvePoint(0, 0), CurvePoint(0.5, 4), CurvePoint(1, 2)]),
        CurveChannel("y", 0, points=[CurvePoint(0, 1)]),
    ]
    value = RealChannel(0, 9.0, embedded=not named)
    if named:
        record = AnimationCurve(stage.game.strings.add("ac"), channels=channels)
        value.curve = stage.game.records.curves.append(record)
    else:
        value.own_curve = UnnamedCurve(channels=channels)
    frames = RealFrames(1, [RealKeyframe(0, 8, channels=[value])])
    track = Track("GMRealTrack", "p", POSITION, keyframes=frames)
    stage.sequence.tracks = [stage.sprites(track)]
    places = []
    for frame in (0, 2, 4, 6, 8, 9):
        stage.shown.frame = frame
        places.append(str(stage).split()[2].index("R"))
    assert places == [1, 3, 5, 4, 3, 3]


def test_bent_curves_go_through_their_points() -> None:
    points = [
        CurvePoint(0, 0, bezier_x1=0.25, bezier_y1=3),
        CurvePoint(1, 3, bezier_x0=-0.25, bezier_y0=0),
    ]
    result = curve_points(CurveChannel("c", CurveFunction.BEZIER, points=points))
    assert (result[0], result[-1]) == ((0, 0), (1, 3))
    # halfway: (0 + 3 * 0.25 + 3 * 0.75 + 1) / 8 and (0 + 3 * 3 + 3 * 3 + 3) / 8
    assert result[16] == (0.5, 2.625)
    points = [CurvePoint(0, 1), CurvePoint(0.25, 1), CurvePoint(1, 1)]
    smooth = curve_points(CurveChannel("c", CurveFunction.SMOOTH, points=points))
    assert [round(value, 9) for _, value in smooth] == [1] * 65
    points[1].value = 5
    smooth = curve_points(CurveChannel("c", CurveFunction.SMOOTH, points=points))
    assert [smooth[0], smooth[-1]] == [(0, 1), (1, 1)]
    assert smooth[32] == pytest.approx((0.25, 5))
    assert [x for x, _ in smooth] == sorted(x for x, _ in smooth)
    assert 1 < smooth[16][1] < 5
    assert curve_points(CurveChannel("c", CurveFunction.BEZIER, points=points[:1])) == [(0, 1)]


def test_values_that_gamemaker_made_itself_do_not_count_next_to_others() -> None:
    stage = Stage()
    made = still(POSITION, 3, 0, is_creation_track=True)
    stage.sequence.tracks = [stage.sprites(still(POSITION, 1, 0), made)]
    assert str(stage).split()[1] == "KKRGKK"
    stage.sequence.tracks = [stage.sprites(made, still(POSITION, 1, 0))]
    assert str(stage).split()[1] == "KKRGKK"
    others = [still(SCALE, 2, 1), made, still(POSITION, 1, 0)]
    stage.sequence.tracks = [stage.sprites(*others)]
    assert str(stage).split()[1] == "KKRRGG"
    stage.sequence.tracks = [stage.sprites(made)]
    assert str(stage).split()[1] == "KKKKRG"


@pytest.mark.parametrize(("tags", "shown"), [([], True), ([0], True), ([1], False), ([2], False)])
def test_invisible_and_disabled_tracks(tags: list[int], shown: bool) -> None:
    stage = Stage()
    stage.sequence.tracks = [stage.sprites()]
    stage.sequence.tracks[0].tags = tags
    assert ("R" in str(stage)) is shown
    place = still(POSITION, 1, 0)
    place.tags = tags
    stage.sequence.tracks = [stage.sprites(place)]
    assert str(stage).split()[1] == ("KKRGKK" if tags != [2] else "KRGKKK")


@pytest.mark.parametrize(("frame", "shown"), [(0, "R"), (3, "R"), (4, "G"), (8, "B")])
def test_animated_sprites(frame: float, shown: str) -> None:
    stage = Stage(speed=60.0)
    sprite = add_sprite(stage.game, "many", "R", "G", "B")
    sprite.playback_speed, sprite.playback_speed_type = 15.0, SpeedType.FRAMES_PER_SECOND
    stage.sequence.tracks = [stage.sprites(sprite=sprite)]
    stage.shown.frame = frame
    assert str(stage).split()[1][1] == shown
    stage.sequence.tracks = [stage.sprites(still(BuiltinTrack.IMAGE_SPEED, 2), sprite=sprite)]
    assert str(stage).split()[1][1] == "RRGGBBRRGG"[int(frame)]
    for index, letter in ((1, "G"), (-3, "R"), (99, "B")):
        stage.sequence.tracks = [stage.sprites(still(INDEX, index), sprite=sprite)]
        assert str(stage).split()[1][1] == letter


def test_sequences_inside_sequences() -> None:
    stage = Stage(speed=30.0)
    moving = real(POSITION, (0, (0, 0)), (8, (4, 0)))
    inner = stage.inner(stage.sprites(moving), speed=60.0, origin_x=1)
    stage.sequence.tracks = [stage.sequences(inner, still(POSITION, 0, 1), at=1)]
    assert "R" not in str(stage)
    stage.shown.frame = 3  # two frames of the outer one are four of the inner one
    assert str(stage) == art("KKKKKK KKKKKK KKKRGK KKKBWK")
    stage.sequence.tracks[0].traits = 1  # placed from the corner, so that the origin counts
    assert str(stage) == art("KKKKKK KKKKKK KKRGKK KKBWKK")


def test_sequences_in_themselves_come_to_an_end() -> None:
    stage = Stage()
    own = [stage.sequences(stage.sequence, still(POSITION, 1, 0)) for _ in range(2)]
    stage.sequence.tracks = [stage.sprites(), *own]
    assert str(stage).split()[1] == "KRGKKK"
    assert stage.room.not_drawn() == ["layer assets: the sequence seq inside itself"]


def test_sequences_that_grow_without_bounds_come_to_an_end() -> None:
    stage = Stage()
    inner = stage.inner(stage.sprites())
    for number in range(30):
        inner = stage.inner(stage.sequences(inner), stage.sequences(inner))
        inner.name = stage.game.strings.add(f"inner_{number}")
    stage.sequence.tracks = [stage.sequences(inner)]
    assert "R" in str(stage)
    (report,) = {item.partition(" of ")[0] for item in stage.room.not_drawn()}
    assert report == "layer assets: more tracks"


def test_instances_in_sequences() -> None:
    stage = Stage()
    stage.sprite.origin_x = 1
    kind = add_object(stage.game, "obj", stage.sprite)
    reference = stage.game.records.objects.reference_to(kind)
    frames = ObjectFrames([ObjectKeyframe(0, 10, channels=[ObjectChannel(0, reference)])])
    track = stage._track("GMInstanceTrack", frames, (still(POSITION, 2, 1),))
    stage.sequence.tracks = [track]
    assert str(stage) == art("KKKKKK KKKKKK KKRGKK KKBWKK")
    kind.visible = False
    assert "R" not in str(stage)


def test_texts_in_sequences() -> None:
    stage = Stage()
    font = Font(stage.game.strings.add("fnt"), line_height=1)
    font.texture = add_item(stage.game, pixels("RG"))
    font.glyphs = [Glyph(97, 0, 0, 1, 1, 1), Glyph(98, 1, 0, 1, 1, 1)]
    reference = stage.game.records.fonts.append(font)
    key = TextChannel(0, stage.game.strings.add("ab a"), font=reference)
    frames = TextFrames([TextKeyframe(0, 10, channels=[key])])
    track = stage._track("GMTextTrack", frames, (still(SCALE, 2, 1),))
    stage.sequence.tracks = [track]
    assert str(stage).split()[1:3] == ["KRRGGR", "KKKKKK"]
    assert stage.game.sequences["seq"].area == (0, 0, 6, 1)
    track.tracks.append(still(BuiltinTrack.FRAME_SIZE, 2, 0))
    key.wrap = True
    assert str(stage).split()[1:3] == ["KRRGGK", "KRRKKK"]
    track.tracks.append(still(BuiltinTrack.LINE_SPACING, 1))
    assert str(stage).split()[1:4] == ["KRRGGK", "KKKKKK", "KRRKKK"]
    track.tracks.append(still(BuiltinTrack.CHARACTER_SPACING, 0.5))
    stage.sequence.tracks[0].tracks[0] = still(SCALE, 1, 1)
    assert "G" in str(stage)
    font.sdf_spread = 8
    assert "R" not in str(stage)
    assert stage.room.not_drawn() == ["layer assets: a text in the font of distance fields fnt"]


def test_what_is_not_drawn_is_reported() -> None:
    stage = Stage()
    add = stage.game.strings.add
    stage.sprite.sprite_type = SpriteType.SPINE
    mask = Track(add("GMClipMaskTrack"), add("m"), tracks=[stage.sprites()], keyframes=NoFrames())
    sound = Track(add("GMAudioTrack"), add("s"), keyframes=NoFrames())
    stage.sequence.tracks = [stage.sprites(), stage.sprites(), mask, sound]
    system = ParticleSystem(add("ps_fire"))
    reference = stage.game.records.particle_systems.append(system)
    stage.layer.data.particle_systems = [ParticleInstance(particle_system=reference)]
    stage.layer.effect_type = add("_filter_blur")
    hidden = stage.room.layers.add("hidden", LayerType.ASSETS, 50).record
    hidden.visible, hidden.effect_type = False, add("_filter_old")
    reports = [
        "layer assets: the effect _filter_blur",
        "layer assets: the clipping mask of the sequence seq",
        "layer assets: a Spine sprite (spr)",
        "layer assets: the particle system ps_fire",
    ]
    assert stage.room.not_drawn() == reports
    assert stage.room.not_drawn(layers="hidden") == ["layer hidden: the effect _filter_old"]
    with pytest.raises(KeyError, match="there is no layer named 'asets'"):
        stage.room.not_drawn(layers="asets")
    stage.layer.effect_enabled = False
    assert stage.room.not_drawn() == reports[1:]


def test_odd_numbers_are_survived() -> None:
    stage = Stage()
    for value in (float("nan"), float("inf"), -float("inf"), 1e308, 1e-320):
        for kind in (POSITION, SCALE, ORIGIN, ROTATION, INDEX, BuiltinTrack.IMAGE_SPEED):
            stage.sequence.tracks = [stage.sprites(still(kind, value, value))]
            stage.room.image()
        stage.sequence.tracks = [stage.sprites(real(POSITION, (value, (1, 1)), (0, (value, 2))))]
        for name in ("frame", "scale_x", "rotation"):
            before = getattr(stage.shown, name)
            setattr(stage.shown, name, value)
            stage.room.image()
            setattr(stage.shown, name, before)
        stage.sequence.length = stage.sequence.speed = value
        stage.room.image()
        stage.sequence.length, stage.sequence.speed = 10, 60
    stage.sequence.speed = stage.sequence.length = 0
    stage.room.image()
    keys_of(stage.sequence.tracks[0])[0].channels = []
    assert text_of(stage.room) == art("KKKKKK KKKKKK KKKKKK KKKKKK")


def test_a_sequence_is_drawn_by_itself_around_its_origin() -> None:
    stage = Stage(origin_x=1, origin_y=0)
    stage.sequence.tracks = [stage.sprites(real(POSITION, (0, (0, 0)), (10, (4, 2))))]
    sequence = stage.game.sequences["seq"]
    assert sequence.area == (-1, 0, 6, 4)
    shown = np.asarray(sequence.image(10))
    assert shown.shape == (4, 6, 4)
    assert shown[2:, 4:].tolist() == [
        [[255, 0, 0, 255], [0, 255, 0, 255]], [[0, 0, 255, 255], [255, 255, 255, 255]],
    ]  # fmt: skip
    assert not shown[:2].any()
    assert not shown[:, :4].any()
    part = np.asarray(sequence.image(10, region=(3, 2, 1, 1)))
    assert part.tolist() == [[[255, 0, 0, 255]]]
    assert sequence.image(10, scale=0.5).size == (3, 2)
    assert sequence._repr_png_() is not None
    for wrong, said in (
        ({"frame": float("nan")}, "frame: expected"), ({"scale": 0}, "scale: expected"),
        ({"region": (0, 0, -1, 1)}, "region: expected"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            sequence.image(**wrong)


def test_what_is_far_away_is_not_counted_to_the_area_of_a_sequence() -> None:
    stage = Stage()
    near, far = stage.sprites(still(POSITION, 3, 5)), stage.sprites(still(POSITION, 5000, 0))
    stage.sequence.tracks = [near, far]
    sequence = stage.game.sequences["seq"]
    assert sequence.area == (3, 5, 2, 2)
    stage.sequence.tracks = []
    assert sequence.area == (0, 0, 0, 0)
    assert sequence._repr_png_() is None


def test_a_sequence_reports_what_is_not_drawn() -> None:
    stage = Stage()
    track = stage.sprites()
    track.model = stage.game.strings.add("GMParticleTrack")
    stage.sequence.tracks = [track]
    assert stage.game.sequences["seq"].not_drawn() == ["the particles of the sequence seq"]


def test_the_values_of_tracks_between_their_keys() -> None:
    stage = Stage()
    stage.sequence.tracks = [
        stage.sprites(
            real(POSITION, (0, (0, 10)), (10, (4, 0))),
            still(ROTATION, 90),
            colour(MULTIPLY, (0, 0xFF332211)),
        )
    ]
    track = stage.game.sequences["seq"].tracks[0]
    inner = list(track.tracks)
    assert inner[0].values_at(5) == pytest.approx((2, 5), abs=0.4)
    assert inner[0].values_at(10) == (4, 0)
    assert inner[1].values_at(3) == (90,)
    assert inner[2].values_at(0) == (255, 0x11, 0x22, 0x33)
    assert track.values_at(0) == ()


def test_the_speed_of_a_sequence_in_frames_per_second() -> None:
    stage = Stage(speed=2.0)
    sequence = stage.game.sequences["seq"]
    assert sequence.fps == 2
    sequence.speed_type = SpeedType.FRAMES_PER_GAME_FRAME
    assert sequence.fps == 2 * stage.game.general.game_speed
