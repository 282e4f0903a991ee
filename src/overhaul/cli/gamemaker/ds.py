"""``overhaul ds``: the strings of GameMaker's data structures."""

from __future__ import annotations

import sys

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, note, read_input, say, say_json, shown
from overhaul.document.files import write_file
from overhaul.errors import FormatError, PlainFileError
from overhaul.gamemaker import ds


@click.group(
    "ds",
    epilog=options.examples(
        "overhaul ds decode save.txt > save.json",
        "overhaul ds find game.ini",
        "overhaul ds decode game.ini --key player/bag > bag.json",
        "overhaul ds encode bag.json --into game.ini --key player/bag",
    ),
)
def command() -> None:
    """Read and write the strings of ds_map_write and similar functions (saves, levels).

    See docs/formats/ds.md for the strings and their JSON.
    """


@command.command(
    "decode",
    epilog=options.examples(
        "overhaul ds decode save.txt > save.json",
        "overhaul ds decode game.ini --key player/bag --nested",
        "overhaul ds decode - < save.txt",
    ),
)
@click.argument("file", metavar="FILE")
@click.option("--key", metavar="KEY", help="Of several strings in FILE, this one (see ds find).")
@click.option("--nested", is_flag=True, help="Decode strings inside that are ds strings too.")
@click.option("--encoding", default="utf-8", metavar="NAME", help="Of the text (cp1251, ...).")
@options.output_or_none("Write the JSON to this file.", "PATH")
@options.force_file
@options.common
def decode(
    file: str,
    key: str | None,
    nested: bool,
    encoding: str,
    output: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Print a ds string as JSON.

    FILE holds one string, by itself or in other text, or several: then KEY says which. FILE - is
    stdin.
    """
    data = read_input(file)
    try:
        if key is not None:
            structure = ds.extract(data, key, encoding=encoding, nested=nested)
        else:
            structure = _whole(data, encoding, nested)
    except FormatError as error:
        error.source = file
        raise
    except LookupError as error:
        raise click.BadParameter(str(error), param_hint="--encoding") from None
    json = ds.json_text(ds.to_json(structure))
    _write(json.encode("utf-8"), output, force=force, text=True)
    return OK


def _whole(data: bytes, encoding: str, nested: bool) -> ds.Structure:
    try:
        return ds.loads(data.decode("latin-1"), encoding=encoding, nested=nested)
    except FormatError:
        strings = ds.find(data)
        if not strings:
            raise
    if len(strings) == 1:
        return ds.extract(data, strings[0].key, encoding=encoding, nested=nested)
    raise FormatError(
        f"expected one ds string, got {len(strings)}; choose one with --key "
        "(overhaul ds find lists them)"
    )


@command.command(
    "encode",
    epilog=options.examples(
        "overhaul ds encode save.json > save.txt",
        "overhaul ds encode new.json --generation 2",
        "overhaul ds encode bag.json --into game.ini --key player/bag",
    ),
)
@click.argument("file", metavar="FILE")
@click.option(
    "--generation",
    type=click.IntRange(1, 3),
    help="For which runners, if FILE does not say: 1 to Studio 1.2, 2 to GMS 2.2, 3 newer.",
)
@click.option("--into", metavar="PATH", help="Put the string in the place of one in this file.")
@click.option("--key", metavar="KEY", help="Which one (see ds find).")
@options.output_or_none("Write to this file.", "PATH")
@options.force_file
@options.common
def encode(
    file: str,
    generation: int | None,
    into: str | None,
    key: str | None,
    output: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Print JSON as a ds string, or put it into a file.

    With --into and --key every other byte of the file stays as it is, and the file as it was is
    kept as NAME.bak. JSON that ds decode did not make is a new string: an object is a map, an
    array a list. FILE - is stdin.
    """
    if (into is None) != (key is None):
        raise click.UsageError("--into and --key go together")
    structure = _structure(read_input(file), file, generation)
    if into is None or key is None:
        _write(ds.file_bytes(ds.dumps(structure)), output, force=force, text=False)
        return OK
    try:
        edited = ds.replaced(read_input(into), key, structure)
    except FormatError as error:
        error.source = into
        raise
    if output is not None:
        write_file(output, edited, force=force)
    else:
        write_file(into, edited, force=True, backup=True)
    return OK


@command.command(
    "find", epilog=options.examples("overhaul ds find game.ini", "overhaul ds find --json *.ini")
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options.common
def find(files: tuple[str, ...], settings: Settings) -> int:
    """List the ds strings in files of any kind (INI, XML, JSON, GML).

    Columns: kind, generation, number of elements, key. Exit code 1 if there are none.
    """
    rows: list[dict[str, object]] = []
    for file in files:
        for item in ds.find(read_input(file)):
            rows.append(
                {
                    "path": file,
                    "key": item.key,
                    "kind": item.kind,
                    "generation": item.generation,
                    "elements": item.elements,
                    "offset": item.start,
                    "length": item.end - item.start,
                }
            )
            if not settings.json:
                name = f"{file}: " if len(files) > 1 else ""
                line = f"{item.kind:8}  {item.generation}  {item.elements:>7}  {item.key}"
                say(shown(name + line))
    if settings.json:
        say_json({"strings": rows})
    elif not rows and not settings.quiet:
        note("overhaul: no ds strings in " + ("it" if len(files) == 1 else "them"))
    return OK if rows else ANSWER_IS_NO


def _structure(data: bytes, file: str, generation: int | None) -> ds.Structure:
    """The structure of a JSON file; errors have its name, line and column."""
    with folders.in_file(file):
        json = folders.read_json(data, file)
        try:
            return ds.from_json(json, generation=generation)
        except FormatError as error:
            place = ds.place_of(data.decode("utf-8-sig"), error.path)
            raise PlainFileError(error.message, file, error.path, *place) from None


def _write(data: bytes, output: str | None, *, force: bool, text: bool) -> None:
    """Write to a file, or to stdout; a ds string gets a line end on a terminal only."""
    if output is not None:
        write_file(output, data, force=force)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    if sys.stdout.isatty() and not text:
        sys.stdout.buffer.write(b"\n")
