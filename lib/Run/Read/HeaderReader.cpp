// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of the header, by meaning.

#include "Run/Read/HeaderReader.h"

#include "Run/Read/ProcessEnd.h"

#include <loopscope/run_settings.h>

#include <algorithm>
#include <iterator>

using namespace loopscope;

void loopscope::readHeader(const loopscope_profile_header &H,
                           const Clock &Ticks, Run &R) {
  R.Program = fieldText(H.program);
  R.CommandLine = fieldText(H.command_line);
  R.WorkingDirectory = fieldText(H.working_directory);
  R.Host = fieldText(H.host);
  R.Options = fieldText(H.options);
  R.Pid = H.pid;
  R.Rank = H.rank;
  R.WorldSize = H.world_size;
  R.RunId = fieldText(H.run_id);
  R.RankSource = fieldText(H.rank_source);
  R.Mode = static_cast<loopscope_mode>(
      std::min<uint32_t>(H.mode, LOOPSCOPE_MODE_TRACE));
  R.Ended = (H.flags & LOOPSCOPE_FLAG_PART) != 0  ? End::Reset
            : H.end_state == LOOPSCOPE_END_EXITED ? End::Exited
            : H.end_state == LOOPSCOPE_END_SIGNAL ? End::Signal
                                                  : End::Running;
  R.EndCode = H.end_code;
  R.StartRealtimeNs = H.start_realtime_ns;
  R.StartMonotonicNs =
      static_cast<int64_t>(std::min<uint64_t>(H.start_ns, INT64_MAX));
  R.WarmupSteps = H.warmup_steps;
  R.WarmupPerEpoch = H.warmup_per_epoch != 0;
  R.HookInsideNs =
      static_cast<double>(H.hook_inside_ticks1024) / 1024 * Ticks.nsPerTick();
  R.HookOutsideNs =
      static_cast<double>(H.hook_outside_ticks1024) / 1024 * Ticks.nsPerTick();
  R.Forked = (H.flags & LOOPSCOPE_FLAG_FORKED) != 0;
  R.IsCopy = (H.flags & LOOPSCOPE_FLAG_COPY) != 0;
  if ((H.flags & LOOPSCOPE_FLAG_BRIEF) != 0)
    R.Given.set(LOOPSCOPE_SETTING_BRIEF, 1);
  if (!R.IsCopy && isGone(R))
    R.Ended = End::Gone;
  R.IsPrivate = (H.flags & LOOPSCOPE_FLAG_PRIVATE) != 0;

  Integrity &L = R.Lost;
  std::copy(std::begin(H.counters), std::end(H.counters), L.Counters.begin());
  L.Anonymous = (H.flags & LOOPSCOPE_FLAG_ANONYMOUS) != 0;
  L.TscDistrusted = (H.flags & LOOPSCOPE_FLAG_TSC_DISTRUSTED) != 0;
}
