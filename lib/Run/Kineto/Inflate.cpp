// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libdeflate for whole files, zlib for streams.

#include "Run/Kineto/Inflate.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <libdeflate.h>
#include <sys/mman.h>
#include <utility>
#include <vector>
#include <zlib.h>

namespace loopscope {
namespace {

class PlainStream : public ByteStream {
public:
  PlainStream(std::FILE *File, std::string Name, std::string Begun)
      : File(File), Name(std::move(Name)), Begun(std::move(Begun)) {}
  PlainStream(const PlainStream &) = delete;
  PlainStream &operator=(const PlainStream &) = delete;
  ~PlainStream() override {
    if (File != stdin)
      std::fclose(File);
  }

  Result<size_t> read(char *Target, size_t Size) override {
    if (BegunRead < Begun.size()) {
      size_t Taken = Begun.copy(Target, Size, BegunRead);
      BegunRead += Taken;
      return Taken;
    }
    size_t Count = std::fread(Target, 1, Size, File);
    if (Count == 0 && std::ferror(File) != 0)
      return Error{
          fmt::format("cannot read '{}': {}", Name, std::strerror(errno))};
    return Count;
  }

private:
  std::FILE *File;
  std::string Name;
  std::string Begun; // Already read, to detect what the input is.
  size_t BegunRead = 0;
};

class GzipStream : public ByteStream {
public:
  GzipStream(std::unique_ptr<ByteStream> Compressed, std::string Name,
             uint64_t Limit)
      : Source(std::move(Compressed)), Name(std::move(Name)), Limit(Limit),
        Input(1 << 18) {
    // 15 + 16: the largest window, gzip framing.
    Ready = inflateInit2(&Zlib, 15 + 16) == Z_OK;
  }
  GzipStream(const GzipStream &) = delete;
  GzipStream &operator=(const GzipStream &) = delete;
  ~GzipStream() override {
    if (Ready)
      inflateEnd(&Zlib);
  }

  Result<size_t> read(char *Target, size_t Size) override {
    if (!Ready)
      return Error{
          fmt::format("cannot read '{}': zlib ran out of memory", Name)};
    Zlib.next_out = reinterpret_cast<Bytef *>(Target);
    Zlib.avail_out = static_cast<uInt>(std::min<size_t>(Size, 1U << 30));
    uInt Room = Zlib.avail_out;
    while (Zlib.avail_out == Room && !Ended) {
      if (Zlib.avail_in == 0) {
        Result<size_t> Count = Source->read(Input.data(), Input.size());
        if (!Count)
          return Count.error();
        Zlib.next_in = reinterpret_cast<Bytef *>(Input.data());
        Zlib.avail_in = static_cast<uInt>(*Count);
        if (*Count == 0) {
          Ended = true;
          if (!BetweenMembers)
            Damage = "the gzip data ends early";
          break;
        }
      }
      step();
    }
    size_t Count = Room - Zlib.avail_out;
    Produced += Count;
    if (Produced > Limit)
      return tooLarge(Name, Limit);
    return Count;
  }

  std::string damage() const override { return Damage; }

private:
  void step() {
    if (BetweenMembers && Members > 0) {
      // Only another member may follow; any other bytes are padding.
      if (*Zlib.next_in != 0x1F) {
        Ended = true;
        return;
      }
      inflateReset(&Zlib);
    }
    BetweenMembers = false;
    int Code = inflate(&Zlib, Z_NO_FLUSH);
    if (Code == Z_STREAM_END) {
      ++Members;
      BetweenMembers = true;
    } else if (Code != Z_OK && Code != Z_BUF_ERROR) {
      Ended = true;
      Damage = fmt::format("the gzip data is damaged ({})",
                           Zlib.msg ? Zlib.msg : "zlib gives no reason");
    }
  }

  std::unique_ptr<ByteStream> Source;
  std::string Name;
  uint64_t Limit;
  std::vector<char> Input;
  z_stream Zlib{};
  bool Ready = false;
  bool Ended = false;
  bool BetweenMembers = true;
  int Members = 0;
  uint64_t Produced = 0;
  std::string Damage;
};

uint32_t littleEndian32(const char *At) {
  uint32_t Value = 0;
  for (int I = 3; I >= 0; --I)
    Value = Value << 8 | static_cast<unsigned char>(At[I]);
  return Value;
}

// Memory for the whole text, in large pages if the system has them: touching it
// for the first time would otherwise cost as much as parsing it.
std::unique_ptr<char[], void (*)(void *)> allocate(size_t Size) {
  constexpr size_t LargePage = size_t{2} << 20;
  void *Memory = nullptr;
  if (posix_memalign(&Memory, LargePage, Size) != 0)
    Memory = nullptr;
  else
    madvise(Memory, Size, MADV_HUGEPAGE);
  return {static_cast<char *>(Memory), std::free};
}

} // namespace

Error tooLarge(const std::string &Name, uint64_t Limit) {
  return Error{fmt::format(
      "'{}' inflates to more than {} bytes, which is the limit; raise it with "
      "--max-inflated or LOOPSCOPE_MAX_INFLATED if the file can be trusted",
      Name, Limit)};
}

std::unique_ptr<ByteStream> openPlain(std::FILE *File, std::string Name,
                                      std::string Begun) {
  return std::make_unique<PlainStream>(File, std::move(Name), std::move(Begun));
}

std::unique_ptr<ByteStream> openGzip(std::unique_ptr<ByteStream> Compressed,
                                     std::string Name, uint64_t Limit) {
  return std::make_unique<GzipStream>(std::move(Compressed), std::move(Name),
                                      Limit);
}

Result<std::optional<InflatedBytes>> inflateWhole(std::string_view Compressed,
                                                  const std::string &Name,
                                                  uint64_t Limit) {
  constexpr size_t SmallestMember = 18;
  constexpr uint64_t LargestRatio = 1032; // deflate cannot do better
  constexpr uint64_t UsualRatio = 100;    // traces have 10 to 30
  std::optional<InflatedBytes> Nothing;
  if (Compressed.size() < SmallestMember)
    return Nothing;
  uint64_t Size = littleEndian32(Compressed.data() + Compressed.size() - 4);
  if (Size > Compressed.size() * LargestRatio)
    return Nothing; // no trailer of a whole member
  if (Size > Limit)
    return tooLarge(Name, Limit);
  if (Size > LargestWhole || Size > Compressed.size() * UsualRatio)
    return Nothing;
  InflatedBytes Out;
  Out.Data = allocate(Size + InflatePadding);
  Out.Size = Size;
  if (!Out.Data)
    return Nothing;
  libdeflate_decompressor *Tool = libdeflate_alloc_decompressor();
  if (!Tool)
    return Nothing;
  size_t Used = 0;
  size_t Produced = 0;
  libdeflate_result Code =
      libdeflate_gzip_decompress_ex(Tool, Compressed.data(), Compressed.size(),
                                    Out.Data.get(), Size, &Used, &Produced);
  libdeflate_free_decompressor(Tool);
  if (Code != LIBDEFLATE_SUCCESS || Used != Compressed.size() ||
      Produced != Size)
    return Nothing;
  std::memset(Out.Data.get() + Size, ' ', InflatePadding);
  return std::optional<InflatedBytes>(std::move(Out));
}

} // namespace loopscope
