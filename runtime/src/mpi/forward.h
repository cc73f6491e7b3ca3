// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PMPI_NAME of libloopscope-mpi.so, which is loaded before it is known whether
// there is an MPI, and which: the library's function, found at the first call.

#ifndef LOOPSCOPE_MPI_FORWARD_H
#define LOOPSCOPE_MPI_FORWARD_H

#include "wrapper.h"

#include <loopscope/mpi.h>

namespace loopscope::mpi {

/// PMPI_NAME, else, of a library without PMPI, the MPI_NAME behind ours. Ends
/// the process as the dynamic linker does where there is neither.
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
