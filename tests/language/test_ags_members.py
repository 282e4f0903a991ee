"""Members of structs: what they are, and renaming them over all scripts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import overhaul
from ags_scripted import scripted_package
from overhaul.errors import WorkspaceError
from overhaul.language.ags.language import AgsLanguage
from overhaul.language.ags.scanning import scan, script_lines
from overhaul.language.edits import after_edits
from overhaul.language.texts import FolderTexts
from overhaul.language.workspace import Workspace

GLOBAL = "scripts/GlobalScript.asc"
HEADER = "scripts/GlobalScript.ash"
ROOM = "rooms/1/script.asc"
ROOM_HEADER = "rooms/1/script.ash"
SHARED = """struct Weapon
{
  import int Hit(int times = 1);
  import attribute int Force;
  int damage;
};
struct Sword extends Weapon
{
  int edge;
};
import int Strike(this Character*, int force);
import int strength(int points);
import Sword sword;
"""
SCRIPT = """Sword sword;
export sword;
Sword rack[4];
int Force;

int Weapon::Hit(int times)
{
  this.damage = this.damage - times;
  return this.damage;
}
int Weapon::get_Force()
{
  return this.damage * 2;
}
void Weapon::set_Force(int value)
{
  this.damage = value / 2;
}
int Strike(this Character*, int force)
{
  return force + sword.Hit();
}
int strength(int points)
{
  int damage = points;  // damage
  rack[damage].damage = rack[Random(3)].edge + damage;
  sword.Force = Force;
  return damage + player.Strike(sword.Force);
}
function hDoor_Look()
{
  sword.edge = strength(4);
}
function game_start()
{
  Display("damage %d", sword.damage);
}
"""
ROOM_SCRIPT = """int counter;
export counter;
function room_Load()
{
  counter = strength(2) + sword.Hit(sword.damage);
  player.Strike(sword.Force);
}
function hDoor_Look()
{
  counter++;
}
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made game with structs in its scripts, unpacked after it was packed with them."""
    base = tmp_path_factory.mktemp("members")
    (base / "small.ags").write_bytes(scripted_package())
    overhaul.unpack(base / "small.ags", base / "game")
    for path, text in (
        (GLOBAL, SCRIPT), (HEADER, SHARED), (ROOM, ROOM_SCRIPT), (ROOM_HEADER, SHARED),
    ):  # fmt: skip
        (base / "game" / path).write_text(text)
    return base / "game"


@pytest.fixture
def workspace(unpacked: Path) -> Workspace:
    return Workspace.of_folder(unpacked)


@pytest.fixture
def ags(workspace: Workspace) -> AgsLanguage:
    language = workspace.language_of(GLOBAL)
    assert isinstance(language, AgsLanguage)
    return language


def put(workspace: Workspace, path: str, text: str) -> None:
    assert isinstance(workspace.texts, FolderTexts)
    workspace.texts.put(path, text)


def renamed(workspace: Workspace, ags: AgsLanguage, where: str, new: str) -> dict[str, str]:
    """The files once what stands behind a part of the global script is called otherwise."""
    offset = workspace.texts.read(GLOBAL).index(where) + len(where)
    made = ags.rename(GLOBAL, offset, new, workspace.prove)
    assert not made.doubts
    files = after_edits(workspace.texts, made.edits, made.moves)
    return {path: (data or b"").decode() for path, data in files.items()}


def test_a_field_is_renamed_where_it_is_meant(workspace: Workspace, ags: AgsLanguage) -> None:
    files = renamed(workspace, ags, "rack[damage].", "harm")
    assert {*files} == {GLOBAL, HEADER, ROOM, ROOM_HEADER}
    expected = SCRIPT.replace(".damage", ".harm")
    assert files[GLOBAL] == expected
    assert files[HEADER] == files[ROOM_HEADER] == SHARED.replace("int damage", "int harm")
    assert files[ROOM] == ROOM_SCRIPT.replace(".damage", ".harm")


def test_an_attribute_with_its_functions(workspace: Workspace, ags: AgsLanguage) -> None:
    files = renamed(workspace, ags, "  sword.", "Power")
    assert files[HEADER] == SHARED.replace("int Force", "int Power")
    assert files[GLOBAL] == SCRIPT.replace("_Force", "_Power").replace("sword.Force", "sword.Power")
    assert files[ROOM] == ROOM_SCRIPT.replace("sword.Force", "sword.Power")


@pytest.mark.parametrize(
    ("where", "old", "new"),
    [
        ("int Weapon::", "Hit", "Wound"),
        ("player.", "Strike", "Attack"),
        ("}\nint S", "Strike", "Go"),
    ],
)
def test_functions_of_structs(
    workspace: Workspace, ags: AgsLanguage, where: str, old: str, new: str
) -> None:
    files = renamed(workspace, ags, where, new)
    assert files[GLOBAL] == SCRIPT.replace(old, new)
    assert files[HEADER] == SHARED.replace(old, new)
    assert files[ROOM] == ROOM_SCRIPT.replace(old, new)


ARMED = "struct Weapon { import int Hit(int times = 1); int damage; };\nimport Weapon weapon;\n"
ARMS = """Weapon weapon;
export weapon;
Weapon rack[3];
int Weapon::Hit(int times)
{
  this.damage -= times;
  return this.damage;
}
function hDoor_Look()
{
  weapon.Hit(4 + rack[1].Hit());
}
"""
IN_ROOM = "function room_Load() { weapon.Hit(2); }\nfunction hDoor_Look() { }\n"


def test_a_struct_is_renamed_with_its_functions(unpacked: Path, tmp_path: Path) -> None:
    """The game packs with the new name in its tables of functions, and the old one nowhere: the
    engine would look for such an import in vain."""
    tree, made = tmp_path / "game", tmp_path / "made.ags"
    shutil.copytree(unpacked, tree)
    for path, text in ((GLOBAL, ARMS), (HEADER, ARMED), (ROOM, IN_ROOM), (ROOM_HEADER, ARMED)):
        (tree / path).write_text(text)
    overhaul.pack(tree, made)
    assert made.read_bytes().count(b"Weapon::Hit") == 2  # an export, and an import of the room
    workspace = Workspace.of_folder(tree)
    language = workspace.language_of(GLOBAL)
    assert isinstance(language, AgsLanguage)
    (span,) = language.definitions(GLOBAL, ARMS.index("Weapon::"))
    assert (span.path, span.start) == (HEADER, ARMED.index("Weapon"))
    renaming = language.rename(GLOBAL, ARMS.index("Weapon::"), "Arms", workspace.prove)
    assert not renaming.doubts
    for path, data in after_edits(workspace.texts, renaming.edits, renaming.moves).items():
        (tree / path).write_bytes(data or b"")
    assert (tree / GLOBAL).read_text() == ARMS.replace("Weapon", "Arms")
    assert (tree / ROOM_HEADER).read_text() == ARMED.replace("Weapon", "Arms")
    overhaul.pack(tree, made, force=True)
    assert made.read_bytes().count(b"Arms::Hit") == 2
    assert b"Weapon::" not in made.read_bytes()


@pytest.mark.parametrize(
    ("text", "new", "reason"),
    [
        ("", "Sword", "taken"),
        ("", "Character", "taken"),
        ("", "Weapon", "called Weapon already"),
        ("#define WEAPON Weapon\n", "Arms", "macro WEAPON"),
        ("struct Plug { import int Go(); };\n", "", "has Go, which no script here defines"),
    ],
)
def test_a_struct_that_keeps_its_name(
    workspace: Workspace, ags: AgsLanguage, text: str, new: str, reason: str
) -> None:
    put(workspace, GLOBAL, text + SCRIPT)
    where = "Weapon::" if new else "Plug"
    offset = workspace.texts.read(GLOBAL).index(where)
    with pytest.raises(WorkspaceError, match=reason):
        ags.rename(GLOBAL, offset, new or "Other", workspace.prove)


def test_what_members_are(workspace: Workspace, ags: AgsLanguage) -> None:
    at = SCRIPT.index("sword.edge") + 7
    (span,) = ags.definitions(GLOBAL, at)
    assert (span.path, SHARED[span.start : span.end]) == (HEADER, "edge")
    uses = ags.references(ROOM, ROOM_SCRIPT.index("Hit") + 1)
    assert [use.path for use in uses].count(GLOBAL) == 2
    lenses = {SCRIPT[each.start : each.end]: each.title for each in ags.lenses(GLOBAL)}
    assert lenses["Hit"] == "2 uses"
    assert lenses["Strike"] == "2 uses"


@pytest.mark.parametrize(
    ("text", "where", "new", "reason"),
    [
        ("", "::", "damage", "taken"),
        ("", "::", "edge", "taken"),  # of a struct that extends it
        ("", "::", "while", "word of the language"),
        ("", "int Weapon::", "Hit", "called Hit already"),
        ("", "player.", "Say", "taken"),
        ("", "int Weapon::g", "x", "belongs to an attribute"),
        ("#define WOUND sword.Hit\n", "Weapon::", "Wound", "macro WOUND"),
        ("function f() { somewhere.Hit(); }\n", "Weapon::", "Wound", "not known here"),
        ("#define Wound 3\n", "Weapon::", "Wound", "taken"),
    ],
)
def test_what_is_not_sure_is_refused(
    workspace: Workspace, ags: AgsLanguage, text: str, where: str, new: str, reason: str
) -> None:
    put(workspace, GLOBAL, SCRIPT + text)
    offset = workspace.texts.read(GLOBAL).index(where) + len(where)
    with pytest.raises(WorkspaceError, match=reason):
        ags.rename(GLOBAL, offset, new, workspace.prove)


def test_members_of_the_editor_stay(workspace: Workspace, ags: AgsLanguage) -> None:
    put(workspace, GLOBAL, SCRIPT.replace("player.Strike(sword.Force)", 'player.Say("x")'))
    with pytest.raises(WorkspaceError, match="declared by the editor"):
        ags.renameable(GLOBAL, workspace.texts.read(GLOBAL).index("Say"))


def test_only_lines_of_script_in_dialogs_have_names() -> None:
    dialog = "@S\nego: I Strike.\n  player.Strike(1);\nreturn\n"
    (player, strike) = scan(script_lines(dialog)).occurrences
    assert (player.name, strike.name) == ("player", "Strike")
    assert dialog[strike.position :].startswith("Strike(1)")


@pytest.mark.corpus
def test_a_function_that_dialogs_call(corpus: Path, tmp_path: Path) -> None:
    path = corpus / "ags/robertsdionne__whistleblower/83009508-game28.dta"
    if not path.exists():
        pytest.skip("the corpus does not have the game")
    overhaul.unpack(path, tmp_path / "game")
    workspace = Workspace.of_folder(tmp_path / "game")
    language = workspace.language_of(GLOBAL)
    assert isinstance(language, AgsLanguage)
    offset = workspace.texts.read("dialogs/Horace2.ads").index("SignOut")
    made = language.rename("dialogs/Horace2.ads", offset, "LeaveChat", workspace.prove)
    assert not made.doubts
    paths = {edit.path for edit in made.edits}
    assert {GLOBAL, "scripts/DialogScripts.ash", "dialogs/Horace2.ads"} <= paths
    for name, data in after_edits(workspace.texts, made.edits, made.moves).items():
        (tmp_path / "game" / name).write_bytes(data or b"")
    overhaul.pack(tmp_path / "game", tmp_path / "made.dta")
    overhaul.unpack(tmp_path / "made.dta", tmp_path / "again")
    assert "LeaveChat(Chat1)" in (tmp_path / "again/dialogs/Horace2.ads").read_text()
