"""``overhaul asm``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from overhaul.cli import code, options
from overhaul.cli.output import Settings
from overhaul.errors import EncodeError

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData


@click.command(
    "asm",
    epilog=options.examples(
        "overhaul asm data.win gml_Object_obj_player_Create_0.asm",
        "overhaul asm data.win create.asm --entry gml_Object_obj_player_Create_0 -o new.win",
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@click.option("--entry", metavar="NAME", help="The code entry; else it is named by the file.")
@click.option("-o", "--output", metavar="PATH", help="Write a changed copy of the game.")
@click.option("--force", is_flag=True, help="Replace an existing file (an original is kept: .bak).")
@options.assume_version
@options.common
def command(
    file: str,
    texts: tuple[str, ...],
    entry: str | None,
    output: str | None,
    force: bool,
    assume_version: str | None,
    settings: Settings,
) -> int:
    """Check assembly text against a game, or write a copy of the game with it.

    Each TEXT (- is stdin), as disasm shows it, is assembled as the code entry it is named after,
    and compared with what the game has; without -o the game stays as it is. Exit code 1 if a text
    does not assemble; then nothing is written.
    """

    def put(game: GameData, name: str, text: str) -> dict[str, Any]:
        return assemble_entry(game, name, text, keep=output is not None)

    return code.put_entries(
        file,
        texts,
        entry,
        put,
        settings,
        output=output,
        force=force,
        assume_version=assume_version,
    )


def assemble_entry(game: GameData, name: str, text: str, *, keep: bool) -> dict[str, Any]:
    """Assemble a text as an entry, and with ``keep`` put it into the game."""
    from overhaul.gamemaker.data.code.texts import root_entries
    from overhaul.gml import assemble

    root_entries(game)  # there must be bytecode
    if name not in game.code:
        raise EncodeError(f"the game has no code entry {name!r}")
    entry = game.code[name]
    root = entry if entry.root is None else entry.root
    language = game.language
    words = language.link(root, assemble(text, language.context))
    identical = words == root.to_bytes()
    if keep and not identical:
        language.assemble(root, text)
    return {"identical": identical, "new": False, "size": len(words)}
