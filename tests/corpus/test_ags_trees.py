"""Real games of Adventure Game Studio as one tree: one edit of each kind changes just that."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import overhaul
from overhaul import mods
from overhaul.ags.detect import GAME
from overhaul.errors import OverhaulError
from real_files import corpus_files, sample

pytestmark = pytest.mark.corpus


def _games() -> list[Path]:
    found = [
        path
        for pattern in ("ags/*/*", "ags2/*", "ags-pairs/*/compiled/*/*")
        for path in corpus_files(pattern)
        if path.suffix.lower() in (".ags", ".exe", ".dta", ".gz", ".crm", ".spr", ".tra", ".agt")
    ]
    return [path for path in found if path.stat().st_size < 1_500_000]


GAMES = _games()
Json = dict[str, Any]
#: An edit: the file, the places in it that change, and how.
Edit = tuple[str, Callable[[bytes], bytes]]


def edits(folder: Path) -> list[Edit]:
    """One edit of each kind that the game has something for."""
    made: list[Edit] = []

    def first(
        pattern: str, wanted: Callable[[Json], object], change: Callable[[Json], object]
    ) -> None:
        for path in sorted(folder.glob(pattern)):
            value = json.loads(path.read_text("utf-8"))
            if isinstance(value, dict) and wanted(value):
                made.append((path.relative_to(folder).as_posix(), edited(change)))
                return

    first("characters/*.json", lambda v: "RealName" in v, lambda v: v.update(RealName="Edited"))
    first(
        "**/room.json",
        lambda v: len(v.get("Hotspots", ())) > 1,
        lambda v: v["Hotspots"][1].update(Description="Edited"),
    )
    first("dialogs/*.json", lambda v: v.get("Options"), lambda v: v["Options"][0].update(Text="Ed"))
    first(
        "guis/*.json",
        lambda v: any("Text" in control for control in v["Controls"]),
        lambda v: next(c for c in v["Controls"] if "Text" in c).update(Text="Edited"),
    )
    for pattern, change in (
        ("**/background.png", repainted),
        ("sprites/*.png", repainted),
        ("sprites/*.png", enlarged),
        ("dialogs/*.ads", another_line),
    ):
        path = next(iter(sorted(folder.glob(pattern))), None)
        if path is not None:
            made.append((path.relative_to(folder).as_posix(), change))
    path = next(iter(sorted(folder.glob("**/dictionary.trs"))), None)
    if path is not None:
        made.append((path.relative_to(folder).as_posix(), translated))
    return made


def edited(change: Callable[[Json], object]) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        value = json.loads(data)
        change(value)
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")

    return edit


def repainted(data: bytes) -> bytes:
    """The picture with its pixels turned round."""
    with Image.open(BytesIO(data)) as image:
        pixels = np.asarray(image)
        if (pixels == pixels[::-1, ::-1]).all():
            return b""
        turned = Image.fromarray(np.ascontiguousarray(pixels[::-1, ::-1]), image.mode)
        if image.mode == "P":
            turned.putpalette(image.getpalette() or [])
        out = BytesIO()
        turned.save(out, "PNG")
    return out.getvalue()


def enlarged(data: bytes) -> bytes:
    """The picture with a column and two rows more."""
    with Image.open(BytesIO(data)) as image:
        larger = Image.new(image.mode, (image.width + 1, image.height + 2))
        if image.mode == "P":
            larger.putpalette(image.getpalette() or [])
        larger.paste(image, (0, 0))
        out = BytesIO()
        larger.save(out, "PNG")
    return out.getvalue()


def another_line(data: bytes) -> bytes:
    """The dialog with another first line that somebody says."""
    return re.sub(rb"^(\w+: ).*$", rb"\1Something else.", data, count=1, flags=re.MULTILINE)


def translated(data: bytes) -> bytes:
    """Another translation of the first text."""
    lines = data.split(b"\n")
    at = next((at for at in range(0, len(lines) - 1, 2) if lines[at].strip()), None)
    if at is None:
        return b""
    lines[at + 1] = b"Edited" + (b"\r" if lines[at + 1].endswith(b"\r") else b"")
    return b"\n".join(lines)


@pytest.mark.parametrize("path", sample(GAMES, 8), ids=lambda p: f"{p.parent.name}-{p.name}")
def test_an_edit_changes_just_that(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    file = tmp_path / path.name.removesuffix(".gz")
    file.write_bytes(data)
    folder = tmp_path / "folder"
    try:
        overhaul.unpack(file, folder)
    except OverhaulError:
        assert not data.startswith(GAME)
        pytest.skip("no file of a known kind")
    overhaul.pack(folder, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == data
    for name, change in edits(folder):
        before = (folder / name).read_bytes()
        after = change(before)
        if not after or after == before:
            continue
        (folder / name).write_bytes(after)
        overhaul.pack(folder, tmp_path / "edited", force=True)
        changes = mods.diff(file, tmp_path / "edited").changes
        assert {each.path for each in changes} <= {name, "sprites.json"}, (name, changes)
        assert name in {each.path for each in changes}, name
        (folder / name).write_bytes(before)


@pytest.mark.parametrize("path", sample(GAMES, 8), ids=lambda p: f"{p.parent.name}-{p.name}")
def test_an_item_is_added(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    file = tmp_path / path.name.removesuffix(".gz")
    file.write_bytes(data)
    folder = tmp_path / "folder"
    try:
        overhaul.unpack(file, folder)
    except OverhaulError:
        pytest.skip("no file of a known kind")
    items = sorted(folder.glob("inventory/*.json"))
    if not items:
        pytest.skip("it has no inventory")
    value = json.loads(items[-1].read_text("utf-8"))
    del value["ID"]
    value.pop("Interactions", None)  # some name functions that are not there
    if "Name" in value:
        value["Name"] = "iEdited"
    (folder / "inventory/iEdited.json").write_text(json.dumps(value))
    overhaul.pack(folder, tmp_path / "edited")
    changes = mods.diff(file, tmp_path / "edited").changes
    assert [each.kind for each in changes] == ["added"], changes
    assert changes[0].path.startswith("inventory/")
