"""The project of GameMaker's editor that a compiled game is made of, as far as the game says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.names import ASSET_CHUNKS
from overhaul.gamemaker.ide.styles import Letter, Style
from overhaul.gamemaker.recovered import Tally
from overhaul.gamemaker.recovery import (
    assets,
    extensions,
    interface,
    objects,
    project,
    rooms,
    sequences,
    sources,
    sprites,
    studio_assets,
    studio_code,
    studio_rooms,
)
from overhaul.gamemaker.recovery.drafts import Draft
from overhaul.gamemaker.recovery.modern import ModernDraft
from overhaul.gamemaker.recovery.studio import StudioDraft
from overhaul.suggest import plural

REPORT: Final = "RECOVERED.md"
#: The parts that no project has, as the compiler does not keep them.
_NEVER: Final = (
    "comments, regions and macros of code, and names of enumerations",
    "the folders of the asset browser, notes and configurations",
    "the layers of sprites, and the colours of pixels that are wholly clear",
    "the icon, company and copyright of the program, and options of platforms but Windows",
)


class Recovered(NamedTuple):
    """A project that is not written yet: the name of its file, what gives the bytes of each file,
    the tally of each kind, and what a person should know."""

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


def recover(game: GameData, kind: str = "", name: str = "") -> Recovered:
    """The project of a game, in the format of its release: ``kind`` is ``"gmx"`` for games of
    Studio 1, and ``"yyp"`` for those of GameMaker 2 and later.

    Games of 2.0 to 2.2 become projects of 2.3.  ``name`` is that of the project, by default the
    name of the game.  Raises FormatError for the other kind.
    """
    own = "yyp" if game.release.at_least(2) else "gmx"
    if kind not in ("", own):
        raise FormatError(
            f"a game of release {game.release} becomes a project of the kind {own}, not {kind}",
            source=game.source,
        )
    title = project_name(name or str(game.general.file_name or "game"))
    make = _modern if own == "yyp" else _studio
    nameless = _nameless(game)
    if not nameless:
        return make(game, title)
    with GameData.from_bytes(game.to_bytes(), source=game.source) as copy:
        renamed = _with_names(copy, nameless)
        made = make(copy, title)
        files = {path: read() for path, read in made.files.items()}  # before the copy is closed
    made.findings[:0] = renamed
    return made._replace(files={path: data.__bytes__ for path, data in files.items()})


def _nameless(game: GameData) -> dict[str, list[int]]:
    """The resources by chunk and number that have no name, or that of another one before them."""
    found: dict[str, list[int]] = {}
    for chunk in ASSET_CHUNKS:
        known: set[str] = set()
        for number, record in enumerate(game.named(chunk) if chunk in game.chunks else ()):
            if record is not None:
                name = "" if record.name is None else str(record.name)
                if not name or name in known:
                    found.setdefault(chunk, []).append(number)
                known.add(name)
    return found


def _with_names(game: GameData, nameless: Mapping[str, list[int]]) -> Findings:
    """Give resources names by their numbers, where the game has none."""
    findings = Findings()
    for chunk, numbers in nameless.items():
        records = list(game.named(chunk))
        taken = {str(record.name) for record in records if record is not None}
        title = CHUNKS[chunk].title
        for number in numbers:
            name = f"{title.replace(' ', '_')}_{number}"
            while name in taken:
                name = f"{name}_"
            taken.add(name)
            setattr(records[number], "name", name)  # noqa: B010
        message = (
            f"{len(numbers)} {plural(title)} have no name, or that of another one: they are called "
            f"by their numbers ({title}_{numbers[0]})"
        )
        findings.warn("renamed", message)
    return findings


def _studio(game: GameData, title: str) -> Recovered:
    """The project of a game of Studio 1."""
    draft = StudioDraft(game, title)
    studio_assets.add_sounds(draft)
    studio_assets.add_sprites(draft)
    studio_assets.add_backgrounds(draft)
    studio_assets.add_paths(draft)
    studio_code.add_scripts(draft)
    studio_code.add_shaders(draft)
    studio_assets.add_fonts(draft)
    studio_code.add_objects(draft)
    studio_code.add_timelines(draft)
    extensions.add_studio(draft)
    studio_rooms.add_rooms(draft)
    studio_code.add_enums(draft)
    _left_out(draft)
    studio_rooms.add_project(draft)
    return _finished(draft, ".project.gmx")


def _modern(game: GameData, title: str) -> Recovered:
    """The project of a game of GameMaker 2 or later."""
    draft = ModernDraft(game, title, Style(letter_of(game), "\n"))
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
    sequences.add_curves(draft)
    sequences.add_sequences(draft)
    sequences.add_particle_systems(draft)
    extensions.add_modern(draft)
    rooms.add_rooms(draft, variables)
    interface.add_interface(draft, variables)
    sources.add_enums(draft)
    _left_out(draft)
    project.add_project(draft)
    return _finished(draft, ".yyp")


def _finished(draft: Draft, ending: str) -> Recovered:
    """The project with the report."""
    files = {**draft.files, REPORT: report(draft).encode().__bytes__}
    return Recovered(f"{draft.name}{ending}", files, draft.tallies, draft.findings)


def letter_of(game: GameData) -> Letter:
    """The letter of the releases that write projects as the release of a game does."""
    release = game.release
    if release.at_least(2024, 2):
        return "D"
    return "C" if release.at_least(2022, 8) else "B"


def project_name(title: str) -> str:
    """The name of a project, as files are called."""
    made = "".join(c if c.isascii() and (c.isalnum() or c in "_ -") else "_" for c in title)
    return made.strip() or "game"


def _left_out(draft: Draft) -> None:
    """Report a game without code."""
    if not len(draft.game.code) and len(draft.game.objects):
        message = "the game is native code: its sources are lost, all else is recovered"
        draft.findings.warn("code-not-decompiled", message)


def report(draft: Draft) -> str:
    """The report of a recovery, as a text for people."""
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
