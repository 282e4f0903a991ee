"""Which capabilities a version has, and that every one is in the public list."""

from __future__ import annotations

from dataclasses import fields

import pytest

from overhaul import gml
from overhaul.gml.dialect import NEWEST, RULES

PUBLIC = [
    "gms2_or_later", "gml_v2", "bytecode14_or_lower", "string_real_optimizations",
    "logical_short_circuit", "long_compound_bitwise", "finally_before_throw",
    "constructor_set_static", "reentrant_static", "array_copy_on_write", "new_array_owners",
    "nullish_operator", "new_function_variables", "self_to_builtin",
    "global_constant_function", "object_function_foresight", "better_try_break_continue",
    "builtin_default_arguments", "extra_repeat_instruction", "typed_booleans",
    "asset_references", "room_instance_references", "function_script_references",
    "new_function_resolution", "optimized_function_declarations",
    "new_chained_function_argument_order", "template_strings", "modern_template_strings",
    "static_marker_everywhere", "builtin_globals_as_self", "switch_default_exit_keeps_value",
]  # fmt: skip


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_capability_can_be_overridden(name: str) -> None:
    value = getattr(gml.Dialect(), name)
    assert getattr(gml.Dialect(**{name: not value}), name) is not value
    assert getattr(gml.Dialect().replace(**{name: not value}), name) is not value


def test_every_capability_says_what_it_means() -> None:
    assert {field.name for field in fields(gml.Dialect)} == {*RULES, "bytecode"}
    assert all(rule.meaning for rule in RULES.values())


def test_the_defaults_are_the_newest_release() -> None:
    assert gml.Dialect() == gml.Dialect.for_version(17, NEWEST)


# Capability, and the versions before and after which it changes.
STEPS = [
    ("plain_as_builtin", True, (1, 0, 0, 666), (1, 0, 0, 667)),
    ("two_indices_checked", False, (1, 0, 0, 666), (1, 0, 0, 667)),
    ("every_index_checked", False, (1, 0, 0, 666), (1, 0, 0, 929)),
    ("every_index_checked", True, (1, 0, 0, 964), (1, 0, 0, 1044)),
    ("compound_reads_again", True, (1, 0, 0, 513), (1, 0, 0, 514)),
    ("ord_folds", False, (1, 0, 0, 412), (1, 0, 0, 413)),
    ("switch_return_direct", True, (1, 0, 0, 1043), (1, 0, 0, 1044)),
    ("bitwise_int64", False, (1, 0, 0, 1043), (1, 0, 0, 1044)),
    ("logical_short_circuit", False, (1, 0, 0, 1043), (1, 0, 0, 1044)),
    ("browser_constant", False, (1, 0, 0, 666), (1, 0, 0, 667)),
    ("every_place", True, (1, 0, 0, 1044), (1, 0, 0, 1045)),
    ("gml_v2", False, (2, 2, 5, 0), (2, 3, 0, 0)),
    ("typed_booleans", False, (2, 3, 6, 0), (2, 3, 7, 0)),
    ("extra_repeat_instruction", True, (2022, 9, 0, 0), (2022, 11, 0, 0)),
    ("array_copy_on_write", True, (2022, 1, 0, 0), (2022, 2, 0, 0)),
    ("asset_references", False, (2023, 6, 0, 0), (2023, 8, 0, 0)),
    ("self_to_builtin", False, (2023, 11, 0, 0), (2024, 2, 0, 0)),
    ("renumbered_asset_types", False, (2024, 2, 0, 0), (2024, 4, 0, 0)),
    ("finally_before_throw", True, (2024, 4, 0, 0), (2024, 6, 0, 0)),
    ("code_locals_list", True, (2024, 6, 0, 0), (2024, 8, 0, 0)),
    ("reentrant_static", True, (2024, 8, 0, 0), (2024, 11, 0, 0)),
    ("string_call_folds", True, (2022, 9, 0, 0), (2022, 11, 0, 0)),
    ("string_call_folds", False, (2024, 11, 0, 0), (2024, 13, 0, 0)),
    ("new_chained_function_argument_order", False, (2024, 14, 0, 0), (2024, 14, 4, 0)),
]


@pytest.mark.parametrize(("name", "before", "old", "new"), STEPS)
def test_releases(name: str, before: bool, old: tuple[int, ...], new: tuple[int, ...]) -> None:
    assert getattr(gml.Dialect.for_version(17, old), name) is before
    assert getattr(gml.Dialect.for_version(17, new), name) is not before


def test_game_maker_studio_1() -> None:
    dialect = gml.Dialect.for_version(14, (1, 0, 0, 1567))
    assert dialect.bytecode14_or_lower
    assert not dialect.gms2_or_later
    assert not dialect.code_locals_list
    assert not dialect.string_real_optimizations
    assert gml.Dialect.for_version(16, (1, 0, 0, 9999)).string_real_optimizations
    assert gml.Dialect.for_version(16, (1, 0, 0, 1539)).string_real_optimizations


def test_the_lts_branch_has_nothing_later() -> None:
    assert gml.Dialect.for_version(17, (2023, 6, 0, 0), lts=True).extra_repeat_instruction
    assert not gml.Dialect.for_version(17, (2023, 6, 0, 0), lts=True).template_strings


def test_evidence_overrides() -> None:
    dialect = gml.Dialect.for_version(17, (2023, 6, 0, 0), array_copy_on_write=True)
    assert dialect.array_copy_on_write
    with pytest.raises(TypeError, match="no such capability: nonsense"):
        gml.Dialect.for_version(17, (2023, 6, 0, 0), nonsense=True)
