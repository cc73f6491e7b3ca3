// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words about spans that were ended early. The runtime counts them by call
// path, and marks the call paths of which an end came later. How many ends came
// later is known for the whole run only.

#include "Report/Views/EarlyEnds.h"

#include "Report/Print/Cells.h"
#include "Report/Views/Footer.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>
#include <loopscope/named_losses.h>
#include <loopscope/profile_counters.h>

#include <algorithm>
#include <map>

using namespace loopscope;

const Column loopscope::EarlyEndsColumn = {"ended_early", "Ended early",
                                           Style::Integer, 3};

namespace {
// Spans that were ended early, by the name of their phase.
struct EarlyEnds {
  std::map<std::string, uint64_t> ByName;
  uint64_t Spans = 0;

  void add(const std::string &Name, uint64_t Count) {
    ByName[Name] += Count;
    Spans += Count;
  }

  /// "3 spans of b, a", the phase with most of them first.
  std::string words() const {
    std::vector<std::pair<std::string, uint64_t>> All(ByName.begin(),
                                                      ByName.end());
    sortLargestFirst(All, [](const auto &A) { return A.second; });
    std::vector<std::string> Names;
    for (auto &[Name, Count] : All)
      Names.push_back(std::move(Name));
    return fmt::format("{} of {}", counted(Spans, "span"),
                       someOf(std::move(Names)));
  }
};

// OF were followed by their own ends, all or LATE of them.
std::string wrongOrder(const EarlyEnds &Of, uint64_t Late) {
  bool IsOne = Of.Spans == 1;
  std::string Ends = Late < Of.Spans ? fmt::format("{} of their own ends", Late)
                     : IsOne         ? "its own end"
                                     : "their own ends";
  return fmt::format(
      "{}: ended early, because a span around {} ended first; {} came later "
      "and {} ignored: the ends (loopscope_leave) are in the wrong order.",
      Of.words(), IsOne ? "it" : "them", Ends,
      IsOne || Late == 1 ? "was" : "were");
}

// Phases whose spans' ends came on another thread or fibre.
struct ElsewhereEnds {
  std::vector<std::string> Names;
  uint64_t NeverEnded = 0; // spans of them that something else ended

  void add(const std::string &Name, uint64_t EndedEarly) {
    if (std::ranges::find(Names, Name) == Names.end())
      Names.push_back(Name);
    NeverEnded += EndedEarly;
  }

  /// WHERE: what the ENDS came on.
  std::string words(const char *Where, uint64_t Ends) const {
    return fmt::format("{} of {}: on another {} than the span began on, "
                       "ignored; such a span lasts until one around it ends.",
                       counted(Ends, "end"), someOf(Names), Where);
  }
};

std::string endedWithFibre(const EarlyEnds &Of) {
  bool IsOne = Of.Spans == 1;
  return fmt::format("{}: ended early, because {} fibre ended "
                     "(loopscope_fibre_end) while {} open.",
                     Of.words(), IsOne ? "its" : "their",
                     IsOne ? "it was" : "they were");
}

std::string leftByJump(const EarlyEnds &Of) {
  bool IsOne = Of.Spans == 1;
  return fmt::format(
      "{}: ended early, because a span around {}, {} thread or {} function had "
      "ended; no end of {} own came (longjmp, pthread_exit, an exception "
      "through C code), or only when the phase ran again.",
      Of.words(), IsOne ? "it" : "them", IsOne ? "its" : "their",
      IsOne ? "its" : "their", IsOne ? "its" : "their");
}
} // namespace

bool loopscope::hasEarlyEnds(const Run &R) {
  return std::any_of(R.Nodes.begin(), R.Nodes.end(),
                     [](const Node &N) { return N.EndedEarly != 0; });
}

Cell loopscope::nameWithEarlyEnds(const std::string &Name,
                                  uint64_t EndedEarly) {
  Cell Result = text(Name);
  if (EndedEarly != 0)
    Result.Text = Name + EarlyEndsMark;
  return Result;
}

Cell loopscope::pathName(const Run &R, const PathTree &Tree, const Path &Of,
                         const Path &Parent) {
  std::string Shown = nameAmong(R, Tree, Of, Parent);
  Shown += Of.Open ? " (open)" : "";
  Shown += Of.EndedEarly != 0 ? EarlyEndsMark : "";
  Cell Name = text(Of.Name);
  if (Shown != Of.Name)
    Name.Text = std::move(Shown);
  return Name;
}

std::vector<std::string> loopscope::earlyEndLines(const Run &R) {
  EarlyEnds Followed, WithFibre, Left;
  ElsewhereEnds OnThreads, OnFibres;
  for (const Node &N : R.Nodes) {
    if (N.EndedOnOtherFibre)
      OnFibres.add(treeName(R, N), N.EndedEarly);
    else if (N.EndedElsewhere)
      OnThreads.add(treeName(R, N), N.EndedEarly);
    else if (N.EndedEarly != 0)
      (N.EndCameLater ? Followed
       : N.FibreEnded ? WithFibre
                      : Left)
          .add(treeName(R, N), N.EndedEarly);
  }
  std::vector<std::string> Result;
  if (uint64_t Ends = R.Lost.Counters[LOOPSCOPE_COUNT_OTHER_THREAD];
      !OnThreads.Names.empty() && Ends != 0)
    Result.push_back(OnThreads.words("thread", Ends));
  if (uint64_t Ends = R.Lost.named(LOOPSCOPE_COUNT_FIBRE_ENDS);
      !OnFibres.Names.empty() && Ends != 0)
    Result.push_back(OnFibres.words("fibre", Ends));
  if (WithFibre.Spans != 0)
    Result.push_back(endedWithFibre(WithFibre));
  if (Followed.Spans != 0)
    Result.push_back(
        wrongOrder(Followed, R.Lost.Counters[LOOPSCOPE_COUNT_LATE_END]));
  if (Left.Spans != 0)
    Result.push_back(leftByJump(Left));
  uint64_t All = R.Lost.Counters[LOOPSCOPE_COUNT_POPPED];
  uint64_t Known = Followed.Spans + WithFibre.Spans + Left.Spans +
                   OnThreads.NeverEnded + OnFibres.NeverEnded;
  if (All > Known)
    Result.push_back(fmt::format(
        "{}: closed by the end of a span around them (longjmp, pthread_exit, "
        "or loopscope_leave in the wrong order: the outer span first).",
        counted(All - Known, Known == 0 ? "span" : "other span")));
  return Result;
}
