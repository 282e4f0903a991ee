"""``overhaul compile``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from overhaul.cli import code, options
from overhaul.cli.output import Settings
from overhaul.errors import EncodeError

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData


@click.command(
    "compile",
    epilog=options.examples(
        "overhaul compile data.win gml_Object_obj_player_Create_0.gml",
        "overhaul compile data.win step.gml --entry gml_Object_obj_player_Step_0 -o new.win",
        "overhaul compile data.win gml_Script_jump.gml --definitions macros.gml",
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--entry", metavar="NAME", help="The code entry; else it is named by the file.")
@code.definitions
@click.option("-o", "--output", metavar="PATH", help="Write a changed copy of the game.")
@click.option("--force", is_flag=True, help="Replace an existing file (an original is kept: .bak).")
@options.assume_version
@options.common
def command(
    file: str,
    sources: tuple[str, ...],
    entry: str | None,
    definitions: str | None,
    output: str | None,
    force: bool,
    assume_version: str | None,
    settings: Settings,
) -> int:
    """Check GML source against a game, or write a copy of the game with it.

    Each SOURCE (- is stdin) is compiled as the code entry it is named after, as the official
    compiler of the game's version does it, and compared with what the game has; without -o the
    game stays as it is. All errors are told, with line, column and a caret; then nothing is
    written and the exit code is 1. With -o, an entry the game has not is added: a script
    (gml_Script_NAME, gml_GlobalScript_NAME), an event of an object (gml_Object_NAME_Step_0), the
    creation code of a room (gml_Room_NAME_Create).
    """
    known = "" if definitions is None else code.read_text(definitions)

    def put(game: GameData, name: str, text: str) -> dict[str, Any]:
        return compile_entry(game, name, text, known, keep=output is not None)

    return code.put_entries(
        file,
        sources,
        entry,
        put,
        settings,
        output=output,
        force=force,
        assume_version=assume_version,
    )


def compile_entry(
    game: GameData, name: str, text: str, definitions: str, *, keep: bool
) -> dict[str, Any]:
    """Compile a text as an entry, and with ``keep`` put it into the game."""
    from overhaul.gamemaker.data.code.additions import add_entry
    from overhaul.gamemaker.data.code.texts import root_entries

    root_entries(game)  # there must be bytecode
    if name not in game.code:
        if not keep:
            raise EncodeError(f"the game has no code entry {name!r} (with -o it can be added)")
        added = add_entry(game, name, text, definitions)
        return {"identical": False, "new": True, "size": len(added.to_bytes())}
    made = game.compile(name, text, definitions)
    words = made.to_bytes()
    entry = game.code[name]
    root = entry if entry.root is None else entry.root
    identical = words == root.to_bytes()
    if keep and not identical:
        game.language.assign(root, made)
    return {"identical": identical, "new": False, "size": len(words)}
