.script 90
.data 0
.strings
.imports 0
.exports
    function "game_start$0" L_game_start
.sections
    "GlobalScript.asc" L_game_start
.code
L_game_start:
    thisaddr 0
    ret
