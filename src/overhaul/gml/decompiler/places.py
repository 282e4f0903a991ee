"""Where values are kept: the keys of a game's own variables, parameters, results and elements.

``knowledge`` collects facts under these keys and ``evidence`` finds types under them; how they are
spelled stands there.
"""

from __future__ import annotations

import re
from typing import Final

from overhaul.gml.context import Context
from overhaul.gml.decompiler.naming import types_of
from overhaul.gml.syntax import tree

STORED: Final = {
    "array_push": (1, 9), "array_insert": (2, 9), "array_set": (2, 3),
    "ds_grid_set": (3, 4), "ds_list_add": (1, 9), "ds_list_insert": (2, 3),
    "ds_list_replace": (2, 3), "ds_list_set": (2, 3), "ds_map_add": (2, 3),
    "ds_map_replace": (2, 3), "ds_map_set": (2, 3), "ds_priority_add": (1, 2),
    "ds_queue_enqueue": (1, 9), "ds_stack_push": (1, 9),
}  # fmt: skip
"""Functions that store arguments (from this one on, before that one) in their first."""
_FETCHING: Final = frozenset(
    (
        "array_get", "array_pop", "ds_grid_get", "ds_list_find_value", "ds_map_find_value",
        "ds_priority_delete_max", "ds_priority_delete_min", "ds_priority_find_max",
        "ds_priority_find_min", "ds_queue_dequeue", "ds_queue_head", "ds_queue_tail",
        "ds_stack_pop", "ds_stack_top",
    )
)  # fmt: skip
"""Functions that return what is stored in their first argument."""
_ARGUMENT: Final = tree.Name("argument")
_EVENT: Final = re.compile(
    r"gml_Object_(.+)_(?:Create|PreCreate|Destroy|CleanUp|Alarm|Step|Draw|Mouse|Keyboard|KeyPress"
    r"|KeyRelease|Gesture|Trigger|Other|Collision)_[^_]*"
)


def owner_of(code_name: str) -> str:
    """The object that the code of an event belongs to; "" for other code."""
    found = _EVENT.match(code_name)
    return found[1] if found is not None else ""


def element_key(array: str, index: tree.Expression | None = None) -> str:
    """The key of what an array or data structure holds.

    What is stored under constant strings is told apart; arrays inside arrays have one key together.
    """
    if array[0] == "[":
        return array
    if type(index) is tree.String and index.value.isidentifier():
        return f"[{index.value}]{array}"
    return "[]" + array


def initial_element(node: tree.Expression) -> tree.Expression | None:
    """What ``array_create(n, value)`` fills its array with; None for other calls."""
    assert isinstance(node, tree.Call)
    function = node.function
    if type(function) is tree.Name and function.name == "array_create" and len(node.arguments) == 2:
        return node.arguments[1]
    return None


class Places:
    """The keys of what one code entry names, while it is read."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.types = types_of(context)
        self.own_names: dict[str, str] = {}
        """Source names of the functions that the entry itself declares, by code name."""
        self.methods: dict[str, str] = {}
        """Names of the variables that methods of the entry are stored in, by code name."""
        self.function = ""
        """The function being read, "" in an event."""
        self.place = ""
        """The entry and function that local variables belong to."""
        self.owner = ""
        """The object or constructor whose variables plain names are; "" where that is unknown."""
        self.locals: set[str] = set()

    def function_name(self, code_name: str) -> str:
        """What source text calls the function with this code entry (or built-in) name."""
        own = self.own_names.get(code_name)
        if own is not None:
            return own
        names = self.types.function_names
        name = names.get(code_name)
        if name is None:
            name = self.context.function_of_code(code_name)
            if name is None:
                name = code_name
                if self.context.dialect.gml_v2 and code_name.startswith("gml_Script_"):
                    name = code_name[11:]
            names[code_name] = name
        return name

    def key(self, node: tree.Expression) -> str:
        """The key of a variable, parameter or result of the game's own; "" for anything else."""
        kind = type(node)
        if kind is tree.Index:
            assert isinstance(node, tree.Index)
            if not node.indices:
                return ""
            if node.object == _ARGUMENT and self.function:
                number = node.indices[0]
                return f"a:{self.function}:{number.value}" if type(number) is tree.Number else ""
            array = self.key(node.object)
            index = node.indices[0] if node.accessor in ("?", "$") else None
            return element_key(array, index) if array else ""
        if kind is tree.Name:
            name: str = node.name  # type: ignore[attr-defined]
            if name in self.locals:
                return f"l:{self.place}:{name}"
            if name in self.types.variables or name in self.types.builtins:
                if self.function and name.startswith("argument") and name[8:].isdigit():
                    return f"a:{self.function}:{name[8:]}"
                return ""
            if self.function and name.startswith("arg") and name[3:].isdigit():
                return f"a:{self.function}:{name[3:]}"
            if name in self.context.globals:
                return "g:" + name
            return f"s:{name}@{self.owner}" if self.owner else "s:" + name
        if kind is tree.Member:
            assert isinstance(node, tree.Member)
            if node.name in self.types.builtins:
                return ""
            owner = node.object
            if type(owner) is tree.Name and owner.name == "global":
                return "g:" + node.name
            whose = self.object_of(owner)
            return f"s:{node.name}@{whose}" if whose else "s:" + node.name
        if kind is tree.Call:
            function = node.function  # type: ignore[attr-defined]
            if type(function) is tree.Name:
                if function.name in _FETCHING:
                    return self.stored_key(function.name, node.arguments)  # type: ignore[attr-defined]
                return "r:" + function.name if self.types.is_script(function.name) else ""
            if type(function) is tree.Member:
                return "r:" + function.name
        return ""

    def object_of(self, node: tree.Expression) -> str:
        """The object that an instance is of; "" where that is unknown."""
        kind = type(node)
        if kind is tree.Number:
            value = node.value  # type: ignore[attr-defined]
            return self.context.asset_name("object", value) or ""
        if kind is not tree.Name:
            return ""
        name: str = node.name  # type: ignore[attr-defined]
        if name == "self":
            return self.owner
        asset = self.context.asset_ids.get(name)
        return name if asset is not None and asset[0] == "object" else ""

    def stored_key(self, function: str, arguments: list[tree.Expression | None]) -> str:
        """The key of what a function stores in or fetches from its first argument."""
        structure = arguments[0] if arguments else None
        key = self.key(structure) if structure is not None else ""
        if not key:
            return ""
        named = function.startswith("ds_map") and len(arguments) > 1
        return element_key(key, arguments[1] if named else None)
