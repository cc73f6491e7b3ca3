// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gzip by libdeflate.

#include "Run/Kineto/Deflate.h"

#include <libdeflate.h>

#include <memory>

using namespace loopscope;

Result<std::string> loopscope::gzipBytes(const std::string &Bytes) {
  constexpr int Level = 6; // gzip's own
  std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor *)>
      Tool(libdeflate_alloc_compressor(Level), libdeflate_free_compressor);
  if (!Tool)
    return Error{"no memory for the compressor"};
  std::string Out(libdeflate_gzip_compress_bound(Tool.get(), Bytes.size()),
                  '\0');
  size_t Size = libdeflate_gzip_compress(Tool.get(), Bytes.data(), Bytes.size(),
                                         Out.data(), Out.size());
  if (Size == 0)
    return Error{"libdeflate can't compress the export"};
  Out.resize(Size);
  return Out;
}
