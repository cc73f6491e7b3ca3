// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The binary interface of NVTX version 3, between programs that emit NVTX and
// the tool that receives it: numbers and layouts documented by NVIDIA.
//
// A client (a program, or a library in it) has tables of pointers to function
// pointers. It calls the tool's InitializeInjectionNvtx2 with a function that
// gives access to the tables, and the tool fills in the functions that it
// supports.

#ifndef LOOPSCOPE_NVTX_ABI_H
#define LOOPSCOPE_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime::nvtx {

using Function = void (*)();
/// Pointers to function pointers; any may be null, and the first always is.
using Table = Function **;

/// Index of Callbacks.
constexpr uint32_t CallbacksTable = 1;

enum Module : int { Core = 1, Core2 = 5, LastModule = 6 };

/// The contents of CallbacksTable.
struct Callbacks {
  size_t Size;
  /// Returns 1 if the client has MODULE.
  int (*GetModule)(int Module, Table *Result, unsigned *Size);
};
using GetExportTable = const void *(*)(uint32_t Id);
/// A tool's entry point; returns 1 if it accepts the client.
using Initialize = int (*)(GetExportTable);

enum CoreFunction : unsigned {
  MarkEx = 1,
  MarkA,
  MarkW,
  RangeStartEx,
  RangeStartA,
  RangeStartW,
  RangeEnd,
  RangePushEx,
  RangePushA,
  RangePushW,
  RangePop,
  CoreSize = 16
};

enum Core2Function : unsigned {
  DomainMarkEx = 1,
  DomainRangeStartEx,
  DomainRangeEnd,
  DomainRangePushEx,
  DomainRangePop,
  DomainRegisterStringA = 10,
  DomainRegisterStringW,
  DomainCreateA,
  DomainCreateW,
  DomainDestroy,
  Core2Size = 16
};

enum MessageType : int32_t { None = 0, Ascii = 1, Unicode = 2, Registered = 3 };

/// nvtxEventAttributes_t
struct Attributes {
  uint16_t Version; ///< 3
  uint16_t Size;
  uint32_t Category;
  int32_t ColorType;
  uint32_t Color;
  int32_t PayloadType;
  int32_t Reserved;
  uint64_t Payload;
  int32_t MessageType;
  const void *Message;
};
static_assert(sizeof(Attributes) == 48);

} // namespace loopscope::runtime::nvtx

#endif // LOOPSCOPE_NVTX_ABI_H
