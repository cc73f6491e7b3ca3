// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simulated devices: streams that work one thing off after the other, on the
// clock that CUPTI was given, and the records of what they did.

#ifndef LOOPSCOPE_TEST_REPLAY_DEVICE_H
#define LOOPSCOPE_TEST_REPLAY_DEVICE_H

#include <cstdint>
#include <deque>
#include <string>

struct ReplayStream {
  uint32_t Id = 7; // CUPTI's number for the default stream
  uint32_t Device = 0;
  uint64_t FreeAt = 0; // ns
  struct ReplayGraph *Capture = nullptr;
};

struct ReplayEvent {
  uint64_t At = 0; // ns
};

namespace replay {

/// A piece of work, as it is asked for.
struct Work {
  uint32_t Kind = 0; // of the activity record
  std::string Name;
  const char *Symbol = nullptr; // what the record names, of a kernel
  uint64_t Ns = 0;
  uint64_t Bytes = 0;
  uint32_t CopyKind = 0;
  uint32_t PeerDevice = 0;
  uint32_t MemoryType = 0; // allocations and frees, as the next
  uint64_t Address = 0;
  unsigned Grid[3] = {1, 1, 1};
  unsigned Block[3] = {1, 1, 1};
  unsigned Registers = 0;
  unsigned Shared = 0;
  uint32_t Graph = 0;
  uint64_t GraphNode = 0;
};

/// The same, done.
struct Done : Work {
  uint64_t Start = 0, End = 0; // ns
  uint32_t Device = 0, Stream = 0, Correlation = 0;
  uint64_t Ended = 0;    // ns; also where its record has no times
  unsigned Held = 0;     // flushes that CUPTI doesn't notice it for
  bool IsHidden = false; // of devices: from the program
};

/// ns by CUPTI's clock.
uint64_t timestamp();
void setTimestampCallback(uint64_t (*Callback)());

/// Puts WORK on STREAM.
void put(ReplayStream &Stream, Work W, uint32_t Correlation);

/// Puts an allocation or a free on record, which happens now.
void putNow(Work W, uint32_t Device, uint32_t Correlation);

/// Sleeps until TIME.
void sleepUntil(uint64_t Time);

/// For a device reset: the time when all work of all streams has ended.
uint64_t allDoneAt();

} // namespace replay

struct ReplayGraph {
  struct Node {
    uint64_t Id; // first, see fireGraphNode
    replay::Work Does;
  };
  uint32_t Id = 0;
  std::deque<Node> Nodes; // they don't move

  Node &add(replay::Work W) {
    Nodes.push_back({uint64_t(Id) << 32 | (Nodes.size() + 1), std::move(W)});
    return Nodes.back();
  }
};

#endif // LOOPSCOPE_TEST_REPLAY_DEVICE_H
