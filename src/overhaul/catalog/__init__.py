"""Many games as one table: what is in thousands of files, asked with SQL.

    from overhaul import catalog

    catalog.build(["games"], "games.catalog")
    catalog.open("games.catalog").sql("SELECT kind, count(*) FROM files GROUP BY kind").show()

A catalogue is a folder of Parquet files (:mod:`overhaul.catalog.tables` has the tables,
:mod:`overhaul.catalog.store` how they are stored).  It needs the extra ``catalog``:
``pip install 'overhaul[catalog]'``.
"""

from __future__ import annotations

from overhaul.errors import WorkspaceError
from overhaul.lazy import attach

#: the packages of the extra ``[catalog]``
_NEEDED = ("duckdb", "fsspec", "pyarrow")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.catalog.asking import Catalog as Catalog
    from overhaul.catalog.asking import arrow_of as arrow_of
    from overhaul.catalog.asking import open as open
    from overhaul.catalog.asking import rows_of as rows_of
    from overhaul.catalog.building import Summary as Summary
    from overhaul.catalog.building import build as build
    from overhaul.catalog.child import Limits as Limits
    from overhaul.catalog.reading import Wanted as Wanted

if not TYPE_CHECKING:  # a name that is not there is an error of types
    _get, __dir__, __all__ = attach(
        __name__,
        {
            f"{__name__}.asking": "Catalog arrow_of open rows_of",
            f"{__name__}.building": "Summary build",
            f"{__name__}.child": "Limits",
            f"{__name__}.reading": "Wanted",
        },
    )

    def __getattr__(name: str) -> object:
        try:
            return _get(name)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] not in _NEEDED:
                raise
            raise WorkspaceError(
                f"a catalogue needs the package {error.name}: pip install 'overhaul[catalog]'"
            ) from error
