"""The script of Adventure Game Studio: names, completion, mistakes, renaming."""
