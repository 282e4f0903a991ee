"""A guess at the type of a file that no format accepts, for the error message, and advice about
it."""

from __future__ import annotations

import codecs
import os
import shlex

from overhaul.document.archives import find_form, is_seven_zip, zip_candidates
from overhaul.document.protocol import Buffer
from overhaul.document.registry import Probe
from overhaul.suggest import listed

TYPE_CHECKING = False

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"BM", "a BMP picture"),
    (b"OggS", "an Ogg sound or video"),
    (b"ID3", "an MP3 sound"),
    (b"RIFF", "a RIFF file, such as a WAV sound"),
    (b"fLaC", "a FLAC sound"),
    (b"MThd", "a MIDI file"),
    (b"%PDF", "a PDF document"),
    (b"\x1f\x8b", "a gzip archive: decompress it first"),
    (b"BZh", "a bzip2 archive: decompress it first"),
    (b"\xfd7zXZ\x00", "an xz archive: decompress it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive: decompress it first"),
    (b"Rar!\x1a\x07", "a RAR archive: unpack it first"),
    (b"MSCF", "a Microsoft cabinet: unpack it first (cabextract, 7-Zip)"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a Microsoft compound file, such as an .msi installer"),
    (b"\x7fELF", "a Linux program without game data (the data is in assets/game.unx)"),
    (b"\xca\xfe\xba\xbe", "a macOS program or Java class without game data"),
    (b"\xcf\xfa\xed\xfe", "a macOS program without game data (look in Contents/Resources)"),
    (b"UnityFS", "a Unity asset bundle"),
    (b"UnityWeb", "a Unity asset bundle"),
    (b"GDPC", "a Godot package"),
    (b"SQLite format 3\x00", "an SQLite database"),
)


def explain(probe: Probe, source: str | None) -> str:
    """One sentence: what the file is, and which command reads it, if any."""
    shown = source or "FILE"
    head = probe.head
    if not probe.size:
        return "the file is empty"
    if is_damaged(probe.data):
        return DAMAGED
    if head[:2] == b"PK" and head[2:4] in (b"\x03\x04", b"\x05\x06"):
        return _explain_zip(probe, shown)
    if is_seven_zip(probe):
        return "a 7-Zip archive without a game or a project of a known format"
    if head[:2] == b"MZ":
        return _explain_program(probe, shown)
    if head[:4] == b"FORM":
        return "a FORM file, but no GameMaker chunk follows its header"
    for signature, words in _SIGNATURES:
        if head.startswith(signature):
            return f"not a file of a known format; it looks like {words}"
    if probe.name.lower() == _WEB_FILES:
        return (
            f"{_WEB_FILES} has the files of the player of a web build; the game is in a file next "
            "to it, such as game.unx"
        )
    if not any(head):
        return "not a file of a known format; it begins with zero bytes"
    text = _as_text(head)
    if text is not None:
        return _explain_text(text)
    begin = " ".join(f"{byte:02x}" for byte in head[:8])
    return f"not a file of a known format; it begins with the bytes {begin}"


_WEB_FILES = "runner.data"
#: The message about a file that :func:`is_damaged`.
DAMAGED = (
    "the file was damaged by a program that took it for a text and converted it to UTF-8: the "
    "bytes EF BF BD stand where others were lost. Get it again, in binary mode"
)


def is_damaged(data: Buffer) -> bool:
    """Whether a binary file was converted to UTF-8: what is not ASCII in it is mostly the mark
    that stands for undecodable bytes."""
    sample = bytes(data[:_SAMPLE])
    marks = sample.count(b"\xef\xbf\xbd")
    foreign = len(sample) - len(sample.translate(None, _NOT_ASCII))
    if marks < _LEAST_MARKS or 3 * marks < foreign / 2 or b"\0" not in sample:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return False
    return True


_SAMPLE = 1 << 20
_LEAST_MARKS = 8
_NOT_ASCII = bytes(range(128, 256))


def _explain_zip(probe: Probe, shown: str) -> str:
    games = zip_candidates(probe.data)
    if not games:
        return "a zip archive without a game of a known format"
    named = quoted(f"{shown}!{games[0]}")
    if len(games) == 1:
        return f"a zip archive with a game inside; read it with: overhaul info {named}"
    what = f"a zip archive with {len(games)} games inside: {listed(games)}"
    return f"{what}; read one with: overhaul info {named}"


def _explain_program(probe: Probe, shown: str) -> str:
    if find_form(probe.data) is not None:
        named = quoted(f"{shown}!data.win")
        return f"a Windows program with GameMaker data inside; read it with: overhaul info {named}"
    if bytes(probe.data[:]).find(b"MSCF\0\0\0\0") > 0:
        return (
            "a Windows program that carries a cabinet, as GameMaker's single-file games do: unpack "
            "it first (cabextract, 7-Zip), then open the data.win in it"
        )
    return "a Windows program without game data of a known format (look for a data.win next to it)"


def _as_text(head: bytes) -> str | None:
    """The beginning as text, in UTF-8, UTF-16 or some old code page; None if it is not text."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return head.decode("utf-16", "replace")
    if any(byte < 32 and byte not in b"\t\n\r\f\x1a" for byte in head):
        return None
    try:
        return head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(head) - 4:  # a character cut off at the end
            return head[: error.start].decode("utf-8")
    foreign = sum(byte > 126 for byte in head)
    return head.decode("latin-1") if foreign * 3 < len(head) else None


def _explain_text(text: str) -> str:
    start = text.lstrip("\ufeff \t\r\n")
    digits = "".join(start.split())
    if len(digits) >= 8 and all(c in "0123456789abcdefABCDEF" for c in digits):
        return (
            "a text file of hexadecimal digits, such as ds_map_write makes; read it "
            "with: overhaul ds decode"
        )
    if start.startswith("// AGS TRANSLATION SOURCE"):
        return (
            "an AGS translation source (.trs), which AGS compiles to a .tra file: open the .tra, "
            "or edit the .trs as text"
        )
    if _is_gm82(start):
        return (
            "a Game Maker 8.2 project saved as text without gm82_version, which Overhaul does not "
            "read: save it in a newer Game Maker 8.2, and open that"
        )
    if start.startswith("{"):
        return "a JSON text, such as a .yyp project file or a resource of an unpacked folder"
    for tag, what in _EXPORTED.items():
        if f"<{tag}" in start[:_HEAD_OF_XML]:
            return (
                f"{what}, which the editor of Adventure Game Studio exported: import it into a "
                "project there, and open its Game.agf"
            )
    if start.startswith("<"):
        return "an XML or HTML text, such as a project file of GameMaker: Studio or AGS"
    return "a text file, not a file of a known format"


#: the roots of XML files that the editor of Adventure Game Studio exports
_EXPORTED = {"ExportedGUI": "a GUI (.guf)", "ExportedCharacter": "a character (.chr)"}
_HEAD_OF_XML = 600


def _is_gm82(text: str) -> bool:
    """Whether a text is the head of a project of Game Maker 8.2's text format: the number of the
    format, which the first releases left out, and the number and information of the game."""
    keys = {line.partition("=")[0] for line in text.splitlines() if "=" in line}
    return keys >= {"gameid", "info_author", "info_version", "exe_version"}


def quoted(text: str) -> str:
    """The text as one word of a command line."""
    if os.name == "nt":
        return f'"{text}"'
    return shlex.quote(text)
