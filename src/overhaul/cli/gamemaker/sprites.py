"""``overhaul sprites``."""

from __future__ import annotations

import os
from functools import partial

import click

from overhaul.cli import options
from overhaul.cli.gamemaker import open_game
from overhaul.cli.output import OK, Settings, say, say_json, shown
from overhaul.cli.progress import Bar
from overhaul.document.names import escape_name
from overhaul.errors import FormatError


@click.group(
    "sprites",
    epilog=options.examples(
        "overhaul sprites add data.win pictures -o new.win",
        "overhaul sprites save data.win spr_player spr_wall -o strips",
    ),
)
def command() -> None:
    """Put pictures into a game as sprites, and take sprites out as strips or animations."""


def _origin(
    context: click.Context, parameter: click.Parameter, value: str
) -> tuple[int, int] | str:
    if value in ("centre", "center"):
        return "centre"
    x, _, y = value.partition(",")
    try:
        return int(x), int(y)
    except ValueError:
        raise click.BadParameter(f"expected X,Y or centre, got {value!r}") from None


@command.command(
    "add",
    epilog=options.examples(
        "overhaul sprites add data.win pictures -o new.win",
        "overhaul sprites add data.win pictures -o data.win --force --replace --origin centre",
    ),
)
@click.argument("file", metavar="GAME")
@click.argument("folder", metavar="FOLDER")
@options.output("The file to write.")
@click.option(
    "--origin",
    default="0,0",
    callback=_origin,
    metavar="X,Y",
    help="The origin of new sprites, or centre (by default the top left).",
)
@click.option("--replace", is_flag=True, help="Give sprites of these names the pictures.")
@options.force_backup
@options.assume_version
@options.common
def add(
    file: str,
    folder: str,
    output: str,
    origin: tuple[int, int],
    replace: bool,
    force: bool,
    settings: Settings,
) -> int:
    """Add the pictures in FOLDER to a game as sprites.

    Each picture (PNG, GIF, animated PNG, JPEG, BMP, WebP) is a sprite of its name; NAME_strip4.png
    is NAME, with four frames side by side. A folder in FOLDER is a sprite whose frames are its
    pictures, in the order of their numbers. With --replace, sprites that the game has keep
    everything but their frames. If one file can't be used, nothing is written.
    """
    bar = Bar("sprites", hidden=settings.quiet or settings.json)
    with open_game(file, settings) as game:
        known = set(game.sprites.names())
        try:
            done = game.sprites.add_folder(folder, origin=origin, replace=replace, progress=bar)
        except ValueError as error:
            bar.clear()
            if isinstance(error, FormatError):
                raise
            raise click.UsageError(str(error)) from None
        names = [sprite.name for sprite in done]
        game.save(output, force=force)
    added = [name for name in names if name not in known]
    if settings.json:
        replaced = [name for name in names if name in known]
        say_json({"path": output, "added": added, "replaced": replaced})
    elif not settings.quiet:
        say(f"{shown(output)}: {len(added)} sprites added, {len(names) - len(added)} replaced")
    return OK


@command.command(
    "save",
    epilog=options.examples(
        "overhaul sprites save data.win -o strips",
        "overhaul sprites save data.win spr_player spr_wall -o gifs --format gif",
    ),
)
@click.argument("file", metavar="GAME")
@click.argument("names", nargs=-1, metavar="[SPRITE...]")
@options.output("The folder to write to.", "FOLDER")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["strip", "apng", "gif"]),
    default="strip",
    show_default=True,
    help="Frames side by side, or an animation.",
)
@options.force
@options.assume_version
@options.common
def save(
    file: str, names: tuple[str, ...], output: str, kind: str, force: bool, settings: Settings
) -> int:
    """Save sprites of a game as strips or animations; all of them without names.

    A strip is a PNG file NAME_strip4.png, which GameMaker and "overhaul sprites add" read as four
    frames. Sprites with frames that have no picture are left out and reported.
    """
    bar = Bar("sprites", hidden=settings.quiet or settings.json)
    written: list[str] = []
    left: list[str] = []
    with open_game(file, settings) as game:
        try:
            chosen = [game.sprites[name] for name in names] or list(game.sprites)
        except KeyError as error:
            raise click.UsageError(str(error.args[0])) from None
        os.makedirs(output, exist_ok=True)
        for number, sprite in enumerate(chosen):
            bar(number, len(chosen), sprite.name)
            path = os.path.join(output, escape_name(sprite.name))
            savers = {
                "strip": partial(sprite.save_strip, f"{path}.png", force=force),
                "apng": partial(sprite.save_apng, f"{path}.png", force=force),
                "gif": partial(sprite.save_gif, f"{path}.gif", force=force),
            }
            try:
                written.append(savers[kind]())
            except ValueError as error:
                left.append(str(error))
        bar(len(chosen), len(chosen), "")
    if settings.json:
        say_json({"written": written, "left": left})
        return OK
    for line in [] if settings.quiet else left:
        say(shown(line))
    say(f"{shown(output)}: {len(written)} sprites")
    return OK
