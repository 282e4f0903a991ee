"""``overhaul refs``."""

from __future__ import annotations

from collections.abc import Iterable

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.matches import show_matches
from overhaul.cli.output import Settings, shown
from overhaul.suggest import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.protocol import Document
    from overhaul.folder.parallel import Progress, Workers
    from overhaul.folder.texts import Match


@click.command(
    "refs",
    epilog=options.examples(
        "overhaul refs data.win spr_player",
        "overhaul refs data.win sprites/spr_player",
        "overhaul refs games/*.win snd_jump --json",
        "overhaul refs game spr_player",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.argument("name", metavar="NAME")
@options.assume_version
@options.jobs
@options.no_cache
@options.common
def command(files: tuple[str, ...], name: str, settings: Settings) -> int:
    """Show what uses a resource: code, rooms, objects, sequences.

    Each use is printed as path:line: text (of several files as file: path:line: text), with the
    paths and lines of the unpacked folder; a FILE may be such a folder. NAME is that of a
    resource, or the path of its files, or that of a function or a variable. Exit code 1 if
    nothing uses it.
    """
    names: set[str] = set()

    def in_file(workers: Workers[Document], progress: Progress) -> Iterable[Match]:
        found = False
        all_names = folders.names_later(workers.document)
        for match in folders.uses(workers, name, progress=progress):
            found = True
            yield match
        names.update(() if found else all_names())  # for the hint

    def nothing() -> str:
        hint = "" if name in names else did_you_mean(name, names)
        return f"nothing uses {shown(name)}{shown(hint)}"

    def in_folder(folder: str) -> Iterable[Match]:
        return folders.uses_in_folder(folder, name)

    return show_matches(files, in_file, in_folder, settings, nothing=nothing)
