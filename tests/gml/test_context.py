"""What a Context remembers."""

from __future__ import annotations

import pytest

from overhaul import gml
from overhaul.gml.asset_types import NEW_ASSET_TYPES, OLD_ASSET_TYPES
from overhaul.gml.context import ASSET_KINDS


def test_assets() -> None:
    context = gml.Context()
    context.add_assets("sprite", ["spr_a", None, "spr_c"])
    context.add_asset("room", 0, "spr_a")
    assert context.asset_name("sprite", 2) == "spr_c"
    assert context.asset_name("sprite", 1) is None
    assert context.asset_name("no kind", 0) is None
    context.add_asset("sprite", 3, "spr 1")
    context.add_asset("sprite", 4, "шар")
    assert context.asset_name("sprite", 3) is None  # no name that code can have
    assert context.asset_name("sprite", 4) == "шар"
    assert context.asset_id("spr_a") == ("sprite", 0)
    assert context.asset_id("spr_b") is None
    with pytest.raises(ValueError, match="unknown asset kind"):
        context.add_asset("monster", 0, "x")


def test_functions() -> None:
    context = gml.Context()
    context.add_function("hit", "gml_Script_hit")
    context.add_function("miss", "gml_Script_miss")
    assert context.function_code_name("hit") == "gml_Script_hit"
    assert context.function_of_code("gml_Script_hit") == "hit"
    assert context.function_of_code("hit") is None


def test_asset_types_are_known_kinds() -> None:
    for types in (OLD_ASSET_TYPES, NEW_ASSET_TYPES):
        assert set(types.values()) <= set(ASSET_KINDS)
        assert len(set(types.values())) == len(types)


def test_a_context_that_shares_functions_has_its_own_once_one_is_added() -> None:
    context = gml.Context()
    context.add_function("f", "gml_Script_f")
    shared = context.overlay(functions=False)
    inner = shared.overlay(functions=False)
    assert inner.functions is shared.functions is context.functions
    inner.add_function("g", "gml_Script_g")
    assert shared.functions is context.functions
    assert (list(context.functions), list(inner.functions)) == (["f"], ["f", "g"])
    assert inner.definitions_beyond(shared).functions == {"g": "gml_Script_g"}
    assert context.overlay().own_functions() is not context.functions
