"""The texts of a large game, without decoding it: its JSON files, kept in the user's cache folder.

They follow from the bytes of the file and from this package, as long as nothing was decoded, which
might have been edited.  Code is not kept here: see :mod:`overhaul.gamemaker.data.code.remembered`.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping, Set
from functools import cache
from itertools import chain
from typing import Final
from weakref import WeakKeyDictionary

import msgspec

from overhaul.document import caches
from overhaul.document.plainfiles import PlainFile, SeenLines, UnpackOptions, is_glob
from overhaul.document.protocol import Each
from overhaul.folder.texts import TEXTS, globs_of
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.spelled import entries_with
from overhaul.gamemaker.data.code.word_lines import lines_in
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.code import is_code
from overhaul.gamemaker.data_folder.kind_folders import CODE
from overhaul.gamemaker.data_folder.unpacking import plain_files
from overhaul.gamemaker.data_folder.view import ORDER, SOURCE, FolderView
from overhaul.stretch import feed

logger: logging.Logger = logging.getLogger(__name__)

_ENDING: Final = "texts"
_JSON: Final = ".json"
#: the input of the JSON files, besides the bytes of a game
_MODULES: Final = ("schema", "document", "folder", "gamemaker", "gml")
#: of a game with fewer bytes of records, making the texts takes little time
_MUCH: Final = 1 << 20
#: the chunks with code, texts, pictures and sounds, which do not become JSON files
_OTHERS: Final = ("CODE", "VARI", "FUNC", "STRG", "TXTR", "AUDO")
_CODE: Final = ""
#: processes read so many files at a time
_PART: Final = 200
#: the files that processes read, by game
_listed: WeakKeyDictionary[GameData, Mapping[str, PlainFile]] = WeakKeyDictionary()


class _File(msgspec.Struct, array_like=True):
    """A file in the order of all: ``data`` is None for one that is not kept; the path of all code
    files is ""."""

    path: str
    data: bytes | None


class KeptFile(PlainFile):
    """A plain file whose bytes are there."""

    __slots__ = ("_data",)

    def __init__(self, path: str, data: bytes) -> None:
        super().__init__(path, lambda: data)
        self._data = data

    @property
    def kept(self) -> bytes:
        """The bytes."""
        return self._data


def text_files(
    game: GameData, options: UnpackOptions, each: Each | None = None
) -> Iterator[PlainFile]:
    """The plain files that are texts, in the order of all; the JSON files of a large game that
    nobody has touched come from the cache.  It gets all of them, unless only some folders are asked
    for; ``each`` reads them in several processes."""
    if options.whole or not _wants_json(options) or not _is_kept(game):
        yield from plain_files(game, options)
        return
    name = name_of_game(game)
    files = _read(name)
    if files is None:
        if options.only and all(_is_in_folder(pattern) for pattern in options.only):
            yield from plain_files(game, options)
            return
        files = _made(game, name, each)
    wanted = [file.path or f"{CODE}/" for file in files if not file.data and _wants(options, file)]
    code: list[PlainFile] = []
    live: dict[str, PlainFile] = {}
    only = globs_of(wanted) or [ORDER]  # the game gets its warnings in any case
    for file in plain_files(game, UnpackOptions(only=only, code=options.code, whole=False)):
        if is_code(file.path):
            code.append(file)
        else:
            live[file.path] = file
    for kept in files:
        if kept.path == _CODE:
            yield from code
        elif kept.data is not None:
            yield KeptFile(kept.path, kept.data)
        elif kept.path in live:
            yield live[kept.path]


def _is_in_folder(pattern: str) -> bool:
    """Whether a pattern matches in one folder only."""
    folder, slash, _ = pattern.partition("/")
    return bool(slash) and not is_glob(folder)


def _wants_json(options: UnpackOptions) -> bool:
    """Whether files besides those of code may be asked for."""
    others = [pattern for pattern in options.only if not pattern.startswith(f"{CODE}/")]
    return bool(others or not options.only) and UnpackOptions(only=others).wants_ending(_JSON)


def _is_kept(game: GameData) -> bool:
    """Whether the texts of a game are worth keeping, and are those of its file."""
    chunks = game.chunks.values()
    size = sum(chunk.end - chunk.start for chunk in chunks if chunk.name not in _OTHERS)
    return caches.is_allowed() and size >= _MUCH and not any(chunk.decoded for chunk in chunks)


@cache
def _modules() -> str:
    return caches.stamp_of(*_MODULES)


def name_of_game(game: GameData) -> str:
    """The digest of the bytes of a game, and of the way they are read."""
    head = f"{_modules()}\0{game.release!r}\0{game.assumed}\0{len(game.data)}\0"
    whole = hashlib.blake2b(head.encode("utf-8", "surrogateescape"), digest_size=20)
    feed(whole, game.data)
    return whole.hexdigest()


def _read(name: str) -> list[_File] | None:
    """The content that is kept under a name."""
    content = caches.read(name, _ENDING)
    if content is None:
        return None
    try:
        return msgspec.msgpack.decode(content, type=list[_File])
    except (msgspec.DecodeError, ValueError) as error:
        logger.debug("a cache is no longer understood: %s", error)
        return None


def _made(game: GameData, name: str, each: Each | None) -> list[_File]:
    """The texts, with the JSON files read, and kept for the next time."""
    files: list[_File] = []
    before = len(game.findings)
    options = UnpackOptions(only=[f"*{ending}" for ending in TEXTS], whole=False, warn=False)
    read: dict[str, PlainFile] = {}
    for file in plain_files(game, options):
        if is_code(file.path):
            if not files or files[-1].path != _CODE:
                files.append(_File(_CODE, None))
        elif file.path.endswith(TEXTS):
            files.append(_File(file.path, None))
            if file.path.endswith(_JSON):
                read[file.path] = file
    contents = _contents(game, read, each)
    for made in files:
        made.data = contents.get(made.path)
    if len(game.findings) == before:  # findings of decoding have to be found again
        caches.write(name, _ENDING, msgspec.msgpack.encode(files))
    return files


def _contents(
    game: GameData, files: Mapping[str, PlainFile], each: Each | None
) -> dict[str, bytes]:
    """The contents of files, by path."""
    if each is not None:
        _listed[game] = files
        paths = list(files)
        parts = [paths[at : at + _PART] for at in range(0, len(paths), _PART)]
        try:
            made = [*each(_read_here, parts)]
        finally:
            del _listed[game]
        there = [part for part in made if part is not None]
        if len(there) == len(made):
            return dict(zip(paths, chain.from_iterable(there), strict=True))
    return {path: file.read() for path, file in files.items()}


def _read_here(game: GameData, paths: list[str]) -> list[bytes] | None:
    """The contents of listed files, in a process that inherited the list; None where decoding
    reports something, which has to be found in the process that asked."""
    before = len(game.findings)
    contents = [_listed[game][path].read() for path in paths]
    return contents if len(game.findings) == before else None


def _wants(options: UnpackOptions, file: _File) -> bool:
    return options.wants_in(CODE) if file.path == _CODE else options.wants(file.path)


def sources_with(game: GameData, word: str, *, any_case: bool) -> set[str] | None:
    """The paths of the code files that may have a word in them; None where all may."""
    found = _entries_with(game, word, any_case=any_case)
    return None if found is None else set(found)


def lines_with(
    game: GameData, word: str, paths: Set[str], *, any_case: bool, each: Each | None
) -> dict[str, SeenLines | None] | None:
    """These of some code files, each with its lines that may have the word, where these are
    known without reading all code."""
    found = _entries_with(game, word, any_case=any_case)
    if found is None:
        return None
    chosen = {path: entry for path, entry in found.items() if path in paths}
    lines = lines_in(game, list(chosen.values()), word, any_case=any_case, each=each)
    return dict(zip(chosen, lines, strict=True))


def _entries_with(game: GameData, word: str, *, any_case: bool) -> dict[str, CodeEntry] | None:
    """The code that may have a word in its source, by the path of that; None where all may."""
    entries = entries_with(game, word, any_case=any_case)
    if entries is None:
        return None
    known = {id(entry) for entry in entries}
    roots = FolderView(game).roots()
    return {f"{CODE}/{stem}{SOURCE}": entry for stem, entry in roots.items() if id(entry) in known}
