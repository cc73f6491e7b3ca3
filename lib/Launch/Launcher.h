// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compile with hooks in place of a plain one.
//
//   command line -> scan -> rewrite into a mirror -> real compiler on the
//   mirror -> depfile that names the originals
//
// Whatever isn't a compile of annotated code runs as it was given.

#ifndef LOOPSCOPE_LAUNCH_LAUNCHER_H
#define LOOPSCOPE_LAUNCH_LAUNCHER_H

#include "Launch/CommandLine.h"
#include "Launch/Mirror.h"
#include "Launch/Process.h"
#include "Launch/Settings.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace loopscope::launch {

/// A source on its way through the rewriter.
struct Unit {
  Source Input;
  std::string Object; ///< What it becomes, absolute.
  MirrorNames Place;
  Mirror Written;
};

/// What instrumentedCommand() adds, in one piece, so that exceptions and
/// cancellation end hooks in C. Code that asks whether there are exceptions
/// gets the same answer as without.
inline const std::array<std::string, 2> UnwindingOptions = {"-fexceptions",
                                                            "-U__EXCEPTIONS"};

/// The command that compiles what the rewriter wrote for \p Units instead of
/// the originals in \p Line: with sources and forced includes replaced, our
/// headers reachable, and no trace of the mirror in the object. \p Directory is
/// where it runs.
std::vector<std::string> instrumentedCommand(const CommandLine &Line,
                                             const std::vector<Unit> &Units,
                                             const Parts &P,
                                             const std::string &Directory);

/// The command that rewrites \p U, a source of \p Line, into its place, and
/// writes \p Manifest.
std::vector<std::string> rewriterCommand(const CommandLine &Line, const Unit &U,
                                         const std::string &Manifest,
                                         const Parts &P, const Settings &S,
                                         const std::string &Directory);

/// Puts the originals' names into the depfiles that \p Line wrote for \p Units.
/// \p Deciding are other files that decide where hooks go.
std::optional<Error> repairDepfiles(const CommandLine &Line,
                                    const std::vector<Unit> &Units,
                                    const std::vector<std::string> &Deciding,
                                    const std::string &Rewriter,
                                    const std::string &Directory);

/// Does what \p Command asks for. Returns how the compiler ended; doesn't
/// return if the command runs unchanged.
Result<Ending> launch(const std::vector<std::string> &Command,
                      const Settings &S);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_LAUNCHER_H
