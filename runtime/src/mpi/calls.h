// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of MPI as spans, without mpi.h.
//
//   the program -> MPI_X (a member of libloopscope-mpi.a for each X)
//               -> Call: a span around
//               -> PMPI_X, the library's own
//
// Every parameter of MPI's functions is an int or a pointer, which a register
// or a slot of 8 bytes on the stack passes on (x86-64, AArch64 but for
// Apple's). So one binary serves all libraries. Handles are pointers in Open
// MPI and ints in MPICH and its relatives.
//
// A member refers strongly to its PMPI_X, so that it works in static programs,
// and is taken only by programs that call MPI_X.

#ifndef LOOPSCOPE_MPI_CALLS_H
#define LOOPSCOPE_MPI_CALLS_H

#include "requests.h"

#include <loopscope/loopscope.h>

namespace loopscope::mpi {

/// What a function does.
enum class Is : uint8_t {
  Start,      ///< after it, ranks are known
  End,        ///< after it, nothing may be asked
  AllToAll,   ///< blocks until every rank of the communicator has come
  Receive,    ///< blocks; its status says how much came
  Other,      ///< communicates, or waits for communication
  Creation,   ///< of a communicator, by all of another one's ranks
  Freeing,    ///< of a communicator
  Forgetting, ///< of a request, whose end isn't waited for
  WaitOne,    ///< of requests: for the one that is given,
  WaitAll,    ///< for all,
  WaitAny,    ///< for one of them,
  WaitSome    ///< for at least one
};

/// A function of MPI: which of its parameters are what, -1 for none.
struct Function {
  const char *Name;
  Is What;
  int8_t Communicator = -1;
  int8_t Count = -1; ///< with Type: of what the rank sends, or receives
  int8_t Type = -1;
  int8_t Buffer = -1; ///< where it is MPI_IN_PLACE, the next two count
  int8_t CountInPlace = -1;
  int8_t TypeInPlace = -1;
  int8_t Status = -1;
  int8_t Created = -1;  ///< pointer to the communicator
  bool PerRank = false; ///< Count is for each rank of the communicator
  int8_t To = -1;       ///< ranks of the communicator
  int8_t From = -1;
  int8_t Root = -1;
  int8_t Request = -1;  ///< pointer to the one that is made; of Wait..., to all
  int8_t Number = -1;   ///< of requests; one, where it isn't given
  int8_t Flag = -1;     ///< pointer: whether they have ended
  int8_t Index = -1;    ///< WaitAny's pointer to which, WaitSome's to how many
  int8_t Indices = -1;  ///< WaitSome's: which
  bool IsLarge = false; ///< counts have 64 bits
};

/// The span around one call, on the stack of the wrapper.
class Call {
public:
  /// Begins the span. ARGUMENTS: where the wrapper keeps what it got; the
  /// status may become one of our own.
  Call(const Function &Of, Word *Arguments);
  /// Ends it: the call gave RESULT.
  void end(int Result);

private:
  void recordPeers(int64_t Bytes);
  void recordEnds();

  const Function &Of;
  Word *Arguments;
  loopscope_token Token;
  bool IsOurs; ///< the thread's outermost one
  int Ranks;   ///< of the communicator
  int At;      ///< place of the communicator; -1: none
  Completion Ends;
  alignas(16) char Status[64];
};

} // namespace loopscope::mpi

#endif // LOOPSCOPE_MPI_CALLS_H
