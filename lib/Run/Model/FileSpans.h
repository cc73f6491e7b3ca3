// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spans of a thread that stay in their profile, because there may be
// hundreds of millions: what they add up to is known, and those of any time are
// read when they are asked for.

#ifndef LOOPSCOPE_RUN_MODEL_FILESPANS_H
#define LOOPSCOPE_RUN_MODEL_FILESPANS_H

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace loopscope {

/// A span of a thread. Times are since the start of the process.
struct FileSpan {
  int64_t StartNs = 0;
  int64_t EndNs = 0;
  uint32_t Path = 0; ///< in FileSpans::paths()
  bool Open = false; ///< had not ended when the profile was read
};

/// The spans of one thread, by start, outer ones first: those that its ring
/// held when this was made. Those that a running program overwrites later are
/// left out. Any number of threads may use it at once.
class FileSpans {
public:
  /// Spans of one node, inside the same spans.
  struct Path {
    uint32_t Above = UINT32_MAX; ///< below its own index; UINT32_MAX: none
    uint32_t Node = 0;           ///< as Run::Nodes had it when it was read
    uint64_t Spans = 0;
    int64_t Ns = 0; ///< of all of them
  };

  virtual ~FileSpans() = default;
  virtual const std::vector<Path> &paths() const = 0;
  /// The number of spans; they are numbered from 0.
  virtual uint64_t size() const = 0;
  /// The first begin and the last end. There must be a span.
  virtual int64_t firstNs() const = 0;
  virtual int64_t lastNs() const = 0;
  /// When span number \p Index begins, which must be below size().
  virtual int64_t startOf(uint64_t Index) const = 0;
  /// The number of the first span that begins at \p Ns or later.
  virtual uint64_t firstAt(int64_t Ns) const = 0;
  /// All that begin in [\p FromNs, \p ToNs), after those that begin before it
  /// and end after \p FromNs.
  virtual std::vector<FileSpan> in(int64_t FromNs, int64_t ToNs) const = 0;
  /// Calls \p Visit with all spans in their order, some at a time.
  virtual void forEach(
      const std::function<void(std::span<const FileSpan>)> &Visit) const = 0;
};

/// FileSpans as a run has them, after it was merged or selected from.
struct FileLane {
  std::shared_ptr<const FileSpans> Spans; ///< null: they are in Run::Timeline
  std::vector<uint32_t> NodeOf;           ///< by path of Spans, in Run::Nodes
  int64_t LaterNs = 0; ///< since the run's start, when their process started
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_FILESPANS_H
