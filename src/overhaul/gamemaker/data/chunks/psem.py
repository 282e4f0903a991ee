"""PSEM and PSYS: particle emitters and systems."""

import enum
from typing import Annotated

from overhaul.gamemaker.data.fields import EmitterRef, SpriteRef, StringRef
from overhaul.gamemaker.data.version import before, since
from overhaul.schema import Align, Condition, Inline, Pointers, Record, b32, enum32, f32, i32, u32

old: Condition = before(2023, 8)
new: Condition = since(2023, 8)


class EmitterMode(enum.IntEnum):
    """Whether an emitter streams or bursts."""

    STREAM = 0
    BURST = 1


class Distribution(enum.IntEnum):
    """How particles are spread over the region."""

    LINEAR = 0
    GAUSSIAN = 1
    INVERSE_GAUSSIAN = 2


class EmitterShape(enum.IntEnum):
    """The shape of the region."""

    RECTANGLE = 0
    ELLIPSE = 1
    DIAMOND = 2
    LINE = 3


class TimeUnit(enum.IntEnum):
    """The unit of a delay or interval."""

    SECONDS = 0
    FRAMES = 1


class DrawOrder(enum.IntEnum):
    """Which particles are drawn above the others."""

    NEW_ON_TOP = 0
    OLD_ON_TOP = 1


class ParticleEmitter(Record):
    """A particle emitter."""

    name: StringRef = None
    enabled: Annotated[b32, since(2023, 6)] = True
    mode: Annotated[int, enum32(EmitterMode, "i")] = 0
    emit_count_whole: Annotated[i32, old] = 1
    emit_count: Annotated[f32, new] = 1.0
    emit_relative: Annotated[b32, new] = False
    delay_min: Annotated[f32, new] = 0.0
    delay_max: Annotated[f32, new] = 0.0
    delay_unit: Annotated[int, enum32(TimeUnit, "i"), new] = 0
    interval_min: Annotated[f32, new] = 1.0
    interval_max: Annotated[f32, new] = 1.0
    interval_unit: Annotated[int, enum32(TimeUnit, "i"), new] = 1
    distribution: Annotated[int, enum32(Distribution, "i")] = 0
    shape: Annotated[int, enum32(EmitterShape, "i")] = 0
    region_x: f32 = 0.0
    region_y: f32 = 0.0
    region_width: f32 = 64.0
    region_height: f32 = 64.0
    rotation: f32 = 0.0
    sprite: SpriteRef = None
    texture: Annotated[i32, "-1 none, 0 to 13 a built-in shape"] = 0
    frame: f32 = 0.0
    animate: Annotated[b32, since(2023, 4)] = True
    stretch: Annotated[b32, since(2023, 4)] = False
    random: Annotated[b32, since(2023, 4)] = False
    start_colour: Annotated[u32, "ABGR"] = 0xFFFFFFFF
    mid_colour: u32 = 0xFFFFFFFF
    end_colour: u32 = 0xFFFFFFFF
    additive: b32 = False
    lifetime_min: f32 = 80.0
    lifetime_max: f32 = 80.0
    scale_x: f32 = 1.0
    scale_y: f32 = 1.0
    size_min: Annotated[f32, old] = 1.0
    size_max: Annotated[f32, old] = 1.0
    size_increase: Annotated[f32, old] = 0.0
    size_wiggle: Annotated[f32, old] = 0.0
    size_min_x: Annotated[f32, new] = 1.0
    size_max_x: Annotated[f32, new] = 1.0
    size_min_y: Annotated[f32, new] = 1.0
    size_max_y: Annotated[f32, new] = 1.0
    size_increase_x: Annotated[f32, new] = 0.0
    size_increase_y: Annotated[f32, new] = 0.0
    size_wiggle_x: Annotated[f32, new] = 0.0
    size_wiggle_y: Annotated[f32, new] = 0.0
    speed_min: f32 = 5.0
    speed_max: f32 = 5.0
    speed_increase: f32 = 0.0
    speed_wiggle: f32 = 0.0
    gravity_force: f32 = 0.0
    gravity_direction: f32 = 270.0
    direction_min: f32 = 80.0
    direction_max: f32 = 100.0
    direction_increase: f32 = 0.0
    direction_wiggle: f32 = 0.0
    orientation_min: f32 = 0.0
    orientation_max: f32 = 0.0
    orientation_increase: f32 = 0.0
    orientation_wiggle: f32 = 0.0
    orientation_relative: b32 = False
    spawn_on_death: EmitterRef = None
    spawn_on_death_count: i32 = 1
    spawn_on_update: EmitterRef = None
    spawn_on_update_count: i32 = 1


class ParticleEmitterList(Record):
    """All particle emitters."""

    version: Annotated[u32, Align(4), "1"] = 1
    emitters: Annotated[list[ParticleEmitter], Pointers()] = []


class ParticleSystem(Record):
    """A particle system: a list of emitters."""

    name: StringRef = None
    origin_x: i32 = 0
    origin_y: i32 = 0
    draw_order: Annotated[int, enum32(DrawOrder, "i")] = 0
    global_space: Annotated[b32, since(2023, 8)] = False
    emitters: Annotated[list[EmitterRef], Inline()] = []


class ParticleSystemList(Record):
    """All particle systems."""

    version: Annotated[u32, Align(4), "1"] = 1
    systems: Annotated[list[ParticleSystem], Pointers()] = []
