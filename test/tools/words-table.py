"""Compares the table of LOOPSCOPE's words in the user guide with the runtime's own list.

usage: LOOPSCOPE=nonsense PROGRAM 2>&1 | words-table.py docs/user-guide.md

Every word must be in a row of the table, as code, with its value if it takes one; the
first word of each row must be the runtime's. Prints what is missing; exits 1 then.
"""
import re
import sys

LIST = re.compile(r"[Cc]hoose from (.*), separated by commas", re.S)
TABLE = re.compile(r"^## All words of `LOOPSCOPE`\n\n.*\n\|[-|]+\|\n((?:\|.*\n)+)", re.M)


def main():
    path = sys.argv[1]
    known = {word.split("=")[0] for word in LIST.search(sys.stdin.read())[1].split(", ")}
    with open(path, encoding="utf-8") as file:
        rows = TABLE.search(file.read())[1].splitlines()
    words = [[word.split("=")[0] for word in re.findall("`([^`]+)`", row)] for row in rows]
    wrong = [f"has no row for {word}" for word in sorted(known - set(sum(words, [])))]
    wrong += [f"has a row for {row[0]}, which LOOPSCOPE doesn't know"
              for row in words if row[0] not in known]
    for line in wrong:
        print(f"{path} {line}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
