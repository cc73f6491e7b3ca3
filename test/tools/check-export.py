"""Prints the spans of an exported timeline, one per line, indented by nesting.

usage: check-export.py chrome|speedscope|perfetto|tensorboard FILE

Exits 1 if spans don't nest. The same run gives the same lines in every format. For
TensorBoard's events it prints step, tag and value; exits 1 if a record's checksum is
wrong or time runs backwards.
"""
import json
import struct
import sys

from protobuf import fields


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


def perfetto(path):
    names, depth = {}, 0
    for _, packet in fields(open(path, "rb").read()):
        packet = dict(fields(packet))
        if 12 in packet:
            entry = dict(fields(dict(fields(packet[12]))[2]))
            names[entry[1]] = entry[2].decode()
        if 11 in packet:
            event = dict(fields(packet[11]))
            if event[9] == 3:
                continue  # an instant
            if event[9] == 1:
                yield depth, names[event[10]]
            depth += 1 if event[9] == 1 else -1
            if depth < 0:
                sys.exit("an end without a begin")
    if depth:
        sys.exit("slices stay open")


def masked_crc(data):
    """CRC-32C, bit by bit, masked as TFRecord has it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def tensorboard(path):
    data, at, last = open(path, "rb").read(), 0, 0.0
    while at < len(data):
        size, crc = struct.unpack_from("<QI", data, at)
        record = data[at + 12:at + 12 + size]
        if masked_crc(data[at:at + 8]) != crc:
            sys.exit("a length has a wrong check sum")
        if struct.unpack_from("<I", data, at + 12 + size)[0] != masked_crc(record):
            sys.exit("a record has a wrong check sum")
        at += 16 + size
        event = dict(fields(record))
        time, = struct.unpack("<d", event[1])
        if time < last:
            sys.exit("time runs backwards")
        last = time
        if 3 in event:
            yield 0, event[3].decode()
            continue
        value = dict(fields(dict(fields(event[5]))[1]))
        number, = struct.unpack("<f", value[2])
        yield 0, "%d %s %.3g" % (event.get(2, 0), value[1].decode(), number)


for nesting, name in globals()[sys.argv[1]](sys.argv[2]):
    print("  " * nesting + name)
