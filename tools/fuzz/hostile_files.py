"""Hostile files, made by a seed: small ones that ask for a lot of memory or time.

:func:`files` makes them; ``hostile.py`` reads each and measures.
"""

from __future__ import annotations

import base64
import io
import json
import lzma
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

LARGEST = 5_000_000
SEED = 23
COUNT = 200
_MB = 1 << 20


class Hostile(NamedTuple):
    """A file, how it is read (one of :data:`READERS`), and what is in it."""

    kind: str
    name: str
    data: bytes
    about: str


# ---------------------------------------------------------------------------------------- archives


def filled(unit: bytes, size: int, other: Callable[[int], bytes] | None = None) -> bytes:
    """About ``size`` bytes of a unit; ``other`` makes what stands between some of them, so that
    they do not look like a bomb by how well they pack."""
    if other is None:
        return unit * (size // len(unit))
    run = unit * (2000 // len(unit) + 1)
    dice = random.Random(size)
    return b"".join(run + other(dice.randrange(1 << 32)) for _ in range(size // len(run)))


def padded(files: dict[str, bytes], dice: random.Random) -> dict[str, bytes]:
    """The files with one that can't be packed, in two of three cases: it makes the archive large,
    and with it what it may take."""
    size = dice.choice((0, 1_500_000, 3_500_000))
    return {**files, "pad": dice.randbytes(size)} if size else files


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, method, compresslevel=1)
    return out.getvalue()


def zeros(count: int, unit: bytes = b"\0", noise: int = 0) -> bytes:
    """``count`` bytes of a unit, as the content of a deflated member: a megabyte, repeated.

    Of each megabyte ``noise`` bytes can't be packed.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(
        (unit * (_MB // len(unit) + 1))[: _MB - noise] + random.Random(noise).randbytes(noise)
    )
    block += packer.flush(zlib.Z_FULL_FLUSH)
    return block * (count // _MB) + packer.flush()


def with_raw(files: dict[str, bytes], name: str, packed: bytes, size: int) -> bytes:
    """A zip archive with a member whose deflated content and size are what is given."""
    data = zipped({**files, name: b""}, zipfile.ZIP_STORED)
    lines = data.index(b"PK\1\2")
    local = data.rindex(b"PK\3\4", 0, lines)
    # its checksum is right where that does not take too long
    content = zlib.decompressobj(-15).decompress(packed) if size <= 200 * _MB else b""
    checksum = zlib.crc32(content).to_bytes(4, "little")
    sizes = checksum + len(packed).to_bytes(4, "little") + size.to_bytes(4, "little")

    def said(head: bytes, method: int, at: int) -> bytes:
        return head[:method] + b"\x08\0" + head[method + 2 : at] + sizes + head[at + 12 :]

    last = data.rindex(b"PK\1\2")
    end = data.rindex(b"PK\5\6")
    start = (lines + len(packed)).to_bytes(4, "little")
    parts = data[:local], said(data[local:lines], 8, 14), packed
    return b"".join(
        [
            *parts,
            data[lines:last],
            said(data[last:end], 10, 16),
            data[end : end + 16],
            start,
            bytes(2),
        ]
    )


def form(length: int) -> bytes:
    """The beginning of GameMaker data."""
    return b"FORM" + length.to_bytes(4, "little") + b"GEN8" + bytes(4)


def archives(dice: random.Random) -> Iterator[Hostile]:
    """Games in zip archives."""
    while True:
        size = dice.choice((20, 100, 140, 500, 2000, 3000)) * _MB
        unit = dice.choice((b"\0", b"ab", bytes(range(256)), form(size)))
        packed = zeros(size, unit, dice.choice((0, 5000, 20_000)))
        said = dice.choice((size, size, 1000, size // 2, 0xFFFFFFF0))
        shape = dice.randrange(6)
        about = f"{size // _MB} MB of {unit[:8]!r}, said to be {said}"
        data = with_raw(padded({}, dice), "data.win", packed, said)
        name = "z.zip!data.win"
        if shape == 1:
            data, about = zipped({"inner.zip": data}), about + ", in a zip in a zip"
            name = "z.zip!inner.zip!data.win"
        elif shape == 2:
            many = dice.choice((20_000, 60_000))
            files = {f"{number}.win": form(100) for number in range(many)}
            data, about, name = zipped(files, zipfile.ZIP_STORED), f"{many} members", "z.zip"
        elif shape == 3:
            count = dice.randrange(10, 60)
            part = with_raw({}, "a", zeros(64 * _MB), 64 * _MB)
            data = overlapping(part, count)
            about, name = f"{count} members at one place", "z.zip!a0"
        elif shape == 4:
            data = game_of_zeros(dice.choice((30, 100, 140)) * _MB, dice)
            about = "a data.win whose chunks are all zeros"
        elif shape == 5:
            broken = bytearray(data)
            for _ in range(dice.randrange(1, 20)):
                broken[dice.randrange(len(broken))] = dice.randrange(256)
            data, about = bytes(broken), about + ", damaged"
        yield Hostile("archive", name, data, about)


def overlapping(part: bytes, count: int) -> bytes:
    """An archive whose members are all at the place of the first."""
    at = part.rindex(b"PK\1\2")
    end = part.rindex(b"PK\5\6")
    line = part[at:end]
    lines = b""
    for number in range(count):
        name = f"a{number}".encode()
        lines += line[:28] + len(name).to_bytes(2, "little") + line[30:46] + name
    tail = bytearray(part[end:])
    tail[8:12] = count.to_bytes(2, "little") * 2
    tail[12:16] = len(lines).to_bytes(4, "little")
    return part[:at] + lines + bytes(tail)


def game_of_zeros(size: int, dice: random.Random) -> bytes:
    """GameMaker data in a zip: good headers of chunks, whose content is zeros or ones."""
    names = (b"GEN8", b"STRG", b"SPRT", b"OBJT", b"CODE", b"ROOM", b"VARI", b"TPAG", b"TXTR")
    unit = dice.choice((bytes(4), b"\1\0\0\0", b"\xff\xff\0\0"))
    share = size // len(names) // _MB * _MB
    each = filled(unit, share, lambda n: n.to_bytes(4, "little") * 5)[:share]
    head = len(each).to_bytes(4, "little")
    body = b"".join(name + head + each for name in names)
    return zipped(padded({"data.win": b"FORM" + len(body).to_bytes(4, "little") + body}, dice))


# -------------------------------------------------------------------------------------------- mods

TOML = b'format = 1\n[mod]\nname = "x"\n[game]\nkind = "gamemaker-data"\n'


def blank_png(width: int, height: int, more: bytes = b"") -> bytes:
    """A PNG file of one colour; ``more`` is in a chunk that says no pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        whole = kind + data
        return len(data).to_bytes(4, "big") + whole + zlib.crc32(whole).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x06\0\0\0"
    packer = zlib.compressobj(9)
    row = bytes(1 + 4 * width)
    pixels = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    parts = [chunk(b"IHDR", head), chunk(b"IDAT", pixels)]
    parts += [chunk(b"zzZz", more)] if more else []
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"")


def json_bombs(dice: random.Random) -> tuple[bytes, str]:
    """Some JSON that is small in a zip, and what it is."""
    count = dice.choice((2, 8, 40, 120)) * _MB
    unit, about = dice.choice(
        (
            (b" ", "spaces"),
            (b"[],", "empty lists"),
            (b"{},", "empty objects"),
            (b'{"a":{}},', "objects of a key"),
            (b'"",', "empty texts"),
            (b"[" * 100 + b"]" * 100 + b",", "nested lists"),
            (b"1234567,", "numbers"),
            (b"1e5,", "floats"),
            ("\U0001f600".encode(), "wide letters"),
        )
    )
    plain = dice.random() < 0.3 or about == "spaces"
    body = filled(unit, count, None if plain else lambda n: b'"%x",' % n)
    if about == "spaces":
        return body + b"{}", f"{count // _MB} MB of spaces"
    if about == "wide letters":
        return b'{"removed": {"a": "' + body + b'"}}', f"{count // _MB} MB of {about}"
    return b'{"removed": [' + body + b"0]}", f"{count // _MB} MB of {about}"


def mods(dice: random.Random) -> Iterator[Hostile]:
    """Mods, as zip files."""
    while True:
        shape = dice.randrange(8)
        files = {"mod.toml": TOML}
        if shape == 0:
            data = with_raw(files, "index.json", zeros(1000 * _MB, b" "), 1000 * _MB)
            about = "an index of 1 GB of spaces"
        elif shape == 1:
            size = dice.choice((100, 1000, 3000)) * _MB
            data = with_raw(files, "files/a.ogg", zeros(size), dice.choice((size, 1000)))
            about = f"a file of {size // _MB} MB"
        elif shape == 2:
            body, about = json_bombs(dice)
            data = zipped(padded({**files, "index.json": body}, dice))
            about = f"an index of {about}"
        elif shape == 3:
            side = dice.choice((3000, 4096, 8192))
            count = dice.choice((1, 10, 30))
            picture = blank_png(side, side)
            changed = {f"sprites/s{n}/0.png": {"was": "", "now": "", "x": 0, "y": 0} for n in
                       range(count)}  # fmt: skip
            parts = {f"parts/{path}": picture for path in changed}
            index = json.dumps({"changed": changed}).encode()
            data = zipped({**files, "index.json": index, **parts})
            about = f"{count} parts of {side} x {side}"
        elif shape == 4:
            count = dice.choice((1, 20, 100)) * _MB
            unit = dice.choice((b"+\n", b"-a\n", b" \n"))
            body = b"@@ -1 +1 @@\n" + filled(unit, count, lambda n: b"+%x\n" % n)
            index = b'{"changed": {"code/a.gml": {}}}'
            files |= {"index.json": index, "changes/code/a.gml.diff": body}
            data = zipped(padded(files, dice))
            about = f"a diff of {count // _MB} M lines"
        elif shape == 5:
            body, about = json_bombs(dice)
            index = b'{"changed": {"rooms/a/room.json": {}}}'
            files |= {"index.json": index, "changes/rooms/a/room.json": body}
            data = zipped(padded(files, dice))
            about = f"changes of {about}"
        elif shape == 6:
            count = dice.choice((1000, 50_000))
            many = {f"files/code/{n}.gml": b"x" for n in range(count)}
            data, about = zipped({**files, **many}, zipfile.ZIP_STORED), f"{count} files"
        else:
            unit = dice.choice((b"# a comment\n", b"[[a]]\n", b"x = [[[[[]]]]]\n"))
            size = dice.choice((1, 4, 16, 60)) * _MB
            body = TOML + filled(unit, size, lambda n: b"#%x\n" % n)
            data, about = zipped(padded({"mod.toml": body}, dice)), f"a mod.toml of {unit!r}"
        yield Hostile("mod", "m.zip", data, about)


# ------------------------------------------------------------------------------------ translations

PO_HEAD = b'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'


def po_files(dice: random.Random) -> Iterator[Hostile]:
    """PO files."""
    while True:
        begin = b'msgid "a"\nmsgstr "b"\n'
        unit, before, behind = dice.choice(
            (
                (b"a", b'msgid "x"\nmsgstr "', b'"\n'),
                (b'"a\\n"\n', b'msgid "x"\nmsgstr ""\n', b""),
                (b"\\n", b'msgid "x"\nmsgstr "', b'"\n'),
                (b'\\"', b'msgid "x"\nmsgstr "', b'"\n'),
                (b"# a\n", b"", begin),
                (b"#. a\n", b"", begin),
                (b"#: a:1 b:2 c\n", b"", begin),
                (b"#, fuzzy, b\n", b"", begin),
                (b'#| "a"\n', b'#| msgid "b"\n', begin),
                (b'#~ "a"\n', b'#~ msgid "b"\n', b""),
                (b'msgid"n"\nmsgstr ""\n', b"", b""),
                (b'msgctxt "c"\nmsgid "n"\nmsgstr ""\n\n', b"", b""),
                (b'#~ msgid "n"\n#~ msgstr ""\n', b"", b""),
                (b"a: b\\n", b'msgid ""\nmsgstr "', b'"\n'),
                (b"\n", b"", begin),
                (b"\\", b'msgid "x"\nmsgstr "', b'"\n'),
                (b"\xf0\x9f\x98\x80", b'msgid "x"\nmsgstr "', b'"\n'),
                (b"\xe2\x80\xa8", b'msgid "x"\nmsgstr "', b'"\n'),
            )
        )
        size = dice.choice((LARGEST - 200, 2_000_000))
        head = dice.choice((PO_HEAD, b""))
        data = head + before + unit * ((size - len(head)) // len(unit)) + behind
        yield Hostile("po", "a.po", data, f"{size} bytes of {unit!r}")


def texts(dice: random.Random) -> Iterator[Hostile]:
    """Translations as CSV and .trs."""
    while True:
        end = dice.choice(("csv", "trs"))
        head, unit = dice.choice(
            {
                "csv": (
                    (b"source,translation\n", b"%d,\n"),
                    (b"source,translation\n", b"\n"),
                    (b"source,translation\n", b"a,b" + b"," * 500 + b"\n"),
                    (b"", b","),
                    (b'source,translation\n"', b"a\n"),
                ),
                "trs": ((b"", b"%d\n\n"), (b"", b"\n"), (b"", b"// a\n"), (b"", b"//#A%d=b\n"),
                        (b"a\n", b"\\x41")),
            }[end]
        )  # fmt: skip
        if b"%d" in unit:
            parts = []
            size = 0
            for number in range(LARGEST):
                parts.append(unit % number)
                size += len(parts[-1])
                if size > LARGEST - 1000:
                    break
            data = head + b"".join(parts)
        else:
            data = head + unit * ((LARGEST - 1000) // len(unit))
        yield Hostile("po", f"a.{end}", data, f"rows of {unit[:12]!r}")


def xlsx_files(dice: random.Random) -> Iterator[Hostile]:
    """Spreadsheets."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["source", "translation"])
    sheet.append(["a", "b"])
    out = io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    while True:
        size = dice.choice((8, 20, 60, 200)) * _MB
        part, before, unit, behind = dice.choice(
            (
                ("xl/sharedStrings.xml", b"</sst>", b"<si><t>a</t></si>", b""),
                ("xl/sharedStrings.xml", b"</sst>", b"<si/>", b""),
                ("xl/sharedStrings.xml", b"</sst>", b"<si><r><t>a</t></r></si>", b""),
                ("xl/styles.xml", b"</cellXfs>", b"<xf/>", b""),
                ("xl/styles.xml", b"</fonts>", b"<font/>", b""),
                ("xl/workbook.xml", b"</workbook>", b"<definedName/>", b""),
                ("xl/worksheets/sheet1.xml", b"</sheetData>", b"<row><c><v>1</v></c></row>", b""),
                ("xl/worksheets/sheet1.xml", b"</sheetData>", b"<row/>", b""),
                ("xl/worksheets/sheet1.xml", b"</sheetData>", b"<c><v>1</v></c>", b"row"),
                ("xl/worksheets/sheet1.xml", b"</worksheet>", b'<mergeCell ref="A1:B2"/>',
                 b"mergeCells"),
                ("xl/worksheets/sheet1.xml", b"</sheetData>", b" ", b""),
                ("xl/worksheets/sheet1.xml", b"</sheetData>", b"<c><v>a", b""),
                ("[Content_Types].xml", b"</Types>", b"<Override/>", b""),
                ("xl/huge.bin", b"", bytes(100), b""),
            )
        )  # fmt: skip
        body = filled(unit, size, lambda n: b"<!--%x-->" % n)
        if behind:
            body = b"<" + behind + b">" + body + b"</" + behind + b">"
        whole = parts.get(part, b"")
        at = whole.rfind(before) if before else 0
        made = {**parts, part: whole[:at] + body + whole[at:]}
        data = zipped(padded(made, dice))
        yield Hostile("po", "a.xlsx", data, f"{size // _MB} MB of {unit[:30]!r} in {part}")


# -------------------------------------------------------------------------------------------- maps


def maps(dice: random.Random) -> Iterator[Hostile]:
    """Maps of Tiled."""
    while True:
        shape = dice.randrange(6)
        head = (
            '<map version="1.10" orientation="orthogonal" width="4" height="4" tilewidth="32" '
            'tileheight="32" infinite="0">'
        )
        if shape == 0:
            side = dice.choice((1000, 4096))
            cells = base64.b64encode(zlib.compress(bytes(4 * side * side), 9)).decode()
            layer = (
                f'<layer id="1" name="Tiles" width="{side}" height="{side}">'
                f'<data encoding="base64" compression="zlib">{cells}</data></layer>'
            )
            count = min(dice.choice((1, 40)), LARGEST // len(layer) - 1)
            body, about = layer * count, f"{count} layers of {side} x {side}"
        elif shape == 1:
            unit = dice.choice(("<a/>", "x<a/>", "<a b='c' d='e'/>", "<layer/>"))
            body, about = unit * ((LARGEST - 300) // len(unit)), f"elements {unit}"
        elif shape == 2:
            number = dice.choice(("1", "0", "4294967296", "9" * 5000))
            numbers = ",".join([number] * (LARGEST // (len(number) + 1) - 200))
            body = (
                '<layer id="1" name="T" width="4096" height="4096">'
                f'<data encoding="csv">{numbers}</data></layer>'
            )
            about = f"a CSV of {number[:12]}"
        elif shape == 3:
            body, about = "<a>" * 1_000_000, "nested elements"
        elif shape == 4:
            value = "x" * (LARGEST - 1000)
            body = f'<properties><property name="a" value="{value}"/></properties>'
            about = "a property of 5 MB"
        else:
            entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 30))
            head = f'<!DOCTYPE x [<!ENTITY a0 "aaaa">{entities}]>' + head
            body, about = "<a>&a29;</a>", "entities of entities"
        data = f"{head}{body}</map>".encode()
        yield Hostile("tmx", "r.tmx", data[:LARGEST], about)


# ----------------------------------------------------------------------------------------- patches


def patch_files(dice: random.Random) -> Iterator[Hostile]:
    """Patches; the file they are for has 100 bytes."""
    from overhaul.patches.stream import biased, plain

    old = bytes(100)

    def seal(body: bytes) -> bytes:
        whole = body + zlib.crc32(old).to_bytes(4, "little") + bytes(4)
        return whole + zlib.crc32(whole).to_bytes(4, "little")

    def window(sections: list[bytes], size: int, packed: int, flags: bytes = b"\0") -> bytes:
        body = plain(size) + bytes([packed])
        body += b"".join(plain(len(each)) for each in sections) + b"".join(sections)
        return flags + plain(len(body)) + body

    while True:
        shape = dice.randrange(8)
        size = dice.choice((50, 64, 84, 200, 4000)) * _MB
        if shape == 0:
            body = b"BPS1" + biased(100) + biased(size) + biased(0)
            body += biased((99 << 2) | 0) + biased((size - 101) << 2 | 3) + biased(0)
            data, about = seal(body), f"BPS that makes {size // _MB} MB of its first byte"
        elif shape == 1:
            count = 1_200_000
            body = b"BPS1" + biased(100) + biased(count * 100) + biased(0)
            data = seal(body + (biased((99 << 2) | 2) + biased(0)) * count)
            about = "BPS of many copies"
        elif shape == 2:
            body = b"UPS1" + biased(100) + biased(size) + (biased(0) + b"\1\0") * 1_000_000
            data, about = seal(body), f"UPS that makes {size // _MB} MB"
        elif shape == 3:
            piece = (dice.choice((0, 0xFFFFFF))).to_bytes(3, "big") + b"\0\0\xff\xff\1"
            data, about = b"PATCH" + piece * 600_000 + b"EOF", "IPS of many long runs"
        elif shape == 4:
            xz = lzma.compress(bytes(84 * _MB), preset=1)
            section = plain(84 * _MB) + xz
            one = window([section, plain(0), plain(0)], 10, 1)
            data = b"\xd6\xc3\xc4\0\1\2" + one * min(300, LARGEST // len(one))
            about = "xdelta of compressed zeros"
        elif shape == 5:
            run = b"\0" + plain(size)
            one = window([b"a", run, b""], size, 0)
            data = b"\xd6\xc3\xc4\0\0" + one * 100_000
            about = f"xdelta of runs of {size // _MB} MB"
        elif shape == 6:
            first = window([b"a", b"\0" + plain(60 * _MB), b""], 60 * _MB, 0)
            flags = b"\2" + plain(60 * _MB) + plain(0)
            one = window([b"b", b"\2", b""], 1, 0, flags)
            data = b"\xd6\xc3\xc4\0\0" + first + one * (4_000_000 // len(one))
            about = "xdelta of windows that each see 60 MB"
        else:
            data = dice.choice((b"BPS1", b"UPS1", b"PATCH", b"\xd6\xc3\xc4\0\0"))
            data += dice.randbytes(dice.randrange(100, 4_000_000))
            about = "random bytes"
        yield Hostile("patch", "p.bin", data, about)


#: each kind, and how many of 200 are of it
MAKERS: dict[str, tuple[Callable[[random.Random], Iterator[Hostile]], int]] = {
    "archive": (archives, 40),
    "mod": (mods, 50),
    "po": (po_files, 30),
    "text": (texts, 10),
    "xlsx": (xlsx_files, 25),
    "tmx": (maps, 20),
    "patch": (patch_files, 25),
}


def files(count: int, seed: int, kinds: list[str]) -> Iterator[Hostile]:
    """The hostile files of a seed, each of :data:`LARGEST` bytes at most."""
    for kind, (maker, share) in MAKERS.items():
        if kinds and kind not in kinds:
            continue
        made = maker(random.Random(f"{seed} {kind}"))
        left = -(-share * count // COUNT)
        while left:
            one = next(made)
            if len(one.data) <= LARGEST:
                left -= 1
                yield one
