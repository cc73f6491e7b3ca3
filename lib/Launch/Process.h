// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the tools behind the launcher, with the input that it was given.

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

/// Replaces this process by \p Command, with argv[0] looked up in PATH. Returns
/// only on error.
Error execute(const std::vector<std::string> &Command);

/// From here on, SIGHUP, SIGINT and SIGTERM don't end this process: run()
/// passes them on to its child and reports that it was interrupted. For
/// processes that have to clean up before they end, with endLike.
void deferSignals();

/// Whether a deferred signal has arrived.
bool interrupted();

/// Runs \p Command with our standard streams and waits for it. The child is
/// asked to end if this process ends first. After a deferred signal, runs
/// nothing.
Result<Ending> run(const std::vector<std::string> &Command);

/// Runs \p Command in \p Directory, in the C locale and without input, and
/// captures its output.
Result<Captured> capture(const std::vector<std::string> &Command,
                         const std::string &Directory);

/// Standard input as text, if it is a regular file or pipe, without consuming
/// it: a pipe's contents are put into memory and read from there again.
std::string peekAtInput();

/// Ends this process like \p End: with its exit code or by its signal, or by a
/// deferred signal.
[[noreturn]] void endLike(const Ending &End);

/// \p Command as one would type it in a shell.
std::string shellText(const std::vector<std::string> &Command);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_PROCESS_H
