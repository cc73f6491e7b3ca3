// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace reader and its views under libFuzzer. The first byte selects how to
// treat the others: unchanged (text, or gzip data with its own damage), or as
// text to gzip first, so that damage gets past gzip's checksum.

#include "PrintViews.h"
#include "Run/Kineto/KinetoReader.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <zlib.h>

using namespace loopscope;

namespace {
std::string gzip(std::string_view Text) {
  z_stream Zlib{};
  if (deflateInit2(&Zlib, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::string Out(deflateBound(&Zlib, Text.size()) + 32, '\0');
  Zlib.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Text.data()));
  Zlib.avail_in = static_cast<uInt>(Text.size());
  Zlib.next_out = reinterpret_cast<Bytef *>(Out.data());
  Zlib.avail_out = static_cast<uInt>(Out.size());
  deflate(&Zlib, Z_FINISH);
  Out.resize(Zlib.total_out);
  deflateEnd(&Zlib);
  return Out;
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size == 0)
    return 0;
  std::string Bytes(reinterpret_cast<const char *>(Data) + 1, Size - 1);
  if (Data[0] == 'z')
    Bytes = gzip(Bytes);
  Result<Run> Trace = readKinetoBytes(Bytes, TraceLimits{1 << 24});
  if (!Trace)
    return 0;
  printView(std::move(*Trace), std::hash<std::string_view>()(Bytes));
  return 0;
}
