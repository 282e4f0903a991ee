"""What commands do with files of Adventure Game Studio."""
