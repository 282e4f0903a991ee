"""``overhaul translate``."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial, wraps
from typing import TypedDict

import click

import overhaul
from overhaul import translate
from overhaul.cli import options
from overhaul.cli.options import arguments
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, note, say, say_json, shown
from overhaul.cli.progress import Bar
from overhaul.document.files import write_file, write_into


@click.group(
    "translate",
    epilog=options.examples(
        "overhaul translate extract data.win -o es.po",
        "overhaul translate check data.win es.po",
        "overhaul translate apply data.win es.po -o spanish.win",
        "overhaul translate update update.win es.po -o es2.po",
        'overhaul translate explain data.win "The door is open."',
        "overhaul translate files data.win",
        "overhaul translate pictures data.win -o pictures",
        "overhaul translate convert es.po es.csv",
        "overhaul translate preview data.win es.po -o preview",
    ),
)
def command() -> None:
    """Translate a game: its texts as a PO file or table, and back.

    See docs/guide/translation.md. For the data of GameMaker games (data.win), and for games of
    Adventure Game Studio (.ags, .exe, game28.dta), whose translation is a .tra file next to the
    game. Texts are in .po, .csv or .xlsx files, or in .trs files of Adventure Game Studio.
    """


def _rules(command: Callable[..., int]) -> Callable[..., int]:
    """Add ``--rules`` and ``--files``, which a command takes as one argument, ``rules``."""

    @wraps(command)
    def run(*arguments: object, rules: str | None, files: tuple[str, ...], **others: object) -> int:
        read = translate.load_rules(rules) if rules else None
        if files:
            read = (read or translate.Rules()).with_files(files)
        return command(*arguments, rules=read, **others)

    named = click.option(
        "--rules", metavar="TOML", help="A file that says which more texts are translated."
    )
    companions = click.option(
        "--files",
        metavar="PATTERN",
        multiple=True,
        help="Companion files of the game to translate, too (JSON, CSV): lang/en.json, *.csv",
    )
    return companions(named(run))


class Typefaces(TypedDict):
    """The files that draw letters: of all fonts, and of those by name."""

    ttf: tuple[str, ...] | None
    fonts: dict[str, list[str]]
    rebuild_fonts: bool


def _typefaces(command: Callable[..., int]) -> Callable[..., int]:
    """Add ``--ttf``, ``--font`` and ``--rebuild-fonts``, which a command takes as one argument,
    ``typefaces``."""

    @wraps(command)
    def run(
        *arguments: object,
        ttf: tuple[str, ...],
        fonts: tuple[str, ...],
        rebuild_fonts: bool,
        **others: object,
    ) -> int:
        made = Typefaces(ttf=ttf or None, fonts=_by_name(fonts), rebuild_fonts=rebuild_fonts)
        return command(*arguments, typefaces=made, **others)

    common = click.option(
        "--ttf",
        multiple=True,
        metavar="FILE",
        help="A TrueType or OpenType file, which draws the letters that fonts lack.",
    )
    named = click.option(
        "--font",
        "fonts",
        multiple=True,
        metavar="NAME=FILE",
        help="Such a file for one font of the game.",
    )
    rebuild = click.option(
        "--rebuild-fonts", is_flag=True, help="Draw fonts that lack letters again."
    )
    return common(named(rebuild(run)))


_encoding = click.option(
    "--encoding",
    metavar="NAME",
    help="The code page of a .trs or .tra that names none, such as cp1251.",
)


def _bar(settings: Settings) -> Bar:
    return Bar("parts", hidden=settings.quiet or settings.json)


@command.command("extract", epilog=options.examples("overhaul translate extract data.win -o es.po"))
@click.argument("game", metavar="GAME")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="The file to write: .po, .csv, .xlsx or .trs.",
)
@options.force_file
@_rules
@options.assume_version
@options.no_cache
@options.common
def extract(
    game: str, output: str, rules: translate.Rules | None, force: bool, settings: Settings
) -> int:
    """Write the texts that a player sees as a PO file or a table.

    These are the texts that the game's code draws or shows in a dialog, and the texts of its
    rooms; in games of Adventure Game Studio, the texts that its editor lists.
    """
    with overhaul.open(game, assume_version=settings.assume_version) as data:
        made = translate.extract(data, rules=rules, progress=_bar(settings))
    write_file(output, translate.file_bytes(made, output), force=force)
    if settings.json:
        say_json({"path": output, "texts": len(made)})
    else:
        say(f"{shown(output)}: {len(made)} texts")
    return OK


@command.command(
    "apply",
    epilog=options.examples(
        "overhaul translate apply data.win es.po -o spanish.win",
        "overhaul translate apply data.win es.po --ttf DejaVuSans.ttf -o spanish.win",
    ),
)
@click.argument("game", metavar="GAME")
@click.argument("messages", metavar="PO")
@_encoding
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="The game to write, or the .tra."
)
@_typefaces
@click.option(
    "--force",
    is_flag=True,
    help="Replace an existing file (an original is kept: .bak); put texts with broken placeholders "
    "in, too.",
)
@_rules
@options.assume_version
@options.no_cache
@options.common
def apply(
    game: str,
    messages: str,
    encoding: str | None,
    output: str,
    typefaces: Typefaces,
    rules: translate.Rules | None,
    force: bool,
    settings: Settings,
) -> int:
    """Put translated texts into a game where they are shown.

    For a game of Adventure Game Studio, the result is its .tra file. Fuzzy and untranslated texts
    stay in the game's language. Translations that lack placeholders of their texts, or have others,
    are refused unless --force is given.
    """
    loaded = translate.load(messages, encoding=encoding)
    with overhaul.open(game, assume_version=settings.assume_version) as data, arguments():
        made = translate.apply(
            data,
            loaded,
            rules=rules,
            **typefaces,
            force=force,
            progress=_bar(settings),
        )
    folder, name = os.path.split(output)
    written = {name: made.data, **made.companions}
    files_of = {path: partial(bytes, data) for path, data in written.items()}
    write_into(folder or ".", files_of, force=force, backup=True)
    if settings.json:
        companions = [os.path.join(folder, path) for path in made.companions]
        say_json(
            {
                "path": output,
                "texts": made.texts,
                "files": companions,
                "warnings": made.warnings,
                "findings": made.findings.to_json(),
            }
        )
        return OK
    say(f"{shown(output)}: {made.texts} texts translated")
    if not settings.quiet:
        for warning in made.findings:
            note(f"overhaul: {shown(warning)}")
    return OK


def _by_name(fonts: tuple[str, ...]) -> dict[str, list[str]]:
    """The files for each font, of ``NAME=FILE``."""
    by_name: dict[str, list[str]] = {}
    for font in fonts:
        name, _, path = font.partition("=")
        if not name or not path:
            raise click.UsageError(f"--font: expected NAME=FILE, got {font!r}")
        by_name.setdefault(name, []).append(path)
    return by_name


@command.command(
    "preview",
    epilog=options.examples(
        "overhaul translate preview data.win es.po -o preview",
        "overhaul translate preview data.win es.po --ttf DejaVuSans.ttf -o preview",
    ),
)
@click.argument("game", metavar="GAME")
@click.argument("messages", metavar="PO")
@click.option("-o", "--output", required=True, metavar="FOLDER", help="The folder to write.")
@_typefaces
@options.force
@_rules
@options.assume_version
@options.no_cache
@options.common
def preview(
    game: str,
    messages: str,
    output: str,
    typefaces: Typefaces,
    rules: translate.Rules | None,
    force: bool,
    settings: Settings,
) -> int:
    """Draw each text and its translation with the font that the game draws it with.

    Writes a page (index.html) with the pictures. Red boxes are letters that the font lacks; what is
    red goes beyond the width that draw_text_ext gives. In a game of Adventure Game Studio, a text
    whose font is not evident is drawn with the font of messages.
    """
    loaded = translate.load(messages)
    with overhaul.open(game, assume_version=settings.assume_version) as data, arguments():
        made = translate.preview(data, loaded, rules=rules, **typefaces, progress=_bar(settings))
    translate.write_previews(made, output, f"{game}, {messages}", force=force)
    if settings.json:
        names = ("text", "translation", "font", "evident", "width", "missing", "overflow")
        rows = [{name: getattr(row, name) for name in names} for row in made]
        say_json({"path": output, "texts": rows})
    else:
        wrong = sum(bool(picture.missing or picture.overflow) for picture in made)
        say(f"{shown(output)}: {len(made)} texts, {wrong} with missing letters or too long")
    return OK


@command.command(
    "check",
    epilog=options.examples(
        "overhaul translate check data.win es.po",
        "overhaul translate check data.win ru.po --ttf DejaVuSans.ttf",
    ),
)
@click.argument("game", metavar="GAME")
@click.argument("messages", metavar="PO")
@_encoding
@_typefaces
@_rules
@options.assume_version
@options.no_cache
@options.common
def check(
    game: str,
    messages: str,
    encoding: str | None,
    typefaces: Typefaces,
    rules: translate.Rules | None,
    settings: Settings,
) -> int:
    """Check a translation: placeholders, line breaks, letters that no font of the game has, texts
    that the game does not show. The exit code is 1 if there is something.

    With --ttf, the fonts are as apply makes them with it.
    """
    loaded = translate.load(messages, encoding=encoding)
    with overhaul.open(game, assume_version=settings.assume_version) as data, arguments():
        problems = translate.check(data, loaded, rules=rules, **typefaces, progress=_bar(settings))
    if settings.json:
        rows = [
            {"line": problem.line, "text": problem.text, "message": problem.message}
            | ({"cell": problem.cell} if problem.cell else {})
            for problem in problems
        ]
        say_json({"path": messages, "problems": rows})
    else:
        for problem in problems:
            say(shown(f"{messages}:{problem}"))
    return ANSWER_IS_NO if problems else OK


@command.command(
    "update", epilog=options.examples("overhaul translate update update.win es.po -o es2.po")
)
@click.argument("game", metavar="GAME")
@click.argument("messages", metavar="PO")
@_encoding
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="The file to write: .po, .csv, .xlsx or .trs.",
)
@options.force_backup
@_rules
@options.assume_version
@options.no_cache
@options.common
def update(
    game: str,
    messages: str,
    encoding: str | None,
    output: str,
    rules: translate.Rules | None,
    force: bool,
    settings: Settings,
) -> int:
    """Carry a translation to another build of its game.

    Texts that changed a little keep their translation as fuzzy, those that are gone as obsolete.
    """
    loaded = translate.load(messages, encoding=encoding)
    with overhaul.open(game, assume_version=settings.assume_version) as data:
        made = translate.update(data, loaded, rules=rules, progress=_bar(settings))
    write_file(output, translate.file_bytes(made.messages, output), force=force, backup=True)
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


@command.command(
    "explain", epilog=options.examples('overhaul translate explain data.win "The door is open."')
)
@click.argument("game", metavar="GAME")
@click.argument("text", metavar="TEXT")
@_rules
@options.assume_version
@options.no_cache
@options.common
def explain(game: str, text: str, rules: translate.Rules | None, settings: Settings) -> int:
    """Say for each place of a text whether it is translated, and why.

    The exit code is 1 if the game has no such text.
    """
    with overhaul.open(game, assume_version=settings.assume_version) as data:
        explanations = translate.explain(data, text, rules=rules, progress=_bar(settings))
    if settings.json:
        rows = [
            {
                "where": explanation.where,
                "line": explanation.line,
                "source": explanation.source,
                "shown": explanation.shown,
                "reason": explanation.reason,
            }
            for explanation in explanations
        ]
        say_json({"text": text, "places": rows})
    else:
        for explanation in explanations:
            place = (
                f"{explanation.where}:{explanation.line}" if explanation.line else explanation.where
            )
            said = "translated" if explanation.shown else "not translated"
            say(shown(f"{place}: {said}: {explanation.reason}"))
            if explanation.source:
                say(f"    {shown(explanation.source)}")
        if not explanations:
            note("overhaul: the game has no such text")
    return OK if explanations else ANSWER_IS_NO


@command.command("convert", epilog=options.examples("overhaul translate convert es.po es.csv"))
@click.argument("messages", metavar="IN")
@click.argument("output", metavar="OUT")
@_encoding
@options.force_backup
@options.common
def convert(
    messages: str, output: str, encoding: str | None, force: bool, settings: Settings
) -> int:
    """Write texts in another format: .po, .csv, .xlsx, .trs, also from a .tra.

    To make a .tra, use apply with the game that it is for.
    """
    loaded = translate.load(messages, encoding=encoding)
    write_file(output, translate.file_bytes(loaded, output), force=force, backup=True)
    if settings.json:
        say_json({"path": output, "texts": len(loaded)})
    else:
        say(f"{shown(output)}: {len(loaded)} texts")
    return OK


@command.command("files", epilog=options.examples("overhaul translate files data.win"))
@click.argument("game", metavar="GAME")
@options.assume_version
@options.no_cache
@options.common
def files(game: str, settings: Settings) -> int:
    """List the files that a game's code reads: its texts may be there.

    Texts of JSON and CSV files are translated with the game where --files names them.
    """
    with overhaul.open(game, assume_version=settings.assume_version) as data:
        game_files = translate.game_files(data)
    if settings.json:
        rows = [
            {
                "path": game_file.path,
                "pattern": game_file.pattern,
                "function": game_file.function,
                "where": game_file.where,
                "found": game_file.found,
            }
            for game_file in game_files
        ]
        say_json({"files": rows})
        return OK
    for game_file in game_files:
        read = f"{game_file.function} in {game_file.where}"
        if game_file.found:
            say(shown(f"{game_file.path}: {read}"))
        else:
            say(shown(f"{game_file.pattern}: {read}; not next to the game"))
    return OK


@command.command(
    "pictures",
    epilog=options.examples("overhaul translate pictures data.win -o pictures"),
)
@click.argument("game", metavar="GAME")
@click.option("-o", "--output", required=True, metavar="FOLDER", help="The folder to write to.")
@_rules
@options.force_file
@options.assume_version
@options.no_cache
@options.common
def pictures(
    game: str, output: str, rules: translate.Rules | None, force: bool, settings: Settings
) -> int:
    """Save the sprites that may have text as pictures, with a page that shows them (index.html).

    They are chosen by their names, by the objects that show them, and by the code that draws them;
    in games of Adventure Game Studio by the buttons, windows and views that show them.
    "overhaul sprites add GAME FOLDER --replace" puts back the pictures that were changed; those of
    Adventure Game Studio go into the folder sprites of the unpacked game.
    """
    with overhaul.open(game, assume_version=settings.assume_version) as data:
        sprites = translate.save_pictures(
            data, output, rules=rules, force=force, progress=_bar(settings)
        )
    if settings.json:
        rows = [
            {
                "name": sprite.name,
                "frames": sprite.frames,
                "width": sprite.width,
                "height": sprite.height,
                "reasons": sprite.reasons,
            }
            for sprite in sprites
        ]
        say_json({"path": output, "sprites": rows})
        return OK
    for sprite in sprites:
        say(shown(f"{sprite.name}: {'; '.join(sprite.reasons)}"))
    say(f"{shown(output)}: {len(sprites)} sprites")
    return OK
