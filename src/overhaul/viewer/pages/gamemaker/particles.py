"""The pages of particle systems and emitters: what particles look like in their life, and what a
browser needs to play them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import cast

import msgspec

from overhaul.gamemaker.data.chunks.psem import DrawOrder
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.particles import ParticleEmitter, ParticleSystem
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.gamemaker.tuning import Tuning, tuning_of
from overhaul.viewer.pages.page_parts import Fact, crumb, facts, view_of

#: emitters of a system that the page shows
_EMITTERS = 60
#: at how many places of a life sizes are looked at; the box of the picture of sizes
_LOOKS, _WIDTH, _HEIGHT = 24, 240, 60
#: the fields of an emitter, in sections
SECTIONS = {
    "Emission": "enabled mode emit_count emit_relative delay_min delay_max delay_unit interval_min"
    " interval_max interval_unit",
    "Region": "shape distribution region_x region_y region_width region_height rotation",
    "ParticlePicture": "sprite texture frame animate stretch random additive",
    "Colour": "start_colour mid_colour end_colour",
    "Life": "lifetime_min lifetime_max spawn_on_death spawn_on_death_count spawn_on_update"
    " spawn_on_update_count",
    "Size": "scale_x scale_y size_min_x size_max_x size_increase_x size_wiggle_x size_min_y"
    " size_max_y size_increase_y size_wiggle_y",
    "Motion": "speed_min speed_max speed_increase speed_wiggle direction_min direction_max"
    " direction_increase direction_wiggle gravity_force gravity_direction",
    "Orientation": "orientation_min orientation_max orientation_increase orientation_wiggle"
    " orientation_relative",
}


class Stop(msgspec.Struct, frozen=True):
    """A colour at a place of a particle's life, from 0 to 1; ``alpha`` too is from 0 to 1."""

    place: float
    colour: str
    alpha: float


class Section(msgspec.Struct, frozen=True):
    """Fields of an emitter that belong together."""

    title: str
    facts: list[Fact]


class EmitterShown(msgspec.Struct, frozen=True):
    """An emitter: ``life`` is the shortest and the longest life in steps; ``sizes`` the data of an
    SVG path in a box of 240 × 60, between the smallest and the largest width in the longest life;
    ``largest`` the largest of all, in times the picture's."""

    emitter: Crumb
    picture: str
    stops: list[Stop]
    life: tuple[float, float]
    sizes: str
    largest: float
    sections: list[Section]


class ParticlesPage(generic.ResourcePage, frozen=True):
    """A particle system, or one emitter by itself."""

    emitters: list[EmitterShown]
    count: int
    tuning: Tuning | None = None


def show_system(asked: Asked) -> ParticlesPage:
    """The page of a particle system."""
    return _page(asked, view_of(asked, ParticleSystem).emitters)


def show_emitter(asked: Asked) -> ParticlesPage:
    """The page of an emitter, with its fields to be edited."""
    page = _page(asked, [view_of(asked, ParticleEmitter)])
    return msgspec.structs.replace(page, tuning=tuning_of(asked))


def _page(asked: Asked, emitters: list[ParticleEmitter]) -> ParticlesPage:
    return ParticlesPage(
        **msgspec.structs.asdict(generic.base(asked)),
        emitters=[_shown(asked.opened, emitter) for emitter in emitters[:_EMITTERS]],
        count=len(emitters),
    )


def _shown(opened: Opened, it: ParticleEmitter) -> EmitterShown:
    colours = (it.start_colour, it.mid_colour, it.end_colour)
    sprite = None if it.sprite is None else opened.find(it.sprite.name, "sprite")
    sizes, largest = _sizes(it)
    return EmitterShown(
        emitter=_link(opened, it),
        picture="" if sprite is None else opened.href(sprite, "thumbnail.png"),
        stops=[Stop(n / 2, str(c)[:7], round(c.alpha / 255, 3)) for n, c in enumerate(colours)],
        life=(_finite(it.lifetime_min), _finite(it.lifetime_max)),
        sizes=sizes,
        largest=largest,
        sections=[
            Section(title, facts(opened, it, names.split())) for title, names in SECTIONS.items()
        ],
    )


def _link(opened: Opened, it: ParticleEmitter) -> Crumb:
    """A link to an emitter; several may have one name, so it is found by its place."""
    place = cast("GameData", opened.document).emitters.records.index(it.record)
    for entry in opened.listings["particle-emitters"].entries.values():
        if entry.position == place and entry.name == it.name:
            return Crumb(it.name, opened.href(entry))
    return crumb(opened, it.name, "particle emitter")


def _sizes(it: ParticleEmitter) -> tuple[str, float]:
    """The widths of particles in the longest life as a path, and the largest of them."""
    life = max(0.0, _finite(it.lifetime_max))
    widths = [it.widths_at(life * n / _LOOKS) for n in range(_LOOKS + 1)]
    largest = max((high for _, high in widths if math.isfinite(high)), default=0.0)
    if largest <= 0:
        return "", 0.0
    across = [_WIDTH * n / _LOOKS for n in range(_LOOKS + 1)]
    above = zip(across, (_HEIGHT - _HEIGHT * high / largest for _, high in widths), strict=True)
    below = zip(across, (_HEIGHT - _HEIGHT * low / largest for low, _ in widths), strict=True)
    return f"M{_joined(above)} L{_joined(reversed(list(below)))} Z", largest


def _joined(places: Iterable[tuple[float, float]]) -> str:
    return " L".join(f"{x:g} {y:.2f}" for x, y in places)


def _finite(number: float) -> float:
    return number if math.isfinite(number) else 0.0


# -- playing -------------------------------------------------------------------------------------

#: the numbers of an emitter that decide on its particles
_NUMBERS = (
    "emit_count", "delay_min", "delay_max", "interval_min", "interval_max", "region_x", "region_y",
    "region_width", "region_height", "rotation", "texture", "frame", "lifetime_min", "lifetime_max",
    "scale_x", "scale_y", "size_min_x", "size_max_x", "size_min_y", "size_max_y",
    "size_increase_x", "size_increase_y", "size_wiggle_x", "size_wiggle_y", "speed_min",
    "speed_max", "speed_increase", "speed_wiggle", "gravity_force", "gravity_direction",
    "direction_min", "direction_max", "direction_increase", "direction_wiggle", "orientation_min",
    "orientation_max", "orientation_increase", "orientation_wiggle", "spawn_on_death_count",
    "spawn_on_update_count",
)  # fmt: skip
_FLAGS = (
    "enabled", "emit_relative", "animate", "stretch", "random", "additive", "orientation_relative",
)  # fmt: skip
_CHOICES = ("mode", "delay_unit", "interval_unit", "distribution", "shape")
#: frames of a sprite that particles are drawn with
_FRAMES = 64


class ParticlePicture(msgspec.Struct, frozen=True):
    """The picture of a particle: the frames of a sprite, and the place of its origin in them."""

    frames: list[str]
    x: int
    y: int


class Emission(msgspec.Struct, frozen=True):
    """An emitter as it is played: its fields by their names; ``colours`` (as 0xrrggbb) and
    ``alphas`` are those at first, in the middle and at last; ``spawn_on_death`` and
    ``spawn_on_update`` count in the list of emitters."""

    name: str
    numbers: dict[str, float]
    flags: dict[str, bool]
    choices: dict[str, int]
    colours: list[int]
    alphas: list[float]
    picture: ParticlePicture | None
    spawn_on_death: int | None
    spawn_on_update: int | None


class Played(msgspec.Struct, frozen=True):
    """A particle system as it is played: the first ``count`` of ``emitters`` emit by themselves,
    ``speed`` is in steps per second."""

    emitters: list[Emission]
    count: int
    x: float
    y: float
    old_on_top: bool
    speed: float


def play_part(asked: Asked) -> Media:
    """``play``: what a particle system, or an emitter, is played from, as JSON."""
    view = asked.view
    system = view if isinstance(view, ParticleSystem) else None
    own = [view_of(asked, ParticleEmitter)] if system is None else system.emitters
    emitters = {id(it.record): it for it in own[:_EMITTERS]}
    count = len(emitters)
    for it in (waiting := [*emitters.values()]):  # the parts that particles of others bring
        for spawned in filter(None, (it.spawn_on_death, it.spawn_on_update)):
            if id(spawned.record) not in emitters and len(emitters) < 2 * _EMITTERS:
                emitters[id(spawned.record)] = spawned
                waiting.append(spawned)
    places = {key: place for place, key in enumerate(emitters)}
    general = cast("GameData", asked.opened.document).general
    speed = _finite(getattr(general, "game_speed", 60.0))
    played = Played(
        [_emission(asked.opened, it, places) for it in emitters.values()],
        count,
        0.0 if system is None else system.origin_x,
        0.0 if system is None else system.origin_y,
        system is not None and system.draw_order == DrawOrder.OLD_ON_TOP,
        speed if speed > 0 else 60.0,
    )
    return Media(msgspec.json.encode(played), "application/json", keep=False)


def _emission(opened: Opened, it: ParticleEmitter, places: Mapping[int, int]) -> Emission:
    colours = (it.start_colour, it.mid_colour, it.end_colour)
    death, update = it.spawn_on_death, it.spawn_on_update
    return Emission(
        it.name,
        {name: _finite(float(getattr(it, name))) for name in _NUMBERS},
        {name: bool(getattr(it, name)) for name in _FLAGS},
        {name: int(getattr(it, name)) for name in _CHOICES},
        [int(str(colour)[1:7], 16) for colour in colours],
        [colour.alpha / 255 for colour in colours],
        _drawn_with(opened, it),
        None if death is None else places.get(id(death.record)),
        None if update is None else places.get(id(update.record)),
    )


def _drawn_with(opened: Opened, it: ParticleEmitter) -> ParticlePicture | None:
    sprite = it.sprite
    entry = None if sprite is None else opened.find(sprite.name, "sprite")
    if sprite is None or entry is None:
        return None
    x, y = sprite.origin
    frames = [
        opened.href(entry, "frames", f"{number}.png")
        for number, frame in enumerate(sprite.frames[:_FRAMES])
        if frame.has_picture
    ]
    return ParticlePicture(frames, x, y) if frames else None


_PARTS = {"files": generic.file_part, "play": play_part}
SYSTEM = Page(show_system, "particles.html", _PARTS)
EMITTER = Page(show_emitter, "particles.html", _PARTS)
