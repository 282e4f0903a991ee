"""The page of a sound: played, with its waveform."""

from __future__ import annotations

import msgspec

from overhaul.document.views import SoundView
from overhaul.errors import OverhaulError
from overhaul.media import audio
from overhaul.media.audio_check import peaks
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.page_parts import crumb

#: columns of a waveform
COLUMNS = 400
#: the formats that a game may hold, as browsers call them
TYPES = {
    "wav": "audio/wav", "ogg": "audio/ogg", "mp3": "audio/mpeg", "flac": "audio/flac",
    "mid": "audio/midi", "aiff": "audio/aiff", "bin": "application/octet-stream",
}  # fmt: skip
#: those that browsers play
PLAYED = ("wav", "ogg", "mp3", "flac")


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


def show_sound(asked: Asked) -> SoundPage:
    """The page of a sound."""
    opened, entry, sound = asked.opened, asked.resource, sound_of(asked)
    data, group = sound.bytes, sound.group
    info = audio.AudioInfo(audio.AudioFormat.UNKNOWN) if data is None else audio.inspect(data)
    format_ = info.format.value
    return SoundPage(
        **msgspec.structs.asdict(generic.base(asked, "sound")),
        audio="" if data is None else opened.href(entry, f"sound.{format_}"),
        type=TYPES[format_] if data is not None and format_ in PLAYED else "",
        format="" if data is None else format_,
        duration=info.duration,
        sample_rate=info.sample_rate,
        channels=info.channels,
        bytes=0 if data is None else len(data),
        group=None if group is None else crumb(opened, group.name, group.kind),
        streamed=sound.streamed,
        waveform="" if data is None or format_ not in PLAYED else waveform_of(opened, entry, data),
    )


def sound_of(asked: Asked) -> SoundView:
    """The sound of a request.  Raises NotThere."""
    sound = asked.view
    if not isinstance(sound, SoundView):
        raise asked.nothing()
    return sound


def waveform_of(opened: Opened, entry: ListedResource, data: bytes) -> str:
    """The waveform of a sound as the data of an SVG path; kept."""
    return opened.remember(("wave", entry.slug, entry.key), lambda: _path(data), len)


def _path(data: bytes) -> str:
    """The waveform of a sound as the data of an SVG path."""
    try:
        heights = peaks(data, COLUMNS)
    except OverhaulError:
        return ""
    columns = [
        f"M{x} {50 - 48 * high:.1f}h1V{50 - 48 * low + 0.5:.1f}h-1z"
        for x, (low, high) in enumerate(heights)
    ]
    return "".join(columns)


def sound_part(asked: Asked) -> Media:
    """``sound.ogg``: the bytes as the game has them, where the address has their format."""
    data = sound_of(asked).bytes
    format_ = "" if data is None else audio.sniff(data).value
    if data is None or asked.rest != f"sound.{format_}":
        raise NotThere(f"{asked.resource.name} has no {asked.rest}")
    return Media(data, TYPES[format_])


def play_part(asked: Asked) -> Media:
    """``play``: the bytes, whatever their format is."""
    data = sound_of(asked).bytes
    if data is None:
        raise NotThere(f"the bytes of {asked.resource.name} are not here")
    return Media(data, TYPES[audio.sniff(data).value])


SOUND = Page(
    show_sound,
    "sound.html",
    {
        "files": generic.file_part,
        "play": play_part,
        **{f"sound.{ending}": sound_part for ending in TYPES},
    },
)
