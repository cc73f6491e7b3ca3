// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds one section of a report from a run.

#ifndef LOOPSCOPE_REPORT_VIEWS_BUILDSECTION_H
#define LOOPSCOPE_REPORT_VIEWS_BUILDSECTION_H

#include "Analysis/Verdict/Figures.h"
#include "Report/Views/View.h"

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

/// Several inputs as one run, with times summed; in views of several runs, side
/// by side. Takes one after another and keeps only what the view needs of each.
class Merger {
public:
  Merger(const View &Which, const ViewOptions &Options)
      : Which(Which), Options(Options) {}

  /// Adds an input. An error says why it can't take part and was left out.
  std::optional<Error> add(Run From);

  bool isEmpty() const { return Runs.empty() && Traces.empty(); }

  /// The section of all of them; there is at least one.
  Result<Section> finish();

private:
  const View &Which;
  const ViewOptions &Options;
  std::vector<Run> Runs;
  std::vector<Figures> Traces; ///< figures of traces, in views of figures
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_BUILDSECTION_H
