"""How often a decompiled function of Adventure Game Studio has the tokens that its author wrote.

The scripts of ``ags-pairs`` are read with what the data of their games would say: the things of the
project stand for it, because most games are not there.  A function is compared from its head to
its closing brace, without comments:

    as it stands       all tokens are equal
    but for names      each name that code does not have (of parameters, local variables, variables
                       that are not exported, fields) is replaced with the number of its first use
    no own constants   the same, of functions that use no macro and no member of an enum of the
                       author's: code has only the number of such a constant
"""

from __future__ import annotations

import csv
import gzip
import re
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from runner import Bench, Result

from overhaul.ags.agf.compiling import ProjectCompiler
from overhaul.ags.agf.rooms import RoomNames
from overhaul.ags.api.table import all_declarations
from overhaul.ags.decompiler import Decompiled, Environment, decompile_blocks
from overhaul.ags.decompiler.library import VIEWS, Member, library_of_game
from overhaul.ags.script.model import Script, read_script
from overhaul.document.xmltext import read_xml
from overhaul.errors import OverhaulError
from real_files import corpus_files

MEASURES = ("as it stands", "but for names", "no own constants")
TOKENS = re.compile(
    r'[A-Za-z_]\w*|0[xX][0-9A-Fa-f]+|\d[\d.]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)[^\'\n]*\''
    r"|\.\.\.|::|&&|\|\||\+\+|--|[-+*/&|^=!<>]=|<<=?|>>=?|\S"
)
COMMENTS = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")
ENUM = re.compile(r"enum\s+\w*\s*\{([^}]*)\}")
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
        for inner in ENUM.findall(text):
            found |= {part.partition("=")[0].strip() for part in inner.split(",")}
    return found


def compare(compiler: ProjectCompiler, scripts: list[tuple[Path, Path]]) -> Counter[str]:
    """How many functions of a project there are, and how many are equal by each measure."""
    count: Counter[str] = Counter()
    environment = environment_of(compiler)
    blocks = [read_script(block.read_bytes())[0] for _, block in scripts]
    headers = compiler.headers("", RoomNames())[1:]
    for (path, _), block, made in zip(
        scripts, blocks, decompile_blocks(blocks, environment), strict=True
    ):
        text = compiler.text_of(path)
        constants = own_constants([text, *(header.text for header in headers)])
        known = known_names(made, block, environment)
        constants -= known.names
        written = functions(text)
        for name, ours in functions(made.text).items():
            theirs = written.get(name)
            if theirs is None:
                continue
            same = but_for_names(theirs, known) == but_for_names(ours, known)
            count["functions"] += 1
            count[MEASURES[0]] += theirs == ours
            count[MEASURES[1]] += same
            if constants.isdisjoint(theirs):
                count["without"] += 1
                count[MEASURES[2]] += same
    return count


def main() -> None:
    bench = Bench("Readability of decompiled scripts (overhaul.ags.decompiler)")
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for compiler, scripts in projects(Path(place)):
            try:
                count += compare(compiler, scripts)
            except OverhaulError as error:
                print(f"  {compiler.folder}: {error}", file=sys.stderr)
    if not count:
        print("  no corpus of scripts with their sources here", file=sys.stderr)
        return
    for measure in MEASURES:
        of = count["without" if measure == MEASURES[2] else "functions"]
        bench.add(Result(measure, 100 * count[measure] / of, "%", note=f"{of:,} functions"))
    bench.finish()


if __name__ == "__main__":
    main()
