// While the program runs: lines of JSON in a file (log=FILE) and a line on the
// terminal (progress), made at the end of a step, at most a few times a second.
#pragma once

#include "core/tree.h"

namespace loopscope::runtime {

/// Whether somebody follows the run; set once from the options.
extern __attribute__((visibility("hidden"))) bool Following;

/// Chooses the log's file and whether stderr is a terminal. Called once.
void startFollowing();

/// A step of STEP has ended, the loop has done STEPS of them by now.
/// Writes what is due.
void followStep(Node *Step, uint64_t Steps, uint64_t Now);

/// Ends the line on the terminal, if there is one.
void endProgress();

/// For a forked child: follows nothing.
void abandonFollowing();

} // namespace loopscope::runtime
