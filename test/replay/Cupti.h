// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The replayed CUPTI's interface for the fake CUDA API.

#ifndef LOOPSCOPE_TEST_REPLAY_CUPTI_H
#define LOOPSCOPE_TEST_REPLAY_CUPTI_H

#include "Device.h"

#include "gpu/cupti_abi.h"

#include <cstdint>
#include <string>
#include <vector>

namespace replay {

/// Fires the callbacks of one call, on the thread that makes it.
class ApiCall {
public:
  /// NAME is the call's name in CUPTI, with its version; KERNEL is the kernel
  /// of a launch; CORRELATION: that of the call around it; 0: its own.
  ApiCall(uint32_t Domain, const char *Name, const char *Kernel = nullptr,
          uint32_t Correlation = 0);
  ~ApiCall();
  ApiCall(const ApiCall &) = delete;
  ApiCall &operator=(const ApiCall &) = delete;

  uint32_t correlation() const { return Data.CorrelationId; }
  /// Makes the call return CODE from now on; returns CODE.
  int fail(int Code) { return Result = Code; }

private:
  void fire(uint32_t Site);
  uint32_t Domain;
  uint32_t Id;
  uint64_t Shared = 0;
  int32_t Result = 0;
  loopscope::runtime::cupti::CallbackData Data{};
};

/// Notes a call of a CUPTI function, which fails, hangs or takes time as the
/// scenario says.
loopscope::runtime::cupti::Result scenarioResult(const char *Function);

/// Fires the callbacks of a recorded call.
void fireRecorded(uint32_t Domain, uint32_t Id,
                  const loopscope::runtime::cupti::CallbackData &Data);

/// Fires the callback for a graph node that was made or, from ORIGINAL, cloned.
/// Nodes are addresses of their ids (uint64_t).
void fireGraphNode(uint32_t Event, const void *Node, const void *Original);

/// Fires the callback for a resource without further data.
void fireResource(uint32_t Event);

/// Fires the callback for the end of a context.
void fireContextEnd(uint32_t Device);

/// Whether whole graphs are recorded, because some tool requested that.
bool tracesWholeGraphs();

/// From now on, only recorded records describe devices.
void useRecordedDevices();

/// Delivers recorded records unchanged. Ends the process if a record's size
/// isn't that of its kind in this version.
void deliverRecorded(const std::vector<std::string> &Records);

/// Records a device's activity, if the tool wants it. Call at the time of the
/// request, on its thread.
void record(const Done &D);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_CUPTI_H
