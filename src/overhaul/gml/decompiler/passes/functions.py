"""What functions have besides statements: default values, statics, ``self.``."""

from __future__ import annotations

from overhaul.gml.decompiler.fragment import Fragment, as_static
from overhaul.gml.syntax import tree


def take_default_values(fragment: Fragment) -> None:
    """``if (argN == undefined) argN = value`` at the head of a function: default values."""
    parameters, statements = fragment.parameters, fragment.statements
    parameters += [tree.Parameter(fragment.parameter(number)) for number in range(fragment.used)]
    following = 0
    consumed = 0
    for statement in statements:
        found = _default(statement)
        if found is None or found[0] < following:
            break
        position, value = found
        while position >= len(parameters):
            parameters.append(tree.Parameter(fragment.parameter(len(parameters))))
        parameters[position].default = value
        following = position + 1
        consumed += 1
    del statements[:consumed]


def mark_statics(fragment: Fragment) -> None:
    """The first stores of statics at the head of a function are their declarations, in builds that
    don't mark them; one that is stored again there is assigned."""
    stores = {id(statement) for statement in fragment.static_stores}
    declared: set[str] = set()
    for position, statement in enumerate(fragment.statements):
        if id(statement) not in stores:
            break
        static = as_static(statement)
        if static is None or (name := static.declarators[0].name) in declared:
            break
        declared.add(name)
        fragment.statements[position] = static


def say_self(fragment: Fragment) -> None:
    """``self.a = []`` where the owner's number of another array in ``a`` is that of a variable
    without a dot: that of one with a dot is higher by the function's number, shifted once more."""
    lowest: dict[str, int] = {}
    for _, name, owner in fragment.owned_stores:
        lowest[name] = min(owner, lowest.get(name, owner))
    for statement, name, owner in fragment.owned_stores:
        dotted = owner > lowest[name] and (owner - lowest[name]) & 0xFFFF == 0
        if dotted and type(statement.target) is tree.Name:
            statement.target = tree.Member(tree.Name("self"), name)


def _default(statement: tree.Statement) -> tuple[int, tree.Expression] | None:
    """(position, value) of ``if (argN == undefined) argN = value``."""
    if not isinstance(statement, tree.If) or statement.otherwise is not None:
        return None
    test, then = statement.condition, statement.then
    if not isinstance(test, tree.Binary) or not isinstance(test.left, tree.Name):
        return None
    if test.operator != "==" or test.right != tree.Name("undefined"):
        return None
    if not isinstance(then, tree.Block) or len(then.statements) != 1:
        return None
    store = then.statements[0]
    if not isinstance(store, tree.Assignment) or store.operator != "=" or store.target != test.left:
        return None
    number = test.left.name.removeprefix("argument").removeprefix("arg").rstrip("_")
    if number == test.left.name or not number.isdecimal():
        return None
    return int(number), store.value
