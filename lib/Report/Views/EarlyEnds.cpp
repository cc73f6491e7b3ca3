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

// ENDS came on other threads, for spans of the phases NAMES.
std::string onOtherThreads(std::vector<std::string> Names, uint64_t Ends) {
  return fmt::format("{} of {}: on another thread than the span began on, "
                     "ignored; such a span lasts until one around it ends.",
                     counted(Ends, "end"), someOf(std::move(Names)));
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

bool loopscope::hasEarlyEnds(const Run &P) {
  return std::any_of(P.Nodes.begin(), P.Nodes.end(),
                     [](const Node &N) { return N.EndedEarly != 0; });
}

Cell loopscope::nameWithEarlyEnds(const std::string &Name,
                                  uint64_t EndedEarly) {
  Cell Result = text(Name);
  if (EndedEarly != 0)
    Result.Text = Name + EarlyEndsMark;
  return Result;
}

Cell loopscope::pathName(const Run &P, const PathTree &Tree, const Path &Of,
                         const Path &Parent) {
  std::string Shown = nameAmong(P, Tree, Of, Parent);
  Shown += Of.Open ? " (open)" : "";
  Shown += Of.EndedEarly != 0 ? EarlyEndsMark : "";
  Cell Name = text(Of.Name);
  if (Shown != Of.Name)
    Name.Text = std::move(Shown);
  return Name;
}

std::vector<std::string> loopscope::earlyEndLines(const Run &P) {
  EarlyEnds Followed, Left;
  std::vector<std::string> Elsewhere;
  uint64_t NeverEnded = 0; // of those ended elsewhere
  for (const Node &N : P.Nodes) {
    if (N.EndedElsewhere) {
      std::string Name = treeName(P, N);
      if (std::ranges::find(Elsewhere, Name) == Elsewhere.end())
        Elsewhere.push_back(std::move(Name));
      NeverEnded += N.EndedEarly;
    } else if (N.EndedEarly != 0) {
      (N.EndCameLater ? Followed : Left).add(treeName(P, N), N.EndedEarly);
    }
  }
  std::vector<std::string> Result;
  uint64_t EndsElsewhere = P.Lost.Counters[LOOPSCOPE_COUNT_OTHER_THREAD];
  if (!Elsewhere.empty() && EndsElsewhere != 0)
    Result.push_back(onOtherThreads(std::move(Elsewhere), EndsElsewhere));
  if (Followed.Spans != 0)
    Result.push_back(
        wrongOrder(Followed, P.Lost.Counters[LOOPSCOPE_COUNT_LATE_END]));
  if (Left.Spans != 0)
    Result.push_back(leftByJump(Left));
  uint64_t All = P.Lost.Counters[LOOPSCOPE_COUNT_POPPED];
  if (uint64_t Known = Followed.Spans + Left.Spans + NeverEnded; All > Known)
    Result.push_back(fmt::format(
        "{}: closed by the end of a span around them (longjmp, pthread_exit, "
        "or loopscope_leave in the wrong order: the outer span first).",
        counted(All - Known, Known == 0 ? "span" : "other span")));
  return Result;
}
