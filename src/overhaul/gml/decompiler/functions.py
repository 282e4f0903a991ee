"""Functions, methods and struct literals in place."""

from __future__ import annotations

from overhaul.gml.decompiler import finish
from overhaul.gml.decompiler.blocks import Blocks
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.places import owner_of
from overhaul.gml.decompiler.tries import restore
from overhaul.gml.decompiler.values import StructureError, Value
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Child, FunctionReference, VariableReference
from overhaul.gml.vm.opcodes import Opcode

_B, _POP, _POPZ = int(Opcode.B), int(Opcode.POP), int(Opcode.POPZ)
_CALL, _DUP, _EXIT = int(Opcode.CALL), int(Opcode.DUP), int(Opcode.EXIT)


class Functions(Blocks):
    """Reads the functions that stand inside an entry's code."""

    def read_function(self, child: Child, index: int) -> int:
        """A function or struct literal in place: ``b after; its code; exit; after:``"""
        after = self.layout.targets[index]
        start = index + 1
        if not start < after <= self.end or not self.is_opcode(after - 1, _EXIT):
            raise StructureError(f"function {child.name} has no end")
        outer, breakable, shorts = self.fragment, self.breakable, self.open_shorts
        tries, self.tries = self.tries, 0
        fragment = Fragment(child, start, after - 1)
        fragment.of_constructor = not fragment.is_struct and (
            outer.of_constructor or self.is_call(after + 2, "@@NullObject@@")
        )
        self.enter(fragment)
        self.breakable, self.open_shorts = None, []
        body = self.statements(start, after - 1)
        if self.fragment.has_try:
            restore(body, self.dialect)
        made = finish.function(self.fragment, body, self.dialect)
        made.address = self.layout.offsets[start]
        self.made[child.name] = made
        self.made_fragments[child.name] = self.fragment
        self.breakable, self.open_shorts, self.tries = breakable, shorts, tries
        self.enter(outer)
        return after

    def enter(self, fragment: Fragment) -> None:
        """Resolve names in this function from now on."""
        self.fragment = fragment
        evidence = self.evidence
        evidence.locals = fragment.locals
        if fragment.child is None:
            name = self.code.name
            evidence.function = name[11:] if name.startswith("gml_Script_") else ""
            evidence.place = name
            evidence.owner = owner_of(name)
        else:
            code_name = fragment.child.name
            evidence.function = evidence.methods.get(code_name) or self.function_name(code_name)
            evidence.place = f"{self.code.name}:{fragment.child.name}"
            if fragment.is_struct:
                evidence.owner = ""
            elif not evidence.owner:
                evidence.owner = evidence.function

    def name_functions(self) -> None:
        """Note the source names of functions that are declared in this code, and the names of the
        variables that hold the methods: they are stored right behind their code."""
        for start, child in self.layout.functions.items():
            after = self.layout.targets.get(start - 1, -1)
            calls = 0
            duplicated = False
            for index in range(after, min(after + 9, len(self.instructions))) if after > 0 else ():
                instruction = self.instructions[index]
                opcode = instruction.opcode
                if opcode in (_POPZ, _B):
                    break
                calls += opcode == _CALL
                duplicated |= opcode == _DUP
                if opcode == _POP:
                    operand = instruction.operand
                    if type(operand) is VariableReference:
                        if duplicated:
                            self.evidence.own_names[child.name] = operand.name
                        elif calls == 1:
                            self.evidence.methods[child.name] = operand.name
                    break

    def is_struct_function(self, value: Value) -> bool:
        """Whether a function value is the body of a struct literal."""
        source = value.source
        if source is None or type(source.operand) is not FunctionReference:
            return False
        if not isinstance(value.node, tree.Function):
            return False
        fragment = self.made_fragments.get(source.operand.name)
        return fragment is not None and fragment.is_struct

    def struct_literal(self, value: Value, outside: list[tree.Expression]) -> tree.Expression:
        """The literal whose body a function value is; ``outside``: its hoisted values."""
        assert isinstance(value.node, tree.Function)
        return finish.struct(value.node, outside)
