"""Stretches of instructions become loops, ifs, switches, tries and functions."""
