"""``speech.vox``: the files of speech, and how mouths move while they are heard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from overhaul.ags.agf.files import ProjectFiles
from overhaul.ags.lip_sync import FILE, NEW, OLD, LipSync, SyncLine, write_lip_sync
from overhaul.ags.project.building.package import voices_package
from overhaul.ags.project.building.releases import Release
from overhaul.document.xmltext import XmlNode
from overhaul.errors import SourceError

_FOLDER: Final = "Speech"
_VOICES: Final = ("mp3", "ogg", "wav")
_FOLDERS_SINCE: Final = (3, 6, 0, 12)
_LONG_NAMES_SINCE: Final = (3, 6, 2, 13)
_LINES: Final = re.compile(r"\r\n|\r|\n")
#: Pamela and Papagayo count positions of 1/360 and frames of 1/24 seconds.
_PAMELA, _RATE, _SECOND = 15, 24, 1000


def speech_packages(
    game: XmlNode, folder: ProjectFiles, release: Release
) -> Iterator[tuple[str, bytes]]:
    """The packages of speech by the names of their files.  Raises SourceError."""
    made = voices_of(game, folder, release, _FOLDER, "")
    if made:
        yield "speech.vox", voices_package(made, "speech.vox", release)
    if release.since(*_FOLDERS_SINCE):
        for name in folder.folders(_FOLDER):
            made = voices_of(game, folder, release, f"{_FOLDER}/{name}", f"{name}/")
            if made:
                yield f"sp_{name}.vox", voices_package(made, f"sp_{name}.vox", release)


def voices_of(
    game: XmlNode, folder: ProjectFiles, release: Release, path: str, prefix: str
) -> dict[str, bytes]:
    """The members of a package of speech; none without a file that is heard."""
    names = folder.names(path)
    place = folder.folder(path)
    if place is None:
        return {}
    voices = [
        name for ending in _VOICES for name in names if name.casefold().endswith(f".{ending}")
    ]
    if not voices:
        return {}
    made: dict[str, bytes] = {}
    lines = list(_sync_lines(game, folder, path, release))
    if lines:
        version = NEW if release.since(*_LONG_NAMES_SINCE) else OLD
        made[f"{prefix}{FILE}"] = write_lip_sync(LipSync(version, lines))
    else:
        found = folder.find(f"{path}/{FILE}")
        if found is not None:
            made[f"{prefix}{FILE}"] = folder.read(found)
    made |= {f"{prefix}{name}": folder.read(place / name) for name in voices}
    return made


def _sync_lines(
    game: XmlNode, folder: ProjectFiles, path: str, release: Release
) -> Iterator[SyncLine]:
    """The lines of the files of Pamela, then of Papagayo; before 3.6 they are in the root."""
    where = path if release.since(3, 6) else ""
    place = folder.folder(where)
    codes = phonemes(game)
    for ending, times in ((".pam", _of_pamela), (".dat", _of_papagayo)):
        for name in folder.names(where):
            if not name.casefold().endswith(ending) or place is None:
                continue
            text = folder.read(place / name).decode("latin-1")
            if ending == ".dat" and not text.startswith("MohoSwitch1"):
                continue  # another file of this ending
            found = [(at, _frame(codes, code, name, line)) for line, at, code in times(text, name)]
            found.sort(key=lambda pair: pair[0])
            ends = [at for at, _ in found[1:]]
            if found:
                ends.append(found[-1][0] + _SECOND)
            frames = [(end, frame) for end, (_, frame) in zip(ends, found, strict=True)]
            yield SyncLine(PurePosixPath(name).stem, frames)


def phonemes(game: XmlNode) -> dict[str, int]:
    """The frame of each phoneme: the first that lists it."""
    made: dict[str, int] = {}
    frames = game.find("LipSync/Frames")
    for frame, node in enumerate(() if frames is None else frames.all("CharsForFrame")):
        for code in node.text.split("/"):
            if code.strip():
                made.setdefault(code.strip().upper(), frame)
    return made


def _frame(codes: dict[str, int], code: str, name: str, line: int) -> int:
    if code not in codes:
        raise SourceError(f"no frame of lip sync has the phoneme {code!r:.40}", line, 1, name=name)
    return codes[code]


def _of_pamela(text: str, name: str) -> Iterator[tuple[int, int, str]]:
    """(line, milliseconds, phoneme) of each line of the section Speech."""
    inside = False
    for number, line in enumerate(_LINES.split(text), start=1):
        if line.lstrip().startswith("["):
            inside = line.strip().casefold() == "[speech]"
        elif inside and ":" in line:
            at, _, code = line.partition(":")
            position = _number(at, name, number) // _PAMELA
            yield number, position * _SECOND // _RATE, code.strip().upper()


def _of_papagayo(text: str, name: str) -> Iterator[tuple[int, int, str]]:
    """(line, milliseconds, phoneme) of each line but the first."""
    for number, line in enumerate(_LINES.split(text)[1:], start=2):
        at, _, code = line.strip().partition(" ")
        if code:
            yield number, _number(at, name, number) * _SECOND // _RATE, code.strip().upper()


def _number(text: str, name: str, line: int) -> int:
    try:
        return int(text.strip()[:12])
    except ValueError:
        raise SourceError(f"expected a position, got {text[:40]!r}", line, 1, name=name) from None
