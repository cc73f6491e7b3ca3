// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trace's text, window by window, from a file, a gzip file or a pipe.

#ifndef LOOPSCOPE_RUN_KINETO_TRACEINPUT_H
#define LOOPSCOPE_RUN_KINETO_TRACEINPUT_H

#include "Run/Kineto/Inflate.h"
#include "Support/Result.h"

#include <cstddef>
#include <memory>
#include <string>

namespace loopscope {

/// A piece of the text. Its bytes may be changed; InflatePadding bytes after
/// them may be read.
struct TextWindow {
  char *Data = nullptr;
  size_t Size = 0;
  bool Last = false;
};

/// Provides the text from front to back.
class TraceInput {
public:
  virtual ~TraceInput() = default;

  /// Drops the first \p Used bytes of the previous window and returns what
  /// follows: \p Wanted bytes, or all that is left. Invalidates the previous
  /// window.
  virtual Result<TextWindow> next(size_t Used, size_t Wanted) = 0;

  /// The size of the whole text in bytes if it is known, else 0.
  virtual size_t size() const { return 0; }

  /// What was wrong at the end of the input; empty if it was complete.
  virtual std::string damage() const { return {}; }

  /// Whether the text came out of gzip.
  virtual bool compressed() const { return false; }
};

/// Opens \p Path; "-" is standard input. gzip is detected by its first bytes,
/// not by the name. \p MaxInflated limits what gzip may grow to, in bytes.
Result<std::unique_ptr<TraceInput>> openTrace(const std::string &Path,
                                              uint64_t MaxInflated);

/// Copies \p Text, inflating it if it is gzip: for tests and fuzzing.
Result<std::unique_ptr<TraceInput>> openTraceBytes(std::string_view Text,
                                                   uint64_t MaxInflated);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_TRACEINPUT_H
