// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds one section of a report from a run.

#ifndef LOOPSCOPE_REPORT_VIEWS_BUILDSECTION_H
#define LOOPSCOPE_REPORT_VIEWS_BUILDSECTION_H

#include "Analysis/Ranks/FoldedRanks.h"
#include "Analysis/Verdict/Figures.h"
#include "Analysis/Verdict/Verdict.h"
#include "Report/Views/View.h"
#include "Run/Combine/TraceCycles.h"

#include <optional>
#include <vector>

namespace loopscope {

/// View \p Which of \p From, shaped by \p Options, or why there is none.
/// Computes the facets that the view needs, for a run that was just read.
Result<Section> sectionOf(Run From, const View &Which,
                          const ViewOptions &Options);

/// The same for a run that has its facets, without applying --stage, --filter,
/// --sort, --columns and --rows.
Result<Section> buildSection(const Run &Of, const View &Which,
                             const ViewOptions &Options);

/// Why \p Of can't have view \p Which with \p Options, whatever its figures:
/// the run is empty, or has no such document.
std::optional<Error> refusal(const Run &Of, const View &Which,
                             const ViewOptions &Options);

/// Computes the facets of \p To that \p Which needs and the file didn't
/// contain.
void addFacets(Run &To, const View &Which, const ViewOptions &Options);

/// With --by key, gives each key of \p R, which has all its nodes, a place of
/// its own. Returns the notes on its keys, which nobody can tell from places
/// any more.
std::vector<std::string> groupByKey(Run &R, const ViewOptions &Options);

/// Several inputs as one run, with times summed; in views of several runs, side
/// by side. Takes one after another and keeps only what the view needs of each.
class Merger {
public:
  Merger(const View &Which, const ViewOptions &Options)
      : Which(Which), Options(Options) {}

  /// Adds an input. An error says why it, or the one before, can't take part
  /// and was left out. The traces of one process count as one input.
  std::optional<Error> add(Run From);

  bool isEmpty() const {
    return Runs.empty() && Traces.empty() && Cycles.isEmpty();
  }

  /// The section of all of them; there is at least one.
  Result<Section> finish();

private:
  std::optional<Error> take(Run From);
  Result<Section> finishTraces();

  const View &Which;
  const ViewOptions &Options;
  CycleJoiner Cycles; ///< what take() doesn't have yet
  std::vector<Run> Runs;
  RankFolder Folder;               ///< of Runs
  std::vector<Figures> Traces;     ///< figures of traces, in views of figures
  std::vector<Run> TraceRuns;      ///< their trees, in views of both
  std::vector<std::string> OfKeys; ///< what is said of the first trace's keys
};

/// The line for a verdict on \p Of. One of several ranks that communicates gets
/// a sentence instead: only their comparison tells waiting from transfer, and
/// its verdict must not contradict this one.
std::string verdictText(const RunInfo &Of, const Verdict &Found);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_BUILDSECTION_H
