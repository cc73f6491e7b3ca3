"""Simulates programs that train, for path-reference.py.

Loader threads read, decode and upload batches into a bounded queue; a trainer draws them, launches
work on streams that wait for each other, and waits for it. In some runs a helper works in parallel
with each batch, which ends with a marked wait for the helper. Times are whole microseconds.
"""
import heapq
import random

MAIN = "main"


class Piece:
    """A lane's activity; cause: what ended the wait, or delayed device work."""

    def __init__(self, lane, start, end, name, kind="work"):
        self.lane, self.start, self.end, self.name, self.kind = lane, start, end, name, kind
        self.cause = None  # a piece or, for device work, also a launch: (lane, time)
        self.guessed = False
        self.launches = []  # (time, device work)
        self.waited = False  # for room in the queue, before it began
        self.ends_phase = False


class Pipeline:
    """One run of a simulated program; all of it happens in the constructor."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random.choice
        self.lanes, self.spans, self.calls, self.works = {MAIN: []}, {}, [], []
        self.waiting_loaders, self.queue, self.hungry = [], [], None
        self.capacity = pick((1, 2, 4))
        self.scale = {what: pick((1, 3, 9)) for what in
                      ("draw", "read", "decode", "upload", "host", "kernel", "copy")}
        self.gpu = self.random.random() < 0.7
        self.streams = pick((1, 1, 2, 3))
        self.free = {}
        self.steps = []
        self.now = 0
        self.agenda, self.order = [], 0
        loaders = pick((0, 1, 1, 2, 3))
        self.helps = random.Random(f"helper {seed}").random() < 0.5
        self.asked, self.idle, self.helped, self.joining, self.joins = False, None, None, None, []
        self.uploads = self.gpu and self.random.random() < 0.4
        self.uploaded = {}
        self.plan = self.make_plan()
        self.start(self.train(loaders))
        for number in range(loaders):
            self.lanes[f"loader{number}"] = []
            self.start(self.load(f"loader{number}"))
        if self.helps:
            self.lanes["helper"] = []
            self.start(self.help())
        while self.agenda:
            self.now, _, self.current = heapq.heappop(self.agenda)
            if (delay := next(self.current, None)) is not None and delay >= 0:
                self.start(self.current, delay)
        for pieces in self.lanes.values():
            pieces.sort(key=lambda piece: piece.start)

    def start(self, process, delay=0):
        self.order += 1
        heapq.heappush(self.agenda, (self.now + delay, self.order, process))

    def some(self, scale):
        return self.random.randint(300, 1200) * self.scale[scale]

    def little(self):
        return self.random.randint(1, 3)

    def make_plan(self):
        """For each phase of a step: what it launches, waits for and contains."""
        plan = []
        for name in self.random.sample(("forward", "loss", "backward", "opt_step"),
                                       self.random.randint(1, 4)):
            acts = []
            for _ in range(self.random.randint(0, 3) if self.gpu else 0):
                acts.append(self.random.choice(("kernel", "kernel", "kernel", "copy", "stream",
                                                "device", "blocking")))
            inner = f"{name}_inner" if self.random.random() < 0.3 else None
            plan.append((name, acts, inner))
        return plan

    # The parts of the programs. A generator yields how long it takes, or a negative
    # number to wait until woken.

    def piece(self, lane, start, name, kind="work"):
        made = Piece(lane, start, self.now, name, kind)
        if made.end > start:
            self.lanes[lane].append(made)
        return made

    def span(self, lane, name, start):
        self.spans.setdefault((lane, name), []).append((start, self.now))

    def load(self, lane):
        yield self.random.randint(0, 500)
        room = False
        while self.steps_left > 0:
            begin = self.now
            nested = self.scale["read"] == 3
            for name in ("read", "decode"):
                start = self.now
                yield self.some(name)
                self.span(lane, name, start)
                last = self.piece(lane, start, name)
                last.ends_phase = True
                last.waited, room = room, False
            if nested:
                self.span(lane, "load", begin)
            copy = None
            if self.uploads:
                gap = self.little()
                yield gap
                start = self.now
                yield self.little()
                copy = yield from self.launch(lane, "upload", "copy", 7)
                last = self.piece(lane, start, "upload")
                last.launches.append((copy.launched, copy))
                last.ends_phase = True
                self.span(lane, "upload", start)
            if len(self.queue) >= self.capacity:
                self.waiting_loaders.append(self.current)
                yield -1
                room = True
            self.queue.append((last, copy))
            if self.hungry:
                self.start(self.hungry)
                self.hungry = None
            yield self.little()

    def help(self):
        while True:
            if not self.asked:
                self.idle = self.current
                yield -1
            self.asked = False
            yield self.little()
            start = self.now
            yield self.some("host")
            self.span("helper", "reduce", start)
            self.helped = self.piece("helper", start, "reduce")
            self.helped.ends_phase = self.helped.waited = True
            if self.joining:
                self.start(self.joining)
                self.joining = None

    def ask(self):
        self.asked = True
        if self.idle:
            self.start(self.idle)
            self.idle = None

    def join(self):
        start, cause = self.now, None
        if not self.helped:
            self.joining = self.current
            yield -1
            cause = self.helped
        self.helped = None
        yield self.little()
        joined = self.piece(MAIN, start, "join", "draw")
        joined.cause, joined.guessed = cause, cause is not None
        self.span(MAIN, "join", start)
        self.joins.append(start)

    def draw(self, loaders):
        """The copy that the batch needs, if any."""
        start = self.now
        if not loaders:
            yield self.some("draw")
            self.piece(MAIN, start, "draw", "draw")
            return None
        cause = None
        if not self.queue:
            self.hungry = self.current
            yield -1
            cause = self.queue[0][0]
        _, copy = self.queue.pop(0)
        if self.waiting_loaders:
            self.start(self.waiting_loaders.pop(0))
        yield self.little()
        drawn = self.piece(MAIN, start, "draw", "draw")
        drawn.cause, drawn.guessed = cause, cause is not None
        return copy

    def launch(self, lane, phase, what, stream, after=None):
        """A call, and the device work that it launches after AFTER's."""
        called = self.now
        yield self.little()
        earliest = self.now + self.little()
        work = self.work(phase, what, stream, earliest, self.now, lane, after)
        self.calls.append((lane, "launch", phase, called, self.now, len(self.works) - 1))
        return work

    def work(self, phase, what, stream, earliest, launched, lane, after=None):
        before = self.lanes.get(stream, [None])[-1]
        begin = max(earliest, before.end if before else 0)
        made = Piece(stream, begin, 0, f"{phase} (GPU)", "device")
        made.launched = launched
        made.cause = before if before and before.end >= launched else (lane, launched)
        if after and after.lane != stream and after.end + 1 > begin:
            made.start, made.cause, made.guessed = after.end + 1, after, True
        made.end = made.start + self.some(what)
        self.lanes.setdefault(stream, []).append(made)
        self.works.append((what, phase, made, stream))
        return made

    def batch(self, copy):
        start = self.now
        yield self.little()
        self.piece(MAIN, start, "batch")
        if self.helps:
            self.ask()
        needed = copy
        for name, acts, inner in self.plan:
            begin = self.now
            yield self.some("host") // 4 + 1
            start = begin
            if inner:
                self.piece(MAIN, start, name)
                start = self.now
                yield self.some("host") // 4 + 1
                self.piece(MAIN, start, inner).ends_phase = True
                self.span(MAIN, inner, start)
                start = self.now
            started = []
            for act in acts:
                if act in ("kernel", "copy"):
                    stream = self.random.randint(1, self.streams)
                    after = needed
                    if self.streams > 1 and self.random.random() < 0.3:
                        after = self.lanes.get(self.random.randint(1, self.streams), [None])[-1]
                    work = yield from self.launch(MAIN, name, act, stream, after)
                    started.append((work.launched, work))
                    needed = None
                else:
                    if self.now > start:
                        self.piece(MAIN, start, name).launches = started
                        started = []
                    yield from self.wait(name, act)
                    start = self.now
                yield self.little()
            yield self.little()
            self.piece(MAIN, start, name).launches = started
            self.span(MAIN, name, begin)
            pause = self.random.choice((0, 0, 2))
            start = self.now
            yield pause
            self.piece(MAIN, start, "batch")
        if self.helps:
            yield from self.join()

    def wait(self, phase, act):
        """A call that waits for a stream, for the device or for its own copy."""
        called = self.now
        if act == "blocking":
            copy = self.work(phase, "copy", 1, called + 2, called + 2, MAIN)
            # The call is running when its copy begins.
            copy.launched = copy.start
            number = len(self.works) - 1
            if not (isinstance(copy.cause, Piece) and copy.cause.end == copy.start):
                copy.cause = (MAIN, copy.start)
            yield copy.end + 1 - called
            waited = self.piece(MAIN, called, phase, "wait")
            waited.cause = copy
            waited.launches = [(copy.start, copy)]
            self.calls.append((MAIN, "cudaMemcpy", phase, called, self.now, number))
            return
        stream = self.random.randint(1, self.streams)
        lanes = [lane for lane in self.lanes if isinstance(lane, int) and act == "device" or lane == stream]
        last = max((self.lanes[lane][-1] for lane in lanes if self.lanes[lane]),
                   key=lambda work: work.end, default=None)
        yield max(2, last.end + 1 - called if last else 0)
        waited = self.piece(MAIN, called, phase, "wait")
        if last and last.end > called:
            waited.cause = last
            waited.guessed = act == "stream"  # if there are several, see known()
        name = "cudaDeviceSynchronize" if act == "device" else "cudaStreamSynchronize"
        self.calls.append((MAIN, name, phase, called, self.now, None))

    def train(self, loaders):
        fit = self.random.randint(2, 8)
        validate = self.random.choice((0, 0, 2))
        self.steps_left = fit
        self.loop_ends = {}
        for number in range(fit + validate):
            stage = "fit" if number < fit else "validate"
            begin = self.now
            copy = yield from self.draw(loaders if stage == "fit" else 0)
            drawn = self.now
            if stage == "fit":
                yield from self.batch(copy)
                self.steps_left -= 1
            start = self.now
            yield self.little()
            self.piece(MAIN, drawn if stage == "validate" else start, "batch")
            self.steps.append((stage, begin, drawn, self.now))

    # What the times alone show, and whether that is what happened.
