// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of views.

#include "Report/Views/View.h"

namespace loopscope {

const std::vector<const View *> &allViews() {
  static const std::vector<const View *> Views = {
#define LOOPSCOPE_LIST_VIEW_(NAME, IDENTIFIER) &IDENTIFIER##View,
      LOOPSCOPE_VIEWS(LOOPSCOPE_LIST_VIEW_)};
  return Views;
}

const std::vector<std::pair<std::string, Grouping>> &groupNames() {
  static const std::vector<std::pair<std::string, Grouping>> Names = {
      {"name", Grouping::Own},      {"phase", Grouping::Phase},
      {"rank", Grouping::Own},      {"action", Grouping::Action},
      {"operation", Grouping::Own}, {"peer", Grouping::Peer}};
  return Names;
}

} // namespace loopscope
