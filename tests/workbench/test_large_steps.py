"""A step of a game of 600 code entries costs what it changes: chunks decoded, files listed, and
what stays in memory."""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

import overhaul
from large_games import enlarge
from overhaul.document import caches
from overhaul.errors import WorkspaceError
from overhaul.examples import write_example
from overhaul.gamemaker.data import clean_code, listed_names
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import mention_index
from overhaul.gamemaker.data.code.decompiling import GameDecompiler
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.model import Chunk
from overhaul.gamemaker.data.strings import StringTable
from overhaul.gamemaker.data_folder import applying
from overhaul.gamemaker.data_folder.view import FolderView
from overhaul.viewer.listings import listings_in
from overhaul.viewer.opened import on_bench
from overhaul.workbench import Bench, FileBench
from overhaul.workbench.resources import unit_of

ENTRIES = 600
OBJECT = "objects/c030_obj_door/object.json"
ENTRY = "code/gml_Object_c030_obj_door_Step_0.gml"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("large")
    write_example("lantern", place / "example.win")
    overhaul.unpack(place / "example.win", place / "example")
    overhaul.unpack(place / "example.win", place / "folder")
    enlarge(place / "folder", [place / "example"], ENTRIES)
    overhaul.pack(place / "folder", place / "large.win")
    return place / "large.win"


@pytest.fixture
def bench(large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileBench]:
    monkeypatch.setenv("OVERHAUL_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(listed_names, "_LARGE", 0)
    monkeypatch.setattr(clean_code, "_known", {})
    path = tmp_path / "large.win"
    path.write_bytes(large.read_bytes())
    made = FileBench(str(path))
    show(made, made.load()())
    yield made
    made.close()


def show(bench: FileBench, game: overhaul.Document) -> None:
    bench.attach(game)


def deeper(bench: Bench | None, path: str = OBJECT) -> dict[str, bytes | None]:
    assert bench is not None
    fields = json.loads(bench.read(path))
    return {path: json.dumps({**fields, "depth": fields.get("depth", 0) + 1}).encode()}


def step(bench: FileBench, changes: dict[str, bytes | None]) -> None:
    """A step, and the game that it made on show."""
    bench.step(changes, "Edit", check=lambda: show(bench, bench.opening()()))


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The chunks that are decoded."""
    chunks: list[str] = []
    decode = GameData.decode_chunk

    def decoding(self: GameData, chunk: Chunk) -> None:
        chunks.append(chunk.name)
        decode(self, chunk)

    monkeypatch.setattr(GameData, "decode_chunk", decoding)
    return chunks


def test_a_field_decodes_the_chunk_of_its_resource(bench: FileBench, decoded: list[str]) -> None:
    step(bench, deeper(bench))
    assert decoded.count("CODE") == 1  # the names of its entries, the first time
    del decoded[:]
    step(bench, deeper(bench))
    assert decoded.count("OBJT") == 1  # of the game that is edited
    assert not {"CODE", "ROOM", "SPRT", "FONT", "TXTR"} & {*decoded}


def test_a_field_lists_no_folder_but_its_own(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[str] = []
    resources = FolderView.resources

    def listing(self: FolderView, kind: object) -> object:
        listed.append(getattr(kind, "folder", ""))
        return resources(self, kind)  # type: ignore[arg-type]

    monkeypatch.setattr(FolderView, "resources", listing)
    step(bench, deeper(bench))
    assert {*listed} == {"objects"}


def test_games_of_before_leave_the_memory(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables: list[weakref.ref[StringTable]] = []
    renumber = StringTable.renumber

    def noting(self: StringTable) -> None:
        tables.append(weakref.ref(self))
        renumber(self)

    monkeypatch.setattr(StringTable, "renumber", noting)
    bench.close()
    opened = on_bench(bench.source)
    gc.disable()  # what is freed is freed without a search for cycles
    try:
        for _ in range(3):
            with opened.lock:
                assert opened.writer is not None
                opened.writer.step(deeper(opened.bench), "Edit")
        full = [each for table in tables if (each := table()) is not None and len(each)]
    finally:
        gc.enable()
        opened.close()
    assert len(tables) > 6
    assert len(full) <= 1  # of the game on show


@pytest.mark.parametrize("path", [OBJECT, ENTRY, "rooms/c030_rm_ending.json", "order.json"])
def test_the_file_is_the_same_as_with_all_decoded(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    if not bench.has(path):
        path = next(each for each in bench.view.files if each.startswith(path[:10]))
    if path == OBJECT:
        changes = deeper(bench)
    elif path.endswith(".json"):
        fields = json.loads(bench.read(path))
        key = next(key for key, value in fields.items() if isinstance(value, int | list))
        value = fields[key]
        fields[key] = value + 1 if isinstance(value, int) else [*value[1:], *value[:1]]
        changes = {path: json.dumps(fields).encode()}
    else:
        changes = {path: bench.read(path) + b'\nshow_debug_message("a text that is new");\n'}
    quick = bench.preview(changes, accept=True)
    monkeypatch.setattr(applying, "in_place", lambda changes: False)
    slow = bench.preview(changes, accept=True)
    assert bytes(quick.content) == bytes(slow.content)
    assert quick.findings.texts() == slow.findings.texts()


@pytest.fixture
def sources(with_cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The entries whose sources are written."""
    names: list[str] = []
    source = GameDecompiler.source

    def writing(self: GameDecompiler, entry: CodeEntry) -> tuple[str, list[str]]:
        names.append(str(entry.name))
        return source(self, entry)

    monkeypatch.setattr(GameDecompiler, "source", writing)
    monkeypatch.setattr(mention_index, "_MUCH", 0)
    return names


def test_what_nothing_uses_is_read_of_code_once(bench: FileBench, sources: list[str]) -> None:
    def unused() -> list[str]:
        with bench.opening()() as game:
            assert isinstance(game, GameData)
            return list(map(str, game.unused()))

    first = unused()
    assert len(set(sources)) == ENTRIES
    del sources[:]
    step(bench, deeper(bench))
    assert unused() == first
    assert sources == []
    step(bench, {ENTRY: bench.read(ENTRY) + b"\nx = c030_spr_door;\n"})
    del sources[:]
    unused()
    assert len(set(sources)) == ENTRIES  # types follow from all code


def test_a_step_of_the_viewer_keeps_what_code_names(bench: FileBench, sources: list[str]) -> None:
    bench.close()
    opened = on_bench(bench.source)
    try:
        assert isinstance(opened.document, GameData)
        first = list(map(str, opened.document.unused()))
        assert len(set(sources)) == ENTRIES
        del sources[:]
        with opened.lock:
            assert opened.writer is not None
            opened.writer.step(deeper(opened.bench), "Edit")
        assert list(map(str, opened.document.unused())) == first
        assert sources == []
    finally:
        opened.close()


def test_names_of_a_damaged_cache_are_read_again(
    bench: FileBench, sources: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with bench.opening()() as game:
        assert isinstance(game, GameData)
        first = list(map(str, game.unused()))
        game.language.decompiled.save_remembered()
    kept = [path for path in caches.cache_folder().iterdir() if path.suffix == ".names"]
    assert len(kept) == 1
    caches.write(kept[0].stem, "names", b"\x93no names")
    del sources[:]
    with bench.opening()() as game:
        assert isinstance(game, GameData)
        assert list(map(str, game.unused())) == first
    assert len(set(sources)) == ENTRIES


def test_the_first_page_decodes_no_resources(
    bench: FileBench, decoded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.close()
    opened = on_bench(bench.source)
    counts = {slug: len(listing.entries) for slug, listing in opened.listings.items()}
    assert not {"SPRT", "OBJT", "ROOM", "FONT"} & {*decoded}
    monkeypatch.setattr(listed_names, "_LARGE", 1 << 30)
    with opened.bench.opening()() as game:  # type: ignore[union-attr]
        listed = listings_in(game)
    assert counts == {slug: len(listing.entries) for slug, listing in listed.items()}
    assert [*opened.listings["objects"].entries.values()] == [*listed["objects"].entries.values()]
    opened.close()


def test_files_of_a_resource_list_its_folder(
    bench: FileBench, decoded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.close()
    opened = on_bench(bench.source)
    entry = opened.listings["sprites"].entries["c030_spr_door"]
    del decoded[:]
    near = [file.path for file in opened.files_of(entry)]
    assert not {"OBJT", "ROOM", "CODE"} & {*decoded}
    assert near == [path for path in opened.files if path.startswith("sprites/c030_spr_door/")]
    assert near == [file.path for file in opened.files_of(entry)]
    script = next(iter(opened.listings["scripts"].entries.values()))
    assert [file.path for file in opened.files_of(script)] == ["scripts.json"]
    opened.close()
    opened = on_bench(bench.source)
    script = next(iter(opened.listings["scripts"].entries.values()))
    assert [file.path for file in opened.files_of(script)] == ["scripts.json"]
    assert "textures.json" in opened.files and "textures.jso" not in opened.files
    opened.close()


def test_the_resource_of_a_file_is_found_in_its_folder(
    bench: FileBench, decoded: list[str]
) -> None:
    bench.close()
    opened = on_bench(bench.source)
    assert opened.bench is not None
    view = opened.bench.view
    assert unit_of(view, "sprites/c030_spr_door/0.png") == "sprites/c030_spr_door"
    assert not {"OBJT", "ROOM", "CODE"} & {*decoded}
    with pytest.raises(WorkspaceError):
        unit_of(view, "scripts.json")
    near = view.resources_in("objects")
    assert near == {p: u for p, u in view.resources().items() if p.startswith("objects/")}
    opened.close()
