// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device sampler's lines of a profile's description (ProfileDescription.h).
// They follow the threads, without indentation, and name call paths as in
// GpuDescription.h.
//
//   sampler MS rounds=N cost=DURATION
//   sampler-note TEXT
//   metric NAME percent|bytes|watts|celsius|hertz|count [GPU [NAME...]]
//   samples METRIC NODE count=N sum=X min=X max=X   METRIC counts from 0
//     and for damage: sequence=N
//   use NODE|idle|idle:NODE|many device=ID windows=N time=D min=X max=X
//     NAME=MEAN...               of a GPU's hardware: "dram.active=84"
//     number=N                   one that this version doesn't know

#ifndef LOOPSCOPE_TEST_TOOLS_DEVICEDESCRIPTION_H
#define LOOPSCOPE_TEST_TOOLS_DEVICEDESCRIPTION_H

#include "GpuDescription.h"

/// Collects the device records of one description.
class DeviceDescription {
public:
  /// Reads a line whose first word is WORD; false if the word belongs to
  /// another description.
  bool read(const std::string &Word, std::istringstream &Words,
            const DescriptionContext &Context);
  /// Places all strings; call it before write().
  void place(const PlaceText &Place);
  void write(const AppendChunk &Append) const;

private:
  void readMetric(std::istringstream &Words, const DescriptionContext &C);
  void readSamples(std::istringstream &Words, const DescriptionContext &C);
  void readUse(std::istringstream &Words, const DescriptionContext &C);

  struct Texts {
    std::string Name, Device;
  };
  std::vector<loopscope_metric> Metrics;
  std::vector<Texts> Names;
  std::vector<loopscope_metric_sum> Sums;
  std::vector<loopscope_gpu_use> Uses;
};

#endif // LOOPSCOPE_TEST_TOOLS_DEVICEDESCRIPTION_H
