"""Edited plain files, put into a game: the steps of packing, in their order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from overhaul.document.names import escape_name, spelling
from overhaul.document.plainfiles import Change, Folder
from overhaul.errors import PlainFileError, RenumberingError, WorkspaceError
from overhaul.findings import Finding, Findings, warning
from overhaul.folder.json_fields import in_file
from overhaul.gamemaker.data.blank import release_constant, show_release, shows_release
from overhaul.gamemaker.data.chunks.sond import Sound
from overhaul.gamemaker.data.code.following import Followed
from overhaul.gamemaker.data.code.places import SourceLine
from overhaul.gamemaker.data.detect import RELEASE_CONSTANT
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.model import MEDIA_CHUNKS
from overhaul.gamemaker.data.sounds import absent_files
from overhaul.gamemaker.data_folder import audiogroup, texture_pages, unpacking
from overhaul.gamemaker.data_folder.code import is_code
from overhaul.gamemaker.data_folder.code_edits import CodeEdits, file_of, path_of
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.kind_folders import CODE, PAGES
from overhaul.gamemaker.data_folder.kinds import TABLES
from overhaul.gamemaker.data_folder.resources import ResourceEdits
from overhaul.gamemaker.data_folder.simple import EXTENSIONS
from overhaul.gamemaker.data_folder.sounds import SOUNDS
from overhaul.gamemaker.data_folder.strings import STRINGS, StringEdits
from overhaul.gamemaker.data_folder.tables import GENERAL, OPTIONS, TEXTURE_GROUPS, ChunkTable
from overhaul.gamemaker.data_folder.view import (
    ASSEMBLY,
    CODE_DETAILS,
    ORDER,
    SOURCE,
    FolderView,
    in_place,
)
from overhaul.suggest import closest

SETTINGS = "overhaul.toml"
#: keys that say all the code which a resource runs
_RUNNING = frozenset({"events", "creation_code", "instances"})


class Run:
    """A folder being applied to a game: what the steps work on."""

    def __init__(self, game: GameData, folder: Folder, changes: Mapping[str, Change]) -> None:
        self.edits: GameEdits = GameEdits(game, folder, changes)
        if not self.edits.fresh and self.edits.edited(TEXTURE_GROUPS.path):
            self.edits.nameless = TEXTURE_GROUPS.nameless(game)
        self.view: FolderView = FolderView(game, self.edits.names)
        self.strings: StringEdits = StringEdits(self.edits)
        self.resources: ResourceEdits = ResourceEdits(self.view, self.edits)
        self.code: CodeEdits = CodeEdits(self.view, self.edits)
        #: the release that a constant named before the edit
        self.named_release: str | None = release_constant(game)
        #: the sounds whose files were not there before the edit, by the names of the files
        self.absent: dict[str, list[Sound]] = self.absent_sounds()

    def note_names(self) -> None:
        """Note names that code may use, and that the edit may take away."""
        self.resources.texts.note_tables()
        if any(map(EXTENSIONS.stem_of, self.edits.changes)) and not self.edits.fresh:
            self.code.removed.functions.note_extensions()

    @property
    def followed(self) -> list[Followed]:
        """The changes of code that names removed or renumbered resources."""
        return [*self.resources.followed, *self.code.followed]

    def absent_sounds(self) -> dict[str, list[Sound]]:
        """The sounds whose files are not next to the game, where an edit may have made it so."""
        edits = self.edits
        concerned = any(map(SOUNDS.stem_of, edits.changes)) and not edits.fresh
        return edits.game.audio_files.absent() if concerned else {}


class Step(NamedTuple):
    """A step of packing; ``after`` are those whose results it needs."""

    name: str
    run: Callable[[Run], None]
    after: tuple[str, ...] = ()


def _check_settings(run: Run) -> None:
    edits = run.edits
    if edits.fresh or SETTINGS not in edits.changes:
        return
    wanted = edits.folder.settings.get("version")
    if wanted not in (None, "", edits.game.version):
        raise WorkspaceError(
            f"{SETTINGS} asks for version {wanted}, but the kept original is of "
            f"{edits.game.version}. To make a game of another version, remove .overhaul"
        )


def _check_spellings(run: Run) -> None:
    """Refuse a new file that some file systems take for another one: unpacking would call what it
    holds otherwise."""
    edits = run.edits
    added = [path for path, change in edits.changes.items() if change == "added"]
    if not added:
        return
    paths: dict[str, str] = {}
    for path in [*(path for path in edits.present if edits.changes.get(path) != "added"), *added]:
        other = paths.setdefault(spelling(path), path)
        if other != path:
            raise WorkspaceError(
                f"{path} and {other} differ in upper and lower case only, and some file systems "
                "take them for one file: call the new one otherwise"
            )


def _changed_tables(edits: GameEdits) -> list[ChunkTable]:
    changed = [table for table in TABLES if edits.edited(table.path)]
    return sorted(changed, key=lambda table: table.turn)


def _prepare_tables(run: Run) -> None:
    edits = run.edits
    for table in _changed_tables(edits):
        if not table.is_in(edits.names):
            raise PlainFileError(
                f"a game of {edits.game.version} has nothing of this kind", table.path
            )
        with in_file(table.path):
            table.prepare(edits.json(table.path), edits)


def _read_tables(run: Run) -> None:
    for table in _changed_tables(run.edits):
        with in_file(table.path):
            table.read(run.edits.json(table.path), run.edits)


def _attach_code(run: Run) -> None:
    complete = [edit for edit in run.resources.touched if run.edits.fresh and edit.given & _RUNNING]
    run.code.attach([id(edit.record) for edit in complete])


def _take_audio(run: Run) -> None:
    edits = run.edits
    if any(path.startswith(f"{audiogroup.FOLDER}/") for path in edits.changes):
        audiogroup.apply_numbered(edits.game.audio.items, edits.folder, edits.changes)


def _show_release(run: Run) -> None:
    """Name the release of a game made by hand, whose options are not those of a new game."""
    edits = run.edits
    by_hand = edits.fresh and OPTIONS.path in edits and GENERAL.path not in edits
    if by_hand and release_constant(edits.game) is None:
        show_release(edits.game)


def _check_release(run: Run) -> None:
    """Refuse to take the name of the release from a game that shows it in no other way."""
    edits, now = run.edits, release_constant(run.edits.game)
    if not edits.fresh and now != run.named_release and not shows_release(edits.game):
        raise PlainFileError(
            f"{RELEASE_CONSTANT} is {run.named_release or 'not there'} "
            f"and stays so: the file shows in no other way that it is of {edits.game.version}",
            OPTIONS.path,
            "constants",
        )


def _warn_of_absent(run: Run) -> None:
    """Warn of sounds whose files are not next to the game since the edit."""
    known = {id(sound) for sounds in run.absent.values() for sound in sounds}
    now = {
        name: [sound for sound in sounds if name not in run.absent or id(sound) not in known]
        for name, sounds in run.absent_sounds().items()
    }
    run.edits.findings += absent_files({name: sounds for name, sounds in now.items() if sounds})


def _close_gaps(run: Run) -> None:
    """Remove empty AUDO entries: sounds of a new folder asked for the places they had."""
    if run.edits.fresh:
        run.edits.game.audio_files.close_gaps()


def _warn_unknown_files(run: Run) -> None:
    """Warn of unknown files, and of removed files that have no effect."""
    edits = run.edits
    known = {ORDER, STRINGS, texture_pages.TEXTURES, SETTINGS, CODE_DETAILS}
    known |= {table.path for table in TABLES}
    folders = {kind.folder for kind in run.view.kinds}
    folders |= {PAGES, audiogroup.FOLDER, unpacking.FOLDER}
    for path, change in edits.changes.items():
        head, slash, _ = path.partition("/")
        if change == "removed" and path in known - {ORDER, CODE_DETAILS}:
            edits.findings.warn(
                "no-effect", "the file was removed; its values stay in the game", path
            )
        known_here = is_code(path) if head == CODE else slash and head in folders
        if change == "added" and not (path in known or known_here):
            meant = closest(head, folders | {CODE} if slash else known)
            if meant is not None:
                place = f"{meant}{path[len(head) :]}"
                raise PlainFileError(f"it is not part of a game (did you mean {place!r}?)", path)
            edits.findings.warn("no-effect", "it is not part of a game, and was ignored", path)


#: Names come first (what is removed, renamed, added), then code, then the JSON that refers to
#: names, then pictures, masks and sounds.  The texts of strings come at the very end, so that a
#: file without edits never undoes the edit of a string that it shows.
STEPS: tuple[Step, ...] = (
    # Before anything changes.
    Step("check settings", _check_settings),
    Step("check spellings", _check_spellings),
    Step("note names", lambda run: run.note_names()),
    # Names: whatever is read later may refer to any of them.
    Step("add strings", lambda run: run.strings.add()),
    Step("add and remove resources", lambda run: run.resources.come_and_go(), ("add strings",)),
    Step("reorder resources", lambda run: run.resources.reorder(), ("add and remove resources",)),
    Step("rename resources", lambda run: run.resources.change_names(), ("reorder resources",)),
    # Before 2.3, when scripts had no code but their own.
    Step("note scripts", lambda run: run.code.note_scripts(), ("rename resources",)),
    # Removing code clears events of objects, and warns of those that still name it.
    Step(
        "add and remove code",
        lambda run: run.code.prepare(run.resources.order_of(CODE)),
        ("rename resources", "note scripts"),
    ),
    # Before 2.3 this gives scripts their numbers, which code holds.
    Step("add elements of tables", _prepare_tables, ("add strings", "add and remove code")),
    Step("follow scripts", lambda run: run.code.follow_scripts(), ("add elements of tables",)),
    # Code names resources and scripts; compiling it adds functions that the JSON refers to.
    Step("list new scripts", lambda run: run.code.list_scripts(), ("add and remove code",)),
    Step(
        "compile code",
        lambda run: run.code.assemble(),
        ("rename resources", "list new scripts", "follow scripts"),
    ),
    # JSON refers to all that has a name, and to texture page items by number.
    Step("read textures.json", lambda run: texture_pages.read_textures(run.edits)),
    Step("read tables", _read_tables, ("compile code", "read textures.json")),
    # scripts.json may have dropped what was listed for the compiler.
    Step("list new scripts again", lambda run: run.code.list_scripts(), ("read tables",)),
    Step("read JSON", lambda run: run.resources.read_json(), ("compile code", "read tables")),
    # Only now is known which code the JSON runs.
    Step("attach new code", _attach_code, ("read JSON", "list new scripts again")),
    Step("warn of names", lambda run: run.code.warn_of_names(), ("attach new code",)),
    # Repainted pages are what the frames on them are compared with.
    Step("repaint pages", lambda run: texture_pages.repaint_pages(run.edits)),
    # Sounds of new resources look for a free place among those with a number.
    Step("take numbered audio", _take_audio),
    Step(
        "apply other files",
        lambda run: run.resources.apply(),
        ("read JSON", "repaint pages", "take numbered audio"),
    ),
    Step("close gaps in audio", _close_gaps, ("apply other files",)),
    # All new pictures are known, and share new pages.
    Step("make pages", lambda run: run.edits.painting.finish(), ("apply other files",)),
    Step("check records", lambda run: run.resources.check_written(), ("make pages",)),
    Step("take raw chunks", lambda run: unpacking.take_chunks(run.edits)),
    Step("enlist resources", lambda run: run.resources.enlist(), ("read tables", "make pages")),
    Step("show the release", _show_release, ("enlist resources",)),
    # After everything that names a resource by the text of a string before its edit.
    Step("change strings", lambda run: run.strings.change(), ("check records", "enlist resources")),
    Step(
        "warn of texts",
        lambda run: run.resources.texts.warn(run.code.text_of, run.code.shown),
        ("change strings",),
    ),
    Step("check the release", _check_release, ("change strings",)),
    Step("report numbers", lambda run: report(run.followed, run.edits)),
    Step("warn of unknown files", _warn_unknown_files),
    Step("warn of absent sounds", _warn_of_absent),
)


def apply_folder(game: GameData, folder: Folder, changes: Mapping[str, Change]) -> Findings:
    """Change a game as its plain files were changed; return warnings."""
    before = len(game.findings)
    game.load_all(leaving=game.chunks.keys() if in_place(changes) else MEDIA_CHUNKS)
    run = Run(game, folder, changes)
    try:
        for step in STEPS:
            step.run(run)
    finally:
        run.edits.end_processes()
    game.language.forget()
    run.edits.findings += game.findings[before:]
    return run.edits.findings


#: how many places an error lists
_LISTED = 40
_WORD = re.compile(r"\w+")


def report(changes: Iterable[Followed], edits: GameEdits) -> None:
    """Warn of code that named what was removed.

    Raises RenumberingError for numbers that may name renumbered resources; with the option to keep
    such numbers, each is a warning.
    """
    left = [change.without(lambda place: _is_gone(place, edits)) for change in changes]
    for followed in left:
        for name, places in followed.cleared.items():
            edits.findings.warn(
                "still-named", f"{name} was removed, but code named it: {_in_words(places)}"
            )
        if followed.asked is not None:
            asked = followed.asked
            asking = [place for place in asked.places if not _is_gone(place, edits)]
            edits.findings += [asked.of(place, file_of(place)) for place in asking]
    doubts = [doubt for followed in left for doubt in _doubts(followed, edits)]
    if not doubts:
        return
    if edits.options.accept_renumbering:
        edits.findings += doubts
        return
    more = f"\n  ... ({len(doubts)} in all)" if len(doubts) > _LISTED else ""
    listed = "\n  ".join(map(str, doubts[:_LISTED]))
    raise RenumberingError(
        doubts,
        "resources have other numbers now, and code holds numbers that may or may not name them:"
        f"\n  {listed}{more}\n"
        "Write the names (or the numbers) that are meant in these lines, keep the order of the "
        "resources, or accept that these numbers stay as they are",
    )


def _doubts(followed: Followed, edits: GameEdits) -> Iterator[Finding]:
    for doubt in followed.doubtful:
        now = "was removed" if doubt.now is None else f"is {doubt.now} now"
        for place in doubt.places:
            words = _WORD.findall(place.text)
            if str(doubt.number) in words or doubt.name not in words:
                said = f"{doubt.number} in {place.text!r:.80} ({doubt.name} {now})"
            elif not edits.edited(file_of(place)):
                may = f"may be the number {doubt.number} ({doubt.name} {now})"
                said = f"{doubt.name} in {place.text!r:.80} {may}"
            else:
                continue
            yield warning("renumbered", said, file_of(place), line=place.line)
    for entry in followed.unread:
        path = f"{CODE}/{escape_name(entry)}{SOURCE}"
        yield warning("renumbered", "it can't be compiled for the new numbers", path)


def _is_gone(place: SourceLine, edits: GameEdits) -> bool:
    """Whether code is removed, or was edited for the current resources."""
    game: GameData = edits.game
    if place.entry not in game.records.code:
        return True
    stem = f"{CODE}/{escape_name(place.entry)}"
    if edits.edited(f"{stem}{ASSEMBLY}"):
        return True
    if not edits.edited(f"{stem}{SOURCE}"):
        return False
    lines = (line.strip() for line in edits.text(f"{stem}{SOURCE}").split("\n"))
    return not place.text or place.text not in lines


def _in_words(places: Iterable[SourceLine]) -> str:
    return ", ".join(map(path_of, places))
