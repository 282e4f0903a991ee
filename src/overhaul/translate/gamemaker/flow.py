"""Where texts in code go: a flow of values by name through a whole game, backwards from what shows
them.

A place is a variable of an object's instances, of anything, or of the game; a local variable, an
argument or the result of a function; the value of a map for a key. The contents of an array,
list, map or struct count as the variable's own. A text is shown if it comes to a place that is
drawn.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from overhaul.gml.syntax import tree

#: Written: ("set", name) a variable of anything, ("own", object, name) of an object's instances,
#: ("computed", number) one whose name is computed.  Read: ("any", name), ("of", object, name),
#: ("like", number).  Both: ("global", name), ("local", function, name), ("argument", function,
#: number), ("result", function), ("made", constructor), ("field", key), ...
Place: TypeAlias = tuple[object, ...]
Text: TypeAlias = tree.String | tree.TemplateString
#: the lookups that were passed, each with whether what is in a struct was asked for
_Passed: TypeAlias = dict[Place, dict[bool, None]]
#: the places that a text passes on its way, beginning with what shows it
Way: TypeAlias = "tuple[str, Way | None]"
#: the objects whose events an instance of each object, or of one made of it, runs (in the order of
#: the game, so that the ways of texts are always the same)
Families: TypeAlias = dict[str, dict[str, None]]

#: the form of names in code, which texts do not have
NAME = re.compile(r"[A-Za-z0-9]*_\w*|[a-z]+[A-Z]\w*", re.ASCII)
#: the kinds of places that variables are written at
_WRITTEN = ("set", "own")
#: the place that stands for all places that are written where a variable of anything is read
_TOGETHER = "together"
#: how many places of a way an explanation names
_MOST = 6


class ValueSource(NamedTuple):
    """Where a value comes from; ``members``: not itself, but what its struct holds."""

    node: Text | tree.StructLiteral | None
    place: Place
    members: bool


class Lookup(NamedTuple):
    """The keys of a function that looks its argument up, and returns it where it finds nothing:
    ``keys`` are those in code; ``every`` text that it gets is one, or only those."""

    keys: frozenset[str]
    every: bool

    def has(self, text: str) -> bool:
        """Whether a text is a key, or code makes a key of it."""
        if self.every or text in self.keys:
            return True
        part = NAME.fullmatch(text) is not None
        return part and any(key.startswith(text) or key.endswith(text) for key in self.keys)


class _Walk(NamedTuple):
    """A place on the way back from code that shows texts: the values that come to it, the last
    first, the way, and the function whose result it is."""

    sources: Iterator[ValueSource]
    way: Way
    returned: str


class Flow:
    """The values that come to each place in one game, and the texts that are shown; it is asked
    only when all is built."""

    def __init__(self, families: Families | None = None) -> None:
        self._families = families or {}
        self._loose = False
        self._from: defaultdict[Place, list[ValueSource]] = defaultdict(list)
        self._put: defaultdict[Place, list[ValueSource]] = defaultdict(list)
        self._aliases: defaultdict[Place, list[Place]] = defaultdict(list)
        self._owners: defaultdict[str, dict[Place, None]] = defaultdict(dict)
        self._shown: defaultdict[str, list[ValueSource]] = defaultdict(list)
        self._keys: defaultdict[str, list[ValueSource]] = defaultdict(list)
        #: the code that shows texts: the call (None for a variable), its name, and where its texts
        #: come from
        self.sites: list[tuple[tree.Node | None, str, list[ValueSource]]] = []
        #: the values among which functions look arguments up, by the places of the arguments
        self.lookups: dict[Place, Lookup] = {}
        #: the keys of maps that code writes
        self.fields: set[str] = set()
        self._wrote: list[tuple[re.Pattern[str], Place]] = []
        #: the names of the variables that a place with a computed name reads, and of their owners
        self._read: dict[Place, tuple[str, tuple[str, ...]]] = {}
        #: how many places there were, and the names of variables among them
        self._written_names: tuple[tuple[int, int], list[str]] = (0, 0), []
        #: the names among them that match some patterns
        self._named_like: dict[tuple[str, ...], list[str]] = {}
        self._computed_places: dict[str, list[Place]] = {}
        self._found: dict[tuple[Place, bool], list[ValueSource]] = {}

    # -- building ----------------------------------------------------------------------------

    def assign(self, place: Place, sources: list[ValueSource], other: Place | None = None) -> None:
        """A place takes a value; what is put into it later is in ``other``, too."""
        self._from[place] += sources
        self._note(place)
        if other is not None and other != place:
            self._aliases[other].append(place)

    def hold(self, place: Place, sources: list[ValueSource], key: str | None = None) -> None:
        """A value is put into what a place holds; ``key`` is that of a map."""
        self._note(place)
        if key is not None:
            self.fields.add(key)
            self._from["field", key] += sources
            place = ("keyed", *place)
        self._put[place] += sources

    def member(self, node: tree.StructMember, sources: list[ValueSource]) -> None:
        """A member of a struct has a value."""
        self._from["set", node.name] += sources
        self._from["member", id(node)] += sources

    def member_of(self, place: Place, sources: list[ValueSource]) -> None:
        """A member of the struct that a place holds takes a value."""
        self._note(place)
        self._from["member", *place] += sources

    def writes_like(self, place: Place, patterns: Iterable[str]) -> None:
        """The variables with such names, in which ``*`` is not known, are written at a place."""
        self._wrote += [(_like(pattern), place) for pattern in patterns]

    def reads_like(self, place: Place, patterns: Iterable[str], owner: str) -> None:
        """A place reads the variables with such names, of an object's instances or ("") of
        anything."""
        wanted = tuple(patterns)
        sizes = len(self._from), len(self._put)
        if self._written_names[0] != sizes:
            places = chain(self._from, self._put)
            names = dict.fromkeys(str(place[-1]) for place in places if place[0] in _WRITTEN)
            self._written_names = sizes, list(names)
            self._named_like.clear()
        if wanted not in self._named_like:
            like = [_like(pattern) for pattern in wanted]
            self._named_like[wanted] = [
                name
                for name in self._written_names[1]
                if any(pattern.fullmatch(name) for pattern in like)
            ]
        self._read[place] = owner, wanted

    def show(self, node: tree.Node | None, name: str, sources: list[ValueSource]) -> None:
        """A call, or a variable (None), of this name shows values."""
        self._shown[name] += sources
        self.sites.append((node, name, sources))

    def use_as_key(self, use: str, sources: list[ValueSource]) -> None:
        """Values are names of something: by the function or accessor."""
        self._keys[use] += sources

    def link(self, owner: str, taken: str) -> None:
        """Instances of an object run the events of another; "" for an object that isn't known."""
        if not owner or not taken:
            self._loose = True
            return
        self._families[owner][taken] = None
        self._families[taken][owner] = None

    def _note(self, place: Place) -> None:
        if place[0] == "own":
            self._owners[str(place[2])][place] = None

    # -- asking ------------------------------------------------------------------------------

    def shown(self) -> dict[int, Way]:
        """The ``id`` of each text node that is shown, and how it comes there."""
        return self._reached(self._shown)

    def at_once(self) -> set[int]:
        """The ``id`` of each text node that is passed to what shows it, not to a variable."""
        return {
            id(source.node) for sources in self._shown.values() for source in sources if source.node
        }

    def keys(self) -> dict[str, dict[int, Way]]:
        """The ``id`` of each text node that comes to a place where it is a name of something: by
        the function or accessor."""
        return {use: self._reached({use: sources}) for use, sources in self._keys.items()}

    def reached(self, sources: list[ValueSource]) -> Iterable[int]:
        """The ``id`` of each text node that comes from one of the sources."""
        return self._reached({"": sources})

    def texts(self, place: Place) -> Iterator[str]:
        """The texts that come to a place."""
        for node, _ in self._walk({"": [ValueSource(None, place, False)]}):
            if isinstance(node, tree.String):
                yield node.value

    def looked_up(self) -> dict[int, str]:
        """The ``id`` of each text node that would be shown, were it not a key that a function looks
        up, with that function."""
        keys: dict[int, str] = {}
        passed: _Passed = {}
        if self.lookups:
            for _ in self._walk(self._shown, passed=passed):
                pass
        for lookup, places in self._alike(passed).items():
            known: set[tuple[object, ...]] = set()  # functions that look up the same share it
            for place in places:
                behind = [s for members in passed[place] for s in self._sources(place, members)]
                for node, _ in self._walk({"": behind}, known=known):
                    if lookup.has(_text(node)):
                        keys.setdefault(id(node), str(place[1]))
        return keys

    def written(self, place: Place) -> Iterator[Place]:
        """The places that are written where a variable is read."""
        for part in self._parts(place):
            if part[0] == _TOGETHER:
                yield from self._together(part[1])
            else:
                yield part

    def own_arguments(self, sources: list[ValueSource], function: str) -> list[Place]:
        """The arguments of a function that its own expressions are, by way of local variables."""
        return [place for place in self._own(sources) if place[:2] == ("argument", function)]

    def returns(self, function: str) -> list[Place]:
        """The values that a function returns, by way of local variables: places, and () for a
        text."""
        return self._own(self._from.get(("result", function), []))

    def _own(self, sources: list[ValueSource]) -> list[Place]:
        places: dict[Place, None] = {}
        todo = list(sources)
        while todo:
            place = todo.pop().place
            if place not in places:
                places[place] = None
                if place and place[0] == "local":
                    todo += self._from.get(place, ())
        return [place for place in places if not place or place[0] != "local"]

    def _computed(self, name: str) -> list[Place]:
        places = self._computed_places.get(name)
        if places is None:
            like = {pattern: pattern.fullmatch(name) is not None for pattern, _ in self._wrote}
            places = [place for pattern, place in self._wrote if like[pattern]]
            self._computed_places[name] = places
        return places

    def _reached(self, seeds: Mapping[str, Sequence[ValueSource]]) -> dict[int, Way]:
        """The ``id`` of each text node that comes to the seeds, and how.

        A key of lookups counts where it comes by a way that passes none of them: such keys are
        looked for again, those of the same lookups together.
        """
        ways: dict[int, Way] = {}
        nodes: dict[int, Text] = {}
        passed: _Passed = {}
        for node, way in self._walk(seeds, passed=passed):
            ways.setdefault(id(node), way)
            nodes[id(node)] = node
        if not passed:
            return ways
        alike = self._alike(passed)
        keys: defaultdict[frozenset[Place], set[int]] = defaultdict(set)
        lookups_of: dict[str, frozenset[Place]] = {}
        for number, node in nodes.items():
            text = _text(node)
            if text not in lookups_of:
                having = [places for lookup, places in alike.items() if lookup.has(text)]
                lookups_of[text] = frozenset(chain.from_iterable(having))
            if lookups_of[text]:
                keys[lookups_of[text]].add(number)
                del ways[number]
        for avoided, numbers in keys.items():
            for node, way in self._walk(seeds, avoided):
                if id(node) in numbers:
                    ways.setdefault(id(node), way)
        return ways

    def _alike(self, passed: _Passed) -> dict[Lookup, list[Place]]:
        """The lookups that were passed: those of the same keys together."""
        alike: defaultdict[Lookup, list[Place]] = defaultdict(list)
        for place, lookup in self.lookups.items():
            if place in passed:
                alike[lookup].append(place)
        return alike

    def _walk(
        self,
        seeds: Mapping[str, Sequence[ValueSource]],
        avoided: frozenset[Place] = frozenset(),
        *,
        passed: _Passed | None = None,
        known: set[tuple[object, ...]] | None = None,
    ) -> Iterator[tuple[Text, Way]]:
        """The texts that come to the seeds, each with its way, the last source first.

        ``avoided`` are lookups that no way passes; those that one passes are noted in ``passed``,
        what was seen in ``known``.  Places that are read together (``_TOGETHER``) are gone through
        once, by all that read them, so the work follows the size of the flow.
        """
        known = set() if known is None else known
        together: dict[tuple[Place, bool], Iterator[ValueSource]] = {}
        stack = [_Walk(reversed(sources), (use, None), "") for use, sources in seeds.items()]
        while stack:
            sources, way, returned = stack[-1]
            source = next(sources, None)
            if source is None:
                stack.pop()
                continue
            node, place, members = source
            if node is None:
                if place[0] == _TOGETHER:
                    if (place, members) not in together:
                        together[place, members] = reversed(self._sources(place, members))
                    stack.append(_Walk(together[place, members], way, returned))
                    continue
                if place in self.lookups and place[1] == returned:
                    if place in avoided:
                        continue
                    if passed is not None:
                        passed.setdefault(place, {})[members] = None
                state = (place, members, returned if place[0] == "local" else "")
                if state in known:
                    continue
                known.add(state)
                label = _shown_as(place)
                further = (label, way) if label and label != way[0] else way
                if place[0] != "local":
                    returned = str(place[1]) if place[0] == "result" else ""
                stack.append(_Walk(reversed(self._sources(place, members)), further, returned))
            elif isinstance(node, tree.StructLiteral):
                if members:
                    kept = (self._from.get(("member", id(part)), ()) for part in node.members)
                    held = list(chain.from_iterable(kept))
                    stack.append(_Walk(reversed(held), way, ""))
            elif not members:
                yield node, way

    def _sources(self, place: Place, members: bool) -> list[ValueSource]:
        """The values that a place, or with ``members`` its struct, may hold."""
        sources = self._found.get((place, members))
        if sources is None:
            sources = self._found[place, members] = self._behind(place, members)
        return sources

    def _behind(self, place: Place, members: bool) -> list[ValueSource]:
        mark: Place = ()
        if place[0] == _TOGETHER:
            _, several, *marks = place
            return [ValueSource(None, (*marks, *part), members) for part in self._together(several)]
        if place[0] in ("put", "keyed"):
            mark, place = place[:1], place[1:]
        put = self._put.get((*mark, *place) if mark == ("keyed",) else place, ())
        sources = [*put, *(() if mark else self._from.get(place, ()))]
        further = [(*(mark or ("put",)), *alias) for alias in self._aliases.get(place, ())]
        for part in self._parts(place):
            further.append((*part, *mark) if part[0] == _TOGETHER else (*mark, *part))
        if members and ("member", *place) in self._from:
            further.append(("member", *place))
        sources += [ValueSource(None, other, False) for other in further]
        if members:
            sources = [
                source if source.place[:1] == ("member",) else source._replace(members=True)
                for source in sources
            ]
        return sources

    def _parts(self, place: Place) -> Iterator[Place]:
        """The values that are written where a variable is read: a place that stands for all that
        many read."""
        kind, *rest = place
        if kind == "any" or (kind == "of" and self._loose):
            yield _TOGETHER, ("any", rest[-1])
        elif kind == "of":
            owner, name = map(str, rest)
            yield "set", name
            for family in self._families[owner]:
                own = ("own", family, name)
                if self._is_used(own):
                    yield own
            yield _TOGETHER, ("computed", name)
        elif place in self._read:
            yield _TOGETHER, ("like", *self._read[place])

    def _together(self, several: object) -> Iterator[Place]:
        """The places that one place stands for."""
        match several:
            case ("like", str(owner), tuple(wanted)):
                kind = ("of", owner) if owner else ("any",)
                yield from ((*kind, name) for name in self._named_like[wanted])
            case ("any", str(name)):
                yield "set", name
                yield from self._owners.get(name, ())
                yield from self._computed(name)
            case ("computed", str(name)):
                yield from self._computed(name)

    def _is_used(self, place: Place) -> bool:
        """Whether something comes to a place, or to what it holds."""
        return (
            place in self._from
            or place in self._put
            or place in self._aliases
            or ("keyed", *place) in self._put
            or ("member", *place) in self._from
        )


def way_in_words(passed: Way) -> str:
    """How a text comes to be shown, in words."""
    places = []
    step: Way | None = passed
    while step is not None:
        label, step = step
        places.append(label)
    *through, last = places
    if len(through) > _MOST:
        through = [*through[: _MOST - 1], "...", through[-1]]
    return f"shown by {last}" + (f", through {', '.join(through)}" if through else "")


def _like(pattern: str) -> re.Pattern[str]:
    """The test that matches names with a pattern, in which ``*`` is unknown."""
    return re.compile("".join(".*" if letter == "*" else re.escape(letter) for letter in pattern))


def _text(node: Text) -> str:
    return node.value if isinstance(node, tree.String) else ""


def _shown_as(place: Place) -> str:
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
