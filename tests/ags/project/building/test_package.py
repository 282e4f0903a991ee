"""The package of a game: which files it has, in which order, in how many parts."""

from __future__ import annotations

from pathlib import Path

import pytest

import ags_built
from overhaul.ags.agf.files import HeldFiles, ProjectFiles
from overhaul.ags.library.package import Package, find_package
from overhaul.ags.project.building import package
from overhaul.ags.project.building.releases import release_of
from overhaul.ags.project.elements import group, leaf
from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError

NEW, OLD = release_of("3.6.2.12", ""), release_of("3.4.1", "15")


def members(folder: Path, custom: str = "", editor: str = NEW.name) -> package.Members:
    """What goes into the package of a project in a folder."""
    game = group("Game", [group("Settings", [leaf("CustomDataDir", custom)])])
    return package.Members(game, ProjectFiles(folder), release_of(editor, ""))


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(name.encode())


def test_the_order_of_members(tmp_path: Path) -> None:
    write(
        tmp_path, "agsfnt10.TTF", "agsfnt2.ttf", "AGSFNT0.WFN", "intro.ogv", "Flic3.FLC",
        "acsprset.spr", "SprIndex.dat", "preload.pcx", "notes.txt", "AudioCache/au000004.ogg",
        "agsfnt1.wfn",
    )  # fmt: skip
    bell = ags_built.clip(NEW.name, 3, "aBell", "x.ogg")
    clips = [bell, ags_built.clip(NEW.name, 4, "aTune", "y.ogg", BundlingType="InSeparateVOX")]
    made = members(tmp_path).listed(b"data", {"room2.crm": b"2", "room1.crm": b"1"}, clips)
    assert list(made) == [
        "preload.pcx", "SprIndex.dat", "au000004.ogg", "Flic3.FLC", "game28.dta", "agsfnt10.TTF",
        "agsfnt2.ttf", "AGSFNT0.WFN", "agsfnt1.wfn", "acsprset.spr", "room2.crm", "room1.crm",
        "intro.ogv",
    ]  # fmt: skip
    assert (made["game28.dta"], made["au000004.ogg"]) == (b"data", b"AudioCache/au000004.ogg")


def test_own_files(tmp_path: Path) -> None:
    write(tmp_path, "acsprset.spr", "Data/b.txt", "Data/A.txt", "Data/sub/c.txt", "Compiled/x.ags",
          "Music/m.txt")  # fmt: skip
    files = members(tmp_path, "Music, data, Data/sub, ../other, Compiled, C:\\more")
    made = files.listed(b"", {}, [])
    assert list(made)[2:] == ["data/A.txt", "data/b.txt", "data/sub/c.txt", "Music/m.txt"]
    assert [one.code for one in files.findings] == ["absent-file", "absent-file", "left-out"]
    assert "C:/more" in files.findings[1].message and "Compiled" in files.findings[2].message
    old = members(tmp_path, "Data", "3.5.1.22")
    assert list(old.listed(b"", {}, [])) == ["game28.dta", "acsprset.spr"]


def test_a_project_without_sprites(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no sprites") as caught:
        members(tmp_path).listed(b"", {}, [])
    assert caught.value.source == str(tmp_path / "acsprset.spr")


def test_a_sound_is_that_of_the_cache_or_its_source(tmp_path: Path) -> None:
    clip = ags_built.clip(NEW.name, 3, "aBell", "Sounds\\Bell.ogg")
    files = members(tmp_path)
    assert files.sound_file(clip) is None
    write(tmp_path, "sounds/bell.OGG")
    assert files.sound(clip) == b"sounds/bell.OGG"
    write(tmp_path, "audiocache/AU000004.ogg")
    assert files.sound(clip) == b"audiocache/AU000004.ogg"


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/x", "C:\\x", "..\\x", "a/./b", ""])
def test_files_outside_of_a_project_are_not_found(tmp_path: Path, path: str) -> None:
    write(tmp_path, "x", "project/a/b")
    assert ProjectFiles(tmp_path / "project").find(path) is None


def test_files_are_found_whatever_the_case(tmp_path: Path) -> None:
    write(tmp_path, "Sounds/Bell.ogg")
    files = ProjectFiles(tmp_path)
    assert files.find("sounds\\BELL.OGG") == tmp_path / "Sounds/Bell.ogg"
    assert files.find("Sounds") is None and files.folder("sounds") == tmp_path / "Sounds"
    held = HeldFiles({"Game.agf": lambda: b"x"})
    found = held.find("game.AGF")
    assert found is not None and held.read(found) == b"x" and held.find("other") is None


# -- packages ----------------------------------------------------------------------------------


def test_one_file() -> None:
    made = package.package_of({"game28.dta": b"1", "acsprset.spr": b"22"}, "Small", NEW)
    assert (made.version, made.parts, made.other_parts()) == (30, ["Small.ags"], {})
    again = Package.read(made.to_bytes())
    assert [(asset.name, asset.read()) for asset in again] == [
        ("game28.dta", b"1"),
        ("acsprset.spr", b"22"),
    ]
    old = package.package_of({"game28.dta": b"1"}, "Small", OLD)
    assert (old.version, old.parts, Package.read(old.to_bytes()).version) == (21, ["Small.ags"], 21)
    assert package.package_of({}, "Small", release_of("3.3.5", "")).parts == ["Small.exe"]


def test_parts_begin_at_the_sprites_and_where_one_is_full() -> None:
    sizes = {"game28.dta": 600_000, "a.ttf": 600_000, "acsprset.spr": 1_200_000,
             "room1.crm": 600_000, "room2.crm": 300_000, "room3.crm": 200_000}  # fmt: skip
    held = {name: bytes(size) for name, size in sizes.items()}
    made = package.package_of(held, "Small", NEW, split=1)
    assert made.parts == ["Small.ags", "Small.001", "Small.002", "Small.003"]
    assert [asset.part for asset in made] == [0, 0, 1, 2, 2, 3]
    data = made.to_bytes()
    parts = made.other_parts()
    again = Package.read(data, read_part=parts.get)
    assert {asset.name: asset.read() for asset in again} == held


def test_sounds_of_a_package() -> None:
    made = Package.read(package.voices_package({"au000001.ogg": b"x"}, "audio.vox", OLD))
    assert (made.version, [asset.name for asset in made]) == (6, ["au000001.ogg"])


@pytest.mark.parametrize(("editor", "width"), [("3.4.1", 4), ("3.6.2.12", 8)])
def test_an_engine_begins_the_file(editor: str, width: int) -> None:
    release = release_of(editor, "")
    made = package.package_of({"game28.dta": b"1"}, "Small", release)
    package.with_engine(made, b"MZ engine", release, "acwin.exe")
    data = made.to_bytes()
    assert data.startswith(b"MZ engine") and find_package(data) == (9, width + 12)
    again = package.package_of({"game28.dta": b"2"}, "Small", release)
    package.with_engine(again, data, release, "old.exe")  # another game's engine
    assert again.prefix == b"MZ engine"
    with pytest.raises(FormatError, match="expected a program as the engine"):
        package.with_engine(made, b"text", release, "a.txt")


def test_sounds_stand_in_the_order_of_folders() -> None:
    clips = [ags_built.clip(NEW.name, number, f"a{number}", "x.ogg") for number in (2, 0, 1)]
    inner = group("AudioClipFolder", [XmlNode("SubFolders"), group("AudioClips", clips[:1])])
    outer = group("AudioClipFolder", [group("SubFolders", [inner]), group("AudioClips", clips[1:])])
    game = group("Game", [group("AudioClips", [outer])])
    ordered = package.clips_in_folders(sorted(clips, key=lambda one: one.value("ID")), game)
    assert [clip.value("ScriptName") for clip in ordered] == ["a2", "a0", "a1"]
