"""The declarations of functions and entries: default values, statics, ``self.``, globals and
enums."""

from __future__ import annotations

from functools import cache

from overhaul.gml.builtins import load_enums
from overhaul.gml.decompiler.fragment import Fragment, as_static
from overhaul.gml.decompiler.types.constants import UNKNOWN_ENUM, enum_member_name
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree


def take_default_values(fragment: Fragment) -> None:
    """``if (argN == undefined) argN = value`` at the head of a function: default values."""
    parameters, statements = fragment.parameters, fragment.statements
    parameters += [tree.Parameter(fragment.parameter(number)) for number in range(fragment.used)]
    following = 0
    consumed = 0
    for statement in statements:
        given = _default(statement, fragment.dialect)
        if given is None or given[0] < following:
            break
        position, value = given
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


def declare_statics(fragment: Fragment) -> None:
    """Declare the statics that have no value, or that only later statements set."""
    statements = fragment.statements
    blocks = [each for each in statements if isinstance(each, tree.Static)]
    declared = {part.name for block in blocks for part in block.declarators}
    names = [
        name
        for name in fragment.static_names
        if name not in declared and "___struct___" not in name
    ]
    if fragment.is_struct:
        return
    if not blocks and names:
        blocks.append(tree.Static([]))
        statements.insert(0, blocks[0])
    for block in blocks:
        block.declarators += [tree.Declarator(name) for name in names]
        names = []
        if not block.declarators:
            block.declarators.append(tree.Declarator(fragment.unused_name("unused")))


def say_self(fragment: Fragment) -> None:
    """``self.a = []`` where the number of the array's owner shows a dot.

    Another store with the same number has one, or the number is higher than that of another array
    in ``a`` without a dot, by the function's number shifted once more.
    """
    lowest: dict[str, int] = {}
    for _, name, owner in fragment.owned_stores:
        lowest[name] = min(owner, lowest.get(name, owner))
    for statement, name, owner in fragment.owned_stores:
        is_higher = owner > lowest[name] and (owner - lowest[name]) & 0xFFFF == 0
        dotted = is_higher or (name, owner) in fragment.dotted_owners
        if dotted and type(statement.target) is tree.Name:
            statement.target = tree.Member(tree.Name("self"), name)


def _default(statement: tree.Statement, dialect: Dialect) -> tuple[int, tree.Expression] | None:
    """(position, value) of ``if (argN == undefined) argN = value``, which compilers write for a
    default value: with ``argumentN`` of the runner since 2024.11, with the parameter before."""
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
    is_built_in = test.left.name.startswith("argument")
    if is_built_in != dialect.builtin_default_arguments:
        return None
    number = test.left.name.removeprefix("argument").removeprefix("arg").rstrip("_")
    if number == test.left.name or not number.isdecimal():
        return None
    return int(number), store.value


# -- root entries ----------------------------------------------------------------------------------


def drop_exit_of_nothing(fragment: Fragment) -> None:
    """Drop the ``exit`` that a text without statements (with comments, perhaps) compiles to."""
    if fragment.end == 1 and fragment.dialect.empty_code_exits:
        statements = fragment.statements
        statements[:] = [
            statement for statement in statements if not isinstance(statement, tree.Exit)
        ]


def declare_globals(fragment: Fragment) -> None:
    """Declare the globals that the code names without ``global.`` before the other statements."""
    if fragment.globals:
        names = [tree.Declarator(name) for name in sorted(fragment.globals)]
        fragment.statements.insert(0, tree.GlobalVar(names))


def declare_unknown_enum(fragment: Fragment) -> None:
    """Declare the stand-in members behind the other statements."""
    values = _shown(fragment.statements, fragment.enum_values)
    members = []
    following = 0
    for value in sorted(values):
        shown = None if value == following else tree.Number(value)
        members.append(tree.EnumMember(enum_member_name(value), shown))
        following = value + 1
    if members:
        fragment.statements.append(tree.Enum(UNKNOWN_ENUM, members))


@cache
def _built_in_values() -> frozenset[int]:
    """The values of the enums that are part of the language, 0 and 1 among them."""
    return frozenset(value for members in load_enums().values() for value in members.values())


def _shown(statements: list[tree.Statement], values: set[int]) -> set[int]:
    """The values of stand-in members that the source still shows.

    Some may not be: the 1 that stands for no condition in ``for (;;)``, the index 0 of a built-in
    array without index, colours, and members of enums that are part of the language.
    """
    built_in = _built_in_values()
    doubtful = {
        enum_member_name(value): value for value in values if value in built_in or value > 31
    }
    if not doubtful:
        return values
    for node in tree.Block(statements).walk():
        if type(node) is tree.Member and node.object == tree.Name(UNKNOWN_ENUM):
            doubtful.pop(node.name, None)
            if not doubtful:
                break
    return values - set(doubtful.values())


# -- constructors ----------------------------------------------------------------------------------


def methods_last(fragment: Fragment) -> None:
    """Static functions follow the other statements of a constructor (13 of 13), although they
    are made first, unless those already call one of them (2 of 9); statics keep their order."""
    if not fragment.is_declared or not fragment.entry.options.methods_last:
        return
    body = fragment.statements
    first = 0
    while first < len(body) and not _is_method(body[first]):
        first += 1
    statics = [statement for statement in body[first:] if isinstance(statement, tree.Static)]
    others = [statement for statement in body[first:] if not isinstance(statement, tree.Static)]
    if not statics or not others or isinstance(others[-1], (tree.Exit, tree.Return, tree.Throw)):
        return
    names = {part.name for static in statics for part in static.declarators}
    if not any(_uses(statement, names) for statement in others):
        body[first:] = [*others, *statics]


def _uses(statement: tree.Statement, names: set[str]) -> bool:
    """Whether a statement calls one of its instance's methods, or uses a static."""
    for node in statement.walk():
        if isinstance(node, tree.Name) and node.name in names:
            return True
        if isinstance(node, tree.Call):
            called = node.function
            if isinstance(called, tree.Member) and called.object == tree.Name("self"):
                return True
    return False


def _is_method(statement: tree.Statement) -> bool:
    return isinstance(statement, tree.Static) and all(
        isinstance(part.value, tree.Function) for part in statement.declarators
    )


# -- self ------------------------------------------------------------------------------------------


def write_self(fragment: Fragment) -> None:
    """``instance_destroy(self)``: before 2.3 ``self`` compiles to ``id``, which is what people
    write everywhere else (62 of 66) but never here (3 of 3)."""
    if fragment.dialect.instance_keywords_as_id:
        for call in fragment.destroys:
            if call.arguments == [tree.Name("id")]:
                call.arguments[0] = tree.Name("self")
