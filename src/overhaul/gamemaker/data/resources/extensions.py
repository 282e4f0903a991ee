"""Extensions, with their files, functions and options."""

from __future__ import annotations

from collections.abc import Iterable

from overhaul.gamemaker.data.chunks.extn import Extension as ExtensionRecord
from overhaul.gamemaker.data.chunks.extn import ExtensionFile as FileRecord
from overhaul.gamemaker.data.chunks.extn import ExtensionFunction as FunctionRecord
from overhaul.gamemaker.data.chunks.extn import (
    ExtensionKind,
    OptionKind,
    ReturnType,
)
from overhaul.gamemaker.data.chunks.extn import ExtensionOption as OptionRecord
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import Choice, NamedParts, Number, Text
from overhaul.gamemaker.data.resources.parts import Part


class ExtensionFunction(Part[ExtensionRecord, FunctionRecord]):
    """A function of an extension's file."""

    __slots__ = ()

    name: Text = Text("what code calls it")
    external_name: Text = Text("its name in the file")
    id: Number = Number("its number among the functions of all extensions")
    calling_convention: Number = Number("11 cdecl, 12 stdcall", "kind")
    return_type: Choice[ReturnType] = Choice(ReturnType, "what it returns")

    @property
    def arguments(self) -> list[ReturnType | int]:
        """The types of its arguments. The list is a copy: assign one to change it."""
        known = list(ReturnType)
        return [
            ReturnType(argument) if argument in known else argument
            for argument in self.record.arguments
        ]

    @arguments.setter
    def arguments(self, types: Iterable[ReturnType | int | str]) -> None:
        given, now = list(types), self.arguments
        if given != now:
            choice = Choice(ReturnType, name="arguments")
            numbers = [choice.stored(value, self) for value in given]
            self.record.arguments = [number for number in numbers if isinstance(number, int)]

    def _about(self) -> str:
        kinds = ", ".join(
            getattr(argument, "name", str(argument)).lower() for argument in self.arguments
        )
        return f"{self.name}({kinds})"


def _name(made: ExtensionFunction | ExtensionFile, name: str, taken: list[str]) -> None:
    if not isinstance(name, str):
        raise TypeError(f"name: expected a text, got {name!r}")
    if not name or name in taken:
        raise ValueError(f"name: {name!r} is taken" if name else "name: expected one, got none")
    made.name = name


class ExtensionFunctions(NamedParts[ExtensionFunction]):
    """The functions of a file."""

    title = "function"

    def add(
        self,
        name: str,
        arguments: Iterable[ReturnType | int | str] = (),
        *,
        external_name: str | None = None,
        return_type: ReturnType | str = ReturnType.DOUBLE,
        calling_convention: int = 11,
    ) -> ExtensionFunction:
        """Add a function, with the next number of all extensions.

        ``external_name`` is its name in the file (by default the same), ``arguments`` are the
        types of what it takes. Raises ValueError for a name that exists and for unknown types,
        TypeError for values other than text.
        """
        made = self._over(FunctionRecord())
        made.arguments, made.return_type = list(arguments), return_type
        made.calling_convention = calling_convention
        _name(made, name, self.names())
        made.external_name = name if external_name is None else external_name
        files = (
            file for extension in self.game.records.extensions.present() for file in extension.files
        )
        made.id = max((function.id for file in files for function in file.functions), default=0) + 1
        self.records.append(made.record)
        return made

    def _over(self, record: FunctionRecord) -> ExtensionFunction:
        return ExtensionFunction(self.game, self.owner, record)


class ExtensionFile(Part[ExtensionRecord, FileRecord]):
    """A file of an extension."""

    __slots__ = ()

    name: Text = Text("the name of the file", "file_name")
    kind: Choice[ExtensionKind] = Choice(ExtensionKind, "what it is")
    init_function: Text = Text("the external name of what runs at the start of the game")
    cleanup_function: Text = Text("the external name of what runs at the end of the game")

    @property
    def functions(self) -> ExtensionFunctions:
        """Its functions by number and by name."""
        return ExtensionFunctions(self.game, self.owner, self.record.functions)

    def _about(self) -> str:
        count = len(self.record.functions)
        return f"{self.name}, {count} function{'' if count == 1 else 's'}"


class ExtensionFiles(NamedParts[ExtensionFile]):
    """The files of an extension."""

    title = "file"
    key = "file_name"

    def add(
        self,
        name: str,
        kind: ExtensionKind | str = ExtensionKind.GENERIC,
        *,
        init_function: str = "",
        cleanup_function: str = "",
    ) -> ExtensionFile:
        """Add a file by its name; the file itself goes next to the game.

        Raises ValueError for a name that exists and for an unknown kind, TypeError for values
        other than text.
        """
        made = self._over(FileRecord())
        made.kind = kind
        _name(made, name, self.names())
        made.init_function, made.cleanup_function = init_function, cleanup_function
        self.records.append(made.record)
        return made

    def _over(self, record: FileRecord) -> ExtensionFile:
        return ExtensionFile(self.game, self.owner, record)


class ExtensionOption(Part[ExtensionRecord, OptionRecord]):
    """An option of an extension."""

    __slots__ = ()

    name: Text = Text("its name")
    value: Text = Text("its value, as a text")
    kind: Choice[OptionKind] = Choice(OptionKind, "the type of its value")

    def _about(self) -> str:
        return f"{self.name} = {self.value!r}"


class ExtensionOptions(NamedParts[ExtensionOption]):
    """The options of an extension."""

    title = "option"

    def _over(self, record: OptionRecord) -> ExtensionOption:
        return ExtensionOption(self.game, self.owner, record)


class Extension(Resource[ExtensionRecord]):
    """An extension."""

    __slots__ = ()
    chunk = "EXTN"

    folder_name: Text = Text("the folder its files are in")
    version: Text = Text("its own version (GameMaker 2023.4 and later)")
    class_name: Text = Text("the name of its class on platforms of Java and Objective-C")

    @property
    def files(self) -> ExtensionFiles:
        """Its files by number and by name."""
        return ExtensionFiles(self.game, self.record, self.record.files)

    @property
    def options(self) -> ExtensionOptions:
        """Its options by number and by name (GameMaker 2022.6 and later)."""
        return ExtensionOptions(self.game, self.record, self.record.options)

    def _about(self) -> str:
        count = len(self.record.files)
        return f"{count} file{'' if count == 1 else 's'}"


class Extensions(Resources[Extension]):
    """The extensions of a game."""

    resource = Extension

    def add(self, name: str, *, version: str = "1.0.0", class_name: str = "") -> Extension:
        """Add an extension without files; see :meth:`ExtensionFiles.add`.

        ``version`` is stored from GameMaker 2023.4 on. Raises ValueError for a name that is
        taken or invalid, TypeError for values other than text.
        """
        texts = (version, class_name)
        if not all(isinstance(text, str) for text in texts):
            raise TypeError(f"expected texts as version and class_name, got {texts!r}")
        made = self._add(ExtensionRecord(), name)
        add = self.game.strings.add
        made.record.folder_name, made.record.class_name = add(""), add(class_name)
        if self.game.release.at_least(2023, 4):
            made.record.version = add(version)
        return made
