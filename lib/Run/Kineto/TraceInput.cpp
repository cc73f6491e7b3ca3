// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows onto a piece of memory, or a sliding buffer over a stream.

#include "Run/Kineto/TraceInput.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>
#include <utility>

namespace loopscope {
namespace {

constexpr unsigned char GzipMagic[] = {0x1F, 0x8B};

// Larger gzip files would rarely inflate to less than LargestWhole.
constexpr off_t LargestRead = off_t{64} << 20;

bool isGzip(std::string_view Start) {
  return Start.size() >= 2 &&
         std::memcmp(Start.data(), GzipMagic, sizeof(GzipMagic)) == 0;
}

// Text that gzip inflated in one piece.
class MemoryInput : public TraceInput {
public:
  explicit MemoryInput(InflatedBytes Bytes) : Bytes(std::move(Bytes)) {}

  Result<TextWindow> next(size_t Used, size_t Wanted) override {
    Begin += Used;
    size_t Size = std::min(Wanted, Bytes.Size - Begin);
    return TextWindow{Bytes.Data.get() + Begin, Size,
                      Begin + Size == Bytes.Size};
  }

  size_t size() const override { return Bytes.Size; }
  bool compressed() const override { return true; }

private:
  InflatedBytes Bytes;
  size_t Begin = 0;
};

class StreamInput : public TraceInput {
public:
  StreamInput(std::unique_ptr<ByteStream> Source, bool FromGzip)
      : Source(std::move(Source)), FromGzip(FromGzip) {}

  Result<TextWindow> next(size_t Used, size_t Wanted) override {
    Begin += Used;
    if (!Ended && End - Begin < Wanted)
      if (Result<size_t> Filled = fill(Wanted); !Filled)
        return Filled.error();
    size_t Size = std::min(Wanted, End - Begin);
    return TextWindow{Buffer.get() + Begin, Size, Ended && Begin + Size == End};
  }

  std::string damage() const override { return Source->damage(); }
  bool compressed() const override { return FromGzip; }

private:
  // Moves the rest to the front and reads until there are Wanted bytes. The
  // buffer holds two windows, so that little is moved.
  Result<size_t> fill(size_t Wanted) {
    if (Capacity < 2 * Wanted) {
      auto Larger =
          std::make_unique_for_overwrite<char[]>(2 * Wanted + InflatePadding);
      if (End != Begin)
        std::memcpy(Larger.get(), Buffer.get() + Begin, End - Begin);
      Buffer = std::move(Larger);
      Capacity = 2 * Wanted;
    } else if (End != Begin) {
      std::memmove(Buffer.get(), Buffer.get() + Begin, End - Begin);
    }
    End -= Begin;
    Begin = 0;
    while (!Ended && End < Capacity) {
      Result<size_t> Count = Source->read(Buffer.get() + End, Capacity - End);
      if (!Count)
        return Count;
      Ended = *Count == 0;
      End += *Count;
    }
    std::memset(Buffer.get() + End, ' ', InflatePadding);
    return End;
  }

  std::unique_ptr<ByteStream> Source;
  bool FromGzip;
  std::unique_ptr<char[]> Buffer;
  size_t Capacity = 0;
  size_t Begin = 0;
  size_t End = 0;
  bool Ended = false;
};

// A stream over bytes in memory.
class ViewStream : public ByteStream {
public:
  explicit ViewStream(std::string Bytes) : Bytes(std::move(Bytes)) {}
  Result<size_t> read(char *Target, size_t Size) override {
    size_t Count = Bytes.copy(Target, Size, At);
    At += Count;
    return Count;
  }

private:
  std::string Bytes;
  size_t At = 0;
};

std::string readAll(std::FILE *File, size_t Expected) {
  std::string Out(Expected, '\0');
  Out.resize(std::fread(Out.data(), 1, Expected, File));
  return Out;
}

Result<std::unique_ptr<TraceInput>> openCompressed(std::string Bytes,
                                                   const std::string &Name,
                                                   uint64_t MaxInflated) {
  Result<std::optional<InflatedBytes>> Whole =
      inflateWhole(Bytes, Name, MaxInflated);
  if (!Whole)
    return Whole.error();
  if (*Whole)
    return std::unique_ptr<TraceInput>(
        std::make_unique<MemoryInput>(std::move(**Whole)));
  return std::unique_ptr<TraceInput>(std::make_unique<StreamInput>(
      openGzip(std::make_unique<ViewStream>(std::move(Bytes)), Name,
               MaxInflated),
      true));
}

} // namespace

Result<std::unique_ptr<TraceInput>> openTrace(const std::string &Path,
                                              uint64_t MaxInflated) {
  bool IsPipe = Path == "-";
  std::string Name = IsPipe ? "standard input" : Path;
  std::FILE *File = IsPipe ? stdin : std::fopen(Path.c_str(), "rb");
  if (!File)
    return Error{
        fmt::format("cannot open '{}': {}", Name, std::strerror(errno))};
  struct stat Facts = {};
  bool Regular = fstat(fileno(File), &Facts) == 0 && S_ISREG(Facts.st_mode);
  if (!Regular && S_ISDIR(Facts.st_mode)) {
    std::fclose(File);
    return Error{fmt::format("'{}' is a directory, not a trace", Name)};
  }
  std::string Start = readAll(File, 2);
  bool Gzip = isGzip(Start);
  if (Gzip && Regular && !IsPipe && Facts.st_size <= LargestRead) {
    Start += readAll(File, static_cast<size_t>(Facts.st_size));
    std::fclose(File);
    return openCompressed(std::move(Start), Name, MaxInflated);
  }
  std::unique_ptr<ByteStream> Bytes = openPlain(File, Name, std::move(Start));
  if (Gzip)
    Bytes = openGzip(std::move(Bytes), Name, MaxInflated);
  return std::unique_ptr<TraceInput>(
      std::make_unique<StreamInput>(std::move(Bytes), Gzip));
}

Result<std::unique_ptr<TraceInput>> openTraceBytes(std::string_view Text,
                                                   uint64_t MaxInflated) {
  if (isGzip(Text))
    return openCompressed(std::string(Text), "memory", MaxInflated);
  return std::unique_ptr<TraceInput>(std::make_unique<StreamInput>(
      std::make_unique<ViewStream>(std::string(Text)), false));
}

} // namespace loopscope
