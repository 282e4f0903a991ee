"""Chunks that are not as the rules give them: kept, carried, or read as of another release."""

from __future__ import annotations

import struct

import pytest

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.seqn import Path, PathPoint
from overhaul.gamemaker.data.chunks.sond import Audio, Sound
from overhaul.gamemaker.data.decoding import ChunkDecoder
from overhaul.gamemaker.data.game import GameData, describe_game
from overhaul.gamemaker.data.model import Chunk
from overhaul.gamemaker.data.version import Version
from present import present
from small_games import again, game_of


@pytest.fixture
def data() -> bytearray:
    """A file with two paths."""
    game = game_of("2024.13")
    for name in ("pt_first", "pt_second"):
        game.records.paths.append(Path(game.strings.add(name), points=[PathPoint(1.0, 2.0, 3.0)]))
    return bytearray(game.to_bytes())


def paths_at(data: bytearray) -> tuple[int, int]:
    chunk = GameData.from_bytes(bytes(data)).chunks["PATH"]
    return chunk.start, chunk.end


def read(data: bytearray, *, strict: bool = False) -> GameData:
    game = GameData.from_bytes(bytes(data), strict=strict)
    game.load_all()
    return game


def put_words(data: bytearray, at: int, *words: int) -> None:
    struct.pack_into(f"<{len(words)}I", data, at, *words)


def test_nothing_is_decoded_to_count(data: bytearray) -> None:
    game = GameData.from_bytes(bytes(data))
    counts = {name: game.count(name) for name, chunk_type in CHUNKS.items() if chunk_type.items}
    assert counts["PATH"] == counts["OBJT"] == 2
    decoded = {name for name, chunk in game.chunks.items() if chunk.decoded}
    assert decoded <= {"CODE", "VARI", "FUNC", "STRG"}
    game.load_all()
    assert counts == {name: game.count(name) for name in counts}
    assert game.count("ZZZZ") == 0


def test_a_count_the_chunk_has_no_room_for_is_none(data: bytearray) -> None:
    start, end = paths_at(data)
    put_words(data, start, (end - start - 4) // 4)
    assert GameData.from_bytes(bytes(data)).count("PATH") == (end - start - 4) // 4
    put_words(data, start, (end - start - 4) // 4 + 1)
    assert GameData.from_bytes(bytes(data)).count("PATH") == 0


def test_the_summary_says_where_each_chunk_begins(data: bytearray) -> None:
    chunks = describe_game(GameData.from_bytes(bytes(data)))["chunks"]
    for name in ("GEN8", "PATH", "STRG"):
        assert data[chunks[name]["offset"] :][:4] == name.encode(), name


def test_an_empty_chunk_stays_empty_until_something_is_in_it() -> None:
    whole = game_of("1.4.1500").to_bytes()
    last = GameData.from_bytes(whole).chunks["AUDO"]
    assert whole[last.start :] == bytes(4)  # no sounds
    cut = bytearray(whole[:-4])
    put_words(cut, 4, len(cut) - 8)
    put_words(cut, last.start - 4, 0)
    game = read(cut)
    assert game.to_bytes() == cut
    game.audio.append(Audio(b"sound"))
    assert [present(sound).data for sound in again(game).audio] == [b"sound"]


def test_every_offset_is_in_a_chunk(data: bytearray) -> None:
    game = GameData.from_bytes(bytes(data))
    start, end = paths_at(data)
    assert [game.locate(at) for at in (start - 8, start, end - 1)] == ["PATH"] * 3
    assert game.locate(start - 9) != "PATH"
    assert game.locate(end) not in ("PATH", "")
    assert game.locate(0) == game.locate(len(data)) == ""


@pytest.mark.parametrize("rest", [bytes(16), b"rest" * 4])
def test_bytes_at_the_end_of_a_chunk_are_kept(data: bytearray, rest: bytes) -> None:
    """A chunk before all that has pointers grows, so that only STRG's have to follow: the last
    chunk grows instead."""
    name, chunk = list(GameData.from_bytes(bytes(data)).chunks.items())[-1]
    assert chunk.end == len(data)
    put_words(data, 4, len(data) - 8 + len(rest))
    put_words(data, chunk.start - 4, chunk.end - chunk.start + len(rest))
    game = read(data + rest)
    assert game.to_bytes() == data + rest
    coverage = game.coverage()
    if any(rest):
        assert game.warnings == [f"{name}: it ends with 16 bytes that are not padding"]
        assert (coverage.opaque, coverage.details[0].length) == (16, 16)
        assert coverage.details[0].offset == len(data)
    else:
        assert game.warnings == [f"{name}: it is padded by 16 bytes, where the rule gives 0"]
        assert coverage.opaque == 0


def test_a_list_in_another_order_is_kept_until_it_changes(data: bytearray) -> None:
    start, end = paths_at(data)
    first, second = struct.unpack_from("<2I", data, start + 4)
    put_words(data, start + 4, second, first)
    game = read(data)
    assert game.records.paths.names() == ["pt_second", "pt_first"]
    assert game.warnings == [
        f"PATH: an unusual layout: {game.chunks['PATH'].reason}",
    ]
    assert game.to_bytes() == data
    assert game.coverage().opaque == end - start
    game.records.paths[0].closed = True
    rebuilt = game.to_bytes()
    assert len(rebuilt) == len(data)
    assert again(game).records.paths.names() == ["pt_second", "pt_first"]
    with pytest.raises(FormatError, match="does not follow the rules"):
        read(data, strict=True)


def test_a_chunk_that_cannot_be_read_is_carried(data: bytearray) -> None:
    start, end = paths_at(data)
    put_words(data, start + 8, len(data) + 100)
    game = read(data)
    chunk = game.chunks["PATH"]
    assert chunk.raw == bytes(data[start:end])
    assert chunk.record is None
    assert (len(game.records.paths.items), game.count("PATH")) == (0, 0)
    assert game.warnings == [f"PATH: it is kept as raw bytes: {chunk.reason}"]
    assert game.to_bytes() == data
    assert game.coverage().opaque == end - start
    with pytest.raises(FormatError, match="PATH"):
        read(data, strict=True)
    game.records.objects.remove("obj_a")
    with pytest.raises(EncodeError, match="PATH can't be read"):
        game.to_bytes()


@pytest.mark.parametrize("name", ["GEN8", "STRG"])
def test_two_chunks_have_to_be_readable(data: bytearray, name: str) -> None:
    chunk = GameData.from_bytes(bytes(data)).chunks[name]
    if name == "STRG":
        put_words(data, chunk.start + 4, len(data) + 100)
    else:
        put_words(data, chunk.start + 40, 3)  # the name: a string begins elsewhere
    with pytest.raises(FormatError, match=name):
        read(data)


def test_a_chunk_of_another_release_is_found_out() -> None:
    """A file whose sounds have the layout of an earlier release than its other chunks show."""
    settings = {"version": "2024.14", "layouts": {"SOND": "2023.2"}}
    game = blank_game(settings)
    for name in ("snd_a", "snd_b", "snd_c"):
        game.records.sounds.append(Sound(game.strings.add(name)))
    data = game.to_bytes()
    read_game = GameData.from_bytes(data)
    assert read_game.records.sounds.names() == ["snd_a", "snd_b", "snd_c"]
    version = read_game.chunks["SOND"].version
    assert version is not None
    assert version.number < (2024, 6)
    assert read_game.release.number >= (2024, 13)
    assert read_game.evidence[-1].reason == "layout of SOND"
    assert read_game.to_bytes() == data
    reports = GameData.from_bytes(data, assume_version="2024.14")
    reports.load_all()
    assert reports.evidence[-1].reason == "assumed on request"
    assert reports.chunks["SOND"].raw is not None or reports.chunks["SOND"].kept is not None


@pytest.mark.parametrize("name", ["VARI", "FUNC"])
def test_code_is_read_whole_or_not_at_all(name: str) -> None:
    game = game_of("2.3.2")
    game.add_event("obj_a", "Create_0", "mine = show_debug_message(1);")
    data = bytearray(game.to_bytes())
    chunk = GameData.from_bytes(bytes(data)).chunks[name]
    if name == "VARI":
        places = range(chunk.start + 12 + 16, chunk.end - 3, 20)
    else:
        places = range(chunk.start + 4 + 8, chunk.start + 13, 12)
    first = next(at for at in places if data[at + 3] != 0xFF)
    (address,) = struct.unpack_from("<i", data, first)
    put_words(data, first, address + 2)
    read_game = read(data)
    assert all(read_game.chunks[item].raw is not None for item in ("CODE", "VARI", "FUNC"))
    assert len({read_game.chunks[item].reason for item in ("CODE", "VARI", "FUNC")}) == 1
    assert read_game.to_bytes() == data
    assert not read_game.is_native
    assert len(read_game.records.code.items) == 0
    with pytest.raises(FormatError):
        read(data, strict=True).record("CODE")


def test_an_irregular_chunk_follows_the_rules_once_the_file_moves(data: bytearray) -> None:
    start, _ = paths_at(data)
    first, second = struct.unpack_from("<2I", data, start + 4)
    put_words(data, start + 4, second, first)
    game = read(data)
    game.records.sounds.append(Sound(game.strings.add("snd_new")))
    found = again(game)
    assert found.records.paths.names() == ["pt_second", "pt_first"]
    assert found.chunks["PATH"].start != start


def code_file(source: str) -> bytearray:
    game = game_of("2.3.2")
    game.add_event("obj_a", "Create_0", source)
    return bytearray(game.to_bytes())


def test_the_end_of_a_chain_is_kept() -> None:
    data = code_file("mine = 1; mine = 2;")
    game = read(data)
    head = game.record("VARI")
    assert head is not None
    number = [str(variable.name) for variable in head.variables].index("mine")
    record = game.chunks["VARI"].start + 12 + 20 * number
    occurrences, first = struct.unpack_from("<2i", data, record + 12)
    assert occurrences == 2
    (word,) = struct.unpack_from("<I", data, first + 4)
    last = first + (word & 0x7FFFFFF) + 4
    (word,) = struct.unpack_from("<I", data, last)
    put_words(data, last, word + 1)
    read_game = read(data)
    assert read_game.warnings == []
    assert read_game.variables[number].chain_end == (word & 0x7FFFFFF) + 1
    assert read_game.to_bytes() == data
    assert (
        read_game.records.code[0].gml == read(code_file("mine = 1; mine = 2;")).records.code[0].gml
    )


def test_chains_that_no_compiler_writes_are_kept() -> None:
    data = code_file("mine = 1;")
    game = read(data)
    head = game.record("VARI")
    assert head is not None
    unused = next(n for n, variable in enumerate(head.variables) if not variable.occurrences)
    put_words(data, game.chunks["VARI"].start + 12 + 20 * unused + 16, 77)
    read_game = read(data)
    assert [each.path for each in read_game.findings] == ["CODE", "VARI", "FUNC"]
    assert read_game.to_bytes() == data
    read_game.records.code[0].gml = "mine = 2;"
    assert read(bytearray(read_game.to_bytes())).records.code[0].gml.strip() == "mine = 2;"


def test_tables_before_the_code_have_its_addresses() -> None:
    game = read(code_file("mine = 1;\nshow_debug_message(mine);"))
    text = game.records.code[0].gml
    names = [name for name in game.chunks if name not in ("VARI", "FUNC")]
    place = names.index("CODE")
    order = [*names[:place], "VARI", "FUNC", *names[place:]]
    game.chunks = {name: game.chunks[name] for name in order}
    found = again(game)
    assert list(found.chunks) == order
    assert found.records.code[0].gml == text


def test_a_game_without_code_is_not_native() -> None:
    made = game_of("2023.4")
    assert not made.is_native
    assert not GameData.from_bytes(made.to_bytes()).is_native
    del made.chunks["CODE"]
    assert made.is_native


@pytest.mark.parametrize("add", ["append", "insert"])
def test_nothing_is_added_to_a_chunk_that_is_not_read(add: str) -> None:
    game = game_of("2023.4")
    game.records.paths.append(Path(game.strings.add("pth_a")))
    data = bytearray(game.to_bytes())
    start = GameData.from_bytes(bytes(data)).chunks["PATH"].start
    data[start + 4 : start + 8] = b"\xff\xff\xff\x7f"
    read_game = GameData.from_bytes(bytes(data))
    before = read_game.to_bytes()
    paths = read_game.records.paths
    with pytest.raises(EncodeError, match="nothing can be added to PATH"):
        paths.append(Path("pth_b")) if add == "append" else paths.insert(0, Path("pth_b"))
    assert read_game.to_bytes() == before == data


def test_the_layouts_nearest_the_release_are_tried_first_and_the_later_of_two(
    data: bytearray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The paths are of no layout, so that all are tried."""
    start, _ = paths_at(data)
    put_words(data, start + 8, len(data) + 100)
    tried: list[Version] = []
    original = ChunkDecoder._try

    def recorded(self: ChunkDecoder, chunk: Chunk, version: Version) -> object:
        if chunk.name == "PATH":
            tried.append(version)
        return original(self, chunk, version)

    monkeypatch.setattr(ChunkDecoder, "_try", recorded)
    game = GameData.from_bytes(bytes(data))
    assert game.release.number[:2] == (2024, 13)
    game.load_all()
    order = list(dict.fromkeys(version.number[:3] for version in tried))
    assert order[:7] == [
        (2024, 13, 0),
        (2024, 14, 0), (2024, 11, 0),
        (2024, 14, 1), (2024, 8, 0),
        (2024, 14, 4), (2024, 6, 0),
    ]  # fmt: skip
    assert order[-2:] == [(2, 0, 6), (2, 0, 0)]
    assert game.chunks["PATH"].raw is not None
    assert not any(version.lts for version in tried)  # PSEM shows that it is none
    tried.clear()
    game = GameData.from_bytes(bytes(data).replace(b"PSEM", b"PSE_").replace(b"UILR", b"UIL_"))
    game.load_all()
    assert {version.number >= (2022, 9) for version in tried if version.lts} == {True}
