// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a replayed device and its CUPTI are like. The file that the environment
// variable LOOPSCOPE_REPLAY names has one word and its values on a line; '#'
// starts a comment. Times are numbers with ns, us, ms or s.
//
//   cupti VERSION                 what cuptiGetVersion gives; 130001 unless
//                                 given, in the library that plays CUPTI 12, 26
//   device ID SMS MAJOR.MINOR NAME   one unless given: 0 100 9.0 Replay device
//   mig ID GPU COMPUTE            a device is an instance of a GPU: the ids of
//                                 its GPU instance and compute instance
//   hidden ID SMS MAJOR.MINOR NAME   one on record that CUDA doesn't show to
//                                 the program, such as an instance of the GPU
//   kernel NAME TIME [REGISTERS]  how long a kernel runs
//   default TIME                  how long all others run; 100us
//   copy BYTES                    bytes copied or set in a microsecond; 1000
//   latency TIME                  from a launch to its start; 5us
//   call TIME                     how long a call that launches takes; 0
//   buffers thread|process        each thread fills buffers of its own, or all
//                                 fill the same; thread from CUPTI 13 on
//   flush-period TIME             CUPTI's own thread gives full buffers back so
//                                 often, and no other one does
//   default-stream legacy|thread  a device's default stream is one, or one for
//                                 each thread, with calls of their own names
//   graphs nodes|whole            what is on record of a CUDA graph: each node,
//                                 or, as another tool asked for that, the graph
//   late TIME                     from the end of work to its complete record
//   order arrival|reverse         of records in a buffer, of buffers in a flush
//   hold FLUSHES                  every other record is complete so much later
//   incomplete no-times|unreadable  how a forced flush gives work in flight
//   no-times N                    every Nth record has no times
//   drop N                        every Nth record is dropped, and counted
//   orphans N                     every Nth record names no call that was seen
//   one-a-buffer                  every record comes in a buffer of its own
//   foreign                       the first buffer that comes is not the tool's
//   one-subscriber                CUPTI's driver can't serve several tools
//   nested                        runtime calls make driver calls with own ids
//   no-work                       launches do nothing but fire their callbacks
//   fatal N                       CUPTI stops itself at the Nth launch, and
//                                 gives back the buffers that it has
//   correlation N                 the id before the first; they wrap, without 0
//   driver FILE                   what CUDA's first call loads
//   truth FILE                    where to write what really happened
//   fail FUNCTION CODE [TEXT]     a CUPTI function fails; TEXT is the holder
//   cuda FUNCTION CODE            a CUDA function fails, without any work
//   hang FUNCTION                 a CUPTI function doesn't return
//   slow FUNCTION TIME            a CUPTI function takes so long

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
