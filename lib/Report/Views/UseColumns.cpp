// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of uses.

#include "Report/Views/UseColumns.h"

using namespace loopscope;

const std::array<UseColumn, TimeUseCount> &loopscope::useColumns() {
  static const std::array<UseColumn, TimeUseCount> Columns = {{
      {{"computing_s", "On CPU", Style::Time, 2}, "on CPU"},
      {{"faulting_s", "Page Faults", Style::Time, 5}, "page faults"},
      {{"starved_s", "Without CPU", Style::Time, 4}, "without CPU"},
      {{"own_threads_s", "Own Threads", Style::Time, 4}, "own threads"},
      {{"waiting_s", "Waiting", Style::Time, 2}, "waiting"},
      {{"device_s", "For GPU", Style::Time, 3}, "for GPU"},
      {{"communicating_s", "Communication", Style::Time, 3}, "communicating"},
      {{"profiler_s", "Profiler", Style::Time, 6}, "profiler"},
      {{"unknown_s", "Unknown", Style::Time, 3}, ""},
  }};
  return Columns;
}
