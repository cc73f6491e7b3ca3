// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of views.

#include "Report/Views/View.h"

#include "Analysis/Samples/SampledProgram.h"

#include <loopscope/view_names.h>

#include <algorithm>

namespace loopscope {

// Each is defined in its own file of Views/.
#define LOOPSCOPE_DECLARE_VIEW_(NAME, IDENTIFIER)                              \
  extern const View IDENTIFIER##View;
LOOPSCOPE_VIEWS(LOOPSCOPE_DECLARE_VIEW_)
#undef LOOPSCOPE_DECLARE_VIEW_

const std::vector<const View *> &allViews() {
  static const std::vector<const View *> Views = {
#define LOOPSCOPE_LIST_VIEW_(NAME, IDENTIFIER) &IDENTIFIER##View,
      LOOPSCOPE_VIEWS(LOOPSCOPE_LIST_VIEW_)};
  return Views;
}

const View &defaultView(const ViewOptions &Options, TableStyle Style) {
  bool ForPeople =
      Options.Output == Format::Text || Options.Output == Format::Markdown;
  bool ShapesTable =
      Options.Compact || Options.Stats || Options.Rows ||
      !Options.Sort.empty() || !Options.Columns.empty() ||
      !Options.Filter.empty() || !Options.Stage.empty() ||
      Style != TableStyle::Plain ||
      (Options.By != Grouping::Own && canGroup(SimpleView, Options.By));
  return ForPeople && !ShapesTable ? SummaryView : SimpleView;
}

const View *insteadOf(const View &Asked, const Run &Of) {
  bool IsUsual = &Asked == &SummaryView || &Asked == &SimpleView;
  return IsUsual && hasSamplesOnly(Of) ? &LoopsView : nullptr;
}

bool canGroup(const View &Which, Grouping By) {
  return By == Grouping::Own ||
         std::find(Which.Groups.begin(), Which.Groups.end(), By) !=
             Which.Groups.end();
}

const std::vector<std::pair<std::string, Grouping>> &groupNames() {
  static const std::vector<std::pair<std::string, Grouping>> Names = {
      {"name", Grouping::Own},      {"phase", Grouping::Phase},
      {"shape", Grouping::Shape},   {"rank", Grouping::Own},
      {"action", Grouping::Action}, {"operation", Grouping::Own},
      {"peer", Grouping::Peer},     {"key", Grouping::Key}};
  return Names;
}

} // namespace loopscope
