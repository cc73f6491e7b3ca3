// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gzip data for tests.

#ifndef LOOPSCOPE_TEST_UNIT_KINETO_GZIP_H
#define LOOPSCOPE_TEST_UNIT_KINETO_GZIP_H

#include <string>
#include <string_view>
#include <zlib.h>

/// One gzip member that holds TEXT.
inline std::string gzip(std::string_view Text) {
  z_stream Zlib{};
  deflateInit2(&Zlib, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
               Z_DEFAULT_STRATEGY);
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

#endif // LOOPSCOPE_TEST_UNIT_KINETO_GZIP_H
