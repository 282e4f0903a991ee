"""The files of game data, and the JSON objects that an edit of them makes.

A stored object has the fields of game data by their own names: those of one JSON file, and as lists
the rows of the things whose files belong to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from overhaul.ags import parallel, text
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.folder import (
    code,
    file_io,
    forms,
    old_dialogs,
    renumbering,
    resources,
    stored_game,
)
from overhaul.ags.folder.dialogs import ENDING, is_dialog
from overhaul.ags.folder.resources import (
    ALL_KINDS,
    KINDS_OF,
    ThingKind,
    ValuePlace,
    as_list,
    dicts_in,
)
from overhaul.ags.folder.stored_game import GAME_JSON
from overhaul.ags.game import uniform
from overhaul.ags.game.game import Game
from overhaul.ags.game.kinds import NEW_DIALOGS_BLOCK
from overhaul.ags.shapes import Json, key_of, steps_of
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions, readers
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.folder.json_fields import at_key, in_file, read_object
from overhaul.folder.nested import may_want_in

OLD_DIALOGS: Final = "dialogs.json"
#: The paths of the stored objects that things, and other files, are made of.
_OBJECTS: Final = (*stored_game.GROUPS, resources.GUI_JSON)
#: The version from which dialogs are scripts.
DIALOG_SCRIPTS: Final = 38
#: Views that a folder without a game may have, with removed ones before others.
_MOST_VIEWS: Final = 1 << 16
#: The version from which the names of rooms are stored without debug mode too.
_ROOM_NAMES_ALWAYS: Final = 4000013


def lines_file_of(path: str) -> str:
    """The file of a dialog's lines."""
    return path.removesuffix(".json") + ENDING


# --- showing --------------------------------------------------------------------------------


def shown_files(
    document: GameDocument, path: str, show: Callable[[], Json], options: UnpackOptions
) -> Iterator[PlainFile]:
    """The files of a stored object: one for each thing in it, and one with the other fields."""
    game = document.game
    origin = path.removesuffix(".json")
    kinds = [kind for kind in ALL_KINDS if kind.file == path]
    if game.content is None or not kinds:
        yield file_io.thing_file(document, path, partial(_shaped, path, game, show), origin)
        return
    if not any(may_want_in(kind.prefix, options) for kind in kinds) and not options.wants(path):
        return
    left, rows = show(), list[Json]()
    if path == OLD_DIALOGS and game.version < DIALOG_SCRIPTS:
        left |= parallel.show_rows(game.tables(), [old_dialogs.DIALOGS])
        yield from _lines_of_dialogs(document, left)
        rows = dicts_in(left.pop(old_dialogs.DIALOGS, []))
    for kind in kinds:
        for file, shown in kind.files(game, document.shown, rows):
            yield file_io.thing_file(document, file, shown, origin)
    if path == "inventory.json" and not game.content.inventory:
        left[resources.INVENTORY] = []  # not even the item 0, which has no file
    if left:
        yield file_io.thing_file(
            document, path, partial(_shaped, path, game, partial(dict, left)), origin
        )


def _lines_of_dialogs(document: GameDocument, stored: Json) -> Iterator[PlainFile]:
    """The lines of dialogs before 3.1, which are taken out of the stored object."""
    characters = uniform.characters(document.game)
    names = [character.script_name for character in characters]
    shown = partial(text.show, encoding=document.encoding)
    taken = old_dialogs.OldDialogs(names, document.game.version, shown).take_out(stored)
    listed = resources.KINDS_OF[old_dialogs.DIALOGS].listed(document.game, document.shown)
    for lines, (_, path, _) in zip(taken, listed, strict=False):
        yield file_io.bytes_file(lines_file_of(path), lines.encode(), "dialog")


def _shaped(path: str, game: Game, show: Callable[[], Json]) -> Json:
    """An object in the words of its file."""
    return forms.of_file(path, game.version).shown(show())


# --- reading --------------------------------------------------------------------------------


class StoredObjects:
    """The objects that an edit touches, as game data stores them, made of the files of things.

    ``placed`` gives errors their place in the folder's own files.
    """

    def __init__(
        self, document: GameDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> None:
        self._document = document
        self._folder = folder
        self._changes = changes
        #: the stored objects that were read, by path
        self.values: dict[str, Json] = {}
        self._places: dict[str, list[ValuePlace]] = {}
        version = self._shown(GAME_JSON).get("version")
        self._version: int = version if isinstance(version, int) else document.game.version
        #: objects removed between others, and the lines of dialogs that followed
        self.gaps: list[renumbering.Gaps] = []
        self._replaced: dict[str, bytes] = {}

    # -- reading -----------------------------------------------------------------------------

    def read(self) -> None:
        """Read the files of the objects that an edit touches.  Raises WorkspaceError."""
        game = self._document.game
        edited = {self._object_of(path) for path in self._changes}
        if "characters.json" in edited and self._version < DIALOG_SCRIPTS:
            edited.add(OLD_DIALOGS)  # its lines name characters
        for path in _OBJECTS:
            if path in edited or game.content is None or self._version != game.version:
                self._read(path)
        for gaps in self.gaps:
            renumbering.check(gaps, self._version)
            if gaps.rows == old_dialogs.DIALOGS:
                self._follow_dialogs(gaps)

    def _object_of(self, path: str) -> str | None:
        """The stored object that a file of the folder is, or is a part of."""
        if is_dialog(path):
            return OLD_DIALOGS if self._version < DIALOG_SCRIPTS else None
        if path in _OBJECTS:
            return path
        return next((kind.file for kind in ALL_KINDS if kind.has(path)), None)

    def _shown(self, path: str) -> Json:
        return read_object(self._folder.read(path), path) if path in self._folder else {}

    def _read(self, path: str) -> None:
        kinds = [kind for kind in ALL_KINDS if kind.file == path]
        known = {each for each, _ in stored_game.json_values(self._document)}
        has_files = any(self._object_of(each) == path for each in self._folder.list())
        has_item_0 = any(kind.rows == resources.INVENTORY for kind in kinds)
        if not has_files and path not in known and not has_item_0:
            return
        with in_file(path):
            value = forms.of_file(path, self._version).stored(self._shown(path))
        if path == GAME_JSON:
            self._refuse_room_names(value)
        for kind in kinds:
            self._take_rows(kind, value)
        if path == OLD_DIALOGS and self._version < DIALOG_SCRIPTS:
            self._take_lines(value)
        if value or path in self._folder or path in known:
            self.values[path] = value

    def _take_lines(self, value: Json) -> None:
        """Add what follows from the lines of dialogs before 3.1."""
        files = list(filter(is_dialog, self._folder.list()))
        rows = as_list(value.get(old_dialogs.DIALOGS))
        kind = KINDS_OF[old_dialogs.DIALOGS]
        if not files and not any(
            isinstance(row, dict) and "script" not in row for row in rows[: self._count(kind)]
        ):
            return
        places = self.files_of(kind)
        if OLD_DIALOGS in places:
            places = kind.paths_of(dicts_in(rows))
        taken = old_dialogs.OldDialogs(self._characters(), self._version)
        encoding = self._document.encoding
        stored = {file: code.stored_text(self._folder, file, encoding) for file in files}
        texts = {file: text.show(lines, encoding) for file, lines in stored.items()}
        taken.put_in(value, texts, list(map(lines_file_of, places)))

    def _characters(self) -> list[str]:
        """The names of the characters in scripts."""
        value = self.values.get("characters.json")
        if value is not None:
            return [str(row.get("script_name", "")) for row in dicts_in(value.get("characters"))]
        people = uniform.characters(self._document.game)
        return [text.show(person.script_name, self._document.encoding) for person in people]

    def _refuse_room_names(self, value: Json) -> None:
        """Raise WorkspaceError for names of rooms in a game without debug mode, which has none."""
        stored = value.get("settings")
        options = stored.get("options") if isinstance(stored, dict) else None
        is_off = isinstance(options, list) and options[:1] == [0]
        if is_off and value.get("room_names") and self._version < _ROOM_NAMES_ALWAYS:
            with in_file(GAME_JSON), at_key("Settings"), at_key("Options"), at_key("DebugMode"):
                raise FormatError("it is false, and room_names are stored in debug mode only")

    def _take_rows(self, kind: ThingKind, value: Json) -> None:
        version, before = self._versions(kind, value)
        is_view = kind.rows == resources.VIEWS and self._version >= renumbering.SINCE
        known = self._count(kind) if is_view or kind.rows in renumbering.KINDS else 0
        if is_view and self._document.game.content is None:
            known = _MOST_VIEWS
        blank = resources.EMPTY_VIEW if is_view else None
        with file_io.reported_version(resources.GUI_VERSION, before, lambda: version, kind.file):
            made = kind.read(self._folder, version, known=known, blank=blank)
        self._note(kind, made.gaps)
        if kind.is_listed(value, made.files):
            return
        if kind.rows == resources.INVENTORY and not made.lists[kind.rows]:
            place = ValuePlace(kind.file, (), None)
            made.add(kind.rows, resources.item_0(self._version), place)
        had = self._had(kind, made.lists)
        if made.lists[kind.rows] or kind.rows in had:
            self._refuse_empty(kind, made.files)
        value.update({name: rows for name, rows in made.lists.items() if rows or name in had})
        self._places |= made.places

    def _versions(self, kind: ThingKind, value: Json) -> tuple[int, int | None]:
        """The version of a kind's files; of GUIs, which have their own, also the one before."""
        game = self._document.game
        if kind.rows == old_dialogs.DIALOGS and game.content is None:
            listed = dicts_in(self._shown(stored_game.EXTENSIONS_JSON).get("blocks"))
            in_block = any(block.get("id") == NEW_DIALOGS_BLOCK for block in listed)
            return forms.IN_BLOCK if in_block else 0, None
        if kind.rows == old_dialogs.DIALOGS:
            return kind.version(game), None
        if kind is not resources.GUIS:
            return self._version, None
        before = None if game.content is None else game.content.gui_version
        version = value.get(resources.GUI_VERSION)
        return version if isinstance(version, int) else kind.version(game), before

    def _note(self, kind: ThingKind, numbers: Sequence[int]) -> None:
        """Note the objects that were removed between others."""
        content = self._document.game.content
        if kind.rows == resources.VIEWS and content is not None:
            names = [self._document.shown(name) for name in content.view_names or ()]
            numbers = [
                each
                for each in numbers
                if names[each - 1 : each] != [""] or content.views[each - 1].loops
            ]
        if numbers and content is not None:
            self.gaps.append(renumbering.Gaps(kind.rows, numbers))

    def _follow_dialogs(self, gaps: renumbering.Gaps) -> None:
        """Let the lines of dialogs go to the lines that they went to."""
        count = self._count(KINDS_OF[old_dialogs.DIALOGS])
        source = stored_game.DIALOG_SCRIPT + code.SOURCE
        if source in self._folder:
            text = self._folder.read(source).decode("utf-8", "replace")
            function = renumbering.own_part(text, gaps, count)
            if function:
                raise PlainFileError(
                    f"{function} is the function of a dialog that has another number "
                    "then; it has no lines in a file of its own",
                    source,
                )
        for path in self._folder.list():
            if is_dialog(path):
                lines = self._folder.read(path).decode("utf-8", "surrogateescape")
                now = renumbering.lines_now(gaps, path, lines)
                if now != lines:
                    self._replaced[path] = now.encode("utf-8", "surrogateescape")

    def _had(self, kind: ThingKind, lists: Iterable[str]) -> set[str]:
        """The lists of a kind that the game's version stores."""
        game = self._document.game
        if game.content is None:
            return {kind.rows} if kind is resources.GUIS else set()
        tables = game.tables()
        stored = (tables.kinds[name] for name in lists if name in tables.kinds)
        return {each.name for each in stored if any(True for _ in tables.stored(each))}

    def _count(self, kind: ThingKind) -> int:
        """How many things of a kind the game has."""
        tables = self._document.game.tables()
        return tables.count(kind.rows) if kind.rows in tables.kinds else 0

    def _refuse_empty(self, kind: ThingKind, files: int) -> None:
        """Raise WorkspaceError where all things are gone: somebody lost the folder."""
        if not files and self._count(kind) > 1:
            raise WorkspaceError(
                f"the folder {kind.rows} is missing, or empty: all that is in it would go "
                "(things that shall go can be removed in several steps)"
            )

    def files_of(self, kind: ThingKind) -> Sequence[str]:
        """The files of the things of a kind by their numbers; none where they were not read."""
        return [place.path for place in self._places.get(kind.rows, ())]

    # -- a folder ----------------------------------------------------------------------------

    def folder(self) -> Folder:
        """The folder, with the lines of dialogs that followed."""
        return self._folder.overlay(readers(self._replaced)) if self._replaced else self._folder

    def changed(self) -> dict[str, Change]:
        """The changes of the folder's files as those of the stored objects."""
        made: dict[str, Change] = dict.fromkeys(self._replaced, "changed")
        is_new = self._document.game.content is None
        for path, change in self._changes.items():
            stored = self._object_of(path)
            if stored is None:
                made[path] = change
            else:
                made[stored] = "changed" if stored in self.values else "removed"
        return made | dict.fromkeys(self.values, "added") if is_new else made

    # -- errors ------------------------------------------------------------------------------

    @contextmanager
    def placed(self) -> Iterator[None]:
        """Give errors about stored objects their place in the folder's files."""
        try:
            yield
        except PlainFileError as error:
            if error.file in _OBJECTS and not error.line:
                error.file, error.key = self.place(error.file, error.key)
            raise

    def place(self, path: str, key: str) -> tuple[str, str]:
        """The file and key of a stored value."""
        if path not in self.values:
            self._read(path)
        steps = steps_of(key)
        if len(steps) > 1 and isinstance(steps[0], str) and isinstance(steps[1], int):
            places = self._places.get(steps[0], [])
            place = places[steps[1]] if steps[1] < len(places) else None
            if (
                place is not None
                and steps[2:3] == ["script"]
                and lines_file_of(place.path) in self._folder
            ):
                return lines_file_of(place.path), ""
            if place is not None:
                row = as_list(self.values[path][steps[0]])[steps[1]]
                shown = key_of(place.key(row, steps[2:]))
                old = key_of([*place.before, *steps[2:]])
                return place.path, file_io.key_in(self._folder, place.path, shown, old)
        if path in self._folder:
            words = forms.of_file(path, self._version)
            shown = key_of(words.place(self.values.get(path), steps))
            return path, file_io.key_in(self._folder, path, shown, key)
        files = (each for each in self._folder.list() if self._object_of(each) == path)
        return next(files, path), key
