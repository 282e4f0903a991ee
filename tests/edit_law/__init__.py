"""The law of edits: an edit of an unpacked folder is true, or it is refused.

:mod:`edit_law.edits` makes edits of a folder's plain files, :mod:`edit_law.subject` packs a folder
in memory and unpacks it again, :mod:`edit_law.law` says what became of each edit.  As a program
(``python tests/edit_law FILES...``) it prints what breaks the law in real files.
"""
