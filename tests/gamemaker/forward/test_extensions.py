"""Extensions of a project of Studio 1 in the project of a later release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import overhaul
from ide_projects import COMMENT, studio_project, write
from overhaul.cli import main
from overhaul.document.files import write_into
from overhaul.gamemaker.forward import forward
from overhaul.gamemaker.ide.values import read_values
from overhaul.gamemaker.recovery import Recovered

DLL, GML = 1, 2
EXTENSION = """<extension>
  <name>Sky</name>
  <version>1.2.3</version>
  <classname>SkyClass</classname>
  <license>Free</license>
  <files>
    <file>
      <filename>{library}</filename>
      <init>sky_open</init>
      <final>sky_close</final>
      <kind>1</kind>
      <functions>
        <function>
          <name>sky_open</name>
          <externalName>OpenSky</externalName>
          <kind>11</kind>
          <help>sky_open(path)</help>
          <returnType>2</returnType>
          <argCount>2</argCount>
          <args>
            <arg>1</arg>
            <arg>2</arg>
          </args>
        </function>
        <function>
          <name>sky_close</name>
          <externalName>CloseSky</externalName>
          <kind>12</kind>
          <help/>
          <returnType>1</returnType>
          <argCount>-1</argCount>
          <args/>
        </function>
      </functions>
      <constants>
        <constant>
          <name>SKY_BLUE</name>
          <value>16711680</value>
        </constant>
      </constants>
    </file>
    <file>
      <filename>sky.gml</filename>
      <kind>2</kind>
    </file>
  </files>
</extension>
"""


def made(folder: Path, library: str = "sky.dll", **files: bytes) -> Recovered:
    """The later project; ``library`` is how the extension names its first file."""
    path = studio_project(folder)
    listed = '<NewExtensions>\n    <extension index="0">extensions\\Sky</extension>\n  '
    text = path.read_text("utf-8").replace("<assets>\n", f"<assets>\n  {listed}</NewExtensions>\n")
    path.write_text(text, "utf-8")
    write(folder, "extensions/Sky.extension.gmx", COMMENT + EXTENSION.format(library=library))
    for name, data in files.items():
        write(folder, f"extensions/Sky/{name.replace('__', '.')}", data)
    with overhaul.open_project(path) as project:
        found = forward(project, "yyp", "later")
        return found._replace(files={name: read().__bytes__ for name, read in found.files.items()})


def value(found: Recovered) -> Any:
    return read_values(found.files["extensions/Sky/Sky.yy"]().decode("utf-8"))


SOURCE = b"#define sky_draw\r\nreturn argument0 div 2;\r\n#define sky_clear\r\nx = 0;\r\n"


def test_an_extension_keeps_its_files_functions_and_constants(tmp_path: Path) -> None:
    found = made(tmp_path / "old", sky__dll=b"MZ library", sky__gml=SOURCE)
    extension = value(found)
    assert (extension["extensionVersion"], extension["classname"]) == ("1.2.3", "SkyClass")
    assert extension["license"] == "Free"
    library, code = extension["files"]
    assert [(file["filename"], file["kind"]) for file in (library, code)] == [
        ("sky.dll", DLL), ("sky.gml", GML)
    ]  # fmt: skip
    assert (library["init"], library["final"]) == ("sky_open", "sky_close")
    keys = ("name", "externalName", "kind", "help", "returnType", "argCount", "args")
    assert [tuple(each[key] for key in keys) for each in library["functions"]] == [
        ("sky_open", "OpenSky", 11, "sky_open(path)", 2, 2, [1, 2]),
        ("sky_close", "CloseSky", 12, "", 1, -1, []),
    ]
    assert [(each["name"], each["value"]) for each in library["constants"]] == [
        ("SKY_BLUE", "16711680")
    ]
    assert [each["name"] for each in library["order"]] == ["sky_open", "sky_close"]
    assert found.files["extensions/Sky/sky.dll"]() == b"MZ library"
    assert found.files["extensions/Sky/sky.gml"]().decode() == (
        "function sky_draw() {\n    return argument0 div 2;\n}\n\n"
        "function sky_clear() {\n    x = 0;\n}\n"
    )
    assert found.tallies["extensions"] == (1, 0, 0)
    write_into(str(tmp_path / "new"), found.files)
    assert main(["check", str(tmp_path / "new" / found.name)]) == 0


def test_an_extension_without_one_of_its_files_is_lost(tmp_path: Path) -> None:
    found = made(tmp_path, sky__gml=SOURCE)
    assert [file["filename"] for file in value(found)["files"]] == ["sky.dll", "sky.gml"]
    assert "extensions/Sky/sky.dll" not in found.files
    assert found.tallies["extensions"] == (1, 0, 1)


def test_a_file_is_named_without_its_folders(tmp_path: Path) -> None:
    write(tmp_path / "a", "extensions/Sky/win/sky.dll", b"MZ in a folder")
    found = made(tmp_path / "a", "win\\sky.dll", sky__gml=SOURCE)
    assert [file["filename"] for file in value(found)["files"]] == ["sky.dll", "sky.gml"]
    assert found.files["extensions/Sky/sky.dll"]() == b"MZ in a folder"
    found = made(tmp_path / "b", "", sky__gml=SOURCE)
    assert [file["filename"] for file in value(found)["files"]] == ["file", "sky.gml"]
