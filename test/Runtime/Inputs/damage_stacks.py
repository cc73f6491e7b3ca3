"""Damages the samples and segments of a profile in many ways; the report must not crash.

usage: damage_stacks.py PROFILE WORK

Writes WORK repeatedly. Damaged records must be left out and counted, or have no name.
"""
import random
import struct
import subprocess
import sys

CHUNK, STACKS, CODE = 64, 22, 23


def chunks(data):
    at = 4096
    while at + CHUNK <= len(data):
        magic, kind, size = struct.unpack_from("<IIQ", data, at)
        if magic != 0x4B43534C or size < CHUNK:
            return
        yield kind, at, size
        at += size


def main():
    with open(sys.argv[1], "rb") as file:
        whole = file.read()
    places = {kind: (at, size) for kind, at, size in chunks(whole) if kind in (STACKS, CODE)}
    assert set(places) == {STACKS, CODE}
    at, size = places[STACKS]
    used = [slot for slot in range(at + CHUNK, at + size - 127, 128) if whole[slot] == 2]
    segments = range(places[CODE][0] + CHUNK, places[CODE][0] + CHUNK + 88 * 3, 88)
    dice = random.Random(17)
    sentences = 0
    for turn in range(60):
        data = bytearray(whole)
        if turn == 0:  # a sample without a valid node
            struct.pack_into("<I", data, used[0] + 4, 0xFFFF)
        elif turn == 1:  # too many frames
            struct.pack_into("<H", data, used[0] + 14, 999)
        elif turn == 2:  # a segment that ends before it starts
            struct.pack_into("<QQ", data, segments[0], 9, 3)
        elif turn == 3:  # a build id that is longer than its place
            struct.pack_into("<I", data, segments[0] + 72, 1 << 30)
        else:
            for _ in range(dice.randrange(1, 200)):
                start = dice.choice(used if dice.random() < 0.5 else list(segments))
                data[start + dice.randrange(88)] = dice.randrange(256)
        with open(sys.argv[2], "wb") as file:
            file.write(data)
        for words in (["report", "--view", "functions", "--format", "csv"], ["export", "--to", "folded", "-o", "-"]):
            done = subprocess.run(["loopscope", *words, sys.argv[2]], capture_output=True, text=True, check=False)
            assert done.returncode in (0, 2), (turn, words, done.returncode, done.stderr[-2000:])
        if turn < 4:
            done = subprocess.run(["loopscope", "report", sys.argv[2]], capture_output=True, text=True, check=True)
            sentences += "1 record: damaged and left out or repaired" in done.stdout
    assert sentences == 4, sentences


main()
