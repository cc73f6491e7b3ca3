"""Compares the verdicts of random runs with the known truth.

usage: verdict-reference.py WORKDIR SEED...

Makes a profile with a complete timeline for each seed: steps of random phases that
launch kernels, copies and collectives on one or two streams, and may wait for them. The
class and the phase are computed here by the rules of docs/report.md, piece by piece of
the timeline, and compared with those of

    the overview of the profile         its timeline
    the overview of its Chrome export   a trace; shares within a point
    the simple view of the profile      its sums; where nothing overlaps another
                                        phase's work and steps end in a wait

Prints the number of runs and the classes compared.
"""
import json
import os
import random
import re
import subprocess
import sys

NAMES = ("forward", "backward", "opt_step", "to_device")
FUNCTIONS = {"kernel": "_Z4gemmPfi", "communication": "ncclDevKernel_AllReduce"}
NEAR = 0.005  # part of a threshold: a trace has whole microseconds


class Step:
    def __init__(self):
        self.host = self.draw = None
        self.phases, self.calls, self.works = {}, [], []


class Made:
    """The steps of one run. Times are nanoseconds."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random.choice
        self.gpu = self.random.random() < 0.85
        self.streams = pick((1, 1, 2)) if self.gpu else 0
        self.synced = self.random.random() < 0.7
        # One duration of each kind per run, so that each class occurs.
        scale = {what: pick((3, 30, 300)) for what in
                 ("draw", "host", "launch", "kernel", "copy", "communication")}
        plan = []
        for name in self.random.sample(NAMES, self.random.randint(1, 4)):
            works = [pick(("kernel", "kernel", "copy", "communication"))
                     for _ in range(self.random.randint(0, 3))] if self.gpu else []
            plan.append((name, works, self.random.random() < 0.3))
        if self.gpu and not any(works for _, works, _ in plan):
            plan[0] = (plan[0][0], ["kernel"], plan[0][2])
        self.now = 1_000_000
        free = [0] * max(1, self.streams)
        self.steps = []
        for _ in range(self.random.randint(2, 6)):
            step = Step()
            begin = self.now
            self.spend(scale["draw"])
            step.draw = begin, self.now
            for at, (name, works, waits) in enumerate(plan):
                self.spend(3)
                start = self.now
                self.spend(scale["host"])
                for work in works:
                    called = self.now
                    self.spend(scale["launch"])
                    step.calls.append(("launch", name, called, self.now, len(step.works)))
                    stream = self.random.randrange(self.streams)
                    runs = max(free[stream], self.now + 1000)
                    free[stream] = runs + self.some(scale[work])
                    step.works.append((work, name, runs, free[stream], stream))
                    self.spend(2)
                if works and waits or (self.gpu and self.synced and at + 1 == len(plan)):
                    called = self.now
                    self.now = max([self.now + 2000] + free)
                    step.calls.append(("wait", name, called, self.now, None))
                    self.spend(1)
                step.phases[name] = start, self.now
            self.spend(3)
            step.host = begin, self.now
            self.steps.append(step)

    def some(self, scale):
        return self.random.randint(scale * 3000, scale * 10000)

    def spend(self, scale):
        self.now += self.some(scale)

    def description(self):
        """The profile as input for make-profile, with sums that match its timeline."""
        every = [name for name in NAMES if name in self.steps[0].phases]
        end = max([self.now] + [work[3] for step in self.steps for work in step.works])
        lines = [f"wall {end + 1_000_000}ns", "thread main",
                 "  train train " + spans([(self.steps[0].host[0], self.now)]),
                 "    step " + spans([step.host for step in self.steps]),
                 "      draw " + spans([step.draw for step in self.steps]),
                 "      batch " + spans([(step.draw[1], step.host[1]) for step in self.steps])]
        for name in self.steps[0].phases:
            line = f"        phase {name} " + spans([step.phases[name] for step in self.steps])
            for kind, key in (("launch", "launches"), ("wait", "waits")):
                took = [call[3] - call[2] for step in self.steps for call in step.calls
                        if call[:2] == (kind, name)]
                if took:
                    line += f" {key}={len(took)}/{sum(took)}ns"
            lines.append(line)
        if not self.gpu:
            return "\n".join(lines) + "\n"
        works = [work for step in self.steps for work in step.works]
        kernels = union(w[2:4] for w in works if w[0] != "copy")
        busy = union(w[2:4] for w in works)
        lines += [f"gpu on launches={len(works)} records={len(works)}",
                  f"device 0 X from={min(w[2] for w in works)}ns to={max(w[3] for w in works)}ns "
                  f"busy={busy}ns kernels={kernels}ns copies={union(w[2:4] for w in works if w[0] == 'copy')}ns"]
        for name in every:
            own = [w for w in works if w[1] == name]
            for kind, function in FUNCTIONS.items():
                took = [(w, self.launch_of(w)) for w in own if w[0] == kind]
                if took:
                    lines.append(f"kernel {name} {function} spans="
                                 + ",".join(f"{w[3] - w[2]}ns" for w, _ in took)
                                 + f" shorter={sum(w[3] - w[2] < call for w, call in took)}")
            took = [w for w in own if w[0] == "copy"]
            if took:
                lines.append(f"copy {name} htod spans=" + ",".join(f"{w[3] - w[2]}ns" for w in took))
            if own:
                lines.append(f"union {name} busy={union(w[2:4] for w in own)}ns "
                             f"kernels={union(w[2:4] for w in own if w[0] != 'copy')}ns")
        correlation = 0
        for step in self.steps:
            for kind, name, start, stop, work in step.calls:
                correlation += 1
                called = {"wait": "cudaStreamSynchronize"}.get(kind)
                if work is not None:
                    called = "cudaMemcpyAsync" if step.works[work][0] == "copy" else "cudaLaunchKernel"
                lines.append(f"event {kind} {name} {called} at={start}ns for={stop - start}ns "
                             f"correlation={correlation} tid=4711")
                if work is not None:
                    what, _, start, stop, stream = step.works[work]
                    lines.append(f"event {'copy' if what == 'copy' else 'kernel'} {name} "
                                 f"{FUNCTIONS.get(what, '-')} at={start}ns for={stop - start}ns "
                                 f"{'direction=htod ' if what == 'copy' else ''}context=1 "
                                 f"stream={stream + 7} correlation={correlation}")
        return "\n".join(lines) + "\n"

    def launch_of(self, work):
        """The duration of each launch."""
        for step in self.steps:
            for call in step.calls:
                if call[4] is not None and step.works[call[4]] == work:
                    return call[3] - call[2]
        raise KeyError(work)

    def truth(self):
        """Class, phase and whether both are clear."""
        total, parts = self.parts()
        share = {what: parts.get(what, 0) / total for what in
                 ("kernel", "copy", "communication", "draw", "draw idle", "wait", "launch", "busy")}
        host = max(0, 1 - share["draw"] - share["wait"])
        idle = 1 - share["busy"]
        works = [work for step in self.steps for work in step.works if work[0] != "copy"]
        short = sum(w[3] - w[2] < self.launch_of(w) for w in works)
        clear = True

        def least(left, right):
            nonlocal clear
            clear = clear and abs(left - right) > NEAR
            return left >= right

        if not self.gpu:
            rules = [("input-bound", lambda: least(share["draw"], 0.5)), ("unknown", lambda: True)]
        else:
            rules = [
                ("compute-bound", lambda: least(share["kernel"], 0.7)),
                ("copy-bound", lambda: least(share["copy"], 0.3) and
                 least(share["copy"], max(share["kernel"], share["communication"]))),
                ("communication-bound", lambda: least(share["communication"], 0.3) and
                 least(share["communication"], share["kernel"])),
                ("input-bound", lambda: least(share["draw idle"], 0.5 * idle)),
                ("sync-bound", lambda: least(share["wait"], host)),
                ("launch-bound", lambda: short > 0.5 * len(works) or
                 least(share["launch"] / host, 0.1)),
                ("unknown", lambda: True)]
        found = next(name for name, rule in rules if rule())
        phase, next_phase = self.phase(found)
        return found, phase, clear and next_phase < 0.99

    def parts(self):
        """The steps' time by use: [total, {use: nanoseconds}]."""
        limits = [step.host for step in self.steps]
        pieces = [("step", limit) for limit in limits]
        for step in self.steps:
            pieces.append(("draw", step.draw))
            pieces += [(call[0], call[2:4]) for call in step.calls]
            pieces += [(work[0], work[2:4]) for work in step.works]
        cuts = sorted({time for _, piece in pieces for time in piece})
        sums = {}
        for start, stop in zip(cuts, cuts[1:]):
            now = {what for what, piece in pieces if piece[0] <= start and stop <= piece[1]}
            if "step" not in now:
                continue
            uses = now & {"draw", "wait", "launch", "kernel"}
            device = now & {"kernel", "copy", "communication"}
            if device == {"copy"}:
                uses.add("copy")
            if "communication" in device and "kernel" not in device:
                uses.add("communication")
            if device:
                uses.add("busy")
            elif "draw" in now:
                uses.add("draw idle")
            for use in uses:
                sums[use] = sums.get(use, 0) + stop - start
        return sum(stop - start for start, stop in limits), sums

    def phase(self, found):
        """The phase with most of the time behind the verdict, and the share of the next
        one."""
        if found == "input-bound":
            return "draw", 0
        times = {}
        for step in self.steps:
            for name, (start, stop) in step.phases.items():
                waited = sum(c[3] - c[2] for c in step.calls if c[:2] == ("wait", name))
                own = [w for w in step.works if w[1] == name]
                kernels = union(w[2:4] for w in own if w[0] == "kernel")
                took = {"compute-bound": kernels,
                        "communication-bound":
                            union(w[2:4] for w in own if w[0] != "copy") - kernels,
                        "copy-bound": union(w[2:4] for w in own)
                            - union(w[2:4] for w in own if w[0] != "copy"),
                        "sync-bound": waited}.get(found, stop - start - waited)
                times[name] = times.get(name, 0) + took
            if found in ("launch-bound", "unknown"):
                rest = step.host[1] - step.draw[1] - sum(b - a for a, b in step.phases.values())
                times["batch"] = times.get("batch", 0) + rest
        order = sorted(times, key=times.get, reverse=True)
        return order[0], times[order[1]] / times[order[0]] if len(order) > 1 else 0

    def has_plain_sums(self):
        return self.streams < 2 and (self.synced or not self.gpu)


def union(pieces):
    length, reached = 0, 0
    for start, stop in sorted(pieces):
        length += max(0, stop - max(start, reached))
        reached = max(reached, stop)
    return length


def spans(pairs):
    return ("spans=" + ",".join(f"{stop - start}ns" for start, stop in pairs)
            + " at=" + ",".join(f"{start}ns+{stop - start}ns" for start, stop in pairs))


def verdict(path, view):
    output = subprocess.run(["loopscope", "report", path, "--view", view, "--format", "json"],
                            check=True, capture_output=True, text=True).stdout
    run = json.loads(output)["sections"][0]["run"]
    shares = [float(share) for share in re.findall(r"([0-9.]+)%", run["verdict"])]
    return (run["verdict_class"], run["verdict_phase"]), shares, run["verdict"]


def main(work, seeds):
    compared, classes, failed = 0, {}, 0
    for seed in seeds:
        made = Made(seed)
        text, profile = os.path.join(work, seed + ".run"), os.path.join(work, seed)
        trace = profile + ".pt.trace.json"
        with open(text, "w", encoding="utf-8") as file:
            file.write(made.description())
        subprocess.run(["make-profile", text, profile], check=True)
        subprocess.run(["loopscope", "export", "--to", "chrome", profile, "-o", trace], check=True,
                       capture_output=True)
        found, phase, is_clear = made.truth()
        ours, our_shares, line = verdict(profile, "overview")
        theirs, their_shares, their_line = verdict(trace, "overview")
        sums, _, sums_line = verdict(profile, "simple")
        if not is_clear:
            continue
        compared += 1
        classes[found] = classes.get(found, 0) + 1
        wrong = []
        if ours != (found, phase):
            wrong.append(line)
        if theirs != (found, phase) or len(our_shares) != len(their_shares) or any(
                abs(a - b) > 1 for a, b in zip(our_shares, their_shares)):
            wrong.append(their_line)
        if made.has_plain_sums() and sums != (found, phase):
            wrong.append(sums_line)
        for each in wrong:
            failed = 1
            print(f"seed {seed}: is {found}: {phase}; {each}")
    print(f"{compared} runs: " + ", ".join(sorted(classes)))
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
