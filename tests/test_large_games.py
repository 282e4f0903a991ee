"""A game of 600 code entries, made of the example: commands do what they are asked for, not more.

``benchmarks/large.py`` measures larger ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

import overhaul
from large_games import enlarge, entries_of
from overhaul import folder as folders
from overhaul import mods
from overhaul.document import caches
from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.examples import write_example
from overhaul.folder import comparing, packing
from overhaul.gamemaker.data import listed_names, relocation
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import needed, word_lines
from overhaul.gamemaker.data.code.decompiled import DecompiledCode
from overhaul.gamemaker.data.code.decompiling import GameDecompiler
from overhaul.gamemaker.data.code.needed import Needed
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.model import Chunk, GameModel
from overhaul.gamemaker.data_folder import (
    code,
    entry_texts,
    kept_texts,
    searching,
    unpacking,
)
from overhaul.gamemaker.data_folder.kinds import Kind
from overhaul.gamemaker.data_folder.strings import show_strings
from overhaul.gamemaker.data_folder.unpacking import JsonFile, plain_files
from overhaul.gamemaker.data_folder.view import FolderView
from overhaul.gml.decompiler.options import DecompileOptions
from overhaul.gml.decompiler.types.facts import GameFacts
from overhaul.gml.vm import stored_code
from overhaul.gml.vm.columns import words_and_sizes
from overhaul.schema import Record

ENTRIES = 600
ENTRY = "gml_Object_c030_obj_door_Step_0"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("large")
    write_example("lantern", place / "example.win")
    overhaul.unpack(place / "example.win", place / "example")
    overhaul.unpack(place / "example.win", place / "folder")
    assert enlarge(place / "folder", [place / "example"], ENTRIES) == 49
    assert entries_of(place / "folder") == ENTRIES
    packed = overhaul.pack(place / "folder", place / "large.win")
    assert all(": layers: other rooms have these ids" in warning for warning in packed.warnings)
    return place / "large.win"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The entries that others were read for; "all" for all code."""
    names: list[str] = []
    one, all_code = Needed.facts_of_number, GameDecompiler.learn

    def reading(self: Needed, number: int) -> GameFacts:
        names.append(str(self._roots[number].name))
        return one(self, number)

    def learning(self: GameDecompiler, *given: None) -> None:
        names.append("all")
        all_code(self, *given)

    monkeypatch.setattr(needed, "_MUCH", 0)
    monkeypatch.setattr(Needed, "facts_of_number", reading)
    monkeypatch.setattr(GameDecompiler, "learn", learning)
    yield names


def opened(path: Path) -> GameData:
    game = overhaul.open(path)
    assert isinstance(game, GameData)
    return game


def test_a_copy_means_what_its_game_means(large: Path) -> None:
    with opened(large) as game:
        assert len(game.language.index.roots) == ENTRIES
        first, copy = (game.code[name].gml for name in (ENTRY.replace("c030_", ""), ENTRY))
    names = ("spr_", "obj_", "snd_", "rm_", "scr_")
    for name in names:
        first = first.replace(name, f"c030_{name}")
    assert copy == first


def test_a_list_of_sprites_reads_no_code_and_no_rooms(large: Path) -> None:
    with opened(large) as game:
        assert len(folders.find_resources(game, ["sprites/*"])) == 250
        assert not any(game.chunks[name].decoded for name in ("CODE", "ROOM", "OBJT", "SOND"))


def test_one_entry_reads_few(large: Path, read: list[str]) -> None:
    with opened(large) as game:
        source = game.code[ENTRY].gml
        assert "all" not in read
        assert len(read) <= ENTRIES // 5
        game.language.forget()
        game.language.decompiled.decompiler.needed = None
        assert game.code[ENTRY].gml == source


@pytest.mark.usefixtures("with_cache")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("word", ["c030_spr_door", "c0(1|2)1_obj_keeper", "c030_OBJ"])
def test_a_search_reads_the_code_that_may_have_the_word(
    large: Path, read: list[str], word: str, jobs: int
) -> None:
    pattern = re.compile(word, re.IGNORECASE)
    with opened(large) as game:
        workers = folders.Workers(str(large), game, jobs=jobs)
        found = list(folders.search(workers, pattern))
    assert "all" not in read
    assert len(read) <= ENTRIES // 5
    with opened(large) as game, caches.without():
        game.language.decompiled.learn()
        plain = list(folders.search(folders.Workers(str(large), game), pattern))
    assert found == plain


def test_a_mod_of_one_line_reads_few(large: Path, read: list[str], tmp_path: Path) -> None:
    with opened(large) as game:
        game.code[ENTRY].gml += "\nzz = 3;\n"
        game.save(tmp_path / "changed.win")
    del read[:]
    mod = mods.make(large, tmp_path / "changed.win", name="one line")
    assert list(mod.patches) == [f"code/{ENTRY}.gml"]
    assert "all" not in read
    assert len(set(read)) <= ENTRIES // 5
    del read[:]
    changes = mods.diff(large, tmp_path / "changed.win").changes
    assert [change.path for change in changes] == [f"code/{ENTRY}.gml"]
    assert "all" not in read
    assert {name for name, times in Counter(read).items() if times > 1} == {ENTRY}


def decoded(game: GameData) -> set[str]:
    """The chunks of resources that were decoded."""
    return {name for name in ("SPRT", "OBJT", "ROOM", "SOND", "FONT") if game.chunks[name].decoded}


def test_one_file_decodes_the_chunks_of_its_folder(large: Path) -> None:
    with opened(large) as game:
        (file,) = folders.find_files(game, f"code/{ENTRY}.gml")
        assert file.path == f"code/{ENTRY}.gml"
        assert decoded(game) == {"SOND"}  # a game gets its warnings of absent sounds in any case
    with opened(large) as game:
        assert len(folders.find_files(game, "sprites/c030_spr_door/*")) == 3
        assert decoded(game) == {"SPRT", "SOND"}


@pytest.mark.parametrize("name", ["spr_door", "obj_door", "rm_ending", "scr_flicker"])
def test_uses_are_found_in_the_code_that_may_name_it(
    large: Path, read: list[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources: list[str] = []
    source, lines = DecompiledCode.source, word_lines.lines_in

    def reading(self: DecompiledCode, entry: CodeEntry) -> tuple[str, list[str]]:
        sources.append(str(entry.name))
        return source(self, entry)

    def seeing(
        game: GameData, entries: list[CodeEntry], word: str, *, any_case: bool, each: None
    ) -> list[word_lines.Lines]:
        sources.extend(str(entry.name) for entry in entries)
        return lines(game, entries, word, any_case=any_case, each=each)

    monkeypatch.setattr(DecompiledCode, "source", reading)
    monkeypatch.setattr(kept_texts, "lines_in", seeing)
    with opened(large) as game:
        found = list(folders.uses(folders.Workers(str(large), game), f"c030_{name}"))
    assert "all" not in read
    assert found
    assert len(set(sources)) <= 12
    code = {match.path for match in found if match.path.endswith(".gml")}
    assert code <= {f"code/{entry}.gml" for entry in sources}
    monkeypatch.setattr(folders.texts, "needed_word", lambda pattern: None)
    monkeypatch.setattr(folders.texts, "plain_word", lambda name: None)
    with opened(large) as game:
        assert list(folders.uses(folders.Workers(str(large), game), f"c030_{name}")) == found


@pytest.mark.usefixtures("with_cache")
def test_a_second_search_decodes_code_only(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_texts, "_MUCH", 0)
    results = []
    for _ in range(2):
        with opened(large) as game:
            workers = folders.Workers(str(large), game)
            results.append(list(folders.uses(workers, "c030_spr_door")))
            seen = decoded(game)
    assert seen == {"SOND"}
    assert results[0] == results[1]
    assert len(results[0]) > 0


def test_a_difference_of_code_shows_no_resources(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(large) as game:
        game.code[ENTRY].gml += "\nzz = 3;\n"
        game.save(tmp_path / "changed.win")
    shown: list[str] = []
    show = FolderView.json_of

    def showing(self: FolderView, kind: Kind, record: Record, stem: str) -> dict[str, object]:
        shown.append(kind.folder)
        return show(self, kind, record, stem)

    def comparing(self: JsonFile, other: PlainFile) -> bool:
        compared.append(self.path)
        return same(self, other)

    compared: list[str] = []
    same = JsonFile.seems_same
    monkeypatch.setattr(JsonFile, "seems_same", comparing)
    monkeypatch.setattr(FolderView, "json_of", showing)
    assert len(mods.diff(large, tmp_path / "changed.win").changes) == 1
    assert set(shown) <= {"sounds"}  # whose bytes may be in other files
    assert "general.json" in compared
    assert not {"scripts.json", "global_init.json", "texture_groups.json"} & {*compared}


def test_a_mod_of_code_shows_no_texts(
    large: Path, changed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[int] = []

    def showing(game: GameData) -> bytes:
        shown.append(len(game.strings))
        return show_strings(game)

    monkeypatch.setattr(unpacking, "show_strings", showing)
    mods.make(large, changed, name="one line")
    assert shown == []
    with opened(large) as game:
        text = next(text for text in game.strings if text == "Fireflies: ")
        text.text = "Moths: "
        game.save(tmp_path / "texts.win")
    assert mods.make(large, tmp_path / "texts.win", name="a text").texts == {
        "Fireflies: ": "Moths: "
    }
    assert len(shown) > 1


def test_one_object_is_shown_without_the_others(large: Path, decoding: list[str]) -> None:
    path = "objects/c030_obj_door/object.json"
    with opened(large) as game:
        (file,) = folders.find_files(game, path)
        shown = file.read()
        assert "OBJT" not in decoding
        game.load_all()
        assert file.read() == shown  # now it is that of the list
        game.records.objects["c030_obj_door"].depth += 1
        assert file.read() != shown
    with opened(large) as game:
        files = {file.path: file for file in folders.find_files(game, "objects/*/object.json")}
        del decoding[:]
        assert {path: file.read() for path, file in files.items()}[path] == shown
        assert decoding.count("OBJT") == 1  # reading many at once takes less time


@pytest.fixture
def decoding(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The chunks that were decoded, of all games; a small game counts as a large one."""
    chunks: list[str] = []
    decode = GameData.decode_chunk

    def noting(self: GameData, chunk: Chunk) -> None:
        chunks.append(chunk.name)
        decode(self, chunk)

    monkeypatch.setattr(listed_names, "_LARGE", 0)
    monkeypatch.setattr(GameData, "decode_chunk", noting)
    yield chunks


RESOURCES = {"SPRT", "OBJT", "ROOM", "FONT", "BGND", "SHDR"}


@pytest.fixture(scope="module")
def changed(large: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("changed") / "changed.win"
    with opened(large) as game:
        game.code[ENTRY].gml += "\nzz = 3;\n"
        game.save(path)
    return path


def test_builds_that_differ_in_code_are_compared_by_their_code(
    large: Path, changed: Path, decoding: list[str], tmp_path: Path
) -> None:
    assert [change.path for change in mods.diff(large, changed).changes] == [f"code/{ENTRY}.gml"]
    assert not RESOURCES & {*decoding}
    assert decoding.count("CODE") == 2
    del decoding[:]
    mod = mods.make(large, changed, name="one line")
    assert list(mod.patches) == [f"code/{ENTRY}.gml"]
    assert not RESOURCES & {*decoding}
    assert decoding.count("CODE") == 3  # the third is the game with the mod
    del decoding[:]
    assert mods.apply(large, [mod]).data == changed.read_bytes()
    assert not RESOURCES & {*decoding}


@pytest.mark.parametrize("twice", [False, True])
def test_lists_without_decoding_are_those_of_the_decoded_game(
    large: Path, decoding: list[str], tmp_path: Path, *, twice: bool
) -> None:
    path = large
    if twice:  # a name that two have is no name for the second
        path = tmp_path / "twice.win"
        with opened(large) as game:
            sprites = game.records.sprites.items
            assert sprites[0] is not None
            assert sprites[3] is not None
            sprites[3].name = sprites[0].name
            game.save(path)
        del decoding[:]
    options = UnpackOptions(only=["order.json"])
    shown = []
    for is_decoded in (False, True):
        with opened(path) as game:
            if is_decoded:
                game.load_all()
            files = {file.path: file for file in plain_files(game, options)}
            shown.append(
                {name: files[name].read() for name in ("order.json", "texture_groups.json")}
            )
            if not is_decoded:
                assert not {"SPRT", "OBJT", "ROOM", "FONT"} & {*decoding}
    assert shown[0] == shown[1]
    assert (b"%~2" in shown[0]["order.json"]) is twice
    assert (b'"index": 3' in shown[0]["texture_groups.json"]) is twice


def test_packing_reads_each_file_once(large: Path, tmp_path: Path) -> None:
    overhaul.unpack(large, tmp_path / "folder")
    path = tmp_path / "folder/code" / f"{ENTRY}.gml"
    path.write_text(path.read_text("utf-8") + "\nzz = 3;\n", "utf-8")
    compared: list[str] = []
    again: list[str] = []
    walked: list[str] = []
    read, follow = comparing._read, relocation.followed

    def comparing_one(path: str, size: int) -> bytes:
        compared.append(path)
        return read(path, size)

    def opening(path: str, mode: str) -> BinaryIO:
        again.append(Path(path).name)
        return open(path, "rb")

    def following(game: GameModel, chunk: Chunk) -> object:
        walked.append(chunk.name)
        return follow(game, chunk)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "_read", comparing_one)
        patch.setattr(packing, "open", opening, raising=False)
        patch.setattr(relocation, "followed", following)
        packed = overhaul.pack(tmp_path / "folder", tmp_path / "packed.win")
    assert list(packed.changes) == [f"code/{ENTRY}.gml"]
    assert len(compared) == len(set(compared)) > ENTRIES
    assert {*again} == {f"{ENTRY}.gml"}
    assert len(walked) == len(set(walked))


@pytest.mark.usefixtures("with_cache")
def test_one_source_is_shown_again_without_decoding(
    large: Path, decoding: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "_MUCH", 0)
    made = []
    for kept in (False, True, True):
        with opened(large) as game:
            (file,) = folders.find_files(game, f"code/{ENTRY}.gml")
            assert file.path == f"code/{ENTRY}.gml"
            made.append(file.read())
            assert ("CODE" in decoding) is not kept
        del decoding[:]
    with opened(large) as game:
        assert made == [f"{game.code[ENTRY].gml}\n".encode()] * 3
        game.code[ENTRY].gml += "\nzz = 3;\n"
        (file,) = folders.find_files(game, f"code/{ENTRY}.gml")
        assert file.read().endswith(b"zz = 3;\n")
    for path in caches.cache_folder().glob("*.answer"):
        path.write_bytes(path.read_bytes()[:-1])
    with opened(large) as game:
        (file,) = folders.find_files(game, f"code/{ENTRY}.gml")
        assert file.read() == made[0]


def test_printing_one_entry_reads_few(large: Path, read: list[str]) -> None:
    for jobs in (1, 2):
        with opened(large) as game:
            workers = folders.Workers(str(large), game, jobs=jobs)
            (made,), missing = entry_texts.entry_texts(workers, [ENTRY])
            assert "all" not in read
            assert len(read) <= ENTRIES // 5
        with opened(large) as game:
            assert (made.name, made.text, missing) == (ENTRY, game.code[ENTRY].gml, [])
        del read[:]


def test_one_process_that_prints_many_entries_reads_all_first(large: Path, read: list[str]) -> None:
    with opened(large) as game:
        workers = folders.Workers(str(large), game)
        made, _ = entry_texts.entry_texts(workers, ["gml_Object_*_Step_0"])
        assert len(made) > 16
        assert {*read} == {"all"}
    del read[:]
    with opened(large) as game:
        assert [*folders.search(folders.Workers(str(large), game), re.compile("obj_door"))]
        assert read == []  # a search needs their lines only


@pytest.mark.parametrize("jobs", [1, 2])
def test_unpacking_some_files_reads_the_code_that_they_need(
    large: Path, read: list[str], tmp_path: Path, jobs: int
) -> None:
    def unpacked(only: str) -> Path:
        del read[:]
        folder = tmp_path / str(len([*tmp_path.iterdir()]))
        overhaul.unpack(large, folder, only=[only], jobs=jobs)
        return folder

    assert [*unpacked("sprites/c030_*").glob("sprites/*")]
    assert read == []
    entry = unpacked(f"code/{ENTRY}.gml")
    assert "all" not in read
    assert len(read) <= ENTRIES // 5
    many = unpacked("code/*obj_door*")
    assert read[0] == "all", (jobs, read[:4], len(read), read.index("all"))
    path = f"code/{ENTRY}.gml"
    assert (entry / path).read_bytes() == (many / path).read_bytes()


@pytest.mark.usefixtures("with_cache")
def test_searching_some_folders_makes_only_their_texts(
    large: Path, decoding: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_texts, "_MUCH", 0)

    def search(*only: str) -> list[folders.Match]:
        with opened(large) as game:
            workers = folders.Workers(str(large), game)
            return [*folders.search(workers, re.compile("c030_|volume"), only=only)]

    some = search("objects/c030_*", "sounds/*")
    assert {match.path.partition("/")[0] for match in some} == {"objects", "sounds"}
    assert "ROOM" not in decoding
    everywhere = search("*.json")
    assert "ROOM" in decoding
    del decoding[:]
    assert search("objects/c030_*", "sounds/*") == some  # now from the texts that are kept
    assert {"OBJT", "ROOM"} & {*decoding} == set()
    assert [m for m in everywhere if m in some] == some


@pytest.mark.usefixtures("with_cache")
def test_one_entry_is_printed_again_without_decoding(
    large: Path, decoding: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "_MUCH", 0)
    plain = DecompileOptions(names=False)
    asked: tuple[tuple[list[str], DecompileOptions | None], ...] = (
        ([ENTRY], None), (["*c030_obj_keeper*"], None), (["*c030_obj_keeper*"], plain),
    )  # fmt: skip

    def ask(patterns: list[str], options: DecompileOptions | None) -> object:
        with opened(large) as game:
            workers = folders.Workers(str(large), game)
            return entry_texts.entry_texts(workers, patterns, options=options)

    first = [ask(*question) for question in asked]
    assert first[1] != first[2]
    assert {"CODE"} <= {*decoding}
    del decoding[:]
    assert [ask(*question) for question in asked] == first
    assert "CODE" not in decoding
    for patterns in ([ENTRY, "nothing"], ["*"]):  # a name that is absent, and many entries
        del decoding[:]
        assert ask(patterns, None) == ask(patterns, None)
        assert decoding.count("CODE") == 2


@pytest.mark.usefixtures("with_cache")
def test_a_search_is_answered_again_without_decoding_code(
    large: Path, decoding: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "_MUCH", 0)

    def ask(pattern: str, flags: int = 0) -> list[list[folders.Match]]:
        answers = []
        expression = re.compile(pattern, flags)
        for only in (None, [], ["objects/*"]):
            with opened(large) as game:
                workers = folders.Workers(str(large), game)
                answers.append(
                    list(folders.uses(workers, f"c030_{pattern}"))
                    if only is None
                    else list(folders.search(workers, expression, only=only))
                )
        return answers

    first = ask("spr_door")
    assert all(first)
    assert {"CODE", "SPRT"} <= {*decoding}
    del decoding[:]
    assert ask("spr_door") == first
    assert not (RESOURCES | {"CODE"}) & {*decoding}
    assert ask("SPR_DOOR", re.IGNORECASE)[1:] == first[1:]
    assert "CODE" in decoding
    del decoding[:]
    with opened(large) as game:
        known = {*folders.names_later(game)()}
        assert {"c030_spr_door", "c030_obj_door"} <= known
    del decoding[:]
    with opened(large) as game:
        assert {*folders.names_later(game)()} == known
        assert not (RESOURCES | {"CODE"}) & {*decoding}


def test_packing_one_script_writes_the_chunks_of_code(large: Path, tmp_path: Path) -> None:
    overhaul.unpack(large, tmp_path / "folder")
    path = tmp_path / "folder/code" / f"{ENTRY}.gml"
    path.write_text(path.read_text("utf-8") + "\nzz = 3;\n", "utf-8")
    seen: list[set[str]] = []
    pieces = GameData.pieces

    def writing(self: GameData) -> object:
        made = pieces(self)
        seen.append(decoded(self))
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GameData, "pieces", writing)
        overhaul.pack(tmp_path / "folder", tmp_path / "packed.win")
    assert seen == [set()]
    with opened(large) as game:
        game.load_all()
        game.code[ENTRY].gml += "\nzz = 3;\n"
        assert (tmp_path / "packed.win").read_bytes() == game.to_bytes()


@pytest.mark.parametrize(("edited", "singly"), [(1, True), (6, False)])
def test_a_mod_of_code_lists_what_it_changes(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edited: int, *, singly: bool
) -> None:
    with opened(large) as game:
        entries = [entry for entry in game.code if "obj_door_Step" in entry.name][:edited]
        for entry in entries:
            entry.gml += "\nzz = 3;\n"
        game.save(tmp_path / "changed.win")
    mod = mods.make(large, tmp_path / "changed.win", name="some lines")
    assert len(mod.patches) == edited
    listed: list[str] = []
    decoded: list[int] = []

    def listing(*given: object) -> Iterator[PlainFile]:
        for file in code.code_files(*given):  # type: ignore[arg-type]
            listed.append(file.path)
            yield file

    def beginning(words: bytes, *given: Any) -> object:
        decoded.append(len(words))
        return words_and_sizes(words, *given)

    monkeypatch.setattr(unpacking, "code_files", listing)
    monkeypatch.setattr(stored_code, "words_and_sizes", beginning)
    applied = mods.apply(large, [mod])
    assert applied.conflicts == []
    assert applied.data == (tmp_path / "changed.win").read_bytes()
    # the source and the assembly of each, and where they are many once those of all
    assert (len(listed) <= 2 * edited) is singly
    assert len(listed) <= 2 * (ENTRIES + edited)
    assert sum(size > 10_000 for size in decoded) == 1
