"""The effects of built-in functions on their arguments: one table, ``effects.tsv``, for the
decompiler and for translation.

Its effects:

- ``shown``: the player sees the argument.
- ``passed``: the result is made of the argument, or a part of it.
- ``returned``: the result is the argument, or another one with this effect.
- ``held``: the result is an array that holds the argument.
- ``fetched``: the result is what the argument (an array, list, map, ...) holds.
- ``stored``: the argument is put into what the first one is; ``copied``: what the argument holds is
  put there; ``added``: it is added to what is there.
- ``field``: the argument is the key of a map, under which a value is put or found.
- ``lookup``: something is looked for by the argument, which is a key, an element or a name.
- ``named``: the argument is the name of something.
- ``searched``: a value is looked for in what the argument holds.
- ``letter``: the argument is the number of a picture, which may be that of a letter.
- ``file``: the argument is the name of a file that is read.
- ``events``: the events of the object are run by what calls the function.
- ``variable``: the argument is the name of a variable that is read, or set to the argument that
  has the effect ``variable_value``.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from overhaul.gml.builtins import table_rows

#: numbers of arguments
Arguments = tuple[int, ...]
#: at the end of them: and all behind the last
REST: Final = -1


@cache
def load_effects(effect: str) -> dict[str, Arguments]:
    """Function -> the arguments with an effect.  Raises KeyError for an effect that there is
    not."""
    return _tables()[effect]


@cache
def _tables() -> dict[str, dict[str, Arguments]]:
    tables: dict[str, dict[str, Arguments]] = {}
    for effect, numbers, functions in table_rows("effects.tsv"):
        arguments = tuple(REST if part == "*" else int(part) for part in numbers.split(","))
        tables.setdefault(effect, {}).update(dict.fromkeys(functions.split(), arguments))
    return tables


def chosen(arguments: Arguments, count: int) -> list[int]:
    """The numbers of the arguments of a call with ``count`` of them."""
    if arguments[-1] == REST:
        first = arguments[-2]
        return [*arguments[:-2], *range(first, count)]
    return [number for number in arguments if number < count]
