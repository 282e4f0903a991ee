"""The behaviour of a release of GameMaker's compiler: one named capability per difference.

Code that depends on the release tests a capability, never a version number.  The rules that turn
a version into capabilities are here, next to their meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Final

Version = tuple[int, ...]

NEWEST: Final[Version] = (2026, 0, 0, 0)
LTS_FORK: Final[Version] = (2022, 9)
"""The 2022 LTS branch left the main line here; nothing later about code reached it."""


@dataclass(frozen=True)
class Rule:
    """When a capability holds: from ``since`` on, before ``until``, and from ``again`` on."""

    meaning: str
    since: Version = ()
    until: Version | None = None
    again: Version | None = None

    def holds(self, version: Version) -> bool:
        """Whether a game of this version has the capability."""
        if self.again is not None and version >= self.again:
            return True
        return version >= self.since and (self.until is None or version < self.until)


def _capability(
    meaning: str,
    *,
    since: Version = (),
    until: Version | None = None,
    again: Version | None = None,
) -> bool:
    rule = Rule(meaning, since, until, again)
    return field(default=rule.holds(NEWEST), metadata={"rule": rule})


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """The capabilities of a game's compiler.  The defaults are those of the newest GameMaker.

    ``bytecode`` is the bytecode version.
    """

    bytecode: int = 17

    gms2_or_later: bool = _capability("string escapes, array literals, 0x literals", since=(2,))
    gml_v2: bool = _capability("functions, structs, methods, exceptions", since=(2, 3))
    bytecode14_or_lower: bool = _capability(
        "old opcodes; no pushi, pushloc, pushglb, pushbltn", until=()
    )
    string_real_optimizations: bool = _capability(
        "string() and real() of a constant fold", since=(2,)
    )
    string_call_folds: bool = _capability(
        "string() of a constant folds, where string_real_optimizations holds",
        until=(2022, 11), again=(2024, 13),
    )  # fmt: skip
    logical_short_circuit: bool = _capability(
        "&& and || branch instead of and.b.b, or.b.b; later a project option",
        since=(1, 0, 0, 1044),
    )  # fmt: skip
    long_compound_bitwise: bool = _capability("x &= y works on int64", since=(2, 3, 2))
    typed_booleans: bool = _capability("true and false have the type boolean", since=(2, 3, 7))
    nullish_operator: bool = _capability("?? and ??=", since=(2, 3, 7))
    extra_repeat_instruction: bool = _capability(
        "a repeat loop converts its counter before its branch", until=(2022, 11)
    )
    array_copy_on_write: bool = _capability(
        "setowner before array writes; a project option from 2022.2 on",
        since=(2, 3), until=(2022, 2),
    )  # fmt: skip
    new_array_owners: bool = _capability("owner ids carry the function's number", since=(2, 3, 2))
    template_strings: bool = _capability("template strings", since=(2023, 4))
    modern_template_strings: bool = _capability(
        "template strings call @@string@@", since=(2024, 14)
    )
    asset_references: bool = _capability("asset names compile to pushref", since=(2023, 8))
    global_constant_function: bool = _capability(
        "global as a value calls @@Global@@", since=(2023, 11)
    )
    room_instance_references: bool = _capability(
        "names of room instances compile to pushref", since=(2024, 2)
    )
    function_script_references: bool = _capability(
        "script functions as values compile to pushref", since=(2024, 2)
    )
    new_function_variables: bool = _capability(
        "functions are stored in self (-1), structs in global (-5)", since=(2024, 2)
    )
    new_scope_names: bool = _capability(
        "names of enclosing functions are joined by @, not by _", since=(2024, 2)
    )
    self_to_builtin: bool = _capability(
        "plain self variables are accessed as builtin (-6)", since=(2024, 2)
    )
    finally_before_throw: bool = _capability(
        "throw inside try with finally repeats the finally code", until=(2024, 6)
    )
    constructor_set_static: bool = _capability(
        "constructors begin with @@SetStatic@@", since=(2024, 11)
    )
    reentrant_static: bool = _capability(
        "setstatic stands after the static block, not before it", until=(2024, 11)
    )
    object_function_foresight: bool = _capability(
        "in object events calls bind to functions declared further down", since=(2024, 11)
    )
    better_try_break_continue: bool = _capability("fewer __yy_breakEx variables", since=(2024, 11))
    builtin_default_arguments: bool = _capability(
        "default arguments use builtin.argumentN", since=(2024, 11)
    )
    new_function_resolution: bool = _capability(
        "functions of enclosing scopes resolve, by pushref and callv", since=(2024, 13)
    )
    switch_default_exit_keeps_value: bool = _capability(
        "exit inside default: does not pop that switch's value", since=(2024, 14)
    )
    optimized_function_declarations: bool = _capability(
        "pop.v.v self.f without stacktop; {} is @@NewGMLObject@@ with no argument",
        since=(2024, 14),
    )
    new_chained_function_argument_order: bool = _capability(
        "arguments after the instance in call chains, and after elements of members; dup.e",
        since=(2024, 14, 4),
    )  # fmt: skip
    enclosing_functions_called: bool = _capability(
        "functions of enclosing functions, those further down too, are called directly",
        since=(2026,),
    )  # fmt: skip
    static_marker_everywhere: bool = _capability(
        "first 2.3 builds: setstatic before every exit, no isstaticok",
        since=(2, 3), until=(2, 3, 1),
    )  # fmt: skip
    static_marker_at_returns: bool = _capability(
        "with static_marker_everywhere: setstatic before return too"
    )
    builtin_globals_as_self: bool = _capability(
        "built-in globals are self (-1), not builtin (-6)", until=(2, 3, 2)
    )
    enums_as_int64: bool = _capability(
        "members of enums are 64-bit integers, not plain numbers", since=(2, 2)
    )
    instance_keywords_as_id: bool = _capability(
        "self and other as values are the variable id (bytecode 15 and later)", until=(2, 3)
    )
    shifts_convert_both: bool = _capability(
        "both sides of a shift are converted to int64 (bytecode 14 and later)"
    )
    chr_folds: bool = _capability("chr() of a constant folds (bytecode 14 and later)")
    automatic_index_int64: bool = _capability(
        "a built-in array without index has the int64 index 0 (bytecode 15 and later)"
    )
    owners_always_marked: bool = _capability(
        "setowner also when the same owner was set before; goes with builtin_globals_as_self",
        since=(2, 3), until=(2, 3, 2),
    )  # fmt: skip
    empty_code_exits: bool = _capability(
        "code without statements is one exit, not empty", since=(2023, 2)
    )
    statics_called_directly: bool = _capability(
        "a call of a static reads static.f, not builtin.f", since=(2022, 11)
    )
    variable_hashes_fold: bool = _capability(
        "variable_get_hash of a constant is the variable's number", since=(2024, 2)
    )
    struct_keys_fold: bool = _capability(
        'reading s[$ "name"] calls struct_get_from_hash with the variable\'s number',
        since=(2024, 2),
    )  # fmt: skip
    struct_keys_stored: bool = _capability(
        's[$ "name"] = v is s.name = v, not a call', since=(2026,)
    )
    color_parts_fold: bool = _capability(
        "color_get_red, _green and _blue of a constant fold", since=(2026,)
    )
    repeat_keeps_int64: bool = _capability(
        "a repeat count of type int64 is not converted", since=(2024, 14)
    )
    internal_array_access: bool = _capability(
        "elements read and written by a call use @@array_get@@ and @@array_set@@",
        since=(2024, 14),
    )  # fmt: skip
    struct_arrays_passed: bool = _capability(
        "array literals in a struct literal are made outside it", since=(2024, 11)
    )
    renumbered_asset_types: bool = _capability(
        "the later numbering of asset types in pushref", since=(2024, 4)
    )
    code_locals_list: bool = _capability(
        "FUNC carries the code locals list (bytecode 15 and later)", until=(2024, 8)
    )
    arguments_counted_as_local: bool = _capability(
        "a root's locals count includes `arguments`", until=(2024, 2)
    )

    plain_as_builtin: bool = _capability(
        "GMS1 until .666: variables without an owner are builtin (-6), own ones too",
        until=(1, 0, 0, 667),
    )  # fmt: skip
    two_indices_checked: bool = _capability(
        "chkindex after each of two array indices", since=(1, 0, 0, 667)
    )
    every_index_checked: bool = _capability(
        "chkindex after a single array index too",
        since=(1, 0, 0, 667), until=(1, 0, 0, 1044),
    )  # fmt: skip
    compound_reads_again: bool = _capability(
        "a[i] += 1 and a.b += 1 work out their target twice", until=(1, 0, 0, 514)
    )
    ord_folds: bool = _capability("ord() of a constant folds", since=(1, 0, 0, 413))
    switch_return_direct: bool = _capability(
        "return inside switch leaves the switch's value where it is", until=(1, 0, 0, 1044)
    )
    bitwise_int64: bool = _capability(
        "& | ^ ~ << >> of variables work on int64, not int32", since=(1, 0, 0, 1044)
    )
    every_place: bool = _capability(
        "debugger files keep every place, also those of statements and operators",
        until=(1, 0, 0, 1045),
    )  # fmt: skip
    browser_constant: bool = _capability("os_browser is a constant", since=(1, 0, 0, 667))

    @classmethod
    def for_version(
        cls, bytecode: int, version: Version, lts: bool = False, **evidence: bool
    ) -> Dialect:
        """The dialect of a game by its bytecode number and its *effective* version.

        ``version`` is (major, minor, release, build), raised by what the file shows (GEN8 has
        2.0.0.0 for every later release).  ``evidence`` sets single capabilities that the code
        shows.  ``lts``: the 2022 LTS branch.
        """
        if lts:
            version = min(tuple(version), LTS_FORK)
        values = {rule_name: rule.holds(tuple(version)) for rule_name, rule in RULES.items()}
        values["bytecode14_or_lower"] = bytecode <= 14
        values["code_locals_list"] &= bytecode >= 15
        for name in ("automatic_index_int64", "instance_keywords_as_id"):
            values[name] &= bytecode >= 15
        for name in ("shifts_convert_both", "chr_folds"):
            values[name] &= bytecode >= 14
        if version[:1] < (2,):
            build = version[3] if len(version) > 3 else 0
            values["string_real_optimizations"] = build == 1539 or build >= 1763
        unknown = evidence.keys() - values.keys()
        if unknown:
            raise TypeError(f"no such capability: {', '.join(sorted(unknown))}")
        if "builtin_globals_as_self" in evidence:
            early = values["gml_v2"] and evidence["builtin_globals_as_self"]
            values["owners_always_marked"] = early
        return cls(bytecode=bytecode, **(values | evidence))

    def replace(self, **changes: bool) -> Dialect:
        """The same dialect with single capabilities changed."""
        return replace(self, **changes)


RULES: Final[dict[str, Rule]] = {
    capability.name: capability.metadata["rule"]
    for capability in fields(Dialect)
    if "rule" in capability.metadata
}
"""Capability -> when it holds."""
