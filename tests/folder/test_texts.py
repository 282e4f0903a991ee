"""What is found in the plain files of a document, and what a format says of mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import overhaul
import toy
from overhaul.document.format_parts import ResourceMentions
from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.document.registry import folder_format_of
from overhaul.folder.parallel import Workers, map_files, tracked
from overhaul.folder.texts import Match, find_files, find_resources, search, uses
from overhaul.folder.unpacking import Unpacked, unpack
from overhaul.folder.verifying import Report, verify
from overhaul.gamemaker.data_folder.file_meaning import MENTIONS
from toy import toy_bytes, toy_package

NOTES = {"one": b"obj and\nobj_b", "two": b"my obj", "obj": b"obj itself"}


def test_resources_by_patterns_and_types(toys: None) -> None:
    with overhaul.open(toy_bytes(NOTES)) as document:
        assert [found.name for found in find_resources(document)] == ["one", "two", "obj"]
        assert [found.name for found in find_resources(document, ["t*"])] == ["two"]
        assert [found.name for found in find_resources(document, ["notes/o*"])] == ["one", "obj"]
        assert find_resources(document, ["t*"], ["member"]) == []
        assert len(find_resources(document, [], ["no*"])) == 3


def test_files_by_path_else_members(toys: None) -> None:
    with overhaul.open(toy_bytes(NOTES)) as document:
        assert [file.path for file in find_files(document, "notes/o*")] == [
            "notes/one.txt",
            "notes/obj.txt",
        ]
        assert [file.path for file in find_files(document, "notes/one.txt")] == ["notes/one.txt"]
        assert find_files(document, "x") == []
    with overhaul.open(toy_package({"a": b"1"})) as document:
        assert [file.path for file in find_files(document, "a")] == ["a"]


def test_search_gives_path_and_line(toys: None) -> None:
    with overhaul.open(toy_bytes(NOTES)) as document:
        workers = Workers(b"", document)
        found = list(search(workers, re.compile("obj_"), only=["notes/*"]))
        assert found == [Match("notes/one.txt", 2, "obj_b")]
        assert list(search(workers, re.compile("obj_"), only=["other/*"])) == []


class Mentions(toy.ToyFolder):
    """A toy whose folder has code and lists."""

    files = {
        "code/a.gml": b"use(obj)\nobj_b\n",
        "rooms/obj/room.json": b'{"self": "obj"}',
        "rooms/b.json": b'{"a": "obj",\n"b": "an obj here",\n"Hit_obj": 1,\n"Hit_object": 2}',
        "list.json": b'"obj"\n"all": "obj"',
        "on_obj.json": b"{\n}",
        "on_obj_b.json": b"{}",
    }

    def plain_files(self, toy: toy.Toy, options: UnpackOptions) -> Iterator[PlainFile]:
        for path, data in self.files.items():
            yield PlainFile(path, partial(bytes, data))


class Known(ResourceMentions):
    def keys(self, name: str) -> str:
        return f'"Hit_{name}":'

    def paths(self, name: str) -> str:
        return rf"^on_{name}\.json$"

    def listings(self, name: str) -> dict[str, str]:
        return {"list.json": rf'"{name}"'}


class Knowing(Mentions):
    @property
    def mentions(self) -> Known:
        return Known()


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        (Mentions(), ["code/a.gml:1", "rooms/b.json:1", "list.json:1", "list.json:2"]),
        (
            Knowing(),
            ["on_obj.json:1", "code/a.gml:1", "rooms/b.json:1", "rooms/b.json:3", "list.json:2"],
        ),
    ],
)
def test_uses_are_words_values_and_what_the_format_says(
    toys: None, monkeypatch: pytest.MonkeyPatch, folder: Mentions, expected: list[str]
) -> None:
    monkeypatch.setattr(toy, "TOY_FOLDER", folder)
    with overhaul.open(toy_bytes(NOTES)) as document:
        known: object = folder_format_of("toy")
        assert known is folder
        found = uses(Workers(b"", document), "obj")
        assert [f"{match.path}:{match.line}" for match in found] == expected


def test_events_with_an_object_are_uses_in_games() -> None:
    assert re.search(MENTIONS.keys("obj.a"), '  "Collision_obj.a": {')
    assert not re.search(MENTIONS.keys("obj.a"), '  "Collision_objxa": {')
    lists = MENTIONS.listings("scr")
    assert re.match(lists["order.json"], "anything")
    assert re.match(lists["scripts.json"], '  "scr": "gml_Script_scr",')
    assert not re.match(lists["scripts.json"], '  "scr": "scr"')
    assert not re.match(lists["scripts.json"], '  "other": "scr"')


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_files_give_results_or_errors(
    toys: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.toy").write_bytes(toy_bytes(NOTES))
    Path("b.toy").write_bytes(b"TOY1")
    good, bad = map_files(verify, [("a.toy",), ("b.toy",)], jobs)
    assert isinstance(good, Report) and good.identical
    assert isinstance(bad, overhaul.FormatError)
    done, missing = map_files(unpack, [("a.toy", "a"), ("c.toy", "c")], jobs)
    assert isinstance(done, Unpacked) and done.files == 3
    assert isinstance(missing, FileNotFoundError)


def test_progress_is_reported_before_and_after_each() -> None:
    heard: list[tuple[int, int, str]] = []
    got = []
    for item in tracked(["a", "b"], iter([1, 2]), lambda *reported: heard.append(reported)):
        got.append((item, len(heard)))
    assert got == [(1, 1), (2, 2)]
    assert heard == [(0, 2, "a"), (1, 2, "b"), (2, 2, "")]


def test_interrupting_goes_through() -> None:
    def stop(item: int) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(map_files(stop, [(1,), (2,)]))
