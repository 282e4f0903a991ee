"""Pictures, sounds and other bytes as answers: parts of them, and those a browser has already."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from overhaul.viewer.answers import Media

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def media_response(media: Media, asked: Headers) -> Response:
    """The bytes, or the part of them that was asked for; nothing where the browser has them.

    Players of sounds ask for parts, to begin in the middle.
    """
    data = media.data
    tag = f'"{len(data):x}-{zlib.crc32(data):08x}"'
    headers = {
        "Content-Type": media.type,
        "Accept-Ranges": "bytes",
        "ETag": tag,
        "Cache-Control": "private, no-cache" if media.keep else "no-store",
    }
    if media.name:
        headers["Content-Disposition"] = f'attachment; filename="{_safe(media.name)}"'
    if asked.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    wanted = _RANGE.fullmatch(asked.get("range", "").replace(" ", ""))
    if wanted is None or wanted[1] == wanted[2] == "" or asked.get("if-range", tag) != tag:
        return Response(data, headers=headers)
    size = len(data)
    if wanted[1]:
        start, end = int(wanted[1]), min(int(wanted[2] or size), size - 1) + 1
    else:  # so many of the last bytes
        start, end = max(0, size - int(wanted[2])), size
    if start >= end:
        return Response(status_code=416, headers=headers | {"Content-Range": f"bytes */{size}"})
    headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    return Response(data[start:end], 206, headers=headers)


def _safe(name: str) -> str:
    """A file name as every browser and system takes it."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in name)
