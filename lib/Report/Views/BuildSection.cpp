// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facets, builders, footers: how a section is built.

#include "Report/Views/BuildSection.h"

#include "Analysis/Ranks/ClockAlignment.h"
#include "Analysis/Ranks/Ranks.h"
#include "Analysis/Ranks/StalledRanks.h"
#include "Analysis/Ranks/TraceTraffic.h"
#include "Analysis/Samples/SampledProgram.h"
#include "Analysis/Verdict/HardwareNotes.h"
#include "Analysis/Verdict/Verdict.h"
#include "Report/Print/Cells.h"
#include "Report/Views/Footer.h"
#include "Report/Views/SampleNotes.h"
#include "Report/Views/SideBySide.h"
#include "Report/Views/TableOptions.h"
#include "Run/Combine/Merge.h"
#include "Run/Combine/SelectStage.h"
#include "Run/Model/CallTree.h"
#include "Run/Model/DeviceLanes.h"
#include "Run/Model/NumberedNames.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

using namespace loopscope;

std::string loopscope::verdictText(const RunInfo &Of, const Verdict &Found) {
  if (!Of.OfRanks.Text.empty())
    return Of.OfRanks.Text;
  bool IsUpToOthers = Of.WorldSize > 1 && Of.By->KnowsOwnTime &&
                      Found.Class == "communication-bound" &&
                      !Found.Figures.empty();
  if (!IsUpToOthers)
    return Found.line();
  // "because communication takes ..."
  std::string Text = Found.Figures.substr(Found.Figures.find(' ') + 1);
  Text.front() =
      static_cast<char>(std::toupper(static_cast<unsigned char>(Text.front())));
  Text += Found.Phase.empty() ? "."
                              : ", the largest part in " + Found.where() + ".";
  for (const std::string &Each : Found.More)
    Text += fmt::format(" {}.", Each);
  return Text + " `--view ranks` of all ranks shows whether they wait for a "
                "late one.";
}

namespace {
void describeVerdict(const Verdict &Found, Section &S) {
  auto Known = [](const std::string &Text) {
    return Text.empty() ? absent() : text(Text);
  };
  S.Facts.emplace_back("verdict", Known(Found.line()));
  S.Facts.emplace_back("verdict_class", Known(Found.Class));
  S.Facts.emplace_back("verdict_phase", Known(Found.Phase));
  S.Facts.emplace_back("verdict_file", Known(Found.File));
  S.Facts.emplace_back("verdict_line",
                       Found.Line == 0 ? absent() : count(Found.Line));
}

// The verdict and the warnings come last, because people look there first. csv
// has no room for either. TIME is null if the view doesn't need it: a trace
// then has no verdict, and a profile has that of its sums.
void describeFindings(const Run &Of, const StepTime *Time, const View &Which,
                      Format As, Section &S) {
  if (As == Format::Csv || (Of.By->KeepsEvents && !Time))
    return;
  Verdict Found = verdictOf(Time ? *Time : stepTimeOfSums(Of));
  if (Of.OfRanks.Text.empty())
    describeVerdict(Found, S);
  else
    S.Facts.insert(S.Facts.end(), {{"verdict", text(Of.OfRanks.Text)},
                                   {"verdict_class", text(Of.OfRanks.Class)},
                                   {"verdict_phase", absent()},
                                   {"verdict_file", absent()},
                                   {"verdict_line", absent()}});
  if (!Found.Class.empty() && !Which.ShowsVerdict)
    S.Footer.push_back(verdictText(Of, Found));
  for (std::string &Line : hardwareNotes(Of).all())
    S.Footer.push_back(std::move(Line));
  for (std::string &Line : waitWarnings(Of))
    S.Footer.push_back(std::move(Line));
  for (KeyNote &Each : keyNotes(Of))
    S.Footer.push_back(std::move(Each.Text));
}

void nameStage(Section &S, const View &Which, const ViewOptions &Options) {
  if (Options.Stage.empty() || Which.HasStageTables)
    return;
  for (Table &Each : S.Tables)
    Each.Title = Each.Title.empty() ? "Stage " + Options.Stage
                                    : Each.Title + ", stage " + Options.Stage;
}

// The part of a run in the requested stage, for views without tables by stage.
Result<Run> stageOf(Run Of, const View &Which, const ViewOptions &Options) {
  if (Options.Stage.empty() || Which.HasStageTables)
    return Of;
  Result<Run> Stage = selectStage(std::move(Of), Options.Stage);
  if (Stage && Stage->By->KeepsEvents && Stage->Nodes.empty() &&
      Stage->Stream.Events.empty())
    return Error{fmt::format("{}: --stage: the trace has no event of '{}'",
                             Stage->Path, Options.Stage)};
  return Stage;
}

FigureParts partsOf(const View &Which, const ViewOptions &Options) {
  return Which.Parts ? Which.Parts(Options) : FigureParts{};
}

// "operators, kernels and overview"
std::string viewsWithDocuments() {
  std::vector<const View *> Views = allViews();
  std::erase_if(Views, [](const View *Each) { return !Each->Document; });
  std::string Names;
  for (size_t I = 0; I < Views.size(); ++I)
    Names += fmt::format("{}{}",
                         I == 0                  ? ""
                         : I + 1 == Views.size() ? " and "
                                                 : ", ",
                         Views[I]->Name);
  return Names;
}

// Why a view has no tables. Its OWN reason is one of whole files.
Error reasonFor(Error Own, const RunInfo &Of, const View &Which) {
  if (Of.By->KeepsEvents && Of.Lost.Torn)
    return Error{fmt::format(
        "{}: ends before the trace does, and what is there has nothing "
        "for the {} view; copy it again",
        Of.Path, Which.Name)};
  if (!Of.By->KeepsEvents && Of.Lost.BytesMissing != 0)
    return Error{fmt::format("{}: is truncated: {} bytes are missing, and what "
                             "is there has nothing for the {} view; copy it "
                             "again",
                             Of.Path, Of.Lost.BytesMissing, Which.Name)};
  return Own;
}

// The tables of the figures OF the run ALL, or their document.
Result<Section> withFigures(Section S, const Run &All, const Figures &Of,
                            const View &Which, const ViewOptions &Options) {
  if (Options.Output == Format::TensorBoardJson) {
    S.Raw = Which.Document(Of);
    return S;
  }
  Result<std::vector<Table>> Tables = Which.OfFigures
                                          ? Which.OfFigures(Of, Options)
                                          : Which.OfBoth(All, Of, Options);
  if (!Tables)
    return reasonFor(Tables.error(), Of.About, Which);
  S.Tables = std::move(*Tables);
  return S;
}

// Whether the times of two traces are since the same moment, by one clock: a
// process's, or that of a host.
bool shareClock(const Run &A, const Run &B) {
  return &A == &B ||
         (!A.By->AlignsClocks && !B.By->AlignsClocks && !A.Host.empty() &&
          A.Host == B.Host && A.StartRealtimeNs > 0 &&
          A.StartRealtimeNs == B.StartRealtimeNs);
}

std::string ownClock(const Run &Of) {
  return fmt::format("--merge: {} is {}, which has a clock of its own; leave "
                     "--merge out",
                     Of.Path, Of.By->Noun);
}

Result<Section> shaped(Result<Section> Built, const View &Which,
                       const ViewOptions &Options) {
  if (!Built)
    return Built;
  nameStage(*Built, Which, Options);
  return applyOptions(std::move(*Built), Which, Options);
}

} // namespace

std::optional<Error> loopscope::refusal(const Run &Of, const View &Which,
                                        const ViewOptions &Options) {
  bool WantsDocument = Options.Output == Format::TensorBoardJson;
  if (WantsDocument && !Of.By->HasDocuments)
    return Error{fmt::format("{}: --format tensorboard-json is for Kineto "
                             "traces; use json for {}",
                             Of.Path, Of.By->Noun)};
  if (Of.By->KeepsEvents && Of.EventCount == 0)
    return Error{fmt::format("{}: the trace has no complete event", Of.Path)};
  if (WantsDocument && !Which.Document)
    return Error{fmt::format("{}: --format tensorboard-json has the views {}, "
                             "not {}",
                             Of.Path, viewsWithDocuments(), Which.Name)};
  if (Of.By->KeepsEvents)
    return std::nullopt;
  bool IsEmpty = std::all_of(Of.Nodes.begin(), Of.Nodes.end(),
                             [](const Node &N) { return N.Parent == None; });
  if (!IsEmpty || !Of.Ranges.empty() ||
      (Which.OnSamples && !Of.Stacks.Samples.empty()))
    return std::nullopt;
  if (Of.Lost.BytesMissing != 0)
    return Error{fmt::format("{}: is truncated: {} bytes are missing, and what "
                             "is there holds no span; copy it again",
                             Of.Path, Of.Lost.BytesMissing)};
  if (Of.Lost.BadRecords != 0)
    return Error{
        fmt::format("{}: the run recorded no span that can be read ({}: "
                    "damaged, or written "
                    "by a runtime that was never released); record it again",
                    Of.Path, counted(Of.Lost.BadRecords, "record"))};
  if (hasSamplesOnly(Of))
    return Error{fmt::format("{}: the program was only sampled, so there is no "
                             "{} view of it; use --view loops or functions",
                             Of.Path, Which.Name)};
  if (Of.Stacks.CpuNs != 0)
    return noSamples(Of, "LOOPSCOPE=stacks");
  return Error{fmt::format(
      "{}: the run recorded no span; mark phases in the program and build it "
      "with hooks{}",
      Of.Path,
      Of.Mode == LOOPSCOPE_MODE_SIMPLE
          ? " (hooks of --functions record only with LOOPSCOPE=advanced)"
          : "")};
}

void loopscope::addFacets(Run &To, const View &Which,
                          const ViewOptions &Options) {
  if (Which.OnTraffic && To.By->KeepsEvents)
    addTraffic(To);
  // The part of a trace that --stage or --thread chose has none.
  if (Which.OnHistory && Options.Stage.empty() && Options.Thread.empty())
    return addTreeAndHistory(To, Options.NumbersAreKeys);
  if (Which.OnTimeline)
    addTimeline(To);
  else if (!Which.hasFigures())
    addTree(To);
  else if (FigureParts Parts = partsOf(Which, Options);
           Parts.ByPhase || Which.OfBoth)
    addTree(To, EventNodes::Yes);
  else if (Parts.Steps && Parts.Time)
    addTree(To, EventNodes::OfPhases);
  if (Options.NumbersAreKeys)
    keyNumberedNames(To);
}

Result<Section> loopscope::buildSection(const Run &Of, const View &Which,
                                        const ViewOptions &Options) {
  if (std::optional<Error> Why = refusal(Of, Which, Options))
    return *Why;
  Section S;
  S.ViewName = Which.Name;
  if (Which.hasFigures()) {
    Figures Found = figuresOf(Of, partsOf(Which, Options));
    describeRun(Of, Found.About, S);
    describeFindings(Of, Found.Time ? &*Found.Time : nullptr, Which,
                     Options.Output, S);
    return withFigures(std::move(S), Of, Found, Which, Options);
  }
  if (!Which.OfRun)
    return Error{fmt::format(
        "{}: a single Loopscope profile has no data for the {} view", Of.Path,
        Which.Name)};
  if (Which.OnTimeline && !Of.hasSpans())
    return Error{
        !Of.By->TakesWords
            ? fmt::format("{}: the {} view needs host calls, and the trace has "
                          "none; record it with ProfilerActivity.CPU",
                          Of.Path, Which.Name)
        : Of.IsCopy ? fmt::format("{}: has no timeline, because merged files "
                                  "leave it out; name the rank's own profile",
                                  Of.Path)
                    : fmt::format("{}: has no timeline; run the program with "
                                  "LOOPSCOPE=trace",
                                  Of.Path)};
  describeRun(Of, Of, S);
  describeFindings(Of, nullptr, Which, Options.Output, S);
  Result<std::vector<Table>> Tables = Which.OfRun(Of, Options);
  if (!Tables)
    return reasonFor(Tables.error(), Of, Which);
  S.Tables = std::move(*Tables);
  return S;
}

static std::vector<std::string> groupFor(const View &Which, Run &R,
                                         const ViewOptions &Options) {
  return Which.HasFamilies ? std::vector<std::string>()
                           : groupByKey(R, Options);
}

std::vector<std::string> loopscope::groupByKey(Run &R,
                                               const ViewOptions &Options) {
  if (Options.By != Grouping::Key)
    return {};
  std::vector<std::string> Notes;
  if (Options.Output != Format::Csv)
    for (KeyNote &Each : keyNotes(R))
      Notes.push_back(std::move(Each.Text));
  if (std::string Line = numberedNamesLine(R); !Line.empty())
    Notes.push_back(std::move(Line));
  nameByKey(R);
  return Notes;
}

static void addNotes(const std::vector<std::string> &Notes,
                     Result<Section> &To) {
  if (To)
    To->Footer.insert(To->Footer.end(), Notes.begin(), Notes.end());
}

Result<Section> loopscope::sectionOf(Run From, const View &Which,
                                     const ViewOptions &Options) {
  if (std::optional<Error> Why = refusal(From, Which, Options))
    return *Why;
  // If the view is based on the tree, a stage is cut out of that.
  if (Which.OfRun)
    addFacets(From, Which, Options);
  Result<Run> Stage = stageOf(std::move(From), Which, Options);
  if (!Stage)
    return Stage.error();
  addFacets(*Stage, Which, Options);
  std::vector<std::string> OfKeys = groupFor(Which, *Stage, Options);
  Result<Section> Built = buildSection(*Stage, Which, Options);
  addNotes(OfKeys, Built);
  return shaped(std::move(Built), Which, Options);
}

std::optional<Error> Merger::add(Run From) {
  if (From.By->KeepsEvents)
    if (std::optional<Error> Why = refusal(From, Which, Options))
      return Why;
  std::optional<Run> Whole = Cycles.add(std::move(From));
  return Whole ? take(std::move(*Whole)) : std::nullopt;
}

// A stage's times, tables of keys and of actions are made of each rank's.
static PhasesOfRanks phasesWanted(const View &Which,
                                  const ViewOptions &Options) {
  bool AreApart = Options.By == Grouping::Key ||
                  Options.By == Grouping::Action ||
                  (!Which.OfRuns && !Options.Stage.empty());
  return AreApart ? PhasesOfRanks::Apart : Which.Phases;
}

std::optional<Error> Merger::take(Run From) {
  if (!From.By->KeepsEvents || !Which.hasFigures()) {
    addFacets(From, Which, Options);
    From.Stream = {};
    // Thousands of ranks may come, and none of these reads it.
    if (Which.OfRuns || Which.Phases == PhasesOfRanks::Sums)
      From.Histories.clear();
    PhasesOfRanks Phases = phasesWanted(Which, Options);
    if (Phases == PhasesOfRanks::Sums)
      Folder.add(std::move(From), Runs);
    else
      Runs.push_back(Phases == PhasesOfRanks::None
                         ? withoutPlainPhases(std::move(From))
                         : std::move(From));
    return std::nullopt;
  }
  Result<Run> Stage = stageOf(std::move(From), Which, Options);
  if (!Stage)
    return Stage.error();
  addFacets(*Stage, Which, Options);
  std::vector<std::string> Notes = groupFor(Which, *Stage, Options);
  if (Traces.empty())
    OfKeys = std::move(Notes);
  Traces.push_back(figuresOf(*Stage, partsOf(Which, Options)));
  if (Which.OfBoth) {
    Stage->Stream = {};
    TraceRuns.push_back(std::move(*Stage));
  }
  return std::nullopt;
}

// The traces as one, by their figures; views of both get their trees, too.
Result<Section> Merger::finishTraces() {
  Figures All = mergeFigures(std::move(Traces));
  Result<Run> Together = Run();
  if (!TraceRuns.empty())
    Together = mergeProfiles(std::move(TraceRuns));
  if (!Together)
    return Together.error();
  Section S;
  S.ViewName = Which.Name;
  describeTrace(All.About, S);
  if (All.Time)
    describeVerdict(verdictOf(*All.Time), S);
  Result<Section> Built =
      withFigures(std::move(S), *Together, All, Which, Options);
  addNotes(OfKeys, Built);
  return shaped(std::move(Built), Which, Options);
}

Result<Section> Merger::finish() {
  if (std::optional<Run> Last = Cycles.finish())
    if (std::optional<Error> Why = take(std::move(*Last)))
      return *Why;
  if (!Runs.empty() && !Traces.empty())
    return Error{
        fmt::format("--merge: the {} view has different rows for PyTorch "
                    "traces and for Loopscope profiles; report them separately",
                    Which.Name)};
  if (!Traces.empty())
    return finishTraces();
  if (Which.OfRuns)
    return shaped(sideBySide(std::move(Runs), Which, Options), Which, Options);
  bool HaveOwnClocks =
      std::any_of(Runs.begin(), Runs.end(),
                  [](const Run &Each) { return !Each.By->AlignsClocks; });
  if (Which.OnTimeline && HaveOwnClocks)
    for (const Run &Each : Runs)
      if (!shareClock(Runs.front(), Each))
        return Error{ownClock(Each.By->AlignsClocks ? Runs.front() : Each)};
  std::vector<std::string> Notes = rollCallNotes(Runs);
  if (std::string Line = unfinishedText(Runs); !Line.empty())
    Notes.insert(Notes.begin(), std::move(Line));
  std::vector<ClockLine> Lines;
  bool HasSeveralPrograms =
      std::any_of(Runs.begin(), Runs.end(), [&](const Run &Each) {
        return Each.Program != Runs.front().Program;
      });
  if (Which.OnTimeline && HaveOwnClocks) {
    Lines.resize(Runs.size());
  } else if (Which.OnTimeline) {
    ClockAlignment Clocks = alignClocks(Runs);
    if (!Clocks.WhyNot.empty())
      return Error{fmt::format("--merge: no common clock for a timeline: {}; "
                               "without --merge, each profile has its own",
                               Clocks.WhyNot)};
    if (std::string Line = Clocks.note(); !Line.empty())
      Notes.push_back(std::move(Line));
    Lines = std::move(Clocks.Lines);
  }
  RanksVerdict OfRanks = Options.Output == Format::Csv
                             ? RanksVerdict()
                             : verdictOfRanks(Runs, Options.Stage);
  Result<Run> All = Which.OnTimeline ? mergeTimelines(std::move(Runs), Lines)
                                     : mergeProfiles(std::move(Runs));
  if (!All)
    return All.error();
  All->OfRanks = std::move(OfRanks);
  Result<Run> Stage = stageOf(std::move(*All), Which, Options);
  if (!Stage)
    return Stage.error();
  std::vector<std::string> OfKeys = groupFor(Which, *Stage, Options);
  Result<Section> Built = buildSection(*Stage, Which, Options);
  addNotes(OfKeys, Built);
  if (Built && HasSeveralPrograms)
    Built->Footer.push_back(fmt::format("These runs are of different programs, "
                                        "and their figures are added up: {}.",
                                        Stage->Program));
  addNotes(Notes, Built);
  return shaped(std::move(Built), Which, Options);
}
