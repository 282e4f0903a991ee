"""The names of the resources of a project that is made."""

from __future__ import annotations

from overhaul.gamemaker.recovery.drafts import ProjectDraft


def test_a_new_resource_has_a_name_that_no_other_has() -> None:
    draft = ProjectDraft("game")
    assert draft.name_for("script", "enums") == "enums"
    assert draft.new_name("script", "enums") == "enums_2"
    assert draft.name_for("script", "enums_2") == "enums_2"
    assert draft.new_name("script", "Enums") == "Enums_3"  # files differ in more than case
    assert draft.new_name("room", "enums_2") == "enums_2_2"
    assert draft.name_for("room", "enums") == "enums_3"
    assert draft.findings.texts() == [
        "room enums_3: the editor does not take the name 'enums': it is called enums_3"
    ]
