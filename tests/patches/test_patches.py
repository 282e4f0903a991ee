"""Binary patches: files made by hand after the formats' descriptions, and both directions."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul import patches
from overhaul.cli import main
from overhaul.cli.commands.patch import _MADE
from overhaul.errors import FormatError
from overhaul.patches import matching, vcdiff
from overhaul.patches.matching import BLOCK, copies
from overhaul.patches.stream import Cursor, biased, check_size, plain

FULL = os.environ.get("OVERHAUL_FULL") == "1"
XDELTA3 = shutil.which("xdelta3")
no_xdelta3 = pytest.mark.skipif(XDELTA3 is None, reason="xdelta3 is not installed")
OLD = bytes(random.Random(1).randbytes(5000))
NEW = OLD[:700] + b"new bytes" + OLD[690:3000] + OLD[3100:] + OLD[:200] + bytes(100)


def crc(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "little")


def sealed(body: bytes, old: bytes, new: bytes) -> bytes:
    """A BPS or UPS patch with its checksums."""
    whole = body + crc(old) + crc(new)
    return whole + crc(whole)


# -- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "stored"),
    [(0, "80"), (127, "ff"), (128, "0080"), (129, "0180"), (16511, "7fff"), (16512, "000080")],
)
def test_numbers_of_bps(value: int, stored: str) -> None:
    assert biased(value).hex() == stored
    assert Cursor(bytes.fromhex(stored)).biased() == value


def test_numbers_of_vcdiff() -> None:
    assert plain(123456789).hex() == "ba ef 9a 15".replace(" ", "")  # RFC 3284, section 2
    assert plain(0) == b"\0"


@given(st.integers(0, (1 << 62) - 1))
def test_numbers_read_back(value: int) -> None:
    assert Cursor(biased(value)).biased() == value
    assert Cursor(plain(value)).plain() == value


# -- files made by hand ----------------------------------------------------------------------------


def bps(*actions: bytes, old: bytes, new: bytes, note: bytes = b"") -> bytes:
    head = b"BPS1" + biased(len(old)) + biased(len(new)) + biased(len(note)) + note
    return sealed(head + b"".join(actions), old, new)


def test_every_action_of_bps() -> None:
    old = b"abcdefgh"
    patch = bps(
        biased(0 | 1 << 2),  # 2 from the same place
        biased(1 | 1 << 2) + b"XY",
        biased(2 | 1 << 2) + biased(6 << 1),  # from the old file at 6
        biased(2 | 1 << 2) + biased(4 << 1 | 1),  # 4 back from 8
        biased(3 | 7 << 2) + biased(0),  # from the new file
        biased(1 | 0 << 2) + b"Z",
        old=old,
        new=b"abXYghefabXYghefZ",
        note=b"<a/>",
    )
    assert patches.apply(patch, old) == b"abXYghefabXYghefZ"
    assert patches.describe(patch).note == "<a/>"
    patch = bps(biased(0 | 1 << 2) + biased(3 | 5 << 2) + biased(0), old=old, new=b"abababab")
    assert patches.apply(patch, old) == b"abababab"  # a copy of what the copy itself makes


def test_ups_goes_both_ways() -> None:
    old, new = b"abcdef", b"abXdefgh"
    mask = bytes([ord("c") ^ ord("X")])
    body = b"UPS1" + biased(6) + biased(8) + biased(2) + mask + b"\0" + biased(2) + b"gh\0"
    patch = sealed(body, old, new)
    assert patches.apply(patch, old) == new
    assert patches.apply(patch, new) == old
    assert patches.describe(patch).old_size == 6


def test_ips() -> None:
    old = b"abcdefgh"
    pieces = b"\0\0\1\0\2XY" + b"\0\0\4\0\0\0\3Z" + b"\0\0\12\0\1!"
    assert patches.apply(b"PATCH" + pieces + b"EOF", old) == b"aXYdZZZh\0\0!"
    assert patches.apply(b"PATCH" + pieces + b"EOF\0\0\5", old) == b"aXYdZ"
    there = b"EOF" + b"\0\1!"  # a piece whose place spells EOF
    made = patches.apply(b"PATCH" + there + b"EOF", old)
    assert len(made) == 0x454F46 + 1 and made[-1:] == b"!"


def test_vcdiff_by_the_example_of_the_rfc() -> None:
    """RFC 3284, section 3: ADD, COPY from the old file, a copy of itself, RUN, and the result."""
    old, new = b"abcdefghijklmnop", b"abcdwxyzefghefghefghefghzzzz"
    body = plain(len(new)) + b"\0" + plain(9 - 4) + plain(5 + 2) + plain(3)
    data = b"wxyz" + b"z"
    code = bytes([19 + 1, 5, 19 + 1, 19, 12, 0, 4])
    addresses = plain(0) + plain(4) + plain(24)
    body += data + code + addresses
    window = b"\1" + plain(len(old)) + plain(0) + plain(len(body)) + body
    assert patches.apply(b"\xd6\xc3\xc4\0\0" + window, old) == new


def test_a_copy_of_vcdiff_goes_on_from_the_old_file_to_the_new() -> None:
    """RFC 3284, section 3: what is copied may begin in the old file and end in the new one."""
    old, new = b"abcdefghijklmnop", b"wxyzopwxyzop"
    code = bytes([1 + 4, 16 + 8])  # ADD of 4, COPY of 8
    body = plain(len(new)) + b"\0" + plain(4) + plain(len(code)) + plain(1)
    body += b"wxyz" + code + plain(len(old) - 2)
    window = b"\1" + plain(len(old)) + plain(0) + plain(len(body)) + body
    assert patches.apply(b"\xd6\xc3\xc4\0\0" + window, old) == new


def test_near_addresses_of_vcdiff_are_kept_in_turn() -> None:
    """RFC 3284, section 5.3: the four addresses used last, each in the slot after the one before;
    with a fifth, the first slot is used again."""
    old = bytes(range(200))
    starts = [10, 50, 90, 130, 170]  # written in full: they are in slots 0, 1, 2, 3, and 0 again
    slots = [170, 50, 90, 130]
    copies = [old[start : start + 4] for start in starts]
    code = [20] * len(starts)  # COPY of 4, mode 0
    addresses = b"".join(map(plain, starts))
    for slot in (1, 2, 3, 0):  # each copy puts its own address into the next slot
        code.append(20 + 16 * (2 + slot))
        address = slots[slot] + 7
        addresses += plain(7)
        copies.append(old[address : address + 4])
        slots[(len(copies) - 1) % 4] = address
    new = b"".join(copies)
    body = plain(len(new)) + b"\0" + plain(0) + plain(len(code)) + plain(len(addresses))
    body += bytes(code) + addresses
    window = b"\1" + plain(len(old)) + plain(0) + plain(len(body)) + body
    assert patches.apply(b"\xd6\xc3\xc4\0\0" + window, old) == new


def test_the_code_table() -> None:
    """RFC 3284, section 5.6: the first and last lines of each of its groups."""
    table = vcdiff.code_table()
    add, run, copy = (
        vcdiff.InstructionKind.ADD,
        vcdiff.InstructionKind.RUN,
        vcdiff.InstructionKind.COPY,
    )
    assert len(table) == 256
    for number, expected in {
        0: [(run, 0, 0)],
        1: [(add, 0, 0)],
        18: [(add, 17, 0)],
        19: [(copy, 0, 0)],
        34: [(copy, 18, 0)],
        35: [(copy, 0, 1)],
        162: [(copy, 18, 8)],
        163: [(add, 1, 0), (copy, 4, 0)],
        174: [(add, 4, 0), (copy, 6, 0)],
        175: [(add, 1, 0), (copy, 4, 1)],
        234: [(add, 4, 0), (copy, 6, 5)],
        235: [(add, 1, 0), (copy, 4, 6)],
        246: [(add, 4, 0), (copy, 4, 8)],
        247: [(copy, 4, 0), (add, 1, 0)],
        255: [(copy, 4, 8), (add, 1, 0)],
    }.items():
        assert [tuple(instruction) for instruction in table[number]] == expected, number


# -- what is made here -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", patches.writable())
@given(data=st.data())
def test_what_is_made_reads_back(kind: str, data: st.DataObject) -> None:
    known = st.sampled_from([OLD[:500], OLD[77:900], bytes(99)])
    parts = st.lists(st.binary(max_size=30) | known, max_size=6)
    old, new = (b"".join(data.draw(parts)) for _ in range(2))
    patch = patches.make(old, new, kind)
    assert patches.apply(patch, old) == new
    assert patches.describe(patch).new_size == len(new)


@pytest.mark.parametrize("kind", patches.writable())
def test_what_is_there_already_is_not_stored(kind: str) -> None:
    patch = patches.make(OLD, NEW, kind)
    assert patches.apply(patch, OLD) == NEW
    assert len(patch) < 300
    assert len(patches.make(OLD, OLD, kind)) < 60


def test_pieces_are_equal_and_as_long_as_can_be() -> None:
    end = 0
    for at, source, count in copies(OLD, NEW):
        assert NEW[at : at + count] == OLD[source : source + count]
        assert at >= end
        end = at + count
        assert source + count == len(OLD) or NEW[end : end + 1] != OLD[source + count :][:1]
    assert list(copies(OLD, OLD)) == [(0, 0, len(OLD))]
    assert list(copies(b"", OLD)) == list(copies(OLD, b"")) == []
    shift = OLD[5 : 5 + 3 * BLOCK]
    assert list(copies(OLD, b"!" + shift)) == [(1, 5, len(shift))]
    for start in range(0, 8 * BLOCK, BLOCK):  # a block by itself
        assert list(copies(OLD, b"!" + OLD[start : start + BLOCK])) == [(1, start, BLOCK)]


def test_a_large_file_is_searched_on_behind_a_long_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stretches that a piece covers are passed over, those behind it are not."""
    new = OLD[:1000] + b"x" * 50 + OLD[3000:] + b"y" * 50 + OLD[1000:3000]
    pieces = list(copies(OLD, new))
    assert sum(length for _, _, length in pieces) == len(OLD)
    monkeypatch.setattr(matching, "_STRETCH", 200)
    assert list(copies(OLD, new)) == pieces


def test_a_piece_goes_on_behind_a_few_changed_bytes() -> None:
    new = bytearray(b"!" + OLD)
    new[1000:1004] = b"\xff\xfe\xfd\xfc"
    pieces = list(copies(OLD, bytes(new)))
    assert pieces[-2:] == [(1, 0, 999), (1004, 1003, len(OLD) - 1003)]


@no_xdelta3
@pytest.mark.parametrize("options", [[], ["-S", "none"], ["-S", "lzma"], ["-9"], ["-n"], ["-0"]])
def test_patches_of_xdelta3_are_applied(tmp_path: Path, options: list[str]) -> None:
    old, new, patch = (tmp_path / name for name in ("old", "new", "patch"))
    old.write_bytes(OLD * 700)
    new.write_bytes(NEW * 701 + OLD)
    call = [str(XDELTA3), "-e", *options, "-s", str(old), str(new), str(patch)]
    subprocess.run(call, check=True)
    assert patches.apply(patch.read_bytes(), old.read_bytes()) == new.read_bytes()


@no_xdelta3
def test_compression_that_is_not_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(OLD)
    (tmp_path / "new").write_bytes(b"".join(b"%d lines " % n for n in range(30000)))
    for name in ("djw", "fgk"):
        call = [str(XDELTA3), "-e", "-f", "-S", name, "-s", "old", "new", "patch"]
        subprocess.run(call, check=True, cwd=tmp_path)
        with pytest.raises(FormatError, match=f"compressed by {name.upper()}, which is not read"):
            patches.apply((tmp_path / "patch").read_bytes(), OLD)


@no_xdelta3
@pytest.mark.parametrize("size", [0, 5000, vcdiff._WINDOW + 5000])
def test_xdelta3_reads_what_is_made(tmp_path: Path, size: int) -> None:
    old, new, patch, out = (tmp_path / name for name in ("old", "new", "patch", "out"))
    old.write_bytes(OLD)
    new.write_bytes((NEW * (size // len(NEW) + 1))[:size])
    patch.write_bytes(patches.make(OLD, new.read_bytes(), "xdelta"))
    subprocess.run([str(XDELTA3), "-d", "-s", str(old), str(patch), str(out)], check=True)
    assert out.read_bytes() == new.read_bytes()


# -- what is refused -------------------------------------------------------------------------------


def test_a_patch_for_another_file_says_which() -> None:
    patch = patches.make(OLD, NEW, "bps")
    with pytest.raises(FormatError, match=r"it wants 5000 bytes with the CRC-32 .*has 8 bytes"):
        patches.apply(patch, b"too much")
    with pytest.raises(FormatError, match="applied already"):
        patches.apply(patch, NEW)
    changed = OLD[:100] + b"\0\0\0\0" + OLD[104:]
    with pytest.raises(FormatError, match="another"):
        patches.apply(patches.make(OLD, NEW, "xdelta"), changed)
    with pytest.raises(FormatError, match="another file: it copies up to"):
        patches.apply(patches.make(OLD, NEW, "xdelta"), OLD[:100])


def test_a_patch_that_makes_too_much_is_refused() -> None:
    size = 1 << 40
    actions = biased(1) + b"x" + biased(3 | (size - 2) << 2) + biased(0)
    bomb = sealed(b"BPS1" + biased(0) + biased(size) + biased(0) + actions, b"", b"")
    with pytest.raises(FormatError, match="allowed"):
        patches.apply(bomb, b"")
    body = plain(size) + b"\0" + plain(1) + plain(1 + len(plain(size))) + plain(0)
    body += b"x" + b"\0" + plain(size)
    with pytest.raises(FormatError, match="allowed"):
        patches.apply(b"\xd6\xc3\xc4\0\0\0" + plain(len(body)) + body, b"")
    with pytest.raises(FormatError, match="allowed"):
        patches.apply(sealed(b"UPS1" + biased(0) + biased(size), b"", b""), b"")


def test_how_much_a_patch_may_make() -> None:
    most = (64 << 20) + 4 * 3
    check_size(most, b"ab", b"c", 0)
    with pytest.raises(FormatError, match=f"{most + 1} bytes, more than the {most}"):
        check_size(most + 1, b"ab", b"c", 0)
    head, section = b"\xd6\xc3\xc4\0\1\2", plain(1 << 40)
    body = plain(1) + b"\1" + plain(len(section)) + plain(0) + plain(0) + section
    patch = head + b"\0" + plain(len(body)) + body
    most = (64 << 20) + 4 * (len(patch) + 2)
    with pytest.raises(FormatError, match=f"the sections have more bytes than the {most}"):
        patches.apply(patch, b"ab")


@pytest.mark.parametrize("back", [0, 1])
def test_a_copy_from_where_nothing_is_yet(back: int) -> None:
    far = biased((1 + back) << 1)
    patch = bps(biased(0 << 2 | 1), b"x", biased(0 << 2 | 3), far, old=b"", new=b"xx")
    with pytest.raises(FormatError, match=rf"copies from {1 + back}, where nothing is yet"):
        patches.apply(patch, b"")


def test_a_result_that_is_not_what_the_patch_says() -> None:
    patch = bps(biased(0 << 2 | 1), b"x", old=b"", new=b"y")
    with pytest.raises(FormatError, match="the result has the CRC-32") as caught:
        patches.apply(patch, b"")
    assert caught.value.offset == 0


def test_no_patch_at_all() -> None:
    assert patches.writable() == list(_MADE)
    for data in (b"", b"BPS", b"some text"):
        with pytest.raises(FormatError, match=r"^not a patch.*\(at offset 0x0\)$"):
            patches.describe(data)
    with pytest.raises(ValueError, match="expected one of bps, xdelta, got 'ips'"):
        patches.make(b"", b"", "ips")


def damaged(patch: bytes, source: random.Random) -> bytes:
    data = bytearray(patch)
    for _ in range(source.choice((1, 1, 2, 8))):
        data[source.randrange(4, len(data))] = source.randrange(256)
    if source.random() < 0.3:
        del data[source.randrange(len(data)) :]
    if bytes(data[:3]) in (b"BPS", b"UPS") and source.random() < 0.7 and len(data) > 20:
        data[-4:] = crc(bytes(data[:-4]))  # damage behind a good checksum
    return bytes(data)


@pytest.mark.parametrize("kind", ["bps", "xdelta", "ups", "ips"])
def test_damaged_patches_are_refused_or_applied(kind: str) -> None:
    source = random.Random(kind)
    if kind in patches.writable():
        good = patches.make(OLD, NEW, kind)
    elif kind == "ups":
        mask = bytes(255 - byte for byte in range(200))
        good = sealed(b"UPS1" + biased(5000) + biased(5100) + biased(4) + mask + b"\0", OLD, NEW)
    else:
        good = b"PATCH" + b"\0\0\7\0\3abc\0\1\0\0\0\0\7x" * 9 + b"EOF"
    # a damaged place in an IPS patch is far away, and the file up to there is made
    for _ in range(500 if FULL or kind != "ips" else 100):
        try:
            patches.apply(damaged(good, source), OLD)
        except FormatError as error:
            assert str(error)


# -- the command -----------------------------------------------------------------------------------


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.win", tmp_path / "new.win"
    old.write_bytes(OLD)
    new.write_bytes(NEW)
    for name, kind in (("a.bps", "bps"), ("a.xdelta", "vcdiff"), ("a.patch", "bps")):
        patch, out = tmp_path / name, tmp_path / f"{name}.out"
        make = ["patch", "make", str(old), str(new), "-o", str(patch), "--json"]
        if name == "a.patch":
            assert main(make) == 2
            assert "the ending says no kind of patch" in capsys.readouterr().err
            make += ["--kind", kind]
        assert main(make) == 0
        assert json.loads(capsys.readouterr().out)["size"] == patch.stat().st_size
        assert main(["patch", "apply", str(old), str(patch), "-o", str(out)]) == 0
        assert f"{out.name}: " in capsys.readouterr().out
        assert out.read_bytes() == NEW
        assert main(["patch", "show", str(patch), "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert (shown["kind"], shown["new_size"]) == (kind, len(NEW))
    assert main(["patch", "show", str(tmp_path / "a.bps")]) == 0
    assert f"for   {len(OLD)} bytes, CRC-32 {zlib.crc32(OLD):08x}" in capsys.readouterr().out
    assert main(["patch", "apply", str(new), str(tmp_path / "a.bps"), "-o", str(out)]) == 3
    assert "a.bps: the patch is applied already" in capsys.readouterr().err
    assert main(["patch", "make", str(old), str(new), "-o", str(tmp_path / "a.ips")]) == 2
    assert main(["patch", "apply", str(old), str(tmp_path / "a.bps"), "-o", str(out)]) == 2
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".tmp") == []
