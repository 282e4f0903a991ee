"""The files of Adventure Game Studio as folders of plain files: a FolderFormat module each."""
