"""What is kept in ``.overhaul/``: the manifest, and the original bytes as blobs by their hash.

The manifest is JSON with one file per line, so that two of them compare well in git.  Its last
line is the SHA-256 of all lines before it: a manifest that something damaged or merged is noticed
before it can make packing go wrong.
"""

from __future__ import annotations

import hashlib
import json
import os

from overhaul.document.names import is_safe_path
from overhaul.errors import WorkspaceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: The layout of the folder: raised when older versions could not pack a newer folder.
FORMAT = 1
#: Where everything lies that people do not edit.
KEPT = ".overhaul"
MANIFEST = f"{KEPT}/manifest.json"
BLOBS = f"{KEPT}/blobs"


class Entry:
    """A plain file as it was unpacked.

    ``path`` is the model's name of it, ``file`` where it is on the disk (the same unless some
    file system could not hold that name), ``digest`` its SHA-256.
    """

    __slots__ = ("digest", "file", "note", "origin", "path", "size")

    def __init__(
        self, path: str, file: str, size: int, digest: str, origin: str = "", note: str = ""
    ) -> None:
        self.path = path
        self.file = file
        self.size = size
        self.digest = digest
        self.origin = origin
        self.note = note


class Kept:
    """A file whose original bytes are kept: its name, size and SHA-256."""

    __slots__ = ("digest", "name", "size")

    def __init__(self, name: str, size: int, digest: str) -> None:
        self.name = name
        self.size = size
        self.digest = digest


class Manifest:
    """What a folder was unpacked from, and each of its plain files."""

    def __init__(
        self,
        kind: str,
        original: Kept,
        companions: Iterable[Kept],
        settings: Mapping[str, object],
        entries: Iterable[Entry],
    ) -> None:
        self.kind = kind
        self.original = original
        self.companions = list(companions)
        self.settings = dict(settings)
        self.entries = list(entries)

    # ---------------------------------------------------------------------------------- writing

    def to_bytes(self) -> bytes:
        """The text of the manifest; the same for the same content."""
        lines = [
            "{",
            f'"format": {FORMAT},',
            f'"kind": {_json(self.kind)},',
            f'"original": {_json(_kept_to_json(self.original))},',
            f'"companions": {_json([_kept_to_json(kept) for kept in self.companions])},',
            f'"settings": {_json(self.settings)},',
            '"files": [',
        ]
        rows = [_json(_entry_to_json(entry)) for entry in self.entries]
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
                raise WorkspaceError(
                    f"{path} is missing, but its folder is there. Unpack the game again; or remove "
                    "the .overhaul folder to pack from the plain files alone"
                ) from None
            return None
        except OSError as error:
            raise WorkspaceError(f"{path} can't be read: {error.strerror}") from error
        try:
            return cls.from_bytes(data)
        except WorkspaceError as error:
            raise WorkspaceError(f"{path}: {error}") from None

    @classmethod
    def from_bytes(cls, data: bytes) -> Manifest:
        """Read the text of a manifest.  Raises WorkspaceError if it is damaged."""
        body, found, check = data.rpartition(b'"check": "')
        if not found or check != _digest(body).encode("ascii") + b'"\n}\n':
            raise WorkspaceError(
                "the manifest is damaged (its check sum differs). Unpack the game again; or remove "
                f"the {KEPT} folder to pack from the plain files alone"
            )
        try:
            content = json.loads(data)
            if content["format"] != FORMAT:
                raise WorkspaceError(
                    f"the folder has layout {content['format']!r}, and this version of Overhaul "
                    f"knows layout {FORMAT}"
                )
            manifest = cls(
                str(content["kind"]),
                _kept_from_json(content["original"]),
                [_kept_from_json(kept) for kept in content["companions"]],
                dict(content["settings"]),
                [_entry_from_json(row) for row in content["files"]],
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise WorkspaceError(f"the manifest can't be read: {error!r}") from error
        for entry in manifest.entries:
            if not is_safe_path(entry.file):
                raise WorkspaceError(f"the manifest names the unsafe path {entry.file!r}")
        return manifest


def read_blob(folder: str, kept: Kept) -> bytes:
    """The original bytes of a file.  Raises WorkspaceError if they are missing or damaged."""
    path = os.path.join(folder, BLOBS, kept.digest)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise WorkspaceError(
            f"the kept original of {kept.name} can't be read ({path}: {error.strerror})"
        ) from error
    if _digest(data) != kept.digest:
        raise WorkspaceError(f"the kept original of {kept.name} is damaged ({path})")
    return data


class KeptBeside:
    """The kept companions, as what stands beside the kept original."""

    def __init__(self, folder: str, companions: Iterable[Kept]) -> None:
        self._folder = folder
        self._kept = {kept.name: kept for kept in companions}

    def names(self) -> list[str]:
        """The names of the kept companions."""
        return sorted(self._kept)

    def read(self, name: str) -> bytes:
        """The bytes of one.  Raises FileNotFoundError where there is none of that name."""
        kept = self._kept.get(name)
        if kept is None:
            raise FileNotFoundError(2, "it was not kept", name)
        return read_blob(self._folder, kept)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(", ", ": "), sort_keys=False)


def _kept_to_json(kept: Kept) -> dict[str, object]:
    return {"name": kept.name, "size": kept.size, "sha256": kept.digest}


def _kept_from_json(row: dict[str, object]) -> Kept:
    name, size, digest = row["name"], row["size"], row["sha256"]
    if not (isinstance(name, str) and isinstance(size, int) and _is_digest(digest)):
        raise WorkspaceError(f"the manifest names a kept file wrongly: {row!r}")
    if os.path.basename(name) != name or name in (".", ".."):
        raise WorkspaceError(f"the manifest names a kept file {name!r}")
    return Kept(name, size, str(digest))


def _entry_to_json(entry: Entry) -> dict[str, object]:
    row: dict[str, object] = {"path": entry.path, "size": entry.size, "sha256": entry.digest}
    if entry.file != entry.path:
        row["file"] = entry.file
    if entry.origin:
        row["from"] = entry.origin
    if entry.note:
        row["note"] = entry.note
    return row


def _entry_from_json(row: dict[str, object]) -> Entry:
    path, size, digest = row["path"], row["size"], row["sha256"]
    file = row.get("file", path)
    named = isinstance(path, str) and isinstance(file, str)
    if not (named and isinstance(size, int) and _is_digest(digest)):
        raise WorkspaceError(f"the manifest names a plain file wrongly: {row!r}")
    origin, note = row.get("from", ""), row.get("note", "")
    return Entry(str(path), str(file), size, str(digest), str(origin), str(note))


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")
