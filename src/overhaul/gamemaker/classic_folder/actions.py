"""Action lists as JSON people read, and events that are nothing but code as GML.

    [
      {"action": "action_if_object", "arguments": [{"object": "obj_wall"}, "0", "8"], "not": true},
      {"action": "begin_group"},
      {"action": "code", "file": "step.1.gml"},
      ...
    ]

What an action repeats of its library's definition is left out where it agrees with Game Maker's
own libraries, and stands by name where it does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.action_table import SLOTS, by_name, definitions
from overhaul.gamemaker.classic.actions import Action, ActionList
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic_folder.names import ARGUMENT_RESOURCES, Names

CODE = 603
_FLAGS = ("can_be_relative", "is_question", "can_apply_to")
_NUMBERS = ("kind", "exec_type", "argument_count")
_TEXTS = ("function_name", "code")
_SELF, _OTHER = -1, -2
_APPLIES = {_SELF: "self", _OTHER: "other"}

AddFile = Callable[[str, str], str]  # (what it is, its text) -> the name it got


def only_code(actions: ActionList) -> str | None:
    """The GML of a list that is a single plain "execute code" action; None for any other."""
    if len(actions.actions) != 1:
        return None
    action = actions.actions[0]
    if action.action_id != CODE or not action.arguments:
        return None
    plain = _code_action(action.arguments[0])
    return action.arguments[0] if action == plain else None


def code_list(code: str) -> ActionList:
    """The list of which :func:`only_code` gives this code."""
    return ActionList(version=400, actions=[_code_action(code)])


def _code_action(code: str) -> Action:
    action = definitions()[CODE].action()
    action.arguments[0] = code
    return action


# ---------------------------------------------------------------------------------- to JSON


def list_to_json(actions: ActionList, names: Names, add_code: Callable[[str], str]) -> Any:
    """A list of actions; ``add_code`` puts a code action's GML into a file and names that."""
    return [_to_json(action, names, add_code) for action in actions.actions]


def _to_json(action: Action, names: Names, add_code: Callable[[str], str]) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    definition = definitions().get(action.action_id) if action.library_id == 1 else None
    if definition is not None and by_name()[definition.name] is definition:
        shown["action"] = definition.name
        base = definition.action()
    else:
        shown["library"], shown["id"] = action.library_id, action.action_id
        base = Action(argument_kinds=[0] * SLOTS)
    for name in (*_NUMBERS, *_TEXTS):
        if getattr(action, name) != getattr(base, name):
            shown[name] = getattr(action, name)
    for name in _FLAGS:
        if getattr(action, name) != getattr(base, name):
            shown[name] = _flag(getattr(action, name))
    if action.argument_kinds != base.argument_kinds:
        shown["argument_kinds"] = action.argument_kinds
    if action.applies_to != _SELF:
        shown["applies_to"] = _APPLIES.get(action.applies_to) or {
            "object": names.show("objects", action.applies_to)
        }
    if action.relative:
        shown["relative"] = _flag(action.relative)
    if action.negated:
        shown["not"] = _flag(action.negated)
    arguments = action.arguments
    if len(arguments) != SLOTS:
        shown["slots"] = len(arguments)
    if definition is not None and definition.id == CODE and arguments:
        shown["file"] = add_code(arguments[0])
        arguments = ["0", *arguments[1:]]
        used = _used(arguments, 0)
    else:
        used = _used(arguments, action.argument_count)
    if used:
        shown["arguments"] = [
            _argument(text, kind, names)
            for text, kind in zip(
                arguments[:used], _padded(action.argument_kinds, used, 0), strict=True
            )
        ]
    return shown


def _used(arguments: list[str], count: int) -> int:
    """How many arguments are worth showing: those in use, and up to the last that is not "0"."""
    used = min(max(count, 0), len(arguments))
    for index in range(len(arguments) - 1, used - 1, -1):
        if arguments[index] != "0":
            return index + 1
    return used


def _padded(values: list[Any], length: int, filling: Any) -> list[Any]:
    return (values + [filling] * length)[:length]


def _flag(value: int) -> bool | int:
    return bool(value) if value in (0, 1) else value


def _argument(text: str, kind: int, names: Names) -> Any:
    resources = ARGUMENT_RESOURCES.get(kind)
    if resources is None or not text.isascii() or not text.isdigit() or len(text) > 9:
        return text
    stem = names.stem(resources, int(text))
    if stem is None or str(int(text)) != text:
        return text
    return {BY_PLURAL[resources].singular: stem}


# -------------------------------------------------------------------------------- from JSON


def list_from_json(plain: Any, names: Names, code_of: Callable[[str], str]) -> ActionList:
    """The list that :func:`list_to_json` showed; ``code_of`` reads a named file of GML."""
    if not isinstance(plain, list):
        raise FormatError("a list of actions is expected")
    actions = []
    for index, item in enumerate(plain):
        try:
            actions.append(_from_json(item, names, code_of))
        except FormatError as error:
            raise error.within("", index) from None
    return ActionList(version=400, actions=actions)


def _from_json(plain: Any, names: Names, code_of: Callable[[str], str]) -> Action:
    if not isinstance(plain, dict):
        raise FormatError("an action is an object")
    left = dict(plain)
    if "action" in left:
        name = left.pop("action")
        definition = by_name().get(name) if isinstance(name, str) else None
        if definition is None:
            raise FormatError(f"there is no action called {name!r}", path="action")
        action = definition.action()
    else:
        action = Action(version=440, argument_kinds=[0] * SLOTS, arguments=["0"] * SLOTS)
        action.library_id = _number(left, "library", None)
        action.action_id = _number(left, "id", None)
    for field in _NUMBERS:
        setattr(action, field, _number(left, field, getattr(action, field)))
    for field in _FLAGS:
        setattr(action, field, _number(left, field, getattr(action, field)))
    for field in _TEXTS:
        setattr(action, field, _text(left.pop(field, getattr(action, field)), field))
    kinds = left.pop("argument_kinds", None)
    if kinds is not None:
        if not isinstance(kinds, list):
            raise FormatError("a list of numbers is expected", path="argument_kinds")
        action.argument_kinds = [_number({"kind": kind}, "kind", None) for kind in kinds]
    action.applies_to = _applies_to(left.pop("applies_to", "self"), names)
    action.relative = _number(left, "relative", 0)
    action.negated = _number(left, "not", 0)
    slots = _number(left, "slots", SLOTS)
    if not 0 <= slots <= 1000:
        raise FormatError(f"an action can't have {slots} arguments", path="slots")
    given = _arguments(left.pop("arguments", []), names)
    if len(given) > slots:
        raise FormatError(f"{len(given)} arguments, where there is room for {slots}")
    action.arguments = _padded(given, slots, "0")
    if "file" in left:
        if not slots:
            raise FormatError("code needs room for an argument", path="slots")
        action.arguments[0] = code_of(_text(left.pop("file"), "file"))
    if left:
        raise FormatError(f"an action has no field {min(left)!r}")
    return action


def _arguments(plain: Any, names: Names) -> list[str]:
    if not isinstance(plain, list):
        raise FormatError("arguments are a list", path="arguments")
    singulars = {BY_PLURAL[plural].singular: plural for plural in ARGUMENT_RESOURCES.values()}
    texts: list[str] = []
    for index, item in enumerate(plain):
        if isinstance(item, dict) and len(item) == 1:
            ((singular, stem),) = item.items()
            if singular in singulars:
                try:
                    texts.append(str(names.read(singulars[singular], stem)))
                except FormatError as error:
                    raise error.within("arguments", index) from None
                continue
        if not isinstance(item, str):
            raise FormatError("an argument is a text or names a resource").within(
                "arguments", index
            )
        texts.append(item)
    return texts


def _applies_to(plain: Any, names: Names) -> int:
    for number, word in _APPLIES.items():
        if plain == word:
            return number
    if isinstance(plain, dict) and plain.keys() == {"object"}:
        return names.read("objects", plain["object"])
    raise FormatError('"self", "other" or an object is expected', path="applies_to")


def _number(plain: dict[str, Any], field: str, default: int | None) -> int:
    value = plain.pop(field, default)
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, int) or not -(1 << 31) <= value < 1 << 32:
        raise FormatError(f"a number is expected, not {value!r:.40}", path=field)
    return value


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str):
        raise FormatError(f"a text is expected, not {value!r:.40}", path=field)
    return value
