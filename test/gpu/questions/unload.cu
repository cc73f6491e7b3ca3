// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of libraries that are unloaded before the run ends, and whose names'
// memory may be used again.

#include "question.h"

#include <string>

static void use(const std::string &name) {
  const std::string code = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry " +
                           name + "() { ret; }\n";
  cudaLibrary_t library;
  cudaKernel_t kernel;
  CHECK(cudaLibraryLoadData(&library, code.c_str(), nullptr, nullptr, 0,
                            nullptr, nullptr, 0));
  CHECK(cudaLibraryGetKernel(&kernel, library, name.c_str()));
  LOOPSCOPE_PHASE("launch")
  for (int i = 0; i < 10; ++i)
    CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(1),
                           dim3(32), nullptr, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaLibraryUnload(library));
}

int main() {
  for (const char *name : {"first_code", "second_code", "third_code"}) {
    use(name);
    std::printf("kernel %s 10\n", name);
  }
}
