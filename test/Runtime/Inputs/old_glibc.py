"""Names that FILES need of a glibc newer than 2.28, as the libraries of this machine's compiler tell.

  old_glibc.py COMPILER FILE...

A name that the libraries have in several versions came with the first. Exits with 1 if there are any.
"""
import re
import subprocess
import sys

OLDEST = (2, 28)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def first_versions(compiler):
    """{name: the first version of glibc that has it}."""
    first = {}
    for library in ("libc.so.6", "libm.so.6"):
        path = run(compiler, "-print-file-name=" + library).strip()
        for line in run("objdump", "-T", path).splitlines():
            found = re.search(r"\(?GLIBC_([0-9.]+)\)? +(\S+)$", line)
            if found and "*UND*" not in line:
                version = tuple(int(part) for part in found.group(1).split("."))
                first[found.group(2)] = min(version, first.get(found.group(2), version))
    assert first["malloc"] <= OLDEST < first["arc4random"], "these aren't glibc's libraries"
    return first


def main():
    compiler, *files = sys.argv[1:]
    first = first_versions(compiler)
    failed = False
    for path in files:
        symbols = [line.split() for line in run("nm", path).splitlines()]
        for name in sorted({words[-1] for words in symbols if len(words) == 2 and words[0] == "U"}):
            if first.get(name, OLDEST) > OLDEST:
                version = ".".join(str(part) for part in first[name])
                print(f"{path}: {name} came with GLIBC_{version}, and the reference isn't weak")
                failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
