"""Names of its own that a source has: those that a declaration gives, not those in its values."""

from __future__ import annotations

import pytest

from overhaul.gamemaker.ide.resources.code import is_local, rename_in
from overhaul.gml.dialect import Dialect


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("var a = instance_nearest(x, y, obj), b;\nobj.x = 1;", "a b"),
        ("var a = obj\nobj = 1", "a"),
        ("var a, b\n    , c = obj +\n    obj, d;", "a b c d"),
        ("for (var i = 0; i < obj; i++) {}", "i"),
        ("static f = function(one, two = obj) { var near = obj; };", "f one two near"),
        ("function f(one, // obj\n    two = [obj, 1]) constructor {}", "one two"),
        ('var text = "var obj", other_one = obj;', "text other_one"),
        ("var /* obj, */ a = { obj: 1, b: obj };", "a"),
    ],
)
def test_names_of_its_own(source: str, names: str) -> None:
    assert {name for name in (*names.split(), "obj") if is_local(source, name)} == set(
        names.split()
    )


def test_a_resource_in_the_value_of_a_variable_is_renamed() -> None:
    dialect = Dialect.for_version(17, (2024, 8, 0, 0))
    made = rename_in("var near = instance_nearest(x, y, obj_a);\n", "obj_a", "obj_w", dialect)
    assert made == ("var near = instance_nearest(x, y, obj_w);\n", False, False)
    made = rename_in("var obj_a = 1;\n", "obj_a", "obj_w", dialect)
    assert made == ("var obj_a = 1;\n", False, True)
