// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts Clang's diagnostics.
//
// Ours are printed, as errors or as warnings. Clang's own warnings are dropped:
// the real compiler prints them. Clang's errors are kept until it is known
// whether they affect annotated code.

#ifndef LOOPSCOPE_INSTRUMENT_PARSE_LISTENER_H
#define LOOPSCOPE_INSTRUMENT_PARSE_LISTENER_H

#include "Instrument/Parse/Parse.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/TextDiagnostic.h"

#include <set>

namespace loopscope::instrument {

class Listener : public clang::DiagnosticConsumer {
public:
  explicit Listener(const ParseOptions &Options);

  void BeginSourceFile(const clang::LangOptions &Lang,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  /// Prints the kept errors that \p Pick accepts, at most \p Limit unless
  /// ParseOptions::ShowErrors asks for all. Returns how many \p Pick accepted.
  /// With a \p Limit of 0 it prints none.
  unsigned printKept(llvm::function_ref<bool(clang::FileID, unsigned)> Pick,
                     unsigned Limit);

  /// Prints the remaining kept errors as warnings if ParseOptions::ShowErrors
  /// asks for them.
  void printRest();

  Stage At = Stage::Find; ///< Which says what is reported.
  std::vector<Refusal> Refusals;
  /// Expansion places of our diagnostics.
  std::set<std::pair<clang::FileID, unsigned>> Reported;
  unsigned Ours = 0;
  /// While set, our errors are warnings and don't count: nobody asked for what
  /// they are about. (Real warnings are switched off in the engine.)
  bool OnlyWarn = false;
  unsigned Kept = 0; ///< Clang's errors in the source.
  struct Import {
    clang::SourceLocation Loc;
    std::string Why; ///< In Clang's words.
    bool HeaderUnit = false;
  };
  std::optional<Import> FailedImport; ///< The first one.
  unsigned DriverErrors = 0;          ///< Wrong command line; printed at once.

private:
  void addRefusal(const clang::Diagnostic &Info);

  const ParseOptions &Options;
  clang::DiagnosticOptions PrinterOptions;
  std::unique_ptr<clang::TextDiagnostic> Printer;
  struct KeptError {
    clang::StoredDiagnostic Error;
    bool Printed = false;
  };
  void print(KeptError &Each, clang::DiagnosticsEngine::Level Level);
  std::vector<KeptError> Errors;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_PARSE_LISTENER_H
