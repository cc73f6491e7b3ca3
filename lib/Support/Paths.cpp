// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes as they are, without a locale.

#include "Support/Paths.h"

#include <fstream>
#include <iterator>

std::string loopscope::readFile(const std::string &Path) {
  std::ifstream Stream(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(Stream), {}};
}
