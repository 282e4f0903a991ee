"""The folders of translations (.tra): what they hold, edits, and errors in them."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from ags_folders import Folder, Json, translation
from overhaul.ags.documents.translation import TranslationDocument
from overhaul.ags.fields import Unterminated
from overhaul.ags.properties import MapEntry, TextMap
from overhaul.ags.translation import (
    GAME_ID,
    Pair,
    Translation,
    from_lines,
    to_lines,
)
from overhaul.errors import OverhaulError, SourceError, WorkspaceError
from present import instance


def test_a_translation_as_files(tmp_path: Path) -> None:
    made = translation(Pair("Hello", "Gr\udcfc\udcdfe"), Pair("Bye", ""))
    folder = Folder(tmp_path, "German.tra", made.to_bytes())
    assert folder.names() == ["dictionary.trs", "translation.json"]
    assert (folder.path / "dictionary.trs").read_bytes() == "Hello\nGrüße\nBye\n\n".encode()
    assert folder.json("translation.json") == {
        "blocks": [
            {"id": 2, "fields": {"unique_id": 77, "game_name": "Pärk"}},
            {"id": 1, "file": "dictionary.trs", "empty_texts": "a NUL"},
            {
                "id": 3,
                "fields": {"normal_font": -1, "speech_font": -1, "direction": -1, "flags": 0},
            },
            {"id": "ext_sopts", "fields": {"entries": [{"key": "gameencoding", "value": "x"}]}},
        ],
        "trailing": "00000000",
    }
    with overhaul.open(folder.file) as document:
        info = dict(document.info())
        assert info == {
            "kind": "ags-translation",
            "texts": 2,
            "game": "Pärk",
            "unique_id": 77,
            "translated": 1,
            "encoding": "cp1252",
        }
        assert [resource.path for resource in document.tree()] == [
            "translation.json",
            "dictionary.trs",
        ]
        assert document.locate(len(made.to_bytes()) - 12) == "block 'ext_sopts'"
        assert document.locate(3) == ""
        assert document.coverage().opaque == 0
    folder.check()
    (folder.path / "dictionary.trs").write_bytes("// new\r\nHello\r\nGrüezi\r\n".encode())
    again = Translation.read(folder.pack())
    assert again.pairs == [Pair("Hello", "Gr\udcfcezi")]
    (folder.path / "dictionary.trs").write_bytes("Hello\nΓεια\n".encode())
    with pytest.raises(WorkspaceError, match=r"dictionary\.trs"):
        folder.pack()
    (folder.path / "dictionary.trs").write_bytes(b"Hello\n")
    with pytest.raises(SourceError, match="missing"):
        folder.pack()
    (folder.path / "dictionary.trs").unlink()
    with pytest.raises(WorkspaceError, match=r"dictionary\.trs: it is missing"):
        folder.pack()


@pytest.mark.parametrize(
    "pair",
    [
        Pair("a\nb", ""),
        Pair("a", "b\r"),
        Pair("// a", "b"),
        Pair("a", Unterminated("b")),
        Pair("a", "b\udc81"),  # no letter in code page 1252
    ],
)
def test_texts_that_no_lines_can_hold_are_kept_aside(pair: Pair, tmp_path: Path) -> None:
    made = translation(Pair("first", "1"), flags=False)
    made.set_pairs([Pair("first", "1"), pair, Pair("last", "2")])
    folder = Folder(tmp_path, "x.tra", made.to_bytes())
    assert folder.names() == ["dictionary.trs", "translation.json"]
    assert (folder.path / "dictionary.trs").read_bytes() == b"first\n1\nlast\n2\n"
    folder.check()
    (folder.path / "dictionary.trs").write_bytes(b"first\n1\nlast\n3\n")
    packed = Translation.read(folder.pack()).pairs
    assert packed == [Pair("first", "1"), pair, Pair("last", "3")]
    assert type(packed[1].text) is type(pair.text)

    def move(shown: Json) -> None:
        row = next(row for row in instance(list, shown["blocks"]) if "aside" in row)
        row["aside"][0]["position"] = 0

    folder.edit("translation.json", move)
    assert Translation.read(folder.pack()).pairs == [pair, Pair("first", "1"), Pair("last", "3")]

    def leave_out(shown: Json) -> None:
        next(row for row in instance(list, shown["blocks"]) if "aside" in row).pop("aside")

    folder.edit("translation.json", leave_out)
    shown = folder.json("translation.json")
    assert not any("aside" in row for row in instance(list, shown["blocks"]))
    assert Translation.read(folder.pack()).pairs == [Pair("first", "1"), Pair("last", "3")]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"position": -1, "source": "a", "text": ""}, "positions from 0 on"),
        ({"position": 0, "source": "", "text": ""}, "two empty texts end the list"),
        ({"position": 0, "source": "a", "more": 1}, "more"),
        ({"position": "x", "source": "a", "text": ""}, "aside"),
    ],
)
def test_texts_that_can_not_be_kept_aside(row: Json, words: str, tmp_path: Path) -> None:
    made = translation(Pair("a", "b"), flags=False)
    folder = Folder(tmp_path, "x.tra", made.to_bytes())

    def put(shown: Json) -> None:
        next(each for each in instance(list, shown["blocks"]) if each["id"] == 1)["aside"] = [row]

    folder.edit("translation.json", put)
    with pytest.raises(OverhaulError, match=words):
        folder.pack()


def test_settings_in_the_comments_of_a_dictionary_are_reported(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.tra", translation(Pair("a", "b")).to_bytes())
    lines = "// //#x\n//#NormalFont=DEFAULT\n//#SpeechFont=3\na\n//#c\n"
    (folder.path / "dictionary.trs").write_text(lines)
    packed = overhaul.pack(folder.path, tmp_path / "new.tra")
    (warning,) = packed.warnings
    assert warning == (
        "dictionary.trs:3: //#SpeechFont=3 has no effect: translation.json has the settings"
    )
    assert Translation.read(Path(packed.path).read_bytes()).pairs == [Pair("a", "//#c")]


def test_empty_texts_are_stored_as_the_file_stores_its_own(tmp_path: Path) -> None:
    nothing = Unterminated("")
    made = translation(Pair("a", nothing), end=nothing)
    folder = Folder(tmp_path, "x.tra", made.to_bytes())
    (row,) = [
        row for row in instance(list, folder.json("translation.json")["blocks"]) if row["id"] == 1
    ]
    assert row["empty_texts"] == "no bytes"
    folder.check()
    (folder.path / "dictionary.trs").write_text("a\n\nb\n\n")
    (_, second) = Translation.read(folder.pack()).pairs
    assert isinstance(second.text, Unterminated)


def test_a_short_id_and_what_follows_the_list(tmp_path: Path) -> None:
    made = translation(Pair("a", "b"))
    made.short_id, made.trailing = True, b"\1\2"
    folder = Folder(tmp_path, "x.tra", made.to_bytes())
    shown = folder.json("translation.json")
    assert shown["short_id"] is True and shown["trailing"] == "0102"
    with overhaul.open(folder.file) as document:
        (opaque,) = document.coverage().details
        assert (opaque.offset, opaque.length) == (len(folder.data) - 2, 2)
    folder.check()
    folder.refuses("translation.json", lambda shown: shown.update(trailing=5), "trailing: expected")
    folder.refuses("translation.json", lambda shown: shown.update(blocks=5), "blocks: expected a l")


def test_an_encoding_that_the_file_names(tmp_path: Path) -> None:
    made = translation(Pair("a", "b\udcfc"))
    instance(TextMap, made.blocks.content("ext_sopts")).entries.append(
        MapEntry("encoding", "utf-8")
    )
    folder = Folder(tmp_path, "x.tra", made.to_bytes())
    assert (folder.path / "dictionary.trs").read_bytes() == b""  # the text is not UTF-8
    toml = folder.path / "overhaul.toml"
    assert 'encoding = "utf-8"' in toml.read_text()
    toml.write_text(toml.read_text().replace('"utf-8"', '"latin-1"'))
    folder.edit("translation.json", lambda shown: shown["blocks"][1].pop("aside"))
    assert Translation.read(folder.pack()).pairs == []
    toml.write_text(toml.read_text().replace('"latin-1"', '"klingon"'))
    with pytest.raises(WorkspaceError, match="unknown encoding 'klingon'"):
        folder.pack()


def test_lines_of_a_dictionary() -> None:
    pairs = [Pair("a", "b"), Pair("c", "")]
    assert to_lines(pairs) == "a\nb\nc\n\n" and to_lines([]) == ""
    for text in ("a\nb\nc\n\n", "a\r\nb\r\nc\r\n\r\n", "// x\na\nb\n//\nc\n\n"):
        assert from_lines(text) == pairs
    assert from_lines("a\nb") == [Pair("a", "b")] and from_lines("") == []
    commented = [Pair("a", "// b"), Pair("c", "//")]
    assert to_lines(commented) == "a\n// b\nc\n//\n"
    for text in ("a\n// b\nc\n//\n", "// x\n//\na\n// b\n// y\nc\n//\n// z"):
        assert from_lines(text) == commented
    with pytest.raises(SourceError, match="missing") as caught:
        from_lines("a\nb\n// x\nc\n")
    assert caught.value.line == 4
    blank = [Pair("", "// x"), Pair("a", "b")]
    assert to_lines(blank) == "\n// x\na\nb\n"
    assert from_lines("\n// x\na\nb\n") == from_lines("\n\n\n// x\na\nb\n\n\n") == blank
    assert from_lines("a\nb\n\n") == from_lines("a\nb\n\n\n") == [Pair("a", "b")]


def test_an_empty_text_is_in_the_lines(tmp_path: Path) -> None:
    pairs = [Pair("a", "b"), Pair("", "c")]
    made = Translation()
    made.set_pairs(pairs)
    folder = Folder(tmp_path, "x.tra", made.to_bytes())
    assert (folder.path / "dictionary.trs").read_bytes() == b"a\nb\n\nc\n"
    folder.check()
    (folder.path / "dictionary.trs").write_bytes(b"a\nb\n\nd\n\ne\nf\ng\n")
    packed = overhaul.pack(folder.path, tmp_path / "new.tra")
    assert packed.warnings == [
        "dictionary.trs:5: an empty line is a text, which the next line translates"
    ]
    document = overhaul.open(tmp_path / "new.tra")
    assert isinstance(document, TranslationDocument)
    assert [(p.source, p.text) for p in document.translation.pairs] == [
        ("a", "b"), ("", "d"), ("", "e"), ("f", "g"),
    ]  # fmt: skip


@pytest.mark.parametrize("blocks", [[], [{"id": GAME_ID, "fields": {}}]])
def test_a_dictionary_without_its_block_is_refused(blocks: list[Json], tmp_path: Path) -> None:
    made = Translation()
    made.set_pairs([Pair("a", "b")])
    folder = Folder(tmp_path, "x.tra", made.to_bytes())
    folder.edit("translation.json", lambda shown: shown.update(blocks=blocks))
    with pytest.raises(WorkspaceError, match="is there, but no block has it"):
        folder.pack()
    (folder.path / "dictionary.trs").write_bytes(b"a\nx\n// c\nb\n")
    with pytest.raises(SourceError, match=r"dictionary\.trs:4:1: the translation of the last"):
        folder.pack()
