"""Which release compiled a game's code, as its bytes show without being decoded.

Layouts change seldom, compilers often: a file may have nothing of a later layout (no compressed
tile map, no sound) while its code is of a later release.  The tests look for words that only some
compilers write; what they find holds for the file, which one compiler made.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks import CHUNKS, KIND_CHUNKS
from overhaul.gamemaker.data.places import PLACES
from overhaul.gamemaker.data.strings import name_at
from overhaul.gamemaker.form import Data, Form, FormChunk
from overhaul.gml.asset_types import NEW_ASSET_TYPES, OLD_ASSET_TYPES

Number = tuple[int, ...]
"""The numbers of a release: as many as are known."""

NOTHING: Number = ()
"""The result of a test that does not prove a release."""

_U32 = struct.Struct("<I")
#: a function in FUNC: its name, the number of its uses, and the first
_FUNCTION = struct.Struct("<3I")
#: an entry in CODE: its name, length, the place of its bytecode, and of its function in that
_ENTRY = struct.Struct("<II4xiI")


class Probe:
    """A file under test: bounded access to words, chunks and pointer lists."""

    def __init__(self, data: Data, form: Form) -> None:
        self.data = data
        self.chunks: dict[str, FormChunk] = {chunk.name: chunk for chunk in form.chunks}
        self.number: Number = (1,)
        self.bytecode = 0
        self.lts = False

    def u32(self, at: int) -> int:
        """A word; FormatError outside the file."""
        if not 0 <= at <= len(self.data) - 4:
            raise FormatError("a test reads outside the file", offset=at)
        return int(_U32.unpack_from(self.data, at)[0])

    def i32(self, at: int) -> int:
        """A signed word."""
        value = self.u32(at)
        return value - (1 << 32) if value >> 31 else value

    def place(self, name: str, release: Number | None = None) -> int:
        """Where a field is in a record, or where the fixed part of a record ends.

        In a release: that found so far if none is given.
        """
        releases = PLACES[name]
        number = self.number if release is None else release
        return next(
            (place for since, place in reversed(releases) if since <= number), releases[0][1]
        )

    def field(self, at: int, name: str, release: Number | None = None) -> int:
        """A field of the record at a place, as a word."""
        return self.u32(at + self.place(name, release))

    def signed(self, at: int, name: str) -> int:
        """A field of the record at a place, as a signed word."""
        return self.i32(at + self.place(name))

    @staticmethod
    def release_of(record: str, size: int) -> Number:
        """The first release whose records have a size; nothing where none has."""
        return next((since for since, place in PLACES[record] if place == size), NOTHING)

    def end(self, name: str) -> int:
        """Where a chunk ends."""
        return self.chunks[name].end

    def start(self, name: str, skip: int = 0) -> int:
        """Where a chunk's content begins, ``skip`` bytes in."""
        return self.chunks[name].start + skip

    def pointers(self, at: int, most: int = 1 << 20) -> list[int]:
        """The pointers of a list that are not null (at most so many)."""
        count = min(self.u32(at), most, (len(self.data) - at) // 4)
        if at + 4 + 4 * count > len(self.data):
            raise FormatError("a list leaves the file", offset=at)
        return [p for p in struct.unpack_from(f"<{count}I", self.data, at + 4) if p]

    def listed(self, name: str, most: int = 1 << 20) -> list[int]:
        """The elements of a chunk's top-level list, null entries left out."""
        chunk = self.chunks.get(name)
        if chunk is None or chunk.end - chunk.start < 4:
            return []
        return self.pointers(CHUNKS[name].list_start(chunk.start), most)

    def name_at(self, at: int) -> str:
        """The string a field points at."""
        return name_at(self.data, self.u32(at))


#: functions whose call dates the compiler
_CALLED_SINCE: Final = (
    ("@@string@@", (2024, 14)),
    ("@@SetStatic@@", (2024, 11)),
    ("@@Global@@", (2023, 11)),
)
#: from here on FUNC has no list of locals, which shows in every file
_NO_LOCALS: Final = (2024, 8)
_NULLISH: Final = re.compile(rb"\xf6\xff\x0f\xff")
_PUSHREF: Final = re.compile(rb"\xf5\xff\x02\xff(....)", re.S)
#: push.v builtin.x and push.v self.x, but for those that callv calls, in every release alike
_PUSH_BUILTIN: Final = re.compile(rb"\xfa\xff\x05\xc0(?!.{6}\x05\x99)", re.S)
_PUSH_SELF: Final = re.compile(rb"\xff\xff\x05\xc0(?!.{6}\x05\x99)", re.S)
#: dup.e, which moves the callee and its instance above the arguments, then callv
_CALLEE_FIRST: Final = re.compile(rb"\x02([\x80-\xff])\x0f\x86(.)\x00\x05\x99", re.S)
_GENERATED: Final = re.compile(r"gml_Script_(?:\w+@)?(?:___struct___\d+|anon)@")
_SCRIPT: Final = "gml_Script_"
_GLOBAL_SCRIPT: Final = "gml_GlobalScript_"
_BRANCH: Final = 0xB6
_CALL: Final = 0xD9
_MOST_CALLS: Final = 1 << 16


def nullish(probe: Probe) -> Number:
    """``isnullish`` instructions."""
    return (2, 3, 7) if next(_words(probe, _NULLISH), None) else NOTHING


def asset_references(probe: Probe) -> Number:
    """``pushref`` instructions."""
    return (2023, 8) if next(_words(probe, _PUSHREF), None) else NOTHING


def called_functions(probe: Probe) -> Number:
    """Functions that newer compilers call, and how they name inner functions."""
    names = {name for name, _ in _functions(probe)}
    for name, since in _CALLED_SINCE:
        if name in names and (since < _NO_LOCALS or probe.number >= _NO_LOCALS):
            return since
    if any(name.startswith(_SCRIPT) and "@" in name for name in names):
        return (2023, 11)
    return NOTHING


def entries_without_locals(probe: Probe) -> Number:
    """The mark of root entries without locals."""
    entries = probe.listed("CODE")
    return (2024, 2) if any(probe.u32(at + 8) >> 31 for at in entries) else NOTHING


def own_variables(probe: Probe) -> Number:
    """Plain variables of the instance that are accessed as built-in ones are."""
    as_builtin = sum(1 for _ in _words(probe, _PUSH_BUILTIN))
    as_self = sum(1 for _ in _words(probe, _PUSH_SELF))
    return (2024, 2) if as_builtin > as_self else NOTHING


def asset_types(probe: Probe) -> Number:
    """Asset references whose type only the later numbering has, or whose number is too large for
    the list that the earlier numbering means."""
    for match in _words(probe, _PUSHREF):
        operand = int.from_bytes(match[1], "little")
        number, index = operand >> 24, operand & 0xFFFFFF
        older, newer = OLD_ASSET_TYPES.get(number), NEW_ASSET_TYPES.get(number)
        if newer is None or older == newer:
            continue
        if older is None:
            return (2024, 4)
        if older == "script" or not _is_in(probe, newer, index):
            continue  # the last reference to a function holds the number of its name
        if not _is_in(probe, older, index):
            return (2024, 4)
    return NOTHING


def callee_first(probe: Probe) -> Number:
    """Calls whose function is evaluated before the arguments."""
    for match in _words(probe, _CALLEE_FIRST):
        if match[1][0] >> 3 & 15 == match[2][0]:
            return (2026, 0)
    return NOTHING


def enclosing_calls(probe: Probe) -> Number:
    """Direct calls of functions that are declared in a function around the caller."""
    words = _all_words(probe)
    direct: list[tuple[int, str]] = []
    calls = 0
    for name, at, count in _inner_functions(probe):
        for _ in range(count):
            calls += 1
            if calls > _MOST_CALLS:
                break
            if _word(words, at - 4) >> 24 == _CALL:
                direct.append((at, name))
            at += _word(words, at) & 0x7FFFFFF
    if not direct:
        return NOTHING
    scopes = _scopes_around(probe, words, [at for at, _ in direct])
    starts = [start for start, _, _ in scopes]
    for at, name in direct:
        number = bisect_right(starts, at) - 1
        while number >= 0 and scopes[number][1] <= at:
            number -= 1
        declared_in = name.partition("@")[2]
        # a script's own function is called without the script
        inside = (declared_in, declared_in.partition("@")[0])
        if number >= 0 and _scope_name(probe, scopes[number][2]) not in inside:
            return (2026, 0)
    return NOTHING


def _inner_functions(probe: Probe) -> Iterator[tuple[str, int, int]]:
    """The functions in FUNC that are declared in another one, and have a name of their own: with
    the address of the first use and the number of uses."""
    data, prefix = probe.data, _SCRIPT.encode()
    at = probe.start("FUNC")
    count = min(probe.u32(at), (probe.end("FUNC") - at) // 12)
    for pointer, uses, first in _FUNCTION.iter_unpack(bytes(data[at + 4 : at + 4 + 12 * count])):
        if data[pointer : pointer + len(prefix)] == prefix:
            name = name_at(data, pointer)
            if "@" in name and not _GENERATED.match(name):
                yield name, first, uses


def _words(probe: Probe, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """Where a pattern stands in CODE, at an instruction's place."""
    chunk = probe.chunks["CODE"]
    area = bytes(probe.data[chunk.start : chunk.end])
    return (match for match in pattern.finditer(area) if (chunk.start + match.start()) % 4 == 0)


def _functions(probe: Probe) -> Iterator[tuple[str, tuple[int, int]]]:
    """The names in FUNC, with the address of the first use and the number of uses."""
    at = probe.start("FUNC")
    count = min(probe.u32(at), (probe.end("FUNC") - at) // 12)
    for record in range(at + 4, at + 4 + 12 * count, 12):
        yield probe.name_at(record), (probe.u32(record + 8), probe.u32(record + 4))


def _all_words(probe: Probe) -> memoryview:
    """The words of the file."""
    view = memoryview(probe.data)
    return view[: len(view) & ~3].cast("I")


def _word(words: memoryview, at: int) -> int:
    """The word at an offset of the file; FormatError for one that is outside, or at no place of
    an instruction."""
    if at < 0 or at & 3 or at >> 2 >= len(words):
        raise FormatError("a test reads outside the file", offset=at)
    word: int = words[at >> 2]
    return word


def _scopes_around(
    probe: Probe, words: memoryview, places: Iterable[int]
) -> list[tuple[int, int, int]]:
    """The address and the end of the scope of each function in the entries around some places, and
    where its name stands, by address."""
    pointers = probe.listed("CODE")
    heads = list(_heads(probe, pointers))
    begins = [at + 12 + head[2] for at, head in zip(pointers, heads, strict=True)]
    known = sorted(set(begins))
    wanted = {known[max(bisect_right(known, at) - 1, 0)] for at in places} if known else set()
    scopes = []
    for begin, (pointer, length, _, offset) in zip(begins, heads, strict=True):
        if begin not in wanted:
            continue
        start, end = begin, begin + length
        if offset:
            start += offset
            branch = _word(words, start - 4)
            if branch >> 24 == _BRANCH:
                distance = branch & 0x7FFFFF
                distance -= (distance & 0x400000) << 1
                end = start - 4 + 4 * distance
            pointer = -pointer
        scopes.append((start, end, pointer))
    return sorted(scopes, key=lambda scope: (*scope[:2], _scope_name(probe, scope[2])))


def _heads(probe: Probe, pointers: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """The name, the length, the place of the bytecode and that of the function of each entry."""
    data, size = probe.data, _ENTRY.size
    if pointers:
        first, end = pointers[0], pointers[0] + size * len(pointers)
        if end <= len(data) and pointers == list(range(first, end, size)):
            return _ENTRY.iter_unpack(data[first:end])
    return (_ENTRY.unpack_from(data, at) for at in pointers)


def _scope_name(probe: Probe, pointer: int) -> str:
    """The name of a scope in code; ``pointer`` is that of its name, or less than 0 for a
    function in another entry."""
    name = name_at(probe.data, abs(pointer))
    if pointer < 0:
        name = name.removeprefix(_SCRIPT)
    return name.removeprefix(_GLOBAL_SCRIPT)


def _is_in(probe: Probe, kind: str, index: int) -> bool:
    """Whether the list of an asset kind has an element of this number."""
    name = "STRG" if kind == "script" else KIND_CHUNKS.get(kind, "")
    chunk = probe.chunks.get(name)
    if chunk is None or chunk.end - chunk.start < 4:
        return False
    return index < probe.u32(CHUNKS[name].list_start(chunk.start))
