"""The contents of ``.overhaul/``: the manifest, and the original bytes as blobs by their hash.

The manifest is JSON with one file per line, so that two of them compare well in git.  Its last
line is the SHA-256 of all lines before it, so that a damaged or merged manifest is detected.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from overhaul.document.mapped import HELD
from overhaul.document.names import is_safe_path
from overhaul.document.reading import map_file
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.folder.json_fields import (
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    parse_json,
)
from overhaul.lazy import LazyModule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.protocol import Buffer
    from overhaul.folder import manifest_rows
else:  # start-up: only what reads a manifest needs it
    manifest_rows = LazyModule("overhaul.folder.manifest_rows")

#: The layout of the folder: raised when older versions could not pack a newer folder.
FORMAT = 1
#: The folder of everything that people do not edit.
KEPT = ".overhaul"
MANIFEST = f"{KEPT}/manifest.json"
BLOBS = f"{KEPT}/blobs"
_HEXADECIMAL = frozenset("0123456789abcdef")


class ManifestEntry(NamedTuple):
    """A plain file as it was unpacked.

    ``path`` is the model's name of it, ``file`` where it is on the disk (the same unless some
    file system could not hold that name), ``digest`` its SHA-256, ``lines`` that of the file with
    LF if it has CRLF.
    """

    path: str
    file: str
    size: int
    digest: str
    origin: str = ""
    note: str = ""
    lines: str = ""

    def to_json(self) -> dict[str, object]:
        """A line of the manifest."""
        row: dict[str, object] = {"path": self.path, "size": self.size, "sha256": self.digest}
        if self.file != self.path:
            row["file"] = self.file
        if self.origin:
            row["from"] = self.origin
        if self.note:
            row["note"] = self.note
        if self.lines:
            row["sha256_lf"] = self.lines
        return row

    @classmethod
    def from_json(cls, value: object) -> ManifestEntry:
        """The manifest that :meth:`to_json` made. Raises FormatError, WorkspaceError for an
        unsafe path."""
        row = expect_object(value)
        path = expect_text(row.get("path"))
        file = expect_text(row.get("file", path))
        if not is_safe_path(file):
            raise WorkspaceError(f"the manifest names the unsafe path {file!r}")
        origin, note = expect_text(row.get("from", "")), expect_text(row.get("note", ""))
        lines = _digest_in(row, "sha256_lf") if "sha256_lf" in row else ""
        return cls(path, file, _size(row), _digest_in(row), origin, note, lines)


class KeptFile(NamedTuple):
    """A file whose original bytes are kept: its name, size and SHA-256."""

    name: str
    size: int
    digest: str

    def to_json(self) -> dict[str, object]:
        """The file in the manifest."""
        return {"name": self.name, "size": self.size, "sha256": self.digest}

    @classmethod
    def from_json(cls, value: object) -> KeptFile:
        """The entry that :meth:`to_json` made. Raises FormatError, WorkspaceError for an unsafe
        name."""
        row = expect_object(value)
        name = expect_text(row.get("name"))
        if os.path.basename(name) != name or name in (".", ".."):
            raise WorkspaceError(f"the manifest names a kept file {name!r}")
        return cls(name, _size(row), _digest_in(row))


class Manifest:
    """The source of an unpacked folder, and each of its plain files.

    ``kind`` is that of the document, ``original`` and ``companions`` the files that were kept,
    ``settings`` those its model gave, ``entries`` a line for each plain file.
    """

    def __init__(
        self,
        kind: str,
        original: KeptFile,
        companions: Iterable[KeptFile],
        settings: Mapping[str, object],
        entries: Iterable[ManifestEntry],
    ) -> None:
        self.kind = kind
        self.original = original
        self.companions: list[KeptFile] = list(companions)
        self.settings: dict[str, object] = dict(settings)
        self.entries: list[ManifestEntry] = list(entries)

    def digests(self) -> set[str]:
        """The SHA-256 of the files that were kept."""
        return {self.original.digest, *(kept.digest for kept in self.companions)}

    # ---------------------------------------------------------------------------------- writing

    def to_bytes(self) -> bytes:
        """The text of the manifest; the same for the same content."""
        lines = [
            "{",
            f'"format": {FORMAT},',
            f'"kind": {_json(self.kind)},',
            f'"original": {_json(self.original.to_json())},',
            f'"companions": {_json([kept.to_json() for kept in self.companions])},',
            f'"settings": {_json(self.settings)},',
            '"files": [',
        ]
        rows = [_json(entry.to_json()) for entry in self.entries]
        lines += [row + "," for row in rows[:-1]] + rows[-1:]
        lines.append("],")
        body = "\n".join(lines) + "\n"
        text = body + f'"check": "{_digest(body.encode("utf-8"))}"\n}}\n'
        return text.encode("utf-8")

    # ---------------------------------------------------------------------------------- reading

    @classmethod
    def load(cls, folder: str) -> Manifest | None:
        """The manifest of a folder; None if nothing was kept.  Raises WorkspaceError if broken."""
        path = os.path.join(folder, MANIFEST)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except (FileNotFoundError, NotADirectoryError):
            if os.path.exists(os.path.join(folder, KEPT)):
                raise PlainFileError(
                    "it is missing, but its folder is there. Unpack the game again; or remove "
                    "the .overhaul folder to pack from the plain files only",
                    path,
                ) from None
            return None
        except OSError as error:
            raise PlainFileError(f"it can't be read: {error.strerror}", path) from error
        try:
            return cls.from_bytes(data)
        except WorkspaceError as error:
            raise PlainFileError(str(error), path) from None

    @classmethod
    def from_bytes(cls, data: bytes) -> Manifest:
        """Read the text of a manifest, with LF or CRLF.  Raises WorkspaceError if it is damaged."""
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n")
        body, found, check = data.rpartition(b'"check": "')
        if not found or check != _digest(body).encode("ascii") + b'"\n}\n':
            raise WorkspaceError(
                "the manifest is damaged (its checksum differs). Unpack the game again; or remove "
                f"the {KEPT} folder to pack from the plain files only"
            )
        known = manifest_rows.read_content(data)
        if known is None or known.format != FORMAT:
            return cls._from_json(data)
        try:
            kept = list(map(KeptFile.from_json, (known.original, *known.companions)))
        except FormatError:
            return cls._from_json(data)  # which names the mistake
        entries = [
            ManifestEntry(
                row.path,
                row.path if row.file is None else row.file,
                row.size,
                row.digest,
                row.origin,
                row.note,
                row.lines or "",
            )
            for row in known.files
        ]
        return cls(known.kind, kept[0], kept[1:], known.settings, entries)

    @classmethod
    def _from_json(cls, data: bytes) -> Manifest:
        """Read a manifest value by value.  Raises WorkspaceError, which names the mistake."""
        try:
            content = expect_object(parse_json(data.decode()))
            if content.get("format") != FORMAT:
                raise WorkspaceError(
                    f"the folder has layout {content.get('format')!r}; this version of Overhaul "
                    f"supports layout {FORMAT}"
                )
            return cls(
                expect_text(content.get("kind")),
                KeptFile.from_json(content.get("original")),
                map(KeptFile.from_json, expect_list(content.get("companions"))),
                expect_object(content.get("settings")),
                map(ManifestEntry.from_json, expect_list(content.get("files"))),
            )
        except (FormatError, UnicodeDecodeError) as error:
            raise WorkspaceError(f"the manifest can't be read: {error}") from error


def read_blob(folder: str, kept: KeptFile) -> bytes:
    """The original bytes of a file.  Raises WorkspaceError if they are missing or damaged.

    Texts may have got other line ends on the way.
    """
    path = os.path.join(folder, BLOBS, kept.digest)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise WorkspaceError(
            f"the kept original of {kept.name} can't be read ({path}: {error.strerror})"
        ) from error
    if _digest(data) == kept.digest:
        return data
    lines = data.replace(b"\r\n", b"\n")
    for text in (lines, lines.replace(b"\n", b"\r\n")):
        if _digest(text) == kept.digest:
            return text
    raise WorkspaceError(f"the kept original of {kept.name} is damaged ({path})")


def map_blob(folder: str, kept: KeptFile) -> Buffer:
    """As :func:`read_blob`, mapped where the file is large."""
    path = os.path.join(folder, BLOBS, kept.digest)
    try:
        if os.path.getsize(path) >= HELD:
            with open(path, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            if digest == kept.digest:
                return map_file(path)[0]
    except OSError:
        pass  # reading it says what is wrong
    return read_blob(folder, kept)


class KeptSiblings:
    """The kept companions, as the files next to the kept original."""

    def __init__(self, folder: str, companions: Iterable[KeptFile]) -> None:
        self._folder = folder
        self._kept = {kept.name: kept for kept in companions}

    def names(self) -> list[str]:
        """The names of the kept companions."""
        return sorted(self._kept)

    def read(self, name: str) -> bytes:
        """The bytes of a companion.  Raises FileNotFoundError for an unknown name."""
        kept = self._kept.get(name)
        if kept is None:
            raise FileNotFoundError(2, "not kept", name)
        return read_blob(self._folder, kept)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(", ", ": "), sort_keys=False)


def _size(row: dict[str, object]) -> int:
    return expect_integer(row.get("size"), 0, 1 << 63)


def _digest_in(row: dict[str, object], key: str = "sha256") -> str:
    text = expect_text(row.get(key))
    if len(text) != 64 or not _HEXADECIMAL.issuperset(text):
        raise FormatError(f"expected a SHA-256, got {text!r}")
    return text
