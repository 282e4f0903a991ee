"""What every opened file can do, which formats there are, and how a file finds its own."""
