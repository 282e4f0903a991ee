"""The language tools' knowledge of a game: its assets, functions, macros, enums and dialect."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple, TypeVar

from overhaul.findings import Finding, warning
from overhaul.gml.asset_types import NEW_ASSET_TYPES, OLD_ASSET_TYPES
from overhaul.gml.builtins import (
    BuiltinConstant,
    BuiltinFunction,
    BuiltinVariable,
    load_constants,
    load_functions,
    load_variables,
)
from overhaul.gml.dialect import Dialect
from overhaul.suggest import Near, closest

ASSET_KINDS: Final = (
    "object", "sprite", "sound", "room", "background", "path", "script", "font", "timeline",
    "shader", "sequence", "animation_curve", "particle_system", "room_instance",
    "audio_group",
)  # fmt: skip

RUNNER: Final = "@@runner_"
"""The prefix of the name of a function of the runner where the game has one of that name."""

_INSTANCE: Final = re.compile(r"(?:(room_instance)|inst)_([1-9][0-9]{5,7})")
"""A room instance by its number."""
_INSTANCE_WORDS: Final = ("inst_", "room_instance_")


BUILD_CONSTANTS: Final = frozenset({
    "GM_build_date", "GM_build_type", "GM_is_sandboxed", "GM_project_filename", "GM_runtime_type",
    "GM_runtime_version", "GM_version",
})  # fmt: skip
"""Constants whose values only the build of a game knows."""


def asset_types(dialect: Dialect) -> dict[int, str]:
    """The numbering of asset types in the operands of ``pushref``."""
    return NEW_ASSET_TYPES if dialect.renumbered_asset_types else OLD_ASSET_TYPES


class Definitions(NamedTuple):
    """The definitions of a source for other code, by name."""

    macros: dict[str, str]
    enums: dict[str, list[tuple[str, int]]]
    globals: set[str]
    functions: dict[str, str]


class UnknownName:
    """A name in a source that nothing has: a warning (``str`` is ``line:column: message``).

    ``line`` and ``column`` count from 1; ``called`` says that it is called as a function.
    """

    __slots__ = ("called", "column", "context", "line", "name")

    def finding(self, path: str, known: Known | None = None) -> Finding:
        """The warning about it, in a source that is called ``path``; ``known`` is what many names
        share."""
        message = self._message(known)
        return warning("unknown-name", message, path, line=self.line, column=self.column)

    def __init__(self, name: str, line: int, column: int, called: bool, context: Context) -> None:
        self.name: str = name
        self.line: int = line
        self.column: int = column
        self.called: bool = called
        self.context: Context = context

    @property
    def message(self) -> str:
        """The fault, and the names that may be meant."""
        return self._message(None)

    @property
    def origin(self) -> Context:
        """The context that its own was made of, with what its source defines."""
        return self.context.origin or self.context

    def _message(self, known: Known | None) -> str:
        if self.name in BUILD_CONSTANTS:
            return f"{self.name} is filled in when a game is built: write its value"
        suggestion = self.context.suggestion(self.name, known)
        if self.called and self.name in self.context.builtin_functions:
            engine = " Studio 2" if self.context.dialect.gms2_or_later else ": Studio 1"
            return f"GameMaker{engine} has no function {self.name}{suggestion}"
        what = "function" if self.called else "variable"
        return f"unknown {what} {self.name}{suggestion}"

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.message}"

    def __repr__(self) -> str:
        return f"<{self}>"


class ChangedLiteral:
    """A struct literal that passes another number of its values than it did: a warning (``str`` is
    ``line:column: message``)."""

    __slots__ = ("before", "column", "line", "members", "passed")

    def finding(self, path: str) -> Finding:
        """The warning about it, in a source that is called ``path``."""
        return warning("changed-with-it", self.message, path, line=self.line, column=self.column)

    def __init__(
        self, line: int, column: int, members: list[str], passed: int, before: int
    ) -> None:
        self.line: int = line
        self.column: int = column
        self.members: list[str] = members
        self.passed: int = passed
        self.before: int = before

    @property
    def name(self) -> str:
        """Its key among warnings: no name of the language."""
        return f"{{{self.line}:{self.column}}}"

    @property
    def message(self) -> str:
        """The part that is compiled in another way."""
        names = ", ".join(self.members[:3]) + (", ..." if len(self.members) > 3 else "")
        return (
            f"the struct literal of {names} is compiled in another way: {self.passed} of its "
            f"values are worked out outside of it, {self.before} were"
        )

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.message}"

    def __repr__(self) -> str:
        return f"<{self}>"


class Context:
    """The game around a piece of code.

    Whoever knows the game (``gamemaker.data``, a test) fills it; the assembler, the compiler and
    the decompiler read it.  Names are unique over the asset kinds, as in GameMaker; in a game where
    they are not, the first one counts for :meth:`asset_id`.  ``dialect`` is what the game's
    compiler can do.  ``assets`` has the names of the assets by kind and number, ``asset_ids`` kind
    and number by name.  ``functions`` are the game's scripts and functions: the name in source, and
    that of the code; ``extension_functions`` those of extensions.  ``macros``, ``enums`` and
    ``globals`` are those that definitions declare; ``configured`` are the macros that hold for
    ``configuration`` only.  ``variables`` are all names of variables, None where they are not
    known.  ``strings`` is the table of strings, ``next_struct`` the number of the next struct
    literal.
    """

    def __init__(self, dialect: Dialect | None = None) -> None:
        self.dialect: Dialect = Dialect() if dialect is None else dialect
        self.assets: dict[str, dict[int, str]] = {kind: {} for kind in ASSET_KINDS}
        self.asset_ids: dict[str, tuple[str, int]] = {}
        self.functions: dict[str, str] = {}
        self._functions_by_code: dict[str, str] = {}
        #: whether ``functions`` are those of the context that this one was made of
        self._shares_functions = False
        self.extension_functions: dict[str, int] = {}
        self.configuration = ""  # the build configuration's name, which some macros are for
        self.macros: dict[str, str] = {}
        self.configured: set[str] = set()  # the macros that are the configuration's own
        self.enums: dict[str, list[tuple[str, int]]] = {}
        self.globals: set[str] = set()
        self.variables: Collection[str] | None = None  # the game's, where they are known
        self.strings: Sequence[str] = ()
        #: the new names of assets in an edit, by the old ones
        self.renamed: Mapping[str, str] = {}
        #: the context that this one was made of, with what a source defines
        self.origin: Context | None = None
        self.next_struct = 0  # the number the first struct literal of a source gets in its name

    # -- assets --------------------------------------------------------------------------------

    def add_asset(self, kind: str, index: int, name: str) -> None:
        """Make an asset known.  Raises ValueError for a kind not in ``ASSET_KINDS``."""
        try:
            self.assets[kind][index] = name
        except KeyError:
            raise ValueError(f"unknown asset kind {kind!r}") from None
        self.asset_ids.setdefault(name, (kind, index))

    def add_assets(self, kind: str, names: Iterable[str | None]) -> None:
        """Make a whole list known, in order from index 0; None for an empty place."""
        known = {index: name for index, name in enumerate(names) if name is not None}
        try:
            self.assets[kind].update(known)
        except KeyError:
            raise ValueError(f"unknown asset kind {kind!r}") from None
        add = self.asset_ids.setdefault
        for index, name in known.items():
            add(name, (kind, index))

    def asset_name(self, kind: str, index: int) -> str | None:
        """The name of an asset, or None; also where code can't have the name (``spr 1``)."""
        names = self.assets.get(kind)
        name = None if names is None else names.get(index)
        return name if name is not None and name.isidentifier() else None

    def asset_id(self, name: str) -> tuple[str, int] | None:
        """(kind, index) of the asset called ``name``, or None.

        ``inst_100123`` means that instance where the game does not know its name (files carry
        none) and the release has references to instances: the decompiler writes so.
        ``room_instance_100123`` means it in every release.
        """
        known = self.asset_ids.get(name)
        if known is not None or not name.startswith(_INSTANCE_WORDS):
            return known
        numbered = _INSTANCE.fullmatch(name)
        if numbered and (numbered[1] or self.dialect.room_instance_references):
            return "room_instance", int(numbered[2])
        return known

    # -- functions -----------------------------------------------------------------------------

    def add_function(self, name: str, code_name: str) -> None:
        """A script function known game-wide, and the name of its code entry (``gml_Script_f``)."""
        self.own_functions()[name] = code_name
        self._functions_by_code.setdefault(code_name, name)

    def add_extension_function(self, name: str, arguments: int = -1) -> None:
        """A function of an extension; ``arguments`` -1: any number."""
        self.extension_functions[name] = arguments

    def function_code_name(self, name: str) -> str | None:
        """The code entry of the script function ``name``, or None."""
        return self.functions.get(name)

    def function_of_code(self, code_name: str) -> str | None:
        """The script function whose code entry this is, or None."""
        return self._functions_by_code.get(code_name)

    # -- definitions ---------------------------------------------------------------------------

    def add_macro(self, name: str, source: str, configuration: str = "") -> None:
        """A ``#macro``: its source text.

        One for another configuration is ignored, one for this configuration replaces a general one;
        otherwise the first of a name counts.
        """
        if configuration not in ("", self.configuration):
            return
        if name in self.macros and (not configuration or name in self.configured):
            return
        self.macros[name] = source
        if configuration:
            self.configured.add(name)

    def add_enum(self, name: str, members: Sequence[tuple[str, int]]) -> None:
        """An ``enum`` with its members in order."""
        self.enums[name] = list(members)

    def add_global(self, name: str) -> None:
        """A ``globalvar``."""
        self.globals.add(name)

    def reads_like(self, other: Context) -> bool:
        """Whether the same code means the same in both contexts."""
        known = (
            "dialect", "assets", "asset_ids", "functions", "extension_functions", "macros", "enums",
            "globals", "builtin_functions", "builtin_variables", "builtin_constants",
        )  # fmt: skip
        return all(getattr(self, name) == getattr(other, name) for name in known)

    def overlay(self, *, assets: bool = False, functions: bool = True) -> Context:
        """A copy that takes definitions (and assets) without changing this context.

        Without ``functions`` it shares those, which are many: whoever adds one calls
        :meth:`own_functions` first.
        """
        result = copy(self)
        result.origin = self if self.origin is None else self.origin
        result.macros = dict(self.macros)
        result.configured = set(self.configured)
        result.enums = dict(self.enums)
        result.globals = set(self.globals)
        result._shares_functions = not functions
        if functions:
            result.functions = dict(self.functions)
        if assets:
            result.assets = {kind: dict(known) for kind, known in self.assets.items()}
            result.asset_ids = dict(self.asset_ids)
        return result

    def own_functions(self) -> dict[str, str]:
        """The functions, as this context's own, which may be changed."""
        if self._shares_functions:
            self.functions, self._shares_functions = dict(self.functions), False
        return self.functions

    def definitions_beyond(self, other: Context) -> Definitions:
        """The definitions of this context that another lacks, or has otherwise."""
        return Definitions(
            _new(self.macros, other.macros),
            _new(self.enums, other.enums),
            self.globals - other.globals,
            _new(self.functions, other.functions),
        )

    # -- built-ins (the tables of gml.builtins, read when first asked) ---------------------------

    @cached_property
    def builtin_functions(self) -> Mapping[str, BuiltinFunction]:
        """Name -> built-in function."""
        return load_functions()

    @cached_property
    def builtin_variables(self) -> Mapping[str, BuiltinVariable]:
        """Name -> built-in variable."""
        return load_variables()

    @cached_property
    def builtin_constants(self) -> Mapping[str, BuiltinConstant]:
        """Name -> constant."""
        return load_constants()

    @property
    def _other_generation(self) -> str:
        return "gms1" if self.dialect.gms2_or_later else "gms2"

    def lacks(self, name: str) -> bool:
        """Whether a built-in function is one of the other generation of GameMaker, and the game has
        none of this name."""
        function = self.builtin_functions.get(name)
        return (
            function is not None
            and function.generation == self._other_generation
            and name not in self.extension_functions
            and name not in self.functions
        )

    def suggestion(self, name: str, known: Known | None = None) -> str:
        """The names that an unknown name may mean, as the end of a message; ``known`` is what many
        names share.

        Instead of a name that only the other generation of GameMaker has, it is one of this that
        begins so, if there is one (``instance_create_layer`` for ``instance_create``).
        """
        if name in self.renamed:
            return f" ({name} is {self.renamed[name]} now)"
        if known is None or not known.is_of(self):
            known = Known(self)
        further = known.further(self)

        def is_gone(name: str) -> bool:
            return (
                name not in known.own
                and name not in further
                and any(
                    name in table and table[name].generation == self._other_generation
                    for table in (self.builtin_functions, self.builtin_constants)
                )
            )

        nearest = name if is_gone(name) else known.near.closest(name, further)
        if nearest is not None and is_gone(nearest):
            longer = [
                function
                for function in self.builtin_functions
                if function.startswith(nearest) and not is_gone(function)
            ]
            nearest = closest(nearest, longer) or ("" if nearest == name else nearest)
        return f" (did you mean {nearest}?)" if nearest else ""

    def without_builtins(self, names: Iterable[str], variables: Iterable[str] = ()) -> None:
        """Names that are not built-in here: an older game may use them for its own purposes.
        ``variables``: names that certainly are not built-in variables.
        """
        gone = set(names)
        own = gone.union(variables)
        if not gone.isdisjoint(self.builtin_functions):
            self.builtin_functions = _without(self.builtin_functions, gone)
        if not own.isdisjoint(self.builtin_variables):
            self.builtin_variables = _without(self.builtin_variables, own)
        if not gone.isdisjoint(self.builtin_constants):
            self.builtin_constants = _without(self.builtin_constants, gone)


class Known:
    """The names that unknown ones are compared with, as a context knows them; for the contexts
    that were made of it too, while nothing is defined in it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        #: the names of the game's own
        self.own: dict[str, None] = dict.fromkeys(
            chain(
                context.variables or (), context.macros, context.enums, context.globals,
                context.extension_functions, context.asset_ids, context.functions,
            )
        )  # fmt: skip
        self._counts = {name: len(getattr(context, name)) for name in _DEFINED}
        builtins = (getattr(context, name) for name in _BUILT_IN)
        self.near: Near = Near(chain.from_iterable((*builtins, self.own)))

    def is_of(self, context: Context) -> bool:
        """Whether a context knows these names, and a few more at most."""
        mine = self._context
        if context is mine:
            return True
        return (
            context.origin is mine
            and all(getattr(mine, name) is getattr(context, name) for name in _SAME)
            and all(self._counts[name] <= len(getattr(context, name)) for name in _DEFINED)
            and not any(name in self.near for name in self.further(context))
        )

    def further(self, context: Context) -> set[str]:
        """The names that a context has besides these."""
        names: set[str] = set()
        if context is not self._context:
            for name in _DEFINED:
                defined: Collection[str] = getattr(context, name)
                if len(defined) > self._counts[name]:
                    names |= set(defined) - self.own.keys()
        return names


_BUILT_IN: Final = ("builtin_functions", "builtin_variables", "builtin_constants")
_SAME: Final = (*_BUILT_IN, "variables", "extension_functions", "asset_ids")
_DEFINED: Final = ("macros", "enums", "globals", "functions")

_T = TypeVar("_T")


def _without(known: Mapping[str, _T], gone: set[str]) -> dict[str, _T]:
    return {name: value for name, value in known.items() if name not in gone}


def _new(mine: Mapping[str, _T], theirs: Mapping[str, _T]) -> dict[str, _T]:
    return {
        name: value for name, value in mine.items() if name not in theirs or theirs[name] != value
    }
