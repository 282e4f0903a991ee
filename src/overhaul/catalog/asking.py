"""Asking a catalogue: SQL over its tables, and the questions that have names.

The tables are views of an embedded DuckDB over the Parquet files.  A query can only read them: it
must be a SELECT, and DuckDB's access to files and settings is locked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Self

import duckdb
import pyarrow as pa
from duckdb import DuckDBPyRelation

from overhaul.catalog.arrow import from_stream, raw_text, schema_of
from overhaul.catalog.child import Limits, Request
from overhaul.catalog.isolated import Reader
from overhaul.catalog.questions import QUESTIONS, SIMILAR, VIEWS
from overhaul.catalog.reading import Wanted
from overhaul.catalog.store import Store
from overhaul.catalog.tables import SHOWN, STORED
from overhaul.document.opening import find_bytes
from overhaul.errors import FormatError, OverhaulError


class Catalog:
    """A catalogue that is open for questions; close it, or use ``with``."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._connection = duckdb.connect(
            ":memory:", config={"python_enable_replacements": "false"}
        )
        connection = self._connection
        for name in STORED:
            connection.register(f"stored_{name}", store.dataset(name))
        for name, sql in VIEWS.items():
            connection.execute(f"CREATE VIEW {name} AS {sql}")
        for name in SHOWN:
            if name not in VIEWS:
                connection.execute(f"CREATE VIEW {name} AS SELECT * FROM stored_{name}")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")

    @property
    def address(self) -> str:
        """Where the catalogue is."""
        return self._store.address

    def sql(self, query: str, parameters: Mapping[str, object] | None = None) -> DuckDBPyRelation:
        """The answer to a SELECT, as a relation of DuckDB (``.fetchall()``, ``.arrow()``).

        Parameters stand as ``$name`` in the query. Raises OverhaulError for a statement other
        than SELECT, and for errors of DuckDB.
        """
        try:
            statements = duckdb.extract_statements(query)
            kinds = {statement.type for statement in statements}
            if len(statements) != 1 or kinds != {duckdb.StatementType.SELECT}:
                raise OverhaulError("expected one SELECT: a catalogue is only read")
            return self._connection.sql(query, params=dict(parameters or {}))
        except duckdb.Error as error:
            raise OverhaulError(f"the query is refused: {error}") from None

    def ask(self, question: str, **parameters: object) -> DuckDBPyRelation:
        """The answer to a question with a name (:data:`QUESTIONS`), as :meth:`sql` gives it.

        Raises KeyError for an unknown question.
        """
        return self.sql(QUESTIONS[question].sql, parameters)

    def similar(
        self, path: str | os.PathLike[str], *, limits: Limits | None = None
    ) -> DuckDBPyRelation:
        """The files that share code and pictures with a file, the most similar first.

        The score is the share of what either has that both have, from 0 to 1: of code, whatever its
        variables and resources are called, and of pictures. Values that few files have weigh more.

        Raises OSError or FormatError for a file that can't be read.
        """
        path = os.fspath(path)
        found = find_bytes(path)
        try:
            digest, size = sha256(found.data).hexdigest(), len(found.data)
        finally:
            found.release()
        wanted = Wanted(verify=False, strings=False, sounds=False)
        reader = Reader(limits or Limits())
        try:
            answer = reader.ask(
                Request(raw_text(path), digest=digest, place=path, container=path, wanted=wanted),
                size,
            )
        finally:
            reader.close()
        if answer.failure is not None:
            raise FormatError(answer.failure.message, source=path)
        for name in ("code", "images"):
            data = answer.tables.get(name)
            rows = from_stream(data) if data else schema_of(STORED[name]).empty_table()
            self._connection.register(f"asked_{name}", rows)
        return self.sql(SIMILAR)

    def twin(self) -> Catalog:
        """The same catalogue with a connection of its own, for questions of another thread."""
        return Catalog(self._store)

    def interrupt(self) -> None:
        """Have the question that another thread asks end with an OverhaulError."""
        self._connection.interrupt()

    def close(self) -> None:
        """Release the files."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        counts = self._store.counts()
        return f"<Catalog {self.address} of {counts['contents']} files>"


def open(path: str | os.PathLike[str]) -> Catalog:
    """Open a catalogue: a folder, or an address of fsspec.

    Raises FileNotFoundError, or FormatError for a file that is not a catalogue.
    """
    return Catalog(Store.open(os.fspath(path)))


def rows_of(relation: DuckDBPyRelation) -> tuple[list[str], Sequence[Sequence[object]]]:
    """The names of the columns of an answer, and its rows.

    Raises OverhaulError for what turns out only now: a value that a query can't convert, a part of
    the catalogue that is damaged.
    """
    with _explained():
        return list(relation.columns), relation.fetchall()


def arrow_of(relation: DuckDBPyRelation) -> pa.Table:
    """An answer as an Arrow table.  Raises what :func:`rows_of` raises."""
    with _explained():
        return relation.to_arrow_table()


@contextmanager
def _explained() -> Iterator[None]:
    """Errors of the libraries as those of the catalogue."""
    try:
        yield
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        raise OverhaulError(f"the query can't be answered: {error}") from None
