"""The commands for files of Adventure Game Studio."""
