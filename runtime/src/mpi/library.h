// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What differs between MPI's libraries: handles and constants. Found out at run
// time, as nothing of a library is there when we are built.
//
// Handles are addresses of objects in Open MPI, ints in MPICH and its relatives
// (Intel MPI, MVAPICH, Cray), and small numbers as pointers in MPI's standard
// ABI (libmpi_abi, of MPICH 5).

#ifndef LOOPSCOPE_MPI_LIBRARY_H
#define LOOPSCOPE_MPI_LIBRARY_H

#include "requests.h"

// No loop of the wrappers may become a call of libc's.
#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

namespace loopscope::mpi {

/// A library's handles and constants.
struct Library {
  Word World, NoCommunicator, Byte, ErrorsReturn, InPlace;
  int AnySource;
  int SourcePlace;     ///< of a status, in ints
  uint64_t StatusSize; ///< bytes
  bool HasPointers;    ///< handles are pointers; else ints
};

/// That of the loaded one. It can be told from the first call of MPI on.
const Library &library();

inline Word world() { return library().World; }

/// A handle as it can be compared: of an int, the upper half means nothing.
inline Word handle(Word Passed) {
  return library().HasPointers ? Passed : static_cast<uint32_t>(Passed);
}
inline int number(Word Passed) {
  return static_cast<int>(static_cast<uint32_t>(Passed));
}
inline bool isInPlace(Word Buffer) { return Buffer == library().InPlace; }
inline bool isIgnored(Word Status) { return Status <= 1; }

} // namespace loopscope::mpi

#endif // LOOPSCOPE_MPI_LIBRARY_H
