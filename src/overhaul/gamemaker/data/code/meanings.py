"""The meaning of a name in a game's code."""

from __future__ import annotations

from typing import Final, NamedTuple

from overhaul.gml.builtins import BuiltinFunction, load_parameters
from overhaul.gml.context import Context

FUNCTION = "function"
BUILTIN_FUNCTION = "built-in function"
BUILTIN_VARIABLE = "built-in variable"
CONSTANT = "constant"
EXTENSION_FUNCTION = "extension function"
KEYWORD = "keyword"
#: types that say nothing of a parameter or result
_OPEN_TYPES: Final = frozenset(("", "Any", "ArgumentIdentity", "Undefined"))
#: words of the language that the parser takes as names
_WORDS = {
    "true": (CONSTANT, "constant of the language"),
    "false": (CONSTANT, "constant of the language"),
    "self": (KEYWORD, "the instance or struct that runs the code"),
    "other": (KEYWORD, "the other instance of a collision or a with block"),
    "all": (KEYWORD, "all instances"),
    "noone": (KEYWORD, "no instance"),
    "global": (KEYWORD, "the global variables of the game"),
}


class Meaning(NamedTuple):
    """The meaning of a name.

    ``kind`` is the kind of an asset as ``Context.add_asset`` has it, or one of the words above;
    ``name`` the resource's name: of a function of the game that of its code entry, ``""`` for
    what no resource is; ``about`` is a line about it: its signature, or its type.
    """

    kind: str
    name: str
    about: str


def meaning(context: Context, name: str) -> Meaning | None:
    """The meaning of a name that does not follow a dot, wherever it is written; None for a
    variable of the game, and for names that are not known."""
    if name in _WORDS:
        kind, about = _WORDS[name]
        return Meaning(kind, "", about)
    code = context.function_code_name(name)
    if code is not None:
        return Meaning(FUNCTION, code, f"{name}(…)")
    asset = context.asset_id(name)
    if asset is not None:
        return Meaning(asset[0], name, f"{asset[0].replace('_', ' ')} {asset[1]}")
    return _builtin(context, name)


def _builtin(context: Context, name: str) -> Meaning | None:
    function = context.builtin_functions.get(name)
    if function is not None:
        return Meaning(BUILTIN_FUNCTION, "", signature(function))
    if name in context.extension_functions:
        return Meaning(EXTENSION_FUNCTION, "", f"{name}(…), of an extension")
    variable = context.builtin_variables.get(name)
    if variable is not None:
        owner = "the game" if variable.is_global else "each instance"
        only = ", can't be set" if variable.readonly else ""
        return Meaning(BUILTIN_VARIABLE, "", f"built-in variable of {owner}{only}")
    constant = context.builtin_constants.get(name)
    if constant is not None:
        return Meaning(CONSTANT, "", f"constant {constant.value}")
    return None


def signature(function: BuiltinFunction) -> str:
    """The signature of a built-in function: ``draw_text(x: Real, y: Real, string)``, with optional
    arguments in brackets."""
    arguments = []
    for number in range(max(function.minimum, function.maximum, len(function.parameters), 0)):
        shown = _parameter(function, number)
        if not shown.startswith("*"):  # the last type of those that take any number
            arguments.append(shown if number < function.minimum else f"[{shown}]")
    if function.maximum < 0:
        arguments.append("…")
    result = f" → {function.result}" if function.result not in _OPEN_TYPES else ""
    return f"{function.name}({', '.join(arguments)}){result}"


def _parameter(function: BuiltinFunction, number: int) -> str:
    """The name of a parameter, and its type where that says something."""
    names = load_parameters().get(function.name, ())
    kind = function.parameters[number] if number < len(function.parameters) else ""
    if kind.startswith("*"):
        return kind
    name = names[number] if number < len(names) else f"argument{number}"
    return name if kind in _OPEN_TYPES else f"{name}: {kind}"
