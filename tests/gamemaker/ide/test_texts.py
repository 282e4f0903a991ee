"""GameMaker's JSON: read, printed as each release prints it, and edited in one place."""

from __future__ import annotations

import pytest

from overhaul.document.jsontext import JsonError
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.ide.inherited import is_inherited, read_inherited
from overhaul.gamemaker.ide.styles import real_text, single, style_of
from overhaul.gamemaker.ide.texts import JsonFile, read_json_file
from overhaul.gamemaker.ide.values import Json, conflict_marks, path_of, read_values

#: As 2.0 to 2.2 write an object.
A = """{
    "id": "4f97e7d7-2d0d-464f-9ceb-a24c6c58a8c6",
    "modelName": "GMObject",
    "mvc": "1.0",
    "name": "obj_a",
    "eventList": [
        {
            "id": "1",
            "IsDnD": false
        }
    ],
    "path": "a\\/b",
    "physicsDensity": 0.5,
    "physicsGroup": 1,
    "properties": [
BLANKS
    ]
}""".replace("BLANKS", " " * 8)
#: As 2.0 to 2.2 write a room.
ROOM = """
{
    "name": "room0",
    "id": "1",
    "layers": [
        {
            "__type": "GMRInstanceLayer_Model:#YoYoStudio.MVCFormat",
            "name": "Instances",
            "instances": [
{"name": "inst_1","id": "2","colour": { "Value": 4294967295 },"properties": null,"x": 0.5},
{"name": "inst_2","id": "3","colour": { "Value": 4294967295 },"properties": [{"id": "4"}],"x": 1}
            ],
            "layers": [

            ]
        },
        {
            "name": "Tiles",
            "tiles": {
                "SerialiseWidth": 2,
                "TileSerialiseData": [
                    1,2,
                    3,2147483648
                ]
            }
        }
    ],
    "mvc": "1.0",
    "roomSettings":     {
        "Height": 8
    }
}"""
#: As 2.3 to 2022.6 write a room.
B = """{
  "volume": 1.0,
  "layers": [
    {"instances":[
        {"objectId":{"name":"obj_a","path":"objects/obj_a/obj_a.yy",},"x":0.5,"resourceType":"GMRInstance",},
      ],"visible":true,"resourceType":"GMRInstanceLayer",},
    {"tiles":{"SerialiseWidth":2,"SerialiseHeight":1,"TileSerialiseData":[
1,2,
],},"resourceType":"GMRTileLayer",},
  ],
  "roomSettings": {
    "Width": 640,
    "Height": 480,
  },
  "tags": [],
  "empty": {},
  "guideColour": [
    1,
    2,
  ],
  "resourceVersion": "1.0",
  "resourceType": "GMRoom",
}"""
#: As 2023.2 to 2023.11 write a project.
C = """{
  "resourceType": "GMProject",
  "resourceVersion": "1.7",
  "name": "Game",
  "bbox_left": 1,
  "configs": {
    "children": [],
    "name": "Default",
  },
  "resources": [
    {"id":{"name":"obj_a","path":"objects/obj_a/obj_a.yy",},},
  ],
}"""
#: As 2024.2 and later write a sprite.
D = """{
  "$GMSprite":"v2",
  "%Name":"spr_a",
  "bboxMode":0,
  "bbox_left":1,
  "frames":[
    {"$GMSpriteFrame":"v1","%Name":"f","name":"f",},
  ],
  "name":"spr_a",
  "nineSlice":{
    "guideColour":[4294902015,1,],
    "tileMode":[
      0,
      1,
    ],
  },
  "sequence":{
    "eventToFunction":{},
    "tracks":[
      {"keyframes":{"Keyframes":[
            {"Channels":{
                "0":{"Id":{"name":"f","path":"sprites/spr_a/spr_a.yy",},},
              },"Key":0.0,},
          ],},"tracks":[],},
    ],
    "volume":1.0,
  },
  "targets":-1,
  "width":16,
}"""
#: The same with channels on one line, as some files of 2024.13 have them.
FLAT = D.replace(
    """{
                "0":{"Id":{"name":"f","path":"sprites/spr_a/spr_a.yy",},},
              }""",
    """{"0":{"Id":{"name":"f","path":"sprites/spr_a/spr_a.yy",},},}""",
).replace("[\n      0,\n      1,\n    ]", "[0,1,]")
ALL = {"A": A, "room": ROOM, "B": B, "C": C, "D": D, "flat": FLAT}


def file_of(text: str) -> JsonFile:
    return read_json_file(text.encode())


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_values_alone_give_the_text(text: str) -> None:
    assert file_of(text).printed() == text
    windows = text.replace("\n", "\r\n")
    assert file_of(windows).printed() == windows
    assert file_of(text + "\n").printed() == text + "\n"


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_styles(text: str) -> None:
    name = next(name for name, other in ALL.items() if other == text)
    style = style_of(text)
    assert style.letter == {"room": "A", "flat": "D"}.get(name, name)
    assert (style.room, style.flat) == (name == "room", name == "flat")


def test_bytes_are_kept() -> None:
    data = b'\xef\xbb\xbf{ "a" :1.50,\r\n\t"b":[ ]\n}'
    file = read_json_file(data)
    assert file.to_bytes() == data
    assert file.value == {"a": 1.5, "b": []}
    edited = file.replaced("b", value=[True]).to_bytes()
    assert edited == data.replace(b"[ ]", b"[\r\n    true,\r\n  ]")


def test_numbers_of_64_bits_are_exact() -> None:
    file = file_of('{\n  "$A":"",\n  "targets":9223372036854775807,\n}')
    assert file.at("targets") == 9223372036854775807
    assert file.printed() == file.text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"), (0.5, "0.5"), (0.20441176, "0.20441176"), (376.78577, "376.78577"),
        (1.24543e-05, "1.24543E-05"), (1e-10, "1E-10"), (0.0001, "0.0001"), (-0.25, "-0.25"),
        (0.1 + 0.2, "0.30000000000000004"), (4.999999046, "4.999999046"),
        (1e16, "10000000000000000.0"),
    ],
)  # fmt: skip
def test_reals(value: float, text: str) -> None:
    assert real_text(value, "D") == text


def test_reals_of_2_0() -> None:
    assert [real_text(value, "A") for value in (1.0, 0.5, 1e-5)] == ["1", "0.5", "1E-05"]


def test_new_reals_are_singles() -> None:
    assert single(0.1 + 0.2) == 0.3
    assert single(1 / 3) == 0.33333334
    file = file_of(D).replaced("sequence", "volume", value=1 / 3)
    assert file.text == D.replace('"volume":1.0', '"volume":0.33333334')
    assert file_of(D).replaced("sequence", "volume", value=2).at("sequence", "volume") == 2.0
    assert '"volume":2.0,' in file_of(D).replaced("sequence", "volume", value=2).text


# --- edits --------------------------------------------------------------------------------------


def test_an_edit_changes_one_value() -> None:
    assert file_of(A).replaced("path", value="x/y").text == A.replace("a\\/b", "x\\/y")
    assert file_of(B).replaced("layers", 0, "instances", 0, "x", value=3).text == B.replace(
        '"x":0.5', '"x":3.0'
    )
    assert file_of(C).replaced("configs", "name", value='a"\n').text == C.replace(
        '"name": "Default"', '"name": "a\\"\\n"'
    )
    assert file_of(D).replaced("nineSlice", value=None).text.count("\n") == D.count("\n") - 6
    untouched = file_of(D)
    assert untouched.replaced("width", value=16) is untouched
    assert untouched.replaced("width", value=True).at("width") is True


def test_what_is_added_has_the_place_of_the_release() -> None:
    row: Json = {"id": {"name": "obj_b", "path": "objects/obj_b/obj_b.yy"}}
    line = '    {"id":{"name":"obj_b","path":"objects/obj_b/obj_b.yy",},},\n'
    known = C.splitlines(keepends=True)[10]
    assert file_of(C).added("resources", 1, value=row).text == C.replace(known, known + line)
    assert file_of(C).added("resources", 0, value=row).text == C.replace(known, line + known)
    assert file_of(C).added("bboxMode", value=0).text == C.replace(
        '  "bbox_left"', '  "bboxMode": 0,\n  "bbox_left"'
    )
    assert file_of(D).added("VTile", value=False).text == D.replace(
        '  "width"', '  "VTile":false,\n  "width"'
    )
    assert file_of(D).added("$z", value=1).text == D.replace('  "%Name"', '  "$z":1,\n  "%Name"', 1)
    assert file_of(A).added("aaa", value=1).text == A.replace(
        '    "eventList"', '    "aaa": 1,\n    "eventList"'
    )
    assert file_of(A).added("zzz", value=1).text == A[:-2] + ',\n    "zzz": 1\n}'
    assert file_of(B).added("new", value=1).text == B.replace('  "tags"', '  "new": 1,\n  "tags"')
    assert file_of(B).added("layers", 0, "depth", value=7).text == B.replace(
        '"visible":true,', '"visible":true,"depth":7,'
    )


def test_what_is_added_to_nothing_is_printed() -> None:
    assert file_of(B).added("tags", 0, value="t").text == B.replace(
        '"tags": []', '"tags": [\n    "t",\n  ]'
    )
    assert file_of(D).added("sequence", "eventToFunction", "1", value="f").text == D.replace(
        '"eventToFunction":{}', '"eventToFunction":{\n      "1":"f",\n    }'
    )
    assert file_of(D).added("nineSlice", "guideColour", 2, value=5).text == D.replace(
        "[4294902015,1,]", "[4294902015,1,5,]"
    )


def test_what_is_removed_leaves_no_trace() -> None:
    assert file_of(D).removed("width").text == D.replace('  "width":16,\n', "")
    assert file_of(D).removed("bbox_left").text == D.replace('  "bbox_left":1,\n', "")
    density = '    "physicsDensity": 0.5,\n'
    assert file_of(A).removed("physicsDensity").text == A.replace(density, "")
    assert file_of(C).removed("resources", 0).text == C.replace(
        '[\n    {"id":{"name":"obj_a","path":"objects/obj_a/obj_a.yy",},},\n  ]', "[]"
    )
    assert file_of(B).removed("layers", 0).value == {
        **read_dict(B), "layers": read_list(B, "layers")[1:],
    }  # fmt: skip


def read_dict(text: str) -> dict[str, object]:
    value = read_values(text)
    assert isinstance(value, dict)
    return dict(value)


def read_list(text: str, key: str) -> list[object]:
    value = read_dict(text)[key]
    assert isinstance(value, list)
    return value


def test_long_lists_of_numbers_have_lines_of_100_characters() -> None:
    numbers: list[int] = list(range(1000, 1030))
    file = file_of('{\n  "$A":"",\n  "n":[],\n}').replaced("n", value=[*numbers[:24]])
    assert file.text.splitlines()[2] == f'  "n":[{",".join(map(str, numbers[:24]))},],'
    longer = file.replaced("n", value=[*numbers])
    assert [len(line) for line in longer.text.splitlines()[3:-2]] == [104, 54]
    assert longer.printed() == longer.text


def test_edits_of_what_is_not_there() -> None:
    for edit in (
        lambda: file_of(D).replaced("nothing", value=1),
        lambda: file_of(D).removed("frames", 3),
        lambda: file_of(D).added("width", value=1),
        lambda: file_of(D).added("frames", 5, value=1),
        lambda: file_of(D).at("frames", 7, "x"),
    ):
        with pytest.raises(EncodeError):
            edit()
    with pytest.raises(EncodeError, match="can hold the number nan"):
        file_of(D).replaced("width", value=float("nan"))


def test_places() -> None:
    assert file_of(D).place("nineSlice", "tileMode") == (12, 5)
    assert file_of(B).place("layers", 0, "instances", 0, "x") == (5, 71)
    assert path_of(("layers", 2, "x")) == "layers[2].x"


# --- what is broken -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', (3, 3), "Expecting ',' delimiter"),
        ('{"a":[,]}', (1, 7), "Expecting value"),
        ('{,}', (1, 2), "Expecting property name"),
        ('{"a":1,,}', (1, 9), "Expecting property name"),
        ('{"a":"x}', (1, 6), "Unterminated string"),
        ('{"a":1,"a":2}', (1, 8), "duplicate key 'a'"),
        ("", (1, 1), "Expecting value"),
        ('{"a":1} x', (1, 9), "Extra data"),
    ],
)  # fmt: skip
def test_broken_json(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(JsonError, match=message) as error:
        read_json_file(text.encode(), source="x.yy").at()
    assert (error.value.line, error.value.column) == place
    assert str(error.value).startswith(f"x.yy:{place[0]}:{place[1]}: ")


def test_marks_of_a_merge() -> None:
    text = D.replace(
        '  "width":16,\n',
        '<<<<<<< HEAD\n  "width":16,\n=======\n  "width":32,\n>>>>>>> other\n',
    )
    with pytest.raises(JsonError, match="a merge left <<<<<<< here") as error:
        file_of(text).at()
    assert (error.value.line, error.value.code) == (D.count("\n"), "merge-conflict")
    assert [mark.sign for mark in conflict_marks(text)] == ["<<<<<<<", "=======", ">>>>>>>"]


def test_hostile_texts_are_refused_in_time() -> None:
    for text in ("[" * 1_000_000, '{"a":' * 200_000, '"' + '\\"' * 500_000, "[" + "1," * 300_000):
        with pytest.raises(FormatError):
            file_of(text).at()
    with pytest.raises(FormatError, match="expected a text in UTF-8, got other bytes"):
        read_json_file(b'{"a":"\xff"}')


# --- what differs from the defaults ---------------------------------------------------------------

INHERITED = (
    "1.0.0\u2190ed6a955d-5826-4f98-a450-10b414266c27\u2190ed6a955d-5826-4f98-a450-10b414266c27|{\n"
    '    "option_game_speed": 60,\n    "option_window_colour": {\n        "Value": 255\n    }\n'
    '}\u21901225f6b0-ac20-43bd-a82e-be73fa0b6f4f|{\n    "targets": 461609314234257646\n}'
)


def test_inherited_options() -> None:
    data = INHERITED.encode()
    file = read_inherited(data)
    assert is_inherited(data)
    assert not is_inherited(A.encode())
    assert file.version == "1.0.0"
    assert [part.id[:8] for part in file.parts] == ["ed6a955d", "1225f6b0"]
    assert file.to_bytes() == data
    assert file.printed() == INHERITED
    edited = file.replaced(0, "option_game_speed", value=30).to_bytes()
    assert edited == data.replace(b'speed": 60', b'speed": 30')
    with pytest.raises(FormatError, match=r"parts\[1\]: expected an id"):
        read_inherited(INHERITED.replace("1225f6b0-", "").encode())
