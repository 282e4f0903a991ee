.script 90
.data 0
.strings
    s0: "The moon is out tonight."
    s25: "__NEWSCRIPTSTART_room1.asc"
.imports 1
    0: "Display^101"
.exports
    function "room_Load$0" L0
    function "hMoon_Look$0" L5
.sections
    "room1.asc" L0
.code
L0:
    sourceline 2
    thisaddr 0
    ret
L5:
    sourceline 5
    thisaddr 5
    movl ax, @string s0                  ; "The moon is out tonight."
    farpush ax
    setfuncargs 1
    movl ax, @import "Display^101"
    farcall ax
    farsubsp 1
    ret
