"""Game data as files: one for each thing, in the editor's words, and scripts as source.

``characters/cEgo.json`` is a character, ``guis/gInventory.json`` a GUI with its controls;
game.json has the settings.  :mod:`overhaul.ags.folder.resources` has the kinds of things,
:mod:`overhaul.ags.folder.stored_game` what belongs to none, and
:mod:`overhaul.ags.folder.game_objects` reads the files back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.game import GameDocument
from overhaul.ags.folder import (
    across,
    code,
    file_io,
    forms,
    linking,
    naming,
    new_resources,
    old_game,
    references,
    renumbering,
    resources,
    stored_game,
)
from overhaul.ags.folder.dialogs import take_along
from overhaul.ags.folder.format import NumberedFormat
from overhaul.ags.folder.game_objects import (
    DIALOG_SCRIPTS,
    StoredObjects,
    lines_file_of,
    shown_files,
)
from overhaul.ags.folder.resources import ALL_KINDS
from overhaul.ags.folder.stored_game import BODY, GAME_JSON
from overhaul.ags.game.game import Game
from overhaul.ags.script.model import Script
from overhaul.document.format_parts import FileFields, NewResources
from overhaul.document.hints import Hint
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.json_fields import read_object

#: The kinds of things that are listed, and what ``ls`` calls one.
_LISTED: Final = {
    "character": "characters", "inventory": "inventory", "cursor": "cursors", "view": "views",
    "dialog": "dialogs", "gui": "guis", "audio clip": "audio_clips",
}  # fmt: skip
#: Those without a name are called by their numbers.
_BY_NUMBER: Final = ("views", "dialogs")

# --- unpacking ------------------------------------------------------------------------------


class GameAdditions(NewResources[GameDocument]):
    """The resources that can be added to a game."""

    def kinds(self, document: GameDocument) -> dict[str, str]:
        """The kinds of things that can be added, with a note each; none where the data is not
        understood, or of 2.0 and before."""
        game = document.game
        if game.content is None or game.old is not None:
            return {}
        made = {kind: new_resources.NOTES.get(kind, "") for kind in new_resources.KINDS}
        if resources.controls_in(game.content.gui) is None:
            del made["gui"]  # they have no files of their own
        return made

    def new_files(self, document: GameDocument, kind: str, name: str) -> Mapping[str, bytes]:
        """The file of a new thing.  Raises WorkspaceError for another kind."""
        if kind not in self.kinds(document):
            raise WorkspaceError(f"a {kind} can't be added")
        known = new_resources.KINDS[kind]
        options = UnpackOptions(only=[f"{known.prefix}*"], warn=False, whole=False)
        files = (file for file in FORMAT.plain_files(document, options) if known.has(file.path))
        first = next(files, None)
        shown = None if first is None else read_object(first.read(), first.path)
        made = dict(new_resources.new_thing(kind, name, shown))
        if kind == "dialog" and document.game.version < DIALOG_SCRIPTS:
            made |= {lines_file_of(path): new_resources.LINES for path in made}
        return made


class GameFields(FileFields[GameDocument]):
    """The words of the editor in the JSON files of a game."""

    def hint(self, document: GameDocument, path: str) -> Hint | None:
        """The values that the editor's words can have."""
        game = document.game
        if game.content is None:
            return None
        for kind in ALL_KINDS:
            if kind.has(path):
                return kind.hint(kind.version(game))
        form = forms.of_file(path, game.version)
        return form.hint() if form.words else None


ADDITIONS: Final = GameAdditions()
FIELDS: Final = GameFields()


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
        for label, rows in _LISTED.items():
            known = resources.KINDS_OF[rows]
            title = "name" if rows == resources.INVENTORY else known.name
            for number, path, thing in known.listed(game, document.shown):
                if number or rows != resources.INVENTORY:  # item 0 is never used
                    name = thing.text(title) or (str(number) if rows in _BY_NUMBER else "")
                    yield Resource(label, name, path)
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
            yield from shown_files(document, path, show, options)
        yield from stored_game.other_files(document, options)

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
        fresh = game.content is None
        had = _Known(document)
        refers = any(path.startswith(across.SOUNDS) for path in changes)
        sounds = None if fresh else list(across.sounds(document)) if refers else []
        stored = StoredObjects(document, folder, changes)
        with file_io.another_version(document, folder, GAME_JSON):
            stored.read()
            dialogs = stored.files_of(resources.KINDS_OF["dialogs"])
            take_along(folder, (path for path in dialogs if path in changes))
            with stored.placed():
                files, changed = stored.folder(), stored.changed()
                stored_game.take(document, files, changed, stored.values, dialogs)
                for gaps in stored.gaps:
                    assert game.content is not None
                    renumbering.follow(gaps, game.content.settings, _things(document))
                stored_game.check_lines(document, folder, dialogs, changes)
                has = _Known(document)
                before = None if fresh else had.findings
                findings = references.check(before, has.findings, stored.place)
        sources = [] if game.content is None else list(stored_game.sources(document, game.content))
        linking.check_names(had.names - has.names, sources, changes)
        findings += linking.properties_read(had.properties - has.properties, sources)
        findings += linking.fonts_used(had.fonts, has.fonts, sources)
        scripts = partial(_scripts_of, game)
        against = renumbering.Against(scripts, changes, accept=folder.options.accept_renumbering)
        findings += against.check(stored.gaps, had.numbered, has.numbered)
        if refers:
            findings += references.check(
                sounds, across.sounds(document), lambda path, key: (path, key)
            )
        return findings

    @property
    def additions(self) -> GameAdditions:
        """New things."""
        return ADDITIONS

    @property
    def fields(self) -> GameFields:
        """The words of the editor."""
        return FIELDS


FORMAT: Final = GameFormat()


# --- packing --------------------------------------------------------------------------------


def _scripts_of(game: Game) -> Iterable[tuple[str, Script]]:
    """Scripts with the paths of their sources."""
    scripts = () if game.content is None else stored_game.scripts(game.content)
    return ((f"{stem}{code.SOURCE}", script) for stem, script in scripts)


class _Known:
    """The names of a game's things, and the names that they use and the game lacks."""

    def __init__(self, document: GameDocument) -> None:
        game = document.game
        things = _things(document)
        scripts = (script for _, script in game.scripts())
        self.findings = [*references.in_game(game, things), *naming.in_game(game, things)]
        self.names = references.names_of(things) | references.functions_of(scripts)
        self.properties = naming.defined(game)
        self.fonts = len(things("fonts"))
        self.numbered = references.numbered(things)


def _things(document: GameDocument) -> references.Things:
    return references.Things(document.game.tables(), document.encoding)
