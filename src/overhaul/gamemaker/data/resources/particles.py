"""Particle systems and their emitters."""

from __future__ import annotations

from collections.abc import Iterable

from overhaul.gamemaker.data.chunks.psem import (
    Distribution,
    DrawOrder,
    EmitterMode,
    EmitterShape,
    TimeUnit,
)
from overhaul.gamemaker.data.chunks.psem import ParticleEmitter as EmitterRecord
from overhaul.gamemaker.data.chunks.psem import ParticleSystem as SystemRecord
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import (
    Choice,
    Flag,
    Held,
    Link,
    Number,
    Paint,
    Real,
    Related,
    put_field,
)
from overhaul.gamemaker.data.resources.sprites import Sprite
from overhaul.schema import fields_of


class Renamed(Real):
    """A number whose field had another name, ``old``, before 2023.8."""

    def __init__(self, doc: str, old: str) -> None:
        super().__init__(doc)
        self.old = old

    def _stored_as(self, holder: Held) -> str:
        release = holder.game.release
        fields = {field.name: field for field in fields_of(type(holder.record))}
        return self.name if fields[self.name].present(release) else self.old

    def __get__(self, holder: Held | None, owner: type) -> float:  # type: ignore[override]
        if holder is None:
            return self  # type: ignore[return-value]
        value: float = getattr(holder.record, self._stored_as(holder))
        return value

    def _assign(self, holder: Held, value: float) -> None:
        name = self._stored_as(holder)
        now = getattr(holder.record, name)
        number = self.stored(value, holder)
        if isinstance(now, int) and isinstance(number, float) and number.is_integer():
            number = int(number)
        if number != now:
            put_field(holder, name, number)


class ParticleEmitter(Resource[EmitterRecord]):
    """An emitter of a particle system."""

    __slots__ = ()
    chunk = "PSEM"

    enabled: Flag = Flag("whether it emits (2023.6 and later)")
    mode: Choice[EmitterMode] = Choice(EmitterMode, "whether it streams or bursts")
    emit_count: Renamed = Renamed("particles at a time; whole before 2023.8", "emit_count_whole")
    emit_relative: Flag = Flag("whether the count depends on the size of the region")
    delay_min: Real = Real("the shortest time before the first particles")
    delay_max: Real = Real("the longest time before the first particles")
    delay_unit: Choice[TimeUnit] = Choice(TimeUnit, "the unit of the delay")
    interval_min: Real = Real("the shortest time between particles")
    interval_max: Real = Real("the longest time between particles")
    interval_unit: Choice[TimeUnit] = Choice(TimeUnit, "the unit of the interval")
    distribution: Choice[Distribution] = Choice(
        Distribution, "how particles are spread over the region"
    )
    shape: Choice[EmitterShape] = Choice(EmitterShape, "the shape of the region")
    region_x: Real = Real("pixels: the middle of the region")
    region_y: Real = Real("pixels: the middle of the region")
    region_width: Real = Real("pixels")
    region_height: Real = Real("pixels")
    rotation: Real = Real("degrees that the region is turned")
    sprite: Link[Sprite] = Link(Sprite, "the sprite that is drawn for a particle")
    texture: Number = Number("the built-in shape drawn for a particle, from 0 to 13; -1: none")
    frame: Real = Real("the first frame of the sprite")
    animate: Flag = Flag("whether the sprite is animated")
    stretch: Flag = Flag("whether the animation takes the particle's life")
    random: Flag = Flag("whether it begins with any frame")
    start_colour: Paint = Paint("the colour at first")
    mid_colour: Paint = Paint("the colour in the middle of its life")
    end_colour: Paint = Paint("the colour at last")
    additive: Flag = Flag("whether colours are added to those below")
    lifetime_min: Real = Real("steps: the shortest life")
    lifetime_max: Real = Real("steps: the longest life")
    scale_x: Real = Real("times the width")
    scale_y: Real = Real("times the height")
    size_min_x: Renamed = Renamed("the smallest width at first", "size_min")
    size_max_x: Renamed = Renamed("the largest width at first", "size_max")
    size_min_y: Renamed = Renamed(
        "the smallest height at first; before 2023.8 the width", "size_min"
    )
    size_max_y: Renamed = Renamed(
        "the largest height at first; before 2023.8 the width", "size_max"
    )
    size_increase_x: Renamed = Renamed("how much wider in a step", "size_increase")
    size_increase_y: Renamed = Renamed(
        "how much higher in a step; before 2023.8 wider", "size_increase"
    )
    size_wiggle_x: Renamed = Renamed("how much the width varies", "size_wiggle")
    size_wiggle_y: Renamed = Renamed(
        "how much the height varies; before 2023.8 the width", "size_wiggle"
    )
    speed_min: Real = Real("pixels per step: the slowest at first")
    speed_max: Real = Real("pixels per step: the quickest at first")
    speed_increase: Real = Real("pixels per step, added in each step")
    speed_wiggle: Real = Real("how much the speed varies")
    gravity_force: Real = Real("pixels per step, added in each step")
    gravity_direction: Real = Real("degrees")
    direction_min: Real = Real("degrees")
    direction_max: Real = Real("degrees")
    direction_increase: Real = Real("degrees in each step")
    direction_wiggle: Real = Real("how much the direction varies")
    orientation_min: Real = Real("degrees that a particle is turned")
    orientation_max: Real = Real("degrees that a particle is turned")
    orientation_increase: Real = Real("degrees in each step")
    orientation_wiggle: Real = Real("how much the orientation varies")
    orientation_relative: Flag = Flag("whether a particle turns with its direction")
    spawn_on_death: Related[ParticleEmitter] = Related["ParticleEmitter"](
        "PSEM", "what emits where a particle ends"
    )
    spawn_on_death_count: Number = Number("how many particles that emits")
    spawn_on_update: Related[ParticleEmitter] = Related["ParticleEmitter"](
        "PSEM", "what emits in each step of a particle"
    )
    spawn_on_update_count: Number = Number("how many particles that emits")

    def widths_at(self, step: float) -> tuple[float, float]:
        """The smallest and the largest width of its particles so many steps after they appear, in
        times their picture's; what varies at random from step to step is left out."""
        grown, scale = self.size_increase_x * step, self.scale_x
        low, high = (max(0.0, size + grown) * scale for size in (self.size_min_x, self.size_max_x))
        return min(low, high), max(low, high)

    def _about(self) -> str:
        return f"{self.emit_count:g}, {getattr(self.mode, 'name', self.mode)}"


class ParticleEmitters(Resources[ParticleEmitter]):
    """The emitters of particle systems of a game."""

    resource = ParticleEmitter

    def add(self, name: str) -> ParticleEmitter:
        """Add an emitter as GameMaker's editor begins one.

        Raises ValueError for a name that is taken or is none, and where the release has none.
        """
        return self._add(EmitterRecord(), name)


class ParticleSystem(Resource[SystemRecord]):
    """A particle system: a list of emitters."""

    __slots__ = ()
    chunk = "PSYS"
    _facts = ("origin_x", "origin_y", "draw_order", "global_space")

    origin_x: Number = Number("pixels")
    origin_y: Number = Number("pixels")
    draw_order: Choice[DrawOrder] = Choice(DrawOrder, "which particles are drawn above the others")
    global_space: Flag = Flag(
        "whether particles stay where they are when the system moves (2023.8)"
    )

    @property
    def emitters(self) -> list[ParticleEmitter]:
        """Its emitters.  The list is a copy: assign one, of emitters or names, to change it."""
        found = (
            emitter.target for emitter in self.record.emitters if isinstance(emitter, Reference)
        )
        return [ParticleEmitter(self.game, target) for target in found if target is not None]

    @emitters.setter
    def emitters(self, chosen: Iterable[ParticleEmitter | str]) -> None:
        given = list(chosen)
        if given == self.emitters:
            return
        link = Link(ParticleEmitter, name="emitters")
        if None in given:
            raise TypeError("emitters: expected emitters or their names, got None")
        self.record.emitters = [link.stored(value, self) for value in given]

    def _about(self) -> str:
        count = len(self.record.emitters)
        return f"{count} emitter{'' if count == 1 else 's'}"


class ParticleSystems(Resources[ParticleSystem]):
    """The particle systems of a game."""

    resource = ParticleSystem

    def add(self, name: str, emitters: Iterable[ParticleEmitter | str] = ()) -> ParticleSystem:
        """Add a particle system of some emitters, given by name or as resources.

        Raises ValueError for a name that is taken or is none, and where the release has none,
        KeyError for an emitter that is not there.
        """
        made = ParticleSystem(self.game, SystemRecord())
        made.emitters = list(emitters)
        return self._add(made.record, name)
