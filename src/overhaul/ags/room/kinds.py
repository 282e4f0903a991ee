"""The things of a room, and the lists that each kind of them is an element of."""

from __future__ import annotations

from typing import Final

from overhaul.ags.parallel import Column, Kind

#: Hotspots and objects share the list of properties.
_OWNERS: Final = ("hotspots", "objects")
_EVENTS: Final = "v400_eventtables"
_AREA_NAMES: Final = "v400_areanames"

KINDS: Final = (
    Kind(
        "hotspots",
        (
            Column("name", "hotspot_names"),
            Column("script_name", "hotspot_script_names"),
            Column("walk_to", "walk_to_points"),
            Column("conditions", "hotspot_conditions"),
            Column("interaction", "hotspot_interactions"),
            Column("events", "hotspot_events"),
            Column("properties", "sets", 8, joined=_OWNERS),
            Column("event_handlers", "hotspots.tables", _EVENTS),
        ),
    ),
    Kind(
        "objects",
        (
            Column("", "objects"),
            Column("name", "names", 5),
            Column("script_name", "names", 9),
            Column("", "objects", _AREA_NAMES),
            Column("interaction", "object_interactions"),
            Column("events", "object_events"),
            Column("baseline", "object_baselines"),
            Column("flags", "object_flags"),
            Column("properties", "sets", 8, joined=_OWNERS),
            Column("options", "objects", "v363_objects"),
            Column("blending", "objects", "ext_ags399"),
            Column("anchor", "objects", "v400_objopts2"),
            Column("event_handlers", "objects.tables", _EVENTS),
        ),
    ),
    Kind(
        "regions",
        (
            Column("light", "region_light"),
            Column("tint", "region_tint"),
            Column("name", "regions", _AREA_NAMES),
            Column("interaction", "region_interactions"),
            Column("events", "region_events"),
            Column("properties", "regions", "v400_customprops"),
            Column("event_handlers", "regions.tables", _EVENTS),
        ),
    ),
    Kind(
        "walk_areas",
        (
            Column("scaling_far", "scaling_far"),
            Column("scaling_near", "scaling_near"),
            Column("scaling_top", "scaling_top"),
            Column("scaling_bottom", "scaling_bottom"),
            Column("player_view", "player_view"),
            Column("name", "walk_areas", _AREA_NAMES),
            Column("options", "areas", "v400_walkopts"),
            Column("properties", "walk_areas", "v400_customprops"),
        ),
    ),
    Kind(
        "walk_behinds",
        (
            Column("baseline", "walk_behind_baselines"),
            Column("name", "walk_behinds", _AREA_NAMES),
        ),
    ),
    Kind("messages", (Column("text", "messages"), Column("", "message_info"))),
)
"""Each kind of thing."""
