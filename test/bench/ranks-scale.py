"""Measures the cost of reports on many ranks, with generated profiles.

usage: ranks-scale.py BINDIR WORKDIR [--paths N] [RANKS...]

Makes the profiles of a run of each number of ranks (512, 1024, 4096): 40 steps with a
phase, an all-reduce and another phase, 8 ranks on a host, one rank late. Prints the
processor time, peak memory and output size of each report, as a table for
docs/performance.md. make-profile makes 64 profiles; the others are copies with another
rank, size, host and calibration of the clock in the header, as machines have them: parts
per million apart. With --paths, each has N more call paths with 27 lengths of spans. Stops
at the first report whose exit code isn't 0.
"""
import os
import resource
import struct
import subprocess
import sys

STEPS, TEMPLATES, LATE = 40, 64, 7
PATHS, LENGTHS = 0, 27
# Offsets in the header (runtime/include/loopscope/profile_format.h).
RANK, CLOCK, START_TICKS, HOST, HOST_SIZE = 32, 48, 56, 408, 64
TSC = 1
REPORTS = (("`--view ranks`", ["--view", "ranks"]),
           ("`--view ranks --by action`", ["--view", "ranks", "--by", "action"]),
           ("`--view communication`", ["--view", "communication"]),
           ("`--merge`", ["--merge"]),
           ("`--merge --format html`", ["--merge", "--format", "html", "-o", "page.html"]))


def description(rank):
    late = 300 if rank == LATE else 0
    forward = [1000 + (rank * 7 + step) % 50 + late for step in range(STEPS)]
    reduce = [400 if late else 700] * STEPS
    spans = lambda times: ",".join(f"1x{each}us" for each in times)
    step = [a + b + 150 for a, b in zip(forward, reduce)]
    lines = [f"rank {rank} of {TEMPLATES}", "host node", "wall 10s", "started 1000s 500s",
             "program train", "thread main", f"  train line=10 spans=1x{sum(step)}us",
             f"    step spans={spans(step)}", f"      draw spans={spans([100] * STEPS)}",
             f"      batch spans={spans([each - 100 for each in step])}",
             f"        phase forward line=20 spans={spans(forward)}",
             f"        collective reduce line=21 spans={spans(reduce)} bytes={4096 * STEPS}",
             f"        phase update line=22 spans={spans([50] * STEPS)}"]
    for path in range(PATHS):
        lengths = ",".join(f"3x{int(100 * 1.125 ** n) + path}ns" for n in range(LENGTHS))
        lines.append(f"        phase path{path} line={100 + path} spans={lengths}")
    now = 0
    for number in range(STEPS):
        lines.append(f"collective reduce at={now + 100 + forward[number]}us "
                     f"took={reduce[number]}us step={number} work={forward[number] + 100}us "
                     f"bytes=4096 phases=forward:{forward[number]}us,update:50us")
        now += step[number]
    return "\n".join(lines) + "\n"


def templates(bindir, work):
    made = []
    for rank in range(TEMPLATES):
        with open(os.path.join(work, "text"), "w", encoding="utf-8") as out:
            out.write(description(rank))
        subprocess.run([os.path.join(bindir, "make-profile"), os.path.join(work, "text"),
                        os.path.join(work, "template")], check=True)
        with open(os.path.join(work, "template"), "rb") as file:
            made.append(bytearray(file.read()))
        if struct.unpack_from("<ii", made[-1], RANK) != (rank, TEMPLATES) or \
                made[-1][HOST:HOST + 4] != b"node":
            sys.exit("ranks-scale: the profile's header has another layout")
    return made


def make(made, folder, size):
    os.makedirs(folder, exist_ok=True)
    for rank in range(size):
        at = rank % TEMPLATES
        bytes_of = made[at if at != LATE or rank == LATE else LATE + 1]
        struct.pack_into("<ii", bytes_of, RANK, rank, size)
        # 3 s of a counter of 1 GHz, off by up to 40 parts per million.
        start, start_ns = struct.unpack_from("<QQ", bytes_of, START_TICKS)
        struct.pack_into("<I", bytes_of, CLOCK, TSC)
        struct.pack_into("<QQQQ", bytes_of, START_TICKS, start, start_ns, start + 3 * 10**9,
                         start_ns + 3 * 10**9 + rank * 7919 % 120000)
        bytes_of[HOST:HOST + HOST_SIZE] = f"node{rank // 8}".encode().ljust(HOST_SIZE, b"\0")
        with open(os.path.join(folder, f"train.{rank}.rank{rank}.loopscope"), "wb") as out:
            out.write(bytes_of)


def measure(command, work):
    """Seconds of CPU time, MiB of memory, MiB of output."""
    process = subprocess.Popen(command, cwd=work, stdout=subprocess.PIPE)
    text = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"ranks-scale: {' '.join(command)} failed")
    page = os.path.join(work, "page.html")
    size = os.path.getsize(page) if "page.html" in command else len(text)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, size / 2**20


def main():
    global PATHS
    bindir, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    words = sys.argv[3:]
    if words[:1] == ["--paths"]:
        PATHS, words = int(words[1]), words[2:]
    sizes = [int(each) for each in words] or [512, 1024, 4096]
    os.makedirs(work, exist_ok=True)
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    made = templates(bindir, work)
    print("| report | ranks | CPU time | memory | output |\n|---|---|---|---|---|")
    for size in sizes:
        folder = os.path.join(work, str(size))
        make(made, folder, size)
        for name, options in REPORTS:
            command = [os.path.join(bindir, "loopscope"), "report", folder, *options]
            seconds, memory, output = min(measure(command, work) for _ in range(3))
            print(f"| {name} | {size} | {seconds:.2f} s | {memory:.0f} MiB | {output:.2f} MiB |",
                  flush=True)


main()
