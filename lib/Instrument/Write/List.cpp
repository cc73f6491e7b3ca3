// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table that --list prints.

#include "Instrument/Write/List.h"

#include "Support/Printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace loopscope::instrument {

std::vector<Listed> listSites(const PlannedFile &File) {
  std::vector<Listed> Rows;
  for (const Site &S : File.Sites)
    Rows.push_back(
        {printable(S.A.Name), info(S.A.K).Attribute.str(),
         fmt::format("{}:{}", printable(File.Source->Spelling), S.A.Line),
         printable(S.A.Function)});
  return Rows;
}

std::string listTable(std::vector<Listed> Rows) {
  if (Rows.empty())
    return "no annotations found\n";
  Rows.insert(Rows.begin(), {"phase", "kind", "file:line", "function"});
  size_t Phase = 0, Kind = 0, Place = 0;
  for (const Listed &Row : Rows) {
    Phase = std::max(Phase, Row.Phase.size());
    Kind = std::max(Kind, Row.Kind.size());
    Place = std::max(Place, Row.Place.size());
  }
  std::string Text;
  for (const Listed &Row : Rows)
    Text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", Row.Phase, Phase,
                        Row.Kind, Kind, Row.Place, Place, Row.Function);
  return Text;
}

} // namespace loopscope::instrument
