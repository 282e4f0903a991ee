"""Random scripts that use what the editor declares, for random settings of the game:
``from ags_used import using``."""

from __future__ import annotations

from random import Random

from overhaul.ags.api import LEVELS, ScriptSettings, builtin_header, parse_version, script_macros
from overhaul.ags.decompiler.decompiler import Environment
from overhaul.ags.decompiler.library import Library, Member, Signature, library_of
from overhaul.ags.language import CompilerOptions, ScriptError, Source, compile_block
from overhaul.ags.script.model import Script

_GAME = (
    Member("cEgo", "Character"), Member("character", "Character", count=3),
    Member("iKey", "InventoryItem"), Member("inventory", "InventoryItem", count=9),
    Member("dialog", "Dialog", count=2),
)  # fmt: skip
_NUMBERS = ("int", "char", "short", "bool")


class _User:
    """Writes statements that use a library."""

    def __init__(self, random: Random, settings: ScriptSettings) -> None:
        self.random = random
        self.settings = settings
        self.library: Library = library_of(settings)
        self.text = "String" if self.library.is_struct("String") else "string"
        #: the structs that a parameter points to
        self.pointers: dict[str, str] = {}

    def pointer(self, name: str) -> str:
        """A parameter that points to a struct."""
        return self.pointers.setdefault(name, f"p{name}")

    def value(self, type: str) -> str | None:
        """A value of a type; None where there is none here."""
        bare = type.removeprefix("const ").rstrip("*")
        number = self.random.choice(("i", "3", "0", "1", "i + 2", "-1"))
        if bare in _NUMBERS:
            return self.random.choice(("b", "true", "false")) if bare == "bool" else number
        if bare in self.library.enums:
            return self.random.choice([*self.library.enums[bare].values(), "i"])
        if bare == "float":
            return self.random.choice(("fl", "2.5", "0.0"))
        if bare == "string":
            own = "s" if self.text == "string" or type.startswith("const") else None
            return self.random.choice(('"text"', "s")) if type.startswith("const") else own
        if bare == "String":
            return self.random.choice(("s", "null")) if self.text == "String" else None
        if self.library.is_struct(bare):
            return self.random.choice((self.pointer(bare), "null"))
        return None

    def call(self, name: str, signature: Signature) -> str | None:
        """A call; None where an argument has no value here."""
        wanted = list(signature.parameters)
        optional = sum(parameter.default is not None for parameter in wanted)
        if optional:
            wanted = wanted[: len(wanted) - self.random.randint(0, optional)]
        made = [self.value(parameter.type) for parameter in wanted]
        if signature.is_variadic and self.random.random() < 0.5:
            made.append(self.random.choice(("i", "s", "fl")))
        given = [text for text in made if text is not None]
        return f"{name}({', '.join(given)})" if len(given) == len(made) else None

    def kept(self, text: str, type: str) -> str:
        """A statement with a value of a type."""
        bare = type.rstrip("*")
        if bare in _NUMBERS or bare in self.library.enums:
            kept = f"i = {text};"
            return self.random.choice((kept, f"if ({text} == 2) i++;", f"while ({text} > i) i++;"))
        if bare == "float":
            return f"fl = {text};"
        if bare == "String":
            return f"s = {text};"
        if self.library.is_struct(bare):
            return f"{self.pointer(bare)} = {text};"
        return f"{text};"

    def member(self, owner: str) -> str | None:
        """A statement that uses a member of a struct."""
        struct = self.library.structs[owner]
        fields = [one for one in struct.fields if not one.name.startswith("reserved")]
        members = [*struct.attributes.values(), *fields]
        methods = [*struct.methods.items()]
        if not members and not methods:
            return None
        if methods and (not members or self.random.random() < 0.5):
            name, signature = self.random.choice(methods)
            called = self.call(
                self.instance(owner, is_static=signature.is_static) + name, signature
            )
            if called is None:
                return None
            return (
                f"{called};" if signature.result == "void" else self.kept(called, signature.result)
            )
        member = self.random.choice(members)
        index = "[i]" if member.count or member.is_indexed else ""
        text = self.instance(owner, is_static=member.is_static) + member.name + index
        value = self.value(member.type) if self.random.random() < 0.5 else None
        return self.kept(text, member.type) if value is None else f"{text} = {value};"

    def instance(self, owner: str, *, is_static: bool) -> str:
        """What stands before a member."""
        if is_static:
            return f"{owner}."
        known = [one for one in (*_GAME, *self.library.variables.values()) if one.type == owner]
        if not known or self.random.random() < 0.5:
            return f"{self.pointer(owner)}."
        one = self.random.choice(known)
        return f"{one.name}[{self.random.choice('1i')}]." if one.count else f"{one.name}."

    def statement(self) -> str | None:
        """A statement."""
        if self.random.random() < 0.4:
            name = self.random.choice([*self.library.functions])
            signature = self.library.functions[name]
            called = self.call(name, signature)
            if called is None:
                return None
            return (
                f"{called};" if signature.result == "void" else self.kept(called, signature.result)
            )
        return self.member(self.random.choice([*self.library.structs]))


def settings_of(random: Random, editor: str) -> ScriptSettings:
    """Random settings of a game for its scripts."""

    def either() -> bool:
        return random.random() < 0.7

    def level() -> str:
        known = [name for name, since in LEVELS.items() if since <= parse_version(editor)]
        return random.choice(known) if known and random.random() < 0.3 else ""

    return ScriptSettings(
        editor, api=level(), compatibility=level(), object_based=either(), new_strings=either(),
        new_audio=either(), new_dialog_options=either(), new_keyboard=either(),
    )  # fmt: skip


def using(random: Random, settings: ScriptSettings) -> str:
    """A script with one function for a game with some settings."""
    user = _User(random, settings)
    lines = [made for _ in range(random.randint(1, 12)) if (made := user.statement())]
    pointers = "".join(
        f", {name} {'' if user.library.is_pointer(name) else '*'}{word}"
        for name, word in user.pointers.items()
    )
    head = f"function f(int i, float fl, {user.text} s, bool b{pointers})"
    return "\n".join([head, "{", *lines, "}", ""])


def used(seed: int, editor: str) -> tuple[Script, Environment]:
    """A random script, and what it knows of the game."""
    random = Random(seed)
    settings = settings_of(random, editor)
    return compiled(using(random, settings), settings)


def compiled(text: str, settings: ScriptSettings) -> tuple[Script, Environment]:
    """A script compiled as an editor does, without the lines that it refuses, as those that set
    what is readonly; and what it knows of the game."""
    known = Environment(version=settings.version, settings=settings, variables=_GAME)
    options = CompilerOptions(
        editor=tuple(map(int, settings.version.split("."))),
        old_strings=not settings.new_strings,
        macros=tuple(script_macros(settings).items()),
    )
    headers = [
        Source("_BuiltInScriptHeader.ash", builtin_header(settings.version)),
        Source("_AutoGenerated.ash", known.header),
    ]
    lines = text.split("\n")
    while True:
        source = Source("room1.asc", "\r\n".join(lines))
        try:
            return compile_block(headers, source, options), known
        except ScriptError as error:
            del lines[error.line - 1]
