"""speech.vox of a project, and the mouths of its speakers."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhaul.ags.agf.files import ProjectFiles
from overhaul.ags.library.package import Package
from overhaul.ags.lip_sync import NEW, OLD, read_lip_sync
from overhaul.ags.project.building.releases import release_of
from overhaul.ags.project.building.speech import phonemes, speech_packages
from overhaul.ags.project.elements import group, leaf
from overhaul.document.xmltext import XmlNode
from overhaul.errors import EncodeError, SourceError

GAME = group(
    "Game", [group("LipSync", [group("Frames", [leaf("CharsForFrame", text) for text in
                                               ("None", "AA/E", "M/B/AA")])])]
)  # fmt: skip
PAMELA = "[Global]\nAA:9\n[Speech]\n30:m\n0:AA\n[End]\n15:E\n"
PAPAGAYO = "MohoSwitch1\n2 E\n12 None\n"


def packages(folder: Path, editor: str, game: XmlNode = GAME) -> dict[str, Package]:
    """The packages by their names."""
    made = speech_packages(game, ProjectFiles(folder), release_of(editor, ""))
    return {name: Package.read(data) for name, data in made}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_voices_are_packed_by_their_endings(tmp_path: Path) -> None:
    write(
        tmp_path,
        {f"Speech/{name}": name for name in ("EGO2.ogg", "ego10.OGG", "BOB1.mp3", "x.txt")},
    )
    (made,) = packages(tmp_path, "3.6.2.12").items()
    assert (made[0], made[1].version, made[1].parts) == ("speech.vox", 30, ["speech.vox"])
    assert [asset.name for asset in made[1]] == ["BOB1.mp3", "ego10.OGG", "EGO2.ogg"]
    (late,) = packages(tmp_path, "3.6.2.21").values()
    assert late.parts == ["Compiled\\Data\\speech.vox"]
    (old,) = packages(tmp_path, "3.4.1").values()
    assert old.version == 6 and next(asset.name for asset in old) == "BOB1.mp3"


def test_names_are_short_before_3_5(tmp_path: Path) -> None:
    write(tmp_path, {"Speech/longspeaker100.ogg": ""})
    with pytest.raises(EncodeError, match="at most 13 bytes"):
        packages(tmp_path, "3.4.1")


def test_folders_are_packages_of_their_own(tmp_path: Path) -> None:
    write(tmp_path, {"Speech/French/EGO1.ogg": "", "Speech/Empty/x.txt": "", "Speech/EGO1.ogg": ""})
    made = packages(tmp_path, "3.6.0.51")
    assert list(made) == ["speech.vox", "sp_French.vox"]
    assert [asset.name for asset in made["sp_French.vox"]] == ["French/EGO1.ogg"]
    assert list(packages(tmp_path, "3.5.1.22")) == ["speech.vox"]
    assert packages(tmp_path / "none", "3.6.0.51") == {}


def test_mouths_follow_pamela_and_papagayo(tmp_path: Path) -> None:
    files = {"Speech/EGO1.ogg": "", "Speech/EGO1.pam": PAMELA, "Speech/EGO2.dat": PAPAGAYO}
    write(tmp_path, files)
    (made,) = packages(tmp_path, "3.6.2.12").values()
    synced = read_lip_sync(made["syncdata.dat"].read())
    assert synced.version == OLD
    assert [(line.file, line.frames) for line in synced.lines] == [
        ("EGO1", [(83, 1), (1083, 2)]),
        ("EGO2", [(500, 1), (1500, 0)]),
    ]
    (late,) = packages(tmp_path, "3.6.2.13").values()
    assert read_lip_sync(late["syncdata.dat"].read()).version == NEW


def test_other_files_of_mouths(tmp_path: Path) -> None:
    assert phonemes(GAME) == {"NONE": 0, "AA": 1, "E": 1, "M": 2, "B": 2}
    write(tmp_path, {"Speech/EGO1.ogg": "", "Speech/syncdata.dat": "as it is"})
    (made,) = packages(tmp_path, "3.6.2.12").values()
    assert made["syncdata.dat"].read() == b"as it is"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [("[Speech]\n5:XX\n", 2, "no frame of lip sync has the phoneme 'XX'"),
     ("[Speech]\n\nfive:AA\n", 3, "expected a position, got 'five'")],
)  # fmt: skip
def test_mouths_that_are_not_valid(tmp_path: Path, text: str, line: int, reason: str) -> None:
    write(tmp_path, {"Speech/EGO1.ogg": "", "Speech/EGO1.pam": text})
    with pytest.raises(SourceError, match=reason) as caught:
        packages(tmp_path, "3.6.2.12")
    assert (caught.value.name, caught.value.line) == ("EGO1.pam", line)
