"""Overhaul: take a game's files apart into plain files, and put them back byte for byte."""

__version__ = "0.1.0"
