"""The events of things, in the order of their numbers, as the editor calls them."""

from __future__ import annotations

from typing import Final

ROOM_EVENTS: Final = (
    "LeaveLeft", "LeaveRight", "LeaveBottom", "LeaveTop", "FirstLoad", "Load", "RepExec",
    "AfterFadeIn", "Leave", "Unload",
)  # fmt: skip
HOTSPOT_EVENTS: Final = (
    "WalkOn", "Look", "Interact", "UseInv", "Talk", "AnyClick", "MouseMove", "PickUp", "Mode8",
    "Mode9",
)  # fmt: skip
OBJECT_EVENTS: Final = (
    "Look", "Interact", "Talk", "UseInv", "AnyClick", "PickUp", "Mode8", "Mode9",
)  # fmt: skip
INVENTORY_EVENTS: Final = ("Look", "Interact", "Talk", "UseInv", "OtherClick")
REGION_EVENTS: Final = ("Standing", "WalksOnto", "WalksOff")
