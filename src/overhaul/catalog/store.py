"""A catalogue as it is stored: parts of tables (Parquet), and commits that list them.

    catalog.json                what it is: the version of the tables
    places/..., contents/...    parts: a table's rows of one batch of files
    commits/00000001.json       the parts that a batch added, and those that a compaction replaced

A part counts once a commit lists it, and a commit is one file that is written whole: a build that
is ended at any moment leaves a catalogue as of its last commit, and parts that nothing lists.
Only the process that runs the build commits.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import Final

import fsspec
import msgspec
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet

from overhaul.catalog.arrow import schema_of
from overhaul.catalog.tables import SCHEMA_VERSION, STORED
from overhaul.errors import FormatError, OverhaulError, UnsupportedVersion

NAME: Final = "catalog.json"
#: How the files of parts are called.
_PART: Final = re.compile(r"[0-9a-f]{32}\.parquet")
#: The files that a build leaves that is ended before the catalogue is one.
_BEGUN: Final = re.compile(re.escape(NAME) + r"\.[0-9a-f]{32}\.tmp")
_COMMITS: Final = "commits"
_NUMBER: Final = "{:08d}.json"
#: Parts below this size are put together, and not beyond it.
FULL: Final = 32 << 20
#: So many small parts of a table are not merged.
MANY: Final = 16


class TablePart(msgspec.Struct, frozen=True):
    """A part of a table: its path in the catalogue, its rows and bytes."""

    table: str
    path: str
    rows: int
    size: int


class Commit(msgspec.Struct):
    """The contents of a commit: parts that are added and removed, and the build that wrote it.

    ``whole``: its parts are all there are, and earlier commits need not be read.
    """

    run: int
    add: list[TablePart]
    remove: list[str] = []
    whole: bool = False


class Store:
    """A catalogue at a path or an address of fsspec.

    ``parts`` has the parts as of when it was opened, and what this object committed.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.files, self.root = fsspec.core.url_to_fs(address)
        self.parts: dict[str, TablePart] = {}
        self.run = 0
        self._commits = 0

    # -- opening ---------------------------------------------------------------------------------

    @classmethod
    def open(cls, address: str) -> Store:
        """Open a catalogue.  Raises FileNotFoundError, or FormatError for what is none."""
        store = cls(address)
        try:
            text = store.files.cat_file(store._path(NAME))
        except FileNotFoundError:
            raise FileNotFoundError(2, "there is no catalogue", address) from None
        except OSError as error:
            raise FileNotFoundError(2, error.strerror or "there is no catalogue", address) from None
        store._check(text)
        store._replay()
        return store

    @classmethod
    def create(cls, address: str) -> Store:
        """Open a catalogue, or begin one.

        Raises OverhaulError for a folder with other things in it.
        """
        store = cls(address)
        if store.files.exists(store._path(NAME)):
            return cls.open(address)
        there = store.files.exists(store.root) and store.files.ls(store.root, detail=False)
        if not all(_BEGUN.fullmatch(posixpath.basename(path)) for path in there or ()):
            raise OverhaulError(f"{address}: expected an empty folder or a catalogue")
        about = {"overhaul": "catalog", "version": SCHEMA_VERSION}
        store.write(NAME, json.dumps(about).encode())
        store.files.makedirs(store._path(_COMMITS), exist_ok=True)
        for path in there or ():
            store.files.rm_file(path)
        return store

    def _check(self, text: bytes) -> None:
        try:
            about = json.loads(text)
            version = about["version"]
            known = about["overhaul"] == "catalog" and isinstance(version, int)
        except (ValueError, TypeError, KeyError):
            known = False
        if not known:
            raise FormatError(f"{NAME} is not that of a catalogue", source=self.address)
        if version > SCHEMA_VERSION:
            raise UnsupportedVersion(
                f"the catalogue has tables of version {version}; expected {SCHEMA_VERSION} at most",
                source=self.address,
            )

    def _replay(self) -> None:
        self.files.invalidate_cache()
        try:
            listed = self.files.ls(self._path(_COMMITS), detail=False)
        except FileNotFoundError:
            listed = []
        names = sorted(posixpath.basename(path) for path in listed if path.endswith(".json"))
        commits: list[Commit] = []
        for name in reversed(names):
            commits.append(self._read_commit(name))
            if commits[-1].whole:
                break
        for commit in reversed(commits):
            self._apply(commit)
        self._commits = int(names[-1].partition(".")[0]) if names else 0

    def _read_commit(self, name: str) -> Commit:
        data = self.files.cat_file(self._path(_COMMITS, name))
        try:
            int(name.partition(".")[0])
            commit = msgspec.json.decode(data, type=Commit)
        except (msgspec.DecodeError, ValueError) as error:
            raise FormatError(f"{_COMMITS}/{name}: {error}", source=self.address) from None
        for part in commit.add:
            folder, _, file = part.path.partition("/")
            if folder != part.table or folder not in STORED or not _PART.fullmatch(file):
                raise FormatError(
                    f"{_COMMITS}/{name}: {part.path!r:.80} is not the path of a part of the table "
                    f"{part.table!r:.40}",
                    source=self.address,
                )
        return commit

    def _apply(self, commit: Commit) -> None:
        for path in commit.remove:
            self.parts.pop(path, None)
        for part in commit.add:
            self.parts[part.path] = part
        self.run = max(self.run, commit.run)

    # -- writing ---------------------------------------------------------------------------------

    def write_part(self, table: str, rows: pa.Table) -> TablePart:
        """Write an Arrow table as a part, which no commit lists yet."""
        out = BytesIO()
        pa.parquet.write_table(rows, out, compression="zstd")
        path = f"{table}/{uuid.uuid4().hex}.parquet"
        self.write(path, out.getvalue())
        return TablePart(table, path, rows.num_rows, out.tell())

    def commit(self, commit: Commit) -> None:
        """Let a commit count.

        Raises OverhaulError if another build committed since this catalogue was opened.
        """
        name = posixpath.join(_COMMITS, _NUMBER.format(self._commits + 1))
        if self.files.exists(self._path(name)):
            raise OverhaulError(f"{self.address}: another build writes into the catalogue")
        self.write(name, msgspec.json.encode(commit))
        self._commits += 1
        self._apply(commit)

    def compact(self, *, least: int = MANY) -> None:
        """Put small parts together, in one commit; tables with fewer than ``least`` stay."""
        added: list[TablePart] = []
        removed: list[str] = []
        for table in STORED:
            small = [part for part in self.of(table) if part.size < FULL]
            if len(small) < least:
                continue
            for group in _groups(small):
                rows = self._rows(table, group)
                added.append(self.write_part(table, rows))
                removed += [part.path for part in group]
        if removed:
            self.commit(Commit(self.run, added, removed))
            self.commit(Commit(self.run, list(self.parts.values()), whole=True))

    def _rows(self, table: str, parts: Iterable[TablePart]) -> pa.Table:
        tables = []
        for part in parts:
            with self._explained(part.path):
                path = self._path(part.path)
                tables.append(pa.parquet.read_table(path, filesystem=self.files))
        return pa.concat_tables(tables).cast(schema_of(STORED[table]))

    def clean(self) -> None:
        """Remove parts that no commit lists, of builds that were ended."""
        for table in STORED:
            folder = self._path(table)
            if not self.files.exists(folder):
                continue
            for path in self.files.ls(folder, detail=False):
                if f"{table}/{posixpath.basename(path)}" not in self.parts:
                    self.files.rm_file(path)

    # -- reading ---------------------------------------------------------------------------------

    def of(self, table: str) -> list[TablePart]:
        """The parts of a table."""
        return [part for part in self.parts.values() if part.table == table]

    def dataset(self, table: str) -> pa.dataset.Dataset:
        """A table as a data set of Arrow, which is read when it is asked for."""
        schema = schema_of(STORED[table])
        paths = [self._path(part.path) for part in self.of(table)]
        if not paths:
            return pa.dataset.dataset(schema.empty_table())
        return pa.dataset.dataset(paths, schema, format="parquet", filesystem=self.files)

    def read(self, table: str, columns: list[str]) -> pa.Table:
        """Columns of a table.  Raises FormatError for a part that is damaged or missing."""
        with self._explained(table):
            return self.dataset(table).to_table(columns)

    @contextmanager
    def _explained(self, where: str) -> Iterator[None]:
        """Errors of reading as those of the catalogue."""
        try:
            yield
        except (pa.ArrowException, OSError) as error:
            raise FormatError(f"it is damaged: {error}", source=self.address, path=where) from None

    def counts(self) -> Mapping[str, int]:
        """The rows that each table has."""
        return {table: sum(part.rows for part in self.of(table)) for table in STORED}

    # -- files -----------------------------------------------------------------------------------

    @property
    def folder(self) -> str | None:
        """The folder of a catalogue on the disk."""
        protocol = self.files.protocol
        local = "file" in ((protocol,) if isinstance(protocol, str) else protocol)
        return os.path.abspath(self.root) if local else None

    def _path(self, *names: str) -> str:
        return posixpath.join(self.root, *names)

    def write(self, name: str, data: bytes) -> None:
        """Write a file of the catalogue, all or nothing."""
        path = self._path(name)
        if self.folder is None:
            self.files.pipe_file(path, data)
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = f"{path}.{uuid.uuid4().hex}.tmp"
        try:
            with open(temporary, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise


def _groups(parts: Iterable[TablePart]) -> Iterable[list[TablePart]]:
    """Parts in groups that make a full one each."""
    group: list[TablePart] = []
    for part in parts:
        if group and sum(member.size for member in group) + part.size > FULL:
            yield group
            group = []
        group.append(part)
    if group:
        yield group
