// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LibTorch's side: the functions that observe operators, found by their
// symbols, without its headers. They and the callback's layout are the same
// from 1.13 to 2.15.

#ifndef LOOPSCOPE_TORCH_LIBRARY_H
#define LOOPSCOPE_TORCH_LIBRARY_H

#include "base/system.h"

#include <stdint.h>

namespace loopscope::runtime {

/// std::unique_ptr<at::ObserverContext>, which the start of an operator gives:
/// the destructor, although it does nothing, makes it come back in memory.
struct TorchContext {
  void *Nothing;
  ~TorchContext() {} // NOLINT(modernize-use-equals-default): not trivial
};

/// at::RecordFunctionCallback, passed by value. A FUNCTION is an
/// at::RecordFunction.
struct TorchCallback {
  TorchContext (*Start)(const void *Function);
  void (*End)(const void *Function, void *Context);
  double Probability; ///< of being called
  bool Scopes[10];    ///< by at::RecordScope
  bool NeedsInputs, NeedsOutputs, NeedsIds;
};
static_assert(sizeof(void *) != 8 || sizeof(TorchCallback) == 40);

/// The process's LibTorch: its functions and its version.
struct TorchLibrary {
  /// at::addGlobalCallback: for all threads, at once.
  uint64_t (*AddGlobalCallback)(TorchCallback);
  /// at::RecordFunction::name and isAsync: whether it may end on another
  /// thread.
  const char *(*Name)(const void *Function);
  bool (*IsAsync)(const void *Function);
  uint32_t Major, Minor;
};

enum class TorchSearch {
  NotLoaded,
  Unusable, ///< WHY says so
  Found
};

/// Finds LibTorch where it is loaded, however it was, and keeps it loaded. May
/// wait for a dlopen() in another thread.
TorchSearch findTorch(TorchLibrary &Result, Text &Why);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TORCH_LIBRARY_H
