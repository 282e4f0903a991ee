"""``overhaul catalog``: many games as one table."""

from __future__ import annotations

import csv
import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO
from typing import TYPE_CHECKING

import click

from overhaul import catalog as catalogs
from overhaul.catalog.questions import QUESTIONS
from overhaul.catalog.tables import SHOWN
from overhaul.cli import options
from overhaul.cli.output import OK, Settings, say, say_json, shown
from overhaul.cli.progress import Bar, clock
from overhaul.document.files import write_file
from overhaul.document.registry import load

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from overhaul.catalog.asking import Catalog
    from overhaul.catalog.building import Summary

#: The widest column of a table in a terminal.
_WIDEST = 80


@click.group(
    "catalog",
    epilog=options.examples(
        "overhaul catalog build games -o games.catalog",
        "overhaul catalog versions games.catalog",
    ),
)
def command() -> None:
    """Read many games into one table, and ask it with SQL.

    A catalogue is a folder of Parquet files. "overhaul catalog build" reads games into it, and
    reads only what is new the next time; "overhaul catalog query" asks it with SQL, and the other
    commands are questions with names.
    """


@command.command(
    "build",
    epilog=options.examples(
        "overhaul catalog build games -o games.catalog",
        'overhaul catalog build "s3://archive/games" -o games.catalog -j 0',
        "overhaul catalog build zip://::games.zip -o games.catalog",
        "find . -name data.win | overhaul catalog build - -o games.catalog",
    ),
)
@click.argument("places", nargs=-1, required=True, metavar="PLACE...")
@options.output("The folder of the catalogue, or an address.", "CATALOG")
@click.option("--no-verify", is_flag=True, help="Do not rebuild files and compare them.")
@click.option("--verify-code", is_flag=True, help="Compile all code again and compare it.")
@click.option("--no-resources", is_flag=True, help="Only the types of files, not their contents.")
@click.option("--no-code", is_flag=True, help="No code and no calls.")
@click.option("--no-strings", is_flag=True, help="No texts.")
@click.option("--no-images", is_flag=True, help="No pictures.")
@click.option("--no-sounds", is_flag=True, help="No sounds.")
@click.option("--sources", is_flag=True, help="Also the source of all code.")
@click.option("--retry", is_flag=True, help="Read what failed before once more.")
@click.option(
    "--time-limit", type=float, default=300.0, show_default=True, metavar="SECONDS",
    help="What reading a file may take; two more for each MB of it.",
)  # fmt: skip
@click.option(
    "--memory-limit", type=int, default=500, show_default=True, metavar="MB",
    help="What reading a file may take (not on Windows).",
)  # fmt: skip
@click.option("--dask", metavar="ADDRESS", help="Read with the workers of a Dask cluster.")
@options.jobs
@options.common
def build_command(
    places: tuple[str, ...],
    output: str,
    no_verify: bool,
    verify_code: bool,
    no_resources: bool,
    no_code: bool,
    no_strings: bool,
    no_images: bool,
    no_sounds: bool,
    sources: bool,
    retry: bool,
    time_limit: float,
    memory_limit: int,
    dask: str | None,
    settings: Settings,
) -> int:
    """Read games into a catalogue, which is begun if it is not there.

    A PLACE is a file, a folder with all in it, a glob, an address (s3://bucket/games,
    zip://::games.zip), or "-" for a list of these on standard input. Files are found by their
    content, also inside zip archives, programs and packages. Files that the catalogue has and that
    did not change are not read again, so that a build that was stopped goes on where it was.

    Each file is read in a process of its own: a crash, too much time or too much memory is a row
    of the table "errors", and the build goes on.

    Exit code: 0, also where files could not be read.
    """
    wanted = catalogs.Wanted(
        verify=not no_verify,
        verify_code=verify_code,
        resources=not no_resources,
        code=not no_code,
        strings=not no_strings,
        images=not no_images,
        sounds=not no_sounds,
        sources=sources,
    )
    summary = catalogs.build(
        list(_listed(places)),
        output,
        jobs=settings.jobs,
        wanted=wanted,
        limits=catalogs.Limits(time_limit, memory_limit << 20),
        retry=retry,
        dask=dask,
        progress=Bar("files", hidden=settings.quiet, rate=True),
    )
    if settings.json:
        say_json(summary.to_json())
    elif not settings.quiet:
        _say_summary(summary)
    return OK


def _listed(places: Iterable[str]) -> Iterable[str]:
    for place in places:
        if place == "-":
            yield from (line for line in sys.stdin.read().splitlines() if line)
        else:
            yield place


def _say_summary(summary: Summary) -> None:
    say(f"{summary.files} files, {summary.unchanged} unchanged, in {clock(summary.seconds)}")
    words = {
        "read": "read",
        "failed": "could not be read (overhaul catalog broken)",
        "duplicate": "with bytes that were read elsewhere",
        "unknown": "of no known format",
    }
    for status, text in words.items():
        if summary.status.get(status):
            say(f"{summary.status[status]:8} {text}")
    for kind, count in sorted(summary.kinds.items()):
        say(f"{count:8} {kind}")
    if summary.gone:
        say(f"{summary.gone:8} no longer there")
    if summary.unlisted:
        say(f"{summary.unlisted:8} places could not be listed (overhaul catalog broken)")


# ------------------------------------------------------------------------------- questions


class Form:
    """How an answer is printed: as a table, as JSON, CSV, or into a Parquet file."""

    def __init__(self, csv_: bool, parquet: str | None, limit: int | None, force: bool) -> None:
        self.csv = csv_
        self.parquet = parquet
        self.limit = limit
        self.force = force

    def show(self, relation: DuckDBPyRelation, settings: Settings) -> int:
        """Print an answer."""
        if self.limit is not None:
            relation = relation.limit(self.limit)
        if self.parquet is not None:
            _write_parquet(relation, self.parquet, force=self.force)
            return OK
        names, rows = catalogs.rows_of(relation)
        if settings.json:
            say_json([dict(zip(names, map(_plain, row), strict=True)) for row in rows])
        elif self.csv:
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(names)
            writer.writerows(rows)
        else:
            _say_table(names, rows)
        return OK


def _write_parquet(relation: DuckDBPyRelation, path: str, *, force: bool) -> None:
    out = BytesIO()
    load("pyarrow.parquet:write_table")(catalogs.arrow_of(relation), out, compression="zstd")
    write_file(path, out.getvalue(), force=force)


def _plain(value: object) -> object:
    """A value as JSON has it."""
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _say_table(names: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows with aligned columns; numbers stand to the right."""
    cells = [["" if value is None else shown(value)[:_WIDEST] for value in row] for row in rows]
    widths = [max([len(name), *(len(row[i]) for row in cells)]) for i, name in enumerate(names)]
    right = [
        all(row[i] is None or isinstance(row[i], int | float | Decimal) for row in rows)
        for i in range(len(names))
    ]

    def line(row: Sequence[str]) -> str:
        return "  ".join(
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()

    say(line(names))
    for row in cells:
        say(line(row))


def _answers(function: Callable[..., int]) -> Callable[..., int]:
    """Give a question its catalogue and the forms of its answer."""

    @click.argument("catalog", metavar="CATALOG")
    @click.option("--csv", "csv_", is_flag=True, help="Print CSV on stdout.")
    @click.option("--parquet", metavar="FILE", help="Write the answer into a Parquet file.")
    @click.option("--limit", type=click.IntRange(0), metavar="N", help="The first N rows.")
    @options.force_file
    @functools.wraps(function)
    def command(
        *, csv_: bool, parquet: str | None, limit: int | None, force: bool, **rest: object
    ) -> int:
        return function(form=Form(csv_, parquet, limit, force), **rest)

    return command


@command.command(
    "query",
    epilog=options.examples(
        'overhaul catalog query games.catalog "SELECT kind, count(*) FROM files GROUP BY kind"',
        'overhaul catalog query games.catalog "SELECT name FROM resources" --csv > names.csv',
    ),
)
@_answers
@click.argument("sql", metavar="SQL")
@options.common
def query_command(catalog: str, sql: str, form: Form, settings: Settings) -> int:
    """Ask a catalogue with SQL, as DuckDB understands it.

    The query must be a SELECT; it can read nothing but the tables, which "overhaul catalog tables"
    shows.
    """
    with catalogs.open(catalog) as opened:
        return form.show(opened.sql(sql), settings)


@command.command("tables", epilog=options.examples("overhaul catalog tables"))
@options.common
def tables_command(settings: Settings) -> int:
    """Show the tables of a catalogue, and what their columns say."""
    if settings.json:
        say_json(
            {
                table.name: {column.name: column.about for column in table.columns}
                for table in SHOWN.values()
            }
        )
        return OK
    for table in SHOWN.values():
        say(f"{table.name}: {table.about}")
        for column in table.columns:
            say(f"    {column.name:18} {column.about}")
    return OK


@command.command(
    "similar", epilog=options.examples("overhaul catalog similar games.catalog data.win")
)
@_answers
@click.argument("file", metavar="FILE")
@options.common
def similar_command(catalog: str, file: str, form: Form, settings: Settings) -> int:
    """Show the files of a catalogue that share code and pictures with FILE."""
    with catalogs.open(catalog) as opened:
        return form.show(opened.similar(file), settings)


def _add_question(name: str) -> None:
    question = QUESTIONS[name]
    given = "".join(f" {'spr_player' if take == 'name' else take}" for take in question.takes)

    def ask(catalog: str, form: Form, settings: Settings, **takes: object) -> int:
        with catalogs.open(catalog) as opened:
            return _ask(opened, name, takes, form, settings)

    ask.__doc__ = question.about
    asking = options.common(ask)
    for take in reversed(question.takes):
        asking = click.argument(take, metavar=take.upper())(asking)
    command.command(name, epilog=options.examples(f"overhaul catalog {name} games.catalog{given}"))(
        _answers(asking)
    )


def _ask(
    catalog: Catalog, name: str, takes: dict[str, object], form: Form, settings: Settings
) -> int:
    return form.show(catalog.ask(name, **takes), settings)


for _name in QUESTIONS:
    _add_question(_name)
