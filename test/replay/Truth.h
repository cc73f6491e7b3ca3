// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What really happened on the simulated devices, for tests that compare it with
// what the tool says. The scenario's `truth` names the file; a line is
//
//   work KIND NAME START END DEVICE STREAM GRAPH BYTES COPYKIND BLOCKS LABEL
//   wait START END LABEL     a call waits, from within the call
//   cupti FUNCTION START|RUN    a call of the tool's, before or after the first
//                               one of CUDA
//   device ID SMS            that the program sees
//   refused NAME             another tool's subscription, as NAME has it
//   flush TIME               a forced one: work that ends later has no times
//   call WHAT START END LABEL   as the program saw it, from outside the call
//
// with times in ns of the tool's clock, in no order.

#ifndef LOOPSCOPE_TEST_REPLAY_TRUTH_H
#define LOOPSCOPE_TEST_REPLAY_TRUTH_H

#include "Device.h"

namespace replay {

void noteWork(const Done &D);
void noteWait(uint64_t Start, uint64_t End);
void noteFlush(uint64_t Time);
void noteDevice(uint32_t Id, uint32_t Multiprocessors);
void noteRefusal(const char *Holder);
void noteCupti(const char *Function, bool AfterCuda);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_TRUTH_H
