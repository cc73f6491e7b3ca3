"""Compares the functions view with a program's own measurements.

usage: check_functions.py FUNCTIONS.csv TRUTH

TRUTH has a line for each function: phase, function, library, thread, and the processor
time it used in that phase and thread, in seconds. A function's share of the samples of
its phase and thread must be within three points plus three standard deviations of the
truth, a thread's share of its phase within twenty points (if others need the
processors, threads lose them between the kernel's ticks), and intervals must follow
Wilson's formula.
"""
import csv
import math
import sys

HEADER = "stage,phase,thread,function,library,file,line,count,percent,percent_low,percent_high"
POINTS = 3
BETWEEN_THREADS = 20
Z = 1.959964


def wilson(count, total):
    share = count / total
    middle = (share + Z * Z / (2 * total)) / (1 + Z * Z / total)
    half = Z / (1 + Z * Z / total) * math.sqrt(share * (1 - share) / total + Z * Z / (4 * total * total))
    return 100 * (middle - half), 100 * (middle + half)


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        assert file.readline().strip() == HEADER
        file.seek(0)
        rows = list(csv.DictReader(file))
    totals = {}
    for row in rows:
        totals[row["phase"]] = totals.get(row["phase"], 0) + int(row["count"])
    for row in rows:
        count, total = int(row["count"]), totals[row["phase"]]
        low, high = wilson(count, total)
        assert abs(float(row["percent"]) - 100 * count / total) < 1e-6, row
        # Samples at the kernel's ticks have none.
        assert (row["percent_low"] == "") == (rows[0]["percent_low"] == "") == (row["percent_high"] == ""), row
        if row["percent_low"]:
            assert abs(float(row["percent_low"]) - max(low, 0)) < 1e-3, (row, low)
            assert abs(float(row["percent_high"]) - min(high, 100)) < 1e-3, (row, high)
    with open(sys.argv[2], encoding="utf-8") as file:
        truth = [line.split() for line in file if line.strip()]
    seconds, own, sampled = {}, {}, {}
    for phase, _, _, thread, time in truth:
        seconds[phase] = seconds.get(phase, 0) + float(time)
        own[phase, thread] = own.get((phase, thread), 0) + float(time)
    for row in rows:
        key = row["phase"], row["thread"].replace(" ", "")
        sampled[key] = sampled.get(key, 0) + int(row["count"])
    failed = False
    for (phase, thread), time in own.items():
        share, wanted = 100 * sampled.get((phase, thread), 0) / totals[phase], 100 * time / seconds[phase]
        if abs(share - wanted) > BETWEEN_THREADS:
            failed = True
            print(f"wrong: {phase} {thread} has {share:.2f} % of the phase, truth {wanted:.2f} %")
    for phase, function, library, thread, time in truth:
        wanted = 100 * float(time) / own[phase, thread]
        total = sampled.get((phase, thread), 1)
        found = [row for row in rows if (row["phase"], row["function"], row["thread"].replace(" ", "")) ==
                 (phase, function, thread)]
        share = 100 * sum(int(row["count"]) for row in found) / total
        deviation = math.sqrt(max(wanted * (100 - wanted), 500) / total)
        fits = abs(share - wanted) <= POINTS + 3 * deviation
        placed = all(row["library"] == library for row in found)
        print(f"{phase} {function} {thread}: {share:.2f} % of {total}, truth {wanted:.2f} %")
        if not fits or not placed or (wanted > POINTS and not found):
            failed = True
            print("  wrong", found)
    sys.exit(failed)


main()
