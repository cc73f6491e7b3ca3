// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the nodes of CUDA graphs were made, and of which kernel: a fixed table
// by the node's id, written by the threads that make graphs and read by the
// collector. What was made longest ago gives way.

#ifndef LOOPSCOPE_GPU_GRAPH_NODES_H
#define LOOPSCOPE_GPU_GRAPH_NODES_H

#include "kernel_names.h"

#include <pthread.h>
#include <stdint.h>

namespace loopscope::runtime {

class GraphNodes {
public:
  /// Gets the memory; false without. At most once.
  bool create();

  struct Made {
    uint32_t Node;   ///< the call path; LOOPSCOPE_NONE: not known (any more)
    KernelName Name; ///< 0: not known, or no kernel
  };

  /// The graph node ID was made in this way. Any thread.
  void note(uint64_t Id, Made How);

  /// How ID was made. Any thread, no lock.
  Made find(uint64_t Id) const;

private:
  struct Entry {
    uint64_t Id; // 0: unused; changes last
    Made How;
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
