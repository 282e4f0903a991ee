"""7-Zip archives: projects of Studio 1 in them open, and broken ones are refused by name."""

from __future__ import annotations

import random
import zipfile
from collections import Counter
from pathlib import Path

import pytest

import overhaul
from ide_projects import modern_project, studio_project
from overhaul.bounds import Budget
from overhaul.cli import main
from overhaul.document.sevenzip import SevenZipMembers
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from seven_zip_files import AES, COPY, LZMA, LZMA2, seven_zip

FILES = {"a.txt": b"first", "folder/b.bin": bytes(range(256)) * 20, "empty": b"", "c": b"last"}


@pytest.mark.parametrize("method", [LZMA, LZMA2, COPY])
@pytest.mark.parametrize("encoded", [False, True])
def test_members(method: tuple[bytes, bytes], encoded: bool) -> None:
    members = SevenZipMembers(seven_zip(FILES, method, encoded=encoded), "a.gmz")
    assert members.names() == list(FILES)
    assert {name: members.read(name) for name in members.names()} == FILES
    with pytest.raises(FileNotFoundError):
        members.read("other")


def zipped(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }  # fmt: skip


def test_a_project_in_one(tmp_path: Path) -> None:
    studio_project(tmp_path / "project")
    path = tmp_path / "Game.gmz"
    path.write_bytes(seven_zip(zipped(tmp_path / "project")))
    with overhaul.open(path) as project:
        assert project.source == f"{path}!Game.project.gmx"
    assert overhaul.open_project(path).objects.names() == ["obj_a"]
    image = overhaul.open_project(path).sprites["spr_a"].frames[0].image
    assert image is not None and image.size == (4, 2)
    report = overhaul.verify(path)
    assert (report.identical, report.findings) == (True, [])


@pytest.mark.parametrize("name", ["Game.yyz", "Game.yymps"])
def test_projects_in_zip_archives(tmp_path: Path, name: str) -> None:
    modern_project(tmp_path / "project")
    path = tmp_path / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.json", '{"package_type": "asset"}')
        for inner, data in zipped(tmp_path / "project").items():
            archive.writestr(inner, data)
    assert overhaul.open_project(path).objects.names() == ["obj_a", "obj_b"]
    assert overhaul.verify(path).findings == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (seven_zip(FILES)[:20], "it is cut off"),
        (seven_zip(FILES)[:-9], "its header is beyond the end: it is cut off"),
        (seven_zip(FILES)[:-9] + bytes(9), "the checksum of its header is wrong"),
        (seven_zip(FILES, AES), "the 7-Zip archive is encrypted"),
        (seven_zip(FILES, (b"\x03\x04\x01", b"")), "packed with PPMd, which is not read"),
        (seven_zip(FILES, (b"\x77\x01", b"")), "a stream is packed with 7701, which is not read"),
    ],
)  # fmt: skip
def test_what_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as error:
        SevenZipMembers(data, "a.gmz").read("a.txt")
    assert message in str(error.value)


def test_checksums_and_bounds() -> None:
    data = seven_zip({"a": b"right" * 9}, COPY)
    with pytest.raises(FormatError, match="the checksum of 'a' is wrong"):
        SevenZipMembers(data.replace(b"rightright", b"rightwrong"), "a.gmz").read("a")
    large = seven_zip({"a": bytes(1 << 22)})
    with pytest.raises(FormatError, match="a stream"):
        SevenZipMembers(large, "a.gmz", Budget(100, "a.gmz", least=1000)).read("a")


def test_damaged_archives() -> None:
    choose = random.Random(5)
    counts: Counter[str] = Counter()
    for encoded in (False, True):
        whole = seven_zip(FILES, encoded=encoded)
        for _ in range(400):
            data = bytearray(whole)
            for _ in range(choose.randint(1, 4)):
                data[choose.randrange(8, len(data))] = choose.randrange(256)
            try:
                members = SevenZipMembers(bytes(data), "a.gmz")
                read = {name: members.read(name) for name in members.names()}
            except FormatError as error:
                assert error.source == "a.gmz"
                counts["refused"] += 1
                continue
            assert read == FILES
            counts["read"] += 1
    assert counts == {"refused": 796, "read": 4}  # in 4, a byte became what it was


def test_an_extension_is_a_project_of_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "Ads.extension.gmx": b"<extension>\r\n  <name>Ads</name>\r\n</extension>\r\n",
        "Ads/ads.gml": b"x = 1;", "Ads/Assets/datafiles/help.html": b"<p>",
    }  # fmt: skip
    path = tmp_path / "download.gmez"
    path.write_bytes(seven_zip(files))
    with overhaul.open_project(path) as project:
        assert isinstance(project, IdeProjectDocument)
        assert project.info()["name"] == "Ads"
        assert [(one.kind, one.name, one.path) for one in project.entries] == [
            ("extension", "Ads", "Ads.extension.gmx")
        ]
        assert overhaul.verify(path).identical
        with pytest.raises(ValueError, match="an extension without a project"):
            project.sprites.add("spr_a")
        with pytest.raises(ValueError, match="an extension without a project"):
            project.extensions.remove("Ads")
    assert main(["unpack", str(path), str(tmp_path / "out")]) == 0
    out = tmp_path / "out"
    assert {name: (out / name).read_bytes() for name in files} == files
    assert main(["check", str(path)]) == 0
    assert "no faults" in capsys.readouterr().out


def test_an_extension_in_a_project_is_a_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "game.gmz"
    path.write_bytes(seven_zip({
        "Game.project.gmx": b"<assets></assets>",
        "extensions/Ads.extension.gmx": b"<extension><name>Ads</name></extension>",
    }))  # fmt: skip
    with overhaul.open_project(path) as project:
        assert isinstance(project, IdeProjectDocument)
        assert project.name == "Game.project.gmx"


def test_an_archive_of_other_files_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "files.7z"
    path.write_bytes(seven_zip({"deep/Ads.extension.gmx": b"<extension/>"}))
    assert main(["info", str(path)]) == 3
    assert "a 7-Zip archive without a game or a project" in capsys.readouterr().err
