// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of a trace file, compressed or not, as a stream or in one piece.
//
// A gzip file of usual size and ratio, by its trailer, is inflated in one piece
// by libdeflate, which is twice as fast as zlib. Everything else goes through
// zlib in pieces: pipes, files of several members, torn files (everything
// before the tear is kept), large files, those that may be bombs, and those
// whose trailer lies.

#ifndef LOOPSCOPE_RUN_KINETO_INFLATE_H
#define LOOPSCOPE_RUN_KINETO_INFLATE_H

#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace loopscope {

/// A source of bytes.
class ByteStream {
public:
  virtual ~ByteStream() = default;

  /// Reads up to \p Size bytes into \p Target and returns how many; 0 at the
  /// end.
  virtual Result<size_t> read(char *Target, size_t Size) = 0;

  /// What was wrong at the end of the input; empty if it was complete.
  virtual std::string damage() const { return {}; }
};

/// An open file or pipe; closes it unless it is standard input.
std::unique_ptr<ByteStream> openPlain(std::FILE *File, std::string Name,
                                      std::string Begun);

/// Inflates what \p Compressed delivers; fails once the output is larger than
/// \p Limit bytes.
std::unique_ptr<ByteStream> openGzip(std::unique_ptr<ByteStream> Compressed,
                                     std::string Name, uint64_t Limit);

/// Bytes followed by room for simdjson's look-ahead.
struct InflatedBytes {
  std::unique_ptr<char[], void (*)(void *)> Data{nullptr, nullptr};
  size_t Size = 0;
};

/// Anything larger is never inflated in one piece.
inline constexpr uint64_t LargestWhole = uint64_t{512} << 20;

/// Inflates \p Compressed, one gzip member, in one piece. Returns nothing if
/// that isn't possible or would take more memory than the file may be worth, so
/// that the stream has to be used; an error if the trailer announces more than
/// \p Limit.
Result<std::optional<InflatedBytes>> inflateWhole(std::string_view Compressed,
                                                  const std::string &Name,
                                                  uint64_t Limit);

/// The message for input above the limit.
Error tooLarge(const std::string &Name, uint64_t Limit);

/// How many bytes after the end of a window may be read.
inline constexpr size_t InflatePadding = 64;

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_INFLATE_H
