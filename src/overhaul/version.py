"""The version of Overhaul."""

__version__ = "0.1.0"
