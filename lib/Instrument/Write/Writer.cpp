// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewritten text -> files.

#include "Instrument/Write/Writer.h"

#include "Support/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <fmt/format.h>

using namespace llvm;

namespace loopscope::instrument {
namespace {

constexpr llvm::StringLiteral ByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t Context = 3;

std::vector<StringRef> lines(StringRef Text) {
  std::vector<StringRef> Lines;
  while (!Text.empty()) {
    size_t End = Text.find('\n');
    End = End == StringRef::npos ? Text.size() : End + 1;
    Lines.push_back(Text.take_front(End));
    Text = Text.drop_front(End);
  }
  return Lines;
}

void addLine(std::string &Diff, char Mark, StringRef Line) {
  Diff += Mark;
  Diff += Line;
  if (!Line.ends_with("\n"))
    Diff += "\n\\ No newline at end of file\n";
}

} // namespace

std::string withPrelude(StringRef Text, StringRef Spelling, bool Hooks) {
  std::string Result;
  if (Text.consume_front(ByteOrderMark))
    Result += ByteOrderMark;
  size_t End = Text.find('\n');
  const char *NewLine =
      End != StringRef::npos && End > 0 && Text[End - 1] == '\r' ? "\r\n"
                                                                 : "\n";
  if (Hooks)
    Result += fmt::format("#include <loopscope/hooks.h>{}", NewLine);
  Result += fmt::format("#line 1 {}{}", quote(Spelling), NewLine);
  return Result + Text.str();
}

std::optional<Error> writeFile(StringRef Path, StringRef Text) {
  StringRef Directory = sys::path::parent_path(Path);
  if (std::error_code Why = Directory.empty()
                                ? std::error_code()
                                : sys::fs::create_directories(Directory))
    return Error{
        ("cannot make the directory of '" + Path + "': " + Why.message())
            .str()};
  auto Done =
      writeOutputFile(Path.str(), std::string_view(Text), Existing::KeepEqual);
  if (!Done)
    return Done.error();
  return std::nullopt;
}

std::string unifiedDiff(StringRef Name, StringRef Before, StringRef After) {
  if (Before == After)
    return "";
  std::vector<StringRef> Old = lines(Before), New = lines(After);
  // Only the prelude is added; after it, lines correspond.
  size_t Added = New.size() - std::min(New.size(), Old.size());
  std::string Diff =
      fmt::format("--- {0}\n+++ {0} (instrumented)\n", Name.str());
  std::vector<size_t> Changed; // Indices into Old; the prelude counts as 0.
  for (size_t I = 0; I < Old.size(); ++I)
    if ((I == 0 && Added != 0) || Old[I] != New[I + Added])
      Changed.push_back(I);
  for (size_t First = 0; First < Changed.size();) {
    size_t Last = First;
    while (Last + 1 < Changed.size() &&
           Changed[Last + 1] - Changed[Last] <= 2 * Context)
      ++Last;
    size_t Begin = Changed[First] - std::min(Changed[First], Context);
    size_t End = std::min(Changed[Last] + Context + 1, Old.size());
    size_t Shift = Begin == 0 ? 0 : Added;
    Diff += fmt::format("@@ -{},{} +{},{} @@\n", Begin + 1, End - Begin,
                        Begin + 1 + Shift, End - Begin + Added - Shift);
    if (Begin == 0)
      for (size_t I = 0; I < Added; ++I)
        addLine(Diff, '+', New[I]);
    for (size_t I = Begin; I < End; ++I) {
      if (Old[I] == New[I + Added]) {
        addLine(Diff, ' ', Old[I]);
        continue;
      }
      addLine(Diff, '-', Old[I]);
      addLine(Diff, '+', New[I + Added]);
    }
    First = Last + 1;
  }
  return Diff;
}

} // namespace loopscope::instrument
