"""Game data as files: one for each thing, in the editor's words, and scripts as source.

``characters/cEgo.json`` is a character, ``guis/gInventory.json`` a GUI with its controls;
game.json has the settings.  :mod:`overhaul.ags.folder.stored_game` has the same as game data stores
it, in lists; this module makes the files of that, and reads them back to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Final, TypedDict

from overhaul.ags import text
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.folder import (
    across,
    code,
    file_io,
    gui_files,
    linking,
    naming,
    new_resources,
    old_dialogs,
    old_game,
    references,
    renumbering,
    resources,
    stored_game,
    words_files,
)
from overhaul.ags.folder.dialogs import ENDING, is_dialog, take_along
from overhaul.ags.folder.format import NumberedFormat
from overhaul.ags.folder.resources import KINDS, ValuePlace
from overhaul.ags.folder.stored_game import BODY, GAME_JSON, GUI_JSON
from overhaul.ags.game import uniform
from overhaul.ags.game.game import Game
from overhaul.ags.game.records import GameContent
from overhaul.ags.script.model import Script
from overhaul.ags.shapes import Json, hint_of, key_of, steps_of
from overhaul.document.hints import Hint
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions, readers
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.json_fields import at_key, expect_object, in_file, read_object
from overhaul.folder.nested import may_want_in

_ALL_KINDS: Final = (*KINDS, gui_files.KIND)
#: Views that a folder without a game may have, with those that were removed before others.
_MOST_VIEWS: Final = 1 << 16
OLD_DIALOGS: Final = "dialogs.json"
#: The version from which dialogs are scripts.
_DIALOG_SCRIPTS: Final = 38
#: The version from which the names of rooms are stored without debug mode too.
_ROOM_NAMES_ALWAYS: Final = 4000013


# --- unpacking ------------------------------------------------------------------------------


class GameFormat(NumberedFormat[GameDocument]):
    """Game data as a folder."""

    has_encoding = True
    document_class = GameDocument

    def tree(self, document: GameDocument) -> Iterable[Resource]:
        """The things of the game, and its scripts."""
        game = document.game
        yield Resource(
            "game", str(document.info().get("name", "")), GAME_JSON, document.size or None
        )
        if game.old is not None:
            for kind, name, path in old_game.resources(game.old):
                yield Resource(kind, document.shown(name), path)
            return
        content = game.content
        if content is None:
            yield Resource("data", "not understood", BODY, len(game.body))
            return
        dialogs = [dialog.name for dialog in uniform.dialogs(game)]
        lists = (
            ("character", "characters", [c.script_name for c in content.characters], None),
            (
                "inventory",
                "inventory",
                resources.inventory_names(content),
                [item.name for item in content.inventory],
            ),
            ("cursor", "cursors", [c.name for c in content.cursors], None),
            ("view", "views", uniform.view_names(game), None),
            ("dialog", "dialogs", dialogs, None),
            ("gui", "guis", [g.name for g in content.gui.guis], None),
            ("audio clip", "audio_clips", [c.script_name for c in content.audio_clips], None),
        )
        in_files = gui_files.is_in_order(stored_game.show_gui(game, content), content.gui_version)
        for kind, rows, names, titles in lists:
            each = gui_files.KIND if rows == "guis" else resources.KINDS_OF[rows]
            listed = resources.paths(each, map(document.shown, names))
            for number, (name, path) in enumerate(zip(titles or names, listed, strict=True)):
                if kind == "inventory" and not number:
                    continue
                if kind == "view" and _is_hole(content, number):
                    continue
                place = GUI_JSON if rows == "guis" and not in_files else path
                yield Resource(kind, document.shown(name), place)
        for plugin in content.plugins:
            yield Resource("plugin", document.shown(plugin.name), "plugins.json")
        for stem, script in stored_game.scripts(content):
            yield Resource("script", script.name, stem + code.SOURCE, len(script.code))
        for block in game.blocks.blocks:
            yield Resource("extension", str(block.id), stored_game.EXTENSIONS_JSON)

    def plain_files(self, document: GameDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked game data."""
        game = document.game
        if game.old is not None:
            for path, show in stored_game.json_values(document):
                yield file_io.json_file(document, path, show, "settings")
            yield from old_game.plain_files(document, game.old)
            return
        for path, show in stored_game.json_values(document):
            yield from _shown_files(document, path, show, options)
        yield from stored_game.other_files(document, options)

    def hint(self, document: GameDocument, path: str) -> Hint | None:
        """What the words of the editor may have."""
        content = document.game.content
        if content is None:
            return None
        if gui_files.KIND.has(path):
            return gui_files.hint(content.gui_version)
        version = document.game.version
        kind = next((kind for kind in KINDS if kind.has(path)), None)
        if kind is not None:
            return kind.hint(version)
        words = words_files.words_of(path, version).words
        return hint_of(words) if words else None

    def can_add(self, document: GameDocument) -> dict[str, str]:
        """The kinds of things that can be added, with a note each; none where the data is not
        understood, or of 2.0 and before."""
        game = document.game
        if game.content is None or game.old is not None:
            return {}
        made = {kind: new_resources.NOTES.get(kind, "") for kind in new_resources.KINDS}
        stored = stored_game.show_gui(game, game.content)
        if not gui_files.is_in_order(stored, game.content.gui_version):
            del made["gui"]  # they have no files of their own
        return made

    def new_files(self, document: GameDocument, kind: str, name: str) -> Mapping[str, bytes]:
        """The file of a new thing.  Raises WorkspaceError for another kind."""
        if kind not in self.can_add(document):
            raise WorkspaceError(f"a {kind} can't be added")
        known = new_resources.KINDS[kind]
        options = UnpackOptions(only=[f"{known.prefix}*"], warn=False, whole=False)
        files = (file for file in self.plain_files(document, options) if known.has(file.path))
        first = next(files, None)
        shown = None if first is None else read_object(first.read(), first.path)
        made = dict(new_resources.new_thing(kind, name, shown))
        if kind == "dialog" and document.game.version < _DIALOG_SCRIPTS:
            made |= {_lines_of(path): new_resources.LINES for path in made}
        return made

    def apply(
        self, document: GameDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Change the game as its files were changed."""
        file_io.take_settings(document, folder.settings)
        game = document.game
        is_old = game.old is not None or (game.content is None and old_game.SETTINGS in folder)
        if is_old or BODY in folder or game.body:
            with file_io.another_version(document, folder, GAME_JSON):
                stored_game.take(document, folder, changes, {})
            return Findings()
        values = {} if game.content is None else _values_of(document)
        before = None if game.content is None else list(_findings(document, values))
        exported = references.functions_of(script for _, script in game.scripts())
        refers = any(path.startswith(across.SOUNDS) for path in changes)
        sounds = None if before is None else list(across.sounds(document)) if refers else []
        stored = StoredObjects(document, folder)
        with stored.placed(), file_io.another_version(document, folder, GAME_JSON):
            stored.read_all()
            stored.follow()
            dialogs = stored.files_of(resources.KINDS_OF["dialogs"])
            take_along(folder, (path for path in dialogs if path in changes))
            changed = stored.changed(changes)
            stored_game.take(document, stored.others(), changed, stored.values, dialogs)
            stored_game.check_lines(document, folder, dialogs, changes)
            found = _findings(document, stored.values)
            findings = references.check(before, found, stored.place)
        lost = (references.names_of(values) | exported) - references.names_of(stored.values)
        scripts = partial(_scripts_of, game)
        sources = [] if game.content is None else list(stored_game.sources(document, game.content))
        linking.check_names(lost, sources, changes)
        undefined = naming.defined(values) - naming.defined(stored.values)
        findings += linking.properties_read(undefined, sources)
        had, has = (
            len(_list(each.get(GAME_JSON, {}).get("fonts"))) for each in (values, stored.values)
        )
        findings += linking.fonts_used(had, has, sources)
        against = renumbering.Against(scripts, changes, accept=folder.options.accept_renumbering)
        numbered = renumbering.names_of(values), renumbering.names_of(stored.values)
        findings += against.check(stored.gaps, *numbered)
        if refers:
            findings += references.check(
                sounds, across.sounds(document), lambda path, key: (path, key)
            )
        return findings


FORMAT: Final = GameFormat()


def _is_hole(content: GameContent, number: int) -> bool:
    """Whether a view has no file: one that was removed before others."""
    names = content.view_names or ()
    is_last = number >= len(names) - 1
    return not (is_last or names[number] or content.views[number].loops)


def _shown_files(
    document: GameDocument, path: str, show: Callable[[], Json], options: UnpackOptions
) -> Iterator[PlainFile]:
    """The files of a stored object: those of the things in it, and one with what is left."""
    game = document.game
    origin = path.removesuffix(".json")
    kinds = [kind for kind in _ALL_KINDS if kind.file == path]
    if game.content is None or not kinds:
        yield file_io.thing_file(document, path, _Shaped(path, show, game.version), origin)
        return
    if not any(may_want_in(kind.prefix, options) for kind in kinds) and not options.wants(path):
        return
    stored = show()
    if path == OLD_DIALOGS:
        yield from _lines_of_dialogs(document, stored)
    for kind in kinds:
        if kind.rows not in stored:
            continue
        if kind is gui_files.KIND:
            version = game.content.gui_version
            if not gui_files.is_in_order(stored, version):
                continue
            files = gui_files.show(stored, version)
            stored = {gui_files.VERSION: version}
        else:
            rows = [row for row in _list(stored.pop(kind.rows)) if isinstance(row, dict)]
            if kind.rows == resources.INVENTORY and not rows:
                stored[kind.rows] = []  # not even the item 0, which has no file
            files = resources.show(kind, rows, game.version)
        for file, shown in files:
            yield file_io.thing_file(document, file, shown, origin)
    if stored:
        shaped = _Shaped(path, partial(dict, stored), game.version)
        yield file_io.thing_file(document, path, shaped, origin)


def _lines_of_dialogs(document: GameDocument, stored: Json) -> Iterator[PlainFile]:
    """The lines of dialogs before 3.1, which are taken out of the stored object."""
    characters = uniform.characters(document.game)
    names = [character.script_name for character in characters]
    shown = partial(text.show, encoding=document.encoding)
    taken = old_dialogs.OldDialogs(names, document.game.version, shown).take_out(stored)
    rows = [row for row in _list(stored.get(old_dialogs.DIALOGS)) if isinstance(row, dict)]
    kind = resources.KINDS_OF[old_dialogs.DIALOGS]
    paths = resources.paths(kind, map(document.shown, resources.row_names(kind, rows)))
    for lines, path in zip(taken, paths, strict=False):
        yield file_io.bytes_file(_lines_of(path), lines.encode(), "dialog")


def _lines_of(path: str) -> str:
    """The file of a dialog's lines."""
    return path.removesuffix(".json") + ENDING


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


class _Shaped:
    """Shows an object in the words of its file."""

    def __init__(self, path: str, show: Callable[[], Json], version: int) -> None:
        self._path = path
        self._show = show
        self._version = version

    def __call__(self) -> Json:
        return words_files.words_of(self._path, self._version).shown(self._show())


# --- new things -----------------------------------------------------------------------------


# --- packing --------------------------------------------------------------------------------


def _scripts_of(game: Game) -> Iterable[tuple[str, Script]]:
    """Scripts with the paths of their sources."""
    return () if game.content is None else stored_game.scripts_with_paths(game.content)


def _values_of(document: GameDocument) -> dict[str, Json]:
    """The stored objects of a document, with texts as people read them; of views only the names."""
    views: list[object] = [{"name": name} for name in uniform.view_names(document.game)]
    shown = {
        path: {"views": views} if path == "views.json" else show()
        for path, show in stored_game.json_values(document)
    }
    return {
        path: expect_object(text.recoded(value, document.encoding, text.show))
        for path, value in shown.items()
    }


def _findings(
    document: GameDocument, values: Mapping[str, Json]
) -> Iterator[references.DeadReference]:
    scripts = [script for _, script in document.game.scripts()]
    functions = references.functions_of(scripts) if scripts else None
    return chain(references.in_game(values, functions), naming.in_game(values))


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
        #: what was removed between others; the objects that followed, and the lines of dialogs
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
        kinds = [kind for kind in _ALL_KINDS if kind.file == path]
        files = [each for each in self._folder.list() if any(kind.has(each) for kind in kinds)]
        self._hidden.update(files)
        self._sources[path] = [path, *files]
        has_item_0 = any(kind.rows == resources.INVENTORY for kind in kinds)
        if path not in self._folder and not files and not is_known and not has_item_0:
            return
        with in_file(path):
            value = words_files.words_of(path, self._version).stored(self._shown(path))
        if path == GAME_JSON:
            self._refuse_room_names(value)
        for kind in kinds:
            if kind is gui_files.KIND:
                self._take_guis(path, value)
            else:
                self._take_rows(kind, path, value, is_known=is_known)
        if path == OLD_DIALOGS and self._version < _DIALOG_SCRIPTS:
            self._take_lines(path, value)
        if value or path in self._folder or is_known:
            self.values[path] = value

    def _take_lines(self, path: str, value: Json) -> None:
        """Add what follows from the lines of dialogs before 3.1."""
        files = list(filter(is_dialog, self._folder.list()))
        rows = _list(value.get(old_dialogs.DIALOGS))
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
        people = _list(self.values.get("characters.json", {}).get("characters"))
        characters = [str(row.get("script_name", "")) for row in people if isinstance(row, dict)]
        taken = old_dialogs.OldDialogs(characters, self._version)
        encoding = self._document.encoding
        stored = {file: code.stored_text(self._folder, file, encoding) for file in files}
        texts = {file: text.show(lines, encoding) for file, lines in stored.items()}
        taken.put_in(value, texts, list(map(_lines_of, places)))

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
        """Note what was removed between others."""
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
        """Let the lines of dialogs go to those that they went to."""
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
        """Raise WorkspaceError where all things are gone: a lost folder is no removal of all."""
        if before > 1 and not now:
            raise WorkspaceError(
                f"the folder {prefix.rstrip('/')} is missing, or empty: all that is in it would go "
                "(things that shall go can be removed in several steps)"
            )

    def _take_guis(self, path: str, value: Json) -> None:
        version = value.get(gui_files.VERSION)
        content = self._document.game.content
        if not isinstance(version, int):
            version = content.gui_version if content is not None else words_files.GUI_VERSION
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
            kinds = [kind for kind in _ALL_KINDS if kind.file == path]
            edited = [
                each
                for each in changes
                if each in sources
                or any(kind.has(each) for kind in kinds)
                or (path == OLD_DIALOGS and self._version < _DIALOG_SCRIPTS and is_dialog(each))
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
                and _lines_of(place.path) in self._folder
            ):
                return _lines_of(place.path), ""
            if place is not None:
                row = _list(self.values[path][steps[0]])[steps[1]]
                shown = key_of(place.key(row, steps[2:]))
                old = key_of([*place.before, *steps[2:]])
                return place.path, file_io.key_in(self._folder, place.path, shown, old)
        if path in self._folder:
            words = words_files.words_of(path, self._version)
            shown = key_of(words.place(self.values.get(path), steps))
            return path, file_io.key_in(self._folder, path, shown, key)
        sources = [source for source in self._sources.get(path, []) if source in self._folder]
        return (sources or [path])[0], key
