"""A game as its folder shows it: the place and the JSON of each resource."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from overhaul.document.names import FileNames, unescape_name
from overhaul.document.plainfiles import Change
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.listed_names import stored_names
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data_folder.kind_folders import CODE
from overhaul.gamemaker.data_folder.kinds import TABLES, Kind, kinds_of
from overhaul.gamemaker.data_folder.names import ReferenceNames, name_of
from overhaul.gamemaker.data_folder.tables import ChunkTable
from overhaul.schema import Record

ORDER = "order.json"
CODE_DETAILS = "code.json"
#: the endings of the files of code entries
ASSEMBLY = ".asm"
SOURCE = ".gml"
_NOTHING = object()


def in_place(changes: Mapping[str, Change]) -> bool:
    """Whether only files of resources and texts of code entries changed, so that their lists
    stay."""
    return all(
        change == "changed" and "/" in path and not path.startswith("chunks/")
        for path, change in changes.items()
    )


def _stems_of(game: GameData, entries: list[CodeEntry]) -> list[str]:
    """The file names of code entries; kept for as long as their names are the same."""
    names = list(map(name_of, entries))
    if game.code_stems is None or game.code_stems[0] != names:
        game.code_stems = names, list(map(FileNames(), names))
    return game.code_stems[1]


class FolderView:
    """Names, places and JSON of a game's resources, as they were before any edit."""

    def __init__(self, game: GameData, names: ReferenceNames | None = None) -> None:
        self.game = game
        self.names: ReferenceNames = names or ReferenceNames(game)
        self.kinds: tuple[Kind, ...] = kinds_of(self.names.version)
        self._stems: dict[str, list[str]] = {}
        self._usual: dict[str, dict[str, object]] = {}
        self._roots: dict[str, CodeEntry] | None = None

    def stems(self, kind: Kind) -> list[str]:
        """The file name of each resource of a kind; "" for one that is not there."""
        known = self._stems.get(kind.chunk)
        if known is None:
            made, names = FileNames(), stored_names(self.game, kind.chunk)
            if names is not None:
                known = list(map(made, names))
            else:
                items = self.game.named(kind.chunk)
                known = ["" if item is None else made(name_of(item)) for item in items]
            self._stems[kind.chunk] = known
        return known

    def resources(self, kind: Kind) -> Iterator[tuple[int, str, Record]]:
        """The index, file name and record of each resource of a kind that is there."""
        records = self.game.named(kind.chunk).items
        if len(self.stems(kind)) != len(records):  # only their names can be read
            del self._stems[kind.chunk]
        for index, (stem, record) in enumerate(zip(self.stems(kind), records, strict=True)):
            if record is not None:
                yield index, stem, record

    def places(self, kind: Kind) -> Iterator[tuple[int, str]] | None:
        """The index and the file name of each resource of a kind; None where reading them takes
        decoding its chunk, or a resource has other files than its JSON."""
        names = None if kind.has_other_files else stored_names(self.game, kind.chunk)
        if names is None:
            return None
        if kind.chunk not in self._stems:
            self._stems[kind.chunk] = list(map(FileNames(), names))
        return enumerate(self._stems[kind.chunk])

    def json_at(self, kind: Kind, reference: Reference[Record], stem: str) -> dict[str, object]:
        """The JSON of the resource that a reference leads to, read without the others if these
        were not read.  Raises WorkspaceError for one that was removed."""
        record = self.game.shown(reference, kind.record)
        if record is None:
            raise WorkspaceError(f"the {kind.word} {unescape_name(stem)} no longer exists")
        return self.json_of(kind, record, stem)

    def roots(self) -> dict[str, CodeEntry]:
        """The code entries with a file of their own, by its name, in the order of the game."""
        if self._roots is None:
            listed = self.game.records.code if "CODE" in self.game.chunks else ()
            entries = [entry for entry in listed if entry is not None and entry.root is None]
            self._roots = dict(zip(_stems_of(self.game, entries), entries, strict=True))
        return self._roots

    def root_names(self) -> dict[str, str]:
        """The names of the code entries with a file of their own, by the file's name."""
        each_is_root = not self.names.version.at_least(2, 3)
        names = stored_names(self.game, "CODE") if each_is_root and self._roots is None else None
        if names is not None:
            made = FileNames()
            return {made(name): name for name in names}
        return {stem: name_of(entry) for stem, entry in self.roots().items()}

    def tables(self, leaving: Collection[str] = ()) -> list[ChunkTable]:
        """The chunks that are one JSON file each and can be read, but for those with the files in
        ``leaving``, which are not decoded."""
        return [table for table in TABLES if table.path not in leaving and table.is_in(self.names)]

    def json_of(self, kind: Kind, record: Record, stem: str) -> dict[str, object]:
        """The JSON of a resource: its name if it is not its file's, the fields that people edit,
        and under ``details`` the others where they are unusual."""
        shown = kind.show(record, self.names)
        usual = self._usual.get(kind.chunk)
        if usual is None:
            usual = self._usual[kind.chunk] = kind.usual(self.names)
        plain: dict[str, object] = {}
        name = getattr(record, "name", None)
        if name is None or str(name) != unescape_name(stem):
            plain["name"] = None if name is None else str(name)
        details = {}
        for key, value in shown.items():
            if key not in kind.details:
                plain[key] = value
            elif usual.get(key, _NOTHING) != value:
                details[key] = value
        return plain | {"details": details} if details else plain

    def order_json(self) -> dict[str, list[str | None]]:
        """The order of all resources, by file name; null where one was removed."""
        order = {kind.folder: [stem or None for stem in self.stems(kind)] for kind in self.kinds}
        order[CODE] = list(self.roots())
        return {folder: stems for folder, stems in order.items() if stems}
