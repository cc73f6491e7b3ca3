// What stands below the tables: the profiler's own cost, and what the run lost.
#ifndef LOOPSCOPE_REPORT_FOOTER_H
#define LOOPSCOPE_REPORT_FOOTER_H

#include "Profile/Model.h"
#include "Report/View.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace loopscope {

/// Fills S's Facts, Footer and Integrity from the run.
void describeRun(const Profile &P, Section &S);

/// Something that was lost or repaired: COUNT of NOUN, and what became of them.
struct Loss {
  uint64_t Count;
  const char *Noun; ///< in the singular
  const char *What;
};

/// Adds a line to FOOTER for each that is not zero.
void describeLosses(std::span<const Loss> Losses,
                    std::vector<std::string> &Footer);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_FOOTER_H
