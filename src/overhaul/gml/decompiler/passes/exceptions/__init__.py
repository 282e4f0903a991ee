"""Removal of what compilers add around try statements."""
