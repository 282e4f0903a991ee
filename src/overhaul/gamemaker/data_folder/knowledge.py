"""What a game's plain files mean to each other, and files that people drop into the folder.

A dropped strip, GIF or picture of any name becomes the numbered frames of its sprite, a picture of
another format the PNG file of its tile set, an ending in capitals the usual one, code next to its
object a file of code/.  Packing then sees only plain files; a file without a place is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from overhaul.document.names import escape_name, unescape_name
from overhaul.document.plainfiles import Change, Folder
from overhaul.document.protocol import Document
from overhaul.errors import OverhaulError, PlainFileError
from overhaul.folder.dropped import Dropped
from overhaul.folder.json_fields import json_bytes, read_object, wide
from overhaul.gamemaker.data.chunks import CHUNKS, KIND_CHUNKS
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.code.additions import OBJECT_PREFIX
from overhaul.gamemaker.data.code.context import (
    GLOBAL_SCRIPT_PREFIX,
    SCRIPT_PREFIX,
    resource_names,
)
from overhaul.gamemaker.data.code.mention_index import words_of
from overhaul.gamemaker.data.code.mentions import has_plain_numbers
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.converting import mask_of_other_size
from overhaul.gamemaker.data.sprite_shape import SHAPE, expects_sequence, size_of_masks
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder.code import stem_of
from overhaul.gamemaker.data_folder.code_details import CODE_DETAILS
from overhaul.gamemaker.data_folder.kinds import TABLES, kinds_of
from overhaul.gamemaker.data_folder.names import REFERRED
from overhaul.gamemaker.data_folder.pictures import BACKGROUNDS, EMBEDDED_IMAGES, FONTS
from overhaul.gamemaker.data_folder.sounds import ENDINGS, SOUNDS
from overhaul.gamemaker.data_folder.sprites import SPRITES, mask_png
from overhaul.gamemaker.data_folder.strings import STRINGS
from overhaul.gamemaker.data_folder.tables import (
    GAME_END,
    GENERAL,
    GLOBAL_INIT,
    SCRIPTS,
    TEXTURE_GROUPS,
)
from overhaul.gamemaker.data_folder.texture_pages import FOLDER, TEXTURES
from overhaul.gamemaker.data_folder.view import ASSEMBLY, CODE, ORDER, SOURCE
from overhaul.gml.syntax.lexer import words
from overhaul.lazy import LazyModule
from overhaul.media import masks
from overhaul.media.frames import EXTENSIONS, strip_of
from overhaul.schema import Record

if TYPE_CHECKING:
    from PIL import Image
else:  # start-up: Pillow
    Image = LazyModule("PIL.Image")

#: what follows from resources, their pictures and their code, and how the file is laid out
_DERIVED = (TEXTURES, CODE_DETAILS, "overhaul.toml")


def derived(game: GameData, path: str) -> bool:
    """Whether a plain file follows from the others: texture pages, what code's source does not
    say, the table of all texts, which resources and code show, and how the file is laid out."""
    if path.startswith(f"{FOLDER}/"):
        return path.endswith(".png")
    if game.is_native:  # its code is elsewhere, and what runs it is numbers
        return path in _DERIVED or path in (SCRIPTS.path, GLOBAL_INIT.path, GAME_END.path)
    return path in _DERIVED or path == STRINGS


def texts(path: str) -> bool:
    """strings.csv."""
    return path == STRINGS


def ordering(path: str, key: str) -> bool | None:
    """order.json lists all resources; the order of code entries stays."""
    return key != CODE if path == ORDER else None


def keys_ordered(game: GameData, path: str) -> bool:
    """Before 2.3 the places in scripts.json are the numbers of scripts in code."""
    return path == SCRIPTS.path and game.release.number < (2, 3)


def meaning(game: GameData, path: str, value: object, touched: Set[str] | None) -> object:
    """The functions inside of code follow from it in scripts.json; the pages of texture groups
    from their pictures."""
    if path == SCRIPTS.path and isinstance(value, dict):
        return {name: code for name, code in value.items() if not _is_inside(game, code, touched)}
    if path == TEXTURE_GROUPS.path and isinstance(value, list) and touched is None:
        return [_named_only(group) for group in value]
    return value


def _is_inside(game: GameData, code: object, touched: Set[str] | None) -> bool:
    """Whether code is a function inside an entry (one whose file was touched)."""
    name = next(iter(code.values()), None) if isinstance(code, dict) else code
    entry = game.records.code.get(name) if isinstance(name, str) and "CODE" in game.chunks else None
    root = entry.root if entry is not None else None
    if root is None or touched is None:
        return root is not None
    stem = escape_name(str(root.name))
    return bool(touched & {f"{CODE}/{stem}{SOURCE}", f"{CODE}/{stem}{ASSEMBLY}"})


def _named_only(group: object) -> object:
    """A texture group with only its named members."""
    if not isinstance(group, dict):
        return group
    shown = {key: value for key, value in group.items() if key != "pages"}
    return {
        key: [item for item in value if isinstance(item, str)] if isinstance(value, list) else value
        for key, value in shown.items()
    }


#: what follows from the rest of general.json and the code, or says who compiled the game and when
_MADE = frozenset(
    ("uid", "timestamp", "licence_crc32", "licence_md5", "function_classifications", "game_guid")
)


def fixed(path: str, key: str) -> bool:
    """What tables say of the release, such as the version in general.json, what follows from
    others or from the compiling tool, and of a sound its length and the number of its bytes."""
    if path == GENERAL.path and key in _MADE:
        return True
    if path.startswith(f"{SOUNDS.folder}/"):
        return key in ("length", "audio")
    return any(key in table.fixed for table in TABLES if table.path == path)


def counter(path: str, key: str) -> bool:
    """The last ids that were given."""
    return path == GENERAL.path and key in ("last_object_id", "last_tile_id")


def share_analysis(one: GameData, two: GameData) -> None:
    """Called before a comparison, to share what is inferred from code that is the same in both
    games."""
    two.language.share_analysis(one.language)


def declared(game: GameData, path: str) -> tuple[type[Record], Version] | None:
    """The record whose fields a JSON file of a resource or a table shows."""
    for kind in kinds_of(game.release):
        stem = kind.stem_of(path)
        if stem is not None and kind.json_path(stem) == path:
            return kind.record, game.release
    for table in TABLES:
        if table.path == path and table.chunk in game.chunks:
            record = game.record(table.chunk)
            return None if record is None else (type(record), game.release)
    return None


def reference_kinds(game: GameData) -> dict[str, str]:
    """The kinds of resources by the chunks that references name."""
    kinds = {chunk: CHUNKS[chunk].title for chunk in REFERRED}
    if game.release.major >= 2:
        kinds["BGND"] = "background"
    return {**kinds, "parent": CHUNKS["OBJT"].title}


def use_keys(name: str) -> str:
    """The keys of events with an object: ``"Collision_obj_wall":``."""
    return rf'"[A-Z][A-Za-z]*_{re.escape(name)}":'


def listings(name: str) -> Mapping[str, str]:
    """order.json lists all resources, scripts.json all scripts, each with its code."""
    escaped = re.escape(name)
    return {"order.json": "", "scripts.json": rf'\s*"{escaped}": (?!"{escaped}")'}


#: the details of a sprite that the release decides
_OF_RELEASE = ("sub_version", "sequence")


def adapted(path: str, read: Callable[[str], bytes], source: Document, target: Document) -> bytes:
    """A file of a resource of one game as another game has it: collision masks of the bounding box
    (2024.6 and later) or of the whole sprite, and sprites with a sequence of their frames or not.
    """
    data = read(path)
    stem = SPRITES.stem_of(path)
    if not stem or not isinstance(source, GameData) or not isinstance(target, GameData):
        return data
    place = SPRITES.json_path(stem)
    if path == place and source.release != target.release:
        return _sprite_json(data, path, target)
    if not path.startswith(f"{SPRITES.folder}/{stem}/mask_"):
        return data
    values = read_object(read(place), place)
    shape = Sprite()
    for name in SHAPE:
        setattr(shape, name, _number(values.get(name)))
    before, after = size_of_masks(source, shape), size_of_masks(target, shape)
    if before == after or not all(before) or not all(after):
        return data
    with Image.open(BytesIO(data), formats=["PNG"]) as image:
        packed = masks.pack(masks.from_image(image))
    return mask_png(mask_of_other_size(packed, shape, before, after), *after)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _sprite_json(data: bytes, path: str, target: GameData) -> bytes:
    values = read_object(data, path)
    details = values.get("details")
    if not isinstance(details, dict):
        return data
    keeps = expects_sequence(target, Sprite(sub_version=3))
    left = {key: value for key, value in details.items() if key not in _OF_RELEASE or keeps}
    if left == details:
        return data
    values = {key: value for key, value in values.items() if key != "details"}
    return json_bytes(values | ({"details": left} if left else {}), wide)


def words_in(lines: Iterable[str]) -> set[str]:
    """The words of lines of source, without texts and comments."""
    return {word for line in lines for word in words_of(line)}


def tokens(game: GameData, source: str) -> list[str]:
    """The names, numbers, texts and signs of a source, without comments."""
    dialect = game.language.context.dialect
    return words(source, gms2=dialect.gms2_or_later, v2=dialect.gml_v2)


def names_in(game: GameData, lines: Iterable[str]) -> dict[str, tuple[str, int]]:
    """The resources that lines of source name: their kinds and numbers, by name; and since 2.3 the
    game's functions.

    Before, code that calls a function which is not there does not compile.
    """
    context = game.language.context
    names = {}
    for line in lines:
        for word in words_of(line):
            asset = context.asset_ids.get(word)
            if asset is not None and asset[0] != "script":
                names[word] = asset
        if context.dialect.gml_v2:
            for word in words_of(_MEMBERS.sub("", line)):
                if word in context.functions and word not in names:
                    names[word] = (_FUNCTION, 0)
    return names


#: the kind of a name that is a function of the game, which has no number in code
_FUNCTION = "function"
_MEMBERS = re.compile(r"\.\s*\w+")


def numbers_in(game: GameData, path: str, lines: Set[str] | None) -> dict[int, dict[str, str]]:
    """The numbers in lines of a code file (None: all of it, as assembly) that may stand for
    resources, and meet other code: by number, the name that each kind has."""
    return _numbers_in(game, path, lines, own=False)


def own_numbers_in(game: GameData, path: str, lines: Set[str] | None) -> dict[int, dict[str, str]]:
    """The same of numbers that meet only code of that file."""
    return _numbers_in(game, path, lines, own=True)


def _numbers_in(
    game: GameData, path: str, lines: Set[str] | None, *, own: bool
) -> dict[int, dict[str, str]]:
    kinds = [kind for kind, chunk in KIND_CHUNKS.items() if has_plain_numbers(game, chunk)]
    entry = game.records.code.get(unescape_name(stem_of(path))) if kinds else None
    if entry is None:
        return {}

    def means(number: int) -> bool:
        return any(True for _ in _named(game, kinds, number))

    try:
        if lines is None:
            shown = game.language.doubtful(entry)
        else:
            shown = game.language.doubts_in(entry, lines, means)
    except OverhaulError:  # code that can't be read is carried byte for byte
        return {}
    source = shown.source.split("\n")
    doubts = {
        doubt.value
        for doubt in shown.doubts
        if (lines is None or source[doubt.line - 1] in lines)
        and (doubt.within in ("entry", "set")) is own
    }
    numbers = {number: dict(_named(game, kinds, number)) for number in doubts}
    for name, (kind, number) in names_in(game, source).items() if lines is None and not own else ():
        if kind in kinds:
            numbers.setdefault(number, {})[kind] = name
    return {number: names for number, names in numbers.items() if names}


def _named(game: GameData, kinds: Iterable[str], number: int) -> Iterator[tuple[str, str]]:
    context = game.language.context
    for kind in kinds:
        name = context.asset_name(kind, number)
        if name is not None:
            yield kind, name


def number_of(game: GameData, kind: str, name: str) -> int | None:
    """The number of a resource, by its kind and name; None where there is none."""
    if kind == _FUNCTION:
        return 0 if name in game.language.context.functions else None
    if kind in KIND_CHUNKS:  # without decoding code
        names = resource_names(game, KIND_CHUNKS[kind])
        return names.index(name) if name in names else None
    assets = game.language.context.assets.get(kind, {})
    return next((number for number, known in assets.items() if known == name), None)


_PICTURES = frozenset(EXTENSIONS)
_SOUNDS = frozenset(ENDINGS) - {".bin"}
#: sources of pictures, which lie next to the files made from them
_SOURCES = frozenset({".ase", ".aseprite"})
#: the files that a sprite's pictures have in the folder
_OWN = re.compile(r"(mask_)?[0-9]{1,6}\.png")
_FRAME = re.compile(r"[0-9]{1,6}\.png")


def take_others(
    game: GameData, folder: Folder, changes: Mapping[str, Change]
) -> tuple[Folder, Mapping[str, Change], Mapping[str, str]]:
    """The folder and its changes, with plain files in place of dropped files, and the source of
    each.

    Raises WorkspaceError for a dropped file that can't be read, or has no place.
    """
    dropped = _Dropped(game, folder, changes)
    for path in [path for path, change in changes.items() if change == "added"]:
        dropped.sort(path)
    for place, paths in dropped.sprites.items():
        dropped.take_frames(place, paths)
    if not dropped.taken:
        return folder, changes, {}
    return dropped.shown(), dropped.now, dropped.made_of


class _Dropped(Dropped):
    """The files that were dropped into the folder of a game."""

    def __init__(self, game: GameData, folder: Folder, changes: Mapping[str, Change]) -> None:
        super().__init__(folder, changes)
        self.game = game
        #: the dropped files with the frames of a sprite, by its folder
        self.sprites: dict[str, list[str]] = {}
        kinds = kinds_of(game.release)
        self._folders = {kind.folder: kind for kind in kinds}
        self._single = {k.folder for k in kinds if k.chunk in _SINGLE}

    def sort(self, path: str) -> None:
        """Find the place of an added file.  Raises WorkspaceError for one that has none."""
        head, _, rest = path.partition("/")
        if head == _SCRIPTS and rest.endswith(SOURCE) and "/" not in rest:
            prefix = GLOBAL_SCRIPT_PREFIX if self.game.release.at_least(2, 3) else SCRIPT_PREFIX
            self.show(f"{CODE}/{prefix}{rest}", path)
            return
        kind = self._folders.get(head)
        if kind is None or not rest:
            return
        deep = "/" in rest
        pure = PurePosixPath(rest)
        ending = pure.suffix.lower()
        if head == SPRITES.folder and ending in _PICTURES | _SOURCES:
            if not (deep and _OWN.fullmatch(pure.name)):
                stem = rest.partition("/")[0] if deep else strip_of(rest)[0]
                self.sprites.setdefault(f"{head}/{stem}", []).append(path)
        elif head in self._single and not deep and ending in _PICTURES:
            if pure.suffix != ".png":
                self.show_single(path, f"{head}/{pure.stem}.png")
        elif head == SOUNDS.folder and not deep and ending in _SOUNDS:
            if pure.suffix != ending:
                self.show(f"{head}/{pure.stem}{ending}", path)
        elif ending == ".json" and kind.main:
            if not deep:
                self.show(kind.json_path(pure.stem), path)
            elif path != kind.json_path(rest.partition("/")[0]):
                raise PlainFileError(f"it has no place here: expected {kind.main}", path)
        elif ending == SOURCE:
            if kind.chunk != "OBJT" or rest.count("/") != 1:
                raise PlainFileError(f"it has no place here: code goes into {CODE}/", path)
            name = f"{OBJECT_PREFIX}{rest.partition('/')[0]}_{pure.stem}"
            self.show(f"{CODE}/{name}{SOURCE}", path)
        elif ending in _PICTURES | _SOUNDS and not (kind.chunk == "FONT" and pure.name == _FONT):
            raise PlainFileError(f"it has no place here: {_where(ending in _SOUNDS)}", path)

    def take_frames(self, place: str, paths: Sequence[str]) -> None:
        """Number the frames of a sprite's dropped files."""
        files = [p for p in paths if PurePosixPath(p).suffix.lower() not in _SOURCES]
        own = next(iter(self._own_frames(place)), None)
        if not files and own is not None:
            return  # a source next to the pictures: packing reports that it has no effect
        self.show_frames(place, files or paths, own)

    def _own_frames(self, place: str) -> Iterator[str]:
        """The numbered frames that a sprite has, in the folder or in the game."""
        start = f"{place}/"
        for path in self.folder.list():
            if path.startswith(start) and _FRAME.fullmatch(path[len(start) :]):
                yield path
        record = self.game.records.sprites.get(unescape_name(place.partition("/")[2]))
        for number in range(0 if record is None else len(record.textures)):
            path = f"{start}{number}.png"
            if self.changes.get(path) != "removed":
                yield path


_SCRIPTS = "scripts"
_SINGLE = (BACKGROUNDS.chunk, EMBEDDED_IMAGES.chunk)
_FONT = f"{PurePosixPath(FONTS.main).stem}.png"


def _where(is_sound: bool) -> str:
    return "sounds go into sounds/" if is_sound else "pictures of sprites go into sprites/NAME/"
