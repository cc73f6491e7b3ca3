// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that spans get at run time (NVTX ranges, operators of LibTorch), each
// stored once, with a site.

#ifndef LOOPSCOPE_TREE_SPAN_NAMES_H
#define LOOPSCOPE_TREE_SPAN_NAMES_H

#include "base/arena.h"

#include <loopscope/loopscope.h>

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// A name. Lives as long as the process and never moves.
struct SpanName {
  uint64_t Hash;       ///< of domain and text: equal hashes count as equality
  loopscope_site Site; ///< its name: the domain's name and the text
  const SpanName *Domain;
};

/// The names of one source of spans: a hash table that is read without a lock
/// and never grows. Use only in static storage. Any thread.
class SpanNames {
public:
  /// OTHERS stands for all names that don't fit in the table; all names take
  /// its site's kind and function.
  constexpr explicit SpanNames(const SpanName &Others) : Others(Others) {}

  /// The name for TEXT (UTF-8, cut at 200 bytes) in DOMAIN; null is the default
  /// domain. Beyond 2048 names, or if out of memory: the name that stands for
  /// the others. Takes a lock if the name is new.
  const SpanName *intern(const SpanName *Domain, const char *Text);

  bool isOther(const SpanName *Name) const { return Name == &Others; }

  /// Whether HANDLE is the address of a name.
  bool has(const void *Handle) const;

  /// For a forked child, in which no other thread is interning.
  void unlock() { pthread_mutex_init(&Mutex, nullptr); }

private:
  static constexpr size_t MostNames = 2048;
  static constexpr size_t TableSize = MostNames * 2; // a power of two

  SpanName **placeOf(uint64_t Hash);
  SpanName *make(const SpanName *Domain, const char *Text, size_t Length,
                 uint64_t Hash);

  const SpanName &Others;
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  SpanName *Table[TableSize] = {};
  size_t Used = 0; // entries of the table in use
  Arena<64 * size_t(1024)> Memory;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_SPAN_NAMES_H
