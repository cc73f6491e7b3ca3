// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports and explains diagnostics.

#include "Instrument/Diagnose/Diagnostics.h"

#include "clang/Basic/Diagnostic.h"

namespace loopscope::instrument {
namespace {

constexpr Explanation Explanations[] = {
#define LOOPSCOPE_DIAG(NAME, ...) {__VA_ARGS__},
#include "Instrument/Diagnose/Annotations.def"
#include "Instrument/Diagnose/Code.def"
#include "Instrument/Diagnose/Selections.def"
#undef LOOPSCOPE_DIAG
};

/// The text of E with words instead of Clang's arguments.
std::string textOf(const Explanation &E) {
  if (!E.Text.empty())
    return E.Text.str();
  std::string Text;
  for (size_t I = 0; I < E.Format.size(); ++I)
    if (E.Format[I] != '%')
      Text += E.Format[I];
    else
      Text += E.Format[++I] == '0' ? "NAME" : "...";
  return Text;
}

std::string indented(llvm::StringRef Code) {
  std::string Text;
  for (llvm::StringRef Rest = Code; !Rest.empty();) {
    auto [Line, Next] = Rest.split('\n');
    Text += (Line.empty() ? "" : "    " + Line.str()) + "\n";
    Rest = Next;
  }
  return Text;
}

std::string text(const Explanation &E) {
  return "> " + textOf(E) + " [" + E.ID.str() + "]\n\n" + E.Why.str() + "\n\n" +
         indented(E.Bad) + "\nInstead:\n\n" + indented(E.Good);
}

} // namespace

const Explanation &explanation(Diag D) {
  return Explanations[static_cast<unsigned>(D)];
}

std::string tag(Diag D) { return " [" + explanation(D).ID.str() + "]"; }

clang::DiagnosticBuilder report(clang::DiagnosticsEngine &Diags,
                                clang::SourceLocation Loc, Diag D) {
  std::string Format = explanation(D).Format.str() + tag(D);
  return Diags.Report(Loc, Diags.getDiagnosticIDs()->getCustomDiagID(
                               clang::DiagnosticIDs::Error, Format));
}

std::optional<std::string> explain(llvm::StringRef ID) {
  for (const Explanation &E : Explanations)
    if (E.ID == ID)
      return text(E);
  return std::nullopt;
}

std::string listDiagnostics() {
  std::string Text;
  for (const Explanation &E : Explanations)
    Text += E.ID.str() + std::string(22 - E.ID.size(), ' ') + textOf(E) + "\n";
  return Text;
}

std::string explainAll() {
  std::string Text =
      "# Diagnostics\n\nThe messages of `loopscope-rewrite` about sources and "
      "selections, each with the reason and a fix.\n`loopscope-rewrite "
      "--explain all` makes this page; `--explain ID` prints one of them.\n";
  for (const Explanation &E : Explanations)
    Text += "\n## " + E.ID.str() + "\n\n" + text(E);
  return Text;
}

} // namespace loopscope::instrument
