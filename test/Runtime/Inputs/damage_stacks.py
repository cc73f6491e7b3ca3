"""Damages the samples and segments of a profile in many ways; the report must not crash.

usage: damage_stacks.py PROFILE WORK

Writes WORK repeatedly. Damaged records must be left out and counted, or have no name.
"""
import random
import struct
import subprocess
import sys

CHUNK, CODE, FRAMES = 64, 23, 33
FRAME = 24  # bytes: state, parent, address, count
CALL = 4


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
    places = {kind: (at, size) for kind, at, size in chunks(whole) if kind in (FRAMES, CODE)}
    assert set(places) == {FRAMES, CODE}
    at, size = places[FRAMES]
    slots = range(at + CHUNK, at + size - FRAME + 1, FRAME)
    used = [slot for slot in slots if whole[slot] != 0]
    parents = {struct.unpack_from("<I", whole, slot + 4)[0] for slot in used}
    # Innermost frames that call nothing.
    leaves = [slot for slot in used if whole[slot] == CALL and (slot - at - CHUNK) // FRAME not in parents]
    segments = range(places[CODE][0] + CHUNK, places[CODE][0] + CHUNK + 88 * 3, 88)
    dice = random.Random(17)
    sentences = 0
    for turn in range(60):
        data = bytearray(whole)
        if turn == 0:  # a frame whose caller doesn't exist
            struct.pack_into("<I", data, leaves[0] + 4, 0xFFFFFFF)
        elif turn == 1:  # one that is its own caller
            struct.pack_into("<I", data, leaves[0] + 4, (leaves[0] - at - CHUNK) // FRAME)
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
