// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extensions of this runtime, in calling order. The only file that knows
// both the core and its extensions.

#include "amounts/extension.h"
#include "comm/extension.h"
#include "cpu/extension.h"
#include "devices/extension.h"
#include "facts/extension.h"
#include "fibres/extension.h"
#include "functions/extension.h"
#include "gpu/extension.h"
#include "history/extension.h"
#include "nvtx/extension.h"
#include "pause/extension.h"
#include "progress/extension.h"
#include "ranges/extension.h"
#include "report/extension.h"
#include "reset/extension.h"
#include "stacks/extension.h"
#include "threads/extension.h"
#include "timeline/extension.h"
#include "torch/extension.h"
#include "values/extension.h"
#include "whatif/extension.h"

using namespace loopscope::runtime;

namespace {
constexpr const Extension *All[] = {
    &GpuExtension,     &DevicesExtension,   &TimelineExtension,
    &NvtxExtension,    &CpuExtension,       &ProgressExtension,
    &WhatifExtension,  &CommExtension,      &StacksExtension,
    &TorchExtension,   &FunctionsExtension, &AmountsExtension,
    &HistoryExtension, &FactsExtension,     &ValuesExtension,
    &ThreadsExtension, &PauseExtension,     &ReportExtension,
    &ResetExtension,   &RangesExtension,    &FibresExtension};
} // namespace

ExtensionList loopscope::runtime::Extensions = {All,
                                                sizeof(All) / sizeof(*All)};
