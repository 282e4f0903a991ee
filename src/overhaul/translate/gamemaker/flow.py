"""Where texts in code go: a flow of values by name through a whole game, backwards from what shows
them.

A place is a variable of an object's instances, of anything, or of the game; a local variable, an
argument or the result of a function; the value of a map for a key.  What an array, list, map or
struct holds counts as the variable's own.  A text is shown if it comes to a place that is drawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from overhaul.gml.syntax import tree

#: Written: ("set", name) a variable of anything, ("own", object, name) of an object's instances.
#: Read: ("any", name), ("of", object, name).  Both: ("global", name), ("local", function, name),
#: ("argument", function, number), ("result", function), ("field", key), ...
Place: TypeAlias = tuple[object, ...]
Text: TypeAlias = tree.String | tree.TemplateString
#: the places that a text passes on its way, beginning with what shows it
Way: TypeAlias = "tuple[str, Way | None]"
#: the objects whose events an instance of each object, or of one made of it, runs
Families: TypeAlias = dict[str, set[str]]

#: how many places of a way are told
_TOLD = 6


class Source(NamedTuple):
    """Where a value comes from; ``members``: not itself, but what its struct holds."""

    node: Text | tree.StructLiteral | None
    place: Place
    members: bool


class Flow:
    """What comes to which place in one game, and which texts are shown."""

    def __init__(self, families: Families | None = None) -> None:
        self._families = families or {}
        self._loose = False
        self._from: defaultdict[Place, list[Source]] = defaultdict(list)
        self._put: defaultdict[Place, list[Source]] = defaultdict(list)
        self._aliases: defaultdict[Place, list[Place]] = defaultdict(list)
        self._owners: defaultdict[str, dict[Place, None]] = defaultdict(dict)
        self._shown: defaultdict[str, list[Source]] = defaultdict(list)
        self._keys: defaultdict[str, list[Source]] = defaultdict(list)
        #: what shows texts: the call (None for a variable), its name, and where its texts come from
        self.sites: list[tuple[tree.Node | None, str, list[Source]]] = []

    # -- building ----------------------------------------------------------------------------

    def assign(self, place: Place, sources: list[Source], other: Place | None = None) -> None:
        """A place takes a value; what is put into it later is in ``other``, too."""
        self._from[place] += sources
        self._note(place)
        if other is not None and other != place:
            self._aliases[other].append(place)

    def hold(self, place: Place, sources: list[Source], key: str | None = None) -> None:
        """A value is put into what a place holds; ``key`` is that of a map."""
        self._note(place)
        if key is not None:
            self._from["field", key] += sources
            place = ("keyed", *place)
        self._put[place] += sources

    def member(self, node: tree.StructMember, sources: list[Source]) -> None:
        """A member of a struct has a value."""
        self._from["set", node.name] += sources
        self._from["member", id(node)] += sources

    def show(self, node: tree.Node | None, name: str, sources: list[Source]) -> None:
        """A call, or a variable (None), of this name shows values."""
        self._shown[name] += sources
        self.sites.append((node, name, sources))

    def use_as_key(self, use: str, sources: list[Source]) -> None:
        """Values are names of something: by the function or accessor."""
        self._keys[use] += sources

    def link(self, owner: str, taken: str) -> None:
        """Instances of an object run the events of another; "" for an object that isn't known."""
        if not owner or not taken:
            self._loose = True
            return
        self._families[owner] |= {taken}
        self._families[taken] |= {owner}

    def _note(self, place: Place) -> None:
        if place[0] == "own":
            self._owners[str(place[2])][place] = None

    # -- asking ------------------------------------------------------------------------------

    def shown(self) -> dict[int, Way]:
        """The ``id`` of each text node that is shown, and how it comes there."""
        return self._reached(self._shown)

    def at_once(self) -> set[int]:
        """The ``id`` of each text node that is passed to what shows it, not to a variable."""
        return {id(each.node) for sources in self._shown.values() for each in sources if each.node}

    def keys(self) -> dict[str, dict[int, Way]]:
        """The ``id`` of each text node that comes to a place where it is a name of something: by
        the function or accessor."""
        return {use: self._reached({use: sources}) for use, sources in self._keys.items()}

    def reached(self, sources: list[Source]) -> Iterable[int]:
        """The ``id`` of each text node that comes from one of the sources."""
        return self._reached({"": sources})

    def written(self, place: Place) -> list[Place]:
        """The places that are written where a variable is read."""
        if place[0] == "any":
            name = str(place[1])
            return [("set", name), *self._owners[name]]
        if place[0] == "of":
            owner, name = str(place[1]), str(place[2])
            if self._loose:
                return [("set", name), *self._owners[name]]
            return [("set", name), *(("own", each, name) for each in self._families[owner])]
        return []

    def _reached(self, seeds: Mapping[str, list[Source]]) -> dict[int, Way]:
        found: dict[int, Way] = {}
        known: set[tuple[Place, bool]] = set()
        todo: list[tuple[Source, Way]] = [
            (source, (use, None)) for use, sources in seeds.items() for source in sources
        ]
        while todo:
            (node, place, members), way = todo.pop()
            if node is None:
                if (place, members) not in known:
                    known.add((place, members))
                    label = _told(place)
                    further = (label, way) if label and label != way[0] else way
                    for source in self._behind(place):
                        if members and not source.members:
                            source = source._replace(members=True)
                        todo.append((source, further))
            elif isinstance(node, tree.StructLiteral):
                if members:
                    for member in node.members:
                        todo += [(each, way) for each in self._from["member", id(member)]]
            elif not members:
                found.setdefault(id(node), way)
        return found

    def _behind(self, place: Place) -> list[Source]:
        """What a place may hold."""
        mark: Place = ()
        if place[0] in ("put", "keyed"):
            mark, place = place[:1], place[1:]
        found = list(self._put[(*mark, *place)] if mark == ("keyed",) else self._put[place])
        if not mark:
            found += self._from[place]
        further = [(*(mark or ("put",)), *alias) for alias in self._aliases[place]]
        further += [(*mark, *each) for each in self.written(place)]
        return found + [Source(None, each, False) for each in further]


def told_way(passed: Way) -> str:
    """How a text comes to be shown, in words."""
    places = []
    step: Way | None = passed
    while step is not None:
        label, step = step
        places.append(label)
    *through, last = places
    if len(through) > _TOLD:
        through = [*through[: _TOLD - 1], "...", through[-1]]
    return f"shown by {last}" + (f", through {', '.join(through)}" if through else "")


def _told(place: Place) -> str:
    """A place in an explanation; "" for what only leads to another."""
    kind, *rest = place
    match kind:
        case "global":
            return f"global.{rest[0]}"
        case "any" | "local" | "of":
            return str(rest[-1])
        case "argument":
            return f"argument {rest[1]} of {rest[0]}"
        case "arguments":
            return f"an argument of {rest[0]}"
        case "result":
            return f"the result of {rest[0]}"
        case "field":
            return f"the key {str(rest[0])!r} of a map"
        case _:
            return ""
