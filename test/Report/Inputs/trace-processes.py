"""Prints the processes of a trace, and the starts of its phases and kernels.

usage: trace-processes.py TRACE

A line "PID NAME" for each process; then "PID EVENT START DURATION", in microseconds, for each phase and kernel, in the order of
processes and time; a kernel's line ends with the process whose call launched it.
"""
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file)
    events = trace["traceEvents"]
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    launched = {event["id"]: event["pid"] for event in events if event["ph"] == "s"}
    arrows = {(event["pid"], event["tid"], event["ts"]): launched[event["id"]]
              for event in events if event["ph"] == "f"}
    for pid in sorted(names):
        print(pid, names[pid])
    for event in sorted((event for event in events if event["ph"] == "X"),
                        key=lambda each: (each["pid"], each["ts"])):
        line = f"{event['pid']} {event['name']} {event['ts']} {event['dur']}"
        if event["cat"] == "kernel":
            print(f"{line}, launched by {arrows[event['pid'], event['tid'], event['ts']]}")
        elif event["name"] == "forward":
            print(line)


main()
