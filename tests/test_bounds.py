"""What may be taken of somebody's file, wherever these are read."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

import overhaul
from hostile_files import blank_png, with_raw, zeros, zipped
from overhaul import mods, patches
from overhaul.bounds import GAME_LEAST, Budget
from overhaul.document.archives import MOST_RATIO, SMALL_MEMBER, ZipMembers
from overhaul.errors import FormatError, PlainFileError
from overhaul.gamemaker.tiled.model import parse
from overhaul.media import png
from overhaul.mods.patches import PicturePatch
from overhaul.patches.stream import plain
from overhaul.translate.files import read_po
from small_games import game_of

MB = 1 << 20


def test_a_budget_is_in_proportion_and_is_used_up() -> None:
    budget = Budget(10, "x.zip", least=100, times=2)
    budget.take(100, "a")
    with pytest.raises(FormatError) as caught:
        budget.take(21, "b")
    assert str(caught.value) == (
        "x.zip: b: 21 bytes in memory, but a file of 10 bytes may take 120 bytes at most, and 20 "
        "bytes of these are left"
    )
    budget.take(20, "b")
    with pytest.raises(FormatError):
        budget.take(1, "c")


@pytest.mark.parametrize(
    ("data", "cost"),
    [
        (b"   ", 6),
        (b"{}", 300 + 4),
        (b"[1,2]", 100 + 40 + 10),
        (b'"a"', 60 + 6),
        ('"é"'.encode(), 60 + 8),
        ('"\U0001f600"'.encode(), 60 + 5 * 6),
    ],
)
def test_what_json_takes(data: bytes, cost: int) -> None:
    Budget(0, least=cost).take_json(data, "x")
    with pytest.raises(FormatError):
        Budget(0, least=cost - 1).take_json(data, "x")


def test_a_game_in_a_zip_has_its_bounds(tmp_path: Path) -> None:
    path = tmp_path / "z.zip"
    noisy = zeros(80 * MB, noise=20_000)
    path.write_bytes(with_raw({}, "data.win", noisy, 80 * MB))
    with pytest.raises(FormatError, match=r"z\.zip: 'data\.win': 80 MB in memory, but a file of"):
        overhaul.open(f"{path}!data.win")
    path.write_bytes(zipped({"in.zip": with_raw({}, "data.win", noisy, 80 * MB)}))
    with pytest.raises(FormatError, match=r"z\.zip: 'data\.win': 80 MB in memory"):
        overhaul.open(f"{path}!in.zip!data.win")
    assert Budget.of_games(100 * MB).most == 800 * MB
    assert Budget.of_games(1).most == GAME_LEAST


def test_a_size_that_lies_is_found_while_reading() -> None:
    members = ZipMembers(with_raw({}, "a", zeros(MB), 1000))
    with pytest.raises(FormatError, match="the zip archive is broken: Bad CRC-32 for file 'a'"):
        members.read("a")
    members = ZipMembers(with_raw({}, "a", zeros(MB), 2 * MB))
    with pytest.raises(FormatError, match="expected 2097152 bytes in 'a', got another number"):
        members.read("a")


def test_ratio_and_total_of_an_archive() -> None:
    packed = zeros(SMALL_MEMBER + MB)
    archive = ZipMembers(with_raw({}, "a", packed, SMALL_MEMBER + MB))
    with pytest.raises(FormatError, match=rf"expected at most {MOST_RATIO} times as many"):
        archive.read("a")
    small = with_raw({}, "a", zeros(SMALL_MEMBER), SMALL_MEMBER)
    archive = ZipMembers(small)
    assert len(archive.read("a")) == len(archive.read("a")) == SMALL_MEMBER
    left = archive.budget.left
    archive.read("a")  # it was taken before
    assert archive.budget.left == left
    several = zipped({str(number): bytes(SMALL_MEMBER) for number in range(5)})
    archive = ZipMembers(several, budget=Budget(0, least=65 * MB))
    with pytest.raises(FormatError, match="'4': 16 MB in memory"):
        for name in archive.names():
            archive.read(name)


def test_archives_of_too_many_files_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped({str(number): b"" for number in range(50)}, zipfile.ZIP_STORED)
    monkeypatch.setattr("overhaul.document.archives.MOST_MEMBERS", 50)
    assert len(ZipMembers(data).names()) == 50
    monkeypatch.setattr("overhaul.document.archives.MOST_MEMBERS", 49)
    with pytest.raises(FormatError, match="too many files"):
        ZipMembers(data)
    monkeypatch.setattr("zipfile.ZIP_FILECOUNT_LIMIT", 1)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:  # with the record of large archives
        for number in range(50):
            archive.writestr(str(number), b"")
    assert b"PK\6\6" in out.getvalue()
    with pytest.raises(FormatError, match="too many files"):
        ZipMembers(out.getvalue())
    with pytest.raises(FormatError, match="is broken"):
        ZipMembers(b"PK\3\4")


TOML = b'format = 1\n[mod]\nname = "x"\n[game]\nkind = "gamemaker-data"\n'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("index.json", b'{"removed": [' + b"{}," * MB + b"0]}", "index.json: 3.. MB in memory"),
        ("changes/a.json", b"[" + b'"",' * MB + b"0]", "changes/a.json: 1.. MB in memory"),
        ("changes/a.gml.diff", b"+\n" * MB, "changes/a.gml.diff: 154 MB in memory"),
    ],
)
def test_texts_of_mods_are_counted_before_they_are_read(
    name: str, content: bytes, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        mods.load(zipped({"mod.toml": TOML, name: content}))


def test_an_index_of_spaces_is_refused() -> None:
    data = with_raw({"mod.toml": TOML}, "index.json", zeros(1000 * MB, b" "), 1000 * MB)
    with pytest.raises(FormatError, match=r"'index\.json' unpacks to 1048576000 bytes"):
        mods.load(data)


def test_pictures_of_mods_are_bounded_and_decoded_when_asked_for() -> None:
    with pytest.raises(FormatError, match="4097 x 4200 exceeds the limit"):
        PicturePatch("", "", 0, 0, blank_png(4097, 4200), None, "").pixels  # noqa: B018
    picture = png.encode(np.full((2, 3, 4), 7, np.uint8))
    patch = PicturePatch("", "", 0, 0, picture, None, "")
    assert patch.pixels.shape == (2, 3, 4) and patch.mask.shape == (2, 3) and patch.mask.all()
    patch.check()
    with pytest.raises(FormatError, match="the mask is of another size"):
        patch._replace(chosen=blank_png(2, 3)).check()


def test_long_texts_of_po_files_are_read_in_one_piece() -> None:
    head = 'msgid ""\nmsgstr "Language: de\\n"\n\n'
    text = head + 'msgid "a"\n"b"\nmsgstr ""\n"x\\n"\n  "y"\n\nmsgid "c"\nmsgstr "d"\n'
    messages = read_po(text.encode(), "a.po")
    assert [(e.msgid, e.msgstr, e.linenum) for e in messages] == [("ab", "x\ny", 4), ("c", "d", 10)]
    assert messages.metadata == {"Language": "de"}
    long = read_po((head + 'msgid "a"\nmsgstr ""\n' + '"x\\n"\n' * 100_000).encode(), "a.po")
    assert long[0].msgstr == "x\n" * 100_000
    again = read_po(f'#~ msgid "a"\n#~ msgstr ""\n#~ "b"\n{text}'.encode(), "a.po")
    assert (again[0].msgid, again[0].msgstr, again[0].obsolete) == ("a", "b", True)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"# x\n" * 2001, "line 2001: a message has more than 2000 lines of comments"),
        (b'#~ "x"\n' * 2001, "line 2001: a message has more than 2000 lines"),
        (b'#| "x"\n' * 2001, "line 2001: a message has more than 2000 lines"),
        (b'msgid "a"\nmsgstr ""\n' * 60_000, r"line \d+: 1500 bytes in memory"),
    ],
)
def test_po_files_that_would_take_too_much(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_po(data, "a.po")


def test_elements_of_xml_are_counted() -> None:
    assert len(parse(b"<a>" + b"<b/>" * 1000 + b"</a>", "x").children) == 1000
    with pytest.raises(PlainFileError, match=r"x:1: a 'b' element: 400 bytes in memory"):
        parse(b"<a>" + b"<b/>" * 1000 + b"</a>", "x", Budget(0, least=400_000))
    assert parse(b"<a>x<b>y</b>z</a>", "x").text == "xz"


def test_what_a_patch_unpacks_is_bounded_over_all_its_windows() -> None:
    import lzma

    section = plain(MB) + lzma.compress(bytes(MB))
    body = plain(0) + b"\1" + plain(len(section)) + plain(0) + plain(0) + section
    window = b"\0" + plain(len(body)) + body
    assert patches.apply(b"\xd6\xc3\xc4\0\1\2" + window, b"") == b""
    run = b"\0\0\0\0\0\xff\xff\1"
    patches.apply(b"PATCH" + run * 1000 + b"EOF", b"")
    with pytest.raises(FormatError, match="out of all proportion"):
        patches.apply(b"PATCH" + run * 1100 + b"EOF", b"")


def test_the_game_of_a_small_zip_opens(tmp_path: Path) -> None:
    data = game_of("2023.4").to_bytes()
    (tmp_path / "z.zip").write_bytes(zipped({"folder/data.win": data}))
    with overhaul.open(f"{tmp_path / 'z.zip'}!data.win") as game:
        assert game.to_bytes() == data
