"""Lists of resources: a slot for each id, which holds a resource or is empty."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar, cast

import msgspec

from overhaul.gamemaker.classic.fields import (
    COUNT,
    Date,
    Flag,
    Kept,
    Text,
    Versioned,
    VersionedRecord,
    block_since,
)
from overhaul.schema import given, since

R = TypeVar("R", bound=VersionedRecord)


class Slot(Kept, Generic[R]):
    """A place in a list of resources; its number is the resource's id.

    A deleted resource leaves ``exists`` 0 and nothing else; a slot made with a resource exists.
    """

    exists: Flag = 0
    name: Annotated[Text, given("exists")] = ""
    changed: Annotated[Date, given("exists"), since(800)] = 0.0

    resource: R | None = None  # stored by the section's own kind of slot, see section()

    def __post_init__(self) -> None:
        if self.resource is not None and not self.exists:
            self.exists = 1


class Section(VersionedRecord, Generic[R]):
    """The resources of one kind.  Since 800 every slot is a zlib block of its own."""

    slots: list[Slot[R]] = msgspec.field(default_factory=list)


class SectionCodec(Versioned[Section[Any]]):
    """The version number and the slots of a section."""

    resources: tuple[type[VersionedRecord], ...] = ()

    def type_name(self) -> str:
        names = " or ".join(resource.__name__ for resource in self.resources)
        return f"section of {names} (version {', '.join(map(str, self.records[0].versions))})"

    def new(self) -> Section[Any]:
        """An empty section."""
        return self.records[0]()


def section(
    name: str, versions: tuple[int, ...], *resources: type[VersionedRecord], slot: type[Kept] = Slot
) -> SectionCodec:
    """The codec of a section whose slots hold one of ``resources``.

    ``versions`` are those of the section; ``slot`` declares what comes before the resource.
    """
    resource = Annotated[Any, Versioned(*resources), given("exists")]
    one = msgspec.defstruct(f"{name}Slot", [("resource", resource, None)], bases=(slot,))
    slots = Annotated[list[Annotated[one, block_since(one)]], COUNT]  # type: ignore[valid-type]
    many = msgspec.defstruct(
        name,
        [("slots", slots, msgspec.field(default_factory=list))],
        bases=(Section,),
        namespace={"versions": versions},
    )
    codec = SectionCodec(cast("type[Section[Any]]", many))
    codec.resources = resources
    return codec
