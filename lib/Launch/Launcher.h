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

#include <string>
#include <vector>

namespace loopscope::launch {

/// A source on its way through the rewriter.
struct Unit {
  Source Input;
  std::string Object;    ///< What it becomes, absolute.
  std::string Directory; ///< Of the mirror, absolute.
  Mirror Written;
};

/// The command that compiles what the rewriter wrote for \p Units instead of
/// the originals in \p Line: with sources and forced includes replaced, our
/// headers reachable, and no trace of the mirror in the object. \p Directory is
/// where it runs.
std::vector<std::string> instrumentedCommand(const CommandLine &Line,
                                             const std::vector<Unit> &Units,
                                             const Parts &P,
                                             const std::string &Directory);

/// Whether \p Line links what the runtime needs: the C library, and the start
/// files that run constructors.
bool hasRuntime(const CommandLine &Line);

/// \p Command with the runtime added if it links a program or shared library:
/// the \p Whole one, or hooks that record nothing and need no other library. \p
/// Line is what \p Command was parsed into.
std::vector<std::string> withRuntime(std::vector<std::string> Command,
                                     const CommandLine &Line, const Parts &P,
                                     bool Whole);

/// Does what \p Command asks for. Returns how the compiler ended; doesn't
/// return if the command runs unchanged.
Result<Ending> launch(const std::vector<std::string> &Command,
                      const Settings &S);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_LAUNCHER_H
