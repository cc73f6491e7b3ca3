// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI, found and loaded at run time.

#ifndef LOOPSCOPE_GPU_CUPTI_H
#define LOOPSCOPE_GPU_CUPTI_H

#include "base/system.h"
#include "cupti_abi.h"

namespace loopscope::runtime {

/// The functions of the loaded CUPTI.
struct Cupti {
  cupti::Result (*GetVersion)(uint32_t *);
  cupti::Result (*GetResultString)(cupti::Result, const char **);
  cupti::Result (*Subscribe)(cupti::Subscriber *, cupti::Callback, void *);
  cupti::Result (*Unsubscribe)(cupti::Subscriber);
  cupti::Result (*EnableCallback)(uint32_t Enable, cupti::Subscriber,
                                  uint32_t Domain, uint32_t Id);
  cupti::Result (*EnableDomain)(uint32_t Enable, cupti::Subscriber,
                                uint32_t Domain);
  cupti::Result (*GetCallbackName)(uint32_t Domain, uint32_t Id, const char **);
  cupti::Result (*RegisterCallbacks)(cupti::BufferRequested,
                                     cupti::BufferCompleted);
  cupti::Result (*RegisterTimestampCallback)(cupti::TimestampCallback);
  cupti::Result (*Enable)(uint32_t Kind);
  cupti::Result (*Disable)(uint32_t Kind);
  cupti::Result (*GetNextRecord)(uint8_t *Buffer, size_t ValidSize,
                                 cupti::Record **);
  cupti::Result (*GetNumDropped)(void *Context, uint32_t Stream, size_t *);
  cupti::Result (*FlushAll)(uint32_t Flags);
  /// Makes CUPTI forget everything; may be null.
  cupti::Result (*Finalize)();
  /// Enables a kind and records what exists already; may be null.
  cupti::Result (*EnableAndDump)(uint32_t Kind);
  /// Null if ends of contexts can't be followed.
  cupti::Result (*GetContextId)(void *Context, uint32_t *);
  /// Null if PM sampling can't tell which devices the program works on.
  cupti::Result (*GetDeviceId)(void *Context, uint32_t *);
  /// Null if graph nodes can't be traced to where they were made.
  cupti::Result (*GetGraphNodeId)(void *Node, uint64_t *);
  /// Null if what CUPTI itself takes of a device's memory isn't known.
  cupti::Result (*GetAttribute)(uint32_t Attribute, size_t *Size, void *Value);
  cupti::Result (*SetAttribute)(uint32_t Attribute, size_t *Size, void *Value);
  /// Null before CUPTI 13.
  cupti::Result (*SubscribeV2)(cupti::Subscriber *, cupti::Callback, void *,
                               cupti::SubscriberParameters *);
  /// For one of several subscribers: all null before CUPTI 13.3. A process with
  /// such subscribers must not use the global functions of the same name.
  struct {
    cupti::Result (*RegisterCallbacks)(cupti::Subscriber,
                                       cupti::SharedBufferRequested,
                                       cupti::SharedBufferCompleted);
    cupti::Result (*SetAttribute)(cupti::Subscriber, uint32_t Attribute,
                                  size_t *Size, void *Value);
    cupti::Result (*Enable)(cupti::Subscriber, uint32_t Kind, void *Config);
    cupti::Result (*EnableAndDump)(cupti::Subscriber, uint32_t Kind,
                                   void *Config);
    cupti::Result (*Disable)(cupti::Subscriber, uint32_t Kind, void *Config);
    cupti::Result (*GetNextRecord)(cupti::Subscriber, uint8_t *Buffer,
                                   size_t ValidSize, cupti::Record **);
    cupti::Result (*GetNumDropped)(cupti::Subscriber, void *Context,
                                   uint32_t Stream, size_t *);
  } Shared;

  uint32_t Version = 0; ///< from cuptiGetVersion
  char Path[256] = "";
};

/// The major version of CUDA for a CUPTI version; 11 stands for all before 12.
int cudaMajorOf(uint32_t CuptiVersion);

/// Whether the program uses CUDA: links it, or has loaded its libraries.
bool usesCuda();

/// Whether the process has loaded CUDA's driver, as CUDA's runtime does in its
/// first call.
bool hasLoadedDriver();

/// Whether the program has initialised the loaded driver. Asks the driver for
/// the current context, which according to CUDA's documentation initialises
/// nothing.
bool hasStartedDriver();

/// Whether CUDA's driver is installed.
bool hasDriver();

enum class Search { Loaded, Failed, NoDriver };

/// Loads CUPTI 12 or 13, matching the program's CUDA version if that is known:
/// one that is already loaded, LOOPSCOPE_CUPTI, the toolkit's folders, the
/// loader's path. On failure, WHY says what was tried and what to do. Without a
/// driver, a missing CUPTI is no failure.
Search loadCupti(Cupti &Result, Text &Why);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_CUPTI_H
