"""What random scripts declare: ``from ags_world_model import Field, Function, Known, Struct``."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Field:
    """A variable, field or parameter: ``count`` elements, 0 for one, -1 for a dynamic array."""

    type: str
    name: str
    count: int = 0
    default: str = ""

    @property
    def text(self) -> str:
        star = f"{self.type[:-1]} *" if self.type.endswith("*") else f"{self.type} "
        array = "[]" if self.count < 0 else f"[{self.count}]" if self.count else ""
        return f"{star}{self.name}{array}"


@dataclass(frozen=True)
class Function:
    """A function, of a struct (``owner``) or none; ``form`` is ``""``, ``static``, ``this``
    (it extends a struct of the editor) or ``class`` (that too, without an object)."""

    result: str
    name: str
    parameters: tuple[Field, ...]
    owner: str = ""
    form: str = ""

    def heads(self, *, defined: bool) -> str:
        """The head in a script, or in a header."""
        parts = [one.text + ("" if defined else one.default) for one in self.parameters]
        first = {"this": f"this {self.owner}*", "class": f"static {self.owner}"}.get(self.form)
        parts = [first, *parts] if first else parts
        inside = self.owner and not first
        static = "static " if self.form == "static" else ""
        name = f"{self.owner}::{self.name}" if inside and defined else self.name
        result = f"{self.result[:-1]} *" if self.result.endswith("*") else f"{self.result} "
        return f"{static}{result}{name}({', '.join(parts)})"


@dataclass
class Struct:
    """A struct of the game."""

    name: str
    managed: bool
    fields: list[Field]
    base: Struct | None = None
    methods: list[Function] = field(default_factory=list)
    attributes: list[tuple[Field, str]] = field(default_factory=list)  # the second: "static "
    #: The attributes that have no function to set them.
    readonly: set[str] = field(default_factory=set)
    #: The members with functions that are defined: others can't be used yet.
    ready: set[str] = field(default_factory=set)

    @property
    def all_fields(self) -> list[Field]:
        return [*(self.base.all_fields if self.base else []), *self.fields]

    @property
    def all_methods(self) -> list[Function]:
        own = [one for one in self.methods if one.name in self.ready]
        return [*(self.base.all_methods if self.base else []), *own]

    @property
    def all_attributes(self) -> list[tuple[Field, str]]:
        own = [pair for pair in self.attributes if pair[0].name in self.ready]
        return [*(self.base.all_attributes if self.base else []), *own]

    @property
    def has_arrays(self) -> bool:
        """Whether no array can have it."""
        return any(one.count < 0 for one in self.all_fields)

    @property
    def text(self) -> str:
        lines = [f"{one.text};" for one in self.fields]
        lines += [f"import {one.heads(defined=False)};" for one in self.methods]
        for one, static in self.attributes:
            readonly = "readonly " if one.name in self.readonly else ""
            lines.append(f"import {readonly}{static}attribute {one.text};")
        extends = f" extends {self.base.name}" if self.base else ""
        managed = "managed " if self.managed else ""
        return (
            f"{managed}struct {self.name}{extends} {{\n"
            + "".join(f"  {line}\n" for line in lines)
            + "};\n"
        )


@dataclass
class Known:
    """What a script can use."""

    structs: dict[str, Struct] = field(default_factory=dict)
    variables: list[Field] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)

    def copy(self) -> Known:
        return Known(dict(self.structs), list(self.variables), list(self.functions))
