// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of ranges.

#include "Run/Model/Ranges.h"

#include "Run/Model/Run.h"

#include <algorithm>

using namespace loopscope;

uint32_t loopscope::addRange(std::vector<RangeSum> &To, RangeSum From) {
  auto Same = std::ranges::find(To, From.Name, &RangeSum::Name);
  auto Place = static_cast<uint32_t>(Same - To.begin());
  if (Same == To.end()) {
    To.push_back(std::move(From));
    return Place;
  }
  if (From.Count != 0) {
    Same->MinNs =
        Same->Count == 0 ? From.MinNs : std::min(Same->MinNs, From.MinNs);
    Same->MaxNs = std::max(Same->MaxNs, From.MaxNs);
  }
  Same->Count += From.Count;
  Same->Ns = saturatingAdd(Same->Ns, From.Ns);
  Same->Open += From.Open;
  Same->OpenNs = saturatingAdd(Same->OpenNs, From.OpenNs);
  Same->EndedAgain += From.EndedAgain;
  return Place;
}
