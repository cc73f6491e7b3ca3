// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows nonblocking calls from their start to the wait or test that reports
// their end.
//
//   MPI_Irecv -> addRequest       MPI_Wait -> Completion: takes them before the
//                                             call, puts back what hasn't ended
//
// A bounded table by handle. A handle may be reused on any thread once its call
// has ended, so entries are removed before the wait. Some libraries give one
// handle to several calls that complete immediately; then any of them matches.

#ifndef LOOPSCOPE_MPI_REQUESTS_H
#define LOOPSCOPE_MPI_REQUESTS_H

#include <stdint.h>

namespace loopscope::mpi {

/// An int, whose upper half is undefined, or a pointer.
using Word = uintptr_t;

/// Special values of a rank: unknown or none, any, none because nothing is
/// sent.
enum : int { NoPeer = -1, AnyPeer = -2, NoMessage = -3 };

/// A nonblocking call.
struct Request {
  Word Handle;
  uint64_t Began; ///< ticks
  uint32_t Node;  ///< the node of the call
  bool IsReceive;
  int Peer; ///< world rank that it is from or to, or AnyPeer; NoPeer: neither
  bool IsFollowed;
  int Communicator;       ///< index of the communicator
  uint32_t Communicators; ///< how often that entry had been reused
};

/// Starts following a call. Any thread.
void addRequest(const Request &New);

/// Removes the call with this handle from the table. False: it isn't there.
bool takeRequest(Word Handle, Request &Into);

/// The handle at index AT of an array of handles. Reads no more than that: the
/// program's variable may be an int.
Word handleAt(Word Array, uint64_t At);
/// The same for statuses.
const void *statusAt(Word Array, uint64_t At);

/// Whether there is no call of this handle.
bool isNoRequest(Word Handle);

/// The calls that a wait or test is about.
class Completion {
public:
  /// Takes out the followed ones of the COUNT handles at REQUESTS. Provides
  /// statuses in *STATUSES if the program ignores them.
  void begin(Word Requests, uint64_t Count, Word *Statuses);
  bool isKept() const { return Count != 0; }
  uint64_t count() const { return Count; }
  Request &at(uint64_t At) { return Kept[At]; }
  /// Calls FOUND(peer) with that of each call that hasn't ended. Returns false
  /// if some call or its peer isn't known.
  template <typename Callback>
  bool forEachPeer(Word Requests, Callback Found) const {
    for (uint64_t I = 0; I < Count; ++I) {
      if (Kept[I].IsFollowed && Kept[I].Peer != NoPeer)
        Found(Kept[I].Peer);
      else if (Kept[I].IsFollowed || !isNoRequest(handleAt(Requests, I)))
        return false; // a collective's, or one that isn't known
    }
    return Count != 0;
  }
  /// Puts back those that haven't ended.
  void end();

private:
  static constexpr uint64_t Few = 16;
  uint64_t Count = 0;
  Request *Kept = nullptr;
  Request FewKept[Few];
  alignas(16) char FewStatuses[Few * 64];
  void *Memory = nullptr; // if there are more
  uint64_t Size = 0;
};

} // namespace loopscope::mpi

#endif // LOOPSCOPE_MPI_REQUESTS_H
