// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of settings, as data.

#include "Run/Model/Settings.h"

#include <loopscope/run_settings.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

using namespace loopscope;

namespace {
struct SettingKind {
  const char *Key;
  const char *Line; // null: none
};

constexpr SettingKind SettingKinds[] = {
#define LOOPSCOPE_LIST_KIND_(IDENTIFIER, KEY, LINE) {KEY, LINE},
    LOOPSCOPE_SETTINGS(LOOPSCOPE_LIST_KIND_)
#undef LOOPSCOPE_LIST_KIND_
};
} // namespace

uint64_t Settings::of(loopscope_setting Which) const {
  auto Found = Given.find(Which);
  return Found == Given.end() ? 0 : Found->second;
}

void Settings::set(loopscope_setting Which, uint64_t Value) {
  Given[Which] = Value;
}

void Settings::read(std::string_view Key, uint64_t Value) {
  for (unsigned I = 0; I < std::size(SettingKinds); ++I)
    if (Key == SettingKinds[I].Key)
      Given[static_cast<loopscope_setting>(I)] = Value;
}

void Settings::merge(const Settings &Other) {
  for (const auto &[Which, Value] : Other.Given) {
    uint64_t &Mine = Given[Which];
    Mine = std::max(Mine, Value);
  }
}

std::vector<std::string> Settings::lines() const {
  std::vector<std::string> Result;
  for (const auto &[Which, Value] : Given)
    if (const char *Line = SettingKinds[Which].Line; Line && Value != 0)
      Result.push_back(fmt::format(fmt::runtime(Line), Value));
  return Result;
}
