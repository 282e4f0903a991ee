"""How often decompiled source is what the person wrote, on the corpus's original sources.

The share of entries whose text in normal form (tests/support/gml_normal.py) equals the original's:

    as it stands    nothing but the game's file is known
    without var     the same, wherever ``var`` stands
    own constants   both with the project's own macros, constants and enums resolved
    all constants   both with all names of numbers resolved: the structure alone is compared

what the rest would need: how many more were equal if just the ``var`` stood where the person put
it, or just the booleans, the built-in constants, the assets, the project's own constants and enums
were known; and the ten entries that differ most.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from difflib import SequenceMatcher
from hashlib import sha256
from typing import Any, TypedDict

from runner import Bench, Result

from gml_normal import Names, normal
from overhaul.gml.context import Context
from overhaul.gml.decompiler import gather
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.roundtrip import decompile
from overhaul.gml.syntax import tree
from sourcepairs import Build, builds

MEASURES = ("as it stands", "without var", "own constants", "all constants")
CLASSES = ("booleans", "built-in constants", "assets", "own constants and enums")


class Class(Names):
    """Names of one class only."""

    def __init__(self, context: Context, kind: str) -> None:
        super().__init__(context, everything=True)
        self.kind = kind
        if kind != "own constants and enums":
            self.macros, self.members, self.globals = {}, {}, set()

    def number(self, node: tree.Expression) -> float | None:
        """The number behind an expression of this class, or None."""
        if isinstance(node, (tree.Number, tree.Int64)):
            return node.value
        if isinstance(node, tree.Boolean):
            return int(node.value) if self.kind == "booleans" else None
        asset = isinstance(node, tree.Name) and self.context.asset_id(node.name) is not None
        if isinstance(node, (tree.Name, tree.Call)):
            wanted = "assets" if asset else "built-in constants"
            return super().number(node) if self.kind == wanted else None
        return super().number(node) if self.kind == "own constants and enums" else None


def group_of(build: Build) -> str:
    """The version group that the corpus's list gives a game."""
    table = build.path.parent / "index.tsv"
    for line in table.read_text(encoding="utf-8").splitlines():
        name, *rest = line.split("\t")
        if name == build.path.name:
            return next((each for each in rest if each.startswith("G") and ":" in each), "")
    return ""


def half_of(build: Build) -> str:
    """Which half of the corpus's second part a game is in, by its owner's name: the even one had a
    part in making the rules, the other one had none.  "" for the first part."""
    if build.folder.parent.name == "sourcepairs":
        return ""
    owner = build.folder.name.partition("__")[0]
    odd = sha256(owner.encode()).digest()[-1] % 2
    return "second part, other half" if odd else "second part, even half"


def texts(build: Build) -> dict[str, str]:
    """The decompiled source of a game's entries, with nothing known but the game."""
    language = build.game.language
    entries = [
        language.code(entry)
        for entry in build.game.records.code
        if entry is not None and entry.root is None
    ]
    inferred = gather(entries, language.context)
    return {code.name: decompile(code, language.context, inferred=inferred) for code in entries}


def same(one: str, other: str, context: Context, **way: Any) -> bool:
    """Whether two sources have one normal form."""
    try:
        return normal(one, context, **way) == normal(other, context, **way)
    except SyntaxError_:
        return False


class Way(TypedDict):
    """How sources are made alike before they are compared: the parameters of normal."""

    declarations: bool
    names: Names | None


def compare(build: Build, worst: list[tuple[float, str]]) -> Counter[str]:
    """How many entries are equal by each measure."""
    count: Counter[str] = Counter()
    shown = texts(build)
    context = build.context  # with the project's definitions, from here on
    for name in build.facts["globalvars"]:
        context.add_global(name)
    own, everything = Names(context, everything=False), Names(context, everything=True)
    ways: tuple[Way, ...] = (
        {"declarations": True, "names": None},
        {"declarations": False, "names": None},
        {"declarations": False, "names": own},
        {"declarations": False, "names": everything},
    )
    classes = [(kind, Class(context, kind)) for kind in CLASSES]
    for pair in build.pairs():
        if pair.entry not in shown:
            continue
        count["entries"] += 1
        left = right = ""
        for measure, way in zip(MEASURES, ways, strict=True):
            try:
                left = normal(pair.source, context, **way)
                right = normal(shown[pair.entry], context, **way)
            except SyntaxError_:
                continue
            count[measure] += left == right
        if same(pair.source, shown[pair.entry], context, declarations=True):
            continue
        count["var"] += same(pair.source, shown[pair.entry], context, declarations=False)
        for kind, names in classes:
            count[kind] += same(
                pair.source, shown[pair.entry], context, declarations=True, names=names
            )
        if left != right:
            like = SequenceMatcher(None, left.split(), right.split(), autojunk=False).ratio()
            worst.append((like, f"{build.folder.name[:40]} {pair.entry}"))
    return count


def main() -> None:
    bench = Bench("Readability of decompiled source (overhaul.gml.decompiler)")
    groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
    halves: defaultdict[str, Counter[str]] = defaultdict(Counter)
    worst: list[tuple[float, str]] = []
    for build in builds():
        count = compare(build, worst)
        groups[group_of(build) or build.group()] += count
        halves[half_of(build)] += count
    if not groups:
        print("  no corpus of original sources here", file=sys.stderr)
        return
    groups["all"] = sum(groups.values(), Counter())
    told = {half: count for half, count in halves.items() if half}
    groups.update(told)
    for group, count in sorted(groups.items()):
        for measure in MEASURES:
            share = 100 * count[measure] / max(count["entries"], 1)
            note = f"{count['entries']:,} entries" if measure == MEASURES[0] else ""
            target = 60 if (group, measure) == ("all", MEASURES[0]) else None
            bench.add(Result(f"{group}: {measure}", share, "%", target, note=note))
    for group in ("all", *sorted(told)):
        for kind in ("var", *CLASSES):
            share = 100 * groups[group][kind] / groups[group]["entries"]
            bench.add(Result(f"{group}: more, were just known: {kind}", share, "%"))
    for like, name in sorted(worst)[:10]:
        print(f"  differs most ({like:.2f} of all tokens equal): {name}", file=sys.stderr)
    bench.finish()


if __name__ == "__main__":
    main()
