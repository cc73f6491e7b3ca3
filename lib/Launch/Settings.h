// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launcher's own options and where its parts are.

#ifndef LOOPSCOPE_LAUNCH_SETTINGS_H
#define LOOPSCOPE_LAUNCH_SETTINGS_H

#include "Support/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace loopscope::launch {

/// The options of loopscope-launch itself.
struct Settings {
  bool Passthrough = false;  ///< --on-error=passthrough
  bool Link = true;          ///< Not --no-link
  bool Keep = false;         ///< --keep: leave the mirror behind.
  bool Verbose = false;      ///< --verbose: print what is run.
  bool ShowErrors = false;   ///< --show-errors: print all of clang's errors.
  bool Functions = false;    ///< --functions: function mode.
  std::string MinSize;       ///< --min-size=N, of function mode; "": not said.
  std::string FunctionsFrom; ///< --functions-from=PROFILE; absolute, or "".
  std::string Select;        ///< --select=FILE; absolute, or "".
  std::string Record;        ///< --record=DIR; absolute, or "".
  std::string Summary;       ///< --summary=DIR: print it and do nothing else.
  bool RulesOnly = false;    ///< --rules: of the summary, wrong rules only.
  std::string Objects;       ///< --check-marks=FILE: and do nothing else.
  bool Quiet = false;        ///< LOOPSCOPE_LAUNCH_QUIET=1
  bool Help = false;
  bool Version = false;
};

/// Reads options from \p Words into \p S up to the first word that isn't one,
/// or including "--", and returns how many words it read.
Result<std::size_t> readSettings(const std::vector<std::string> &Words,
                                 Settings &S);

/// \p S as options that readSettings reads, for another loopscope-launch.
std::vector<std::string> settingsWords(const Settings &S);

/// Reads LOOPSCOPE_REWRITE, LOOPSCOPE_SELECT and LOOPSCOPE_LAUNCH_QUIET.
Result<Settings> settingsOfEnvironment();

/// What is wrong with \p S as a whole.
std::optional<Error> checkSettings(const Settings &S);

/// Where the parts of this installation are. All absolute.
struct Parts {
  std::string Launcher;  ///< loopscope-launch
  std::string Rewriter;  ///< loopscope-rewrite
  std::string Report;    ///< loopscope
  std::string Include;   ///< Holds loopscope/hooks.h.
  std::string Libraries; ///< Holds this processor's libloopscope.a.
  std::string Runtimes;  ///< Holds a folder for each other processor's.
};

/// Finds them relative to this program's own file: beside it, in an installed
/// prefix, or in the source and build trees that it was built from.
Result<Parts> findParts();

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_SETTINGS_H
