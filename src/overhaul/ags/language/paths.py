"""Variables with their members, elements, attributes and pointers; read and written.

A path is the variable and its members, each perhaps with an index: ``a.b[i].c``.  Offsets of
members add up while compiling; an index of a plain array goes to CX, one of pointers or of an
attribute to DX; where a pointer is followed, its target waits on the stack.
"""

from __future__ import annotations

from collections.abc import Callable

from overhaul.ags.language import opcodes as o
from overhaul.ags.language import symbols as s
from overhaul.ags.language.parsing import LENGTH, Path, PathParser
from overhaul.ags.language.symbols import (
    ARRAY,
    CONST,
    POINTER,
    Key,
    NamedType,
    Symbol,
    Variable,
)
from overhaul.ags.language.templates import LOCAL, READ, THIS, UPDATE, WRITE, Template
from overhaul.ags.language.unit import Unit

_READ_POINTER = (o.PUSH, o.MAR, o.POP, o.MAR, o.READ_POINTER, o.AX)
_WRITE_POINTER = (o.PUSH, o.MAR, o.POP, o.MAR, o.WRITE_POINTER, o.AX)
_READ_PLAIN = {1: (o.READ_BYTE, o.AX), 2: (o.READ_WORD, o.AX), 4: (o.READ, o.AX)}
_WRITE_PLAIN = {1: (o.WRITE_BYTE, o.AX), 2: (o.WRITE_WORD, o.AX), 4: (o.WRITE, o.AX)}
_READERS = {1: o.READ_BYTE, 2: o.READ_WORD}
_WRITERS = {1: o.WRITE_BYTE, 2: o.WRITE_WORD}


def writer(size: int) -> int:
    """The instruction that writes a value of a size."""
    return _WRITERS.get(size, o.WRITE)


class Access:
    """The state while the steps of a path are compiled."""

    __slots__ = (
        "dynamic", "first", "found", "held", "indexed", "kind", "offset", "pointer", "updating",
        "writing",
    )  # fmt: skip

    def __init__(self, first: Symbol, mode: int) -> None:
        self.first: Symbol = first
        self.writing: bool = mode == WRITE
        self.updating: bool = mode == UPDATE
        #: The type of what is written to.
        self.found: int = 0
        self.kind: int = first.kind if isinstance(first, Variable) else 0
        self.offset: int = 0
        #: An offset is in CX.
        self.indexed: bool = False
        #: The value to write is on the stack.
        self.held: bool = False
        #: The address is on the stack.
        self.pointer: bool = False
        self.dynamic: bool = False


class Paths(PathParser):
    """Parses paths, and compiles their use.

    ``expression`` compiles the expression between two tokens.
    """

    def __init__(self, unit: Unit, expression: Callable[[int, int], None]) -> None:
        super().__init__(unit)
        self.expression = expression

    def read(self, path: Path) -> None:
        """Get the value of a path into AX."""
        if path.opened or self.code.old:
            self._use(Access(path.steps[0], READ), path)
            return
        first = path.steps[0]
        if isinstance(first, Variable) and len(path.steps) == 1:
            self.read_variable(first, path.start)
        else:
            self._kept(path, READ)

    def read_member(self, item: Variable, name: str) -> bool:
        """Get the value of a member of a variable into AX, if its code is known."""
        unit = self.unit
        offset = 0
        owner: Variable | NamedType = item
        if item.kind == s.LOCAL:
            if not item.simple or not item.pointer or item.readonly:
                return False
            owner = unit.types[item.type]
            offset = item.offset
        if owner.templates is None or self.code.old or name in unit.names.fresh:
            return False
        template = owner.templates.get(name)
        if template is None:
            return False
        self.code.write(template, offset)
        unit.value = template.value
        return True

    def read_variable(self, item: Variable, at: int) -> None:
        """Get the value of a variable as a whole, whose name is at a token, into AX."""
        code = self.code
        if not item.simple or code.old:
            template = item.templates.get(READ) if item.templates is not None else None
            if template is not None and not code.old:
                code.write(template)
                self.unit.value = template.value
            else:
                path = Path(at)
                path.steps.append(item)
                if code.old:
                    self._use(Access(item, READ), path)
                else:
                    self._kept(path, READ)
            return
        value = item.type
        if item.const:
            value |= CONST
        if item.pointer:
            value |= POINTER
            after: tuple[int, ...] = _READ_POINTER
        else:
            after = _READ_PLAIN[item.size]
        self.unit.value = value
        words = code.words
        if item.kind != s.LOCAL:
            self._reach_variable(item, after)
        elif code.line:
            words += (o.LINE, code.line, o.LOCAL_ADDRESS, code.depth - item.offset, *after)
            code.line = 0
        else:
            words += (o.LOCAL_ADDRESS, code.depth - item.offset, *after)

    def _write_variable(self, item: Variable, at: int) -> None:
        """Put the value in AX into a variable that is a number or a pointer in memory."""
        value = item.type
        if item.const:
            value |= CONST
        if item.pointer:
            value |= POINTER
        self._check_writable(item, None, at, is_last=True)
        if self.unit.value != value:
            self.unit.check_convertible(self.unit.value, value, at)
        self._reach_variable(item, _WRITE_POINTER if item.pointer else _WRITE_PLAIN[item.size])

    def _reach_variable(self, item: Variable, after: tuple[int, ...]) -> None:
        """The address of a variable to MAR, and the instructions behind that."""
        code = self.code
        if code.line:
            code.flush()
        words = code.words
        if item.kind == s.LOCAL:
            words += (o.LOCAL_ADDRESS, code.depth - item.offset)
        else:
            slot = item.offset
            if item.imported:
                code.used.add(slot)
                code.fixups.append(len(words) + 2 << 3 | o.FIX_IMPORT)
            else:
                code.fixups.append(len(words) + 2 << 3 | o.FIX_DATA)
            words += (o.LITERAL, o.MAR, slot)
        words += after

    def update(self, path: Path) -> bool:
        """Read to write back at once; returns whether the address is still in MAR then."""
        if path.opened or self.code.old:
            self._use(Access(path.steps[0], UPDATE), path)
        else:
            self._kept(path, UPDATE)
        return not any(isinstance(item, Variable) and item.attribute for item in path.steps)

    def write_variable(self, item: Variable, at: int) -> None:
        """Put the value in AX into a simple variable whose name is at a token."""
        if self.code.old:
            path = Path(at)
            path.steps.append(item)
            self.write(path)
        else:
            self._write_variable(item, at)

    def write(self, path: Path) -> None:
        """Put the value in AX where a path leads."""
        if not path.opened and not self.code.old:
            first = path.steps[0]
            if isinstance(first, Variable) and first.simple and len(path.steps) == 1:
                self._write_variable(first, path.start)
            else:
                self._kept(path, WRITE)
            return
        access = Access(path.steps[0], WRITE)
        if self.code.old and len(path.steps) > 1 and not path.opened:
            self.code.push(o.AX)  # before 2.71 a member is looked up like an element
            access.held = True
        self._use(access, path)

    def _kept(self, path: Path, mode: int) -> None:
        """Compile the use of a path without an index by its template, which is made first."""
        unit = self.unit
        steps = path.steps
        first = steps[0]
        if steps[-1].name == LENGTH:  # its import has another slot in each script
            self._use(Access(first, mode), path)
            return
        owner = first
        local = isinstance(first, Variable) and first.kind == s.LOCAL
        if local:
            assert isinstance(first, Variable)
            if first.array or not first.pointer or (first.readonly and not first.this):
                self._use(Access(first, mode), path)
                return
            owner = unit.types[first.type]  # the code is the same for all pointers to a type
            mode += THIS if first.this else LOCAL
        assert isinstance(owner, (Variable, NamedType))
        key: Key = mode if len(steps) == 1 else (mode, *steps[1:])
        if owner.templates is None:
            owner.templates = {}
        template = owner.templates.get(key)
        if template is None:
            template = owner.templates[key] = self._learnt(path, mode & UPDATE | mode & WRITE)
            if mode in (READ, LOCAL) and len(steps) == 2 and isinstance(first, Variable):
                owner.templates[steps[1].name.rpartition(":")[2]] = template
            return
        if mode & WRITE:
            unit.check_convertible(unit.value, template.value, path.start)
        else:
            unit.value = template.value
        self.code.write(template, first.offset if local and isinstance(first, Variable) else 0)

    def _learnt(self, path: Path, mode: int) -> Template:
        """Compile the use of a path, and make a template of its code."""
        code = self.code
        code.flush()
        start, fixups, used = len(code.words), len(code.fixups), code.used
        code.used = set()
        code.hole = -1
        access = Access(path.steps[0], mode)
        self._use(access, path)
        template = code.template(start, fixups)
        template.value = access.found if mode == WRITE else self.unit.value
        if template.hole >= 0:
            first = path.steps[0]
            template.distance += first.offset if isinstance(first, Variable) else 0
        template.used = frozenset(code.used)
        used |= code.used
        code.used = used
        return template

    def _use(self, access: Access, path: Path) -> None:
        """Compile the steps of a path one by one."""
        before: Symbol | None = None
        last = len(path.steps) - 1
        at = path.start
        unit = self.unit
        for index, item in enumerate(path.steps):
            opened = path.opened[index] if path.opened else -1
            if not isinstance(item, Variable):
                if index == last:
                    unit.fail(f"{item.name!r} is a type, not a value", at)
                before = item
                continue
            is_last = index == last
            if item.imported and not item.attribute:
                self.code.used.add(item.offset)
            now = whole = False
            if item.attribute:
                now = True
                self._attribute(access, item, opened, at, is_last=is_last)
            else:
                if not item.imported:
                    access.offset += item.offset
                if item.pointer:
                    now = whole = self._pointer(access, item, opened, at)
                else:
                    access.dynamic = access.dynamic or item.dynamic
                    if opened >= 0:
                        self._index(access, item, opened)
                    else:  # the name after the dot is the array's Length
                        now = item.dynamic and not is_last
            address = now or (is_last and item.pointer)
            if (access.writing or access.updating) and not item.attribute:
                self._check_writable(item, before, at, is_last=is_last)
            if self._is_whole(item, opened, is_last=is_last):
                address = True
                if access.writing:
                    unit.fail(f"can't assign to the whole of {item.name!r}", at)
            if now or is_last:
                self._reach(access, item, at, address=address, whole=whole, is_last=is_last)
            before = item

    def _is_whole(self, item: Variable, opened: int, *, is_last: bool) -> bool:
        """Whether a step means a struct or a fixed array as a whole: its address."""
        if item.dynamic:
            return False
        if item.array and opened < 0:
            return True
        return is_last and not item.pointer and self.unit.types[item.type].struct

    def _check_writable(
        self, item: Variable, before: Symbol | None, at: int, *, is_last: bool
    ) -> None:
        if item.pointer and not is_last:
            return
        if item.readonly:
            self.unit.fail(f"{item.name.rpartition(':')[2]!r} is readonly", at)
        if item.writeprotected and not (isinstance(before, Variable) and before.this):
            name = item.name.rpartition(":")[2]
            self.unit.fail(f"{name!r} is writeprotected: only its struct can write it", at)

    def _attribute(
        self, access: Access, item: Variable, opened: int, at: int, *, is_last: bool
    ) -> None:
        """The step is an attribute: prepare the index and the value for the call."""
        code = self.code
        if item.array:
            if opened < 0:
                self.unit.fail(f"expected an index after {item.name.rpartition(':')[2]!r}", at)
            self._index(access, item, opened)
        if access.writing:
            if is_last and item.setter < 0:
                self.unit.fail(f"{item.name.rpartition(':')[2]!r} is readonly", at)
            code.op2(o.MOVE, o.AX, o.BX)
        elif access.updating and is_last and item.setter < 0:
            self.unit.fail(f"{item.name.rpartition(':')[2]!r} is readonly", at)

    def _pointer(self, access: Access, item: Variable, opened: int, at: int) -> bool:
        """The step is a pointer: push its address; for ``this``, its value.

        Returns whether what is pushed is an address to read from.
        """
        code = self.code
        if item.array:
            if opened >= 0:
                self._index(access, item, opened)
            elif item.dynamic:
                access.dynamic = True
            else:
                self.unit.fail(f"expected an index after {item.name.rpartition(':')[2]!r}", at)
        if item.this:
            code.push(o.OP)
        else:
            self._pointer_address(access)
            if opened >= 0:
                code.op2(o.MULTIPLY_LITERAL, o.DX, 4)
                if item.dynamic:
                    code.op1(o.READ_POINTER, o.MAR)
                    code.op(o.CHECK_NULL)
                    code.op1(o.DYNAMIC_BOUNDS, o.DX)
                code.op2(o.ADD, o.MAR, o.DX)
            code.push(o.MAR)
        access.offset = 0
        access.pointer = True
        return not item.this

    def _pointer_address(self, access: Access) -> None:
        """The address of a pointer variable to MAR."""
        code = self.code
        if access.pointer:
            code.pop(o.MAR)
            code.op(o.CHECK_NULL)
            if access.offset > 0:
                code.op2(o.ADDI, o.MAR, access.offset)
        else:
            self._variable_address(access)

    def _variable_address(self, access: Access) -> None:
        """The address of the variable that the path begins with, or a member's, to MAR."""
        code = self.code
        if access.kind == s.LOCAL:
            code.local(code.depth - access.offset)
            return
        first = access.first
        if isinstance(first, Variable) and first.imported:
            code.load(o.MAR, first.offset, o.FIX_IMPORT)
            if access.offset:
                code.op2(o.ADDI, o.MAR, access.offset)
        else:
            code.load(o.MAR, access.offset, o.FIX_DATA)

    def _index(self, access: Access, item: Variable, opened: int) -> None:
        """Work out an index: to CX as an offset, or to DX as a number."""
        code = self.code
        unit = self.unit
        if code.old:
            self._old_index(access, item, opened)
            return
        numbered = item.attribute or item.pointer
        if access.writing:
            code.push(o.AX)
        if access.indexed:
            code.push(o.CX)
        value = unit.value
        self.expression(opened + 1, self.close(opened))
        unit.check_convertible(unit.value, s.INT, opened + 1)
        unit.value = value
        if not item.attribute and not item.dynamic:
            code.op2(o.CHECK_BOUNDS, o.AX, item.count)
        if not numbered:
            code.op2(o.MULTIPLY_LITERAL, o.AX, item.size)
        if access.indexed:
            code.pop(o.CX)
        if numbered:
            code.op2(o.MOVE, o.AX, o.DX)
        elif access.indexed:
            code.op2(o.ADD, o.CX, o.AX)
        else:
            code.op2(o.MOVE, o.AX, o.CX)
            access.indexed = True
        if access.writing:
            code.pop(o.AX)

    def _old_index(self, access: Access, item: Variable, opened: int) -> None:
        """Add an index to CX, as editors before 2.71 do."""
        code = self.code
        unit = self.unit
        if access.writing and not access.indexed:
            code.push(o.AX)
        keeps = access.indexed and not self._is_simple(opened + 1, self.close(opened))
        if keeps:
            code.push(o.CX)
        value = unit.value
        self.expression(opened + 1, self.close(opened))
        unit.check_convertible(unit.value, s.INT, opened + 1)
        unit.value = value
        if not access.indexed:
            code.load(o.CX, 0)
        if keeps:
            code.pop(o.CX)
        code.op2(o.MULTIPLY_LITERAL, o.AX, item.size)
        code.op2(o.ADD, o.CX, o.AX)
        access.indexed = True

    def _is_simple(self, start: int, end: int) -> bool:
        """Whether an index is a literal, a constant or a global variable."""
        found = self.unit.symbols.get(self.unit.tokens[start])
        local = isinstance(found, Variable) and found.kind == s.LOCAL
        return end - start == 1 and not local

    def _reach(
        self,
        access: Access,
        item: Variable,
        at: int,
        *,
        address: bool,
        whole: bool,
        is_last: bool,
    ) -> None:
        """Read or write memory, or call an attribute's function, for a step."""
        code = self.code
        unit = self.unit
        value = unit.value
        writing = access.writing and is_last
        if access.pointer:
            code.pop(o.MAR)
        if access.writing and not writing:
            code.push(o.AX)
        found = self._memory(access, item, writing=writing, address=address, whole=whole)
        if writing:
            access.found = found
            unit.check_convertible(unit.value, found, at)
        else:
            unit.value = found
        if item.attribute:
            self._call(item, writing=writing)
        access.offset = 0
        access.indexed = access.pointer = access.dynamic = False
        access.kind = s.GLOBAL
        if is_last:
            return
        if not address:
            unit.fail(f"can't follow {item.name.rpartition(':')[2]!r} further", at)
        if access.writing:
            unit.value = value
            code.pop(o.BX)
            code.push(o.AX)
            code.op2(o.MOVE, o.BX, o.AX)
        else:
            code.push(o.AX)
        access.pointer = True

    def _memory(
        self, access: Access, item: Variable, *, writing: bool, address: bool, whole: bool
    ) -> int:
        """The access to memory of a step; returns the type of what is there."""
        code = self.code
        found = item.type | (CONST if item.const else 0)
        if code.old and access.writing and (access.indexed or access.held):
            code.pop(o.AX)
        if access.kind == 0:
            code.load(o.AX, 0)
        else:
            if access.pointer:
                if not whole and (not address or access.offset or access.indexed):
                    code.op(o.CHECK_NULL)
                if access.offset:
                    code.op2(o.ADDI, o.MAR, access.offset)
            else:
                self._variable_address(access)
            if access.indexed:
                if access.dynamic:
                    code.op1(o.READ_POINTER, o.MAR)
                    code.op(o.CHECK_NULL)
                    code.op1(o.DYNAMIC_BOUNDS, o.CX)
                code.op2(o.ADD, o.MAR, o.CX)
            elif access.dynamic:
                whole = True
                found |= ARRAY
            self._transfer(item, writing=writing, address=address, whole=whole)
        if (address and not item.attribute) or (item.attribute and item.pointer):
            found |= POINTER
        return found

    def _transfer(self, item: Variable, *, writing: bool, address: bool, whole: bool) -> None:
        """Between AX and the memory at MAR."""
        code = self.code
        if whole:
            code.op1(o.WRITE_POINTER if writing else o.READ_POINTER, o.AX)
        elif address:
            code.op2(o.MOVE, o.MAR, o.AX)
        elif writing:
            code.op1(writer(item.size), o.AX)
        else:
            code.op1(_READERS.get(item.size, o.READ), o.AX)

    def _call(self, item: Variable, *, writing: bool) -> None:
        """Call the function of an attribute; the object is in AX, a value to write in BX."""
        code = self.code
        before: list[int] = [] if item.static else [o.PUSH, o.OP, o.SET_OBJECT, o.AX]
        count = 0
        if writing:
            before += (o.PUSH_ARGUMENT, o.BX)
            count = 1
        if item.array:
            before += (o.PUSH_ARGUMENT, o.DX)
            count += 1
        before += (o.ARGUMENT_COUNT, count, o.LITERAL, o.AX)
        after = [o.CALL_IMPORT, o.AX]
        if count:
            after += (o.DROP_ARGUMENTS, count)
        if not item.static:
            after += (o.POP, o.OP)
        address = item.setter if writing else item.getter
        code.fixed(tuple(before), address, o.FIX_IMPORT, tuple(after))
        code.used.add(item.getter)
        if item.setter >= 0:
            code.used.add(item.setter)
        if not writing:
            self.unit.value = (item.value_type & ~ARRAY) | (CONST if item.const else 0)
            if item.dynamic:
                self.unit.value |= ARRAY
