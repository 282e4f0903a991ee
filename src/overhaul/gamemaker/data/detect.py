"""Which release wrote a file: every conclusion with its evidence.

GEN8 does not say it (every GMS2 file has 2.0.0.0), so the layout does: a test looks at a place
where releases differ and raises the version found so far, as the code does (:mod:`.detect_code`).
Where fields are in a record comes from the records' declarations, through :mod:`.places`: opening a
file imports no record.  Each test reads a few words, so that this costs next to nothing; a chunk
that does not fit the result when it is decoded is tried with the other layouts (see
:mod:`.decoding`).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from overhaul.errors import FormatError
from overhaul.gamemaker.data import detect_code as code
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.detect_code import NOTHING, Number, Probe
from overhaul.gamemaker.data.places import PLACES
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
#: releases that change the head of a font or the size of a glyph
FONT_RELEASES: tuple[Number, ...] = ((2, 2, 1), (2022, 2), (2023, 2), (2023, 6), (2024, 11))
#: types of layers
LAYER_BACKGROUND, LAYER_INSTANCES, LAYER_ASSETS, LAYER_TILES, LAYER_EFFECT = 1, 2, 3, 4, 6
_LAST_YEAR = 2999


def _named_release(probe: Probe) -> Number:
    at = probe.start("OPTN", probe.place("Options.constants"))
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
    pages = probe.listed("TXTR", 2)
    if len(pages) == 2:
        return probe.release_of("TexturePage", pages[1] - pages[0])
    for page in pages:
        # the blob's address is the last word; a blob never begins before its head
        for release, size in PLACES["TexturePage"]:
            address = probe.u32(page + size - 4)
            if address % 128 == 0 and page + size <= address < page + size + 128:
                return release
    return NOTHING


def _room_instances(probe: Probe) -> Number:
    for room in probe.listed("ROOM"):
        instances = probe.pointers(probe.field(room, "Room.instances"), 2)
        if instances:
            end = instances[1] if len(instances) == 2 else probe.field(room, "Room.tiles")
            return probe.release_of("Instance", end - instances[0])
    return NOTHING


def _curve_points(probe: Probe) -> Number:
    curves = probe.listed("ACRV", 2)
    for curve, end in _with_ends(curves, probe.end("ACRV")):
        stops = {release: _curve_end(probe, curve, size) for release, size in PLACES["CurvePoint"]}
        is_last = curve == curves[-1]
        fits = [
            release
            for release, stop in stops.items()
            if stop == end or (is_last and stop + -stop % 16 == end)
        ]
        if len(fits) == 1:
            return fits[0]
    return NOTHING


def _curve_end(probe: Probe, curve: int, point: int) -> int:
    """Where a curve ends if its points have a size; 0 where a channel then has no name."""
    channels = min(probe.field(curve, "AnimationCurve.channels"), 4096)
    at = curve + probe.place("AnimationCurve.channels") + 4
    for _ in range(channels):
        if not probe.field(at, "CurveChannel.name"):
            return 0
        points = probe.field(at, "CurveChannel.points")
        at += probe.place("CurveChannel.points") + 4 + point * points
    return at


def _nine_slices(probe: Probe) -> Number:
    for sprite in probe.listed("SPRT"):
        version = _sub_version(probe, sprite)
        if version is not None:
            return (2, 3, 2) if version >= 3 else NOTHING
    return NOTHING


def _sub_version(probe: Probe, sprite: int) -> int | None:
    """The sub-version of a special sprite; None for a plain one of GameMaker: Studio 1."""
    mark = sprite + probe.place("Sprite.sub_version")
    return probe.u32(mark + 4) if probe.u32(mark) == 0xFFFFFFFF else None


def _layer_heads(probe: Probe) -> Number:
    """Whether a layer is larger than without the effect that 2022.1 adds to its head."""
    head = probe.place("Layer", (2, 3))
    for room in probe.listed("ROOM"):
        layers = probe.pointers(probe.field(room, "Room.layers"))
        for layer, end in _with_ends(layers, probe.field(room, "Room.sequences")):
            data, kind = layer + head, probe.field(layer, "Layer.type")
            if kind == LAYER_BACKGROUND:
                longer = end - data > probe.place("BackgroundLayer")
            elif kind == LAYER_INSTANCES:
                longer = end - data != 4 + 4 * probe.u32(data)
            elif kind == LAYER_ASSETS:
                longer = probe.u32(data) - data not in (4 * 3, 4 * 4)
            elif kind == LAYER_TILES:
                longer = end - data != probe.place("TilesLayer") + 4 * _tiles(probe, data)
            elif kind == LAYER_EFFECT:
                list_ = data + probe.place("EffectLayer.properties", (2, 3))
                longer = end - list_ != 4 + probe.place("EffectProperty") * probe.u32(list_)
            else:
                continue
            return (2022, 1) if longer else NOTHING
    return NOTHING


def _tiles(probe: Probe, data: int) -> int:
    return probe.field(data, "TilesLayer.width") * probe.field(data, "TilesLayer.height")


def _font_heads(probe: Probe) -> Number:
    """The place of the glyphs in a font, and their size."""
    best: Number = NOTHING
    heads = {
        (probe.place("Font.glyphs", release), probe.place("Glyph.kerning", release) + 2): release
        for release in FONT_RELEASES
    }
    for font in probe.listed("FONT", 16):
        fits = [
            release
            for (head, size), release in heads.items()
            if _glyphs_fit(probe, font + head, size)
        ]
        if len(fits) == 1:
            best = max(best, fits[0])
    # builds before particle systems, which would show 2023.2, have the field too
    return (2022, 8) if best == (2023, 2) else best


def _glyphs_fit(probe: Probe, table: int, size: int) -> bool:
    count = probe.u32(table)
    if not 0 < count <= (probe.end("FONT") - table) // 4:
        return False
    glyphs = probe.pointers(table)
    at = table + 4 + 4 * count
    for index, glyph in enumerate(glyphs[:64]):
        if glyph != at:
            return False
        kerning = probe.u32(at + size - 4) >> 16
        at += size + probe.place("Kerning") * kerning
        if index + 1 == count:
            return True
    return len(glyphs) >= 64


def _object_heads(probe: Probe) -> Number:
    for item in probe.listed("OBJT", 8):
        events = _events_of(probe, item)
        if events is None or probe.u32(events) != 15 or probe.u32(events + 4) != events + 64:
            return (2022, 5)
        return NOTHING
    return NOTHING


def _events_of(probe: Probe, item: int) -> int | None:
    """Where the events of an object begin before 2022.5; None with too many vertices."""
    count = probe.field(item, "GameObject.vertex_count", (2, 3))
    vertices = item + probe.place("GameObject.vertices", (2, 3))
    return None if count > 65536 else vertices + probe.place("Vertex") * count


def _extension_heads(probe: Probe) -> Number:
    """Which two pointers of a head lead behind it, and into the extension."""
    for item in probe.listed("EXTN", 1):
        for release in ((2022, 6), (2023, 4)):
            options = probe.field(item, "Extension.options", release)
            follows = item + probe.place("Extension", release)
            if probe.field(item, "Extension.files", release) == follows:
                return release if item < options < probe.end("EXTN") else NOTHING
            if probe.field(item, "Extension.files", (2, 3)) == 2:
                return NOTHING  # two files; the first follows its pointers
    return NOTHING


def _texture_groups(probe: Probe) -> Number:
    groups = probe.listed("TGIN", 2)
    for group, end in _with_ends(groups[:1], groups[1] if groups[1:] else probe.end("TGIN")):
        if group < probe.field(group, "TextureGroup.pages", (2, 3)) < end:
            return NOTHING
        # the first of the lists follows the head, which has a list less from 2023.1 on
        pages = probe.field(group, "TextureGroup.pages", (2023, 1))
        return (2023, 1) if pages == group + probe.place("TextureGroup", (2023, 1)) else (2022, 9)
    return NOTHING


def _emitters(probe: Probe) -> Number:
    emitters = probe.listed("PSEM")
    if len(emitters) >= 2:
        return probe.release_of("ParticleEmitter", emitters[1] - emitters[0])
    if emitters:
        length = probe.end("PSEM") - emitters[0]
        for release, size in PLACES["ParticleEmitter"]:
            end = (emitters[0] + size + 15) // 16 * 16
            if size <= length < size + 16 and end == probe.end("PSEM"):
                return release
    return (2023, 4)  # before, the first eleven emitters were always there


def _exported_sprites(probe: Probe) -> Number:
    tilesets = probe.listed("BGND")
    shown = any(probe.field(at, "Background.exported_sprite") for at in tilesets)
    return (2023, 8) if shown else NOTHING


def _layers_of(probe: Probe, kind: int) -> Iterator[tuple[int, int]]:
    """The data of the layers of a kind from 2022.1 on, and where each layer ends."""
    for room in probe.listed("ROOM"):
        layers = probe.pointers(probe.field(room, "Room.layers"))
        for layer, end in _with_ends(layers, probe.field(room, "Room.sequences")):
            if probe.field(layer, "Layer.type") == kind:
                properties = probe.field(layer, "Layer.effect_properties")
                head = probe.place("Layer.effect_properties") + 4
                yield layer + head + probe.place("EffectProperty") * properties, end


def _tile_maps(probe: Probe) -> Number:
    """Tile layers whose data is not width × height words: compressed, and aligned or not."""
    compressed = False
    for data, end in _layers_of(probe, LAYER_TILES):
        if end - data == probe.place("TilesLayer") + 4 * _tiles(probe, data):
            return NOTHING
        compressed = True
        if end % 4:
            return (2024, 2)
    return (2024, 4) if compressed else NOTHING


def _sound_heads(probe: Probe) -> Number:
    sounds = probe.listed("SOND", 2)
    if len(sounds) == 2:
        return probe.release_of("Sound", sounds[1] - sounds[0])
    return (2024, 6) if sounds and probe.field(sounds[0], "Sound.length", (2024, 6)) else NOTHING


def _mask_sizes(probe: Probe) -> Number:
    """Masks that fit the bounding box, and not the sprite."""
    for sprite, end in _with_ends(probe.listed("SPRT"), probe.end("SPRT")):
        version = _sub_version(probe, sprite)
        at = sprite + probe.place("Sprite.sub_version") + 8
        if version is None or probe.u32(at):
            continue  # not a bitmap
        left, right, bottom, top = (
            probe.signed(sprite, f"Sprite.margin_{side}")
            for side in ("left", "right", "bottom", "top")
        )
        width, height = probe.field(sprite, "Sprite.width"), probe.field(sprite, "Sprite.height")
        box = (right - left + 1, bottom - top + 1)
        special = at + 12  # the type and the speed, then a pointer for each sub-version from 2 on
        textures = special + 4 * (version >= 2) + 4 * (version >= 3)
        masks = textures + 4 + 4 * probe.u32(textures)
        count = probe.u32(masks)
        if not count or box == (width, height):
            continue
        targets = (probe.u32(special), probe.u32(special + 4))
        stop = min([end, *(target for target in targets if masks < target < end)])
        of_box, whole = (
            stop in (size, size + -size % 16)
            for size in (_masks_end(masks, count, *box), _masks_end(masks, count, width, height))
        )
        if of_box != whole:
            return (2024, 6) if of_box else NOTHING
    return NOTHING


def _masks_end(start: int, count: int, width: int, height: int) -> int:
    size = count * ((width + 7) // 8 * height)
    return start + 4 + size + -size % 4


def _asset_layers(probe: Probe) -> Number:
    for data, _ in _layers_of(probe, LAYER_ASSETS):
        lists = (probe.u32(data) - data) // 4
        return (2024, 6) if lists == 5 else NOTHING
    return NOTHING


def _no_code_locals(probe: Probe) -> Number:
    at = probe.start("FUNC")
    after = at + 4 + probe.place("Function") * probe.u32(at)
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
    groups = probe.listed("AGRP", 1 << 16)
    if len(groups) >= 2:
        return probe.release_of("AudioGroupEntry", groups[1] - groups[0])
    path = probe.place("AudioGroupEntry.path", (2024, 14))
    if groups and groups[0] + path < probe.end("AGRP"):
        return (2024, 14) if probe.u32(groups[0] + path) else NOTHING
    return NOTHING


def _font_trailer(probe: Probe) -> Number:
    fonts = probe.listed("FONT")
    at = probe.start("FONT") + 4 + 4 * probe.u32(probe.start("FONT"))
    if fonts:
        table = fonts[-1] + probe.place("Font.glyphs")
        glyphs = probe.pointers(table)
        at = table + 4
        if glyphs:
            list_ = glyphs[-1] + probe.place("Glyph.kerning")
            at = list_ + 2 + probe.place("Kerning") * (probe.u32(list_ - 2) >> 16)
    return (2024, 14) if probe.end("FONT") - at < 512 else NOTHING


def _tileset_heads(probe: Probe) -> Number:
    tilesets = probe.listed("BGND")
    for tileset, end in _with_ends(tilesets, probe.end("BGND")):
        frames = probe.field(tileset, "Background.frames_per_tile")
        count = probe.field(tileset, "Background.tile_count")
        stop = tileset + probe.place("Background.tile_ids") + 4 * frames * count
        alignment = 16 if tileset == tilesets[-1] else 8
        if stop + -stop % alignment != end:
            return (2024, 14, 1)
    return NOTHING


def _with_ends(starts: list[int], last: int) -> Iterator[tuple[int, int]]:
    """Neighbouring elements, each with where it ends: where the next begins, or ``last``."""
    return zip(starts, [*starts[1:], last], strict=True) if starts else iter(())


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
    ran: dict[int, Number] = {}
    for _ in range(2):  # a later test may make an earlier one worth running
        for which, test in enumerate(TESTS):
            if test.chunk not in probe.chunks or not test.least <= number < test.below:
                continue
            if ran.get(which) == number:  # it would show the same
                continue
            probe.number = ran[which] = number
            try:
                shown = test.run(probe)
            except (FormatError, struct.error):
                continue  # no evidence; faults are reported when the chunk is decoded
            if shown > number:
                number = shown
                evidence.append(Evidence(_words(shown), test.reason))
    return number


def _extension_classes(probe: Probe, usual: bool) -> bool:
    """Whether a class name stands before an extension's files; without one the first file follows
    its pointers."""
    for item in probe.listed("EXTN", 1):
        files = item + probe.place("Extension.class_name")
        count = probe.u32(files)
        return count > 0 and probe.u32(files + 4) != files + 4 + 4 * count
    return usual


def _object_friction(probe: Probe, usual: bool) -> bool:
    """Whether three words stand between the number of vertices and the vertices of an object;
    without them the list of events follows."""
    for item in probe.listed("OBJT", 1):
        vertices = probe.field(item, "GameObject.vertex_count")
        events = item + probe.place("GameObject.vertex_count") + 4
        events += probe.place("Vertex") * vertices
        return probe.u32(events + 4) != events + 4 + 4 * probe.u32(events)
    return usual


def _words(number: Number) -> str:
    return ".".join(map(str, number))


def _alignment(pointers: list[int], alignment: int) -> int:
    return alignment if all(pointer % alignment == 0 for pointer in pointers) else 1
