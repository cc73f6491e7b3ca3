// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integrals over the simulated devices' work.

#include "Hardware.h"

#include "Scenario.h"

#include "gpu/cupti_abi.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

using namespace replay;
namespace cupti = loopscope::runtime::cupti;

namespace {
constexpr uint32_t HostToDevice = 1;
constexpr uint32_t DeviceToHost = 2;

struct Busy {
  uint64_t Start, End;
  HardwareRates Rates;
};
std::mutex Mutex;
std::map<uint32_t, std::vector<Busy>> WorkOf; // by device

void addScaled(HardwareRates &To, const HardwareRates &Rates, double Scale) {
  To.Sm += Rates.Sm * Scale;
  To.Tensor += Rates.Tensor * Scale;
  To.Dram += Rates.Dram * Scale;
  To.ToDevice += Rates.ToDevice * Scale;
  To.FromDevice += Rates.FromDevice * Scale;
}
} // namespace

void replay::noteHardware(const Done &D) {
  HardwareRates Rates;
  uint64_t End = D.Ended;
  uint64_t Start = End - D.Ns;
  if (D.Kind == cupti::ConcurrentKernelKind) {
    auto Found = scenario().Kernels.find(D.Name);
    if (Found == scenario().Kernels.end())
      return;
    Rates = {Found->second.Sm, Found->second.Tensor, Found->second.Dram};
  } else if (D.Kind == cupti::CopyKind && D.Ns != 0) {
    double Bytes = static_cast<double>(D.Bytes) * 1e9 / double(D.Ns);
    Rates.ToDevice = D.CopyKind == HostToDevice ? Bytes : 0;
    Rates.FromDevice = D.CopyKind == DeviceToHost ? Bytes : 0;
  }
  std::lock_guard Lock(Mutex);
  WorkOf[D.Device].push_back({Start, End, Rates});
}

HardwareRates replay::hardwareBetween(uint32_t Device, uint64_t Start,
                                      uint64_t End) {
  HardwareRates Sum;
  std::lock_guard Lock(Mutex);
  std::vector<Busy> &Work = WorkOf[Device];
  // What ended before isn't asked for again.
  std::erase_if(Work, [=](const Busy &B) {
    return B.End + uint64_t(5000000000) < Start;
  });
  for (const Busy &B : Work) {
    uint64_t From = std::max(B.Start, Start);
    uint64_t To = std::min(B.End, End);
    if (From < To)
      addScaled(Sum, B.Rates, double(To - From) / double(End - Start));
  }
  return Sum;
}
