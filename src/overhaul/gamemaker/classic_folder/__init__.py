"""The unpacked folder of a project: its resources as files people edit, and back."""

from overhaul.gamemaker.classic_folder.whole import apply, plain_files

__all__ = ["apply", "plain_files"]
