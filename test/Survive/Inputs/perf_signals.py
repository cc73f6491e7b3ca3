"""Whether the kernel sends a user the signals of a perf event, by which `stacks` samples
threads: exits 0 if one arrives, and otherwise says what is refused.

usage: perf_signals.py [UID]
"""
import ctypes
import fcntl
import os
import resource
import signal
import struct
import sys
import time

NUMBER = {"x86_64": 298, "aarch64": 241}  # perf_event_open
SOFTWARE, TASK_CLOCK = 1, 1
DISABLED, EXCLUDE_KERNEL, EXCLUDE_HYPERVISOR = 1 << 0, 1 << 5, 1 << 6
CLOSE_ON_EXEC = 8
F_SETSIG, F_SETOWN_EX, OWNER_THREAD = 10, 15, 0
REFRESH = 0x2402
CPU_SECONDS = 0.5  # until the first signal at the latest; the event is due after 0.5 ms


def queued_signals():
    """How many signals this user has queued, and how many it may."""
    with open("/proc/self/status", encoding="utf-8") as file:
        line = next(each for each in file if each.startswith("SigQ:"))
    return [int(each) for each in line.split()[1].split("/")]


def open_event():
    """An event of this thread's CPU time, every 0.5 ms, outside the kernel."""
    size = 112
    attributes = struct.pack("<IIQQQQQI", SOFTWARE, size, TASK_CLOCK, 500_000, 0, 0,
                             DISABLED | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR, 1)
    number = NUMBER.get(os.uname().machine)
    if number is None:
        sys.exit("unknown machine")
    libc = ctypes.CDLL(None, use_errno=True)
    file = libc.syscall(number, ctypes.create_string_buffer(attributes, size), 0, -1, -1,
                        CLOSE_ON_EXEC)
    if file < 0:
        sys.exit(f"perf_event_open: {os.strerror(ctypes.get_errno())}")
    return file


def main():
    for user in sys.argv[1:]:
        os.setgroups([])
        os.setresgid(*[int(user)] * 3)
        os.setresuid(*[int(user)] * 3)
    queued, most = queued_signals()
    if queued >= most // 2:
        sys.exit(f"{queued} of {most} signals are queued")
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 256:
        sys.exit("too few file descriptors")
    arrived = []
    signal.signal(signal.SIGRTMIN, lambda *_: arrived.append(True))
    file = open_event()
    fcntl.fcntl(file, F_SETSIG, int(signal.SIGRTMIN))
    fcntl.fcntl(file, F_SETOWN_EX, struct.pack("ii", OWNER_THREAD, os.getpid()))
    fcntl.fcntl(file, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    fcntl.ioctl(file, REFRESH, 1)
    while not arrived:
        if time.thread_time() > CPU_SECONDS:
            sys.exit("no signal came")


main()
