"""Edited plain files, put into a game: resources come and go, JSON is read, pictures follow.

The order matters: names first (what is removed, renamed, added), then code, then the JSON that
refers to names, then pictures, masks and sounds, and the texts of strings at the very end, so
that a file that was not edited never undoes an edit in another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from overhaul.document.names import unescape_name
from overhaul.document.protocol import Change, Folder
from overhaul.errors import EncodeError, FormatError, WorkspaceError
from overhaul.gamemaker.data.painting import ImageEdits
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data.references import NamedList, references_in
from overhaul.gamemaker.data.renumber import PLAIN_NUMBERS
from overhaul.gamemaker.data.writer import Encoders
from overhaul.gamemaker.data_folder import files
from overhaul.gamemaker.data_folder.audiogroup import apply_numbered
from overhaul.gamemaker.data_folder.code import CODE, CodeEdits, is_code
from overhaul.gamemaker.data_folder.jsontext import read_json
from overhaul.gamemaker.data_folder.kinds import CODE_DETAILS, FILES, ORDER, STRINGS, TEXTURES, Kind
from overhaul.gamemaker.data_folder.masks import shape_of
from overhaul.gamemaker.data_folder.parts import PartEdits
from overhaul.gamemaker.data_folder.plain import overlay, replace_fields
from overhaul.gamemaker.data_folder.resources import read_resource
from overhaul.gamemaker.data_folder.strings import read_strings
from overhaul.gamemaker.data_folder.texturefiles import TextureEdits
from overhaul.gamemaker.data_folder.unpacking import AUDIO, CHUNK_BYTES
from overhaul.gamemaker.data_folder.view import FolderView, name_of
from overhaul.schema import Writer, codec_for

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData

SETTINGS = "overhaul.toml"
#: keys that tell all the code which a resource runs
_RUNNING = frozenset({"events", "creation_code", "instances"})


class Touched:
    """A resource with changed files: ``record`` in the game, and its files by what happened."""

    __slots__ = (
        "added",
        "before",
        "changes",
        "given",
        "kind",
        "record",
        "renamed",
        "stem",
        "was",
    )

    def __init__(self, kind: Kind, stem: str, record: Any, added: bool) -> None:
        self.kind = kind
        self.stem = stem
        self.record = record
        self.added = added
        self.changes: dict[str, Change] = {}
        #: the fields that a sprite's shape followed from, before the edit
        self.before: dict[str, Any] = {}
        #: the keys that the JSON gives
        self.given: frozenset[str] = frozenset()
        #: the JSON of one that was removed, as it was before any edit
        self.was: dict[str, Any] = {}
        #: whether it was there under another name, with the same JSON
        self.renamed = False

    @property
    def place(self) -> str:
        """The path of its folder, or of its files without their endings."""
        return f"{self.kind.folder}/{self.stem}"

    @property
    def json_path(self) -> str:
        """Its JSON file."""
        return self.kind.json_path(self.stem)


class Applier:
    """One run of :meth:`GameData.apply`."""

    def __init__(self, game: GameData, folder: Folder, changes: Mapping[str, Change]) -> None:
        self.game = game
        self.folder = folder
        self.changes = changes
        self.fresh = len(game.data) == 0
        self.warnings: list[str] = []
        self.present = set(folder.list())

    def run(self) -> list[str]:
        """Apply all changes; return warnings."""
        game = self.game
        before = len(game.warnings)
        game.load_all()
        self._check_settings()
        self.view = FolderView(game)
        self.records = {
            kind.chunk: {
                stem: record
                for stem, record in zip(
                    self.view.stems(kind.chunk), game.named(kind.chunk), strict=True
                )
                if record is not None
            }
            for kind in self.view.kinds
        }
        self.texts = self._new_strings()
        self.order = self._read_order()
        touched = self._find_resources()
        self.added = {id(resource.record) for resource in touched if resource.added}
        code = CodeEdits(self.view, self.folder, self.changes)
        code.prepare(_strings_of(self.order.get("code")))
        tables = files.FileEdits(self)
        tables.prepare()
        self._reorder()
        self._change_names()
        code.list_scripts(self.fresh)  # functions that code may call
        code.assemble(self.fresh)
        textures = TextureEdits(self)
        textures.run()
        tables.run()
        code.list_scripts(self.fresh)
        for resource in touched:
            self._read_json(resource)
        settled = [id(t.record) for t in touched if t.given & _RUNNING] if self.fresh else []
        code.attach(settled, self.fresh)
        code.tell_calls()
        self.warnings += code.warnings
        images = ImageEdits(game, PageImages())
        textures.repaint(images)
        parts = PartEdits(self, images, textures.items)
        if any(path.startswith(f"{AUDIO}/") for path in self.changes):
            apply_numbered(game.audio.items, self.folder, self.changes, AUDIO)
        for resource in touched:
            parts.apply(resource)
        images.finish()
        self._check_written(touched)
        self._raw_chunks()
        tables.finish({id(item) for item in textures.items.values()})
        self._edit_strings()
        self._unknown()
        game.language.forget()
        told = game.warnings[before:]
        if self.fresh:  # code is as it stands in the folder: its numbers are the final ones
            told = [warning for warning in told if not warning.startswith(PLAIN_NUMBERS)]
        self.warnings.extend(told)
        return self.warnings

    # -- settings, strings --------------------------------------------------------------------

    def _check_settings(self) -> None:
        if self.fresh or SETTINGS not in self.changes:
            return
        wanted = self.folder.settings.get("version")
        if wanted not in (None, "", self.game.version):
            raise WorkspaceError(
                f"{SETTINGS} asks for version {wanted}, but the kept original is of "
                f"{self.game.version}. To make a game of another version, remove .overhaul"
            )

    def _new_strings(self) -> list[str] | None:
        """Read strings.csv; its new rows become strings now, edited ones at the end."""
        change = self.changes.get(STRINGS)
        if change is None or change == "removed":
            return None
        texts = read_strings(self.folder.read(STRINGS), STRINGS)
        table = self.game.strings
        if self.fresh:
            self._take_strings(texts)
            return None
        if len(texts) < len(table):
            raise WorkspaceError(
                f"{STRINGS}: there are {len(table)} strings, but {len(texts)} rows (strings keep "
                "their numbers: empty the text instead of removing its row)"
            )
        for text in texts[len(table) :]:
            table.add_new(text)
        return texts

    def _take_strings(self, texts: list[str]) -> None:
        """The whole table, before whatever a new game has already."""
        table = self.game.strings
        table.clear()
        table.forget()
        for text in texts:
            table.add_new(text)
        files.adopt_strings(self.game)

    def _edit_strings(self) -> None:
        if self.texts is None:
            return
        for string, text in zip(self.game.strings, self.texts, strict=False):
            if string.text != text:
                string.text = text
        self.game.strings.forget()

    # -- names --------------------------------------------------------------------------------

    def _read_order(self) -> dict[str, Any]:
        if ORDER not in self.present:
            return {}
        order = self.json(ORDER)
        if not isinstance(order, dict):
            raise WorkspaceError(f"{ORDER}: expected an object with a list for each kind")
        return order

    def json(self, path: str) -> Any:
        """What a JSON file of the folder holds."""
        return read_json(self.folder.read(path), path)

    def _find_resources(self) -> list[Touched]:
        """The resources with changed files; added ones are in the game, removed ones out of it."""
        found: dict[tuple[str, str], Touched] = {}
        for path, change in self.changes.items():
            kind = self.view.by_folder.get(path.partition("/")[0])
            stem = None if kind is None else kind.stem_of(path)
            if kind is None or stem is None:
                continue
            key = (kind.folder, stem)
            if key not in found:
                found[key] = Touched(kind, stem, None, False)
            found[key].changes[path] = change
        for resource in found.values():
            record = self.records[resource.kind.chunk].get(resource.stem)
            if record is not None and resource.changes.get(resource.json_path) == "removed":
                resource.was = self.view.json_of(resource.kind, record, resource.stem)
        touched: list[Touched] = []
        for kind in self.view.kinds:
            mine = [t for (folder, _), t in found.items() if folder == kind.folder]
            if mine:
                touched.extend(self._settle_kind(kind, mine))
        return touched

    def _settle_kind(self, kind: Kind, mine: list[Touched]) -> list[Touched]:
        game = self.game
        if kind.chunk not in game.slots:
            raise WorkspaceError(
                f"{mine[0].json_path}: a game of {game.version} has no {kind.word}s"
            )
        owner = game.named(kind.chunk)
        records = self.records[kind.chunk]
        removed = []
        added = []
        kept = []
        for resource in mine:
            resource.record = records.get(resource.stem)
            here = any(change != "removed" for change in resource.changes.values())
            if resource.record is None:
                if here:
                    added.append(resource)
            elif resource.changes.get(resource.json_path) == "removed":
                left = [path for path, change in resource.changes.items() if change != "removed"]
                if left:
                    raise WorkspaceError(f"{resource.json_path} is missing, but {left[0]} is there")
                removed.append(resource)
            else:
                kept.append(resource)
        for resource in list(added):
            twin = self._renamed_from(resource, removed)
            if twin is not None:
                removed.remove(twin)
                resource.record = twin.record
                resource.renamed = True
                twin.record.name = game.strings.add(self._name(resource))
                added.remove(resource)
                kept.append(resource)
        if removed:
            self.warnings.extend(uses_of(game, owner, removed, self.present))
            owner.remove(*[resource.record for resource in removed])
        for resource in self._in_order(kind, added):
            record = kind.load()()
            record.name = game.strings.add(self._name(resource))  # type: ignore[attr-defined]
            owner.append(record)
            resource.record = record
            resource.added = True
        return [*kept, *added]

    def _renamed_from(self, resource: Touched, removed: list[Touched]) -> Touched | None:
        """The removed resource that this new one is under another name: its JSON is the same."""
        if self.fresh or resource.json_path not in self.present:
            return None
        plain = self.json(resource.json_path)
        if not isinstance(plain, dict):
            return None
        plain = {key: value for key, value in plain.items() if key != "name"}
        for twin in removed:
            if plain == {key: value for key, value in twin.was.items() if key != "name"}:
                return twin
        return None

    def _name(self, resource: Touched) -> str:
        """What an added resource is called."""
        if resource.json_path in self.present:
            plain = self.json(resource.json_path)
            if isinstance(plain, dict) and isinstance(plain.get("name"), str):
                return str(plain["name"])
        return unescape_name(resource.stem)

    def _in_order(self, kind: Kind, added: list[Touched]) -> list[Touched]:
        listed = _strings_of(self.order.get(kind.folder))
        place = {stem: index for index, stem in enumerate(listed)}
        return sorted(added, key=lambda r: (place.get(r.stem, len(place)), r.stem))

    def _reorder(self) -> None:
        """Bring lists into the order of order.json, if that says more than before."""
        if self.fresh:
            for kind in self.view.kinds:
                self._insert_gaps(kind)
            return
        if self.changes.get(ORDER) != "changed":
            return
        for kind in self.view.kinds:
            listed = self.order.get(kind.folder)
            if listed is None or kind.chunk not in self.game.slots:
                continue
            owner = self.game.named(kind.chunk)
            by_stem = {}
            for stem, record in zip(self._stems_now(kind), owner, strict=True):
                if record is not None:
                    by_stem[stem] = record
            places = {id(record): index for index, record in enumerate(owner)}
            wanted = [places[id(by_stem[s])] for s in _strings_of(listed) if s in by_stem]
            if len(set(wanted)) != len(wanted):
                raise WorkspaceError(f"{ORDER}: {kind.folder}: a name occurs twice")
            rest = [index for index in range(len(owner)) if index not in set(wanted)]
            if any(item is None for item in owner):
                gaps = [i for i, item in enumerate(owner) if item is None]
                rest = [index for index in rest if index not in gaps]
                order = [*wanted, *rest]
                for index in gaps:
                    order.insert(index, index)
            else:
                order = [*wanted, *rest]
            if order != list(range(len(owner))):
                owner.reorder(order)

    def _stems_now(self, kind: Kind) -> list[str]:
        return FolderView(self.game).stems(kind.chunk)

    def _insert_gaps(self, kind: Kind) -> None:
        """Indices that the compiler left empty stay empty."""
        listed = self.order.get(kind.folder)
        if not isinstance(listed, list) or kind.chunk not in self.game.slots:
            return
        owner = self.game.named(kind.chunk)
        for index, stem in enumerate(listed):
            if stem is None and index <= len(owner):
                owner.insert(index, None)

    def _change_names(self) -> None:
        """A changed ``name`` key renames a resource before anything refers to it."""
        for path, change in self.changes.items():
            if change != "changed":
                continue
            kind = self.view.by_folder.get(path.partition("/")[0])
            stem = None if kind is None else kind.stem_of(path)
            if kind is None or stem is None or path != kind.json_path(stem):
                continue
            record = self.records[kind.chunk].get(stem)
            if record is None:
                continue
            plain = self.json(path)
            name = plain.get("name", unescape_name(stem)) if isinstance(plain, dict) else None
            if isinstance(name, str) and name_of(record) != name:
                record.name = self.game.strings.add(name)

    # -- the JSON of resources ----------------------------------------------------------------

    def _read_json(self, resource: Touched) -> None:
        path = resource.json_path
        if resource.kind.chunk == "SPRT":
            resource.before = shape_of(resource.record)
        if resource.renamed:  # its JSON says what it said before; names in it may be old ones
            return
        if path in self.changes:
            plain = self.json(path)
        elif resource.added:
            plain = {}
        else:
            return
        if not isinstance(plain, dict):
            raise WorkspaceError(f"{path}: expected an object")
        kind = resource.kind
        details = plain.get("details")
        resource.given = frozenset(plain) | frozenset(details if isinstance(details, dict) else ())
        try:
            record = read_resource(self.view, resource, plain)
        except (FormatError, EncodeError) as error:
            raise WorkspaceError(f"{path}: {error}") from None
        except RecursionError:
            raise WorkspaceError(f"{path}: nested too deeply") from None
        if not resource.added:
            record = overlay(resource.record, with_hidden(record, resource.record, kind.hidden))
        if record is not resource.record:
            replace_fields(resource.record, record, kind.hidden)

    def _check_written(self, touched: list[Touched]) -> None:
        """Write each edited resource once for itself, so that an error can name its file."""
        writer = Writer(encoders=Encoders(self.game))
        for resource in touched:
            kind = resource.kind
            version = self.game.slots[kind.chunk].version or self.game.layout
            writer.version = version
            try:
                codec_for(kind.load(), version).write(writer, resource.record)
            except EncodeError as error:
                raise WorkspaceError(f"{resource.json_path}: {error}") from None
            del writer.out[:]

    # -- the rest -----------------------------------------------------------------------------

    def _raw_chunks(self) -> None:
        for path, change in self.changes.items():
            head, _, rest = path.partition("/")
            if head != CHUNK_BYTES or change == "removed":
                continue
            slot = self.game.slots.get(rest.removesuffix(".bin"))
            if slot is None or (slot.raw is None and not self.fresh):
                raise WorkspaceError(f"{path}: the game has no such chunk that is kept as bytes")
            slot.raw = self.folder.read(path)
            slot.record = None
            slot.reason = slot.reason or "taken from the folder as it is"
            if self.fresh:
                self.warnings.append(f"{path} is taken as it is: what it points to may have moved")

    def _unknown(self) -> None:
        """Warn of files that mean nothing."""
        known = {ORDER, STRINGS, TEXTURES, SETTINGS, CODE_DETAILS, *FILES.values()}
        folders = {*self.view.by_folder, "textures", AUDIO, CHUNK_BYTES}
        for path, change in self.changes.items():
            head, slash, _ = path.partition("/")
            if change == "removed" and path in known - {ORDER, CODE_DETAILS}:
                self.warnings.append(f"{path} was removed; what it says stays in the game")
            known_here = is_code(path) if head == CODE else slash and head in folders
            if change == "added" and not (path in known or known_here):
                self.warnings.append(f"{path} is no part of a game, and was passed over")


def with_hidden(record: Any, old: Any, hidden: frozenset[str]) -> Any:
    """A record with the hidden fields of another."""
    for name in hidden:
        if name in type(record).__struct_fields__:
            setattr(record, name, getattr(old, name))
    return record


def uses_of(
    game: GameData, owner: NamedList, removed: list[Touched], present: set[str]
) -> list[str]:
    """A warning for each removed resource that files of the folder still name."""
    wanted = {}
    for resource in removed:
        reference = owner.references.get(owner.index(resource.record))
        if reference is not None:
            wanted[id(reference)] = resource
    found: dict[int, str] = {}
    view = FolderView(game)
    for kind in view.kinds:
        for stem, record in zip(view.stems(kind.chunk), game.named(kind.chunk), strict=True):
            path = kind.json_path(stem)
            if record is not None and wanted and path in present:
                for each in references_in(record):
                    if id(each) in wanted:
                        found.setdefault(id(each), path)
    return [
        f"{wanted[key].place} was removed, but {path} names it: there is nothing there now"
        for key, path in found.items()
    ]


def _strings_of(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
