"""The header and the script that the editor makes of a project's global variables."""

from __future__ import annotations

from typing import Final

from overhaul.ags.agf.model import GlobalVariable

HEADER_NAME: Final = "_GlobalVariables.ash"
SCRIPT_NAME: Final = "_GlobalVariables.asc"


def _brackets(variable: GlobalVariable) -> str:
    if variable.size < 0:
        return "[]"
    return f"[{variable.size}]" if variable.size else ""


def variables_header(variables: list[GlobalVariable]) -> str:
    """The imports of the variables."""
    return "".join(f"import {v.type} {v.name}{_brackets(v)};\n" for v in variables)


def variables_script(variables: list[GlobalVariable]) -> str:
    """The variables themselves, and a function that sets the Strings."""
    lines: list[str] = []
    strings: list[str] = []
    for variable in variables:
        value = variable.default
        text = f"{variable.type} {variable.name}{_brackets(variable)}"
        if variable.type == "String" and not variable.size:
            quoted = value.replace("\\", "\\\\").replace('"', '\\"')
            strings.append(f'  {variable.name} = "{quoted}";')
        elif value and not variable.size and not variable.type.endswith("*"):
            text += f" = {value}"
        lines += [f"{text};", f"export {variable.name};"]
    lines += ["function game_start() {", *strings, "}"]
    return "\n".join(lines) + "\n"
