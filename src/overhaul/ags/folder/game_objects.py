"""The files of things, read back to the objects that game data stores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TypedDict

from overhaul.ags import text
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.folder import (
    code,
    file_io,
    forms,
    gui_files,
    old_dialogs,
    renumbering,
    resources,
    stored_game,
)
from overhaul.ags.folder.dialogs import ENDING, is_dialog
from overhaul.ags.folder.resources import KINDS, ValuePlace
from overhaul.ags.folder.stored_game import GAME_JSON, GUI_JSON
from overhaul.ags.shapes import Json, key_of, steps_of
from overhaul.document.plainfiles import Change, Folder, readers
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.folder.json_fields import at_key, in_file, read_object

ALL_KINDS: Final = (*KINDS, gui_files.KIND)
OLD_DIALOGS: Final = "dialogs.json"
#: The version from which dialogs are scripts.
DIALOG_SCRIPTS: Final = 38
#: Views that a folder without a game may have, with removed ones before others.
_MOST_VIEWS: Final = 1 << 16
#: The version from which the names of rooms are stored without debug mode too.
_ROOM_NAMES_ALWAYS: Final = 4000013


def lines_file_of(path: str) -> str:
    """The file of a dialog's lines."""
    return path.removesuffix(".json") + ENDING


def as_list(value: object) -> list[object]:
    """A value that is a list; else an empty one."""
    return value if isinstance(value, list) else []


class _GapsAllowed(TypedDict):
    known: int
    blank: Json | None


class StoredObjects:
    """The objects that game data stores, made of the files of things.

    :meth:`others` gives the other files of the folder; ``placed`` lets errors say where in the
    folder's own files they are.
    """

    def __init__(self, document: GameDocument, folder: Folder) -> None:
        self._document = document
        self._folder = folder
        #: the stored objects, by path
        self.values: dict[str, Json] = {}
        self._sources: dict[str, list[str]] = {}
        self._places: dict[tuple[str, str, int], ValuePlace] = {}
        self._version = document.game.version
        self._hidden: set[str] = set()
        #: objects removed between others; the objects that followed, and the lines of dialogs
        self.gaps: list[renumbering.Gaps] = []
        self._followed: set[str] = set()
        self._replaced: dict[str, bytes] = {}

    # -- reading -----------------------------------------------------------------------------

    def read_all(self) -> None:
        """Read the files, and make the stored objects of them.  Raises WorkspaceError."""
        shown_game = self._shown(GAME_JSON)
        version = shown_game.get("version")
        self._version = version if isinstance(version, int) else self._version
        known = dict(stored_game.json_values(self._document))
        for path in (*stored_game.GROUPS, GUI_JSON):
            self._read_object(path, is_known=path in known)

    def _shown(self, path: str) -> Json:
        return read_object(self._folder.read(path), path) if path in self._folder else {}

    def _read_object(self, path: str, *, is_known: bool) -> None:
        kinds = [kind for kind in ALL_KINDS if kind.file == path]
        files = [each for each in self._folder.list() if any(kind.has(each) for kind in kinds)]
        self._hidden.update(files)
        self._sources[path] = [path, *files]
        has_item_0 = any(kind.rows == resources.INVENTORY for kind in kinds)
        if path not in self._folder and not files and not is_known and not has_item_0:
            return
        with in_file(path):
            value = forms.of_file(path, self._version).stored(self._shown(path))
        if path == GAME_JSON:
            self._refuse_room_names(value)
        for kind in kinds:
            if kind is gui_files.KIND:
                self._take_guis(path, value)
            else:
                self._take_rows(kind, path, value, is_known=is_known)
        if path == OLD_DIALOGS and self._version < DIALOG_SCRIPTS:
            self._take_lines(path, value)
        if value or path in self._folder or is_known:
            self.values[path] = value

    def _take_lines(self, path: str, value: Json) -> None:
        """Add what follows from the lines of dialogs before 3.1."""
        files = list(filter(is_dialog, self._folder.list()))
        rows = as_list(value.get(old_dialogs.DIALOGS))
        before = self._count(resources.KINDS_OF[old_dialogs.DIALOGS])
        if not files and not any(
            isinstance(row, dict) and "script" not in row for row in rows[:before]
        ):
            return
        self._hidden.update(files)
        self._sources[path] += files
        places = [self._places[path, old_dialogs.DIALOGS, at].path for at in range(len(rows))]
        if path in places:
            names = [str(row.get("script_name", "")) for row in rows if isinstance(row, dict)]
            places = resources.paths(resources.KINDS_OF[old_dialogs.DIALOGS], names)
        people = as_list(self.values.get("characters.json", {}).get("characters"))
        characters = [str(row.get("script_name", "")) for row in people if isinstance(row, dict)]
        taken = old_dialogs.OldDialogs(characters, self._version)
        encoding = self._document.encoding
        stored = {file: code.stored_text(self._folder, file, encoding) for file in files}
        texts = {file: text.show(lines, encoding) for file, lines in stored.items()}
        taken.put_in(value, texts, list(map(lines_file_of, places)))

    def _refuse_room_names(self, value: Json) -> None:
        """Raise WorkspaceError for names of rooms in a game without debug mode, which has none."""
        stored = value.get("settings")
        options = stored.get("options") if isinstance(stored, dict) else None
        is_off = isinstance(options, list) and options[:1] == [0]
        if is_off and value.get("room_names") and self._version < _ROOM_NAMES_ALWAYS:
            with in_file(GAME_JSON), at_key("Settings"), at_key("Options"), at_key("DebugMode"):
                raise FormatError("it is false, and room_names are stored in debug mode only")

    def _take_rows(
        self, kind: resources.ThingKind, path: str, value: Json, *, is_known: bool
    ) -> None:
        made = resources.read(kind, self._folder, self._version, **self._gaps_of(kind))
        self._note(kind, made.gaps)
        if kind.rows == resources.INVENTORY and not made.rows and kind.rows not in value:
            made.rows.append(resources.item_0(self._version))
            made.places.append(ValuePlace(path, (), None))
        if kind.rows in value:
            resources.refuse_list(kind.rows, path, kind.prefix)
        if not made.rows and not (is_known and self._had(kind)):
            return
        else:
            files = sum(kind.has(each) for each in self._hidden)
            self._refuse_empty(kind.prefix, self._count(kind), files)
        value[kind.rows] = made.rows
        for index, place in enumerate(made.places):
            self._places[path, kind.rows, index] = place

    def _gaps_of(self, kind: resources.ThingKind) -> _GapsAllowed:
        """How IDs that lack between others are read: of views as empty ones."""
        is_view = kind.rows == resources.VIEWS and self._version >= renumbering.SINCE
        known = self._count(kind) if is_view or kind.rows in renumbering.KINDS else 0
        if is_view and self._document.game.content is None:
            known = _MOST_VIEWS
        return {
            "known": known,
            "blank": resources.EMPTY_VIEW if is_view else None,
        }

    def _note(self, kind: resources.ThingKind, numbers: Sequence[int]) -> None:
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

    def follow(self) -> None:
        """Let numbers follow where things were removed between others.  Raises WorkspaceError."""
        for gaps in self.gaps:
            self._followed |= renumbering.follow(gaps, self.values, self._version)
            if gaps.rows == old_dialogs.DIALOGS:
                self._follow_dialogs(gaps)

    def _follow_dialogs(self, gaps: renumbering.Gaps) -> None:
        """Let the lines of dialogs go to the lines that they went to."""
        count = self._count(resources.KINDS_OF[old_dialogs.DIALOGS])
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

    def _had(self, kind: resources.ThingKind) -> bool:
        """Whether the game's version stores things of a kind."""
        content, tables = self._document.game.content, self._document.game.tables()
        return (
            content is not None
            and bool(tables.kinds.get(kind.rows))
            and any(True for _ in tables.stored(tables.kinds[kind.rows]))
        )

    def _count(self, kind: resources.ThingKind) -> int:
        """How many things of a kind the game has."""
        tables = self._document.game.tables()
        return tables.count(kind.rows) if kind.rows in tables.kinds else 0

    @staticmethod
    def _refuse_empty(prefix: str, before: int, now: int) -> None:
        """Raise WorkspaceError where all things are gone: somebody lost the folder."""
        if before > 1 and not now:
            raise WorkspaceError(
                f"the folder {prefix.rstrip('/')} is missing, or empty: all that is in it would go "
                "(things that shall go can be removed in several steps)"
            )

    def _take_guis(self, path: str, value: Json) -> None:
        version = value.get(gui_files.VERSION)
        content = self._document.game.content
        if not isinstance(version, int):
            version = content.gui_version if content is not None else forms.GUI_VERSION
        made = gui_files.Guis(version)
        before = None if content is None else content.gui_version
        with file_io.reported_version(gui_files.VERSION, before, lambda: version, path):
            made.read(self._folder, known=0 if content is None else len(content.gui.guis))
        self._note(gui_files.KIND, made.gaps)
        if "guis" in value:
            if made.files or gui_files.is_in_order(value, version):
                resources.refuse_list("guis", path, gui_files.KIND.prefix)
            return
        if content is not None:
            self._refuse_empty(gui_files.KIND.prefix, len(content.gui.guis), len(made.files))
        game = self._document.game
        had = {"guis"} if content is None else stored_game.show_gui(game, content).keys()
        value.update({name: rows for name, rows in made.lists.items() if rows or name in had})
        for (name, index), place in made.places.items():
            self._places[path, name, index] = place

    def files_of(self, kind: resources.ThingKind) -> Sequence[str]:
        """The files of the things of a kind, by their numbers."""
        rows = self.values.get(kind.file, {}).get(kind.rows)
        count = len(rows) if isinstance(rows, list) else 0
        return [self._places[kind.file, kind.rows, index].path for index in range(count)]

    # -- a folder ----------------------------------------------------------------------------

    def others(self) -> Folder:
        """The folder without the files of things, which the stored objects have."""
        own = self._folder.only(lambda path: path not in self._hidden)
        return own.overlay(readers(self._replaced))

    def changed(self, changes: Mapping[str, Change]) -> dict[str, Change]:
        """The changes of the folder's files as those of the stored objects."""
        made = {path: change for path, change in changes.items() if path not in self._hidden}
        for path, sources in self._sources.items():
            kinds = [kind for kind in ALL_KINDS if kind.file == path]
            edited = [
                each
                for each in changes
                if each in sources
                or any(kind.has(each) for kind in kinds)
                or (path == OLD_DIALOGS and self._version < DIALOG_SCRIPTS and is_dialog(each))
            ]
            for each in edited:
                made.pop(each, None)
            is_new = self._document.game.content is None
            if path in self.values and (edited or is_new):
                made[path] = "added" if is_new else "changed"
            elif edited:
                made[path] = "removed"
        made.update(dict.fromkeys(self._followed - made.keys(), "changed"))
        made.update(dict.fromkeys(self._replaced.keys() - made.keys(), "changed"))
        return made

    # -- errors ------------------------------------------------------------------------------

    @contextmanager
    def placed(self) -> Iterator[None]:
        """Let errors about stored objects say where in the folder's files they are."""
        try:
            yield
        except PlainFileError as error:
            if error.file in self.values and not error.line:
                error.file, error.key = self.place(error.file, error.key)
            raise

    def place(self, path: str, key: str) -> tuple[str, str]:
        """The file and key of a stored value."""
        steps = steps_of(key)
        if len(steps) > 1 and isinstance(steps[0], str) and isinstance(steps[1], int):
            place = self._places.get((path, steps[0], steps[1]))
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
        sources = [source for source in self._sources.get(path, []) if source in self._folder]
        return (sources or [path])[0], key
