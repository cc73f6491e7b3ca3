//===- Manifest.cpp - The manifest's JSON ---------------------------------===//

#include "Manifest.h"

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

Error wrong(const Twine &What) {
  return createStringError("manifest: " + What);
}

} // namespace

// Found by argument-dependent lookup.
static bool fromJSON(const json::Value &V, IncludeEdit &E, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && M.map("line", E.Line) && M.map("from", E.From) &&
         M.map("to", E.To);
}

static bool fromJSON(const json::Value &V, MirroredFile &F, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && M.map("original", F.Original) && M.map("spelling", F.Spelling) &&
         M.map("mirrored", F.Mirrored) && M.map("main", F.Main) &&
         M.map("sites", F.Sites) && M.map("include_edits", F.IncludeEdits);
}

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
              });
          });
        });
    });
    J.attributeArray("includes", [&] {
      for (const std::string &Path : M.Includes)
        J.value(Path);
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

Expected<Manifest> parseManifest(StringRef Text) {
  Expected<json::Value> Value = json::parse(Text);
  if (!Value)
    return wrong(toString(Value.takeError()));
  const json::Object *Root = Value->getAsObject();
  if (!Root)
    return wrong("not a JSON object");
  if (Root->getInteger("version") != Version)
    return wrong("unknown version");
  Manifest M;
  StringRef Status = Root->getString("status").value_or("");
  if (Status == name(Manifest::Outcome::Instrumented))
    M.Status = Manifest::Outcome::Instrumented;
  else if (Status == name(Manifest::Outcome::Unchanged))
    M.Status = Manifest::Outcome::Unchanged;
  else if (Status == name(Manifest::Outcome::Failed))
    M.Status = Manifest::Outcome::Failed;
  else
    return wrong("unknown status '" + Status + "'");
  M.CPlusPlus = Root->getString("language") == StringRef("c++");
  json::Path::Root PathRoot("manifest");
  json::ObjectMapper Mapper(*Value, PathRoot);
  if (!Mapper.map("files", M.Files) || !Mapper.map("includes", M.Includes))
    return PathRoot.getError();
  if (const json::Object *Counts = Root->getObject("diagnostics")) {
    M.Errors = Counts->getInteger("errors").value_or(0);
    M.Refused = Counts->getInteger("refused").value_or(0);
    M.ForeignErrors = Counts->getInteger("foreign_errors").value_or(0);
  }
  return M;
}

} // namespace loopscope::instrument
