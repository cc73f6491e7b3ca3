"""Finds the commands in documents, and runs those that can be run.

usage: doc_commands.py list SOURCE_ROOT         prints every command, one a line
       doc_commands.py check SOURCE_ROOT SCENES compares them with the scenes
       doc_commands.py run SCENES SCENE PREFIX  runs one scene in the current folder

A command is a line of a code block in one of DOCUMENTS whose first word, after variable
assignments, is a program. SCENES is a file of scenes: a line "scene NAME" or "not run:
REASON", and the commands below it, indented as in the documents. Lines that begin with
"+" are the test's own preparations. check fails if a command is in no scene, or if a
scene has a command that is in no document.

run passes all lines of a scene to one shell, which stops at the first failure. PREFIX
replaces /usr/local, where the documents install Loopscope.
"""
import pathlib
import re
import subprocess
import sys

DOCUMENTS = ("README.md", "docs/recipes.md", "docs/user-guide.md", "docs/watch.md", "docs/annotations.md",
             "docs/selection.md", "docs/report.md", "docs/performance.md", "docs/CONTRIBUTING.md")
ASSIGNMENT = r"(?:[A-Z_0-9]+=(?:\"[^\"]*\"|\S*) )*"
PROGRAM = re.compile(
    rf"{ASSIGNMENT}(?:sudo |nice |env )?(?:loopscope(?:-launch|-rewrite)?|sh|sudo|apt|bazel|cmake|cpack|meson|ninja|make|mpirun|srun|docker"
    r"|g\+\+|clang\+\+|python3|printf|echo|mkdir|export|nsys|ncu|kineto_bench|mpicc|\./\S+|build/bin/\S+|build/\S+)(?: |$)")


def blocks(text):
    """A document's code blocks, each a list of lines without indentation."""
    fenced, block, last_blank = None, [], True
    for line in text.split("\n"):
        if fenced is not None:
            if line.lstrip().startswith("```"):
                if fenced in ("", "sh"):
                    yield block
                fenced, block = None, []
            else:
                block.append(line)
        elif line.lstrip().startswith("```"):
            fenced, block = line.strip()[3:], []
        elif line.startswith("    ") and (last_blank or block):
            block.append(line[4:])
        else:
            if block:
                yield block
            block = []
        last_blank = not line.strip()
    if block:
        yield block


def commands_of(text):
    for block in blocks(text):
        lines = iter(block)
        for line in lines:
            line = line.strip().removeprefix("$ ")
            while line.endswith("\\"):
                line = line[:-1].rstrip() + " " + next(lines).strip()
            if PROGRAM.match(line):
                # Text after two spaces explains the command.
                yield re.split(r"  +", line)[0].strip()


def commands(root):
    found = {}
    for name in DOCUMENTS:
        for command in commands_of((root / name).read_text(encoding="utf-8")):
            found.setdefault(command, name)
    return found


def scenes_of(path):
    """Maps a name or reason to its lines; preparations keep their "+"."""
    scenes, name = {}, None
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.startswith(("scene ", "not run: ")):
            name = line
            scenes[name] = []
        elif line.startswith("    ") and name:
            scenes[name].append(line[4:])
    return scenes


def check(root, path):
    found = commands(root)
    known = {line for lines in scenes_of(path).values() for line in lines if not line.startswith("+")}
    for command in found:
        if command not in known:
            print(f"{found[command]}: no scene runs: {command}")
    for command in known - set(found):
        print(f"{path.name}: in no document: {command}")
    return found.keys() == known


def run(path, name, prefix):
    lines = [line.removeprefix("+").replace("/usr/local", prefix) for line in scenes_of(path)[f"scene {name}"]]
    # Not through standard input, from which mpirun would read the rest.
    return subprocess.run(["bash", "-exc", "\n".join(lines)], stdin=subprocess.DEVNULL, check=False).returncode


def main():
    if sys.argv[1] == "list":
        print("\n".join(commands(pathlib.Path(sys.argv[2]))))
    elif sys.argv[1] == "check":
        sys.exit(not check(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])))
    else:
        sys.exit(run(pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]))


if __name__ == "__main__":
    main()
