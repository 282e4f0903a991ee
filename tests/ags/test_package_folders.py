"""The folders of packages: what they hold, edits, and errors in them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import overhaul
from ags_folders import Edit, Folder, package, sprite_set
from ags_games import wfn
from ags_package import made_room
from overhaul.ags.library import Package
from overhaul.ags.library.tables import Table30
from overhaul.errors import WorkspaceError
from present import instance


@pytest.mark.parametrize("version", [6, 10, 11, 15, 20, 21, 30])
def test_a_package_as_files(version: int, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.ags", package(version).to_bytes())
    shown = folder.json("package.json")
    assert shown["version"] == version and shown["trailing"] == {"0": "656e64"}
    assert ("seed" in shown) == (version == 21) and ("modifier" in shown) == (version == 6)
    first, second = instance(list, shown["assets"])
    assert first["name"] == "aü.txt" and (folder.path / first["file"]).read_bytes() == b"first"
    assert second["name"] == "b:c" and second.get("gap") == (None if version == 6 else "676170")
    with overhaul.open(folder.file) as document:
        coverage = document.coverage()
        assert coverage.media == 11 and coverage.opaque == (3 if version == 6 else 6)
        assert [(r.name, r.size) for r in document.tree()] == [("a\udcfc.txt", 5), ("b:c", 6)]
        found = Package.read(folder.data)
        assert document.locate(found.assets[1].offset) == "assets[1] b:c"
        assert document.locate(found.assets[1].offset + 5) == "assets[1] b:c"
        assert document.locate(found.assets[1].offset + 6) == ""
        assert document.locate(found.table_size - 1) == "table"
        assert document.locate(found.table_size) != "table"
    folder.check()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda shown: shown.update(version=7), "version: unknown library version 7"),
        (lambda shown: shown.update(parts="x"), "parts: expected"),
        (lambda shown: shown.update(trailing={"x": ""}), "trailing: expected the number"),
        (lambda shown: shown.update(trailing={"0": "x"}), "trailing: expected hex"),
        (lambda shown: shown.update(options="x"), "options: expected"),
        (lambda shown: shown.update(tail_width="x"), "tail_width: expected"),
        (lambda shown: shown.update(tail_width=5), "tail_width: expected 0 or 4 or 8, got 5"),
        (lambda shown: shown.update(assets=5), "assets: expected a list"),
        (lambda shown: shown["assets"].append(5), r"assets\[2\]: expected an object"),
        (lambda shown: shown["assets"][1].pop("name"), r"assets\[1\]\.name: expected a text"),
        (lambda shown: shown["assets"][1].pop("file"), r"assets\[1\]\.file: expected a text"),
        (lambda shown: shown["assets"][0].update(gap="x"), r"assets\[0\]\.gap: expected hex"),
        (lambda shown: shown["assets"][0].update(part="x"), r"assets\[0\]\.part: expected"),
    ],
)
def test_errors_in_package_json(change: Edit, message: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.ags", package(30).to_bytes())
    folder.refuses("package.json", change, message)


def test_a_package_behind_a_program_with_options(tmp_path: Path) -> None:
    made = package(30)
    made.prefix, made.tail_width = b"MZ program", 8
    instance(Table30, made.table).options = 3
    folder = Folder(tmp_path, "x.exe", made.to_bytes())
    assert "program.exe" in folder.names()
    shown = folder.json("package.json")
    assert (shown["tail_width"], shown["options"]) == (8, 3)
    with overhaul.open(folder.file) as document:
        assert dict(document.info())["program_bytes"] == 10
        assert document.coverage().media == 21
        found = Package.read(folder.data)
        assert document.locate(found.assets[0].offset + 10) == "assets[0] a\udcfc.txt"
    folder.check()
    folder.refuses(
        "package.json",
        lambda shown: shown.pop("tail_width"),
        r"package\.json:.*tail_width: expected 4 or 8, got 0",
    )
    (folder.path / "program.exe").write_bytes(b"MZ longer program")
    assert Package.read(folder.pack()).prefix == b"MZ longer program"
    (folder.path / "program.exe").unlink()
    assert Package.read(folder.pack()).prefix == b""


def test_a_part_alone(tmp_path: Path) -> None:
    sprites = sprite_set(12)
    sprites.trailing = b""
    data = b"CLIB\x1a\x1e\x02" + sprites.to_bytes() + b"rest"
    folder = Folder(tmp_path, "x.002", data)
    assert folder.names() == ["assets/acsprset.spr", "package.json", "part.bin"]
    assert folder.json("package.json") == {
        "version": 30,
        "part": 2,
        "assets": [{"name": "acsprset.spr", "file": "assets/acsprset.spr"}],
    }
    with overhaul.open(folder.file) as document:
        assert dict(document.info())["part"] == 2
        coverage = document.coverage()
        assert (coverage.opaque, coverage.media) == (4, len(data) - 11)
    folder.check()
    (folder.path / "part.bin").write_bytes(b"other rest")
    assert folder.pack().endswith(b"other rest")
    assert folder.warnings == []
    asset = folder.path / "assets" / "acsprset.spr"
    asset.write_bytes(b"unknown")
    assert Package.read(folder.pack()).trailing == {0: b"unknownother rest"}
    (warning,) = folder.warnings
    assert warning.startswith("assets/acsprset.spr: its type is not one that Overhaul")


def test_the_bytes_of_documents_in_a_package_are_counted_as_they_count_them() -> None:
    font = wfn("A")
    room = made_room().to_bytes()
    made = Package(prefix=b"MZ program", tail_width=4)
    made.add("a.wfn", font)
    made.add("song.ogg", b"OggS sound")
    made.add("broken.crm", room[:-4])
    made.add("room1.crm", room)
    made.assets[2].gap = b"gap"
    data = made.to_bytes()
    report = overhaul.verify(data)
    assert report.identical and not report.good
    by_name = {member.path.rpartition("!")[2]: member for member in report.members}
    assert list(by_name) == ["a.wfn", "broken.crm", "room1.crm"]
    inside = by_name["room1.crm"].coverage
    assert inside is not None and (inside.opaque, inside.total) == (0, len(room))
    stored = Package.read(data)
    table = stored.table_size
    coverage = report.coverage
    assert coverage is not None and coverage.total == len(data)
    assert coverage.media == len(b"MZ program") + len(b"OggS sound") + inside.media
    tail = len(data) - 10 - stored.assets[-1].offset - len(room)
    assert coverage.decoded == table + tail + len(font) + inside.decoded
    assert coverage.opaque == 3 + len(room) - 4
    gap, broken = coverage.details
    start = 10 + stored.assets[2].offset
    assert (gap.offset, gap.path, gap.length) == (start - 3, "assets[2].gap", 3)
    assert data[gap.offset :][:3] == b"gap"
    assert (broken.offset, broken.path, broken.length) == (start, "broken.crm", len(room) - 4)
    assert broken.reason == f"it can't be read: {by_name['broken.crm'].error}"


def test_files_that_share_their_bytes_are_counted_once() -> None:
    font = wfn("A")
    made = Package()
    made.add("a.wfn", font)
    made.add("b.wfn", font)
    made.assets[1].overlap = len(font)
    data = made.to_bytes()
    report = overhaul.verify(data)
    assert report.good and [member.path for member in report.members] == ["!a.wfn", "!b.wfn"]
    coverage = report.coverage
    assert coverage is not None
    assert (coverage.decoded, coverage.media, coverage.opaque) == (len(data), 0, 0)


def test_the_oldest_packages_have_no_parts(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.vox", package(6).to_bytes())
    assert "parts" not in folder.json("package.json")
    folder.check()
    folder.edit("package.json", lambda shown: shown.update(parts=["x"]))
    with pytest.raises(WorkspaceError, match=r"parts: version 6 has no list of parts"):
        folder.pack()


@pytest.mark.parametrize("renamed", [False, True])
def test_a_folder_of_assets_gone_missing_is_no_removal_of_all(
    renamed: bool, tmp_path: Path
) -> None:
    folder = Folder(tmp_path, "x.ags", package(30).to_bytes())
    assets = folder.path / "assets"
    if renamed:
        assets.rename(folder.path / "data")
    else:
        shutil.rmtree(assets)
    with pytest.raises(WorkspaceError, match="all 2 assets would go"):
        overhaul.pack(folder.path, tmp_path / "y.ags")
    assert not (tmp_path / "y.ags").exists()


def test_one_asset_or_all_that_the_table_drops_are_removed(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.ags", package(30).to_bytes())
    first, second = sorted((folder.path / "assets").iterdir())
    first.unlink()
    overhaul.pack(folder.path, tmp_path / "y.ags")
    assert [asset.name for asset in Package.read((tmp_path / "y.ags").read_bytes()).assets] == [
        "b:c"
    ]
    second.unlink()
    folder.edit("package.json", lambda shown: shown.update(assets=[]))
    overhaul.pack(folder.path, tmp_path / "z.ags")
    assert Package.read((tmp_path / "z.ags").read_bytes()).assets == []
