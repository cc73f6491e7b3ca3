// The names of views, formats and stages on the command line.
#ifndef LOOPSCOPE_REPORT_VIEWNAMES_H
#define LOOPSCOPE_REPORT_VIEWNAMES_H

#include "Report/View.h"

#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// Every view with its name.
const std::vector<std::pair<std::string, View>> &viewNames();

/// The name of a view.
const std::string &viewName(View Which);

/// Every format with its name.
const std::vector<std::pair<std::string, Format>> &formatNames();

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWNAMES_H
