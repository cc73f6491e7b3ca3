// Kernels of programs that nvcc has compiled.
#pragma once

namespace replay {

/// The name of the kernel with this host function; what isn't registered is a
/// name itself.
const char *kernelName(const void *Function);

} // namespace replay
