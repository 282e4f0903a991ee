"""How fast files of Adventure Game Studio are verified and unpacked, and pictures packed."""

from __future__ import annotations

from runner import Bench, Result, median

import overhaul
from overhaul.ags.compression import decompress_lzw, decompress_rle
from overhaul.ags.lzw_encoder import compress_lzw
from overhaul.ags.room.room import Room
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.disassembler import disassemble
from overhaul.document.plainfiles import UnpackOptions
from overhaul.document.reading import open_data
from overhaul.folder.texts import plain_files

VERIFY_RATE = 5.0  # megabytes of stored bytes per second, pictures unpacked
ENDINGS = (".crm", ".dta", ".spr", ".ags", ".vox", ".exe", ".001", ".tra", ".scm", ".dat")


def main() -> None:
    from real_files import corpus_files

    bench = Bench("Adventure Game Studio")
    paths = [path for path in corpus_files("ags/*/*") if path.suffix.lower() in ENDINGS]
    groups = {
        "all files": paths,
        "rooms": [path for path in paths if path.suffix.lower() == ".crm"],
        "game data": [path for path in paths if path.suffix.lower() == ".dta"],
        "sprite sets": [path for path in paths if path.suffix.lower() == ".spr"],
    }
    for name, found in groups.items():
        files = [path.read_bytes() for path in found]
        size = sum(map(len, files)) / 1e6

        def verify(files: list[bytes] = files) -> None:
            for data in files:
                if not overhaul.verify(data).good:
                    raise AssertionError("not identical")

        if files:
            words = f"{len(files)} files, {size:.0f} MB"
            bench.add(
                Result(f"verify {name}", size / median(verify, 3), "MB/s", VERIFY_RATE, note=words)
            )

    def unpack() -> None:
        for path in groups["rooms"][:40]:
            with open_data(path.read_bytes()) as document:
                for plain in plain_files(document, UnpackOptions()):
                    plain.read()

    rooms = [Room.read(path.read_bytes()) for path in groups["rooms"][:40]]
    if rooms:
        bench.add(Result("unpack 40 rooms", median(unpack, 3), "s"))
        pictures = [p for room in rooms for p in room.backgrounds() if p.unpacked_size < 200_000]
        unpacked = [decompress_lzw(p.packed, p.unpacked_size) for p in pictures]
        size = sum(map(len, unpacked)) / 1e6
        seconds = median(lambda: [decompress_lzw(p.packed, p.unpacked_size) for p in pictures], 3)
        bench.add(Result("LZW, unpack", size / seconds, "MB/s", note="of pixels"))
        few = unpacked[:4]
        size = sum(map(len, few)) / 1e6
        seconds = median(lambda: [compress_lzw(data) for data in few], 1)
        bench.add(Result("LZW, pack as the editor does", size / seconds, "MB/s", note="of pixels"))
        masks = [mask for room in rooms for _, mask in room.masks()]
        size = sum(mask.width * mask.height for mask in masks) / 1e6
        seconds = median(lambda: [decompress_rle(m.packed, m.width * m.height) for m in masks], 3)
        bench.add(Result("RLE, unpack", size / seconds, "MB/s", note="of pixels"))
        scripts = [room.script for room in rooms if room.script is not None]
        size = sum(len(script.code) for script in scripts) / 4e6
        texts = [disassemble(script) for script in scripts]
        seconds = median(lambda: [disassemble(script) for script in scripts], 3)
        bench.add(Result("scripts, disassemble", size / seconds, "million words/s"))
        seconds = median(lambda: [assemble(text) for text in texts], 3)
        bench.add(Result("scripts, assemble", size / seconds, "million words/s"))
    bench.finish()


if __name__ == "__main__":
    main()
