// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the reply: an index, which names a code model, which names a file for
// each target.

#include "Report/Commands/CMakeTargets.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

using namespace loopscope;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {
constexpr const char *Query = ".cmake/api/v1/query/codemodel-v2";
constexpr const char *Reply = ".cmake/api/v1/reply";

json parse(const fs::path &File) {
  std::ifstream Stream(File);
  return json::parse(Stream, nullptr, /*allow_exceptions=*/false);
}

// FIELD of OF; null if there is none.
json field(const json &Of, const char *Field) {
  return Of.is_object() ? Of.value(Field, json()) : json();
}

std::string textField(const json &Of, const char *Field) {
  json Value = field(Of, Field);
  return Value.is_string() ? Value.get<std::string>() : "";
}

// Of the indexes, the one that CMake wrote last: its name sorts last.
fs::path lastIndex(const fs::path &Folder) {
  fs::path Last;
  std::error_code Why;
  for (fs::directory_iterator At(Folder, Why), Past; !Why && At != Past;
       At.increment(Why))
    if (At->path().filename().string().starts_with("index-"))
      Last = std::max(Last, At->path());
  return Last;
}

// The descriptions of all targets. There is one configuration: generators with
// several are none that a build is repeated with.
std::vector<json> describedTargets(const fs::path &Folder) {
  std::vector<json> Result;
  json Index = parse(lastIndex(Folder));
  json Model =
      parse(Folder / textField(field(field(Index, "reply"), "codemodel-v2"),
                               "jsonFile"));
  for (const json &Each : field(Model, "configurations"))
    for (const json &Target : field(Each, "targets"))
      Result.push_back(parse(Folder / textField(Target, "jsonFile")));
  return Result;
}

// Whether CTest made a target of that name, which no build makes unasked.
bool isOfCTest(std::string_view Name) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"Continuous", "Experimental",
                                              "Nightly"},
      [&](std::string_view Each) { return Name.starts_with(Each); });
}
} // namespace

void loopscope::askForTargets(const fs::path &Build) {
  std::error_code Why;
  fs::create_directories((Build / Query).parent_path(), Why);
  std::ofstream(Build / Query);
}

std::vector<std::string>
loopscope::targetsOf(const fs::path &Build,
                     const std::vector<fs::path> &Programs) {
  std::set<fs::path> Sought(Programs.begin(), Programs.end());
  std::vector<std::string> Result;
  for (const json &Each : describedTargets(Build / Reply)) {
    std::string Name = textField(Each, "name");
    std::string Type = textField(Each, "type");
    if (Name.empty() || (Type == "UTILITY" && !isOfCTest(Name)))
      return {};
    bool IsNeeded = Type == "MODULE_LIBRARY" || Type == "SHARED_LIBRARY";
    for (const json &Made : field(Each, "artifacts"))
      IsNeeded |= Sought.erase(fs::path(textField(Made, "path"))) != 0;
    if (IsNeeded)
      Result.push_back(Name);
  }
  return Sought.empty() ? Result : std::vector<std::string>();
}
