// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums up a build's rewrites.

#include "Launch/Record.h"

#include "Support/CompiledSource.h"
#include "Support/Order.h"
#include "Support/OutputFile.h"
#include "Support/Paths.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {

constexpr std::string_view Suffix = ".manifest.json";

/// A file name for the absolute path OBJECT: the same in every build, and
/// different for every object.
std::string fileNameFor(const std::string &Object) {
  return fmt::format("{}-{:016x}{}", fs::path(Object).filename().string(),
                     hashOf(Object), Suffix);
}

/// The member KEY of OBJECT, or OTHERWISE if it isn't there or of another type.
template <typename T>
T member(const nlohmann::json &Object, const char *Key, const T &Otherwise) {
  auto Found = Object.find(Key);
  bool Fits = Found != Object.end() &&
              Found->type() == nlohmann::json(Otherwise).type();
  return Fits ? Found->get<T>() : Otherwise;
}

std::vector<RuleOutcome> rulesOf(const nlohmann::json &Array) {
  std::vector<RuleOutcome> Rules;
  for (const nlohmann::json &R : Array) {
    if (!R.is_object())
      continue;
    RuleOutcome &Rule = Rules.emplace_back(RuleOutcome{
        member<std::string>(R, "where", ""),
        member<std::string>(R, "what", ""),
        member(R, "one", false),
        {},
        {member<std::string>(R, "hint", ""), member(R, "distance", 0U)}});
    for (const nlohmann::json &P : member(R, "places", nlohmann::json::array()))
      if (P.is_string())
        Rule.Places.insert(P.get<std::string>());
  }
  return Rules;
}

} // namespace

std::vector<RuleOutcome> readRules(std::string_view Text) {
  return rulesOf(nlohmann::json::parse(Text, nullptr,
                                       /*allow_exceptions=*/false));
}

void addRule(std::vector<RuleOutcome> &Rules, RuleOutcome Rule) {
  auto Known = std::ranges::find_if(Rules, [&](const RuleOutcome &Other) {
    return Other.Where == Rule.Where && Other.What == Rule.What;
  });
  if (Known == Rules.end()) {
    Rules.push_back(std::move(Rule));
    return;
  }
  if (!Rule.Hint.Text.empty() &&
      (Known->Hint.Text.empty() || Rule.Hint.Distance < Known->Hint.Distance))
    Known->Hint = std::move(Rule.Hint);
  Known->Places.merge(Rule.Places);
}

std::string ruleWarnings(const std::vector<RuleOutcome> &Rules,
                         std::string_view Where) {
  std::string Text;
  for (const RuleOutcome &R : Rules) {
    if (R.Places.empty())
      Text += fmt::format(
          "{}: warning: this rule matches nothing{}: {}{}{} [rule-nothing]\n",
          R.Where, Where, R.What, R.Hint.Text.empty() ? "" : "; ", R.Hint.Text);
    else if (R.One && R.Places.size() > 1)
      Text += fmt::format(
          "{}: warning: this rule matches {} places{} ({}, {}{}): {}; add "
          "'all: true' or narrow it with 'in', 'signature' or 'file' "
          "[rule-many]\n",
          R.Where, R.Places.size(), Where, *R.Places.begin(),
          *std::next(R.Places.begin()), R.Places.size() > 2 ? ", ..." : "",
          R.What);
  }
  return Text;
}

Result<bool> Summary::add(std::string_view Text) {
  nlohmann::json Root = nlohmann::json::parse(Text, nullptr,
                                              /*allow_exceptions=*/false);
  if (!Root.is_object() || !Root.contains("status"))
    return Error{"not a manifest of loopscope-rewrite"};
  std::error_code Why;
  if (!fs::exists(Root.value("source", ""), Why))
    return false;
  ++Files;
  Failed += Root["status"] == "failed" ? 1 : 0;
  std::vector<FunctionOutcome> Seen;
  for (const nlohmann::json &F :
       Root.value("functions", nlohmann::json::array()))
    Seen.push_back(
        {F.value("place", ""), F.value("name", ""), F.value("left_out", "")});
  add(Seen);
  for (RuleOutcome &Each :
       rulesOf(Root.value("rules", nlohmann::json::array())))
    addRule(Rules, std::move(Each));
  return true;
}

void Summary::add(const std::vector<FunctionOutcome> &Each) {
  for (const FunctionOutcome &F : Each) {
    auto [Known, New] = Functions.emplace(F.Place, F.LeftOut);
    if (!New && F.LeftOut.empty())
      Known->second.clear();
  }
}

unsigned Summary::instrumented() const {
  return static_cast<unsigned>(std::ranges::count_if(
      Functions, [](const auto &F) { return F.second.empty(); }));
}

std::map<std::string, unsigned> Summary::leftOut() const {
  std::map<std::string, unsigned> Counts;
  for (const auto &[Place, Why] : Functions)
    if (!Why.empty())
      ++Counts[Why];
  return Counts;
}

std::vector<RuleOutcome> Summary::rules() const { return Rules; }

std::string Summary::text() const {
  std::string Text;
  if (Files != 0)
    Text +=
        fmt::format("files: {} rewritten, {} failed\n", Files - Failed, Failed);
  if (Functions.empty())
    return Text;
  std::map<std::string, unsigned> Left = leftOut();
  std::vector<std::pair<std::string, unsigned>> Sorted(Left.begin(),
                                                       Left.end());
  sortLargestFirst(Sorted, &std::pair<std::string, unsigned>::second);
  std::string Reasons;
  for (const auto &[Why, Count] : Sorted)
    Reasons +=
        fmt::format("{}{} {}", Reasons.empty() ? " (" : ", ", Why, Count);
  return Text + fmt::format("functions: {} instrumented, {} left out{}{}\n",
                            instrumented(), Functions.size() - instrumented(),
                            Reasons, Reasons.empty() ? "" : ")");
}

std::optional<Error> keepRecord(const std::string &Directory,
                                const std::string &Object,
                                const std::string &Text) {
  std::error_code Why;
  fs::create_directories(Directory, Why);
  std::string Path = Directory + "/" + fileNameFor(Object);
  Result<Written> Done = writeOutputFile(Path, Text);
  if (!Done)
    return Error{Done.error().Message +
                 "; give --record a directory that can be written"};
  return std::nullopt;
}

Result<Summary> readRecords(const std::string &Directory) {
  std::error_code Why;
  std::vector<fs::path> Paths;
  for (fs::directory_iterator It(Directory, Why), End; !Why && It != End;
       It.increment(Why))
    if (It->path().string().ends_with(Suffix))
      Paths.push_back(It->path());
  if (Why)
    return Error{
        fmt::format("cannot read '{}': {}; --summary takes the directory that "
                    "--record wrote to",
                    Directory, Why.message())};
  std::ranges::sort(Paths);
  Summary S;
  for (const fs::path &Path : Paths) {
    if (Result<bool> Added = S.add(readFile(Path)); !Added)
      return Error{fmt::format("{}: {}; remove it", Path.string(),
                               Added.error().Message)};
  }
  return S;
}

} // namespace loopscope::launch
