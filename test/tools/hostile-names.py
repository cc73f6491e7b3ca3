"""Makes a profile and a trace full of hostile names, and finds characters that got
through.

    hostile-names.py make RUN TRACE    a description for make-profile, a trace
    hostile-names.py check FORMAT      standard input is a report or a message

Each forbidden character precedes a mark, by which it is found if it got through; in
HTML also as an escape in a script.
"""
import csv
import io
import json
import re
import sys

HIDDEN = ["\x1b", "\x07", "\x7f", "\x9b", "\xad", "\u061c", "\u200b", "\u200d", "\u202e",
          "\u2028", "\u2066", "\u2060", "\ufeff", "\ufe0f", "\U000e0041"]
MARK = "Q~"
NAME = "".join(character + MARK for character in HIDDEN)

RUN = """wall 10s
program {n}
host {n}
rank 0 of 2
missing {n}
thread {n}
  epoch run_epoch spans=2x4s at=0s+4s,4s+4s
    train batches{n} spans=2x4s at=0s+4s,4s+4s file={n} function={n} samples=80
      step spans=4x1s at=0s+1s,1s+1s,4s+1s,5s+1s
        draw spans=4x200ms at=0s+200ms,1s+200ms,4s+200ms,5s+200ms
        batch spans=4x800ms at=200ms+800ms,1200ms+800ms,4200ms+800ms,5200ms+800ms
          phase forward{n} spans=4x400ms at=200ms+400ms,1200ms+400ms,4200ms+400ms,5200ms+400ms file={n} line=3 function={n}
  phase @SUM(1+1)*cmd spans=1s
  function {n} spans=1s file={n} function={n}
thread second{n} lived=2s
  phase other{n} spans=1s
    phase keyed key=label{n}:key{n} spans=200ms
    phase keyed key=label{n}:1=Enumerator{n} spans=200ms
gpu on cupti=13 launches=4 records=4 library={n}
gpu-note {n}
device 0 {n} cc=9.0 sms=132 from=0s to=10s busy=2s kernels=2s sm=1s
kernel forward{n} kernel{n} device=0 spans=4x100ms
copy forward{n} htod device=0 spans=4x100ms bytes=1000
event kernel forward{n} kernel{n} at=1s for=100ms correlation=1
event launch forward{n} launch{n} at=900ms for=10ms correlation=1
sampler 250 rounds=10 cost=1ms
sampler-note {n}
metric {n} percent 0 {n}
samples 0 forward{n} count=4 sum=100 min=20 max=30
"""


def make(run, trace):
    with open(run, "w", encoding="utf-8") as file:
        file.write(RUN.format(n=NAME))
    events = [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1",
               "pid": NAME, "tid": NAME, "ts": 0, "dur": 1000},
              {"ph": "X", "cat": "cpu_op", "name": "=1+op" + NAME, "pid": NAME, "tid": NAME, "ts": 0,
               "dur": 400, "args": {"External id": 1}},
              {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": NAME,
               "tid": NAME, "ts": 10, "dur": 20, "args": {"External id": 1, "correlation": 5}},
              {"ph": "X", "cat": "kernel", "name": "kernel" + NAME, "pid": 0, "tid": NAME, "ts": 100,
               "dur": 500, "args": {"device": 0, "stream": 7, "correlation": 5}}]
    with open(trace, "w", encoding="utf-8") as file:
        json.dump({"schemaVersion": 1, "traceEvents": events,
                   "deviceProperties": [{"id": 0, "name": NAME, "totalGlobalMem": 1}],
                   "distributedInfo": {"backend": NAME, "rank": 0, "world_size": 2}},
                  file, ensure_ascii=len(trace) % 2 == 0)


def check(form):
    text = sys.stdin.buffer.read().decode("utf-8")
    bad = {character for character in HIDDEN if character + MARK in text}
    if form in ("html", "json"):
        for match in re.finditer(r"\\u([0-9a-f]{4})" + re.escape(MARK), text):
            bad.add(chr(int(match.group(1), 16)))
    if form in ("text", "markdown", "csv"):
        bad |= {c for c in text if c in HIDDEN or c < " " and c not in "\n\t" or "\x7f" <= c < "\xa0"}
    if form == "csv":
        bad |= {cell for row in csv.reader(io.StringIO(text)) for cell in row
                if re.match(r"[=+@]", cell)}
    if bad:
        print("got through:", " ".join(sorted(map(ascii, bad))))
    if not text:
        print("nothing to look at")
    return 1 if bad or not text else 0


sys.exit(make(*sys.argv[2:]) if sys.argv[1] == "make" else check(sys.argv[2]))
