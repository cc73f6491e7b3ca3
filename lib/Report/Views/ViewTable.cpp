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

} // namespace loopscope
