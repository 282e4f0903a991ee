"""The lines of a manifest as they are stored, read at once: a folder may have many files."""

from __future__ import annotations

import re

import msgspec

from overhaul.document.names import is_safe_component, is_safe_path

_HEXADECIMAL = re.compile(r"[0-9a-f]*")


class Row(msgspec.Struct, gc=False, rename={"digest": "sha256", "origin": "from"}):
    """A line of the list of files."""

    path: str
    size: int
    digest: str
    file: str | None = None
    origin: str = ""
    note: str = ""
    lines: str | None = msgspec.field(default=None, name="sha256_lf")


class Content(msgspec.Struct):
    """A manifest."""

    format: int
    kind: str
    original: dict[str, object]
    companions: list[object]
    settings: dict[str, object]
    files: list[Row]


def read_content(data: bytes) -> Content | None:
    """The manifest in a JSON text; None where something is not as it should be, which reading it
    value by value explains."""
    try:
        content = msgspec.json.decode(data, type=Content)
    except msgspec.DecodeError:
        return None
    rows = content.files
    digests = [row.digest for row in rows] + [row.lines for row in rows if row.lines is not None]
    files = [row.path if row.file is None else row.file for row in rows]
    is_fine = (
        {64}.issuperset(map(len, digests))
        and _HEXADECIMAL.fullmatch("".join(digests)) is not None
        and min((row.size for row in rows), default=0) >= 0
        and _are_safe(files)
    )
    return content if is_fine else None


def _are_safe(paths: list[str]) -> bool:
    """Whether all paths stay in their folder on every file system."""
    folders = {""}
    names: set[str] = set()
    for path in paths:
        folder, slash, name = path.rpartition("/")
        if folder not in folders:
            if not is_safe_path(folder):
                return False
            folders.add(folder)
        elif slash and not folder:
            return False
        if name not in names:
            if not is_safe_component(name):
                return False
            names.add(name)
    return True
