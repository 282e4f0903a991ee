"""The plain files of a list's resources, as one download."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from overhaul.errors import WorkspaceError
from overhaul.viewer.answers import Asked, Media

if TYPE_CHECKING:
    from overhaul.viewer.opened import ListedResource, Listing

#: Bytes of plain files that one download has.
DOWNLOAD = 64 << 20
#: Endings of files that are compressed already.
_PACKED = (".png", ".ogg", ".mp3")


def wanted_of(listing: Listing, text: str) -> list[ListedResource]:
    """The resources of a kind whose names contain a text."""
    wanted = text.casefold()
    return [e for e in listing.entries.values() if not wanted or wanted in e.name.casefold()]


def download(asked: Asked) -> Media:
    """``/-/zip/sprites?filter=``: the plain files of the resources of a list, as a zip archive.

    Raises WorkspaceError for more than :data:`DOWNLOAD` bytes.
    """
    opened = asked.opened
    listing = opened.listing(asked.rest)
    files = {
        file.path: file
        for entry in wanted_of(listing, asked.query.get("filter", ""))
        for file in opened.files_of(entry)
    }
    name = f"{opened.title.partition('.')[0]}-{listing.slug}.zip"
    reads = {path: file.read for path, file in files.items()}
    return zipped(reads, name, "overhaul unpack")


def zipped(files: Mapping[str, Callable[[], bytes]], name: str, command: str) -> Media:
    """Files as a zip archive.  Raises WorkspaceError for more than :data:`DOWNLOAD` bytes, with the
    command that writes them."""
    made, size = io.BytesIO(), 0
    with zipfile.ZipFile(made, "w") as archive:
        for path, read in files.items():
            data = read()
            size += len(data)
            if size > DOWNLOAD:
                raise WorkspaceError(
                    f"these are more than {DOWNLOAD >> 20} MB of files: {command} writes them"
                )
            packed = zipfile.ZIP_STORED if path.endswith(_PACKED) else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(path), data, packed)
    return Media(made.getvalue(), "application/zip", name)
