// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU lines of a profile's description (ProfileDescription.h). They follow
// the threads, without indentation, and name call paths by their phase:
// "forward", "draw", "root", "none"; forward#2 is the second one of that name.
// KEY=VALUE words are optional.
//
//   gpu on|missing|stopped cupti=N launches=N records=N cost=D start=D end=D
//     overhead=D,D,D,D library=PATH     D: a duration
//   gpu-note TEXT
//   device ID NAME cc=9.0 sms=N warps=N memory=N bandwidth=N from=D to=D busy=D
//     kernels=D copies=D sm=D           sm: integral of used multiprocessors
//     peak=N held=N peak-node=NODE      bytes of the device's memory
//   kernel NODE FUNCTION device=ID spans=3x10ms,1x2ms no-time=N graph=N
//     shorter=N queue=D blocks=X occupancy=X made-in=NODE busy=D
//   copy NODE htod|dtoh|dtod|htoh|ptop|other device=ID spans=... bytes=N ...
//   set NODE device=ID spans=... bytes=N ...
//   union NODE device=ID busy=D kernels=D idle=D
//   same kernel FUNCTION|copy htod...|set device=ID busy=D
//   overlap device=ID busy=D kernels=NODE copies=NODE ... more
//   wait WAITER WORKER D
//   memory NODE device|managed|pinned|other device=ID allocations=N bytes=N
//     frees=N freed=N peak=N held-at-peak=N
//   event kernel|copy|set|launch|wait|call|overhead NODE FUNCTION|- at=D for=D
//     direction=htod device=ID context=N stream=N correlation=N thread=N
//     grid=X,Y,Z block=X,Y,Z registers=N static=N dynamic=N graph=N
//     graph-node=N made-in=NODE callback=N bytes=N occupancy=X
//
// CUDA calls are keys of the call path's own line: launches=COUNT/D,
// waits=COUNT/D, calls=COUNT/D.

#ifndef LOOPSCOPE_TEST_TOOLS_GPUDESCRIPTION_H
#define LOOPSCOPE_TEST_TOOLS_GPUDESCRIPTION_H

#include <loopscope/profile_format.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

/// Copies TEXT to a field of a record, cut to its size.
template <size_t N> void setText(char (&Field)[N], const std::string &Text) {
  std::snprintf(Field, N, "%s", Text.c_str());
}

/// What the surrounding description provides.
struct DescriptionContext {
  std::function<uint64_t(const std::string &)> Number;
  std::function<uint64_t(const std::string &)> Duration;
  std::function<uint32_t(const std::string &)> Node; ///< by name
  std::function<void(const std::string &)> Die;
  loopscope_profile_header *Header;
  uint64_t StartTicks;
};

/// Places a string in the profile.
using PlaceText =
    std::function<loopscope_profile_string(const std::string &Text)>;

/// Appends a chunk of records.
using AppendChunk = std::function<void(uint32_t Type, const void *Entries,
                                       size_t Count, size_t Size)>;

/// Collects the GPU records of one description.
class GpuDescription {
public:
  /// Reads a line whose first word is WORD; false if the word belongs to
  /// another description.
  bool read(const std::string &Word, std::istringstream &Words,
            const DescriptionContext &Context);
  /// Sets a key of a call path's line; false for an unknown key.
  static bool set(loopscope_profile_node &Node, const std::string &Key,
                  const std::string &Value, const DescriptionContext &Context);
  /// Places all strings; call it before write().
  void place(const PlaceText &Place);
  void write(const AppendChunk &Append) const;

private:
  void readHeader(std::istringstream &Words, const DescriptionContext &C);
  void readDevice(std::istringstream &Words, const DescriptionContext &C);
  void readWork(uint16_t Kind, std::istringstream &Words,
                const DescriptionContext &C);
  void readUnion(std::istringstream &Words, const DescriptionContext &C);
  void readOverlap(std::istringstream &Words, const DescriptionContext &C);
  void readSameWork(std::istringstream &Words, const DescriptionContext &C);
  void readMemory(std::istringstream &Words, const DescriptionContext &C);
  void readEvent(std::istringstream &Words, const DescriptionContext &C);
  uint32_t functionOf(const std::string &Name);

  std::vector<loopscope_gpu_device> Devices;
  std::vector<std::string> DeviceNames;
  std::vector<loopscope_gpu_function> Functions;
  std::vector<std::string> FunctionNames;
  std::vector<loopscope_gpu_work> Work;
  std::vector<loopscope_gpu_node> Nodes;
  std::vector<loopscope_gpu_overlap> Overlaps;
  std::vector<loopscope_gpu_same_work> SameWork;
  std::vector<loopscope_gpu_wait> Waits;
  std::vector<loopscope_gpu_memory> Memory;
  std::vector<loopscope_gpu_event> Events;
};

#endif // LOOPSCOPE_TEST_TOOLS_GPUDESCRIPTION_H
