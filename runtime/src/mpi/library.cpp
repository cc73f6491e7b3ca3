// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The libraries' constants, from their headers.

#include "library.h"

#include <loopscope/mpi.h>

using namespace loopscope::mpi;

extern "C" {
extern __attribute__((weak)) char ompi_mpi_comm_world;
extern __attribute__((weak)) char ompi_mpi_comm_null;
extern __attribute__((weak)) char ompi_request_null;
extern __attribute__((weak)) char ompi_mpi_byte;
extern __attribute__((weak)) char ompi_mpi_errors_return;
}

namespace {
constexpr Library Mpich = {.World = 0x44000000,
                           .NoCommunicator = 0x04000000,
                           .NoRequest = 0x2c000000,
                           .Byte = 0x4c00010d,
                           .ErrorsReturn = 0x54000001,
                           .InPlace = ~Word{0},
                           .AnySource = -2,
                           .SourcePlace = 2,
                           .StatusSize = 20,
                           .HasPointers = false};
constexpr Library StandardAbi = {.World = 0x101,
                                 .NoCommunicator = 0x100,
                                 .NoRequest = 0x180,
                                 .Byte = 0x247,
                                 .ErrorsReturn = 0x143,
                                 .InPlace = 1,
                                 .AnySource = -1,
                                 .SourcePlace = 0,
                                 .StatusSize = 32,
                                 .HasPointers = true};

// The address of an object of Open MPI; 0 if it isn't loaded.
Word objectAt(const char *Name, const char *Linked) {
#ifdef LOOPSCOPE_MPI_SHARED
  (void)Linked;
  return reinterpret_cast<Word>(__loopscope_mpi_find(Name));
#else
  (void)Name;
  return reinterpret_cast<Word>(Linked);
#endif
}

Library find() {
  if (Word World = objectAt("ompi_mpi_comm_world", &ompi_mpi_comm_world))
    return {.World = World,
            .NoCommunicator =
                objectAt("ompi_mpi_comm_null", &ompi_mpi_comm_null),
            .NoRequest = objectAt("ompi_request_null", &ompi_request_null),
            .Byte = objectAt("ompi_mpi_byte", &ompi_mpi_byte),
            .ErrorsReturn =
                objectAt("ompi_mpi_errors_return", &ompi_mpi_errors_return),
            .InPlace = 1,
            .AnySource = -1,
            .SourcePlace = 0,
            .StatusSize = 24,
            .HasPointers = true};
  return __loopscope_mpi_is_standard() ? StandardAbi : Mpich;
}

struct Known {
  unsigned char IsKnown;
  Library Of;
};
Known Loaded;
} // namespace

const Library &loopscope::mpi::library() {
  if (!__atomic_load_n(&Loaded.IsKnown, __ATOMIC_ACQUIRE)) {
    Loaded.Of = find(); // several threads may store the same value
    __atomic_store_n(&Loaded.IsKnown, 1, __ATOMIC_RELEASE);
  }
  return Loaded.Of;
}
