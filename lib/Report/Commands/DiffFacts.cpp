// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values before and after.

#include "Report/Commands/DiffFacts.h"

#include "Report/Print/Cells.h"
#include "Report/Views/FactLines.h"
#include "Report/Views/Footer.h"

using namespace loopscope;

namespace {
Cell sideOf(const std::string &Name, const std::vector<FactValue> &Values) {
  if (Values.empty())
    return absent();
  std::vector<std::string> All;
  for (const FactValue &Each : Values)
    All.push_back(shownFact(Name, Each));
  return text(someOf(std::move(All)));
}
} // namespace

Table loopscope::factChangeTable(const std::vector<FactChange> &Changes) {
  Table Out;
  Out.Id = "facts";
  Out.Where = {{"stage", Out.Id}};
  Out.Title = "What the runs say that differs";
  if (!Changes.empty())
    Out.Columns = {{"fact", "Fact", Style::Text},
                   {"before", "Before", Style::Text},
                   {"after", "After", Style::Text}};
  for (const FactChange &Each : Changes)
    Out.Rows.push_back({{text(Each.Name), sideOf(Each.Name, Each.Before),
                         sideOf(Each.Name, Each.After)}});
  return Out;
}
