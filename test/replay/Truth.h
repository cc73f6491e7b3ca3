// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The true events on the simulated devices, for tests that compare them with
// the tool's results. The scenario's `truth` names the file. Its lines are
//
//   work KIND NAME START END DEVICE STREAM GRAPH BYTES COPYKIND BLOCKS LABEL
//   wait START END LABEL     a waiting call, timed inside the call
//   cupti FUNCTION START|RUN    a call by the tool, before or after the first
//                               CUDA call
//   device ID SMS            a device that the program sees
//   refused NAME             a refused subscription by the tool NAME
//   flush TIME               a forced flush: work that ends later has no times
//   call WHAT START END LABEL   a call, timed by the program around it
//   sample DEVICE START END SM  a sample of PM sampling that the tool got
//
// with times in ns of the tool's clock, in no particular order.

#ifndef LOOPSCOPE_TEST_REPLAY_TRUTH_H
#define LOOPSCOPE_TEST_REPLAY_TRUTH_H

#include "Device.h"

namespace replay {

void noteWork(const Done &D);
void noteWait(uint64_t Start, uint64_t End);
void noteFlush(uint64_t Time);
void noteDevice(uint32_t Id, uint32_t Multiprocessors);
void noteRefusal(const char *Holder);
void noteSample(uint32_t Device, uint64_t Start, uint64_t End, double Sm);
void noteCupti(const char *Function, bool AfterCuda);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_TRUTH_H
