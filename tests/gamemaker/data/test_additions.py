"""New scripts, events, creation code and moments, in blank games of every generation."""

from __future__ import annotations

import pytest

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.objt import EventType
from overhaul.gamemaker.data.chunks.room import Instance
from overhaul.gamemaker.data.code import additions
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.errors import CompileError, SyntaxError_
from overhaul.gml.vm.opcodes import InstanceType
from present import present
from small_games import again, game_of

VERSIONS = [
    "1.0.0.1250",
    "1.0.0.1567",
    "1.0.0.1763",
    "1.4.9999",
    "2.0.6",
    "2.2.5",
    "2.3.1",
    "2022.3",
    "2023.4",
    "2023.11",
    "2024.2",
    "2024.14",
]
MODERN = ["2.3.1", "2023.4", "2023.11", "2024.14"]
FUNCTIONS = """
function scr_climb(a)
{
    return a + scr_climb(a - 1) + Ladder.height;
}

function Ladder(b) constructor
{
    height = b;
}
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_events_of_every_generation(version: str) -> None:
    game = game_of(version)
    additions.add_event(game, "obj_a", "Step_0", "var t = 1;\nx += t * speed;")
    additions.add_event(game, "obj_a", (int(EventType.COLLISION), "obj_a_b"), "hp -= 1;")
    read = again(game)
    step = read.records.objects["obj_a"].events[int(EventType.STEP)][0]
    assert step.subtype == 0
    assert step.actions[0].code.name == "gml_Object_obj_a_Step_0"
    hit = read.records.objects["obj_a"].events[int(EventType.COLLISION)][0]
    assert hit.subtype == read.records.objects["obj_a_b"]
    assert read.records.code["gml_Object_obj_a_Step_0"].gml.strip() == "var t = 1;\nx += t * speed;"
    assert [read.check_code(name) for name in read.code_names()] == [None, None]


@pytest.mark.parametrize("version", VERSIONS)
def test_scripts_are_known_to_the_rest_of_the_game(version: str) -> None:
    game = game_of(version)
    modern = game.language.context.dialect.gml_v2
    body = FUNCTIONS if modern else "return argument0 + 1;"
    entry = additions.add_script(game, "scr_climb", body)
    additions.add_event(game, "obj_a", "Create_0", "y = scr_climb(2);")
    read = again(game)
    assert entry.name == ("gml_GlobalScript_scr_climb" if modern else "gml_Script_scr_climb")
    assert read.records.scripts["scr_climb"].code.entry == read.records.code[str(entry.name)]
    assert "scr_climb(2)" in read.records.code["gml_Object_obj_a_Create_0"].gml
    assert [read.check_code(name) for name in read.code_names()] == [None, None]
    if modern:
        assert read.record("GLOB").code == [read.records.code[str(entry.name)]]
        assert [child.name for child in read.records.code[str(entry.name)].children] == [
            "gml_Script_scr_climb",
            "gml_Script_Ladder",
        ]


@pytest.mark.parametrize("version", MODERN)
def test_a_constructor_is_marked_as_one(version: str) -> None:
    game = game_of(version)
    additions.add_script(game, "scr_climb", FUNCTIONS)
    scripts = {
        str(script.name): present(script.code).constructor
        for script in map(present, again(game).records.scripts)
    }
    assert scripts == {
        "scr_climb": False,
        "gml_Script_scr_climb": False,
        "gml_Script_Ladder": True,
    }


@pytest.mark.parametrize("version", ["1.0.0.1567", "2.2.5", "2023.4"])
def test_rooms_and_timelines(version: str) -> None:
    game = game_of(version)
    additions.add_room_code(game, "rm_first", "global.begun = true;")
    for step in (30, 10):
        additions.add_moment(game, "tm_day", step, f"show_debug_message({step});")
    read = again(game)
    assert (
        read.records.rooms["rm_first"].creation_code
        == read.records.code["gml_Room_rm_first_Create"]
    )
    moments = read.records.timelines["tm_day"].moments
    assert [moment.step for moment in moments] == [10, 30]
    assert [str(moment.actions[0].code.name) for moment in moments] == [
        "Timeline_tm_day_1",
        "Timeline_tm_day_0",
    ]


@pytest.mark.parametrize(
    ("version", "names"),
    [
        # the compilers number such code by its place in CODE, later by the room
        ("1.0.0.1763", ["gml_RoomCC_rm_first_1_Create", "gml_RoomCC_rm_first_2_Create"]),
        ("2.2.5", ["gml_RoomCC_rm_first_0_Create", "gml_RoomCC_rm_first_1_PreCreate"]),
        ("2024.14", ["gml_RoomCC_rm_first_0_Create", "gml_RoomCC_rm_first_1_PreCreate"]),
    ],
)
def test_code_of_instances(version: str, names: list[str]) -> None:
    game = game_of(version)
    room = game.records.rooms["rm_first"]
    for number in range(3):
        room.instances.append(
            Instance(object=game.records.objects.reference(0), id=100003 + number)
        )
    additions.add_event(game, "obj_a", "Step_0", "x += 1;")
    additions.add_instance_code(game, "rm_first", 2, "hp = 1;")
    early = game.release.major >= 2
    additions.add_instance_code(game, "rm_first", 0, "hp = 2;", pre_create=early)
    if not early:
        with pytest.raises(EncodeError, match="does not run code before it creates instances"):
            additions.add_instance_code(game, "rm_first", 1, "hp = 2;", pre_create=True)
    with pytest.raises(EncodeError, match="already"):
        additions.add_instance_code(game, "rm_first", 2, "hp = 3;")
    read = again(game)
    assert [str(entry.name) for entry in map(present, read.records.code)][1:] == names
    first, _, last = read.records.rooms["rm_first"].instances
    assert last.creation_code == read.records.code[names[0]]
    result = first.pre_create_code if early else first.creation_code
    assert result == read.records.code[names[1]]


@pytest.mark.parametrize(("version", "listed"), [("2023.8", False), ("2024.14", True)])
def test_newer_games_list_the_code_of_rooms_as_scripts(version: str, listed: bool) -> None:
    game = game_of(version)
    game.records.rooms["rm_first"].instances.append(
        Instance(object=game.records.objects.reference(0), id=100000)
    )
    additions.add_entry(game, "gml_Room_rm_first_Create", "x = 1;")
    additions.add_entry(game, "gml_RoomCC_rm_first_100000_PreCreate", "x = 1;")
    names = ["gml_Room_rm_first_Create", "gml_RoomCC_rm_first_0_PreCreate"]
    read = again(game)
    assert [str(entry.name) for entry in map(present, read.records.code)] == names
    assert [str(script.name) for script in map(present, read.records.scripts)] == (
        names if listed else []
    )


@pytest.mark.parametrize(("version", "order"), [("1.0.0.1763", [7, 3, 0]), ("2.2.5", [3, 7, 0])])
def test_the_order_of_events_is_that_of_the_release(version: str, order: list[int]) -> None:
    game = game_of(version)
    for number in (3, 7, 0):
        additions.add_event(game, "obj_a", f"Alarm_{number}", "x = 1;")
    events = again(game).records.objects["obj_a"].events[int(EventType.ALARM)]
    assert [event.subtype for event in events] == order


@pytest.mark.parametrize("version", ["1.0.0.1567", "2.2.5", "2024.14"])
def test_removed_code_takes_its_event_along(version: str) -> None:
    game = game_of(version)
    for event in ("Alarm_3", "Alarm_7"):
        additions.add_event(game, "obj_a", event, "x = 1;")
    additions.add_moment(game, "tm_day", 3, "x = 1;")
    game.records.code.remove("gml_Object_obj_a_Alarm_3", "Timeline_tm_day_0")
    read = again(game)
    events = read.records.objects["obj_a"].events[int(EventType.ALARM)]
    assert [event.subtype for event in events] == [7]
    assert events[0].actions[0].code == read.records.code["gml_Object_obj_a_Alarm_7"]
    assert read.records.timelines["tm_day"].moments == []


def test_by_the_name_of_the_entry() -> None:
    game = game_of("2023.4")
    for name in (
        "gml_GlobalScript_scr_one",
        "gml_Script_scr_two",
        "gml_Object_obj_a_b_Alarm_3",
        "gml_Object_obj_a_Collision_obj_a_b",
        "gml_Room_rm_first_Create",
    ):
        additions.add_entry(game, name, "x = 1;")
    assert [str(item.name) for item in map(present, game.records.code)] == [
        "gml_GlobalScript_scr_one",
        "gml_GlobalScript_scr_two",
        "gml_Object_obj_a_b_Alarm_3",
        "gml_Object_obj_a_Collision_obj_a_b",
        "gml_Room_rm_first_Create",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "gml_Object_obj_c_Step_0",
        "gml_Object_obj_a_Wake_0",
        "gml_Room_rm_no_Create",
        "gml_RoomCC_rm_first_0_Create",
        "gml_RoomCC_rm_no_100000_Create",
        "x",
    ],
)
def test_names_that_mean_nothing_in_the_game(name: str) -> None:
    with pytest.raises(EncodeError):
        additions.add_entry(game_of("2023.4"), name, "x = 1;")


@pytest.mark.parametrize("version", ["1.0.0.1763", "2.2.5", "2023.4"])
def test_what_fails_leaves_the_game_as_it_was(version: str) -> None:
    game = game_of(version)
    additions.add_event(game, "obj_a", "Step_0", "x = 1;")
    before = game.to_bytes()
    with pytest.raises(SyntaxError_):
        additions.add_script(game, "scr_bad", "x = ;")
    with pytest.raises(CompileError):
        additions.add_event(game, "obj_a", "Create_0", "new_name = 1; break;")
    with pytest.raises(CompileError):
        additions.add_room_code(game, "rm_first", "pi = 3;")
    with pytest.raises(EncodeError, match="already"):
        additions.add_event(game, "obj_a", "Step_0", "y = 1;")
    with pytest.raises(EncodeError, match="taken"):
        additions.add_script(game, "obj_a", "y = 1;")
    with pytest.raises(EncodeError, match="not a valid name"):
        additions.add_script(game, "two words", "y = 1;")
    assert game.to_bytes() == before


def test_macros_and_enums_of_the_project() -> None:
    game = game_of("2023.4")
    text = "#macro SPEED 4\nenum Way { Left = -1, Right = 1 }"
    additions.add_event(game, "obj_a", "Step_0", "x += SPEED * Way.Right;", text)
    assert again(game).records.code["gml_Object_obj_a_Step_0"].gml.strip() == "x += 4;"


def test_no_code_in_a_game_without_bytecode() -> None:
    game = game_of("2023.4")
    del game.chunks["CODE"]
    with pytest.raises(EncodeError, match="no readable bytecode"):
        additions.add_event(game, "obj_a", "Step_0", "x = 1;")


@pytest.mark.parametrize("version", ["1.0.0.1773", "2.2.5"])
def test_the_counts_of_variables_follow(version: str) -> None:
    game = game_of(version)
    additions.add_event(game, "obj_a", "Step_0", "var a, b, c; mine = 1; global.yours = 2; a = 1;")
    head = again(game).record("VARI")
    assert head is not None
    local = int(InstanceType.LOCAL)
    ids = [variable.id for variable in head.variables if variable.instance_type != local]
    assert ids
    assert (head.globals_count, head.instance_count) == (max(ids) + 1, max(ids) + 1)
    assert head.max_locals == 4  # arguments as well


@pytest.mark.parametrize(("added", "most"), [("", 2), ("var d; d = 2;", 5)])
def test_locals_that_an_entry_has_already_raise_no_count(added: str, most: int) -> None:
    """A game of 2.2.2 counts fewer than its entries have."""
    game = game_of("2.2.5")
    additions.add_event(game, "obj_a", "Step_0", "var a, b, c; a = 1;")
    head = game.record("VARI")
    assert head is not None
    head.max_locals = 2
    entry = game.records.code["gml_Object_obj_a_Step_0"]
    entry.gml = "var a, b, c; a = 2;" + added
    assert head.max_locals == most


def test_bytes_and_assembly_follow_an_assignment() -> None:
    game = again(with_event("x = 1;"))
    entry = game.records.code[0]
    before = entry.to_bytes(), entry.assembly
    entry.gml = 'x = "text"; y = x + 1;'
    read = again(game).records.code[0]
    assert (entry.to_bytes(), entry.assembly) == (read.to_bytes(), read.assembly)
    assert entry.to_bytes() != before[0]


def with_event(source: str) -> GameData:
    game = game_of("2023.4")
    additions.add_event(game, "obj_a", "Step_0", source)
    return game
