// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of ranks and efficiencies, side by side.

#include "Report/Commands/DiffRanks.h"

#include "Analysis/Thresholds.h"
#include "Analysis/Verdict/Judge.h"
#include "Report/Commands/DiffSteps.h"
#include "Report/Print/Cells.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <optional>

using namespace loopscope;

namespace {
const std::vector<Column> ComparedColumns = {
    {"rank", "Rank", Style::Integer},
    {"before_step_s", "Step before", Style::Time},
    {"after_step_s", "Step after", Style::Time},
    {"step_change_percent", "Change", Style::Percent2},
    {"before_own_s", "Own before", Style::Time, 1},
    {"after_own_s", "Own after", Style::Time, 1},
    {"before_wait_s", "Wait before", Style::Time, 2},
    {"after_wait_s", "Wait after", Style::Time, 2},
    {"before_last_percent", "Last before", Style::Percent, 3},
    {"after_last_percent", "Last after", Style::Percent, 3}};

const std::vector<Column> EfficiencyColumns = {
    {"efficiency", "Efficiency", Style::Text},
    {"before_percent", "Before", Style::Percent2},
    {"after_percent", "After", Style::Percent2},
    {"change_points", "Change in points", Style::Percent2}};

// A rank's figures on one side, per step.
struct StepFigures {
  std::optional<double> Step, Own, Wait; // ns
  std::optional<double> Last;            // of all steps, 0 to 1

  StepFigures(const RankRow *Row, const StageRanks &In) {
    if (Row == nullptr || Row->Steps == 0)
      return;
    auto Steps = static_cast<double>(Row->Steps);
    Step = static_cast<double>(Row->ElapsedNs) / Steps;
    Own = static_cast<double>(Row->OwnNs) / Steps;
    if (Row->IsSplit || (Row->CollectiveNs == 0 && In.hasCollectives()))
      Wait = static_cast<double>(Row->waitNs()) / Steps;
    // If the ranks come together, who is last is chance.
    bool IsLate = In.Late.Kind == StragglerKind::Persistent ||
                  In.Late.Kind == StragglerKind::Rotating;
    if (Row->Covered > 0 && In.StepsCompared != 0 && IsLate)
      Last = static_cast<double>(Row->LastCount) /
             static_cast<double>(In.StepsCompared);
  }
};

Cell time(std::optional<double> Ns) {
  return Ns ? seconds(*Ns / NsPerSecond) : absent();
}

Cell percentOf(std::optional<double> Part) {
  return Part ? real(*Part * 100, threeDigitPercent(*Part * 100)) : absent();
}

// A difference of percentages.
Cell points(double Value) {
  std::string Text = threeDigitPercent(Value, true);
  Text.pop_back();
  return real(Value, std::move(Text));
}

Row rowOf(const RankPair &Of, const StageRankChange &In) {
  StepFigures Before(Of.Before, In.Before);
  StepFigures After(Of.After, In.After);
  bool Both = Before.Step && After.Step && *Before.Step > 0;
  Row Next;
  Next.Cells = {count(static_cast<uint64_t>(Of.Rank)),
                time(Before.Step),
                time(After.Step),
                Both ? signedPercent((*After.Step / *Before.Step - 1) * 100)
                     : absent(Of.Before == nullptr  ? "new"
                              : Of.After == nullptr ? "gone"
                                                    : "-"),
                time(Before.Own),
                time(After.Own),
                time(Before.Wait),
                time(After.Wait),
                percentOf(Before.Last),
                percentOf(After.Last)};
  return Next;
}

// Who was late on a side, or why that isn't known.
std::vector<std::string> linesOf(const char *Side, const StageRanks &Of) {
  std::vector<std::string> Lines;
  auto Add = [&](const std::string &Text) {
    Lines.push_back(fmt::format("{}: {}", Side, Text));
  };
  if (Of.Late.Kind == StragglerKind::None)
    Add(fmt::format("the ranks wait for each other for less than {} of the "
                    "step time.",
                    percent(RanksLost)));
  else if (std::string Line = stragglerSentence(Of); !Line.empty())
    Add(Line);
  for (const std::string &Note : Of.Notes)
    Add(Note);
  return Lines;
}

// A table of the stage, without rows.
Table tableOf(const StageRankChange &Of, const char *Id, const char *Title,
              const std::vector<Column> &Columns) {
  Table Next;
  Next.Id = Of.Id + Id;
  Next.Where = {{"stage", Of.Id}};
  Next.Title = Of.Title + Title;
  Next.Columns = Columns;
  return Next;
}

Table stepsOf(const StageRankChange &Of) {
  Table Next = tableOf(Of, "-ranks", ", steps by rank", ComparedColumns);
  for (const RankPair &Each : Of.pairs())
    Next.Rows.push_back(rowOf(Each, Of));
  for (auto [Side, Ranks] :
       {std::pair("Before", &Of.Before), std::pair("After", &Of.After)})
    for (std::string &Line : linesOf(Side, *Ranks))
      Next.Notes.push_back(std::move(Line));
  return Next;
}

Table efficienciesOf(const StageRankChange &Of) {
  Table Next = tableOf(Of, "-efficiency", ", efficiency", EfficiencyColumns);
  struct Measure {
    const char *Name;
    double RankEfficiency::*Of;
    bool NeedsSplit;
  };
  for (const Measure &Each :
       {Measure{"parallel", &RankEfficiency::Parallel, false},
        Measure{"load balance", &RankEfficiency::LoadBalance, false},
        Measure{"communication", &RankEfficiency::Communication, false},
        Measure{"transfer", &RankEfficiency::Transfer, true},
        Measure{"serialisation", &RankEfficiency::Serialisation, true}}) {
    auto On = [&](const RankEfficiency &E) {
      bool Known = E.IsKnown && (!Each.NeedsSplit || E.IsSplit);
      return Known ? std::optional<double>(E.*Each.Of) : std::nullopt;
    };
    std::optional<double> Before = On(Of.Before.Efficiency);
    std::optional<double> After = On(Of.After.Efficiency);
    if (!Before && !After)
      continue;
    Row Made;
    Made.Cells = {text(Each.Name), percentOf(Before), percentOf(After),
                  Before && After ? points((*After - *Before) * 100)
                                  : absent()};
    Next.Rows.push_back(std::move(Made));
  }
  return Next;
}
} // namespace

std::vector<Table>
loopscope::rankTables(const std::vector<StageRankChange> &Stages) {
  std::vector<Table> Result;
  for (const StageRankChange &Each : Stages) {
    Result.push_back(stepsOf(Each));
    if (Table Efficiencies = efficienciesOf(Each); !Efficiencies.Rows.empty())
      Result.push_back(std::move(Efficiencies));
  }
  return Result;
}
