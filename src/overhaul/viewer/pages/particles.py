"""The pages of particle systems and emitters: what particles look like in their life."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

import msgspec

from overhaul.gamemaker.data.resources.particles import ParticleEmitter, ParticleSystem
from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.kit import Fact, crumb, facts, view_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.viewer.opened import Opened

#: emitters of a system that the page shows
_EMITTERS = 60
#: at how many places of a life sizes are looked at; the box of the picture of sizes
_LOOKS, _WIDTH, _HEIGHT = 24, 240, 60
#: the fields of an emitter, in sections
SECTIONS = {
    "Emission": "enabled mode emit_count emit_relative delay_min delay_max delay_unit interval_min"
    " interval_max interval_unit",
    "Region": "shape distribution region_x region_y region_width region_height rotation",
    "Picture": "sprite texture frame animate stretch random additive",
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


def show_system(asked: Asked) -> ParticlesPage:
    """The page of a particle system."""
    return _page(asked, view_of(asked, ParticleSystem).emitters)


def show_emitter(asked: Asked) -> ParticlesPage:
    """The page of an emitter."""
    return _page(asked, [view_of(asked, ParticleEmitter)])


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


SYSTEM = Page(show_system, "particles.html", {"files": generic.file_part})
EMITTER = Page(show_emitter, "particles.html", {"files": generic.file_part})
