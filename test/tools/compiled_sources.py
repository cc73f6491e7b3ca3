"""Writes what a build through the launcher leaves in a program about its sources (lib/Support/CompiledSource.h).

usage: compiled_sources.py text FILE...
       compiled_sources.py program COMPILER PROGRAM FILE...

The first prints the value of __LOOPSCOPE_SOURCES for a program compiled here. The second makes the object file PROGRAM with nothing
but that list, which stands for a program. The hash is written here anew, from its definition (FNV-1a, 64 bits).
"""
import os
import subprocess
import sys


def hash_of(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def text(files, folder):
    described = []
    for name in files:
        with open(os.path.join(folder, name), "rb") as file:
            described.append(f"{hash_of(file.read()):016x} {len(folder)} {folder} {name}")
    return " : ".join(described)


def make_program(compiler, program, listed):
    """Compiles the object file PROGRAM with the list LISTED."""
    code = f'__asm__(".pushsection .loopscope.sources,\\"MS\\",%progbits,1\\n.asciz \\"{listed}\\"\\n.popsection");\n'
    subprocess.run([*compiler.split(), "-x", "c", "-c", "-", "-o", program], input=code, text=True, check=True)


def main():
    what, *rest = sys.argv[1:]
    if what == "text":
        print(text(rest, os.getcwd()))
    else:
        compiler, program, *files = rest
        make_program(compiler, program, text(files, os.getcwd()))


if __name__ == "__main__":
    main()
