// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The roofline on the page: the points of the roofline view that have bytes, of
// steps and phases. What is around a step would lie at its place.

#include "Analysis/Device/Roofline.h"
#include "Report/Html/HtmlParts.h"

using namespace loopscope;

void loopscope::addRoofline(const Run &R, const HtmlPaths &Paths,
                            HtmlRun &Page) {
  if (R.Gpu.Uses.empty())
    return;
  GpuByNode Gpu(R);
  HardwareByPath All = hardwareByPath(R, Gpu);
  Roofline Found = roofline(R, Gpu, All);
  Page.Roofline.FlopPeak = Found.FlopPeak;
  Page.Roofline.BytesPeak = Found.BytesPeak;
  for (const RooflinePoint &Each : Found.Points) {
    loopscope_kind Kind = All.Tree[Each.Path].Kind;
    bool IsAround = Kind == LOOPSCOPE_KIND_BATCH ||
                    (holdsIdleTime(Kind) && Kind != LOOPSCOPE_KIND_STEP);
    if (IsAround || !Each.Intensity || Each.Flop <= 0)
      continue;
    const std::vector<uint32_t> &Nodes = All.NodesOf[Each.Path];
    Page.Roofline.Points.push_back(
        {All.Tree[Each.Path].Name,
         Nodes.empty() ? None : Paths.Shown[Nodes.front()], *Each.Intensity,
         Each.FlopPerSecond, Each.shareOfRoof()});
  }
}
