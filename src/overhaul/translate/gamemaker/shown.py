"""The texts of a game that a player sees, with where they stand and how else they are used."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.context import SCRIPT_PREFIX
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gamemaker.data.code.owners import Use, uses
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.model import paused_collection
from overhaul.gamemaker.data.references import Reference
from overhaul.gml.builtins import load_variables
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.columns import is_string_push
from overhaul.translate.families import Job
from overhaul.translate.gamemaker.flow import NAME, Flow, Text, Way, way_in_words
from overhaul.translate.gamemaker.flow_reading import COMPARISON, COMPARISONS, FlowReader
from overhaul.translate.gamemaker.listed import TextPlace
from overhaul.translate.results import Explanation
from overhaul.translate.rules import Rules

if TYPE_CHECKING:
    from overhaul.folder.parallel import Progress


_FILE = re.compile(
    r"[\w/\\. -]*\.(?:png|jpe?g|gif|txt|ini|json|csv|xml|dat|sav|ogg|wav|mp3|bin)"
    r"|(?:[;|]?\*?\.\w+)+|https?://\S*"
)
_RULES = "the rules"


class Literal(NamedTuple):
    """A text in code; ``use`` says what it is used for where it is not shown."""

    text: str
    node: Text
    use: str


@dataclass
class EntryTexts:
    """The texts in an entry's code."""

    entry: CodeEntry
    block: tree.Block
    literals: list[Literal]
    pushes: Counter[str]
    owner: str = ""

    def lines(self, wanted: Container[int]) -> Iterator[tuple[str, int, str]]:
        """Text, line and source of the line for each of the wanted nodes."""
        source = to_source(self.block, self.entry.game.language.context.dialect)
        at: defaultdict[str, int] = defaultdict(int)
        for literal in self.literals:
            spelled = to_source(literal.node).rstrip("\n")
            index = source.find(spelled, at[spelled])
            if index >= 0:
                at[spelled] = index + len(spelled)
            if id(literal.node) in wanted:
                begin = source.rfind("\n", 0, max(index, 0)) + 1
                end = source.find("\n", begin)
                line = source[begin : end if end >= 0 else len(source)].strip()
                yield literal.text, source.count("\n", 0, begin) + 1, line


class Field(NamedTuple):
    """A text in a room: the record that has it, and the name of its field."""

    text: str
    record: object
    name: str
    where: str
    owner: str


@dataclass
class ShownTexts:
    """The result of :func:`find_texts`.

    ``shown`` holds the ``id`` of each node of a shown text and how it comes to be shown, ``left``
    why a text is left out that comes to where texts are shown, ``other`` how else a text is used,
    ``unread`` the names of entries whose code can't be read, ``files`` the name and function of
    each file that code reads, with the names of the entries.
    """

    entries: list[EntryTexts]
    fields: list[Field]
    shown: dict[int, Way]
    left: dict[int, str]
    other: dict[str, list[str]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    files: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    flow: Flow = field(default_factory=Flow)
    #: the tree of each entry, and the name of its function
    blocks: list[tuple[tree.Block, str]] = field(default_factory=list)

    def texts(self) -> set[str]:
        """All texts that are shown."""
        shown = {
            literal.text
            for entry in self.entries
            for literal in entry.literals
            if id(literal.node) in self.shown
        }
        return shown | {item.text for item in self.fields}

    def places(self) -> dict[str, list[TextPlace]]:
        """Where each text is shown, in the order of the game."""
        places: defaultdict[str, list[TextPlace]] = defaultdict(list)
        for entry in self.entries:
            if any(id(literal.node) in self.shown for literal in entry.literals):
                ways = [self.shown.get(id(literal.node)) for literal in entry.literals]
                lines = entry.lines(self.shown.keys())
                for way, (text, line, source) in zip(filter(None, ways), lines, strict=True):
                    place = (str(entry.entry.name), line, entry.owner, source, way_in_words(way))
                    places[text].append(TextPlace(*place))
        for item in self.fields:
            places[item.text].append(TextPlace(item.where, 0, item.owner, ""))
        return dict(places)


def find_texts(game: GameData, job: Job) -> ShownTexts:
    """The texts that a player sees: those that the code passes to functions that show texts."""
    with paused_collection():
        return _find_texts(game, job.progress, job.rules)


def _find_texts(game: GameData, progress: Progress | None, rules: Rules | None) -> ShownTexts:
    scripts = _scripts(game)
    reader = FlowReader(scripts.values(), _parents(game), rules)
    flow = reader.flow
    entries: list[EntryTexts] = []
    unread: list[str] = []
    blocks: list[tuple[tree.Block, str]] = []
    owners = _owners(game)
    code = list(roots(game))
    for number, entry in enumerate(code):
        name = str(entry.name)
        if progress is not None:
            progress(number, len(code), name)
        try:
            made = game.language.decompiled.tree(entry)
        except OverhaulError:
            unread.append(name)
            continue
        if made.problems:
            unread.append(name)
        use = owners.get(id(entry))
        object_name = str(use.record.name) if use is not None and use.chunk == "OBJT" else ""
        reader.read(made.block, name, scripts.get(id(entry), ""), object_name)
        blocks.append((made.block, scripts.get(id(entry), "")))
        literals = list(_literals(made.block))
        if literals:
            owner = f"{use.record.name} {use.place}".strip() if use is not None else ""
            entries.append(EntryTexts(entry, made.block, literals, _pushes(entry), owner))
    if progress is not None:
        progress(len(code), len(code), "")
    fields = list(_fields(game))
    if rules is not None:
        fields = [item for item in fields if not rules.exclude.text(item.text)]
    shown = ShownTexts(entries, fields, {}, {}, unread=unread, flow=flow, blocks=blocks)
    reader.finish()
    shown.files = reader.files()
    keys = flow.keys()
    _decide(game, shown, flow, keys, rules or Rules())
    shown.other = _other_uses(entries, shown.shown, keys)
    return shown


def template_text(node: tree.TemplateString) -> str:
    """The text of a template as the game has it: its fields are ``{0}``, ``{1}``, ..."""
    parts, count = [], 0
    for part in node.parts:
        if type(part) is tree.String:
            parts.append(part.value)
        else:
            parts.append(f"{{{count}}}")
            count += 1
    return "".join(parts)


def _literals(block: tree.Block) -> Iterator[Literal]:
    """The texts of a tree, in the order of its source."""
    stack: list[tuple[tree.Node, tree.Node]] = [(block, block)]
    while stack:
        node, above = stack.pop()
        if type(node) is tree.String:
            yield Literal(node.value, node, _use(above, node))
            continue
        children = node.children()
        if isinstance(node, tree.TemplateString):
            yield Literal(template_text(node), node, _use(above, node))
            children = [child for child in children if type(child) is not tree.String]
        for child in reversed(children):
            if not child.is_leaf or type(child) is tree.String:
                stack.append((child, node))


def _use(node: tree.Node, child: tree.Node) -> str:
    if isinstance(node, tree.Binary) and node.operator in COMPARISONS:
        return "compared"
    if isinstance(node, tree.Case) and child is node.value:
        return "compared"
    if isinstance(node, tree.Index) and child is not node.object:
        return "a key"
    if isinstance(node, tree.Call) and isinstance(node.function, tree.Name | tree.Member):
        return f"passed to {node.function.name}"
    return "used"


def _decide(
    game: GameData,
    texts: ShownTexts,
    flow: Flow,
    keys: dict[str, dict[int, Way]],
    rules: Rules,
) -> None:
    """Choose the texts for people among those that reach a function that shows texts."""
    assets, variables = game.language.context.asset_ids, _variables(game)
    shown, at_once, looked_up = flow.shown(), flow.at_once(), flow.looked_up()
    for entry in texts.entries:
        name = str(entry.entry.name)
        wanted, unwanted = rules.include.entry(name), rules.exclude.entry(name)
        for text, node, _ in entry.literals:
            if not has_words(text) or text not in entry.pushes:
                continue
            if wanted or rules.include.text(text):
                texts.shown[id(node)] = (_RULES, None)
                continue
            way = shown.get(id(node))
            if way is None:
                if id(node) in looked_up:
                    texts.left[id(node)] = f"it is a key, which {looked_up[id(node)]} looks up"
                continue
            why = ""
            if unwanted or rules.exclude.text(text):
                why = f"{_RULES} exclude it"
            elif id(node) not in at_once:
                if text in assets:
                    why = "it is the name of a resource"
                elif _FILE.fullmatch(text):
                    why = "it is the name of a file"
                elif NAME.fullmatch(text) or text in variables:
                    uses = [use for use, nodes in keys.items() if id(node) in nodes]
                    why = f"it looks like a name, and comes to {uses[0]}" if uses else ""
            if why:
                texts.left[id(node)] = why
            else:
                texts.shown[id(node)] = way


def _variables(game: GameData) -> set[str]:
    """The names of the game's variables, and of GameMaker's own: those in small letters, as others
    may be words for people as well."""
    listed = game.record("VARI")
    names = {str(variable.name) for variable in listed.variables} if listed is not None else set()
    return {name for name in names | load_variables().keys() if name.islower()}


def is_text(text: str) -> bool:
    """Whether a text from a file of texts is for people."""
    return has_words(text) and not NAME.fullmatch(text) and not _FILE.fullmatch(text)


def has_words(text: str) -> bool:
    """Whether a text has a letter and is valid."""
    without_fields = re.sub(r"\{\d+\}", "", text)
    return any(map(str.isalpha, without_fields)) and not any(
        "\ud800" <= letter <= "\udfff" or letter == "\0" for letter in text
    )


def _other_uses(
    entries: list[EntryTexts], shown: dict[int, Way], keys: dict[str, dict[int, Way]]
) -> dict[str, list[str]]:
    texts = {
        literal.text for entry in entries for literal in entry.literals if id(literal.node) in shown
    }
    uses_of: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for entry in entries:
        for text, node, use in entry.literals:
            if text in texts and id(node) not in shown:
                uses_of[text][f"{use} in {entry.entry.name}"] = None
            elif id(node) in shown:
                for function in sorted(name for name, nodes in keys.items() if id(node) in nodes):
                    if function == COMPARISON:
                        continue  # the texts it is compared with have a warning of their own
                    uses_of[text][f"a name that may come to {function}"] = None
    return {text: list(lines) for text, lines in uses_of.items()}


def _pushes(entry: CodeEntry) -> Counter[str]:
    columns, strings = entry.bytecode.columns, entry.game.strings
    operands = columns.operand[is_string_push(columns)]
    numbers, counts = np.unique(operands, return_counts=True)
    pushes: Counter[str] = Counter()
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        if number < len(strings):
            pushes[str(strings[number])] += count
    return pushes


def _owners(game: GameData) -> dict[int, Use]:
    owners: dict[int, Use] = {}
    for use in uses(game):
        if isinstance(use.code, Reference) and use.code.target is not None:
            owners.setdefault(id(use.code.target), use)
    return owners


def _scripts(game: GameData) -> dict[int, str]:
    """The callers of the function of each entry."""
    return {
        id(script.code.entry.target): str(script.name).removeprefix(SCRIPT_PREFIX)
        for script in game.records.scripts.present()
        if isinstance(script.code.entry, Reference)
    }


def _parents(game: GameData) -> dict[str, str]:
    """The parent of each object, "" for none."""
    return {
        str(item.name): str(getattr(getattr(item.parent, "target", None), "name", ""))
        for item in game.records.objects.present()
    }


def _fields(game: GameData) -> Iterator[Field]:
    for room in game.named("ROOM").present():
        if room.caption and has_words(str(room.caption)):
            where = f"rooms/{room.name}"
            yield Field(str(room.caption), room, "caption", where, f"{room.name} caption")
        for layer in room.layers or ():
            for item in getattr(layer.data, "texts", ()):
                if item.text and has_words(str(item.text)):
                    owner = f"{room.name}, layer {layer.name}, text {item.name}"
                    yield Field(str(item.text), item, "text", f"rooms/{room.name}", owner)


# -- explanations ----------------------------------------------------------------------------------


def explain(game: GameData, text: str, job: Job) -> list[Explanation]:
    """Whether each place of a text is translated, and why."""
    shown = find_texts(game, job)
    return [*_in_code(shown, text), *_in_rooms(shown, text)]


def _in_code(shown: ShownTexts, text: str) -> Iterator[Explanation]:
    for entry in shown.entries:
        same = [literal for literal in entry.literals if literal.text == text]
        lines = entry.lines({id(literal.node) for literal in same})
        for literal, (_, line, source) in zip(same, lines, strict=True):
            node = id(literal.node)
            if node in shown.shown:
                yield Explanation(
                    str(entry.entry.name), line, source, True, way_in_words(shown.shown[node])
                )
                continue
            use = "" if literal.use == "used" else f"it is {literal.use}"
            why = shown.left.get(node) or use or "nothing that shows texts gets it"
            yield Explanation(str(entry.entry.name), line, source, False, why)


def _in_rooms(shown: ShownTexts, text: str) -> Iterator[Explanation]:
    for item in shown.fields:
        if item.text == text:
            yield Explanation(item.where, 0, item.owner, True, "a text of a room")
