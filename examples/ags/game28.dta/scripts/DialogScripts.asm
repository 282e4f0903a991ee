.script 90
.data 0
.strings
.imports 0
.exports
    function "dialog_request$0" L0
.sections
    "__DialogScripts.asc" L0
.code
L0:
    thisaddr 0
    ret
