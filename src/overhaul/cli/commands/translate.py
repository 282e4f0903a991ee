"""``overhaul translate``."""

from __future__ import annotations

import click

import overhaul
from overhaul import translate
from overhaul.cli import options
from overhaul.cli.exits import ANSWER_IS_NO, OK
from overhaul.cli.output import Settings, note, say, say_json, shown
from overhaul.cli.progress import Bar
from overhaul.document.files import write_file


@click.group(
    "translate",
    epilog=options.examples(
        "overhaul translate extract data.win -o es.po",
        "overhaul translate check data.win es.po",
        "overhaul translate apply data.win es.po -o spanish.win",
        "overhaul translate update update.win es.po -o es2.po",
    ),
)
def command() -> None:
    """Translate a game: its texts as a PO file, and back.

    See docs/guide/translation.md. For the data of GameMaker games.
    """


def _bar(settings: Settings) -> Bar:
    return Bar("code", hidden=settings.quiet or settings.json)


@command.command("extract", epilog=options.examples("overhaul translate extract data.win -o es.po"))
@click.argument("game", metavar="GAME")
@click.option("-o", "--output", required=True, metavar="FILE", help="The PO file to write.")
@options.force_file
@options.assume_version
@options.common
def extract(game: str, output: str, force: bool, settings: Settings) -> int:
    """Write the texts that a player sees as a PO file.

    Those are the texts that the game's code draws or shows in a dialog, and those of its rooms.
    """
    with overhaul.open(game, assume_version=settings.assume_version) as data:
        made = translate.extract(data, progress=_bar(settings))
    write_file(output, str(made).encode("utf-8"), force=force)
    if settings.json:
        say_json({"path": output, "texts": len(made)})
    else:
        say(f"{shown(output)}: {len(made)} texts")
    return OK


@command.command(
    "apply", epilog=options.examples("overhaul translate apply data.win es.po -o spanish.win")
)
@click.argument("game", metavar="GAME")
@click.argument("messages", metavar="PO")
@click.option("-o", "--output", required=True, metavar="FILE", help="The game to write.")
@options.force_backup
@options.assume_version
@options.common
def apply(game: str, messages: str, output: str, force: bool, settings: Settings) -> int:
    """Put translated texts into a game where they are shown.

    Fuzzy and untranslated texts stay in the game's language.
    """
    loaded = translate.load(messages)
    with overhaul.open(game, assume_version=settings.assume_version) as data:
        made = translate.apply(data, loaded, progress=_bar(settings))
    write_file(output, made.data, force=force, backup=True)
    if settings.json:
        say_json({"path": output, "texts": made.texts, "warnings": made.warnings})
        return OK
    say(f"{shown(output)}: {made.texts} texts translated")
    if not settings.quiet:
        for warning in made.warnings:
            note(f"overhaul: {shown(warning)}")
    return OK


@command.command("check", epilog=options.examples("overhaul translate check data.win es.po"))
@click.argument("game", metavar="GAME")
@click.argument("messages", metavar="PO")
@options.assume_version
@options.common
def check(game: str, messages: str, settings: Settings) -> int:
    """Check a translation: placeholders, line breaks, letters that no font of the game has, texts
    that the game does not show. The exit code is 1 if there is something."""
    loaded = translate.load(messages)
    with overhaul.open(game, assume_version=settings.assume_version) as data:
        problems = translate.check(data, loaded, progress=_bar(settings))
    if settings.json:
        rows = [
            {"line": each.line, "text": each.text, "message": each.message} for each in problems
        ]
        say_json({"path": messages, "problems": rows})
    else:
        for each in problems:
            say(shown(f"{messages}:{each}"))
    return ANSWER_IS_NO if problems else OK


@command.command(
    "update", epilog=options.examples("overhaul translate update update.win es.po -o es2.po")
)
@click.argument("game", metavar="GAME")
@click.argument("messages", metavar="PO")
@click.option("-o", "--output", required=True, metavar="FILE", help="The PO file to write.")
@options.force_backup
@options.assume_version
@options.common
def update(game: str, messages: str, output: str, force: bool, settings: Settings) -> int:
    """Carry a translation to another build of its game.

    Texts that changed a little keep their translation as fuzzy, those that are gone as obsolete.
    """
    loaded = translate.load(messages)
    with overhaul.open(game, assume_version=settings.assume_version) as data:
        made = translate.update(data, loaded, progress=_bar(settings))
    write_file(output, str(made.messages).encode("utf-8"), force=force, backup=True)
    counts = {
        "kept": made.kept,
        "fuzzy": made.fuzzy,
        "untranslated": made.untranslated,
        "gone": made.gone,
    }
    if settings.json:
        say_json({"path": output, **counts})
    else:
        said = ", ".join(f"{count} {word}" for word, count in counts.items())
        say(f"{shown(output)}: {said}")
    return OK
