"""``overhaul decompile``, ``compile``, ``disasm`` and ``asm``: code as text, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from overhaul.cli import options, verbs
from overhaul.cli.output import Settings
from overhaul.lazy import LazyModule

if TYPE_CHECKING:
    from overhaul.cli.gamemaker import entry_sources, entry_texts
else:  # not for --help
    entry_sources = LazyModule("overhaul.cli.gamemaker.entry_sources")
    entry_texts = LazyModule("overhaul.cli.gamemaker.entry_texts")


@click.command(
    "decompile",
    epilog=options.examples(
        "overhaul decompile data.win gml_Object_obj_player_Create_0",
        'overhaul decompile data.win "*obj_player*" | less',
        "overhaul decompile data.win -o source",
        "overhaul decompile game.ags GlobalScript.asc",
        "overhaul decompile data.win --style plain gml_Object_obj_player_Step_0",
        'overhaul decompile games/*.win "gml_Script_*" -o sources',
    ),
)
@click.argument("words", nargs=-1, required=True, metavar="FILE... [ENTRY]...")
@options.output_or_none("Write NAME.gml files to this folder.", "FOLDER")
@click.option(
    "--style",
    type=click.Choice(["default", "plain"]),
    default="default",
    help="plain: numbers and functions as the code has them, no for loops.",
)
@options.force
@options.assume_version
@options.jobs
@options.no_cache
@options.common
def decompile_command(
    words: tuple[str, ...],
    output: str | None,
    style: str,
    force: bool,
    settings: Settings,
) -> int:
    """Print a game's code as source: GML, or scripts of Adventure Game Studio.

    An ENTRY is the name of a code entry or a glob of names; without one, all entries are printed. A
    script or function may be named without gml_Script_; one inside another entry is printed with
    that entry. After the first, an argument that is a file or an unpacked folder is a FILE too;
    with -o each of several files has a folder in FOLDER. Exit code 1 if an entry is missing or
    can't be decompiled; the others are printed.
    """
    from overhaul.gml.decompiler.options import PRESETS  # start-up: not for --help

    return entry_texts.show_entries(
        *options.files_and_patterns(words),
        "gml",
        settings,
        output=output,
        force=force,
        style=PRESETS[style],
    )


@click.command(
    "compile",
    epilog=options.examples(
        "overhaul compile data.win gml_Object_obj_player_Create_0.gml",
        "overhaul compile data.win step.gml --entry gml_Object_obj_player_Step_0 -o new.win",
        "overhaul compile data.win gml_Script_jump.gml --definitions macros.gml",
        "overhaul compile data.win source/*.gml --strict",
        "overhaul compile MyGame/Game.agf MyGame/room1.asc -o room1.asc.o",
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
def compile_command(
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

    Each SOURCE (- is stdin) is compiled as the code entry of its name, as the official compiler of
    the game's version compiles it, and compared with the game's code; without -o the game stays as
    it is. All errors are reported, with line, column and a caret; then nothing is written and the
    exit code is 1.

    A SOURCE may also be new to the game: a script (gml_GlobalScript_NAME, before 2.3
    gml_Script_NAME), an event of an object (gml_Object_NAME_Step_0, gml_Object_NAME_Collision_
    obj_wall), the creation code of a room (gml_Room_NAME_Create) or of an instance
    (gml_RoomCC_ROOM_100005_Create, with its id). Each SOURCE knows what the others define.

    A name that nothing in the game has is a warning, and so is a function that the new code of a
    script lacks and other code calls; with --strict these are errors.

    FILE may be a project of Adventure Game Studio (its Game.agf, or its folder): each SOURCE is
    a script of it, compiled as its editor does, or the editor of --assume-version; -o writes the
    compiled block, or those of several scripts to a folder.
    """
    asked = verbs.Compiling(file, sources, entry, definitions, output, force, strict, settings)
    other = next((each for each in verbs.families() if each.compiles(file)), None)
    return compile_gml(asked) if other is None else other.compile(asked)


def compiles(file: str) -> bool:
    """Never: GML is compiled where no other family compiles."""
    return False


def compile_gml(asked: verbs.Compiling) -> int:
    """Compile GML against a game."""
    return entry_sources.put_entries(
        asked.file,
        asked.sources,
        asked.entry,
        asked.settings,
        assembly=False,
        definitions=asked.definitions,
        output=asked.output,
        force=asked.force,
        strict=asked.strict,
    )


@click.command(
    "disasm",
    epilog=options.examples(
        "overhaul disasm data.win gml_Object_obj_player_Create_0 > create.asm",
        'overhaul disasm data.win "gml_Script_*" -o assembly',
    ),
)
@click.argument("words", nargs=-1, required=True, metavar="FILE... [ENTRY]...")
@options.output_or_none("Write NAME.asm files to this folder.", "FOLDER")
@options.force
@options.assume_version
@options.jobs
@options.common
def disasm_command(
    words: tuple[str, ...],
    output: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Print a game's code as assembly text.

    An ENTRY is the name of a code entry or a glob of names; without one, all entries are printed.
    The text assembles back to the same bytecode (overhaul asm). Several FILEs are as for decompile.
    """
    return entry_texts.show_entries(
        *options.files_and_patterns(words),
        "asm",
        settings,
        output=output,
        force=force,
    )


@click.command(
    "asm",
    epilog=options.examples(
        "overhaul asm data.win gml_Object_obj_player_Create_0.asm",
        "overhaul asm data.win create.asm --entry gml_Object_obj_player_Create_0 -o new.win",
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@options.entry
@options.output_or_none("Write a changed copy of the game.", "PATH")
@options.force_backup
@options.assume_version
@options.jobs
@options.common
def asm_command(
    file: str,
    texts: tuple[str, ...],
    entry: str | None,
    output: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Check assembly text against a game, or write a copy of the game with it.

    Each TEXT (- is stdin), in the form of disasm, is assembled as the code entry of its name,
    and compared with the game's code; without -o the game stays as it is. New entries may be
    given as for compile. Exit code 1 if a text does not assemble; then nothing is written.
    """
    return entry_sources.put_entries(
        file,
        texts,
        entry,
        settings,
        assembly=True,
        output=output,
        force=force,
    )
