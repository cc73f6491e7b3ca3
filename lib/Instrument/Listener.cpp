//===- Listener.cpp - Clang's diagnostics, sorted -------------------------===//

#include "Listener.h"

#include "clang/Basic/DiagnosticIDs.h"
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
    if (Info.getLocation().isValid()) {
      Reported.insert(SM.getDecomposedExpansionLoc(Info.getLocation()));
      Reported.insert(SM.getDecomposedSpellingLoc(Info.getLocation()));
    }
    StoredDiagnostic Stored(Level, Info);
    Printer->emitStoredDiagnostic(Stored);
    return;
  }
  // An attribute of ours that slid onto a type is reported as misplaced, which
  // it then is for everyone; the code around it parsed.
  llvm::SmallString<128> Text;
  Info.FormatDiagnostic(Text);
  if (Text.starts_with("'loopscope::") &&
      Text.ends_with("cannot be applied to types"))
    return;
  ++Kept;
  Errors.emplace_back(Level, Info);
  if (Kept == 1) {
    PresumedLoc Where = SM.getPresumedLoc(Info.getLocation());
    if (Where.isValid())
      FirstKept = std::string(Where.getFilename()) + ":" +
                  std::to_string(Where.getLine()) + ": ";
    FirstKept += Errors.back().getMessage();
  }
}

unsigned Listener::printKept(llvm::function_ref<bool(FileID, unsigned)> Pick,
                             unsigned Limit) {
  unsigned Count = 0;
  for (StoredDiagnostic &Each : Errors) {
    if (!Each.getLocation().isValid())
      continue;
    auto [File, Offset] =
        Each.getLocation().getExpansionLoc().getDecomposedLoc();
    if (!Pick(File, Offset) || ++Count > Limit)
      continue;
    StoredDiagnostic Shown(Options.RefusalsAreErrors
                               ? DiagnosticsEngine::Error
                               : DiagnosticsEngine::Warning,
                           Each.getID(), Each.getMessage(), Each.getLocation(),
                           Each.getRanges(), Each.getFixIts());
    Printer->emitStoredDiagnostic(Shown);
  }
  return Count;
}

} // namespace loopscope::instrument
