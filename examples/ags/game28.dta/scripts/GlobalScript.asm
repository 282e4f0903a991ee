.script 90
.data 0
.strings
.imports 0
.exports
    function "game_start$0" L0
.sections
    "GlobalScript.asc" L0
.code
L0:
    thisaddr 0
    ret
