"""What is whole in damaged packages: listed, unpacked, and what is lost named."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import overhaul
from overhaul.ags.detect import PACKAGE_TAIL
from overhaul.ags.library.package import Asset, Package
from overhaul.ags.library.tables import Table6
from overhaul.cli import main
from overhaul.document.salvaging import salvage
from overhaul.errors import FormatError, OverhaulError
from small_games import game_of

FILES = {"first.txt": b"one" * 20, "second.txt": b"two" * 30, "third.txt": b"three" * 40}


def package(version: int = 30, prefix: bytes = b"") -> Package:
    parts = ["" if version == 6 else "game.ags"]
    made = Package(version=version, prefix=prefix, tail_width=8 if prefix else 0, parts=parts)
    if version == 6:
        made.table = Table6()
    for number, (name, data) in enumerate(FILES.items()):
        made.assets.append(Asset(name, data, offset=number, size=len(data)))
    return made


def salvaged(data: bytes) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    """The files in what is salvaged, and what is lost."""
    found, lost = salvage(data)
    made = Package.read(found.data)
    with found.open() as document:
        assert document.to_bytes() == found.data
    return {asset.name: asset.read() for asset in made}, [(name, why) for name, why in lost]


@pytest.mark.parametrize("version", [6, 10, 11, 15, 20, 21, 30])
def test_what_is_before_the_end_of_a_cut_file_is_whole(version: int) -> None:
    data = package(version).to_bytes()
    assert salvaged(data) == (FILES, [])
    cut = data[: -len(FILES["third.txt"]) - 10]
    with pytest.raises(FormatError, match="does not fit"):
        overhaul.open(cut)
    found, lost = salvaged(cut)
    assert found == {"first.txt": FILES["first.txt"]}
    assert [name for name, _ in lost] == ["second.txt", "third.txt"]
    assert "does not fit into its part of" in lost[0][1]
    cut = data[:-1]
    assert list(salvaged(cut)[0]) == ["first.txt", "second.txt"]


def test_entries_that_lie_cost_nothing_but_themselves() -> None:
    data = bytearray(package().to_bytes())
    at = data.find(b"second.txt\0") + 11
    data[at] = 7  # its part
    found, lost = salvaged(bytes(data))
    assert list(found) == ["first.txt", "third.txt"]
    assert lost == [("second.txt", "part 7 is not in the list of parts")]
    data[at] = 0
    data[at + 1 : at + 9] = (1 << 62).to_bytes(8, "little")
    assert list(salvaged(bytes(data))[0]) == ["first.txt", "third.txt"]
    data[at + 1 : at + 9] = b"\xff" * 8
    assert list(salvaged(bytes(data))[0]) == ["first.txt", "third.txt"]
    data[at + 1 : at + 17] = (4).to_bytes(8, "little") + (-1).to_bytes(8, "little", signed=True)
    assert list(salvaged(bytes(data))[0]) == ["first.txt", "third.txt"]
    data.pop()  # the third is lost as well
    data[at + 1 : at + 17] = (9).to_bytes(8, "little") + (20).to_bytes(8, "little")
    found, lost = salvaged(bytes(data))
    assert list(found) == ["first.txt"]
    assert lost[0] == ("second.txt", "'second.txt' at 0x9 begins inside the table")
    data[at + 1 : at + 17] = bytes(16)  # nothing is nowhere
    assert salvaged(bytes(data))[0] == {"first.txt": FILES["first.txt"], "second.txt": b""}


def test_the_first_entries_of_a_damaged_table_are_read() -> None:
    made = package()
    data = made.to_bytes()
    cut = data[: data.find(b"third.txt\0") + 12]
    with pytest.raises(FormatError, match="nothing can be salvaged: none of its assets is whole"):
        salvage(cut)
    # the number of entries is wrong: all that are there count
    at = data.find(b"first.txt\0") - 4
    broken = bytearray(data)
    broken[at : at + 4] = (1 << 30).to_bytes(4, "little")
    with pytest.raises(FormatError):
        overhaul.open(bytes(broken))
    found, lost = salvaged(bytes(broken))
    assert {name: found[name] for name in FILES} == FILES
    assert tuple(lost[-1][:1]) == ("",) or any(not name for name, _ in lost)
    assert any("the table is damaged after its first entries" in reason for _, reason in lost)


def test_a_program_without_its_end() -> None:
    """The program has the signature in its code as well."""
    program = b"MZ" + b"CLIB\x1a\0 is what packages begin with" + bytes(40)
    made = package(prefix=program)
    data = made.to_bytes()
    assert data.endswith(PACKAGE_TAIL)
    cut = data[: -len(PACKAGE_TAIL) - 8]
    with pytest.raises(FormatError):
        overhaul.open(cut)
    assert salvaged(cut) == (FILES, [])
    assert salvage(cut)[0].data == data
    shorter = cut[:-20]
    assert list(salvaged(shorter)[0]) == ["first.txt", "second.txt"]
    broken = data[: -len(PACKAGE_TAIL) - 8] + b"\xff" * 8 + PACKAGE_TAIL
    assert salvaged(broken) == (FILES, [])


def test_missing_parts_are_lost(tmp_path: Path) -> None:
    made = package()
    made.parts = ["game.ags", "game.001", "game.002"]
    made.assets[1].part, made.assets[2].part = 1, 2
    parts = made.other_parts()
    file = tmp_path / "game.ags"
    file.write_bytes(made.to_bytes())
    (tmp_path / "game.001").write_bytes(parts["game.001"])
    (tmp_path / "game.002").write_bytes(parts["game.002"][:-1])
    with pytest.raises(FormatError, match="does not fit"):
        overhaul.open(file)
    found, lost = salvage(file)
    names = [asset.name for asset in Package.read(found.data)]
    assert names == ["first.txt", "second.txt"]
    assert Package.read(found.data)["second.txt"].read() == FILES["second.txt"]
    assert Package.read(found.data).parts == ["game.ags"]
    assert [name for name, _ in lost] == ["third.txt"]
    (tmp_path / "game.001").unlink()
    found, lost = salvage(file)
    assert tuple(lost[0]) == ("second.txt", "the part game.001 is missing")


def test_assets_that_share_bytes_are_not_copied() -> None:
    made = package()
    data = bytearray(made.to_bytes())
    entry = data.find(b"third.txt\0") + 11
    second = data.find(b"second.txt\0") + 12
    data[entry : entry + 16] = data[second : second + 16]  # the third is the second
    found, lost = salvage(bytes(data[:-1] + b"!"))
    assert not lost
    at = data.find(b"first.txt\0") + 11
    data[at : at + 8] = (1 << 40).to_bytes(8, "little")
    found, lost = salvage(bytes(data))
    again = Package.read(found.data)
    assert [asset.read() for asset in again] == [FILES["second.txt"]] * 2
    assert bytes(found.data).count(FILES["second.txt"]) == 1


def test_other_formats_say_that_they_have_no_salvage() -> None:
    data = game_of("2.3").to_bytes()
    assert salvage(data)[0].data == data
    with pytest.raises(FormatError, match="nothing can be salvaged from files of this kind"):
        salvage(data[: len(data) // 2])
    with pytest.raises(FormatError, match="nothing can be salvaged from files of this kind"):
        salvage(b"no game at all")


@pytest.mark.parametrize("version", [6, 11, 20, 21, 30])
def test_any_damage_is_salvaged_or_refused(version: int) -> None:
    data = package(version).to_bytes()
    chance = random.Random(version)
    for _ in range(300):
        broken = bytearray(data[: chance.randrange(len(data)) if chance.random() < 0.3 else None])
        for _ in range(chance.randrange(4)):
            if broken:
                broken[chance.randrange(len(broken))] = chance.randrange(256)
        try:
            found, lost = salvage(bytes(broken))
        except OverhaulError:
            continue
        assert len(found.data) < 4 * len(data)
        with found.open() as document:
            assert not lost or document.to_bytes() == bytes(found.data)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, file = tmp_path / "whole.ags", tmp_path / "game.ags"
    whole.write_bytes(package().to_bytes())
    file.write_bytes(package().to_bytes()[:-1])
    assert main(["ls", str(file)]) == 3
    assert "(overhaul unpack --salvage takes the intact parts)" in capsys.readouterr().err
    assert main(["ls", str(file), "--salvage"]) == 1
    said = capsys.readouterr()
    assert [line.split()[-1] for line in said.out.splitlines()] == [
        "assets/first.txt",
        "assets/second.txt",
    ]
    assert said.err.startswith("overhaul: lost: third.txt: 'third.txt' at ")
    assert main(["ls", str(file), "--salvage", "--json", "-q"]) == 1
    said = capsys.readouterr()
    row = json.loads(said.out)
    assert [each["name"] for each in row["lost"]] == ["third.txt"] and said.err == ""
    assert main(["ls", str(whole), "--salvage", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lost"] == []
    assert main(["ls", str(whole), "--json"]) == 0
    assert "lost" not in json.loads(capsys.readouterr().out)

    folder = tmp_path / "folder"
    assert main(["unpack", str(file), str(folder), "--salvage", "--json"]) == 1
    row = json.loads(capsys.readouterr().out)["files"][0]
    assert [each["name"] for each in row["lost"]] == ["third.txt"]
    assert {p.name: p.read_bytes() for p in (folder / "assets").iterdir()} == {
        name: FILES[name] for name in ("first.txt", "second.txt")
    }
    (folder / "assets/first.txt").write_bytes(b"edited")
    again = tmp_path / "again.ags"
    assert main(["pack", str(folder), "-o", str(again)]) == 0
    made = Package.read(again.read_bytes())
    assert made["first.txt"].read() == b"edited"
    assert made["second.txt"].read() == FILES["second.txt"]
    assert main(["unpack", str(whole), str(tmp_path / "two"), "--salvage"]) == 0
    assert main(["ls", str(folder), "--salvage"]) == 0
