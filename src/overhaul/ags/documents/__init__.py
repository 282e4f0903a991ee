"""The files of Adventure Game Studio as documents: one module each."""
