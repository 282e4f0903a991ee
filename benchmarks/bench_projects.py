"""How fast Game Maker projects are verified and unpacked, and ds strings decoded and encoded.

On the corpus where it is; the strings are made, and the largest real one is shown next to them.
"""

from __future__ import annotations

from collections.abc import Callable

from runner import Bench, Result, median

from overhaul.document.plainfiles import UnpackOptions
from overhaul.document.reading import open_data
from overhaul.folder.texts import plain_files
from overhaul.gamemaker import ds

VERIFIED_IN = 8.0  # seconds for the projects of the corpus, on one core
STRING_RATE = 5.0  # megabytes of hexadecimal digits per second, both ways


def strings() -> dict[str, ds.Structure]:
    """Large strings of several kinds, a few megabytes each."""
    return {
        "reals": ds.DsList(float(number) for number in range(200_000)),
        "map of texts": ds.DsMap({f"key {number}": f"value {number}" for number in range(40_000)}),
        "mixed": ds.DsList([None, True, ds.Int32(4), ds.Int64(5), [1.0, "two"]] * 25_000),
        "grid": ds.DsGrid(500, 400),
    }


def both_ways(add: Callable[[Result], None], name: str, text: str, target: float | None) -> None:
    """Measure decoding and encoding of one string."""
    value = ds.loads(text)
    size = len(text) / 1e6
    add(Result(f"ds decode, {name}", size / median(lambda: ds.loads(text)), "MB/s", target))
    add(Result(f"ds encode, {name}", size / median(lambda: ds.dumps(value)), "MB/s", target))


def main() -> None:
    from real_files import corpus_files

    bench = Bench("Game Maker projects and ds strings")
    for name, structure in strings().items():
        both_ways(bench.add, name, ds.dumps(structure), STRING_RATE)
    texts = [path.read_text("latin-1") for path in corpus_files("ds/*.txt")]
    if texts:
        both_ways(bench.add, f"the largest real one ({max(map(len, texts)) // 1000} kB)",
                  max(texts, key=len), None)  # fmt: skip
    files = [path.read_bytes() for path in corpus_files("projects/*") if path.suffix != ".tsv"]
    if files:
        size = sum(map(len, files)) / 1e6

        def verify() -> None:
            for data in files:
                with open_data(data) as document:
                    document.decode()
                    if document.to_bytes() != data:
                        raise AssertionError("not identical")

        def unpack() -> None:
            for data in files:
                with open_data(data) as document:
                    for plain in plain_files(document, UnpackOptions()):
                        plain.read()

        words = f"{len(files)} files, {size:.0f} MB"
        seconds = median(verify, 3)
        bench.add(Result("verify the projects", seconds, "s", VERIFIED_IN, True, words))
        bench.add(Result("unpack the projects", median(unpack, 3), "s", note=words))
    bench.finish()


if __name__ == "__main__":
    main()
