"""The project of GameMaker's editor that a compiled game is made of, as far as the game says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.recovered import Tally
from overhaul.gamemaker.recovery import assets, objects, project, rooms, sources, sprites
from overhaul.gamemaker.recovery.drafts import Draft

if TYPE_CHECKING:
    from overhaul.findings import Findings
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.ide.styles import Letter

REPORT: Final = "RECOVERED.md"
#: What no project has, as the compiler does not keep it.
_NEVER: Final = (
    "comments, regions and macros of code, and names of enumerations",
    "the folders of the asset browser, notes, tags' places and configurations",
    "the layers of sprites, and the colours of pixels that are wholly clear",
)


class Recovered(NamedTuple):
    """A project that is not written yet: its name, what gives the bytes of each file, the tally of
    each kind, and what a person should know."""

    name: str
    files: Mapping[str, Callable[[], bytes]]
    tallies: Mapping[str, Tally]
    findings: Findings

    def to_json(self) -> dict[str, object]:
        """The tallies and the findings as docs/guide/json.md describes them."""
        return {
            "recovered": {kind: tally.to_json() for kind, tally in self.tallies.items()},
            "findings": self.findings.to_json(),
        }


def recover(game: GameData, name: str = "") -> Recovered:
    """The project of a game of GameMaker 2.3 or later, in the format of its release.

    Games of 2.0 to 2.2 become projects of 2.3.  ``name`` is that of the project, by default the
    name of the game.  Raises FormatError for games of earlier releases.
    """
    release = game.release
    if not release.at_least(2):
        raise FormatError(
            f"a game of release {release} becomes a project of Studio 1: --to gmx",
            source=game.source,
        )
    title = name or str(game.general.file_name or "game")
    draft = Draft(game, _project_name(title), Style(letter_of(game), "\n"))
    variables = objects.Variables(draft)
    sprites.add_sprites(draft)
    assets.add_sounds(draft)
    assets.add_paths(draft)
    sources.add_scripts(draft)
    sources.add_shaders(draft)
    assets.add_fonts(draft)
    sources.add_timelines(draft)
    objects.add_objects(draft, variables)
    sprites.add_tile_sets(draft)
    assets.add_curves(draft)
    rooms.add_rooms(draft, variables)
    sources.add_enums(draft)
    _left_out(draft)
    project.add_project(draft)
    files = {**draft.files, REPORT: report(draft).encode().__bytes__}
    return Recovered(draft.name, files, draft.tallies, draft.findings)


def letter_of(game: GameData) -> Letter:
    """The letter of the releases that write projects as the release of a game does."""
    release = game.release
    if release.at_least(2024, 2):
        return "D"
    return "C" if release.at_least(2022, 8) else "B"


def _project_name(title: str) -> str:
    made = "".join(c if c.isascii() and (c.isalnum() or c in "_ -") else "_" for c in title)
    return made.strip() or "game"


def _left_out(draft: Draft) -> None:
    """Report the resources of kinds that are not recovered yet."""
    game = draft.game
    kinds = {
        "extensions": game.extensions,
        "sequences": game.sequences if game.release.at_least(2, 3) else (),
        "particle_systems": game.particle_systems if game.release.at_least(2023, 2) else (),
    }
    for kind, found in kinds.items():
        count = len(list(found))
        if count:
            draft.count(kind, count, 0, count)
            message = f"{count} {kind.replace('_', ' ')} are left out"
            draft.findings.warn("left-out", message, kind)


def report(draft: Draft) -> str:
    """What a person should know, as a text for people."""
    lines = [
        f"# {draft.name}",
        "",
        "Overhaul made this project of a compiled game. It is for people who own the game and lost",
        "its project.",
        "",
        "| Kind | Recovered | With usual values | Lost a part |",
        "|---|---|---|---|",
    ]
    for kind, tally in draft.tallies.items():
        shown = kind.replace("_", " ")
        lines.append(f"| {shown} | {tally.total} | {tally.lossy} | {tally.lost} |")
    lines += ["", "## What to look at", ""]
    lines += [f"- {finding}" for finding in draft.findings] or ["Nothing."]
    lines += ["", "## What no compiled game has", ""]
    lines += [f"- {text}" for text in _NEVER]
    return "\n".join(lines) + "\n"
