// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What differs between MPI's libraries: handles and constants. Found out at run
// time, as nothing of a library is there when we are built.
//
// Handles are addresses of objects in Open MPI, and ints in MPICH and its
// relatives (Intel MPI, MVAPICH, Cray).

#ifndef LOOPSCOPE_MPI_LIBRARY_H
#define LOOPSCOPE_MPI_LIBRARY_H

#include "requests.h"

// No loop of the wrappers may become a call of libc's.
#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

extern "C" {
extern __attribute__((weak)) char ompi_mpi_comm_world;
extern __attribute__((weak)) char ompi_mpi_comm_null;
extern __attribute__((weak)) char ompi_mpi_byte;
extern __attribute__((weak)) char ompi_mpi_errors_return;
}

namespace loopscope::mpi {

inline bool isOpenMpi() { return &ompi_mpi_comm_world != nullptr; }

inline Word handleOf(const char &OfOpenMpi, Word OfMpich) {
  return isOpenMpi() ? reinterpret_cast<Word>(&OfOpenMpi) : OfMpich;
}

inline Word world() { return handleOf(ompi_mpi_comm_world, 0x44000000); }
inline Word noCommunicator() {
  return handleOf(ompi_mpi_comm_null, 0x04000000);
}
inline Word byteType() { return handleOf(ompi_mpi_byte, 0x4c00010d); }
inline Word errorsReturn() {
  return handleOf(ompi_mpi_errors_return, 0x54000001);
}

/// MPI_ANY_SOURCE, and where a status has the source, in ints.
inline int anySource() { return isOpenMpi() ? -1 : -2; }
inline int sourcePlace() { return isOpenMpi() ? 0 : 2; }

/// A handle as it can be compared: of an int, the upper half means nothing.
inline Word handle(Word Passed) {
  return isOpenMpi() ? Passed : static_cast<uint32_t>(Passed);
}
inline int number(Word Passed) {
  return static_cast<int>(static_cast<uint32_t>(Passed));
}
inline bool isInPlace(Word Buffer) {
  return Buffer == (isOpenMpi() ? 1 : ~Word{0});
}
inline bool isIgnored(Word Status) { return Status <= 1; }

} // namespace loopscope::mpi

#endif // LOOPSCOPE_MPI_LIBRARY_H
