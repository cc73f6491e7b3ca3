// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds traces with one line per event; times in microseconds.

#ifndef LOOPSCOPE_TEST_UNIT_ANALYSIS_TRACEBUILDER_H
#define LOOPSCOPE_TEST_UNIT_ANALYSIS_TRACEBUILDER_H

#include "Run/Kineto/EventNames.h"

#include <string_view>

/// Fills a trace event by event.
class TraceBuilder {
public:
  loopscope::EventStream Trace;

  TraceBuilder() { Trace.Devices.emplace_back(); }

  /// The events as a reader leaves them.
  loopscope::EventStream read() const {
    loopscope::EventStream Read = Trace;
    loopscope::readNames(Read);
    return Read;
  }

  /// A host event on THREAD.
  TraceBuilder &host(loopscope::TraceKind Kind, std::string_view Name,
                     int64_t Start, int64_t Duration, uint64_t ExternalId = 0,
                     std::string_view Thread = "1") {
    add(Kind, Name, Start, Duration, Thread).ExternalId = ExternalId;
    return *this;
  }

  /// An operator on thread 1.
  TraceBuilder &op(std::string_view Name, int64_t Start, int64_t Duration,
                   uint64_t ExternalId = 0) {
    return host(loopscope::TraceKind::Operator, Name, Start, Duration,
                ExternalId);
  }

  /// A step on thread 1.
  TraceBuilder &step(std::string_view Name, int64_t Start, int64_t Duration) {
    return host(loopscope::TraceKind::Step, Name, Start, Duration);
  }

  /// A runtime call.
  TraceBuilder &runtime(int64_t Start, int64_t Duration, uint64_t Correlation,
                        uint64_t ExternalId = 0) {
    loopscope::TraceEvent &Event =
        add(loopscope::TraceKind::Runtime, "cudaLaunchKernel", Start, Duration,
            "1");
    Event.Correlation = Correlation;
    Event.ExternalId = ExternalId;
    return *this;
  }

  /// Device work on device 0.
  TraceBuilder &device(loopscope::TraceKind Kind, std::string_view Name,
                       int64_t Start, int64_t Duration, uint64_t Correlation,
                       double Blocks = -1, double Occupancy = -1) {
    loopscope::TraceEvent &Event = add(Kind, Name, Start, Duration, "stream 7");
    Event.Correlation = Correlation;
    Event.Device = static_cast<uint32_t>(Trace.Devices.size());
    Trace.Devices.push_back({0, Blocks, Occupancy});
    return *this;
  }

  /// A kernel on device 0.
  TraceBuilder &kernel(std::string_view Name, int64_t Start, int64_t Duration,
                       uint64_t Correlation, double Blocks = -1,
                       double Occupancy = -1) {
    return device(loopscope::TraceKind::Kernel, Name, Start, Duration,
                  Correlation, Blocks, Occupancy);
  }

private:
  loopscope::TraceEvent &add(loopscope::TraceKind Kind, std::string_view Name,
                             int64_t Start, int64_t Duration,
                             std::string_view Thread) {
    loopscope::TraceEvent Event;
    Event.Kind = Kind;
    Event.Name = Trace.Strings.intern(Name);
    Event.Start = Start * 1000;
    Event.Duration = Duration * 1000;
    uint32_t Tid = Trace.Strings.intern(Thread);
    Event.Track = 0;
    while (Event.Track < Trace.Tracks.size() &&
           Trace.Tracks[Event.Track].Tid != Tid)
      ++Event.Track;
    if (Event.Track == Trace.Tracks.size())
      Trace.Tracks.push_back({0, Tid});
    Trace.Events.push_back(Event);
    return Trace.Events.back();
  }
};

#endif // LOOPSCOPE_TEST_UNIT_ANALYSIS_TRACEBUILDER_H
