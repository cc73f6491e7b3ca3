"""Prints a trace of 150,010 spans in 1.2 s, more than a page has room for.

On thread 1 "outer" of 45 us every 60 us, each with three "inner" of 10 us, all in one
"run"; on thread 2 "work" of 10 us each 10 us until 350 ms and from 850 ms on; ten spans
on thread 3; each 1,000th "outer" has a name of its own.
"""
import json

events = []


def add(tid, name, start, length):
    """A span, in us."""
    events.append({"ph": "X", "pid": 1, "tid": tid, "ts": start, "dur": length, "cat": "cpu_op", "name": name})


add(1, "run", 0, 1200000)
for i in range(20000):
    add(1, f"special </script> {i // 1000}" if i % 1000 == 500 else "outer", i * 60, 45)
    for j in range(3):
        add(1, "inner", i * 60 + 5 + j * 12, 10)
for i in range(35000):
    add(2, "work", i * 10, 10)
    add(2, "work", 850000 + i * 10, 10)
for i in range(10):
    add(3, "rare", 500000 + i * 2000, 1000)
print(json.dumps({"schemaVersion": 1, "traceEvents": events}))
