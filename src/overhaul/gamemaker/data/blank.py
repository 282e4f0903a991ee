"""New games: a file of a stated release with all its chunks and no resources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.code import Bytecode, CodeArea
from overhaul.gamemaker.data.chunks.font import ascii_code_page, windows_code_page
from overhaul.gamemaker.data.chunks.optn import Constant
from overhaul.gamemaker.data.container import Container
from overhaul.gamemaker.data.detect import FLAG_NAMES, Evidence, detect
from overhaul.gamemaker.data.slots import Slot
from overhaul.gamemaker.data.version import Version
from overhaul.gml.vm.columns import decode
from overhaul.schema import fields_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData

#: chunks in file order, and the release each appears in (specification, section 1.3)
_ORDER: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("GEN8", (1,)), ("OPTN", (1,)), ("LANG", (1, 0, 0, 1700)), ("EXTN", (1,)), ("SOND", (1,)),
    ("AGRP", (1, 0, 0, 1500)), ("SPRT", (1,)), ("BGND", (1,)), ("PATH", (1,)), ("SCPT", (1,)),
    ("GLOB", (1, 0, 0, 1700)), ("SHDR", (1,)), ("FONT", (1,)), ("TMLN", (1,)), ("OBJT", (1,)),
    ("FEDS", (2, 3, 6)), ("ACRV", (2, 3)), ("SEQN", (2, 3)), ("TAGS", (2, 3)), ("ROOM", (1,)),
    ("UILR", (2024, 13)), ("DAFL", (1,)), ("EMBI", (2,)), ("PSEM", (2023, 2)),
    ("PSYS", (2023, 2)), ("TPAG", (1,)), ("TGIN", (2, 2, 1)), ("CODE", (1,)), ("VARI", (1,)),
    ("FUNC", (1,)), ("FEAT", (2022, 8)), ("STRG", (1,)), ("TXTR", (1,)), ("AUDO", (1,)),
)  # fmt: skip
_NOT_LTS = frozenset({"PSEM", "PSYS", "UILR"})
#: the choices of a file that its release number does not settle
_CHOICES = ("string_alignment", "background_alignment", "old_options", "lts")
_FLAGS = ("nullish", "login_sso", "operagx-yyc")


def version_of(text: str, settings: Mapping[str, object]) -> Version:
    """The version that a number and settings ask for.  Raises FormatError."""
    words = text.upper().replace("LTS", "").strip()
    try:
        number = [int(part) for part in words.split(".")]
    except ValueError:
        raise FormatError(f"{text!r} is no version (2024.14, 2.3.2, 1.0.0.1763 are)") from None
    major, minor, release, build = (*number, 0, 0, 0)[:4]
    if not (1 <= major <= 2 or 2022 <= major <= 2999) or min(number) < 0 or len(number) > 4:
        raise FormatError(f"{text!r} is no version (2024.14, 2.3.2, 1.0.0.1763 are)")
    if major == 1 and not build:
        minor, release, build = 0, 0, 9999
    version = Version(_bytecode(major, minor, release, build), major, minor, release, build)
    version = version._replace(
        lts="LTS" in text.upper(),
        string_alignment=4 if version.at_least(2, 3, 2) else 1,
        background_alignment=8 if version.at_least(2, 3, 2) else 1,
        old_options=version.major == 1 and version.build < 1380,
    )
    changes: dict[str, Any] = {}
    for name in ("bytecode", *_CHOICES):
        value = settings.get(name)
        if value is None:
            continue
        if not isinstance(value, int) or (name == "bytecode" and not 10 <= value <= 17):
            raise FormatError(f"settings.{name} can't be {value!r}")
        changes[name] = value
    return version._replace(**changes)


def _bytecode(major: int, minor: int, release: int, build: int) -> int:
    if major > 2 or (major, minor, release) >= (2, 2, 1):
        return 17
    if major == 2:
        return 16 if (minor, release) >= (0, 6) else 15
    if build >= 1773:
        return 16
    return 15 if build >= 1675 else 14 if build >= 1464 else 13


def settings_of(game: GameData) -> dict[str, object]:
    """The settings from which :func:`blank_game` makes a game of the same layout."""
    layout = game.layout
    usual = version_of(str(layout), {})
    found: dict[str, object] = {}
    if layout.bytecode != usual.bytecode:
        found["bytecode"] = layout.bytecode
    for name in _CHOICES:
        if getattr(layout, name) != getattr(usual, name):
            found[name] = getattr(layout, name)
    if game.alignment != chunk_alignment(layout):
        found["chunk_alignment"] = game.alignment
    if list(game.slots) != chunk_names(layout):
        found["chunks"] = list(game.slots)
    others = {
        name: str(slot.version)
        for name, slot in game.slots.items()
        if slot.version is not None and slot.version != layout
    }
    if others:
        found["layouts"] = others
    if game.assumed:
        found["assume_version"] = str(layout)
    return found


def chunk_alignment(version: Version) -> int:
    """What chunk headers are aligned to, as far as the release tells (specification, 1.4)."""
    if version.major == 1:
        return 16 if version.build >= 9999 else 1
    return 16 if version.bytecode >= 17 else 1


def chunk_names(version: Version) -> list[str]:
    """The chunks of a file of this release, in order."""
    return [
        name
        for name, since in _ORDER
        if version.number >= since and not (version.lts and name in _NOT_LTS)
    ]


def blank_game(settings: Mapping[str, object]) -> GameData:
    """A new game of the release ``settings["version"]``, with all its chunks and no resources.

    Other settings are those of :func:`settings_of`.  Raises FormatError for what is no version.
    """
    from overhaul.gamemaker.data.game import GameData

    text = str(settings.get("version") or "2024.14")
    version = version_of(text, settings)
    alignment = settings.get("chunk_alignment", chunk_alignment(version))
    if alignment not in (1, 16):
        raise FormatError("settings.chunk_alignment is 1 or 16")
    game = GameData(
        b"",
        Container((), int(alignment), 0, b""),
        version,
        [Evidence(text, "asked for")],
    )
    names = settings.get("chunks", chunk_names(version))
    if not isinstance(names, list) or not {"GEN8", "STRG"} <= set(names):
        raise FormatError("settings.chunks is a list of chunk names, GEN8 and STRG among them")
    for name in names:
        slot = game.slots[name] = Slot(str(name))
        slot.decoded = True
        slot.version = version
        kind = CHUNKS.get(name)
        if kind is None:
            slot.raw = b""
            slot.reason = "Overhaul does not know this chunk"
            continue
        slot.record = _new_record(kind.load())
        slot.trailing = None
    layouts = settings.get("layouts", {})
    for name, number in layouts.items() if isinstance(layouts, dict) else ():
        other = version_of(str(number), {})
        if name in game.slots:
            game.slots[name].version = version.with_number(*other.number)._replace(lts=other.lts)
    game.last_chunk = names[-1]
    _fill(game)
    return game


def _new_record(cls: type[Any]) -> Any:
    record = cls()
    for field in fields_of(cls):
        if field.name == "area":
            none = np.array([], np.int64)
            record.area = CodeArea([], Bytecode.of(decode(b"", 17)), none)
    return record


def _fill(game: GameData) -> None:
    """What every game of a release holds, resources aside."""
    version = game.layout
    text = game.strings.add
    general = game.general
    general.bytecode = version.bytecode
    general.file_name = general.name = text("game")
    general.config = text("Default" if version.major >= 2 else "default")
    general.display_name = text("Game")
    general.flags = 0x10 | 0x20
    if version.major < 2:
        general.major, general.minor, general.release, general.build = version.number
        general.debugger_port = 6502
    elif version.number < (2022, 8):
        general.debugger_port = 51268
    if "OPTN" in game.slots and version.major >= 2:
        options = game.options
        options.scale, options.load_alpha = 1, 0
        for name, value in (("@@SleepMargin", "10"), ("@@DrawColour", "4294967295")):
            options.constants.append(Constant(text(name), text(value)))
    if "FONT" in game.slots:
        old = version.major == 1 and version.build < 1380
        game.chunk("FONT").code_page = windows_code_page() if old else ascii_code_page()
    if "AGRP" in game.slots and version.major >= 2:
        from overhaul.gamemaker.data.chunks.agrp import AudioGroupEntry

        path = text("audiogroup_default.dat") if version.at_least(2024, 14) else None
        game.audio_groups.append(AudioGroupEntry(text("audiogroup_default"), path))
    if "FEAT" in game.slots:
        flags = [*_FLAGS, *(name for name, since in FLAG_NAMES if version.number >= since)]
        game.feature_flags.flags = [text(flag) for flag in flags]
    _show_version(game)


def _show_version(game: GameData) -> None:
    """Store the release number where nothing else in an empty file would tell it."""
    if game.layout.major < 2:
        return
    from overhaul.gamemaker.data.container import read_container

    data = game.to_bytes()
    found, _ = detect(data, read_container(data))
    if found.number < game.layout.number:
        general = game.general
        general.major, general.minor, general.release, general.build = game.layout.number
