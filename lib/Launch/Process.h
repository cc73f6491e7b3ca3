// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running the tools behind the launcher.

#ifndef LOOPSCOPE_LAUNCH_PROCESS_H
#define LOOPSCOPE_LAUNCH_PROCESS_H

#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope::launch {

/// How a child ended. Exactly one of the two is meaningful.
struct Ending {
  int ExitCode = 0;
  int Signal = 0; ///< 0 where it exited by itself.

  bool good() const { return ExitCode == 0 && Signal == 0; }
};

/// A child's complete output.
struct Captured {
  Ending End;
  std::string Out;
  std::string Err;
};

/// Replaces this process by COMMAND, argv[0] looked up in PATH. Returns only
/// with an error.
Error execute(const std::vector<std::string> &Command);

/// From here on SIGHUP, SIGINT and SIGTERM don't end this process: run() passes
/// them on to its child and says that they ended it. For a process that has to
/// clean up before it ends, with endLike.
void deferSignals();

/// Whether a deferred signal has come.
bool interrupted();

/// Runs COMMAND with our standard streams and waits for it. It is asked to end
/// when this process ends first. After a deferred signal nothing is run.
Result<Ending> run(const std::vector<std::string> &Command);

/// Runs COMMAND in DIRECTORY, in the C locale and without input, and keeps
/// what it prints.
Result<Captured> capture(const std::vector<std::string> &Command,
                         const std::string &Directory);

/// Ends this process as END says, with its exit code or by its signal, or by a
/// deferred signal.
[[noreturn]] void endLike(const Ending &End);

/// COMMAND as one would type it into a shell.
std::string shellText(const std::vector<std::string> &Command);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_PROCESS_H
