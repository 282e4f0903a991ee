"""Pages of code: names as links, source and assembly line by line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import overhaul
from furnished import furnished_lantern
from overhaul.gamemaker.data.code.meanings import meaning, signature
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.builtins import BuiltinFunction, load_functions, load_parameters
from viewing import looking_at

PAGE = "/code/gml_Object_obj_keeper_Step_0"


def parts_of(page: dict[str, list[dict[str, list[dict[str, str]]]]]) -> dict[str, dict[str, str]]:
    return {part["text"]: part for line in page["lines"] for part in line["parts"]}


def test_colours_of_code_have_classes_that_no_other_part_of_pages_has(tmp_path: Path) -> None:
    path = furnished_lantern(tmp_path / "lantern.win")
    with looking_at(path) as client:
        found = re.findall(r'href="([^"]*\.css)"', client.get("/").text)
        styles = [client.get(href).text for href in found]
        for address in ("/code/gml_Object_obj_keeper_Draw_0", "/shaders/sh_glow"):
            text = client.get(address).text
            lines = re.findall(r'<li id="[^"]*L\d+".*?</li>', text, re.DOTALL)
            classes = set(re.findall(r'class="([^"]*)"', "".join(lines))) - {"ln"}
            assert classes and all(each.startswith("role-") for each in classes), classes
    used = {name for style in styles for name in re.findall(r"\.([a-z-]+)", style)}
    assert {name for name in used if name.startswith("role-")} == {
        *("role-keyword", "role-string", "role-number", "role-comment", "role-directive"),
        *("role-built-in-function", "role-built-in-variable", "role-constant"),
        *("role-extension-function", "role-builtin", "role-resource", "role-variable"),
    }


def test_the_source_is_whole_and_its_names_are_links(lantern: Path) -> None:
    with overhaul.open_game(lantern) as game:
        name = next(c.name for c in game.code if "instance_exists(obj_firefly)" in c.gml)
        source = game.code[name].gml
    with looking_at(lantern) as client:
        page = client.get(f"/code/{name}.json").json()
        text = client.get(f"/code/{name}").text
    shown = ["".join(part["text"] for part in line["parts"]) for line in page["lines"]]
    assert "\n".join(shown) == page["source"] == source
    parts = parts_of(page)
    assert parts["obj_firefly"]["href"] == "/objects/obj_firefly"
    assert '<a class="role-resource" href="/objects/obj_firefly"' in text
    assert [line["number"] for line in page["lines"]] == list(range(1, len(shown) + 1))
    folds = {line["number"]: line["fold"] for line in page["lines"] if "fold" in line}
    braces: list[int] = []
    expected: dict[int, int] = {}
    for number, line in enumerate(shown, 1):
        if line.strip() == "{":
            braces.append(number)
        elif line.strip() == "}" and number - (first := braces.pop()) > 1:
            expected[first] = number
    assert folds == expected != {}


def test_each_instruction_stands_at_its_line(lantern: Path) -> None:
    with looking_at(lantern) as client:
        page = client.get(f"{PAGE}.json").json()
    with overhaul.open_game(lantern) as game:
        code = game.code["gml_Object_obj_keeper_Step_0"]
        texts = code.assembly.splitlines()
        count = len(code.instructions)
    assert [line["text"] for line in page["assembly"]] == texts
    lines = [line["line"] for line in page["assembly"] if line.get("line")]
    assert len(lines) == count
    assert set(lines) <= set(range(1, len(page["lines"]) + 1))
    assert lines[0] == min(lines)
    # An instruction that names a variable belongs to a line that names it.
    for each in page["assembly"]:
        for name in ("hspeed", "image_index", "x"):
            if each["text"].endswith(f"self.{name}") and each.get("line"):
                assert name in page["source"].split("\n")[each["line"] - 1]


def test_who_runs_it_is_reported(lantern: Path) -> None:
    with looking_at(lantern) as client:
        page = client.get(f"{PAGE}.json").json()
    assert (page["owner"]["href"], page["place"]) == ("/objects/obj_keeper", "Step_0")


@pytest.mark.parametrize(
    ("name", "kind", "about"),
    [
        ("spr_keeper", "sprite", "sprite "),
        ("draw_text", "built-in function", "draw_text(x: Real, y: Real, string)"),
        ("mouse_x", "built-in variable", "built-in variable of the game, can't be set"),
        ("hspeed", "built-in variable", "built-in variable of each instance"),
        ("c_red", "constant", "constant 255"),
        ("true", "constant", "constant of the language"),
        ("global", "keyword", "the global variables of the game"),
        ("noone", "keyword", "no instance"),
        ("self", "keyword", "the instance or struct that runs the code"),
    ],
)
def test_what_names_mean(lantern: Path, name: str, kind: str, about: str) -> None:
    with overhaul.open_game(lantern) as game:
        found = meaning(game.language.context, name)
    assert found is not None
    assert found.kind == kind
    assert found.about.startswith(about)
    assert (found.name == name) is (kind == "sprite")


def test_a_name_of_the_game_itself_means_nothing_known(lantern: Path) -> None:
    with overhaul.open_game(lantern) as game:
        assert meaning(game.language.context, "some_variable_of_mine") is None


def test_functions_inside_link_to_their_lines(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern) as game:
        if game.release.bytecode < 17:
            pytest.skip("scripts of this release hold no functions")
        game.scripts.add(
            "scr_two",
            "function one()\n{\n    return 1;\n}\n\nfunction two()\n{\n    return one();\n}\n",
        )
        game.save(path)
    with looking_at(path) as client:
        page = client.get("/code/gml_GlobalScript_scr_two.json").json()
        client.get("/code/gml_GlobalScript_scr_two")
    hrefs = {each["text"]: each["href"] for each in page["functions"]}
    lines = page["source"].split("\n")
    for name in ("one", "two"):
        href = hrefs[f"gml_Script_{name}"]
        assert lines[int(href.removeprefix("#L")) - 1].startswith(f"function {name}(")
    assert parts_of(page)["one"]["href"] == "/code/gml_GlobalScript_scr_two"


def test_signatures_show_what_may_be_left_out() -> None:
    assert signature(BuiltinFunction("f", 1, 2, ("Real", "String"), "Bool")) == (
        "f(argument0: Real, [argument1: String]) → Bool"
    )
    assert signature(BuiltinFunction("g", 0, -1, (), "")) == "g(…)"
    assert signature(BuiltinFunction("h", 2, 2, (), "Undefined")) == "h(argument0, argument1)"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("draw_text", "draw_text(x: Real, y: Real, string)"),
        ("array_insert", "array_insert(array: Array, index: Real, …)"),
        ("choose", "choose(val1, …)"),
        ("instance_create", "instance_create(x, y, obj)"),
        (
            "audio_play_sound",
            "audio_play_sound(index: Asset.GMSound, priority: Real, loop: Bool, [gain: Real], "
            "[offset: Real|Undefined], [pitch: Real], [listener_mask: Real]) → Id.Sound",
        ),
    ],
)
def test_signatures_name_the_parameters(name: str, shown: str) -> None:
    assert signature(load_functions()[name]) == shown


def test_every_function_with_parameter_names_has_as_many_parameters() -> None:
    functions = load_functions()
    for name, names in load_parameters().items():
        most = functions[name].maximum
        assert len(names) == most or most < 0, name
        assert all(own.isidentifier() for own in names), name
        assert "*" not in signature(functions[name]), name


def crumbs_of(text: str) -> list[tuple[str, str]]:
    """The way that a page shows: the texts and where they lead."""
    way = text.partition('aria-label="Where you are"')[2].partition("</nav>")[0]
    links = re.findall(r'<li><a href="([^"]*)">([^<]*)</a>', way)
    return [(name, href) for href, name in links] + [
        (name, "") for name in re.findall(r'aria-current="page"><span>([^<]*)', way)
    ]


def test_the_way_to_code_is_that_of_what_runs_it(lantern: Path) -> None:
    with overhaul.open_game(lantern) as game:
        game.scripts.add("scr_b", _function(game, "scr_b", ""))
        game.scripts.add("scr_a", _function(game, "scr_a", "scr_b();"))
        codes = {name: game.scripts[name].code for name in ("scr_a", "scr_b")}
        names = {name: code.name for name, code in codes.items() if code is not None}
        game.code[names["scr_b"]].gml = _function(game, "scr_b", "scr_a();")
        game.objects["obj_keeper"].events["Step_0"].gml += "\nscr_a();"
        game.save(lantern.with_name("way.win"), force=True)
    step = "gml_Object_obj_keeper_Step_0"
    with looking_at(lantern.with_name("way.win")) as client:
        event = client.get(f"/code/{step}").text
        link = re.search(r'href="([^"]*)"[^>]*>scr_a<', event)
        assert link is not None
        called = client.get(link[1]).text
        deeper = re.search(r'href="([^"]*)"[^>]*>scr_b<', called)
        assert deeper is not None
        last = client.get(deeper[1]).text
        back = re.search(r'href="([^"]*)"[^>]*>scr_a<', last)
        assert back is not None
        around = client.get(back[1]).text
        alone = client.get(f"/code/{names['scr_a']}").text
        foolish = client.get(f"/code/{step}?via=nobody/{step}/<b>").text
    way = [("Objects", "/objects"), ("obj_keeper", "/objects/obj_keeper")]
    assert link[1] == f"/code/{names['scr_a']}?via={step}"
    assert crumbs_of(event)[1:] == [*way, ("Step", "")]
    assert crumbs_of(foolish) == crumbs_of(event)
    in_event = [*way, ("Step", f"/code/{step}")]
    assert crumbs_of(called)[1:] == [*in_event, (names["scr_a"], "")]
    through = (names["scr_a"], f"/code/{names['scr_a']}")
    assert crumbs_of(last)[1:] == [*in_event, through, (names["scr_b"], "")]
    assert crumbs_of(around) == crumbs_of(called)
    scripts = [("Scripts", "/scripts"), ("scr_a", "/scripts/scr_a")]
    assert crumbs_of(alone)[1:] == [*scripts, (names["scr_a"], "")]


def _function(game: GameData, name: str, body: str) -> str:
    """The source of a script: since 2.3 it declares its function."""
    return f"function {name}() {{ {body} }}" if game.release.major >= 2 else body


def test_words_of_the_language_are_no_variables(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "words.win"
    with overhaul.open_game(lantern) as game:
        source = "global.lit = true; lives_left = 1; with (other) { n = instance_exists(all); }"
        game.objects["obj_keeper"].events["Step_0"].gml = source
        game.save(path)
    with looking_at(path) as client:
        parts = parts_of(client.get(f"{PAGE}.json").json())
    for word in ("global", "other", "all"):
        assert parts[word].get("role") == "keyword", word
        assert "href" not in parts[word], word
    if "true" in parts:  # before 2.3.7 it is the number 1
        assert parts["true"]["role"] == "constant"
        assert "href" not in parts["true"]
    assert parts["lives_left"]["role"] == "variable"
    assert "how=word" in parts["lives_left"]["href"]


def test_long_code_is_shown_in_parts(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "long.win"
    name = "gml_Object_obj_keeper_Create_0"
    with overhaul.open_game(lantern) as game:
        game.code[name].gml = "\n".join(f"value{n % 7} = {n} + x;" for n in range(2500))
        game.save(path)
    with looking_at(path) as client:
        whole = client.get(f"/code/{name}.json").json()
        first = client.get(f"/code/{name}")
        number = int(re.findall(r'href="[^"]*line=(\d+)#L\d+">Lines from', first.text)[0])
        second = client.get(f"/code/{name}?line={number}")
        middle = client.get(f"/code/{name}?line=1700&assembly=1")
        shown = client.get("/objects/obj_keeper")
    assert len(whole["lines"]) == 2500
    assert whole["assembly"]
    for page in (first, second, middle, shown):
        assert len(page.content) < 300_000
    assert f'id="L{number - 1}"' in first.text
    assert f'id="L{number}"' not in first.text
    assert 'data-part="1"' in first.text
    assert "With assembly" in first.text
    assert f'id="L{number}"' in second.text
    assert 'id="L1700"' in middle.text
    assert 'data-of="1700"' in middle.text
    assert f"line={number - 1}#L{number - 1}" in second.text
