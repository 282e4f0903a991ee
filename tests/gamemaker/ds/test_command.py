"""``overhaul ds`` as people type it."""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from overhaul.cli import main
from overhaul.gamemaker import ds

TEXT = ds.dumps({"gold": 5, "bag": ds.dumps(["sword"])}, generation=2)
INI = f'[player]\r\nname=\xe9\r\nbag="{TEXT}"\r\nother="{ds.dumps([1])}"\r\n'.encode("latin-1")


def test_decode_and_encode(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    save = tmp_path / "save.txt"
    save.write_text(TEXT)
    assert main(["ds", "decode", str(save)]) == 0
    written = capfdbinary.readouterr().out
    assert json.loads(written)["entries"]["gold"] == 5
    (tmp_path / "save.json").write_bytes(written)
    assert main(["ds", "encode", str(tmp_path / "save.json")]) == 0
    assert capfdbinary.readouterr().out == TEXT.encode()
    assert main(["ds", "decode", "--nested", str(save)]) == 0
    nested = json.loads(capfdbinary.readouterr().out)
    assert nested["entries"]["bag"]["items"] == ["sword"]


def test_one_string_in_an_ini_file(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ini, out = tmp_path / "game.ini", tmp_path / "bag.json"
    ini.write_bytes(INI)
    assert main(["ds", "find", "--json", str(ini)]) == 0
    result = json.loads(capfdbinary.readouterr().out)["strings"]
    assert [row["key"] for row in result] == ["player/bag", "player/other"]
    assert main(["ds", "find", str(ini)]) == 0
    assert b"player/bag" in capfdbinary.readouterr().out
    assert main(["ds", "decode", str(ini), "--key", "player/bag", "-o", str(out)]) == 0
    assert main(["ds", "encode", str(out), "--into", str(ini), "--key", "player/bag"]) == 0
    assert ini.read_bytes() == INI
    out.write_text(out.read_text().replace('"gold": 5', '"gold": 777'))
    assert main(["ds", "encode", str(out), "--into", str(ini), "--key", "player/bag"]) == 0
    again = ds.dumps({"gold": 777, "bag": ds.dumps(["sword"])}, generation=2)
    assert ini.read_bytes() == INI.replace(TEXT.encode(), again.encode())
    assert (tmp_path / "game.ini.bak").read_bytes() == INI


def test_a_save_in_base64(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    save, out = tmp_path / "save.txt", tmp_path / "save.json"
    save.write_bytes(b64encode(TEXT.encode()) + b"\n")
    assert main(["ds", "find", str(save)]) == 0
    assert b"map" in capfdbinary.readouterr().out
    assert main(["ds", "decode", str(save), "-o", str(out)]) == 0
    assert json.loads(out.read_bytes())["base64"] is True
    assert main(["ds", "encode", str(out)]) == 0
    assert capfdbinary.readouterr().out == save.read_bytes()


def test_an_unknown_kind_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "save.json"
    out.write_text('{"ds": "lst", "items": []}')
    assert main(["ds", "encode", str(out)]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "save.json:1:2: ds: unknown kind of structure 'lst'" in said.err
    assert "did you mean 'list'?" in said.err


def test_new_strings_from_stdin(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b'{"a": [1]}')))
    assert main(["ds", "encode", "-", "--generation", "2"]) == 0
    assert capfdbinary.readouterr().out.decode() == ds.dumps({"a": [1]}, generation=2)


def test_answers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "plain.txt"
    path.write_text("nothing")
    ini = tmp_path / "game.ini"
    ini.write_bytes(INI)
    assert main(["ds", "find", str(path)]) == 1
    assert main(["ds", "decode", str(path)]) == 3
    assert main(["ds", "encode", str(path)]) == 3
    assert main(["ds", "decode", str(tmp_path / "missing")]) == 3
    assert main(["ds", "decode", str(ini)]) == 3
    assert "expected one ds string, got 2" in capfd.readouterr().err
    assert main(["ds", "decode", str(ini), "--key", "nobody"]) == 3
    assert "player/bag, player/other" in capfd.readouterr().err
    assert main(["ds", "encode", str(path), "--into", str(ini)]) == 2
    assert main(["ds", "decode", str(ini), "--key", "player/bag", "--encoding", "x"]) == 2
    assert main(["ds", "nonsense"]) == 2


def test_the_only_string_of_a_file_needs_no_key(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ini = tmp_path / "game.ini"
    ini.write_text(f"[save]\ndata={TEXT}\n")
    assert main(["ds", "decode", str(ini)]) == 0
    assert json.loads(capfdbinary.readouterr().out)["entries"]["gold"] == 5
