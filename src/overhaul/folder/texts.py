"""The texts of a document, without unpacking it: code as source or assembly, search, uses.

All of it works on the plain files that unpacking would write, so the places told are places in
the folder: ``code/gml_Object_obj_player_Step_0.gml:12``.
"""

from __future__ import annotations

import re
from functools import partial

from overhaul.document.plainfiles import UnpackOptions, matches_any
from overhaul.document.registry import folder_format_of
from overhaul.folder.parallel import learn_code, map_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from overhaul.document.plainfiles import PlainFile
    from overhaul.document.protocol import Document
    from overhaul.folder.parallel import Source

#: The endings of plain files that are texts.
TEXTS = (".gml", ".asm", ".json", ".csv", ".txt", ".trs", ".asc", ".ash", ".glsl", ".hlsl", ".ini")
#: Where code lies in the folder.
CODE = "code"


class Match:
    """A line of a plain file in which something was found; ``line`` counts from 1."""

    __slots__ = ("line", "path", "text")

    def __init__(self, path: str, line: int, text: str) -> None:
        self.path = path
        self.line = line
        self.text = text

    def __repr__(self) -> str:
        return f"Match({self.path!r}, {self.line}, {self.text!r})"


def code_paths(document: Document, code: str, names: Sequence[str] = ()) -> list[str]:
    """The plain files of code entries (``code``: ``"gml"`` or ``"asm"``); some, by globs of names.

    A name is that of the entry, of its file, or a path.
    """
    ending = f".{code}"
    options = UnpackOptions(only=[f"{CODE}/*"], code=code, whole=False)
    paths = [
        file.path
        for file in plain_files(document, options)
        if file.path.startswith(f"{CODE}/") and file.path.endswith(ending)
    ]
    if not names:
        return paths
    return [
        path
        for path in paths
        if matches_any(path, names) or matches_any(path[len(CODE) + 1 : -len(ending)], names)
    ]


def read_texts(
    source: Source,
    document: Document,
    paths: Sequence[str],
    code: str,
    *,
    jobs: int = 1,
    assume_version: str | None = None,
) -> Iterator[str]:
    """The texts of plain files, in order; in several processes if asked for."""
    yield from map_parts(
        source,
        partial(_listing, code=code),
        _read,
        paths,
        document=document,
        assume_version=assume_version,
        jobs=jobs,
    )


def search(
    source: Source,
    document: Document,
    pattern: re.Pattern[str],
    *,
    only: Sequence[str] = (),
    code: str = "gml",
    jobs: int = 1,
    assume_version: str | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Iterator[Match]:
    """The lines of all text files in which a pattern is found.

    ``only``: globs of the plain files to search.
    """
    paths = text_paths(document, code, only)
    if any(path.endswith(".gml") for path in paths):
        learn_code(source, document, jobs)
    found = map_parts(
        source,
        partial(_listing, code=code),
        partial(_search, pattern=pattern),
        paths,
        document=document,
        assume_version=assume_version,
        jobs=jobs,
    )
    for index, matches in enumerate(found):
        if progress is not None:
            progress(index, len(paths), paths[index])
        yield from matches
    if progress is not None:
        progress(len(paths), len(paths), "")


def uses(
    source: Source,
    document: Document,
    name: str,
    *,
    jobs: int = 1,
    assume_version: str | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Iterator[Match]:
    """Where a resource is used: as a word of code, and as a value in JSON files.

    The places of its own files and of the lists that just name everything (``order.json``,
    ``strings.csv``) are left out.
    """
    escaped = re.escape(name)
    key = rf'"[A-Z][A-Za-z]*_{escaped}":'  # an event with it: "Collision_obj_wall"
    word = re.compile(rf"(?<!\w){escaped}(?!\w)|{key}")
    own = re.compile(rf'\s*"{escaped}": (?!"{escaped}")')  # a script in the list of scripts
    event = re.compile(key)
    for match in search(
        source,
        document,
        word,
        only=["*.gml", "*.json"],
        jobs=jobs,
        assume_version=assume_version,
        progress=progress,
    ):
        if match.path == "order.json" or name in match.path.split("/")[1:2]:
            continue
        if match.path == "scripts.json" and own.match(match.text):
            continue
        if (
            match.path.endswith(".json")
            and f'"{name}"' not in match.text
            and not event.search(match.text)
        ):
            continue  # a part of a longer text
        yield match


def text_paths(document: Document, code: str, only: Sequence[str] = ()) -> list[str]:
    """The plain files that are texts."""
    return [path for path in _listing(document, code) if not only or matches_any(path, only)]


def plain_files(document: Document, options: UnpackOptions) -> Iterator[PlainFile]:
    """The plain files of a document, as its format makes them."""
    return folder_format_of(document.kind).plain_files(document, options)


def _listing(document: Document, code: str) -> dict[str, PlainFile]:
    """The plain files that are texts, by path."""
    # Pictures and sounds are not asked for, so that listing does not decode them.
    only = [f"*{ending}" for ending in TEXTS]
    options = UnpackOptions(only=only, code=code, whole=False)
    return {file.path: file for file in plain_files(document, options) if file.path.endswith(TEXTS)}


def _read(files: dict[str, PlainFile], path: str) -> str:
    return files[path].read().decode("utf-8", "replace")


def _search(files: dict[str, PlainFile], path: str, pattern: re.Pattern[str]) -> list[Match]:
    return [
        Match(path, number, line)
        for number, line in enumerate(_read(files, path).split("\n"), 1)
        if pattern.search(line)
    ]
