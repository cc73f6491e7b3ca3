"""Finds sources that use what only a precompiled header includes for them.

usage: includes.py SOURCE-DIRECTORY

The libraries' sources are compiled, and checked by clang-tidy, beside headers that others include.
Each file of lib and tool must include the standard header, or that of fmt, of each name below that
it uses, by itself or by a header of the project. Prints each that is missing; exits 1 if there are any.
"""
import functools
import os
import re
import sys

NAMES = {
    "algorithm": r"std::(?:ranges::)?(?:sort|stable_sort|nth_element|find|find_if|any_of|all_of|none_of|count_if|"
                 r"min_element|max_element|upper_bound|lower_bound|equal_range|partition_point|clamp|min|max|minmax)\b",
    "array": r"std::array\b",
    "filesystem": r"std::filesystem\b",
    "map": r"std::(?:multi)?map\b",
    "optional": r"std::(?:optional|nullopt)\b",
    "string": r"std::(?:string|to_string|stoi|stod|getline)\b",
    "unordered_map": r"std::unordered_(?:multi)?map\b",
    "vector": r"std::vector\b",
    "fmt/format.h": r"fmt::(?:format|memory_buffer|format_to)\b",
}
INCLUDE = re.compile(r"^#include [<\"]([^>\"]+)[>\"]", re.M)
COMMENT = re.compile(r"//.*|\"(?:[^\"\\\n]|\\.)*\"")


class Sources:
    def __init__(self, root):
        self.root = root

    @functools.lru_cache(None)
    def direct(self, path):
        """(the project's headers that a file includes, other headers)."""
        with open(path, encoding="utf-8") as file:
            names = INCLUDE.findall(file.read())
        folders = os.path.dirname(path), os.path.join(self.root, "lib"), os.path.join(self.root, "runtime", "include")
        ours = {name: place for name in names for folder in folders
                if os.path.isfile(place := os.path.join(folder, name))}
        return set(ours.values()), set(names) - set(ours)

    def includes(self, path):
        """What a file and the project's headers that it includes include."""
        waiting, seen, found = {path}, set(), set()
        while waiting:
            at = waiting.pop()
            seen.add(at)
            ours, others = self.direct(at)
            found |= others
            waiting |= ours - seen
        return found

    def missing(self, path):
        with open(path, encoding="utf-8") as file:
            text = COMMENT.sub("", INCLUDE.sub("", file.read()))
        return [header for header, names in NAMES.items()
                if re.search(names, text) and header not in self.includes(path)]


def main():
    root = sys.argv[1]
    sources, found = Sources(root), 0
    for room in "lib", "tool":
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in sorted(names):
                path = os.path.join(folder, name)
                for header in sources.missing(path) if name.endswith((".h", ".cpp")) else []:
                    print(f"{os.path.relpath(path, root)}: uses names of <{header}>, which it doesn't include")
                    found += 1
    return found != 0


if __name__ == "__main__":
    sys.exit(main())
