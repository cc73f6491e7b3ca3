// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which text a program was compiled from.
//
// A compile with hooks leaves a string that describes each file with hooks, in
// a section of the object that is never loaded (hooks.h), so that a listing can
// find the file and check that it is still the same.

#ifndef LOOPSCOPE_SUPPORT_COMPILEDSOURCE_H
#define LOOPSCOPE_SUPPORT_COMPILEDSOURCE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loopscope {

/// The name of the section: strings that end with a NUL each, with the texts of
/// their files between separators.
inline constexpr std::string_view CompiledSourcesSection = ".loopscope.sources";
inline constexpr std::string_view CompiledSourcesSeparator = " : ";

struct CompiledSource {
  std::string Name;      ///< what __FILE__ is there
  std::string Directory; ///< of the compile; "": it may have been any
  uint64_t Hash = 0;     ///< see hashOf
};

/// FNV-1a.
uint64_t hashOf(std::string_view Text);

/// The text of the file \p Path; none if it can't be read, or if the path isn't
/// absolute, because this process's directory has nothing to do with the
/// program.
std::optional<std::string> sourceText(const std::string &Path);

/// "HASH LENGTH DIRECTORY NAME", with the length of the directory's name.
std::string textOf(const CompiledSource &Source);
std::optional<CompiledSource> readCompiledSource(std::string_view Text);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_COMPILEDSOURCE_H
