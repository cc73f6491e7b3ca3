// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of all trees while their threads go on.

#ifndef LOOPSCOPE_PROFILE_TREE_COPY_H
#define LOOPSCOPE_PROFILE_TREE_COPY_H

#include "chunks.h"

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// The records of all nodes, each tree as it was at one moment. Slow lock held
/// while it exists.
class TreeCopy {
public:
  TreeCopy();
  ~TreeCopy();
  TreeCopy(const TreeCopy &) = delete;
  TreeCopy &operator=(const TreeCopy &) = delete;
  /// False: out of memory.
  explicit operator bool() const { return Moments != nullptr; }

  /// Copies tree by tree, each until nothing has changed meanwhile. If hooks
  /// come too fast for that, each node of a tree is as it was at one moment.
  void take();

  /// The copy of the records of C, a chunk of nodes.
  const char *recordsOf(const Chunk *C) const;
  /// When the tree of the thread with this index was so, in ticks; 0 if it has
  /// no nodes.
  uint64_t momentOf(uint32_t Thread) const {
    return Thread < Room ? Moments[Thread] : 0;
  }

private:
  struct Pair {
    const loopscope_profile_node *Live;
    char *Copy;
  };
  size_t bytesOfLists() const;
  void find(Pair *Found);
  void list();
  static uint64_t takeTree(const Pair *First, const Pair *End);

  char *Bytes = nullptr; // of all chunks of nodes, one after another
  size_t Size = 0;
  uint64_t Room = 0; // nodes, and so threads, at most
  // By thread; then room for as many as they are found, then Moments.
  Pair *List = nullptr;
  uint64_t *Moments = nullptr;
  uint64_t Count = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_TREE_COPY_H
