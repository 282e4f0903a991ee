"""The things of games of all versions, and what dialogs say."""

from __future__ import annotations

import pytest

import ags_games
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import GAME
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.game import uniform
from overhaul.ags.game.dialogs import shown_text, stored_text
from overhaul.ags.game.extensions import DialogsBlock, NewDialog, NewDialogOption
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import Gui, GuiSection
from overhaul.ags.game.old import EarlyCharacter, EarlyDialog, EarlyView, OldGameContent
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import (
    Character,
    Cursor,
    Dialog,
    Frame,
    InventoryItem,
    Loop,
    OldView,
    View,
)
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.dialogs import Step, dialog_steps
from overhaul.ags.script.model import Script
from overhaul.ags.surface import game as surface


def game(version: int = 50, **content: object) -> Game:
    made = GameContent()
    for name, value in content.items():
        setattr(made, name, value)
    return Game(version=version, content=made, blocks=DecodedBlocks(GAME, version))


def old(**content: object) -> Game:
    made = OldGameContent()
    for name, value in content.items():
        setattr(made, name, value)
    return Game(version=12, old=made)


FRAMES = [Frame(picture=number) for number in range(320)]


def pictures(view: View) -> list[list[int]]:
    return [[frame.picture for frame in loop.frames] for loop in view.loops]


def test_views_of_all_versions() -> None:
    new = View([Loop(1, FRAMES[:2]), Loop(0, [])])
    assert uniform.views(game(views=[new])) == [new]
    counts, flags = [3, 0, 25, *[0] * 13], [0, 0, 1, *[0] * 13]
    (before_3,) = uniform.views(
        game(views=[], old_views=[OldView(3, counts, 0, flags, list(FRAMES))])
    )
    assert pictures(before_3) == [[0, 1, 2], [], list(range(40, 60))]
    assert [loop.flags for loop in before_3.loops] == [0, 0, 1]
    (early,) = uniform.views(old(views=[EarlyView(2, [1, 2, *[0] * 6], 0, FRAMES[:80])]))
    assert pictures(early) == [[0], [10, 11]]
    wrong = OldView(-1, [5] * 16, 0, [0] * 16, FRAMES)
    assert uniform.views(game(views=[], old_views=[wrong])) == [View([])]
    negative = OldView(1, [-5] * 16, 0, [0] * 16, FRAMES)
    assert pictures(uniform.views(game(views=[], old_views=[negative]))[0]) == [[]]
    assert uniform.views(Game(version=15)) == []


def test_views_without_names_have_numbers_from_1() -> None:
    made = game(views=[View(), View(), View()], view_names=["vEgo", ""])
    assert uniform.view_names(made) == ["vEgo", "2", "3"]
    assert uniform.view_names(old(views=[EarlyView()])) == ["1"]


def test_frames_last_their_speed_and_that_of_the_animation() -> None:
    assert uniform.seconds(Frame(speed=0)) == 6 / 40
    assert uniform.seconds(Frame(speed=4), 5) == 10 / 40
    assert uniform.seconds(Frame(speed=-3), 4) == 2 / 40
    assert uniform.seconds(Frame(speed=-30), 4) == 1 / 40


def test_people_items_cursors_and_guis_of_all_versions() -> None:
    ego, cup, arrow = Character(name="Ego"), InventoryItem("cup"), Cursor()
    made = game(characters=[ego], inventory=[InventoryItem(), cup], cursors=[arrow])
    assert uniform.characters(made) == [ego]
    assert uniform.inventory(made) == [InventoryItem(), cup]
    assert uniform.cursors(made) == [arrow]
    early = EarlyCharacter(name="Ego")
    items = [InventoryItem(), cup, *[InventoryItem("unused")] * 98]
    section = GuiSection([Gui(name="g")])
    before = old(
        characters=[early], inventory=items, inventory_count=2, cursors=[arrow], guis=(101, section)
    )
    assert uniform.characters(before) == [early]
    assert uniform.inventory(before) == [InventoryItem(), cup]
    assert uniform.cursors(before) == [arrow]
    assert uniform.guis(before) == (101, section)
    made.content.gui_version = 118  # type: ignore[union-attr]
    made.content.gui = section  # type: ignore[union-attr]
    assert uniform.guis(made) == (118, section)
    nothing = Game(version=15)
    assert not uniform.characters(nothing) and not uniform.inventory(nothing)
    assert uniform.cursors(nothing) == [] and uniform.guis(nothing) == (0, GuiSection())


def test_dialogs_before_3_1_have_their_source_and_what_it_does() -> None:
    options, flags = ["Hi", "Bye", *[""] * 28], [1, 3, *[0] * 28]
    dialog = Dialog(options=options, option_flags=flags, option_count=2)
    silent = Dialog(options=options, option_flags=[4 | 1, 0, *[0] * 28], option_count=99)
    code = bytes([1, 0, 0, 1, 0, 1, 231, 3, 0, 0, 1, 230, 3, 9, 0, 5])
    made = game(
        36,
        dialogs=[dialog, silent],
        dialog_script_names=["dEgo"],
        dialog_data=[(code, stored_text("@S\nego: hi", 36)), (b"\xfe", b"")],
        speech_lines=[stored_text("Who?", 36), stored_text("Me.", 36)],
        characters=[Character(name="Ego")],
    )
    first, second = uniform.dialogs(made)
    assert (first.name, second.name) == ("dEgo", "1")
    assert [(o.text, o.on, o.said) for o in first.options] == [
        ("Hi", True, True),
        ("Bye", False, True),
    ]
    assert first.source == "@S\nego: hi"
    assert first.lines == ["Ego: Me.", "the narrator: Who?", "the player: text 9", "stop"]
    assert (second.source, second.lines) == ("", [])
    assert len(second.options) == 30 and not second.options[0].said and second.options[0].on
    assert not second.options[1].on


@pytest.mark.parametrize(
    ("version", "plain"), [(5, False), (12, False), (18, True), (25, True), (26, False)]
)
def test_texts_of_dialogs_are_obfuscated_but_in_some_versions(version: int, plain: bool) -> None:
    assert (stored_text("@S", version) == b"@S") == plain
    assert shown_text(stored_text("@S", version), version) == "@S"


def test_dialogs_of_the_first_versions() -> None:
    dialog = EarlyDialog(
        options=["Hi", *[""] * 14], option_flags=[1] * 15, option_count=1, code_size=5
    )
    made = old(
        dialogs=[dialog],
        dialog_data=[(bytes([1, 7, 0, 0, 0]), b"")],
        dialog_messages=["Well"],
        characters=[EarlyCharacter(name="Ego")],
    )
    (found,) = uniform.dialogs(made)
    assert (found.name, found.lines) == ("0", ["7: Well"])
    assert [option.text for option in found.options] == ["Hi"]


def test_dialogs_from_3_6_3_on_are_in_a_block() -> None:
    made = game(3060300)
    block = DialogsBlock(
        [NewDialog("dOne", options=[NewDialogOption("Hi", 1)]), NewDialog("", options=[])]
    )
    made.blocks.add("v363_dialogsnew", block)
    assert [each.name for each in uniform.dialogs(made)] == ["dOne", "1"]
    assert [option.text for option in uniform.dialogs(made)[0].options] == ["Hi"]
    made.content.dialogs = [Dialog()]  # type: ignore[union-attr]
    assert [each.name for each in uniform.dialogs(made)] == ["0"]
    assert uniform.dialogs(Game(version=15)) == []


# --------------------------------------------------------------------------------------- scripts

COMPARE = """
    load.sp.offs 8
    memread4 ax
    push ax
    movl ax, {option}
    pop bx
    cmpeq bx, ax
"""


def compiled(*parts: str, imports: tuple[str, ...] = ()) -> Script:
    names = ["Character::Say^101", "Display^101", "cEgo", "dOne", *imports]
    return assemble(
        "\n".join(
            [
                ".script 90",
                ".data 0",
                ".strings",
                '    s0: "Hello"',
                '    s6: "Bye"',
                f".imports {len(names) + 1}",
                *(f'    {number}: "{name}"' for number, name in enumerate(names, 1)),
                ".exports",
                ".sections",
                '    "__DialogScripts.asc" L0',
                '    "Dialog 0" L1',
                '    "Dialog 2" L2',
                '    "Dialog x" L3',
                ".code",
                "L0:",
                "    ret",
                "L1:",
                *parts,
                "L2:",
                "    sourceline 1",
                "    movl ax, @string s6",
                "    farpush ax",
                '    movl ax, @import "Display^101"',
                "    farcall ax",
                "L3:",
                "    ret",
            ]
        )
    )


SAY = """
    sourceline {line}
    movl ax, @string {text}
    farpush ax
    movl mar, @import "cEgo"
    mov mar, ax
    callobj ax
    setfuncargs 1
    movl ax, @import "Character::Say^101"
    farcall ax
"""


def test_what_a_compiled_dialog_does() -> None:
    script = compiled(
        "    sourceline 1",
        COMPARE.format(option=0),
        SAY.format(line=2, text="s0"),
        "    sourceline 3\n    movl ax, -1\n    ret",
        "    sourceline 4",
        COMPARE.format(option=3),
        SAY.format(line=5, text="s6"),
        "    sourceline 6\n    movl ax, 7\n    farpush ax\n    movl ax, 2\n    farpush ax",
        '    movl mar, @import "dOne"\n    mov mar, ax\n    callobj ax',
        '    movl ax, @import "Display^101"\n    farcall ax',
        "    sourceline 7\n    movl ax, 4\n    ret",
        "    sourceline 8\n    movl ax, -1\n    ret\n    movl ax, 0\n    ret",
    )
    steps = dialog_steps(script)
    assert steps == {
        0: [
            Step(0, 2, "cEgo", "Hello"),
            Step(0, 3, "", "return"),
            Step(3, 5, "cEgo", "Bye"),
            Step(3, 6, "", "dOne.Display(2, 7)"),
            Step(3, 7, "", "goto-dialog 4"),
        ],
        2: [Step(0, 1, "", 'Display("Bye")')],
    }


@pytest.mark.parametrize(
    ("value", "word"),
    [(-2, "stop"), (-4, "goto-previous"), (0, "goto-dialog 0"), (-9, None)],
)
def test_how_a_dialog_goes_on(value: int, word: str | None) -> None:
    script = compiled(
        SAY.format(line=2, text="s0"), f"    sourceline 3\n    movl ax, {value}\n    ret"
    )
    expected = [Step(0, 2, "cEgo", "Hello")]
    if word is not None:
        expected.append(Step(0, 3, "", word))
    assert dialog_steps(script)[0] == expected


def test_the_dialogs_of_the_small_game() -> None:
    content = ags_games.game().content
    assert content is not None and content.dialog_script is not None
    steps = dialog_steps(content.dialog_script)
    assert [(step.who, step.text) for step in steps[0]] == [
        ("cBob", "&7 I'm Bob."),
        ("cEgo", 'So "long"!'),
    ]
    assert steps[1] == []


def branch(condition: str, *body: str, label: str) -> str:
    """An ``if`` as compilers write it, to a label that follows."""
    return "\n".join((condition, f"    jzi {label}", *body))


def test_the_conditions_of_a_compiled_dialog() -> None:
    less = '    movl mar, @import "game"\n    memread4 ax\n    push ax\n    movl ax, 100\n'
    less += "    pop bx\n    lt bx, ax\n    mov bx, ax"
    is_set = '    movl mar, @import "mes"\n    memread4 ax'
    both = f"{is_set}\n    jzi L20\n    push ax\n{less}\n"
    both += "    pop bx\n    land bx, ax\n    mov bx, ax\nL20:"
    step = '    movl mar, @import "mes"\n    memread4 ax\n    addi ax, 1\n'
    step += '    movl mar, @import "mes"\n    memwrite4 ax'
    call = "    movl ax, 31998\n    farpush ax\n    movl ax, 2\n    farpush ax\n"
    call += '    movl ax, @import "Display^101"\n    farcall ax'
    local = COMPARE.format(option=2).replace("offs 8", "offs 4")
    script = compiled(
        "    sourceline 1",
        COMPARE.format(option=0), "    mov bx, ax\n    jzi L10",
        SAY.format(line=2, text="s0"),
        "    sourceline 3", branch(less, SAY.format(line=4, text="s6"), label="L11"),
        "    sourceline 5", branch(both, f"    sourceline 6\n{step}", label="L12"),
        "L12:\n    sourceline 7\n    jmpi L13",
        f"L11:\n    sourceline 8\n{call}",
        "L13:\n    sourceline 9",
        branch(f"{local}    mov bx, ax", SAY.format(line=10, text="s6"), label="L14"),
        "L14:\n    sourceline 11\n    movl ax, -2\n    ret\n    jmpi L15",
        "L10:\n    sourceline 12",
        COMPARE.format(option=1), "    mov bx, ax\n    jzi L15",
        "L16:\n    sourceline 13", f"{is_set}\n    not ax\n    jzi L17",
        SAY.format(line=14, text="s0"), "    jmpi L16",
        "L17:\n    sourceline 15", f"{call}\n    jnzi L18", SAY.format(line=16, text="s6"),
        "L18:\n    sourceline 17\n    movl ax, -1\n    ret",
        "L15:\n    sourceline 18\n    movl ax, -1\n    ret\n    movl ax, 0\n    ret",
        imports=("game", "mes"),
    )  # fmt: skip
    steps = [
        (step.option, step.line, [block.text for block in step.blocks], step.text)
        for step in dialog_steps(script)[0]
    ]
    first = "if (game.score < 100)"
    assert steps == [
        (0, 2, [], "Hello"),
        (0, 4, [first], "Bye"),
        (0, 6, [first, "if (mes && game.score < 100)"], "mes = mes + 1"),
        (0, 8, ["else"], "Display(2)"),
        (0, 10, ["if (… == 2)"], "Bye"),
        (0, 11, [], "stop"),
        (1, 14, ["while (!mes)"], "Hello"),
        (1, 16, ["if (!Display(2))"], "Bye"),
        (1, 17, [], "return"),
    ]


def test_members_of_a_compiled_dialog() -> None:
    owner = '    movl mar, @import "cEgo"\n    mov mar, ax\n    callobj ax'
    script = compiled(
        f'    sourceline 2\n{owner}\n    movl ax, @import "Character::get_x"\n    farcall ax',
        "    push ax\n    movl ax, 3\n    pop bx\n    sub bx, ax\n    mov bx, ax\n    push ax",
        "    movl ax, 2\n    pop bx\n    mul bx, ax\n    mov bx, ax\n    farpush ax",
        f'{owner}\n    movl ax, @import "Character::set_x"\n    farcall ax',
        '    sourceline 3\n    movl ax, @string s6\n    movl mar, @import "text"\n    memwrite4 ax',
        '    movl mar, @import "__hidden"\n    memwrite4 ax\n    load.sp.offs 4\n    memwrite4 ax',
        imports=("Character::get_x", "Character::set_x", "text", "__hidden"),
    )
    assert [step.text for step in dialog_steps(script)[0]] == [
        *("cEgo.x", "cEgo.x = (cEgo.x - 3) * 2", 'text = "Bye"'),
    ]


def test_a_loop_in_another_case_and_a_value_of_conditions() -> None:
    is_set = '    movl mar, @import "mes"\n    memread4 ax'
    call = '    movl ax, 2\n    farpush ax\n    movl ax, @import "Display^101"\n    farcall ax'
    script = compiled(
        f"    sourceline 1\n{is_set}\n    jzi L11",
        SAY.format(line=2, text="s0"), "    jmpi L13",
        f"L11:\n    sourceline 3\n{is_set}\n    jzi L13", SAY.format(line=4, text="s6"),
        "    jmpi L11",
        f"L13:\n    sourceline 5\n{is_set}\n    jzi L14\n    push ax\n{call}\n    pop bx",
        "    land bx, ax\n    mov bx, ax",
        'L14:\n    movl mar, @import "mes"\n    memwrite4 ax',
        imports=("mes",),
    )  # fmt: skip
    steps = [([block.text for block in step.blocks], step.text) for step in dialog_steps(script)[0]]
    assert steps == [
        (["if (mes)"], "Hello"),
        (["else", "while (mes)"], "Bye"),
        ([], "Display(2)"),
        ([], "mes = mes && Display(2)"),
    ]


@pytest.mark.parametrize("version", [100, 118])
def test_a_gui_of_an_old_game_shows_its_fields_by_the_version_of_the_guis(version: int) -> None:
    """It is not that of the game."""
    holder = GameDocument()
    holder._game = old(guis=(version, GuiSection(guis=[Gui(name="ICONBAR")])))
    shown = surface.Gui(holder, 0)
    assert shown.functions == []
    assert "width" in shown.fields or "name" in shown.fields
