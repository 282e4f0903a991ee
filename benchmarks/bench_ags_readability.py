"""How often a decompiled function of Adventure Game Studio has the tokens that its author wrote.

The scripts of ``ags-pairs`` are read with what the data of their games would say: the things of the
project stand for it, because most games are not there.  A function is compared from its head to
its closing brace, without comments:

    as it stands       all tokens are equal
    but for names      each name that code does not have (of parameters, local variables, variables
                       that are not exported, fields) is replaced with the number of its first use
    macros expanded    the same, with macros replaced and ``#ifdef`` decided: the compiler gets that
                       text.  Macros of the built-in header and names of views, which decompiled
                       scripts have too, stay
    enums as numbers   the same, with the members of enums as their numbers, and the enums as
                       ``int``: code has only the numbers.  Enums of the built-in header and modes
                       of the cursor stay
    no own constants   but for names, of functions that use no macro and no member of an enum of the
                       author's
"""

from __future__ import annotations

import csv
import gzip
import re
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from runner import Bench, Result

from overhaul.ags.agf.compiling import ProjectCompiler
from overhaul.ags.agf.rooms import RoomNames
from overhaul.ags.api import ScriptSettings
from overhaul.ags.api.table import all_declarations
from overhaul.ags.decompiler import Decompiled, Environment, decompile_blocks
from overhaul.ags.decompiler.library import VIEWS, Member, library_of, library_of_game
from overhaul.ags.language import Source, declared
from overhaul.ags.language.preprocessor import Preprocessor
from overhaul.ags.script.model import Script, read_script
from overhaul.document.xmltext import read_xml
from overhaul.errors import OverhaulError
from real_files import corpus_files

MEASURES = (
    "as it stands", "but for names", "macros expanded", "enums as numbers", "no own constants"
)  # fmt: skip
TOKENS = re.compile(
    r'[A-Za-z_]\w*|0[xX][0-9A-Fa-f]+|\d[\d.]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)[^\'\n]*\''
    r"|\.\.\.|::|&&|\|\||\+\+|--|[-+*/&|^=!<>]=|<<=?|>>=?|\S"
)
COMMENTS = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")
NUMBER = re.compile(r"-?\d+")
ENUM = re.compile(r"enum\s+(\w*)\s*\{([^}]*)\}")
STRUCT = re.compile(r"\bstruct\s+\w+[^;{]*\{([^}]*)\}")
MACRO = re.compile(r"^[ \t]*#define[ \t]+(\w+)", re.MULTILINE)
ACCESSOR = re.compile(r"^(?:get|set)i?_")
TYPES = frozenset(("int", "short", "long", "char", "float", "string", "String", "bool"))
KEYWORDS = TYPES | frozenset(
    (
        "void", "function", "if", "else", "while", "do", "for", "switch", "case", "default",
        "break", "continue", "return", "new", "null", "this", "import", "export", "struct", "enum",
        "managed", "extends", "protected", "writeprotected", "readonly", "static", "const",
        "noloopcheck", "attribute", "true", "false",
    )
)  # fmt: skip
EVENTS = {
    "NormalGUI": ("GUI*", "MouseButton"), "Character": ("Character*", "CursorMode"),
    "InventoryItem": ("InventoryItem*", "CursorMode"),
    **dict.fromkeys(
        ("GUIButton", "GUISlider", "GUITextBox", "GUIListBox"), ("GUIControl*", "MouseButton")
    ),
}  # fmt: skip


@dataclass
class Known:
    """The names that code has: alone, and behind a dot."""

    names: set[str] = field(default_factory=set)
    members: set[str] = field(default_factory=set)


def projects(place: Path) -> Iterator[tuple[ProjectCompiler, list[tuple[Path, Path]]]]:
    """The projects of the pairs, unpacked in ``place``, each with its (script, block)."""
    found: dict[tuple[Path, str], list[tuple[Path, Path]]] = defaultdict(list)
    for table in corpus_files("ags-pairs/*/pairs.tsv"):
        folder = table.parent
        if folder.name.startswith("_2x"):
            continue
        with table.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        for row in rows:
            if not row["sure"].startswith(("1", "2")):
                continue
            source = folder / row["source"]
            within = source.parent.name == "generated"
            project = source.parent.parent if within else source.parent
            copy = place / folder.name / project.name
            if not copy.exists():
                shutil.copytree(project, copy)
                for path in copy.rglob("*.gz"):
                    path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
            script = source.relative_to(project)
            found[copy, row["editor"]].append((copy / script, folder / row["compiled"]))
    for (copy, editor), scripts in found.items():
        yield ProjectCompiler(copy, editor), scripts


def environment_of(compiler: ProjectCompiler) -> Environment:
    """What the data of a project's game says about its scripts."""
    project = compiler.project
    lists = (
        ("Character", "character", 0, project.characters),
        ("AudioClip", "", 0, project.audio_clips),
        ("InventoryItem", "inventory", 1, project.inventory),
        ("Dialog", "dialog", 0, project.dialogs),
        ("GUI", "gui", 0, project.guis),
    )
    variables: list[Member] = []
    for type, array, more, things in lists:
        if array and things:
            variables.append(Member(array, type, count=len(things) + more))
        variables += [Member(thing.name, type) for thing in things if thing.name]
    for gui in project.guis:
        variables += [Member(name, kind) for kind, name in gui.controls if name]
    modes = {mode.number: "eMode" + re.sub(r"\W|_", "", mode.name) for mode in project.cursors}
    views = {view.number: view.name.upper() for view in project.views if view.name}
    enums = (("CursorMode", modes), (VIEWS, views))
    handlers: dict[str, tuple[str, ...]] = {}
    path = compiler.folder / "Game.agf"
    for element in read_xml(path.read_bytes(), source=str(path)).root.walk():
        for child in element.children if element.tag in EVENTS else ():
            named = [child] if child.tag.startswith("On") else list(child.children)
            handlers |= {one.text: EVENTS[element.tag] for one in named if one.text}
    return Environment(
        version=compiler.editor,
        left_to_right=compiler.options.left_to_right,
        variables=tuple(variables),
        enums=tuple((name, tuple(members.items())) for name, members in enums if members),
        handlers=tuple(handlers.items()),
    )


def without_comments(text: str) -> str:
    """A text without comments; lines stay."""

    def kept(found: re.Match[str]) -> str:
        return found[0] if found[0][0] in "\"'" else "\n" * found[0].count("\n") or " "

    return COMMENTS.sub(kept, text)


def functions(text: str) -> dict[str, list[str]]:
    """The tokens of the functions of a script, by their names."""
    lines = without_comments(text).split("\n")
    tokens = TOKENS.findall("\n".join(line for line in lines if not line.lstrip().startswith("#")))
    found: dict[str, list[str]] = {}
    start = at = 0
    while at < len(tokens):
        token = tokens[at]
        if token == "{":
            depth, end = 1, at
            while depth and end + 1 < len(tokens):
                end += 1
                depth += {"{": 1, "}": -1}.get(tokens[end], 0)
            head = tokens[start:at]
            if "(" in head and head[0] not in ("struct", "managed", "enum"):
                found[function_name(head)] = tokens[start : end + 1]
            start, at = end + 1, end
        elif token == ";" or token.startswith('"__NEWSCRIPT'):
            start = at + 1
        at += 1
    return found


def function_name(head: list[str]) -> str:
    """The name of a function, with its struct."""
    open_ = head.index("(")
    arguments = head[open_ + 1 :]
    owner = head[open_ - 3] if "::" in head[:open_] else ""
    if arguments[0] in ("this", "static") and len(arguments) > 2:
        owner = arguments[1]
    return f"{owner}::{head[open_ - 1]}" if owner else head[open_ - 1]


def local_names(tokens: list[str]) -> set[str]:
    """The names of parameters and variables that a function declares."""
    names: set[str] = set()
    body = tokens.index("{")
    for part in " ".join(tokens[tokens.index("(") + 1 : body - 1]).split(" , "):
        words = NAME.findall(part.partition("=")[0])
        if len(words) > 1 and words[0] not in ("this", "static"):
            names.add(words[-1])
    for at in range(body, len(tokens) - 3):
        if tokens[at] not in "{};:" and tokens[at - 1 : at + 1] != ["for", "("]:
            continue
        first = at + 1 + (tokens[at + 1] in ("const", "readonly"))
        named = first + 1
        while named < len(tokens) - 1 and tokens[named] == "*":
            named += 1
        kind = tokens[first]
        if not NAME.fullmatch(kind) or kind in KEYWORDS - TYPES or tokens[named] in KEYWORDS:
            continue
        if not NAME.fullmatch(tokens[named]) or tokens[named + 1] not in (";", "=", ",", "["):
            continue
        names.add(tokens[named])
        depth = 0
        for token, after in zip(tokens[named + 1 :], tokens[named + 2 :], strict=False):
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token, 0)
            if token == ";" and not depth:
                break
            if token == "," and not depth:
                names.add(after)
    return names


def but_for_names(tokens: list[str], known: Known) -> list[str]:
    """The tokens with the number of its first use for each name that code does not have."""
    own, made, before = local_names(tokens), list[str](), ""
    numbers: dict[tuple[bool, str], int] = {}
    for token in tokens:
        is_member = before == "."
        lost = token not in known.members if is_member else token in own or token not in known.names
        before = token
        if lost and NAME.fullmatch(token) and token not in KEYWORDS:
            token = f"${numbers.setdefault((is_member, token), len(numbers))}"
        made.append(token)
    return made


def known_names(made: Decompiled, script: Script, environment: Environment) -> Known:
    """The names that the code of a script has, the editor, and the game's data."""
    known = Known()
    library = library_of_game(made.settings, environment.variables, environment.enums)
    for members in library.enums.values():
        known.names |= set(members.values())
    for row in all_declarations():
        alone = row.kind in ("enum_member", "constant", "enum", "struct", "function")
        (known.names if alone else known.members).add(row.name)
    for struct in library.structs.values():
        known.members |= {*struct.methods, *struct.attributes, *(one.name for one in struct.fields)}
    known.names |= {*library.functions, *library.variables, *library.structs, *library.enums}
    known.names |= {*library.constants, *library.spoken.values()}
    stored = [name.partition("^")[0] for name in script.imports]
    stored += [export.name.partition("$")[0] for export in script.exports]
    for name in stored:
        owner, _, member = name.rpartition("::")
        known.names |= {owner, member}
        known.members |= {member, ACCESSOR.sub("", member)}
    return known


def own_constants(texts: list[str]) -> set[str]:
    """The macros and members of enums in texts of the author's."""
    found: set[str] = set()
    for text in map(without_comments, texts):
        found.update(MACRO.findall(text))
        for _, inner in ENUM.findall(text):
            found |= {part.partition("=")[0].strip() for part in inner.split(",")}
    return found


def own_fields(texts: list[str]) -> set[str]:
    """The fields of the author's own structs, which code does not name."""
    found: set[str] = set()
    for text in map(without_comments, texts):
        for inner in STRUCT.findall(text):
            for line in inner.split(";"):
                if "(" not in line and "attribute" not in line:
                    parts = (NAME.findall(part.partition("[")[0]) for part in line.split(","))
                    found.update(words[-1] for words in parts if words)
    return found


class Plain:
    """The author's texts as the compiler reads them, with what decompiled scripts can have."""

    def __init__(self, compiler: ProjectCompiler, script: str, known: set[str]) -> None:
        headers = compiler.headers(script, RoomNames())
        self.version = compiler.options.editor
        self.library = library_of(ScriptSettings(compiler.editor))
        self.macros = dict(declared(headers[:1], compiler.options).macros)
        kept = set(self.macros)
        #: What stands for the members of enums, and for the enums.
        self.numbers: dict[str, str] = {}
        for header in headers[1:]:
            self.note(self.expanded(header.text))
        kept |= known
        self.macros = {name: name if name in kept else text for name, text in self.macros.items()}
        self.numbers = {name: text for name, text in self.numbers.items() if name not in known}

    def expanded(self, text: str) -> str:
        """A text with conditions decided and macros replaced."""
        preprocessor = Preprocessor(self.macros, self.version, TOKENS)
        preprocessor.lines(Source("", text))
        return "\n".join(map(" ".join, preprocessor.tokens))

    def note(self, text: str) -> None:
        """Note the enums of a text."""
        for name, inner in ENUM.findall(text):
            self.numbers[name] = "int"
            number: int | None = 0
            for part in filter(None, map(str.strip, inner.split(","))):
                member, _, value = (word.replace(" ", "") for word in part.partition("="))
                value = self.numbers.get(value, value)
                number = self.library.number(value) if value else (number or 0) + 1
                if number is not None:
                    self.numbers[member] = str(number)

    def as_numbers(self, tokens: list[str]) -> list[str]:
        """The tokens of a function with numbers for the members of enums."""
        made: list[str] = []
        for token in tokens:
            behind_dot = made[-1:] == ["."]
            made.append(token if behind_dot else self.numbers.get(token, token))
        return made


@dataclass
class Pair:
    """A function's tokens as its author wrote them, as the compiler got them, with numbers for the
    members of enums, and as they are decompiled."""

    script: Path
    name: str
    written: list[str]
    expanded: list[str]
    numbers: list[str]
    ours: list[str]
    known: Known
    #: The author's macros and members of enums.
    constants: set[str]


def pairs_of(compiler: ProjectCompiler, scripts: list[tuple[Path, Path]]) -> Iterator[Pair]:
    """The functions of a project that both texts have."""
    environment = environment_of(compiler)
    blocks = [read_script(block.read_bytes())[0] for _, block in scripts]
    headers = compiler.headers("", RoomNames())[1:]
    for (path, _), block, made in zip(
        scripts, blocks, decompile_blocks(blocks, environment), strict=True
    ):
        text = compiler.text_of(path)
        texts = [text, *(header.text for header in headers)]
        constants = own_constants(texts)
        known = known_names(made, block, environment)
        known.members -= own_fields(texts)
        constants -= known.names
        plain = Plain(compiler, path.name, known.names)
        expanded = plain.expanded(text)
        plain.note(expanded)
        written, read = functions(text), functions(expanded)
        for name, ours in functions(made.text).items():
            if name in written and name in read:
                numbers = plain.as_numbers(read[name])
                yield Pair(path, name, written[name], read[name], numbers, ours, known, constants)


def compare(pairs: Iterable[Pair]) -> Counter[str]:
    """How many functions there are, and how many are equal by each measure."""
    count: Counter[str] = Counter()
    for pair in pairs:
        known = pair.known
        ours = but_for_names(pair.ours, known)
        same = but_for_names(pair.written, known) == ours
        count["functions"] += 1
        count[MEASURES[0]] += pair.written == pair.ours
        count[MEASURES[1]] += same
        count[MEASURES[2]] += but_for_names(pair.expanded, known) == ours
        count[MEASURES[3]] += but_for_names(pair.numbers, known) == ours
        if pair.constants.isdisjoint(pair.written):
            count["without"] += 1
            count[MEASURES[4]] += same
    return count


def main() -> None:
    bench = Bench("Readability of decompiled scripts (overhaul.ags.decompiler)")
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for compiler, scripts in projects(Path(place)):
            try:
                count += compare(pairs_of(compiler, scripts))
            except OverhaulError as error:
                print(f"  {compiler.folder}: {error}", file=sys.stderr)
    if not count:
        print("  no corpus of scripts with their sources here", file=sys.stderr)
        return
    for measure in MEASURES:
        of = count["without" if measure == MEASURES[4] else "functions"]
        bench.add(Result(measure, 100 * count[measure] / of, "%", note=f"{of:,} functions"))
    bench.finish()


if __name__ == "__main__":
    main()
