// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's activity records, as bytes.

#ifndef LOOPSCOPE_TEST_REPLAY_RECORDS_H
#define LOOPSCOPE_TEST_REPLAY_RECORDS_H

#include "Device.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace replay {

/// Bytes of a record in the version that this CUPTI delivers; 0 for kinds that
/// it hasn't.
size_t recordSize(uint32_t Kind);

/// The record of D. Of a device's facts, kind and device count alone.
std::string recordOf(const Done &D);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_RECORDS_H
