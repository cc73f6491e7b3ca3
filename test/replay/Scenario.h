// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The behaviour of a replayed device and its CUPTI. The environment variable
// LOOPSCOPE_REPLAY names the file, with one word and its values per line; '#'
// starts a comment. Times are numbers with ns, us, ms or s.
//
//   cupti VERSION                 result of cuptiGetVersion; default 130001, in
//                                 the library that plays CUPTI 12, 26
//   device ID SMS MAJOR.MINOR NAME   default: 0 100 9.0 Replay device
//   mig ID GPU COMPUTE            makes a device an instance of a GPU, with the
//                                 ids of its GPU and compute instances
//   hidden ID SMS MAJOR.MINOR NAME   a recorded device that CUDA doesn't show
//                                 to the program, such as a GPU's instance
//   kernel NAME TIME [REGISTERS] [sm=N] [tensor=N] [dram=N]
//                                 duration of a kernel, and what it uses of the
//                                 hardware, in percent
//   default TIME                  duration of all others; 100us
//   copy BYTES                    bytes copied or set per microsecond; 1000
//   latency TIME                  from a launch to its start; 5us
//   call TIME                     duration of a launching call; 0
//   buffers thread|process        each thread fills its own buffers, or all
//                                 fill the same; thread since CUPTI 13
//   flush-period TIME             CUPTI's own thread returns full buffers at
//                                 this interval, and no other thread does
//   default-stream legacy|thread  a device has one default stream, or one per
//                                 thread, with different names of calls
//   graphs nodes|whole            records of a CUDA graph: its nodes or, if
//                                 another tool requested that, the graph
//   late TIME                     from the end of work to its complete record
//   order arrival|reverse         of records in a buffer, of buffers in a flush
//   hold FLUSHES                  delays the completion of every other record
//   incomplete no-times|unreadable  records of work in flight in a forced flush
//   no-times N                    every Nth record has no times
//   drop N                        every Nth record is dropped, and counted
//   orphans N                     every Nth record belongs to an unseen call
//   one-a-buffer                  every record has a buffer of its own
//   foreign                       the first buffer returned isn't the tool's
//   one-subscriber                CUPTI's driver can't serve several tools
//   nested                        runtime calls make driver calls with own ids
//   no-work                       launches only fire their callbacks
//   fatal N                       CUPTI stops at the Nth launch, and returns
//                                 its buffers
//   pm-metrics N                  PM sampling measures N metrics in one pass
//   pm-piece N                    it decodes N samples at a time
//   pm-buffer N                   the hardware's buffer holds N samples
//   pm-ahead TIME                 its samples' times are off by so much
//   pm-no-numbers                 its values aren't numbers
//   correlation N                 the id before the first; ids wrap, skipping 0
//   driver FILE                   library that CUDA's first call loads
//   truth FILE                    where to write the truth; see Truth.h
//   fail FUNCTION CODE [TEXT]     a CUPTI function fails; TEXT is the holder
//   cuda FUNCTION CODE            a CUDA function fails, without any work
//   hang FUNCTION                 a CUPTI function never returns
//   slow FUNCTION TIME            duration of a CUPTI function

#ifndef LOOPSCOPE_TEST_REPLAY_SCENARIO_H
#define LOOPSCOPE_TEST_REPLAY_SCENARIO_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace replay {

struct KernelModel {
  uint64_t Ns = 0;
  unsigned Registers = 32;
  double Sm = 0, Tensor = 0, Dram = 0;
};

struct DeviceModel {
  uint32_t Id = 0;
  uint32_t Multiprocessors = 100;
  uint32_t Major = 9, Minor = 0;
  std::string Name = "Replay device";
  bool IsMig = false;
  uint32_t GpuInstance = UINT32_MAX, ComputeInstance = UINT32_MAX;
};

struct Failure {
  int Code = 0;
  std::string Text;
};

struct Scenario {
#ifdef REPLAY_CUPTI_12
  uint32_t CuptiVersion = 26;
  bool PerThread = false;
#else
  uint32_t CuptiVersion = 130001;
  bool PerThread = true;
#endif
  std::vector<DeviceModel> Devices;
  std::vector<DeviceModel> Hidden;
  std::map<std::string, KernelModel> Kernels;
  uint64_t DefaultNs = 100000;
  uint64_t BytesPerUs = 1000;
  uint64_t LatencyNs = 5000;
  uint64_t CallNs = 0;
  bool Reverse = false;
  uint64_t FlushPeriodNs = 0;
  bool OwnDefaultStreams = false;
  bool WholeGraphs = false;
  uint64_t LateNs = 0;
  bool Unreadable = false;
  unsigned Hold = 0;
  unsigned NoTimes = 0;
  unsigned Drop = 0;
  unsigned Orphans = 0;
  uint32_t Correlation = 0;
  std::string Driver;
  std::string Truth;
  bool OneABuffer = false;
  bool Foreign = false;
  bool OneSubscriber = false;
  bool Nested = false;
  bool NoWork = false;
  unsigned Fatal = 0;
  unsigned PmMetrics = 0;
  unsigned PmPiece = 0;
  unsigned PmBuffer = 1 << 20;
  uint64_t PmAheadNs = 0;
  bool PmNoNumbers = false;
  std::map<std::string, Failure> CuptiFailures;
  std::map<std::string, int> CudaFailures;
  std::map<std::string, bool> Hangs;
  std::map<std::string, uint64_t> SlowNs;
};

/// The scenario of this process, read at the first call. An invalid one ends
/// the process with a message.
const Scenario &scenario();

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_SCENARIO_H
