"""Projects with damaged values: our errors only, and what is made can be read."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import overhaul
from ide_projects import folder_ref, modern_project, printed, ref, write
from overhaul.document.files import write_into
from overhaul.errors import FormatError, OverhaulError
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_release import converted_to, named_release
from repeats import times

RELEASES = ("2.3.0", "2.3.7", "2022.9", "2023.11", "2024.2", "2026.0")
JUNK: tuple[Json, ...] = (
    None, 0, -1, 1.5, "", "x", [], {}, [None], [[]], {"a": None}, True, [1, 2], 2**70,
)  # fmt: skip
DEEPER = 0.85
GONE = 0.1


def damaged(value: Json, source: random.Random) -> Json:
    """A value with another one somewhere in it, or without one."""
    if isinstance(value, dict) and value and source.random() < DEEPER:
        key = source.choice(list(value))
        if source.random() < GONE:
            return {name: item for name, item in value.items() if name != key}
        return {**value, key: damaged(value[key], source)}
    if isinstance(value, list) and value and source.random() < DEEPER:
        at = source.randrange(len(value))
        return [*value[:at], damaged(value[at], source), *value[at + 1 :]]
    return source.choice(JUNK)


def test_damaged_values(tmp_path: Path) -> None:
    modern_project(tmp_path)
    files = {path.relative_to(tmp_path).as_posix(): path.read_bytes()
             for path in tmp_path.rglob("*") if path.is_file()}  # fmt: skip
    texts = [path for path in files if path.endswith((".yy", ".yyp"))]
    source = random.Random(46)
    made = 0
    for _ in range(times(2000, 20)):
        changed = dict(files)
        for path in source.sample(texts, 2):
            value = damaged(read_json_file(files[path]).value, source)
            changed[path] = json.dumps(value).encode()
        siblings = MadeFiles({path: data.__bytes__ for path, data in changed.items()})
        try:
            document = IdeProjectDocument.from_bytes(
                changed["Game.yyp"], source="Game.yyp", siblings=siblings
            )
            found = converted_to(document, named_release(source.choice(RELEASES)))
        except OverhaulError:
            continue
        for path in texts:
            if path in found.files:
                read_json_file(found.files[path]()).at()
        made += 1
    assert made > 0


def texts_of(path: Path, release: str) -> tuple[list[str], list[str]]:
    """The files of a project for a release, and the findings."""
    with overhaul.open_project(path) as project:
        made = converted_to(project, named_release(release))
    return sorted(made.files), made.findings.texts()


def test_what_was_made_of_a_project_is_not_copied(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    before, _ = texts_of(path, "2023.11")
    for folder in ("Game-2022.9", "Game-2022.9/inner"):
        modern_project(tmp_path / folder)
    files, findings = texts_of(path, "2023.11")
    assert files == before
    assert findings == ["Game-2022.9: it has another project: it is not copied"]


def test_a_folder_with_files_of_the_project_is_copied(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    write(tmp_path, "datafiles/Sample.yyp", "text")
    write(tmp_path, "scripts/Other.yyp", "text")
    files, findings = texts_of(path, "2023.11")
    assert {"datafiles/Sample.yyp", "datafiles/info.txt", "scripts/Other.yyp"} <= set(files)
    assert "scripts/scr_a/scr_a.gml" in files
    assert not [finding for finding in findings if "not copied" in finding]


@pytest.mark.parametrize("release", ["2.3.0", "2022.9", "2024.14"])
def test_a_class_that_is_not_known_is_named_and_kept(tmp_path: Path, release: str) -> None:
    path = modern_project(tmp_path)
    place = "gizmos/giz/giz.yy"
    part: Json = {"$GMWheel": "", "name": "w", "resourceType": "GMWheel"}
    write(tmp_path, place, printed({
        "$GMGizmo": "v3", "%Name": "giz", "name": "giz", "wheels": [part, part],
        "other": ref("objects", "obj_a"), "parent": folder_ref("All"),
        "resourceType": "GMGizmo", "resourceVersion": "2.0",
    }))  # fmt: skip
    with overhaul.open_project(path) as project:
        made = converted_to(project, named_release(release))
    assert made.findings.texts() == [
        f"{place}: no release is known to have the class {kind}: it is kept"
        for kind in ("GMGizmo", "GMWheel")
    ]
    value = read_json_file(made.files[place]()).value
    assert isinstance(value, dict)
    assert value["other"] == ref("objects", "obj_a")
    wheels = value["wheels"]
    assert isinstance(wheels, list)
    assert len(wheels) == 2


def test_a_number_that_no_file_can_have_is_named_with_its_file(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    place = tmp_path / "objects/obj_b/obj_b.yy"
    place.write_text(place.read_text().replace('"eventNum":0', '"eventNum":1e999'))
    with pytest.raises(FormatError, match=r"^objects/obj_b/obj_b\.yy: no project can hold"):
        texts_of(path, "2023.11")


def test_links_that_lead_back_are_not_followed(tmp_path: Path) -> None:
    path = modern_project(tmp_path / "game")
    modern_project(tmp_path / "lib")
    before, _ = texts_of(path, "2023.11")
    (tmp_path / "lib" / "Game.yyp").unlink()
    (tmp_path / "game" / "back").symlink_to(".")
    (tmp_path / "game" / "up").symlink_to("..")
    (tmp_path / "game" / "scripts" / "own").symlink_to("../../lib/scripts")
    (tmp_path / "lib" / "scripts" / "game").symlink_to("../../game/scripts")
    files, findings = texts_of(path, "2023.11")
    assert set(files) - set(before) == {
        "scripts/own/scr_a/scr_a.gml", "scripts/own/scr_a/scr_a.yy",
    }  # fmt: skip
    assert set(before) <= set(files)
    assert findings == []


def test_an_error_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    path = modern_project(tmp_path / "game")
    with overhaul.open_project(path) as project:
        made = converted_to(project, named_release("2023.11"))
        last = list(made.files)[-1]

        def stopped() -> bytes:
            raise KeyboardInterrupt

        files = {**made.files, last: stopped}
        with pytest.raises(KeyboardInterrupt):
            write_into(str(tmp_path / "out" / "deep"), files)
    assert sorted(place.name for place in tmp_path.iterdir()) == ["game"]


def test_counts_that_no_project_can_have_are_refused(tmp_path: Path) -> None:
    """Nothing is made of so many parts, and no cell is left out."""
    path = modern_project(tmp_path)
    place = tmp_path / "rooms/rm_a/rm_a.yy"
    text = place.read_text()
    tiles: Json = {"SerialiseWidth": 1, "SerialiseHeight": 1, "TileDataFormat": 1,
                   "TileCompressedData": [-(2**31), 5]}  # fmt: skip
    layer = json.dumps({"$GMRTileLayer": "", "name": "T", "resourceType": "GMRTileLayer",
                        "tiles": tiles})  # fmt: skip
    place.write_text(text.replace('"layers":[', f'"layers":[{layer},', 1))
    with pytest.raises(FormatError, match=r"^rooms/rm_a/rm_a\.yy: TileCompressedData: expected"):
        texts_of(path, "2.3.0")
    place.write_text(text)
    for count, fits in ((2**19, True), (2**19 + 1, False), (2**31, False), (-1, True)):
        value: dict[str, Json] = {
            "$GMTileSet": "v1", "%Name": "ts", "name": "ts", "resourceType": "GMTileSet",
            "tile_count": count,
        }  # fmt: skip
        write(tmp_path, "tilesets/ts/ts.yy", printed(value))
        if fits:
            assert "tilesets/ts/ts.yy" in texts_of(path, "2.3.0")[0]
        else:
            with pytest.raises(FormatError, match=f"tile_count: expected .*, got {count}"):
                texts_of(path, "2.3.0")
