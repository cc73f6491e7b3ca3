// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that nvcc's code calls: kernels are registered by the addresses
// of their host functions, and launched through a configuration that is pushed
// and popped. So a real CUDA program, linked with -cudart none and this
// library, runs here; its kernels do nothing.

#include "Nvcc.h"

#include "fake_cuda.h"

#include <map>
#include <string>
#include <vector>

namespace {
struct Configuration {
  dim3 Grid, Block;
  size_t Shared;
  cudaStream_t Stream;
};
thread_local std::vector<Configuration> Configurations;

std::map<const void *, std::string> &kernels() {
  static auto &All = *new std::map<const void *, std::string>; // also at exit
  return All;
}
} // namespace

const char *replay::kernelName(const void *Function) {
  auto Found = kernels().find(Function);
  return Found == kernels().end() ? static_cast<const char *>(Function)
                                  : Found->second.c_str();
}

// Names and parameters are nvcc's.
// NOLINTBEGIN
extern "C" {
void **__cudaRegisterFatBinary(void *) {
  static void *Handle = nullptr;
  return &Handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **) { return 1; }
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int,
                       int) {}

void __cudaRegisterFunction(void **, const char *Host, char *,
                            const char *Device, int, void *, void *, dim3 *,
                            dim3 *, int *) {
  kernels()[Host] = Device;
}

unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared,
                                     cudaStream_t Stream) {
  Configurations.push_back({Grid, Block, Shared, Stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *Shared,
                                       cudaStream_t *Stream) {
  Configuration C = Configurations.back();
  Configurations.pop_back();
  *Grid = C.Grid;
  *Block = C.Block;
  *Shared = C.Shared;
  *Stream = C.Stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(const void **Kernel, const void *Host) {
  *Kernel = Host;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void *Kernel, dim3 Grid, dim3 Block,
                               void **Arguments, size_t Shared,
                               cudaStream_t Stream) {
  return cudaLaunchKernel(Kernel, Grid, Block, Arguments, Shared, Stream);
}
}
// NOLINTEND
