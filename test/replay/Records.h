// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's activity records, as bytes.

#ifndef LOOPSCOPE_TEST_REPLAY_RECORDS_H
#define LOOPSCOPE_TEST_REPLAY_RECORDS_H

#include "Device.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace replay {

/// Size of a record in this CUPTI's version; 0 for kinds that it lacks.
size_t recordSize(uint32_t Kind);

/// The record of D. For a device, only kind and device facts.
std::string recordOf(const Done &D);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_RECORDS_H
