"""Compares a profile's MPI calls with those that a shim counted underneath.

usage: mpi-counts.py [--all SHIM.so.txt] [--times] SHIM PROFILE...

SHIM.RANK has lines "NAME CALLS BYTES NANOSECONDS" and "ROLE RANK CALLS BYTES" (test/Mpi/Inputs/shim.c,
mpi-shim.py). The profile is read by the layout in profile_format.h. A rank must have received from another one what
that one sent, and each nonblocking call must have ended once. A function's time, in which the shim's lies, must not be
less, and all of them together little more. Prints the number of functions, calls and messages compared; with --times,
the share by which the times of all calls are longer. With --all, each wrapped function must have been called, except
those that the library's mpi.h lacks, as mpi-shim.py found; another line names them.
"""
import argparse
import collections
import re
import struct
import sys

SITES, NODES, NODE_SUMS, PEERS = 2, 4, 17, 24
ROLES = {1: "to", 2: "from", 3: "root"}
NONE = 0xFFFFFFFF
CLOCKS = 0.001  # by which two clocks of a machine may differ
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
    """From the profile: its rank and their number; calls, bytes by function, and by
    role and peer; the number of completed requests; nanoseconds by function."""
    with open(path, "rb") as file:
        data = file.read()
    rank, size = struct.unpack_from("<ii", data, 32)
    names, sites, calls, moved, peers, requests = {}, {}, {}, {}, {}, 0
    start, start_ns, last, last_ns = struct.unpack_from("<QQQQ", data, 56)
    scale = (last_ns - start_ns) / (last - start)
    for kind, entries in chunks(data):
        for index, at in entries:
            if kind == SITES:
                names[index] = text(data, at + 8)
            elif kind == NODES and struct.unpack_from("<I", data, at)[0] == 1:
                node = struct.unpack_from("<I", data, at + 128)[0]
                sites[node] = struct.unpack_from("<I", data, at + 12)[0]
                calls[node] = struct.unpack_from("<QQ", data, at + 40)
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
    result, times = {}, collections.Counter()
    for node, (count, ticks) in calls.items():
        name = names.get(sites[node], "")
        if name.startswith("MPI_"):
            before = result.get(name, (0, 0))
            result[name] = (before[0] + count, before[1] + moved.get(node, 0))
            times[name] += ticks * scale
    return rank, size, result, peers, requests, times


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


def longer(rank, seen, wanted, calls):
    """By how many nanoseconds the profile's times are longer than the shim's. Exits if they are shorter, or if one
    of the processors can't explain it."""
    for name, ns in wanted.items():
        if seen[name] < ns * (1 - CLOCKS):
            sys.exit(f"rank {rank}: {name} took {seen[name]:.0f} ns, less than the {ns} in it")
    more = sum(seen[name] - ns for name, ns in wanted.items())
    if more > 0.2 * sum(wanted.values()) + 50000 * calls:
        sys.exit(f"rank {rank}: {calls} calls took {more:.0f} ns more than the shim's {sum(wanted.values())}")
    return more


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("shim")
    parser.add_argument("profiles", nargs="+")
    options = parser.parse_args()
    shim, profiles = options.shim, options.profiles
    more, total = 0, 0
    functions, all_calls = set(), 0
    sent, received = {}, {}
    for path in profiles:
        rank, size, seen, peers, requests, times = counts(path)
        if size != len(profiles):
            sys.exit(f"{path}: {size} ranks, not {len(profiles)}")
        wanted, wanted_peers, wanted_times = {}, {}, {}
        with open(f"{shim}.{rank}", encoding="utf-8") as file:
            for line in file:
                name, *numbers = line.split()
                if name == "matched":  # the sender isn't recorded
                    received[int(numbers[0]), rank] = (int(numbers[1]), int(numbers[2]))
                elif name in ROLES.values():
                    wanted_peers[name, int(numbers[0])] = (int(numbers[1]), int(numbers[2]))
                else:
                    wanted[name] = (int(numbers[0]), int(numbers[1]))
                    wanted_times[name] = int(numbers[2])
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
        del wanted_times["MPI_Finalize"]  # has just begun
        more += longer(rank, times, wanted_times, sum(calls for calls, _ in wanted.values()))
        total += sum(wanted_times.values())
        functions |= set(wanted)
        all_calls += sum(calls for calls, _ in wanted.values())
    compare("messages", received, sent)
    if options.all:
        check_all(options.all, functions)
    print(f"{len(functions)} functions, {all_calls} calls of {len(profiles)} ranks, "
          f"{sum(calls for calls, _ in sent.values())} messages"
          + (f", {100 * more / total:.2f} % more time" if options.times else ""))


if __name__ == "__main__":
    main()
