"""The files of Adventure Game Studio as documents: open, list, verify, unpack, pack."""
