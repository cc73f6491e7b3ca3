// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By build ids.

#include "Analysis/Samples/CodeFiles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace loopscope;

CodeFiles loopscope::lostFiles(const StackData &Of,
                               const std::set<uint32_t> &Used, Symbols &Names) {
  std::set<std::string> Changed, Missing;
  for (uint32_t I : Used) {
    const CodeObject &O = Of.Objects[I];
    switch (Names.stateOf(O.Path, O.BuildId)) {
    case ObjectState::Same:
      break;
    case ObjectState::Changed:
      Changed.insert(O.Path);
      break;
    case ObjectState::Missing:
      // The kernel's vdso isn't a file.
      if (O.Path.find('/') != std::string::npos)
        Missing.insert(O.Path);
    }
  }
  return {{Changed.begin(), Changed.end()}, {Missing.begin(), Missing.end()}};
}

bool CodeFiles::contains(const std::string &Path) const {
  return std::ranges::count(Changed, Path) +
             std::ranges::count(Missing, Path) !=
         0;
}

std::vector<std::string> loopscope::notesOn(const CodeFiles &Of) {
  std::vector<std::string> Notes;
  if (!Of.Changed.empty())
    Notes.push_back(fmt::format("Changed since the run, so without names: {}.",
                                fmt::join(Of.Changed, ", ")));
  if (!Of.Missing.empty())
    Notes.push_back(
        fmt::format("Without names, because the file is missing here: {}.",
                    fmt::join(Of.Missing, ", ")));
  return Notes;
}
