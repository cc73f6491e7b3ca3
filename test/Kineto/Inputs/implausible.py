"""Makes traces whose events contradict each other in known ways.

usage: implausible.py FOLDER          six traces by name
       implausible.py SEEDS FOLDER    SEEDS random ones, with FOLDER/N.json and, in FOLDER/N.lost,
                                      the footer's lines that it must have; sound ones in between
"""
import json
import random
import sys


def sound(steps=5, step_us=10000, t0=1000000, runtime="cuda_runtime", streams=1, pick=None):
    """Steps of 9.99 ms with three kernels of 5.5 ms in all, each after its launch."""
    events, number = [], 0
    for step in range(steps):
        at = t0 + step * step_us
        events.append(dict(ph="X", cat="user_annotation", name=f"ProfilerStep#{step + 1}", pid=1,
                           tid=1, ts=at, dur=step_us - 10))
        for name, call, call_us, start, length in (("aten::mm", 1000, 300, 1200, 2000),
                                                   ("aten::relu", 1500, 200, 3300, 500),
                                                   ("aten::addmm", 2000, 400, 3900, 3000)):
            number += 1
            stream = 7 + (pick.randrange(streams) if pick else 0)
            events.append(dict(ph="X", cat="cpu_op", name=name, pid=1, tid=1, ts=at + call,
                               dur=call_us, args={"External id": number}))
            events.append(dict(ph="X", cat=runtime, name="cudaLaunchKernel", pid=1, tid=1,
                               ts=at + call + 50, dur=20,
                               args={"External id": number, "correlation": number}))
            events.append(dict(ph="X", cat="kernel", name=name[6:] + "_kernel", pid=0, tid=stream,
                               ts=at + start, dur=length,
                               args={"correlation": number, "device": 0, "stream": stream}))
    return events


def write(path, events):
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(dict(schemaVersion=1, traceEvents=events), stream)


def kernels(events):
    return [event for event in events if event["cat"] == "kernel"]


def named(folder):
    events = sound()
    kernels(events)[6]["dur"] = 1600000
    write(f"{folder}/long.json", events)
    events = sound()
    kernels(events)[6].update(ts=0, dur=1024200)
    write(f"{folder}/from-0.json", events)
    events = sound(10)
    for event in events:
        if event["ts"] >= 1050000:
            event.update(ts=0, dur=0)
    write(f"{folder}/half.json", events)
    events = sound(10)
    for event in kernels(events)[2::3]:
        event.update(ts=0, dur=0)
    write(f"{folder}/third.json", events)
    events = [event for event in sound(32)
              if event["cat"] != "kernel" or not 1010000 <= event["ts"] < 1310000]
    write(f"{folder}/without.json", events)
    events = sound()
    for event in kernels(events):
        event["ts"] -= 3000
    write(f"{folder}/before.json", events)
    events = sound(40)
    kernels(events)[6].update(dur=9000)  # over the three after it
    write(f"{folder}/once.json", events)
    # Of each step of 9.99 ms, 499 or 500 us of addmm stick out of relu: 5%.
    for name, out in (("nested", 0), ("sticks-out-less", 499), ("sticks-out", 500)):
        events = sound()
        for event in events:
            if event["name"] in ("aten::relu", "aten::addmm") and event["cat"] == "cpu_op":
                event.update(dur=2000 if event["name"] == "aten::relu" else 1500 + out)
        write(f"{folder}/{name}.json", events)
    # Of 100 events, 10 or 11 operators without a time or with a negative one.
    for name, count, times in (("untimed-less", 10, dict(ts=0, dur=0)), ("untimed", 11, dict(ts=0, dur=0)),
                               ("negative-less", 10, dict(dur=-5)), ("negative", 11, dict(dur=-5))):
        events = sound(10)
        for event in [event for event in events if event["cat"] == "cpu_op"][:count]:
            event.update(times)
        write(f"{folder}/{name}.json", events)
    # A graph's branches, and a capture.
    events = sound()
    for event in kernels(events)[3:6]:
        event["args"]["correlation"] = 4
    events = [event for event in events if event.get("args", {}).get("correlation") not in (5, 6)]
    kernels(events)[3].update(dur=8000)
    for call, at in (("cudaStreamBeginCapture", 1024000), ("cudaStreamEndCapture", 1025000)):
        events.append(dict(ph="X", cat="cuda_runtime", name=call, pid=1, tid=1, ts=at, dur=1,
                           args={"correlation": at}))
    for i in range(20):
        events.append(dict(ph="X", cat="cuda_runtime", name="cudaLaunchKernel", pid=1, tid=1,
                           ts=1024010 + 10 * i, dur=5, args={"correlation": 5000 + i}))
    write(f"{folder}/graph.json", events)
    events = sound(runtime="xpu_runtime")
    for i in range(3):
        events.append(dict(ph="X", cat="weird_thing", name="x", pid=1, tid=2, ts=1000000 + i, dur=1))
    write(f"{folder}/unknown.json", events)
    for i in range(5000):
        events.append(dict(ph="X", cat=f"kind_{i}", name="x", pid=1, tid=2, ts=1000000, dur=1))
        if i == 2:
            write(f"{folder}/four.json", events)
    write(f"{folder}/many.json", events)


def damaged(seed, events):
    """Damages events in at most one way each, and returns what the footer must count."""
    pick = random.Random(seed)
    lost = {}
    every = kernels(events)
    victims = pick.sample(range(3, len(every) - 6), pick.randrange(1, 4)) if seed % 4 else []
    gone = []
    for victim in victims:
        if any(abs(victim - other) < 5 for other in victims if other != victim):
            continue
        way = pick.choice(["time", "before", "without", "over"])
        event = every[victim]
        if way == "time":
            event.update(ts=0, dur=0)
        elif way == "before":
            event["ts"] -= 3000 + pick.randrange(100000)
        elif way == "without":
            gone.append(event)
        else:
            later = [other for other in every if other["tid"] == event["tid"]
                     and other["ts"] > event["ts"]]
            if not later:
                continue
            event["dur"] = later[0]["ts"] + later[0]["dur"] - event["ts"] + pick.randrange(50)
        lost[way] = lost.get(way, 0) + 1
    return [event for event in events if not any(event is other for other in gone)], lost


WORDS = {
    "time": "with a start and a duration of 0, left out.",
    "before": "of device work that began before the call that launched it, cut there or left out.",
    "without": "of kernels that aren't in the trace.",
    "over": "that ran over later ones of their stream, cut where those begin.",
}
NOUNS = {"time": "event", "before": "piece", "without": "launch", "over": "kernel"}


def main():
    if len(sys.argv) == 2:
        named(sys.argv[1])
        return
    for seed in range(int(sys.argv[1])):
        pick = random.Random(seed)
        events = sound(pick.randrange(4, 12), t0=pick.choice([0, 10, 1000000, 1 << 50]),
                       streams=pick.randrange(1, 4), pick=pick)
        events, lost = damaged(seed, events)
        if pick.random() < 0.5:
            pick.shuffle(events)
        write(f"{sys.argv[2]}/{seed}.json", events)
        with open(f"{sys.argv[2]}/{seed}.lost", "w", encoding="utf-8") as stream:
            for way in ("time", "before", "over", "without"):
                if way in lost:
                    plural = "" if lost[way] == 1 else "es" if way == "without" else "s"
                    stream.write(f"{lost[way]} {NOUNS[way]}{plural}: {WORDS[way]}\n")


main()
