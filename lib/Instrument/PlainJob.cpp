// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source and its flags, without a compiler.

#include "Instrument/PlainJob.h"

#include "Instrument/Parse/CompilerQuery.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace loopscope::instrument {

bool isCPlusPlus(StringRef File) {
  return is_contained({".cpp", ".cc", ".cxx", ".c++", ".C", ".hpp", ".hh",
                       ".hxx", ".cu", ".cuh"},
                      sys::path::extension(File));
}

static bool saysLanguage(StringRef Flag) { return Flag.starts_with("-x"); }

static bool saysCPlusPlus(StringRef Flag) {
  return Flag.starts_with("-std=c++") || Flag.starts_with("-std=gnu++");
}

Job plainJob(const std::string &File, const std::vector<std::string> &Flags,
             const std::string &Directory, bool CPlusPlus) {
  std::vector<std::string> Command = {"clang"};
  if (sys::path::extension(File) == ".h" && none_of(Flags, saysLanguage) &&
      (CPlusPlus || any_of(Flags, saysCPlusPlus)))
    Command.insert(Command.end(), {"-x", "c++"});
  Command.insert(Command.end(), Flags.begin(), Flags.end());
  Command.push_back(File);
  return {File, Directory, std::move(Command), false, {}};
}

void addCompilerHeaders(std::vector<Job> &Jobs) {
  Result<CompilerFacts> Facts =
      queryCompiler("cc", {}, "c", Jobs.front().Directory);
  if (!Facts)
    return;
  for (Job &J : Jobs) {
    for (const std::string &Each : Facts->OwnDirectories)
      J.Command.insert(J.Command.end() - 1, {"-idirafter", Each});
    J.OwnDirectories = Facts->OwnDirectories;
  }
}

} // namespace loopscope::instrument
