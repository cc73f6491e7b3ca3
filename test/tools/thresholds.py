"""Compares the numbers of lib/Analysis/Thresholds.h with the sentences of docs/report.md.

usage: thresholds.py SOURCE_ROOT

Each constant has one sentence here, with a gap for its number. Prints each sentence
that the document lacks, and each constant without a sentence; exits 1 if there are any.
"""
import pathlib
import re
import sys

SENTENCES = {
    "KeyGrowthReach": "the greatest key is at least {} of the least",
    "KeyGrowthLonger": "takes at least {} of its time",
    "KeyGrowthFitted": "at least {} of the keys",
    "KeyGrowthNear": "are within {} of that power",
    "MostlyOutside": "more than {} of the run is outside its loops",
    "MostlyUnmarked": "more than {} is outside and in no phase",
    "WorthNaming": "at least {} of the run are named",
    "LeastFirstDraws": "have at least {} of the waiting for data",
    "FirstDrawsLonger": "wait at least {} times as long as in the other steps",
    "RareStepLonger": "take at least {} times the median",
    "MostRareSteps": "are at most {} of the steps",
    "LeastRareTime": "have at least {} of their time",
    "ContradictedLaunches": "If over {} of the launches",
    "ContradictedTime": "or over {} of the devices' time is affected",
    "ContradictedEvents": "if over {} of the events have no time",
    "ContradictedCalls": "overlap without nesting is over {} of the steps' time",
    "HardwareMemoryLimit": "DRAM is at {} or more of its throughput",
    "HardwareBound": "what is used most is used {} or more",
    "HardwareNeither": "SMs that have work for {} of the time or more",
    "HardwareEmpty": "SMs have work for less than {} of the time",
    "HardwareHeldBack": "Clocks held back for {} of the time or more",
    "HardwareClockChange": "changes by {} or more",
    "HardwareWorthNaming": "Units beside the tensor cores are named from {} on",
    "HardwareMostlyMeasured": "of which less than {} of the GPU time was measured",
    "HardwareMostNamed": "stand up to {} phases with figures",
    "RooflineLeastMeasured": "with readings for less than {} of their time, are left out",
    "RulesDiffer": "both figures if they differ by more than {} of the steps",
    "DeviceLag": "by more than {} of them",
    "ComputeBound": "kernels run for at least {} of the steps",
    "CopyBound": "copies and memsets that no kernel overlaps take at least {}",
    "CommunicationBound": "that no kernel overlaps takes at least {}",
    "InputBound": "more than {} of the time in which the device idles is waiting for data",
    "ShortestDrawNs": "a mean draw of less than {} ns",
    "LaunchBound": "launch calls are at least {}",
    "ProfilerBound": "own hooks take at least {} of the time",
    "StarvedBound": "without a CPU, for at least {} of the time",
    "ThrottledBound": "withheld processors for at least {} of the time",
    "MostlyThrottled": "that explains at least {} of the time off the CPU",
    "LongestFaultNs": "a page fault in {} ns or less",
    "MostlyPaging": "to read memory in at least {} of its waits",
    "FewPushedOff": "if up to {} as many switches were forced",
    "Uniform": "if it spent at least {} of that in one way",
    "MostlyWaiting": "which other phases launched for at least {} of its host time",
    "WorthAWarning": "of its host time and {} of the run",
    "KeyLonger": "takes at least {} of the median of its phase's keys",
    "KeyFewestSpans": "has at least {} spans",
    "KeyErrors": "lies {} standard errors above it",
    "KeyTrend": "unless {} of the neighbours rise or fall",
    "FewAtTicks": "if more than {} of the samples were taken at the kernel's ticks",
    "WhatifCritical": "`critical`: the interval begins at {} or more",
    "WhatifHidden": "`hidden`: it ends at {} or less",
    "WhatifNotHidden": "`partly`: it begins at {} or more",
    "WhatifBeyond": "An interval that lies more than {} beyond 0 or 1",
    "WhatifWaits": "the loop waits for at most {} of its time",
    "WhatifShort": "Phases that take less than {} of a step",
    "WhatifNotWhole": "and ends at {} or less",
    "RanksLost": "if the others wait for at least {} of the step time",
    "RanksFewestSteps": "in at least {} steps",
    "RanksPersistent": "if it has at least {} of all lateness",
    "RanksPersistentOfTwo": "of two ranks {};",
    "RanksExplained": "if it explains at least {} of what the late rank took longer",
    "RanksOnce": "exceeds its usual one by {} steps",
    "RanksOnceOfRun": "and {} of the run more than the median rank's",
    "RanksOwnLate": "if they take {} of a step longer than the median of all",
    "RanksOwnNoise": "and {} times the noise",
    "RanksOfMost": "Those with {} of the latest one's excess",
    "RanksMostSteps": "In {} of the steps, each must have",
    "RanksStepExcess": "each must have {} of its usual excess",
    "RanksCritical": "At least {} of it must lie before a send",
    "RanksInTurns": "takes {} of a step longer than the median, beyond",
    "RanksReason": "A phase is named if it has at least {} of it",
    "RanksSameSteps": "must take the ranks equally long, within {}",
    "RanksDevicePhase": "each phase with at least {} of its work",
    "RanksClockErrorNs": "has come (by over {} ns)",
    "StalledSeconds": "have been in one for {} s",
    "RanksLeftEarly": "in more than {} of its instances",
    "OutlierReach": "outside the quartiles by more than {} of their distance",
    "OutlierOffMedian": "more than {} off the median",
    "OutlierFewest": "of {} processes or more",
    "ClockFewestExits": "collectives (at least {} that both hosts have)",
    "ClockFewestForDrift": "from {} collectives on, its drift",
    "ClockMostDrift": "A slope of more than {} is no drift",
    "PartOfLoop": "two calls or loops that matter, with {} each",
    "MostOfCalls": "the first one that has less than {} in one call",
    "SomeOfCalls": "the outermost loops that have {} of the samples",
    "LeastOfThread": "It sees the loops with {} of a thread's samples",
    "LeastOfExpected": "if less than {} of the samples that the CPU time should have",
    "FewestForGrowth": "in any of {} steps or more",
    "FewestGrowths": "and grew in {} of them or more",
    "LeastDiffShare": "An action that takes less than {} of its stage on both sides",
    "DiffLevel": "chance alone calls any action changed in at most {} of comparisons",
    "MostLoading": "| waiting for data while the device idles | over {} of the steps",
    "MostCommunication": "| communication | over {} of the steps",
    "WorthAdvice": "at least {} of the steps could be saved",
    "LeastUtilization": "a device that runs kernels less than {} of the time",
    "MostShortKernels": "over {} of at least",
    "FewestKernels": "of at least {} kernels shorter than their launch",
    "LeastSmEfficiency": "SM efficiency under {} of the utilization",
    "LeastOccupancy": "estimated occupancy under {}",
    "MostMemory": "| memory | over {} of the device's",
    "FirstTensorCores": "capability {} or newer",
}

root = pathlib.Path(sys.argv[1])
document = " ".join((root / "docs/report.md").read_text(encoding="utf-8").split())
header = (root / "lib/Analysis/Thresholds.h").read_text(encoding="utf-8")
constants = re.findall(r"inline constexpr (\w+) (\w+) = ([0-9.]+);", header)
failed = set(SENTENCES) - {name for _, name, _ in constants}
for kind, name, value in constants:
    shown = f"{float(value) * 100:g}%" if kind == "double" else value
    if name not in SENTENCES or SENTENCES[name].format(shown) not in document:
        failed.add(name)
for name in sorted(failed):
    print(f"{name}: docs/report.md, Thresholds.h and this list differ")
sys.exit(bool(failed))
