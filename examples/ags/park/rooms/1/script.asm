.script 90
.data 0
.strings
    s_The_moon_is_out_tonight_4e7990: "The moon is out tonight."
    s_NEWSCRIPTSTART_room1_as_8b626c: "__NEWSCRIPTSTART_room1.asc"
.imports 1
    0: "Display^101"
.exports
    function "room_Load$0" L_room_Load
    function "hMoon_Look$0" L_hMoon_Look
.sections
    "room1.asc" L_room_Load
.code
L_room_Load:
    sourceline 2
    thisaddr 0
    ret
L_hMoon_Look:
    sourceline 5
    thisaddr 5
    movl ax, @string s_The_moon_is_out_tonight_4e7990 ; "The moon is out tonight."
    farpush ax
    setfuncargs 1
    movl ax, @import "Display^101"
    farcall ax
    farsubsp 1
    ret
