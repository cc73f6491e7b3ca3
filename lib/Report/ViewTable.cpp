// The table of views, and the names of formats.
#include "Report/View.h"

namespace loopscope {

const std::vector<const View *> &allViews() {
  static const std::vector<const View *> Views = {
#define LOOPSCOPE_LIST_VIEW_(NAME, IDENTIFIER) &IDENTIFIER##View,
      LOOPSCOPE_VIEWS(LOOPSCOPE_LIST_VIEW_)};
  return Views;
}

const std::vector<std::pair<std::string, Format>> &formatNames() {
  static const std::vector<std::pair<std::string, Format>> Names = {
      {"text", Format::Text}, {"markdown", Format::Markdown},
      {"csv", Format::Csv},   {"json", Format::Json},
      {"html", Format::Html}, {"tensorboard-json", Format::TensorBoardJson}};
  return Names;
}

} // namespace loopscope
