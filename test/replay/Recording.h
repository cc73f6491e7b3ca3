// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file format of a recording: CUPTI's data for a tool on a real GPU, call
// by call and buffer by buffer. test/gpu/record.cpp writes it, Recording.cpp
// plays it.
//
// A header, then items: type, size in bytes (without these two numbers), and
// contents padded to eight bytes. Numbers are little-endian, times nanoseconds
// of CUPTI's clock.

#ifndef LOOPSCOPE_TEST_REPLAY_RECORDING_H
#define LOOPSCOPE_TEST_REPLAY_RECORDING_H

#include <cstdint>

namespace recording {

struct Header {
  char Magic[8]; // "LSREC01\n"
  uint32_t CuptiVersion;
  uint32_t Reserved;
};
constexpr char Magic[9] = "LSREC01\n";

enum ItemType : uint32_t {
  CallItem = 1,   // struct Call, then its name
  NameItem = 2,   // struct Name, then the text of a pointer in records
  BufferItem = 3, // struct Buffer, then Count sizes (uint32_t, an even number
                  // of them), then the records' bytes
  GraphNodeItem = 4, // struct GraphNode
};

struct Item {
  uint32_t Type;
  uint32_t Size; // padded
};

struct Call {
  uint64_t Time;
  uint32_t Site; // CUPTI_API_ENTER, CUPTI_API_EXIT
  uint32_t Domain;
  uint32_t Id;
  uint32_t Correlation;
  uint32_t Thread;
  uint32_t NameLength;
};

struct GraphNode {
  uint64_t Time;
  uint64_t Id;
  uint64_t Original; // 0 unless it was cloned
  uint32_t Event;    // CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, _CLONED
  uint32_t Thread;
};

struct Name {
  uint64_t Address;
  uint64_t Length;
};

struct Buffer {
  uint64_t Time; // time of delivery
  uint32_t Count;
  uint32_t Bytes; // of all records
};

} // namespace recording

#endif // LOOPSCOPE_TEST_REPLAY_RECORDING_H
