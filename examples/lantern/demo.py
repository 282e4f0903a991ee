"""The demo: a small game from plain files, taken apart, changed, and put back.

``python3 dev.py demo`` runs it. Everything it makes lies in ``build/demo/``, or in the folder that
is given as the only argument.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

import numpy as np
from PIL import Image

import overhaul
from overhaul.folder.texts import find_files

HERE = Path(__file__).resolve().parent
OUT = Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[1] / "build" / "demo").resolve()
EDITIONS = ("gms1", "current")


def main() -> int:
    started = time.perf_counter()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    for edition in EDITIONS:
        title(f"{edition}: {HERE.name}/{edition}/ is a folder of plain files")
        game = build(edition)
        show(game)
        picture_sheet(game)
        change(game)
    print(f"\nDone in {time.perf_counter() - started:.1f} s. Everything lies in {shown(OUT)}/")
    print("Go on by hand, or look at the game in the browser:")
    command = f"{shown(Path(sys.executable))} -m overhaul"
    print(f"  {command} ls {shown(OUT)}/lantern-current.win")
    print(f"  {command} view {shown(OUT)}/lantern-current.win")
    return 0


def build(edition: str) -> Path:
    """Pack the folder into a game: there is no original, everything is made from the files."""
    game = OUT / f"lantern-{edition}.win"
    done = overhaul.pack(HERE / edition, game)
    print(f"packed {len(done.changes)} files into {shown(game)} ({done.size:,} bytes)")
    warn(done.warnings)
    return game


def show(game: Path) -> None:
    """What `overhaul info` and `overhaul verify` tell."""
    with overhaul.open(game) as document:
        info = document.info()
        print(f"info: {document.kind} {document.version}, {info['name']!r}")
        kinds: dict[str, int] = {}
        for resource in document.tree():
            kinds[resource.kind] = kinds.get(resource.kind, 0) + 1
        print("      " + ", ".join(f"{count} x {kind}" for kind, count in kinds.items()))
    verified(game)


def verified(game: Path) -> None:
    """Decode everything, rebuild it, compare."""
    report = overhaul.verify(game)
    coverage = report.coverage
    assert report.identical, f"{game} differs at {report.first_difference}"
    assert coverage is not None
    print(
        f"verify: rebuilt from the model, identical; {coverage.decoded:,} bytes decoded, "
        f"{coverage.media:,} media, {coverage.opaque:,} opaque"
    )


def picture_sheet(game: Path) -> None:
    """All sprite frames side by side, four times as large."""
    with overhaul.open(game) as document:
        frames = [image(file.read()) for file in find_files(document, "sprites/*/[0-9].png")]
    height = max(frame.height for frame in frames)
    sheet = Image.new("RGBA", (sum(f.width + 4 for f in frames) + 4, height + 8), "#2a2232")
    x = 4
    for frame in frames:
        sheet.alpha_composite(frame, (x, 4 + (height - frame.height) // 2))
        x += frame.width + 4
    sheet = sheet.resize((sheet.width * 4, sheet.height * 4), Image.Resampling.NEAREST)
    path = game.with_name(f"{game.stem}-sprites.png")
    sheet.save(path)
    print(f"picture sheet: {len(frames)} frames in {shown(path)}")


def change(game: Path) -> None:
    """Unpack, repaint the keeper's cloak, change a line of text, pack, verify."""
    folder = game.with_name(f"{game.stem}-folder")
    done = overhaul.unpack(game, folder, code="gml")
    print(f"unpacked to {shown(folder)}/ ({done.files} files)")
    warn(done.warnings)

    untouched = game.with_name(f"{game.stem}-untouched.win")
    overhaul.pack(folder, untouched)
    assert untouched.read_bytes() == game.read_bytes()
    print("packed again, untouched: the identical file")

    for picture in sorted((folder / "sprites/spr_keeper").glob("[0-9].png")):
        repaint(picture)
    source = folder / "code/gml_Object_obj_keeper_Draw_0.gml"
    text = source.read_text(encoding="utf-8")
    assert "Fireflies: " in text, "the text to change is not there"
    source.write_text(text.replace("Fireflies: ", "Little lights: "), encoding="utf-8")

    changed = game.with_name(f"{game.stem}-changed.win")
    packed = overhaul.pack(folder, changed)
    print(f"the cloak repainted and a text changed: packed to {shown(changed)}")
    for path, how in packed.changes.items():
        print(f"  {how:8} {path}")
    warn(packed.warnings)
    verified(changed)
    picture_sheet(changed)


def repaint(path: Path) -> None:
    """Violet becomes green."""
    with Image.open(path) as opened:
        pixels = np.array(opened.convert("RGBA"))
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    violet = (red > green) & (blue > green)
    pixels[violet] = pixels[violet][:, [1, 0, 1, 3]]
    Image.fromarray(pixels).save(path)


def image(data: bytes) -> Image.Image:
    """The picture in a PNG."""
    import io

    return Image.open(io.BytesIO(data)).convert("RGBA")


def title(text: str) -> None:
    print(f"\n== {text}")


def warn(warnings: list[str]) -> None:
    for text in warnings:
        print(f"warning: {text}")


def shown(path: Path) -> str:
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(path)


if __name__ == "__main__":
    sys.exit(main())
