"""Runs the tests of a build and sums them up in one line; test/run.sh's last part.

usage: run_tests.py BUILD [--all | --changed] [options of lit]

--all: includes the tests that need the feature "long". --changed: only what the changes since
the branch main can reach (test/tools/reach.py). Everything runs under lit.
Without lit and its companions (no LLVM on the machine), only the unit tests run, and
the rest counts as skipped.

A test must pass beside others and on a busy machine. The few that can't always (REAL_TIME) run
once more, alone, if they fail.
"""
import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools"))
import reach  # pylint: disable=wrong-import-position

# Why a feature may be missing, in words for users.
REASONS = {
    "rewriter": "the rewriter isn't built (LLVM 22 is missing)",
    "clang": "clang 20 or newer isn't installed",
    "gcc": "g++ isn't installed",
    "x86": "this machine isn't x86, and its g++ has no -m32",
    "nvcc": "CUDA's nvcc isn't installed",
    "cuda-headers": "CUDA's headers aren't installed",
    "cupti": "CUPTI (of CUDA 12 or 13) isn't installed",
    "cupti-headers": "CUPTI's headers (cupti.h) aren't installed",
    "cublas": "cuBLAS (cublas_v2.h in CUDA's folder) isn't installed",
    "no-driver": "NVIDIA's driver is installed (the test is about its absence)",
    "gpu": "there is no GPU",
    "nvtx": "NVIDIA's NVTX 3 headers (of CUDA 12 or 13) aren't installed",
    "libomp": "clang's OpenMP runtime (libomp-22-dev) isn't installed",
    "fuzzer": "clang's libFuzzer (libclang-rt-22-dev) isn't installed",
    "pytorch": "no Python here can import torch 2.14 or newer; PYTORCH_PYTHON names one that can",
    "torch": "LibTorch (libtorch-dev) isn't installed; run.sh never installs it",
    "sqlite": "this build has no SQLite (libsqlite3-dev)",
    "html": "the HTML page isn't built (npm or its package echarts is missing)",
    "browser": "Chromium, Node.js or npm's package playwright-core is missing",
    "axe": "Chromium, Node.js or npm's package playwright-core or axe-core is missing",
    "bazel": "Bazel (bazel-bootstrap) isn't installed; run.sh --all installs it",
    "ccache": "ccache isn't installed",
    "fish": "fish isn't installed",
    "clang-format": "clang-format-22 isn't installed",
    "clang-tidy": "clang-tidy-22 isn't installed",
    "kineto": "traces of PyTorch can't be read in this build (simdjson or libdeflate is missing)",
    "golden": "the recorded traces (../shared/golden) aren't there",
    "two-hosts": "network, name and time namespaces aren't allowed (not root, or a container), or "
                 "iproute2 isn't installed",
    "host-name": "a host can't be given another name (not root, or a container)",
    "mount": "unshare and mount aren't allowed (not root, or a container)",
    "long": "they take long, and `sh test/run.sh --all` runs them",
    "musl": "musl's gcc (musl-tools) isn't installed",
    "pip": "Python's pip isn't installed",
    "aarch64": "gcc for aarch64 (g++-aarch64-linux-gnu) or qemu-user isn't installed, or wasn't when this was built;"
               " run.sh --all installs them",
    "aarch64-tools": "the tools aren't built for aarch64: sh tool/packages/cross.sh aarch64 DIR, then"
                     " run_tests.py BUILD --all --param aarch64-tools=DIR/build",
    "quota": "no control group with a processor quota can be made (not root, or a container)",
    "setpriv": "setpriv can't change to another user (not root)",
    "perf-user": "perf events send a user no signals here (perf_event_paranoid above 2, seccomp,"
                 " RLIMIT_SIGPENDING), or setpriv can't change to another user",
    "privileges": "programs can't be given rights for other users here (not root, no setcap, nosuid)",
    "perf-events": "the kernel takes no samples here (perf_event_open)",
    "static-libc": "the C library has no static form here (libc.a)",
    "breakpoints": "the kernel lends no breakpoints (perf_event_open)",
    "libdw": "elfutils' libdw (libdw1) isn't installed",
    "plain-words": "they can't be the same while the program is sampled",
    "named-loops": "clang doesn't know C2y's named loops (clang 22 does)",
    "openmp": "gcc's OpenMP runtime (libgomp) isn't installed",
}


def find_lit():
    """lit's path, or None: Debian keeps it beside LLVM's other tools."""
    for version in range(30, 19, -1):
        path = f"/usr/lib/llvm-{version}/bin/lit"
        if os.path.exists(path):
            return path
    return shutil.which("lit")


def reason(output):
    """The reason for a skip, from lit's output for an unsupported test."""
    marker = "unavailable features: "
    if marker not in output:
        return " ".join(output.split()) or "it doesn't apply to this build"
    names = output.split(marker)[1].split("\n")[0].split(", ")
    return "; ".join(REASONS.get(name, f"{name} is missing") for name in names)


# Tests whose figures depend on when they get a processor, with the reason. At most three.
REAL_TIME = {
    "Gpu/hardware.c": "reads what NVML measured in the last 100 ms, so a late reading is the next phase's",
    "Html/whatif.test": "experiments need steps that are longer than the waits for a processor between them",
}


FAILURES = ("FAIL", "XPASS", "UNRESOLVED", "TIMEOUT")


def call_lit(lit, options):
    """Runs lit; returns the tests from its JSON output."""
    # On a terminal, a progress bar; elsewhere, a line per test.
    shape = "-sv" if sys.stdout.isatty() else "-v"
    # Many tests sleep more than they compute. An option after this one replaces it.
    workers = f"-j{2 * len(os.sched_getaffinity(0))}"
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results.json")
        subprocess.run([lit, shape, workers, "-o", results, *options], check=False)
        if not os.path.exists(results):
            return []
        with open(results, encoding="utf-8") as stream:
            return json.load(stream)["tests"]


# Minutes each: those that sleep or run one program at a time, and those that build.
SLEEP_LONG = ("Runtime/whatif-truth", "Report/diff-pairs", "Mpi/layouts")
BUILD_LONG = ("Sanitize", "Style/tidy", "Packages/lintian", "Packages/meson", "Build/bazel")


def set_order(build, source):
    """Tells lit in which order to run tests if it has no times of earlier runs: the long ones
    first, so that no processor idles at the end, then all others mixed, because whole folders
    of them sleep, and others compute."""
    path = os.path.join(build, "test", ".lit_test_times.txt")
    if os.path.exists(path):
        return
    with open(path, "w", encoding="utf-8") as file:
        for name in lit_tests(os.path.join(source, "test"), units=True):
            rank = 2 * name.startswith(SLEEP_LONG) + name.startswith(BUILD_LONG)
            file.write(f"{zlib.crc32(name.encode()) / 2**32 + rank:e} {name}\n")


def repeat_failures(lit, build, options, tests):
    """Runs the failed tests of REAL_TIME once more, one at a time, and replaces their results."""
    failed = {test["name"] for test in tests if test["code"] in ("FAIL", "TIMEOUT")
              and test["name"].split(" :: ")[-1] in REAL_TIME}
    if not failed or len(failed) == len(tests) == 1:
        return tests
    print(f"{len(failed)} failed beside other tests; once more, each by itself:", flush=True)
    paths = [os.path.join(build, "test", name.split(" :: ")[-1]) for name in sorted(failed)]
    words = [each for each in options if each.startswith("--param")]
    again = {test["name"]: test for test in call_lit(lit, [*words, *paths, "-j1"])}
    for name in sorted(each.split(" :: ")[-1] for each in failed):
        print(f"{name}: {REAL_TIME[name]}", flush=True)
    return [again.get(test["name"], test) if test["name"] in failed else test for test in tests]


def show_failures(failed):
    """Prints the end of what each failed test said: lit's own report may be a thousand lines up,
    and a log of all of them is often cut in its middle."""
    for test in failed:
        print(f"failed: {test['name'].split(' :: ')[-1]}")
        for line in test["output"].splitlines()[-12:]:
            print(f"    {line[:400]}")


def run_lit(lit, build, options):
    """Runs the tests; returns (passed, [failed test, ...], {reason: [test, ...]})."""
    tests = call_lit(lit, [os.path.join(build, "test"), *options])
    tests = repeat_failures(lit, build, options, tests)
    codes = collections.Counter(test["code"] for test in tests)
    skipped = collections.defaultdict(list)
    for test in tests:
        if test["code"] == "UNSUPPORTED":
            skipped[reason(test["output"])].append(test["name"].split(" :: ")[-1])
    passed = sum(codes[code] for code in ("PASS", "FLAKYPASS", "XFAIL"))
    return passed, [test for test in tests if test["code"] in FAILURES], skipped


def run_unit_tests(build):
    """Without lit: runs each unit test program; returns the same as run_lit."""
    passed, failed = 0, []
    folder = os.path.join(build, "test", "unit")
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not (os.path.isfile(path) and os.access(path, os.X_OK)):
            continue
        if subprocess.run([path, "--gtest_brief=1"], check=False).returncode == 0:
            passed += 1
        else:
            failed.append({"name": f"unit/{name}", "output": f"run it by itself: {path}"})
    return passed, failed, {}


def lit_tests(source, units=False):
    """All lit tests in the source tree; UNITS: those that only start a unit test program, too."""
    return [os.path.relpath(os.path.join(folder, name), source)
            for folder, _, names in os.walk(source) for name in names
            if name.endswith((".c", ".cpp", ".cu", ".test"))
            and (units or not name.startswith("unit"))
            and not {"Inputs", "unit", "bench", "fuzz", "tools"} & set(folder.split(os.sep))]


def main():
    # Under nohup, the tests' programs would ignore it, too.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if len(sys.argv) < 2 or not os.path.isdir(os.path.join(sys.argv[1], "test")):
        sys.exit(__doc__.strip() if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help") else
                 f"run_tests.py: {sys.argv[1]} is no build folder with tests (-DLOOPSCOPE_ENABLE_TESTS=ON)")
    build, options = sys.argv[1], sys.argv[2:]
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if "--changed" in options:
        reached = reach.expression(source, reach.changed(source))
        if reached is None:
            print("nothing has changed since main")
            return 0
        print(f"the changes since main reach {reached or 'everything'}", flush=True)
        options[options.index("--changed")] = f"--filter={reached}"
    if "--all" in options:
        options[options.index("--all")] = "--param=all=1"
    lit = find_lit()
    if lit:
        set_order(build, source)
        passed, failed, skipped = run_lit(lit, build, options)
        if options == ["--param=all=1"]:
            # Programs must also survive everything while they are sampled.
            again = run_lit(lit, build, ["--param=words=stacks", "--filter=Survive/"])
            passed, failed = passed + again[0], failed + again[1]
    else:
        passed, failed, skipped = run_unit_tests(build)
        skipped["lit and FileCheck (llvm-22-tools) aren't installed"] = lit_tests(
            os.path.dirname(os.path.abspath(__file__)))
    # The tests that the short run excludes come last.
    for why, names in sorted(skipped.items(), key=lambda each: (REASONS["long"] in each[0], each)):
        most = len(names) if REASONS["long"] in why else 3
        shown = ", ".join(sorted(names)[:most]) + (", ..." if len(names) > most else "")
        print(f"skipped {len(names)}: {why} ({shown})")
    show_failures(failed)
    count = sum(len(names) for names in skipped.values())
    print(f"{passed} passed, {len(failed)} failed" + (f", {count} skipped" if count else ""),
          flush=True)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
