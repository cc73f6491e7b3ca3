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

/// A piece of the text. The bytes may be changed; InflatePadding bytes behind
/// them may be read.
struct TextWindow {
  char *Data = nullptr;
  size_t Size = 0;
  bool Last = false;
};

/// Hands out the text from front to back.
class TraceInput {
public:
  virtual ~TraceInput() = default;

  /// Drops the first \p Used bytes of the window before and returns what
  /// follows: \p Wanted bytes, or all there is. Ends the window's lifetime.
  virtual Result<TextWindow> next(size_t Used, size_t Wanted) = 0;

  /// Bytes of the whole text where they are known, else 0.
  virtual size_t size() const { return 0; }

  /// What was wrong with the input's end; empty when it was whole.
  virtual std::string damage() const { return {}; }

  /// True when the text came out of gzip.
  virtual bool compressed() const { return false; }
};

/// Opens \p Path; "-" is standard input. gzip is found by its first bytes, not
/// by the name. \p MaxInflated bounds what gzip may grow to, in bytes.
Result<std::unique_ptr<TraceInput>> openTrace(const std::string &Path,
                                              uint64_t MaxInflated);

/// Copies \p Text, inflating it if it is gzip: for tests and fuzzing.
Result<std::unique_ptr<TraceInput>> openTraceBytes(std::string_view Text,
                                                   uint64_t MaxInflated);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_TRACEINPUT_H
