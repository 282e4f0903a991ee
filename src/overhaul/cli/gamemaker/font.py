"""``overhaul font``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

import click

from overhaul import gamemaker, translate
from overhaul.cli import options
from overhaul.cli.options import arguments, open_fonts
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, note, say, say_json, shown
from overhaul.cli.progress import Bar

if TYPE_CHECKING:
    from overhaul.cli.options import DocumentWithFonts
    from overhaul.document.views import FontView, SpriteFontView
    from overhaul.gamemaker.data.game import GameData


@click.group(
    "font",
    epilog=options.examples(
        "overhaul font show data.win",
        "overhaul font missing data.win --po es.po",
        "overhaul font rebuild data.win fnt_main --ttf DejaVuSans.ttf --from-po es.po -o new.win",
        "overhaul font add data.win fnt_main --ttf DejaVuSans.ttf --text éß -o new.win",
        "overhaul font set data.win fnt_main É=e.png -o new.win",
    ),
)
def command() -> None:
    """Show a game's fonts, and draw their letters with a TrueType or OpenType file.

    For GameMaker's data.win, and bitmap fonts (.wfn) of Adventure Game Studio. See
    docs/guide/fonts.md.
    """


@command.command("show", epilog=options.examples("overhaul font show data.win"))
@click.argument("file", metavar="GAME")
@click.argument("names", metavar="[FONT]...", nargs=-1)
@options.assume_version
@options.common
def show(file: str, names: tuple[str, ...], settings: Settings) -> int:
    """List fonts: the typeface, the size in points, and which characters there are.

    Fonts that code makes of sprites (font_add_sprite) are listed too, with the sprite.
    """
    with open_fonts(file, settings) as game:
        fonts = _chosen(game, names)
        of_sprites = [] if names else _from_sprites(game)
        if settings.json:
            say_json(
                {
                    "path": file,
                    "fonts": [_reported(font) for font in fonts],
                    "from_sprites": [vars(font) for font in of_sprites],
                }
            )
            return OK
        for font in fonts:
            style = "".join(f" {word}" for word in ("bold", "italic") if getattr(font, word))
            fields = f", distance fields of {font.sdf_spread} pixels" if font.sdf_spread else ""
            say(
                f"{shown(font.name)}: {shown(font.display_name or '')} {font.size:g} pt{style}, "
                f"{len(font.glyphs)} characters{fields}: {_ranges(font)}"
            )
        for sprite in of_sprites:
            known = shown(sprite.characters) or "characters that the code computes"
            say(f"{shown(sprite.variable) or '(no variable)'}: of {shown(sprite.sprite)}: {known}")
    return OK


@command.command(
    "missing",
    epilog=options.examples(
        "overhaul font missing data.win --po es.po", 'overhaul font missing data.win --text "ÑÁ"'
    ),
)
@click.argument("file", metavar="GAME")
@click.argument("names", metavar="[FONT]...", nargs=-1)
@click.option("--po", "messages", multiple=True, metavar="FILE", help="Letters of a translation.")
@click.option("--text", "texts", multiple=True, metavar="TEXT", help="These letters.")
@options.assume_version
@options.common
def missing(
    file: str,
    names: tuple[str, ...],
    messages: tuple[str, ...],
    texts: tuple[str, ...],
    settings: Settings,
) -> int:
    """Show which letters fonts lack: those of a translation, of a text, or of the game's own texts.

    The exit code is 1 if a font lacks one. Not every font draws every text: `overhaul translate
    check` says what is missing for each text.
    """
    letters = "".join(
        [*texts, *(translate.letters(translate.load(message)) for message in messages)]
    )
    with open_fonts(file, settings) as game:
        fonts = _chosen(game, names)
        if not messages and not texts:
            bar = Bar("code", hidden=settings.quiet or settings.json)
            letters = "".join(str(text.msgid) for text in translate.extract(game, progress=bar))
        lacking = {font.name: "".join(sorted(font.missing(letters))) for font in fonts}
        if not names:
            for sprite in _from_sprites(game):
                lacking[f"of {sprite.sprite}"] = "".join(sorted(sprite.missing(letters)))
    if settings.json:
        say_json({"path": file, "fonts": [{"font": n, "missing": m} for n, m in lacking.items()]})
    else:
        for name, lacks in lacking.items():
            say(f"{shown(name)}: {shown(' '.join(lacks)) if lacks else 'nothing is missing'}")
    return ANSWER_IS_NO if any(lacking.values()) else OK


_output = click.option("-o", "--output", metavar="FILE", required=True, help="The game to write.")


class _Style(TypedDict):
    """How letters are drawn, as the fonts' methods take it."""

    antialias: bool | None
    hinting: bool
    kerning: bool


class _Drawing(NamedTuple):
    """The options of :func:`_drawing`."""

    ttf: tuple[str, ...]
    size: float | None
    chars: tuple[str, ...]
    texts: tuple[str, ...]
    from_po: tuple[str, ...]
    from_strings: bool
    antialias: bool | None
    no_hinting: bool
    no_kerning: bool

    def letters(self, game: DocumentWithFonts) -> str:
        """The letters that the options add to those of ``--chars``."""
        parts = [*self.texts, *(translate.letters(translate.load(path)) for path in self.from_po)]
        strings = _all_letters(game) if self.from_strings else ""
        return "".join([*parts, *strings])

    @property
    def style(self) -> _Style:
        """How they are drawn."""
        return _Style(
            antialias=self.antialias, hinting=not self.no_hinting, kerning=not self.no_kerning
        )


def _drawing(function: options.Command) -> options.Command:
    """The options of what draws letters, as one argument ``drawing``."""

    @click.option(
        "--ttf",
        multiple=True,
        required=True,
        metavar="FILE",
        help="A TrueType or OpenType file; of several, the first that has a letter draws it.",
    )
    @click.option("--size", type=float, metavar="POINTS", help="The size.")
    @click.option(
        "--chars",
        multiple=True,
        metavar="RANGES",
        help="Characters such as 32-126,U+0400-U+04FF, or a file with them.",
    )
    @click.option("--text", "texts", multiple=True, metavar="TEXT", help="And these.")
    @click.option("--from-po", multiple=True, metavar="FILE", help="And those of a translation.")
    @click.option("--from-strings", is_flag=True, help="And those of the game's strings.")
    @click.option(
        "--antialias/--no-antialias",
        default=None,
        help="With soft edges, or without (as the font is).",
    )
    @click.option("--no-hinting", is_flag=True, help="Draw outlines as they are.")
    @click.option("--no-kerning", is_flag=True, help="Store no pairs.")
    @_output
    @options.force_backup
    @options.assume_version
    @options.common
    @functools.wraps(function)
    def command(**given: object) -> int:
        drawing = _Drawing._make(given.pop(field) for field in _Drawing._fields)
        return function(drawing=drawing, **given)

    return command


@command.command(
    "rebuild",
    epilog=options.examples(
        "overhaul font rebuild data.win fnt_main --ttf DejaVuSans.ttf -o new.win",
        "overhaul font rebuild data.win fnt_main --ttf NotoSans.ttf --size 14 "
        "--chars 32-126,U+00A0-U+00FF -o new.win",
        "overhaul font rebuild data.win fnt_main --ttf NotoSans.ttf --from-po es.po -o new.win",
    ),
)
@click.argument("file", metavar="GAME")
@click.argument("name", metavar="FONT")
@click.option("--sdf/--no-sdf", default=None, help="Distance fields, or not (2023.2 and later).")
@_drawing
def rebuild(
    file: str,
    name: str,
    drawing: _Drawing,
    sdf: bool | None,
    output: str,
    force: bool,
    settings: Settings,
) -> int:
    """Draw all letters of a font again.

    They are those of --chars, or those that the font has, and those of --text, --from-po and
    --from-strings.
    """
    with open_fonts(file, settings) as game:
        with arguments():
            font = game.fonts[name]
            chars = drawing.chars
            base = gamemaker.read_characters(chars) if chars else [*font.glyphs]
            letters = [*base, drawing.letters(game)]
            font.rebuild(drawing.ttf, drawing.size, letters, sdf=sdf, **drawing.style)
        return _saved(game, font, output, force, settings)


@command.command(
    "add",
    epilog=options.examples(
        "overhaul font add data.win fnt_main --ttf DejaVuSans.ttf --from-po es.po -o new.win"
    ),
)
@click.argument("file", metavar="GAME")
@click.argument("name", metavar="FONT")
@_drawing
def add(
    file: str,
    name: str,
    drawing: _Drawing,
    output: str,
    force: bool,
    settings: Settings,
) -> int:
    """Draw letters that a font lacks, and leave the others as they are.

    Without --size, capitals are as high as the font's own.
    """
    with open_fonts(file, settings) as game:
        with arguments():
            font = game.fonts[name]
            letters = [*gamemaker.read_characters(drawing.chars), drawing.letters(game)]
            font.add_glyphs(drawing.ttf, letters, drawing.size, **drawing.style)
        return _saved(game, font, output, force, settings)


@command.command(
    "set", epilog=options.examples("overhaul font set data.win fnt_main É=e.png Ñ=n.png -o new.win")
)
@click.argument("file", metavar="GAME")
@click.argument("name", metavar="FONT")
@click.argument("pictures", metavar="LETTER=PICTURE...", nargs=-1, required=True)
@click.option("--shift", type=int, metavar="PIXELS", help="To the next letter (the width).")
@click.option("--offset", type=int, default=0, metavar="PIXELS", help="Moved to the right.")
@_output
@options.force_backup
@options.assume_version
@options.common
def set_(
    file: str,
    name: str,
    pictures: tuple[str, ...],
    shift: int | None,
    offset: int,
    output: str,
    force: bool,
    settings: Settings,
) -> int:
    """Give letters of a font pictures, which begin at the top of the line."""
    with open_fonts(file, settings) as game:
        with arguments():
            font = game.fonts[name]
            for picture in pictures:
                letter, equals, path = picture[:1], picture[1:2], picture[2:]
                if equals != "=" or not path:
                    raise ValueError(f"expected LETTER=PICTURE, got {picture!r}")
                font.set_glyph(letter, path, shift, offset)
        return _saved(game, font, output, force, settings)


def _all_letters(game: DocumentWithFonts) -> str:
    """The letters of all of a game's texts."""
    if game.kind == "gamemaker-data":  # its texts are few of its strings
        return gamemaker.letters_of_strings(cast("GameData", game))
    return "".join({letter for message in translate.extract(game) for letter in str(message.msgid)})


def _from_sprites(game: DocumentWithFonts) -> Sequence[SpriteFontView]:
    """The fonts that code makes of sprites."""
    of_sprites: Callable[[], Sequence[SpriteFontView]] | None
    of_sprites = getattr(game.fonts, "from_sprites", None)
    return of_sprites() if of_sprites is not None else ()


def _chosen(game: DocumentWithFonts, names: tuple[str, ...]) -> list[FontView]:
    with arguments():
        return [game.fonts[name] for name in names] if names else list(game.fonts)


def _saved(
    game: DocumentWithFonts, font: FontView, output: str, force: bool, settings: Settings
) -> int:
    game.save(output, force=force)
    if settings.json:
        say_json({"path": output, "font": _reported(font)})
    else:
        say(f"{shown(output)}: {shown(font.name)} has {len(font.glyphs)} characters")
        if not settings.quiet:
            for warning in game.findings:
                note(f"overhaul: {shown(warning)}")
    return OK


def _reported(font: FontView) -> dict[str, object]:
    names = ("name", "display_name", "size", "bold", "italic", "sdf_spread", "line_height")
    return {name: getattr(font, name) for name in names} | {"characters": "".join(font.glyphs)}


def _ranges(font: FontView) -> str:
    """The characters, as ``32-126, U+0416``."""
    runs: list[list[int]] = []
    for number in map(ord, font.glyphs):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    words = [f"U+{a:04X}" if a == b else f"U+{a:04X}-U+{b:04X}" for a, b in runs]
    more = f" and {len(words) - 12} more" if len(words) > 12 else ""
    return ", ".join(words[:12]) + more
