.script 90
.data 0
.strings
.imports 0
.exports
    function "dialog_request$0" L_dialog_request
.sections
    "__DialogScripts.asc" L_dialog_request
.code
L_dialog_request:
    thisaddr 0
    ret
