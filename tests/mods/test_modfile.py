"""The file of a mod: damaged ones give errors of ours, and names in it lead nowhere."""

from __future__ import annotations

import io
import json
import os
import random
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import overhaul
from modded_games import CAVE, DOOR, KEEPER, changed, field, lantern, new_sprite, repainted
from overhaul import mods
from overhaul.errors import FormatError, OverhaulError
from overhaul.mods.patches import LinePatch

GAME = lantern()
GLOW = "sprites/spr_glow/0.png"
EDITS = {
    KEEPER: lambda text: "lives = 3;\n" + text,
    DOOR: None,
    CAVE: field("width", 640),
    GLOW: repainted(GAME, GLOW, 1, 1, (255, 0, 0, 255)),
    "objects/obj_door/object.json": lambda text: text.replace("gml_Object_obj_door_Step_0", ""),
    **new_sprite("spr_new"),
}


@pytest.fixture(scope="module")
def mod() -> bytes:
    edits = {path: edit for path, edit in EDITS.items() if "obj_door" not in path}
    found = mods.make(GAME, changed(GAME, edits), name="many", authors=["Ana"], description="x")
    found.removed["code/gml_Object_obj_gone_Step_0.gml"] = "0" * 64
    return found.to_bytes()


def rezip(data: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_everything_is_read_back(mod: bytes) -> None:
    found = mods.load(mod)
    assert (found.name, found.authors, found.description) == ("many", ["Ana"], "x")
    assert found.to_bytes() == mod
    assert found.to_json()["changed"] == sorted([KEEPER, CAVE, GLOW, "texture_groups.json"])
    assert mods.apply(GAME, [found]).conflicts == []


@pytest.mark.parametrize(
    "path",
    [
        "../evil",
        "a/../../evil",
        "/etc/passwd",
        "C:/x",
        "..\\evil",
        "a\\b",
        "a//b",
        "con",
        "a/",
        "x\0y",
        "a/./b",
    ],
)
def test_paths_that_lead_elsewhere_are_refused(mod: bytes, path: str) -> None:
    def put(files: dict[str, bytes]) -> None:
        files[f"files/{path}"] = b"x"

    if "\0" not in path and path not in ("a/", "a\\b"):
        with pytest.raises(FormatError):
            mods.load(rezip(mod, put))

    def rename(files: dict[str, bytes]) -> None:
        index = json.loads(files["index.json"])
        files["index.json"] = json.dumps({**index, "renamed": {"objects/a": path}}).encode()

    with pytest.raises(FormatError, match=r"renamed\.objects/a: .* is not the path of a file"):
        mods.load(rezip(mod, rename))


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("mod.toml", b"", "mod.toml"),
        ("mod.toml", b"[mod]\nname = 3\n[game]\nkind = 'x'", "name: expected a text"),
        ("mod.toml", b"format = 9", "format 9"),
        ("mod.toml", b"\xff", "TOML"),
        ("index.json", b"[]", "expected an object"),
        ("index.json", b"{", "JSON"),
        ("index.json", b'{"changed": {"a.gml": {}}}', "changes are missing"),
        ("index.json", b"{}", "does not say what"),
        (f"changes/{KEEPER}.diff", b"nonsense", "line 1"),
        (f"changes/{KEEPER}.diff", b"@@ -1 +1 @@\nnonsense", "line 2"),
        (f"changes/{CAVE}", b'[{"at": ["x"]}]', "expected 'was'"),
        (f"changes/{CAVE}", b'[{"at": [1.5], "now": 1}]', "at"),
        (f"changes/{CAVE}", b'[{"at": [], "now": 1}]', "at"),
        (f"changes/{CAVE}", b'[{"at": ["x"], "remove": true}]', "identity"),
        (f"changes/{CAVE}", b'[{"at": ["x"], "items": {}}]', "before"),
        (f"parts/{GLOW}", b"PNG", ""),
    ],
)
def test_what_is_wrong_is_said(mod: bytes, name: str, content: bytes, says: str) -> None:
    with pytest.raises(FormatError) as caught:
        mods.load(rezip(mod, lambda files: files.update({name: content})))
    assert says in str(caught.value)


def as_macos_zips(files: dict[str, bytes]) -> None:
    in_folder = {f"My mod/{path}": data for path, data in files.items()}
    files.clear()
    files.update(in_folder)
    files |= {f"__MACOSX/{path.replace('/', '/._')}": b"Mac OS X" for path in in_folder}
    files |= {".DS_Store": b"Bud1", "My mod/changes/.DS_Store": b"Bud1"}


def as_windows_zips(files: dict[str, bytes]) -> None:
    in_folder = {path.replace("/", "\\"): data for path, data in files.items()}
    files.clear()
    files |= {"changes\\": b"", **in_folder, "files\\Thumbs.db": b"\xd0\xcf", "desktop.ini": b""}


def with_windows_lines(files: dict[str, bytes]) -> None:
    for path in list(files):
        if path.endswith(".diff"):
            files[path] = files[path].replace(b"\n", b"\r\n")
    assert any(b"\r" in files[path] for path in files if path.endswith(".diff"))


@pytest.mark.parametrize("as_zipped", [as_macos_zips, as_windows_zips, with_windows_lines])
def test_mods_zipped_on_other_systems_are_the_same(
    mod: bytes, as_zipped: Callable[[dict[str, bytes]], None], tmp_path: Path
) -> None:
    zipped = rezip(mod, as_zipped)
    assert mods.load(zipped).to_bytes() == mod
    with zipfile.ZipFile(io.BytesIO(zipped)) as archive:
        archive.extractall(tmp_path)
    if as_zipped is not as_windows_zips:  # zipfile makes files with backslashes of them here
        assert mods.load(tmp_path).to_bytes() == mod


def test_lines_that_end_with_a_carriage_return_keep_it(mod: bytes) -> None:
    def put(files: dict[str, bytes]) -> None:
        head, *lines = files[f"changes/{KEEPER}.diff"].split(b"\n")
        files[f"changes/{KEEPER}.diff"] = b"\n".join([head, *(line + b"\r" for line in lines[:-1])])

    patch = mods.load(rezip(mod, put)).patches[KEEPER]
    assert isinstance(patch, LinePatch)
    assert [line for hunk in patch.hunks for line in hunk.new] == ["lives = 3;\r"]


def test_two_folders_in_a_zip_file_are_no_mod(mod: bytes) -> None:
    def put(files: dict[str, bytes]) -> None:
        as_macos_zips(files)
        files["other/readme.txt"] = b"x"

    with pytest.raises(FormatError, match=r"not a mod: it has no mod\.toml"):
        mods.load(rezip(mod, put))


def test_an_empty_file_is_no_mod() -> None:
    with pytest.raises(FormatError, match="not a mod: the file is empty"):
        mods.load(b"")
    with pytest.raises(FormatError, match="the zip archive is broken: File is not a zip file"):
        mods.load(b"PK")


def test_a_member_without_a_name_is_refused(mod: bytes) -> None:
    out = io.BytesIO(mod)
    with zipfile.ZipFile(out, "a") as archive, archive.open(zipfile.ZipInfo(""), "w") as member:
        member.write(b"x")
    with pytest.raises(FormatError, match="'' is not the path of a file"):
        mods.load(out.getvalue())


def test_what_is_no_mod_is_refused() -> None:
    for data in (b"", b"PK", GAME, rezip(_empty(), lambda files: None)):
        with pytest.raises(FormatError):
            mods.load(data)


def _put(new: dict[str, bytes], files: dict[str, bytes]) -> None:
    files.update(new)


def _empty() -> bytes:
    out = io.BytesIO()
    zipfile.ZipFile(out, "w").close()
    return out.getvalue()


def test_a_file_twice_and_too_much_are_refused(mod: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO(mod)
    with (
        zipfile.ZipFile(out, "a") as archive,
        pytest.warns(UserWarning, match="Duplicate"),
    ):
        archive.writestr("mod.toml", b"x")
    with pytest.raises(FormatError, match="twice"):
        mods.load(out.getvalue())
    monkeypatch.setattr("overhaul.document.archives.MOST_MEMBERS", 2)
    with pytest.raises(FormatError, match="too many files: expected at most 2 in an archive"):
        mods.load(mod)


def test_damaged_files_give_errors_of_ours(mod: bytes) -> None:
    chance = random.Random(12)
    fine = 0
    for _ in range(300):
        data = bytearray(mod)
        for _ in range(chance.choice([1, 1, 2, 8])):
            at = chance.randrange(len(data))
            if chance.random() < 0.3:
                del data[at : at + chance.randrange(1, 60)]
            else:
                data[at] = chance.randrange(256)
        try:
            mods.load(bytes(data))
            fine += 1
        except FormatError:
            pass
    assert fine < 250


def test_mods_with_wrong_values_are_conflicts_or_errors_of_ours(mod: bytes) -> None:
    chance = random.Random(34)
    with zipfile.ZipFile(io.BytesIO(mod)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    written = 0
    for _ in range(60):
        name = chance.choice(sorted(files))
        data = bytearray(files[name])
        at = chance.randrange(len(data))
        data[at : at + chance.randrange(4)] = bytes(chance.choices(b'0aZ"{[]}:,\n- \xff', k=2))
        new = {name: bytes(data)}
        changed_mod = rezip(mod, partial(_put, new))
        try:
            result = mods.apply(GAME, [mods.load(changed_mod)])
        except OverhaulError:
            continue
        assert bool(result.data) != bool(result.conflicts)
        if result.data:
            overhaul.open(result.data).close()
            written += 1
    assert written


def test_a_mod_is_saved_once(mod: bytes, tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "m.zip"
    mods.load(mod).save(path)
    assert path.read_bytes() == mod
    with pytest.raises(FileExistsError):
        mods.load(mod).save(path)
    mods.load(path).save(path, force=True)


def test_a_pipe_in_the_folder_of_a_mod_is_refused(tmp_path: Path, mod: bytes) -> None:
    """Reading it would never end."""
    make = getattr(os, "mkfifo", None)
    if make is None:
        pytest.skip("this system has no named pipes")
    with zipfile.ZipFile(io.BytesIO(mod)) as archive:
        archive.extractall(tmp_path)
    make(tmp_path / "pipe")
    with pytest.raises(FormatError, match="pipe is neither a file nor a folder"):
        mods.load(tmp_path)
