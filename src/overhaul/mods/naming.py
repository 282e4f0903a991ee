"""Resources that the code of a mod names: by name, and by numbers that may stand for them.

In most releases a resource is a number in code.  A name in source is compiled for the game that the
mod is put on.  A number stays, so the resource that it means must have the same number there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from overhaul.mods.modfile import Conflict, Mod
from overhaul.mods.patches import LinePatch, text_lines
from overhaul.mods.renames import moved_path
from overhaul.mods.renaming import Renaming
from overhaul.mods.view import ASSEMBLY, CODE, SOURCE, FileView


def new_lines(mod: Mod) -> Iterator[tuple[str, list[str]]]:
    """The lines of source that a mod adds, by the path of their file."""
    for path, patch in mod.patches.items():
        if path.startswith(CODE) and path.endswith(SOURCE) and isinstance(patch, LinePatch):
            yield path, [line for hunk in patch.hunks for line in hunk.new]
    for path, data in mod.added.items():
        if path.startswith(CODE) and path.endswith(SOURCE) and _assembly(path) not in mod.added:
            yield path, text_lines(data)


def note_names(mod: Mod, made: FileView) -> None:
    """Note what the code of a mod names, in the game that has its changes."""
    for path, lines in new_lines(mod):
        mod.names |= made.names_in(lines)
        if path in made.assembly:
            _note_numbers(mod, path, made, set(lines))
    for path in (*mod.patches, *mod.added):
        source = path.removesuffix(ASSEMBLY) + SOURCE
        if path.endswith(ASSEMBLY) and source in made.assembly:
            _note_numbers(mod, path, made, None)


def _note_numbers(mod: Mod, path: str, made: FileView, lines: Set[str] | None) -> None:
    numbers = made.numbers_in(path, lines)
    if numbers:
        mod.numbers[path] = numbers
    own = {} if made.is_written(path) else made.own_numbers_in(path, lines)
    if own:
        mod.own_numbers[path] = own


def misnamed(mod: Mod, made: FileView, renaming: Renaming) -> Iterator[Conflict]:
    """The names in a mod's code that the game with its changes does not have.

    ``renaming``: the new names that other mods give.
    """
    missing = {}
    for name, (kind, _) in mod.names.items():
        now = renaming.names.get(name, name)
        if made.number_of(kind, now) is None:
            missing[now] = kind
    for path, lines in new_lines(mod) if missing else ():
        said = {renaming.names.get(name, name) for name in made.words_in(lines)}
        for name, kind in missing.items():
            if name in said:
                reason = f"the code names the {_word(kind)} {name}, which the game does not have"
                yield Conflict(path, reason, [mod.name])


def renumbered(mod: Mod, made: FileView, renaming: Renaming) -> Iterator[Conflict]:
    """Numbers in a mod's code that may stand for a resource with another number in the game.

    Numbers that met only the mod's own code do so where other code of this game reads them.
    """
    for path, numbers in mod.numbers.items():
        for number in numbers:
            for reason in _moved(numbers, number, made, renaming):
                yield Conflict(path, reason, [mod.name], is_doubt=True)
    for path, numbers in mod.own_numbers.items():
        moved = {number: [*_moved(numbers, number, made, renaming)] for number in numbers}
        if not any(moved.values()):
            continue
        own = made.own_numbers_in(moved_path(path, renaming.names), None)
        for number, reasons in moved.items():
            for reason in reasons if number not in own else ():
                text = f"{reason}, and code of this game reads it"
                yield Conflict(path, text, [mod.name], is_doubt=True)


def _moved(
    numbers: Mapping[int, Mapping[str, str]], number: int, made: FileView, renaming: Renaming
) -> Iterator[str]:
    """How the resources that a number may stand for have another one."""
    for kind, name in numbers[number].items():
        now = made.number_of(kind, renaming.names.get(name, name))
        if now != number:
            where = "is not there" if now is None else f"is number {now}"
            yield f"{number} in the code may be the {_word(kind)} {name}, which {where} here"


def keep_numbers(mod: Mod, carried: Mod) -> None:
    """Keep the numbers of a mod in the files that it still changes after it was carried to another
    build."""
    paths = {*carried.patches, *carried.added}
    for kept, numbers in (
        (carried.numbers, mod.numbers),
        (carried.own_numbers, mod.own_numbers),
    ):
        kept |= {path: found for path, found in numbers.items() if path in paths}


def _word(kind: str) -> str:
    return kind.replace("_", " ")


def _assembly(path: str) -> str:
    return path.removesuffix(SOURCE) + ASSEMBLY
