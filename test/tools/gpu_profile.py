"""Reads the GPU records of a profile by the layout in profile_format.h.

Independent of the reader, so that tests check the writer alone.
"""
import struct

NONE = 0xFFFFFFFF
STATES = {0: "unused", 1: "on", 2: "missing", 3: "stopped"}
KINDS = {1: "kernel", 2: "copy", 3: "set", 4: "launch-call", 5: "wait-call",
         6: "other-call", 7: "overhead"}
DIRECTIONS = {0: "", 1: "HtoD", 2: "DtoH", 3: "DtoD", 4: "HtoH", 5: "PtoP", 6: "other"}
ROLES = {0: "", 9: "step", 10: "draw", 11: "batch"}
COUNTERS = {10: "dropped", 11: "no_time", 12: "unresolved", 13: "refused", 14: "outside",
            15: "late", 16: "events_dropped", 17: "lost", 18: "foreign",
            21: "memory_late", 22: "unsettled", 23: "unreadable",
            24: "unnamed", 25: "buffers_unread"}
SITES, THREADS, NODES = 2, 3, 4
# Offsets of the header's fields counters, gpu_state and gpu_note.
COUNTERS_AT, GPU_AT, NOTE_AT = 152, 2544, 2632
NAMED_COUNTERS = 16
DEVICES, FUNCTIONS, WORK, NODE_SUMS, WAITS, EVENTS = range(7, 13)
MEMORY = 15
NAMED_SUMS = 17
OVERLAPS = 18
SAME_WORK = 20
USES = 32
# Numbers in LOOPSCOPE_GPU_USES.
USE_NAMES = ("sm.active", "sm.occupancy", "tensor.active", "tensor.half.active",
             "tensor.dfma.active", "tensor.dmma.active", "tensor.integer.active", "dram.active",
             "fp64.active", "fp32.active", "fp16.active", "pcie.sent", "pcie.received",
             "nvlink.sent", "nvlink.received", "clocks.sm", "power", "held.power", "held.heat",
             "held.brake")
USE_OWNERS = {0: "", 1: "idle", 2: "many"}
# Offset of the union in an entry of WORK.
WORK_BUSY = 136
MEMORIES = {1: "device", 2: "managed", 3: "pinned", 4: "other"}


class Profile:
    """The chunks of a profile as {type: [entry bytes, ...]}."""

    def __init__(self, path):
        with open(path, "rb") as stream:
            self.data = stream.read()
        used = struct.unpack_from("<Q", self.data, 16)[0]
        self.entries = {}
        at = 4096
        while at < used:
            _, kind, size, _, _, count, entry = struct.unpack_from("<IIQIIII", self.data, at)
            for i in range(count):
                first = at + 64 + i * entry
                self.entries.setdefault(kind, []).append(self.data[first:first + entry])
            at += size
        (self.start, start_ns, self.last, last_ns, self.hz) = struct.unpack_from(
            "<5Q", self.data, 56)
        if last_ns - start_ns >= 10_000_000:
            self.hz = (self.last - self.start) * 1e9 / (last_ns - start_ns)

    def string(self, entry, offset):
        at, length = struct.unpack_from("<QI", entry, offset)
        return self.data[at:at + length].decode()

    def ms(self, ticks):
        return f"{ticks * 1000 / self.hz:.3f}"

    def all(self, kind):
        return self.entries.get(kind, [])

    def path(self, index):
        """A node's call path; '-' if there is none."""
        if index == NONE:
            return "-"
        names = []
        while index != NONE:
            node = self.all(NODES)[index]
            _, parent, thread, site, kind = struct.unpack_from("<IIIIH", node, 0)
            name = ROLES.get(kind)
            if kind == 0:
                main = struct.unpack_from("<I", self.all(THREADS)[thread], 16)[0]
                name = "main" if main else "thread"
            names.append(self.string(self.all(SITES)[site], 8) if name is None else name)
            index = parent
        return "/".join(reversed(names))

    def note(self):
        """What the GPU data lacks; "" if nothing."""
        return self.data[NOTE_AT:NOTE_AT + 256].split(b"\0")[0].decode()

    def counter(self, key):
        """A counter with a name; 0 if it isn't there."""
        return sum(struct.unpack_from("<Q", entry, 16)[0] for entry in self.all(NAMED_COUNTERS)
                   if self.string(entry, 0) == key)

    def uses(self):
        """Use of the hardware: (path or owner, device, name, windows, ticks, busy, integral)."""
        for use in self.all(USES):
            node, device, _, which, owner, windows, ticks, busy, integral = struct.unpack_from(
                "<IIIHHQQQd", use, 0)
            yield (USE_OWNERS[owner] or self.path(node), device, USE_NAMES[which], windows,
                   ticks, busy, integral)
