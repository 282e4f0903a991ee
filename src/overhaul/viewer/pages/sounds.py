"""The page of a sound: played, with its waveform."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from overhaul.errors import OverhaulError
from overhaul.media.waveform import peaks
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.games import Fact, crumb, facts, resource_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.sounds import Sound

#: columns of a waveform
COLUMNS = 400
_TYPES = {
    "wav": "audio/wav", "ogg": "audio/ogg", "mp3": "audio/mpeg", "flac": "audio/flac",
}  # fmt: skip


class SoundPage(generic.ResourcePage, frozen=True):
    """A sound.

    ``audio`` is the address of its bytes, or empty; ``duration`` is in seconds.  ``waveform`` is
    the data of an SVG path in a box of 400 × 100; empty where only a browser can decode it.
    """

    audio: str
    type: str
    format: str
    duration: float | None
    sample_rate: int | None
    channels: int | None
    bytes: int
    group: Crumb | None
    streamed: bool
    waveform: str
    facts: list[Fact]


def show_sound(asked: Asked) -> SoundPage:
    """The page of a sound."""
    opened, entry, sound = asked.opened, asked.resource, sound_of(asked)
    data = sound.bytes
    format_ = "" if data is None or sound.format is None else sound.format.value
    group = sound.group
    return SoundPage(
        **msgspec.structs.asdict(generic.base(asked, "sound")),
        audio="" if data is None else opened.href(entry, f"sound.{format_}"),
        type=_TYPES.get(format_, ""),
        format=format_,
        duration=sound.duration,
        sample_rate=sound.sample_rate,
        channels=sound.channels,
        bytes=0 if data is None else len(data),
        group=None if group is None else crumb(opened, group.name, "audio group"),
        streamed=sound.streamed,
        facts=facts(opened, sound, "volume", "pitch", "file_name"),
        waveform=""
        if data is None
        else opened.remember(("wave", entry.key), lambda: _path(data), len),
    )


def sound_of(asked: Asked) -> Sound:
    """The sound of a request."""
    return resource_of(asked, lambda game: game.sounds)


def _path(data: bytes) -> str:
    """The waveform of a sound as the data of an SVG path."""
    try:
        found = peaks(data, COLUMNS)
    except OverhaulError:
        return ""
    columns = [
        f"M{x} {50 - 48 * high:.1f}h1V{50 - 48 * low + 0.5:.1f}h-1z"
        for x, (low, high) in enumerate(found)
    ]
    return "".join(columns)


def sound_part(asked: Asked) -> Media:
    """``sound.ogg``: the bytes as the game has them."""
    sound = sound_of(asked)
    data = sound.bytes
    if data is None or sound.format is None or asked.rest != f"sound.{sound.format.value}":
        raise NotThere(f"{sound.name} has no {asked.rest}")
    return Media(data, _TYPES.get(sound.format.value, "application/octet-stream"))


SOUND = Page(
    show_sound,
    "sound.html",
    {"files": generic.file_part, **{f"sound.{ending}": sound_part for ending in _TYPES}},
)
