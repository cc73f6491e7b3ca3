// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds that gather or use execution counts: coverage and profiles.

#include "Launch/Counts.h"

#include <algorithm>

namespace loopscope::launch {
namespace {

bool hasAny(const CommandLine &Line,
            std::initializer_list<std::string_view> Beginnings) {
  return std::ranges::any_of(Line.Options, [&](const Option &O) {
    return std::ranges::any_of(Beginnings, [&](std::string_view Each) {
      return O.Name.starts_with(Each);
    });
  });
}

/// Whether clang's optimizer counts, which tells static functions apart by the
/// path of the source as it is given.
bool namesSource(const CommandLine &Line) {
  return Line.Kind == Family::Clang && Line.Sources.size() == 1 &&
         hasAny(Line, {"-fprofile-generate", "-fcs-profile-generate",
                       "-fprofile-use"});
}

/// Adds an option of LLVM's, which takes each of them once.
void addForLlvm(std::string_view Name, const std::string &Value,
                const CommandLine &Line, std::vector<std::string> &Words) {
  if (std::ranges::none_of(Line.Args, [&](const std::string &Each) {
        return Each.starts_with(Name);
      }))
    Words.insert(Words.end(), {"-mllvm", std::string(Name) + Value});
}

} // namespace

bool countsFileLines(const CommandLine &Line) {
  return Line.Kind == Family::Clang && Line.has("-fcoverage-mapping");
}

void nameForCounts(const CommandLine &Line, const std::string &Given,
                   Mirror &M) {
  if (!namesSource(Line) || M.Files.empty())
    return;
  // What is left without the mirror has to begin with the root's slash.
  MirroredFile &Source = M.Files.front();
  if (Source.Spelling == Source.Original)
    Source.Mirrored = Given + "/" + Source.Original;
}

std::vector<std::string> optionsForCounts(const CommandLine &Line,
                                          const Mirror &M) {
  std::vector<std::string> Words;
  const MirroredFile &Source = M.Files.front();
  if (namesSource(Line) && Source.Mirrored.ends_with("/" + Source.Spelling)) {
    auto Added = std::string_view(Source.Mirrored);
    Added.remove_suffix(Source.Spelling.size());
    addForLlvm("-static-func-strip-dirname-prefix=",
               std::to_string(std::ranges::count(Added, '/')), Line, Words);
  }
  if (Line.Kind == Family::Gcc &&
      hasAny(Line, {"-fprofile-use", "-fbranch-probabilities"})) {
    // An error by default. gcc uses the counts of a function whose file has
    // another name, except if the function is static.
    Words.emplace_back("-Wno-coverage-mismatch");
    if (!M.Renames.empty())
      Words.emplace_back("-Wno-missing-profile");
    return Words;
  }
  if (Line.Kind != Family::Clang ||
      !hasAny(Line, {"-fprofile-use", "-fprofile-instr-use"}))
    return Words;
  Words.insert(Words.end(), {"-Wno-profile-instr-out-of-date",
                             "-Wno-error=profile-instr-missing"});
  // The same of the optimizer.
  addForLlvm("-no-pgo-warn-mismatch", "", Line, Words);
  return Words;
}

} // namespace loopscope::launch
