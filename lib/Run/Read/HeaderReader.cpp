// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of the header, by meaning.

#include "Run/Read/HeaderReader.h"

#include "Run/Read/ProcessEnd.h"

#include <loopscope/run_settings.h>

#include <algorithm>
#include <iterator>

using namespace loopscope;

void loopscope::readHeader(const loopscope_profile_header &H,
                           const Clock &Ticks, Run &P) {
  P.Program = fieldText(H.program);
  P.CommandLine = fieldText(H.command_line);
  P.WorkingDirectory = fieldText(H.working_directory);
  P.Host = fieldText(H.host);
  P.Options = fieldText(H.options);
  P.Pid = H.pid;
  P.Rank = H.rank;
  P.WorldSize = H.world_size;
  P.RunId = fieldText(H.run_id);
  P.RankSource = fieldText(H.rank_source);
  P.Mode = static_cast<loopscope_mode>(
      std::min<uint32_t>(H.mode, LOOPSCOPE_MODE_TRACE));
  P.Ended = (H.flags & LOOPSCOPE_FLAG_PART) != 0  ? End::Reset
            : H.end_state == LOOPSCOPE_END_EXITED ? End::Exited
            : H.end_state == LOOPSCOPE_END_SIGNAL ? End::Signal
                                                  : End::Running;
  P.EndCode = H.end_code;
  P.StartRealtimeNs = H.start_realtime_ns;
  P.StartMonotonicNs =
      static_cast<int64_t>(std::min<uint64_t>(H.start_ns, INT64_MAX));
  P.WarmupSteps = H.warmup_steps;
  P.WarmupPerEpoch = H.warmup_per_epoch != 0;
  P.HookInsideNs =
      static_cast<double>(H.hook_inside_ticks1024) / 1024 * Ticks.nsPerTick();
  P.HookOutsideNs =
      static_cast<double>(H.hook_outside_ticks1024) / 1024 * Ticks.nsPerTick();
  P.Forked = (H.flags & LOOPSCOPE_FLAG_FORKED) != 0;
  P.IsCopy = (H.flags & LOOPSCOPE_FLAG_COPY) != 0;
  if ((H.flags & LOOPSCOPE_FLAG_BRIEF) != 0)
    P.Given.set(LOOPSCOPE_SETTING_BRIEF, 1);
  if (!P.IsCopy && isGone(P))
    P.Ended = End::Gone;
  P.IsPrivate = (H.flags & LOOPSCOPE_FLAG_PRIVATE) != 0;

  Integrity &L = P.Lost;
  std::copy(std::begin(H.counters), std::end(H.counters), L.Counters.begin());
  L.Anonymous = (H.flags & LOOPSCOPE_FLAG_ANONYMOUS) != 0;
  L.TscDistrusted = (H.flags & LOOPSCOPE_FLAG_TSC_DISTRUSTED) != 0;
}
