"""The references between the documents of a package, compared before and after an edit.

The game names rooms and sprites; rooms and their scripts hold names and numbers of the game's
things.  A package that is taken apart is edited by all its files; one that shows its documents as
files is edited inside of some of them (``PackOptions.inside``).  A document that people put in the
place of another is theirs: nothing is compared then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Final

from overhaul.ags.decompiler.decompiler import Environment
from overhaul.ags.decompiler.files import script_files
from overhaul.ags.decompiler.game import environment_of
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.folder import (
    across,
    layout,
    linking,
    references,
    renumbering,
    resources,
    stored_game,
)
from overhaul.ags.script.model import Script
from overhaul.ags.versions import SCRIPT_NEWEST_COMPILED
from overhaul.document.names import unescape_name
from overhaul.document.plainfiles import Change, Folder
from overhaul.findings import Findings

#: The endings of a script's files that people edit, and the folders of scripts.
_PARTS: Final = frozenset({"asc", "ash", "asm"})
_FOLDERS: Final = ("rooms/", "scripts/")
_GAME: Final = "ags-game"
_SPRITES: Final = "ags-sprites"
_ROOM: Final = "ags-room"


class Consistency:
    """The references in a package before an edit, to find those that it breaks."""

    def __init__(
        self, document: PackageDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> None:
        self._document = document
        self._folder = folder
        self._changes = changes
        inside: set[str] = set()
        if document.flat:
            inside = {_kind_of(path) for path in folder.options.inside}
            gone = {_kind_of(path) for path, change in changes.items() if change == "removed"}
            refers = bool(inside & {_GAME, _SPRITES}) or _ROOM in gone
            named = numbers = _GAME in inside
        else:
            refers = _any(changes, across.PATHS)
            named, numbers = _any(changes, across.NAMED), _any(changes, across.THINGS)
        self._rooms = across.rooms(document)
        defines = _GAME in inside if document.flat else "properties.json" in changes
        self._properties = across.defined_properties(document) if defines else set()
        #: the sources that are edited, with what they imported
        edited = set() if document.flat else set(_edited(changes))
        self._edited = {path: set[str]() for path in edited}
        for source in self._sources(edited) if edited else ():
            if source.path in edited:
                self._edited[source.path] = {
                    name.partition("^")[0] for name in source.script.imports
                }
        self._findings = across.findings(document) if refers else None
        self._had_sprites = bool(refers and across.sprites(document))
        self._names = across.names(document) if named else set()
        self._numbered = across.numbered(document) if numbers else None

    def check(self) -> Findings:
        """Raise WorkspaceError for what is missing once the document was edited; warnings."""
        document = self._document
        if self._findings is not None:
            found = across.findings(
                document, had_rooms=bool(self._rooms), had_sprites=self._had_sprites
            )
            references.check(self._findings, found, lambda path, key: (path, key))
        lost = self._names - across.names(document) if self._names else set()
        linking.check_names(lost, self._rooms_sources(), self._changes)
        if self._edited and not across.has_plugins(document):
            known = across.names(document)
            listed = (each for each in self._sources(self._edited) if known)
            linking.check_imports(
                (each for each in listed if each.path in self._edited),
                self._edited,
                lambda path: known | across.names_of_room(document, path),
            )
        gone = self._rooms - across.rooms(document)
        findings = Findings(linking.rooms_entered(gone, self._sources()))
        if self._properties:
            undefined = self._properties - across.defined_properties(document)
            findings += linking.properties_read(undefined, self._rooms_sources())
        if self._numbered is not None:
            findings += self._numbers(self._numbered)
        return findings

    def _sources(self, only: Collection[str] | None = None) -> Iterator[linking.ScriptSource]:
        """The scripts of the game, and of all of its rooms or some paths."""
        document = self._document
        if document.game_name:
            with document.open_inside(document.game_name) as game:
                if isinstance(game, GameDocument) and game.game.content is not None:
                    yield from stored_game.sources(game, game.game.content)
        yield from self._rooms_sources(only)

    def _rooms_sources(self, only: Collection[str] | None = None) -> Iterator[linking.ScriptSource]:
        """The scripts of the rooms that can be read, or of some paths."""
        environment = cache(partial(environment_of, self._document))
        for path, script in across.scripts_of_rooms(self._document, only):
            yield linking.ScriptSource(path, script, partial(_texts, path, script, environment))

    def _numbers(self, before: across.Numbered) -> Findings:
        """Raise WorkspaceError for rooms and their scripts that hold numbers of what was removed,
        or has another one; warnings where that is accepted."""
        after = across.numbered(self._document)
        gone = sorted(before.views - after.views)
        across.check_views_of_rooms(self._document, gone)
        if self._document.flat:
            gaps = [*renumbering.gaps_between(before.names, after.names)]
        else:
            gaps = [*renumbering.gaps_in(self._folder, self._changes)]
        if gone:
            gaps.append(renumbering.Gaps(resources.VIEWS, gone))
        scripts = partial(across.scripts_of_rooms, self._document)
        accept = self._folder.options.accept_renumbering
        against = renumbering.Against(scripts, self._changes, accept=accept)
        return against.check(gaps, before.names, after.names)


def _texts(
    path: str, script: Script, environment: Callable[[], Environment]
) -> list[tuple[str, str]]:
    if script.version > SCRIPT_NEWEST_COMPILED:
        return []
    return [(path, script_files(script, environment()).text)]


def _edited(changes: Mapping[str, Change]) -> Iterator[str]:
    """The sources of scripts that an edit changes."""
    for path, change in changes.items():
        stem, _, ending = path.rpartition(".")
        if change != "removed" and ending in _PARTS and stem.startswith(_FOLDERS):
            yield f"{stem}.asc"


def _any(changes: Iterable[str], prefixes: tuple[str, ...]) -> bool:
    return any(path.startswith(prefixes) for path in changes)


def _kind_of(path: str) -> str:
    """The kind of the document that a file of a package is by its name; "" for another file."""
    place = layout.place_of(unescape_name(path.rpartition("/")[2]))
    return "" if place is None else place.kind
