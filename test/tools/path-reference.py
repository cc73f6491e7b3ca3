"""Compares the path view of random pipelines with the known truth.

usage: path-reference.py [--trace] WORKDIR SEED...

Simulates a program for each seed (pipelines.py). The simulation knows what each draw, call and
piece of device work waited for. From that the path, its edges and the slack are computed here
piece by piece, without the view's shortcuts. Runs whose times alone suggest something
else than what happened are excluded and counted. With --trace, the run's own Chrome
export must give the same result.

Times are whole microseconds, which a Chrome export holds exactly.
"""
import csv
import io
import json
import os
import subprocess
import sys

from pipelines import MAIN, Piece, Pipeline

sys.setrecursionlimit(100_000)


class Made(Pipeline):
    """A simulated program with the truth about its path."""

    def is_clear(self):
        several = len([lane for lane in self.lanes if isinstance(lane, int)]) > 1
        for lane, pieces in self.lanes.items():
            for at, piece in enumerate(pieces):
                if piece.kind == "wait":
                    piece.guessed = piece.guessed and several
                if self.suggested(piece, piece.end) is not piece.cause and piece.kind in ("draw", "wait"):
                    return False
                before = pieces[at - 1] if at else None
                if piece.kind == "device":
                    if self.held_up(piece, before) != piece.cause:
                        return False
                    # A blocking copy's call may have waited before its copy began.
                    if not isinstance(piece.cause, Piece):
                        call = self.before(piece.cause[0], piece.cause[1])
                        if call and call.kind == "wait" and any(
                                call.start < other.end <= piece.start for _, _, other, _ in self.works):
                            return False
                elif lane != MAIN and before and before.end < piece.start:
                    if piece.waited != self.draws_in(before.end, piece.start):
                        return False
        return True

    def suggested(self, piece, until):
        if piece.kind == "wait" and piece.cause and not piece.guessed and piece.cause.launched >= piece.start \
                and (piece.cause.launched, piece.cause) in piece.launches:
            return piece.cause  # its own copy
        found = None
        for lane, pieces in self.lanes.items():
            for other in pieces:
                fits = (other.kind == "device" if piece.kind == "wait" else
                        lane != piece.lane and other.ends_phase)
                if fits and piece.start < other.end <= until and (not found or other.end >= found.end):
                    found = other
        return found

    def held_up(self, work, before):
        launched = work.launched
        cause = before if before and before.end >= launched else next(
            (lane, launched) for lane, pieces in self.lanes.items() for piece in pieces
            if (launched, work) in piece.launches)
        since = cause.end if isinstance(cause, Piece) else launched
        for _, _, other, _ in self.works:
            if other.lane != work.lane and since < other.end <= work.start:
                if not isinstance(cause, Piece) or cause.lane == work.lane or other.end > cause.end:
                    cause = other
        return cause

    def draws_in(self, start, end):
        return any(start <= begin <= end
                   for begin in [step[1] for step in self.steps] + self.joins)

    def before(self, lane, time):
        found = None
        for piece in self.lanes[lane]:
            if piece.start < time:
                found = piece
        return found

    # The path, edge by edge.

    def path(self):
        """Pieces of time (start, end, name), and edges (time, guessed)."""
        lane, at = MAIN, self.lanes[MAIN][-1].end
        parts, edges = [], []

        def spend(until, name):
            nonlocal at
            if until < at:
                parts.append((until, at, name))
            at = min(at, until)

        def go(to, guessed):
            nonlocal lane
            if to != lane:
                edges.append((at, guessed))
            lane = to

        while at > self.steps[0][1]:
            piece = self.before(lane, at)
            if not piece:
                go(MAIN, True)
            elif piece.end < at:
                after = next(p for p in self.lanes[lane] if p.start >= at)
                if after.waited:
                    go(MAIN, True)
                else:
                    spend(piece.end, "(no phase)")
            elif piece.kind == "device":
                spend(piece.start, piece.name)
                if isinstance(piece.cause, Piece):
                    spend(piece.cause.end, piece.name)
                    go(piece.cause.lane, piece.guessed)
                else:
                    spend(piece.cause[1], piece.name)
                    go(piece.cause[0], False)
            elif piece.cause and piece.cause.end <= at:
                spend(piece.cause.end, piece.name)
                go(piece.cause.lane, piece.guessed)
            else:
                spend(piece.start, piece.name)
        return parts, edges

    # The slack from each piece to whatever it delays.

    def slacks(self):
        known = {}
        infinite = float("inf")
        every = [piece for pieces in self.lanes.values() for piece in pieces]
        after = {id(a): b for pieces in self.lanes.values() for a, b in zip(pieces, pieces[1:])}
        draws = [piece for piece in self.lanes[MAIN] if piece.kind == "draw"]
        waits = [piece for piece in every if piece.kind == "wait"]

        def at_end(piece):
            least = infinite
            following = after.get(id(piece))
            if piece is self.lanes[MAIN][-1]:
                least = 0
            if following:
                gap = following.start - piece.end
                if piece.kind == "device":
                    least = slack(following) if following.cause is piece else gap
                else:
                    least = min(least, gap if following.waited else slack(following))
            # Work that a call waits for doesn't follow the call.
            for time, work in piece.launches if piece.kind != "wait" else ():
                own = work.cause == (piece.lane, time)
                least = min(least, slack(work) if own else work.start - time)
            for other in self.works:
                if other[2].cause is piece and other[2].lane != piece.lane:
                    least = min(least, slack(other[2]))
            takers = (waits if piece.kind == "device" else
                      draws if piece.ends_phase and piece.lane != MAIN else [])
            takers = [taker for taker in takers if taker.end >= piece.end]
            if takers:
                first = min(takers, key=lambda taker: taker.end)
                least = min(least, at_end(first) if first.cause is piece else first.end - piece.end)
            return least

        def slack(piece):
            if id(piece) not in known:
                waits_for = piece.cause if piece.kind in ("draw", "wait") else None
                known[id(piece)] = waits_for.end - piece.start if waits_for else at_end(piece)
            return known[id(piece)]

        for piece in sorted(every, key=lambda piece: -piece.start):
            slack(piece)
        return [(piece, known[id(piece)]) for piece in every]

    def expected(self):
        """By stage: rows {phase: (on path, slack in ns or None, steps)}, steps, edges,
        guessed."""
        parts, edges = self.path()
        slacks = self.slacks()
        found = {}
        for stage in {step[0] for step in self.steps}:
            steps = [(begin, end) for kind, begin, _, end in self.steps if kind == stage]
            sums = {}
            for begin, end in steps:
                here = {}
                for start, stop, name in parts:
                    if (ns := min(stop, end) - max(start, begin)) > 0:
                        here[name] = here.get(name, 0) + ns
                borne = {}
                for piece, slack in slacks:
                    if begin <= piece.start < end:
                        borne[piece.name] = min(borne.get(piece.name, slack), slack)
                for name in here.keys() | borne.keys():
                    to = sums.setdefault(name, [0, [], 0])
                    to[0] += here.get(name, 0)
                    to[2] += name in here
                    if name in here or borne[name] != float("inf"):
                        to[1].append(0 if name in here else borne[name])
            rows = {name: (on, sum(slack) * 1000 // len(slack) if slack else None, count)
                    for name, (on, slack, count) in sums.items()}
            within = [guessed for at, guessed in edges
                      if any(begin < at <= end for begin, end in steps)]
            found[stage] = rows, len(steps), len(within), sum(within), sum(e - b for b, e in steps)
        return found

    # The run as input for make-profile.

    def description(self):
        end = max(piece.end for pieces in self.lanes.values() for piece in pieces)
        lines = [f"wall {end + 1000}us", "thread main"]
        for stage, loop in (("fit", "train"), ("validate", "valid")):
            steps = [step for step in self.steps if step[0] == stage]
            if not steps:
                continue
            whole = spans([(steps[0][1], steps[-1][3])])
            lines += [f"  {stage} {stage} {whole}", f"    {loop} {stage}_loop {whole}",
                      "      step " + spans([(b, e) for _, b, _, e in steps]),
                      "        draw " + spans([(b, d) for _, b, d, _ in steps]),
                      "        batch " + spans([(d, e) for _, _, d, e in steps])]
            for name, _, inner in self.plan if stage == "fit" else ():
                lines.append(f"          phase {name} {spans(self.spans[MAIN, name])}")
                if inner:
                    lines.append(f"            phase {inner} {spans(self.spans[MAIN, inner])}")
            if stage == "fit" and self.helps:
                lines.append(f"          wait join {spans(self.spans[MAIN, 'join'])}")
        loaders = [lane for lane in self.lanes if isinstance(lane, str) and lane != MAIN]
        names = {}
        for lane in loaders:
            lines.append(f"thread {lane} lived={end + 1000}us")
            deeper = ""
            if (lane, "load") in self.spans:
                lines.append(f"  phase load {spans(self.spans[lane, 'load'])}")
                deeper = "  "
            for name in ("read", "decode", "upload", "reduce"):
                if (lane, name) in self.spans:
                    inside = deeper if name != "upload" else ""
                    lines.append(f"{inside}  phase {name} {spans(self.spans[lane, name])}")
                    names[lane, name] = f"{name}#{loaders.index(lane) + 1}"
        if not self.works:
            return "\n".join(lines) + "\n"
        busy = [work[2] for work in self.works]
        lines += [f"gpu on launches={len(self.works)} records={len(self.works)}",
                  f"device 0 X from={min(w.start for w in busy)}us to={max(w.end for w in busy)}us"]
        for number, (lane, kind, phase, start, stop, work) in enumerate(self.calls, 1):
            node = names.get((lane, phase), phase)
            if kind == "launch":
                called = "cudaMemcpyAsync" if self.works[work][0] == "copy" else "cudaLaunchKernel"
            else:
                kind, called = "wait", kind
            thread = 0 if lane == MAIN else 1 + loaders.index(lane)
            lines.append(f"event {kind} {node} {called} at={start}us for={stop - start}us "
                         f"correlation={number} thread={thread} tid={4711 + thread}")
            if work is not None:
                what, _, piece, stream = self.works[work]
                lines.append(f"event {what} {node} {'gemm' if what == 'kernel' else '-'} "
                             f"at={piece.start}us for={piece.end - piece.start}us "
                             f"{'direction=htod ' if what == 'copy' else ''}context=1 "
                             f"stream={stream} correlation={number}")
        return "\n".join(lines) + "\n"


def spans(pairs):
    return ("spans=" + ",".join(f"{stop - start}us" for start, stop in pairs)
            + " at=" + ",".join(f"{start}us+{stop - start}us" for start, stop in pairs))


def report(path, form):
    return subprocess.run(["loopscope", "report", path, "--view", "path", "--format", form],
                          check=True, capture_output=True, text=True).stdout


def printed(path):
    """The same as Made.expected(), from loopscope's output."""
    rows = {}
    for row in csv.DictReader(io.StringIO(report(path, "csv"))):
        slack = round(float(row["slack_s"]) * 1e9) if row["slack_s"] else None
        rows.setdefault(row["stage"], {})[row["phase"]] = (
            round(float(row["on_path_s"]) * 1e6), slack, float(row["steps_percent"]),
            float(row["on_path_percent"]))
    found = {}
    for table in json.loads(report(path, "json"))["sections"][0]["tables"]:
        if table["steps_left_out"]:
            sys.exit(f"{path}: {table['steps_left_out']} steps are left out")
        steps = table["steps"]
        found[table["id"]] = ({name: (on, slack, share * steps / 100)
                               for name, (on, slack, share, _) in rows[table["id"]].items()},
                              steps, table["edges"], table["guessed_edges"],
                              sum(row[0] for row in rows[table["id"]].values()))
        if abs(sum(row[3] for row in rows[table["id"]].values()) - 100) > 1e-9:
            sys.exit(f"{path}: shares don't add up")
    return found


def same(left, right):
    if left.keys() != right.keys():
        return False
    for stage in left:
        if left[stage][1:] != right[stage][1:] or left[stage][0].keys() != right[stage][0].keys():
            return False
        for name, (on, slack, steps) in left[stage][0].items():
            other = right[stage][0][name]
            if (on, slack) != other[:2] or abs(steps - other[2]) > 1e-6:
                return False
    return True


def main(work, seeds, with_trace):
    compared, unclear, edges = 0, 0, 0
    for seed in seeds:
        made = Made(seed)
        if not made.is_clear():
            unclear += 1
            continue
        text, profile = os.path.join(work, seed + ".run"), os.path.join(work, seed)
        with open(text, "w", encoding="utf-8") as file:
            file.write(made.description())
        subprocess.run(["make-profile", text, profile], check=True)
        want = made.expected()
        files = [profile]
        if with_trace:
            files.append(profile + ".pt.trace.json")
            subprocess.run(["loopscope", "export", "--to", "chrome", profile, "-o", files[1]],
                           check=True, capture_output=True)
        for file in files:
            have = printed(file)
            if not same(have, want):
                for stage in want:
                    for at, name in ((0, "rows"), (1, "steps"), (2, "edges"), (3, "guessed"), (4, "time")):
                        print(f"{stage} {name}: {have.get(stage, [None] * 5)[at]}\n  should be {want[stage][at]}")
                sys.exit(f"seed {seed}: {file} differs")
        compared += 1
        edges += sum(stage[2] for stage in want.values())
    print(f"{compared} runs, {edges} edges; {unclear} left out")


if __name__ == "__main__":
    arguments = [word for word in sys.argv[1:] if word != "--trace"]
    main(arguments[0], arguments[1:], "--trace" in sys.argv)
