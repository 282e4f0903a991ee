"""Which release wrote a file: every conclusion with its evidence.

GEN8 does not tell (it says 2.0.0.0 in every GMS2 file), so the layout does: a test looks at a
place where releases differ and raises the version found so far, as the code does
(:mod:`.detect_code`).  Each test reads a few words, so that this costs next to nothing; a chunk
that does not fit the result when it is decoded is tried with the other layouts (see
:mod:`.decoding`).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NamedTuple

from overhaul.errors import FormatError
from overhaul.gamemaker.data import detect_code as code
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.detect_code import NOTHING, Number, Probe
from overhaul.gamemaker.data.version import FIRST_SHADERS, Version, parse_release
from overhaul.gamemaker.form import Data, Form


class Evidence(NamedTuple):
    """A conclusion about the release, and what it was drawn from."""

    version: str
    reason: str


# --- the tests: each returns the release it proves, or nothing ----------------------------------

PRESENCE = ("UILR", "PSEM", "FEAT", "FEDS", "SEQN", "TGIN")

FLAG_NAMES: tuple[tuple[str, Number], ...] = (
    ("gm-auth-login", (2024, 14)),
    ("prefab-library", (2024, 13)),
    ("code-editor", (2024, 11)),
    ("gx_mod_gamestrip", (2023, 8)),
    ("custom_env", (2023, 6)),
    ("mqtt", (2022, 9)),
)


#: a constant of the options that names the release of a new game, where nothing else shows it
RELEASE_CONSTANT = "@@OverhaulRelease"
#: bytes of the options of GameMaker 2 and later before the constants
_OPTIONS_HEAD = 60
_LAST_YEAR = 2999


def _named_release(probe: Probe) -> Number:
    at = probe.start("OPTN", _OPTIONS_HEAD)
    count = min(probe.u32(at), (probe.end("OPTN") - at - 4) // 8)
    for place in range(at + 4, at + 4 + 8 * count, 8):
        if probe.name_at(place) == RELEASE_CONSTANT:
            numbers, lts = parse_release(probe.name_at(place + 4))
            if 2 <= numbers[0] <= _LAST_YEAR and len(numbers) <= 4 and min(numbers) >= 0:
                probe.lts = lts
                return tuple(numbers)
    return NOTHING


def _feature_names(probe: Probe) -> Number:
    at = probe.start("FEAT")
    at += -at % 4
    count = min(probe.u32(at), 4096)
    names = {probe.name_at(at + 4 + 4 * index) for index in range(count)}
    return next((number for name, number in FLAG_NAMES if name in names), NOTHING)


def _texture_heads(probe: Probe) -> Number:
    found = probe.listed("TXTR", 2)
    if len(found) == 2:
        stride = found[1] - found[0]
        if stride == 28:
            return (2022, 9)
        if stride == 16:
            return (2022, 3)
        return (2, 0, 6) if stride == 12 else NOTHING
    if len(found) == 1:
        at = found[0]
        # the blob's address is the last word; a blob never begins before its head
        for size, number in ((8, (2, 0)), (12, (2, 0, 6)), (16, (2022, 3)), (28, (2022, 9))):
            address = probe.u32(at + size - 4)
            if address % 128 == 0 and at + size <= address < at + size + 128:
                return number
    return NOTHING


def _room_instances(probe: Probe) -> Number:
    for room in probe.listed("ROOM"):
        found = probe.pointers(probe.u32(room + 48), 2)
        if not found:
            continue
        end = found[1] if len(found) == 2 else probe.u32(room + 52)
        return (2, 2, 2, 302) if end - found[0] == 48 else NOTHING
    return NOTHING


def _curve_points(probe: Probe) -> Number:
    found = probe.listed("ACRV", 2)
    for index, curve in enumerate(found):
        end = found[index + 1] if index + 1 < len(found) else probe.end("ACRV")
        for size, number in ((24, (2, 3, 1)), (12, NOTHING)):
            at = _curve_end(probe, curve, size)
            if at == end or (index + 1 == len(found) and at + -at % 16 == end):
                return number
    return NOTHING


def _curve_end(probe: Probe, curve: int, point: int) -> int:
    channels = min(probe.u32(curve + 8), 4096)
    at = curve + 12
    for _ in range(channels):
        at += 16 + point * probe.u32(at + 12)
    return at


def _nine_slices(probe: Probe) -> Number:
    for sprite in probe.listed("SPRT"):
        if probe.u32(sprite + 56) == 0xFFFFFFFF:
            return (2, 3, 2) if probe.u32(sprite + 60) >= 3 else NOTHING
    return NOTHING


def _layer_heads(probe: Probe) -> Number:
    for room in probe.listed("ROOM"):
        table = probe.u32(room + 22 * 4)
        layers = probe.pointers(table)
        for index, layer in enumerate(layers):
            kind = probe.u32(layer + 8)
            end = layers[index + 1] if index + 1 < len(layers) else probe.u32(room + 23 * 4)
            if kind == 1:
                newer = end - (layer + 12) > 64
            elif kind == 2:
                newer = end - (layer + 40) != 4 * probe.u32(layer + 36)
            elif kind == 3:
                newer = probe.u32(layer + 36) not in (layer + 48, layer + 52)
            elif kind == 4:
                size = 4 * probe.u32(layer + 40) * probe.u32(layer + 44)
                newer = end - (layer + 48) != size
            elif kind == 6:
                newer = end - (layer + 44) != 12 * probe.u32(layer + 40)
            else:
                continue
            return (2022, 1) if newer else NOTHING
    return NOTHING


#: how a font's head grows: bytes before the glyph list, and the release
FONT_HEADS: tuple[tuple[int, Number, int], ...] = (
    (44, (2, 2, 1), 16),
    (48, (2022, 2), 16),
    (52, (2022, 8), 16),
    (56, (2023, 6), 16),
    (56, (2024, 11), 18),
)


def _font_heads(probe: Probe) -> Number:
    best: Number = NOTHING
    for font in probe.listed("FONT", 16):
        fits = []
        for head, number, size in FONT_HEADS:
            fit = _glyphs_fit(probe, font + head, size)
            if fit:
                fits.append(number)
        if len(fits) == 1:
            best = max(best, fits[0])
    if best == (2022, 8) and "PSEM" in probe.chunks:
        return (2023, 2)
    return best


def _glyphs_fit(probe: Probe, table: int, size: int) -> bool:
    count = probe.u32(table)
    if not 0 < count <= (probe.end("FONT") - table) // 4:
        return False
    found = probe.pointers(table)
    at = table + 4 + 4 * count
    for index, glyph in enumerate(found[:64]):
        if glyph != at:
            return False
        kerning = probe.u32(at + size - 4) >> 16
        at += size + 4 * kerning
        if index + 1 == count:
            return True
    return len(found) >= 64


def _object_heads(probe: Probe) -> Number:
    for item in probe.listed("OBJT", 8):
        vertices = probe.u32(item + 64)
        if vertices > 65536:
            return (2022, 5)
        table = item + 80 + 8 * vertices
        if probe.u32(table) == 15 and probe.u32(table + 4) == table + 64:
            return NOTHING
        return (2022, 5)
    return NOTHING


def _extension_heads(probe: Probe) -> Number:
    found = probe.listed("EXTN", 2)
    if not found:
        return NOTHING
    at, end = found[0], probe.end("EXTN")
    if probe.u32(at + 12) == at + 20 and at < probe.u32(at + 16) < end:
        return (2022, 6)
    if probe.u32(at + 12) == 2:
        return NOTHING  # two files, the first of which follows its pointers
    if probe.u32(at + 16) == at + 24 and at < probe.u32(at + 20) < end:
        return (2023, 4)
    return NOTHING


def _texture_groups(probe: Probe) -> Number:
    found = probe.listed("TGIN", 2)
    if not found:
        return NOTHING
    at = found[0]
    end = found[1] if len(found) == 2 else probe.end("TGIN")
    if at < probe.u32(at + 4) < end:
        return NOTHING
    # five lists: the first begins 36 bytes in; four: 32
    return (2023, 1) if probe.u32(at + 16) == at + 32 else (2022, 9)


EMITTER_SIZES = {0xB0: (2023, 2), 0xBC: (2023, 4), 0xC0: (2023, 6), 0xEC: (2023, 8)}


def _emitters(probe: Probe) -> Number:
    found = probe.listed("PSEM")
    if len(found) >= 2:
        return EMITTER_SIZES.get(found[1] - found[0], NOTHING)
    if len(found) == 1:
        length = probe.end("PSEM") - found[0]
        for size, number in EMITTER_SIZES.items():
            end = (found[0] + size + 15) // 16 * 16
            if size <= length < size + 16 and end == probe.end("PSEM"):
                return number
    return (2023, 4) if len(found) < 11 else NOTHING


def _exported_sprites(probe: Probe) -> Number:
    found = probe.listed("BGND")
    return (2023, 8) if any(probe.u32(at + 52) for at in found) else NOTHING


def _tile_maps(probe: Probe) -> Number:
    """Tile layers whose data is not width × height words: compressed, and aligned or not."""
    compressed = False
    for room in probe.listed("ROOM"):
        extra = 4 if "UILR" in probe.chunks else 0
        layers = probe.pointers(probe.u32(room + 88 + extra))
        sequences = probe.u32(room + 92 + extra)
        for index, layer in enumerate(layers):
            if probe.u32(layer + 8) != 4:
                continue
            data = layer + 48 + 12 * probe.u32(layer + 44)
            end = layers[index + 1] if index + 1 < len(layers) else sequences
            size = 4 * probe.u32(data + 4) * probe.u32(data + 8)
            if end - (data + 12) == size:
                return NOTHING
            compressed = True
            if end % 4:
                return (2024, 2)
    return (2024, 4) if compressed else NOTHING


def _sound_heads(probe: Probe) -> Number:
    found = probe.listed("SOND", 2)
    if len(found) == 2:
        return (2024, 6) if found[1] - found[0] == 40 else NOTHING
    return (2024, 6) if found and probe.u32(found[0] + 36) else NOTHING


def _mask_sizes(probe: Probe) -> Number:
    found = probe.listed("SPRT")
    for index, at in enumerate(found):
        if probe.u32(at + 56) != 0xFFFFFFFF or probe.u32(at + 64):
            continue
        width, height = probe.u32(at + 4), probe.u32(at + 8)
        left, right, bottom, top = (probe.i32(at + offset) for offset in (12, 16, 20, 24))
        box = (right - left + 1, bottom - top + 1)
        textures = at + 76 + (4 if probe.u32(at + 60) >= 2 else 0)
        textures += 4 if probe.u32(at + 60) >= 3 else 0
        masks = textures + 4 + 4 * probe.u32(textures)
        count = probe.u32(masks)
        if not count or box == (width, height):
            continue
        end = found[index + 1] if index + 1 < len(found) else probe.end("SPRT")
        end = min([end] + [p for p in (probe.u32(at + 76), probe.u32(at + 80)) if masks < p < end])
        fits = [
            end in (stop, stop + -stop % 16)
            for stop in (_masks_end(masks, count, *box), _masks_end(masks, count, width, height))
        ]
        if fits[0] != fits[1]:
            return (2024, 6) if fits[0] else NOTHING
    return NOTHING


def _masks_end(start: int, count: int, width: int, height: int) -> int:
    size = count * ((width + 7) // 8 * height)
    return start + 4 + size + -size % 4


def _asset_layers(probe: Probe) -> Number:
    extra = 4 if "UILR" in probe.chunks else 0
    for room in probe.listed("ROOM"):
        for layer in probe.pointers(probe.u32(room + 88 + extra)):
            if probe.u32(layer + 8) != 3:
                continue
            data = layer + 48 + 12 * probe.u32(layer + 44)
            lists = (probe.u32(data) - data) // 4
            return (2024, 6) if lists == 5 else NOTHING
    return NOTHING


def _no_code_locals(probe: Probe) -> Number:
    at = probe.start("FUNC")
    after = at + 4 + 12 * probe.u32(at)
    left = probe.end("FUNC") - after
    chunk = probe.chunks.get("CODE")
    has_code = chunk is not None and chunk.end - chunk.start >= 4 and probe.u32(chunk.start) > 0
    if left < 4 or (left < 16 and has_code and probe.u32(after) == 0):
        return (2024, 8)
    return NOTHING


STRIPPED_LISTS = ("ACRV", "AGRP", "FONT", "OBJT", "SCPT", "SHDR", "SOND", "SPRT")


def _null_entries(probe: Probe) -> Number:
    if "FUNC" in probe.chunks and probe.number < (2024, 8):
        return NOTHING  # FUNC has code locals: another tool removed the entries, not the compiler
    for name in STRIPPED_LISTS:
        chunk = probe.chunks.get(name)
        if chunk is None or chunk.end - chunk.start < 4:
            continue
        at = CHUNKS[name].list_start(chunk.start)
        if probe.u32(at) <= (chunk.end - at) // 4 and len(probe.pointers(at)) < probe.u32(at):
            return (2024, 11)
    return NOTHING


def _group_heads(probe: Probe) -> Number:
    found = probe.listed("AGRP", 1 << 16)
    if len(found) >= 2:
        return (2024, 14) if found[1] - found[0] != 4 else NOTHING
    if found and found[0] + 4 < probe.end("AGRP"):
        return (2024, 14) if probe.u32(found[0] + 4) else NOTHING
    return NOTHING


def _font_trailer(probe: Probe) -> Number:
    found = probe.listed("FONT")
    at = probe.start("FONT") + 4 + 4 * probe.u32(probe.start("FONT"))
    if found:
        glyphs = probe.pointers(found[-1] + 56)
        at = found[-1] + 60
        if glyphs:
            at = glyphs[-1] + 18 + 4 * (probe.u32(glyphs[-1] + 14) >> 16)
    return (2024, 14) if probe.end("FONT") - at < 512 else NOTHING


def _tileset_heads(probe: Probe) -> Number:
    found = probe.listed("BGND")
    for index, at in enumerate(found):
        size = 64 + 4 * probe.u32(at + 44) * probe.u32(at + 48)
        last = index + 1 == len(found)
        end = probe.end("BGND") if last else found[index + 1]
        alignment = 16 if last else 8
        if (at + size + alignment - 1) // alignment * alignment != end:
            return (2024, 14, 1)
    return NOTHING


class Test(NamedTuple):
    """A test: the chunk it looks at, the releases it is for, and its words."""

    chunk: str
    least: Number
    below: Number
    run: Callable[[Probe], Number]
    reason: str


TESTS: tuple[Test, ...] = (
    Test("FEAT", (2022, 8), (9999,), _feature_names, "names of feature flags"),
    Test("TXTR", (2,), (2022, 9), _texture_heads, "size of texture page records"),
    Test("ROOM", (2,), (2, 2, 2, 302), _room_instances, "size of room instances"),
    Test("SPRT", (2,), (2, 3, 2), _nine_slices, "sub-version of sprites"),
    Test("ACRV", (2, 3), (2, 3, 1), _curve_points, "size of curve points"),
    Test("CODE", (2, 3), (2, 3, 7), code.nullish, "an isnullish instruction"),
    Test("ROOM", (2, 3), (2022, 1), _layer_heads, "size of layer records"),
    Test("OBJT", (2, 3), (2022, 5), _object_heads, "size of object records"),
    Test("EXTN", (2, 3), (2023, 4), _extension_heads, "shape of extension records"),
    Test("TGIN", (2, 3), (2023, 1), _texture_groups, "shape of texture groups"),
    Test("PSEM", (2023, 2), (2023, 8), _emitters, "size or number of particle emitters"),
    Test("FONT", (2, 3), (2024, 11), _font_heads, "place and size of glyphs"),
    Test("BGND", (2022, 8), (2023, 8), _exported_sprites, "exported sprites of tile sets"),
    Test("CODE", (2022, 8), (2023, 8), code.asset_references, "a pushref instruction"),
    Test("ROOM", (2023, 2), (2024, 4), _tile_maps, "compressed tile maps"),
    Test("SOND", (2023, 2), (2024, 6), _sound_heads, "size of sound records"),
    Test("SPRT", (2023, 2), (2024, 6), _mask_sizes, "collision masks of the bounding box only"),
    Test("ROOM", (2023, 2), (2024, 6), _asset_layers, "lists of asset layers"),
    Test("FUNC", (2022, 8), (2024, 8), _no_code_locals, "no code locals"),
    Test("SPRT", (2022, 8), (2024, 11), _null_entries, "null entries in an asset list"),
    Test("AGRP", (2024, 13), (2024, 14), _group_heads, "size of audio group records"),
    Test("FONT", (2024, 13), (2024, 14), _font_trailer, "no code page after the fonts"),
    Test("BGND", (2024, 14), (2024, 14, 1), _tileset_heads, "size of tile set records"),
    Test("FUNC", (2023, 2), (2024, 14), code.called_functions, "functions that code calls"),
    Test("CODE", (2023, 2), (2024, 2), code.entries_without_locals, "entries without locals"),
    Test("CODE", (2023, 2), (2024, 2), code.own_variables, "how code names own variables"),
    Test("CODE", (2023, 8), (2024, 4), code.asset_types, "types of asset references"),
    Test("CODE", (2024, 13), (2026,), code.callee_first, "calls that find the function first"),
    Test("FUNC", (2024, 13), (2026,), code.enclosing_calls, "calls of enclosing functions"),
    Test("OPTN", (2,), (9999,), _named_release, f"the constant {RELEASE_CONSTANT} of the options"),
)


def detect(data: Data, form: Form) -> tuple[Version, list[Evidence]]:
    """The effective version of a data.win, and the evidence for it."""
    probe = Probe(data, form)
    start = probe.start("GEN8")
    probe.bytecode = data[start + 1]
    probe.u32(start + 56)
    stored = struct.unpack_from("<4I", data, start + 44)
    evidence: list[Evidence] = []
    if stored[0] < 2:
        number: Number = (1, *stored[1:])
        evidence.append(Evidence(".".join(map(str, stored)), "GEN8"))
    else:
        number = tuple(stored)
        evidence.append(Evidence(".".join(map(str, stored)), "GEN8"))
        for name in PRESENCE:
            present = CHUNKS[name].since
            if name in probe.chunks and present is not None and present > number:
                number = present
                evidence.append(Evidence(_words(present), f"the chunk {name}"))
                break
        number = _run_tests(probe, number, evidence)
    lts = number >= (2023, 1) and not {"PSEM", "UILR"} & probe.chunks.keys()
    lts = lts or probe.lts
    if Evidence("2023.1", "shape of texture groups") in evidence:
        lts = False
    major, minor, release, build = (*number, 0, 0, 0)[:4]
    early = number < (2,)
    version = Version(
        probe.bytecode,
        major,
        minor,
        release,
        build,
        lts,
        _alignment(probe.listed("STRG"), 4),
        _alignment(probe.listed("BGND"), 8),
        "OPTN" in probe.chunks
        and probe.end("OPTN") - probe.start("OPTN") >= 4
        and probe.u32(probe.start("OPTN")) != 0x80000000,
        not early or _extension_classes(probe, number >= FIRST_SHADERS),
        not early or _object_friction(probe, probe.bytecode >= 10),
    )
    return version, evidence


def _run_tests(probe: Probe, number: Number, evidence: list[Evidence]) -> Number:
    for _ in range(2):  # a later test may make an earlier one worth running
        for test in TESTS:
            if test.chunk not in probe.chunks or not test.least <= number < test.below:
                continue
            probe.number = number
            try:
                found = test.run(probe)
            except (FormatError, struct.error):
                continue  # no evidence; what is broken is reported when the chunk is decoded
            if found > number:
                number = found
                evidence.append(Evidence(_words(found), test.reason))
    return number


def _extension_classes(probe: Probe, usual: bool) -> bool:
    """Whether a class name stands before an extension's files; without one the first file follows
    its pointers."""
    for item in probe.listed("EXTN", 1):
        files = probe.u32(item + 8)
        return files > 0 and probe.u32(item + 12) != item + 12 + 4 * files
    return usual


def _object_friction(probe: Probe, usual: bool) -> bool:
    """Whether three words stand between the number of vertices and the vertices of an object;
    without them the list of events follows."""
    for item in probe.listed("OBJT", 1):
        events = item + 68 + 8 * probe.u32(item + 64)
        return probe.u32(events + 4) != events + 4 + 4 * probe.u32(events)
    return usual


def _words(number: Number) -> str:
    return ".".join(map(str, number))


def _alignment(pointers: list[int], alignment: int) -> int:
    return alignment if all(pointer % alignment == 0 for pointer in pointers) else 1
