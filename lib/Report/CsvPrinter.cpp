// csv.
#include "Report/Printers.h"

using namespace loopscope;

namespace {
void appendField(std::string &Out, const std::string &Field) {
  if (Field.find_first_of(",\"\n\r") == std::string::npos) {
    Out += Field;
    return;
  }
  Out += '"';
  for (char C : Field) {
    if (C == '"')
      Out += '"';
    Out += C;
  }
  Out += '"';
}

void appendTable(std::string &Out, const Table &T) {
  for (size_t I = 0; I < T.Columns.size(); ++I) {
    if (I != 0)
      Out += ',';
    appendField(Out, T.Columns[I].Key);
  }
  Out += '\n';
  for (const Row &R : T.Rows) {
    for (size_t I = 0; I < R.Cells.size(); ++I) {
      if (I != 0)
        Out += ',';
      appendField(Out, cellData(R.Cells[I]));
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
