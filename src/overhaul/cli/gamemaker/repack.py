"""``overhaul repack``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from overhaul.cli import options
from overhaul.cli.gamemaker import open_game
from overhaul.cli.output import OK, Settings, note, say, say_json, shown, size_in_words
from overhaul.cli.progress import Bar

if TYPE_CHECKING:
    from overhaul.gamemaker.data.repacking import PageTotals

_MEGA = 1_000_000


@click.command(
    "repack",
    epilog=options.examples(
        "overhaul repack data.win -o smaller.win",
        "overhaul repack data.win -o data.win --force --group Default --group Title",
        "overhaul repack data.win -o out.win --page-size 4096 --padding 4 --extrude 2",
    ),
)
@click.argument("file", metavar="GAME")
@options.output("The file to write.")
@click.option(
    "--group", "groups", multiple=True, metavar="NAME", help="Only the pages of this texture group."
)
@click.option(
    "--page-size",
    type=int,
    metavar="PIXELS",
    help="The largest side of a page, a power of two (2048, or that of a larger one there is).",
)
@click.option("--padding", type=int, metavar="PIXELS", help="Room around each picture (2).")
@click.option(
    "--extrude",
    type=int,
    metavar="PIXELS",
    help="How much of the padding continues the picture (all of it).",
)
@options.force_backup
@options.assume_version
@options.common
def command(
    file: str,
    output: str,
    groups: tuple[str, ...],
    page_size: int | None,
    padding: int | None,
    extrude: int | None,
    force: bool,
    settings: Settings,
) -> int:
    """Pack a game's texture pages again, so that they get smaller.

    Every picture keeps its pixels, its texture group and the format of its page. Equal pictures
    are stored once; a picture that has a page for itself keeps it. Without --page-size, --padding
    and --extrude, pages that would not get smaller stay as they are.
    """
    bar = Bar("pages", hidden=settings.quiet or settings.json)
    with open_game(file, settings) as game:
        try:
            report = game.repack(
                groups or None,
                page_size=page_size,
                padding=padding,
                extrude=extrude,
                progress=bar,
            )
        except (KeyError, ValueError) as error:
            raise click.UsageError(str(error.args[0])) from None
        game.save(output, force=force)
    if settings.json:
        say_json({"path": output} | report.to_jsonable())
        return OK
    for bucket in report.buckets:
        name = shown(bucket.group or "texture pages")
        kept = "" if bucket.packed else ", kept: packing them again saves no space"
        say(
            f"{name} ({bucket.format}): {_in_words(bucket.before)} -> {_in_words(bucket.after)}, "
            f"{bucket.pictures} pictures, {bucket.distinct} of them different{kept}"
        )
    before, after = report.total("before"), report.total("after")
    say(f"{shown(output)}: {_in_words(before)} -> {_in_words(after)}")
    if not settings.quiet:
        for line in report.left:
            note(f"overhaul: {shown(line)}; this page stays as it is")
    return OK


def _in_words(totals: PageTotals) -> str:
    pages = "page" if totals.pages == 1 else "pages"
    return (
        f"{totals.pages} {pages} of {totals.area / _MEGA:.2f} megapixels, "
        f"{size_in_words(totals.bytes)}"
    )
