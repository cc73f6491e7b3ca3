// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The roofline view: how near call paths come to what a GPU's units and memory
// allow for the bytes that they move.

#include "Analysis/Device/Roofline.h"
#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
struct PointRow {
  const Path &Its;
  const RooflinePoint &Point;
};

Cell number(double Value) { return real(Value, siNumber(Value)); }

std::string threeDigits(double Value) {
  return Value < 999.5 ? fmt::format("{:.3g}", Value)
                       : fmt::format("{:.0f}", Value);
}

const Fields<PointRow> RooflineColumns = {
    {{"name", "Phase", Style::Text},
     [](const PointRow &Of) { return text(Of.Its.Name); }},
    {{"flop", "FLOP", Style::Number, 5},
     [](const PointRow &Of) { return number(Of.Point.Flop); }},
    {{"over_s", "Over", Style::Time, 4},
     [](const PointRow &Of) { return duration(Of.Point.Ns); }},
    {{"flop_per_gpu_s", "FLOP/GPU s", Style::Number},
     [](const PointRow &Of) { return number(Of.Point.FlopPerSecond); }},
    {{"bytes_per_gpu_s", "Bytes/GPU s", Style::Number, 3},
     [](const PointRow &Of) { return number(Of.Point.BytesPerSecond); }},
    {{"flop_per_byte", "FLOP/byte", Style::Number, 1},
     [](const PointRow &Of) {
       return Of.Point.Intensity
                  ? real(*Of.Point.Intensity, threeDigits(*Of.Point.Intensity))
                  : absent();
     }},
    {{"lower_roof", "Lower roof", Style::Text, 2},
     [](const PointRow &Of) {
       return text(Of.Point.MemoryIsLower ? "memory" : "units");
     }},
    {{"roof_flop_per_s", "Roof FLOP/s", Style::Number, 2},
     [](const PointRow &Of) { return number(Of.Point.Roof); }},
    {{"roof_percent", "Of roof", Style::Percent1},
     [](const PointRow &Of) { return real(Of.Point.shareOfRoof() * 100); }}};

void addNotes(const Roofline &Found, Table &To) {
  To.Notes.push_back(fmt::format(
      "A GPU can do {}FLOP/s ({}), and its memory {}B/s in theory. Up to {} "
      "FLOP per byte, memory is the lower roof.{}",
      siNumber(Found.FlopPeak), Found.FlopSource, siNumber(Found.BytesPeak),
      threeDigits(Found.ridge()),
      Found.Gpus == 1
          ? ""
          : fmt::format(" Rates are of one of {} GPUs.", Found.Gpus)));
  To.Notes.emplace_back(
      "FLOP: as given by flops(). Bytes: of the GPU's memory, by its monitors. "
      "Over: the time for which GPUs worked on a phase; for a step, all of it "
      "on each GPU.");
  if (std::ranges::any_of(Found.Points, [](const RooflinePoint &Each) {
        return Each.shareOfRoof() > 1;
      }))
    To.Notes.emplace_back(
        "More than the roof is impossible: flops() gives too much, the peak is "
        "for another precision or device, or the work runs on CPUs.");
}

Result<std::vector<Table>> buildRoofline(const Run &R,
                                         const ViewOptions & /*Options*/) {
  GpuByNode Gpu(R);
  HardwareByPath All = hardwareByPath(R, Gpu);
  if (All.Gpus.empty())
    return Error{fmt::format("{}: there are no readings of a GPU's hardware; "
                             "--view hardware says why",
                             R.Path)};
  Roofline Found = roofline(R, Gpu, All);
  if (Found.Points.empty())
    return Error{fmt::format("{}: {}", R.Path, Found.WhyNone)};
  Table T;
  T.Id = "roofline";
  T.Title = "Roofline";
  T.Columns = columnsOf(RooflineColumns);
  for (const RooflinePoint &Each : Found.Points) {
    const Path &Its = All.Tree[Each.Path];
    Row Next;
    Next.Depth = Its.Depth;
    Next.Cells = cellsOf(RooflineColumns, PointRow{Its, Each});
    Next.Nodes = All.NodesOf[Each.Path];
    T.Rows.push_back(std::move(Next));
  }
  addNotes(Found, T);
  return std::vector<Table>{std::move(T)};
}
} // namespace

namespace loopscope {
extern const View RooflineView = {
    .Name = "roofline",
    .Help = "how near phases come to the FLOP/s that a GPU allows them",
    .OfRun = buildRoofline,
    .Shape = {.Sorts = false, .Cuts = false},
};
} // namespace loopscope
