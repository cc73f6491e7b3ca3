"""Finds inconsistent version numbers.

usage: versions.py SOURCE-DIRECTORY BUILD-DIRECTORY [CHANGELOG]

Compares the version of the project, of each executable and of the CMake package; of the
profile format in its header, the tool, the docs and the newest profile among the tests;
of the JSON schema in the schema and the tool; and all of them with the newest heading
of docs/CHANGELOG.md. Prints the differences; exits 1 if there are any.
"""
import glob
import json
import os
import re
import subprocess
import sys

SOURCE, BUILD = sys.argv[1:3]
CHANGELOG = sys.argv[3] if len(sys.argv) > 3 else os.path.join(SOURCE, "docs/CHANGELOG.md")


def text(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def last(pattern, where):
    """The groups of the last match, joined by dots; None if there is no match."""
    found = re.findall(pattern, where, re.M)
    return ".".join(found[-1]) if found and isinstance(found[-1], tuple) else (found or [None])[-1]


def said_by(tool):
    path = os.path.join(BUILD, "bin", tool)
    if not os.path.exists(path):
        return None  # built without LLVM
    return subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout


def main():
    ours = said_by("loopscope")
    heading = re.search(r"^## .*$", text(CHANGELOG), re.M).group()
    header = text(SOURCE, "runtime/include/loopscope/profile_format.h")
    schema = json.loads(text(SOURCE, "docs/report.schema.json"))
    profiles = (re.search(r"version-(\d+)\.(\d+)\.gz$", path).groups() for path in
                glob.glob(os.path.join(SOURCE, "test/Report/Inputs/version-*.gz")))
    versions = {
        "project": {
            "CMakeLists.txt": last(r"^project\(Loopscope VERSION ([\d.]+)",
                                   text(SOURCE, "CMakeLists.txt")),
            "LoopscopeConfigVersion.cmake": last(r'^set\(PACKAGE_VERSION "([\d.]+)"\)',
                                                 text(BUILD, "LoopscopeConfigVersion.cmake")),
            "CHANGELOG.md": last(r"^## ([\d.]+)", heading)},
        "profile format": {
            "profile_format.h": last(r"_VERSION_MAJOR (\d+)$", header) + "." +
                                last(r"_VERSION_MINOR (\d+)$", header),
            "loopscope --version": last(r"profile format ([\d.]+)", ours),
            "profile-format.md": last(r"^\| (\d+\.\d+) \|", text(SOURCE, "docs/profile-format.md")),
            "test/Report/Inputs": ".".join(max(profiles, key=lambda v: [int(n) for n in v])),
            "CHANGELOG.md": last(r"profile format ([\d.]+\d)", heading)},
        "json schema": {
            "report.schema.json": str(schema["properties"]["loopscope_report"]["const"]),
            "loopscope --version": last(r"json schema (\d+)", ours),
            "CHANGELOG.md": last(r"json schema (\d+)", heading)}}
    for tool in ("loopscope", "loopscope-rewrite", "loopscope-launch"):
        if (said := said_by(tool)) is not None:
            versions["project"][f"{tool} --version"] = last(rf"^{tool} ([\d.]+)$", said)
    wrong = False
    for what, named in versions.items():
        if len(set(named.values())) != 1:
            wrong = True
            print(f"{what}:", ", ".join(f"{where} says {each}" for where, each in named.items()))
    sys.exit(1 if wrong else 0)


main()
