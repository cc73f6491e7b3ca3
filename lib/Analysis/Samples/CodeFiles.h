// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of sampled code that are no longer what ran, so that nothing in them
// has a name.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_CODEFILES_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_CODEFILES_H

#include "Run/Model/Run.h"
#include "Symbols/Symbols.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace loopscope {

/// Paths, each once, in order.
struct CodeFiles {
  std::vector<std::string> Changed; ///< since the run
  std::vector<std::string> Missing; ///< they can't be read

  bool contains(const std::string &Path) const;
};

/// Those of \p Used, numbers in StackData::Objects.
CodeFiles lostFiles(const StackData &Of, const std::set<uint32_t> &Used,
                    Symbols &Names);

/// A line about each kind of file, for people.
std::vector<std::string> notesOn(const CodeFiles &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_CODEFILES_H
