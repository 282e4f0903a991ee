"""Unpack and pack: a model as a folder of plain files, and back."""
