// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a project a second time, elsewhere, through loopscope-launch and with
// debug information, whatever its build system is.
//
//   CMake     the program is in a build folder: a new one with the same cache
//   others    a copy of the sources, and compilers of the same names in front
//             of PATH

#ifndef LOOPSCOPE_REPORT_COMMANDS_INSTRUMENTEDBUILD_H
#define LOOPSCOPE_REPORT_COMMANDS_INSTRUMENTEDBUILD_H

#include "Support/Result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// What is to be built, and where. All paths are absolute.
struct InstrumentedBuild {
  std::filesystem::path Folder; ///< ours; the build may write there
  std::filesystem::path Source;
  /// The project's own build folder, if CMake made it; else empty.
  std::filesystem::path CMakeBuild;
  std::string Command; ///< for a shell, in the sources; empty with CMake
  /// The programs of the command that are in CMakeBuild, or without one in
  /// Source, relative to it.
  std::vector<std::filesystem::path> Programs;
  /// Whether this is the build without hooks, whose program is sampled. It is
  /// beside the one with them, and both stay: profiles show the code of their
  /// own program.
  bool IsPlain = false;

  /// This build without hooks.
  InstrumentedBuild plain() const;

  /// The sources that are compiled: Source, or a copy of it.
  std::filesystem::path sourcesBuilt() const;

  /// Where CMake builds.
  std::filesystem::path buildFolder() const;

  /// What the tools of the last build printed.
  std::filesystem::path log() const;

  /// What to call the build in messages: "make -j2".
  std::string shown() const;

  /// \p Command with the programs that the build makes as this build makes
  /// them. Equal to it if there is none.
  std::vector<std::string>
  placedIn(const std::vector<std::string> &Command) const;
};

/// The build of the program in \p Command, whose sources are in \p Source: by
/// \p Given, a shell's command, or by what the files there ask for if that is
/// empty. \p Folder is where it may write.
Result<InstrumentedBuild> planBuild(const std::vector<std::string> &Command,
                                    const std::string &Given,
                                    const std::filesystem::path &Source,
                                    const std::filesystem::path &Folder);

/// Builds the programs with the rules of the file \p Rules, which a plain build
/// doesn't read. With CMake these are targetsBuilt; else it is all.
std::optional<Error> runBuild(const InstrumentedBuild &Build,
                              const std::filesystem::path &Rules);

/// The targets of CMake that runBuild has made; empty if that was all.
std::vector<std::string> targetsBuilt(const InstrumentedBuild &Build);

/// Builds the others, too, in the folder that CMake has configured.
std::optional<Error> buildOtherTargets(const InstrumentedBuild &Build);

/// Prints, on standard error, the rules that the last build with rules found no
/// place for, or too many.
void showUnusedRules(const InstrumentedBuild &Build);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_INSTRUMENTEDBUILD_H
