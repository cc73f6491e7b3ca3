"""Compares the distributed and communication views of random traces with the known
truth.

usage: distributed-reference.py WORKDIR SEED...

Invents traces of several processes for each seed, with NCCL kernels or with Gloo on the
host, and computes every figure microsecond by microsecond. If the TensorBoard plugin
can be imported (pip install torch-tb-profiler), its distributed view is compared as
well, and the last line says so.
"""
import csv
import io
import json
import logging
import os
import random
import subprocess
import sys

try:
    from torch_tb_profiler.profiler.data import DistributedRunProfileData, RunProfileData
    from torch_tb_profiler.profiler.loader import RunLoader
    from torch_tb_profiler.run import Run
    logging.disable(logging.CRITICAL)
except ImportError:
    RunLoader = None

TIMES = ("computation_s", "overlapping_s", "communication_s", "other_s", "transfer_s",
         "synchronizing_s")
NAMES = ("nccl:all_reduce", "nccl:broadcast", "nccl:all_gather")


class Worker:
    """One process: events and activities, in whole microseconds."""

    def __init__(self, r, rank, size, plan, numbered):
        self.rank, self.size, self.events, self.steps = rank, size, [], []
        self.calls, self.compute, self.host = [], [], []
        self.ids, self.now, self.free = 100, 1000 + r.randrange(50), 0
        self.numbered, self.sequence = numbered, 0
        for number, operations in enumerate(plan["steps"]):
            self.step(r, plan, number, operations)

    def event(self, category, name, start, took, **more):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 1,
                            "ts": start, "dur": took, **more})

    def kernel(self, name, start, took, launch, stream, **more):
        self.ids += 1
        self.event("Runtime", "cudaLaunchKernel", launch, 2,
                   args={"External id": more["External id"], "correlation": self.ids})
        self.event("kernel", name, start, took, **{
            "pid": 0, "tid": stream,
            "args": {"device": 0, "stream": stream, "correlation": self.ids, **more}})

    def step(self, r, plan, number, operations):
        start, device = self.now, 0
        self.now += 5
        for name, size in operations:
            self.ids += 1
            own = self.ids
            took = r.randrange(20, 120)
            self.event("cpu_op", "aten::mm", self.now, took, args={"External id": own})
            self.host.append((self.now, self.now + took))
            if plan["nccl"]:
                length = r.randrange(10, 150)
                begin = max(self.free, self.now + 5)
                self.kernel("gemm", begin, length, self.now + 1, 7, **{"External id": own})
                self.compute.append((begin, begin + length))
                self.free = begin + length
                device = max(device, self.free)
            self.now += took + r.randrange(1, 20)
            device = max(device, self.operation(r, plan, name, size))
        self.now += r.randrange(1, 30)
        self.event("user_annotation", f"ProfilerStep#{number}", start, self.now - start,
                   args={"External id": 1})
        previous = self.steps[-1][1] if self.steps else start
        begin = max(previous, start) if plan["nccl"] else start
        self.steps.append((begin, max(self.now, device, begin) if plan["nccl"] else self.now))
        self.now += r.randrange(1, 10)

    def operation(self, r, plan, name, size):
        self.ids += 1
        own, took = self.ids, r.randrange(10, 60)
        if not plan["nccl"]:
            name = name.replace("nccl", "gloo")
        args = {"External id": own, "Input Dims": [[size, 2], []], "Input type": ["float", "Scalar"]}
        self.event("user_annotation", name, self.now, took, args=args)
        times, ended = [(self.now, self.now + took)], 0
        if plan["nccl"]:
            begin, length = self.now + r.randrange(4, 40), r.randrange(10, 200)
            facts = {"External id": own}
            if self.numbered:
                facts.update({"Collective name": name[5:], "In msg nelems": 2 * size,
                              "dtype": "Float", "Group size": self.size,
                              "Process Group Name": "0", "Seq": self.sequence,
                              "Process Group Ranks": str(list(range(self.size)))})
            self.kernel("ncclKernel", begin, length, self.now + 1, 20 + len(self.calls), **facts)
            times.append((begin, begin + length))
            ended = begin + length
        self.sequence += 1
        self.calls.append((name, size, sorted(times, key=lambda t: (t[0], -t[1]))))
        self.now += took + r.randrange(1, 20)
        return ended

    def document(self):
        return {"schemaVersion": 1, "deviceProperties": [], "traceEvents": self.events,
                "distributedInfo": {"backend": "nccl", "rank": self.rank, "world_size": self.size}}


def made(seed):
    r = random.Random(seed)
    plan = {"nccl": r.random() < 0.7,
            "steps": [[(r.choice(NAMES), r.choice((1, 16, 4096))) for _ in range(3)]
                      for _ in range(r.randrange(2, 5))]}
    size = r.choice((2, 3, 4))
    numbered = plan["nccl"] and r.random() < 0.5
    return [Worker(r, rank, size, plan, numbered) for rank in range(size)]


def covered(times):
    return set().union(*(range(*each) for each in times))


def least(workers, call, part):
    return min(each.calls[call][2][part][1] - each.calls[call][2][part][0] for each in workers)


def expected(worker, workers):
    """For each step the six times, in seconds."""
    whole = covered([time for _, _, times in worker.calls for time in times])
    work = covered(worker.compute or worker.host)
    rows = []
    for begin, end in worker.steps:
        step = set(range(begin, end))
        own, moving = [], []
        for number, (_, _, times) in enumerate(worker.calls):
            host = min(times)
            if begin <= host[0] and host[1] <= end:
                own += times
                moving += [(time[1] - least(workers, number, part), time[1])
                           for part, time in enumerate(times)]
        both, transfer = work & whole & step, len(covered(moving)) if moving else 0
        rows.append([(len(work & step) - len(both)) / 1e6, len(both) / 1e6,
                     (len(whole & step) - len(both)) / 1e6,
                     len(step - work - whole) / 1e6, transfer / 1e6,
                     (len(covered(own)) - transfer) / 1e6 if own else 0])
    return rows


def report(files, view):
    return list(csv.DictReader(io.StringIO(subprocess.run(
        ["loopscope", "report", *files, "--view", view, "--format", "csv"],
        check=True, capture_output=True, text=True).stdout)))


def near(seen, wanted, what):
    if abs(float(seen) - wanted) > 2e-9 + 1e-6 * abs(wanted):
        sys.exit(f"{what}: {seen}, not {wanted}")


def check_communication(seed, workers, rows):
    """By operation: calls, bytes and, for numbered kernels, the split."""
    names = {}
    for worker in workers:
        for number, (name, size, times) in enumerate(worker.calls):
            kernel = times[0] if len(times) == 1 else max(times, key=lambda t: t[0])
            to = names.setdefault(name[5:] if worker.numbered else name, [0, 0, 0, 0])
            to[0] += 1
            to[1] += 8 * size
            if worker.numbered:
                took = [max(each.calls[number][2], key=lambda t: t[0]) for each in workers]
                moving = min(time[1] - time[0] for time in took)
                to[2] += moving
                to[3] += kernel[1] - kernel[0] - moving
    if sorted(row["operation"] for row in rows) != sorted(names):
        sys.exit(f"seed {seed}: operations {rows}, not {names}")
    for row in rows:
        calls, size, moving, waited = names[row["operation"]]
        what = f"seed {seed}, {row['operation']}, "
        near(row["calls"], calls, what + "calls")
        near(row["bytes"], size, what + "bytes")
        near(row["ranks"], len(workers), what + "ranks")
        if workers[0].numbered:
            near(row["transfer_s"], moving / 1e6, what + "transfer")
            near(row["wait_s"], waited / 1e6, what + "wait")


def plugin_view(files, folder):
    """The plugin's own figures: {step: {worker: [six numbers, microseconds]}}."""
    run = Run("run", folder)
    for number, file in enumerate(files):
        run.add_profile(DistributedRunProfileData(
            RunProfileData.parse(f"worker{number}", None, file, None)))
    made_of = RunLoader("run", folder, None)._process_spans(run)[0]
    found = {}
    for step, workers in made_of.steps_to_overlap["data"].items():
        for worker, figures in workers.items():
            waits = made_of.steps_to_wait["data"]
            # Its averages count calls outside steps as one more step.
            known = step != "all" or None not in waits
            wait = waits.get(step, {}).get(worker) if known else None
            found.setdefault(step, {})[worker] = figures + (wait or [])
    return found


def check(seed, work):
    workers = made(seed)
    folder = os.path.join(work, str(seed))
    os.makedirs(folder, exist_ok=True)
    files = []
    for worker in workers:
        files.append(os.path.join(folder, f"worker{worker.rank}.pt.trace.json"))
        with open(files[-1], "w", encoding="utf-8") as out:
            json.dump(worker.document(), out)
    rows = report(files, "distributed")
    seen = {(row["worker"], row["step"]): [float(row[key]) for key in TIMES] for row in rows}
    for worker in workers:
        wanted = expected(worker, workers)
        for number, times in enumerate(wanted):
            for key, mine, yours in zip(TIMES, seen[f"rank {worker.rank}", str(number)], times):
                near(mine, yours, f"seed {seed}, rank {worker.rank}, step {number}, {key}")
        means = [sum(column) / len(wanted) for column in zip(*wanted)]
        for key, mine, yours in zip(TIMES, seen[f"rank {worker.rank}", "average"], means):
            near(mine, yours, f"seed {seed}, rank {worker.rank}, average, {key}")
    check_communication(seed, workers, report(files, "communication"))
    if RunLoader is None:
        return
    for step, of in plugin_view(files, folder).items():
        for worker, figures in of.items():
            row = seen[f"rank {worker[6:]}", "average" if step == "all" else step]
            for key, mine, yours in zip(TIMES, row, figures):
                if abs(mine * 1e6 - yours) > (1.01 if step == "all" else 0.01):
                    sys.exit(f"seed {seed}, {worker}, step {step}, {key}: {mine * 1e6}, "
                             f"the plugin has {yours}")


def main():
    for seed in sys.argv[2:]:
        check(int(seed), sys.argv[1])
    print(f"{len(sys.argv) - 2} runs are as made"
          f"{'' if RunLoader is None else ', and as the plugin has them'}")


if __name__ == "__main__":  # the plugin starts processes
    main()
