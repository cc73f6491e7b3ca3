// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers that words of LOOPSCOPE gave. A new one is a row of
// loopscope/run_settings.h; readers, merging and reports go by the rows.

#ifndef LOOPSCOPE_RUN_MODEL_SETTINGS_H
#define LOOPSCOPE_RUN_MODEL_SETTINGS_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Its values: loopscope/run_settings.h.
enum loopscope_setting : unsigned;

namespace loopscope {

/// The settings of a run.
class Settings {
public:
  /// The number, or 0 if none was given.
  uint64_t of(loopscope_setting Which) const;
  void set(loopscope_setting Which, uint64_t Value);

  /// Takes \p Value, of a profile's \p Key. Ignores keys of other things.
  void read(std::string_view Key, uint64_t Value);

  /// Adds those of another run: the higher number counts.
  void merge(const Settings &Other);

  /// The lines below the tables that tell them.
  std::vector<std::string> lines() const;

private:
  std::map<loopscope_setting, uint64_t> Given;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_SETTINGS_H
