"""What the first releases of GameMaker: Studio leave out, and files their compilers left undone."""

from __future__ import annotations

import datetime
import struct

import pytest

import overhaul
from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.extn import Extension, ExtensionFile
from overhaul.gamemaker.data.chunks.shdr import Shader
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.txtr import TexturePageItem
from overhaul.gamemaker.data.game import GameData
from small_games import again, game_of

#: release -> (bytecode, objects have friction, extensions have a class name, there are shaders)
EARLY = {
    "1.0.0.412": (8, False, False, False),
    "1.0.0.665": (8, False, False, False),
    "1.0.0.666": (10, True, False, False),
    "1.0.0.929": (13, True, False, False),
    "1.0.0.1043": (13, True, False, False),
    "1.0.0.1044": (13, True, True, True),
    "1.0.0.1464": (14, True, True, True),
    "1.0.0.1675": (15, True, True, True),
}


def with_extension(version: str, files: int) -> GameData:
    """A game with two objects, the second with a physics shape, and an extension."""
    game = game_of(version)
    add = game.strings.add
    extension = Extension(add(""), add("Menu"), class_name=add("Cls"))
    if game.release.at_least(2023, 4):
        extension.version = add("1.0.0")
    for number in range(files):
        extension.files.append(ExtensionFile(add(f"{number}.gml"), add(""), add("")))
    game.records.extensions.append(extension)
    return game


@pytest.mark.parametrize("version", EARLY)
@pytest.mark.parametrize("files", [0, 1, 2, 19])
def test_the_layout_is_found_in_the_file(version: str, files: int) -> None:
    bytecode, friction, classes, shaders = EARLY[version]
    read = again(with_extension(version, files))
    assert read.release.bytecode == bytecode
    assert read.release.object_friction == friction
    assert read.release.extension_classes == classes
    assert ("SHDR" in read.chunks) == shaders
    assert len(read.records.extensions[0].files) == files
    assert str(read.records.extensions[0].class_name) == ("Cls" if classes else "None")
    assert len(read.records.objects[0].events) == 12


@pytest.mark.parametrize("version", EARLY)
@pytest.mark.parametrize("change", ["object_friction", "extension_classes"])
def test_the_file_counts_not_the_release(version: str, change: str) -> None:
    game = with_extension(version, 2)
    usual = getattr(game.release, change)
    game.release = game.release._replace(**{change: not usual})
    for chunk in game.chunks.values():
        chunk.version = game.release
    read = GameData.from_bytes(game.to_bytes())
    assert getattr(read.release, change) is not usual
    assert read.to_bytes() == game.to_bytes()
    assert read.warnings == []


@pytest.mark.parametrize("version", ["1.0.0.412", "1.0.0.964", "1.0.0.1763", "2.0.6"])
def test_without_objects_and_extensions_the_release_counts(version: str) -> None:
    game = game_of(version)
    del game.records.objects[:]
    read = again(game)
    assert read.release == game.release


@pytest.mark.parametrize("files", [1, 2, 3])
@pytest.mark.parametrize(
    ("version", "found"), [("2.3.2", "2.3"), ("2022.6", "2022.6"), ("2023.4", "2023.4")]
)
def test_the_number_of_files_says_nothing_of_the_release(
    version: str, found: str, files: int
) -> None:
    game = with_extension(version, files)
    general = game.general  # as compilers write it
    general.major, general.minor, general.release, general.build = 2, 0, 0, 0
    read = GameData.from_bytes(game.to_bytes())
    shown = [conclusion.version for conclusion in read.evidence if "extension" in conclusion.reason]
    assert shown == ([] if found == "2.3" else [found])
    assert len(read.records.extensions[0].files) == files


def test_a_file_without_a_length_goes_on_to_its_end() -> None:
    whole = game_of("1.0.0.1279").to_bytes()
    data = whole[:4] + bytes(4) + whole[8:]
    report = overhaul.verify(data)
    assert report.identical
    assert report.coverage is not None and report.coverage.opaque == 0
    assert [w for w in report.warnings if "did not finish" in w]
    game = GameData.from_bytes(data)
    assert len(game.records.objects) == 2
    game.records.objects[0].name = game.strings.add("long" * 100)
    written = game.to_bytes()
    assert written[4:8] == bytes(4) and len(written) > len(data)
    assert str(GameData.from_bytes(written).records.objects[0].name) == "long" * 100


def test_a_file_that_ends_before_its_strings() -> None:
    whole = bytearray(game_of("1.0.0.1279").to_bytes())
    game = GameData.from_bytes(bytes(whole))
    for chunk, offset in (("GEN8", 4), ("GEN8", 8), ("GEN8", 40), ("GEN8", 100)):
        struct.pack_into("<I", whole, game.chunks[chunk].start + offset, 0)
    data = bytes(whole[: game.chunks["EXTN"].start - 8])
    data = data[:4] + bytes(4) + data[8:]
    cut = GameData.from_bytes(data)
    assert cut.to_bytes() == data
    assert list(cut.chunks) == ["GEN8", "OPTN"]
    assert "AUDO" in cut.warnings[0] and "STRG" in cut.warnings[0]
    assert cut.general.name is None and len(cut.strings) == 0
    assert "did not finish" in str(cut.info()["note"])
    cut.general.name = cut.strings.add("a name")
    with pytest.raises(EncodeError, match="no string table for a name"):
        cut.to_bytes()
    cut.general.name = None
    assert cut.to_bytes() == data
    with pytest.raises(overhaul.FormatError, match="STRG is missing"):
        GameData.from_bytes(data[:4] + (len(data) - 8).to_bytes(4, "little") + data[8:])


def test_a_picture_in_a_file_that_ends_before_its_texture_page_items() -> None:
    whole = bytearray(game_of("1.0.0.1279").to_bytes())
    game = GameData.from_bytes(bytes(whole))
    del game.chunks["TPAG"]
    sprite = Sprite(game.strings.add("spr_a"), textures=[None])
    game.records.sprites.append(sprite)
    game.to_bytes()
    sprite.textures = [TexturePageItem()]
    with pytest.raises(EncodeError, match="no texture page items for a picture"):
        game.to_bytes()


@pytest.mark.parametrize(
    ("version", "alignment", "padding"),
    [("2.0.6", 1, 2), ("1.0.0.1763", 1, 0), ("2.3.2", 16, 6)],
)
def test_shaders_are_padded_where_chunks_are_not(
    version: str, alignment: int, padding: int
) -> None:
    game = game_of(version)
    add = game.strings.add
    assert game.alignment == alignment
    blob = struct.pack("<13I", 1, 0, 0, 0, 0, 0, 6, 52, 52, 52, 52, 52, 52) + b"code-6"
    game.records.shaders.append(Shader(add("shd"), hlsl11_vertex=blob, hlsl11_pixel=None))
    read = again(game)
    chunk = read.chunks["SHDR"]
    content = bytes(read.data[chunk.start : chunk.end])
    behind = len(content) - content.index(b"code-6") - 6
    assert (behind, chunk.end % 4) == (padding, (2 if alignment == 1 and not padding else 0))
    assert chunk.trailing is None
    assert read.records.shaders[0].hlsl11_vertex == blob
    for wrong, message in (
        (blob + b"x", "says it has 58 bytes, got 59"),
        (blob[:-1], "not a compiled HLSL11 shader: the byte code of"),
        (b"x", "not a compiled HLSL11 shader: "),
    ):
        read.records.shaders[0].hlsl11_vertex = wrong
        with pytest.raises(EncodeError, match=message):
            read.to_bytes()


@pytest.mark.parametrize(
    ("version", "built", "reported"),
    [
        ("2023.4", "2021-08", True),
        ("2023.4", "2022-10", True),
        ("2023.4", "2022-11", False),
        ("2022.2", "2021-08", True),
        ("2022.2", "2021-09", False),
        ("2.3.2", "2020-11", True),
        ("2.3.2", "2020-12", False),
        ("2.0.6", "2016-09", True),
        ("2.0.6", "2016-10", False),
        ("1.0.0.1763", "2001-01", False),
        ("2024.14", "1970-01", False),
    ],
)
def test_a_build_date_before_the_release_is_reported(
    version: str, built: str, reported: bool
) -> None:
    game = game_of(version)
    year, month = map(int, built.split("-"))
    game.general.timestamp = int(datetime.datetime(year, month, 1, tzinfo=datetime.UTC).timestamp())
    if game.release.major >= 2:  # an empty file shows no release by its layout
        numbers = game.release.number
        general = game.general
        general.major, general.minor, general.release, general.build = numbers
    data = game.to_bytes()
    read = GameData.from_bytes(data)
    assert any("one of them is wrong" in warning for warning in read.warnings) == reported
    assert GameData.from_bytes(data, assume_version="2024.14").warnings == []
