// Name tables.
#include "Report/ViewNames.h"

using namespace loopscope;

const std::vector<std::pair<std::string, View>> &loopscope::viewNames() {
  static const std::vector<std::pair<std::string, View>> Names = {
      {"simple", View::Simple},   {"throughput", View::Throughput},
      {"tree", View::Tree},       {"advanced", View::Advanced},
      {"ranks", View::Ranks},     {"operators", View::Operators},
      {"kernels", View::Kernels}, {"overview", View::Overview},
      {"devices", View::Devices}, {"timeline", View::Timeline}};
  return Names;
}

const std::string &loopscope::viewName(View Which) {
  for (const auto &[Name, Each] : viewNames())
    if (Each == Which)
      return Name;
  static const std::string Unknown = "unknown";
  return Unknown;
}

const std::vector<std::pair<std::string, Format>> &loopscope::formatNames() {
  static const std::vector<std::pair<std::string, Format>> Names = {
      {"text", Format::Text}, {"markdown", Format::Markdown},
      {"csv", Format::Csv},   {"json", Format::Json},
      {"html", Format::Html}, {"tensorboard-json", Format::TensorBoardJson}};
  return Names;
}
