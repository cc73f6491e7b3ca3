"""Removes spans from the CPU time of the node with the most: tear_cpu.py PROFILE
OUT SPANS.

The result looks like the profile of a process that was killed before it had added the
last span.
"""
import struct
import sys

CHUNK, SUMS = 64, 17
ENTRY = struct.Struct("<QIIIIIIQQ")  # key, node, sequence, unit, count, sum

source, target, spans = sys.argv[1], sys.argv[2], int(sys.argv[3])
data = bytearray(open(source, "rb").read())
used = struct.unpack_from("<Q", data, 16)[0]
found = []
at = 4096
while at < used:
    _, kind, size, _, _, count, entry = struct.unpack_from("<IIQIIII", data, at)
    for first in range(at + CHUNK, at + CHUNK + count * entry if kind == SUMS else 0, entry):
        key, length, *_ = ENTRY.unpack_from(data, first)
        if data[key:key + length] == b"cpu.time":
            count_at = first + ENTRY.size - 16
            found.append((struct.unpack_from("<Q", data, count_at + 8)[0], count_at))
    at += size
total, count_at = max(found)
count = struct.unpack_from("<Q", data, count_at)[0]
struct.pack_into("<QQ", data, count_at, count - spans, total - total * spans // count)
open(target, "wb").write(data)
