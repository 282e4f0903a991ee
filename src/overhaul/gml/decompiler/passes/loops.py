"""Whether a loop was written as ``while`` or ``for``, and what is in the header of a ``for``."""

from __future__ import annotations

from overhaul.gml.decompiler.errors import StructureError
from overhaul.gml.decompiler.passes.idioms import changed, is_search, mentions
from overhaul.gml.syntax import tree


def make_loop(
    out: list[tree.Statement],
    condition: tree.Expression,
    body: list[tree.Statement],
    step_offset: int,
    continued: bool,
    step_is_empty: bool,
    names: set[str],
) -> tree.Statement:
    """A ``while``, or a ``for`` if a ``continue`` or the statements around it say so.

    ``step_offset``: the byte offset that a forward ``continue`` jumps to, -1 without one.
    ``continued``: a ``continue`` jumps to the head, as only a ``while`` does.  A ``for`` takes its
    initial statement from the end of ``out``, or several (a Block) that assign local variables
    called ``names``.
    """
    if step_offset >= 0:
        if continued:
            raise StructureError("a loop is continued in two ways")
        first = next(
            (at for at, statement in enumerate(body) if statement.address >= step_offset), len(body)
        )
        if first < len(body) and body[first].address != step_offset:
            raise StructureError("a continue leads into a statement")
        if first == len(body) and not step_is_empty:
            raise StructureError("a continue leads nowhere")
        steps = body[first:]
        del body[first:]
        step = steps[0] if len(steps) == 1 else tree.Block(steps) if steps else None
        initial = _initial(out, steps, None, names) if steps else _only(out, condition)
        test = None if is_missing(condition) else condition
        return tree.For(initial, test, step, tree.Block(body))
    if continued:
        return tree.While(condition, tree.Block(body))
    if is_missing(condition):
        return tree.For(None, None, None, tree.Block(body))
    counter = changed(body[-1]) if len(body) > 1 else None
    initial = None
    if (
        counter is not None
        and mentions(condition, counter)
        and not is_search(condition, counter, body)
    ):
        initial = _initial(out, body[-1:], condition, names)
    if initial is None:
        return tree.While(condition, tree.Block(body))
    return tree.For(initial, condition, body.pop(), tree.Block(body))


def is_missing(condition: tree.Expression) -> bool:
    """Whether a loop's condition is the ``push.l 1`` that stands for none."""
    return type(condition) is tree.Int64 and condition.value == 1


def _initial(
    out: list[tree.Statement],
    steps: list[tree.Statement],
    asked: tree.Expression | None,
    names: set[str],
) -> tree.Statement | None:
    """Take the assignment that starts a counter from the end of the statements before a loop.

    Up to two assignments of locals may stand between it and the loop: ``for (var i = 0, n = f();``.
    They must be ``asked`` for in the condition, unless that is None.
    """
    for start in range(len(out) - 1, max(len(out) - 4, -1), -1):
        first = out[start]
        if not isinstance(first, tree.Assignment) or first.operator != "=":
            return None
        target = first.target
        if not isinstance(target, (tree.Name, tree.Member)):
            return None
        is_local = isinstance(target, tree.Name) and target.name in names
        if any(changed(step) == target for step in steps):
            if start == len(out) - 1:
                return out.pop()
            if not is_local:
                return None
            header = tree.Block(out[start:])
            header.address = first.address
            del out[start:]
            return header
        if not is_local or (asked is not None and not mentions(asked, target)):
            return None
    return None


def _only(out: list[tree.Statement], condition: tree.Expression) -> tree.Statement | None:
    """What begins a ``for`` without a step: ``for (i = 0; i < 9;)``."""
    last = out[-1] if out else None
    if not isinstance(last, tree.Assignment) or last.operator != "=" or is_missing(condition):
        return None
    named = isinstance(last.target, tree.Name) and mentions(condition, last.target)
    return out.pop() if named else None
