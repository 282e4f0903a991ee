"""Lip synchronisation of speech as a JSON file: for each speech file, when which frame ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.lip_sync import LipSyncDocument
from overhaul.ags.folder import file_io
from overhaul.ags.folder.format import AgsFormat
from overhaul.ags.lip_sync import VERSIONS, LipSync, SyncLine, write_lip_sync
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.folder.json_fields import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    in_file,
)

LIP_SYNC_JSON: Final = "lip_sync.json"
_MOST: Final = (1 << 16) - 1


class LipSyncFormat(AgsFormat[LipSyncDocument]):
    """Lip-sync data as a folder."""

    has_encoding = True
    document_class = LipSyncDocument

    def tree(self, document: LipSyncDocument) -> Iterable[Resource]:
        """The lines."""
        for line in document.lip_sync.lines:
            yield Resource("lip sync", document.shown(line.file), LIP_SYNC_JSON)

    def plain_files(self, document: LipSyncDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The lines as JSON."""
        yield file_io.thing_file(
            document, LIP_SYNC_JSON, partial(_show, document.lip_sync), "lip sync"
        )

    def apply(
        self, document: LipSyncDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Take the lines from their JSON file."""
        file_io.take_settings(document, folder.settings)
        if LIP_SYNC_JSON in changes:
            shown = file_io.read_json(document, folder, LIP_SYNC_JSON)
            with in_file(LIP_SYNC_JSON):
                document.lip_sync = _read(shown)
                write_lip_sync(document.lip_sync)
        document.edited(document.lip_sync.version)
        return Findings()


FORMAT: Final = LipSyncFormat()


def _show(made: LipSync) -> dict[str, object]:
    return {
        "version": made.version,
        "lines": [
            {
                "file": line.file,
                **({"rest": line.rest.hex()} if line.rest else {}),
                "frames": [{"end": end, "frame": frame} for end, frame in line.frames],
            }
            for line in made.lines
        ],
    }


def _read(shown: dict[str, object]) -> LipSync:
    with at_key("version"):
        version = expect_integer(shown.pop("version", VERSIONS[0]))
        if version not in VERSIONS:
            raise FormatError(f"expected {' or '.join(map(str, VERSIONS))}, got {version}")
    made = LipSync(version)
    with at_key("lines"):
        for index, item in enumerate(expect_list(shown.pop("lines", []))):
            with at_key("", index):
                made.lines.append(_line(dict(expect_object(item))))
    _refuse_unknown(shown)
    return made


def _line(shown: dict[str, object]) -> SyncLine:
    with at_key("file"):
        line = SyncLine(expect_text(shown.pop("file", None)))
    with at_key("rest"):
        line.rest = expect_bytes(shown.pop("rest", ""))
    with at_key("frames"):
        frames = expect_list(shown.pop("frames", []))
        if len(frames) > _MOST:
            raise FormatError(f"a line has at most {_MOST} frames, got {len(frames)}")
        for index, item in enumerate(frames):
            with at_key("", index):
                frame = dict(expect_object(item))
                with at_key("end"):
                    end = expect_integer(frame.pop("end", None))
                with at_key("frame"):
                    number = expect_integer(frame.pop("frame", None), -(1 << 15), (1 << 15) - 1)
                _refuse_unknown(frame)
                line.frames.append((end, number))
    _refuse_unknown(shown)
    return line


def _refuse_unknown(left: dict[str, object]) -> None:
    if left:
        raise FormatError(f"unknown field {min(left)!r}")
