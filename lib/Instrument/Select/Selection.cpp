// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the selection file.

#include "Instrument/Select/Selection.h"

#include "Instrument/Diagnose/Diagnostics.h"
#include "Support/Suggest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"

#include <fmt/format.h>

using namespace llvm;
using namespace loopscope::instrument;

namespace {

/// A rule as written in the file.
struct RawRule {
  std::string Kind, Name, KeyName, Function, Call, Loop, In, Signature, File;
  PerQuantity<std::string> Amounts;
  bool All = false;
  SMRange Where;
};

struct RawFilter {
  std::vector<std::string> Include, Exclude;
  unsigned MinSize = 0;

  bool isEmpty() const {
    return Include.empty() && Exclude.empty() && MinSize == 0;
  }
};

struct RawSelection {
  std::vector<RawRule> Rules;
  RawFilter Functions, Files;

  bool isEmpty() const {
    return Rules.empty() && Functions.isEmpty() && Files.isEmpty();
  }
};

} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(RawRule)

namespace llvm::yaml {

template <> struct MappingTraits<RawRule> {
  static void mapping(IO &In, RawRule &R) {
    if (const Node *N = static_cast<Input &>(In).getCurrentNode())
      R.Where = N->getSourceRange();
    In.mapRequired("kind", R.Kind);
    In.mapOptional("name", R.Name);
    for (const QuantityInfo &I : quantities())
      In.mapOptional(I.Key.data(), R.Amounts[I.Q]);
    In.mapOptional("key-name", R.KeyName);
    In.mapOptional("function", R.Function);
    In.mapOptional("call", R.Call);
    In.mapOptional("loop", R.Loop);
    In.mapOptional("in", R.In);
    In.mapOptional("signature", R.Signature);
    In.mapOptional("file", R.File);
    In.mapOptional("all", R.All);
  }
};

template <> struct MappingTraits<RawFilter> {
  static void mapping(IO &In, RawFilter &F) {
    In.mapOptional("include", F.Include);
    In.mapOptional("exclude", F.Exclude);
    In.mapOptional("min-size", F.MinSize);
  }
};

template <> struct MappingTraits<RawSelection> {
  static void mapping(IO &In, RawSelection &S) {
    In.mapOptional("rules", S.Rules);
    In.mapOptional("functions", S.Functions);
    In.mapOptional("files", S.Files);
  }
};

} // namespace llvm::yaml

namespace loopscope::instrument {
namespace {

/// Checks raw rules and converts them, with diagnostics at their place.
class Checker {
public:
  Checker(SourceMgr &Sources, Selection &Result, raw_ostream &Err)
      : Sources(Sources), Result(Result), Err(Err) {}

  bool run(const RawSelection &Raw) {
    if (Raw.isEmpty())
      error({}, Diag::SelectEmpty, explanation(Diag::SelectEmpty).Text);
    for (const RawRule &R : Raw.Rules)
      rule(R);
    patterns(Raw.Functions.Include, Result.IncludedFunctions);
    patterns(Raw.Functions.Exclude, Result.ExcludedFunctions);
    patterns(Raw.Files.Include, Result.IncludedFiles);
    patterns(Raw.Files.Exclude, Result.ExcludedFiles);
    Result.MinSize = Raw.Functions.MinSize;
    return Good;
  }

private:
  void error(SMRange Where, Diag D, const Twine &Said) {
    Good = false;
    std::string Text = (Said + tag(D)).str();
    if (Where.isValid())
      Sources.PrintMessage(Err, Where.Start, SourceMgr::DK_Error, Text, {}, {},
                           /*ShowColors=*/false);
    else
      Err << Result.Path << ": error: " << Text << '\n';
  }

  Pattern pattern(const std::string &Text, SMRange Where) {
    loopscope::Result<Pattern> P = Pattern::create(Text);
    if (P)
      return std::move(*P);
    error(Where, Diag::SelectPattern,
          "'" + Text + "' is not a pattern: " + P.error().Message);
    return {};
  }

  void patterns(const std::vector<std::string> &Texts,
                std::vector<Pattern> &Patterns) {
    for (const std::string &Text : Texts)
      Patterns.push_back(pattern(Text, {}));
  }

  /// The first amount that a rule of kind K has and can't have.
  static const QuantityInfo *unwantedAmount(Kind K, const RawRule &Raw) {
    const auto *Found = find_if(quantities(), [&](const QuantityInfo &I) {
      return !I.MayHave(K) && !Raw.Amounts[I.Q].empty();
    });
    return Found == quantities().end() ? nullptr : Found;
  }

  void unwanted(const RawRule &Raw, const QuantityInfo &I) {
    Diag D = I.Q == Quantity::Samples      ? Diag::SelectSamples
             : I.Q == Quantity::Bytes      ? Diag::SelectBytes
             : I.Q == Quantity::Iterations ? Diag::SelectIterations
             : I.Q == Quantity::Key        ? Diag::SelectKey
                                           : Diag::SelectAmount;
    error(Raw.Where, D,
          D == Diag::SelectAmount
              ? "only 'phase', 'train' and 'valid' have '" + I.Key + "'"
              : explanation(D).Text);
  }

  void rule(const RawRule &Raw) {
    std::optional<Kind> K = kindNamed(Raw.Kind);
    if (!K || isBesideKind(*K)) {
      std::string Close = suggestionFor(Raw.Kind, ruleNames());
      error(Raw.Where, Diag::SelectKind,
            fmt::format(
                "unknown kind '{}'; {}", Raw.Kind,
                Close.empty()
                    ? fmt::format("known are {}", fmt::join(ruleNames(), ", "))
                    : Close));
      return;
    }
    unsigned Targets =
        !Raw.Function.empty() + !Raw.Call.empty() + !Raw.Loop.empty();
    if (Targets != 1)
      error(Raw.Where, Diag::SelectTarget,
            "a rule has one target: 'function', 'loop' or 'call'");
    else if (isLoopKind(*K) && Raw.Loop.empty())
      error(Raw.Where, Diag::SelectLoop,
            "'" + Raw.Kind + "' needs a loop; add 'loop' and 'in'");
    else if (*K == Kind::Draw && Raw.Call.empty())
      error(Raw.Where, Diag::SelectDraw,
            "'draw' needs a call in a step; add 'call' and 'in'");
    else if (*K == Kind::Ignore && Raw.Function.empty())
      error(Raw.Where, Diag::SelectIgnore,
            "'ignore' needs a function; add 'function'");
    else if (!Raw.Loop.empty() && Raw.In.empty())
      error(Raw.Where, Diag::SelectIn,
            "add 'in': the function that holds the loop");
    else if (*K == Kind::Phase && StringRef(Raw.Name).trim().empty())
      error(Raw.Where, Diag::SelectName, "a phase needs a 'name'");
    else if (!isNamedKind(*K) && !Raw.Name.empty())
      error(Raw.Where, Diag::SelectNameUnwanted,
            "only a phase, a wait and a collective have a 'name'");
    else if (const QuantityInfo *I = unwantedAmount(*K, Raw))
      unwanted(Raw, *I);
    else if (!Raw.KeyName.empty() && Raw.Amounts[Quantity::Key].empty())
      error(Raw.Where, Diag::SelectKeyName,
            explanation(Diag::SelectKeyName).Text);
    auto [Line, Column] = Sources.getLineAndColumn(Raw.Where.Start);
    Result.Rules.push_back(
        {*K, Raw.Name, Raw.Amounts, Raw.KeyName,
         pattern(Raw.Function, Raw.Where), pattern(Raw.Call, Raw.Where),
         Raw.Loop, pattern(Raw.In, Raw.Where),
         pattern(Raw.Signature, Raw.Where), pattern(Raw.File, Raw.Where),
         Raw.All, Line, Column});
  }

  SourceMgr &Sources;
  Selection &Result;
  raw_ostream &Err;
  bool Good = true;
};

bool anyMatches(const std::vector<Pattern> &Patterns, StringRef Text) {
  return any_of(Patterns, [&](const Pattern &P) { return P.matches(Text); });
}

} // namespace

Result<Pattern> Pattern::create(StringRef Text) {
  Pattern P;
  P.Text = Text.str();
  if (Text.size() > 2 && Text.starts_with("/") && Text.ends_with("/")) {
    P.Expression = std::make_shared<Regex>(
        ("^(" + Text.drop_front().drop_back() + ")$").str());
    std::string Why;
    if (!P.Expression->isValid(Why))
      return Error{Why};
    return P;
  }
  // Brackets are literal: names such as operator[] contain them.
  if (Text.find_first_of("*?") == StringRef::npos)
    return P;
  std::string Escaped;
  for (char C : Text) {
    if (StringRef("[]{}\\").contains(C))
      Escaped += '\\';
    Escaped += C;
  }
  // A GlobPattern refers to its text.
  auto Kept = std::make_shared<std::pair<std::string, GlobPattern>>(
      std::move(Escaped), GlobPattern());
  Expected<GlobPattern> Glob = GlobPattern::create(Kept->first);
  if (!Glob)
    return Error{toString(Glob.takeError())};
  Kept->second = std::move(*Glob);
  P.Glob = std::shared_ptr<GlobPattern>(Kept, &Kept->second);
  return P;
}

bool Pattern::matches(StringRef Other) const {
  if (empty())
    return true;
  if (Expression)
    return Expression->match(Other);
  return Glob ? Glob->match(Other) : Other == Text;
}

bool Pattern::mayBegin(StringRef Begin) const {
  if (Expression)
    return true;
  StringRef Fixed = Text;
  if (Glob)
    Fixed = Fixed.take_until([](char C) { return C == '*' || C == '?'; });
  return Fixed.starts_with(Begin) || (Glob && Begin.starts_with(Fixed));
}

bool Selection::takesFunction(StringRef Name) const {
  return (IncludedFunctions.empty() || anyMatches(IncludedFunctions, Name)) &&
         !anyMatches(ExcludedFunctions, Name);
}

bool Selection::takesFile(StringRef AbsolutePath) const {
  return (IncludedFiles.empty() || anyMatches(IncludedFiles, AbsolutePath)) &&
         !anyMatches(ExcludedFiles, AbsolutePath);
}

bool parseSelection(StringRef Text, StringRef Path, Selection &Result,
                    raw_ostream &Err) {
  Result.Path = Path.str();
  SourceMgr Sources;
  Sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(Text, Path), {});
  StringRef Buffer = Sources.getMemoryBuffer(1)->getBuffer();
  struct Printer {
    raw_ostream &Err;
    StringRef Path;
  } P{Err, Path};
  yaml::Input In(
      MemoryBufferRef(Buffer, Path), nullptr,
      [](const SMDiagnostic &D, void *Context) {
        SMDiagnostic Tagged(*D.getSourceMgr(), D.getLoc(), D.getFilename(),
                            D.getLineNo(), D.getColumnNo(), D.getKind(),
                            (D.getMessage() + tag(Diag::SelectYaml)).str(),
                            D.getLineContents(), D.getRanges());
        Tagged.print(nullptr, static_cast<Printer *>(Context)->Err,
                     /*ShowColors=*/false);
      },
      &P);
  RawSelection Raw;
  In >> Raw;
  if (In.error())
    return false;
  return Checker(Sources, Result, Err).run(Raw);
}

bool readSelection(StringRef Path, Selection &Result, raw_ostream &Err) {
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text) {
    Err << "loopscope-rewrite: error: cannot read '" << Path
        << "': " << Text.getError().message() << '\n';
    return false;
  }
  return parseSelection((*Text)->getBuffer(), Path, Result, Err);
}

} // namespace loopscope::instrument
