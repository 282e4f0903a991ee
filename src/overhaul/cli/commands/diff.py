"""``overhaul diff``."""

from __future__ import annotations

import click

from overhaul import mods
from overhaul.cli import options
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, say, say_json, shown
from overhaul.cli.progress import Bar
from overhaul.document.files import write_file
from overhaul.suggest import counted


@click.command(
    "diff",
    epilog=options.examples(
        "overhaul diff old.win new.win",
        "overhaul diff --stat old.win new.win",
        'overhaul diff old.win game --only "code/*"',
        "overhaul diff old.win new.win --html report.html",
        "overhaul diff game.ags project/Game.agf",
        "overhaul diff source/Game.yyp data.win",
        "overhaul diff HEAD~1:source/Game.yyp source/Game.yyp",
    ),
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--stat", is_flag=True, help="Only what changed, without how.")
@click.option("--only", multiple=True, metavar="PATTERN", help="Compare these plain files.")
@click.option("--html", "page", metavar="FILE", help="Write a page with pictures side by side.")
@options.force_file
@options.jobs
@options.no_cache
@options.common
def command(
    old: str,
    new: str,
    stat: bool,
    only: tuple[str, ...],
    page: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Show what differs between two games, by name.

    OLD and NEW are files of one family, or unpacked folders. Resources are matched by their
    names, so that numbers and the order of tables make no difference. Code is shown as its source.

    A game is also compared with its author's project: Game.agf of Adventure Game Studio, the
    .yyp or .project.gmx of GameMaker, whose code is compiled for that.

    Exit code: 0 nothing differs, 1 something does.
    """
    bar = Bar("files", hidden=settings.quiet)
    if page is None:
        difference = mods.diff(old, new, only=only, progress=bar, jobs=settings.jobs)
    else:
        difference, text = mods.html_report(old, new, only=only, progress=bar, jobs=settings.jobs)
        write_file(page, text.encode("utf-8"), force=force)
    if settings.json:
        say_json(difference.to_json())
    elif not settings.quiet:
        for change in difference.changes:
            before = "" if change.old_path is None else f"{shown(change.old_path)} -> "
            say(f"{change.kind:8} {before}{shown(change.path)}")
            for line in () if stat else change.lines():
                say(f"    {shown(line)}")
        for kind, (equal, compared) in difference.equal.items():
            noun = "code entry" if kind == "code" else kind
            say(f"equal: {equal} of {counted(compared, noun)}")
        for words in difference.apart:
            say(f"not compared: {shown(words)}")
        if stat and difference:
            say(
                ", ".join(f"{count} {kind}" for kind, count in difference.counts().items() if count)
            )
    return ANSWER_IS_NO if difference else OK
