"""Letters of a translation drawn into the fonts that lack them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.code.checking import difference
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.rooms import Room
from overhaul.gml.syntax import tree
from overhaul.gml.values import called_name
from overhaul.media.typeface import Typeface
from overhaul.suggest import did_you_mean
from overhaul.translate.gamemaker.faces import OWN_LETTERS, UNKNOWN_LOOK, Faces, letters_of

if TYPE_CHECKING:
    from overhaul.translate.families import FontFiles, Job
    from overhaul.translate.gamemaker.shown import ShownTexts

#: the font of a game that had none, and its size in points, which is that of GameMaker's own
NAME: Final = "fnt_translation"
_SIZE: Final = 12
#: functions after which another font than GameMaker's own may be set
_SETS_FONTS: Final = frozenset(("draw_set_font", "action_font", "font_add", "font_add_sprite"))


def check_names(files: FontFiles, game: GameData) -> None:
    """Raise KeyError for the name of a font that the game has not."""
    names = game.fonts.names()
    for name in files.by_name:
        if name not in names:
            raise KeyError(f"there is no font named {name!r}{did_you_mean(name, names)}")


@contextmanager
def drawable(game: GameData, job: Job) -> Iterator[GameData]:
    """A game into whose fonts typefaces are drawn; a copy of it, if it is kept.  Raises KeyError
    for the name of a font that the game has not."""
    if job.typefaces is None:
        yield game
        return
    check_names(job.typefaces, game)
    if not job.keep:
        yield game
        return
    with GameData.from_bytes(game.to_bytes(), source=game.source) as copy:
        yield copy


def extend(
    files: FontFiles,
    faces: Faces,
    wanted: Mapping[str, str],
    shown: ShownTexts,
    *,
    partly: bool = False,
) -> list[str]:
    """Draw what the translations (by their texts) need; where the font of a text is not evident,
    into all fonts.  A game without fonts gets one, where it can; returns why it can't.

    Raises ValueError for letters that no typeface has; with ``partly`` the others are drawn.
    """
    if not faces.any():
        return _add_font(files, faces, wanted, shown, partly)
    needed: defaultdict[str, set[str]] = defaultdict(set)
    for text, new in wanted.items():
        letters = letters_of(faces.game, new)
        for look in faces.looks.get(text, UNKNOWN_LOOK):
            face = faces.of(look)
            if look.drawn and (face is None or not face.of_sprite):
                for name in faces.fonts if face is None else (face.name,):
                    needed[name] |= letters
    for name, letters in needed.items():
        typefaces = files.by_name.get(name, files.common)
        font = faces.game.fonts[name]
        missing = font.missing("".join(sorted(letters)))
        if partly:
            missing = _drawn(typefaces, missing)
        if not typefaces or not missing:
            continue
        try:
            if files.rebuild:
                font.rebuild(typefaces, chars=[*font.glyphs, *missing])
            else:
                font.add_glyphs(typefaces, missing)
        except OverhaulError:
            raise
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        faces.fonts[name].forget()
    return []


def _drawn(typefaces: list[Typeface], letters: list[str]) -> list[str]:
    """The letters that one of the typefaces has."""
    return [
        letter
        for letter in letters
        if any(ord(letter) in typeface.characters for typeface in typefaces)
    ]


def _add_font(
    files: FontFiles, faces: Faces, wanted: Mapping[str, str], shown: ShownTexts, partly: bool
) -> list[str]:
    """Give a game its first font, and let its first room set it."""
    game = faces.game
    letters: set[str] = set()
    for text, new in wanted.items():
        if any(look.drawn for look in faces.looks.get(text, UNKNOWN_LOOK)):
            letters |= letters_of(game, new)
    if not files.common or not letters - OWN_LETTERS:
        return []
    reference = next(iter(game.general.room_order), None)
    record = reference.target if isinstance(reference, Reference) else None
    room = None if record is None else Room(game, record)
    why = _why_no_font(game, room, shown)
    if why or room is None:
        return [f"the game has no font, and none is added: {why}"]
    more = sorted(letters - OWN_LETTERS)
    chars = [
        *_drawn(files.common, sorted(OWN_LETTERS)),
        *(_drawn(files.common, more) if partly else more),
    ]
    name, number = NAME, 1
    while name in game.language.context.asset_ids:
        number += 1
        name = f"{NAME}_{number}"
    font = game.fonts.add(name, ttf=files.common, chars="".join(chars), size=_SIZE)
    code = room.creation_code
    game.language.forget()
    room.set_creation_code(f"draw_set_font({name});\n{code.gml if code is not None else ''}")
    faces.add(font)
    return []


def _why_no_font(game: GameData, room: Room | None, shown: ShownTexts) -> str:
    """Why a game gets no font; "" where it can get one."""
    if game.is_native:
        return "the game is native code (YYC), which can't set it"
    if room is None:
        return "the game has no room whose code could set it"
    for block, _ in shown.blocks:
        for node in block.walk():
            if isinstance(node, tree.Call) and called_name(node.function) in _SETS_FONTS:
                return f"the game's code calls {called_name(node.function)}"
    code = room.creation_code
    if code is not None:
        try:
            differs = difference(game, code.record, code.gml)
        except OverhaulError as error:
            differs = str(error)
        if differs:
            return f"{code.name} does not compile to the same instructions"
    return ""
