// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts Clang's diagnostics.

#include "Instrument/Parse/Listener.h"

#include "Instrument/Text/Places.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace loopscope::instrument {

Listener::Listener(const ParseOptions &Options) : Options(Options) {
  PrinterOptions.ShowColors = Options.Colour;
}

void Listener::BeginSourceFile(const LangOptions &Lang, const Preprocessor *) {
  Printer = std::make_unique<TextDiagnostic>(*Options.Diagnostics, Lang,
                                             PrinterOptions);
}

void Listener::EndSourceFile() { Printer.reset(); }

/// Whether this error means that an imported module can't be read.
static bool isFailedImport(unsigned ID) {
  return ID == diag::err_module_not_found ||
         ID == diag::err_header_import_not_header_unit ||
         (ID >= diag::DIAG_START_SERIALIZATION && ID < diag::DIAG_START_LEX);
}

void Listener::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                const Diagnostic &Info) {
  bool IsOurs = Info.getID() >= diag::DIAG_UPPER_LIMIT;
  if (!IsOurs && Level < DiagnosticsEngine::Error)
    return;
  if (!Info.hasSourceManager() || !Printer) {
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    *Options.Diagnostics << "loopscope-rewrite: error: " << Text << '\n';
    ++DriverErrors;
    return;
  }
  const SourceManager &SM = Info.getSourceManager();
  if (IsOurs) {
    Ours += Level == DiagnosticsEngine::Error && !OnlyWarn;
    if (Level == DiagnosticsEngine::Error &&
        (OnlyWarn || !Options.RefusalsAreErrors))
      Level = DiagnosticsEngine::Warning;
    addRefusal(Info);
    if (Info.getLocation().isValid()) {
      Reported.insert(SM.getDecomposedExpansionLoc(Info.getLocation()));
      Reported.insert(SM.getDecomposedSpellingLoc(Info.getLocation()));
    }
    StoredDiagnostic Stored(Level, Info);
    Printer->emitStoredDiagnostic(Stored);
    return;
  }
  // If one of our attributes ends up on a type, it is reported as misplaced,
  // which it is for every compiler; the code around it parsed.
  llvm::SmallString<128> Text;
  Info.FormatDiagnostic(Text);
  if (Text.starts_with("'loopscope::") &&
      Text.ends_with("cannot be applied to types"))
    return;
  if (!FailedImport && isFailedImport(Info.getID()))
    FailedImport = {Info.getLocation(), Text.str().str(),
                    Info.getID() == diag::err_header_import_not_header_unit};
  ++Kept;
  Errors.push_back({StoredDiagnostic(Level, Info)});
}

void Listener::addRefusal(const Diagnostic &Info) {
  llvm::SmallString<128> Text;
  Info.FormatDiagnostic(Text);
  // report() puts the ID after the text.
  auto [Message, ID] = Text.str().rsplit(" [");
  ID.consume_back("]");
  SourcePlace Where;
  if (Info.getLocation().isValid())
    Where = sourcePlace(Info.getSourceManager(), Info.getLocation());
  Refusals.push_back({Where, At, ID.str(), Message.str()});
}

void Listener::print(KeptError &Each, DiagnosticsEngine::Level Level) {
  const StoredDiagnostic &E = Each.Error;
  StoredDiagnostic Shown(Level, E.getID(), E.getMessage(), E.getLocation(),
                         E.getRanges(), E.getFixIts());
  Printer->emitStoredDiagnostic(Shown);
  Each.Printed = true;
}

unsigned Listener::printKept(llvm::function_ref<bool(FileID, unsigned)> Pick,
                             unsigned Limit) {
  unsigned Count = 0;
  for (KeptError &Each : Errors) {
    if (!Each.Error.getLocation().isValid())
      continue;
    auto [File, Offset] =
        Each.Error.getLocation().getExpansionLoc().getDecomposedLoc();
    if (!Pick(File, Offset))
      continue;
    ++Count;
    if (Limit != 0 && (Count <= Limit || Options.ShowErrors))
      print(Each, Options.RefusalsAreErrors ? DiagnosticsEngine::Error
                                            : DiagnosticsEngine::Warning);
  }
  return Count;
}

void Listener::printRest() {
  if (!Options.ShowErrors)
    return;
  for (KeptError &Each : Errors)
    if (!Each.Printed)
      print(Each, DiagnosticsEngine::Warning);
}

} // namespace loopscope::instrument
