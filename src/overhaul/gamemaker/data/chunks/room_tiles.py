"""Tile maps of rooms: plain before 2024.2, run-length coded from then on."""

from __future__ import annotations

import sys
from array import array

import numpy as np

from overhaul.errors import EncodeError, FormatError
from overhaul.media import tilemap
from overhaul.schema import Buffer, Reader, Scheme, VariableCodec, Writer
from overhaul.schema.codec import list_of_json


class TileMap(array):  # type: ignore[type-arg]
    """The tiles of a map, row by row.

    ``encoded`` holds the coded bytes where another encoder than GameMaker's wrote them; they are
    used as long as they decode to the same tiles.
    """

    encoded: bytes | None = None


class TileMapCodec(VariableCodec[TileMap]):
    """``width × height`` numbers; from 2024.2 on coded, from 2024.4 on padded to 4."""

    needs: tuple[str, ...] = ("width", "height")

    def type_name(self) -> str:
        return "u32 × width × height, run-length coded from 2024.2 on"

    def read(
        self, data: Buffer, position: int, reader: Reader, width: int, height: int
    ) -> tuple[TileMap, int]:
        version = reader.version
        count = width * height
        tiles = TileMap("I")
        if version.number < (2024, 2):
            end = position + 4 * count
            if end > len(data):
                raise reader.fail(f"a map of {width}×{height} tiles does not fit", position)
            tiles.frombytes(data[position:end])
            if sys.byteorder == "big":
                tiles.byteswap()
            return tiles, end
        try:
            decoded, end = tilemap.decode(memoryview(data), count, offset=position)
        except FormatError as error:
            error.source = reader.source
            raise
        tiles.frombytes(decoded.tobytes())
        stored = bytes(data[position:end])
        if tilemap.encode(decoded) != stored:
            tiles.encoded = stored
        if version.number >= (2024, 4):
            end = reader.skip_padding(data, end, 4)
        return tiles, end

    def write(self, writer: Writer, value: TileMap, width: int, height: int) -> None:
        if len(value) != width * height:
            raise EncodeError(f"{len(value)} tiles in a map of {width}×{height}")
        version = writer.version
        if version.number < (2024, 2):
            plain = array("I", value)
            if sys.byteorder == "big":
                plain.byteswap()
            writer.out += plain.tobytes()
            return
        tiles = np.array(value, np.uint32)
        coded = getattr(value, "encoded", None)
        if coded is None or (tilemap.decode(coded, len(value))[0] != tiles).any():
            coded = tilemap.encode(tiles)
        writer.out += coded
        if version.number >= (2024, 4):
            writer.align(4)

    def to_jsonable(self, value: TileMap, scheme: Scheme) -> object:
        return list(value)

    def from_jsonable(self, value: object, scheme: Scheme) -> TileMap:
        try:
            return TileMap("I", list_of_json(value))
        except (OverflowError, TypeError, ValueError) as error:
            raise FormatError(f"expected a list of tiles: {error}") from None
