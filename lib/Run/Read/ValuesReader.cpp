// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every bin.

#include "Run/Read/ValuesReader.h"

#include "Support/Printable.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace loopscope;

namespace {
// The sum of huge numbers may be infinite.
bool isSound(const loopscope_value_bin &B) {
  bool AreNumbers =
      std::isfinite(B.min) && std::isfinite(B.max) && std::isfinite(B.last);
  return B.count == 0 || (AreNumbers && B.min <= B.last && B.last <= B.max);
}

bool isSound(const loopscope_value_record &V) {
  uint64_t End = 0;
  return V.used <= LOOPSCOPE_VALUE_BINS && V.width_ticks != 0 &&
         !__builtin_mul_overflow(V.width_ticks, uint64_t{LOOPSCOPE_VALUE_BINS},
                                 &End) &&
         End <= INT64_MAX &&
         std::all_of(V.bin, V.bin + V.used,
                     [](const loopscope_value_bin &B) { return isSound(B); });
}
} // namespace

std::vector<RunValue> loopscope::readValues(ProfileBytes &Records,
                                            const Clock &Ticks, int64_t RunNs,
                                            Integrity &Lost) {
  std::vector<RunValue> Result;
  for (const auto &Record : Records.values()) {
    const loopscope_value_record &V = Record.Value;
    Lost.TornNodes += Record.Torn;
    RunValue Next;
    Next.Name = printable({V.name, strnlen(V.name, sizeof(V.name))});
    bool IsNew =
        std::ranges::find(Result, Next.Name, &RunValue::Name) == Result.end();
    if (Next.Name.empty() || !IsNew || !isSound(V)) {
      Lost.BadRecords += Record.Torn ? 0 : 1;
      continue;
    }
    for (uint32_t I = 0; I < V.used; ++I) {
      const loopscope_value_bin &B = V.bin[I];
      if (B.count == 0 && B.not_finite == 0)
        continue;
      ToldNumbers Of = {B.count, B.not_finite, B.sum, B.min, B.max, B.last};
      int64_t FromNs = Ticks.toNs(V.width_ticks * I);
      int64_t ToNs = Ticks.toNs(V.width_ticks * (I + 1));
      Next.Bins.push_back({FromNs, std::clamp(RunNs, FromNs, ToNs), Of});
      Next.All.add(Of);
    }
    if (!Next.Bins.empty())
      Result.push_back(std::move(Next));
  }
  return Result;
}
