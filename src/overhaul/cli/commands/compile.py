"""``overhaul compile``."""

from __future__ import annotations

import click

from overhaul.cli import options
from overhaul.cli.output import Settings


@click.command(
    "compile",
    epilog=options.examples(
        "overhaul compile data.win gml_Object_obj_player_Create_0.gml",
        "overhaul compile data.win step.gml --entry gml_Object_obj_player_Step_0 -o new.win",
        "overhaul compile data.win gml_Script_jump.gml --definitions macros.gml",
        "overhaul compile data.win source/*.gml -j 0 --strict",
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@options.entry
@options.definitions
@options.output_or_none("Write a changed copy of the game.", "PATH")
@options.force_backup
@options.strict
@options.assume_version
@options.jobs
@options.common
def command(
    file: str,
    sources: tuple[str, ...],
    entry: str | None,
    definitions: str | None,
    output: str | None,
    force: bool,
    strict: bool,
    settings: Settings,
) -> int:
    """Check GML source against a game, or write a copy of the game with it.

    Each SOURCE (- is stdin) is compiled as the code entry it is named after, as the official
    compiler of the game's version compiles it, and compared with what the game has; without -o the
    game stays as it is. All errors are reported, with line, column and a caret; then nothing is
    written and the exit code is 1.

    A SOURCE may also be new to the game: a script (gml_GlobalScript_NAME, before 2.3
    gml_Script_NAME), an event of an object (gml_Object_NAME_Step_0, gml_Object_NAME_Collision_
    obj_wall), the creation code of a room (gml_Room_NAME_Create) or of an instance
    (gml_RoomCC_ROOM_100005_Create, with its id). Each SOURCE knows what the others define.

    A name that nothing in the game has is a warning; with --strict it is an error.
    """
    from overhaul.cli.entry_sources import put_entries  # start-up: not for --help

    return put_entries(
        file,
        sources,
        entry,
        settings,
        assembly=False,
        definitions=definitions,
        output=output,
        force=force,
        strict=strict,
    )
