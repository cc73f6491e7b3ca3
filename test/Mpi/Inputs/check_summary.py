"""Compares a summary of ranks with the ranks' own files of the same run.

usage: check_summary.py SUMMARY DIR LATE PHASE   (of a run whose rank LATE was late in PHASE)
       check_summary.py --damage SUMMARY         (damaged copies of SUMMARY end in a sentence, not a crash)

Counts and times of every call path are the same, but for what another calibration of the clock makes; at least one rank
is packed and at most ten are whole; both name the late rank and the same phase. Exit code 77: the ranks' own files
name another or none, because a busy machine made others late.
"""
import csv
import glob
import io
import random
import re
import struct
import subprocess
import sys

HEADER, MEMBER = struct.Struct("<8sHHIIIQQ24x"), struct.Struct("<4Q")
LATE = re.compile(r"^Rank (\d+) takes \S+ \S+ longer per step than the median rank.*?: (\w+)", re.M)


def report(*args):
    return subprocess.run(["loopscope", "report", *args], check=True, capture_output=True, text=True).stdout


def members(data):
    count, size = HEADER.unpack_from(data)[4:6]
    for rank in range(count):
        offset, length, arrived, _ = MEMBER.unpack_from(data, HEADER.size + rank * size)
        assert arrived == length, rank
        yield rank, data[offset:offset + length]


def tree(*files):
    text = report(*files, "--view", "tree", "--format", "csv")
    kept = {}
    for row in csv.DictReader(io.StringIO(text)):
        if row["name"] not in ("MPI_Finalize", "(profiler)", "(unaccounted)", "wall time"):
            kept[row["name"], row["depth"]] = row
    return kept


def compare(summary, folder, late, phase):
    with open(summary, "rb") as file:
        data = file.read()
    packed = [rank for rank, copy in members(data) if copy.startswith(b"LOOPSPK\n")]
    assert packed, "no rank is packed"
    assert len(list(members(data))) - len(packed) <= 10, packed
    own = sorted(glob.glob(folder + "/*.rank*.loopscope"))
    for rank, _ in members(data):
        mine = tree(next(each for each in own if f".rank{rank}." in each))
        here = tree(f"{summary}:{rank}")
        assert mine.keys() == here.keys() and len(mine) > 5, (rank, mine.keys() ^ here.keys())
        for name, row in mine.items():
            assert row["calls"] == here[name]["calls"], (rank, name)
            for key in ("inclusive_s", "self_s"):
                before, now = float(row[key] or 0), float(here[name][key] or 0)
                assert abs(before - now) <= 2e-6 * before + 5e-9, (rank, name, key, before, now)
    named = [found and found.groups() for found in (LATE.search(report(*names, "--view", "ranks"))
                                                    for names in (own, [summary]))]
    if named[0] != (late, phase):
        sys.exit(77)
    assert named[1] == named[0], named


def damage(summary):
    with open(summary, "rb") as file:
        data = bytearray(file.read())
    offset, length = HEADER.unpack_from(data)[6:8]
    packed = [MEMBER.unpack_from(data, HEADER.size + rank * MEMBER.size)[:2] for rank, copy in members(data)
              if copy.startswith(b"LOOPSPK\n")]
    rng = random.Random(1)
    for case in range(30):
        worse = bytearray(data)
        at, size = rng.choice(packed + [(offset, length)])
        for _ in range(4):
            worse[at + 8 + rng.randrange(size - 8)] = rng.randrange(256)
        if case % 3 == 0:
            worse[48 - 16:48] = bytes(rng.randrange(256) for _ in range(16))
        with open("damaged.loopscope", "wb") as file:
            file.write(worse)
        done = subprocess.run(["loopscope", "report", "damaged.loopscope", "--view", "ranks"], check=False,
                              capture_output=True, text=True)
        assert done.returncode in (0, 1, 2), (case, done.returncode)
        assert done.returncode == 0 or "loopscope: error: " in done.stderr, (case, done.stderr)


if __name__ == "__main__":
    if sys.argv[1] == "--damage":
        damage(sys.argv[2])
    else:
        compare(*sys.argv[1:5])
