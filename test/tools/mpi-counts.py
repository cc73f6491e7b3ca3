"""Compares what a profile has of MPI's functions with what a shim counted below them.

usage: mpi-counts.py SHIM PROFILE...

SHIM.RANK has lines "NAME CALLS BYTES" (test/Mpi/Inputs/shim.c). The profile is read by the
layout in profile_format.h. Prints how many functions and calls were compared.
"""
import struct
import sys

SITES, NODES, NODE_SUMS = 2, 4, 17
NONE = 0xFFFFFFFF


def chunks(data):
    at = 4096
    used = struct.unpack_from("<Q", data, 16)[0]
    while at + 64 <= used:
        magic, kind, size, first, _, entries, entry_size = struct.unpack_from("<IIQIIII", data, at)
        if magic != 0x4B43534C:
            sys.exit(f"no chunk at {at}")
        yield kind, [(first + i, at + 64 + i * entry_size) for i in range(entries)]
        at += size


def text(data, at):
    offset, length = struct.unpack_from("<QI", data, at)
    return data[offset:offset + length].decode()


def counts(path):
    """Calls and bytes of each function in the profile, and its rank."""
    with open(path, "rb") as file:
        data = file.read()
    rank, size = struct.unpack_from("<ii", data, 32)
    names, sites, calls, moved = {}, {}, {}, {}
    for kind, entries in chunks(data):
        for index, at in entries:
            if kind == SITES:
                names[index] = text(data, at + 8)
            elif kind == NODES and struct.unpack_from("<I", data, at)[0] == 1:
                node = struct.unpack_from("<I", data, at + 128)[0]
                sites[node] = struct.unpack_from("<I", data, at + 12)[0]
                calls[node] = struct.unpack_from("<Q", data, at + 40)[0]
            elif kind == NODE_SUMS and text(data, at) == "comm.bytes":
                node = struct.unpack_from("<I", data, at + 16)[0]
                moved[node] = struct.unpack_from("<Q", data, at + 40)[0]
    result = {}
    for node, count in calls.items():
        name = names.get(sites[node], "")
        if name.startswith("MPI_"):
            before = result.get(name, (0, 0))
            result[name] = (before[0] + count, before[1] + moved.get(node, 0))
    return rank, size, result


def main():
    shim, profiles = sys.argv[1], sys.argv[2:]
    functions, all_calls = set(), 0
    for path in profiles:
        rank, size, seen = counts(path)
        if size != len(profiles):
            sys.exit(f"{path}: {size} ranks, not {len(profiles)}")
        wanted = {}
        with open(f"{shim}.{rank}", encoding="utf-8") as file:
            for line in file:
                name, calls, moved = line.split()
                wanted[name] = (int(calls), int(moved))
        for name in ("MPI_Init", "MPI_Init_thread", "MPI_Finalize"):
            seen.pop(name, None)
        if seen != wanted:
            for name in sorted(set(seen) | set(wanted)):
                if seen.get(name) != wanted.get(name):
                    print(f"rank {rank}: {name}: {seen.get(name)}, not {wanted.get(name)}")
            sys.exit(1)
        functions |= set(wanted)
        all_calls += sum(calls for calls, _ in wanted.values())
    print(f"{len(functions)} functions, {all_calls} calls of {len(profiles)} ranks")


main()
