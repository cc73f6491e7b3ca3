"""Writes traces of random structure as PyTorch's profiler would, for files.py.

usage: random_traces.py DIRECTORY COUNT [SEED]

Steps with or without marks, with gaps between them; loading in the loop's thread, on
workers, or not at all; operators and launches in annotations and the other way round;
backward on a thread of its own; numbered layers; kernels that lag by up to several steps;
threads that live longer than the loop; Python's frames; several streams; a last step
without its device work."""
import json
import os
import random
import sys

NAMES = ("aten::addmm", "aten::relu", "aten::conv2d", "aten::add_")


class Trace:
    """One trace. Times are microseconds."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.events, self.correlation, self.free, self.operators = [], 0, {}, 0
        self.has_gpu = self.random.random() < 0.7
        self.lag = self.random.choice((0, 0, 30, 4000))
        self.now = self.random.randrange(1000)

    def some(self, most):
        return self.random.randrange(1, most)

    def add(self, category, name, start, end, thread=1, **more):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 1, "tid": thread,
                            "ts": start, "dur": end - start, "args": more})

    def launch(self, thread, operator):
        """A call in OPERATOR that puts a kernel on a stream, at the thread's time."""
        start, end = self.now, self.now + self.some(8)
        self.now, self.correlation = end, self.correlation + 1
        self.add("cuda_runtime", "cudaLaunchKernel", start, end, thread,
                 **{"correlation": self.correlation, "External id": operator})
        stream = self.random.choice((7, 7, 20))
        begin = max(end + self.some(self.lag + 2), self.free.get(stream, 0))
        self.free[stream] = begin + self.some(60)
        self.events.append({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": stream,
                            "ts": begin, "dur": self.free[stream] - begin,
                            "args": {"device": 0, "stream": stream, "External id": operator,
                                     "correlation": self.correlation}})

    def operator(self, thread=1, depth=0):
        start = self.now
        self.operators += 1
        number = self.operators
        self.now += self.some(10)
        if depth < 3 and self.random.random() < 0.4:
            self.operator(thread, depth + 1)
        if self.has_gpu and self.random.random() < 0.5:
            self.launch(thread, number)
        self.now += self.some(10)
        self.add("cpu_op", self.random.choice(NAMES), start, self.now, thread,
                 **{"External id": number})

    def range(self, name, thread=1):
        start = self.now
        for _ in range(self.some(4)):
            self.operator(thread)
            self.now += self.some(6)
        if self.has_gpu and self.random.random() < 0.3:
            self.launch(thread, 0)
        self.add("user_annotation", name, start, self.now, thread)

    def draw(self):
        start = self.now
        self.now += self.some(40)
        if self.random.random() < 0.3:
            self.operator()
        self.now += self.some(40)
        self.add("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                 start, self.now)

    def step(self, number, marked, loads):
        start = self.now
        if loads:
            self.now += self.some(3)
            self.draw()
        self.range("forward")
        if self.random.random() < 0.5:
            back, self.now = self.now, self.now + 2
            self.operator(2)
            self.now = max(self.now, back) + 1
        for layer in self.random.choice(((), (0, 1, 2))):
            self.range(f"layer.{layer}")
        self.range("Optimizer.step#SGD.step")
        if self.has_gpu and self.random.random() < 0.3:
            wait = self.now
            self.now = max([wait + 1, *self.free.values()])
            self.add("cuda_runtime", "cudaDeviceSynchronize", wait, self.now)
        self.now += self.some(5)
        if marked:
            self.add("user_annotation", f"ProfilerStep#{number}", start, self.now)
        if self.random.random() < 0.3:
            self.now += self.some(30)

    def make(self):
        marked, loads = self.random.random() < 0.8, self.random.random() < 0.8
        begin = self.now
        if self.random.random() < 0.3:
            self.operator()
            self.now += self.some(20)
        for number in range(self.some(8)):
            self.step(number, marked, loads)
        if self.random.random() < 0.3:
            self.operator()
        if self.random.random() < 0.3:
            self.add("python_function", "train.py(1): main", begin, self.now + 1)
        if self.random.random() < 0.4:
            self.add("user_annotation", "prefetch", max(0, begin - self.some(200)),
                     self.now + self.some(400), 9)
        self.random.shuffle(self.events)
        return {"schemaVersion": 1, "traceEvents": self.events}


def main():
    directory, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for seed in range(first, first + count):
        with open(os.path.join(directory, f"{seed}.pt.trace.json"), "w", encoding="utf-8") as file:
            json.dump(Trace(seed).make(), file)


main()
