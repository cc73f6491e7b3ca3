// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the function that a site, debug information and a parse of the source
// name differently: "N::f<int>" in "../src/a.cpp" and "N::f" in
// "/home/x/src/a.cpp".

#ifndef LOOPSCOPE_SUPPORT_FUNCTIONPLACES_H
#define LOOPSCOPE_SUPPORT_FUNCTIONPLACES_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// Where a function is defined, and its name.
struct FunctionPlace {
  std::string File;
  std::string Name;
  uint32_t Line = 0;
};

/// Functions by number.
class FunctionPlaces {
public:
  void add(const FunctionPlace &Place, uint32_t Number);

  /// The number of the function at \p Place: the one with its name, ignoring
  /// scopes and template arguments, in its file, whose last directory must
  /// match if both have one. If the file has several such functions, the one on
  /// its line. Nothing if it is ambiguous.
  std::optional<uint32_t> find(const FunctionPlace &Place) const;

private:
  struct Entry {
    std::string Directory;
    uint32_t Line;
    uint32_t Number;
  };
  /// By the file's name and the function's.
  std::map<std::pair<std::string, std::string>, std::vector<Entry>> ByName;
};

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_FUNCTIONPLACES_H
