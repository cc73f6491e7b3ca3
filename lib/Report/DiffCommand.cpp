// Compares the simple view's rows of two runs.
#include "Report/DiffCommand.h"

#include "Profile/ProfileReader.h"
#include "Report/Cells.h"
#include "Report/FlatRows.h"
#include "Report/Numbers.h"
#include "Report/Output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace loopscope;

namespace {
// Welch's t at 95 % for more than 30 spans on each side, where it is as good as
// normally distributed. Fewer spans are never called significant.
constexpr double Significant = 1.96;
constexpr uint64_t LeastSpans = 30;
constexpr size_t ChangePercent = 4, SignificantColumn = 6; // columns

const std::vector<Column> Columns = {
    {"action", "Action", Style::Text},
    {"before_mean_s", "Mean before", Style::Duration},
    {"after_mean_s", "Mean after", Style::Duration},
    {"change_total_s", "Change of total", Style::Duration},
    {"change_percent", "Change of mean", Style::Percent2},
    {"t", "t", Style::Number},
    {"significant", "Significant", Style::Text}};

struct Pair {
  std::string Name;
  FlatRow Before, After;
  int64_t changeNs() const { return After.TotalNs - Before.TotalNs; }
};

std::vector<Pair> pairUp(const FlatRows &Before, const FlatRows &After) {
  std::vector<Pair> Result;
  for (const FlatRow &R : Before.Rows)
    Result.push_back({R.Name, R, {}});
  for (const FlatRow &R : After.Rows) {
    auto Same = std::find_if(Result.begin(), Result.end(),
                             [&](const Pair &P) { return P.Name == R.Name; });
    if (Same == Result.end())
      Same = Result.insert(Same, {R.Name, {}, {}});
    Same->After = R;
  }
  std::stable_sort(Result.begin(), Result.end(),
                   [](const Pair &A, const Pair &B) {
                     return std::abs(A.changeNs()) > std::abs(B.changeNs());
                   });
  return Result;
}

// Welch's t of two means; none without enough spans or any spread.
std::optional<double> welch(const Moments &A, const Moments &B) {
  if (A.count() < LeastSpans || B.count() < LeastSpans)
    return std::nullopt;
  double Variance =
      A.deviationNs() * A.deviationNs() / static_cast<double>(A.count()) +
      B.deviationNs() * B.deviationNs() / static_cast<double>(B.count());
  if (Variance <= 0)
    return std::nullopt;
  return (B.meanNs() - A.meanNs()) / std::sqrt(Variance);
}

Row rowOf(const Pair &P) {
  const Moments &A = P.Before.Spans;
  const Moments &B = P.After.Spans;
  auto Mean = [](const Moments &M) {
    return M.count() == 0 ? absent() : seconds(M.meanNs() / NsPerSecond);
  };
  bool HasBoth = A.count() != 0 && B.count() != 0 && A.meanNs() > 0;
  std::optional<double> T = welch(A, B);
  double Percent = HasBoth ? (B.meanNs() / A.meanNs() - 1) * 100 : 0;
  Row Result;
  Result.Cells = {text(P.Name),
                  Mean(A),
                  Mean(B),
                  duration(P.changeNs()),
                  HasBoth ? real(Percent, fmt::format("{:+.1f}%", Percent))
                          : absent(A.count() == 0 ? "new" : "gone"),
                  T ? real(*T) : absent(),
                  text(!T                            ? "unknown"
                       : std::abs(*T) >= Significant ? "yes"
                                                     : "no")};
  return Result;
}
} // namespace

Section loopscope::buildDiff(const Profile &Before, const Profile &After) {
  Section Result;
  Result.File = After.Path;
  Result.Label = "against " + Before.Path;
  Result.ViewName = "diff";
  Stages StagesBefore = findStages(Before), StagesAfter = findStages(After);
  for (const Stage &S : StagesAfter.List) {
    FlatRows Old;
    int64_t OldWall = 0;
    for (const Stage &Each : StagesBefore.List)
      if (Each.Kind == S.Kind) {
        Old = flatten(Before, StagesBefore, Each);
        OldWall = Each.WallNs;
      }
    Table T;
    T.Id = S.Id;
    T.Title =
        fmt::format("{}: {} before, {} after", S.Title,
                    siDuration(static_cast<double>(OldWall) / NsPerSecond),
                    siDuration(static_cast<double>(S.WallNs) / NsPerSecond));
    T.Columns = Columns;
    for (const Pair &P : pairUp(Old, flatten(After, StagesAfter, S)))
      T.Rows.push_back(rowOf(P));
    Result.Tables.push_back(std::move(T));
  }
  Result.Footer.push_back(
      "Significant: Welch's t-test of the means at 95 %; unknown with fewer "
      "than 30 spans on a side or none of them different.");
  return Result;
}

double loopscope::worstSlowdown(const Section &Diff) {
  double Worst = 0;
  for (const Table &T : Diff.Tables)
    for (const Row &R : T.Rows) {
      const auto *Percent = std::get_if<double>(&R.Cells[ChangePercent].Value);
      const auto *Answer =
          std::get_if<std::string>(&R.Cells[SignificantColumn].Value);
      if (Percent && Answer && *Answer == "yes")
        Worst = std::max(Worst, *Percent);
    }
  return Worst;
}

int loopscope::runDiff(const DiffRequest &Request) {
  Result<Profile> Before = readProfile(Request.Before);
  Result<Profile> After = readProfile(Request.After);
  for (const Result<Profile> *Each : {&Before, &After})
    if (!*Each)
      printError(Each->error().Message);
  if (!Before || !After)
    return 1;
  Section Diff = buildDiff(*Before, *After);
  double Worst = worstSlowdown(Diff);
  Terminal Where =
      Request.OutputFile.empty() ? outputTerminal() : fileTerminal();
  if (!writeOutput(print({std::move(Diff)}, Request.Output, Where),
                   Request.OutputFile))
    return 1;
  if (!Request.FailOver || Worst <= *Request.FailOver)
    return 0;
  printError(fmt::format("an action got {:.1f} % slower, more than {:g} %",
                         Worst, *Request.FailOver));
  return 1;
}
