// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that spans get while the program runs (NVTX ranges, operators of
// LibTorch), each kept once, with a site.

#ifndef LOOPSCOPE_CORE_SPAN_NAMES_H
#define LOOPSCOPE_CORE_SPAN_NAMES_H

#include "sums.h"

#include <loopscope/loopscope.h>

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// A name. Lives as long as the process and never moves.
struct SpanName {
  uint64_t Hash;       ///< of domain and text: 64 bits stand for equality
  loopscope_site Site; ///< its name is the text, with the domain's before it
  const SpanName *Domain;
};

/// The names of one source of spans: a hash table that is read without a lock
/// and never grows. Static storage only. Any thread.
class SpanNames {
public:
  /// OTHERS stands for all names beyond the table; its site's kind and function
  /// are every name's.
  constexpr explicit SpanNames(const SpanName &Others) : Others(Others) {}

  /// The name that TEXT (in UTF-8, cut at 200 bytes) has in DOMAIN, null for
  /// the default domain. Beyond 2048 names, and without memory: the one that
  /// stands for the others. Takes a lock where the name is new.
  const SpanName *intern(const SpanName *Domain, const char *Text);

  bool isOther(const SpanName *Name) const { return Name == &Others; }

  /// Whether HANDLE is the address of a name.
  bool has(const void *Handle) const;

  /// For a forked child: nobody else is interning.
  void unlock() { pthread_mutex_init(&Mutex, nullptr); }

private:
  static constexpr size_t MostNames = 2048;
  static constexpr size_t TableSize = MostNames * 2; // a power of two
  static constexpr size_t MostBlocks = 32; // enough for all at their longest

  // Memory that names are cut from; a block never goes.
  struct Block {
    char *Begin;
    size_t Used;
  };

  SpanName **placeOf(uint64_t Hash);
  char *takeMemory(size_t Size);
  SpanName *make(const SpanName *Domain, const char *Text, size_t Length,
                 uint64_t Hash);

  const SpanName &Others;
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  SpanName *Table[TableSize] = {};
  size_t Used = 0; // of the table
  Block Blocks[MostBlocks] = {};
  size_t BlockCount = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_SPAN_NAMES_H
