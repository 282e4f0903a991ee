"""The families of games whose texts are translated, each a module with the members of
:class:`Translates`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from overhaul.document.families import translation_of
from overhaul.document.opening import open as open_document
from overhaul.document.protocol import Document
from overhaul.document.registry import load
from overhaul.errors import FormatError
from overhaul.translate.results import Explanation, GameFile, Preview, Problem, Translated

if TYPE_CHECKING:
    import polib

    from overhaul.folder.parallel import Progress
    from overhaul.media.characters import Typefaces
    from overhaul.media.typeface import Typeface
    from overhaul.translate.lettering import Lettering
    from overhaul.translate.rules import Rules


#: a document, or the path of its file
Game: TypeAlias = "str | os.PathLike[str] | Document"


class Job(NamedTuple):
    """How texts are worked on.

    ``rules`` change which texts there are; ``typefaces`` draw the letters that fonts lack; with
    ``keep`` the game itself does not change; with ``force`` translations that lost placeholders are
    warnings.  ``progress`` is called with how much is done.
    """

    rules: Rules | None = None
    typefaces: FontFiles | None = None
    keep: bool = True
    force: bool = False
    progress: Progress | None = None


class Translates(Protocol):
    """The functions of a family of games on texts; ``game`` is a document of its kinds."""

    def extract(self, game: Document, job: Job) -> polib.POFile:
        """The texts that a player sees, untranslated."""

    def apply(self, game: Document, messages: polib.POFile, job: Job) -> Translated:
        """Put translated texts in.  Raises EncodeError for translations with other placeholders."""

    def preview(self, game: Document, messages: polib.POFile, job: Job) -> list[Preview]:
        """The texts as the game draws them."""

    def check(self, game: Document, messages: polib.POFile, job: Job) -> list[Problem]:
        """The problems of a translation."""

    def explain(self, game: Document, text: str, job: Job) -> list[Explanation]:
        """Whether each place of a text is translated, and why."""

    def lettering(self, game: Document, job: Job) -> list[Lettering]:
        """The sprites that may have lettering, with their pictures."""

    def files(self, game: Document) -> list[GameFile]:
        """The files that the game's code reads."""


@contextmanager
def opened(game: Game) -> Iterator[tuple[Translates, Document]]:
    """A game by its path, or itself, and its family.  Raises FormatError for other documents."""
    if isinstance(game, str | os.PathLike):
        with open_document(game) as document:
            yield _family(document), document
    else:
        yield _family(game), game


def has_texts(document: Document) -> bool:
    """Whether it is known which texts of a document players see."""
    return bool(translation_of(document.kind))


def _family(document: Document) -> Translates:
    module = translation_of(document.kind)
    if not module:
        raise FormatError(
            "expected the data of a GameMaker game, or a game of Adventure Game Studio, got "
            f"{document.kind}",
            source=document.source,
        )
    family: Translates = load(module)
    return family


# -- typefaces -------------------------------------------------------------------------------------


@dataclass
class FontFiles:
    """The typefaces that draw missing letters: for each font by its name (``by_name``), and for all
    others (``common``).

    With ``rebuild`` fonts that lack letters are drawn again, so that all of their letters look
    alike; else the old ones do not change.
    """

    common: list[Typeface] = field(default_factory=list)
    by_name: Mapping[str, list[Typeface]] = field(default_factory=dict)
    rebuild: bool = False


def font_files(
    ttf: Typefaces | None, fonts: Mapping[str, Typefaces] | None, *, rebuild: bool = False
) -> FontFiles | None:
    """Typefaces of files; None for none.  Raises FormatError for what is none, OSError."""
    if ttf is None and not fonts:
        return None
    typefaces_of = load("overhaul.media.characters:typefaces_of")
    by_name = {name: typefaces_of(each) for name, each in (fonts or {}).items()}
    return FontFiles([] if ttf is None else typefaces_of(ttf), by_name, rebuild)


def letters(messages: polib.POFile) -> str:
    """The characters of the translations, in order; of obsolete ones not."""
    texts = (str(entry.msgstr) for entry in messages if not entry.obsolete)
    return "".join(sorted(set("".join(texts))))
