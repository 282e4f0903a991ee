"""Changed code files, put into the game: entries come and go, and texts become their code.

A file ``gml_Object_obj_player_Step_0.gml`` that is new in the folder becomes that event of that
object, ``gml_Room_rm_first_Create.gml`` the creation code of that room.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from overhaul.document.names import escape_name, unescape_name
from overhaul.document.plainfiles import Change, Folder
from overhaul.errors import EncodeError, OverhaulError, SourceError, WorkspaceError
from overhaul.findings import Finding, Findings, warning
from overhaul.folder.json_fields import in_file
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.func import Script, ScriptCode
from overhaul.gamemaker.data.code import additions
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.following import Followed, Following
from overhaul.gamemaker.data.code.mentions import has_plain_numbers
from overhaul.gamemaker.data.code.owners import uses
from overhaul.gamemaker.data.code.places import SourceLine
from overhaul.gamemaker.data.code.removed_names import RemovedNames
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.renumber import references_in
from overhaul.gamemaker.data.resources.renaming import follow_quietly, take_out
from overhaul.gamemaker.data_folder.assigning import (
    EntryText,
    assign_texts,
    declare,
    has_definitions,
    has_only_unknown_enum,
    located,
    uses_unknown_enum,
)
from overhaul.gamemaker.data_folder.code import entry_name, is_code, read_text, stem_of
from overhaul.gamemaker.data_folder.code_details import CodeDetails
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.kind_folders import CODE
from overhaul.gamemaker.data_folder.names import name_of
from overhaul.gamemaker.data_folder.tables import GLOBAL_INIT, SCRIPTS
from overhaul.gamemaker.data_folder.view import (
    ASSEMBLY,
    CODE_DETAILS,
    ORDER,
    SOURCE,
    FolderView,
)
from overhaul.gml.compiler.definitions import Defined, defined_in
from overhaul.gml.context import Context
from overhaul.gml.decompiler.types.constants import UNKNOWN_ENUM
from overhaul.gml.vm.columns import decode
from overhaul.suggest import did_you_mean

#: events that most objects have code for: a misspelt name is likely one of these
_EVENTS = ("Create_0", "Step_0", "Draw_0", "Destroy_0", "Alarm_0", "Other_10")


class CodeEdits:
    """The changed code files of a run."""

    def __init__(self, view: FolderView, edits: GameEdits) -> None:
        self.game: GameData = view.game
        self.edits = edits
        self.folder: Folder = edits.folder
        self.changes: dict[str, Change] = {
            path: change for path, change in edits.changes.items() if is_code(path)
        }
        self.texts: list[EntryText] = []
        self.added: list[CodeEntry] = []
        #: the ids of added entries whose files order.json lists: other values of a fresh folder
        #: about them are complete
        self._listed: set[int] = set()
        self._view = view
        self._read_details: CodeDetails | None = None
        self.removed: RemovedNames = RemovedNames(self.game)
        #: the files of edited and removed entries, by the names of these
        self._files: dict[str, str] = {}
        #: the result for code that names scripts which went with their code
        self.followed: list[Followed] = []
        #: the code that scripts.json concerns, and the warnings before
        self._scripts: tuple[Following, Findings] | None = None

    def note_scripts(self) -> None:
        """Note which code holds scripts by their numbers, if scripts.json changes these."""
        game = self.game
        if self.edits.fresh or not self.edits.edited(SCRIPTS.path):
            return
        if has_plain_numbers(game, "SCPT"):
            with in_file(SCRIPTS.path):
                moved = SCRIPTS.moved(self.edits.json(SCRIPTS.path), game)
            self._scripts = Following(game, "SCPT", moved), Findings(game.findings)

    def follow_scripts(self) -> None:
        """Let code follow the scripts whose numbers are others now."""
        if self._scripts is not None:
            self.followed.append(follow_quietly(self.game, *self._scripts))

    def prepare(self, order: list[str]) -> None:
        """Remove and add entries, so that their names are known; texts are read later."""
        if self.edits.edited(CODE_DETAILS):
            self._details()
        if not self.changes:
            return
        roots = self._view.roots()
        moved = self._renamed(roots)
        old_stems = {new: old for old, new in moved.items()}
        by_stem: dict[str, dict[str, Change]] = {}
        for path, change in self.changes.items():
            stem = stem_of(path)
            by_stem.setdefault(old_stems.get(stem, stem), {})[path] = change
        place = {stem: index for index, stem in enumerate(order)}
        removed: dict[str, CodeEntry] = {}
        for stem in sorted(by_stem, key=lambda s: (place.get(s, len(place)), s)):
            files = by_stem[stem]
            here = [path for path, change in files.items() if change != "removed"]
            entry = roots.get(stem)
            left = any(
                f"{CODE}/{name}{ending}" in self.folder
                for name in (stem, moved.get(stem, stem))
                for ending in (ASSEMBLY, SOURCE)
            )
            if entry is not None and not left:
                removed[next(iter(files))] = entry
                continue
            if not here:
                continue
            path = self._chosen(here)
            text = read_text(self.folder.read(path))
            if entry is None:
                entry = self._add(self._details().names.get(stem) or entry_name(stem, text))
                if stem in place:
                    self._listed.add(id(entry))
            self.texts.append(EntryText(entry, path, text))
            self._files[name_of(entry)] = path
        if removed:
            if len(removed) == len(roots) > 1 and not self.folder.options.remove_all_code:
                raise WorkspaceError(
                    f"the folder {CODE} is missing, or empty: all {len(roots)} code entries would "
                    f"go{self._elsewhere()}"
                )
            self._remove(removed)

    def _elsewhere(self) -> str:
        """A hint at the folder that has the code now."""
        heads = {
            path.partition("/")[0]
            for path, change in self.edits.changes.items()
            if change == "added" and path.endswith((ASSEMBLY, SOURCE)) and path.count("/") == 1
        }
        return f" (is {min(heads)} that folder?)" if heads else ""

    def _details(self) -> CodeDetails:
        """The content of code.json."""
        if self._read_details is None:
            self._read_details = CodeDetails(self.folder)
        return self._read_details

    def _renamed(self, roots: Mapping[str, CodeEntry]) -> dict[str, str]:
        """The new file names of entries that were renamed with their resources, by the old ones."""
        now = {id(entry): stem for stem, entry in FolderView(self.game).roots().items()}
        stems = {stem: now.get(id(entry), stem) for stem, entry in roots.items()}
        return {old: new for old, new in stems.items() if old != new}

    def _chosen(self, here: list[str]) -> str:
        if len(here) == 1:
            return here[0]
        if all(self.changes[path] == "added" for path in here):
            return next(path for path in here if path.endswith(ASSEMBLY))
        raise WorkspaceError(f"{' and '.join(sorted(here))} both changed: keep one of the edits")

    def _add(self, name: str) -> CodeEntry:
        game = self.game
        if "CODE" not in game.chunks:
            raise WorkspaceError(f"{CODE}/{name}: a game of native code (YYC) holds no code")
        empty = Bytecode.of(decode(b"", game.release.bytecode))
        entry = CodeEntry(game.strings.add(name), bytecode=empty, game=game)
        game.records.code.append(entry)
        self.added.append(entry)
        return entry

    # -- removed entries ------------------------------------------------------------------------

    def _remove(self, removed: dict[str, CodeEntry]) -> None:
        """Take entries out, and warn of resources that still run them."""
        game = self.game
        users: dict[int, str] = {}
        view = FolderView(game)
        for kind in view.kinds:
            for _, stem, record in view.resources(kind):
                path = kind.json_path(stem)
                if path in self.folder:
                    for reference in references_in(record):
                        users.setdefault(id(reference), path)
        for path, entry in removed.items():
            user = users.get(id(game.records.code.reference_to(entry)))
            if user is not None and name_of(entry).encode() in self.folder.read(user):
                self.edits.findings.warn(
                    "still-named",
                    f"the code was removed, but {user} names it: there is nothing there now",
                    path,
                )
            self.removed.note_entry(entry)
            self._files[name_of(entry)] = path
        if self._scripts is None:
            self.followed.append(take_out(game, "CODE", list(removed.values())))
        else:
            game.records.code.remove(*removed.values())

    def warn_of_names(self) -> None:
        """Warn of functions that are gone and code still calls, and of variables that code still
        reads and no code sets any longer."""
        self.edits.findings += [
            lost.finding(self._file_of(lost.home) if lost.is_of_code else "", self.shown)
            for lost in self.removed.used(self.text_of)
        ]

    def text_of(self, entry: CodeEntry) -> str:
        """The text of an entry's file as it is now."""
        path = self._file_of(name_of(entry))
        return read_text(self.folder.read(path)) if path in self.folder else ""

    def shown(self, place: SourceLine) -> str:
        """A place of code as a line of its file."""
        path = self._file_of(place.entry)
        return f"{path}:{place.line}" if place.line else path

    def _file_of(self, name: str) -> str:
        """The file of an entry, as it is or was."""
        assembly, source = (path_of(SourceLine(name, 0), ending) for ending in (ASSEMBLY, SOURCE))
        is_listing = source not in self.folder and assembly in self.folder
        return self._files.get(name) or (assembly if is_listing else source)

    # -- new entries ----------------------------------------------------------------------------

    def list_scripts(self) -> None:
        """List new scripts where the runner looks for them.

        Of a fresh folder's scripts those are new whose files order.json does not list: of others
        its tables say everything.
        """
        game = self.game
        modern = game.release.at_least(2, 3)
        prefix = GLOBAL_SCRIPT_PREFIX if modern else SCRIPT_PREFIX
        has_scripts = SCRIPTS.is_in(self.edits.names)
        has_global = GLOBAL_INIT.is_in(self.edits.names)
        listed = {id(s.code.entry) for s in game.records.scripts if s is not None}
        order = game.global_init.code if modern and game.global_init is not None else None
        initial = {id(reference) for reference in order or ()}
        for entry in self.added:
            name = name_of(entry)
            if not name.startswith(prefix):
                continue
            reference = game.records.code.reference_to(entry)
            lists_scripts = has_scripts and not self._says(SCRIPTS.path, entry)
            lists_global = has_global and not self._says(GLOBAL_INIT.path, entry)
            if lists_scripts and id(reference) not in listed:
                text = game.strings.add(name.removeprefix(prefix))
                game.records.scripts.append(Script(text, ScriptCode(reference)))
            if lists_global and order is not None and id(reference) not in initial:
                order.append(reference)

    def _says(self, path: str, entry: CodeEntry) -> bool:
        """Whether a file of a fresh folder says everything of an entry about its table."""
        return self.edits.fresh and path in self.edits and id(entry) in self._listed

    def attach(self, complete: Collection[int]) -> None:
        """Let objects and rooms run new code, if nothing does so yet."""
        listed = [entry for entry in self.added if id(entry) in self._listed]
        new = [entry for entry in self.added if id(entry) not in self._listed]
        list_listed = SCRIPTS.path not in self.edits
        left = [
            *attach(self.game, listed, complete, list_scripts=list_listed),
            *attach(self.game, new, () if ORDER in self.edits else complete, list_scripts=True),
        ]
        for entry in left:
            if not self.edits.fresh or id(entry) not in self._listed:
                meant = did_you_mean(name_of(entry), self._places())
                self.edits.findings.warn(
                    "code-unused", f"nothing in the game runs the new code {name_of(entry)}{meant}"
                )

    def _places(self) -> Iterator[str]:
        """The names of code that something runs, or could run."""
        added = {id(entry) for entry in self.added}
        for entry in self.game.records.code.present():
            if id(entry) not in added and entry.root is None:
                yield name_of(entry)
        for item in self.game.records.objects.present():
            yield from (f"gml_Object_{item.name}_{event}" for event in _EVENTS)

    # -- texts ----------------------------------------------------------------------------------

    def assemble(self) -> None:
        """Put the texts into their entries; in a new game they also make the code's tables."""
        if not self.texts:
            return
        self.game.language.forget()
        self.game.language.names.refresh()
        details = self._details() if self.edits.fresh else None
        if any(given.path.endswith(SOURCE) for given in self.texts):
            self._declare()
            if details is not None:
                details.declare(self.game.language.context)
        self.edits.findings += assign_texts(
            self.game, self.texts, self.removed, details, self.edits.options.jobs
        )

    def _declare(self) -> None:
        """Make known what source files define for all code: macros, enums, global functions.

        Of unchanged files only definitions that the game lacks are read, and an error in one is
        a warning. Files without an enum, or with only that of constants without a name, are not
        read, unless a text names this enum and has none.
        """
        context = self.game.language.context
        edited = {given.path: given.text for given in self.texts}
        listed = self.folder.list_in(CODE)
        sources = [path for path in listed if is_code(path) and path.endswith(SOURCE)]
        defined: dict[tuple[str, str, str], tuple[str, Defined]] = {}
        waiting: dict[str, str] = {}
        for path in sources:
            mine = path in edited
            text = edited[path] if mine else read_text(self.folder.read(path))
            if mine or self.edits.fresh:
                self._declare_text(context, path, text, defined, mine=mine)
            elif has_definitions(text):
                if has_only_unknown_enum(text):
                    waiting[path] = text
                else:
                    self._declare_text(context, path, text, defined, mine=False)
        if not waiting:
            return
        if any(map(uses_unknown_enum, (*edited.values(), *context.macros.values()))):
            for path, text in waiting.items():
                self._declare_text(context, path, text, defined, mine=False)
        context.enums.setdefault(UNKNOWN_ENUM, [])  # no suggestion follows from its members

    def _declare_text(
        self,
        context: Context,
        path: str,
        text: str,
        defined: dict[tuple[str, str, str], tuple[str, Defined]],
        *,
        mine: bool,
    ) -> None:
        """Make known what one file defines; ``mine`` for a changed one."""
        name = unescape_name(stem_of(path))
        try:
            declare(context, name, text, functions=mine or self.edits.fresh)
        except OverhaulError as error:
            if mine and isinstance(error, SourceError):
                return  # compiling it reports the error, with those of the other files
            if mine:
                raise located(error, path) from error
            then = (
                " (this file did not change: it stays as it is, and other files can't use "
                "macros and enums of it)"
            )
            self.edits.findings.append(located(error, path).as_warning("syntax", then))
        else:
            self.edits.findings += _defined_otherwise(context, path, text, defined)


def _defined_otherwise(
    context: Context,
    path: str,
    text: str,
    defined: dict[tuple[str, str, str], tuple[str, Defined]],
) -> Iterator[Finding]:
    """Warnings for the macros and enums of a file that are defined in another way before; those of
    this file are added to what is ``defined``."""
    if not has_definitions(text):
        return
    for one in defined_in(context, text):
        if one.name == UNKNOWN_ENUM:  # each file has its own
            continue
        first, other = defined.setdefault(one[:3], (path, one))
        if other.meaning != one.meaning:
            message = (
                f"the {one.what} {one.name} has another meaning in {first}:{other.line}, and other "
                "code gets one of them: give one another name"
            )
            yield warning("defined-otherwise", message, path, line=one.line)


def file_of(place: SourceLine, ending: str = SOURCE) -> str:
    """The file of a place in code."""
    return f"{CODE}/{escape_name(place.entry)}{ending}"


def path_of(place: SourceLine, ending: str = SOURCE) -> str:
    """A place in code as a path in the folder, with its line."""
    path = file_of(place, ending)
    return f"{path}:{place.line}" if place.line else path


def attach(
    game: GameData, added: list[CodeEntry], complete: Collection[int], *, list_scripts: bool
) -> Iterator[CodeEntry]:
    """Let objects and rooms run new code that nothing runs yet; yield the entries that are left.

    ``complete`` has the ids of records whose files list all code that they run; ``list_scripts``
    says whether SCPT gets new code of rooms too, where the game lists such code there.
    """
    script = GLOBAL_SCRIPT_PREFIX if game.release.at_least(2, 3) else SCRIPT_PREFIX
    waiting = [entry for entry in added if not name_of(entry).startswith(script)]
    users = {id(reference) for reference in code_users(game)} if waiting else set()
    lists = list_scripts and bool(waiting) and additions.lists_room_code(game, waiting)
    for entry in waiting:
        reference = game.records.code.reference_to(entry)
        if id(reference) not in users and not _attached(game, entry, reference, complete):
            yield entry
        elif lists:
            _list_room_code(game, entry, reference)


def _attached(
    game: GameData, entry: CodeEntry, reference: Reference[CodeEntry], complete: Collection[int]
) -> bool:
    """Attach code to the place that its name gives, if that place is free."""
    place = additions.place_of(game, name_of(entry))
    if place is None or id(place.record) in complete:
        return False
    try:
        place.attach(reference)
    except EncodeError:
        return False
    return True


def _list_room_code(game: GameData, entry: CodeEntry, reference: Reference[CodeEntry]) -> None:
    """List the code of a room or instance in SCPT."""
    if not name_of(entry).startswith((additions.ROOM_PREFIX, additions.INSTANCE_PREFIX)):
        return
    if all(s is None or s.code.entry is not reference for s in game.records.scripts):
        game.records.scripts.append(Script(entry.name, ScriptCode(reference)))


def code_users(game: GameData) -> Iterator[Reference[CodeEntry]]:
    """Everything that runs code by a reference, except scripts."""
    codes = [use.code for use in uses(game) if use.chunk != "SCPT"]
    if game.global_init is not None:
        codes += game.global_init.code
    yield from (code for code in codes if isinstance(code, Reference))
