// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The roofline of a run: how many floating-point operations a second call paths
// reached on GPUs, and how many the units and the memory allow there.
//
//   intensity = FLOP / bytes of the GPU's memory
//   roof      = min(peak FLOP/s, intensity * peak bytes/s)
//
// (S. Williams, A. Waterman, D. Patterson: Roofline, CACM 52(4), 2009.)

#ifndef LOOPSCOPE_ANALYSIS_DEVICE_ROOFLINE_H
#define LOOPSCOPE_ANALYSIS_DEVICE_ROOFLINE_H

#include "Analysis/Device/HardwareRows.h"

#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// A call path; all rates are of one GPU, the mean of those that worked.
struct RooflinePoint {
  uint32_t Path = 0; ///< in HardwareByPath::Tree
  double Flop = 0;   ///< of the run, as the source says
  /// For which GPUs worked on it, summed over GPUs; of steps and what holds
  /// them, how long it ran.
  int64_t Ns = 0;
  double FlopPerSecond = 0;
  double BytesPerSecond = 0;       ///< of the GPU's memory
  std::optional<double> Intensity; ///< none without bytes
  double Roof = 0;                 ///< FLOP/s
  bool MemoryIsLower = false;      ///< of the two roofs

  double shareOfRoof() const { return FlopPerSecond / Roof; }
};

struct Roofline {
  double FlopPeak = 0;    ///< of a GPU, a second
  std::string FlopSource; ///< of that figure
  double BytesPeak = 0;   ///< of a GPU's memory, a second
  size_t Gpus = 0;
  std::vector<RooflinePoint> Points; ///< parents before children
  std::string WhyNone;               ///< unless there are points

  /// FLOP per byte from which on units are the lower roof.
  double ridge() const { return FlopPeak / BytesPeak; }
};

/// \p All is the run's, and \p Gpu too. Call paths whose figures don't carry a
/// roof are left out: those of whose time less than RooflineLeastMeasured has
/// readings of the memory, those of which some spans give no FLOP, and steps
/// and loops that several threads of a process ran.
Roofline roofline(const Run &R, const GpuByNode &Gpu,
                  const HardwareByPath &All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_DEVICE_ROOFLINE_H
