"""What the pages share that show moving pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

#: a picture is shown at least so large, in pixels, at a whole number of times its size
_SHOWN, _MOST = 240, 8
#: the time of a frame that does not say, in milliseconds
_LONG: Final = 250


class Shot(msgspec.Struct, frozen=True):
    """A frame: the address of its picture, how long it is seen, and what else is known of it."""

    href: str
    milliseconds: int
    about: str = ""


class Player(msgspec.Struct, frozen=True):
    """Frames of one size, in pixels, shown ``zoom`` times as large."""

    frames: list[Shot]
    width: int
    height: int
    zoom: int


def player(
    hrefs: Sequence[str],
    size: tuple[int, int],
    milliseconds: Sequence[int] = (),
    about: Sequence[str] = (),
    shown: int = _SHOWN,
) -> Player:
    """A player of these pictures."""
    frames = [
        Shot(
            href,
            milliseconds[at] if at < len(milliseconds) else _LONG,
            about[at] if at < len(about) else "",
        )
        for at, href in enumerate(hrefs)
    ]
    zoom = max(1, min(_MOST, shown // max(*size, 1)))
    return Player(frames, max(1, size[0]), max(1, size[1]), zoom)
