// Notes in the profile by which signal a program ended.
#pragma once

namespace loopscope::runtime {

/// Watches the signals that end a program by default, as far as the program
/// hasn't set its own mind on them; it may do so later too. Called once.
void watchSignals();

} // namespace loopscope::runtime
