"""Changed code among the stored words of the rest: the same bytes as linking all code gives."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import chains, splicing
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.vm.opcodes import DataType
from overhaul.stretch import joined
from small_games import again, game_of

VERSIONS = ["1.0.0.1539", "1.0.0.1763", "2.2.5", "2.3.2", "2022.9", "2023.8", "2024.14"]
#: the code of the object's events, in the order of the game
EVENTS = {
    "Create_0": "hp = 7;\nvar a = 1;\nglobal.score_now = a;\nname = string(hp);",
    "Alarm_0": "hp -= 1;\nshow_debug_message(name);",
    "Alarm_1": "var a = hp, b = 2;\nhp = a + b;\nx = hp;",
    "Step_0": 'if (hp < 3)\n{\n    show_debug_message("low");\n    x += 1;\n}\nspeed_now = x;',
    "Draw_0": "draw_text(x, y, name);",
    "Other_10": "only_here = max(hp, global.score_now);\nshow_debug_message(string(only_here));",
}
#: the events with other code; None: as it was, with other text
EDITS: dict[str, dict[str, str]] = {
    "longer": {"Alarm_1": "var a = hp, b = 2;\nhp = a + b;\nx = hp;\ny = hp;\nhp = 9;"},
    "shorter": {"Alarm_1": "hp = 2;"},
    "of the same size": {"Alarm_0": "hp -= 2;\nshow_debug_message(name);"},
    "nothing left": {"Alarm_0": ""},
    "first of all": {"Create_0": "hp = 7;"},
    "last of all": {"Other_10": "hp = 1;\nx = 2;"},
    "new names and texts": {"Step_0": 'quite_new = "a new text";\nshow_message(quite_new);'},
    "no name that was there": {"Create_0": "anew = 1;", "Other_10": "exit;"},
    "two in a row": {"Alarm_0": "x = hp;", "Alarm_1": "hp = x;"},
    "first and last": {"Create_0": "x = 1;\nhp = x;", "Other_10": "name = string(x + hp);"},
    "all": dict.fromkeys(EVENTS, "hp = x + 1;\nname = string(hp);"),
}


def made(version: str) -> GameData:
    game = game_of(version)
    if game.release.at_least(2, 3):
        game.add_script("scr_two", "function first(a) { return a + 1; }\nfunction second() { }")
    else:
        game.add_script("scr_two", "return argument0 + 1;")
    for event, source in EVENTS.items():
        game.add_event("obj_a", event, source)
    return again(game)


def code_of(game: GameData, event: str) -> CodeEntry:
    return game.records.code[f"gml_Object_obj_a_{event}"]


def pieces_of(game: GameData) -> bytes:
    return joined(game.pieces())


def agree(
    monkeypatch: pytest.MonkeyPatch, data: bytes, edit: Callable[[GameData], None]
) -> tuple[bytes, list[bool]]:
    """The bytes after an edit, and whether code was spliced; linking all gives the same."""
    spliced: list[bool] = []

    def noting(*given: object) -> object:
        found = original(*given)  # type: ignore[arg-type]
        spliced.append(found is not None)
        return found

    original = splicing.spliced
    written = []
    for chosen in (noting, lambda *given: None):
        monkeypatch.setattr(chains, "spliced", chosen)
        game = GameData.from_bytes(data)
        edit(game)
        written.append(pieces_of(game))
    monkeypatch.setattr(chains, "spliced", original)
    assert written[0] == written[1]
    after = GameData.from_bytes(written[0])
    assert after.to_bytes() == written[0]
    assert not after.findings
    return written[0], spliced


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("edits", EDITS.values(), ids=list(EDITS))
def test_an_edit_gives_what_linking_all_gives(
    monkeypatch: pytest.MonkeyPatch, version: str, edits: dict[str, str]
) -> None:
    def edit(game: GameData) -> None:
        for event, source in edits.items():
            code_of(game, event).gml = source

    data = made(version).to_bytes()
    after, spliced = agree(monkeypatch, data, edit)
    assert after != data
    assert spliced == [True] * len(spliced)
    # before bytecode 15 entries are apart
    assert bool(spliced) == (GameData.from_bytes(data).release.bytecode > 14)


@pytest.mark.parametrize("version", ["1.0.0.1763", "2024.14"])
@pytest.mark.parametrize("edits", EDITS.values(), ids=list(EDITS))
def test_stored_code_is_put_together_in_parts(
    monkeypatch: pytest.MonkeyPatch, version: str, edits: dict[str, str]
) -> None:
    def edit(game: GameData) -> None:
        for event, source in edits.items():
            code_of(game, event).gml = source

    data = made(version).to_bytes()
    whole, _ = agree(monkeypatch, data, edit)
    monkeypatch.setattr(splicing, "_AT_ONCE", 3)
    in_parts, spliced = agree(monkeypatch, data, edit)
    assert spliced and all(spliced)
    assert in_parts == whole != data


@pytest.mark.parametrize("version", ["2.3.2", "2023.8", "2024.14"])
def test_functions_inside_that_come_and_go(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    sources = [
        "function first(a) { return a + 1; }",
        "function first(a, b) { return b; }\nfunction second() { }\nfunction third() { x = 1; }",
        "function first(a) { return method({}, function() { return hp; }); }\n"
        "function second() { return first(1); }",
        "function first(a) constructor { hp = a; }\nfunction second() { return new first(1); }",
    ]
    data = made(version).to_bytes()
    for source in sources:

        def edit(game: GameData, source: str = source) -> None:
            game.records.code["gml_GlobalScript_scr_two"].gml = source

        _, spliced = agree(monkeypatch, data, edit)
        assert spliced and all(spliced)


@pytest.mark.parametrize("version", ["2023.8", "2024.14"])
def test_the_last_reference_to_a_function_has_its_kind(
    monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    game = made(version)
    # what comes last is a reference in turn, and a call
    code_of(game, "Create_0").gml = "fn = first;\nhp = first(1);"
    code_of(game, "Alarm_0").gml = "fn = first;"
    code_of(game, "Draw_0").gml = "hp = first(2);"
    data = again(game).to_bytes()
    for event, source in (
        ("Draw_0", "hp = 2;"),
        ("Other_10", "fn = first;"),
        ("Other_10", "fn = first;\nfn = second;\nfn = first;"),
        ("Alarm_0", "hp = first(3);"),
    ):

        def edit(game: GameData, event: str = event, source: str = source) -> None:
            code_of(game, event).gml = source

        _, spliced = agree(monkeypatch, data, edit)
        assert spliced and all(spliced)


@pytest.mark.parametrize("version", VERSIONS)
def test_code_that_comes_and_goes(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    data = made(version).to_bytes()

    def add(game: GameData) -> None:
        game.add_event("obj_a", "Alarm_5", "hp = 3;\nnewly = string(hp);")

    def remove(game: GameData) -> None:
        code_of(game, "Alarm_0").gml = "x = hp;"
        game.records.code.remove(code_of(game, "Alarm_1"))

    for edit in (add, remove):
        after, _ = agree(monkeypatch, data, edit)
        names = [str(entry.name) for entry in GameData.from_bytes(after).records.code.present()]
        assert ("gml_Object_obj_a_Alarm_5" in names) == (edit is add)
        assert ("gml_Object_obj_a_Alarm_1" in names) == (edit is add)


@pytest.mark.parametrize("version", VERSIONS)
def test_instructions_changed_by_hand_stay_when_other_code_is_edited(version: str) -> None:
    game = made(version)
    game.load_all()
    code = code_of(game, "Alarm_0").bytecode
    columns = code.columns
    row = next(row for row in range(len(code)) if columns.type1[row] == DataType.INT16)
    for array in (columns.value, columns.operand, code.record):
        with pytest.raises(ValueError, match="read-only"):
            array[row] = 5
    columns.value = columns.value.copy()
    columns.value[row] = 5
    code_of(game, "Step_0").gml = "x = 1;"
    after = GameData.from_bytes(pieces_of(game))
    assert code_of(after, "Alarm_0").gml == EVENTS["Alarm_0"].replace("1", "5", 1)
    assert code_of(after, "Step_0").gml == "x = 1;"


@pytest.mark.parametrize("version", VERSIONS)
def test_code_edited_again_after_it_was_written(version: str) -> None:
    data = made(version).to_bytes()
    game, once = GameData.from_bytes(data), GameData.from_bytes(data)
    code_of(game, "Alarm_1").gml = "hp = 2;\nfirst_try = 1;"
    pieces_of(game)
    for each in (game, once):
        code_of(each, "Step_0").gml = "x = hp + speed_now;"
    code_of(game, "Alarm_1").gml = EVENTS["Alarm_1"]
    written = GameData.from_bytes(pieces_of(game))
    expected = GameData.from_bytes(pieces_of(once))
    for event in EVENTS:
        assert code_of(written, event).gml == code_of(expected, event).gml
    assert written.to_bytes() == pieces_of(game)


def test_what_nobody_edited_is_rebuilt(monkeypatch: pytest.MonkeyPatch) -> None:
    data = made("2024.14").to_bytes()
    after, spliced = agree(monkeypatch, data, GameData.load_all)
    assert after == data
    assert not any(spliced)


def test_a_text_before_the_code_moves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def edit(game: GameData) -> None:
        game.general.file_name = game.strings.add("another name of the file")
        game.objects.add("obj_new")
        code_of(game, "Step_0").gml = "hp = name;"

    _, spliced = agree(monkeypatch, made("2024.14").to_bytes(), edit)
    assert spliced and all(spliced)


def test_a_name_that_is_another_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def edit(game: GameData) -> None:
        variable = next(each for each in game.variables.present() if each.name == "hp")
        variable.name = game.strings.add("health_now")
        code_of(game, "Step_0").gml = "x = 1;"

    data = made("2022.9").to_bytes()
    after, spliced = agree(monkeypatch, data, edit)
    assert spliced and all(spliced)
    assert "health_now" in code_of(GameData.from_bytes(after), "Alarm_0").gml


def test_code_of_removed_records_is_linked_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    game = made("2022.9")
    code_of(game, "Step_0").gml = "x = 1;"
    del game.variables.items[2:]
    with pytest.raises(Exception, match="an operand names a record that does not exist"):
        pieces_of(game)
