// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notes are hexadecimal JSON, so that neither shells nor assemblers can change
// them.

#include "Launch/RuleNotes.h"

#include "Support/Paths.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {

constexpr std::string_view Begin = "loopscope-rules:";
// The note of rules that take more than a word of a command may have (128 KiB,
// of the kernel): nothing is known of them.
constexpr std::string_view TooMany = "loopscope-rules:too-many";
constexpr std::size_t MostBytes = 96U << 10;

/// PATH:LINE or PATH:LINE:COLUMN without directories.
std::string withoutDirectory(const std::string &Place) {
  return Place.substr(Place.find_last_of('/') + 1);
}

std::optional<std::string> textOfHex(std::string_view Hex) {
  std::string Text;
  for (std::size_t I = 0; I + 1 < Hex.size(); I += 2) {
    unsigned char Byte = 0;
    auto [End, Why] = std::from_chars(&Hex[I], &Hex[I] + 2, Byte, 16);
    if (Why != std::errc() || End != &Hex[I] + 2)
      return std::nullopt;
    Text += static_cast<char>(Byte);
  }
  return Text;
}

/// The program's own shared libraries: those that LINE names by a path or finds
/// in a directory that it names.
std::vector<std::string> ownLibraries(const CommandLine &Line,
                                      const std::string &Directory) {
  std::vector<std::string> All;
  for (const Option &O : Line.Options) {
    if (O.Name.empty() && O.Value.find(".so") != std::string::npos)
      All.push_back(absoluteIn(O.Value, Directory));
    if (O.Name != "-l")
      continue;
    for (const Option &Place : Line.Options)
      if (Place.Name == "-L")
        All.push_back(absoluteIn(
            fmt::format("{}/lib{}.so", Place.Value, O.Value), Directory));
  }
  return All;
}

/// Adds the notes in the library PATH, if there is one. False if it can't be
/// searched in no time, as LibTorch's.
bool addNotes(std::vector<RuleOutcome> &Rules, const std::string &Path,
              const std::string &Select) {
  constexpr std::uintmax_t Most = 64U << 20;
  std::error_code Why;
  std::uintmax_t Size = fs::file_size(Path, Why);
  if (Why)
    return true;
  if (Size > Most)
    return false;
  std::string File = readFile(Path);
  if (File.find(TooMany) != File.npos)
    return false;
  for (RuleOutcome &Each : readRuleNotes(File, Select))
    addRule(Rules, std::move(Each));
  return true;
}

} // namespace

std::string ruleNote(const std::vector<RuleOutcome> &Rules) {
  if (Rules.empty())
    return "";
  nlohmann::json All = nlohmann::json::array();
  for (const RuleOutcome &R : Rules) {
    nlohmann::json Places = nlohmann::json::array();
    for (const std::string &Each : R.Places)
      Places.push_back(withoutDirectory(Each));
    All.push_back({{"where", withoutDirectory(R.Where)},
                   {"what", R.What},
                   {"one", R.One},
                   {"places", std::move(Places)},
                   {"hint", R.Hint.Text},
                   {"distance", R.Hint.Distance}});
  }
  std::string Note(Begin);
  for (unsigned char Byte :
       All.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace))
    fmt::format_to(std::back_inserter(Note), "{:02x}", Byte);
  return Note.size() > MostBytes ? std::string(TooMany) : Note;
}

std::vector<RuleOutcome> readRuleNotes(std::string_view File,
                                       const std::string &Select) {
  std::vector<RuleOutcome> Rules;
  fs::path Selection(Select);
  std::string Name = Selection.filename().string() + ":";
  for (std::size_t At = File.find(Begin); At != File.npos;
       At = File.find(Begin, At)) {
    At += Begin.size();
    std::size_t End =
        std::min(File.find_first_not_of("0123456789abcdef", At), File.size());
    std::optional<std::string> Text = textOfHex(File.substr(At, End - At));
    if (!Text)
      continue;
    for (RuleOutcome &Each : readRules(*Text)) {
      if (!Each.Where.starts_with(Name))
        continue;
      Each.Where = (Selection.parent_path() / Each.Where).string();
      addRule(Rules, std::move(Each));
    }
  }
  return Rules;
}

bool canJudgeRules(const CommandLine &Line, const std::string &Directory) {
  static constexpr std::string_view Trials[] = {
      "conftest", "cmTC_",      "CMakeScratch",
      "CMakeTmp", "CompilerId", "meson-private"};
  for (const char *Part : {"-shared", "-r", "-dlink", "-device-link"})
    if (Line.has(Part))
      return false;
  std::string Made =
      absoluteIn(Line.Output.empty() ? "a.out" : Line.Output, Directory);
  return std::ranges::none_of(Trials, [&](std::string_view Each) {
    return Made.find(Each) != Made.npos;
  });
}

std::string linkedRuleWarnings(const CommandLine &Line,
                               const std::string &Select,
                               const std::string &Directory) {
  std::string Name = Line.Output.empty() ? "a.out" : Line.Output;
  std::string Program = readFile(absoluteIn(Name, Directory));
  std::vector<RuleOutcome> Rules = readRuleNotes(Program, Select);
  // Hooks of another selection, of marks, or of calls by hand.
  bool HasHooks = Program.find("__loopscope_") != Program.npos ||
                  Program.find(".loopscope.") != Program.npos;
  if (Program.empty() || Program.find(TooMany) != Program.npos ||
      (Rules.empty() && HasHooks))
    return "";
  for (const std::string &Each : ownLibraries(Line, Directory))
    if (!addNotes(Rules, Each, Select))
      return "";
  if (!Rules.empty())
    return ruleWarnings(Rules, " in " + Name);
  return fmt::format("{}: note: {} has no hooks: no rule matches anything in "
                     "it [rule-nothing]\n",
                     Select, Name);
}

} // namespace loopscope::launch
