// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differences between MPI libraries: handles and constants. Determined at run
// time, because the wrappers are built without any MPI library.
//
// Handles are addresses of objects in Open MPI, ints in MPICH and its relatives
// (Intel MPI, MVAPICH, Cray), and small numbers cast to pointers in MPI's
// standard ABI (libmpi_abi, in MPICH 5).

#ifndef LOOPSCOPE_MPI_LIBRARY_H
#define LOOPSCOPE_MPI_LIBRARY_H

#include "requests.h"

// Loops in the wrappers must not be turned into libc calls.
#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

namespace loopscope::mpi {

/// A library's handles and constants.
struct Library {
  Word World, NoCommunicator, NoRequest, Byte, ErrorsReturn, InPlace;
  int AnySource;
  int SourcePlace;     ///< index in a status, in ints
  uint64_t StatusSize; ///< in bytes
  bool HasPointers;    ///< handles are pointers; otherwise ints
};

/// The constants of the loaded library. Known from the first MPI call on.
const Library &library();

inline Word world() { return library().World; }

/// A handle in comparable form: for an int, the upper half is undefined.
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
