"""``overhaul render``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, note, say, say_json, shown, warn
from overhaul.cli.progress import Bar
from overhaul.errors import FormatError
from overhaul.lazy import LazyModule
from overhaul.suggest import did_you_mean

if TYPE_CHECKING:
    from overhaul.document import rendering
else:  # not for --help
    rendering = LazyModule("overhaul.document.rendering")


def _region(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int, ...] | None:
    """The numbers of ``--region``."""
    if value is None:
        return None
    words = value.split(",")
    if len(words) != 4 or not all(word.strip().lstrip("-").isdigit() for word in words):
        raise click.BadParameter(f"expected X,Y,WIDTH,HEIGHT, got {value!r}", context, parameter)
    return tuple(map(int, words))


@click.command(
    "render",
    epilog=options.examples(
        'overhaul render data.win "rooms/*" -o pictures',
        "overhaul render data.win rooms/rm_first --layers Tiles,Instances --scale 2 -o pictures",
        "overhaul render data.win rooms/rm_world --region 0,0,4096,4096 -o pictures",
        'overhaul render data.win "sprites/spr_player*" -o pictures',
        "overhaul render game.ags rooms/1 -o pictures",
        'overhaul render game.ags "rooms/*" --overlays hotspots,objects -o pictures',
        'overhaul render game.ags "views/*" -o pictures',
    ),
)
@click.argument("file", metavar="GAME")
@click.argument("patterns", nargs=-1, required=True, metavar="PATTERN...")
@options.output("Where to write.", "FOLDER")
@click.option("--layers", metavar="NAMES", help="Only these layers, separated by commas.")
@click.option("--overlays", metavar="NAMES", help="Show these over rooms of Adventure Game Studio.")
@click.option("--view", type=click.IntRange(0, 7), metavar="N", help="What view N of a room shows.")
@click.option(
    "--region", metavar="X,Y,WIDTH,HEIGHT", callback=_region, help="A rectangle of the room."
)
@click.option(
    "--scale",
    type=click.FloatRange(0, 64, min_open=True),
    default=1.0,
    metavar="FACTOR",
    help="The size of the picture to that of the room.",
)
@options.force
@options.assume_version
@options.common
def command(
    file: str,
    patterns: tuple[str, ...],
    output: str,
    layers: str | None,
    overlays: str | None,
    view: int | None,
    region: tuple[int, int, int, int] | None,
    scale: float,
    force: bool,
    settings: Settings,
) -> int:
    """Draw rooms as the game does, and write sprites and backgrounds, as PNG.

    PATTERN is a glob of rooms/NAME, sprites/NAME, backgrounds/NAME, or views/NAME, which become
    animations (GIF). A room is drawn as in its
    first step; no code runs. Before GameMaker 2 the layers of a room are backgrounds, tiles,
    instances and foregrounds, in Adventure Game Studio background and objects; there, --overlays
    are hotspots, regions, walk_areas, walk_behinds, objects and edges. See
    docs/guide/rooms.md.
    """
    if view is not None and region is not None:
        raise click.UsageError("--view and --region can't be together")
    with folders.open(file, assume_version=settings.assume_version) as game:
        if not isinstance(game, rendering.HasPictures):
            raise FormatError(f"{file}: a {game.kind} has no rooms to draw")
        names = None if layers is None else tuple(layers.split(","))
        over = () if overlays is None else tuple(overlays.split(","))
        done = rendering.render(
            game,
            patterns,
            output,
            how=rendering.View(names, view, region, scale, over),
            force=force,
            progress=Bar("pictures", hidden=settings.quiet),
        )
        if not done:
            close = did_you_mean(patterns[0], rendering.picture_names(game))
            note(f"overhaul: nothing matches {shown(' '.join(patterns))}{close}")
            return ANSWER_IS_NO
        warn(game.findings, settings, file)
    if settings.json:
        say_json({"path": file, "pictures": [picture._asdict() for picture in done]})
    elif not settings.quiet:
        say(f"{len(done)} picture{'' if len(done) == 1 else 's'} in {shown(output)}")
    return OK
