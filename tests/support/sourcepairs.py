"""Original sources with the code the official compilers made of them: official input and output.

``builds()`` lists what the corpus has. A pair is *strict* when nothing but the source stands
between it and the code; the others were made with definitions that the project no longer shows.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import overhaul
from overhaul import gml
from overhaul.gml.compiler.definitions import add_definitions
from overhaul.gml.syntax.lexer import OPEN_COMMENT
from overhaul.gml.syntax.parser import parse
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.opcodes import BRANCHES
from real_files import corpus_folder


@dataclass
class Pair:
    """One source and the entry it became."""

    entry: str
    source: str
    strict: bool


class Build:
    """One compiled game and the sources of its project."""

    #: whether the names of ``globalvar`` are told to the compiler
    knows_globals = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.facts = json.loads((folder / "context.json").read_text(encoding="utf-8"))

    @property
    def games(self) -> Path:
        """The folder of games these sources belong to: ``datawin`` of ``sourcepairs``."""
        sources = self.folder.parent
        return sources.parent / sources.name.replace("sourcepairs", "datawin")

    @property
    def path(self) -> Path:
        """The game's file."""
        games = self.games
        name = self.facts["win"]
        siblings = games / name
        return siblings if siblings.exists() else next((games / "side").glob(f"*{name}"))

    @cached_property
    def game(self) -> Any:
        """The opened game."""
        return overhaul.open(self.path)

    @cached_property
    def definitions(self) -> str:
        """The project's constants, macros, enums and ``globalvar`` names, as GML."""
        facts = self.facts
        lines = [
            f"#macro {each['name']} " + each["value"].replace("\n", "\\\n")
            for each in facts["constants"] + facts["extension_constants"] + facts["macros"]
            if each.get("config", "") in ("", facts["config"])
        ]
        lines += [each["text"] for each in facts["enums"]]
        if self.knows_globals:
            lines += [f"globalvar {name};" for name in facts["globalvars"]]
        return "\n".join(lines)

    @cached_property
    def context(self) -> gml.Context:
        """What the game and the project tell the compiler."""
        context: gml.Context = self.game.language.context
        add_definitions(context, self.definitions)
        return context

    def pairs(self) -> list[Pair]:
        """All of them, in the order of the list."""
        with (self.folder / "pairs.tsv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        return [
            Pair(
                row["entry"],
                (self.folder / row["file"]).read_bytes().decode("utf-8", "surrogateescape"),
                row["exact"] == "strict",
            )
            for row in rows
        ]

    def official(self, entry: str) -> Code:
        """The code the official compiler made."""
        code: Code = self.game.language.code(self.game.records.code[entry])
        return code

    def compiled(self, pair: Pair, previous: Code | None) -> Code:
        """The code we make of the source; raises as gml.compile."""
        kind = "global_script" if pair.entry.startswith("gml_GlobalScript_") else "event"
        return gml.compile(pair.source, self.context, kind, pair.entry, previous=previous)

    def group(self) -> str:
        """The version group: the bytecode number, for 2.3 and later the release too."""
        bytecode = self.facts["bytecode"]
        if bytecode < 17:
            return f"bytecode {bytecode}" + (" (GMS2)" if self.facts["gen8_version"][0] > 1 else "")
        return ".".join(map(str, self.game.release.number[:2]))


def closed(source: str, dialect: gml.Dialect) -> str:
    """A source whose comments are closed: official compilers take one that is not, at the end."""
    try:
        parse(source, dialect)
    except gml.SyntaxError_ as error:
        if [each.message for each in error.errors] == [OPEN_COMMENT]:
            return f"{source}*/"
    return source


def builds() -> list[Build]:
    """Every build of the corpus that has sources."""
    folder = corpus_folder()
    if folder is None:
        return []
    return [Build(each.parent) for each in sorted(folder.glob("sourcepairs*/*/pairs.tsv"))]


def same(one: Code, other: Code) -> bool:
    """Whether two codes are equal, inner functions, counts and lists included."""

    def plain(code: Code) -> list[Any]:
        return [
            (instruction.opcode, instruction.value)
            if instruction.opcode in BRANCHES
            else instruction.key()
            for instruction in code.instructions
        ]

    return (
        plain(one) == plain(other)
        and one.children == other.children
        and one.locals_count == other.locals_count
        and one.arguments_count == other.arguments_count
        and one.local_names == other.local_names
    )
