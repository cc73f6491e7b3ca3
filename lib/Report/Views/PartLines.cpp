// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words about parts.

#include "Report/Views/PartLines.h"

#include "Report/Print/Cells.h"
#include "Report/Views/Footer.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
std::string wholeLine(const RunParts &Parts, bool HasEnded) {
  return fmt::format("The figures are those of the run {}, not of part {} "
                     "alone: {}.",
                     HasEnded ? "up to that part's end" : "from its start on",
                     Parts.Number, Parts.WhyWhole);
}

std::string partLine(const RunParts &Parts, bool HasEnded) {
  std::string Line = fmt::format("This is part {} of the run", Parts.Number);
  std::string Where;
  if (Parts.isLater()) {
    if (Parts.BeganNs >= 0)
      Line += fmt::format(", which began {} after its start",
                          readableDuration(toSeconds(Parts.BeganNs)));
    Line += ", by loopscope_reset";
    Where = fmt::format(" Earlier data is in {}.", someOf(Parts.Earlier));
  } else {
    Line += ", up to loopscope_reset";
  }
  if (HasEnded)
    Where += " Later data is in later parts and in the run's own profile.";
  return Line + "." + Where;
}

bool hasDevicePeaks(const Run &R) {
  return std::ranges::any_of(R.Gpu.Devices, [](const GpuDevice &Each) {
    return Each.MemoryPeak != 0;
  });
}
} // namespace

std::vector<std::string> loopscope::partLines(const Run &R) {
  const RunParts &Parts = R.Parts;
  bool HasEnded = R.Ended == End::Reset;
  if (Parts.Number == 0)
    return {};
  if (Parts.AreDifferent)
    return {"The processes' figures are of different parts of their runs: not "
            "all of them called loopscope_reset as often, or parts are "
            "missing."};
  if (!Parts.IsDivided)
    return {wholeLine(Parts, HasEnded)};
  std::vector<std::string> Lines = {partLine(Parts, HasEnded)};
  if (Parts.SpansAcross != 0)
    Lines.push_back(
        fmt::format("{} open when it began: {} here, with the time since then.",
                    Parts.SpansAcross == 1
                        ? "1 span was"
                        : fmt::format("{} spans were", Parts.SpansAcross),
                    Parts.SpansAcross == 1 ? "it counts" : "they count"));
  if (Parts.Approximate != 0)
    Lines.push_back(fmt::format(
        "Minima, maxima and deviations of {} are approximate: exact ones are "
        "on record for the whole run only.",
        counted(Parts.Approximate, "row")));
  if (Parts.isLater() && hasDevicePeaks(R))
    Lines.emplace_back("Peaks of device memory are the whole run's.");
  return Lines;
}
