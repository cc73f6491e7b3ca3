// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the nodes of CUDA graphs were made, and for which kernel: a fixed table
// by node id, written by the threads that make graphs and read by the
// collector. The oldest entries are overwritten.

#ifndef LOOPSCOPE_GPU_GRAPH_NODES_H
#define LOOPSCOPE_GPU_GRAPH_NODES_H

#include "kernel_names.h"

#include <pthread.h>
#include <stdint.h>

namespace loopscope::runtime {

class GraphNodes {
public:
  /// Allocates the table; false if out of memory. At most once.
  bool create();

  struct Made {
    uint32_t Node;   ///< the call path; LOOPSCOPE_NONE: unknown or forgotten
    KernelName Name; ///< 0: unknown, or not a kernel
  };

  /// Records how the graph node ID was made. Any thread.
  void note(uint64_t Id, Made How);

  /// How ID was made. Any thread, no lock.
  Made find(uint64_t Id) const;

private:
  struct Entry {
    uint64_t Id; // 0: unused; written last
    Made How;
    uint32_t Age;
  };
  static constexpr uint32_t Ways = 8; // candidate entries for an id
  static constexpr uint32_t Sets = 1U << 14;
  Entry *setOf(uint64_t Id) const;

  Entry *Table = nullptr;
  uint32_t Noted = 0;
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER; // of writers
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_GRAPH_NODES_H
