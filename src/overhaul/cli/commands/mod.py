"""``overhaul mod``: mods as files."""

from __future__ import annotations

import os

import click

from overhaul import mods
from overhaul.cli import options
from overhaul.cli.conflicts import report_conflicts, write_merged
from overhaul.cli.output import (
    ANSWER_IS_NO,
    OK,
    Settings,
    read_input,
    say,
    say_json,
    shown,
    size_in_words,
    warn,
)
from overhaul.cli.progress import Bar
from overhaul.document.protocol import Document
from overhaul.errors import FormatError

#: The options that several of the commands take.
accept_renumbering = click.option(
    "--accept-renumbering",
    is_flag=True,
    help="Keep numbers in code that may stand for a resource with another number in the game.",
)


@click.group(
    "mod",
    epilog=options.examples(
        "overhaul mod make data.win changed.win -o mine.zip",
        "overhaul mod apply data.win mine.zip theirs.zip -o new.win",
        "overhaul mod rebase mine.zip --from data.win --to update.win -o mine2.zip",
    ),
)
def command() -> None:
    """Make mods, put them on games, carry them to updates.

    A mod has the changes of a game, without the game: see docs/guide/mods.md.
    """


@command.command(
    "make",
    epilog=options.examples(
        "overhaul mod make data.win changed.win -o mine.zip",
        'overhaul mod make data.win game -o mine.zip --name "Double jump" --author Ana',
        "overhaul mod make data.win --patch their.xdelta -o mine.zip",
        'overhaul mod make data.win changed.win -o sprites.zip --only "sprites/*"',
    ),
)
@click.argument("original", metavar="ORIGINAL")
@click.argument("changed", metavar="[CHANGED]", required=False)
@click.option("--patch", metavar="FILE", help="A binary patch that makes the changed game.")
@options.output("The mod to write.")
@click.option(
    "--only", multiple=True, metavar="GLOB", help="Changes of these paths only; may be repeated."
)
@click.option("--name", metavar="NAME", help="The name of the mod; otherwise that of the file.")
@click.option("--mod-version", default="1.0", metavar="VERSION", help="The version of the mod.")
@click.option("--author", "authors", multiple=True, metavar="NAME", help="Who made it.")
@click.option("--description", default="", metavar="TEXT", help="What it does.")
@click.option("--requires", multiple=True, metavar="NAME", help="A mod that this one needs.")
@click.option("--conflicts", multiple=True, metavar="NAME", help="A mod it does not go with.")
@options.force_file
@options.common
def make(
    original: str,
    changed: str | None,
    patch: str | None,
    output: str,
    only: tuple[str, ...],
    name: str | None,
    mod_version: str,
    authors: tuple[str, ...],
    description: str,
    requires: tuple[str, ...],
    conflicts: tuple[str, ...],
    force: bool,
    settings: Settings,
) -> int:
    """Make a mod of the difference between a game and a changed one.

    ORIGINAL and CHANGED are files, or unpacked folders. With --patch, the changed game is what a
    binary patch (BPS, xdelta, UPS, IPS) makes of ORIGINAL. With --only, the mod has the changes of
    these paths alone, and is refused where they need others: code, say, that calls a script.

    Exit code: 0 written, 1 written, but ORIGINAL can't hold all of CHANGED: the rest is reported.
    """
    if (changed is None) == (patch is None):
        raise click.UsageError("name either the changed game or a --patch")
    made = mods.make(
        original,
        changed or _patched(original, patch or ""),
        name=name or os.path.basename(output).rpartition(".")[0] or output,
        version=mod_version,
        authors=authors,
        description=description,
        requires=requires,
        conflicts=conflicts,
        only=only,
        progress=Bar("files", hidden=settings.quiet),
    )
    warn(made.findings, settings)
    return _save(made, output, force=force, settings=settings)


def _patched(original: str, patch: str) -> Document:
    try:
        return mods.patched(original, read_input(patch))
    except FormatError as error:
        error.source = error.source or patch
        raise


def _save(made: mods.Mod, path: str, *, force: bool, settings: Settings) -> int:
    """Write a mod, and report what it leaves out."""
    made.save(path, force=force)
    if settings.json:
        say_json({"path": path, "size": os.path.getsize(path), **made.to_json()})
    elif not settings.quiet:
        say(f"{shown(path)}: {size_in_words(os.path.getsize(path))}, {_in_words(made)}")
    report_conflicts(made.left_out)
    return ANSWER_IS_NO if made.left_out else OK


def _in_words(mod: mods.Mod) -> str:
    counts = {
        "changed": len(mod.patches),
        "added": len({*mod.added, *mod.copied}),
        "removed": len(mod.removed),
        "renamed": len(mod.renamed),
        "texts": len(mod.texts),
    }
    said = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    return said or "no changes"


@command.command("show", epilog=options.examples("overhaul mod show mine.zip"))
@click.argument("mod", metavar="MOD")
@options.common
def show(mod: str, settings: Settings) -> int:
    """Describe a mod: what it is, and what it changes."""
    loaded = mods.load(mod)
    if settings.json:
        say_json(loaded.to_json())
        return OK
    by = f" by {', '.join(loaded.authors)}" if loaded.authors else ""
    say(shown(f"{loaded.name} {loaded.version}{by}"))
    if loaded.description:
        say(f"  {shown(loaded.description)}")
    game = loaded.game
    said = [part for part in (game.name, game.version) if part]
    say(f"  for: {shown(', '.join([*said, game.kind]))}")
    for word, names in (("requires", loaded.requires), ("conflicts", loaded.conflicts)):
        if names:
            say(f"  {word}: {shown(', '.join(names))}")
    rows = [("renamed", f"{old} -> {new}") for old, new in sorted(loaded.renamed.items())]
    rows += [("text", f"{old!r} -> {new!r}") for old, new in sorted(loaded.texts.items())]
    rows += [("added", path) for path in sorted({*loaded.added, *loaded.copied})]
    rows += [("removed", path) for path in sorted(loaded.removed)]
    rows += [("changed", path) for path in sorted(loaded.patches)]
    for word, text in rows:
        say(f"  {word:8} {shown(text)}")
    return OK


@command.command(
    "check",
    epilog=options.examples(
        "overhaul mod check mine.zip", "overhaul mod check mine.zip --game data.win"
    ),
)
@click.argument("mod", metavar="MOD")
@click.option("--game", metavar="FILE", help="Also see whether it goes on this game.")
@options.common
def check(mod: str, game: str | None, settings: Settings) -> int:
    """Check that a mod can be read, and that it goes on a game.

    Exit code: 0 it is fine, 1 there are conflicts, 3 it is damaged.
    """
    loaded = mods.load(mod)
    conflicts = [] if game is None else mods.apply(game, [loaded]).conflicts
    if settings.json:
        say_json({"path": mod, "conflicts": [conflict.to_json() for conflict in conflicts]})
    else:
        report_conflicts(conflicts)
        if not conflicts and not settings.quiet:
            say(f"{shown(mod)}: fine ({_in_words(loaded)})")
    return ANSWER_IS_NO if conflicts else OK


@command.command(
    "apply",
    epilog=options.examples(
        "overhaul mod apply data.win mine.zip -o new.win",
        "overhaul mod apply data.win mine.zip theirs.zip -o new.win --prefer mine",
    ),
)
@click.argument("game", metavar="GAME")
@click.argument("files", nargs=-1, required=True, metavar="MOD...")
@options.output("The game to write.")
@click.option("--prefer", multiple=True, metavar="MOD", help="Whose changes count in conflicts.")
@click.option("--resolve", metavar="FOLDER", help="Plain files to use for those in conflict.")
@accept_renumbering
@options.force_backup
@options.common
def apply(
    game: str,
    files: tuple[str, ...],
    output: str,
    prefer: tuple[str, ...],
    resolve: str | None,
    accept_renumbering: bool,
    force: bool,
    settings: Settings,
) -> int:
    """Put mods on a game, and write the result.

    Mods are merged by name; their order makes no difference. Where two change the same in
    different ways, or the game is not what a mod expects, that is a conflict: all are reported, and
    nothing is written.

    So is a number in a mod's code that may stand for a resource which has another number in the
    game (before GameMaker 2023.8).

    Exit code: 0 written, 1 there are conflicts.
    """
    given = [mods.load(file) for file in files]
    result = mods.apply(
        game,
        given,
        prefer=_preferred(prefer, [mod.name for mod in given]),
        resolve=None if resolve is None else mods.resolutions(resolve),
        accept_renumbering=accept_renumbering,
    )
    return write_merged(result, output, settings, force=force)


def _preferred(given: tuple[str, ...], names: list[str]) -> list[str]:
    """The names of mods that count in conflicts, given by name or by file."""
    preferred = []
    for word in given:
        name = word if word in names or not os.path.exists(word) else mods.load(word).name
        if name not in names:
            known = ", ".join(map(repr, names))
            raise click.UsageError(f"--prefer: there is no mod {word!r} among those given: {known}")
        preferred.append(name)
    return preferred


@command.command(
    "rebase",
    epilog=options.examples(
        "overhaul mod rebase mine.zip --from data.win --to update.win -o mine2.zip"
    ),
)
@click.argument("mod", metavar="MOD")
@click.option("--from", "old", required=True, metavar="OLD", help="The game it was made for.")
@click.option("--to", "new", required=True, metavar="NEW", help="The game it is wanted for.")
@options.output("The mod to write.")
@accept_renumbering
@options.force_file
@options.common
def rebase(
    mod: str,
    old: str,
    new: str,
    output: str,
    accept_renumbering: bool,
    force: bool,
    settings: Settings,
) -> int:
    """Carry a mod to another build of its game.

    Changes of places that the update removed or rewrote can't be carried over: they are reported,
    and the mod is written without them.

    Exit code: 0 all is carried over, 1 something is not.
    """
    carried = mods.rebase(mods.load(mod), old, new, accept_renumbering=accept_renumbering)
    return _save(carried, output, force=force, settings=settings)


@command.command(
    "merge",
    epilog=options.examples("overhaul mod merge data.win mine.win theirs.win -o both.win"),
)
@click.argument("base", metavar="BASE")
@click.argument("ours", metavar="OURS")
@click.argument("theirs", metavar="THEIRS")
@options.output("The game to write.")
@click.option(
    "--prefer", type=click.Choice(["ours", "theirs"]), help="Whose changes count in conflicts."
)
@options.force_file
@options.common
def merge(
    base: str,
    ours: str,
    theirs: str,
    output: str,
    prefer: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Merge two games that were both made of a third one.

    Exit code: 0 written, 1 there are conflicts: they are reported, and nothing is written.
    """
    result = mods.merge(base, ours, theirs, prefer=[] if prefer is None else [prefer])
    return write_merged(result, output, settings, force=force, backup=False)
