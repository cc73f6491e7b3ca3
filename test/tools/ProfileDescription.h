// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes profiles from descriptions, so that a test can define its profile in a
// few lines, with round numbers, and with damage.
//
// The description, line by line; "#" starts a comment. Durations are numbers
// with ns, us, ms or s; one tick is a nanosecond, the run starts at tick 1000.
//
//   wall 10s               the run's length
//   end exited 0           or: signal 11, running
//   rank 3 of 8
//   warmup 1 [per-epoch]
//   hook 20 10             own cost of a span in ns: inside, outside
//   program NAME           also: host
//   started 100s 20s       by the clock, and since the host's boot
//   counter INDEX VALUE    enum loopscope_counter
//   named KEY VALUE        a counter with a name
//   flags VALUE            enum loopscope_profile_flag
//   version 2.0
//   used +4096             used_bytes, more (or less) than there is
//   missing FILE           a file built without hooks
//   thread main            or: thread NAME lived=DURATION [last=DURATION]
//                          [users=NUMBER]
//     KIND NAME [KEY=VALUE...]
//       KIND NAME ...      a child: two blanks deeper
//
// GpuDescription.h lists the lines that describe GPU work, DeviceDescription.h
// those of the device sampler, HistoryDescription.h bins, CommDescription.h
// those of collectives, OperatorDescription.h those of operators,
// KeyDescription.h the key `key=` and the line for more records of such,
// SumsDescription.h the keys of processor times.
//
// Keys of a node: spans=3x10ms,1x20ms (finished ones), uncounted=DURATION,
// open=DURATION (a span open that long), popped=N (of spans, those that
// something else than their own end has ended), late_end (such an end came
// later), elsewhere (or on another thread, while one was open), samples=N (in all), rates=R (sum over its spans, per second), warmup,
// cut, file=F, line=N, function=F, inputs=I (OperatorDescription.h); for the
// timeline at=START+DURATION,START (spans, the last one open; steps are
// numbered in order); and for damage: parent=N, depth=N, site=N, sequence=N,
// state=N. Steps, draws and batches of a loop have no name: they carry the
// loop's site.

#ifndef LOOPSCOPE_TEST_TOOLS_PROFILEDESCRIPTION_H
#define LOOPSCOPE_TEST_TOOLS_PROFILEDESCRIPTION_H

#include <string>

/// The bytes of the profile that TEXT describes. Exits with a message that
/// names the line if TEXT is invalid.
std::string describedProfile(const std::string &Text);

#endif // LOOPSCOPE_TEST_TOOLS_PROFILEDESCRIPTION_H
