"""The files of Adventure Game Studio as folders of plain files: a module with ``FORMAT`` each."""
