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

/// The command that compiles what the rewriter wrote for UNITS in place of the
/// originals of LINE: the sources and forced includes replaced, our headers
/// reachable, and nothing of the mirror visible in the object. DIRECTORY is
/// where it runs.
std::vector<std::string> instrumentedCommand(const CommandLine &Line,
                                             const std::vector<Unit> &Units,
                                             const Parts &P,
                                             const std::string &Directory);

/// Whether LINE links what the runtime needs: the C library, and the start
/// files that run constructors.
bool hasRuntime(const CommandLine &Line);

/// COMMAND with the runtime in it where it links a program or shared library:
/// the WHOLE one, or hooks that record nothing and need no other library. LINE
/// is what COMMAND was read from.
std::vector<std::string> withRuntime(std::vector<std::string> Command,
                                     const CommandLine &Line, const Parts &P,
                                     bool Whole);

/// Does what COMMAND asks for. Returns how the compiler ended, or doesn't
/// return where the command runs as it was given.
Result<Ending> launch(const std::vector<std::string> &Command,
                      const Settings &S);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_LAUNCHER_H
