// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of uses.

#include "Report/Views/UseColumns.h"

using namespace loopscope;

const std::array<UseColumn, TimeUseCount> &loopscope::useColumns() {
  static const std::array<UseColumn, TimeUseCount> Columns = {{
      {{"computing_s", "On CPU", Style::Duration, 2}, "on CPU"},
      {{"faulting_s", "Page Faults", Style::Duration, 5}, "page faults"},
      {{"starved_s", "Without CPU", Style::Duration, 4}, "without CPU"},
      {{"own_threads_s", "Own Threads", Style::Duration, 4}, "own threads"},
      {{"waiting_s", "Waiting", Style::Duration, 2}, "waiting"},
      {{"device_s", "For GPU", Style::Duration, 3}, "for GPU"},
      {{"communicating_s", "Communication", Style::Duration, 3},
       "communicating"},
      {{"profiler_s", "Profiler", Style::Duration, 6}, "profiler"},
      {{"unknown_s", "Unknown", Style::Duration, 3}, ""},
  }};
  return Columns;
}
