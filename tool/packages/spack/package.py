# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Spack's package, for a repository of your own: a folder packages/loopscope with this file, and
# `spack dev-build -d CLONE loopscope@main`. Nobody has built it from this repository yet.
from spack.package import *


class Loopscope(CMakePackage):
    """Training-loop profiler for C, C++ and CUDA."""

    license("Apache-2.0 WITH LLVM-exception")
    version("main", branch="main")

    variant("rewriter", default=True, description="Build the tools that instrument programs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("fmt")
    depends_on("cli11")
    depends_on("nlohmann-json")
    depends_on("simdjson")
    depends_on("libdeflate")
    depends_on("zlib-api")
    depends_on("sqlite")
    depends_on("llvm@20: +clang", when="+rewriter")
    depends_on("elfutils", type="run")

    def cmake_args(self):
        return [
            self.define("LOOPSCOPE_ENABLE_TESTS", False),
            self.define_from_variant("LOOPSCOPE_ENABLE_REWRITER", "rewriter"),
        ]
