// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of MPI as spans, without mpi.h.
//
//   the program -> MPI_X (a member of libloopscope-mpi.a for each X)
//               -> Call: a span around
//               -> PMPI_X, the library's own
//
// Every parameter of an MPI function is an int or a pointer, passed in a
// register or in 8 bytes of stack (x86-64, AArch64 except Apple's). So one
// binary fits all libraries. Handles are pointers in Open MPI, and ints in
// MPICH and its relatives.
//
// A member has a strong reference to its PMPI_X, so that it works in static
// programs, and is linked only into programs that call MPI_X.

#ifndef LOOPSCOPE_MPI_CALLS_H
#define LOOPSCOPE_MPI_CALLS_H

#include "requests.h"

#include <loopscope/loopscope.h>

namespace loopscope::mpi {

/// The kind of a function.
enum class Is : uint8_t {
  Start,       ///< afterwards, ranks are known
  End,         ///< afterwards, MPI must not be called
  AllToAll,    ///< blocks until every rank of the communicator has arrived
  Receive,     ///< blocks; its status has the received size
  Other,       ///< communicates, or waits for communication
  Alone,       ///< takes its time without any other rank
  Creation,    ///< creates a communicator; called by all ranks that are in it
  Duplication, ///< the same, but MPI must not be asked about it yet
  Freeing,     ///< frees a communicator
  Forgetting,  ///< frees a request without waiting for its end
  WaitOne,     ///< waits for one given request,
  WaitAll,     ///< for all requests,
  WaitAny,     ///< for any one of them,
  WaitSome     ///< for at least one
};

/// A function of MPI, with the positions of its parameters; -1: none.
struct Function {
  const char *Name;
  Is What;
  int8_t Communicator = -1;
  int8_t Count = -1; ///< with Type: the data that the rank sends or receives
  int8_t Type = -1;
  int8_t Buffer = -1; ///< if this is MPI_IN_PLACE, use the next two instead
  int8_t CountInPlace = -1;
  int8_t TypeInPlace = -1;
  bool CountsInPlace = false; ///< CountInPlace is an array with one per rank
  int8_t Status = -1;
  int8_t Created = -1;  ///< pointer to the new communicator
  bool PerRank = false; ///< Count is for each rank of the communicator
  int8_t To = -1;       ///< rank in the communicator
  int8_t From = -1;
  int8_t Root = -1;
  int8_t Awaited = -1; ///< rank that it waits for without taking a message
  int8_t Request = -1; ///< pointer to the new one; Wait...: to all
  int8_t Number = -1;  ///< of requests; -1: one
  int8_t Flag = -1;    ///< pointer: whether what it asks for has come
  int8_t Index = -1; ///< WaitAny: pointer to the index; WaitSome: to the number
  int8_t Indices = -1;  ///< WaitSome: the indices
  bool IsLarge = false; ///< counts have 64 bits
};

/// The span of one call, on the wrapper's stack.
class Call {
public:
  /// Begins the span. ARGUMENTS: the wrapper's copies of its arguments; the
  /// status may be replaced by one of our own.
  Call(const Function &Of, Word *Arguments);
  /// Ends the span; the call returned RESULT.
  void end(int Result);

private:
  bool foundNothing(int Result) const;
  void recordAwaited();
  void recordPeers(int64_t Bytes);
  void recordEnds();
  void recordCreated();

  const Function &Of;
  Word *Arguments;
  const loopscope_site *Site;
  loopscope_token Token;
  bool IsOurs; ///< the thread's outermost MPI call
  int At;      ///< index of the communicator; -1: none
  Completion Ends;
  alignas(16) char Status[64];
};

} // namespace loopscope::mpi

#endif // LOOPSCOPE_MPI_CALLS_H
