"""The parts of each family of games besides its formats: languages, translation, pages.

A family is one :class:`Family` in :data:`FAMILIES`.  Editors, translation and the viewer find there
what only a family has; it is loaded when it is used.
"""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False


class Family:
    """A line of the table: ``title`` is what people call the family.

    By the kind of a document: ``languages`` names the
    :class:`~overhaul.language.protocol.Starts` of the language that its code is written in,
    ``translation`` the module with the members of
    :class:`~overhaul.translate.families.Translates`.  ``pages`` is the module whose ``PAGES`` are
    those of resources that only this family has.  ``cli`` is the package of its commands: it has
    the modules ``commands``, and ``verbs`` with the members of :class:`~overhaul.cli.verbs.Verbs`.
    """

    __slots__ = ("cli", "commands", "languages", "pages", "title", "translation")

    def __init__(
        self,
        title: str,
        *,
        languages: Mapping[str, str],
        translation: Mapping[str, str],
        pages: str,
        cli: str,
        commands: frozenset[str] = frozenset(),
    ) -> None:
        self.title: str = title
        self.languages: Mapping[str, str] = languages
        self.translation: Mapping[str, str] = translation
        self.pages: str = pages
        self.cli: str = cli
        self.commands: frozenset[str] = commands


FAMILIES: tuple[Family, ...] = (
    Family(
        "GameMaker",
        languages={
            "gamemaker-data": "overhaul.language.gml.starting:GAME",
            "gamemaker-project": "overhaul.language.gml.starting:PROJECT",
            "gamemaker-executable": "overhaul.language.gml.starting:PROJECT",
            "gamemaker-ide-project": "overhaul.language.gml.editors:PROJECT",
        },
        translation={"gamemaker-data": "overhaul.translate.gamemaker"},
        pages="overhaul.viewer.pages.gamemaker",
        cli="overhaul.cli.gamemaker",
        commands=frozenset(
            ("code", "debug", "ds", "font", "merge", "repack", "repair", "sprites", "tiled")
        ),
    ),
    Family(
        "Adventure Game Studio",
        languages={
            **dict.fromkeys(
                ("ags-package", "ags-game", "ags-room", "ags-script"),
                "overhaul.language.ags.starting:SCRIPTS",
            ),
            "ags-project": "overhaul.language.ags.projects:PROJECT",
        },
        translation=dict.fromkeys(("ags-package", "ags-game"), "overhaul.translate.ags"),
        pages="overhaul.viewer.pages.ags",
        cli="overhaul.cli.ags",
    ),
)


def language_of(kind: str) -> str:
    """The start of the language of a kind of document (``"module:object"``); "" if it has none."""
    return next((each.languages[kind] for each in FAMILIES if kind in each.languages), "")


def translation_of(kind: str) -> str:
    """The module that translates documents of a kind; "" where none does."""
    return next((each.translation[kind] for each in FAMILIES if kind in each.translation), "")
