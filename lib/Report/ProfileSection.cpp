// From a Loopscope profile to one section of a report.
#include "Report/Cells.h"
#include "Report/Footer.h"
#include "Report/GpuViews.h"
#include "Report/SelectStage.h"
#include "Report/Verdict.h"
#include "Report/ViewNames.h"
#include "Report/Views.h"

#include <fmt/format.h>

using namespace loopscope;

namespace {
// What bounds the run, last of all: where people look first.
void describeFindings(const Profile &P, View Which, Section &S) {
  std::string Verdict = verdict(runFigures(P));
  std::vector<std::string> Lines = waitWarnings(P);
  S.Facts.emplace_back("verdict", Verdict.empty() ? absent() : text(Verdict));
  // The overview has it on top.
  if (!Verdict.empty() && Which != View::Overview)
    Lines.insert(Lines.begin(), Verdict);
  S.Footer.insert(S.Footer.end(), Lines.begin(), Lines.end());
}

// A view without tables by stage, of one stage alone.
Result<Section> sectionOfStage(const Profile &P, View Which,
                               ViewOptions Options) {
  Result<Profile> Stage = selectStage(P, Options.Stage);
  if (!Stage)
    return Stage.error();
  std::string Name = std::move(Options.Stage);
  Options.Stage.clear();
  Result<Section> S = buildSection(*Stage, Which, Options);
  for (size_t I = 0; S && I < S->Tables.size(); ++I)
    S->Tables[I].Title += ", stage " + Name;
  return S;
}
} // namespace

bool loopscope::hasStageTables(View Which) {
  return Which == View::Simple || Which == View::Throughput ||
         Which == View::Devices || Which == View::Ranks;
}

Result<Section> loopscope::buildSection(const Profile &P, View Which,
                                        const ViewOptions &Options) {
  if (!Options.Stage.empty() && !hasStageTables(Which))
    return sectionOfStage(P, Which, Options);
  if (Options.Output == Format::TensorBoardJson)
    return Error{fmt::format("{}: --format tensorboard-json is for Kineto "
                             "traces; use json for a Loopscope profile",
                             P.Path)};
  bool IsEmpty = true;
  for (const Node &N : P.Nodes)
    IsEmpty &= N.Parent == None;
  if (IsEmpty && P.Lost.BytesMissing != 0)
    return Error{fmt::format("{}: is truncated: {} bytes are missing, and what "
                             "is there holds no span; copy it again",
                             P.Path, P.Lost.BytesMissing)};
  if (IsEmpty)
    return Error{fmt::format("{}: the run recorded no span; mark phases of the "
                             "program and build it with its hooks{}",
                             P.Path,
                             P.Mode == LOOPSCOPE_MODE_SIMPLE
                                 ? " (those of --functions record with "
                                   "LOOPSCOPE=advanced)"
                                 : "")};
  Section S;
  if (P.Lost.BytesMissing != 0)
    S.Problem = fmt::format("{}: is truncated: {} bytes are missing; the "
                            "report shows what is there",
                            P.Path, P.Lost.BytesMissing);
  describeRun(P, S);
  describeFindings(P, Which, S);
  S.ViewName = viewName(Which);
  switch (Which) {
  case View::Simple:
    S.Tables = buildSimple(P, Options);
    break;
  case View::Throughput:
    S.Tables = buildThroughput(P, Options);
    if (S.Tables.empty())
      return Error{fmt::format("{}: the throughput view needs a loop marked "
                               "train, valid or epoch, and this run visited "
                               "none",
                               P.Path)};
    break;
  case View::Tree:
    S.Tables = buildTree(P, Options);
    break;
  case View::Advanced: {
    Result<std::vector<Table>> Tables = buildAdvanced(P, Options);
    if (!Tables)
      return Tables.error();
    S.Tables = std::move(*Tables);
    break;
  }
  case View::Devices: {
    Result<std::vector<Table>> Tables = buildDevices(P);
    if (!Tables)
      return Tables.error();
    S.Tables = std::move(*Tables);
    break;
  }
  case View::Timeline: {
    Result<std::vector<Table>> Tables = buildTimeline(P, Options);
    if (!Tables)
      return Tables.error();
    S.Tables = std::move(*Tables);
    break;
  }
  case View::Kernels: {
    Result<std::vector<Table>> Tables = buildGpuKernels(P, Options);
    if (!Tables)
      return Tables.error();
    S.Tables = std::move(*Tables);
    break;
  }
  case View::Operators:
    S.Tables = {buildPhaseOperators(P)};
    break;
  case View::Overview:
    S.Tables = buildProfileOverview(P);
    break;
  default:
    return Error{fmt::format("{}: one Loopscope profile has no data for the {} "
                             "view",
                             P.Path, viewName(Which))};
  }
  return S;
}
