"""The names that resources can have."""

from __future__ import annotations

import re

from overhaul.gamemaker.data.chunks import CHUNKS, KIND_CHUNKS
from overhaul.gamemaker.data.code.context import SCRIPT_PREFIX
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.references import Named
from overhaul.gml.builtins import load_constants, load_functions, load_variables
from overhaul.gml.syntax.lexer import keywords

#: the kinds that code knows by name: a name is taken if one of any kind has it
ASSET_CHUNKS = (*KIND_CHUNKS.values(), "AGRP")

#: emitters are known by their system: many have the name "Emitter"
_EMITTERS = "PSEM"
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z", re.A)


def check_new_name(game: GameModel, chunk: str, name: str) -> None:
    """Raise ValueError if a resource of a kind can't get this name: it is none, or it is taken."""
    title = CHUNKS[chunk].title
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a {title} as a text, got {name!r}")
    if chunk != _EMITTERS and name in [
        getattr(record, "name", None) for record in game.named(chunk)
    ]:
        raise ValueError(f"the name {name!r} is taken by the {title} of this name")
    check_form(game, chunk, name)
    taken = taken_by(game, name) if chunk in ASSET_CHUNKS else None
    if taken is not None:
        raise ValueError(f"the name {name!r} is taken by the {CHUNKS[taken].title} of this name")


class NameChecks:
    """Checks names of many resources of a game, while none of them changes."""

    def __init__(self, game: GameModel) -> None:
        self._game = game
        self._named: dict[str, dict[str, list[Named]]] = {}

    def check(self, chunk: str, record: Named) -> None:
        """Raise ValueError if a resource can't have its name, or another one has it too."""
        name = str(record.name)
        check_form(self._game, chunk, name)
        for kind in ASSET_CHUNKS if chunk in ASSET_CHUNKS else (chunk,):
            if any(other is not record for other in self._of(kind).get(name, ())):
                raise ValueError(f"there is another {CHUNKS[kind].title} named {name!r}")

    def _of(self, kind: str) -> dict[str, list[Named]]:
        """The resources of a kind, by their names."""
        named = self._named.get(kind)
        if named is None:
            named = self._named[kind] = {}
            if kind in self._game.chunks and kind != _EMITTERS:
                for record in self._game.named(kind).present():
                    if record.name is not None:
                        named.setdefault(str(record.name), []).append(record)
        return named


def check_form(game: GameModel, chunk: str, name: str) -> None:
    """Raise ValueError if no resource of a kind can have this name."""
    title = CHUNKS[chunk].title
    article = "an" if title[0] in "aeiou" else "a"
    if not name or not name.isprintable():
        raise ValueError(f"{name!r} is not a valid name of {article} {title}")
    if chunk not in ASSET_CHUNKS:
        return
    if not _IDENTIFIER.match(name):
        raise ValueError(
            f"{name!r} is not a valid name of {article} {title}: expected letters, digits and _, "
            "with no digit first"
        )
    if name in keywords(game.release.at_least(2, 3)):
        raise ValueError(f"{name!r} is a word of the language, no valid name of {article} {title}")
    what = _built_in(name)
    if what and (what, chunk) != ("function", "SCPT"):
        # scripts of old games may have the names of functions of newer releases
        raise ValueError(f"{name!r} is the name of a built-in {what}")


def taken_by(game: GameModel, name: str) -> str | None:
    """The chunk of the asset that has a name; None where none has it."""
    if game.strings.find(name) is None:
        return None  # names are strings of the game, and so are those of functions
    found = next((chunk for chunk in ASSET_CHUNKS if name in game.named(chunk)), None)
    # since 2.3 a function is listed by the name of its code
    return "SCPT" if found is None and SCRIPT_PREFIX + name in game.records.scripts else found


def _built_in(name: str) -> str:
    """The runner's use of this name: a variable, a constant, a function; "" for nothing."""
    if name in load_variables():
        return "variable"
    if name in load_constants():
        return "constant"
    return "function" if name in load_functions() else ""
