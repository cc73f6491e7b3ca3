// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simulated devices: streams that process work in sequence, on CUPTI's current
// clock, and the records of their work.

#ifndef LOOPSCOPE_TEST_REPLAY_DEVICE_H
#define LOOPSCOPE_TEST_REPLAY_DEVICE_H

#include <cstdint>
#include <deque>
#include <string>

struct ReplayStream {
  uint32_t Id = 7; // CUPTI's id of the default stream
  uint32_t Device = 0;
  uint64_t FreeAt = 0; // ns
  struct ReplayGraph *Capture = nullptr;
};

struct ReplayEvent {
  uint64_t At = 0; // ns
};

namespace replay {

/// A requested piece of work.
struct Work {
  uint32_t Kind = 0; // kind of the activity record
  std::string Name;
  const char *Symbol = nullptr; // for a kernel, the name in the record
  uint64_t Ns = 0;
  uint64_t Bytes = 0;
  uint32_t CopyKind = 0;
  uint32_t PeerDevice = 0;
  uint32_t MemoryType = 0; // for allocations and releases, like the next
  uint64_t Address = 0;
  // Of the pool that they are from; 0: none.
  uint64_t PoolBytes = 0;
  uint64_t PoolUsedBytes = 0;
  unsigned Grid[3] = {1, 1, 1};
  unsigned Block[3] = {1, 1, 1};
  unsigned Registers = 0;
  unsigned Shared = 0;
  uint32_t Graph = 0;
  uint64_t GraphNode = 0;
};

/// Finished work.
struct Done : Work {
  uint64_t Start = 0, End = 0; // ns
  uint32_t Device = 0, Stream = 0, Correlation = 0;
  uint64_t Ended = 0;    // ns; valid even if the record has no times
  unsigned Held = 0;     // how many flushes pass before CUPTI notices it
  bool IsHidden = false; // for devices: hidden from the program
};

/// Nanoseconds on CUPTI's clock.
uint64_t timestamp();
void setTimestampCallback(uint64_t (*Callback)());

/// Puts WORK on STREAM.
void put(ReplayStream &Stream, Work W, uint32_t Correlation);

/// Records an allocation or release that happens now.
void putNow(Work W, uint32_t Device, uint32_t Correlation);

/// Sleeps until TIME.
void sleepUntil(uint64_t Time);

/// For a device reset: the time at which all work in all streams has ended.
uint64_t allDoneAt();

} // namespace replay

struct ReplayGraph {
  struct Node {
    uint64_t Id; // first member; see fireGraphNode
    replay::Work Does;
  };
  uint32_t Id = 0;
  std::deque<Node> Nodes; // their addresses are stable

  Node &add(replay::Work W) {
    Nodes.push_back({uint64_t(Id) << 32 | (Nodes.size() + 1), std::move(W)});
    return Nodes.back();
  }
};

#endif // LOOPSCOPE_TEST_REPLAY_DEVICE_H
