#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wheel of a build of Loopscope: programs, runtimes, headers, the CMake package and the Python module.

  python3 tool/packages/wheel.py BUILD OUTPUT

Prints the wheel's path. Its tag is the oldest glibc that has all names which any file in it needs. Two runs
make the same bytes; times in it are SOURCE_DATE_EPOCH, else 1980. Programs go where pip puts scripts, all else
below the prefix as `cmake --install` puts it, so that they find each other.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The first glibc of systems that have a version of libstdc++: of gcc 8 (RHEL 8), 9 (Ubuntu 20.04), 11 (RHEL 9),
# 12 (Ubuntu 22.04) and 13.
LIBSTDCXX = {(3, 4, 25): (2, 28), (3, 4, 28): (2, 31), (3, 4, 29): (2, 34), (3, 4, 30): (2, 35), (3, 4, 32): (2, 38)}
OLDEST = (2, 28)
METADATA = """Metadata-Version: 2.1
Name: loopscope
Version: {version}
Summary: Training-loop profiler for C, C++ and CUDA
License: Apache-2.0 WITH LLVM-exception
Requires-Python: >=3.8
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
"""


def run(*command):
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def version_of(build):
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
        return re.search(r"^CMAKE_PROJECT_VERSION:STATIC=(.*)$", cache.read(), re.M).group(1)


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def processor_of(path):
    """The processor of a program, as platforms of wheels name it."""
    machine = re.search(r"Machine: +(.*)", run("readelf", "--file-header", path)).group(1)
    return {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}[machine]


def numbers(text):
    return tuple(int(part) for part in text.split("."))


def needed_glibc(files):
    """The oldest glibc for programs and libraries among FILES."""
    needed = OLDEST
    for path in files:
        if not is_elf(path):
            continue
        symbols = run("readelf", "--wide", "--version-info", path)
        for version in re.findall(r"\bGLIBC_([0-9.]+)", symbols):
            needed = max(needed, numbers(version))
        for version in re.findall(r"\bGLIBCXX_([0-9.]+)", symbols):
            fitting = [glibc for cxx, glibc in LIBSTDCXX.items() if cxx >= numbers(version)]
            if not fitting:
                sys.exit(f"{path}: needs GLIBCXX_{version}, of which LIBSTDCXX has no row")
            needed = max(needed, min(fitting))
    return needed


def installed(build, prefix):
    """Installs BUILD to PREFIX; returns {path in the prefix: file}, without links: a wheel has none. Of a
    library's names, the one stays by which programs load it."""
    run("cmake", "--install", build, "--prefix", prefix, "--strip")
    files = {}
    for folder, _, names in os.walk(prefix):
        for name in names:
            path = os.path.join(folder, name)
            files[os.path.relpath(path, prefix)] = os.path.realpath(path)
    links = {file for path, file in files.items() if os.path.islink(os.path.join(prefix, path))}
    wanted = set()
    for file in files.values():
        if is_elf(file):
            wanted |= set(re.findall(r"\(NEEDED\).*\[(\S+)\]", run("readelf", "--wide", "--dynamic", file)))
    return {path: file for path, file in files.items()
            if file not in links or os.path.basename(path) in wanted}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1].strip())
    build, output = sys.argv[1:]
    version = version_of(build)
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    date = max(time.gmtime(epoch)[:6], (1980, 1, 1, 0, 0, 0))
    prefix = tempfile.mkdtemp()
    try:
        files = installed(build, prefix)
        glibc = needed_glibc(files.values())
        tag = f"py3-none-manylinux_{glibc[0]}_{glibc[1]}_{processor_of(files['bin/loopscope'])}"
        name, info = f"loopscope-{version}-{tag}.whl", f"loopscope-{version}.dist-info"
        content = {}
        for path, file in files.items():
            place = "scripts/" + path[4:] if path.startswith("bin/") else "data/" + path
            with open(file, "rb") as stream:
                content[f"loopscope-{version}.data/{place}"] = (stream.read(), os.access(file, os.X_OK))
        module = os.path.join(ROOT, "tool", "packages", "python", "loopscope")
        for each in os.listdir(module):
            if each.endswith(".py"):
                with open(os.path.join(module, each), "rb") as stream:
                    content["loopscope/" + each] = (stream.read(), False)
        content[info + "/METADATA"] = (METADATA.format(version=version).encode(), False)
        content[info + "/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: loopscope\nRoot-Is-Purelib: false\n"
                                    f"Tag: {tag}\n".encode(), False)
        record = ""
        for path, (data, _) in sorted(content.items()):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
        content[info + "/RECORD"] = ((record + f"{info}/RECORD,,\n").encode(), False)
        os.makedirs(output, exist_ok=True)
        wheel = os.path.join(output, name)
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path, (data, executable) in sorted(content.items()):
                entry = zipfile.ZipInfo(path, date)
                entry.external_attr = (0o100755 if executable else 0o100644) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)
        print(wheel)
    finally:
        shutil.rmtree(prefix)


if __name__ == "__main__":
    main()
