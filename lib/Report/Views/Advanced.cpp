// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The advanced view: what cProfile shows, per phase, for functions instrumented
// by function mode.

#include "Analysis/Samples/SwitchedOff.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"
#include "Support/Order.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

using namespace loopscope;

namespace {
constexpr size_t RowsUnlessAsked = 20;
// Hooks that cost more than this part of a function's self time distort it: the
// function's own hooks, which may also show in callers, and those counted in
// its self time, which its callees' hooks add minus an estimate.
constexpr double DistortedFrom = 0.1;

struct Function {
  uint64_t Calls = 0;
  uint64_t Primitive =
      0; ///< calls that aren't nested in another call of the same
  int64_t SelfNs = 0;
  int64_t CumulativeNs = 0;
  int64_t HookNs = 0; ///< taken from SelfNs for hooks, its own and its callees'
  int64_t SampledNs = 0; ///< of SelfNs: by samples, after it was switched off
  bool HoldsOthers =
      false; ///< SelfNs includes that of functions that were switched off
};

// By node, own time of functions that were switched off.
using OffTimes = std::multimap<uint32_t, TimeOfSwitchedOff>;

struct Phase {
  int64_t TotalNs = 0;
  std::set<uint32_t> Threads;             ///< whose functions these are
  std::map<uint32_t, Function> Functions; ///< by site
};

bool isOff(const Run &R, const Node &N) {
  return N.Kind == LOOPSCOPE_KIND_FUNCTION && N.Site != None &&
         R.Sites[N.Site].OffSinceNs >= 0;
}

// One walk down from a phase's node. Time of phases inside a function belongs
// to the function: they are statements of it.
void addFunctions(const Run &R, const OffTimes &Off, uint32_t Root, Phase &To) {
  struct Frame {
    uint32_t Node;
    size_t Next;
    Function *In; ///< innermost function
    bool Primitive;
  };
  std::map<uint32_t, unsigned> OnTheWay; // calls by site
  auto Enter = [&](uint32_t Index, Function *In) {
    const Node &N = R.Nodes[Index];
    bool IsFunction = isFunction(N.Kind) && N.Site != None && Index != Root;
    if (IsFunction) {
      In = &To.Functions[N.Site];
      To.Threads.insert(N.Thread);
      In->Calls += N.Spans.count();
      if (OnTheWay[N.Site]++ == 0) {
        In->Primitive += N.Spans.count();
        In->CumulativeNs = saturatingAdd(In->CumulativeNs, N.InclusiveNs);
      }
    }
    if (In) {
      In->SelfNs = saturatingAdd(In->SelfNs, N.SelfNs);
      In->HookNs = saturatingAdd(In->HookNs, N.HookNs);
      for (uint32_t Child : N.Children)
        In->HoldsOthers |= isOff(R, R.Nodes[Child]);
    }
    auto [First, Last] = Off.equal_range(Index);
    for (auto Each = First; Each != Last; ++Each) {
      int64_t Ns = Each->second.Ns;
      if (In)
        In->SelfNs -= Ns;
      Function &Of = To.Functions[Each->second.Site];
      Of.SelfNs = saturatingAdd(Of.SelfNs, Ns);
      Of.SampledNs = saturatingAdd(Of.SampledNs, Ns);
    }
    return Frame{Index, 0, In, IsFunction};
  };
  std::vector<Frame> Way = {Enter(Root, nullptr)};
  while (!Way.empty()) {
    Frame &Top = Way.back();
    const Node &N = R.Nodes[Top.Node];
    if (Top.Next < N.Children.size()) {
      Function *In = Top.In;
      Way.push_back(Enter(N.Children[Top.Next++], In));
      continue;
    }
    if (Top.Primitive)
      --OnTheWay[N.Site];
    Way.pop_back();
  }
}

// Every phase by its name in the simple view; only its outermost spans.
std::map<std::string, Phase> collect(const Run &R, const OffTimes &Off) {
  std::map<std::string, Phase> Result;
  Stages All = findStages(R);
  // The names of the phases around each node; parents come before children.
  std::vector<std::set<std::string>> Around(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None)
      continue;
    Around[I] = Around[N.Parent];
    std::optional<std::string> Name = simpleName(R, N, All.Of[I], "");
    if (!Name || !Around[I].insert(*Name).second)
      continue;
    Phase &To = Result[*Name];
    To.TotalNs = saturatingAdd(To.TotalNs, N.InclusiveNs);
    addFunctions(R, Off, I, To);
  }
  return Result;
}

enum class Order { Cumulative, Self, Calls, Name };

struct OrderName {
  const char *Word;   ///< on the command line
  const char *Header; ///< as cProfile says it
  Order By;
};

constexpr OrderName Orders[] = {
    {"cumulative", "cumulative time", Order::Cumulative},
    {"self", "internal time", Order::Self},
    {"calls", "call count", Order::Calls},
    {"name", "function name", Order::Name}};

using Entry = std::pair<uint32_t, Function>;

std::string functionName(const Run &R, uint32_t SiteIndex) {
  const Site &S = R.Sites[SiteIndex];
  // A trace's operators have no source location.
  if (S.File.empty())
    return S.Name.empty() ? S.Function : S.Name;
  return fmt::format("{}:{}({})", fileName(S.File), S.Line,
                     S.Name.empty() ? S.Function : S.Name);
}

// Whether the figure that rows are ordered by covers only part of the run.
bool isPartial(const Run &R, const Entry &Of, Order By) {
  if (R.Sites[Of.first].OffSinceNs < 0 || By == Order::Name)
    return false;
  return By != Order::Self || R.Stacks.Samples.empty();
}

// Rows whose figure isn't known come last.
void sortBy(const Run &R, std::vector<Entry> &Rows, Order By) {
  std::stable_sort(Rows.begin(), Rows.end(),
                   [&](const Entry &A, const Entry &B) {
                     bool PartA = isPartial(R, A, By);
                     if (PartA != isPartial(R, B, By))
                       return !PartA;
                     switch (By) {
                     case Order::Cumulative:
                       return A.second.CumulativeNs > B.second.CumulativeNs;
                     case Order::Self:
                       return A.second.SelfNs > B.second.SelfNs;
                     case Order::Calls:
                       return A.second.Calls > B.second.Calls;
                     case Order::Name:
                       break;
                     }
                     return functionName(R, A.first) < functionName(R, B.first);
                   });
}

class AdvancedTables {
public:
  AdvancedTables(const Run &R, const ViewOptions &Options, const OrderName &By)
      : R(R), Options(Options), By(By),
        IsData(Options.Output == Format::Csv || Options.Output == Format::Json),
        HasOff(!switchedOff(R).empty()) {}

  Table build(const std::string &Name, const Phase &Of);

private:
  Cell timeCell(int64_t Ns) const {
    return time(static_cast<double>(Ns) / NsPerSecond);
  }
  Cell perCall(int64_t Ns, uint64_t Calls) const {
    return Calls == 0 ? absent()
                      : time(static_cast<double>(Ns) / NsPerSecond /
                             static_cast<double>(Calls));
  }
  bool isOff(uint32_t Site) const { return R.Sites[Site].OffSinceNs >= 0; }
  bool hasSamples() const { return !R.Stacks.Samples.empty(); }
  // Whether its own time includes functions that were switched off.
  bool holdsOthers(const Function &F) const {
    return F.HoldsOthers && !hasSamples();
  }
  Cell time(double Seconds) const {
    return real(Seconds, Options.Seconds ? fmt::format("{:.3f}", Seconds)
                                         : siDuration(Seconds, 3));
  }
  // Hooks that are off distort nothing.
  bool isDistorted(uint32_t Site, const Function &F) const {
    if (isOff(Site))
      return false;
    double Own =
        (R.HookInsideNs + R.HookOutsideNs) * static_cast<double>(F.Calls);
    return std::max(Own, static_cast<double>(F.HookNs)) >
           DistortedFrom * static_cast<double>(F.SelfNs);
  }
  Row row(uint32_t Site, const Function &F) const;
  void describe(const Phase &Of, size_t Rows, size_t Shown);

  const Run &R;
  const ViewOptions &Options;
  const OrderName &By;
  bool IsData;
  bool HasOff; ///< some function of the run was switched off
  Table Result;
};
} // namespace

Row AdvancedTables::row(uint32_t Site, const Function &F) const {
  Cell Calls = count(F.Calls);
  if (F.Calls != F.Primitive)
    Calls.Text = fmt::format("{}/{}", F.Calls, F.Primitive);
  bool Off = isOff(Site);
  if (Off)
    Calls.Text = fmt::format("{}+", F.Calls);
  std::string Name = functionName(R, Site);
  Row Next;
  if (Off)
    Next.Cells = {std::move(Calls),
                  hasSamples() ? timeCell(F.SelfNs) : absent(), absent(),
                  absent(), absent()};
  else
    Next.Cells = {std::move(Calls), timeCell(F.SelfNs),
                  perCall(F.SelfNs, F.Calls), timeCell(F.CumulativeNs),
                  perCall(F.CumulativeNs, F.Primitive)};
  Cell Shown = text(Name);
  if (Off)
    Shown.Text = Name + " (off)";
  else if (isDistorted(Site, F) || holdsOthers(F))
    Shown.Text = fmt::format("{}{}{}", isDistorted(Site, F) ? "~" : "",
                             holdsOthers(F) ? "+" : "", Name);
  Next.Cells.push_back(std::move(Shown));
  if (IsData) {
    Next.Cells.push_back(count(F.Primitive));
    Next.Cells.push_back(count(isDistorted(Site, F)));
  }
  if (IsData && HasOff) {
    Next.Cells.push_back(Off ? duration(R.Sites[Site].OffSinceNs) : absent());
    Next.Cells.push_back(count(holdsOthers(F)));
  }
  return Next;
}

void AdvancedTables::describe(const Phase &Of, size_t Rows, size_t Shown) {
  uint64_t Calls = 0, Primitive = 0;
  bool Distorted = false, Holds = false, Off = false;
  for (const auto &[Site, F] : Of.Functions) {
    Calls += F.Calls;
    Primitive += F.Primitive;
    Distorted |= isDistorted(Site, F);
    Holds |= holdsOthers(F);
    Off |= isOff(Site);
  }
  std::string InBrackets =
      Calls == Primitive ? "" : fmt::format(" ({} primitive calls)", Primitive);
  Result.Preamble = {
      fmt::format("        {}{} function calls{} in {:.3f} seconds", Calls,
                  Off ? "+" : "", InBrackets,
                  static_cast<double>(Of.TotalNs) / NsPerSecond),
      fmt::format("Ordered by: {}", By.Header)};
  if (Shown < Rows)
    Result.Preamble.push_back(
        fmt::format("List reduced from {} to {} due to restriction <{}>", Rows,
                    Shown, Shown));
  uint64_t Threads = 0;
  for (uint32_t T : Of.Threads)
    Threads += R.Threads[T].Users;
  if (Threads > 1)
    Result.Notes.push_back(
        fmt::format("Times are sums over {} threads.", Threads));
  if (Distorted)
    Result.Notes.push_back(
        "~ hooks in the function or its callees cost over 10% of its own "
        "time; leave out small functions with --min-size or --select");
  if (Off)
    Result.Notes.push_back(
        hasSamples()
            ? "(off) hooks were switched off during the run: calls count until "
              "then; own time after that is estimated from samples"
            : "(off) hooks were switched off during the run: calls count until "
              "then, and there are no times; LOOPSCOPE=advanced,stacks samples "
              "own times");
  if (Holds)
    Result.Notes.push_back(
        "+ own time includes functions it calls whose hooks are off");
}

Table AdvancedTables::build(const std::string &Name, const Phase &Of) {
  Result = Table();
  Result.Id = Name;
  Result.Where = {{"phase", Name}};
  Result.TextLayout = Layout::CProfile;
  Result.Title =
      fmt::format("Profile stats for: {}{}", Name,
                  R.Rank < 0 ? "" : fmt::format(" rank: {}", R.Rank));
  Result.Columns = {{"ncalls", "ncalls", Style::Integer},
                    {"tottime_s", "tottime", Style::Number},
                    {"tottime_percall_s", "percall", Style::Number},
                    {"cumtime_s", "cumtime", Style::Number},
                    {"cumtime_percall_s", "percall", Style::Number},
                    {"function", "filename:lineno(function)", Style::Text}};
  if (IsData) {
    Result.Columns.push_back(
        {"primitive_calls", "primitive calls", Style::Integer});
    Result.Columns.push_back({"distorted", "distorted", Style::Integer});
    if (HasOff) {
      Result.Columns.push_back({"off_since_s", "off since", Style::Number});
      Result.Columns.push_back(
          {"holds_others", "holds others", Style::Integer});
    }
  }
  std::vector<Entry> Rows(Of.Functions.begin(), Of.Functions.end());
  sortBy(R, Rows, By.By);
  // If there is a filter, the limit applies to what it leaves. The page's
  // tables have a limit of their own.
  bool ShowsAll = IsData || Options.Output == Format::Html;
  size_t Limit = Options.Filter.empty()
                     ? Options.Rows.value_or(ShowsAll ? 0 : RowsUnlessAsked)
                     : 0;
  size_t Shown = Limit == 0 ? Rows.size() : std::min(Limit, Rows.size());
  for (size_t I = 0; I < Shown; ++I)
    Result.Rows.push_back(row(Rows[I].first, Rows[I].second));
  describe(Of, Rows.size(), Shown);
  return std::move(Result);
}

namespace {
Result<std::vector<Table>> buildAdvanced(const Run &R,
                                         const ViewOptions &Options) {
  const OrderName *By = Options.Sort.empty() ? &Orders[0] : nullptr;
  for (const OrderName &Each : Orders)
    if (Options.Sort == Each.Word)
      By = &Each;
  if (!By)
    return Error{fmt::format("--sort: the advanced view has no order '{}'; use "
                             "cumulative, self, calls or name",
                             Options.Sort)};
  std::vector<std::pair<std::string, Phase>> Phases;
  OffTimes Off;
  for (const TimeOfSwitchedOff &Each : timesOfSwitchedOff(R))
    Off.emplace(Each.Node, Each);
  for (auto &[Name, Of] : collect(R, Off))
    if (!Of.Functions.empty())
      Phases.emplace_back(Name, std::move(Of));
  sortLargestFirst(Phases, [](const auto &A) { return A.second.TotalNs; });
  if (Phases.empty()) {
    Phase Whole;
    Whole.TotalNs = R.WallNs;
    for (const Thread &T : R.Threads)
      if (T.Root != None)
        addFunctions(R, Off, T.Root, Whole);
    if (Whole.Functions.empty())
      return Error{fmt::format(
          "{}: the advanced view needs functions, and this run has none; build "
          "with loopscope-rewrite --functions and run with LOOPSCOPE=advanced",
          R.Path)};
    Phases.emplace_back("the whole run", std::move(Whole));
  }
  std::vector<Table> Tables;
  AdvancedTables B(R, Options, *By);
  for (const auto &[Name, Of] : Phases)
    Tables.push_back(B.build(Name, Of));
  return Tables;
}
} // namespace

namespace loopscope {
extern const View AdvancedView = {
    .Name = "advanced",
    .Help = "cProfile's tables: the functions of each phase",
    .OfRun = buildAdvanced,
    .Shape = {.NameColumn = 5,
              .OrdersItself = true,
              .RowsUnlessAsked = ListUnlessAsked},
    .Groups = {Grouping::Key},
};
} // namespace loopscope
