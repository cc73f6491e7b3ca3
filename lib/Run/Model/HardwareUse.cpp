// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what is measured of a GPU's hardware.

#include "Run/Model/HardwareUse.h"

#include <algorithm>
#include <iterator>

using namespace loopscope;

namespace {
constexpr double Million = 1e6;
using enum HardwareId;

struct HardwareName {
  HardwareId Id;
  const char *Name;
};
constexpr HardwareName HardwareNames[] = {
#define LOOPSCOPE_USE_NAME_(NUMBER, IDENTIFIER, NAME, UNIT) {IDENTIFIER, NAME},
    LOOPSCOPE_GPU_USES(LOOPSCOPE_USE_NAME_)
#undef LOOPSCOPE_USE_NAME_
};
consteval const char *nameOf(HardwareId Id) {
  return std::ranges::find(HardwareNames, Id, &HardwareName::Id)->Name;
}
consteval HardwareKind kind(HardwareId Id, const char *Header, double Scale,
                            bool IsOptional, const char *Help = nullptr) {
  return {Id, nameOf(Id), Header, Scale, IsOptional, Help};
}

constexpr HardwareKind HardwareKinds[] = {
    kind(SmActive, "SM %", 1, false,
         "SM: share of the time in which multiprocessors had work, mean over "
         "all of them."),
    kind(SmOccupancy, "Occupancy %", 1, true,
         "Occupancy: share of the places for warps that were taken."),
    kind(TensorActive, "Tensor %", 1, false,
         "Tensor, FP64, FP32, FP16: share of the time in which these units had "
         "instructions; a unit that is busy 100% of the time does the most "
         "that it can."),
    kind(TensorHalf, "half %", 1, true),
    kind(TensorDoubleFma, "DFMA %", 1, true),
    kind(TensorDouble, "DMMA %", 1, true),
    kind(TensorInteger, "integer %", 1, true),
    kind(DramActive, "DRAM %", 1, false,
         "DRAM: bytes moved from and to the GPU's memory, of the most that it "
         "can in theory; above 80% it is at its limit."),
    kind(Fp64Active, "FP64 %", 1, true),
    kind(Fp32Active, "FP32 %", 1, true),
    kind(Fp16Active, "FP16 %", 1, true),
    kind(PcieReceived, "PCIe in MB/s", Million, true),
    kind(PcieSent, "PCIe out MB/s", Million, true),
    kind(NvlinkReceived, "NVLink in MB/s", Million, true),
    kind(NvlinkSent, "NVLink out MB/s", Million, true),
    kind(ClockOfSm, "SM MHz", Million, true),
    kind(Power, "Power W", 1, false, "Power: of the whole board."),
    kind(HeldByPower, "Held: power %", 1, true,
         "Held: share of the time in which clocks were held back by the power "
         "limit, heat, or the system's power brake."),
    kind(HeldByHeat, "heat %", 1, true),
    kind(HeldByBrake, "brake %", 1, true),
};
static_assert(std::size(HardwareKinds) == std::size(HardwareNames));
} // namespace

std::span<const HardwareKind> loopscope::hardwareKinds() {
  return HardwareKinds;
}
