"""Whether two code entries, of the same game or of two builds of it, do the same."""

from __future__ import annotations

from enum import Enum
from weakref import ReferenceType, WeakKeyDictionary, ref

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.sameness import plain_numbers
from overhaul.gml.context import Context
from overhaul.gml.vm.code import AssetReference, FunctionReference


class Likeness(Enum):
    """What comparing two entries finds; NUMBERS: only numbers differ, which may name assets."""

    SAME = 1
    NUMBERS = 2
    DIFFERENT = 3


def compare_entries(one: CodeEntry, two: CodeEntry) -> Likeness:
    """Compare what two entries do, by the names of what they refer to.

    The names of functions inside an entry, which come from places in the source, mean nothing, and
    neither do the counts of local variables, where some are never used.
    """
    if one.unreadable or two.unreadable:
        return Likeness.SAME if one.to_bytes() == two.to_bytes() else Likeness.DIFFERENT
    contexts = one.game.language.context, two.game.language.context
    if one.game.language.same_code(two.game.language)(one, two):
        others = _moved_numbers(*contexts)
        is_same = not others or others.isdisjoint(plain_numbers(one.bytecode))
        return Likeness.SAME if is_same else Likeness.NUMBERS
    try:
        first, second = one.game.language.code(one), two.game.language.code(two)
    except FormatError:
        return Likeness.NUMBERS  # what is shown of them decides
    if len(first.instructions) != len(second.instructions):
        return Likeness.DIFFERENT
    if [child.offset for child in first.children] != [child.offset for child in second.children]:
        return Likeness.DIFFERENT
    inside = {
        FunctionReference(a.name): FunctionReference(b.name)
        for a, b in zip(first.children, second.children, strict=True)
    }
    moved = None
    like = Likeness.SAME
    for a, b in zip(first.instructions, second.instructions, strict=True):
        if (a.opcode, a.type1, a.type2) != (b.opcode, b.type1, b.type2):
            return Likeness.DIFFERENT
        if isinstance(a.operand, AssetReference):
            if _asset(a.operand, contexts[0]) != _asset(b.operand, contexts[1]):
                return Likeness.DIFFERENT
        elif isinstance(a.operand, str | tuple) or isinstance(b.operand, str | tuple):
            if a.value != b.value or inside.get(a.operand, a.operand) != b.operand:
                return Likeness.DIFFERENT
        elif a.value != b.value or a.operand != b.operand:
            like = Likeness.NUMBERS
        elif like is Likeness.SAME:
            if moved is None:
                moved = _moved_numbers(*contexts)
            if (a.value if a.operand is None else a.operand) in moved:
                like = Likeness.NUMBERS
    return like


def _asset(operand: object, context: Context) -> object:
    """The kind and name of an asset; its number where it has none."""
    if not isinstance(operand, AssetReference):
        return operand
    name = context.assets.get(operand.kind, {}).get(operand.index)
    return operand if name is None else (operand.kind, name)


#: of the last game that each was compared with: what names other assets there
_moved: WeakKeyDictionary[Context, tuple[ReferenceType[Context], frozenset[object]]] = (
    WeakKeyDictionary()
)


def _moved_numbers(one: Context, two: Context) -> frozenset[object]:
    """The numbers that name other assets in the one game than in the other."""
    if one is two:
        return frozenset()
    kept = _moved.get(one)
    if kept is None or kept[0]() is not two:
        found: set[object] = set()
        for kind, names in one.assets.items():
            others = two.assets.get(kind, {})
            both = names.keys() | others.keys()
            found.update(number for number in both if names.get(number) != others.get(number))
        kept = _moved[one] = ref(two), frozenset(found)
    return kept[1]
