"""Runs the examples in every explanation: the first must get its diagnostic, the second
must not.

usage: explain.py FOLDER
"""
import os
import re
import subprocess
import sys

# Used by the examples of selections.
PROGRAM = """void step();
void train() {
  for (int i = 0; i < 9; ++i)
    step();
  step();
}
void step() {}
"""
FLAGS = {"outside-function": ["-fblocks"],
         "old-standard": ["-std=c++98"],
         "named-loop": ["-x", "c", "-std=c2y"],
         "key-type": ["-x", "c", "-std=c2x"],
         "directive-part": ["-fopenmp"],
         "kernel": ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib"],
         "device-code": ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib"]}


def rewriter(*arguments, folder):
    """The exit code and all output."""
    run = subprocess.run(["loopscope-rewrite", *arguments], cwd=folder, text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.returncode, run.stdout


def said(ident, code, folder):
    """The rewriter's diagnostics for an example."""
    is_rule = code.startswith("rules:")
    with open(os.path.join(folder, "example.cpp"), "w", encoding="utf-8") as stream:
        stream.write(PROGRAM if is_rule else code)
    with open(os.path.join(folder, "rules.yaml"), "w", encoding="utf-8") as stream:
        stream.write(code if is_rule else "rules: []\n")
    return rewriter("example.cpp", "-o", "out.cpp", *(["--select", "rules.yaml"] if is_rule else []),
                    "--", "-std=c++20", *FLAGS.get(ident, []), folder=folder)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    idents = [line.split()[0] for line in rewriter("--explain", folder=folder)[1].splitlines()]
    bad = len(idents) < 40
    for ident in idents:
        text = rewriter("--explain", ident, folder=folder)[1]
        wrong, right = (re.sub("^    ", "", part, flags=re.M).strip("\n") + "\n"
                        for part in re.split(r"^Instead:\n", text, flags=re.M))
        wrong = wrong[wrong.index("\n\n", wrong.index("\n\n") + 2) + 2:]
        if wrong.startswith("loopscope-rewrite"):
            continue  # A command; header-needs-mirror.test runs it.
        for code, expected in ((wrong, True), (right, False)):
            status, output = said(ident, code, folder)
            if (f"[{ident}]" in output) != expected or (not expected and status != 0):
                print(f"{ident}: {'not said' if expected else 'said'} of\n{code}---\n{output}---")
                bad = True
    sys.exit(bad)


if __name__ == "__main__":
    main()
