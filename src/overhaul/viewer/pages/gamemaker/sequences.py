"""The page of a sequence: its picture at a frame, its tracks over time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import msgspec
from PIL.Image import Image

from overhaul.gamemaker.data.resources.base import Resource
from overhaul.gamemaker.data.resources.sequences import Keyframe, Sequence, Track, Tracks
from overhaul.media.colours import Colour
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.opened import NotThere, Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.page_parts import crumb, picture_part, view_of

#: the longer side of the picture and of that in a list, in pixels
SIZE, THUMBNAIL = 720, 160
#: tracks, and key frames of each, that the page shows
_TRACKS, _KEYS = 400, 500
#: at how many places the values of a track are looked at
_LOOKS = 120
#: the height of a plot; its width is the length of the sequence
HEIGHT = 40.0
#: frames that are played one after the other
_PLAYED = 3600


class Key(msgspec.Struct, frozen=True):
    """A key frame: where it begins and ends, in frames, and what it says."""

    start: float
    end: float
    about: str
    href: str = ""


class TrackRow(msgspec.Struct, frozen=True):
    """A track: ``depth`` counts the tracks it is in.  ``lines`` are the data of SVG paths in a box
    of the sequence's length × 40: its values from ``low`` to ``high``, one line for each."""

    name: str
    kind: str
    depth: int
    keys: list[Key]
    more: int
    lines: list[str]
    low: float
    high: float


class SequencePage(generic.ResourcePage, frozen=True):
    """A sequence; ``frame`` is the one its picture shows, ``area`` (left, top, width, height) the
    pixels around all it shows, from its origin."""

    length: float
    fps: float
    playback: str
    frame: int
    last: int
    area: tuple[int, int, int, int]
    picture: str
    pictures: str
    tracks: list[TrackRow]
    more_tracks: int
    moments: list[Key]
    broadcasts: list[Key]
    not_drawn: list[str]


def show_sequence(asked: Asked) -> SequencePage:
    """The page of a sequence; ``?frame=`` is that of its picture."""
    opened, entry, it = asked.opened, asked.resource, sequence_of(asked)
    last = last_of(it)
    frame = min(asked.number("frame", last // 2), last)
    area = area_of(asked, it)
    tracks = list(_all(it.tracks))
    return SequencePage(
        **msgspec.structs.asdict(generic.base(asked)),
        length=it.length,
        fps=it.fps,
        playback=str(getattr(it.playback, "name", it.playback)).lower().replace("_", " "),
        frame=frame,
        last=last,
        area=area,
        picture=opened.href(entry, "frames", f"{frame}.png") if area[2] and area[3] else "",
        pictures=opened.href(entry, "frames"),
        tracks=[_row(opened, it, track, depth) for track, depth in tracks[:_TRACKS]],
        more_tracks=max(0, len(tracks) - _TRACKS),
        moments=_keys(opened, it, it.moments),
        broadcasts=_keys(opened, it, it.broadcasts),
        not_drawn=it.not_drawn(frame),
    )


def sequence_of(asked: Asked) -> Sequence:
    """The sequence of a request."""
    return view_of(asked, Sequence)


def last_of(it: Sequence) -> int:
    """The last frame that has a picture."""
    return int(min(max(it.length, 0), _PLAYED)) if math.isfinite(it.length) else 0


def area_of(asked: Asked, it: Sequence) -> tuple[int, int, int, int]:
    """The pixels around all it shows; kept."""
    return asked.opened.remember(("area", asked.resource.key), lambda: it.area, lambda _: 200)


def _all(tracks: Tracks, depth: int = 0) -> Iterator[tuple[Track, int]]:
    """Tracks with those in them, and how deep each is."""
    for track in tracks:
        yield track, depth
        if depth < 16:
            yield from _all(track.tracks, depth + 1)


def _row(opened: Opened, it: Sequence, track: Track, depth: int) -> TrackRow:
    lines, low, high = _lines(track, it.length)
    keys = track.keyframes
    name = str(track.name or "")
    kind = track.kind.removeprefix("GM").removesuffix("Track")
    more = max(0, len(keys) - _KEYS)
    return TrackRow(name, kind, depth, _keys(opened, it, keys), more, lines, low, high)


def _keys(opened: Opened, it: Sequence, keys: Iterable[Keyframe]) -> list[Key]:
    return [_key(opened, it, key) for key, _ in zip(keys, range(_KEYS), strict=False)]


def _key(opened: Opened, it: Sequence, key: Keyframe) -> Key:
    values = [channel.value for channel in key.channels]
    said = ", ".join(map(_word, values))
    href = ""
    if values and isinstance(values[0], Resource):
        href = crumb(opened, values[0].name, values[0].kind).href
    elif values and isinstance(values[0], list) and values[0]:
        href = crumb(opened, values[0][0], "code entry").href
    if any(channel.curve is not None for channel in key.channels):
        said += " (a curve)"
    end = it.length if key.stretch else key.frame + key.length
    return Key(_bounded(key.frame), _bounded(end), said, href)


def _word(value: object) -> str:
    if isinstance(value, Resource):
        return value.name
    if isinstance(value, list):
        return ", ".join(str(item).removeprefix("gml_Script_") for item in value)
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) if isinstance(value, Colour | str | int) else "none"


def _bounded(number: float) -> float:
    return min(max(number, -1e6), 1e6) if number == number else 0.0


def _lines(track: Track, length: float) -> tuple[list[str], float, float]:
    """The values of a track as lines, and the least and the greatest of them."""
    if not 0 < length < math.inf:
        return [], 0.0, 0.0
    places = {length * n / _LOOKS for n in range(_LOOKS + 1)}
    for key, _ in zip(track.keyframes, range(_KEYS), strict=False):
        places |= {key.frame, key.frame - length / 1e4}
    shown = sorted(place for place in places if 0 <= place <= length)
    rows = [(place, track.values_at(place)) for place in shown]
    rows = [(place, v) for place, v in rows if v and all(map(math.isfinite, v))]
    if not rows:
        return [], 0.0, 0.0
    count = min(len(values) for _, values in rows)
    numbers = [value for _, values in rows for value in values[:count]]
    low, high = min(numbers), max(numbers)
    scale = (HEIGHT - 6) / ((high - low) or 1.0)
    middle = 0.0 if high > low else HEIGHT / 2 - 3
    lines = [
        "M" + " L".join(
            f"{place:g} {HEIGHT - 3 - middle - (values[n] - low) * scale:.2f}"
            for place, values in rows
        )
        for n in range(count)
    ]  # fmt: skip
    return lines, low, high


def _drawn(asked: Asked, frame: float, size: int) -> Image | None:
    it = sequence_of(asked)
    area = area_of(asked, it)
    if not area[2] or not area[3]:
        return None
    return it.image(frame, region=area, scale=min(1.0, size / max(area[2:])))


def _frame(asked: Asked) -> Image | None:
    name = asked.rest.partition("/")[2].removesuffix(".png")
    if not (name.isascii() and name.isdigit() and int(name[:9]) <= last_of(sequence_of(asked))):
        raise NotThere(f"{asked.resource.name} has no {asked.rest}")
    return _drawn(asked, int(name), SIZE)


SEQUENCE = Page(
    show_sequence,
    "sequence.html",
    {
        "files": generic.file_part,
        "frames": picture_part(_frame),
        "thumbnail.png": picture_part(
            lambda asked: _drawn(asked, sequence_of(asked).length / 2, THUMBNAIL)
        ),
    },
)
