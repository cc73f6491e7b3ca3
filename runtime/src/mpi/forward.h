// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PMPI_NAME for libloopscope-mpi.so, which is loaded before it is known whether
// there is an MPI library, and which: forwards to the library's function, found
// at the first call.

#ifndef LOOPSCOPE_MPI_FORWARD_H
#define LOOPSCOPE_MPI_FORWARD_H

#include "wrapper.h"

#include <loopscope/mpi.h>

namespace loopscope::mpi {

/// PMPI_NAME or, in a library without PMPI, the next MPI_NAME after ours. If
/// neither exists, ends the process as the dynamic linker does.
void *functionOf(const char *Name);

} // namespace loopscope::mpi

#define LOOPSCOPE_MPI_FORWARD(NAME, ARITY)                                     \
  using W = loopscope::mpi::Word;                                              \
  extern "C" __attribute__((visibility("hidden"))) int PMPI_##NAME(            \
      LOOPSCOPE_MPI_TYPES_##ARITY) {                                           \
    static int (*Known)(LOOPSCOPE_MPI_TYPES_##ARITY) = nullptr;                \
    auto *Function = __atomic_load_n(&Known, __ATOMIC_RELAXED);                \
    if (Function == nullptr) {                                                 \
      Function = reinterpret_cast<decltype(Function)>(                         \
          loopscope::mpi::functionOf("PMPI_" #NAME));                          \
      __atomic_store_n(&Known, Function, __ATOMIC_RELAXED);                    \
    }                                                                          \
    return Function(LOOPSCOPE_MPI_ARGUMENTS_##ARITY);                          \
  }

#endif // LOOPSCOPE_MPI_FORWARD_H
