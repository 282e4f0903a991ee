"""Resources copied under another name."""

from __future__ import annotations

import pytest

from modded_games import changed, lantern, new_sprite, plain
from overhaul import mods
from overhaul.errors import WorkspaceError

GAME = lantern()


def test_a_copy_gets_another_name_with_its_code() -> None:
    result = mods.copy(GAME, "objects/obj_keeper", GAME, rename={"obj_keeper": "obj_twin"})
    assert result.conflicts == []
    new = plain(result.data, "code/gml_Object_obj_twin_Step_0.gml")
    assert new == plain(result.data, "code/gml_Object_obj_keeper_Step_0.gml")
    assert b"gml_Object_obj_twin_Step_0" in plain(result.data, "objects/obj_twin/object.json")
    # without another name it is there already
    assert mods.copy(GAME, "objects/obj_keeper", changed(GAME, {})).changed == []


def test_what_comes_along_may_be_renamed_too() -> None:
    other = changed(GAME, new_sprite("spr_new"))
    result = mods.copy(other, "sprites/spr_new", GAME, rename={"spr_new": "spr_other"})
    assert result.conflicts == []
    assert "sprites/spr_other" in {change.path for change in mods.diff(GAME, result.data).changes}


def test_a_name_that_is_not_copied_is_refused() -> None:
    with pytest.raises(WorkspaceError, match="nothing that is copied is named 'spr_nothing'"):
        mods.copy(GAME, "objects/obj_keeper", GAME, rename={"spr_nothing": "spr_x"})
