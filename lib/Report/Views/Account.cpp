// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The account view: where the whole run went, in parts that add up.

#include "Analysis/Account/UnevenSteps.h"
#include "Analysis/Verdict/AccountUses.h"
#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Report/Views/UseColumns.h"
#include "Report/Views/View.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

using namespace loopscope;

namespace {
const std::vector<Column> AccountColumns = {
    {"part", "Part", Style::Text},
    {"place", "Place", Style::Text, 2, true},
    {"loop", "Loop", Style::Text, 4},
    {"use", "Use", Style::Text, 4},
    {"time_s", "Time", Style::Time},
    {"percent", "Of the Run", Style::Percent2},
    {"loop_percent", "Of the Loop", Style::Percent2, 1}};

// The columns of USES, if any is known; with ALL, also of uses that no part of
// the run, WHOLE, has.
Fields<TimeUses> useFields(const AccountUses &Uses, const TimeUses &Whole,
                           bool All) {
  Fields<TimeUses> Result;
  for (size_t At = 0; At < TimeUseCount; ++At)
    if (Uses.IsKnown && (All || Whole[At] != 0))
      Result.push_back({useColumns()[At].Shown,
                        [At](const TimeUses &Of) { return duration(Of[At]); }});
  return Result;
}

std::string nameOf(const LoopAccount &Of) {
  return Of.IsTraining ? "train" : "valid";
}

class AccountTables {
public:
  AccountTables(const Run &R, const Account &All, bool IsData)
      : R(R), All(All), Uses(accountUses(R, All)), IsData(IsData) {
    Out.Id = "account";
    Out.Title = "Where the run's time went";
    Out.Columns = AccountColumns;
    Whole = sumOf(Uses.Outside);
    for (const std::vector<TimeUses> &Each : Uses.Loops)
      addUses(sumOf(Each), Whole);
    // People see from the indentation which loop a part is of.
    if (!IsData)
      std::erase_if(Out.Columns, [](const Column &Each) {
        return Each.Key == std::string("loop") ||
               Each.Key == std::string("use");
      });
    UsesShown = useFields(Uses, Whole, IsData);
    for (const Column &Each : columnsOf(UsesShown))
      Out.Columns.push_back(Each);
  }

  Table build() {
    Out.Nests = true;
    addRow({"run", "", "", "run", All.WholeNs, {}}, 0, 0, Whole);
    addOutside();
    for (size_t I = 0; I < All.Loops.size(); ++I)
      addLoop(All.Loops[I], Uses.Loops[I]);
    addNotes();
    return std::move(Out);
  }

private:
  struct Part {
    std::string Name, Place, Loop, Use;
    int64_t Ns = 0;
    std::vector<uint32_t> Nodes;
  };

  static TimeUses sumOf(const std::vector<TimeUses> &Of) {
    TimeUses Sum{};
    for (const TimeUses &Each : Of)
      addUses(Each, Sum);
    return Sum;
  }

  void addRow(Part Of, int Depth, int64_t LoopNs, const TimeUses &Used) {
    Row Next;
    Next.Depth = Depth;
    Next.Cells = {text(std::move(Of.Name)), text(std::move(Of.Place))};
    if (IsData) {
      Next.Cells.push_back(text(std::move(Of.Loop)));
      Next.Cells.push_back(text(std::move(Of.Use)));
    }
    Next.Cells.push_back(duration(Of.Ns));
    Next.Cells.push_back(share(Of.Ns, All.WholeNs));
    Next.Cells.push_back(LoopNs == 0 ? absent("") : share(Of.Ns, LoopNs));
    for (Cell &Each : cellsOf(UsesShown, Used))
      Next.Cells.push_back(std::move(Each));
    Next.Nodes = std::move(Of.Nodes);
    Out.Rows.push_back(std::move(Next));
  }

  void addParts(const std::vector<AccountPart> &Parts, const std::string &Loop,
                int64_t LoopNs, const std::vector<TimeUses> &Used) {
    for (size_t I = 0; I < Parts.size(); ++I) {
      const AccountPart &Each = Parts[I];
      addRow({Each.Name, siteText(R, Each.Site), Loop, keyOf(Each.Use), Each.Ns,
              Each.Nodes},
             2, LoopNs, Used[I]);
    }
  }

  void addOutside() {
    addRow({"outside all loops", "", "", "outside", All.OutsideNs, {}}, 1, 0,
           sumOf(Uses.Outside));
    addParts(All.Outside, "", 0, Uses.Outside);
  }

  void addLoop(const LoopAccount &Of, const std::vector<TimeUses> &Used) {
    std::string Name = nameOf(Of);
    std::string Place = siteText(R, Of.Site);
    std::string Id = Place.empty() ? Name : Name + " " + Place;
    addRow({Of.name(), Place, Id, "loop", Of.Ns, {}}, 1, Of.Ns, sumOf(Used));
    addParts(Of.Parts, Id, Of.Ns, Used);
  }

  void addNotes() {
    if (std::string Note = outsideNote(R, All); !Note.empty())
      Out.Notes.push_back(std::move(Note));
    for (std::string &Note : unevenStepsNotes(R, All))
      Out.Notes.push_back(std::move(Note));
    if (std::string Note = threadsNote(All); !Note.empty())
      Out.Notes.push_back(std::move(Note));
  }

  const Run &R;
  const Account &All;
  AccountUses Uses;
  TimeUses Whole{}; // of the run
  Fields<TimeUses> UsesShown;
  bool IsData;
  Table Out;
};

const Fields<LoopAccount> LoopFields = {
    {{"threads", "Threads", Style::Integer, 2},
     [](const LoopAccount &Of) { return count(Of.Threads); }},
    {{"executions", "Executions", Style::Integer, 1},
     [](const LoopAccount &Of) { return count(Of.Executions); }},
    {{"warmup_steps", "Warm-up", Style::Integer, 3},
     [](const LoopAccount &Of) { return count(Of.WarmupSteps); }},
    {{"steps", "Steps", Style::Integer},
     [](const LoopAccount &Of) { return count(Of.Steps); }},
    {{"step_total_s", "Total", Style::Time, 3},
     [](const LoopAccount &Of) { return duration(Of.StepNs); }},
    {{"step_s", "Mean Step", Style::Time},
     [](const LoopAccount &Of) {
       return Of.Steps == 0 ? absent() : seconds(Of.meanStepNs() / NsPerSecond);
     }},
    {{"nested_s", "Loops Inside", Style::Time, 4},
     [](const LoopAccount &Of) {
       return Of.NestedNs == 0 ? absent() : duration(Of.NestedNs);
     }},
    {{"samples_per_s", "Samples/Second", Style::Rate},
     [](const LoopAccount &Of) {
       return Of.samplesPerSecond() > 0 ? real(Of.samplesPerSecond())
                                        : absent();
     }}};

// For csv and json; people have a sentence where it matters.
const Fields<LoopAccount> FirstFields = {
    {{"first_steps_s", "First Steps", Style::Time},
     [](const LoopAccount &Of) {
       return Of.FirstSteps == 0 ? absent() : duration(Of.FirstNs);
     }},
    {{"first_draws_s", "First Draws", Style::Time}, [](const LoopAccount &Of) {
       return Of.FirstSteps == 0 ? absent() : duration(Of.FirstDrawNs);
     }}};

// The loops' steps, without those of the warm-up and without loops in them.
Table loopTable(const Run &R, const Account &All, bool IsData) {
  Table Out;
  Out.Id = "loops";
  Out.Title = "The loops' steps";
  Out.Columns = {{"part", "Loop", Style::Text},
                 {"place", "Place", Style::Text, 2, true}};
  std::vector<const Fields<LoopAccount> *> Wanted = {&LoopFields};
  if (IsData)
    Wanted.push_back(&FirstFields);
  for (const Fields<LoopAccount> *Each : Wanted)
    for (const Column &Next : columnsOf(*Each))
      Out.Columns.push_back(Next);
  for (const LoopAccount &Each : All.Loops) {
    Row Next;
    Next.Cells = {text(nameOf(Each)), text(siteText(R, Each.Site))};
    for (const Fields<LoopAccount> *Of : Wanted)
      for (Cell &Field : cellsOf(*Of, Each))
        Next.Cells.push_back(std::move(Field));
    Next.Nodes = Each.StepNodes;
    Out.Rows.push_back(std::move(Next));
  }
  return Out;
}

Result<std::vector<Table>> buildAccount(const Run &R,
                                        const ViewOptions &Options) {
  if (R.Nodes.empty())
    return Error{fmt::format("{}: the account needs call paths, and there are "
                             "none",
                             R.Path)};
  bool IsData = Options.Output == Format::Csv || Options.Output == Format::Json;
  Account All = accountOf(R);
  std::vector<Table> Tables = {AccountTables(R, All, IsData).build()};
  if (!All.Loops.empty())
    Tables.push_back(loopTable(R, All, IsData));
  for (Table &Each : Tables)
    Each.Where = {{"table", Each.Id}};
  return Tables;
}
} // namespace

namespace loopscope {
extern const View AccountView = {
    .Name = "account",
    .Help = "where the whole run went, in parts that add up",
    .OfRun = buildAccount,
    .Shape = {.Sorts = false, .Cuts = false, .FirstOnly = true},
    .Phases = PhasesOfRanks::Sums,
};
} // namespace loopscope
