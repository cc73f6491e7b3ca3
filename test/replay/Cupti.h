// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The replayed CUPTI, as the fake CUDA API sees it.

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
  /// NAME is the call's name in CUPTI, with its version; KERNEL is what a
  /// launch is of.
  ApiCall(uint32_t Domain, const char *Name, const char *Kernel = nullptr);
  ~ApiCall();
  ApiCall(const ApiCall &) = delete;
  ApiCall &operator=(const ApiCall &) = delete;

  uint32_t correlation() const { return Data.CorrelationId; }
  /// What the call returns from now on; gives CODE.
  int fail(int Code) { return Result = Code; }

private:
  void fire(uint32_t Site);
  uint32_t Domain;
  uint32_t Id;
  uint64_t Shared = 0;
  int32_t Result = 0;
  loopscope::runtime::cupti::CallbackData Data{};
};

/// Fires the callbacks of a recorded call.
void fireRecorded(uint32_t Domain, uint32_t Id,
                  const loopscope::runtime::cupti::CallbackData &Data);

/// Fires the callback of a graph's node that was made or, from ORIGINAL,
/// cloned. Nodes are addresses of their ids (uint64_t).
void fireGraphNode(uint32_t Event, const void *Node, const void *Original);

/// Fires the callback of a resource that tells nothing more.
void fireResource(uint32_t Event);

/// Fires the callback of a context that goes.
void fireContextEnd(uint32_t Device);

/// Whether graphs are on record as a whole: some tool has asked for that.
bool tracesWholeGraphs();

/// From now on only recorded records describe devices.
void useRecordedDevices();

/// Delivers recorded records, whole as they are. One whose size isn't its
/// kind's in this version ends the process.
void deliverRecorded(const std::vector<std::string> &Records);

/// Puts what a device does on record, where the tool wants it; on the thread
/// that asked for it, at that moment.
void record(const Done &D);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_CUPTI_H
