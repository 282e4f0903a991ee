"""How fast pictures go in and out: GameMaker's QOI, bzip2, PNG, new pages, tile maps.

Measured on the texture pages of real games where the corpus is, else on one made page.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import compiled
import numpy as np
from runner import Bench, Result, median

from game_blobs import textures_of
from overhaul.media import packing, png, qoi, textures, tilemap

SMALLEST = 100_000  # pixels; smaller pages measure the overhead of a call


def real_streams() -> list[bytes]:
    """The fioq streams of the corpus's larger pages, each once."""
    from real_files import corpus_files

    streams = {
        textures.decompress(blob)
        for path in corpus_files("datawin/*.win")
        for blob in textures_of(path)
        if textures.sniff(blob) is textures.TextureFormat.BZ2_QOI
    }
    large = [stream for stream in streams if np.prod(qoi.size(stream)) >= SMALLEST]
    return sorted(large, key=len)


def made_stream() -> bytes:
    """A page of 2048 x 2048 with sprites of every kind: flat, shaded, noisy."""
    rng = np.random.default_rng(1)
    page = np.zeros((2048, 2048, 4), np.uint8)
    for number in range(900):
        x, y = number % 30 * 68, number // 30 * 68
        colours = rng.integers(0, 256, (1 + number % 8, 4), np.uint8) | np.array(
            [0, 0, 0, 255], np.uint8
        )
        sprite = colours[rng.integers(0, len(colours), (16, 16))].repeat(4, 0).repeat(4, 1)
        shade = rng.integers(0, 1 + number % 3, (64, 64, 1), np.uint8)
        page[y : y + 64, x : x + 64] = sprite + shade * np.array([1, 1, 1, 0], np.uint8)
    return qoi.encode(page)


def noise_stream() -> bytes:
    """A page of 512 x 512 in which every pixel needs an operation of its own: the worst case."""
    return qoi.encode(np.random.default_rng(2).integers(0, 256, (512, 512, 4), np.uint8))


def rate(function: Callable[[], object], pixels: int, repeats: int) -> float:
    """Megapixels per second."""
    return pixels / 1e6 / median(function, repeats)


def measure_compiled(streams: list[bytes], pixels: int, repeats: int) -> list[float] | None:
    """Megapixels per second of the compiled decoder and encoder; None without a compiler."""
    program = """
import pathlib, sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
from runner import median
from overhaul.media import qoi
assert not qoi.__file__.endswith(".py"), "not compiled"
streams = [path.read_bytes() for path in sorted(pathlib.Path(sys.argv[3]).iterdir())]
images = [qoi.decode(stream) for stream in streams]
assert [qoi.encode(image) for image in images] == streams
print(median(lambda: [qoi.decode(stream) for stream in streams], int(sys.argv[4])))
print(median(lambda: [qoi.encode(image) for image in images], int(sys.argv[4])))
"""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            compiled.build(folder / "build", ("media/qoi.py",))
        except (OSError, subprocess.CalledProcessError):
            return None
        (folder / "streams").mkdir()
        for number, stream in enumerate(streams):
            (folder / "streams" / f"{number:03}").write_bytes(stream)
        arguments = [folder / "build", Path(__file__).parent, folder / "streams", repeats]
        output = subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    return [pixels / 1e6 / float(seconds) for seconds in output.split()]


def main() -> None:
    bench = Bench("Pictures (overhaul.media)")
    repeats = bench.options.repeats
    streams = real_streams()
    note = f"{len(streams)} pages of the corpus"
    if not streams:
        streams, note = [made_stream()], "one made page; no corpus here"
    images = [qoi.decode(stream) for stream in streams]
    sizes = [image.shape[0] * image.shape[1] for image in images]
    total = sum(sizes)
    note += f", {total / 1e6:.0f} megapixels"

    def add(name: str, value: float, target: float | None = None, note: str = "") -> None:
        bench.add(Result(name, value, "MP/s", target, note=note))

    decode = rate(lambda: [qoi.decode(stream) for stream in streams], total, repeats)
    add("QOI decode", decode, 1, note)
    slowest = min(
        rate(partial(qoi.decode, stream), size, repeats)
        for stream, size in zip(streams, sizes, strict=True)
    )
    add("QOI decode, slowest page", slowest, 1)
    noise = noise_stream()
    add("QOI decode, every pixel unlike", rate(lambda: qoi.decode(noise), 512 * 512, repeats), 1)
    add("QOI encode", rate(lambda: [qoi.encode(image) for image in images], total, repeats), 1)
    compiled_rates = measure_compiled(streams, total, repeats)
    if compiled_rates is None:
        print("  (no mypyc or no C compiler: the compiled build was not measured)", file=sys.stderr)
    else:
        add("QOI decode, compiled (mypyc)", compiled_rates[0], 10)
        add("QOI encode, compiled (mypyc)", compiled_rates[1])

    kind = textures.TextureFormat.BZ2_QOI
    packed = [textures.compress(stream) for stream in streams]
    add("bzip2 + QOI decode", rate(lambda: [textures.decode(b) for b in packed], total, repeats))
    add("bzip2 + QOI encode", rate(lambda: [textures.encode(i, kind) for i in images], total, 3))
    files = [png.encode(image) for image in images]
    add("PNG encode", rate(lambda: [png.encode(image) for image in images], total, 3))
    add("PNG decode", rate(lambda: [png.decode(file) for file in files], total, 3))

    source = random.Random(1)
    rectangles = [(source.randint(4, 96), source.randint(4, 96)) for _ in range(2000)]
    seconds = median(lambda: packing.pack(rectangles), 3)
    bench.add(Result("2,000 frames packed on pages", seconds, "s"))
    tiles = np.repeat(np.arange(250_000, dtype=np.uint32) % 7, np.arange(250_000) % 9)
    data = tilemap.encode(tiles)
    words = len(tiles)
    bench.add(
        Result("tile map encode", words / 1e6 / median(lambda: tilemap.encode(tiles)), "Mt/s")
    )
    bench.add(
        Result("tile map decode", words / 1e6 / median(lambda: tilemap.decode(data, words)), "Mt/s")
    )
    bench.finish()


if __name__ == "__main__":
    main()
