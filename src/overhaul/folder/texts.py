"""The plain files of a document, without unpacking it: by path, by what is in them, by uses.

All of it works on the files that unpacking would write, so the places reported are places in the
folder: ``code/gml_Object_obj_player_Step_0.gml:12``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from overhaul.document.names import unescape_name
from overhaul.document.plainfiles import (
    PlainFile,
    SeenLines,
    UnpackOptions,
    is_glob,
    matches,
    matches_any,
)
from overhaul.document.protocol import Document, Each, HasMembers, Member, Resource
from overhaul.document.registry import folder_format_of
from overhaul.folder.needed_words import NeededWord, needed_word, plain_word
from overhaul.folder.parallel import FEW_ENTRIES, Progress, Workers, tracked
from overhaul.folder.paths import scan
from overhaul.folder.toml import FolderSettings

#: The endings of plain files that are texts.
TEXTS = (
    *(".gml", ".asm", ".json", ".csv", ".txt", ".trs", ".asc", ".ash", ".ads"),
    *(".glsl", ".hlsl", ".ini", ".vsh", ".fsh", ".yy", ".yyp", ".gmx"),
)
#: Globs of the plain files with code, with texts that players see, and with names of resources.
CODE = ("code/*", "*.gml", "*.asm", "*.asc", "*.ash", "*.ads", "*.glsl", "*.hlsl")
#: the plain files that have nothing but texts of the game
STRINGS = ("strings.csv", "*.trs")
#: the plain files that have the names of resources
NAMES = ("*.json",)


class Match(NamedTuple):
    """A line of a plain file in which something was found; ``line`` counts from 1.

    ``path`` is the file, ``text`` the whole line.
    """

    path: str
    line: int
    text: str


def plain_files(document: Document, options: UnpackOptions) -> Iterator[PlainFile]:
    """The plain files of a document, as its format makes them."""
    return folder_format_of(document.kind).plain_files(document, options)


def find_files(
    document: Document,
    pattern: str,
    code: str = "gml",
    *,
    workers: Workers[Document] | None = None,
) -> Sequence[Member]:
    """The plain files that a path or a glob of paths names; else the document's members.

    ``code``: how code is written (``"asm"``, ``"gml"`` or ``"both"``).  ``workers`` learn from the
    code where a file needs all of it.
    """
    kept, keep = folder_format_of(document.kind).search.kept_source(document, pattern)
    if kept is not None:
        return [kept]
    if workers is not None:
        workers.learn_code(later=True)
    options = UnpackOptions(only=[pattern], code=code)
    files: list[Member] = [
        file for file in plain_files(document, options) if matches(file.path, pattern)
    ]
    members = document.members() if not files and isinstance(document, HasMembers) else ()
    for file in files:
        if file.path == pattern and isinstance(file, PlainFile):
            keep(file)
    return (
        [file for file in files if file.path == pattern]
        or files
        or [member for member in members if matches(member.path, pattern)]
    )


def find_resources(
    document: Document, patterns: Sequence[str] = (), types: Sequence[str] = ()
) -> list[Resource]:
    """The resources of a document, of all or some types (globs of ``Resource.kind``).

    ``patterns``: globs of paths, or of names where they have no slash.
    """

    def fits(resource: Resource) -> bool:
        if types and not any(fnmatchcase(resource.kind, pattern) for pattern in types):
            return False
        return not patterns or any(
            matches(resource.path, pattern)
            or ("/" not in pattern and fnmatchcase(resource.name, pattern))
            for pattern in patterns
        )

    known = folder_format_of(document.kind)
    if patterns:
        listed = known.tree_in(document, partial(_may_have, patterns=patterns))
    else:
        listed = document.tree()
    return [resource for resource in listed if fits(resource)]


def _may_have(folder: str, patterns: Sequence[str]) -> bool:
    """Whether patterns may match something in a folder of the unpacked folder."""
    return any(
        not slash or is_glob(head) or head == folder
        for head, slash, _ in (pattern.partition("/") for pattern in patterns)
    )


def search(
    workers: Workers[Document],
    pattern: re.Pattern[str],
    *,
    only: Sequence[str] = (),
    code: str = "gml",
    progress: Progress | None = None,
) -> Iterator[Match]:
    """The lines of all text files in which a pattern is found.

    ``only``: globs of the plain files to search; ``code``: search code as ``"gml"`` or ``"asm"``.
    """
    found = partial(_find, workers, pattern, needed_word(pattern), only, code, progress)
    question = ["search", pattern.pattern, pattern.flags, list(only), code]
    return _answered(workers.document, question, found)


def _answered(
    document: Document, question: object, find: Callable[[], Iterator[Match]]
) -> Iterator[Match]:
    """The lines that answer a question, as they were found before where they are kept."""
    kept = folder_format_of(document.kind).search.kept_answer(document, repr(question))
    known = None if kept is None else kept.read()
    if known is not None:
        yield from (Match(str(path), int(line), str(text)) for path, line, text in known)
        return
    found = []
    for match in find():
        found.append(match)
        yield match
    if kept is not None:
        kept.keep(found)


def names_later(document: Document) -> Callable[[], Iterable[str]]:
    """The function that gives the names of all resources of a document, and of their files."""
    kept = folder_format_of(document.kind).search.kept_answer(document, "names")

    def names() -> Iterable[str]:
        known = None if kept is None else kept.read()
        if known is not None:
            return [str(name) for row in known for name in row]
        found = {
            name
            for resource in document.tree()
            for name in (resource.name, resource.path.rpartition("/")[2].partition(".")[0])
        }
        if kept is not None:
            kept.keep([sorted(found)])
        return found

    return names


def _find(
    workers: Workers[Document],
    pattern: re.Pattern[str],
    word: NeededWord | None,
    only: Sequence[str],
    code: str,
    progress: Progress | None,
) -> Iterator[Match]:
    """As :func:`search`; ``word`` is in every source in which the pattern is found."""
    listed = _listing(workers.document, code, only, workers.each())
    seen = _seen(workers, listed, word if code == "gml" else None)
    paths = [path for path in listed if seen is None or path in seen or not _is_source(path)]
    known = {path: lines for path, lines in (seen or {}).items() if lines is not None}
    sources = [path for path in paths if _is_source(path) and path not in known]
    few = sources if len(sources) <= FEW_ENTRIES else []
    if sources:
        workers.learn_code(entries=len(sources))
    found = {path: _search(listed, path, pattern) for path in few}
    there = {path for path in paths if path in found or listed[path].kept is not None}
    others = [path for path in paths if path not in there and path not in known]
    matches = workers.map(
        partial(_listing, code=code, only=globs_of(others)),
        partial(_search_elsewhere, pattern=pattern),
        others,
    )
    made = (
        _among(path, known[path], pattern)
        if path in known
        else found[path]
        if path in found
        else _search(listed, path, pattern, word)
        if path in there
        else _taken_over(listed[path], next(matches))
        for path in paths
    )
    for matched in tracked(paths, made, progress):
        yield from matched


def _seen(
    workers: Workers[Document], listed: Mapping[str, PlainFile], word: NeededWord | None
) -> Mapping[str, SeenLines | None] | None:
    """The sources that may have a word, with their lines that may, where these are known without
    reading the source; None where any source may have it."""
    sources = set(filter(_is_source, listed))
    if word is None or not sources:
        return None
    document = workers.document
    search = folder_format_of(document.kind).search
    if len(sources) > FEW_ENTRIES:
        return search.lines_with(
            document, word.text, sources, any_case=word.any_case, each=workers.each()
        )
    having = search.sources_with(document, word.text, any_case=word.any_case)
    return None if having is None else dict.fromkeys(having & sources)


def _is_source(path: str) -> bool:
    return path.endswith(".gml")


def _among(path: str, lines: SeenLines, pattern: re.Pattern[str]) -> list[Match]:
    """The lines in which a pattern is found, as :func:`_lines` gives them."""
    texts = (
        (number, line.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        for number, line in lines
    )
    return [
        Match(path, number, text)
        for number, line in texts
        if pattern.search(text := line.removesuffix("\r"))
    ]


def uses(
    workers: Workers[Document], name: str, *, progress: Progress | None = None
) -> Iterator[Match]:
    """Where a resource is used: as a word of code, and as a value in JSON files.

    ``name`` may also be the path of its files.  Left out are the resource's own files, and lines
    that the format says only list it (:class:`~overhaul.document.folder_format.FolderFormat`).
    """
    found = partial(_uses, workers, name, progress)
    return _answered(workers.document, ["uses", name], found)


def _name_at(document: Document, name: str) -> str:
    """The name of the resource whose files are at a path; other names are returned unchanged."""
    return _named(name, (resource.path for resource in document.tree())) if "/" in name else name


def _named(path: str, known: Iterable[str]) -> str:
    """The name that a file or folder at a path has; the path if it is not one of the ``known``,
    and for things that have only a number, as ``characters/1``."""
    path = path.rstrip("/")
    for whole in known:
        stem = os.path.splitext(whole)[0]
        if path in (whole, stem) or path.startswith(f"{whole}/"):
            name = unescape_name(stem.rpartition("/")[2])
            return path if name.isdecimal() else name
    return path


def _uses(workers: Workers[Document], name: str, progress: Progress | None) -> Iterator[Match]:
    """As :func:`uses`."""
    kind, name = workers.document.kind, _name_at(workers.document, name)
    by_number = folder_format_of(kind).mentions.has_numbers
    files = _listing(workers.document, "gml", (), workers.each()) if by_number else {}
    use = _Use(kind, name, {path: file.read for path, file in files.items()})
    files = files or (_listing(workers.document, "gml", ()) if use.paths else {})
    word = None if use.numbers else plain_word(name)
    matches = _find(workers, use.pattern, word, use.searched, "gml", progress)
    return chain(use.named({path: file.read for path, file in files.items()}), filter(use, matches))


def search_folder(
    folder: str, pattern: re.Pattern[str], *, only: Sequence[str] = ()
) -> Iterator[Match]:
    """As :func:`search`, in the plain files of an unpacked folder as they are on the disk."""
    FolderSettings.load(folder)  # there must be one
    for path in sorted(scan(folder)):
        if path.endswith(TEXTS) and (not only or matches_any(path, only)):
            with open(os.path.join(folder, path), "rb") as file:
                yield from _lines(path, file.read(), pattern)


def uses_in_folder(folder: str, name: str) -> Iterator[Match]:
    """As :func:`uses`, in an unpacked folder, whose files are called as their resources."""
    files = {path: Path(folder, path).read_bytes for path in sorted(scan(folder))}
    if "/" in name:  # a resource has a folder, or one file, in that of its kind
        name = _named(name, dict.fromkeys("/".join(path.split("/")[:2]) for path in files))
    use = _Use(FolderSettings.load(folder).kind, name, files)
    matches = search_folder(folder, use.pattern, only=use.searched)
    return chain(use.named(files), filter(use, matches))


def uses_of_all(
    kind: str, names: Iterable[str], files: Mapping[str, Callable[[], bytes]]
) -> Iterator[tuple[str, Match]]:
    """The results of :func:`uses` for each of several names, with the name, in one pass over
    ``files``.

    Nothing is said of files that use a resource by their own names.
    """
    sought = _Sought([_Use(kind, name, files) for name in dict.fromkeys(names)])
    searched = sought.uses[0].searched if sought.uses else ()
    for path, read in files.items():
        if not (path.endswith(TEXTS) and matches_any(path, searched)):
            continue
        lines = read().decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        for number, line in enumerate(lines, 1):
            for use in sought.candidates(line):
                match = Match(path, number, line)
                if use.pattern.search(line) and use(match):
                    yield use.name, match


_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"[0-9]+")
_WITH_USES = ("*.gml", "*.json")


class _Use:
    """Chooses the lines that use a resource of a kind of document."""

    def __init__(self, kind: str, name: str, files: Mapping[str, Callable[[], bytes]]) -> None:
        self.name = name
        known = folder_format_of(kind).mentions
        self._defines = known.defines
        self.searched: Sequence[str] = (*_WITH_USES, *known.files())
        self._listings = known.listings(name)
        self.paths = known.paths(name)
        #: the patterns of values, and of those among them that have a number of the resource
        self.keys = known.keys(name)
        self.numbers = known.by_number(name, files.keys(), lambda path: files[path]())
        keys = "|".join(filter(None, (self.keys, self.numbers)))
        escaped = re.escape(name)
        word = rf"(?<!\w){escaped}(?!\w)"
        self.pattern = re.compile(f"{word}|{keys}" if keys else word)
        self._value = re.compile(f'"{escaped}"|{keys}' if keys else f'"{escaped}"')

    def named(self, files: Mapping[str, Callable[[], bytes]]) -> Iterator[Match]:
        """The first lines of files that use the resource by their own names."""
        for path, read in files.items() if self.paths else ():
            if re.search(self.paths, path):
                yield Match(path, 1, read().decode("utf-8", "replace").partition("\n")[0])

    def __call__(self, match: Match) -> bool:
        if self.name in match.path.split("/")[1:2]:
            return False
        if self._defines(match.path, match.text, self.name):
            return False
        if match.path.endswith(".json") and not self._value.search(match.text):
            return False  # a part of a longer text
        listing = self._listings.get(match.path)
        return listing is None or not re.match(listing, match.text)


class _Sought:
    """Uses that are sought at once: which may be in a line follows from its words and numbers."""

    def __init__(self, uses: Sequence[_Use]) -> None:
        self.uses = uses
        self._by_word: dict[str, list[int]] = {}
        self._always: list[int] = []
        for at, use in enumerate(uses):
            if use.keys or not _WORD.fullmatch(use.name):
                self._always.append(at)
                continue
            # a pattern of a number has its digits, or the macro that is called as the resource
            words = {use.name, use.name.upper(), *_DIGITS.findall(use.numbers)}
            for word in words:
                self._by_word.setdefault(word, []).append(at)

    def candidates(self, line: str) -> Iterator[_Use]:
        """The uses that may be in a line."""
        found = set(self._always)
        for word in _WORD.findall(line):
            found.update(self._by_word.get(word, ()))
        return (self.uses[at] for at in sorted(found))


def _listing(
    document: Document, code: str, only: Sequence[str], each: Each | None = None
) -> dict[str, PlainFile]:
    """The plain files that are texts and match one of the globs, if there are any, by path."""
    # Pictures and sounds are not asked for, so that listing does not decode them.
    wanted = only or [f"*{ending}" for ending in TEXTS]
    options = UnpackOptions(only=wanted, code=code, whole=False)
    known = folder_format_of(document.kind)
    listed = known.search.files(document, options, each)
    if listed is None:
        listed = known.plain_files(document, options)
    return {
        file.path: file
        for file in listed
        if file.path.endswith(TEXTS) and (not only or matches_any(file.path, only))
    }


def globs_of(paths: Iterable[str]) -> list[str]:
    """Globs of the folders that files are in, whose names may have signs of globs themselves."""
    parts = (path.partition("/") for path in paths)
    return sorted({f"{head}/*" if slash else head for head, slash, _ in parts})


def _search(
    files: dict[str, PlainFile], path: str, pattern: re.Pattern[str], word: NeededWord | None = None
) -> list[Match]:
    content = files[path].read()
    return [] if word is not None and not word.is_in(content) else _lines(path, content, pattern)


def _search_elsewhere(
    files: dict[str, PlainFile], path: str, pattern: re.Pattern[str]
) -> tuple[list[Match], object]:
    """The lines found, and what reading the file found out."""
    found = _search(files, path, pattern)
    return found, files[path].finding()


def _taken_over(file: PlainFile, made: tuple[list[Match], object]) -> list[Match]:
    """The lines that another process found."""
    found, finding = made
    if finding is not None:
        file.take_over(finding)
    return found


def _lines(path: str, content: bytes, pattern: re.Pattern[str]) -> list[Match]:
    text = content.decode("utf-8", "replace").replace("\r\n", "\n")
    return [
        Match(path, number, line)
        for number, line in enumerate(text.split("\n"), 1)
        if pattern.search(line)
    ]
