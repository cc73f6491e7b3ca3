"""Prints the spans of an exported timeline, one a line, indented by nesting.

usage: check-export.py chrome|speedscope|perfetto FILE

Exits 1 when spans don't nest. The same run gives the same lines in every
format.
"""
import json
import sys


def chrome(path):
    events = [e for e in json.load(open(path, encoding="utf-8"))["traceEvents"]
              if e["ph"] == "X"]
    ends = []
    for event in events:
        while ends and ends[-1] <= event["ts"] and ends[-1] < event["ts"] + max(event["dur"], 1):
            ends.pop()
        if ends and event["ts"] + event["dur"] > ends[-1]:
            sys.exit("%s sticks out" % event["name"])
        yield len(ends), event["name"]
        ends.append(event["ts"] + event["dur"])


def speedscope(path):
    document = json.load(open(path, encoding="utf-8"))
    names = [frame["name"] for frame in document["shared"]["frames"]]
    for profile in document["profiles"]:
        stack, last = [], 0
        for event in profile["events"]:
            if event["at"] < last:
                sys.exit("time runs backwards")
            last = event["at"]
            if event["type"] == "O":
                yield len(stack), names[event["frame"]]
                stack.append(event["frame"])
            elif stack.pop() != event["frame"]:
                sys.exit("closes another frame than it opened")
        if stack:
            sys.exit("frames stay open")


def fields(data):
    """The fields of a protobuf message: (number, int or bytes)."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            size = varint()
            yield key >> 3, data[at:at + size]
            at += size


def perfetto(path):
    names, depth = {}, 0
    for _, packet in fields(open(path, "rb").read()):
        packet = dict(fields(packet))
        if 12 in packet:
            entry = dict(fields(dict(fields(packet[12]))[2]))
            names[entry[1]] = entry[2].decode()
        if 11 in packet:
            event = dict(fields(packet[11]))
            if event[9] == 1:
                yield depth, names[event[10]]
            depth += 1 if event[9] == 1 else -1
            if depth < 0:
                sys.exit("an end without a begin")
    if depth:
        sys.exit("slices stay open")


for nesting, name in globals()[sys.argv[1]](sys.argv[2]):
    print("  " * nesting + name)
