"""300 damaged files of each kind, by a fixed seed: our errors with a place, and nothing written."""

from __future__ import annotations

import io
import os
import random
import re
import zipfile
from pathlib import Path

import polib
import pytest

from ags_games import opened, package
from overhaul import translate
from overhaul.cli import main
from overhaul.errors import OverhaulError
from small_games import again, game_of

COUNT = 300
ENDS = ("po", "csv", "xlsx", "trs", "tra")
#: what an error names: a line, a row or a cell, or an offset in a .tra
PLACE = {
    "po": r"line \d+|not a text in its encoding|syntax error|not a PO file",
    "csv": r"line \d+|row \d+|cell [A-Z]+\d+|the table is empty",
    "xlsx": r"not a spreadsheet|zip archive|cell [A-Z]+\d+|row \d+|the table is empty|document type"
    "|unpacks",
    "trs": r"line \d+",
    "tra": r"at offset 0x|AGSTranslation|pairs\[\d+\]: not a text in",
}


def messages() -> polib.POFile:
    made = translate.extract(opened())
    for number, entry in enumerate(made):
        entry.msgstr = f"ü {entry.msgid}" if number % 3 else ""
    made[1].flags.append("fuzzy")
    made[2].tcomment = "a comment, of\ntwo lines"
    made.append(polib.POEntry(msgid="gone", msgstr="weg", obsolete=True))
    return made


def whole(end: str) -> bytes:
    if end == "tra":
        return translate.apply(opened(), messages()).data
    return translate.file_bytes(messages(), f"a.{end}")


def damaged(data: bytes, dice: random.Random) -> bytes:
    """The bytes with a few of them changed, gone, doubled, or cut off."""
    made = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 8))):
        at = dice.randrange(len(made))
        length = dice.choice((1, 1, 3, 20))
        match dice.randrange(6):
            case 0:
                made[at] ^= 1 << dice.randrange(8)
            case 1:
                made[at : at + length] = dice.randbytes(length)
            case 2:
                del made[at : at + length]
            case 3:
                made[at:at] = dice.choice(
                    (b'"', b"\n", b"\0", b"\r", b"//", b"\\", b"msgid", b",,")
                )
            case 4:
                made[at:at] = made[max(0, at - length) : at]
            case _:
                del made[at:]
        if not made:
            return b""
    return bytes(made)


def damaged_sheet(data: bytes, dice: random.Random) -> bytes:
    """A spreadsheet that is a good zip file, with damage in one of its parts."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = dice.choice(sorted(parts))
    parts[name] = damaged(parts[name], dice)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in parts.items():
            archive.writestr(each, content)
    return out.getvalue()


@pytest.mark.parametrize("end", ENDS)
def test_damage_is_reported(tmp_path: Path, end: str) -> None:
    if end == "xlsx":
        pytest.importorskip("openpyxl")
    dice = random.Random(f"13 {end}")
    document, data = opened(), whole(end)
    path = tmp_path / f"a.{end}"
    every = 1 if os.environ.get("OVERHAUL_FULL") == "1" else 6
    reported = read = 0
    for number in range(COUNT):
        damage = damaged_sheet if end == "xlsx" and number % 2 else damaged
        path.write_bytes(damage(data, dice))
        try:
            loaded = translate.load(path)
        except OverhaulError as error:
            said = str(error)
            assert said.startswith(str(path)) and re.search(PLACE[end], said), said
            assert "\n" not in said and len(said) < 600 + len(str(path)), said
            reported += 1
            continue
        read += 1
        if read % every:
            continue
        for verb in (translate.check, translate.apply):
            try:
                verb(document, loaded)
            except OverhaulError as error:
                assert str(error).startswith((str(path), "X-AGS-")), error
        try:
            translate.file_bytes(translate.update(document, loaded).messages, "b.csv")
        except OverhaulError as error:
            assert "X-AGS-" in str(error), error
    assert (reported > COUNT // 20 or end == "trs") and read > COUNT // 20, (reported, read)


@pytest.mark.parametrize("end", ["po", "csv"])
def test_damage_is_reported_with_other_games(tmp_path: Path, end: str) -> None:
    game = game_of("2023.4")
    game.add_event("obj_a", "Step_0", 'draw_text(0, 0, "Save"); draw_text(0, 0, "cup");')
    game = again(game)
    dice = random.Random(f"14 {end}")
    data, path = whole(end), tmp_path / f"a.{end}"
    for _ in range(25):
        path.write_bytes(damaged(data, dice))
        try:
            loaded = translate.load(path)
        except OverhaulError:
            continue
        translate.check(game, loaded)
        made = translate.apply(game, loaded)
        assert made.texts <= 2


@pytest.mark.parametrize("end", ENDS)
def test_nothing_is_written_where_something_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], end: str
) -> None:
    if end == "xlsx":
        pytest.importorskip("openpyxl")
    monkeypatch.chdir(tmp_path)
    Path("game.ags").write_bytes(package())
    dice = random.Random(f"15 {end}")
    data = whole(end)
    before = {"game.ags", f"a.{end}"}
    failed = 0
    for _ in range(12):
        Path(f"a.{end}").write_bytes(damaged(data, dice))
        for words in (
            ["apply", "game.ags", f"a.{end}", "-o", "out"],
            ["update", "game.ags", f"a.{end}", "-o", "out"],
            ["convert", f"a.{end}", "out"],
        ):
            code = main(["translate", *words])
            said = capsys.readouterr().err
            assert code in (0, 3) and "internal error" not in said and "Traceback" not in said
            failed += code == 3
            assert set(os.listdir()) == (before | {"out"} if code == 0 else before)
            if code == 0:
                os.remove("out")
    assert failed
