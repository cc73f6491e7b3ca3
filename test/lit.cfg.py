"""lit configuration: tools, compilers and features of this machine.

Features that a test may REQUIRE: rewriter, kineto (this build reads PyTorch's traces and writes
gzip), clang, gcc, x86 (the machine), nvcc, libomp (clang's OpenMP), cuda-headers (readable by
clang), cupti, cupti-headers, cublas, no-driver (NVIDIA's driver isn't installed), breakpoints (the
kernel lends those of the CPU), perf-events (the kernel samples by them), libdw (of elfutils), nvtx
(its headers), torch (LibTorch), pytorch (that of Python, see below), bazel, ccache, cmake, fish, lintian, make, meson, ninja, pkg-config, valgrind,
static-libc, musl (its gcc), aarch64 (gcc for it, its runtime, and qemu-user to run programs), aarch64-tools (for it), pip,
clang-format, clang-tidy, sqlite (export writes databases), html (the page is built), browser (and
Chromium can open it, with %browser SCRIPT PAGE), axe (browser and npm's axe-core), quota (a control
group with a quota can be made), fuzzer (clang's libFuzzer), long (test/run.sh --all). A test whose features are missing is reported as unsupported,
and test/run.sh prints why.
"""
import ctypes
import glob
import os
import platform
import shutil
import struct
import subprocess
import sys

import lit.formats

config.name = "loopscope"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".cpp", ".cu", ".test"]
config.excludes = ["Inputs", "unit", "bench", "fuzz", "gpu", "gpu-random", "projects", "random", "replay", "tools"]
config.test_source_root = os.path.dirname(__file__)
if lit_config.params.get("all"):
    config.available_features.add("long")
source = config.loopscope_source
build = config.loopscope_build


def first(*names):
    """The first of the named programs that is installed."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    return None


llvm_bin = next((d for d in ("/usr/lib/llvm-%d/bin" % v for v in range(30, 19, -1))
                 if os.path.isdir(d)), "")
# lit's own tools (FileCheck, not, split-file) and our binaries.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), llvm_bin, os.environ.get("PATH", "")])
for name in ("HOME", "TMPDIR", "CCACHE_DIR", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["NO_COLOR"] = "1"

include = os.path.join(source, "runtime", "include")
qemu = first("qemu-aarch64")
emulator = f"{qemu} -L /usr/aarch64-linux-gnu"
aarch64_runtime = os.path.join(build, "lib", "loopscope", "aarch64", "libloopscope.a")
if qemu and first("aarch64-linux-gnu-gcc") and os.path.exists(aarch64_runtime):
    config.available_features.add("aarch64")
# --param aarch64-tools=DIR: the tools for that processor (tool/packages/cross.sh).
aarch64_tools = lit_config.params.get("aarch64-tools", "")
if aarch64_tools and "aarch64" in config.available_features:
    config.available_features.add("aarch64-tools")
compilers = {
    "%clangxx": os.path.join(llvm_bin, "clang++") if llvm_bin else None,
    "%clang": os.path.join(llvm_bin, "clang") if llvm_bin else None,
    "%gxx": first("g++"),
    "%gcc": first("gcc"),
    "%nvcc": first("nvcc", "/usr/local/cuda/bin/nvcc"),
}
# --param target=aarch64 builds tests' programs for that processor and runs them
# under qemu: for tests of the runtime, which link it with gcc. What emulation
# can't do is left out by the features that tests require.
emulated = lit_config.params.get("target") == "aarch64"
if emulated:
    # Beside the usual run of the same tests.
    config.test_exec_root = os.path.join(build, "test", "emulated")
    folder = os.path.join(build, "test", "cross")
    os.makedirs(folder, exist_ok=True)
    for key, name in (("%gcc", "gcc"), ("%gxx", "g++")):
        compilers[key] = os.path.join(folder, name)
        with open(compilers[key], "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\nexec sh {source}/test/Cross/Inputs/emulated.sh '{emulator}' "
                         f"aarch64-linux-gnu-{name} \"$@\"\n")
        os.chmod(compilers[key], 0o755)
    compilers["%clang"] = compilers["%clangxx"] = compilers["%nvcc"] = None
for key, feature in (("%clangxx", "clang"), ("%gxx", "gcc"), ("%nvcc", "nvcc")):
    if compilers[key]:
        config.available_features.add(feature)
if config.loopscope_rewriter:
    config.available_features.add("rewriter")
if os.path.exists(os.path.join(build, "test", "unit", "kineto-tests")):
    config.available_features.add("kineto")
if config.loopscope_sqlite:
    config.available_features.add("sqlite")
if platform.machine() in ("x86_64", "i386", "i686") and not emulated:
    config.available_features.add("x86")
for tool in ("bazel", "ccache", "cmake", "fish", "lintian", "make", "meson", "ninja", "pkg-config", "valgrind"):
    if first(tool) and not (tool == "valgrind" and emulated):
        config.available_features.add(tool)
if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0:
    config.available_features.add("pip")
if first("musl-gcc"):
    config.available_features.add("musl")
for tool in ("clang-format", "clang-tidy"):
    if first(*(tool + "-%d" % version for version in range(30, 21, -1))):
        config.available_features.add(tool)
if llvm_bin and os.path.exists(os.path.join(llvm_bin, "../lib/libomp.so")):
    config.available_features.add("libomp")
if glob.glob(os.path.join(llvm_bin, "../lib/clang/*/lib/*/libclang_rt.fuzzer*.a")):
    config.available_features.add("fuzzer")
if glob.glob("/usr/lib*/libc.a") + glob.glob("/usr/lib/*-linux-gnu/libc.a"):
    config.available_features.add("static-libc")
cuda_home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
if os.path.exists(os.path.join(cuda_home, "include", "cuda_runtime.h")):
    config.available_features.add("cuda-headers")
if os.path.exists(os.path.join(cuda_home, "include", "cublas_v2.h")):
    config.available_features.add("cublas")
try:
    ctypes.CDLL("libcuda.so.1")
except OSError:
    config.available_features.add("no-driver")
cupti_include = next(
    (folder for folder in (os.path.join(cuda_home, "extras", "CUPTI", "include"),
                           os.path.join(cuda_home, "include"))
     if os.path.exists(os.path.join(folder, "cupti.h"))), "")
cupti_library = next(iter(sorted(
    path for folder in ("extras/CUPTI/lib64", "lib64", "lib")
    for path in glob.glob(os.path.join(cuda_home, folder, "libcupti.so.1[23]")))), "")
if cupti_library:
    config.available_features.add("cupti")
try:
    ctypes.CDLL("libdw.so.1")
    config.available_features.add("libdw")
except OSError:
    pass


def opens_event(kind, config_number, period, place, what):
    """Whether the kernel lets this process have a perf event of its own code (perf_event_open)."""
    library = ctypes.CDLL(None)
    attributes = bytearray(72)  # struct perf_event_attr up to bp_len
    struct.pack_into("=IIQQ", attributes, 0, kind, len(attributes), config_number, period)
    struct.pack_into("=Q", attributes, 40, 1 << 5 | 1 << 6)  # exclude_kernel, exclude_hv
    struct.pack_into("=IQQ", attributes, 52, place, what, 8 if what else 0)
    given = (ctypes.c_char * len(attributes)).from_buffer(attributes)
    event = library.syscall(298, given, 0, -1, -1, 0)  # x86-64
    if event >= 0:
        os.close(event)
    return event >= 0


if platform.machine() == "x86_64":
    # An execution breakpoint (PERF_TYPE_BREAKPOINT), with which `loopscope run` counts calls, and samples of the task clock
    # (PERF_TYPE_SOFTWARE), by which it samples static programs.
    somewhere = ctypes.cast(ctypes.CDLL(None).syscall, ctypes.c_void_p).value
    if opens_event(5, 0, 0, 4, somewhere):  # HW_BREAKPOINT_X
        config.available_features.add("breakpoints")
    if opens_event(1, 1, 4000000, 0, 0):
        config.available_features.add("perf-events")
if cupti_include:
    config.available_features.add("cupti-headers")
if os.path.isdir("/usr/include/torch") or os.path.isdir("/usr/include/torch/csrc"):
    config.available_features.add("torch")
# PYTORCH_PYTHON=PROGRAM: a Python that can import torch, if the one that runs the tests can't. Tables of
# releases before 2.14 have Python's functions as rows.
pytorch = os.environ.get("PYTORCH_PYTHON", sys.executable)
if subprocess.run([pytorch, "-c", "import importlib.metadata as of, sys; "
                   "sys.exit(tuple(map(int, of.version('torch').split('.')[:2])) < (2, 14))"],
                  check=False, capture_output=True).returncode == 0:
    config.available_features.add("pytorch")

# The HTML page, and the browser that opens it.
modules = os.path.join(build, "html", "node_modules")
chromium, node = first("chromium", "chromium-browser"), first("node", "nodejs")
if os.path.exists(os.path.join(modules, "echarts", "dist", "echarts.min.js")):
    config.available_features.add("html")
    if chromium and node and os.path.exists(os.path.join(modules, "playwright-core")):
        config.available_features.add("browser")
        if os.path.exists(os.path.join(modules, "axe-core", "axe.min.js")):
            config.available_features.add("axe")

# Longer names first: %clang is a prefix of %clangxx.
for key in sorted(compilers, key=len, reverse=True):
    config.substitutions.append((key + r"\b", compilers[key] or "false"))
config.substitutions += [
    # Flags that let a compiler find our public headers.
    (r"%runtime_include", "-I " + include),
    # Links the runtime.
    (r"%runtime_lib", (aarch64_runtime if emulated else os.path.join(build, "lib", "libloopscope.a"))
     + " -lpthread -ldl"),
    # Runs a program for aarch64.
    (r"%aarch64_run", emulator),
    (r"%aarch64_tools", aarch64_tools),
    (r"%source_root", source),
    (r"%build_root", build),
    (r"%cuda_home", cuda_home),
    (r"%cupti_include", cupti_include),
    (r"%cupti_library", cupti_library),
    (r"%pytorch_python", pytorch),
    (r"%python", sys.executable),
    (r"%browser", "env NODE_PATH=%s LOOPSCOPE_CHROMIUM=%s %s" % (
        os.pathsep.join([modules, os.path.join(source, "test", "Html", "Inputs")]),
        chromium, node)),
]
