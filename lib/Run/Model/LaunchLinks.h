// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which call launched what in a trace: device work to runtime call by
// correlation, runtime call to operator by External id. Computed once, used by
// every view.

#ifndef LOOPSCOPE_RUN_MODEL_LAUNCHLINKS_H
#define LOOPSCOPE_RUN_MODEL_LAUNCHLINKS_H

#include "Run/Model/Events.h"

#include <cstdint>
#include <span>
#include <vector>

namespace loopscope {

/// The links of one trace; all numbers are indices into EventStream::Events.
class LaunchLinks {
public:
  /// Stands for "no event".
  static constexpr uint32_t None = UINT32_MAX;

  explicit LaunchLinks(const EventStream &Trace);

  /// Runtime calls, in the order of the file.
  const std::vector<uint32_t> &runtimes() const { return Runtimes; }

  /// The device work that runtime call number \p I of runtimes() launched.
  std::span<const uint32_t> launchedBy(uint32_t I) const;

  /// Time of that work, ns.
  int64_t deviceTimeOf(uint32_t I) const { return DeviceTime[I]; }

  /// Device work with no known runtime call that launched it.
  const std::vector<uint32_t> &unlaunched() const { return Unlaunched; }

  /// The runtime calls (numbers in runtimes()) that carry \p ExternalId. A
  /// second call with the same id returns them again.
  std::span<const uint32_t> calledBy(uint64_t ExternalId) const;

private:
  std::vector<uint32_t> Runtimes;
  std::vector<uint32_t> FirstLaunch; // per runtime call, in Launched
  std::vector<uint32_t> Launched;
  std::vector<int64_t> DeviceTime;
  std::vector<uint32_t> Unlaunched;
  // Runtime calls by external id: ids are small and dense in practice, so a
  // table indexed by id is tried before binary search.
  std::vector<uint32_t> Called;
  std::vector<uint64_t> CalledIds;
  std::vector<uint32_t> DenseStart;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_LAUNCHLINKS_H
