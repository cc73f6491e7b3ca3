"""Compares a profile's MPI calls with those that a shim counted underneath.

usage: mpi-counts.py SHIM PROFILE...
       mpi-counts.py --all SHIM.so.txt SHIM PROFILE...

SHIM.RANK has lines "NAME CALLS BYTES" and "ROLE RANK CALLS BYTES"
(test/Mpi/Inputs/shim.c, mpi-shim.py). The profile is read by the layout in profile_format.h. A rank
must have received from another one what that one sent, and each nonblocking call must
have ended once. Prints the number of functions, calls and messages compared. With --all, each wrapped
function must have been called, except those that the library's mpi.h lacks, as mpi-shim.py found; another
line names them.
"""
import re
import struct
import sys

SITES, NODES, NODE_SUMS, PEERS = 2, 4, 17, 24
ROLES = {1: "to", 2: "from", 3: "root"}
NONE = 0xFFFFFFFF
# Nonblocking calls that aren't followed to their end.
UNFOLLOWED = re.compile("MPI_I(mrecv|probe|mprobe|neighbor.*|sendrecv.*|ntercomm.*|nit.*)(_c)?")


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
    """From the profile: its rank and their number; calls and bytes by function, and by
    role and peer; the number of completed requests."""
    with open(path, "rb") as file:
        data = file.read()
    rank, size = struct.unpack_from("<ii", data, 32)
    names, sites, calls, moved, peers, requests = {}, {}, {}, {}, {}, 0
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
            elif kind == NODE_SUMS and text(data, at) == "comm.requests":
                requests += struct.unpack_from("<Q", data, at + 32)[0]
            elif kind == PEERS:
                _, peer, role, _, count, sent = struct.unpack_from("<IIIIQQ", data, at)
                if role:
                    before = peers.get((ROLES[role], peer), (0, 0))
                    peers[ROLES[role], peer] = (before[0] + count, before[1] + sent)
    result = {}
    for node, count in calls.items():
        name = names.get(sites[node], "")
        if name.startswith("MPI_"):
            before = result.get(name, (0, 0))
            result[name] = (before[0] + count, before[1] + moved.get(node, 0))
    return rank, size, result, peers, requests


def compare(what, seen, wanted):
    """Exits with the differences, if there are any."""
    if seen != wanted:
        for name in sorted(set(seen) | set(wanted)):
            if seen.get(name) != wanted.get(name):
                print(f"{what}: {name}: {seen.get(name)}, not {wanted.get(name)}")
        sys.exit(1)


def check_all(path, called):
    """Exits if a wrapped function that the library has isn't among CALLED; says what it lacks."""
    with open(path, encoding="utf-8") as file:
        version, *rest = file.read().splitlines()
    has, lacking = ({line.split()[1] for line in rest if line.startswith(word)} for word in ("has ", "lacks "))
    if missing := [name for name in sorted(has) if f"MPI_{name}" not in called]:
        sys.exit(f"never called: {', '.join(missing)}")
    large = {name for name in lacking if name.endswith("_c")}
    words = ["all with 64-bit counts"] if large and not any(name.endswith("_c") for name in has) else sorted(large)
    words += sorted(lacking - large)
    print(f"{len(has) + len(lacking)} wrapped; mpi.h is of MPI {version} and lacks {len(lacking)}: {', '.join(words)}"
          if lacking else f"{len(has)} wrapped; mpi.h is of MPI {version} and has all")


def main():
    every = sys.argv[2] if sys.argv[1] == "--all" else None
    shim, *profiles = sys.argv[3 if every else 1:]
    functions, all_calls = set(), 0
    sent, received = {}, {}
    for path in profiles:
        rank, size, seen, peers, requests = counts(path)
        if size != len(profiles):
            sys.exit(f"{path}: {size} ranks, not {len(profiles)}")
        wanted, wanted_peers = {}, {}
        with open(f"{shim}.{rank}", encoding="utf-8") as file:
            for line in file:
                *name, calls, moved = line.split()
                if name[0] == "matched":  # the sender isn't recorded
                    received[int(name[1]), rank] = (int(calls), int(moved))
                elif len(name) == 2:
                    wanted_peers[name[0], int(name[1])] = (int(calls), int(moved))
                else:
                    wanted[name[0]] = (int(calls), int(moved))
        if seen.get("MPI_Finalize") == (0, 0):  # ended in it: another rank's exit code ends the job
            seen["MPI_Finalize"] = (1, 0)
        compare(f"rank {rank}", seen, wanted)
        compare(f"rank {rank}, peers", {key: value for key, value in peers.items()
                                        if key[0] != "from"}, wanted_peers)
        begun = sum(calls for name, (calls, _) in wanted.items()
                    if name.startswith("MPI_I") and not UNFOLLOWED.fullmatch(name))
        if requests != begun:
            sys.exit(f"rank {rank}: {requests} requests have ended, not {begun}")
        for (role, peer), each in peers.items():
            if role == "to":
                sent[rank, peer] = each
            elif role == "from":
                known = received.get((peer, rank), (0, 0))
                received[peer, rank] = (known[0] + each[0], known[1] + each[1])
        functions |= set(wanted)
        all_calls += sum(calls for calls, _ in wanted.values())
    compare("messages", received, sent)
    if every:
        check_all(every, functions)
    print(f"{len(functions)} functions, {all_calls} calls of {len(profiles)} ranks, "
          f"{sum(calls for calls, _ in sent.values())} messages")


if __name__ == "__main__":
    main()
