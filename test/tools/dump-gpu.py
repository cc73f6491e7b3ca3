"""Prints the GPU records of a profile as plain lines, for tests of the runtime.

usage: dump-gpu.py PROFILE [--events]

Times are in milliseconds of the header's clock; nodes are shown as call paths.
"""
import struct
import sys

from gpu_profile import (COUNTERS, COUNTERS_AT, DEVICES, DIRECTIONS, EVENTS, FUNCTIONS, GPU_AT,
                         KINDS, MEMORIES, MEMORY, NAMED_SUMS, NODES, NODE_SUMS, NONE, OVERLAPS,
                         SAME_WORK, STATES, WAITS, WORK, Profile)


def text(data, offset, size):
    return data[offset:offset + size].split(b"\0")[0].decode()


def print_header(p):
    # gpu_state and the fields after it; see struct loopscope_profile_header.
    at = GPU_AT
    state, version, start, end, launches, records, cost = struct.unpack_from("<II5Q", p.data, at)
    overhead = struct.unpack_from("<4Q", p.data, at + 48)
    print(f"state {STATES[state]} cupti {version} launches {launches} records {records}"
          f" ended {'yes' if end else 'no'} cost {'some' if cost else 'none'}"
          f" overhead {' '.join(p.ms(o) for o in overhead)} start {'yes' if start else 'no'}")
    print("note", text(p.data, at + 88, 256))
    print("library", text(p.data, at + 344, 256))
    counters = struct.unpack_from("<32Q", p.data, COUNTERS_AT)
    print("counters", " ".join(f"{name}={counters[i]}" for i, name in COUNTERS.items()
                               if counters[i]))


def print_nodes(p):
    for index, node in enumerate(p.all(NODES)):
        if struct.unpack_from("<I", node, 0)[0] == 0:
            continue
        calls = struct.unpack_from("<6Q", node, 136)
        if any(calls):
            print(f"node {p.path(index)} launches {calls[0]} waits {calls[2]} calls {calls[4]}"
                  f" launch_ms {p.ms(calls[1])} wait_ms {p.ms(calls[3])}")


def function_name(p, index):
    return "-" if index == NONE else p.string(p.all(FUNCTIONS)[index], 0)


def print_work(p):
    for work in p.all(WORK):
        node, function, device, _, kind, direction, made_in = (
            struct.unpack_from("<IIIIHHI", work, 0))
        (count, no_time, total, _, _, shortest, longest, size, graph, shorter, queue) = (
            struct.unpack_from("<11Q", work, 24))
        blocks, occupancy, known = struct.unpack_from("<3d", work, 112)
        name = function_name(p, function) if kind == 1 else DIRECTIONS[direction]
        seen = f" min {p.ms(shortest)} max {p.ms(longest)}" if count > no_time else ""
        print(f"work {p.path(node)} {KINDS[kind]} {name} device {device} count {count}"
              f" no_time {no_time} ms {p.ms(total)}{seen} bytes {size} graph {graph}"
              f" shorter {shorter} queue {p.ms(queue)}"
              f" made_in {p.path((made_in - 1) & NONE)}"
              f" blocks_per_sm {blocks / total if total else 0:.2f}"
              f" occupancy {occupancy / known if known else -1:.2f}")


def print_sums(p):
    for device in p.all(DEVICES):
        ident, _, major, minor, sms = struct.unpack_from("<IIiii", device, 0)
        first, last, busy, kernel, copy = struct.unpack_from("<5Q", device, 48)
        filled = struct.unpack_from("<d", device, 88)[0]
        span = p.ms(last - first) if last else "-"
        print(f"device {ident} {p.string(device, 96)} cc {major}.{minor} sms {sms} span {span}"
              f" busy {p.ms(busy)} kernels {p.ms(kernel)} copies {p.ms(copy)}"
              f" filled {p.ms(filled)}")
    for sums in p.all(NODE_SUMS):
        node, device, _, _, busy, kernel, idle = struct.unpack_from("<IIIIQQQ", sums, 0)
        print(f"sums {p.path(node)} device {device} busy {p.ms(busy)} kernels {p.ms(kernel)}"
              f" idle {p.ms(idle)}")
    for overlap in p.all(OVERLAPS):
        device, _, count, more, kernels, _, ticks = struct.unpack_from("<6IQ", overlap, 0)
        nodes = struct.unpack_from(f"<{count}I", overlap, 32)
        print(f"overlap device {device} ms {p.ms(ticks)} of",
              " ".join(("kernels:" if kernels >> i & 1 else "copies:") + p.path(n)
                       for i, n in enumerate(nodes)) + (" more" if more else ""))
    for same in p.all(SAME_WORK):
        device, function, _, kind, direction, busy = struct.unpack_from("<IIIHHQ", same, 0)
        name = function_name(p, function) if kind == 1 else DIRECTIONS[direction]
        print(f"same {KINDS[kind]} {name} device {device} busy {p.ms(busy)}")
    for wait in p.all(WAITS):
        waiter, worker, _, _, ticks = struct.unpack_from("<IIIIQ", wait, 0)
        print(f"wait {p.path(waiter)} for {p.path(worker)} ms {p.ms(ticks)}")


def print_memory(p):
    numbers = {}
    for device in p.all(DEVICES):
        now, peak, node = struct.unpack_from("<QQI", device, 112)
        numbers[device[0]] = struct.unpack_from("<Q", device, 144)[0]
        if peak:
            print(f"held {device[0]} now {now} peak {peak} by {p.path(node)}")
    for memory in p.all(MEMORY):
        node, device, _, kind, allocations, size, frees, freed, peak, held, at_peak, number = (
            struct.unpack_from("<IIII8Q", memory, 0))
        if kind == 1:
            at_peak = at_peak if number == numbers[device] else held
        print(f"memory {p.path(node)} {MEMORIES[kind]} device"
              f" {'-' if device == NONE else device} allocations {allocations}"
              f" bytes {size} frees {frees} freed {freed} peak {peak}"
              + (f" of_gpu_peak {at_peak}" if kind == 1 else ""))


def print_costs(p):
    booked = 0
    for entry in p.all(NAMED_SUMS):
        if p.string(entry, 0) != "cost.gpu":
            continue
        node, _, _, _, count, ticks = struct.unpack_from("<IIIIQQ", entry, 16)
        print(f"cost {p.path(node)} count {count} ms {p.ms(ticks)}")
        booked += ticks
    spent = struct.unpack_from("<Q", p.data, GPU_AT + 40)[0]
    print(f"cost booked {'all' if booked == spent else p.ms(booked) + ' of ' + p.ms(spent)}")


def print_events(p):
    slots = [e for e in p.all(EVENTS) if struct.unpack_from("<Q", e, 0)[0]]
    for event in sorted(slots, key=lambda e: struct.unpack_from("<Q", e, 8)[0]):
        _, start, end, kind, direction, node, function, device, _, stream, correlation = (
            struct.unpack_from("<QQQHHIIIIII", event, 0))
        graph = struct.unpack_from("<I", event, 92)[0]
        made_in, callback = struct.unpack_from("<II", event, 120)
        print(f"event {KINDS[kind]} {p.path(node)} {function_name(p, function)}"
              f" {DIRECTIONS[direction]} device {'-' if device == NONE else device}"
              f" stream {stream} ms {p.ms(end - start)} correlated {'yes' if correlation else 'no'}"
              f" graph {graph} made_in {p.path((made_in - 1) & NONE)} callback {callback & 0xffffff}")


def main():
    p = Profile(sys.argv[1])
    print_header(p)
    print_nodes(p)
    print_work(p)
    print_sums(p)
    print_memory(p)
    print_costs(p)
    if "--events" in sys.argv:
        print_events(p)


main()
