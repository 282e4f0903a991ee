"""The folders of modules, scripts and sprite indexes: what they hold, edits, and errors in them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import overhaul
from ags_folders import Folder
from overhaul.ags.module import ScriptModule, read_module, write_module
from overhaul.ags.script import assemble
from overhaul.ags.sprite_index import SpriteIndex, read_index, write_index
from overhaul.errors import FormatError


def test_a_module_as_files(tmp_path: Path) -> None:
    module = ScriptModule(1, "Ren\udce9", "d", "Tween", "2.2", b"code", b"head", 5, 6, 7)
    module.trailer = (1252, True)
    folder = Folder(tmp_path, "x.scm", write_module(module) + b"end")
    assert folder.names() == ["header.ash", "module.json", "script.asc"]
    assert folder.json("module.json") == {
        "format": 1,
        "author": "René",
        "description": "d",
        "name": "Tween",
        "module_version": "2.2",
        "unique_key": 5,
        "permissions": 6,
        "owner": 7,
        "code_page": 1252,
        "end_mark": True,
        "trailing": "656e64",
    }
    with overhaul.open(folder.file) as document:
        assert [(r.kind, r.path, r.size) for r in document.tree()] == [
            ("module", "module.json", None),
            ("script", "script.asc", 4),
            ("header", "header.ash", 4),
        ]
        assert document.coverage().opaque == 3
        assert dict(document.info())["script_bytes"] == 4
    folder.check()
    folder.refuses("module.json", lambda shown: shown.update(code_page="x"), "code_page: expected")
    folder.refuses("module.json", lambda shown: shown.update(trailing="x"), "trailing: expected")
    folder.edit("module.json", lambda shown: shown.update(code_page=None, end_mark=0, trailing=""))
    (folder.path / "script.asc").write_bytes(b"other")
    (folder.path / "header.ash").write_bytes(b"")
    packed = folder.pack()
    again, end = read_module(packed)
    assert (again.script, again.header, again.trailer) == (b"other", b"", (None, False))
    assert end == len(packed)


def test_a_script_by_itself_as_files(tmp_path: Path) -> None:
    script = assemble('.script 90\n.strings\n    s0: "a\\xff"\n.code\n    movl ax, @string s0\n')
    folder = Folder(tmp_path, "x.o", script.to_bytes() + b"end")
    assert folder.names() == ["script.asc", "script.asm", "script.json", "trailing.bin"]
    assert (folder.path / "trailing.bin").read_bytes() == b"end"
    with overhaul.open(folder.file) as document:
        info = dict(document.info())
        assert (info["words"], info["strings"], info["exports"]) == (3, 1, [])
        assert document.coverage().opaque == 3 and document.version == "90"
    folder.check()
    asm = folder.path / "script.asm"
    asm.write_text(asm.read_text().replace(".script 90", ".script 81"))
    (folder.path / "trailing.bin").unlink()
    other = assemble(asm.read_text("utf-8"), encoding="cp1252").to_bytes()
    assert folder.pack() == other + b"end"
    assert folder.pack(from_scratch=True) == other


def _with_version(version: int, shown: dict[str, Any]) -> None:
    shown.update(version=version)


@pytest.mark.parametrize("version", [1, 2, 10, 11, 12])
def test_a_sprite_index_as_files(version: int, tmp_path: Path) -> None:
    index = SpriteIndex(9, 1, [5, 0], [4, 0], [20, 0], [20, 40], [1, 0])
    data = write_index(version, index)
    folder = Folder(tmp_path, "sprindex.dat", data)
    assert folder.names() == ["index.json"]
    shown = folder.json("index.json")
    assert shown["version"] == version and shown["widths"] == [5, 0]
    assert ("offsets" in shown) == (version >= 10) and ("depths" in shown) == (version == 12)
    with overhaul.open(folder.file) as document:
        assert document.coverage().decoded == len(data)
        assert (dict(document.info())["slots"], dict(document.info())["sprites"]) == (2, 1)
    folder.check()
    folder.refuses("index.json", lambda shown: shown.update(version="x"), "version: expected")
    for other in (version + 1, version - 1):
        if {version, other} in ({2, 3}, {9, 10}, {11, 12}, {12, 13}, {0, 1}):
            message = rf"index\.json:.* \(version: {other}, it was {version}\)"
            folder.refuses("index.json", partial(_with_version, other), message)
    folder.edit("index.json", lambda shown: shown.update(last_slot=7))
    assert read_index(folder.pack())[1].last_slot == 7
    with pytest.raises(FormatError, match="1 bytes follow"):
        read_index(data + b"\0")
