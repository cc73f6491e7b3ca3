// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of libraries; bytes as they are, without a locale.

#include "Support/Paths.h"

#include <algorithm>
#include <fstream>
#include <iterator>

bool loopscope::isSystemLibrary(std::string_view Path) {
  constexpr std::string_view Folders[] = {"/lib/", "/lib64/", "/usr/lib/",
                                          "/usr/lib64/"};
  return std::ranges::any_of(
      Folders, [&](std::string_view Each) { return Path.starts_with(Each); });
}

std::string loopscope::readFile(const std::string &Path) {
  std::ifstream Stream(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(Stream), {}};
}
