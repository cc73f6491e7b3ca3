"""Follows recipes of docs/CONTRIBUTING.md to the letter, in a copy of the sources.

usage: recipes.py SOURCE_ROOT BUILD RECIPE...

RECIPE is a heading there. Its numbered steps say what to do with the code below them: "A new
file `PATH`", or "In `PATH`, ... below `LINE`" or "above `LINE`", where LINE, in backticks or
double quotes, stands in one line of the file. Code blocks of sh are run, with BUILD for build.

The copy is the same folder in a mount namespace, so that only what the recipes touch is built
again; changes go to a temporary folder. All steps of all recipes come first, then the commands of
each, so that what several touch is built once. Prints for each how many files its steps touch,
which ones its commands rewrite, and how many build steps ninja would take for all targets that the
recipes before it don't need. Exits with 1 if a step can't be done, or with a command's exit code.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

GUIDE = "docs/CONTRIBUTING.md"
NEW = re.compile(r"A new file `([^`]+)`")
OLD = re.compile(r"In `([^`]+)`")
ANCHOR = re.compile(r"\b(below|above) (?:`([^`]+)`|\"([^\"]+)\")")


def section(text, title):
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not found:
        sys.exit(f"{GUIDE} has no recipe '{title}'")
    return found[1].split("\n")


def steps(lines):
    """(words before it, language, code) of each code block; words are those of its own item."""
    words, code, language, indent = "", None, "", 0
    for line in lines:
        if code is None and line.lstrip().startswith("```"):
            code, language, indent = [], line.strip()[3:], len(line) - len(line.lstrip())
        elif code is not None and line.strip() == "```":
            yield words, language, "\n".join(code) + "\n"
            words, code = "", None
        elif code is not None:
            code.append(line[indent:])
        else:
            words += line.strip() + " "


def insert(path, anchor, code):
    where, *names = anchor
    name = names[0] or names[1]
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    places = [i for i, line in enumerate(lines) if name in line]
    if len(places) != 1:
        sys.exit(f"{path} has {len(places)} lines with {name}")
    lines.insert(places[0] + (where == "below"), code)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)


def apply(recipe):
    """Does what the steps say; returns the touched files and the commands."""
    touched, commands, path = [], [], None
    for words, language, code in recipe:
        if language == "sh":
            commands.append(code)
            continue
        new, old, anchor = NEW.search(words), OLD.search(words), ANCHOR.search(words)
        path = new[1] if new else old[1] if old else path
        if new:
            if os.path.exists(path):
                sys.exit(f"{path} is there already")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(code)
        elif path and anchor:
            insert(path, anchor.groups(), code)
        else:
            sys.exit(f"what to do with this code isn't clear: {words}")
        if path not in touched:
            touched.append(path)
    return touched, commands


def build_steps(build):
    """What ninja would do now, after CMake, if that has to run."""
    subprocess.run(["ninja", "-C", build, "build.ninja"], check=True, stdout=subprocess.DEVNULL)
    planned = subprocess.run(["ninja", "-C", build, "-n"], check=True, stdout=subprocess.PIPE,
                             text=True).stdout
    return set(re.findall(r"^\[\d+/\d+\] (.*)$", planned, re.M))


def changed(layer):
    """{path: when} of the files that differ from the sources: those in LAYER."""
    return {os.path.relpath(path, layer): os.stat(path).st_mtime_ns for folder, _, names in os.walk(layer)
            for name in names for path in [os.path.join(folder, name)] if "__pycache__" not in path}


def run(commands, build):
    """The exit code of the first that fails, or 0."""
    for command in commands:
        command = re.sub(r"(?<=[ /])build(?=[ /]|$)|^build(?=/)", os.path.relpath(build), command, flags=re.M)
        code = subprocess.run(["sh", "-ec", command], check=False).returncode
        if code:
            return code
    return 0


def follow(build, titles, layer):
    """The exit code, inside the copy, which is the current folder."""
    with open(GUIDE, encoding="utf-8") as file:
        guide = file.read()
    planned, all_commands = build_steps(build), []
    for title in titles:
        touched, commands = apply(list(steps(section(guide, title))))
        needed = build_steps(build) - planned
        planned |= needed
        compiled = sum(step.startswith("Building") for step in needed)
        print(f"{title}: {len(touched)} files ({', '.join(touched)})")
        print(f"build steps: {len(needed)}, {compiled} of them objects", flush=True)
        all_commands.append(commands)
    for title, commands in zip(titles, all_commands):
        before = changed(layer)
        code = run(commands, build)
        if code:
            print(f"{title}: a command failed")
            return code
        rewritten = sorted(path for path, when in changed(layer).items()
                           if before.get(path) != when and not path.startswith(os.path.relpath(build) + "/"))
        print(f"{title}: rewritten by commands: {', '.join(rewritten) or 'none'}", flush=True)
    return 0


def main():
    inside = sys.argv[1] == "--inside"  # the namespace; the folder for changes is next
    source, build, *titles = sys.argv[1 + 2 * inside:]
    source, build = os.path.realpath(source), os.path.realpath(build)
    if inside:
        folder = sys.argv[2]
        for name, lower in (("source", source), ("build", build)):
            upper, work = os.path.join(folder, name), os.path.join(folder, name + "-work")
            if name == "build" and build.startswith(source + os.sep):
                continue
            os.makedirs(upper)
            os.makedirs(work)
            subprocess.run(["mount", "-t", "overlay", "overlay", "-o",
                            f"lowerdir={lower},upperdir={upper},workdir={work}", lower], check=True)
        os.chdir(source)
        sys.exit(follow(build, titles, os.path.join(folder, "source")))
    folder = tempfile.mkdtemp()
    try:
        sys.exit(subprocess.run(["unshare", "-m", sys.executable, os.path.abspath(__file__), "--inside",
                                 folder, source, build, *titles], check=False).returncode)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
