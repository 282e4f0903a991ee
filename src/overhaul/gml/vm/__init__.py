"""The virtual machine's code: opcodes, instructions, columns, assembly text, linking.

Nothing here knows data.win: instructions name their variables, functions, strings and assets, and
whoever owns a file turns numbers into names and back.
"""
