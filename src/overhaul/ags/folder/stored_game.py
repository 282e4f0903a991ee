"""Game data as it is stored: the fields that belong to no thing, as JSON objects, and scripts.

An edit gives these objects with the rows of things in them, which the game takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final

from overhaul.ags import parallel
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import GAME
from overhaul.ags.decompiler.game import declared_by, environment_of_game
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.fields import record_bytes
from overhaul.ags.folder import blocks, code, file_io, linking, old_game, resources
from overhaul.ags.folder.dialogs import ENDING, FOLDER, DialogFiles
from overhaul.ags.folder.references import FILES
from overhaul.ags.folder.sprite_flags import as_bytes, by_sprite
from overhaul.ags.game import uniform
from overhaul.ags.game.extensions import BLOCKS, NamesBlock
from overhaul.ags.game.game import COUNTS, Game, is_decoded
from overhaul.ags.game.kinds import BLOCK as NAMES_BLOCK
from overhaul.ags.game.kinds import DIALOGS, KINDS, NEW_DIALOGS
from overhaul.ags.game.records import GameContent, GameHeader, has_block_list
from overhaul.ags.parallel import MAIN, Tables
from overhaul.ags.script.model import Script
from overhaul.ags.shapes import Json
from overhaul.ags.versions import GAME_NEWEST_SMALL, GAME_OLDEST_DECODED, is_known_gui
from overhaul.document.names import FileNames
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.errors import FormatError, PlainFileError, SourceError, SourceErrors
from overhaul.folder.json_fields import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_object,
    expect_text,
    expect_texts,
    in_file,
)
from overhaul.folder.records import stored_fields
from overhaul.schema import Scheme
from overhaul.schema.jsonable import from_jsonable

GAME_JSON: Final = "game.json"
BODY: Final = "game.bin"
GUI_JSON: Final = resources.GUI_JSON
EXTENSIONS_JSON: Final = "extensions.json"
_SCRIPTS: Final = "scripts/"
GLOBAL_SCRIPT: Final = "scripts/GlobalScript"
DIALOG_SCRIPT: Final = "scripts/DialogScripts"
_MODULES: Final = "scripts/modules/"

EXTENSION_OFFSET: Final = "extension_offset"
_KINDS: Final = (*KINDS, DIALOGS)
#: The fields of game data in each JSON file, without the columns of rows.
_FIELDS: Final = {
    GAME_JSON: "settings save sprite_flags variables score_clip room_names",
    "characters.json": "",
    "inventory.json": "",
    "cursors.json": "",
    "views.json": "sprite_folders",
    "dialogs.json": "speech_lines",
    "texts.json": "messages dictionary lip_sync",
    "audio.json": "audio_types",
    "plugins.json": "plugin_format plugins",
    "properties.json": "property_schema",
}
#: All of them: columns are lists of their own where they do not go together.
GROUPS: Final = {
    path: {
        *names.split(),
        *(
            column.path
            for kind in _KINDS
            for column in kind.columns
            if column.source == MAIN and FILES[kind.name] == path
        ),
    }
    for path, names in _FIELDS.items()
}
#: The records in game.json that have a name, and which field of it was limited in length.
_NAMED: Final = (("settings", "short_name"), ("save", "short_folder"))


# --- unpacking ------------------------------------------------------------------------------


def scripts(content: GameContent) -> Iterator[tuple[str, Script]]:
    """(path without ending, script) of every script."""
    if content.global_script is not None:
        yield GLOBAL_SCRIPT, content.global_script
    if content.dialog_script is not None:
        yield DIALOG_SCRIPT, content.dialog_script
    names = FileNames()
    for module in content.script_modules:
        yield f"{_MODULES}{names(module.name.removesuffix(code.SOURCE))}", module


def sources(document: GameDocument, content: GameContent) -> Iterator[linking.ScriptSource]:
    """Every script with the texts of its files."""
    place = script_places(document)
    for stem, script in scripts(content):
        texts = partial(_texts, place, stem, script)
        yield linking.ScriptSource(f"{stem}{code.SOURCE}", script, texts)


def _texts(
    place: Callable[[str], code.ScriptPlace], stem: str, script: Script
) -> list[tuple[str, str]]:
    return code.shown_texts(place(stem), script)


def _module_stems(content: GameContent) -> list[str]:
    return [stem for stem, _ in scripts(content) if stem.startswith(_MODULES)]


def json_values(document: GameDocument) -> Iterator[tuple[str, Callable[[], dict[str, object]]]]:
    """The function that shows each JSON object without the things that have files, by its path;
    of game data before 2.5 only game.json."""
    game = document.game
    content = game.content
    yield GAME_JSON, partial(_show_game, game)
    if content is None:
        return
    stored = {field.name for field in stored_fields(content, game.version)}
    for path, names in GROUPS.items():
        if path != GAME_JSON and not stored.isdisjoint(names):
            yield path, partial(_show_group, game, content, path)
    yield GUI_JSON, partial(_show_gui, game, content)
    if has_block_list(game.version):
        yield EXTENSIONS_JSON, partial(_show_extensions, game)


def other_files(document: GameDocument, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files other than JSON."""
    game = document.game
    content = game.content
    if game.old is None and content is None:
        yield file_io.bytes_file(BODY, game.body, "body", game.reason)
    if content is None:
        return
    yield from blocks.opaque_files(game.blocks)
    place = script_places(document)
    for stem, script in scripts(content):
        origin = f"script {script.name}"
        yield from code.script_plain_files(place(stem), script, origin, options)


def script_places(
    document: GameDocument, dialog_files: Sequence[str] = ()
) -> Callable[[str], code.ScriptPlace]:
    """The places of a game's scripts, which share what the game says of them.

    ``dialog_files`` are the JSON files of the dialogs, where they are known."""
    environment = cache(partial(environment_of_game, document.game))
    declared = cache(partial(declared_by, document.game))
    dialogs = cache(partial(_dialogs, document, dialog_files))
    return lambda stem: code.ScriptPlace(
        document, stem, environment, declared, dialogs() if stem == DIALOG_SCRIPT else None
    )


def _dialogs(document: GameDocument, files: Sequence[str]) -> DialogFiles | None:
    """The dialogs of a game from 3.1 on; the ones before have their lines in the game data."""
    game, content = document.game, document.game.content
    if content is None or content.dialog_data:
        return None
    dialogs = uniform.dialogs(game)
    names = [dialog.name for dialog in dialogs]
    shown = resources.KINDS_OF["dialogs"].paths(map(document.shown, names))
    paths = [
        one if one.startswith(FOLDER) else other
        for one, other in zip(files if len(files) == len(shown) else shown, shown, strict=True)
    ]
    return DialogFiles(
        (path.removesuffix(".json") + ENDING for path in paths),
        names,
        [len(dialog.options) for dialog in dialogs],
        [character.script_name for character in content.characters],
    )


def check_lines(
    document: GameDocument,
    folder: Folder,
    dialog_files: Sequence[str],
    changes: Mapping[str, Change],
) -> None:
    """Raise SourceError for lines that did not change while the JSON file of their dialog did, and
    that it can't have any more: those of an option that was removed."""
    dialogs = _dialogs(document, dialog_files)
    if dialogs is None:
        return
    for path in dialogs.paths:
        if path.removesuffix(ENDING) + ".json" in changes and path in folder:
            dialogs.check_lines(path, code.stored_text(folder, path, document.encoding))


def _kinds_in(path: str) -> list[str]:
    """The kinds of things whose rows a JSON file has."""
    return [kind.name for kind in _KINDS if FILES[kind.name] == path]


def _show_game(game: Game) -> dict[str, object]:
    shown: dict[str, object] = {
        "version": game.version,
        **file_io.show(game.header, game.version),
    }
    content = game.content
    if content is not None:
        shown |= _show_group(game, content, GAME_JSON)
        settings = expect_object(shown["settings"])
        for count in COUNTS:
            if count not in game.uneven:
                del settings[count]
        if game.offset_follows:
            del settings[EXTENSION_OFFSET]
        for key, name in _NAMED:
            short = getattr(getattr(content, key), name)
            if short is not None:
                expect_object(shown[key])[name] = short
        shown["script_modules"] = [stem + code.SOURCE for stem in _module_stems(content)]
    if game.trailing:
        shown["trailing"] = game.trailing.hex()
    return shown


def _show_group(game: Game, content: GameContent, path: str) -> dict[str, object]:
    """The fields of a JSON file."""
    tables, names = game.tables(), GROUPS[path]
    if NEW_DIALOGS in tables.kinds.values():
        names = names - {column.path for column in DIALOGS.columns}
    hidden = parallel.folded(tables, _kinds_in(path)).get(MAIN, set())
    return by_sprite(file_io.show(content, game.version, names - hidden))


def _show_gui(game: Game, content: GameContent) -> dict[str, object]:
    """The version of the GUIs, and where they are not in order they and their controls."""
    in_order = resources.controls_in(content.gui) is not None
    kinds = () if in_order else _kinds_in(GUI_JSON)
    return {"gui_version": content.gui_version, **parallel.show_rows(game.tables(), kinds)}


def _show_extensions(game: Game) -> dict[str, object]:
    tables = game.tables()
    in_rows = parallel.folded(tables, tables.kinds)
    in_rows[NAMES_BLOCK] = set(NamesBlock.__struct_fields__)
    return {"blocks": blocks.show_blocks(game.blocks, without=in_rows)}


# --- packing --------------------------------------------------------------------------------


def take(
    document: GameDocument,
    folder: Folder,
    changes: Mapping[str, Change],
    values: Mapping[str, Json],
    dialog_files: Sequence[str] = (),
) -> None:
    """Change the game as its objects were changed.

    They are ``values``, or else files of the ``folder``; ``dialog_files`` are those of the dialogs.
    """
    game = document.game
    fresh = game.content is None
    listed: list[str] = []
    before = game.version

    def read(path: str) -> Json:
        """An object, with texts as the model has them, to take fields out of."""
        if path not in values:
            return file_io.read_json(document, folder, path)
        return dict(file_io.as_in_model(document, values[path], path))

    shown = _take_game(document, folder, read(GAME_JSON), listed) if GAME_JSON in changes else {}
    if game.version != before and BODY not in folder and not is_decoded(game.version):
        with in_file(GAME_JSON), at_key("version"):
            raise FormatError(f"no file of data version {game.version} is known")
    if game.version != before:  # values that it does not store must be gone from all of them
        tables = [path for path in folder.list() if path.endswith(".json")]
        changes = {**dict.fromkeys((*tables, *values), changes[GAME_JSON]), **changes}
    if game.version <= GAME_NEWEST_SMALL and (game.old is not None or old_game.SETTINGS in folder):
        old_game.apply(document, folder, changes)
    else:
        if BODY in folder and (BODY in changes or game.content is None):
            game.body = folder.read(BODY)
            game.content = None
        if game.content is not None:
            _take_content(game, folder, changes, read, shown)
            if fresh:
                game.uneven |= game.tables().uneven(empty=False)
            game.recompute_counts()
            places = script_places(document, dialog_files)
            _take_scripts(places, game.content, folder, changes, listed)
            _refuse_parts(game.content, folder)
    document.edited(game.version)


def _refuse_parts(content: GameContent, folder: Folder) -> None:
    """Raise WorkspaceError for parts that the settings call absent."""
    scripts = [path for path in folder.list() if path.startswith(_SCRIPTS)]
    parts = {"has_script": scripts, "has_dictionary": ["dictionary"] if content.dictionary else []}
    for flag, there in parts.items():
        if there and not getattr(content.settings, flag):
            raise PlainFileError(f"it is 0, but there is {there[0]}", GAME_JSON, f"settings.{flag}")


def _take_content(
    game: Game,
    folder: Folder,
    changes: Mapping[str, Change],
    read: Callable[[str], Json],
    shown: Json,
) -> None:
    """Take the blocks, and then the resources, since blocks hold parts of these; ``shown`` is what
    is left of game.json."""
    if EXTENSIONS_JSON in changes and has_block_list(game.version):
        _take_blocks(game, folder, changes, read(EXTENSIONS_JSON))
    blocks.take_opaque_files(game.blocks, folder, changes)
    for path in GROUPS:
        if path in changes:
            _take_group(game, path, shown if path == GAME_JSON else read(path))
    if GUI_JSON in changes and game.content is not None:
        _take_gui(game, game.content, read(GUI_JSON))


def _take_blocks(game: Game, folder: Folder, changes: Mapping[str, Change], shown: Json) -> None:
    before = game.tables()
    unknown = shown.keys() - {"blocks"}
    if unknown:
        raise PlainFileError(f"unknown field {min(unknown)!r}", EXTENSIONS_JSON)
    made = blocks.read_blocks(shown.get("blocks"), game.blocks, BLOCKS, folder, EXTENSIONS_JSON)
    game.blocks = DecodedBlocks(GAME, game.version, made)
    parallel.keep_lists(before, game.tables())
    _refuse_to_lose(before, game.tables(), changes)


def _refuse_to_lose(before: Tables, after: Tables, changes: Mapping[str, Change]) -> None:
    """Raise WorkspaceError if a block is gone that has a part of things in a file that says so."""
    left = {stored.column for kind in after.kinds.values() for stored, _ in after.columns(kind)}
    for name, kind in before.kinds.items():
        for stored in parallel.even_columns(before, kind):
            column = stored.column
            if stored.values and column not in left and FILES[name] not in changes:
                raise PlainFileError(
                    f"the block {column.source!r} is gone, which stores "
                    f"{column.key or 'a part'} of the {name}",
                    EXTENSIONS_JSON,
                    "blocks",
                )


def _take_group(game: Game, path: str, shown: dict[str, object]) -> None:
    """Take a JSON file: first the lists of their own in it, then the things."""
    kinds = _kinds_in(path)
    parts = {name: shown.pop(name) for name in kinds if name in shown}
    given = list(as_bytes(shown, path))
    base = game.content or GameContent()
    game.content = file_io.read(
        GameContent, shown, game.version, path, base=base, only=GROUPS[path]
    )
    with in_file(path):
        parallel.take_rows(game.tables(), parts, kinds, given)


def _take_game(
    document: GameDocument, folder: Folder, shown: Json, listed: list[str]
) -> dict[str, object]:
    """Take the header from game.json; return the rest, which is taken after the blocks.

    ``listed`` gets the script modules.
    """
    game = document.game
    with in_file(GAME_JSON):
        with at_key("version"):
            version = expect_integer(shown.pop("version", game.version), 1)
        modules = None
        with at_key("script_modules"):
            if "script_modules" in shown:
                modules = list(map(code.stem_of, expect_texts(shown.pop("script_modules"))))
            for index, stem in enumerate(modules or ()):
                if stem in (modules or ())[:index]:
                    with at_key("", index):
                        raise FormatError(f"{stem}{code.SOURCE} is listed twice")
                if not code.is_there(stem, folder):
                    with at_key("", index):
                        raise FormatError(f"{stem}{code.SOURCE} is missing")
        with at_key("trailing"):
            game.trailing = expect_bytes(shown.pop("trailing", ""))
    game.version = game.blocks.version = version
    header = {n: shown.pop(n) for n in GameHeader.__struct_fields__ if n in shown}
    game.header = file_io.read(GameHeader, header, version, GAME_JSON, base=game.header)
    if version < GAME_OLDEST_DECODED or (game.content is None and game.body):
        with in_file(GAME_JSON):
            if shown:
                raise FormatError(f"unknown field {min(shown)!r}")
        return shown
    fresh = game.content is None
    content = game.content = game.content or GameContent()
    if fresh:
        game.offset_follows = has_block_list(version)
    with in_file(GAME_JSON):
        _take_settings(game, content, shown)
    if modules is not None:
        listed += modules
        known = dict(scripts(content))
        content.script_modules = [
            known[stem] if stem in known else _new_script(document, folder, stem)
            for stem in modules
        ]
        _refuse_other_names(content, modules, known)
    return shown


def _take_settings(game: Game, content: GameContent, shown: dict[str, object]) -> None:
    """Take the records of game.json that have names.  Raises FormatError."""
    for key, name in _NAMED:
        if key not in shown:
            continue
        with at_key(key):
            fields = dict(expect_object(shown.pop(key)))
            with at_key(name):
                short = expect_text(fields.pop(name)) if name in fields else None
            if key == "settings":
                _refuse_counts(game, fields)
                if EXTENSION_OFFSET in fields:
                    game.offset_follows = False
            old = getattr(content, key)
            record = from_jsonable(type(old), fields, Scheme(game.version), base=old)
        setattr(record, name, short)
        setattr(content, key, record)


def _refuse_counts(game: Game, fields: dict[str, object]) -> None:
    """Counts follow from what they count; that of the GUIs is a field where it differs."""
    for count in COUNTS:
        if count in fields:
            with at_key(count):
                if count != "gui_count":
                    raise FormatError("it follows from the list that it counts")
                game.uneven.add(count)


def _take_gui(game: Game, content: GameContent, shown: dict[str, object]) -> None:
    with in_file(GUI_JSON):
        with at_key("gui_version"):
            version = expect_integer(shown.pop("gui_version", content.gui_version))
            if not is_known_gui(version):
                raise FormatError(f"unknown GUI version {version}")
        before, content.gui_version = content.gui_version, version
        with file_io.reported_version("gui_version", before, lambda: version):
            parallel.take_rows(game.tables(), shown, _kinds_in(GUI_JSON))
            if version != before:
                record_bytes(content.gui, version)
        if shown:
            raise FormatError(f"unknown field {min(shown)!r}")


def _take_scripts(
    place: Callable[[str], code.ScriptPlace],
    content: GameContent,
    folder: Folder,
    changes: Mapping[str, Change],
    listed: list[str],
) -> None:
    """Take changed scripts; ``listed`` are those of the modules, if their list was edited."""
    modules = _module_stems(content)
    for path in folder.list():
        ending = path.endswith((code.SOURCE, code.ASSEMBLY))
        if path.startswith(_MODULES) and ending and code.stem_of(path) not in (listed or modules):
            raise PlainFileError(f"it is there, but script_modules in {GAME_JSON} lacks it", path)

    errors: list[SourceError] = []

    def changed(stem: str, old: Script | None) -> Script | None:
        try:
            return code.read_script(place(stem), folder, changes, old)
        except SourceError as error:
            errors.append(error)
            return old

    content.global_script = changed(GLOBAL_SCRIPT, content.global_script) or content.global_script
    content.dialog_script = changed(DIALOG_SCRIPT, content.dialog_script) or content.dialog_script
    for index, stem in enumerate(modules):
        old = content.script_modules[index]
        content.script_modules[index] = changed(stem, old) or old
    if errors:
        raise errors[0] if len(errors) == 1 else SourceErrors(errors)


def _refuse_other_names(
    content: GameContent, modules: list[str], known: Mapping[str, Script]
) -> None:
    """Raise WorkspaceError for a new module that its own tables call otherwise than its file."""
    for index, (stem, made) in enumerate(zip(modules, _module_stems(content), strict=True)):
        if stem not in known and stem != made:
            name = content.script_modules[index].name
            with in_file(GAME_JSON), at_key("script_modules", index):
                raise FormatError(
                    f"{stem}{code.SOURCE} is the module {name!r}, by the sections in "
                    f"{stem}{code.TABLES}; change these too"
                )


def _new_script(document: GameDocument, folder: Folder, stem: str) -> Script:
    """A script that the game has not yet."""
    paths = (stem + code.SOURCE, stem + code.ASSEMBLY)
    added: dict[str, Change] = dict.fromkeys(paths, "added")
    made = code.read_script(script_places(document)(stem), folder, added, None)
    assert made is not None
    return made
