"""Resources come and go as their files did, and their JSON becomes their records."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeAlias

from overhaul.document.names import unescape_name
from overhaul.errors import EncodeError, PlainFileError
from overhaul.folder.edits import LIKE, Unit, by_unit, likeness, pair_renamed
from overhaul.folder.json_fields import (
    at_key,
    expect_list,
    expect_object,
    expect_text,
    in_file,
    json_bytes,
)
from overhaul.folder.records import overlay, replace_fields
from overhaul.gamemaker.data.code.following import Followed
from overhaul.gamemaker.data.renumber import references_in
from overhaul.gamemaker.data.resources.names import ASSET_CHUNKS, NameChecks
from overhaul.gamemaker.data.resources.renaming import (
    carry_out,
    code_renamed_with,
    put_in_order,
    take_out,
)
from overhaul.gamemaker.data.room_rules import findings_of_no_room
from overhaul.gamemaker.data.writer import Encoders
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.kind_folders import CODE
from overhaul.gamemaker.data_folder.kinds import Kind
from overhaul.gamemaker.data_folder.lost_texts import LostTexts
from overhaul.gamemaker.data_folder.names import name_of
from overhaul.gamemaker.data_folder.resource import ResourceEdit
from overhaul.gamemaker.data_folder.view import ORDER, FolderView, in_place
from overhaul.media import png
from overhaul.schema import Record, Writer, codec_for
from overhaul.suggest import did_you_mean

Edit: TypeAlias = ResourceEdit[Any]
#: From which likeness on the only one that came is the only one that went.
_ONLY_PAIR = 0.25
#: How many added and removed resources of a kind are compared with each other at most.
_PAIRS = 4000


class ResourceEdits:
    """The resources with changed files: ``touched``, those that are left in the game, and
    ``removed``."""

    def __init__(self, view: FolderView, edits: GameEdits) -> None:
        self.view = view
        self.edits = edits
        #: the names in changed files, which code may hold as texts
        self.texts: LostTexts = LostTexts(edits)
        self.touched: list[Edit] = []
        self.removed: list[Edit] = []
        self.order: dict[str, list[str | None]] = {}
        #: the changes of code that names removed or renumbered resources
        self.followed: list[Followed] = []
        #: the renamed resources
        self._named: list[Edit] = []
        #: renamed records and code, by their ids: the chunk, and the name before the edit
        self._originals: dict[int, tuple[str, Any, str]] = {}
        #: the new file names of renamed ones, by folder and the old one
        self._new_stems: dict[tuple[str, str], str] = {}
        folders = {path.partition("/")[0] for path in edits.changes}
        #: the records before the edit, by folder and file name, of folders with edits
        self._records: dict[str, dict[str, Any]] = {
            kind.folder: {stem: record for _, stem, record in view.resources(kind)}
            for kind in view.kinds
            if kind.folder in folders
        }

    def _read_order(self) -> dict[str, list[str | None]]:
        """The content of order.json: lists of file names by folder; none where all stays in its
        order."""
        changes = self.edits.changes
        code = [path for path in changes if path.startswith(f"{CODE}/")]
        if (in_place(changes) and len(code) < 2) or ORDER not in self.edits:
            return {}
        order: dict[str, list[str | None]] = {}
        with in_file(ORDER):
            for folder, stems in expect_object(self.edits.json(ORDER)).items():
                with at_key(folder):
                    order[folder] = [
                        None if stem is None else expect_text(stem) for stem in expect_list(stems)
                    ]
        return order

    def order_of(self, folder: str) -> list[str]:
        """The file names that order.json lists for a folder."""
        return [stem for stem in self.order.get(folder, ()) if stem is not None]

    # -- names --------------------------------------------------------------------------------

    def _unit_of(self, path: str) -> Unit | None:
        """The folder and file name of the resource that a path belongs to."""
        for kind in self.view.kinds:
            stem = kind.stem_of(path)
            if stem is not None:
                return kind.folder, stem
        return None

    def come_and_go(self) -> None:
        """Find the resources with changed files; add those whose files were added, and remove those
        whose files were removed."""
        self.order = self._read_order()
        units, _ = by_unit(self.edits.changes, self._unit_of)
        kinds = {kind.folder: kind for kind in self.view.kinds}
        by_folder: dict[str, list[Edit]] = {folder: [] for folder in kinds}
        removed_json: dict[str, object] = {}
        for (folder, stem), paths in units.items():
            record = self._records[folder].get(stem)
            edit = ResourceEdit(kinds[folder], stem, self.edits, record, paths)
            by_folder[folder].append(edit)
            if edit.removed:
                plain = self.view.json_of(edit.kind, edit.record, stem)
                removed_json[edit.place] = _without_name(plain)
        for folder, mine in by_folder.items():
            if mine:
                self._come_and_go_of_kind(kinds[folder], mine, removed_json)
        if any(edit.kind.chunk == "ROOM" for edit in self.removed):
            self.edits.findings += findings_of_no_room(self.edits.game)

    def _come_and_go_of_kind(
        self, kind: Kind, mine: list[Edit], removed_json: dict[str, object]
    ) -> None:
        """Add and remove resources of a kind."""
        game = self.edits.game
        if kind.chunk not in game.chunks:
            raise PlainFileError(f"a game of {game.version} has no {kind.word}s", mine[0].json_path)
        owner = game.named(kind.chunk)
        removed = [edit for edit in mine if edit.removed]
        added = [edit for edit in mine if edit.added and edit.files]
        self.touched += [edit for edit in mine if not edit.added and not edit.removed]
        for edit in removed:
            if left := [*edit.files, *self._files_of(kind, edit.stem)]:
                raise PlainFileError(f"it is missing, but {left[0]} is there", edit.json_path)
        json = {edit.place: self._json_of_new(edit) for edit in added}
        for edit, twin in self._renamed(kind, added, removed, json, removed_json):
            added.remove(edit)
            removed.remove(twin)
            edit.take_over(twin, same=json[edit.place] == removed_json[twin.place])
            self._new_stems[kind.folder, twin.stem] = edit.stem
            self._rename(edit, self._name(edit))
            self.touched.append(edit)
        for edit in removed:
            self.texts.note_removed(edit.place, edit.name)
        if removed:
            self._warn_of_uses(kind, removed)
            self.followed.append(take_out(game, kind.chunk, [edit.record for edit in removed]))
            self.removed += removed
        place = {stem: index for index, stem in enumerate(self.order_of(kind.folder))}
        for edit in sorted(added, key=lambda e: (place.get(e.stem, len(place)), e.stem)):
            edit.record.name = game.strings.add(self._name(edit))
            owner.append(edit.record)
            self._named.append(edit)
            self.touched.append(edit)

    def _renamed(
        self,
        kind: Kind,
        added: list[Edit],
        removed: list[Edit],
        json: Mapping[str, object],
        removed_json: Mapping[str, object],
    ) -> list[tuple[Edit, Edit]]:
        """The added resources that are removed ones under new names: with the same JSON, or with
        most of what the other had."""
        pairs = pair_renamed(
            added, removed, lambda edit, twin: json[edit.place] == removed_json[twin.place]
        )
        paired = {id(edit) for pair in pairs for edit in pair}
        left = [edit for edit in added if id(edit) not in paired and json[edit.place] is not None]
        gone = [edit for edit in removed if id(edit) not in paired]
        if not left or not gone or len(left) * len(gone) > _PAIRS:
            return pairs
        usual = kind.usual(self.edits.names)
        now = {edit.place: self._content_of_new(edit, usual) for edit in left}
        before = {twin.place: self._content_of_old(kind, twin, usual) for twin in gone}
        scores = [
            (likeness(before[twin.place], now[edit.place]), -number, edit, twin)
            for number, edit in enumerate(left)
            for twin in gone
            if before[twin.place] and now[edit.place]
        ]
        only_pair = len(left) == len(gone) == 1
        for score, _, edit, twin in sorted(scores, key=lambda score: score[:2], reverse=True):
            is_like = score >= LIKE or (only_pair and score >= _ONLY_PAIR)
            if is_like and not {id(edit), id(twin)} & paired:
                paired |= {id(edit), id(twin)}
                pairs.append((edit, twin))
                if score < LIKE:
                    self.edits.findings.warn(
                        "renamed", f"it is taken for {twin.place} under a new name", edit.json_path
                    )
        return pairs

    def _content_of_new(self, edit: Edit, usual: Mapping[str, object]) -> dict[str, bytes]:
        """The contents of an added resource's files, by the ends of their paths."""
        paths = [path for path in edit.files if path != edit.json_path]
        content = {path[len(edit.place) :]: self.edits.bytes(path) for path in paths}
        return content | _distinctive(self.edits.json(edit.json_path), usual)

    def _content_of_old(
        self, kind: Kind, edit: Edit, usual: Mapping[str, object]
    ) -> dict[str, bytes]:
        """The same of a removed one."""
        content = {}
        for picture in kind.pictures(edit.record):
            pixels = None if picture.item is None else self.edits.images.frame(picture.item)
            if pixels is not None:
                content[f"{picture.path}.png"] = png.encode(pixels)
        for file in kind.parts(edit.record, edit.place, "", self.edits.names):
            content[file.path[len(edit.place) :]] = file.read()
        return content | _distinctive(self.view.json_of(kind, edit.record, edit.stem), usual)

    def _files_of(self, kind: Kind, stem: str) -> list[str]:
        """The files of a resource that are there."""
        return sorted(path for path in self.edits.present if kind.stem_of(path) == stem)

    def _json_of_new(self, edit: Edit) -> object:
        """The JSON of a new resource without its name; None where nothing can be compared with
        it."""
        if self.edits.fresh or edit.json_path not in self.edits:
            return None
        return _without_name(self.edits.json(edit.json_path))

    def _name(self, edit: Edit) -> str:
        """The name of an added resource."""
        plain = self.edits.json(edit.json_path) if edit.json_path in self.edits else None
        name = plain.get("name") if isinstance(plain, dict) else None
        return name if isinstance(name, str) else unescape_name(edit.stem)

    def _warn_of_uses(self, kind: Kind, removed: list[Edit]) -> None:
        """Warn of each removed resource that files of the folder still name, with all of them."""
        owner = self.edits.game.named(kind.chunk)
        wanted: dict[int, Edit] = {}
        for edit in removed:
            reference = owner.references.get(owner.index(edit.record))
            if reference is not None:
                wanted[id(reference)] = edit
        users: dict[int, dict[str, None]] = {}
        for path, record in self._json_files(FolderView(self.edits.game)) if wanted else ():
            for item in references_in(record):
                if id(item) in wanted:
                    users.setdefault(id(item), {})[path] = None
        for key, paths in users.items():
            verb = "names" if len(paths) == 1 else "name"
            self.edits.findings.warn(
                "still-named",
                f"{wanted[key].place} was removed, but {', '.join(paths)} {verb} it: there is "
                "nothing there now",
            )

    def _json_files(self, view: FolderView) -> Iterator[tuple[str, Record]]:
        """The JSON files of resources that are in the folder, with their records."""
        for kind in view.kinds:
            for _, stem, record in view.resources(kind):
                path = kind.json_path(stem)
                if path in self.edits:
                    yield path, record

    def reorder(self) -> None:
        """Reorder lists as order.json does, if it changed."""
        game = self.edits.game
        changed = self.edits.changes.get(ORDER) == "changed"
        known = {CODE, *(kind.folder for kind in self.view.kinds)}
        if unknown := [] if not changed else sorted(self.order.keys() - known):
            meant = did_you_mean(unknown[0], (CODE, *(kind.folder for kind in self.view.kinds)))
            raise PlainFileError(f"there are no {unknown[0]!r} in a game{meant}", ORDER)
        now = FolderView(game)
        for kind in self.view.kinds:
            listed = self.order.get(kind.folder)
            if listed is None or kind.chunk not in game.chunks:
                continue
            owner = game.named(kind.chunk)
            if self.edits.fresh:  # indices that the compiler left empty stay empty
                for index, stem in enumerate(listed):
                    if stem is None and index <= len(owner):
                        owner.insert(index, None)
            elif changed:
                place = {stem: index for index, stem, _ in now.resources(kind)}
                gaps = [index for index, item in enumerate(owner) if item is None]
                order = self._places_of(kind, place, gaps)
                placed = {*order, *gaps}
                kept = [index for index in gaps if index not in order]
                order += [index for index in range(len(owner)) if index not in placed]
                for index in kept:
                    order.insert(index, index)
                if order != list(range(len(owner))):
                    self.followed.append(put_in_order(game, kind.chunk, order))

    def _places_of(self, kind: Kind, place: dict[str, int], gaps: list[int]) -> list[int]:
        """The new order of a kind's resources; ``place`` has where they are, by file name.

        New ones need not be listed, nor the empty places ``gaps``, which stay where they are then.
        Raises WorkspaceError for names that are not there, occur twice, or are missing.
        """
        listed = [self._new_stem(kind, stem, place) for stem in self.order_of(kind.folder)]
        before = {stem for stem in self.view.stems(kind) if stem}
        for number, stem in enumerate(listed):
            if stem not in place and stem not in before:
                meant = did_you_mean(stem, place)
                raise PlainFileError(
                    f"{kind.folder}: there is no {kind.word} {stem!r}{meant}", ORDER
                )
            if stem in listed[:number]:
                raise PlainFileError(f"{kind.folder}: {stem!r} occurs twice", ORDER)
        missing = sorted(before & place.keys() - set(listed), key=lambda stem: place[stem])
        if missing:
            raise PlainFileError(
                f"{kind.folder}: {missing[0]!r} is missing (a {kind.word} goes with its files)",
                ORDER,
            )
        entries = self.order[kind.folder]
        if entries.count(None) not in (0, len(gaps)):
            raise PlainFileError(
                f"{kind.folder}: null stands for an empty place: expected {len(gaps)}, "
                f"got {entries.count(None)}",
                ORDER,
            )
        empty = iter(gaps)
        places = (
            next(empty) if stem is None else place.get(self._new_stem(kind, stem, place))
            for stem in entries
        )
        return [place for place in places if place is not None]

    def _new_stem(self, kind: Kind, stem: str, place: Collection[str]) -> str:
        """The file name that order.json means, which may list a renamed resource as it was."""
        new = self._new_stems.get((kind.folder, stem), stem)
        return stem if stem in place or new in self.order[kind.folder] else new

    def change_names(self) -> None:
        """Rename the resources whose ``name`` key changed, before anything refers to them."""
        for edit in sorted(self.touched, key=lambda edit: edit.json_path):
            if edit.changes.get(edit.json_path) != "changed":
                continue
            plain = self.edits.json(edit.json_path)
            if isinstance(plain, dict):
                name = plain.get("name", unescape_name(edit.stem))
                if isinstance(name, str) and edit.name != name:
                    self._rename(edit, name)
        for chunk, record, name in self._originals.values():
            self.edits.game.named(chunk).former[name] = name_of(record)
        names = NameChecks(self.edits.game)
        for edit in () if self.edits.fresh else self._named:
            try:
                names.check(edit.kind.chunk, edit.record)
            except ValueError as error:
                raise PlainFileError(str(error), edit.json_path) from None

    def _rename(self, edit: Edit, new: str) -> None:
        """Give a resource another name, as the library does: its code, and all that names it, has
        the new one."""
        game, chunk = self.edits.game, edit.kind.chunk
        old = edit.name
        self._named.append(edit)
        if self.edits.fresh or not new:
            edit.record.name = game.strings.add(new)
            return
        self.view.roots()  # as the files are called
        code = code_renamed_with(game, chunk, edit.record, new)
        self._originals.setdefault(id(edit.record), (chunk, edit.record, old))
        for entry, _ in code:
            self._originals.setdefault(id(entry), ("CODE", entry, str(entry.name)))
        self.edits.findings += carry_out(game, chunk, edit.record, new, code)
        if chunk in ASSET_CHUNKS:
            game.language.names.renamed[old] = new

    # -- JSON and other files -----------------------------------------------------------------

    def read_json(self) -> None:
        """Read the changed JSON files into their records."""
        for edit in self.touched:
            edit.before = copy.copy(edit.record)
            path = edit.json_path
            if not edit.added and not self.edits.fresh:
                self.texts.note_parts(path, edit.record)
            # The JSON of a renamed one says what it said before; names in it may be old ones.
            if not edit.renamed and (path in self.edits.changes or edit.added):
                plain = self.edits.json(path) if path in self.edits.changes else {}
                if not isinstance(plain, dict):
                    raise PlainFileError("expected an object", path)
                with in_file(path):
                    self._read(edit, plain)

    def _read(self, edit: Edit, plain: dict[str, object]) -> None:
        kind = edit.kind
        values, edit.given = kind.values_of(plain, self.edits.names.version)
        record = kind.read(values, edit)
        if not edit.added:
            for name in kind.hidden:
                if name in type(record).__struct_fields__:
                    setattr(record, name, getattr(edit.record, name))
            record = overlay(edit.record, record)
        if record is not edit.record:
            replace_fields(edit.record, record, kind.hidden)

    def apply(self) -> None:
        """Put the files besides the JSON into the records."""
        for kind in self.view.kinds:
            gone = [edit.record for edit in self.removed if edit.kind is kind]
            if gone:
                kind.remove(gone, self.edits)
        if not self.touched:
            return
        self.edits.expect(making for edit in self.touched for making in edit.kind.makings(edit))
        with self.edits.painting.counting():
            for edit in self.touched:
                try:
                    edit.kind.apply(edit)
                except EncodeError as error:
                    raise PlainFileError(str(error), edit.json_path) from error

    def check_written(self) -> None:
        """Write each edited resource separately, so that an error can name its file."""
        writer = Writer(encoders=Encoders(self.edits.game))
        for edit in self.touched:
            version = self.edits.game.chunks[edit.kind.chunk].version or self.edits.names.version
            writer.version = version
            with in_file(edit.json_path):
                codec_for(edit.kind.record, version).write(writer, edit.record)
            del writer.out[:]

    def enlist(self) -> None:
        """List new resources where every game lists them, if no file lists them."""
        added = {id(edit.record) for edit in self.touched if edit.added}
        for kind in self.view.kinds if added or self.edits.fresh else ():
            for record in self.edits.game.named(kind.chunk):
                if record is not None and (self.edits.fresh or id(record) in added):
                    kind.enlist(record, self.edits)


def _without_name(plain: object) -> object:
    if not isinstance(plain, dict):
        return plain
    return {key: value for key, value in plain.items() if key != "name"}


def _distinctive(plain: object, usual: Mapping[str, object]) -> dict[str, bytes]:
    """The values of a resource's JSON that differ from those of a new one."""
    if not isinstance(plain, dict):
        return {}
    said = {key: value for key, value in plain.items() if key != "name" and usual.get(key) != value}
    return {".json": json_bytes(said)} if said else {}
