// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launcher's own options and parts.

#include "Launch/Settings.h"

#include "Launch/CommandLine.h"
#include "Support/Paths.h"
#include "Support/Suggest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace loopscope::launch {

namespace {

std::string absolute(const std::string &Path) {
  std::error_code Why;
  return std::filesystem::absolute(Path, Why).lexically_normal().string();
}

/// The value of `NAME=VALUE`, if WORD has that form.
std::optional<std::string> valueOf(std::string_view Word,
                                   std::string_view Name) {
  if (!Word.starts_with(Name) || !Word.substr(Name.size()).starts_with("="))
    return std::nullopt;
  return std::string(Word.substr(Name.size() + 1));
}

struct ValueOption {
  std::string_view Name;
  std::string Settings::*Value;
  bool Path;
};

constexpr ValueOption ValueOptions[] = {
    {"--min-size", &Settings::MinSize, false},
    {"--functions-from", &Settings::FunctionsFrom, true},
    {"--select", &Settings::Select, true},
    {"--record", &Settings::Record, true},
    {"--summary", &Settings::Summary, true},
    {"--check-marks", &Settings::Objects, true}};

/// Reads WORD if it is an option with a value; returns false if it isn't one.
Result<bool> readValue(const std::string &Word, Settings &S) {
  for (const ValueOption &E : ValueOptions) {
    std::optional<std::string> Value = valueOf(Word, E.Name);
    if (!Value)
      continue;
    if (Value->empty())
      return Error{fmt::format("{}= needs a value", E.Name)};
    S.*E.Value = E.Path ? absolute(*Value) : *Value;
    return true;
  }
  return false;
}

/// An option, as messages name it.
struct KnownOption {
  const char *Name;
  const char *Value;
};
constexpr KnownOption KnownOptions[] = {{"--on-error", "=fail|passthrough"},
                                        {"--functions", ""},
                                        {"--min-size", "=N"},
                                        {"--functions-from", "=PROFILE"},
                                        {"--select", "=FILE"},
                                        {"--record", "=DIR"},
                                        {"--summary", "=DIR"},
                                        {"--rules", ""},
                                        {"--check-marks", "=FILE"},
                                        {"--show-errors", ""},
                                        {"--no-link", ""},
                                        {"--link", ""},
                                        {"--keep", ""},
                                        {"--verbose", ""},
                                        {"--version", ""},
                                        {"--help", ""}};

Error unknownOption(const std::string &Word) {
  std::vector<std::string> Names;
  std::vector<std::string> Shown;
  for (const KnownOption &Each : KnownOptions) {
    Names.emplace_back(Each.Name);
    Shown.push_back(std::string(Each.Name) + Each.Value);
  }
  std::string Name = Word.substr(0, Word.find('='));
  bool IsKnown = std::count(Names.begin(), Names.end(), Name) != 0;
  std::string Near = IsKnown ? "" : suggestionFor(Name, Names);
  std::string Last = Shown.back();
  Shown.pop_back();
  return {fmt::format("unknown option '{}'; {}", Word,
                      Near.empty()
                          ? fmt::format("loopscope-launch knows {} and {}, and "
                                        "the compiler follows them",
                                        fmt::join(Shown, ", "), Last)
                          : Near)};
}

} // namespace

Result<std::size_t> readSettings(const std::vector<std::string> &Words,
                                 Settings &S) {
  std::size_t Count = 0;
  for (; Count < Words.size() && Words[Count].starts_with("-"); ++Count) {
    const std::string &Word = Words[Count];
    if (Word == "--")
      return Count + 1;
    if (Word == "--on-error=fail")
      S.Passthrough = false;
    else if (Word == "--on-error=passthrough")
      S.Passthrough = true;
    else if (Word == "--no-link")
      S.Link = false;
    else if (Word == "--link")
      S.Link = true;
    else if (Word == "--keep")
      S.Keep = true;
    else if (Word == "--verbose")
      S.Verbose = true;
    else if (Word == "--show-errors")
      S.ShowErrors = true;
    else if (Word == "--functions")
      S.Functions = true;
    else if (Word == "--rules")
      S.RulesOnly = true;
    else if (Word == "--help" || Word == "-h")
      S.Help = true;
    else if (Word == "--version")
      S.Version = true;
    else {
      Result<bool> Taken = readValue(Word, S);
      if (!Taken)
        return Taken.error();
      if (!*Taken)
        return unknownOption(Word);
    }
  }
  return Count;
}

std::vector<std::string> settingsWords(const Settings &S) {
  std::vector<std::string> Words = {S.Passthrough ? "--on-error=passthrough"
                                                  : "--on-error=fail",
                                    S.Link ? "--link" : "--no-link"};
  for (auto [Chosen, Word] :
       {std::pair(S.Keep, "--keep"), std::pair(S.Verbose, "--verbose"),
        std::pair(S.Functions, "--functions"),
        std::pair(S.ShowErrors, "--show-errors")})
    if (Chosen)
      Words.emplace_back(Word);
  for (const ValueOption &Each : ValueOptions)
    if (const std::string &Value = S.*Each.Value; !Value.empty())
      Words.push_back(fmt::format("{}={}", Each.Name, Value));
  return Words;
}

Result<Settings> settingsOfEnvironment() {
  Settings S;
  const char *Quiet = std::getenv("LOOPSCOPE_LAUNCH_QUIET");
  S.Quiet = Quiet && *Quiet != '\0' && std::string_view(Quiet) != "0";
  if (const char *Select = std::getenv("LOOPSCOPE_SELECT");
      Select && *Select != '\0') {
    // Compilers of one build run in many directories.
    if (*Select != '/')
      return Error{fmt::format("LOOPSCOPE_SELECT: '{}' is not an absolute "
                               "path; write the whole path, because compilers "
                               "of one build run in different directories",
                               Select)};
    S.Select = Select;
  }
  const char *Options = std::getenv("LOOPSCOPE_REWRITE");
  if (!Options)
    return S;
  std::vector<std::string> Words = splitResponseText(Options);
  Result<std::size_t> Taken = readSettings(Words, S);
  if (!Taken)
    return Error{"LOOPSCOPE_REWRITE: " + Taken.error().Message};
  if (*Taken != Words.size())
    return Error{fmt::format("LOOPSCOPE_REWRITE: '{}' is not an option; see "
                             "loopscope-launch --help",
                             Words[*Taken])};
  return S;
}

std::optional<Error> checkSettings(const Settings &S) {
  bool Number = !S.MinSize.empty() &&
                S.MinSize.find_first_not_of("0123456789") == std::string::npos;
  if (!S.MinSize.empty() && !Number)
    return Error{fmt::format("--min-size={}: it takes a number", S.MinSize)};
  if (!S.MinSize.empty() && !S.Functions)
    return Error{
        "--min-size says what --functions leaves out; give --functions "
        "too"};
  if (!S.FunctionsFrom.empty() && !S.Functions)
    return Error{"--functions-from says what --functions leaves out; give "
                 "--functions too"};
  if (S.RulesOnly && S.Summary.empty())
    return Error{"--rules says what --summary=DIR prints; give that too"};
  return std::nullopt;
}

Result<Parts> findParts() {
  namespace fs = std::filesystem;
  std::error_code Why;
  fs::path Self = fs::read_symlink("/proc/self/exe", Why);
  if (Why)
    return Error{
        fmt::format("cannot find this program's own file: {}", Why.message())};
  fs::path Bin = Self.parent_path();
  fs::path Prefix = (Bin / LOOPSCOPE_PREFIX_FROM_BIN).lexically_normal();
  fs::path Installed = Prefix / LOOPSCOPE_INCLUDEDIR;
  Parts P;
  P.Launcher = Self.string();
  P.Rewriter = (Bin / "loopscope-rewrite").string();
  P.Report = (Bin / "loopscope").string();
  if (fs::exists(Installed / "loopscope" / "hooks.h", Why)) {
    P.Include = Installed.string();
    P.Libraries = (Prefix / LOOPSCOPE_LIBDIR).string();
    P.Runtimes = (Prefix / LOOPSCOPE_PRIVATE_LIBDIR).string();
  } else {
    P.Include = inBuildTree("headers");
    fs::path Libraries = (Bin / ".." / "lib").lexically_normal();
    P.Libraries = Libraries.string();
    P.Runtimes = (Libraries / "loopscope").string();
  }
  if (!fs::exists(P.Include + "/loopscope/hooks.h", Why))
    return Error{
        fmt::format("no loopscope/hooks.h in {}; install Loopscope completely",
                    P.Include.empty() ? Installed.string() : P.Include)};
  return P;
}

} // namespace loopscope::launch
