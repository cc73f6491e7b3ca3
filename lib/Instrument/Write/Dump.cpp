// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what passes between the stages, as plain text.

#include "Instrument/Write/Dump.h"

#include "Support/Printable.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <utility>

namespace loopscope::instrument {
namespace {

class Lines {
public:
  void add(const SourcePlace &Where, std::string Text) {
    All.emplace_back(Where, std::move(Text));
  }

  void add(const ParseResult &R, Stage Last) {
    for (const Refusal &Each : R.Refusals)
      if (Each.At <= Last)
        add(Each.Where, fmt::format("refused by {} [{}]: {}",
                                    Each.At == Stage::Find ? "find" : "refuse",
                                    Each.ID, printable(Each.Text)));
  }

  /// Sorted by place. Items that a header yields each time it is included
  /// appear once.
  std::string text() {
    llvm::stable_sort(
        All, [](const auto &A, const auto &B) { return A.first < B.first; });
    All.erase(llvm::unique(All), All.end());
    std::string Text;
    for (const auto &[Where, Line] : All)
      Text += fmt::format("{}:{}:{}: {}\n", printable(Where.File), Where.Line,
                          Where.Column, Line);
    return Text;
  }

private:
  std::vector<std::pair<SourcePlace, std::string>> All;
};

SourcePlace placeOf(const SourceFile &File, unsigned Offset) {
  llvm::StringRef Before = llvm::StringRef(File.Text).take_front(Offset);
  size_t LineStart = Before.rfind('\n') + 1; // npos + 1 is 0
  return {File.Spelling, static_cast<unsigned>(Before.count('\n') + 1),
          static_cast<unsigned>(Offset - LineStart + 1)};
}

std::string origin(const FoundMark &M, const Selection *Select) {
  switch (M.From) {
  case Origin::Attribute:
    return "attribute";
  case Origin::Macro:
    return "macro " + M.Macro;
  case Origin::FunctionMode:
    return "function mode";
  case Origin::Selection:
    break;
  }
  const Rule &R = Select->Rules[static_cast<size_t>(M.Rule)];
  return fmt::format("rule {}:{}:{}", printable(Select->Path), R.Line,
                     R.Column);
}

const char *formName(Form F) {
  switch (F) {
  case Form::Block:
    return "block";
  case Form::Wrap:
    return "wrap";
  case Form::Pair:
    return "pair";
  case Form::Loop:
    return "loop";
  }
  return "";
}

std::string siteText(const Site &S, const SourceFile &File) {
  const Annotation &A = S.A;
  SourcePlace End = placeOf(File, A.Whole.End);
  std::string Text =
      fmt::format("site {}: {} {}, form {}, to {}:{}, in {}", S.ID,
                  info(A.K).Attribute.str(), quote(A.Name), formName(A.F),
                  End.Line, End.Column, printable(A.Function));
  if (!S.StepID.empty())
    Text += ", steps are site " + S.StepID;
  for (const QuantityInfo &I : quantities())
    if (const std::string &Said = A.Amounts[I.Q].Text; !Said.empty())
      Text += fmt::format(", {} {}", I.Name.str(), quote(Said));
  if (S.Next)
    Text += ", starts at the last reading";
  return Text;
}

/// "(NAME, BYTES) with flops(FLOP) with iterations(COUNT)", as far as the mark
/// has these.
std::string arguments(const FoundMark &M) {
  std::string Own, Beside;
  if (!M.Argument.empty())
    Own = quote(M.Argument);
  for (const QuantityInfo &I : quantities()) {
    const std::string &Said = M.Amounts[I.Q];
    if (Said.empty())
      continue;
    if (I.By)
      Beside += " with " + info(*I.By).Attribute.str() + "(" +
                (I.Q == Quantity::Key && !M.KeyLabel.empty()
                     ? quote(M.KeyLabel) + ", "
                     : "") +
                quote(Said) + ")";
    else
      Own += (isNamedKind(M.K) ? (Own.empty() ? "\"\", " : ", ") : "") +
             quote(Said);
  }
  return (Own.empty() ? "" : "(" + Own + ")") + Beside;
}

std::string editText(const Edit &E, llvm::StringRef Text) {
  if (E.Where.Begin == E.Where.End)
    return fmt::format("at {}: insert {}", E.Where.Begin, quote(E.Text));
  std::string Old = quote(Text.slice(E.Where.Begin, E.Where.End));
  std::string Range = fmt::format("at {}-{}:", E.Where.Begin, E.Where.End);
  return llvm::StringRef(E.Text).trim().empty()
             ? fmt::format("{} blank {}", Range, Old)
             : fmt::format("{} replace {} by {}", Range, Old, quote(E.Text));
}

} // namespace

std::string dumpMarks(const ParseResult &R, const Selection *Select) {
  Lines All;
  for (const FoundMark &M : R.Marks) {
    bool IsFunction = llvm::StringRef(M.Construct).ends_with("Decl");
    All.add(M.Where,
            fmt::format("{}{} by {} on {} {}", info(M.K).Attribute.str(),
                        arguments(M), origin(M, Select), M.Construct,
                        M.Function.empty() ? "outside of functions"
                        : IsFunction       ? printable(M.Function)
                                           : "in " + printable(M.Function)));
  }
  All.add(R, Stage::Find);
  return All.text();
}

std::string dumpSites(const ParseResult &R,
                      const std::vector<PlannedFile> &Plan) {
  Lines All;
  for (const PlannedFile &File : Plan)
    for (const Site &S : File.Sites)
      All.add(placeOf(*File.Source, S.A.Whole.Begin),
              siteText(S, *File.Source));
  All.add(R, Stage::Refuse);
  return All.text();
}

std::string dumpEdits(const ParseResult &R,
                      const std::vector<PlannedFile> &Plan) {
  Lines All;
  for (const PlannedFile &File : Plan)
    for (const Edit &E : File.Edits)
      All.add(placeOf(*File.Source, E.Where.Begin),
              editText(E, File.Source->Text));
  All.add(R, Stage::Refuse);
  return All.text();
}

} // namespace loopscope::instrument
