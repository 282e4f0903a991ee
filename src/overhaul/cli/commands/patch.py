"""``overhaul patch``: binary patches between two files."""

from __future__ import annotations

import click

from overhaul import patches
from overhaul.cli import options
from overhaul.cli.output import OK, Settings, read_input, say, say_json, shown, size_in_words
from overhaul.document.files import write_file
from overhaul.errors import FormatError

#: the kinds that can be made
_MADE = ("bps", "xdelta")


@click.group(
    "patch",
    epilog=options.examples(
        "overhaul patch apply data.win better.xdelta -o new.win",
        "overhaul patch make data.win new.win -o better.bps",
        "overhaul patch show better.bps",
    ),
)
def command() -> None:
    """Apply and make binary patches: BPS and xdelta (VCDIFF); apply UPS and IPS.

    A binary patch fits one exact file. To share changes that fit later builds and other mods, make
    a mod of them.
    """


@command.command(
    "apply", epilog=options.examples("overhaul patch apply data.win better.bps -o new.win")
)
@click.argument("old", metavar="FILE")
@click.argument("patch", metavar="PATCH")
@options.output("The file to write.", "PATH")
@options.force_backup
@options.common
def apply(old: str, patch: str, output: str, force: bool, settings: Settings) -> int:
    """Write the file that PATCH makes from FILE.

    A patch for another file is refused, with the size and checksum of the file it wants where the
    patch says them (IPS does not).
    """
    try:
        data = patches.apply(read_input(patch), read_input(old))
    except FormatError as error:
        error.source = patch
        raise
    write_file(output, data, force=force, backup=True)
    if settings.json:
        say_json({"path": output, "size": len(data)})
    else:
        say(f"{shown(output)}: {size_in_words(len(data))}")
    return OK


@command.command(
    "make", epilog=options.examples("overhaul patch make data.win new.win -o better.bps")
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@options.output("The patch to write.", "PATH")
@click.option(
    "--kind",
    type=click.Choice(_MADE),
    help="The kind of patch; otherwise the ending of PATH says it.",
)
@options.force_file
@options.common
def make(old: str, new: str, output: str, kind: str | None, force: bool, settings: Settings) -> int:
    """Write the patch that makes NEW from OLD.

    It holds the bytes of NEW that are not in OLD, and where the others come from.
    """
    kind = kind or patches.kind_of_name(output)
    if not kind:
        raise click.UsageError(
            f"{output}: the ending says no kind of patch; name it .bps or .xdelta, or give --kind"
        )
    if kind not in _MADE:
        raise click.UsageError(f"{kind} patches are read only; make one as .bps or .xdelta")
    data = patches.make(read_input(old), read_input(new), kind)
    write_file(output, data, force=force)
    if settings.json:
        say_json({"path": output, "kind": kind, "size": len(data)})
    else:
        say(f"{shown(output)}: {size_in_words(len(data))}")
    return OK


@command.command("show", epilog=options.examples("overhaul patch show better.bps"))
@click.argument("patch", metavar="PATCH")
@options.common
def show(patch: str, settings: Settings) -> int:
    """Print what a patch says of itself: its kind, and the files it is for and makes."""
    try:
        said = patches.describe(read_input(patch))
    except FormatError as error:
        error.source = patch
        raise
    if settings.json:
        say_json({"path": patch, **said._asdict()})
        return OK
    say(f"kind  {said.kind}")
    for name, size, checksum in (
        ("for", said.old_size, said.old_checksum),
        ("makes", said.new_size, said.new_checksum),
    ):
        parts = [] if size is None else [f"{size} bytes"]
        parts += [] if checksum is None else [f"CRC-32 {checksum:08x}"]
        say(f"{name:5} {', '.join(parts) or 'not said'}")
    if said.note:
        say(f"note  {shown(said.note)}")
    return OK
