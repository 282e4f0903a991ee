"""The exit codes (docs/guide/command-line.md)."""

OK = 0
ANSWER_IS_NO = 1
USAGE = 2
BAD_INPUT = 3
INTERNAL = 70
INTERRUPTED = 130
