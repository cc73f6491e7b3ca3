// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nonblocking calls from where they begin to where a wait or a test says that
// they have ended.
//
//   MPI_Irecv -> addRequest       MPI_Wait -> Completion: takes them before the
//                                             call, puts back what hasn't ended
//
// A bounded table by handle. Handles are given out again once a call has ended,
// to any thread: what is waited for leaves the table before. Some libraries
// give one handle to several calls that end at once; then any of them is meant.

#ifndef LOOPSCOPE_MPI_REQUESTS_H
#define LOOPSCOPE_MPI_REQUESTS_H

#include <stdint.h>

namespace loopscope::mpi {

/// An int, whose upper half means nothing, or a pointer.
using Word = uintptr_t;

/// Ranks that are none.
enum : int { NoPeer = -1, AnyPeer = -2 };

/// A nonblocking call.
struct Request {
  Word Handle;
  uint64_t Began; ///< ticks
  uint32_t Node;  ///< whose call it was
  bool IsReceive;
  int Peer; ///< in the world, that a receive is from; or AnyPeer
  bool IsFollowed;
  int Communicator;       ///< place of it
  uint32_t Communicators; ///< how many had that place before
};

/// Follows a call that has begun. Any thread.
void addRequest(const Request &New);

/// Takes the call with this handle out of the table. False: it isn't there.
bool takeRequest(Word Handle, Request &Into);

/// The handle at place AT of an array of requests.
Word requestAt(Word Array, uint64_t At);
/// The same of statuses.
const void *statusAt(Word Array, uint64_t At);

/// The calls that a wait or a test is about.
class Completion {
public:
  /// Takes those of COUNT handles at REQUESTS that are followed. Makes room for
  /// statuses in *STATUSES where the program ignores them.
  void begin(Word Requests, uint64_t Count, Word *Statuses);
  bool isKept() const { return Count != 0; }
  uint64_t count() const { return Count; }
  Request &at(uint64_t At) { return Kept[At]; }
  /// Puts back those that are still followed.
  void end();

private:
  static constexpr uint64_t Few = 16;
  uint64_t Count = 0;
  Request *Kept = nullptr;
  Request FewKept[Few];
  alignas(16) char FewStatuses[Few * 64];
  void *Memory = nullptr; // for more
  uint64_t Size = 0;
};

} // namespace loopscope::mpi

#endif // LOOPSCOPE_MPI_REQUESTS_H
