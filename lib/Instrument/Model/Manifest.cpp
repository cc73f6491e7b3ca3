// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manifest's JSON.

#include "Instrument/Model/Manifest.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace loopscope::instrument {
namespace {

constexpr int Version = 1;

StringRef name(Manifest::Outcome O) {
  switch (O) {
  case Manifest::Outcome::Instrumented:
    return "instrumented";
  case Manifest::Outcome::Unchanged:
    return "unchanged";
  case Manifest::Outcome::Failed:
    return "failed";
  }
  return "";
}

} // namespace

std::string toJSON(const Manifest &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS, 2);
  J.object([&] {
    J.attribute("version", Version);
    J.attribute("tool", LOOPSCOPE_VERSION);
    J.attribute("status", name(M.Status));
    J.attribute("language", M.CPlusPlus ? "c++" : "c");
    J.attributeArray("files", [&] {
      for (const MirroredFile &F : M.Files)
        J.object([&] {
          J.attribute("original", F.Original);
          J.attribute("spelling", F.Spelling);
          J.attribute("mirrored", F.Mirrored);
          J.attribute("main", F.Main);
          J.attribute("sites", F.Sites);
          J.attributeArray("include_edits", [&] {
            for (const IncludeEdit &E : F.IncludeEdits)
              J.object([&] {
                J.attribute("line", E.Line);
                J.attribute("from", E.From);
                J.attribute("to", E.To);
                J.attribute("name", E.Name);
              });
          });
        });
    });
    J.attribute("source", M.Source);
    J.attributeArray("includes", [&] {
      for (const std::string &Path : M.Includes)
        J.value(Path);
    });
    J.attributeArray("functions", [&] {
      for (const launch::FunctionOutcome &F : M.Functions)
        J.object([&] {
          J.attribute("place", F.Place);
          J.attribute("name", F.Name);
          J.attribute("left_out", F.LeftOut);
        });
    });
    J.attribute("own_cleanups", M.OwnCleanups);
    J.attributeArray("without_hooks", [&] {
      for (const std::string &Each : M.WithoutHooks)
        J.value(Each);
    });
    J.attributeArray("rules", [&] {
      for (const launch::RuleOutcome &R : M.Rules)
        J.object([&] {
          J.attribute("where", R.Where);
          J.attribute("what", R.What);
          J.attribute("one", R.One);
          J.attributeArray("places", [&] {
            for (const std::string &Place : R.Places)
              J.value(Place);
          });
          if (!R.Hint.Text.empty()) {
            J.attribute("hint", R.Hint.Text);
            J.attribute("distance", R.Hint.Distance);
          }
        });
    });
    J.attributeObject("diagnostics", [&] {
      J.attribute("errors", M.Errors);
      J.attribute("refused", M.Refused);
      J.attribute("foreign_errors", M.ForeignErrors);
    });
  });
  OS << '\n';
  return Text;
}

} // namespace loopscope::instrument
