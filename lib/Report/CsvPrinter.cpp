// csv.
#include "Report/Csv.h"
#include "Report/Printers.h"

using namespace loopscope;

namespace {
void appendTable(std::string &Out, const Table &T) {
  for (size_t I = 0; I < T.Columns.size(); ++I) {
    if (I != 0)
      Out += ',';
    Out += T.Columns[I].Key;
  }
  Out += '\n';
  for (const Row &R : T.Rows) {
    for (size_t I = 0; I < R.Cells.size(); ++I) {
      if (I != 0)
        Out += ',';
      const auto *Text = std::get_if<std::string>(&R.Cells[I].Value);
      Out += Text ? csvText(*Text) : cellData(R.Cells[I]);
    }
    Out += '\n';
  }
}
} // namespace

std::string loopscope::printCsv(const std::vector<Section> &Report) {
  size_t Tables = 0;
  for (const Section &S : Report)
    Tables += S.Tables.size();
  std::string Result;
  for (const Section &S : Report)
    for (const Table &T : S.Tables) {
      if (Tables > 1) {
        Result += Result.empty() ? "# " : "\n# ";
        Result += Report.size() > 1 ? S.File + ": " : "";
        Result += T.Title + " (" + T.Id + ")\n";
      }
      appendTable(Result, T);
    }
  return Result;
}
