// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the nodes of CUDA graphs were made: a fixed table by the node's id,
// written by the threads that make graphs and read by the collector. What was
// made longest ago gives way.

#ifndef LOOPSCOPE_GPU_GRAPH_NODES_H
#define LOOPSCOPE_GPU_GRAPH_NODES_H

#include <pthread.h>
#include <stdint.h>

namespace loopscope::runtime {

class GraphNodes {
public:
  /// Gets the memory; false without. At most once.
  bool create();

  /// The graph node ID was made in the call path NODE. Any thread.
  void note(uint64_t Id, uint32_t Node);

  /// The call path that ID was made in; LOOPSCOPE_NONE when that isn't known
  /// (any more). Any thread, no lock.
  uint32_t find(uint64_t Id) const;

private:
  struct Entry {
    uint64_t Id; // 0: unused; changes last
    uint32_t Node;
    uint32_t Age;
  };
  static constexpr uint32_t Ways = 8; // entries that an id may have
  static constexpr uint32_t Sets = 1U << 14;
  Entry *setOf(uint64_t Id) const;

  Entry *Table = nullptr;
  uint32_t Noted = 0;
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER; // of writers
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_GRAPH_NODES_H
